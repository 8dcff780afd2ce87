"""A file's bytes as index rows. Pure: the same bytes under the same path give the same rows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from mnemofs.clock import note_day
from mnemofs.index.rows.blobs import lines_of, split_lines
from mnemofs.index.terms.day_words import MONTHS
from mnemofs.index.terms.language import languages
from mnemofs.index.terms.text import (
    fold,
    has_digit,
    letters,
    solitary_count,
    spaced,
    symbol_tokens,
    words,
)
from mnemofs.markdown.chunks import Chunk, chunk
from mnemofs.markdown.entries import stamped, unmarked

HEADING_JOINT = " > "
# How much of a neighbouring turn is embedded with a turn.
_NEIGHBOUR_CHARS = 300
# Files of the template whose text is for the agent: it stands in every prompt anyway.
_GUIDES = ("AGENTS.md", "SOUL.md")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
# For match() only: looked for in a whole text, it would go through each run of symbols again and
# again (SEC-08).
_DATED = re.compile(r"\W*\d{4}-\d\d-\d\d")
# Words that say when, and figures that are a year or a time of day.
_TIMES = frozenset(
    {
        *("yesterday", "today", "tonight", "tomorrow", "ago", "week", "weeks", "weekend", "month"),
        *("months", "year", "years", "january", "february", "march", "april", "june", "july"),
        *("august", "september", "october", "november", "december", "monday", "tuesday"),
        *("wednesday", "thursday", "friday", "saturday", "sunday", "gestern", "heute", "morgen"),
        *("woche", "monat", "jahr", "ayer", "hoy", "mañana", "semana", "mes", "año", "hier"),
        *("demain", "semaine", "mois", "année", "ontem", "hoje", "amanhã"),
    }
)
_FIGURES = re.compile(r"(?<!\d)(?:(?:19|20)\d\d(?!\d)|\d{1,2}:\d\d)")
_TIMES_CJK = re.compile(
    r"[昨今明前后後]天|上[个個]?[周週月]|下[个個]?[周週月]|[去今明]年|\d\s*[年月日号號]"
    r"|[昨今明]日|[先来]週|[先来]月"
)
_TAGS = re.compile(r"^tags:[ \t]*(.*)$", re.MULTILINE)


class Row(NamedTuple):
    """One chunk as it is indexed; its first fields are the columns of `chunk` in the order of
    `writing.FACTS`.

    body, ctx, head, sym: the FTS columns (own text, both neighbours, heading path with author and
    written-out date, exact symbol tokens). names: folded names a question may call the chunk by
    (author, title, tags), one a line. timed: it says a time. asks: it is a question. size: its
    words, two characters of an unspaced script counting as one. language: as `languages` tells.
    heading: the path of titles, joined. whole: its text is just its lines (`lines_of`), not a part
    of a long one.
    vec_hash: the key of its vector. row_hash: equal when nothing that FTS holds has changed.
    """

    ordinal: int
    first: int
    last: int
    date: str
    author: str
    names: str
    timed: bool
    asks: bool
    size: int
    language: int
    heading: str
    whole: bool
    body: str
    ctx: str
    head: str
    sym: str
    vec_hash: bytes
    row_hash: bytes


def project(path: str, data: bytes) -> tuple[Row, ...]:
    """The rows of one file. Raises UnreadableText for bytes that are not UTF-8.

    A comment is a hint to whoever writes, not a memory: it has no row. Neither has what `init`
    wrote into the agent's files, as long as it stands there as it was written.
    """
    chunks = chunk(data, path)
    file = _File(path, data)
    hints = _hints(path, chunks)
    folded = ["" if place in hints else fold(piece.text) for place, piece in enumerate(chunks)]
    bodies = ["", *map(spaced, folded), ""]
    embeds = _embed_texts(chunks)
    return tuple(
        [
            _row(file, piece, folded[place], bodies[place : place + 3], embeds[place])
            for place, piece in enumerate(chunks)
            if place not in hints
        ]
    )


def _hints(path: str, chunks: tuple[Chunk, ...]) -> set[int]:
    """The places of the pieces that tell whoever writes or reads what to do."""
    hints = {place for place, piece in enumerate(chunks) if piece.kind == "comment"}
    if path in _GUIDES:
        guidance = _guidance(path)
        hints |= {
            place for place, piece in enumerate(chunks) if _plain_ends(piece.text) in guidance
        }
    return hints


@cache
def _guidance(path: str) -> frozenset[str]:
    """The pieces of the template of that name."""
    from importlib.resources import files

    data = files("mnemofs.templates").joinpath("workspace", path).read_bytes()
    return frozenset(_plain_ends(piece.text) for piece in chunk(data, path))


def _plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n")


def embed_texts(path: str, data: bytes) -> list[str]:
    """What is embedded for each chunk of these bytes, in order."""
    return _embed_texts(chunk(data, path))


def vec_hash(text: str) -> bytes:
    """The key of the vector of `text`."""
    return _sha1(text)


def _sha1(text: str) -> bytes:
    # OpenSSL's: twice as fast as Python's own on texts of this length.
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


class _Head(NamedTuple):
    """What a heading gives to the rows under it: column, its symbol tokens, names, joined path."""

    column: str
    symbols: str
    names: str
    path: str


class _File:
    """What the rows of one file share; a heading is folded once, however much stands under it."""

    def __init__(self, path: str, data: bytes) -> None:
        self.lines = split_lines(data)
        self.day = note_day(path)
        self._title = "" if self.day else _plain_title(path)
        self._tags = _tags(data)
        self._heads: dict[Any, _Head] = {}

    def head(self, heading: tuple[str, ...], author: str, day: date | None) -> _Head:
        """For a chunk under this heading."""
        key = (heading, author, day)
        head = self._heads.get(key)
        if head is None:
            named = (author, *self._tags, self._title, *heading[-1:])
            folded = fold("\n".join((*heading, self._title, author, *self._tags)))
            head = self._heads[key] = _Head(
                spaced(folded) + _written_out(day),
                " ".join(symbol_tokens(fold("\n".join(heading)))) if heading else "",
                "\n".join(dict.fromkeys(filter(None, (" ".join(words(fold(n))) for n in named)))),
                HEADING_JOINT.join(heading),
            )
        return head

    def holds(self, text: str, first: int, last: int) -> bool:
        """Whether `text` is just these lines."""
        if first == last and self.lines[first - 1] == text.encode():
            return True
        return lines_of(self.lines, first, last) == text


def _row(file: _File, piece: Chunk, folded: str, bodies: list[str], embed: str) -> Row:
    ordinal, heading, first, last, text, day, author, _kind = piece
    body = bodies[1]
    when = day or file.day
    head = file.head(heading, author, when)
    ctx = f"{bodies[0]}\n{bodies[2]}"
    sym = " ".join([*symbol_tokens(folded), head.symbols])
    return Row(
        ordinal,
        first,
        last,
        when.isoformat() if when else "",
        author,
        head.names,
        _says_when(folded),
        text.rstrip().endswith(("?", "？")),
        len(folded.split()) + solitary_count(folded) // 2,
        languages(folded),
        head.path,
        file.holds(text, first, last),
        body,
        ctx,
        head.column,
        sym,
        vec_hash(embed),
        _sha1(f"{body}\0{ctx}\0{head.column}\0{sym}"),
    )


def _says_when(folded: str) -> bool:
    if not _TIMES.isdisjoint(letters(folded)):
        return True
    if has_digit(folded) and _FIGURES.search(folded):
        return True
    return not folded.isascii() and _TIMES_CJK.search(folded) is not None


def _embed_texts(chunks: tuple[Chunk, ...]) -> list[str]:
    """A statement under its heading; a turn of a conversation with the turns around it.

    A turn is understood from what was said before and after, while the bullets of a list need have
    nothing to do with each other: there the neighbours only blur it.
    """
    plain = [stamped(unmarked(piece.text)).statement for piece in chunks]
    texts: list[str] = []
    for start, end in _sections(chunks):
        heading = chunks[start].heading
        if _is_talk(chunks[start:end]):
            texts += [_among_turns(plain, index, start, end) for index in range(start, end)]
        elif heading and not _DAY.search(heading[-1]):
            texts += [f"{heading[-1]}\n{text}" for text in plain[start:end]]
        else:
            texts += plain[start:end]
    return texts


def _among_turns(plain: list[str], index: int, start: int, end: int) -> str:
    parts = [plain[index]]
    if index > start:
        parts.insert(0, plain[index - 1][-_NEIGHBOUR_CHARS:])
    if index + 1 < end:
        parts.append(plain[index + 1][:_NEIGHBOUR_CHARS])
    return "\n".join(parts)


def _sections(chunks: tuple[Chunk, ...]) -> Iterator[tuple[int, int]]:
    start = 0
    for index in range(1, len(chunks) + 1):
        if index == len(chunks) or chunks[index].heading != chunks[start].heading:
            yield start, index
            start = index


def _is_talk(chunks: tuple[Chunk, ...]) -> bool:
    """Whether most pieces begin with a speaker, and there are two of them or more."""
    speakers = [piece.author for piece in chunks if piece.author and not _DATED.match(piece.text)]
    return len(set(speakers)) > 1 and 2 * len(speakers) >= len(chunks)


def _written_out(day: date | None) -> str:
    # "8 May 2023": the words people ask with; the ISO form finds itself.
    if day is None:
        return ""
    return f"\n{day.day} {MONTHS[day.month - 1][0]} {day.year} {day.isoformat()}"


def _plain_title(path: str) -> str:
    title = path.rpartition("/")[2].removesuffix(".md")
    return re.sub(r"[-_]+", " ", title) if "-" in title or "_" in title else title


def _tags(data: bytes) -> tuple[str, ...]:
    start = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    if not start.startswith(b"---"):
        return ()
    end = start.find(b"\n---", 3)
    match = _TAGS.search(start[:end].decode("utf-8", "replace")) if end > 0 else None
    if match is None:
        return ()
    return tuple(part.strip(" \t\"'") for part in match[1].strip("[] \t\r").split(",") if part)
