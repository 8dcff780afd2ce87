"""The client against a real server on loopback."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from mnemofs.errors import ConfigError, ModelError
from mnemofs.llm.client import ChatClient
from tests.fake_model import Answer, FakeModel

KEY = "sk-verysecret" + "0" * 24
PROMPT = "the user told me about the quokka"


class Naps(list[float]):
    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def client(model: FakeModel | str, naps: Naps | None = None, **more: Any) -> ChatClient:
    url = model if isinstance(model, str) else model.url
    return ChatClient(
        url, "stub", api_key_env="TEST_KEY", sleep=Naps() if naps is None else naps, **more
    )


def failure(asked: ChatClient) -> ModelError:
    with pytest.raises(ModelError) as caught:
        asked.complete("system", PROMPT)
    error = caught.value
    everything = f"{error.message} {error.hint} {error!r} {error.__cause__!r}"
    assert error.__suppress_context__ or error.__context__ is None
    assert KEY not in everything and "quokka" not in everything and "scripted" not in everything
    assert error.message.endswith(".") and error.message.count(". ") == 0
    return error


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)


def test_one_question_one_answer(fake_model: FakeModel) -> None:
    fake_model.say("hello")
    reply = client(fake_model, max_tokens=77).complete("be brief", PROMPT)
    assert (reply.content, reply.finish_reason, reply.tool_calls) == ("hello", "stop", 0)
    seen = fake_model.requests[0]
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body["model"] == "stub" and seen.body["max_tokens"] == 77
    assert [m["role"] for m in seen.body["messages"]] == ["system", "user"]


def test_no_key_sends_no_header(fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_KEY")
    fake_model.say("hello")
    client(fake_model).complete("s", "u")
    assert "authorization" not in fake_model.requests[0].headers


@pytest.mark.parametrize("bad", ["sk-ümlaut", "sk-a\nb", "sk-\x7f"])
def test_a_broken_key_is_named_not_shown(
    fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    monkeypatch.setenv("TEST_KEY", bad)
    error = failure(client(fake_model))
    assert "TEST_KEY" in error.message and bad not in error.message
    assert fake_model.chats == 0


def test_everything_a_reply_can_hold_is_carried(fake_model: FakeModel) -> None:
    call = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    fake_model.say(
        Answer(content=None, tool_calls=call, finish_reason="tool_calls"),
        Answer(content="", reasoning_content="hm"),
        Answer(choices=False),
        Answer(
            content=[
                {"type": "reasoning", "text": "hm {}"},
                {"type": "text", "text": "in "},
                {"text": "parts"},
            ]
        ),
        Answer(content=None, refusal="no"),
        Answer(content=7, finish_reason=None),
        Answer(raw=b'{"choices":[null]}'),
        Answer(raw=b'{"choices":[{"message":null}]}'),
    )
    asked = client(fake_model)
    assert asked.complete("s", "u").tool_calls == 1
    assert asked.complete("s", "u").reasoning == "hm"
    assert asked.complete("s", "u").choices == 0
    assert asked.complete("s", "u").content == "in parts"
    assert asked.complete("s", "u").refusal == "no"
    assert asked.complete("s", "u").content is None
    assert asked.complete("s", "u").choices == 0
    assert asked.complete("s", "u").content is None


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_an_overloaded_server_is_asked_again(fake_model: FakeModel, status: int) -> None:
    naps = Naps()
    fake_model.say(Answer(status=status), Answer(status=status), "at last")
    assert client(fake_model, naps).complete("s", "u").content == "at last"
    assert naps == [1.0, 2.0]


@pytest.mark.parametrize("status", [429, 503])
def test_the_third_refusal_is_the_last(fake_model: FakeModel, status: int) -> None:
    fake_model.always(Answer(status=status))
    failure(client(fake_model))
    assert fake_model.chats == 3


def test_retry_after_is_kept_and_a_long_one_is_not_waited_for(fake_model: FakeModel) -> None:
    naps = Naps()
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
    fake_model.say(
        Answer(status=429, headers={"Retry-After": "3"}),
        Answer(status=429, headers={"Retry-After": soon}),
        "at last",
    )
    assert client(fake_model, naps).complete("s", "u").content == "at last"
    assert naps[0] == 3.0 and 5 < naps[1] <= 9
    fake_model.say(Answer(status=429, headers={"Retry-After": "3600"}))
    assert "rate limited" in failure(client(fake_model, naps)).message
    assert fake_model.chats == 4
    fake_model.say(Answer(status=429, headers={"Retry-After": "soon"}), "ok")
    assert client(fake_model).complete("s", "u").content == "ok"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 301, 307])
def test_other_refusals_are_final(fake_model: FakeModel, status: int) -> None:
    body = b'{"error":{"message":"scripted: ' + KEY.encode() + b'","code":"invalid_thing"}}'
    fake_model.say(Answer(status=status, raw=body, headers={"Location": "http://127.0.0.1:9/"}))
    error = failure(client(fake_model))
    assert str(status) in error.message and "invalid_thing" in error.message
    assert fake_model.chats == 1


def test_an_empty_account_is_not_asked_again(fake_model: FakeModel) -> None:
    fake_model.always(
        Answer(status=429, raw=b'{"error":{"message":"x","code":"insufficient_quota"}}')
    )
    assert "credit" in failure(client(fake_model)).message
    assert fake_model.chats == 1


def test_a_newer_model_gets_the_newer_name_of_the_limit(fake_model: FakeModel) -> None:
    fake_model.say(
        Answer(status=400, raw=b'{"error":{"message":"no","param":"max_tokens"}}'), "one", "two"
    )
    asked = client(fake_model, max_tokens=50)
    assert asked.complete("s", "u").content == "one"
    assert asked.complete("s", "u").content == "two"
    names = [sorted(k for k in seen.body if k.startswith("max")) for seen in fake_model.requests]
    assert names == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_an_upstream_error_in_a_good_answer_is_an_error(fake_model: FakeModel) -> None:
    naps = Naps()
    fake_model.say(Answer(raw=b'{"error":{"message":"x","code":429}}'), "ok")
    assert client(fake_model, naps).complete("s", "u").content == "ok"
    fake_model.say(Answer(raw=b'{"error":{"message":"scripted","code":"bad_thing"}}'))
    assert "bad_thing" in failure(client(fake_model)).message


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"", b"[1]", b'"text"', b"\xff\xfe"])
def test_an_answer_that_is_no_completion_is_an_error(fake_model: FakeModel, body: bytes) -> None:
    fake_model.say(Answer(raw=body))
    assert "no chat completion" in failure(client(fake_model)).message


@pytest.mark.parametrize("drop", ["before", "during"])
def test_a_broken_connection_is_an_error(fake_model: FakeModel, drop: Any) -> None:
    fake_model.say(Answer("half", drop=drop))
    assert "broke the connection off" in failure(client(fake_model)).message


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = failure(client(f"http://127.0.0.1:{port}/v1"))
    assert error.message == f"The model endpoint 127.0.0.1:{port} cannot be reached."


@pytest.mark.parametrize("slow", [Answer("x", delay=5), Answer("y" * 400, trickle=0.02)])
def test_the_deadline_holds_for_silence_and_for_a_trickle(
    fake_model: FakeModel, slow: Answer
) -> None:
    fake_model.say(slow)
    started = time.monotonic()
    assert "did not answer within 0.4 seconds" in failure(client(fake_model, timeout=0.4)).message
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("endpoint", ["", "localhost:1", "ftp://x/v1", "http://"])
def test_an_address_that_is_none_is_a_settings_error(endpoint: str) -> None:
    with pytest.raises(ConfigError):
        ChatClient(endpoint, "stub")
    with pytest.raises(ConfigError):
        ChatClient("http://127.0.0.1/v1", "")


def test_a_password_in_the_address_is_not_shown(fake_model: FakeModel) -> None:
    fake_model.say(Answer(status=500), Answer(status=500), Answer(status=500))
    url = fake_model.url.replace("//", "//me:quokka@")
    assert "127.0.0.1" in failure(client(url)).message
