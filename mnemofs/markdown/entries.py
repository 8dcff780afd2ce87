"""Entries: the smallest memories that a person would point at.

A bullet, a `key: value` line, a paragraph, a structured `## key` section, a keyed memory file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, Literal, NamedTuple

from mnemofs.errors import EditRefused
from mnemofs.markdown.document import Document, Section, plain_title
from mnemofs.markdown.keyvalues import parse_line
from mnemofs.markdown.lines import flatten, with_ending
from mnemofs.markdown.placing import (
    apart,
    balanced,
    below_text,
    content_end,
    place,
    trimmed,
    underlined,
)
from mnemofs.markdown.scanner import (
    COMMENT,
    FENCE,
    HEADING,
    HTML,
    INDENTED,
    ITEM,
    MORE,
    PARAGRAPH,
    QUOTE,
    RULE,
    Block,
    scan,
)

MARKER: Final = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]\][ \t]+)?")
_MARKER_GOES_ON: Final = frozenset(["", " ", "\t", "["])
_STAMP: Final = re.compile(
    r"(?:\*\*|\[|`)?([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{1,2}:[0-9]{2})(?::[0-9]{2})?)?"
    r"(?:\*\*|\]|`)?(?:[ ]\(([^()]{1,200})\))?(?::|[ ]-|[ ]–|[ ]—)?(?:[ \t]+|$)"
)
STAMP_STARTS: Final = frozenset("0123456789*[`")
_META: Final = re.compile(
    r"[ ]{0,3}>[ \t]*Source:(?P<source>[^|]*)\|[ \t]*Updated:[ \t]*(?P<updated>\S*)[ \t]*$"
)
_FORGED: Final = re.compile(r" {0,3}\\*(?:#{1,6}(?:[ \t]|$)|>|=+[ \t]*$|-+[ \t]*$)")
_ESCAPED: Final = re.compile(r" {0,3}\\+(?:#{1,6}(?:[ \t]|$)|>|=+[ \t]*$|-+[ \t]*$)")
_DECORATION: Final = re.compile(r"[*_`~\\]+")


class Stamp(NamedTuple):
    """What stands before a dated statement: `2026-05-01 09:30 (source): `. Missing parts are ""."""

    day: str
    time: str
    source: str
    statement: str


class Bullet(NamedTuple):
    """A list item: `text` without its marker, continuation lines joined by one space, `line` and
    `last_line` 1-based; `statement` is `text` without date and source, where it has them."""

    text: str
    statement: str
    line: int
    last_line: int
    section: tuple[str, ...]
    depth: int


class StructuredEntry(NamedTuple):
    """One `## key` section of `structured/*.md`; `updated` None when it has no readable date."""

    key: str
    content: str
    source: str = ""
    updated: date | None = None


EntryKind = Literal["bullet", "pair", "paragraph", "code", "quote", "html", "structured", "memory"]


class Entry(NamedTuple):
    """Any entry of a file. `normal` is the text for comparing two versions of the file; `key` is
    set for pairs, structured entries and memories. Lines are 1-based and inclusive."""

    kind: EntryKind
    text: str
    normal: str
    section: tuple[str, ...]
    line: int
    last_line: int
    key: str = ""


def stamped(text: str) -> Stamp:
    """Take the date, time and source off the front of a statement, whichever are there."""
    match = _STAMP.match(text) if text[:1] in STAMP_STARTS else None
    if not match:
        return Stamp("", "", "", text)
    rest = text[match.end() :]
    return Stamp(match[1], (match[2] or "").rjust(5, "0") if match[2] else "", match[3] or "", rest)


def unmarked(text: str) -> str:
    """A list item without its marker and task box; any other text as it is."""
    if text[:2] == "- " and text[2:3] not in _MARKER_GOES_ON:
        return text[2:]
    marker = MARKER.match(text)
    return text[marker.end() :] if marker else text


def normalise(text: str) -> str:
    """A statement as it is compared: no marker, date, source, emphasis, case or final full stop."""
    plain = stamped(unmarked(text)).statement
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain)
    plain = _DECORATION.sub("", plain).casefold()
    return " ".join(plain.split()).rstrip(" .;,。；，")


def bullets(data: bytes) -> tuple[Bullet, ...]:
    """Every list item of the file in order, nested ones included, none from code or comments."""
    document = Document.parse(data)
    return tuple(
        _bullet(document, block, section)
        for section, block in document.in_sections()
        if block.kind == ITEM
    )


def _bullet(document: Document, block: Block, section: tuple[str, ...]) -> Bullet:
    text = item_text(document.lines[block.start : block.end])
    return Bullet(
        text,
        flatten(stamped(text).statement),
        document.numbers[block.start],
        document.numbers[block.end - 1],
        section,
        block.depth,
    )


def item_text(lines: Sequence[str]) -> str:
    """A list item's lines as one line of text, without the marker and a task box."""
    marker = MARKER.match(lines[0])
    first = lines[0][marker.end() :] if marker else lines[0]
    return " ".join(part for part in (first.strip(), *(line.strip() for line in lines[1:])) if part)


def parse_structured(data: bytes) -> tuple[StructuredEntry, ...]:
    """The entries of a structured file in file order; of twin keys the last wins."""
    document = Document.parse(data)
    found: dict[str, StructuredEntry] = {}
    for section in document.sections:
        if section.level == 2:
            entry = _read_entry(document, section)
            found[entry.key] = entry
    return tuple(found.values())


def _read_entry(document: Document, section: Section) -> StructuredEntry:
    body = trimmed(with_ending(document.text[section.body : section.tree_end], "\n"))
    head, _, last = body.rpartition("\n")
    meta = _META.match(last)
    if not meta:
        return StructuredEntry(plain_title(section.title), _unescape(body))
    return StructuredEntry(
        plain_title(section.title),
        _unescape(trimmed(head)),
        meta["source"].strip(),
        read_day(meta["updated"]),
    )


def updated_of(text: str) -> tuple[str, date | None] | None:
    """Source and date of a `> Source: x | Updated: y` line, or None for any other line."""
    meta = _META.match(text)
    return (meta["source"].strip(), read_day(meta["updated"])) if meta else None


def read_day(text: str) -> date | None:
    """`2026-05-01` as a date; None when it is none (2026-02-30 is none)."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def put_structured(data: bytes | None, entry: StructuredEntry) -> bytes:
    """Write an entry: its section is replaced (the last one, if a key stands twice) or added.

    Keys match exactly, never by prefix (W-18). Lines of the content that would end the entry or
    hide from a reader are escaped with a backslash, which `parse_structured` takes off again.
    EditRefused for an empty content and for a key that a heading cannot hold.
    """
    document = Document.parse(data or b"")
    # A rule would close what only looks like the beginning of front matter (MD-08).
    opened = document.front is None and "".join(document.lines[:1]).startswith("---")
    key, content = _checked(entry, rules=opened)
    source = flatten(entry.source).replace("|", "/") or "agent"
    day = entry.updated.isoformat() if entry.updated else "-"
    block = f"## {key}\n{content}\n> Source: {source} | Updated: {day}"
    found = document.find(key, 2)
    if not found:
        return document.encode(place(document, 0, len(document.text), block))
    section = found[-1]
    end = content_end(document.text, section.start, section.tree_end)
    tail = (apart(document, end, block) + document.text[end:]) or document.eol
    text = document.text[: section.start] + with_ending(block, document.eol) + tail
    return document.encode(text)


def _checked(entry: StructuredEntry, *, rules: bool) -> tuple[str, str]:
    key = plain_title(flatten(entry.key))
    sections = Document.fragment(f"## {key}").sections
    if not key or not sections or plain_title(sections[0].title) != key:
        raise EditRefused(
            "the key cannot be written as a heading",
            hint="use words, digits, `_` and `-`, without closing hashes",
        )
    content = trimmed(with_ending(entry.content, "\n"))
    if not content.strip():
        raise EditRefused("a structured entry needs a content", hint="give a sentence")
    return key, _escape(content, rules=rules)


def drop_structured(data: bytes, key: str) -> bytes:
    """The file without this entry (without both, if a key stands twice); unchanged if none."""
    document = Document.parse(data)
    text = document.text
    kept: list[str] = []
    at = 0
    for section in document.find(flatten(key), 2):
        kept.append(text[at : section.start])
        at = section.tree_end
        if underlined(document, at):
            kept.append(below_text(document, section.start))
    rest = "".join(kept)
    if kept and at == len(text) and rest.strip():
        rest = rest[: content_end(rest, 0, len(rest))] + document.eol
    return document.encode(rest + text[at:])


def _escape(content: str, *, rules: bool = False) -> str:
    """Content that can neither end its entry nor hide: one more backslash on each such line.

    A row of `-` or `=` only matters under a line of text, so a rule between blank lines stays
    unless `rules`.
    """
    lines = list(Document.fragment(balanced(content)).lines)
    for index in _outside_code(lines):
        line = lines[index]
        forged = _FORGED.match(line)
        if forged and not (
            not rules
            and line.lstrip(" ")[0] in "-="
            and (not index or not lines[index - 1].strip(" \t"))
        ):
            lines[index] = _with_backslash(line)
    return "\n".join(lines)


def _unescape(content: str) -> str:
    lines = list(Document.fragment(content).lines)
    for index in _outside_code(lines):
        if _ESCAPED.match(lines[index]):
            lines[index] = lines[index].replace("\\", "", 1)
    return "\n".join(lines)


def _with_backslash(line: str) -> str:
    body = line.lstrip(" ")
    return line[: len(line) - len(body)] + "\\" + body


def _outside_code(lines: Sequence[str]) -> Iterator[int]:
    for block in scan(lines):
        if block.kind not in (FENCE, COMMENT):
            yield from range(block.start, block.end)


_KINDS: Final[dict[str, EntryKind]] = {
    ITEM: "bullet",
    MORE: "paragraph",
    PARAGRAPH: "paragraph",
    FENCE: "code",
    INDENTED: "code",
    QUOTE: "quote",
    HTML: "html",
}


def all_entries(data: bytes, path: str) -> tuple[Entry, ...]:
    """Every entry of a file, so that a gate can count what a rewrite loses.

    `structured/*.md`: one per `## key`; `memories/*.md`: the whole body is one; anywhere else each
    list item, each line of a `key: value` group, and each other block except headings and rules.
    """
    document = Document.parse(data)
    if path.startswith("memories/"):
        return _memory(document, path)
    if path.startswith("structured/"):
        return tuple(_structured(document))
    found: list[Entry] = []
    for section, block in document.in_sections():
        if block.kind in (HEADING, RULE, COMMENT):
            continue
        lines = document.lines[block.start : block.end]
        pairs = [parse_line(line) for line in lines] if block.kind == PARAGRAPH else [None]
        if all(pairs):
            found.extend(
                _entry(document, "pair", index, index + 1, section, pair[0])
                for index, pair in enumerate(pairs, block.start)
                if pair
            )
        else:
            found.append(_entry(document, _KINDS[block.kind], block.start, block.end, section))
    return tuple(found)


def _entry(
    document: Document,
    kind: EntryKind,
    start: int,
    end: int,
    section: tuple[str, ...],
    key: str = "",
) -> Entry:
    text = "\n".join(document.lines[start:end])
    return Entry(
        kind,
        text,
        normalise(text),
        section,
        document.numbers[start],
        document.numbers[end - 1],
        key,
    )


def _structured(document: Document) -> Iterator[Entry]:
    for section in document.sections:
        if section.level == 2:
            entry = _read_entry(document, section)
            normal = normalise(entry.content)
            yield Entry(
                "structured",
                entry.content,
                normal,
                section.path,
                section.line,
                section.last_line,
                entry.key,
            )


def _memory(document: Document, path: str) -> tuple[Entry, ...]:
    body = trimmed(document.text[document.body_start :])
    if not body:
        return ()
    field = document.front.fields.get("key") if document.front else None
    key = field if isinstance(field, str) and field else path.rsplit("/", 1)[-1].removesuffix(".md")
    first = next((block.start for block in document.blocks), 0)
    return (
        Entry(
            "memory",
            body,
            normalise(body),
            (),
            document.numbers[first],
            document.numbers[-1],
            key,
        ),
    )
