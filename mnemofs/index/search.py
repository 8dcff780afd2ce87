"""`search`: two lanes, one comparable score, and hits that are true of the files as they are now.

What a score is made of stands in `ranking`. Candidates come in tiers, each of twice the depth, and
a deeper tier only ever adds to the end of the list: a page never repeats or skips what another page
shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mnemofs.errors import EmbedderError
from mnemofs.index import ranking
from mnemofs.index.hits import Candidate, Hit, Settled, settle
from mnemofs.index.ranking import Asked
from mnemofs.index.terms.query import Query, parse
from mnemofs.index.terms.text import fold
from mnemofs.index.words import lexical
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from typing import Literal

    Mode = Literal["hybrid", "lexical"]

    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.priors import Priors, Usage
    from mnemofs.index.sidecar import Index
else:
    Mode = str  # importing Literal costs a hook four milliseconds


# Seconds a search may spend on chunks that were written just now and have no vector yet.
_BACKLOG_SECONDS = 0.6
_BUSY = "the index of {} is being updated by another process; the newest changes may be missing"


class ScopedIndex:
    """A store to search and the name it has for the one who asks. owner: "" for shared stores.

    revision: the commit that `index` is of, "" for the present. usage: how often what stands at a
    place of this store was recalled, for importance; None: unknown.
    """

    __slots__ = ("index", "owner", "revision", "scope", "usage")

    def __init__(
        self,
        index: Index,
        scope: str = "TEAM",
        owner: str = "",
        revision: str = "",
        usage: Usage | None = None,
    ) -> None:
        self.index = index
        self.scope = scope
        self.owner = owner
        self.revision = revision
        self.usage = usage


class SearchResult(Record):
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
    priors: Priors | None = None,
    today: Callable[[], date] | None = None,
) -> SearchResult:
    """The chunks that answer `query` best, over all given stores.

    Only the given stores are ever opened, so nobody's memory can be starved or shown by another's
    (SRC-03, SRC-07). Every hit was compared with its file: what has changed is indexed anew, what
    is gone is not shown. explain: fills `Hit.parts`, which sum up to the score. fresh=False: the
    caller has just refreshed. priors: how much newer and more often used memories are preferred.
    today: the day on which it is asked; without it "last week" is two words.
    Never raises for the query's text; an empty one gives no hits and a warning.
    """
    warnings: list[str] = []
    asked = parse(query, today)
    empty = not (asked.terms or asked.days)
    if empty or limit <= 0:
        text = "the query holds no word to search for" if empty else "limit is 0"
        return SearchResult((), mode, (text,))
    if fresh:
        for place in indexes:
            freshness = place.index.refresh(wait=False)
            warnings += freshness.warnings
            if not freshness.complete:
                warnings.append(_BUSY.format(_name(place)))
    question, done = _question(indexes, asked, mode, warnings)
    wanted = max(offset, 0) + limit
    ask = Asked(asked, question is not None, _languages(asked, question), priors)
    settled = Settled()
    for _attempt in range(2):
        settled = _settled(indexes, ask, question, wanted, explain, warnings)
        if not settled.stale:
            break
        for place, paths in settled.stale.items():
            if not place.index.refresh(paths, wait=False).complete:
                warnings.append(_BUSY.format(_name(place)))
    warnings += settled.warnings
    warnings += _nothing_of_the_time(asked, settled.hits)
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
    from mnemofs.index.meaning.questions import statement
    from mnemofs.index.meaning.vectors import usable

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
                f"{_name(place)}: {place.index.backlog()}; till then they are found by words"
            )
    unit: NDArray[np.float32] = vector[0] / np.linalg.norm(vector[0])
    return statement(embedder.id, unit.astype(np.float32)), "hybrid"


def _nothing_of_the_time(asked: Query, hits: Sequence[Hit]) -> Iterator[str]:
    """What a person should know who asked about days gone by of which nothing was found."""
    for one in asked.days:
        if one.past and not any(str(one.first) <= hit.date <= str(one.last) for hit in hits):
            meant = str(one.first) if one.first == one.last else f"{one.first} to {one.last}"
            yield f"found nothing dated {meant}"


def _languages(asked: Query, question: object) -> int:
    """The languages of the question; what is searched by words only needs none."""
    if question is None:
        return 0
    from mnemofs.index.terms.language import languages

    return languages(fold(asked.text))


def _settled(
    indexes: Sequence[ScopedIndex],
    asked: Asked,
    question: NDArray[np.float32] | None,
    wanted: int,
    explain: bool,
    warnings: list[str],
) -> Settled:
    """The first `wanted` hits: tiers are ranked until there are enough or nothing is left."""
    ranked: list[Candidate] = []
    seen: set[tuple[int, int]] = set()
    depth = lexical.DEPTH
    least: float | None = None
    while True:
        tier = _tier(indexes, asked, question, depth, warnings)
        if least is None:
            least = ranking.least(tier.candidates, hybrid=question is not None)
            most = ranking.shown(tier.candidates, asked)
            wanted = wanted if most is None else min(wanted, most)
        for one in tier.candidates:
            key = (id(one.place), one.chunk)
            if key not in seen and one.evidence >= least:
                ranked.append(one)
            seen.add(key)
        settled = settle(ranked, wanted, explain=explain)
        if len(settled.hits) >= wanted or settled.stale or tier.bound < max(least, 1e-9):
            return settled
        depth *= 2


class _Tier(Record):
    """candidates: best first. bound: no chunk beyond these has more evidence than this."""

    candidates: list[Candidate]
    bound: float


def _tier(
    indexes: Sequence[ScopedIndex],
    asked: Asked,
    question: NDArray[np.float32] | None,
    depth: int,
    warnings: list[str],
) -> _Tier:
    ranked: list[Candidate] = []
    bound = 0.0
    for place in indexes:
        # A misspelt word is looked for only where meaning finds nothing either.
        found = lexical.rank(place.index, asked.query, depth, correct=question is None)
        likeness = _likeness(place.index, question, found, depth)
        if question is not None and not found.scores and not _alike(asked, likeness):
            found = lexical.rank(place.index, asked.query, depth)
            likeness = _likeness(place.index, question, found, depth)
        if found.note:
            warnings.append(found.note)
        usage = place.usage() if place.usage and asked.priors and asked.priors.importance else {}
        ranked += ranking.score(place, asked, found.scores, likeness, usage, found.timed)
        bound = max(bound, _beyond(asked, found, likeness, depth))
    # Ties go by scope in the order given, then by place in the store: the same question always
    # gives the same list.
    order = {id(place): number for number, place in enumerate(indexes)}
    ranked.sort(key=lambda one: (-round(one.score, 6), order[id(one.place)], one.chunk))
    return _Tier(ranked, bound)


def _alike(asked: Asked, likeness: Mapping[int, float]) -> bool:
    return max(likeness.values(), default=0.0) >= ranking.meaning_floor(asked.query)


def _beyond(
    asked: Asked, found: lexical.Lexical, likeness: Mapping[int, float], depth: int
) -> float:
    """The most evidence that a chunk outside this depth can have; 0 when there is none."""
    words = min(found.scores.values()) if len(found.scores) >= depth else 0.0
    near = [like for chunk, like in likeness.items() if chunk not in found.scores]
    # Fewer chunks than asked for: the lane has no more.
    meaning = min(near) if not found.restricted and len(likeness) >= depth and near else 0.0
    if words < ranking.WORDS_FLOOR and meaning < ranking.meaning_floor(asked.query):
        return 0.0
    return ranking.LEXICAL_SHARE * words + ranking.VECTOR_SHARE * meaning


def _likeness(
    index: Index, question: NDArray[np.float32] | None, found: lexical.Lexical, depth: int
) -> dict[int, float]:
    """Calibrated likeness of the nearest chunks and of every lexical candidate."""
    if question is None:
        return {}
    import numpy as np

    lane = index.vector_lane()
    ids, cosines = lane.cosines(
        lane.distinctive(question), nearest=0 if found.restricted else depth, also=found.scores
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


def _name(place: ScopedIndex) -> str:
    return f"{place.owner}'s memory" if place.owner else f"the {place.scope} memory"
