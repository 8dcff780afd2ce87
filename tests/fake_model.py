"""A local HTTP server that speaks the OpenAI wire protocol and answers what a test tells it to.

Chat completions and embeddings, on loopback, on a free port. Replies are scripted one by one:

    def test_something(fake_model):
        fake_model.say('{"should_update": false}')                    # the next chat reply
        fake_model.say(Answer(status=429, headers={"Retry-After": "0"}), "then this")
        fake_model.always("for every call that has no scripted reply")
        ... ModelEngine(ChatClient(fake_model.url, "stub")) ...
        assert fake_model.chats == 3
        assert "oolong" in fake_model.requests[-1].prompt
"""

from __future__ import annotations

import hashlib
import json
import math
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest


@dataclass(frozen=True)
class Answer:
    """One scripted reply. Give `raw` for a body of your own, `drop` to break the connection.

    `delay` is in seconds and ends early when the server stops. `trickle` sends the body byte by
    byte with that pause. `choices=False` answers `"choices": []`.
    """

    content: object = ""
    finish_reason: str | None = "stop"
    status: int = 200
    tool_calls: list[dict[str, Any]] | None = None
    reasoning_content: str | None = None
    refusal: str | None = None
    choices: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    delay: float = 0.0
    trickle: float = 0.0
    drop: Literal["", "before", "during"] = ""


@dataclass(frozen=True)
class Seen:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """All message texts of a chat request, system first."""
        return "\n\n".join(str(message["content"]) for message in self.body.get("messages", []))


Say = str | Mapping[str, Any] | Answer
Script = Say | Callable[[Seen], Say]


class FakeModel:
    """The server; a context manager. `url` is the base URL to configure (it ends in /v1)."""

    def __init__(self, *, dims: int = 32) -> None:
        self.requests: list[Seen] = []
        self.dims = dims
        self._chat: deque[Script] = deque()
        self._embed: deque[Script] = deque()
        self._always: Script = Answer(status=500, raw=b'{"error":{"code":"nothing_scripted"}}')
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    def __enter__(self) -> FakeModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def chats(self) -> int:
        """How many chat completions were asked for so far."""
        return sum(seen.path.endswith("/chat/completions") for seen in self.requests)

    @property
    def embeddings(self) -> int:
        """How many embedding requests were made so far."""
        return sum(seen.path.endswith("/embeddings") for seen in self.requests)

    def say(self, *replies: Script) -> None:
        """Queue chat replies: a text, a mapping (sent as JSON text), an `Answer`, or a function."""
        self._chat.extend(replies)

    def always(self, reply: Script) -> None:
        """The chat reply when nothing is queued."""
        self._always = reply

    def embed(self, *replies: Script) -> None:
        """Queue embedding replies (`Answer` with status or raw); otherwise vectors are made up."""
        self._embed.extend(replies)

    def _next(self, seen: Seen) -> Answer | None:
        with self._lock:
            self.requests.append(seen)
            if seen.path.endswith("/embeddings"):
                if not self._embed:
                    return None
                script = self._embed.popleft()
            else:
                script = self._chat.popleft() if self._chat else self._always
        said = script(seen) if callable(script) else script
        if isinstance(said, Answer):
            return said
        return Answer(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))


def vector(text: str, dims: int) -> list[float]:
    """A unit vector from the words of a text: the same words, the same direction."""
    values = [0.0] * dims
    for word in text.lower().split() or [""]:
        digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
        values[digest[0] % dims] += 1.0 if digest[1] & 1 else -1.0
        values[digest[2] % dims] += 0.5
    norm = math.sqrt(sum(value * value for value in values)) or 1.0
    return [value / norm for value in values]


def _handler(model: FakeModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20

        def do_POST(self) -> None:
            try:
                self._answer()
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up first, as some tests want

        def do_GET(self) -> None:
            self._send(200, b'{"object":"list","data":[{"id":"stub","object":"model"}]}', {})

        def log_message(self, *_: object) -> None:
            pass

        def _answer(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                body = json.loads(data)
            except ValueError:
                body = {}
            seen = Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
            answer = model._next(seen)
            if answer is None:
                self._send(200, _embedding_body(body, model.dims), {})
                return
            if answer.delay:
                model._stop.wait(answer.delay)
            if answer.drop == "before":
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            payload = answer.raw if answer.raw is not None else _chat_body(answer, body)
            self._send(answer.status, payload, answer.headers, answer)

        def _send(
            self,
            status: int,
            payload: bytes,
            headers: Mapping[str, str],
            answer: Answer | None = None,
        ) -> None:
            self.send_response(status)
            if "content-type" not in {name.lower() for name in headers}:
                self.send_header("Content-Type", "application/json")
            for name, value in headers.items():
                self.send_header(name, value)
            dropped = answer is not None and answer.drop == "during"
            self.send_header("Content-Length", str(len(payload) + (1000 if dropped else 0)))
            self.end_headers()
            if answer is not None and answer.trickle:
                for position in range(len(payload)):
                    if model._stop.wait(answer.trickle):
                        break
                    self.wfile.write(payload[position : position + 1])
            else:
                self.wfile.write(payload)
            if dropped:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

    return Handler


def _chat_body(answer: Answer, request: Mapping[str, Any]) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": answer.content}
    if answer.tool_calls is not None:
        message["tool_calls"] = answer.tool_calls
    if answer.reasoning_content is not None:
        message["reasoning_content"] = answer.reasoning_content
    if answer.refusal is not None:
        message["refusal"] = answer.refusal
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    body = {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model", "stub"),
        "choices": [choice] if answer.choices else [],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    if answer.status >= 400:
        body = {"error": {"message": "scripted failure", "type": "stub", "code": None}}
    return json.dumps(body).encode()


def _embedding_body(request: Mapping[str, Any], dims: int) -> bytes:
    given = request.get("input", [])
    texts = [given] if isinstance(given, str) else list(given)
    data = [
        {"object": "embedding", "index": index, "embedding": vector(text, dims)}
        for index, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    body = {"object": "list", "data": data, "model": request.get("model", "stub"), "usage": usage}
    return json.dumps(body).encode()


@pytest.fixture
def fake_model() -> Iterator[FakeModel]:
    """A running `FakeModel` with nothing scripted."""
    with FakeModel() as model:
        yield model
