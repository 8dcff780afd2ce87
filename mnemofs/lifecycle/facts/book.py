"""The facts of one store as a table: `.mnemofs/facts.db`, derived, and rebuilt when it is gone.

It follows the files by their stat and blob: only a file that changed is read again. Any number of
processes may use it. What is not derived are the counts of use; losing the file loses those only.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.errors import MnemofsError
from mnemofs.index.rows.blobs import blob_id
from mnemofs.index.rows.freshness import plan_index
from mnemofs.index.rows.sqlitefile import immediate
from mnemofs.lifecycle.facts import table
from mnemofs.lifecycle.facts.feedback import Feedback
from mnemofs.names import OWNERS_DIR, SETTINGS, SIDECAR_DIR, open_regular
from mnemofs.store.disk.filestat import FileStat

if TYPE_CHECKING:
    from types import TracebackType


class Row(NamedTuple):
    """A fact where it stands, as it is kept. file: see `path`; lim: its limit."""

    id: str
    subject: str
    predicate: str
    object: str
    statement: str
    section: str
    line: int
    last_line: int
    entry: str
    day: str
    source: str
    key: str
    slot: str
    value: str
    single: int
    lim: str
    negative: int
    category: str
    path: str
    file: int


class Origin(NamedTuple):
    """Who wrote a line, as the history has it."""

    commit: str
    time: str
    actor: str
    source: str
    trust: str


class Rebuilt(NamedTuple):
    """What a refresh did. changed, removed: paths that were read again or are gone; facts: how many
    there are now."""

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    facts: int = 0
    warnings: tuple[str, ...] = ()


def store_label(root: str) -> str:
    """What tells this store from others, the same on every machine: part of the ids of facts."""
    folder, name = os.path.split(os.path.abspath(root))
    workspace, around = os.path.split(folder)
    personal = around == OWNERS_DIR and os.path.isfile(os.path.join(workspace, SETTINGS))
    return f"owner {name}" if personal else "shared"


class FactBook:
    """The facts of the store at `root`, fresh at every question.

    Where the table cannot be written (a read-only disk, locked for long) it is made in memory.
    Close it, or use it in a `with`.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = os.fspath(root)
        self.label = store_label(self.root)
        self._path = os.path.join(self.root, SIDECAR_DIR, table.NAME)
        self._db: sqlite3.Connection | None = None

    def __enter__(self) -> FactBook:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Releases the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def refresh(self, *, rebuild: bool = False) -> Rebuilt:
        """Bring the table up to the files. rebuild: read every file again."""
        try:
            return self._refresh(self._open(), rebuild)
        except (sqlite3.DatabaseError, OSError):
            # Damaged, locked for long, or no place to write: the files are still there.
            self.close()
            with contextlib.suppress(sqlite3.DatabaseError, OSError):
                if not table.is_sound(self._path):
                    table.drop(self.root)
                    return self._refresh(self._open(), rebuild)
            self.close()
            self._db = table.connect(":memory:")
            return self._refresh(self._db, rebuild=False)

    def rows(self, *, ids: Iterable[str] | None = None) -> list[Row]:
        """The facts, each where it stands, in order of files and lines; those of some ids only."""
        if ids is None:
            return self._select("", [])
        values = sorted(set(ids))
        return self._select(f"where fact.id in ({table.marks(values)})", values)

    def ids_like(self, beginning: str) -> list[str]:
        """The ids that begin so."""
        if not beginning.isalnum():
            return []
        rows = self._open().execute(
            "select distinct id from fact where id >= ? and id < ? order by id",
            (beginning, beginning + "g"),
        )
        return [str(one) for (one,) in rows]

    def by_number(self, numbers: Sequence[int]) -> list[Row]:
        """The rows of these numbers, in ascending order of them."""
        found: list[Row] = []
        for start in range(0, len(numbers), 500):
            some = numbers[start : start + 500]
            found += self._select(f"where fact.row in ({table.marks(some)})", some, "fact.row")
        return found

    def count(self) -> int:
        """How many rows there are."""
        (number,) = self._open().execute("select count(*) from fact").fetchone()
        return int(number)

    def rarity(self, words: Iterable[str]) -> dict[str, int]:
        """In how many rows each word stands."""
        wanted = sorted(set(words))[:500]
        sql = f"select word, count(*) from term where word in ({table.marks(wanted)}) group by word"
        return dict(self._open().execute(sql, wanted).fetchall())

    def words_with(self, part: str, *, limit: int = 50) -> list[str]:
        """Words of facts that contain a part of a word; none for one or two letters."""
        if len(part) < 3:
            return []
        sql = "select distinct word from term where instr(word, ?) > 0 limit ?"
        return [str(word) for (word,) in self._open().execute(sql, (part, limit))]

    def rows_of(self, word: str) -> list[int]:
        """The rows that have a word."""
        found = self._open().execute("select row from term where word = ?", (word,))
        return [int(row) for (row,) in found]

    def rivals(self) -> list[Row]:
        """The facts that share what they are a value of with another fact."""
        where = (
            "where fact.slot in (select slot from fact where slot <> '' group by slot"
            " having count(distinct id) > 1)"
        )
        return self._select(where, [])

    def feedback(self, about: Iterable[str] | None = None) -> list[Feedback]:
        """What was said about these facts, or about all."""
        sql = "select id, about, kind, time from feedback"
        values: list[str] = []
        if about is not None:
            values = sorted(set(about))
            sql += f" where about in ({table.marks(values)})"
        return [
            Feedback(name, fact, kind, datetime.fromisoformat(at))
            for name, fact, kind, at in self._open().execute(sql, values)
        ]

    def used(self) -> dict[str, tuple[int, str]]:
        """How often each fact was asked for on this machine, and when last."""
        return {
            name: (count, last)
            for name, count, last in self._open().execute("select id, count, last from used")
        }

    def recalled(self) -> dict[str, int]:
        """How often each entry was recalled on any machine, up to the last dream of each."""
        rows = self._open().execute("select entry, sum(count) from recalled group by entry")
        return {entry: int(number) for entry, number in rows}

    def use(self, ids: Iterable[str], at: datetime) -> None:
        """Count that these facts were given to an agent. Never raises: a reader comes first."""
        rows = [(one, at.isoformat(timespec="seconds")) for one in set(ids)]
        with contextlib.suppress(sqlite3.DatabaseError), self._writing() as db:
            db.executemany(
                "insert into used values(?, 1, ?)"
                " on conflict(id) do update set count = count + 1, last = excluded.last",
                rows,
            )

    def origins(self, file: int) -> dict[int, Origin] | None:
        """Who wrote the lines of a file that facts stand on; None when nobody asked before."""
        found = self._open().execute(
            "select line, commit_id, time, actor, source, trust from origin where file = ?", (file,)
        )
        rows = {line: Origin(*rest) for line, *rest in found}
        return rows or None

    def remember_origins(self, file: int, found: dict[int, Origin]) -> None:
        """Keep what a look at the history found, for as long as the file stays as it is."""
        with contextlib.suppress(sqlite3.DatabaseError), self._writing() as db:
            db.executemany(
                "insert or replace into origin values(?, ?, ?, ?, ?, ?, ?)",
                [(file, line, *one) for line, one in found.items()],
            )

    def judged(self) -> dict[str, bool]:
        """What a model said of pairs: whether they contradict each other."""
        rows = self._open().execute("select pair, contradicts from judged")
        return {pair: bool(verdict) for pair, verdict in rows}

    def remember_judged(self, verdicts: Iterable[tuple[str, bool]]) -> None:
        """Keep verdicts as (pair, contradicts)."""
        rows = [(pair, int(verdict)) for pair, verdict in verdicts]
        with contextlib.suppress(sqlite3.DatabaseError), self._writing() as db:
            db.executemany("insert or replace into judged values(?, ?)", rows)

    def vacuum(self) -> bool:
        """Rewrite the file and empty its log; whether that could be done."""
        try:
            self._open().execute("vacuum")
            (busy, *_), *_ = self._open().execute("pragma wal_checkpoint(truncate)").fetchall()
            (place,) = self._open().execute("select file from pragma_database_list").fetchone()
        except sqlite3.DatabaseError:
            return False
        return not busy and bool(place)  # in memory: the file is as it was

    def _select(
        self, where: str, values: Sequence[Any], order: str = "file.path, fact.line, fact.row"
    ) -> list[Row]:
        columns = ", ".join(f"fact.{name.strip()}" for name in table.COLUMNS.split(","))
        sql = (
            f"select {columns}, fact.category, file.path, file.id from fact"
            f" join file on file.id = fact.file {where} order by {order}"
        )
        return [Row(*row) for row in self._open().execute(sql, values)]

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            self._db = table.connect(self._path)
        return self._db

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        db = self._open()
        with immediate(db):
            yield db

    def _refresh(self, db: sqlite3.Connection, rebuild: bool) -> Rebuilt:
        present = table.present(self.root)
        plan = plan_index({} if rebuild else table.known(db), present)
        changed: list[str] = []
        removed: list[str] = []
        warnings: list[str] = []
        if plan.check or plan.absent or (rebuild and table.known(db)):
            with self._writing():
                if rebuild:
                    removed += (path for path in table.known(db) if path not in present)
                    table.clear(db)
                for path in plan.absent:
                    table.take_out(db, path)
                    removed.append(path)
                for path in plan.check:
                    problem = self._look(db, path, present[path], changed)
                    warnings += [problem] if problem else []
        (facts,) = db.execute("select count(distinct id) from fact").fetchone()
        return Rebuilt(tuple(changed), tuple(removed), facts, tuple(warnings))

    def _look(self, db: sqlite3.Connection, path: str, stat: FileStat, changed: list[str]) -> str:
        """Read one file if its bytes are new; a warning when it cannot be read."""
        seen = time.time_ns()
        data: bytes | None
        try:
            data = open_regular(self.root, stat.disk)
            problem = ""
        except MnemofsError as error:
            data, problem = None, error.message
        blob = blob_id(data) if data is not None else None
        before = db.execute("select id, blob from file where path = ?", (path,)).fetchone()
        if before is not None and blob is None:
            table.take_out(db, path)
            before = None
        if before is None:
            cursor = db.execute(
                "insert into file(path, seen, problem) values(?, ?, ?)", (path, seen, problem)
            )
            before = (int(cursor.lastrowid or 0), "")
        file, known = before
        db.execute(
            "update file set blob=?, size=?, mtime=?, ino=?, ctime=?, seen=?, problem=?"
            " where id = ?",
            (blob, *stat[:4], seen, problem, file),
        )
        if data is None:
            return f"{path} was not read: {problem}"
        if blob == known:
            return ""
        changed.append(path)
        if path.endswith(".jsonl"):
            table.follow_ledger(db, file, data)
        else:
            table.follow(db, file, path, data, self.label)
        return ""


def scrub(root: str) -> None:
    """Bring the table up to the files and leave nothing of what they said before, not even in free
    pages; when that cannot be done, delete it."""
    if not os.path.exists(os.path.join(root, SIDECAR_DIR, table.NAME)):
        return
    with FactBook(root) as book:
        book.refresh()
        clean = book.vacuum()
    if not clean:
        table.drop(root)
