"""Line and word alignment of two texts: what diff, blame and undo all stand on.

Lines are whatever stands between `\\n` bytes, kept with their ends (TXT-08). The alignment is
patience diff (common prefix and suffix, then lines that are unique on both sides, recursively)
with difflib for the small gaps that are left; the cost is bounded for any input (SEC-08).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, TypeVar

Span = tuple[int, int]
Piece = TypeVar("Piece", bytes, str)

# Above this many equal pairs in a gap without a unique line, difflib turns quadratic.
_PAIRS = 20_000
# How far the linear fallback may jump ahead to find the same line again.
_LEAP = 256
_LONG_LINE = 4_000
_PAIRED_LINES = 400
_SIMILAR = 0.4
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|\s+|[^\w\s]")


class Block(NamedTuple):
    """`size` equal lines: old[old:old+size] == new[new:new+size]."""

    old: int
    new: int
    size: int


class Hunk(NamedTuple):
    """old[old_start:old_end] was replaced by new[new_start:new_end]; one side may be empty."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def split_lines(data: bytes) -> list[bytes]:
    """The lines of `data` with their `\\n`; joined they give `data` again."""
    lines = data.split(b"\n")
    last = lines.pop()
    lines = [line + b"\n" for line in lines]
    if last:
        lines.append(last)
    return lines


def align(old: Sequence[Piece], new: Sequence[Piece]) -> list[Block]:
    """The equal runs of two lists of lines or words: ascending on both sides, neighbours joined."""
    found: list[Block] = []
    todo = [(0, len(old), 0, len(new))]
    while todo:
        i, i_end, j, j_end = todo.pop()
        start = i
        while i < i_end and j < j_end and old[i] == new[j]:
            i += 1
            j += 1
        if i > start:
            found.append(Block(start, j - (i - start), i - start))
        end = i_end
        while i < i_end and j < j_end and old[i_end - 1] == new[j_end - 1]:
            i_end -= 1
            j_end -= 1
        if end > i_end:
            found.append(Block(i_end, j_end, end - i_end))
        if i == i_end or j == j_end:
            continue
        anchors = _unique_anchors(old, new, i, i_end, j, j_end)
        if not anchors:
            found.extend(_match_gap(old, new, i, i_end, j, j_end))
            continue
        for anchor_i, anchor_j in anchors:
            todo.append((i, anchor_i, j, anchor_j))
            found.append(Block(anchor_i, anchor_j, 1))
            i, j = anchor_i + 1, anchor_j + 1
        todo.append((i, i_end, j, j_end))
    return _joined(found)


def changes(old: Sequence[Piece], new: Sequence[Piece]) -> list[Hunk]:
    """The replaced regions between the runs of `align`, in order."""
    hunks = []
    i = j = 0
    for block in [*align(old, new), Block(len(old), len(new), 0)]:
        if i < block.old or j < block.new:
            hunks.append(Hunk(i, block.old, j, block.new))
        i, j = block.old + block.size, block.new + block.size
    return hunks


def pair_lines(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Which replaced line became which: index pairs, ascending, only where both resemble.

    old, new: the two sides of one replaced region, without line ends. Large regions are not
    paired at all.
    """
    if not old or not new or len(old) * len(new) > _PAIRED_LINES:
        return []
    bags = [_bag(line) for line in old], [_bag(line) for line in new]
    # Longest common subsequence, weighted by similarity.
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    taken: dict[tuple[int, int], bool] = {}
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            likeness = _likeness(bags[0][i], bags[1][j])
            skip = max(best[i + 1][j], best[i][j + 1])
            pair = best[i + 1][j + 1] + likeness if likeness >= _SIMILAR else 0.0
            taken[i, j] = pair > skip
            best[i][j] = max(pair, skip)
    pairs = []
    i = j = 0
    while i < len(old) and j < len(new):
        if taken[i, j]:
            pairs.append((i, j))
            i += 1
            j += 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def highlight(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The parts of two versions of one line that differ, as (start, end) in characters.

    Cut at words (each CJK character is one). Lines too long to compare give no spans.
    """
    if max(len(old), len(new)) > _LONG_LINE:
        return (), ()
    before, after = _words(old), _words(new)
    old_at, new_at = _offsets(before), _offsets(after)
    old_spans: list[Span] = []
    new_spans: list[Span] = []
    for hunk in changes(before, after):
        if hunk.old_start < hunk.old_end:
            old_spans.append((old_at[hunk.old_start], old_at[hunk.old_end]))
        if hunk.new_start < hunk.new_end:
            new_spans.append((new_at[hunk.new_start], new_at[hunk.new_end]))
    return tuple(old_spans), tuple(new_spans)


def _unique_anchors(
    old: Sequence[Piece], new: Sequence[Piece], i: int, i_end: int, j: int, j_end: int
) -> list[tuple[int, int]]:
    """Lines that stand once on each side, as the longest run ascending on both."""
    old_once = _once(old, i, i_end)
    new_once = _once(new, j, j_end)
    if len(new_once) < len(old_once):
        pairs = sorted((old_once[line], at) for line, at in new_once.items() if line in old_once)
    else:
        pairs = sorted((at, new_once[line]) for line, at in old_once.items() if line in new_once)
    tails: list[int] = []
    tail_pairs: list[int] = []
    back = [-1] * len(pairs)
    for index, (_, at) in enumerate(pairs):
        length = bisect_left(tails, at)
        back[index] = tail_pairs[length - 1] if length else -1
        tails[length : length + 1] = [at]
        tail_pairs[length : length + 1] = [index]
    anchors = []
    index = tail_pairs[-1] if tail_pairs else -1
    while index >= 0:
        anchors.append(pairs[index])
        index = back[index]
    anchors.reverse()
    return anchors


def _once(lines: Sequence[Piece], start: int, end: int) -> dict[Piece, int]:
    places: dict[Piece, int] = {}
    for at in range(start, end):
        line = lines[at]
        places[line] = at if line not in places else -1
    return {line: at for line, at in places.items() if at >= 0}


def _match_gap(
    old: Sequence[Piece], new: Sequence[Piece], i: int, i_end: int, j: int, j_end: int
) -> list[Block]:
    """Equal runs of a gap that has no unique common line."""
    before, after = old[i:i_end], new[j:j_end]
    counts = Counter(after)
    if sum(counts[line] for line in before) <= _PAIRS:
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        return [
            Block(i + match.a, j + match.b, match.size)
            for match in matcher.get_matching_blocks()
            if match.size
        ]
    places: dict[Piece, list[int]] = {}
    for at, line in enumerate(after):
        places.setdefault(line, []).append(at)
    blocks = []
    cursor = 0
    for offset, line in enumerate(before):
        spots = places.get(line, ())
        at = bisect_left(spots, cursor)
        if at < len(spots) and spots[at] - cursor <= _LEAP:
            blocks.append(Block(i + offset, j + spots[at], 1))
            cursor = spots[at] + 1
    return blocks


def _joined(blocks: list[Block]) -> list[Block]:
    joined: list[Block] = []
    for block in sorted(blocks):
        last = joined[-1] if joined else None
        if last and last.old + last.size == block.old and last.new + last.size == block.new:
            joined[-1] = Block(last.old, last.new, last.size + block.size)
        else:
            joined.append(block)
    return joined


def _words(line: str) -> list[str]:
    return _WORD.findall(line)


def _offsets(words: list[str]) -> list[int]:
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    return offsets


def _bag(line: str) -> Counter[str]:
    """The words of a line, white space aside; of a very long one none, so it is never paired."""
    if len(line) > _LONG_LINE:
        return Counter()
    return Counter(word for word in _words(line) if not word.isspace())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Shared words against all: 0 nothing in common, 1 the same words."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0
