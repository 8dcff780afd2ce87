"""Three-way merge of one file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ConflictKind = Literal["edit/edit", "edit/delete", "value", "rename/rename", "unreadable"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two intentions for one entry. `heading` is the path of titles above it, joined by " > ";
    `ours` and `theirs` are what each side has there, b"" where it deleted the entry. Nothing else
    keeps a text that the merged file does not show."""

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


def merge(base: bytes, ours: bytes, theirs: bytes, *, path: str) -> Merged:
    """Both changes to `base` in one file; a region that both changed keeps both texts."""
    if ours == theirs or theirs == base:
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    from merge3 import Merge3

    content: list[bytes] = []
    conflicts: list[Conflict] = []
    sides = (base, *sorted((ours, theirs)))
    lines = [side.splitlines(keepends=True) for side in sides]
    for region in Merge3(lines[0], lines[1], lines[2]).merge_regions():
        if region[0] == "conflict":
            first, second = (lines[1][region[3] : region[4]], lines[2][region[5] : region[6]])
            kept = first + [line for line in second if line not in first]
            content += [line if line.endswith(b"\n") else line + b"\n" for line in kept]
            if region[1] != region[2]:
                texts = [b"".join(first), b"".join(second)]
                one, two = texts if sides[1] == ours else reversed(texts)
                conflicts.append(Conflict(path, "", one, two, "edit/edit"))
        elif region[0] == "unchanged":
            content += lines[0][region[1] : region[2]]
        else:
            side = lines[1] if region[0] in ("a", "same") else lines[2]
            content += side[region[1] : region[2]]
    return Merged(b"".join(content), tuple(conflicts))
