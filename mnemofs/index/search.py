"""`search`: two lanes, one comparable score, and hits that are true of the files as they are now.

score = .45 v + .55 min(l, 1.2) + named + time + substance - asks + note, where v is the calibrated
cosine clip((cos - floor) / (ceiling - floor), 0, 1) and l is BM25 over what the query could attain.
Neither is stretched to what the best hit happens to reach, so that scores of different stores can
be merged. The small terms are generic; `benchmarks/locomo.py` and `benchmarks/multilingual.py`
judge them together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mnemofs.errors import EmbedderError
from mnemofs.index import lexical
from mnemofs.index.hits import Candidate, Hit, Settled, settle
from mnemofs.index.query import Query, parse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.sidecar import Index

Mode = Literal["hybrid", "lexical"]

VECTOR_SHARE = 0.45
LEXICAL_SHARE = 0.55
LEXICAL_CAP = 1.2
# The question names the author, title or tag.
NAMED = 0.2
# It asks for a time, and the text says one.
TIMED = 0.07
# A question answers nothing; a longer statement says more (words, up to SUBSTANTIAL).
ASKS = -0.06
SUBSTANCE = 0.05
SUBSTANTIAL = 30
# A note of which several parts answer is more likely the right one: the mean of its best three, as
# far as they are more than chance.
NOTE = 0.3
NOTE_BEST = 3
NOTE_FROM = 0.2
# Instructions and character stand in every prompt anyway; they are no answer where a memory is one.
INSTRUCTIONS = ("AGENTS.md", "SOUL.md")
INSTRUCTION_SHARE = 0.5
# A hit needs a word in common that counts, or likeness beyond that of any two texts, and must not
# be far weaker than the best one: a list is never filled up with noise.
WORDS_FLOOR = 0.02
MEANING_FLOOR = 0.15
# One word or two resemble many texts by chance.
MEANING_FLOOR_BRIEF = {1: 0.5, 2: 0.35}
FAR_BELOW_BEST = 0.25
FAR_BELOW_BEST_LEXICAL = 0.1
# Seconds a search may spend on chunks that were written just now and have no vector yet.
_BACKLOG_SECONDS = 0.6
_BUSY = "the index of {} is being updated by another process; the newest changes may be missing"


class ScopedIndex:
    """A store to search and the name it has for the one who asks. owner: "" for shared stores.

    revision: the commit that `index` is of, "" for the present.
    """

    __slots__ = ("index", "owner", "revision", "scope")

    def __init__(
        self, index: Index, scope: str = "TEAM", owner: str = "", revision: str = ""
    ) -> None:
        self.index = index
        self.scope = scope
        self.owner = owner
        self.revision = revision


class SearchResult(NamedTuple):
    """hits: best first. mode: what was really done. warnings: why it is less than it could be."""

    hits: tuple[Hit, ...]
    mode: Mode
    warnings: tuple[str, ...] = ()


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
                warnings.append(_BUSY.format(_name(place)))
    question, done = _question(indexes, asked, mode, warnings)
    wanted = max(offset, 0) + limit
    settled = Settled()
    for _attempt in range(2):
        ranked = _ranked(indexes, asked, question, _depth(wanted), warnings)
        settled = settle(ranked, wanted, explain=explain)
        if not settled.stale:
            break
        for place, paths in settled.stale.items():
            if not place.index.refresh(paths, wait=False).complete:
                warnings.append(_BUSY.format(_name(place)))
    warnings += settled.warnings
    return SearchResult(
        tuple(settled.hits[max(offset, 0) : wanted]), done, tuple(dict.fromkeys(warnings))
    )


def _question(
    indexes: Sequence[ScopedIndex], asked: Query, mode: Mode, warnings: list[str]
) -> tuple[NDArray[np.float32] | None, Mode]:
    """The query's unit vector, None when search is by words only."""
    if mode == "lexical" or not asked.meaningful:
        return None, mode
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
    depth: int,
    warnings: list[str],
) -> list[Candidate]:
    ranked: list[Candidate] = []
    for place in indexes:
        found = lexical.rank(place.index, asked, depth)
        if found.note:
            warnings.append(found.note)
        likeness = _likeness(place.index, question, found, depth)
        ranked += _scored(place, asked, found.scores, likeness)
    share = FAR_BELOW_BEST_LEXICAL if question is None else FAR_BELOW_BEST
    ranked = _not_far_below(ranked, share)
    # Ties go by scope in the order given, then by place in the store: the same question always
    # gives the same list.
    order = {id(place): number for number, place in enumerate(indexes)}
    ranked.sort(key=lambda one: (-round(one.score, 6), order[id(one.place)], one.chunk))
    return ranked


def _depth(wanted: int) -> int:
    """Candidates of each lane: in steps, so that turning a page does not reorder the one before."""
    depth = lexical.DEPTH
    while depth < 3 * wanted:
        depth *= 2
    return depth


def _likeness(
    index: Index, question: NDArray[np.float32] | None, found: lexical.Lexical, depth: int
) -> dict[int, float]:
    """Calibrated likeness of the nearest chunks and of every lexical candidate."""
    if question is None:
        return {}
    import numpy as np

    lane = index.vector_lane()
    ids, cosines = lane.cosines(
        question, nearest=0 if found.restricted else depth, also=found.scores
    )
    if not len(ids):
        return {}
    floor, ceiling = lane.calibration()
    likeness = np.clip((cosines - floor) / (ceiling - floor), 0, 1)
    chosen = np.searchsorted(ids, np.fromiter(found.scores, np.int64, len(found.scores)))
    chosen = chosen[chosen < len(ids)]
    if not found.restricted:
        depth = min(depth, len(ids))
        nearest = np.argpartition(-likeness, depth - 1)[:depth]
        chosen = np.concatenate([chosen, nearest])
    picked = zip(ids[chosen].tolist(), likeness[chosen].tolist(), strict=True)
    return {chunk: like for chunk, like in picked if not found.restricted or chunk in found.scores}


def _scored(
    place: ScopedIndex, asked: Query, words: Mapping[int, float], likeness: Mapping[int, float]
) -> list[Candidate]:
    """One store's candidates, scored."""
    floor = MEANING_FLOOR_BRIEF.get(asked.length, MEANING_FLOOR)
    named: dict[str, bool] = {"": False}
    scored = []
    by_note: dict[int, list[float]] = {}
    instructions = _instructions(place.index)
    for chunk, file, names, timed, asks, size in _facts(place.index, [*words, *likeness]):
        share = INSTRUCTION_SHARE if file in instructions else 1.0
        lexical_part = share * min(words.get(chunk, 0.0), LEXICAL_CAP)
        meaning = share * likeness.get(chunk, 0.0)
        if names not in named:
            named[names] = any(f" {name} " in asked.spoken for name in names.split("\n"))
        parts = (
            LEXICAL_SHARE * lexical_part,
            VECTOR_SHARE * meaning,
            NAMED if named[names] else 0.0,
            TIMED if timed and asked.when else 0.0,
            ASKS if asks else 0.0,
            SUBSTANCE * min(size, SUBSTANTIAL) / SUBSTANTIAL,
        )
        score = sum(parts)
        if score > NOTE_FROM:
            by_note.setdefault(file, []).append(score - NOTE_FROM)
        if lexical_part >= WORDS_FLOOR or meaning >= floor:
            scored.append((chunk, file, score, parts))
    note = {
        file: NOTE * sum(sorted(scores, reverse=True)[:NOTE_BEST]) / NOTE_BEST
        for file, scores in by_note.items()
    }
    return [
        Candidate(place, chunk, score + note.get(file, 0.0), (*parts, note.get(file, 0.0)))
        for chunk, file, score, parts in scored
    ]


def _not_far_below(ranked: list[Candidate], share: float) -> list[Candidate]:
    """Candidates whose words and meaning reach `share` of the best one's."""
    evidence = [one.parts[0] + one.parts[1] for one in ranked]
    least = share * max(evidence, default=0.0)
    return [one for one, has in zip(ranked, evidence, strict=True) if has >= least]


def _facts(index: Index, chunks: Sequence[int]) -> list[tuple[int, int, str, int, int, int]]:
    wanted = ",".join(map(str, dict.fromkeys(chunks)))
    rows: list[Any] = index.query(
        f"select id, file, names, timed, asks, size from chunk where id in ({wanted})"
    )
    return rows


def _instructions(index: Index) -> frozenset[int]:
    marks = ", ".join("?" * len(INSTRUCTIONS))
    rows = index.query(f"select id from file where path in ({marks})", INSTRUCTIONS)
    return frozenset(row[0] for row in rows)


def _name(place: ScopedIndex) -> str:
    return f"{place.owner}'s memory" if place.owner else f"the {place.scope} memory"
