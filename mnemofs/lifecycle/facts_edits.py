"""Edits of files by the facts in them: take one out, or say something else in its place. Pure.

A fact is found by its id in whatever bytes the file has by the time it is written, so these serve
as steps that the store may repeat.
"""

from __future__ import annotations

from datetime import date

from mnemofs.errors import EditRefused
from mnemofs.lifecycle.facts import Projected, project
from mnemofs.lifecycle.forgetting import strip
from mnemofs.lifecycle.matching import Entry, Sayings
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import (
    MARKER,
    StructuredEntry,
    drop_structured,
    put_structured,
    stamped,
)
from mnemofs.markdown.keyvalues import parse_line
from mnemofs.markdown.lines import flatten


def without_fact(data: bytes | None, path: str, label: str, fact: str) -> bytes | None:
    """The file without this fact, every time it stands there; other lines keep their bytes."""
    if data is None:
        return None
    for one in _standing(path, data, label, fact):
        data = _without(path, data or b"", one)
    for one in _standing(path, data or b"", label, fact):  # its words stood in another dress
        data = strip(path, data or b"", Entry(line=one.line)).content
    return data


def with_statement(
    data: bytes | None, path: str, label: str, fact: str, text: str, day: date
) -> bytes | None:
    """The file with `text` in the place of the words that state the fact, where it first stands.

    Raises EditRefused when it does not stand there any more.
    """
    standing = _standing(path, data or b"", label, fact)
    if data is None or not standing:
        raise EditRefused(
            f"the statement does not stand in {path} any more; nothing was changed",
            hint="`mnemofs contradictions` lists what is still open",
            path=path,
        )
    one = standing[0]
    if one.key and one.said.predicate == "has":
        return put_structured(data, StructuredEntry(one.key, text.strip(), "person", day))
    return replaced(data, one.line, one.last_line, one.statement, text)


def replaced(data: bytes, line: int, last_line: int, old: str, text: str) -> bytes:
    """The file with `text` for `old` in an entry's lines: its words where they stand on one line,
    else all that the entry says. Marker, date and source stay."""
    document = Document.parse(data)
    text = flatten(text)
    first = document.numbers.index(line)
    last = len(document.numbers) - 1 - document.numbers[::-1].index(last_line)
    start, end = document.offsets[first], document.offsets[last + 1]
    body = document.text[start:end]
    at = body.find(old)
    if at < 0:
        marker = MARKER.match(body)
        at = marker.end() if marker else 0
        shown = document.lines[first][at:]
        at += len(shown) - len(stamped(shown).statement)
        old = body[at:].rstrip("\r\n")
    pair = parse_line(old) if not MARKER.match(body) else None
    if pair is not None and parse_line(text) is None:
        text = f"{pair[0]}: {text}"  # a value given for a `key: value` line
    body = body[:at] + text + body[at + len(old) :]
    return document.encode(document.text[:start] + body + document.text[end:])


def _standing(path: str, data: bytes, label: str, fact: str) -> list[Projected]:
    return [one for one in project(path, data, label) if one.id == fact]


def _without(path: str, data: bytes, one: Projected) -> bytes | None:
    if one.key and one.said.predicate == "has":
        return drop_structured(data, one.key)
    sayings = Sayings.of([one.statement])
    return strip(path, data, sayings).content if sayings.wanted else data
