"""Joining entries inside a structured file, as a step that can be repeated on newer bytes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import StructuredEntry, parse_structured, put_structured
from mnemofs.markdown.lines import with_ending
from mnemofs.markdown.placing import content_end

SOURCE = "consolidation"


@dataclass(frozen=True)
class Join:
    """Entries that become one. sources: as they were seen. content "": they only go."""

    key: str
    content: str
    updated: date | None
    sources: tuple[StructuredEntry, ...]


class Standing(NamedTuple):
    """One entry of a file and where it stands. Offsets are characters, the end exclusive."""

    entry: StructuredEntry
    start: int
    end: int


def standing(document: Document) -> tuple[Standing, ...]:
    """All entries in file order, twin keys included."""
    found = []
    for section in document.sections:
        if section.level == 2:
            text = document.text[section.start : section.tree_end]
            entry = parse_structured(text.encode("utf-8", "surrogatepass"))[0]
            found.append(Standing(entry, section.start, section.tree_end))
    return tuple(found)


def apply_joins(data: bytes | None, joins: Sequence[Join]) -> bytes | None:
    """The file after these joins. One whose sources are not as they were seen is left out: what
    somebody changed meanwhile stands (W-24)."""
    for join in joins:
        data = _apply(data, join)
    return data


def _apply(data: bytes | None, join: Join) -> bytes | None:
    if data is None:
        return None
    document = Document.parse(data)
    present = standing(document)
    places: list[Standing] = []
    for source in join.sources:
        same = [one for one in present if _is(one.entry, source)]
        if not same:
            return data
        places += [one for one in same if one not in places]
    if any(one.entry.key == join.key for one in present if one not in places):
        return data
    target: Standing | None = None
    if join.content:
        named = [one for one in places if one.entry.key == join.key]
        target = named[-1] if named else places[0]
    return document.encode(_spliced(document, places, target, join))


def _is(entry: StructuredEntry, seen: StructuredEntry) -> bool:
    return entry.key == seen.key and entry.content == seen.content


def _spliced(
    document: Document, places: Sequence[Standing], target: Standing | None, join: Join
) -> str:
    """The text with the target's section replaced and the others cut out."""
    text = document.text
    parts: list[str] = []
    at = 0
    for place in sorted(places, key=lambda one: one.start):
        parts.append(text[at : place.start])
        if place is target:
            parts.append(_block(document, place, join))
        at = place.end
    kept = "".join(parts)
    if at == len(text) and kept.strip():
        kept = kept[: content_end(kept, 0, len(kept))] + document.eol
    return kept + text[at:]


def _block(document: Document, place: Standing, join: Join) -> str:
    """The section as it shall be; to the letter as it was when its text does not change (I9)."""
    was = document.text[place.start : place.end]
    if place.entry.key == join.key and place.entry.content == join.content:
        return was
    entry = StructuredEntry(join.key, join.content, SOURCE, join.updated)
    block = put_structured(None, entry).decode("utf-8", "surrogatepass").rstrip("\n")
    tail = was[content_end(was, 0, len(was)) :] or document.eol
    return with_ending(block, document.eol) + tail
