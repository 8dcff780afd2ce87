"""Two texts for one thing, and what a file is once somebody has decided. Pure.

A merge that cannot decide keeps both texts (or one of two values) and says so. Lines are compared
without their white space and numbering, which people and programs change without meaning it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from mnemofs.errors import EditRefused, UnreadableText
from mnemofs.markdown.document import Document
from mnemofs.markdown.lines import main_ending, with_ending

Side = Literal["ours", "theirs"]
SIDES: Final[tuple[Side, Side]] = ("ours", "theirs")
_NUMBER: Final = re.compile(r"^[0-9]{1,9}(?=[.)] )")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Dispute:
    """One contradiction that a commit recorded.

    heading: the titles above it, joined by " > ". ours, theirs: what each side has there, b"" where
    it deleted it; whole: they are the whole file. merged: the file as the commit left it, None when
    it has none. aside: another file in which the second text stands, "" when there is none. newer:
    whose commit is the later one. among: how many the commit recorded. actors: who wrote each side,
    as far as it is known.
    """

    commit: str
    time: datetime
    path: str
    heading: str
    kind: str
    ours: bytes = field(repr=False)
    theirs: bytes = field(repr=False)
    merged: bytes | None = field(repr=False)
    newer: Side
    whole: bool = False
    aside: str = ""
    among: int = 1
    actors: tuple[str, str] = ("", "")

    @property
    def id(self) -> str:
        """The same wherever and whichever way round these two texts met."""
        parts = (self.path.encode(), self.heading.encode(), *sorted((self.ours, self.theirs)))
        return hashlib.sha256(b"\0".join(parts)).hexdigest()[:10]

    def text(self, side: Side) -> bytes:
        """What one side has."""
        return self.ours if side == "ours" else self.theirs

    @property
    def older(self) -> Side:
        """The side that is not the newer one."""
        return "theirs" if self.newer == "ours" else "ours"


def standing(dispute: Dispute, content: bytes | None) -> frozenset[Side]:
    """The sides whose text stands in a version of the file (of a `whole` dispute: is the file)."""
    if content is None:
        return frozenset()
    if dispute.whole:
        return frozenset(side for side in SIDES if dispute.text(side) == content)
    keys = {_key(line) for line in _lines(content)}
    return frozenset(side for side in SIDES if _own(dispute, side) and _own(dispute, side) <= keys)


def is_open(dispute: Dispute, present: bytes | None, aside: bytes | None) -> bool:
    """Whether nobody has decided by editing: all that the merge left standing still stands.

    present, aside: the two files as they are now.
    """
    if dispute.aside:
        return present is not None and aside in (dispute.ours, dispute.theirs)
    if dispute.whole and not (dispute.ours and dispute.theirs):
        return present is not None
    left = standing(dispute, dispute.merged)
    if not left or dispute.whole:
        return present == dispute.merged
    return left <= standing(dispute, present)


def plan_settlement(
    dispute: Dispute, present: bytes | None, wanted: Side | Literal["both"] | bytes
) -> bytes | None:
    """The file once it says what is `wanted`: one side, both as they stand, or a text of one's own.

    Lines of neither side keep their bytes. Raises EditRefused when no text of either side stands
    there any more.
    """
    if wanted == "both":
        return present
    text = wanted if isinstance(wanted, bytes) else dispute.text(wanted)
    if dispute.whole:
        if isinstance(wanted, str) and present is not None and text and not dispute.aside:
            other = dispute.theirs if wanted == "ours" else dispute.ours
            return present if not other else text
        return text or None
    lines = _lines(present or b"")
    section = _section(present or b"", dispute.heading)
    found: dict[Side, list[int]] = {}
    taken: set[int] = set()
    for side in sorted(SIDES, key=lambda one: -len(dispute.text(one))):
        found[side] = _places(dispute, side, lines, section, taken)
        taken.update(found[side])
    drop = set(taken)
    insert = bool(text)
    if isinstance(wanted, str):
        drop -= set(found[wanted])
        insert = bool(text) and not found[wanted]
    if not drop:
        if insert or not (taken or not text):
            raise EditRefused(
                f"none of the two texts stands in {dispute.path} any more; nothing was changed",
                hint="`mnemofs review` lists what is still open",
                path=dispute.path,
            )
        return present
    return _replaced(present or b"", lines, drop, text if insert else b"")


def newer_only(disputes: Iterable[Dispute], content: bytes) -> bytes:
    """A file as an agent should be shown it: of two texts the newer, with a word about the other.

    Pure and for reading only; the file keeps both until somebody decides.
    """
    for dispute in disputes:
        stand = standing(dispute, content)
        if dispute.whole or not stand:
            continue
        if len(stand) == 2:
            content = plan_settlement(dispute, content, dispute.newer) or b""
        side = dispute.newer if dispute.newer in stand else dispute.older
        content = _noted(dispute, side, content)
    return content


def newer_hit(disputes: Iterable[Dispute], path: str, text: str) -> str | None:
    """A search hit likewise; None when it is the older of two texts that stand."""
    keys = _keys(text.split("\n"))
    for dispute in disputes:
        if dispute.path != path or dispute.whole or not keys:
            continue
        both = dispute.kind != "value" and dispute.ours and dispute.theirs
        if both and keys <= _own(dispute, dispute.older):
            return None
        if any(keys <= _own(dispute, side) for side in SIDES if dispute.text(side)):
            return f"{text} {_note(dispute)}"
    return text


def _noted(dispute: Dispute, side: Side, content: bytes) -> bytes:
    lines = _lines(content)
    places = _places(dispute, side, lines, _section(content, dispute.heading), set())
    if not places:
        return content
    at = places[0]
    bare = lines[at].rstrip("\r\n")
    if bare.lstrip().startswith(("```", "~~~", "|", "#", "<")):  # a line of its own, below
        at = places[-1]
        bare = lines[at].rstrip("\r\n") + "\n"
        lines[at] = f"{bare}{_note(dispute)}\n"
    else:
        lines[at] = f"{bare} {_note(dispute)}{lines[at][len(bare) :]}"
    bom = _BOM if content.startswith(_BOM) else b""
    return bom + "".join(lines).encode("utf-8", "surrogateescape")


def _note(dispute: Dispute) -> str:
    what = "an older text differs" if dispute.ours and dispute.theirs else "deleted elsewhere"
    return f"[{what}: mnemofs review show {dispute.id}]"


def _replaced(present: bytes, lines: list[str], drop: set[int], text: bytes) -> bytes:
    first = min(drop)
    kept: list[str] = []
    for at, line in enumerate(lines):
        if at == first and text:
            kept.append(_inserted(text, present, last=max(drop) == len(lines) - 1, was=lines[-1]))
        if at not in drop:
            kept.append(line)
        elif at - 1 not in drop or at == first:
            _close_gap(kept, lines, at, drop, closed=not text)
    bom = _BOM if present.startswith(_BOM) else b""
    return bom + "".join(kept).encode("utf-8", "surrogateescape")


def _close_gap(kept: list[str], lines: list[str], at: int, drop: set[int], *, closed: bool) -> None:
    """Where a paragraph goes, one of the two blank lines around it goes, too."""
    after = at
    while after in drop:
        after += 1
    blank_after = after == len(lines) or not lines[after].strip()
    if closed and blank_after and kept and not kept[-1].strip():
        kept.pop()


def _inserted(text: bytes, present: bytes, *, last: bool, was: str) -> str:
    whole = with_ending(
        text.decode("utf-8", "surrogateescape"),
        main_ending(present.decode("utf-8", "surrogateescape")),
    )
    ending = main_ending(present.decode("utf-8", "surrogateescape"))
    whole = whole.rstrip("\r\n")
    return whole if last and not was.endswith("\n") else whole + ending


def _places(
    dispute: Dispute, side: Side, lines: Sequence[str], section: range, taken: set[int]
) -> list[int]:
    """The lines of a side's text: its run, else those lines that only this side has."""
    wanted = [_key(line) for line in _lines(dispute.text(side))]
    while wanted and not wanted[-1]:
        wanted.pop()
    if not wanted:
        return []
    keys = [_key(line) for line in lines]
    for area in (section, range(len(lines))):
        for start in range(area.start, area.stop - len(wanted) + 1):
            run = range(start, start + len(wanted))
            if keys[start : run.stop] == wanted and taken.isdisjoint(run):
                return list(run)
    own = _own(dispute, side)
    for area in (section, range(len(lines))):
        found = [at for at in area if keys[at] in own and at not in taken]
        if {keys[at] for at in found} == own:
            return found
    return []


def _own(dispute: Dispute, side: Side) -> frozenset[str]:
    """The lines that only this side has; all of its lines when the other has them, too."""
    other = dispute.theirs if side == "ours" else dispute.ours
    mine = _keys(_lines(dispute.text(side)))
    return (mine - _keys(_lines(other))) or mine


def _keys(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(key for line in lines if (key := _key(line)))


def _key(line: str) -> str:
    return _NUMBER.sub("0", " ".join(line.split()))


def _lines(data: bytes) -> list[str]:
    """The lines with their ends, `\\n` alone ending one (TXT-08)."""
    text = data.removeprefix(_BOM).decode("utf-8", "surrogateescape")
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _section(data: bytes, heading: str) -> range:
    """The lines (from 0) of the section with this path of titles; none when there is none."""
    if not heading:
        return range(0)
    try:
        sections = Document.parse(data).sections
    except UnreadableText:
        return range(0)
    found = next((one for one in sections if " > ".join(one.path) == heading), None)
    return range(found.line, found.last_line) if found else range(0)
