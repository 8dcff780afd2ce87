"""A file's bytes as index rows. Pure: the same bytes under the same path give the same rows."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date

from mnemofs.clock import note_day
from mnemofs.index.text import fold, spaced, symbol_tokens
from mnemofs.markdown.chunks import Chunk, chunk

# Bumped whenever the rows of unchanged bytes would come out differently: every file is read again.
VERSION = 1

# How much of the text before a chunk is embedded with it; a lone line rarely says what it is about.
_TAIL_CHARS = 300
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
    (author, title, tags). vec_hash: the key of its vector.
    row_hash: equal when nothing that FTS holds has changed.
    """

    ordinal: int
    first: int
    last: int
    date: str
    author: str
    names: tuple[str, ...]
    timed: bool
    body: str
    ctx: str
    head: str
    sym: str
    vec_hash: bytes
    row_hash: bytes


def blob_id(data: bytes) -> str:
    """The id git gives these bytes: sha1 of `blob <size>\\0` and the bytes, as lower hex."""
    digest = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def project(path: str, data: bytes) -> tuple[Row, ...]:
    """The rows of one file. Raises UnreadableText for bytes that are not UTF-8."""
    chunks = chunk(data, path)
    day = note_day(path)
    tags = _tags(data)
    title = _title(path)
    bodies = [spaced(fold(piece.text)) for piece in chunks]
    rows = []
    for index, piece in enumerate(chunks):
        before = bodies[index - 1] if index else ""
        after = bodies[index + 1] if index + 1 < len(chunks) else ""
        ctx = f"{before}\n{after}"
        embed = _embed_text(chunks, index)
        rows.append(_row(piece, title, day, tags, bodies[index], ctx, embed))
    return tuple(rows)


def embed_texts(path: str, data: bytes) -> list[str]:
    """What is embedded for each chunk of these bytes, in order."""
    chunks = chunk(data, path)
    return [_embed_text(chunks, index) for index in range(len(chunks))]


def vec_hash(text: str) -> bytes:
    """The key of the vector of `text`."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


def _row(
    piece: Chunk,
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
        body=body,
        ctx=ctx,
        head=head,
        sym=sym,
        vec_hash=vec_hash(embed),
        row_hash=hashlib.sha1(
            "\0".join((body, ctx, head, sym)).encode(), usedforsecurity=False
        ).digest(),
    )


def _embed_text(chunks: tuple[Chunk, ...], index: int) -> str:
    """What is embedded for a chunk: the tail of the one before it in its section, then itself."""
    piece = chunks[index]
    before = ""
    if index and chunks[index - 1].heading == piece.heading:
        before = chunks[index - 1].text[-_TAIL_CHARS:]
    return f"{before}\n{piece.text}" if before else piece.text


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
