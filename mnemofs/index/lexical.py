"""The lexical lane: BM25 over body, neighbours, head and exact symbols, made comparable.

BM25 is divided by what the query could attain, the sum over its terms of the score of one
occurrence in an average chunk, which for FTS5's BM25 (k1 = 1.2, b = .75) is just the sum of the
terms' idf: ln((N - n + .5) / (n + .5)), at least 1e-6. So a query that matched almost nothing stays
weak, and scores of different stores can be put side by side (retrieval-lab §8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemofs.index.query import Query, Term

if TYPE_CHECKING:
    from mnemofs.index.sidecar import Index

# Candidates a lane hands to fusion.
DEPTH = 200
_SMALLEST_IDF = 1e-6
# Above this many chunks very common words are not worth their scan.
_PRUNE_ABOVE = 100_000
_COMMON_SHARE = 0.01


@dataclass(frozen=True)
class Lexical:
    """scores: chunk id -> BM25 / attainable, best first. restricted: only these chunks hold what
    was asked for exactly. note: what a person should know about how it was read."""

    scores: dict[int, float]
    restricted: bool = False
    note: str = ""


def rank(index: Index, query: Query) -> Lexical:
    """The best chunks for the query's terms."""
    if not query.terms:
        return Lexical({})
    counts = {term: _count(index, term) for term in query.terms}
    total = max(_total(index), 1)
    present = [term for term in query.terms if counts[term]]
    required = [term for term in query.required if counts[term]]
    note = ""
    if len(required) < len(query.required):
        note = "no memory holds the quoted words exactly"
    if query.literal and not present:
        return _inside_words(index, query)
    if not present:
        return Lexical({}, note=note)
    attainable = sum(_idf(counts[term], total) for term in query.terms)
    asked = _pruned(present, counts, total)
    match = " OR ".join(f"({term.match})" for term in asked)
    if required:
        match = " AND ".join(f"({term.match})" for term in required) + f" AND ({match})"
        attainable += sum(_idf(counts[term], total) for term in required)
    rows = index.query(
        "select rowid, -rank from fts where fts match ? order by rank limit ?", (match, DEPTH)
    )
    scores = {row[0]: row[1] / attainable for row in rows}
    return Lexical(scores, restricted=bool(required) or query.literal, note=note)


def _inside_words(index: Index, query: Query) -> Lexical:
    """Exact terms that stand nowhere as words: perhaps they stand inside longer ones."""
    return Lexical({}, restricted=True)


def _pruned(terms: list[Term], counts: dict[Term, int], total: int) -> list[Term]:
    if total < _PRUNE_ABOVE:
        return terms
    rare = [term for term in terms if counts[term] < total * _COMMON_SHARE]
    return rare if len(rare) >= 2 else terms


def _count(index: Index, term: Term) -> int:
    return int(index.query("select count(*) from fts where fts match ?", (term.match,))[0][0])


def _total(index: Index) -> int:
    rows = index.query("select value from meta where key = 'chunks'")
    return int(rows[0][0]) if rows else 0


def _idf(count: int, total: int) -> float:
    return max(math.log((total - count + 0.5) / (count + 0.5)), _SMALLEST_IDF)
