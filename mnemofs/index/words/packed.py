"""Postings as bytes: the chunks that hold a term, and how often.

Differences between chunks stand in units of one byte or two, whichever is less in all: the largest
unit means that much and go on. Occurrences in the chunk itself and in its neighbours take two bits
each; three stands for three or more, told at the end.

A group holds the many pairs of characters that are rare, by their first character.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNITS = ("<u1", "<u2")
_OVER = 3
_MOST = 255
# Kind of unit, first chunk, chunks, units, large counts.
_HEAD = struct.Struct("<BIIII")
# Kind of unit, pairs, chunks of all of them, units, large counts.
_GROUP = struct.Struct("<BIIII")
# What a byte of counts says of two chunks: occurrences in themselves, in their neighbours.
_BYTES = np.arange(256, dtype=np.uint8)
_OWN = np.stack([_BYTES & _OVER, _BYTES >> 4 & _OVER], 1)
_NEAR = np.stack([_BYTES >> 2 & _OVER, _BYTES >> 6], 1)

Columns = tuple["NDArray[np.int64]", "NDArray[Any]", "NDArray[Any]"]


class Group(NamedTuple):
    """The pairs that begin with one character, ascending by the second one.

    seconds: code points. sizes: how many chunks of the others belong to each, one pair after the
    other; 0: the pair has a row of its own.
    """

    seconds: NDArray[np.uint32]
    sizes: NDArray[np.uint8]
    chunks: NDArray[np.int64]
    own: NDArray[Any]
    near: NDArray[Any]


def pack(chunks: NDArray[np.int64], own: NDArray[Any], near: NDArray[Any]) -> bytes:
    """chunks: ascending, below 2**32. own, near: occurrences; more than 255 count as 255."""
    kind, units = _in_units(chunks[1:] - chunks[:-1])
    counts, large = _counts(own, near)
    head = _HEAD.pack(kind, int(chunks[0]), len(chunks), len(units), large)
    return head + units.tobytes() + counts


def unpack(packed: bytes) -> Columns:
    """(chunks ascending, occurrences in each, in its neighbours). Raises ValueError."""
    try:
        kind, first, count, size, large = _HEAD.unpack_from(packed)
        units = np.frombuffer(packed, _UNITS[kind], size, _HEAD.size)
    except (struct.error, IndexError) as error:
        raise ValueError("not a posting") from error
    chunks = np.empty(count, np.int64)
    chunks[0] = 0
    chunks[1:] = _sums(units, count - 1)
    chunks += first
    return chunks, *_counted(packed, _HEAD.size + units.nbytes, count, large)


def pack_group(group: Group) -> bytes:
    """sizes: below 256."""
    rare = group.sizes > 0
    starts = _starts(group.sizes[rare])
    steps = np.delete(np.diff(group.chunks, prepend=0), starts)
    kind, units = _in_units(steps)
    counts, large = _counts(group.own, group.near)
    return b"".join(
        (
            _GROUP.pack(kind, len(group.seconds), len(group.chunks), len(units), large),
            group.seconds.astype("<u4").tobytes(),
            group.sizes.astype("<u1").tobytes(),
            group.chunks[starts].astype("<u4").tobytes(),
            units.tobytes(),
            counts,
        )
    )


def unpack_group(packed: bytes) -> Group:
    """Raises ValueError."""
    try:
        kind, pairs, count, size, large = _GROUP.unpack_from(packed)
        at = _GROUP.size
        seconds = np.frombuffer(packed, "<u4", pairs, at)
        sizes = np.frombuffer(packed, "<u1", pairs, at + 4 * pairs)
        rare = sizes[sizes > 0]
        firsts = np.frombuffer(packed, "<u4", len(rare), at + 5 * pairs)
        at += 5 * pairs + firsts.nbytes
        units = np.frombuffer(packed, _UNITS[kind], size, at)
    except (struct.error, IndexError) as error:
        raise ValueError("not a group") from error
    sums = _sums(units, count - len(rare))
    if int(rare.sum()) != count:
        raise ValueError("not a group")
    starts = _starts(rare)
    steps = np.ones(count, np.bool_)
    steps[starts] = False
    chunks = np.zeros(count, np.int64)
    chunks[steps] = np.diff(sums, prepend=0)
    np.cumsum(chunks, out=chunks)
    chunks += np.repeat(firsts - chunks[starts], rare)
    return Group(seconds, sizes, chunks, *_counted(packed, at + units.nbytes, count, large))


def of_pair(group: Group, second: int) -> Columns | None:
    """The postings of one pair; None when it has a row of its own, empty when there is no such
    pair."""
    place = int(np.searchsorted(group.seconds, second))
    if place == len(group.seconds) or group.seconds[place] != second:
        return NOTHING
    size = int(group.sizes[place])
    if not size:
        return None
    begin = int(group.sizes[:place].sum(dtype=np.int64))
    part = slice(begin, begin + size)
    return group.chunks[part], group.own[part], group.near[part]


NOTHING: Columns = (np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint8))


def _starts(sizes: NDArray[Any]) -> NDArray[np.int64]:
    starts: NDArray[np.int64] = np.cumsum(sizes, dtype=np.int64) - sizes
    return starts


def _in_units(steps: NDArray[np.int64]) -> tuple[int, NDArray[Any]]:
    if steps.max(initial=0) < 0xFF:
        return 0, steps.astype(np.uint8)
    small, large = (int((steps // most).sum()) + len(steps) for most in (0xFF, 0xFFFF))
    kind, most, size = (0, 0xFF, small) if small <= 2 * large else (1, 0xFFFF, large)
    more, rest = np.divmod(steps, most)
    units = np.full(size, most, _UNITS[kind])
    units[np.cumsum(more + 1) - 1] = rest
    return kind, units


def _sums(units: NDArray[Any], steps: int) -> NDArray[np.int64]:
    """How far each of so many steps leads, counted from the first chunk."""
    sums = np.cumsum(units, dtype=np.int64)
    if len(units) != steps:
        sums = sums[units != np.iinfo(units.dtype).max]
    if len(sums) != steps:
        raise ValueError("not as many steps as it should have")
    return sums


def _counts(own: NDArray[Any], near: NDArray[Any]) -> tuple[bytes, int]:
    """(two bits for each count and the large ones, how many of these)."""
    both = np.zeros(len(own) + len(own) % 2, np.uint8)
    both[: len(own)] = np.minimum(own, _OVER) | np.minimum(near, _OVER) << 2
    small = (both[::2] | both[1::2] << 4).tobytes()
    more = [np.minimum(column[column >= _OVER], _MOST).astype(np.uint8) for column in (own, near)]
    large = b"".join(column.tobytes() for column in more)
    return small + large, len(large)


def _counted(packed: bytes, at: int, count: int, large: int) -> tuple[NDArray[Any], NDArray[Any]]:
    both = np.frombuffer(packed, np.uint8, (count + 1) // 2, at)
    if len(packed) != at + len(both) + large:
        raise ValueError("shorter or longer than it says")
    columns = tuple(table.take(both, 0).reshape(-1)[:count] for table in (_OWN, _NEAR))
    if large:
        more = np.frombuffer(packed, np.uint8, large, at + len(both))
        places = [np.flatnonzero(column == _OVER) for column in columns]
        if large != sum(map(len, places)):
            raise ValueError("not as many large counts as it should have")
        for column, place in zip(columns, places, strict=True):
            column[place], more = more[: len(place)], more[len(place) :]
    return columns[0], columns[1]
