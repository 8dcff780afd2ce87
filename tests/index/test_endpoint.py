"""The OpenAI-compatible embedder against a server on loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mnemofs.errors import EmbedderError
from mnemofs.index.meaning import endpoint
from mnemofs.index.meaning.embedders import RateLimited, load
from mnemofs.index.meaning.endpoint import EndpointEmbedder
from mnemofs.sections import EmbedderConfig

from .conftest import Store, ask, found, write

Answer = Callable[[list[str]], Any]


def direction(text: str, dims: int) -> list[float]:
    generator = np.random.default_rng(sum(text.encode()))
    numbers: list[float] = generator.standard_normal(dims).tolist()
    return numbers


def serve(server: HTTPServer, answer: Answer) -> list[dict[str, Any]]:
    """Answers every request with `answer(texts)`: vectors, or a ready response."""
    bodies: list[dict[str, Any]] = []

    def handle(request: Request) -> Response:
        body = json.loads(request.get_data())
        bodies.append(body | {"authorization": request.headers.get("authorization")})
        made = answer(body["input"])
        if isinstance(made, Response):
            return made
        data = [{"index": n, "embedding": vector} for n, vector in enumerate(made)]
        return Response(json.dumps({"data": data[::-1]}), content_type="application/json")

    server.expect_request("/v1/embeddings", method="POST").respond_with_handler(handle)
    return bodies


def embedder(server: HTTPServer, **options: Any) -> EndpointEmbedder:
    config = EmbedderConfig(kind="openai", base_url=server.url_for("/v1"), model="m", **options)
    loaded, warning = load(config)
    assert isinstance(loaded, EndpointEmbedder)
    assert warning == ""
    return loaded


def test_EMB_01_floats_are_asked_for_and_come_back_whole(
    httpserver: HTTPServer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", "k1")
    bodies = serve(httpserver, lambda texts: [direction(text, 768) for text in texts])
    index = store({"a.md": "tea\n"}, embedder=embedder(httpserver, api_key_env="THE_KEY"))  # type: ignore[arg-type]
    assert {body["encoding_format"] for body in bodies} == {"float"}
    assert {body["authorization"] for body in bodies} == {"Bearer k1"}
    assert [len(row[0]) for row in index.query("select q8 from vector")] == [768]


@pytest.mark.parametrize("configured", [0, 4])
def test_EMB_02_a_change_of_size_is_noticed_and_mended(
    httpserver: HTTPServer, store: Store, configured: int
) -> None:
    dims = 4
    serve(httpserver, lambda texts: [direction(text, dims) for text in texts])
    index = store({"a.md": "tea\n", "b.md": "ink\n"}, embedder=embedder(httpserver))  # type: ignore[arg-type]
    assert {len(row[0]) for row in index.query("select q8 from vector")} == {4}
    dims = 8
    index.embedder = embedder(httpserver, dims=configured)
    result = ask(index, "some tea please", mode="hybrid")
    assert [hit.path for hit in result.hits][:1] == ["a.md"]
    if configured:
        assert "8 dimensions" in result.warnings[0]
        assert result.mode == "lexical"
        return
    index.embed_pending()
    assert [len(row[0]) for row in index.query("select q8 from vector")] == [8, 8]
    assert ask(index, "some tea please", mode="hybrid").warnings == ()


def test_EMB_06_a_rate_limit_in_the_middle_resumes(
    httpserver: HTTPServer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_BATCH", 1)
    limited = True

    def answer(texts: list[str]) -> Any:
        if limited and any("late" in text for text in texts):
            return Response("slow down", 429, {"Retry-After": "1"})
        return [direction(text, 16) for text in texts]

    serve(httpserver, answer)
    files = {"a.md": "one tea\n", "b.md": "two tea\n"}
    index = store(files, embedder=embedder(httpserver))  # type: ignore[arg-type]
    write(index.root, {f"late{n}.md": f"late tea {n}\n" for n in range(3)})
    assert index.refresh().pending == 3
    done = index.embed_pending(seconds=0.2)
    assert (done.done, done.pending, done.retry_after) == (0, 3, 1.0)
    assert len(found(index, "tea")) == 5
    limited = False
    time.sleep(1.05)
    ask(index, "where is my tea", mode="hybrid")  # nobody has to start it by hand
    assert index.pending() == 0


def test_EMB_06_a_limit_is_waited_for_when_there_is_time(
    httpserver: HTTPServer, store: Store
) -> None:
    calls = 0

    def answer(texts: list[str]) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            return Response("", 429, {"Retry-After": "0.2"})
        return [direction(text, 16) for text in texts]

    serve(httpserver, answer)
    index = store({"a.md": "tea\n"}, embedder=embedder(httpserver), refreshed=False)  # type: ignore[arg-type]
    index.refresh()
    assert index.embed_pending().pending == 0


def test_EMB_06_one_bad_text_does_not_block_the_rest(httpserver: HTTPServer, store: Store) -> None:
    def answer(texts: list[str]) -> Any:
        if any("poison" in text for text in texts):
            return Response("too long", 400)
        return [direction(text, 16) for text in texts]

    serve(httpserver, answer)
    files = {f"n{n}.md": f"{'poison' if n == 3 else 'tea'} {n}\n" for n in range(9)}
    index = store(files, embedder=embedder(httpserver), refreshed=False)  # type: ignore[arg-type]
    index.refresh()
    done = index.embed_pending()
    assert (done.done, done.pending) == (8, 0)
    assert [path for path, _reason in done.refused] == ["n3.md"]
    assert found(index, "poison") == ["poison 3"]


@pytest.mark.parametrize(
    "reply",
    [
        Response("{}"),
        Response("not json"),
        Response('{"data": []}'),
        Response('{"data": [{"index": 0, "embedding": "AAAA"}]}'),
        Response('{"data": [{"index": 0, "embedding": []}]}'),
        Response("", 401),
        Response("", 500),
        Response("", 404),
    ],
    ids=["empty", "text", "too few", "base64", "no numbers", "401", "500", "404"],
)
def test_an_unusable_answer_is_an_error_that_names_the_endpoint(
    httpserver: HTTPServer, reply: Response
) -> None:
    serve(httpserver, lambda _texts: reply)
    with pytest.raises(EmbedderError, match=httpserver.url_for("/v1")):
        embedder(httpserver).embed(["tea"])


def test_null_numbers_mean_no_vector(httpserver: HTTPServer) -> None:
    serve(httpserver, lambda texts: [[None] * 4 if "bad" in t else direction(t, 4) for t in texts])
    rows = embedder(httpserver).embed(["bad", "good"])
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1]).all()


def test_a_dead_endpoint_leaves_words(store: Store) -> None:
    config = EmbedderConfig(kind="openai", base_url="http://127.0.0.1:9/v1", model="m", timeout=2)
    loaded = load(config).embedder
    index = store({"a.md": "green tea\n"}, embedder=loaded)  # type: ignore[arg-type]
    result = ask(index, "green tea please", mode="hybrid")
    assert (result.mode, [hit.path for hit in result.hits]) == ("lexical", ["a.md"])
    assert "cannot be reached" in result.warnings[0]


def test_without_a_url_nothing_is_asked() -> None:
    loaded, warning = load(EmbedderConfig(kind="openai", model="m"))
    assert loaded is None
    assert "base_url" in warning


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("3", 3, 3),
        ("", 5, 5),
        ("soon", 5, 5),
        ("-4", 0, 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0),
    ],
)
def test_the_time_to_wait_is_read(
    httpserver: HTTPServer, header: str, least: float, most: float
) -> None:
    serve(httpserver, lambda _texts: Response("", 429, {"Retry-After": header}))
    with pytest.raises(RateLimited) as caught:
        embedder(httpserver).embed(["x"])
    assert least <= caught.value.retry_after <= most
