"""Daily notes: one title per file, entries appended, a repeated day told apart from a new entry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from mnemofs.markdown.document import Document, Section
from mnemofs.markdown.lines import with_ending
from mnemofs.markdown.placing import closing_line, insertion, place, trimmed
from mnemofs.markdown.scanner import HEADING, ITEM, MORE, Block

_MONTHS: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DATE: Final = (  # compiled on first use
    r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}"
    r"|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日"
    rf"|(?:{_MONTHS})\.? [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)? (?:{_MONTHS})\.?,? [0-9]{{4}}"
)
_FILLER: Final = (
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|星期.|周.|daily|notes?|log|"
    r"journal|diary|memory|today|the|of|for|[\W_]+"
)
_Key = tuple[str, int, str]  # kind, depth and text of a block, for comparing


def append_daily(data: bytes | None, entry: str, day: date) -> bytes:
    """Add an entry to the note of `day`.

    A new note starts with `# YYYY-MM-DD`. A date heading of the entry's own is dropped, whatever
    date it names, because the clock names the note (DAY-04); a note without a title gets one when
    the entry brought one. An entry that repeats the note adds only what is new in it (DAY-05), and
    a block that stands already is not added twice. A section that the note has is continued.
    """
    document = Document.parse(data or b"")
    text = with_ending(entry, "\n")
    text = text.removeprefix(with_ending(document.text[: document.body_start], "\n"))
    text, dated = _undated(text, day)
    text = trimmed(text)
    if not text.strip():
        return data or b""
    incoming = Document.fragment(text)
    closing = closing_line(incoming)
    closed = f"{text}\n{closing}" if closing else text
    if not document.blocks:
        return document.encode(place(document, 0, len(document.text), f"# {day}\n\n{closed}"))
    result = _repeated(document, incoming)
    if result is None:
        result = _continued(document, Document.fragment(closed) if closing else incoming)
    if dated and not _has_title(document):
        result = _titled(Document.of_text(result), day)
    return document.encode(result)


def _is_date_title(title: str) -> bool:
    """A title that says nothing but a date (and perhaps its weekday, or that this is a note)."""
    if not _has_date(title):
        return False
    rest = re.sub(_DATE, "", title, count=1, flags=re.IGNORECASE)
    return not re.sub(_FILLER, "", rest, flags=re.IGNORECASE)


def _has_date(title: str) -> bool:
    return re.search(_DATE, title, re.IGNORECASE) is not None


def _undated(entry: str, day: date) -> tuple[str, bool]:
    """The entry without its own date titles, and whether it had one.

    A first-level title that holds a date and more keeps its words one level lower.
    """
    document = Document.fragment(entry)
    lines = list(document.lines)
    dated = False
    for index, block in enumerate(document.blocks):
        if block.kind != HEADING or not _has_date(block.title):
            continue
        repeats = block.level == 2 and index == 0 and block.title.strip() == day.isoformat()
        if block.level != 1 and not repeats:
            continue
        dated = True
        kept = () if _is_date_title(block.title) else (f"## {block.title}",)
        lines[block.start : block.end] = [*kept, *[""] * (block.end - block.start - len(kept))]
    return ("\n".join(lines), True) if dated else (entry, False)


def _has_title(document: Document) -> bool:
    return any(section.level == 1 for section in document.sections)


def _titled(document: Document, day: date) -> str:
    at, eol = document.body_start, document.eol
    return f"{document.text[:at]}# {day}{eol}{eol}{document.text[at:].lstrip(chr(13) + chr(10))}"


def _key(document: Document, block: Block) -> _Key:
    lines = document.lines[block.start : block.end]
    return block.kind, block.depth, "\n".join(line.rstrip() for line in lines)


def _repeated(document: Document, incoming: Document) -> str | None:
    """When the entry holds the whole note in order: the note with the new blocks in place."""
    standing = [
        block
        for block in document.blocks
        if not (block.kind == HEADING and block.level == 1 and _is_date_title(block.title))
    ]
    keys = [_key(incoming, block) for block in incoming.blocks]
    home: list[int] = []  # for each standing block, its index in the entry
    at = 0
    for block in standing:
        wanted = _key(document, block)
        while at < len(keys) and keys[at] != wanted:
            at += 1
        if at == len(keys):
            return None
        home.append(at)
        at += 1
    if not standing or (home[0] and not standing[0].start and incoming.lines[0][:3] == "---"):
        return None  # nothing to compare, or a rule would come to stand where front matter begins
    text = document.text
    for index in range(len(home) - 1, -1, -1):
        following = home[index + 1] if index + 1 < len(home) else len(keys)
        run = incoming.blocks[home[index] + 1 : following]
        if run:
            after = document.offsets[standing[index].end]
            text = _insert(document, text, after, incoming, run)
    if home[0]:
        before = document.offsets[standing[0].start]
        text = _insert(document, text, before, incoming, incoming.blocks[: home[0]])
    return text


def _insert(
    document: Document, text: str, at: int, incoming: Document, run: Sequence[Block]
) -> str:
    """Put a run of the entry's blocks in at a line start, spaced as the entry spaces them."""
    eol = document.eol
    begin, end = run[0].start, run[-1].end
    block = eol.join(incoming.lines[begin:end])
    head, tail = text[:at], text[at:]
    if head and head[-1] not in "\r\n":
        head += eol
    spaced_before = begin > 0 and not incoming.lines[begin - 1].strip()
    spaced_after = end < len(incoming.lines) and not incoming.lines[end].strip()
    before = eol if spaced_before and head.strip() and not head.endswith(eol * 2) else ""
    after = eol if spaced_after and tail.strip() and not tail.startswith(("\n", "\r")) else ""
    return head + before + block + eol + after + tail


def _continued(document: Document, incoming: Document) -> str:
    """Append what is new, part by part: under the note's own heading where it has that heading."""
    inserted: list[tuple[int, str]] = []
    tail: list[str] = []
    for heading, blocks in _parts(incoming):
        if heading is None:
            homes: tuple[Section, ...] = ()
            standing = {_key(document, block) for block in document.blocks}
        else:
            homes = document.find(heading.title, heading.level)
            standing = {key for home in homes for key in _keys_in(document, home)}
        fresh = _fresh(incoming, blocks, standing)
        if len(homes) == 1 and fresh:
            inserted.append(insertion(document, homes[0].start, homes[0].end, fresh))
        elif heading is not None and (fresh or not homes):
            tail += [incoming.block_text(heading), fresh]
        elif fresh:
            tail.append(fresh)
    text = document.text
    if added := "\n\n".join(part for part in tail if part):
        inserted.append(insertion(document, 0, len(text), added))
    for at, piece in sorted(inserted, key=lambda one: one[0], reverse=True):
        text = text[:at] + piece + text[at:]
    return text


def _parts(incoming: Document) -> list[tuple[Block | None, list[Block]]]:
    """The entry's headings, each with the blocks under it; first what stands under none."""
    parts: list[tuple[Block | None, list[Block]]] = [(None, [])]
    for block in incoming.blocks:
        if block.kind == HEADING:
            parts.append((block, []))
        else:
            parts[-1][1].append(block)
    return parts if parts[0][1] else parts[1:]


def _keys_in(document: Document, section: Section) -> set[_Key]:
    span = document.blocks_in(section.start, section.end)
    return {_key(document, document.blocks[index]) for index in span}


def _fresh(incoming: Document, blocks: Sequence[Block], standing: set[_Key]) -> str:
    """The text to add: whole blocks, nested items with their parent, none that stands already."""
    text = ""
    for start, end, keys in _groups(incoming, blocks):
        if standing.issuperset(keys):
            continue
        if text:
            text += "\n\n" if start and not incoming.lines[start - 1].strip() else "\n"
        text += "\n".join(incoming.lines[start:end])
    return text


def _groups(incoming: Document, blocks: Sequence[Block]) -> list[tuple[int, int, list[_Key]]]:
    """Top-level blocks with what is nested in them: first line, end, and the keys of all parts."""
    groups: list[tuple[int, int, list[_Key]]] = []
    for block in blocks:
        key = _key(incoming, block)
        if block.depth and block.kind in (ITEM, MORE) and groups:
            start, _, keys = groups[-1]
            groups[-1] = (start, block.end, [*keys, key])
        else:
            groups.append((block.start, block.end, [key]))
    return groups
