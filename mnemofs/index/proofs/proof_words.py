"""The full-text index against the words of the files, token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mnemofs.index.rows.database import FTS

if TYPE_CHECKING:
    import apsw

    from mnemofs.index.rows.projection import Row

_BATCH = 2000
# Differing words that are looked at one by one: enough to name every text of a small fault.
_LOOKED_AT = 500
# One number a token; two sums of them, so that words that changed places do not cancel out.
_TOKEN = "(doc * 7919 + offset * 31 + unicode(col))"
_SUMS = (
    f"select term, count(*), sum({_TOKEN} % 1000003), sum({_TOKEN} * 37 % 998244353)"
    " from {} group by term"
)


class Words:
    """A second full-text index of what should be there, beside the one that is."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._pending: list[tuple[Any, ...]] = []
        self._places: dict[int, tuple[str, int]] = {}
        self._passed: set[int] = set()
        self.differences: list[tuple[str, str, int, str]] = []
        # An attached file without a name is a temporary one: it need not fit into memory.
        connection.execute("attach '' as proof")
        connection.execute(FTS.format("proof.fts"))

    def expect(self, chunk: int, path: str, line: int, row: Row | None) -> None:
        """Row `chunk` should hold the words of `row`; None: there should be no such row, which was
        said already."""
        self._places[chunk] = (path, line)
        if row is None:
            self._passed.add(chunk)
            return
        self._pending.append((chunk, row.body, row.ctx, row.head, row.sym))
        if len(self._pending) >= _BATCH:
            self._flush()

    def pass_over(self, file: int) -> None:
        """Nothing more is to be said about the rows of this file."""
        rows = self._connection.execute("select id from chunk where file = ?", (file,))
        self._passed.update(row[0] for row in rows)

    def compare(self) -> int:
        """Fills `differences`; how many tokens are as they should be."""
        self._flush()
        self._rows()
        for name, schema in (("is_there", "main"), ("should_be", "proof")):
            self._connection.execute(
                f"create virtual table temp.{name} using fts5vocab({schema}, fts, instance)"
            )
        wanted = {row[0]: row[1:] for row in self._connection.execute(_SUMS.format("should_be"))}
        suspects = []
        right = 0
        for term, *sums in self._connection.execute(_SUMS.format("is_there")):
            if wanted.pop(term, None) == tuple(sums):
                right += sums[0]
            else:
                suspects.append(term)
        suspects += wanted
        self._name(sorted(suspects))
        return right

    def _flush(self) -> None:
        self._connection.executemany(
            "insert into proof.fts(rowid, body, ctx, head, sym) values(?, ?, ?, ?, ?)",
            self._pending,
        )
        self._pending = []

    def _rows(self) -> None:
        """Rows without a chunk, and chunks without a row."""
        for chunk in self._numbers(
            "select rowid from fts where rowid not in (select id from chunk)"
        ):
            self._passed.add(chunk)
            self._add("", 0, f"words of no text are indexed (row {chunk})")
        for chunk in self._numbers("select id from chunk where id not in (select rowid from fts)"):
            if chunk not in self._passed:
                self._passed.add(chunk)
                self._add(*self._places.get(chunk, ("", 0)), "cannot be found by its words")

    def _numbers(self, sql: str) -> list[int]:
        rows: list[Any] = self._connection.execute(sql).fetchall()
        return [row[0] for row in rows]

    def _name(self, suspects: list[str]) -> None:
        missing: dict[int, int] = {}
        surplus: dict[int, int] = {}
        for term in suspects[:_LOOKED_AT]:
            there, wanted = self._tokens("is_there", term), self._tokens("should_be", term)
            for chunk, *_place in wanted - there:
                missing[chunk] = missing.get(chunk, 0) + 1
            for chunk, *_place in there - wanted:
                surplus[chunk] = surplus.get(chunk, 0) + 1
        for chunk in sorted((missing.keys() | surplus.keys()) - self._passed):
            counts = f"{missing.get(chunk, 0)} missing, {surplus.get(chunk, 0)} that are not there"
            place = self._places.get(chunk, ("", 0))
            self._add(*place, f"is indexed with other words ({counts})")
        if len(suspects) > _LOOKED_AT:
            more = len(suspects) - _LOOKED_AT
            self._add("", 0, f"{more} more words are not indexed where they stand")

    def _tokens(self, table: str, term: str) -> set[Any]:
        rows = self._connection.execute(
            f"select doc, col, offset from {table} where term = ?", (term,)
        )
        return set(rows)

    def _add(self, path: str, line: int, detail: str) -> None:
        self.differences.append(("words", path, line, detail))
