"""Hits: candidates read back from the files, each proved against its blob id before it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mnemofs.errors import MnemofsError, NotFound
from mnemofs.index.rows.blobs import blob_id, lines_of, split_lines
from mnemofs.index.terms.text import fold, words
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from mnemofs.index.sidecar import Index
    from mnemofs.markdown.chunks import Chunk

    class Place(Protocol):
        """A store under the name it has for the one who asks."""

        @property
        def index(self) -> Index: ...
        @property
        def scope(self) -> str: ...
        @property
        def owner(self) -> str: ...
        @property
        def revision(self) -> str: ...


# Candidates looked up beyond those wanted, for the duplicates and stale ones among them.
_SPARE = 10
_STAMP = re.compile(r"\W*\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?(?: \([^()\n]{1,200}\))?:?")


_NO_PARTS: Mapping[str, float] = {}


class Hit(Record):
    """One piece of memory that answers.

    path, line_start, line_end: where it stands (lines from 1, counted by `\\n`, both included).
    heading: the headings above it, joined by " > ". date: YYYY-MM-DD or "". score: comparable
    between stores and queries, about 0 to 1.8. parts: what the score is made of. revision: the
    commit whose text this is, "" for the present.
    """

    path: str
    line_start: int
    line_end: int
    heading: str
    text: str
    date: str
    scope: str
    owner: str
    score: float
    parts: Mapping[str, float] = _NO_PARTS
    revision: str = ""


# What the numbers of `Candidate.parts` are; the last two only where they were asked for.
PARTS = (
    *("words", "meaning", "named", "time", "asks", "substance", "language", "note"),
    *("recency", "importance"),
)


class Candidate:
    """A chunk of a store with its score and what that is made of, in the order of PARTS.

    evidence: what words and meaning alone say. A plain class: a question makes some hundreds.
    """

    __slots__ = ("chunk", "evidence", "parts", "place", "score")

    def __init__(self, place: Place, chunk: int, score: float, parts: tuple[float, ...]) -> None:
        self.place = place
        self.chunk = chunk
        self.score = score
        self.parts = parts
        self.evidence = parts[0] + parts[1]


class Settled:
    """hits: proved. stale: files that have changed since they were indexed, by place."""

    def __init__(self) -> None:
        self.hits: list[Hit] = []
        self.stale: dict[Any, list[str]] = {}
        self.warnings: list[str] = []


def settle(ranked: Sequence[Candidate], wanted: int, *, explain: bool) -> Settled:
    """The first `wanted` candidates that are still true, near duplicates dropped."""
    settled = Settled()
    files: dict[tuple[int, str], _File | None] = {}
    said: dict[str, list[str]] = {}
    for start in range(0, len(ranked), wanted + _SPARE):
        some = ranked[start : start + wanted + _SPARE]
        rows = _rows(some)
        for candidate in some:
            if len(settled.hits) >= wanted:
                return settled
            row = rows.get((id(candidate.place), candidate.chunk))
            if row is None:
                continue
            key = (id(candidate.place), row[1])
            if key not in files:
                files[key] = _present(candidate.place, row[1], row[2], settled)
            file = files[key]
            if file is None:
                continue
            hit = _hit(candidate, row, file, explain)
            if not _is_said(hit.text, said):
                settled.hits.append(hit)
    return settled


def _rows(candidates: Sequence[Candidate]) -> dict[tuple[int, int], Any]:
    rows = {}
    for place in {id(one.place): one.place for one in candidates}.values():
        ids = ",".join(str(one.chunk) for one in candidates if one.place is place)
        for row in place.index.query(
            "select c.id, f.path, f.blob, c.ordinal, c.first, c.last, c.heading, c.whole, c.date"
            f" from chunk c join file f on f.id = c.file where c.id in ({ids})"
        ):
            rows[id(place), row[0]] = row
    return rows


def _hit(candidate: Candidate, row: Any, file: _File, explain: bool) -> Hit:
    _id, path, _blob, ordinal, first, last, heading, whole, date = row
    parts = dict(zip(PARTS, candidate.parts, strict=False)) if explain else {}
    return Hit(
        path=path,
        line_start=first,
        line_end=last,
        heading=heading,
        text=lines_of(file.lines, first, last) if whole else file.piece(ordinal),
        date=date,
        scope=candidate.place.scope,
        owner=candidate.place.owner,
        score=round(candidate.score, 6),
        parts={name: round(part, 6) for name, part in parts.items() if part},
        revision=candidate.place.revision,
    )


def _is_said(text: str, said: dict[str, list[str]]) -> bool:
    """Whether the same was said before, less date, source, mark-up and case; else it is from now
    on. said: texts by their letters, since to take a text apart into words costs far more."""
    stamp = _STAMP.match(text)
    folded = fold(text[stamp.end() :] if stamp else text)
    alike = said.setdefault("".join(filter(str.isalnum, folded)) or text, [])
    if alike and words(folded) in map(words, alike):
        return True
    alike.append(folded)
    return False


class _File:
    """The bytes of a file that was compared with what is indexed."""

    def __init__(self, path: str, data: bytes) -> None:
        self._path = path
        self._data = data
        self._pieces: tuple[Chunk, ...] | None = None
        self.lines = split_lines(data)

    def piece(self, ordinal: int) -> str:
        """The text of a chunk that is a part of a long line."""
        if self._pieces is None:
            from mnemofs.markdown.chunks import chunk

            self._pieces = chunk(self._data, self._path)
        return self._pieces[ordinal].text


def _present(place: Place, path: str, blob: str | None, settled: Settled) -> _File | None:
    """The file, None when it is not what was indexed."""
    try:
        data = place.index.read(path)
    except NotFound:
        settled.stale.setdefault(place, []).append(path)
        return None
    except MnemofsError as error:
        settled.warnings.append(error.message)
        return None
    if blob_id(data) != blob:
        settled.stale.setdefault(place, []).append(path)
        return None
    return _File(path, data)
