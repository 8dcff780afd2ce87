"""A file's bytes as index rows. Pure: the same bytes under the same path give the same rows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from mnemofs.clock import note_day
from mnemofs.index.blobs import lines_of, split_lines
from mnemofs.index.text import fold, solitary_count, spaced, symbol_tokens
from mnemofs.markdown.chunks import Chunk, chunk
from mnemofs.markdown.entries import MARKER, stamped

HEADING_JOINT = " > "
# How much of a neighbouring turn is embedded with a turn.
_NEIGHBOUR_CHARS = 300
_DATED = re.compile(r"\W*\d{4}-\d\d-\d\d")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_TIMED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this) (?:week|month|year|night|summer"
    r"|winter|spring|fall|autumn|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|(?:19|20)\d\d|\d{1,2}:\d\d"
    r"|gestern|heute|morgen|letzte[nr]?|ayer|hoy|mañana|pasad[oa]|hier|aujourd'hui|demain)\b"
    r"|[昨今明前后後]天|上[个個]?[周週月]|下[个個]?[周週月]|去年|今年|明年|\d+\s*[年月日号號]"
    r"|昨日|今日|明日|先週|来週|先月|来月",
    re.IGNORECASE,
)
_TAGS = re.compile(r"^tags:[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """One chunk as it is indexed.

    body, ctx, head, sym: the FTS columns (own text, both neighbours, heading path with author and
    written-out date, exact symbol tokens). names: folded names a question may call the chunk by
    (author, title, tags). timed: it says a time. asks: it is a question. size: its words, two
    characters of an unspaced script counting as one. heading: the path of titles, joined.
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
    heading: str
    whole: bool
    body: str
    ctx: str
    head: str
    sym: str
    vec_hash: bytes
    row_hash: bytes


def project(path: str, data: bytes) -> tuple[Row, ...]:
    """The rows of one file. Raises UnreadableText for bytes that are not UTF-8."""
    chunks = chunk(data, path)
    day = note_day(path)
    tags = _tags(data)
    title = _title(path)
    bodies = [spaced(fold(piece.text)) for piece in chunks]
    embeds = _embed_texts(chunks)
    lines = split_lines(data)
    rows = []
    for index, piece in enumerate(chunks):
        before = bodies[index - 1] if index else ""
        after = bodies[index + 1] if index + 1 < len(chunks) else ""
        ctx = f"{before}\n{after}"
        rows.append(_row(piece, lines, title, day, tags, bodies[index], ctx, embeds[index]))
    return tuple(rows)


def embed_texts(path: str, data: bytes) -> list[str]:
    """What is embedded for each chunk of these bytes, in order."""
    return _embed_texts(chunk(data, path))


def vec_hash(text: str) -> bytes:
    """The key of the vector of `text`."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


def _row(
    piece: Chunk,
    lines: list[bytes],
    title: str,
    day: date | None,
    tags: tuple[str, ...],
    body: str,
    ctx: str,
    embed: str,
) -> Row:
    when = piece.date or day
    author = piece.author or ""
    head = spaced(fold("\n".join((*piece.heading, title, author, *tags, _written_out(when)))))
    sym = " ".join(symbol_tokens(fold(piece.text)) + symbol_tokens(fold("\n".join(piece.heading))))
    names = (author, *tags, title, *piece.heading[-1:])
    return Row(
        ordinal=piece.ordinal,
        first=piece.line_start,
        last=piece.line_end,
        date=when.isoformat() if when else "",
        author=author,
        names=tuple(dict.fromkeys(filter(None, map(_name, names)))),
        timed=bool(_TIMED.search(piece.text)),
        asks=piece.text.rstrip().endswith(("?", "？")),
        heading=HEADING_JOINT.join(piece.heading),
        whole=lines_of(lines, piece.line_start, piece.line_end) == piece.text,
        size=len(piece.text.split()) + solitary_count(piece.text) // 2,
        body=body,
        ctx=ctx,
        head=head,
        sym=sym,
        vec_hash=vec_hash(embed),
        row_hash=hashlib.sha1(
            "\0".join((body, ctx, head, sym)).encode(), usedforsecurity=False
        ).digest(),
    )


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
            elif chunks[index].heading and not _DATED.search(chunks[index].heading[-1]):
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
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year} {day.isoformat()}"


def _title(path: str) -> str:
    stem = path.rpartition("/")[2].removesuffix(".md")
    return "" if note_day(path) else re.sub(r"[-_]+", " ", stem)


def _name(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))


def _tags(data: bytes) -> tuple[str, ...]:
    start = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    if not start.startswith(b"---"):
        return ()
    end = start.find(b"\n---", 3)
    match = _TAGS.search(start[:end].decode("utf-8", "replace")) if end > 0 else None
    if match is None:
        return ()
    return tuple(part.strip(" \t\"'") for part in match[1].strip("[] \t\r").split(",") if part)
