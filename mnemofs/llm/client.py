"""One chat completion from any OpenAI-compatible endpoint.

Speaks the wire protocol over httpx, which loads in a fifth of the `openai` package's time and
leaves a malformed answer to be read by `replies`. httpx is imported at the first call.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mnemofs.errors import ConfigError, GuardRefused, ModelError
from mnemofs.llm.replies import Reply
from mnemofs.tls import trust

if TYPE_CHECKING:
    import httpx

    from mnemofs.sections import ModelConfig

_MAX_BODY = 8 * 1024 * 1024
_ATTEMPTS = 3
_FIRST_WAIT = 1.0  # seconds; doubles
_LONGEST_WAIT = 20.0
_RETRIED = {429, 500, 502, 503, 504, 529}
_OUT_OF_CREDIT = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_HARMLESS_CODE = re.compile(r"[a-z][a-z_]{2,40}")
_OLD_LIMIT = "max_tokens"
_SAID = (None, "text", "output_text")
_NEW_LIMIT = "max_completion_tokens"


class ChatClient:
    """An endpoint and a model.

    `endpoint` is the base URL up to and including `/v1`; the key is read from the variable
    `api_key_env` at each call and kept nowhere; `timeout` is the longest that one attempt may take
    in seconds, from connecting to the last byte; `max_tokens` 0 sends no limit. Usable from
    several threads.
    """

    def __init__(
        self,
        endpoint: str,
        model: str,
        *,
        api_key_env: str = "OPENAI_API_KEY",
        timeout: float = 120.0,
        max_tokens: int = 0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not re.match(r"https?://[^/\s]", endpoint):
            raise ConfigError(
                "The model's base_url is not an http or https address.",
                hint="Set [model] base_url, for example http://127.0.0.1:11434/v1.",
            )
        if not model:
            raise ConfigError(
                "No model is named for the endpoint.", hint="Set [model] model in the settings."
            )
        self.model = model
        self._url = endpoint.rstrip("/") + "/chat/completions"
        self._host = re.sub(r"^https?://(?:[^/@]*@)?([^/?#]+).*$", r"\1", endpoint)
        self._api_key_env = api_key_env
        self._timeout = timeout
        self._max_tokens = max_tokens
        self._limit_name = _OLD_LIMIT
        self._sleep = sleep

    def complete(self, system: str, user: str) -> Reply:
        """Ask once; rate limits and overloaded servers are asked again, at most twice.

        Raises ModelError when there is no reply to read: unreachable, timed out, refused, still
        overloaded, or not an OpenAI-compatible answer. Its message names the host and what
        happened, never the key, the prompt, or text that the server sent.
        """
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
        }
        wait = _FIRST_WAIT
        for attempt in range(1, _ATTEMPTS + 1):
            status, headers, answer = self._ask(body)
            code = _code(answer)
            if status == 400 and self._limit_name == _OLD_LIMIT and _names_old_limit(answer):
                self._limit_name = _NEW_LIMIT  # newer models know only the new name
                status, headers, answer = self._ask(body)
                code = _code(answer)
            if status == 200 and not _is_error(answer):
                return self._reply(answer)
            if status == 200:  # gateways pass an upstream failure on as an ordinary answer
                status = _inner_status(answer)
            if status not in _RETRIED or code in _OUT_OF_CREDIT or attempt == _ATTEMPTS:
                raise self._failure(status, code)
            asked = _retry_after(headers)
            if asked is not None and asked > _LONGEST_WAIT:
                raise self._failure(status, code)
            self._sleep(wait if asked is None else asked)
            wait = min(wait * 2, _LONGEST_WAIT)
        raise AssertionError("unreachable")

    def _ask(self, body: Mapping[str, Any]) -> tuple[int, Mapping[str, str], Any]:
        """(status, headers, decoded body or None). Raises ModelError when nothing came back."""
        import httpx

        sent = dict(body)
        if self._max_tokens:
            sent[self._limit_name] = self._max_tokens
        deadline = time.monotonic() + self._timeout
        try:
            with (
                httpx.Client(
                    timeout=self._timeout,
                    follow_redirects=False,
                    **trust(self._url),
                ) as http,
                http.stream("POST", self._url, json=sent, headers=self._headers()) as response,
            ):
                return response.status_code, response.headers, self._body(response, deadline)
        except httpx.TimeoutException:
            raise self._too_slow() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            what = "broke the connection off"
            if isinstance(error, httpx.ConnectError):
                what = "cannot be reached"
            elif isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
                what = "has an address that cannot be used"
            raise ModelError(
                f"The model endpoint {self._host} {what}.",
                hint="Check that it runs and that [model] base_url is right.",
            ) from None

    def _body(self, response: httpx.Response, deadline: float) -> Any:
        import json

        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > _MAX_BODY:
                raise ModelError(f"The model endpoint {self._host} sent more than 8 MiB.")
            if time.monotonic() > deadline:  # a read timeout alone never ends a trickle
                raise self._too_slow()
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            return None

    def _headers(self) -> dict[str, str]:
        key = os.environ.get(self._api_key_env, "").strip()
        if not key:
            return {}
        if not key.isascii() or not key.isprintable():
            raise ModelError(
                f"The key in the variable {self._api_key_env} holds characters that no key has.",
                hint="Set it again, without quotes or line breaks.",
            )
        return {"Authorization": f"Bearer {key}"}

    def _reply(self, answer: Any) -> Reply:
        choices = answer.get("choices") if isinstance(answer, dict) else None
        if choices is None and not isinstance(answer, dict):
            raise ModelError(
                f"The model endpoint {self._host} sent something that is no chat completion.",
                hint="Check that [model] base_url ends where /chat/completions begins.",
            )
        first = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(first, dict):
            return Reply(None, choices=0)
        given = first.get("message")
        message: Mapping[str, Any] = given if isinstance(given, dict) else {}
        calls = message.get("tool_calls") or message.get("function_call")
        reason = first.get("finish_reason")
        return Reply(
            content=_text(message.get("content")),
            finish_reason=reason if isinstance(reason, str) else None,
            tool_calls=len(calls) if isinstance(calls, list) else int(bool(calls)),
            reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
            refusal=_text(message.get("refusal")),
            choices=len(choices) if isinstance(choices, list) else 0,
        )

    def _too_slow(self) -> ModelError:
        return ModelError(
            f"The model endpoint {self._host} did not answer within {self._timeout:g} seconds.",
            hint="Raise [model] timeout or use a faster model.",
        )

    def _failure(self, status: int, code: str) -> ModelError:
        said = f" ({code})" if code else ""
        if code in _OUT_OF_CREDIT:
            hint = "The account behind the key has no credit left."
            return ModelError(
                f"The model endpoint {self._host} refused: no credit{said}.", hint=hint
            )
        if status in (401, 403):
            known = bool(os.environ.get(self._api_key_env, "").strip())
            return ModelError(
                f"The model endpoint {self._host} refused the key: status {status}{said}.",
                hint=f"Check the key in the variable {self._api_key_env}."
                if known
                else f"Set the variable {self._api_key_env} to a key.",
            )
        if status == 404:
            return ModelError(
                f"The model endpoint {self._host} knows no model or address like this"
                f": status 404{said}.",
                hint="Check [model] base_url and [model] model.",
            )
        if status == 429:
            return ModelError(
                f"The model endpoint {self._host} is rate limited{said}.", hint="Try again later."
            )
        if status == 200:
            return ModelError(f"The model endpoint {self._host} answered with an error{said}.")
        hint = "Try again later." if status >= 500 else ""
        return ModelError(
            f"The model endpoint {self._host} answered with status {status}{said}.", hint=hint
        )


def _text(value: object) -> str | None:
    """A message text; some endpoints send a list of typed parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        said = [part for part in value if isinstance(part, dict)]
        # LLM-08: a part of another type, with a text as well, is reasoning.
        parts = [part.get("text") for part in said if part.get("type") in _SAID]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return None


def _is_error(answer: Any) -> bool:
    return isinstance(answer, dict) and bool(answer.get("error")) and not answer.get("choices")


def _error(answer: Any) -> Mapping[str, Any]:
    error = answer.get("error") if isinstance(answer, dict) else None
    return error if isinstance(error, dict) else {}


def _code(answer: Any) -> str:
    """The error's code or type when it is a plain word; the server's sentence is never repeated."""
    error = _error(answer)
    for value in (error.get("code"), error.get("type")):
        if isinstance(value, str) and _HARMLESS_CODE.fullmatch(value):
            return value
    return ""


def _inner_status(answer: Any) -> int:
    code = _error(answer).get("code")
    return code if isinstance(code, int) and 400 <= code <= 599 else 200


def _names_old_limit(answer: Any) -> bool:
    error = _error(answer)
    return error.get("param") == _OLD_LIMIT or _NEW_LIMIT in str(error.get("message", ""))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: a number or an HTTP date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", value):
        return float(value)
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def client_of(model: ModelConfig) -> ChatClient:
    """The endpoint that the settings name. Raises GuardRefused when they name none."""
    if not model.base_url or not model.name:
        raise GuardRefused(
            "no language model is set up for the engine llm",
            hint="set MNEMOFS_MODEL_BASE_URL and MNEMOFS_MODEL_NAME, or use --engine rules",
        )
    return ChatClient(
        model.base_url,
        model.name,
        api_key_env=model.api_key_env,
        timeout=model.timeout,
        max_tokens=model.max_tokens,
    )
