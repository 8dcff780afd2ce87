"""DREAMS.md, the diary of dreams: a page for each, written for a person, newest last. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from mnemofs.clock import note_day, parse_day
from mnemofs.lifecycle.gates import mask_new
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.marks import DREAM_CLOSE, dream_open
from mnemofs.markdown.document import Document
from mnemofs.markdown.edits import append
from mnemofs.markdown.lines import flatten, with_ending

DIARY = "DREAMS.md"
_HEAD = "# Dreams\n\nWhat was condensed from the daily notes, and why. Newest last.\n"
_LEFT = "Left in the notes"
_LISTED = 12
_PAGE = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d)\b")


class Told(NamedTuple):
    """What a page tells of one dream. promoted: (text, notes it stands in, why it was weighed);
    rejected: (text, reason)."""

    promoted: Sequence[tuple[str, Sequence[str], str]]
    removed: Sequence[str]
    rejected: Sequence[tuple[str, str]]
    candidates: int = 0
    topic: str = ""


class Page(NamedTuple):
    """A page as it stands in the diary: `text` with \\n line ends, without the blank lines around
    it; start and end are offsets in the document's text."""

    day: date
    title: str
    text: str
    start: int
    end: int


def new_page(told: Told, notes: Sequence[str], at: datetime, identity: str) -> str:
    """The dream's page, ready to be appended. notes: paths of the notes that were read."""
    days = sorted({day.isoformat() for path in notes if (day := note_day(path))})
    span = f" ({days[0]} to {days[-1]})" if len(days) > 1 else f" ({days[0]})" if days else ""
    lines = [f"## {at:%Y-%m-%d %H:%M} Dream", dream_open(identity), ""]
    about = f" Looked for: {flatten(told.topic)}." if told.topic else ""
    weighed = f" Weighed {count(told.candidates, 'candidate')}." if told.candidates else ""
    lines.append(f"Read {count(len(notes), 'note')}{span}.{weighed}{about}")
    lines += _list("Promoted to MEMORY.md", [_promoted(*item) for item in told.promoted])
    lines += _list("Merged or removed", [flatten(text) for text in told.removed])
    left = [f"{flatten(text)} ({why})" for text, why in told.rejected]
    lines += _list(_LEFT, left)
    lines += ["", DREAM_CLOSE]
    return mask_new("\n".join(lines))[0] + "\n"


def append_page(data: bytes | None, page: str) -> bytes:
    """The diary with one more page."""
    if data is None or not data.strip():
        data = _HEAD.encode()
    return append(data, page)


def pages(document: Document) -> list[Page]:
    """The pages of a diary in file order: `##` sections that begin with a real date and a time."""
    found = []
    for section in document.sections:
        match = _PAGE.match(section.title)
        day = parse_day(match[1]) if match and section.level == 2 else None
        if day is not None:
            text = with_ending(document.section_text(section), "\n").strip("\n")
            found.append(Page(day, section.title, text, section.start, section.tree_end))
    return found


def left_in(diary: str, identity: str) -> tuple[str, dict[str, str]]:
    """The page of one dream in a diary (\n line ends), and what it says was left: why, by text."""
    begin = diary.find(dream_open(identity))
    end = diary.find(DREAM_CLOSE, begin)
    if begin < 0 or end < 0:
        return "", {}
    begin = diary.rfind("## ", 0, begin)
    page = diary[max(begin, 0) : end + len(DREAM_CLOSE)]
    told = {}
    for line in page.partition(f"\n{_LEFT}:\n")[2].split("\n"):
        if line.startswith("- ") and line.endswith(")"):
            at = _opening(line)
            told[line[2:at].rstrip()] = line[at + 1 : -1]
    return page, told


def _opening(line: str) -> int:
    """Where the last pair of parentheses opens."""
    depth = 0
    for at in range(len(line) - 1, 1, -1):
        depth += (line[at] == ")") - (line[at] == "(")
        if not depth:
            return at
    return len(line) - 1


def _promoted(text: str, notes: Sequence[str], why: str) -> str:
    named = ", ".join(f"[{note_day(path)}]({path})" for path in notes)
    told = "; ".join(part for part in (named, why) if part)
    return f"{flatten(text)} ({told})" if told else flatten(text)


def _list(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    hidden = max(0, len(items) - _LISTED)
    rest = [f"- and {hidden} more"] if hidden else []
    return ["", f"{title}:", "", *(f"- {item}" for item in items[:_LISTED]), *rest]
