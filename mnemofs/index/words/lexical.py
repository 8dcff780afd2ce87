"""The lexical lane: BM25 over body, neighbours, head and exact symbols, made comparable.

BM25 is divided by what the query could attain, the sum over its terms of the score of one
occurrence in an average chunk; for FTS5's BM25 (k1 = 1.2, b = .75) that is the sum of the terms'
idf. So a query that matched almost nothing stays weak, and scores of different stores can be put
side by side (retrieval-lab §8).
"""

from __future__ import annotations

import math
import sys

from mnemofs.index.rows.tally import BM25
from mnemofs.index.terms.query import Query, Term, either
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mnemofs.index.sidecar import Index
    from mnemofs.index.words.postings import Lists

# Candidates a lane hands to fusion, at least.
DEPTH = 128
_PRIOR = 20
# What is worth the loading of numpy: a store of so many chunks, or so many questions to a smaller
# one. A hook asks one question, and has better use for the time.
_HUGE = 300_000
_MANY = 16
# In a store of this many chunks, terms that stand in a twentieth of them choose no candidates any
# more: they only add to the score of those that the rarer terms have chosen.
_LARGE = 2000
_COMMON_SHARE = 0.05
# A time that more chunks than this are of tells none from another; so many of it are looked at.
_NO_TIME_SHARE = 0.5
_MOST_OF_TIME = 4096
_OWN = "{body head sym} :"


class Lexical(Record):
    """scores: chunk id -> BM25 / attainable, best first. restricted: only these chunks hold what
    was asked for exactly. note: what a person should know about how it was read. timed: those of
    them that are of a time that the question speaks of."""

    scores: dict[int, float]
    restricted: bool = False
    note: str = ""
    timed: frozenset[int] = frozenset()


def rank(index: Index, query: Query, depth: int = DEPTH, *, correct: bool = True) -> Lexical:
    """The `depth` best chunks for the query's terms. correct: when none of them stands anywhere,
    look for words that are spelt nearly so."""
    if query.prefixes:
        from mnemofs.index.words.fallback import with_prefix

        return Lexical(with_prefix(index, query.prefixes), restricted=True)
    if query.brief:
        query = query.replace(terms=tuple(map(_own, query.terms)))
        query = query.replace(required=tuple(map(_own, query.required)))
    known = index.term_counts()
    total = max(_total(index, known), 1)
    lists = _lists(index, query, total)
    counts = {
        term: lists.count(term)
        if lists is not None and lists.holds(term)
        else _count(index, term.match, known)
        for term in query.terms
    }
    times = _times(index, query, known, total)
    present = sorted((term for term in query.terms if counts[term]), key=counts.__getitem__)
    required = [term for term in query.required if counts[term]]
    note = ""
    if len(required) < len(query.required):
        note = "no memory holds the quoted words exactly"
    if not present and query.terms:
        found = _otherwise(index, query, note, correct)
        if found.scores or not times:
            return found
    if not present:
        scores = {}
    elif total < _LARGE:
        scores = _term_by_term(index, present, required, counts, total)
    elif lists is None or required:
        scores = _at_once(index, present, required, counts, total, depth)
    else:
        common = _common(present, counts, total)
        idf = {term: _fts_idf(counts[term], total) for term in present}
        choosing = present[: len(present) - len(common)]
        scores = lists.weigh(choosing, common, idf, depth)
    attainable = sum(_idf(counts[term], total) for term in query.terms)
    timed = set()
    if times:
        attainable += sum(times.values())
        among = present if total >= _LARGE else []
        only = frozenset(scores) if required or query.literal else None
        for chunk, score in _of_times(index, scores, times, among, depth):
            if only is None or chunk in only:
                scores[chunk] = score
                timed.add(chunk)
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:depth]
    return Lexical(
        {chunk: score / attainable for chunk, score in best},
        restricted=bool(required) or query.literal,
        note=note,
        timed=frozenset(timed),
    )


def _lists(index: Index, query: Query, total: int) -> Lists | None:
    """Postings of the query's words, where there are any and numpy costs nothing any more."""
    if total < _LARGE or query.required:
        return None
    index.asked += 1
    if "numpy" in sys.modules or total >= _HUGE or index.asked > _MANY:
        return index.postings().lists(query.terms)
    return None


def _term_by_term(
    index: Index, present: list[Term], required: list[Term], counts: dict[Term, int], total: int
) -> dict[int, float]:
    """Each term weighed by us: FTS5 gives nothing for a word that stands in half of a small store,
    and everything for one that happens to be missing from it."""
    scores: dict[int, float] = {}
    allowed: set[int] | None = None
    for term in present:
        weight = _idf(counts[term], total) / _fts_idf(counts[term], total)
        rows = index.query(f"select rowid, -{BM25} from fts where fts match ?", (term.match,))
        for chunk, score in rows:
            scores[chunk] = scores.get(chunk, 0.0) + weight * score
        if term in required:
            holders = {chunk for chunk, _score in rows}
            allowed = holders if allowed is None else allowed & holders
    if allowed is not None:
        scores = {chunk: score for chunk, score in scores.items() if chunk in allowed}
    return scores


def _at_once(
    index: Index,
    present: list[Term],
    required: list[Term],
    counts: dict[Term, int],
    total: int,
    depth: int,
) -> dict[int, float]:
    """The rarer terms choose, FTS5 weighs, the common terms are added to what was chosen."""
    common = [] if required else _common(present, counts, total)
    match = either(present[: len(present) - len(common)])
    if required:
        match = " AND ".join(f"({term.match})" for term in required) + f" AND ({match})"
    rows = index.query(
        f"select rowid, -{BM25} as score from fts where fts match ? order by score desc limit ?",
        (match, depth),
    )
    scores: dict[int, float] = dict(rows)
    if common and scores:
        # BM25 is a sum over terms. The plus sign keeps SQLite from running the whole match once
        # for each row.
        for chunk, more in index.query(
            f"select rowid, -{BM25} from fts where fts match ?"
            f" and +rowid in ({','.join(map(str, scores))})",
            (either(common),),
        ):
            scores[chunk] += more
    return scores


def _times(index: Index, query: Query, known: dict[str, int], total: int) -> dict[str, float]:
    """The times of a question that some chunks are of, but not most: as FTS5 expressions, with what
    each is worth."""
    if not query.days:
        return {}
    from mnemofs.index.terms.days import expression

    counts = {one: _count(index, one, known) for one in map(expression, query.days)}
    return {
        one: _idf(count, total)
        for one, count in counts.items()
        if 0 < count <= total * _NO_TIME_SHARE
    }


def _of_times(
    index: Index,
    scores: Mapping[int, float],
    times: Mapping[str, float],
    words: Sequence[Term],
    depth: int,
) -> Iterator[tuple[int, float]]:
    """(chunk, its score with the time) of what is of a time.

    words: those that are to be looked for anew, since `scores` has the best of the whole store only
    and what is of the time may not be among them.
    """
    for time, worth in times.items():
        rows = index.query(
            f"select rowid from fts where fts match ? order by rowid desc limit {_MOST_OF_TIME}",
            (time,),
        )
        found = {chunk: scores.get(chunk, 0.0) + worth for (chunk,) in rows}
        if words:
            # BM25 is a sum over phrases: this one holds the time's share already.
            found |= index.query(
                f"select rowid, -{BM25} as score from fts where fts match ?"
                " order by score desc limit ?",
                (f"({time}) AND ({either(words)})", depth),
            )
        yield from found.items()


def _own(term: Term) -> Term:
    """The term in the chunk itself: who asks for one word wants the line, not its neighbours."""
    own = f"{_OWN} ({term.match})"
    return term if term.match.startswith(_OWN) else term.replace(match=own, own=True)


def _otherwise(index: Index, query: Query, note: str, correct: bool) -> Lexical:
    from mnemofs.index.words import fallback

    if query.literal:
        scores = fallback.inside(index, query)
        note = note or ("found only inside longer words" if scores else "")
        return Lexical(scores, restricted=True, note=note)
    terms, said = fallback.corrected(index, query) if correct else ((), "")
    if not terms:
        return Lexical({}, note=note)
    again = rank(index, query.replace(terms=terms, required=(), plain=()))
    return again.replace(note="; ".join(filter(None, (note, said))))


def _common(present: list[Term], counts: dict[Term, int], total: int) -> list[Term]:
    """The terms, of those given rarest first, that are too common to choose by; never so many that
    fewer than DEPTH candidates would be left."""
    chosen = 0
    for place, term in enumerate(present):
        if place and counts[term] > total * _COMMON_SHARE and chosen >= DEPTH:
            return present[place:]
        chosen += counts[term]
    return []


def _count(index: Index, match: str, known: dict[str, int]) -> int:
    if match not in known:
        rows = index.query("select count(*) from fts where fts match ?", (match,))
        known[match] = int(rows[0][0]) if rows else 0
    return known[match]


def _total(index: Index, known: dict[str, int]) -> int:
    """All chunks, kept under the term that there is not."""
    if "" not in known:
        rows = index.query("select value from meta where key = 'chunks'")
        known[""] = int(rows[0][0]) if rows else 0
    return known[""]


def _idf(count: int, total: int) -> float:
    """What a term is worth: always positive, and as if the store had some more chunks, so that a
    handful of notes does not decide which words are common."""
    return math.log(1 + (total + _PRIOR - count + 0.5) / (count + 0.5))


def _fts_idf(count: int, total: int) -> float:
    """What FTS5's bm25() takes for it."""
    return max(math.log((total - count + 0.5) / (count + 0.5)), 1e-6)
