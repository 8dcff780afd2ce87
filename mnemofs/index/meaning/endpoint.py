"""Vectors from an OpenAI-compatible endpoint: OpenAI, Ollama, LM Studio, vLLM and their like."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mnemofs.errors import EmbedderError
from mnemofs.index.meaning.embedders import RateLimited
from mnemofs.index.meaning.encoder_cache import quiet_numpy

if TYPE_CHECKING:
    import httpx
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.sections import EmbedderConfig

# Texts in one request, and characters of one text: within what every known server takes.
_BATCH = 64
_LONGEST = 8000
_DEFAULT_WAIT = 5.0
_LONGEST_WAIT = 600.0
# The request is at fault, not the server: perhaps only one of its texts.
_REFUSED = (400, 413, 422)


class EndpointEmbedder:
    """`POST <base_url>/embeddings`. floor and ceiling are unknown, so they are measured."""

    floor = 0.0
    ceiling = 0.0

    def __init__(self, config: EmbedderConfig) -> None:
        self._config = config
        self._dims = config.dims
        self._not_before = 0.0
        self._client: httpx.Client | None = None
        self._opening = threading.Lock()

    @property
    def id(self) -> str:
        """The model and where it is served: the same name elsewhere may be another model."""
        return f"{self._config.model}@{self._config.base_url.rstrip('/')}"

    @property
    def dims(self) -> int:
        """As configured, else as last answered; 0 before the first answer."""
        return self._dims

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder.embed`. A text that the server refuses gets a row of NaN."""
        quiet_numpy()
        import numpy as np

        rows: list[list[float] | None] = []
        for start in range(0, len(texts), _BATCH):
            rows += self._some([text[:_LONGEST] or " " for text in texts[start : start + _BATCH]])
        known = [len(row) for row in rows if row is not None]
        if len(set(known)) > 1:
            raise self._broken("its vectors differ in length")
        if known:
            self._check_size(known[0])
        missing = [float("nan")] * (known[0] if known else max(self._dims, 1))
        return np.array([missing if row is None else row for row in rows], dtype=np.float32)

    def _some(self, texts: list[str]) -> list[list[float] | None]:
        response = self._post(texts)
        if response.status_code in _REFUSED and len(texts) > 1:
            # One text it does not take must not keep the others from their vectors (EMB-06).
            middle = len(texts) // 2
            return self._some(texts[:middle]) + self._some(texts[middle:])
        if response.status_code in _REFUSED and self._dims:
            return [None]
        if response.status_code != 200:
            raise EmbedderError(
                f"the embeddings endpoint {self._config.base_url} answered"
                f" {response.status_code} for model {self._config.model}",
                hint="check base_url, model and the variable named by api_key_env",
            )
        return self._vectors(response, len(texts))

    def _post(self, texts: list[str]) -> httpx.Response:
        import httpx

        wait = self._not_before - time.monotonic()
        if wait > 0:
            raise self._limited(wait)
        # EMB-01: without this field clients and servers disagree about base64.
        body: dict[str, Any] = {
            "model": self._config.model,
            "input": texts,
            "encoding_format": "float",
        }
        if self._config.dims:
            body["dimensions"] = self._config.dims
        try:
            response = self._http().post("embeddings", json=body)
        except httpx.HTTPError as error:
            raise EmbedderError(
                f"the embeddings endpoint {self._config.base_url} cannot be reached"
                f" ({type(error).__name__})",
                hint="start it, or set [embedder] kind to embedded or none",
            ) from error
        if response.status_code == 429:
            seconds = _seconds(response.headers.get("retry-after", ""))
            self._not_before = time.monotonic() + seconds
            raise self._limited(seconds)
        return response

    def _vectors(self, response: httpx.Response, count: int) -> list[list[float] | None]:
        try:
            items = sorted(response.json()["data"], key=lambda item: item["index"])
            vectors = [item["embedding"] for item in items]
        except (ValueError, KeyError, TypeError) as error:
            raise self._broken("it is not a list of embeddings") from error
        if len(vectors) != count:
            raise self._broken(f"{len(vectors)} vectors for {count} texts")
        rows: list[list[float] | None] = []
        for vector in vectors:
            if not isinstance(vector, list) or not vector:
                raise self._broken("a vector is not a list of numbers")
            whole = all(isinstance(number, int | float) for number in vector)
            rows.append(vector if whole else None)
        return rows

    def _check_size(self, size: int) -> None:
        if self._config.dims and size != self._config.dims:
            raise EmbedderError(
                f"the model {self._config.model} gives {size} dimensions,"
                f" {self._config.dims} are configured",
                hint=f"set [embedder] dims to {size} or 0",
            )
        self._dims = size

    def _http(self) -> httpx.Client:
        with self._opening:
            if self._client is None:
                import httpx

                from mnemofs.tls import trust

                key = os.environ.get(self._config.api_key_env, "")
                self._client = httpx.Client(
                    base_url=self._config.base_url.rstrip("/") + "/",
                    headers={"Authorization": f"Bearer {key}"} if key else {},
                    timeout=self._config.timeout,
                    **trust(self._config.base_url),
                )
            return self._client

    def _broken(self, what: str) -> EmbedderError:
        return EmbedderError(
            f"the embeddings endpoint {self._config.base_url} gave an unusable answer: {what}"
        )

    def _limited(self, seconds: float) -> RateLimited:
        return RateLimited(
            f"the embeddings endpoint {self._config.base_url} asks to wait {seconds:.0f} s",
            retry_after=seconds,
        )


def _seconds(header: str) -> float:
    """Retry-After as seconds: a number or an HTTP date."""
    try:
        return min(max(float(header), 0.0), _LONGEST_WAIT)
    except ValueError:
        pass
    from email.utils import parsedate_to_datetime

    try:
        until = parsedate_to_datetime(header).timestamp()
    except (ValueError, TypeError):
        return _DEFAULT_WAIT
    return min(max(until - time.time(), 0.0), _LONGEST_WAIT)
