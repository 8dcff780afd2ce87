"""Mem0 as a provider: recall from a Mem0 server, and send it the turns of conversations.

`POST {base_url}/memories/search/` and `POST {base_url}/memories/` (mateclaw-contract §10). Errors
go to the manager, which counts them; turns wait in a bounded queue, and one that finds no room is
dropped with a warning.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mnemofs.context.providers.outbox import Outbox
from mnemofs.context.providers.protocol import BaseProvider, Turn
from mnemofs.errors import ProviderError
from mnemofs.secrets import mask
from mnemofs.tls import trust

if TYPE_CHECKING:
    import httpx

    from mnemofs.sections import Mem0Config

_BODY_CHARS = 500
_MOST_BYTES = 1 << 20


class Mem0(BaseProvider):
    """A Mem0 server. agent: its `agent_id`, "" leaves that out. api_key: "" sends none."""

    id = "mem0"
    order = 200

    def __init__(self, config: Mem0Config, *, agent: str = "", api_key: str = "") -> None:
        self._config = config
        self._agent = agent
        self._api_key = api_key
        self._base = config.base_url.strip().rstrip("/")
        self._timeout = config.timeout_ms / 1000
        self._client: httpx.Client | None = None
        self._outbox: Outbox[Turn] = Outbox("mem0", config.queue_capacity, self._send)

    @property
    def label(self) -> str:
        """Its name."""
        return "Mem0"

    def available(self) -> bool:
        """Whether there is a server, and something to do with it."""
        return bool(self._base) and (self._config.search_enabled or self._config.sync_enabled)

    def prefetch(self, query: str, owner: str) -> Sequence[str]:
        """Memories of this owner. Raises ProviderError."""
        if not (self._config.search_enabled and query.strip() and owner.strip()):
            return ()
        body = {"query": query, "user_id": owner, "limit": self._config.max_results}
        answer = self._post("/memories/search/", body | self._as_agent())
        results = answer.get("results") if isinstance(answer, dict) else answer
        if not isinstance(results, list):
            raise ProviderError("Mem0 answered without a list of results")
        return [text for text in _memories(results) if text.strip()][: self._config.max_results]

    def sync_turn(self, turn: Turn) -> None:
        """Queue a turn. Nothing is sent for nobody, or of a turn in which nothing was said."""
        said = turn.user.strip() or turn.assistant.strip()
        if self._config.sync_enabled and turn.owner.strip() and said:
            self._outbox.put(turn)

    def warnings(self) -> Sequence[str]:
        """Turns that were dropped or could not be sent since this was asked last."""
        return self._outbox.problems()

    def flush(self, seconds: float) -> bool:
        """Whether everything queued was sent (or failed) within `seconds`."""
        return self._outbox.flush(seconds)

    def close(self) -> None:
        """Send what is queued, as far as one more timeout allows."""
        self._outbox.close(self._timeout)
        if self._client is not None:
            self._client.close()

    def _send(self, turn: Turn) -> None:
        messages = [
            {"role": role, "content": mask(text, deep=True)[0]}
            for role, text in (("user", turn.user), ("assistant", turn.assistant))
            if text.strip()
        ]
        body: dict[str, Any] = {"user_id": turn.owner, **self._as_agent(), "messages": messages}
        if turn.conversation.strip():
            body["metadata"] = {"conversation_id": turn.conversation}
        self._post("/memories/", body)

    def _as_agent(self) -> dict[str, str]:
        return {"agent_id": self._agent} if self._agent.strip() else {}

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON that a POST is answered with. Raises ProviderError."""
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=self._timeout, **trust(self._base))
        headers = {"Content-Type": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        try:
            with self._client.stream(
                "POST", self._base + path, content=content, headers=headers
            ) as response:
                data = b"".join(_bounded(response.iter_bytes(), self._timeout))
                status = response.status_code
        except httpx.TimeoutException:
            raise ProviderError("Mem0 did not answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
            raise ProviderError(f"Mem0 cannot be reached ({type(error).__name__})") from None
        text = data.decode("utf-8", "replace")
        if not 200 <= status < 300:
            shown = " ".join(text.split())[:_BODY_CHARS]
            raise ProviderError(f"Mem0 answered {status}: {shown}".rstrip(": "))
        try:
            return json.loads(text) if text.strip() else {}
        except (ValueError, RecursionError):
            raise ProviderError("Mem0 answered with something that is no JSON") from None


def _bounded(chunks: Iterator[bytes], seconds: float) -> Iterator[bytes]:
    """A body that is not endless in size or in time."""
    end = time.monotonic() + seconds
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > _MOST_BYTES:
            raise ProviderError("Mem0 answered with more than a megabyte")
        if seconds and time.monotonic() > end:
            raise ProviderError("Mem0 did not answer in time")
        yield chunk


def _memories(results: Sequence[Any]) -> Iterator[str]:
    for result in results:
        memory = result.get("memory") if isinstance(result, dict) else None
        if memory is None or isinstance(memory, str):
            yield memory or ""
        else:
            raise ProviderError(f"Mem0 answered with a {type(memory).__name__} for a memory")
