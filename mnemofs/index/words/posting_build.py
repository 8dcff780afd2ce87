"""Making the postings of a large store, from what its full-text index holds.

They are made from a snapshot while others go on writing, put in place at once, and say up to which
chunk they go; a writer never gives such a number to another chunk (`writing`) and notes which of
them are gone.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from mnemofs.filelocks import only_one
from mnemofs.index.rows.database import value
from mnemofs.index.rows.writing import drop_postings
from mnemofs.index.terms.text import solitary_run
from mnemofs.index.words.packed import Group, pack, pack_group
from mnemofs.index.words.pair_build import CHUNK_BIT, HEAD_BIT, NEAR_BIT, Block, Pairs
from mnemofs.index.words.postings import FORM, group_of, longest_tail

if TYPE_CHECKING:
    from mnemofs.index.sidecar import Index, Progress

# Below this FTS5 alone is quick enough.
FROM_CHUNKS = 4000
# A word in fewer chunks is FTS5's, which is quick at that: most words are, and each costs a row.
# A pair of characters in fewer stands in a row with others.
FEW = 32
# Arrays of which more than this share is gone are made anew.
_MOST_GONE = 8
# Tokens that are sorted out at once, and terms that are written in one transaction.
_BATCH = 1 << 20
_WRITTEN = 20_000


class Posting(NamedTuple):
    """The chunks that hold a term, ascending, and how often each does and its neighbours do."""

    term: str
    chunks: NDArray[np.int64]
    own: NDArray[np.int64]
    near: NDArray[np.int64]


def tend(index: Index, progress: Progress | None = None) -> None:
    """Makes the arrays when the store has grown large, makes them anew when too much was written
    or deleted since or they are of another form, drops them when it is small again. Cheap when
    nothing is to do.

    Half a second for ten thousand chunks, in a second connection; nothing while another process
    prepares the index for meaning or for words. progress(done, total) counts tokens.
    """
    if not index.place:
        return
    total = int(index.query("select value from meta where key = 'chunks'")[0][0])
    rows = index.query("select id, upto from posted where ready = ?", (FORM,))
    if total < FROM_CHUNKS:
        if total < FROM_CHUNKS // 2 and index.query("select 1 from posted"):
            with index.writing_lock, index.transaction(silent=True) as connection:
                drop_postings(connection)
        return
    if rows:
        late = index.query("select count(*) from chunk where id > ?", (rows[0][1],))[0][0]
        gone = index.query("select count(*) from gone")[0][0]
        if late <= longest_tail(total) // 2 and gone <= total // _MOST_GONE:
            return
    with only_one(index.embedding_lock) as mine:
        if mine:
            source = apsw.Connection(index.place)
            try:
                _build(index, source, progress)
            finally:
                source.close(True)


def gather(
    connection: apsw.Connection,
    upto: int,
    lengths: NDArray[np.uint32],
    *,
    few: int,
    pairs: Pairs,
    progress: Progress | None = None,
) -> Iterator[Posting]:
    """The postings of the chunks up to `upto`, in the order of terms, for terms in `few` of them
    or more; the tokens of all terms are counted into `lengths`, by chunk. Afterwards `pairs` has
    all characters of scripts without spaces.

    connection: one whose snapshot does not move. progress(done, total) counts tokens.
    """
    connection.execute("create virtual table temp.terms using fts5vocab(main, fts, row)")
    connection.execute("create virtual table temp.tokens using fts5vocab(main, fts, instance)")
    numbers: Iterator[int] = (
        row[0]
        for row in connection.execute(
            f"select (doc << {CHUNK_BIT}) | ((col = 'ctx') << {NEAR_BIT})"
            f" | ((col = 'head') << {HEAD_BIT}) | offset from tokens"
        )
    )
    counted: list[Any] = connection.execute("select term, cnt from terms").fetchall()
    total = sum(count for _term, count in counted)
    done = size = first = 0
    for place, (_term, count) in enumerate(counted, 1):
        size += count
        if size >= _BATCH or place == len(counted):
            yield from _sorted_out(counted[first:place], numbers, upto, lengths, few, pairs)
            done, size, first = done + size, 0, place
            if progress is not None:
                progress(done, total)


def _sorted_out(
    counted: Sequence[tuple[str, int]],
    numbers: Iterator[int],
    upto: int,
    lengths: NDArray[np.uint32],
    few: int,
    pairs: Pairs,
) -> Iterator[Posting]:
    terms, counts = zip(*counted, strict=True)
    size = sum(counts)
    tokens = np.fromiter(itertools.islice(numbers, size), np.int64, size)
    term = np.repeat(np.arange(len(terms)), counts)
    chunk = tokens >> CHUNK_BIT
    old = chunk <= upto
    tokens, term, chunk = tokens[old], term[old], chunk[old]
    if not len(tokens):
        return
    code = np.fromiter(map(_solitary, terms), np.int64, len(terms))[term]
    pairs.take(tokens[code > 0], code[code > 0])
    near = tokens >> NEAR_BIT & 1
    lengths += np.bincount(chunk, minlength=len(lengths)).astype(np.uint32)
    first = np.flatnonzero(np.diff(chunk, prepend=-1) | np.diff(term, prepend=-1))
    often_near = np.add.reduceat(near, first)
    often = np.diff(first, append=len(chunk)) - often_near
    chunk, term = chunk[first], term[first]
    begins = np.flatnonzero(np.diff(term, prepend=-1))
    ends = np.append(begins[1:], len(term))
    many = ends - begins >= few
    for begin, end in zip(begins[many].tolist(), ends[many].tolist(), strict=True):
        yield Posting(
            terms[int(term[begin])], chunk[begin:end], often[begin:end], often_near[begin:end]
        )


def _solitary(term: str) -> int:
    """The code point of a character of a script without spaces, 0 for any other term."""
    return ord(term) if len(term) == 1 and solitary_run().match(term) else 0


def split(block: Block, few: int) -> tuple[list[Posting], Group]:
    """The pairs of a block that stand in `few` chunks or more, one by one, and the others."""
    begins = np.flatnonzero(np.diff(block.seconds, prepend=-1))
    sizes = np.diff(begins, append=len(block.seconds))
    seconds = block.seconds[begins]
    common = [
        Posting(
            block.first + chr(int(second)),
            block.chunks[begin : begin + size],
            block.own[begin : begin + size],
            block.near[begin : begin + size],
        )
        for second, begin, size in zip(seconds, begins, sizes, strict=True)
        if size >= few
    ]
    rare = np.repeat(sizes < few, sizes)
    sizes = np.where(sizes < few, sizes, 0)
    return common, Group(
        seconds.astype(np.uint32),
        sizes.astype(np.uint8),
        block.chunks[rare],
        block.own[rare],
        block.near[rare],
    )


def _rows(
    segment: int,
    source: apsw.Connection,
    upto: int,
    lengths: NDArray[np.uint32],
    pairs: Pairs,
    progress: Progress | None,
) -> Iterator[tuple[Any, ...]]:
    for one in gather(source, upto, lengths, few=FEW, pairs=pairs, progress=progress):
        yield _row(segment, one)
    for block in pairs.blocks():
        common, group = split(block, FEW)
        for one in common:
            yield _row(segment, one)
        yield segment, group_of(block.first), pack_group(group)


def _build(index: Index, source: apsw.Connection, progress: Progress | None) -> None:
    with index.writing_lock, index.transaction(silent=True) as connection:
        connection.execute(
            "delete from posting where segment in (select id from posted where not ready)"
        )
        connection.execute("delete from posted where not ready")
        upto = int(next(connection.execute("select value from meta where key = 'ids'"))[0])
        connection.execute("insert into posted(upto, ready, lengths) values(?, 0, x'')", (upto,))
        segment = connection.last_insert_rowid()
    lengths = np.zeros(upto + 1, np.uint32)
    # The transaction is one snapshot for all of it.
    with tempfile.TemporaryFile(dir=os.path.dirname(index.place)) as file, source:
        made = _rows(segment, source, upto, lengths, Pairs(upto, file), progress)
        while rows := list(itertools.islice(made, _WRITTEN)):
            with index.writing_lock, index.transaction(silent=True) as connection:
                connection.executemany(
                    "insert into posting(segment, term, packed) values(?, ?, ?)", rows
                )
    with index.writing_lock, index.transaction(silent=True) as connection:
        mine = "select 1 from posted where id = ? and not ready"
        if value(connection, mine, (segment,)) is None:  # the file was replaced meanwhile
            connection.execute("delete from posting where segment = ?", (segment,))
            return
        alive = np.fromiter(
            (row[0] for row in connection.execute("select id from chunk where id <= ?", (upto,))),
            np.int64,
        )
        held = lengths > 0
        held[alive] = False
        connection.execute("delete from gone")
        connection.executemany(
            "insert into gone values(?)", ((chunk,) for chunk in np.flatnonzero(held).tolist())
        )
        connection.execute("delete from posting where segment <> ?", (segment,))
        connection.execute("delete from posted where id <> ?", (segment,))
        connection.execute(
            "update posted set ready = ?, lengths = ? where id = ?",
            (FORM, lengths.tobytes(), segment),
        )


def _row(segment: int, one: Posting) -> tuple[Any, ...]:
    return segment, one.term, pack(one.chunks, one.own, one.near)
