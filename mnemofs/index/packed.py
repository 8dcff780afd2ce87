"""One term's postings as bytes: the chunks that hold it, and how often.

A byte of flags, the first chunk, the differences to each next one in as few bytes as the largest
needs, then the occurrences in the chunk itself and in its neighbours: four bits each, or a byte
each where four bits are too few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WIDTHS = ("<u1", "<u2", "<u4")
_WIDE = 4
_NIBBLE = 15
_MOST = 255
_HEAD = 5


def pack(chunks: NDArray[np.int64], own: NDArray[Any], near: NDArray[Any]) -> bytes:
    """chunks: ascending, below 2**32. own, near: occurrences; more than 255 count as 255."""
    steps = np.diff(chunks)
    largest = int(steps.max(initial=0))
    width = 0 if largest < 1 << 8 else 1 if largest < 1 << 16 else 2
    wide = int(own.max()) > _NIBBLE or int(near.max()) > _NIBBLE
    if wide:
        both = np.minimum([own, near], _MOST).astype(np.uint8).tobytes()
    else:
        both = (own | near << 4).astype(np.uint8).tobytes()
    head = bytes([width | (_WIDE if wide else 0)]) + int(chunks[0]).to_bytes(4, "little")
    return head + steps.astype(_WIDTHS[width]).tobytes() + both


def unpack(packed: bytes) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]:
    """(chunks ascending, occurrences in each, in its neighbours)."""
    kind = np.dtype(_WIDTHS[packed[0] & 3])
    wide = packed[0] & _WIDE
    count = (len(packed) - _HEAD + kind.itemsize) // (kind.itemsize + (2 if wide else 1))
    chunks = np.empty(count, np.int64)
    chunks[0] = int.from_bytes(packed[1:_HEAD], "little")
    chunks[1:] = np.frombuffer(packed, kind, count - 1, _HEAD)
    np.cumsum(chunks, out=chunks)
    both = np.frombuffer(packed, np.uint8, -1, _HEAD + (count - 1) * kind.itemsize)
    if wide:
        return chunks, both[:count], both[count:]
    return chunks, both & _NIBBLE, both >> 4
