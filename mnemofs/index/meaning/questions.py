"""A question's vector brought to where its answers lie: what they have in common is compared.

Questions resemble each other more than they resemble their answers: a model that was not trained to
answer puts "asking", "about me" and the words of asking into the direction of a vector. The map
q + (q F) T is learnt once for a model from questions and their answers in several languages
(`benchmarks/question_map.py`); its few directions take out what only questions have and put in what
answers have instead. Only questions pass through it, so no vector of a text depends on it.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A question of which less than this is left was nothing but a question.
_LEAST = 0.3


def statement(embedder: str, unit: NDArray[np.float32]) -> NDArray[np.float32]:
    """The unit vector to compare with those of texts, for that of a question; unchanged for a model
    whose map nobody has learnt."""
    import numpy as np

    found = _map(embedder)
    if found is None:
        return unit
    read, written = found
    moved = unit + (unit @ read) @ written
    size = np.linalg.norm(moved)
    return (moved / size).astype(np.float32) if size >= _LEAST else unit


@cache
def _map(embedder: str) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """F (size, rank) and T (rank, size), None for a model without."""
    import numpy as np

    from mnemofs.index.meaning.question_map import LEARNT, RANK

    if embedder not in LEARNT:
        return None
    read, written, scale = LEARNT[embedder]
    first, second = (
        np.frombuffer(base64.b64decode(part), np.int8).reshape(RANK, -1).astype(np.float32)
        for part in (read, written)
    )
    return first.T * np.float32(scale), second
