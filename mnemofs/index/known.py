"""What the index remembers of files, so that a look need not read ten thousand rows again."""

from __future__ import annotations

import apsw

from mnemofs.index.freshness import Known, fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from mnemofs.index.sidecar import Index
    from mnemofs.store.filestat import FileStat

# Files whose rows are read again after they were written; for more, all are.
_FOLLOWED = 200
_COLUMNS = "path, blob, seen, problem, size, mtime, ino, ctime"


class KnownFiles:
    """The rows of one index's files, as far as this process has read them."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._rows: tuple[int, dict[str, Known]] = (-1, {})

    def forget(self) -> None:
        """The file is another one: its counters may be the same by chance."""
        self._rows = (-1, {})

    def all(self) -> dict[str, Known]:
        """Every file, by path."""
        written = self._written()
        if written != self._rows[0] or written < 0:
            self._rows = (written, self._read(f"select {_COLUMNS} from file"))
        return self._rows[1]

    def of(self, paths: Iterable[str]) -> dict[str, Known]:
        """Some of them, as they stand there now."""
        known: dict[str, Known] = {}
        for path in paths:
            known |= self._read(f"select {_COLUMNS} from file where path = ?", (path,))
        return known

    def follow(self, paths: list[str], transactions: int) -> None:
        """Take over what this process has just written to these paths, unless another one has
        written, too."""
        written, known = self._rows
        if written < 0 or len(paths) > _FOLLOWED or self._written() != written + transactions:
            return
        for path in paths:
            known.pop(path, None)
        known.update(self.of(paths))
        self._rows = (written + transactions, known)

    def settled(self, present: Mapping[str, FileStat]) -> bool:
        """Whether a look at these very files found that there is nothing to do, and nothing was
        written since: the rows need not be compared then."""
        rows = self._index.query(
            "select value, (select count(*) from file) from meta where key = 'settled'"
        )
        return bool(rows) and tuple(rows[0]) == (
            fingerprint(present, self._written()),
            len(present),
        )

    def settle(self, present: Mapping[str, FileStat]) -> None:
        """Note such a look."""
        number = fingerprint(present, self._written())
        try:
            with self._index.transaction(wait=False, silent=True) as connection:
                connection.execute("insert or replace into meta values('settled', ?)", (number,))
        except apsw.Error:
            pass  # the next look is a thorough one again

    def _written(self) -> int:
        """Counts the transactions that changed rows of `file`; -1 when there was none."""
        rows = self._index.query("select value from meta where key = 'files'")
        return int(rows[0][0]) if rows else -1

    def _read(self, sql: str, bindings: Any = ()) -> dict[str, Known]:
        rows = self._index.query(sql, bindings)
        return {row[0]: Known(row[1], row[2], row[3], row[4:]) for row in rows}
