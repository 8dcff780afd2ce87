"""Edits of files by the facts in them: take one out, or say something else in its place. Pure.

A fact is found by its id in whatever bytes the file has by the time it is written, so these serve
as steps that the store may repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from mnemofs.errors import EditRefused
from mnemofs.lifecycle.facts.projection import Projected, pair_of, project
from mnemofs.lifecycle.forgetting.forgetting import strip
from mnemofs.lifecycle.forgetting.matching import Entry, Run, Sayings
from mnemofs.lifecycle.forgetting.passages import Passage
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

# Stands for a text while what it may say itself is taken out around it.
_HELD: Final = "mnemofs-held-place"


@dataclass(frozen=True)
class _Here:
    """Looks for statements in some lines only. A `matching.Matcher`."""

    sayings: Sayings
    line: int
    last_line: int

    def runs(self, passage: Passage) -> Sequence[Run]:
        inside = self.line <= passage.line and passage.last_line <= self.last_line
        return self.sayings.runs(passage) if inside else ()


def without_fact(data: bytes | None, path: str, label: str, fact: str) -> bytes | None:
    """The file without this fact, every time it stands there; other lines keep their bytes."""
    if data is None:
        return None
    for one in reversed(_standing(path, data, label, fact)):
        data = _without(path, data or b"", one)
    for one in reversed(_standing(path, data or b"", label, fact)):  # in another dress
        data = strip(path, data or b"", Entry(line=one.line)).content
    return data


def with_statement(
    data: bytes | None,
    path: str,
    label: str,
    fact: str,
    text: str,
    day: date,
    gone: Iterable[str] = (),
) -> bytes | None:
    """The file with `text` in the place of the words that state the fact, where it first stands;
    without the facts of `gone` anywhere else, whatever `text` says.

    Raises EditRefused when the fact does not stand there any more.
    """
    standing = _standing(path, data or b"", label, fact)
    if data is None or not standing:
        raise EditRefused(
            f"the statement does not stand in {path} any more; nothing was changed",
            hint="`mnemofs contradictions` lists what is still open",
            path=path,
        )
    one = standing[0]
    keyed = bool(one.key) and one.said.predicate == "has"
    text = text.strip() if keyed else in_place_of(one.statement, text)
    held = f"{_HELD}: x" if not keyed and parse_line(text) else _HELD
    content: bytes | None
    if keyed:
        content = put_structured(data, StructuredEntry(one.key, held, "person", day))
    else:
        content = replaced(data, one.line, one.last_line, one.statement, held)
    for other in gone:
        content = without_fact(content, path, label, other)
    if keyed:
        return put_structured(content, StructuredEntry(one.key, text, "person", day))
    return (content or b"").replace(held.encode(), text.encode("utf-8", "surrogateescape"), 1)


def in_place_of(old: str, text: str) -> str:
    """`text` as it stands for the statement `old`: a value given for a pair keeps its key."""
    text = flatten(text)
    pair = pair_of(old)
    if pair is None or pair_of(text) is not None:
        return text
    return old[: len(old) - len(pair[1])] + text if old.endswith(pair[1]) else text


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
    body = body[:at] + text + body[at + len(old) :]
    return document.encode(document.text[:start] + body + document.text[end:])


def _standing(path: str, data: bytes, label: str, fact: str) -> list[Projected]:
    return [one for one in project(path, data, label) if one.id == fact]


def _without(path: str, data: bytes, one: Projected) -> bytes | None:
    if one.key and one.said.predicate == "has":
        return drop_structured(data, one.key)
    sayings = Sayings.of([one.statement])
    if not sayings.wanted:
        return data
    return strip(path, data, _Here(sayings, one.line, one.last_line)).content
