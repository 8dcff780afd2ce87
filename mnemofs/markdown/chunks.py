"""What the index stores: the smallest pieces of a file that can be understood on their own.

One list item with what is nested in it, one paragraph, one fence, one short group of `key: value`
lines; longer pieces are cut at lines, then at sentences. Every word of the file is in some chunk or
in the heading path of one, except the `> Source | Updated` lines, which become author and date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, Literal, NamedTuple

from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import STAMP_STARTS, read_day, stamped, unmarked, updated_of
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

ChunkKind = Literal[
    "item", "paragraph", "pairs", "table", "code", "quote", "html", "comment", "heading", "front"
]

MAX_WORDS: Final = 120
MAX_CHARS: Final = 2000
_PAIR_WORDS: Final = 40
_WRAPPED: Final = 50  # prose is wrapped at more characters than this
_SHORT: Final = 240  # a text of so few characters cannot hold more than MAX_WORDS words

_SENTENCE: Final = re.compile(r"(?<=[.!?…])[ \t]+|(?<=[。！？])")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPEAKER: Final = re.compile(r"\*\*([^*\n]{1,60}?):?\*\*:?[ \t]")
_KINDS: Final[dict[str, ChunkKind]] = {
    ITEM: "item",
    MORE: "item",
    PARAGRAPH: "paragraph",
    FENCE: "code",
    INDENTED: "code",
    QUOTE: "quote",
    HTML: "html",
    COMMENT: "comment",
    HEADING: "heading",
    "front": "front",
}


class Chunk(NamedTuple):
    """A piece of one blob. Lines are 1-based, inclusive, and count `\\n` only, as `grep -n` does.

    `text` is what stands there, line ends normalised to `\\n`; pieces of one long line share its
    number. `heading` is the path of titles above it. `date` comes from the statement itself, else
    from its heading, its section's `Updated`, the file name or the front matter. `author` is a
    speaker or a source, "" when unknown.
    """

    ordinal: int
    heading: tuple[str, ...]
    line_start: int
    line_end: int
    text: str
    date: date | None
    author: str
    kind: ChunkKind


def chunk(data: bytes, path: str) -> tuple[Chunk, ...]:
    """Cut a file into chunks, in file order. Raises UnreadableText when it is not UTF-8, never
    anything else. A heading with nothing under it is a chunk of its own, so that it can be found.
    """
    document = Document.parse(data)
    plain = "\r" not in document.text
    numbers = range(1, len(document.lines) + 1) if plain else document.numbers
    file_day, file_author = _of_file(document, path)
    found: list[Chunk] = []
    for part in _parts(document):
        day, author = part.day or file_day, part.author or file_author
        for kind, start, end, text in _cut_part(document.lines, part):
            own_day, own_author = _of_statement(text)
            found.append(
                Chunk(
                    len(found),
                    part.heading,
                    numbers[start],
                    numbers[end - 1],
                    text,
                    own_day or day,
                    own_author or author,
                    kind,
                )
            )
    return tuple(found)


class _Part:
    """What stands under one heading (or above the first), and what is known about all of it."""

    __slots__ = ("author", "blocks", "day", "heading")

    def __init__(self, heading: tuple[str, ...], day: date | None = None) -> None:
        self.heading = heading
        self.blocks: list[Block] = []
        self.day = day
        self.author = ""


_Piece = tuple[ChunkKind, int, int, str]  # kind, first line, line after the last, text


def _parts(document: Document) -> list[_Part]:
    lines = document.lines
    parts: list[_Part] = []
    path: tuple[str, ...] = ()
    levels: list[int] = []
    part = _Part(())
    if document.front:
        front = _Part(())
        front.blocks.append(Block("front", 1, document.front.lines - 1))
        parts.append(front)
    bare_heading: Block | None = None
    for block in document.blocks:
        if block.kind == HEADING:
            if bare_heading and bare_heading.level >= block.level:
                part.blocks.append(bare_heading)
            if part.blocks:
                parts.append(part)
            while levels and levels[-1] >= block.level:
                levels.pop()
            path = (*path[: len(levels)], block.title)
            levels.append(block.level)
            part = _Part(path, _first_day(block.title))
            bare_heading = block
            continue
        if block.kind == QUOTE and block.end - block.start == 1:
            meta = updated_of(lines[block.start])
            if meta:
                part.author, part.day = meta[0], meta[1] or part.day
                continue
        if block.kind != RULE and (
            lines[block.start].strip() or any(map(str.strip, lines[block.start : block.end]))
        ):
            part.blocks.append(block)
            bare_heading = None
    if bare_heading:
        part.blocks.append(bare_heading)
    if part.blocks:
        parts.append(part)
    return parts


def _cut_part(lines: Sequence[str], part: _Part) -> Iterator[_Piece]:
    blocks = part.blocks
    index = 0
    while index < len(blocks):
        block = blocks[index]
        after = index + 1
        while after < len(blocks) and blocks[after].depth:
            after += 1
        if after > index + 1:
            yield from _pack("item", lines, [(b.start, b.end) for b in blocks[index:after]])
        elif (
            block.end - block.start == 1
            and block.kind == ITEM
            and len(lines[block.start]) <= _SHORT
        ):
            yield "item", block.start, block.end, lines[block.start]
        else:
            yield from _cut_block(lines, block)
        index = after


def _cut_block(lines: Sequence[str], block: Block) -> Iterator[_Piece]:
    start, end = block.start, block.end
    kind = _KINDS[block.kind]
    if kind == "paragraph":
        if all(":" in line and parse_line(line) for line in lines[start:end]):
            spans = [(index, index + 1) for index in range(start, end)]
            yield from _pack("pairs", lines, spans, _PAIR_WORDS)
            return
        if end - start > 1 and _is_table(lines, start, end):
            kind = "table"
        elif all(len(line) < _WRAPPED for line in lines[start:end]):
            # Lines so short were ended on purpose: each is a statement (TXT-07, TXT-08).
            yield from (
                (kind, index, index + 1, lines[index])
                for index in range(start, end)
                if lines[index].strip()
            )
            return
    text = lines[start] if end - start == 1 else "\n".join(lines[start:end])
    if len(text) <= _SHORT or _fits(text, MAX_WORDS):
        if text.strip():
            yield kind, start, end, text
        return
    if end - start == 1:
        yield from ((kind, start, end, piece) for piece in _sentences(text))
        return
    yield from _pack(kind, lines, [(index, index + 1) for index in range(start, end)])


def _pack(
    kind: ChunkKind, lines: Sequence[str], spans: Sequence[tuple[int, int]], words: int = MAX_WORDS
) -> Iterator[_Piece]:
    """Neighbouring spans together as long as they fit; a span that is too long is cut by itself."""
    begin = stop = -1
    room = 0
    chars = 0
    for start, end in spans:
        text = "\n".join(lines[start:end])
        count = _words(text)
        if begin >= 0 and (count > room or len(text) > chars):
            yield kind, begin, stop, "\n".join(lines[begin:stop])
            begin = -1
        if count > words or len(text) > MAX_CHARS:
            for index in range(start, end):
                for piece in _sentences(lines[index]):
                    yield kind, index, index + 1, piece
            continue
        if begin < 0:
            begin, room, chars = start, words, MAX_CHARS
        stop = end
        room -= count
        chars -= len(text) + 1
    if begin >= 0:
        yield kind, begin, stop, "\n".join(lines[begin:stop])


def _sentences(line: str) -> Iterator[str]:
    """One long line as runs of sentences that fit; a sentence that does not is cut at words."""
    run = ""
    words = wide = 0  # of `run`, counted piece by piece: a line may be a hundred thousand of them
    for sentence in _SENTENCE.split(line):
        for piece in _hard_cut(sentence):
            more, more_wide = len(piece.split()), _wide(piece)
            apart = run and run[-1].isascii()
            if run and not (apart or run[-1].isspace() or piece[0].isspace()):
                more -= 1  # the last word goes on
            size = len(run) + bool(apart) + len(piece)
            fits = size <= MAX_CHARS and words + more + (wide + more_wide) // 2 <= MAX_WORDS
            if run and size > _SHORT and not fits:
                yield run
                run, words, wide = piece, len(piece.split()), more_wide
            else:
                run = f"{run} {piece}" if apart else run + piece
                words, wide = words + more, wide + more_wide
    if run.strip():
        yield run


def _hard_cut(text: str) -> Iterator[str]:
    """A sentence whole if it fits, else in pieces of some eighty words."""
    if len(text) <= _SHORT or _fits(text, MAX_WORDS):
        if text:
            yield text
        return
    begin, width = 0, _SHORT * 2 if text.isascii() else _SHORT
    while begin < len(text):
        at = text.rfind(" ", begin + 1, begin + width)
        end = at if at > 0 and begin + width < len(text) else begin + width
        yield text[begin:end].strip(" ")
        begin = end


def _fits(text: str, words: int) -> bool:
    return len(text) <= MAX_CHARS and _words(text) <= words


def _words(text: str) -> int:
    """Words as a reader of any script counts them: two wide characters weigh one word."""
    return len(text.split()) + _wide(text) // 2


def _wide(text: str) -> int:
    return 0 if text.isascii() else sum(map(_is_wide, text))


def _is_wide(char: str) -> bool:
    """Kana, ideographs and hangul: scripts with few spaces or none."""
    return (
        "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff"
    )


def _is_table(lines: Sequence[str], start: int, end: int) -> bool:
    return any(
        "|" in lines[index - 1] and "|-" in lines[index].replace(" ", "").replace(":", "")
        for index in range(start + 1, min(end, start + 4))
        if not lines[index].strip("|-: \t")
    )


def _first_day(text: str) -> date | None:
    match = _DAY.search(text)
    return read_day(match[0]) if match else None


def _of_file(document: Document, path: str) -> tuple[date | None, str]:
    """Date and author that the file name and the front matter give to everything in the file."""
    day = _first_day(path.rsplit("/", 1)[-1])
    author = ""
    if document.front:
        fields = document.front.fields
        for name in ("date", "updated", "created"):
            value = fields.get(name)
            if day is None and isinstance(value, str):
                day = _first_day(value)
        for name in ("author", "source"):
            value = fields.get(name)
            if not author and isinstance(value, str):
                author = value
    return day, author


def _of_statement(text: str) -> tuple[date | None, str]:
    """Date and source of `- 2026-05-01 09:30 (tool): …`, speaker of `**Ada**: …` or `Ada: …`."""
    body = unmarked(text)
    if body[:1] in STAMP_STARTS:
        stamp = stamped(body)
        if stamp.day:
            return read_day(stamp.day), stamp.source
        speaker = _SPEAKER.match(body)
        if speaker:
            return None, speaker[1].strip()
    elif body[:1].isupper() and ": " in body[:60] and "\n" not in body:
        pair = parse_line(body)
        if pair and len(pair[1].split()) > 3:
            return None, pair[0]
    return None, ""
