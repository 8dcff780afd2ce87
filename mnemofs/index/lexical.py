"""The lexical lane: BM25 over body, neighbours, head and exact symbols, made comparable.

BM25 is divided by what the query could attain, the sum over its terms of the score of one
occurrence in an average chunk, which for FTS5's BM25 (k1 = 1.2, b = .75) is just the sum of the
terms' idf: ln((N - n + .5) / (n + .5)), at least 1e-6. So a query that matched almost nothing stays
weak, and scores of different stores can be put side by side (retrieval-lab §8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mnemofs.index.query import Query, Term

if TYPE_CHECKING:
    from mnemofs.index.sidecar import Index

# Candidates a lane hands to fusion, at least.
DEPTH = 128
_SMALLEST_IDF = 1e-6
# In a store of this many chunks, terms that stand in a twentieth of them choose no candidates any
# more: they only add to the score of those that the rarer terms have chosen.
_LARGE = 2000
_COMMON_SHARE = 0.05
_BM25 = "bm25(fts, 1.0, 0.4, 1.0, 1.0)"


@dataclass(frozen=True)
class Lexical:
    """scores: chunk id -> BM25 / attainable, best first. restricted: only these chunks hold what
    was asked for exactly. note: what a person should know about how it was read."""

    scores: dict[int, float]
    restricted: bool = False
    note: str = ""


def rank(index: Index, query: Query, depth: int = DEPTH) -> Lexical:
    """The `depth` best chunks for the query's terms."""
    known = index.term_counts()
    counts = {term: _count(index, term.match, known) for term in query.terms}
    total = max(_total(index), 1)
    present = sorted((term for term in query.terms if counts[term]), key=counts.__getitem__)
    required = [term for term in query.required if counts[term]]
    note = ""
    if len(required) < len(query.required):
        note = "no memory holds the quoted words exactly"
    if not present:
        return _otherwise(index, query, note)
    attainable = sum(_idf(counts[term], total) for term in query.terms)
    match = _either(present)
    common: list[Term] = []
    if required:
        match = " AND ".join(f"({term.match})" for term in required) + f" AND ({match})"
        attainable += sum(_idf(counts[term], total) for term in required)
    elif total >= _LARGE:
        common = _common(present, counts, total)
        match = _either(present[: len(present) - len(common)])
    rows = index.query(
        f"select rowid, -{_BM25} as score from fts where fts match ? order by score desc limit ?",
        (match, depth),
    )
    if common and rows:
        rows = _with_common(index, rows, _either(common))
    return Lexical(
        {row[0]: row[1] / attainable for row in rows},
        restricted=bool(required) or query.literal,
        note=note,
    )


def _otherwise(index: Index, query: Query, note: str) -> Lexical:
    from mnemofs.index import fallback

    if query.literal:
        scores = fallback.inside(index, query)
        note = note or ("found only inside longer words" if scores else "")
        return Lexical(scores, restricted=True, note=note)
    terms, said = fallback.corrected(index, query)
    if not terms:
        return Lexical({}, note=note)
    again = rank(index, replace(query, terms=terms, required=(), plain=()))
    return replace(again, note="; ".join(filter(None, (note, said))))


def _common(present: list[Term], counts: dict[Term, int], total: int) -> list[Term]:
    """The terms, of those given rarest first, that are too common to choose by; never so many that
    fewer than DEPTH candidates would be left."""
    chosen = 0
    for place, term in enumerate(present):
        if place and counts[term] > total * _COMMON_SHARE and chosen >= DEPTH:
            return present[place:]
        chosen += counts[term]
    return []


def _with_common(index: Index, rows: list[Any], match: str) -> list[Any]:
    """BM25 is a sum over terms, so the common ones may be added afterwards."""
    places = ",".join(str(row[0]) for row in rows)
    # The plus sign keeps SQLite from running the whole match once for each row.
    more = dict(
        index.query(
            f"select rowid, -{_BM25} from fts where fts match ? and +rowid in ({places})", (match,)
        )
    )
    whole = [(row[0], row[1] + more.get(row[0], 0.0)) for row in rows]
    return sorted(whole, key=lambda row: -row[1])


def _either(terms: list[Term]) -> str:
    return " OR ".join(f"({term.match})" for term in terms)


def _count(index: Index, match: str, known: dict[str, int]) -> int:
    if match not in known:
        rows = index.query("select count(*) from fts where fts match ?", (match,))
        known[match] = int(rows[0][0]) if rows else 0
    return known[match]


def _total(index: Index) -> int:
    rows = index.query("select value from meta where key = 'chunks'")
    return int(rows[0][0]) if rows else 0


def _idf(count: int, total: int) -> float:
    return max(math.log((total - count + 0.5) / (count + 0.5)), _SMALLEST_IDF)
