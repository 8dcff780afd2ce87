"""A file's bytes as index rows. Pure: the same bytes under the same path give the same rows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from mnemofs.clock import note_day
from mnemofs.index.blobs import lines_of, split_lines
from mnemofs.index.language import languages
from mnemofs.index.text import fold, solitary_count, spaced, symbol_tokens, words
from mnemofs.markdown.chunks import Chunk, chunk
from mnemofs.markdown.entries import MARKER, stamped

HEADING_JOINT = " > "
# How much of a neighbouring turn is embedded with a turn.
_NEIGHBOUR_CHARS = 300
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
# For match() only: looked for in a whole text, it would go through each run of symbols again and
# again (SEC-08).
_DATED = re.compile(r"\W*\d{4}-\d\d-\d\d")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
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
_DIGIT = re.compile("[0-9]")
_TIMES_CJK = re.compile(
    r"[昨今明前后後]天|上[个個]?[周週月]|下[个個]?[周週月]|[去今明]年|\d\s*[年月日号號]"
    r"|[昨今明]日|[先来]週|[先来]月"
)
_WORD = re.compile(r"[^\W\d_]+")
_TAGS = re.compile(r"^tags:[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """One chunk as it is indexed.

    body, ctx, head, sym: the FTS columns (own text, both neighbours, heading path with author and
    written-out date, exact symbol tokens). names: folded names a question may call the chunk by
    (author, title, tags). timed: it says a time. asks: it is a question. size: its words, two
    characters of an unspaced script counting as one. language: as `languages`
    tells. heading: the path of titles, joined.
    whole: its text is just its lines (`lines_of`), not a part of a long one.
    vec_hash: the key of its vector. row_hash: equal when nothing that FTS holds has changed.
    """

    ordinal: int
    first: int
    last: int
    date: str
    author: str
    names: tuple[str, ...]
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

    A comment is a hint to whoever writes, not a memory: it has no row.
    """
    chunks = chunk(data, path)
    file = _File(path, data)
    folded = ["" if piece.kind == "comment" else fold(piece.text) for piece in chunks]
    bodies = ["", *map(spaced, folded), ""]
    embeds = _embed_texts(chunks)
    return tuple(
        _row(file, piece, folded[index], bodies[index : index + 3], embeds[index])
        for index, piece in enumerate(chunks)
        if piece.kind != "comment"
    )


def embed_texts(path: str, data: bytes) -> list[str]:
    """What is embedded for each chunk of these bytes, in order."""
    return _embed_texts(chunk(data, path))


def vec_hash(text: str) -> bytes:
    """The key of the vector of `text`."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


class _File:
    """What the rows of one file share; a heading is folded once, however much stands under it."""

    def __init__(self, path: str, data: bytes) -> None:
        self.lines = split_lines(data)
        self.day = note_day(path)
        self._title = "" if self.day else _plain_title(path)
        self._tags = _tags(data)
        self._heads: dict[Any, tuple[str, str, tuple[str, ...]]] = {}

    def head(
        self, heading: tuple[str, ...], author: str, day: date | None
    ) -> tuple[str, str, tuple[str, ...]]:
        """(head column, its symbol tokens, names) of a chunk under this heading."""
        key = (heading, author, day)
        if key not in self._heads:
            named = (author, *self._tags, self._title, *heading[-1:])
            folded = fold("\n".join((*heading, self._title, author, *self._tags)))
            self._heads[key] = (
                spaced(folded) + _written_out(day),
                " ".join(symbol_tokens(fold("\n".join(heading)))),
                tuple(dict.fromkeys(filter(None, (" ".join(words(fold(n))) for n in named)))),
            )
        return self._heads[key]


def _row(file: _File, piece: Chunk, folded: str, bodies: list[str], embed: str) -> Row:
    before, body, after = bodies
    when = piece.date or file.day
    head, head_sym, names = file.head(piece.heading, piece.author, when)
    ctx = f"{before}\n{after}"
    sym = " ".join([*symbol_tokens(folded), head_sym])
    return Row(
        ordinal=piece.ordinal,
        first=piece.line_start,
        last=piece.line_end,
        date=when.isoformat() if when else "",
        author=piece.author,
        names=names,
        timed=_says_when(folded),
        asks=piece.text.rstrip().endswith(("?", "？")),
        size=len(folded.split()) + solitary_count(folded) // 2,
        language=languages(folded),
        heading=HEADING_JOINT.join(piece.heading),
        whole=lines_of(file.lines, piece.line_start, piece.line_end) == piece.text,
        body=body,
        ctx=ctx,
        head=head,
        sym=sym,
        vec_hash=vec_hash(embed),
        row_hash=hashlib.sha1(
            f"{body}\0{ctx}\0{head}\0{sym}".encode(), usedforsecurity=False
        ).digest(),
    )


def _says_when(folded: str) -> bool:
    if not _TIMES.isdisjoint(_WORD.findall(folded)):
        return True
    if _DIGIT.search(folded) and _FIGURES.search(folded):
        return True
    return not folded.isascii() and _TIMES_CJK.search(folded) is not None


def _embed_texts(chunks: tuple[Chunk, ...]) -> list[str]:
    """A statement under its heading; a turn of a conversation with the turns around it.

    A turn is understood from what was said before and after, while the bullets of a list need have
    nothing to do with each other: there the neighbours only blur it.
    """
    plain = [_statement(piece.text) for piece in chunks]
    texts = []
    for start, end in _sections(chunks):
        talk = _is_talk(chunks[start:end])
        for index in range(start, end):
            parts = [plain[index]]
            if talk:
                if index > start:
                    parts.insert(0, plain[index - 1][-_NEIGHBOUR_CHARS:])
                if index + 1 < end:
                    parts.append(plain[index + 1][:_NEIGHBOUR_CHARS])
            elif chunks[index].heading and not _DAY.search(chunks[index].heading[-1]):
                parts.insert(0, chunks[index].heading[-1])
            texts.append("\n".join(parts))
    return texts


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


def _statement(text: str) -> str:
    marker = MARKER.match(text)
    return stamped(text[marker.end() :] if marker else text).statement


def _written_out(day: date | None) -> str:
    # "8 May 2023": the words people ask with; the ISO form finds itself.
    if day is None:
        return ""
    return f"\n{day.day} {_MONTHS[day.month - 1]} {day.year} {day.isoformat()}"


def _plain_title(path: str) -> str:
    return re.sub(r"[-_]+", " ", path.rpartition("/")[2].removesuffix(".md"))


def _tags(data: bytes) -> tuple[str, ...]:
    start = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    if not start.startswith(b"---"):
        return ()
    end = start.find(b"\n---", 3)
    match = _TAGS.search(start[:end].decode("utf-8", "replace")) if end > 0 else None
    if match is None:
        return ()
    return tuple(part.strip(" \t\"'") for part in match[1].strip("[] \t\r").split(",") if part)
