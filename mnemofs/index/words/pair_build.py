"""Pairs of characters that stand together, from single characters and their places.

Scripts without spaces are indexed character by character, and asked for by overlapping pairs: to
FTS5 each is a phrase, which it finds by going through all texts with either character. Here the
pairs are found once. Tokens come by character; they are laid down by ranges of chunks, each range
is sorted by place, so that neighbours meet, and its pairs are laid down in their order; then the
ranges are read side by side. Memory is that of one range; on disk it is 18 bytes a token.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# A token: chunk, whether it is in the neighbours' column, in the heading's, its place there.
# No column has so many tokens: a file has fewer bytes.
NEAR_BIT, HEAD_BIT = 27, 26
CHUNK_BIT = 28
# Unicode's code points of the scripts that count.
_CODE_BITS = 18
_CODE = (1 << _CODE_BITS) - 1
# Chunks of one range.
_RANGE_BITS = 14
_RANGE = (1 << _RANGE_BITS) - 1
# Postings that are put in order at once.
_BATCH = 1 << 20
_MOST = 255


class Block(NamedTuple):
    """All pairs that begin with one character: for each posting its second character's code point,
    the chunk, and how often that holds the pair and its neighbours do; by pair, then chunk."""

    first: str
    seconds: NDArray[np.int64]
    chunks: NDArray[np.int64]
    own: NDArray[np.int64]
    near: NDArray[np.int64]


class Pairs:
    """Gathers the tokens of single characters, then gives their pairs."""

    def __init__(self, upto: int, file: IO[bytes]) -> None:
        """upto: the last chunk; file: an empty one, for what does not fit in memory."""
        self._file = file
        # By range: (where it stands in the file, how many bytes).
        self._parts: list[list[tuple[int, int]]] = [[] for _ in range((upto >> _RANGE_BITS) + 1)]

    def take(self, tokens: NDArray[np.int64], codes: NDArray[np.int64]) -> None:
        """tokens: as described above; codes: the character of each."""
        if not len(tokens):
            return
        ranges = tokens >> CHUNK_BIT + _RANGE_BITS
        order = np.argsort(ranges, kind="stable")
        local = (tokens & (1 << CHUNK_BIT + _RANGE_BITS) - 1) << _CODE_BITS | codes
        numbers, begins = np.unique(ranges[order], return_index=True)
        for number, part in zip(numbers.tolist(), np.split(local[order], begins[1:]), strict=True):
            self._parts[number].append(self._put(part))

    def blocks(self) -> Iterator[Block]:
        """In the order of first characters."""
        found = [self._paired(parts) for parts in self._parts]
        firsts = np.unique(np.concatenate([one.firsts for one in found]))
        sizes = sum((np.diff([one.until(code) for code in firsts], prepend=0) for one in found), 0)
        numbers = np.cumsum(sizes) // _BATCH
        for codes in np.split(firsts, np.flatnonzero(np.diff(numbers)) + 1):
            if len(codes):
                yield from self._merged(found, int(codes[0]), int(codes[-1]))

    def _merged(self, found: list[_Paired], first: int, last: int) -> Iterator[Block]:
        pairs, chunks, counts = [], [], []
        for number, one in enumerate(found):
            begin, end = one.until(first - 1), one.until(last)
            keys = self._get(one.keys, np.int64, begin, end)
            pairs.append(keys >> _RANGE_BITS)
            chunks.append((keys & _RANGE) + (number << _RANGE_BITS))
            counts.append(self._get(one.counts, np.uint16, begin, end))
        pair = np.concatenate(pairs)
        order = np.argsort(pair, kind="stable")  # chunks ascend from range to range
        pair, chunk, count = pair[order], np.concatenate(chunks)[order], np.concatenate(counts)
        count = count[order].astype(np.int64)
        code = pair >> _CODE_BITS
        begins = np.flatnonzero(np.diff(code, prepend=-1)).tolist()
        for begin, end in itertools.pairwise([*begins, len(code)]):
            part = slice(begin, end)
            yield Block(
                chr(int(code[begin])),
                pair[part] & _CODE,
                chunk[part],
                count[part] & 0xFF,
                count[part] >> 8,
            )

    def _paired(self, parts: list[tuple[int, int]]) -> _Paired:
        tokens = np.concatenate(
            [np.empty(0, np.int64), *(self._get(part, np.int64) for part in parts)]
        )
        parts.clear()
        tokens.sort()
        places = tokens >> _CODE_BITS
        here = np.flatnonzero(places[1:] - places[:-1] == 1)
        codes = tokens & _CODE
        places = places[here]
        keys = (codes[here] << _CODE_BITS | codes[here + 1]) << _RANGE_BITS
        keys |= places >> CHUNK_BIT
        keys = keys << 1 | (places >> NEAR_BIT & 1)
        keys.sort()
        first = np.flatnonzero(np.diff(keys >> 1, prepend=-1))
        near = np.add.reduceat(keys & 1, first) if len(first) else first
        own = np.diff(first, append=len(keys)) - near
        counts = np.minimum(own, _MOST) | np.minimum(near, _MOST) << 8
        keys = keys[first] >> 1
        firsts, begins = np.unique(keys >> _CODE_BITS + _RANGE_BITS, return_index=True)
        ends = np.append(begins, len(keys))
        return _Paired(self._put(keys), self._put(counts.astype(np.uint16)), firsts, ends)

    def _put(self, column: NDArray[Any]) -> tuple[int, int]:
        start = self._file.seek(0, 2)
        self._file.write(np.ascontiguousarray(column).data)
        return start, column.nbytes

    def _get(
        self, part: tuple[int, int], kind: Any, begin: int = 0, end: int | None = None
    ) -> NDArray[Any]:
        size = np.dtype(kind).itemsize
        start, length = part
        stop = length if end is None else end * size
        self._file.seek(start + begin * size)
        return np.frombuffer(self._file.read(stop - begin * size), kind)


class _Paired(NamedTuple):
    """One range: where its keys (pair, chunk in the range) and counts stand; its first characters,
    ascending; where the keys of each begin, and where the last end."""

    keys: tuple[int, int]
    counts: tuple[int, int]
    firsts: NDArray[np.int64]
    begins: NDArray[np.int64]

    def until(self, code: int) -> int:
        """How many keys there are up to this first character, with its own."""
        return int(self.begins[np.searchsorted(self.firsts, code, side="right")])
