"""Three-way merge of one file, as a person would do it who wants to lose nothing.

Symmetric: both machines write the same bytes, whichever side they call theirs. Never a conflict
marker. Only what contradicts is reported: two edits of one entry (both stand), an edit against a
deletion (the edit stands), two values of one key or one structured entry (one stands, the other is
in the conflict), two names for one heading (both stand). The steps are in `mergenodes` (a file as
a tree), `mergematch` (what is the same entry), `mergeresolve` (what becomes of it) and `mergeweave`
(order and text); the figures are in `benchmarks/merge.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from mnemofs.errors import UnreadableText
from mnemofs.markdown.lines import decode, encode, is_uniform, main_ending, with_ending
from mnemofs.markdown.mergematch import match
from mnemofs.markdown.mergenodes import ConflictKind, parse, with_ends
from mnemofs.markdown.mergeresolve import Side, drop_copies, resolve
from mnemofs.markdown.mergeweave import Writer, place

_T = TypeVar("_T")
_EVENT_TIME: Final = re.compile(r"\"(?:time|at|ts)\"\s*:\s*\"([^\"]*)\"")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two intentions for one entry. `heading` is the path of titles above it, joined by " > ";
    `ours` and `theirs` are what each side has there, b"" where it deleted the entry. For the kind
    `value`, the one of them that is not in the merged file is kept nowhere else."""

    path: str
    heading: str
    ours: bytes
    theirs: bytes
    kind: ConflictKind


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged bytes and what a person should look at; no conflict markers ever."""

    content: bytes
    conflicts: tuple[Conflict, ...] = ()


def merge(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    *,
    path: str,
    newer: Literal["ours", "theirs"] | None = None,
) -> Merged:
    """Both changes to `base` (b"" when both sides added the file) in one file.

    `path` decides what the file is: `memory/` notes, `structured/` entries, `.jsonl` ledgers (a
    union of lines), `.toml`, any other text by line. `newer` names the side whose commit is later:
    where only one of two values can stand it is that one's; without it, both machines still choose
    the same. A side that is not UTF-8 cannot be merged: ours is returned, with a conflict.
    """
    if ours == theirs or theirs == base:
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    swapped = theirs < ours
    first, second = (theirs, ours) if swapped else (ours, theirs)
    try:
        a, b = decode(first), decode(second)
    except UnreadableText:
        return Merged(ours, (Conflict(path, "", ours, theirs, "unreadable"),))
    try:
        old = decode(base)
    except UnreadableText:
        old = decode(b"")
    bom = _pick(old.bom, a.bom, b.bom) if base else a.bom or b.bom
    texts = (old.text, a.text, b.text)
    if path.endswith(".jsonl"):
        return Merged(encode(_union(*map(with_ends, texts)), bom=bom))
    side: Side | None = None
    if newer is not None:
        side = "b" if (newer == "ours") == swapped else "a"
    text, found = _merge_texts(texts, path, side)
    conflicts = tuple(
        Conflict(path, heading, one.encode(), other.encode(), kind)
        for kind, heading, *sides in found
        for one, other in [reversed(sides) if swapped else sides]
    )
    return Merged(encode(text, bom=bom), conflicts)


_Found = tuple[ConflictKind, str, str, str]


def _merge_texts(
    texts: tuple[str, str, str], path: str, newer: Side | None
) -> tuple[str, list[_Found]]:
    base = texts[0]
    eol = _ending(*texts)
    uniform = all(map(is_uniform, texts))
    inner = "\n" if uniform else eol
    trees = parse([with_ending(text, "\n") if uniform else text for text in texts], path)
    lines = match(trees[0], trees[1], trees[2])
    for line in lines:
        resolve(line, newer)
    drop_copies(lines)
    root = lines[0]
    place(lines, root)
    writer = Writer(inner)
    writer.write(root)
    text = "".join([*writer.parts, _pick(*(tree.tail for tree in trees))])
    ends = [version.endswith(("\n", "\r")) for version in texts]
    if not (_pick(*ends) if base else ends[1] or ends[2]):
        text = text[:-2] if text.endswith("\r\n") else text[:-1]
    found: list[_Found] = []
    for line, headings in writer.flagged:
        if line.conflict:
            kind, one, other = line.conflict
            found.append((kind, " > ".join(headings), one, other))
    return (with_ending(text, eol) if uniform else text), found


def _pick(base: _T, a: _T, b: _T) -> _T:
    """The side that changed it; a when both did."""
    return b if a == base else a


def _ending(base: str, a: str, b: str) -> str:
    """The line end of the merged file: the side that changed it decides."""
    ends = [main_ending(text) if "\n" in text or "\r" in text else "" for text in (base, a, b)]
    known = next((end for end in ends if end), "\n")
    return _pick(*(end or known for end in ends))


def _union(base: Sequence[str], a: Sequence[str], b: Sequence[str]) -> str:
    """Append-only lines: all that stood and that neither side took out, then what is new, by time.

    A line that one side removed was forgotten there, and must not come back.
    """
    in_base, in_a, in_b = set(base), set(a), set(b)
    kept = [line for line in base if line in in_a and line in in_b]
    new = dict.fromkeys(line for line in (*a, *b) if line not in in_base)
    return "".join(kept + sorted(new, key=_event_time))


def _event_time(line: str) -> tuple[str, str]:
    match = _EVENT_TIME.search(line)
    return (match[1] if match else "", line)
