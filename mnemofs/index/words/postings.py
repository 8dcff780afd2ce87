"""Postings of a large store as arrays: FTS5's BM25 in a tenth of the time.

FTS5 spends two microseconds on each row that it weighs. Here a second copy of its words lies as
arrays, one for each term, made by `tend`; chunks that were written since (the tail) are weighed
from FTS5's own rows, and those that are gone are left out, so that both ways give the same scores.
In scripts without spaces two characters that stand together are a term, too, however rare; more of
them stand only where all their pairs do, and FTS5 is asked about the few such chunks. Other
phrases, symbols and rare words are always FTS5's.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mnemofs.index.rows.tally import BM25, NEAR, tallied
from mnemofs.index.terms.query import either
from mnemofs.index.words.packed import NOTHING, of_pair, unpack, unpack_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mnemofs.index.sidecar import Index
    from mnemofs.index.terms.query import Term
    from mnemofs.index.words.packed import Columns

    List = tuple[NDArray[np.int64], NDArray[np.float64]]

# What `posted.ready` says of arrays that are as this module reads them; 0: they are being made.
FORM = 2
# As FTS5 has it.
_K1, _B = 1.2, 0.75
# Chunks beyond the arrays; with more of them FTS5 does it all.
_TAIL = 4096
_TAIL_SHARE = 64
# To look for a phrase in one chunk costs FTS5 as much as to go through some hundreds. In more FTS5
# looks at them all: to tell a common run from its pairs would take their places, too.
_LOOKED_INTO = 64
# So many scores are looked through; of more, those that some term touched.
_FEW_SCORES = 1 << 15


def _unpacked(packed: bytes, upto: int) -> Columns:
    columns = unpack(packed)
    if int(columns[0][-1]) > upto:
        raise ValueError("chunks that are not in the arrays")
    return columns


def group_of(first: str) -> str:
    """The term under which the rare pairs stand that begin with this character; no word is so."""
    return f"{first} "


def longest_tail(total: int) -> int:
    """How many chunks may have been written since the arrays were made."""
    return max(_TAIL, total // _TAIL_SHARE)


class Arrays(NamedTuple):
    """The arrays of a store as one question finds them; they never change.

    upto: the last chunk in them; tail: how many chunks were written since. gone: chunks in them
    that are no more, ascending. lengths: tokens of each chunk, by its id.
    """

    segment: int
    upto: int
    tail: int
    gone: NDArray[np.int64]
    lengths: NDArray[np.uint32]


class Postings:
    """The postings of one index; safe to use from threads."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._seen: tuple[int, int] | None = None
        self._arrays: Arrays | None = None
        self._mean: tuple[Arrays, float] | None = None
        self._stems: dict[str, str] = {}

    def lists(self, terms: Sequence[Term]) -> Lists | None:
        """What the arrays know of `terms`; None when there are no arrays, or too many chunks are in
        none."""
        arrays = self._follow()
        if arrays is None:
            return None
        words = {term.word: self._stem(term.word) for term in terms if term.word}
        runs = {term: self._pairs(term.run) for term in terms if term.run}
        pairs = set(itertools.chain.from_iterable(runs.values()))
        try:
            found = self._read_columns(arrays, {*words.values(), *pairs} - {""}, pairs)
        except ValueError:
            return None  # damaged; `mnemofs doctor --index` tells
        if found is None:
            return None
        columns = {word: found[stem] for word, stem in words.items() if stem in found}
        for term, parts in runs.items():
            together = self._together(term, [found[pair] for pair in parts])
            if together is not None:
                columns[term.run] = together
        return Lists(self, arrays, columns)

    def _read_columns(
        self, arrays: Arrays, keys: set[str], pairs: set[str]
    ) -> dict[str, Columns] | None:
        """The postings of stored words and of pairs; of all pairs, but only of words that have any.
        None when the arrays are no more. Raises ValueError for damaged ones."""
        packed = self._read_rows(arrays, keys)
        missing = sorted(pairs - packed.keys())
        groups = self._read_rows(arrays, {group_of(pair[0]) for pair in missing})
        if (missing or not packed) and not self._index.query(
            "select 1 from posted where id = ?", (arrays.segment,)
        ):
            return None  # other arrays were made in this very moment
        found = {key: _unpacked(row, arrays.upto) for key, row in packed.items()}
        unpacked = {key: unpack_group(row) for key, row in groups.items()}
        for pair in missing:
            group = unpacked.get(group_of(pair[0]))
            columns = of_pair(group, ord(pair[1])) if group is not None else NOTHING
            if columns is None or columns[0].max(initial=0) > arrays.upto:
                raise ValueError("a pair without its row")
            found[pair] = columns
        return found

    def _read_rows(self, arrays: Arrays, keys: set[str]) -> dict[str, bytes]:
        if not keys:
            return {}
        return dict(
            self._index.query(
                "select term, packed from posting where segment = ?"
                f" and term in ({', '.join('?' * len(keys))})",
                (arrays.segment, *keys),
            )
        )

    def _pairs(self, run: str) -> list[str]:
        """The overlapping pairs of some characters as FTS5 stores those."""
        stems = [self._stem(char) for char in run]
        whole = all(len(stem) == 1 for stem in stems)
        return [left + right for left, right in itertools.pairwise(stems)] if whole else []

    def _together(self, term: Term, pairs: Sequence[Columns]) -> Columns | None:
        """Where all characters of a term stand together; None when it is better to ask FTS5."""
        if len(pairs) < 2:
            return pairs[0] if pairs else None
        chunks, own, near = min(pairs, key=lambda columns: len(columns[0]))
        for others, other_own, other_near in pairs:
            if not len(others):
                return NOTHING
            places = np.minimum(np.searchsorted(others, chunks), len(others) - 1)
            there = others[places] == chunks
            places = places[there]
            own, near = (
                np.minimum(own[there], other_own[places]),
                np.minimum(near[there], other_near[places]),
            )
            chunks = chunks[there]
            some = (own > 0) | (near > 0)
            chunks, own, near = chunks[some], own[some], near[some]
        if not len(chunks):
            return NOTHING
        if len(chunks) > _LOOKED_INTO:
            return None
        rows = self._index.query(
            "select rowid, tally(fts) from fts where fts match ?"
            f" and rowid in ({','.join(map(str, chunks.tolist()))})",
            (term.match,),
        )
        columns = np.array([(row[0], *tallied(row[1])[:2]) for row in sorted(rows)], np.int64)
        chunks, own, near = columns.reshape(-1, 3).T
        return chunks, own, near

    def mean_length(self, arrays: Arrays, term: Term) -> float:
        """Tokens of a row on average; term: one that some row holds."""
        if self._mean is None or self._mean[0] is not arrays:
            rows = self._index.query(
                "select totals(fts) from fts where fts match ? limit 1", (term.match,)
            )
            self._mean = arrays, (float(rows[0][0]) if rows else 0.0) or 1.0
        return self._mean[1]

    def query(self, sql: str, bindings: Any = ()) -> list[Any]:
        """A query of the index."""
        return self._index.query(sql, bindings)

    def _follow(self) -> Arrays | None:
        """The present arrays, None when there are none that are worth it."""
        with self._index.reading_lock:
            found = self._index.query(
                "select value, coalesce(p.id, 0), coalesce(p.upto, 0) from meta"
                " left join posted p on p.ready = ? where key = 'generation'",
                (FORM,),
            )
            generation, segment, upto = found[0] if found else (-1, 0, 0)
            if self._seen != (generation, segment):
                self._arrays = self._read(segment, upto) if segment else None
                self._seen = generation, segment
            return self._arrays

    def _read(self, segment: int, upto: int) -> Arrays | None:
        tail = int(self._index.query("select count(*) from chunk where id > ?", (upto,))[0][0])
        total = self._index.query("select value from meta where key = 'chunks'")
        if tail > longest_tail(int(total[0][0])):
            return None
        old = self._arrays
        if old is not None and old.segment == segment:
            lengths = old.lengths
        else:
            rows = self._index.query("select lengths from posted where id = ?", (segment,))
            if not rows:
                return None
            lengths = np.frombuffer(rows[0][0], np.uint32)
        gone = self._index.query("select chunk from gone where chunk <= ? order by chunk", (upto,))
        dead = np.fromiter((row[0] for row in gone), np.int64, len(gone))
        return Arrays(segment, upto, tail, dead, lengths)

    def _stem(self, word: str) -> str:
        """The word as FTS5 stores it, "" when that is not one token."""
        if word not in self._stems:
            if len(self._stems) > _TAIL:
                self._stems.clear()
            tokens = self._index.tokens(word)
            self._stems[word] = tokens[0] if len(tokens) == 1 else ""
        return self._stems[word]


class Lists:
    """The postings of one question's words, those that have any, and of its characters that stand
    together.

    columns: word or run -> (chunks, occurrences in each, in its neighbours).
    """

    def __init__(self, postings: Postings, arrays: Arrays, columns: Mapping[str, Columns]) -> None:
        self._of = postings
        self._arrays = arrays
        self._columns = columns
        self._weighted: dict[Term, List] = {}

    def holds(self, term: Term) -> bool:
        """Whether the arrays know this term, also that no chunk in them has it."""
        return (term.word or term.run) in self._columns

    def count(self, term: Term) -> int:
        """How many chunks hold it."""
        chunks = self._list(term)[0]
        gone = self._arrays.gone
        dead = int(np.isin(gone, chunks, assume_unique=True).sum()) if len(gone) else 0
        count = len(chunks) - dead
        if self._arrays.tail:
            rows = self._of.query(
                "select count(*) from fts where fts match ? and rowid > ?",
                (term.match, self._arrays.upto),
            )
            count += int(rows[0][0])
        return count

    def weigh(
        self,
        choosing: Sequence[Term],
        common: Sequence[Term],
        idf: Mapping[Term, float],
        depth: int,
    ) -> dict[int, float]:
        """BM25 of the `depth` best chunks for the terms `choosing`, with what `common` adds.

        idf: of each term, as FTS5 has it.
        """
        mean = self._of.mean_length(self._arrays, choosing[-1])
        best = self._best(choosing, idf, depth, mean)
        ids = np.array(sorted(best), np.int64)
        filed = ids[ids <= self._arrays.upto]
        for term in filter(self.holds, common):
            chunks, often = self._list(term)
            if len(chunks):  # a brief question may ask for what stands beside chunks only
                places = np.minimum(np.searchsorted(chunks, filed), len(chunks) - 1)
                there = chunks[places] == filed
                found = filed[there]
                parts = self._parts(
                    often[places[there]], self._arrays.lengths[found], idf[term], mean
                )
                for chunk, part in zip(found.tolist(), parts.tolist(), strict=True):
                    best[chunk] += part
            for chunk, number in self._rows_among("tally(fts)", [term], ids[len(filed) :]):
                best[chunk] += self._part(number, term, idf[term], mean)
        for chunk, score in self._rows_among(f"-{BM25}", self._others(common), ids):
            best[chunk] += score
        return best

    def _best(
        self, terms: Sequence[Term], idf: Mapping[Term, float], depth: int, mean: float
    ) -> dict[int, float]:
        upto = self._arrays.upto
        scores = np.zeros(upto + 1)
        late: dict[int, float] = {}
        rows = self._by_fts5(self._others(terms))
        filed = [row for row in rows if row[0] <= upto]
        late.update(row for row in rows if row[0] > upto)
        touched = [np.fromiter((row[0] for row in filed), np.int64, len(filed))]
        scores[touched[0]] += np.fromiter((row[1] for row in filed), np.float64, len(filed))
        for term in filter(self.holds, terms):
            chunks, often = self._list(term)
            touched.append(chunks)
            scores[chunks] += self._parts(often, self._arrays.lengths[chunks], idf[term], mean)
            for chunk, number in self._tail_rows(term):
                part = self._part(number, term, idf[term], mean)
                late[chunk] = late.get(chunk, 0.0) + part
        scores[self._arrays.gone] = 0
        best = _largest(scores, touched, depth)
        best |= late
        order = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return dict(order[:depth])

    def _others(self, terms: Sequence[Term]) -> list[Term]:
        """What FTS5 has to weigh."""
        return [term for term in terms if not self.holds(term)]

    def _by_fts5(self, terms: Sequence[Term]) -> list[Any]:
        """(chunk, BM25) of all that hold any of `terms`: BM25 is a sum over terms."""
        if not terms:
            return []
        return self._of.query(f"select rowid, -{BM25} from fts where fts match ?", (either(terms),))

    def _list(self, term: Term) -> List:
        """(chunks, weighted occurrences in each); a brief question asks for the chunk itself."""
        if term not in self._weighted:
            chunks, own, near = self._columns[term.word or term.run]
            if term.own:
                there = own > 0
                self._weighted[term] = chunks[there], own[there].astype(np.float64)
            else:
                self._weighted[term] = chunks, own + NEAR * near
        return self._weighted[term]

    def _tail_rows(self, term: Term) -> list[Any]:
        if not self._arrays.tail:
            return []
        return self._of.query(
            "select rowid, tally(fts) from fts where fts match ? and rowid > ?",
            (term.match, self._arrays.upto),
        )

    def _rows_among(self, what: str, terms: Sequence[Term], chunks: NDArray[np.int64]) -> list[Any]:
        """The plus sign keeps SQLite from running the whole match once for each row."""
        if not terms or not len(chunks):
            return []
        return self._of.query(
            f"select rowid, {what} from fts where fts match ?"
            f" and +rowid in ({','.join(map(str, chunks.tolist()))})",
            (either(terms),),
        )

    def _part(self, number: int, term: Term, idf: float, mean: float) -> float:
        own, near, length = tallied(number)
        often = np.array([own if term.own else own + NEAR * near])
        return float(self._parts(often, np.array([length]), idf, mean)[0])

    @staticmethod
    def _parts(
        often: NDArray[np.float64], lengths: NDArray[Any], idf: float, mean: float
    ) -> NDArray[np.float64]:
        made: NDArray[np.float64] = (idf * (_K1 + 1)) * often
        made /= often + _K1 * (1 - _B) + (_K1 * _B / mean) * lengths
        return made


def _largest(
    scores: NDArray[np.float64], touched: Sequence[NDArray[np.int64]], depth: int
) -> dict[int, float]:
    """The chunks with the `depth` largest scores, and what ties with the last of them."""
    if len(scores) <= _FEW_SCORES:
        every = np.flatnonzero(scores)
    else:
        every = np.concatenate(touched) if touched else np.empty(0, np.int64)
        values = scores[every]
        # A chunk stands here once for each of its terms.
        most = depth * max(len(touched), 1)
        if len(every) > most:
            least = np.partition(values, len(values) - most)[len(values) - most]
            every = every[values >= least]
        every = np.unique(every)
    values = scores[every]
    if len(every) > depth:
        least = np.partition(values, len(values) - depth)[len(values) - depth]
        every, values = every[values >= least], values[values >= least]
    pairs = zip(every.tolist(), values.tolist(), strict=True)
    return {chunk: value for chunk, value in pairs if value > 0}
