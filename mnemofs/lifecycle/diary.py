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
_LISTED = 12
_PAGE = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d)\b")


class Told(NamedTuple):
    """What a page tells of one dream. promoted: (text, notes it stands in, why it was weighed);
    rejected: (text, reason); more: how many others were left in the notes."""

    promoted: Sequence[tuple[str, Sequence[str], str]]
    removed: Sequence[str]
    rejected: Sequence[tuple[str, str]]
    more: int = 0
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
    lines += _list("Left in the notes", left, told.more)
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


def _promoted(text: str, notes: Sequence[str], why: str) -> str:
    named = ", ".join(f"[{note_day(path)}]({path})" for path in notes)
    told = "; ".join(part for part in (named, why) if part)
    return f"{flatten(text)} ({told})" if told else flatten(text)


def _list(title: str, items: Sequence[str], more: int = 0) -> list[str]:
    if not items:
        return []
    hidden = max(0, len(items) - _LISTED) + more
    rest = [f"- and {hidden} more"] if hidden else []
    return ["", f"{title}:", "", *(f"- {item}" for item in items[:_LISTED]), *rest]
