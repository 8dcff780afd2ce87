"""The passages of a Markdown file: where statements stand, word by word, with their lines.

A passage is a list item, a paragraph, a `key: value` line, a row of a table, a line of code, a
quotation, a comment, a heading. Inside it a statement may begin and end where a sentence or a line
does. Markers, dates and sources in front of a statement are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from mnemofs.lifecycle.forgetting.statements import Word, words
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import MARKER, stamped, updated_of
from mnemofs.markdown.keyvalues import parse_line
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
)

_KINDS: Final = {
    ITEM: "bullet",
    MORE: "paragraph",
    PARAGRAPH: "paragraph",
    QUOTE: "quotation",
    COMMENT: "comment",
    HEADING: "heading",
}
_QUOTE_MARK: Final = re.compile(r"[ \t]*(?:>[ \t]?)+")
_HASHES: Final = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}")
# What dreams say of an entry stands behind it in parentheses, and goes with it.
_DIARIES: Final = ("DREAMS.md", "memory/dreams/")
_REMARK: Final = re.compile(r"[ \t]\((?:[^()]|\([^()]*\))*\)[ \t]*$")
_NO_MATTER: Final = (Word("", 0, 0, False),)
# A shorter line was ended on purpose, a longer one may have been wrapped.
_WRAPPED: Final = 60


@dataclass(frozen=True)
class Passage:
    """start, end: offsets of its whole lines in the text; line, last_line: their numbers.

    starts, ends: word indices where a statement may begin, and (exclusive) end; `whole_starts` and
    `whole_ends` are those of sentences; labels: those behind a label, as in `pet: a quokka`.
    group: index of the entry it is part of, -1 for none.
    removable: False where the line has to stay (a heading, settings of a keyed memory). clock: the
    first word is a time, which goes with the statement behind it.
    """

    kind: str
    start: int
    end: int
    line: int
    last_line: int
    words: tuple[Word, ...]
    starts: frozenset[int]
    ends: frozenset[int]
    whole_starts: frozenset[int]
    whole_ends: frozenset[int]
    labels: frozenset[int] = frozenset()
    group: int = -1
    removable: bool = True
    clock: bool = False

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Its words as they are compared."""
        return tuple(word.token for word in self.words)


@dataclass(frozen=True)
class Group:
    """A structured entry or a keyed memory: it goes as a whole when all it says goes.

    start, end: offsets of what goes; whole_file: the file itself goes.
    """

    kind: str
    start: int
    end: int
    line: int
    last_line: int
    key: str
    whole_file: bool = False


@dataclass(frozen=True)
class Passages:
    """A file taken apart."""

    document: Document
    passages: tuple[Passage, ...]
    groups: tuple[Group, ...]


def passages_of(
    path: str, data: bytes, may_matter: Callable[[str], bool] | None = None
) -> Passages:
    """The passages of a file in order. Raises UnreadableText.

    may_matter: for a text in which nothing is looked for; its passage gets one word that is none.
    """
    document = Document.parse(data)
    reader = _Reader(path, document, may_matter)
    return Passages(document, tuple(reader.run()), tuple(reader.groups))


def passage_of_text(text: str) -> Passage:
    """A text that stands by itself (a value of an event) as one passage."""
    return _passage("text", text, _blanked_item(text), 0, 0, (1, 1))


@dataclass
class _Reader:
    path: str
    document: Document
    may_matter: Callable[[str], bool] | None
    groups: list[Group] = field(default_factory=list)

    def run(self) -> Iterator[Passage]:
        document, keyed = self.document, self.path.startswith("memories/")
        self._find_groups(keyed)
        covered = document.front.lines if document.front else 0
        for index in range(1, covered - 1):
            yield self._of_lines("front matter", index, index + 1, removable=not keyed)
        for block in document.blocks:
            yield from self._loose(covered, block.start)
            covered = max(covered, block.end)
            yield from self._of_block(block)
        yield from self._loose(covered, len(document.lines))

    def _find_groups(self, keyed: bool) -> None:
        document = self.document
        if keyed:
            name = self.path.rsplit("/", 1)[-1].removesuffix(".md")
            last = document.numbers[-1] if document.numbers else 1
            start = document.body_start
            self.groups.append(
                Group("memory", start, len(document.text), 1, last, name, whole_file=True)
            )
        elif self.path.startswith("structured/"):
            for section in document.sections:
                if section.level == 2:
                    self.groups.append(
                        Group(
                            "structured entry",
                            section.start,
                            section.tree_end,
                            section.line,
                            section.last_line,
                            section.title,
                        )
                    )

    def _loose(self, start: int, end: int) -> Iterator[Passage]:
        """Lines of no block: definitions of links and the like."""
        for index in range(start, end):
            if self.document.lines[index].strip():
                yield self._of_lines("line", index, index + 1)

    def _of_block(self, block: Block) -> Iterator[Passage]:
        lines = self.document.lines[block.start : block.end]
        if block.kind == RULE:
            return
        if block.kind in (FENCE, INDENTED, HTML):
            first = block.start + (1 if block.kind == FENCE else 0)
            last = block.end - (1 if block.kind == FENCE and block.closed else 0)
            for index in range(first, last):
                yield self._of_lines("html" if block.kind == HTML else "code", index, index + 1)
        elif block.kind == PARAGRAPH and all(parse_line(line) for line in lines):
            for index in range(block.start, block.end):
                yield self._of_lines("pair", index, index + 1)
        elif block.kind == PARAGRAPH and all(line.lstrip().startswith("|") for line in lines):
            for index in range(block.start, block.end):
                yield self._of_lines("table row", index, index + 1)
        else:
            removable = block.kind != HEADING
            yield self._of_lines(_KINDS[block.kind], block.start, block.end, removable=removable)

    def _of_lines(self, kind: str, first: int, last: int, *, removable: bool = True) -> Passage:
        document = self.document
        start, end = document.offsets[first], document.offsets[last]
        text = document.text[start:end]
        shown = "\n".join(
            self._shown(kind, line, place) for place, line in enumerate(document.lines[first:last])
        )
        if "\r" in text:  # line ends of another length: keep every offset
            shown = _with_offsets(shown, [document.offsets[n] - start for n in range(first, last)])
        group = next(
            (number for number, one in enumerate(self.groups) if one.start <= start < one.end), -1
        )
        numbers = (document.numbers[first], document.numbers[last - 1])
        if self.may_matter is not None and shown.strip() and not self.may_matter(shown):
            none: frozenset[int] = frozenset()
            return Passage(kind, start, end, *numbers, _NO_MATTER, *(none,) * 5, group, removable)
        return _passage(kind, text, shown, start, end, numbers, group, removable)

    def _shown(self, kind: str, line: str, place: int) -> str:
        if kind == "bullet" and self.path.startswith(_DIARIES):
            line = _REMARK.sub(lambda match: " " * len(match[0]), line)
        if kind in ("bullet", "paragraph", "pair", "line") and not place:
            return _blanked_item(line)
        if kind == "quotation":
            if self.path.startswith("structured/") and updated_of(line):
                return " " * len(line)
            return _blank(line, _QUOTE_MARK)
        if kind == "heading":
            return " " * len(line) if place and _UNDERLINE.match(line) else _blank(line, _HASHES)
        return line


def _passage(
    kind: str,
    text: str,
    shown: str,
    start: int,
    end: int,
    numbers: tuple[int, int],
    group: int = -1,
    removable: bool = True,
) -> Passage:
    found = words(shown)
    count = len(found)
    sentence = {index + 1 for index, word in enumerate(found) if word.ends}
    lines = set()
    short = set()
    for index in range(1, count):
        gap = text[found[index - 1].end : found[index].start]
        if "\n" in gap or "\r" in gap:
            lines.add(index)
            head = text.rfind("\n", 0, found[index - 1].start) + 1
            if kind != "bullet" and found[index - 1].end - head < _WRAPPED:
                short.add(index)
    inner = {index for index in sentence if index < count}
    starts = {0, *inner, *lines}
    clock = count > 1 and _CLOCK.fullmatch(found[0].token) is not None
    if clock:
        starts.add(1)
    return Passage(
        kind,
        start,
        end,
        *numbers,
        tuple(word._replace(start=word.start + start, end=word.end + start) for word in found),
        frozenset(starts),
        frozenset({count, *sentence, *lines}),
        frozenset({0, *inner, *short}),
        frozenset({count, *sentence, *short}),
        frozenset(at for at in range(1, count) if _is_label(shown, found[at - 1], found[at])),
        group,
        removable,
        clock,
    )


def _is_label(text: str, word: Word, following: Word) -> bool:
    return text[word.start : following.start].rstrip(" *_`").endswith((":", "\uff1a"))


def _blanked_item(line: str) -> str:
    """A first line with marker, task box, date and source blanked out."""
    marker = MARKER.match(line)
    begin = marker.end() if marker else len(line) - len(line.lstrip())
    statement = stamped(line[begin:]).statement
    return " " * (len(line) - len(statement)) + statement


def _blank(line: str, pattern: re.Pattern[str]) -> str:
    match = pattern.match(line)
    return " " * match.end() + line[match.end() :] if match else line


def _with_offsets(shown: str, starts: list[int]) -> str:
    out = ""
    for line, start in zip(shown.split("\n"), starts, strict=True):
        out += " " * (start - len(out) - 1) + ("\n" if start else "") + line
    return out
