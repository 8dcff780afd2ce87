"""The arrays of a large store's words against the full-text index they were made from."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from mnemofs.index.terms.text import solitary_run

if TYPE_CHECKING:
    import apsw

    from mnemofs.index.words.pair_build import Block

# So many terms that differ are named.
_NAMED = 3


def compare(connection: apsw.Connection) -> list[str]:
    """Sentences about what differs; none when there are no arrays. Inside one snapshot."""
    if not connection.execute("select 1 from posted").fetchall():
        return []
    import numpy as np

    from mnemofs.index.words.postings import FORM

    rows: list[Any] = connection.execute(
        "select id, upto, lengths from posted where ready = ?", (FORM,)
    ).fetchall()
    if not rows:
        return []
    segment, upto, lengths = rows[0]
    found = []
    alive = connection.execute("select count(*) from gone where chunk in (select id from chunk)")
    count = next(alive)[0]
    if count:
        found.append(f"{count} texts are taken for deleted in the arrays of words")
    kept = np.frombuffer(lengths, np.uint32)
    if len(kept) != upto + 1:
        return [*found, "the arrays of words do not have the lengths of all texts"]
    gone = {row[0] for row in connection.execute("select chunk from gone")}
    counted = np.zeros(upto + 1, np.uint32)
    wrong = _wrong_terms(connection, segment, gone, counted)
    there = counted > 0
    if not np.array_equal(counted[there], kept[there]):
        found.append("lengths of texts are wrong in the arrays of words")
    if wrong:
        named = ", ".join(repr(term) for term in wrong[:_NAMED])
        more = ", ..." if len(wrong) > _NAMED else ""
        found.append(f"{len(wrong)} words have other texts in their arrays: {named}{more}")
    return found


def _wrong_terms(
    connection: apsw.Connection, segment: int, gone: set[int], lengths: Any
) -> list[str]:
    import numpy as np

    from mnemofs.index.words.pair_build import Pairs
    from mnemofs.index.words.posting_build import FEW, gather

    held = _Held(connection, segment, np.array(sorted(gone), np.int64))
    wrong: list[str] = []
    upto = len(lengths) - 1
    with tempfile.TemporaryFile(dir=os.path.dirname(connection.db_filename("main"))) as file:
        pairs = Pairs(upto, file)
        for one in gather(connection, upto, lengths, few=1, pairs=pairs):
            if one.term in held.terms or len(one.chunks) >= FEW:
                wanted = (one.chunks, np.minimum(one.own, 255), np.minimum(one.near, 255))
                if not _same(held.take(one.term), wanted):
                    wrong.append(one.term)
        for block in pairs.blocks():
            wrong += held.differing(block)
    return wrong + held.left()


class _Held:
    """The rows of the arrays, each taken once. terms: those not taken yet."""

    def __init__(self, connection: apsw.Connection, segment: int, dead: Any) -> None:
        self._connection = connection
        self._segment = segment
        self._dead = dead
        self.terms: set[str] = set()
        self._by_first: dict[str, set[str]] = {}
        for (term,) in connection.execute("select term from posting where segment = ?", (segment,)):
            self.terms.add(term)
            if len(term) > 1 and solitary_run().match(term):  # no word is longer that begins so
                self._by_first.setdefault(term[0], set()).add(term)

    def take(self, term: str) -> Any:
        """The columns of a term, without chunks that are gone; None for damaged ones."""
        from mnemofs.index.words.packed import NOTHING, unpack

        packed = self._packed(term)
        try:
            return self._alive(unpack(packed) if packed else NOTHING)
        except ValueError:
            return None

    def differing(self, block: Block) -> list[str]:
        """The pairs with the block's first character that are held otherwise."""
        import numpy as np

        held, wrong = self._pairs(block.first)
        own, near = np.minimum(block.own, 255), np.minimum(block.near, 255)
        wanted = (block.seconds, block.chunks, own, near)
        if not wrong and _same(held, wanted):
            return []
        found, other = (
            set(zip(*(c.tolist() for c in columns), strict=True)) for columns in (held, wanted)
        )
        return sorted({*wrong, *(block.first + chr(row[0]) for row in found ^ other)})

    def left(self) -> list[str]:
        """Terms that were not taken and yet stand in some chunk."""
        wrong: list[str] = []
        for first in sorted(self._by_first):
            held, unsound = self._pairs(first)
            wrong += {*unsound, *(first + chr(code) for code in held[0].tolist())}
        for term in sorted(self.terms):
            columns = self.take(term)
            if columns is None or len(columns[0]):
                wrong.append(term)
        return wrong

    def _pairs(self, first: str) -> tuple[Any, list[str]]:
        """((second, chunk, own, near) by second and chunk, pairs whose rows are damaged)."""
        import numpy as np

        from mnemofs.index.words.packed import unpack_group
        from mnemofs.index.words.postings import group_of

        alone = self._by_first.pop(first, set()) - {group_of(first)}
        packed = self._packed(group_of(first))
        parts: list[Any] = []
        wrong: list[str] = []
        expected: set[str] = set()
        if packed:
            try:
                group = unpack_group(packed)
                seconds = np.repeat(group.seconds.astype(np.int64), group.sizes)
                parts.append(self._alive((group.chunks, group.own, group.near, seconds)))
                expected = {first + chr(code) for code in group.seconds[group.sizes == 0].tolist()}
            except ValueError:
                wrong.append(group_of(first))
        wrong += alone ^ expected
        for pair in alone:
            columns = self.take(pair)
            if columns is None:
                wrong.append(pair)
            else:
                parts.append((*columns, np.full(len(columns[0]), ord(pair[1]), np.int64)))
        if not parts:
            return (np.empty(0, np.int64),) * 4, wrong
        chunks, own, near, seconds = (np.concatenate(some) for some in zip(*parts, strict=True))
        order = np.lexsort((chunks, seconds))
        return (seconds[order], chunks[order], own[order], near[order]), wrong

    def _packed(self, term: str) -> bytes:
        self.terms.discard(term)
        rows: list[Any] = self._connection.execute(
            "select packed from posting where segment = ? and term = ?", (self._segment, term)
        ).fetchall()
        return rows[0][0] if rows else b""

    def _alive(self, columns: Any) -> Any:
        import numpy as np

        stay = np.isin(columns[0], self._dead, invert=True)
        return tuple(column[stay] for column in columns)


def _same(found: Any, wanted: tuple[Any, ...]) -> bool:
    import numpy as np

    return found is not None and all(map(np.array_equal, found, wanted))
