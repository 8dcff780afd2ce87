"""Hits: candidates read back from the files, each proved against its blob id before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from mnemofs.errors import MnemofsError, NotFound
from mnemofs.index.projection import blob_id
from mnemofs.markdown.chunks import Chunk, chunk

if TYPE_CHECKING:
    from mnemofs.index.sidecar import Index


@dataclass(frozen=True)
class Hit:
    """One piece of memory that answers.

    path, line_start, line_end: where it stands (lines from 1, counted by `\\n`, both included).
    heading: the headings above it, joined by " > ". date: YYYY-MM-DD or "". score: comparable
    between stores and queries, about 0 to 1.8. parts: what the score is made of.
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
    parts: dict[str, float] = field(default_factory=dict)

    def without_parts(self) -> Hit:
        """The same hit, unexplained."""
        return replace(self, parts={}) if self.parts else self


class Place(Protocol):
    """A store under the name it has for the one who asks."""

    @property
    def index(self) -> Index: ...
    @property
    def scope(self) -> str: ...
    @property
    def owner(self) -> str: ...


class Candidate(Protocol):
    """A chunk of a store with its score."""

    @property
    def place(self) -> Any: ...
    @property
    def chunk(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def parts(self) -> dict[str, float]: ...


@dataclass
class Settled:
    """hits: proved. stale: files that have changed since they were indexed, by place."""

    hits: list[Hit] = field(default_factory=list)
    stale: dict[Any, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def settle(ranked: Sequence[Candidate], wanted: int) -> Settled:
    """The first `wanted` candidates that are still true, near duplicates dropped."""
    settled = Settled()
    files: dict[tuple[int, str], tuple[Chunk, ...] | None] = {}
    said: set[str] = set()
    for candidate in ranked:
        if len(settled.hits) >= wanted:
            break
        rows = candidate.place.index.query(
            "select f.path, f.blob, c.ordinal, c.date from chunk c join file f on f.id = c.file"
            " where c.id = ?",
            (candidate.chunk,),
        )
        if not rows:
            continue
        path, blob, ordinal, date = rows[0]
        key = (id(candidate.place), path)
        if key not in files:
            files[key] = _present(candidate.place, path, blob, settled)
        pieces = files[key]
        if pieces is None or ordinal >= len(pieces):
            continue
        piece = pieces[ordinal]
        same = " ".join(piece.text.split()).casefold()
        if same in said:
            continue
        said.add(same)
        settled.hits.append(
            Hit(
                path=path,
                line_start=piece.line_start,
                line_end=piece.line_end,
                heading=" > ".join(piece.heading),
                text=piece.text,
                date=date,
                scope=candidate.place.scope,
                owner=candidate.place.owner,
                score=round(candidate.score, 6),
                parts={name: round(part, 6) for name, part in candidate.parts.items()},
            )
        )
    return settled


def _present(
    place: Place, path: str, blob: str | None, settled: Settled
) -> tuple[Chunk, ...] | None:
    """The file's chunks, None when they are not what was indexed."""
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
    pieces: tuple[Chunk, ...] = chunk(data, path)
    return pieces
