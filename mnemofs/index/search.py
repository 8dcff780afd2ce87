"""`search`: two lanes, one comparable score, and hits that are true of the files as they are now.

score = .45 v + .55 min(l, 1.2) + named + timed + note, where v is the calibrated cosine
clip((cos - floor) / (ceiling - floor), 0, 1) and l is BM25 over what the query could attain
(retrieval-lab §8). Nothing in it depends on the other hits of a store, so stores are merged by
score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mnemofs.errors import EmbedderError
from mnemofs.index import lexical
from mnemofs.index.hits import Hit, Settled, settle
from mnemofs.index.query import Query, parse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.sidecar import Index

Mode = Literal["hybrid", "lexical"]

VECTOR_SHARE = 0.45
LEXICAL_SHARE = 0.55
LEXICAL_CAP = 1.2
# Small and generic: the question names the author, title or tag; asks when and the text has a time.
NAMED = 0.15
TIMED = 0.07
# A note whose several parts answer is more likely the right one.
NOTE_SHARE = 0.6
NOTE_BEST = 3
# Below this a hit is noise: no word in common worth mentioning, no likeness either.
FLOOR = 0.1
# Seconds a search may spend on chunks that were written just now and have no vector yet.
_BACKLOG_SECONDS = 0.15


@dataclass(frozen=True)
class ScopedIndex:
    """A store to search and the name it has for the one who asks. owner: "" for shared stores."""

    index: Index
    scope: str = "TEAM"
    owner: str = ""


@dataclass(frozen=True)
class SearchResult:
    """hits: best first. mode: what was really done. warnings: why it is less than it could be."""

    hits: tuple[Hit, ...]
    mode: Mode
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    place: ScopedIndex
    chunk: int
    score: float
    parts: dict[str, float] = field(hash=False, compare=False)


def search(
    indexes: Sequence[ScopedIndex],
    query: str,
    *,
    limit: int = 10,
    offset: int = 0,
    mode: Mode = "hybrid",
    explain: bool = False,
    fresh: bool = True,
) -> SearchResult:
    """The chunks that answer `query` best, over all given stores.

    Only the given stores are ever opened, so nobody's memory can be starved or shown by another's
    (SRC-03, SRC-07). Every hit was compared with its file: what has changed is indexed anew, what
    is gone is not shown. explain: fills `Hit.parts`. fresh=False: the caller has just refreshed.
    Never raises for the query's text; an empty one gives no hits and a warning.
    """
    warnings: list[str] = []
    asked = parse(query)
    if not asked.terms or limit <= 0:
        text = "the query holds no word to search for" if not asked.terms else "limit is 0"
        return SearchResult((), mode, (text,))
    if fresh:
        for place in indexes:
            freshness = place.index.refresh(wait=False)
            warnings += freshness.warnings
            if not freshness.complete:
                warnings.append(
                    f"the index of {_name(place)} is being updated by another process;"
                    " the newest changes may be missing"
                )
    question, done = _question(indexes, asked, mode, warnings)
    wanted = offset + limit
    settled = Settled()
    for _attempt in range(2):
        ranked = _ranked(indexes, asked, question, warnings)
        settled = settle(ranked, wanted)
        if not settled.stale:
            break
        for place, paths in settled.stale.items():
            place.index.refresh(paths)
    warnings += settled.warnings
    hits = settled.hits[offset:wanted]
    if not explain:
        hits = [hit.without_parts() for hit in hits]
    return SearchResult(tuple(hits), done, tuple(dict.fromkeys(warnings)))


def _question(
    indexes: Sequence[ScopedIndex], asked: Query, mode: Mode, warnings: list[str]
) -> tuple[NDArray[np.float32] | None, Mode]:
    """The query's unit vector, None when search is by words only."""
    if mode == "lexical":
        return None, "lexical"
    embedder = next((place.index.embedder for place in indexes if place.index.embedder), None)
    if embedder is None:
        warnings.append("no embedder: searched by words only")
        return None, "lexical"
    try:
        vector = embedder.embed([asked.text])
    except EmbedderError as error:
        warnings.append(f"{error.message}; searched by words only")
        return None, "lexical"
    from mnemofs.index.vectors import usable

    if not usable(vector)[0]:
        warnings.append("the embedder gave no usable vector; searched by words only")
        return None, "lexical"
    import numpy as np

    for place in indexes:
        pending = place.index.pending()
        if pending:
            embedded = place.index.embed_pending(seconds=_BACKLOG_SECONDS)
            pending = embedded.pending
            if embedded.error:
                warnings.append(embedded.error)
        if pending:
            warnings.append(
                f"{pending} texts of {_name(place)} have no vector yet; they are found by words"
            )
    unit: NDArray[np.float32] = vector[0] / np.linalg.norm(vector[0])
    return unit.astype(np.float32), "hybrid"


def _ranked(
    indexes: Sequence[ScopedIndex],
    asked: Query,
    question: NDArray[np.float32] | None,
    warnings: list[str],
) -> list[_Candidate]:
    ranked: list[_Candidate] = []
    for place in indexes:
        found = lexical.rank(place.index, asked)
        if found.note:
            warnings.append(found.note)
        likeness = _likeness(place.index, question, found)
        ranked += _scored(place, asked, found.scores, likeness)
    # Ties go by scope in the order given, then by place in the store: the same question always
    # gives the same list.
    ranked.sort(key=lambda one: (-round(one.score, 6), indexes.index(one.place), one.chunk))
    return ranked


def _likeness(
    index: Index, question: NDArray[np.float32] | None, found: lexical.Lexical
) -> dict[int, float]:
    """Calibrated likeness of the nearest chunks and of every lexical candidate."""
    if question is None:
        return {}
    import numpy as np

    lane = index.vector_lane()
    ids, cosines = lane.cosines(question)
    if not len(ids):
        return {}
    floor, ceiling = lane.calibration()
    likeness = np.clip((cosines - floor) / (ceiling - floor), 0, 1)
    chosen = np.searchsorted(ids, np.fromiter(found.scores, np.int64, len(found.scores)))
    chosen = chosen[chosen < len(ids)]
    if not found.restricted:
        depth = min(lexical.DEPTH, len(ids))
        nearest = np.argpartition(-likeness, depth - 1)[:depth]
        chosen = np.concatenate([chosen, nearest])
    picked = zip(ids[chosen].tolist(), likeness[chosen].tolist(), strict=True)
    return {chunk: like for chunk, like in picked if not found.restricted or chunk in found.scores}


def _scored(
    place: ScopedIndex, asked: Query, words: Mapping[int, float], likeness: Mapping[int, float]
) -> list[_Candidate]:
    """One store's candidates with their scores and the parts these are made of."""
    chunks = list(dict.fromkeys([*words, *likeness]))
    facts = _facts(place.index, chunks)
    scored: dict[int, dict[str, float]] = {}
    by_note: dict[int, list[float]] = {}
    for chunk in chunks:
        if chunk not in facts:
            continue
        file, names, timed = facts[chunk]
        parts = {
            "words": LEXICAL_SHARE * min(words.get(chunk, 0.0), LEXICAL_CAP),
            "meaning": VECTOR_SHARE * likeness.get(chunk, 0.0),
        }
        if any(f" {name} " in asked.spoken for name in names):
            parts["named"] = NAMED
        if timed and asked.when:
            parts["time"] = TIMED
        scored[chunk] = parts
        by_note.setdefault(file, []).append(sum(parts.values()))
    note = {
        file: NOTE_SHARE * sum(sorted(scores, reverse=True)[:NOTE_BEST]) / NOTE_BEST
        for file, scores in by_note.items()
    }
    candidates = []
    for chunk, parts in scored.items():
        if parts["words"] + parts["meaning"] < FLOOR:
            continue
        parts["note"] = note[facts[chunk][0]]
        candidates.append(_Candidate(place, chunk, sum(parts.values()), parts))
    return candidates


def _facts(index: Index, chunks: Sequence[int]) -> dict[int, tuple[int, list[str], bool]]:
    marks = ",".join("?" * len(chunks))
    rows: list[Any] = index.query(
        f"select id, file, names, timed from chunk where id in ({marks})", tuple(chunks)
    )
    return {row[0]: (row[1], row[2].split("\n") if row[2] else [], bool(row[3])) for row in rows}


def _name(place: ScopedIndex) -> str:
    return f"{place.owner}'s memory" if place.owner else f"the {place.scope} memory"
