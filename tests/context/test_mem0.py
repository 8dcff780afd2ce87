"""The Mem0 provider against a local server that speaks Mem0's REST."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mnemofs import Workspace
from mnemofs.context.providers.manager import Manager
from mnemofs.context.providers.mem0 import Mem0
from mnemofs.context.providers.protocol import Turn
from mnemofs.errors import ProviderError
from mnemofs.sections import Mem0Config, ProvidersConfig
from mnemofs.tls import through_proxy


class Server:
    """A small Mem0: keeps what it is sent, answers with what it is told to."""

    def __init__(self, http: HTTPServer) -> None:
        self.http = http
        self.seen: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.memories: list[Any] = [{"memory": "likes green tea"}, {"memory": "  "}, {"id": "x"}]
        self.reply: Response | None = None
        self.delay = 0.0
        self.hold = threading.Event()
        self.hold.set()
        http.expect_request("/v1/memories/search/", method="POST").respond_with_handler(self._on)
        http.expect_request("/v1/memories/", method="POST").respond_with_handler(self._on)

    @property
    def url(self) -> str:
        return self.http.url_for("/v1")

    def bodies(self, path: str) -> list[dict[str, Any]]:
        return [body for where, body, _ in self.seen if where == f"/v1{path}"]

    def _on(self, request: Request) -> Response:
        self.seen.append((request.path, json.loads(request.data), dict(request.headers)))
        time.sleep(self.delay)
        self.hold.wait(10)
        if self.reply is not None:
            return self.reply
        if request.path.endswith("/search/"):
            return Response(json.dumps({"results": self.memories}))
        return Response(json.dumps({"results": [{"id": "1", "event": "ADD"}]}))


@pytest.fixture
def server(httpserver: HTTPServer) -> Iterator[Server]:
    found = Server(httpserver)
    yield found
    found.hold.set()


def mem0(server: Server, **keys: Any) -> Mem0:
    config = Mem0Config(base_url=server.url + "//", timeout_ms=1500)
    return Mem0(config.replace(**keys), agent="ada", api_key="k-123")


def turn(user: str = "I like tea", assistant: str = "Noted", owner: str = "user:1") -> Turn:
    return Turn(owner, "c1", user, assistant)


def test_recall_asks_for_this_owner_and_drops_blanks(server: Server) -> None:
    provider = mem0(server)
    assert list(provider.prefetch("what tea?", "user:1")) == ["likes green tea"]
    ((path, body, headers),) = server.seen
    assert path == "/v1/memories/search/"
    assert body == {"query": "what tea?", "user_id": "user:1", "agent_id": "ada", "limit": 5}
    assert headers["Content-Type"] == "application/json"
    assert headers["Authorization"] == "Bearer k-123"


def test_without_a_key_no_key_is_sent_and_without_an_agent_none_is_named(server: Server) -> None:
    Mem0(Mem0Config(base_url=server.url)).prefetch("tea", "user:1")
    ((_, body, headers),) = server.seen
    assert "Authorization" not in headers and "agent_id" not in body


def test_a_server_on_this_machine_is_not_asked_through_a_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert list(mem0(server).prefetch("tea?", "user:1")) == ["likes green tea"]
    for url, through in (
        ("http://LOCALHOST:8000/v1", False),
        ("http://ollama.localhost", False),
        ("http://127.8.0.1:11434", False),
        ("https://[::1]/v1", False),
        ("http://10.0.0.1", True),
        ("http://localhost.example", True),
        ("http://[", True),
        ("", True),
    ):
        assert through_proxy(url) is through


@pytest.mark.parametrize(
    ("query", "owner"), [("", "user:1"), ("  ", "user:1"), ("tea", ""), ("tea", " ")]
)
def test_nobody_and_nothing_are_not_asked_for(server: Server, query: str, owner: str) -> None:
    assert list(mem0(server).prefetch(query, owner)) == []
    assert server.seen == []


@pytest.mark.parametrize(
    ("search", "sync", "base", "there"),
    [
        (True, True, "x", True),
        (False, True, "x", True),
        (False, False, "x", False),
        (True, True, " ", False),
    ],
)
def test_it_is_available_with_a_server_and_something_to_do(
    search: bool, sync: bool, base: str, there: bool
) -> None:
    config = Mem0Config(base_url=base, search_enabled=search, sync_enabled=sync)
    assert Mem0(config).available() is there


def test_each_half_may_be_turned_off(server: Server) -> None:
    assert list(mem0(server, search_enabled=False).prefetch("tea", "user:1")) == []
    provider = mem0(server, sync_enabled=False)
    provider.sync_turn(turn())
    assert provider.flush(1) and server.seen == []


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, "kaputt", "Mem0 answered 500: kaputt"),
        (401, '{"detail": "no"}', 'Mem0 answered 401: {"detail": "no"}'),
        (302, "", "Mem0 answered 302"),
        (200, "<html>", "Mem0 answered with something that is no JSON"),
        (200, "[" * 100_000, "Mem0 answered with something that is no JSON"),
        (200, '{"results": "x"}', "Mem0 answered without a list of results"),
        (200, '"text"', "Mem0 answered without a list of results"),
        (200, "null", "Mem0 answered without a list of results"),
        (200, '{"results": [{"memory": {"a": 1}}]}', "Mem0 answered with a dict for a memory"),
        (200, "x" * (2 << 20), "Mem0 answered with more than a megabyte"),
    ],
    ids=range(10),
)
def test_errors_reach_the_boundary_and_are_named(
    server: Server, status: int, body: str, reason: str
) -> None:
    server.reply = Response(body, status=status)
    with pytest.raises(ProviderError) as caught:
        mem0(server).prefetch("tea", "user:1")
    assert caught.value.message == reason
    recall = _manager(mem0(server)).recall("tea", "user:1")
    assert recall.warnings == (f"mem0 could not be asked: {reason}",)


def test_at_most_500_characters_of_an_error_are_quoted(server: Server) -> None:
    server.reply = Response("y" * 5000, status=503)
    with pytest.raises(ProviderError) as caught:
        mem0(server).prefetch("tea", "user:1")
    assert caught.value.message == "Mem0 answered 503: " + "y" * 500


@pytest.mark.parametrize("results", [[], ["text", 7, None], [{"memory": None}], [{"memory": ""}]])
def test_odd_results_are_passed_over(server: Server, results: list[Any]) -> None:
    server.memories = results
    assert list(mem0(server).prefetch("tea", "user:1")) == []


def test_a_bare_list_of_results_is_understood(server: Server) -> None:
    server.reply = Response('[{"memory": "a"}, {"memory": "b"}]')
    assert list(mem0(server, max_results=1).prefetch("tea", "user:1")) == ["a"]


def test_a_slow_server_costs_no_more_than_the_deadline(server: Server) -> None:
    server.hold.clear()
    provider = mem0(server, timeout_ms=3000)
    manager = _manager(provider, prefetch_timeout_ms=200)
    for _ in range(3):
        began = time.monotonic()
        recall = manager.recall("tea", "user:1")
        assert time.monotonic() - began < 1
        assert recall.statements == () and "mem0" in recall.warnings[0]
    assert "rests" in manager.recall("tea", "user:1").warnings[0]
    assert len(server.seen) == 1


def test_nobody_listening_is_said(server: Server) -> None:
    provider = Mem0(Mem0Config(base_url="http://127.0.0.1:9", timeout_ms=500))
    with pytest.raises(ProviderError, match="cannot be reached"):
        provider.prefetch("tea", "user:1")
    with pytest.raises(ProviderError, match="cannot be reached"):
        Mem0(Mem0Config(base_url="not a url")).prefetch("tea", "user:1")


def test_a_turn_is_sent_with_its_owner_and_conversation(server: Server) -> None:
    provider = mem0(server)
    provider.sync_turn(turn("I like tea", "Noted"))
    provider.sync_turn(turn("only this", "  "))
    provider.sync_turn(Turn("user:1", " ", "", "only that"))
    provider.sync_turn(turn(" ", ""))
    provider.sync_turn(turn(owner=""))
    assert provider.flush(5)
    first, second, third = server.bodies("/memories/")
    assert first == {
        "user_id": "user:1",
        "agent_id": "ada",
        "messages": [
            {"role": "user", "content": "I like tea"},
            {"role": "assistant", "content": "Noted"},
        ],
        "metadata": {"conversation_id": "c1"},
    }
    assert second["messages"] == [{"role": "user", "content": "only this"}]
    assert third["messages"] == [{"role": "assistant", "content": "only that"}]
    assert "metadata" not in third


def test_SEC_07_a_secret_is_not_sent(server: Server) -> None:
    provider = mem0(server)
    secret = "ghp_" + "a1B2" * 9
    provider.sync_turn(turn(f"my key is {secret}", "ok"))
    assert provider.flush(5)
    assert secret not in json.dumps(server.bodies("/memories/"))


def test_W_28_a_full_queue_drops_with_a_warning(server: Server) -> None:
    server.hold.clear()
    provider = mem0(server, queue_capacity=4)
    manager = _manager(provider)
    warnings: list[str] = []
    for number in range(12):
        began = time.monotonic()
        warnings += manager.sync_turn(turn(f"turn {number}"))
        assert time.monotonic() - began < 0.5
    dropped = sum(int(text.split()[1]) for text in warnings)
    assert dropped in (7, 8) and "dropped: 4 wait already" in warnings[0]
    server.hold.set()
    assert provider.flush(5)
    assert len(server.bodies("/memories/")) == 12 - dropped


def test_turns_that_could_not_be_sent_are_counted_and_said_once(server: Server) -> None:
    server.reply = Response("down", status=500)
    provider = mem0(server)
    provider.sync_turn(turn())
    assert provider.flush(5)
    assert list(provider.warnings()) == ["1 turn could not be sent: Mem0 answered 500: down"]
    assert list(provider.warnings()) == []
    server.reply = None
    provider.sync_turn(turn("again"))
    assert provider.flush(5) and list(provider.warnings()) == []


def test_order_is_kept_and_closing_sends_what_waits(server: Server) -> None:
    provider = mem0(server)
    for number in range(20):
        provider.sync_turn(turn(f"turn {number}"))
    provider.close()
    said = [body["messages"][0]["content"] for body in server.bodies("/memories/")]
    assert said == [f"turn {number}" for number in range(20)]


def _manager(provider: Mem0, **keys: Any) -> Manager:
    manager = Manager(ProvidersConfig().replace(**keys))
    manager.add(provider)
    return manager


@pytest.fixture
def connected(
    ws: Workspace, server: Server, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    monkeypatch.setenv("MNEMOFS_MEM0_BASE_URL", server.url)
    monkeypatch.setenv("MEM0_API_KEY", "k-env")
    with Workspace.open(ws.root) as workspace:
        yield workspace


def test_a_workspace_with_a_mem0_asks_it_and_tells_it(connected: Workspace, server: Server) -> None:
    connected.remember("We deploy on Fridays")
    ada = connected.for_owner("user:1")
    text = ada.context(query="which tea?").prefetch
    assert "[Mem0 Recall: hints from an external service" in text
    assert "1. likes green tea" in text
    assert server.seen[0][2]["Authorization"] == "Bearer k-env"
    assert ada.sync_turn("I like tea", "Noted", conversation="c9", wait=5) == ()
    (sent,) = server.bodies("/memories/")
    assert (sent["user_id"], sent["agent_id"]) == ("user:1", "ada")
    assert sent["metadata"] == {"conversation_id": "c9"}


def test_nobody_in_particular_is_neither_asked_for_nor_told_of(
    connected: Workspace, server: Server
) -> None:
    connected.context(query="which tea?")
    connected.for_owner("user:1").context()
    assert connected.sync_turn("hello", "hi", wait=1) == ()
    assert server.seen == []


def test_a_server_that_is_down_does_not_stop_a_prompt(connected: Workspace, server: Server) -> None:
    server.reply = Response("down", status=500)
    ada = connected.for_owner("user:1")
    ada.remember("I like tea")
    for _ in range(3):
        context = ada.context(query="tea?")
        assert context.warnings == ("mem0 could not be asked: Mem0 answered 500: down",)
    assert "I like tea" in context.prefetch
    with Workspace.open(connected.root) as another:
        (warning,) = another.for_owner("user:1").context(query="tea?").warnings
    assert warning.startswith("mem0 was not asked: it failed several times")
    assert len(server.seen) == 3


def test_a_tracked_file_cannot_point_at_a_server(ws: Workspace, server: Server) -> None:
    with open(f"{ws.root}/mnemofs.toml", "a") as file:
        file.write(f'\n[mem0]\nbase_url = "{server.url}"\n')
    with Workspace.open(ws.root) as another:
        another.for_owner("user:1").context(query="tea?")
    assert server.seen == []


def test_a_receipt_says_that_mem0_may_still_know_it(connected: Workspace) -> None:
    connected.remember("The vault code is quokka")
    receipt = connected.forget("The vault code is quokka")
    assert any("Mem0" in text for text in receipt.unreached)
