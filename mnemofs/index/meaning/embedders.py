"""What an embedder is, and which one a workspace asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mnemofs.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.sections import EmbedderConfig


class Embedder(Protocol):
    """Turns texts into directions.

    id: names the model and everything that changes its vectors; vectors of different ids are never
    compared. dims: length of a vector, 0 until an endpoint has answered once. floor, ceiling: the
    cosines at which two texts count as unrelated and as the same; equal when unknown, then they are
    measured in the store.
    """

    @property
    def id(self) -> str: ...
    @property
    def dims(self) -> int: ...
    @property
    def floor(self) -> float: ...
    @property
    def ceiling(self) -> float: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, float32 (len(texts), dims). A row of NaN: no vector for that text.

        Raises EmbedderError (RateLimited when it says to come back later).
        """
        ...


class RateLimited(EmbedderError):
    """The endpoint asks to wait. retry_after: seconds."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after: float) -> None:
        super().__init__(message, hint="embedding goes on by itself later")
        self.retry_after = retry_after


class Loaded(NamedTuple):
    """embedder: None means lexical search. warning: why, when it was not asked for."""

    embedder: Embedder | None
    warning: str = ""


def load(config: EmbedderConfig) -> Loaded:
    """The embedder of these settings; loading is lazy, so that a hook never pays for a model."""
    if config.kind == "none":
        return Loaded(None)
    if config.kind == "openai":
        if not config.base_url or not config.model:
            return Loaded(None, "embedder: no base_url or model is set; search is by words only")
        from mnemofs.index.meaning.endpoint import EndpointEmbedder

        return Loaded(EndpointEmbedder(config))
    from mnemofs.index.meaning.sentence_encoder import SentenceEncoder, missing

    reason = missing()
    if reason:
        return Loaded(
            None, f"the embedded model cannot be used ({reason}); search is by words only"
        )
    return Loaded(SentenceEncoder())


def cache_dir() -> str:
    """Where derived model files live: `$MNEMOFS_CACHE`, else this user's cache folder."""
    named = os.environ.get("MNEMOFS_CACHE")
    if named:
        return os.path.abspath(os.path.expanduser(named))
    import platformdirs

    return platformdirs.user_cache_dir("mnemofs", appauthor=False)
