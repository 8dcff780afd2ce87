"""Ceilings of always-on files: cut at a real section, marked, and with a list of what was cut."""

from __future__ import annotations

from typing import Final, NamedTuple

from mnemofs.markdown.document import Document
from mnemofs.markdown.lines import with_ending
from mnemofs.markdown.scanner import ITEM, MORE, PARAGRAPH, QUOTE

MARKER: Final = "\n\n> ⚠ later text cut\n"


class Budgeted(NamedTuple):
    """Text within a limit; `omitted` names the sections left out, or in part, in file order."""

    text: str
    omitted: tuple[str, ...] = ()


def fit(text: str, limit: int) -> Budgeted:
    """At most `limit` characters of `text`, the marker that stands at the cut included.

    The cut is at a heading of level 1 or 2, as a Markdown reader sees it: never inside a fence, a
    comment or front matter (CTX-02). Where that would keep less than a quarter of the room, it is
    after the last whole block instead, and inside one only when it is a single huge paragraph.
    `limit <= 0` means no limit.
    """
    if limit <= 0 or len(text) <= limit:
        return Budgeted(text)
    document = Document.of_text(text)
    marker = with_ending(MARKER, document.eol)
    room = limit - len(marker)
    if room <= 0:
        return Budgeted("", _omitted(document, 0))
    cut = _section_cut(document, room)
    if cut * 4 < room:
        cut = max(cut, _block_cut(document, room))
    kept = text[:cut].rstrip()
    return Budgeted((kept + marker) if kept else marker.lstrip(), _omitted(document, cut))


def _section_cut(document: Document, room: int) -> int:
    starts = [section.start for section in document.sections if section.level <= 2]
    return max((at for at in starts if _fits(document.text, at, room)), default=0)


def _fits(text: str, end: int, room: int) -> bool:
    """Does `text` up to `end` fit, blank lines at its end not counted?"""
    return end <= room or not text[room:end].strip()


def _block_cut(document: Document, room: int) -> int:
    """The end of the last block that fits, or a place inside the paragraph that does not."""
    end = document.body_start if document.body_start <= room else 0
    if document.front and not end:
        return 0
    for block in document.blocks:
        stop = document.offsets[block.end]
        if _fits(document.text, stop, room):
            end = stop
            continue
        if end * 4 < room and block.kind in (PARAGRAPH, ITEM, MORE, QUOTE):
            end = max(end, _inside(document.text, document.offsets[block.start], room))
        break
    return end


def _inside(text: str, begin: int, room: int) -> int:
    if begin >= room:
        return 0
    at = max(text.rfind("\n", begin, room), text.rfind(" ", begin, room))
    return at if at > begin else room


def _omitted(document: Document, cut: int) -> tuple[str, ...]:
    """Sections that end behind the cut; those inside an omitted one go without saying."""
    names: list[str] = []
    behind = -1
    for section in document.sections:
        if section.start < behind or section.tree_end <= cut:
            continue
        if section.start >= cut:
            behind = section.tree_end
            names.append(section.title)
        elif section.end > cut:
            names.append(f"{section.title} (in part)")
    return tuple(names)
