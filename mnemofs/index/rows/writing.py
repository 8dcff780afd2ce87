"""How rows get into the sidecar: by the smallest change that makes them those of the bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import apsw

from mnemofs.index.rows.database import value
from mnemofs.index.rows.inverted import take_out
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mnemofs.index.rows.projection import Row
    from mnemofs.store.disk.filestat import FileStat


# The columns of a chunk that are not its place in the index, in the order of `facts_of`.
FACTS = "ordinal, first, last, date, author, names, timed, asks, size, language, heading, whole"
_FACTS = FACTS.count(",") + 1


class Reading(Record):
    """A file as it was read: stat and time of just before, blob id, rows.

    rows None: the bytes are those known already, or could not be read (then `problem` says why and
    what was indexed before stays). rows (): nothing in it can be searched.
    """

    path: str
    stat: FileStat
    seen_ns: int
    blob: str | None
    rows: tuple[Row, ...] | None
    problem: str = ""


def put(connection: apsw.Connection, readings: Iterable[Reading]) -> list[str]:
    """Writes what was read, inside a transaction; the paths whose rows changed.

    A file that another process has read later than we did is left as that process wrote it.
    """
    changed = []
    writer = _Writer(connection)
    batch = list(readings)
    held: dict[str, tuple[int, int]] = {
        row[0]: row[1:]
        for row in connection.execute(
            f"select path, id, seen from file where path in ({','.join('?' * len(batch))})",
            [reading.path for reading in batch],
        )
    }
    new = int(value(connection, "select coalesce(max(id), 0) from file")) + 1
    known: list[tuple[Any, ...]] = []
    unknown: list[tuple[Any, ...]] = []
    for reading in batch:
        file, seen = held.get(reading.path, (new, -1))
        if seen > reading.seen_ns:
            continue
        if seen < 0:
            unknown.append((*_file_facts(reading), file, reading.path))
            new += 1
        else:
            known.append((*_file_facts(reading), file))
        if reading.rows is not None:
            writer.replace(file, reading.rows, known=seen >= 0)
            changed.append(reading.path)
    connection.executemany(
        "update file set disk = ?, blob = ?, size = ?, mtime = ?, ino = ?, ctime = ?,"
        " seen = ?, problem = ? where id = ?",
        known,
    )
    connection.executemany(
        "insert into file(disk, blob, size, mtime, ino, ctime, seen, problem, id, path)"
        " values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        unknown,
    )
    writer.flush()
    _count_changes(connection)
    return changed


def remove(connection: apsw.Connection, paths: Iterable[str]) -> list[str]:
    """Forgets files and their rows, inside a transaction; the paths that were known."""
    removed = []
    writer = _Writer(connection)
    for path in paths:
        file = value(connection, "select id from file where path = ?", (path,))
        if file is not None:
            writer.replace(file, (), known=True)
            connection.execute("delete from file where id = ?", (file,))
            removed.append(path)
    writer.flush()
    _count_changes(connection)
    return removed


def drop_postings(connection: apsw.Connection) -> None:
    """Deletes the arrays of words, inside a transaction; FTS5 does without, until they are made
    anew."""
    for table in ("posted", "posting", "gone"):
        connection.execute(f"delete from {table}")


def facts_of(row: Row) -> tuple[Any, ...]:
    """What `chunk` holds of a row in the columns of FACTS."""
    return row[:_FACTS]


def active_embedder(connection: apsw.Connection) -> int:
    """The id of the embedder whose vectors count, 0 when there has been none."""
    return int(value(connection, "select value from meta where key = 'embedder'") or 0)


def _count_changes(connection: apsw.Connection) -> None:
    """Tells others that the rows of files are not those they know."""
    connection.execute(
        "insert into meta values('files', 1) on conflict(key) do update set value = value + 1"
    )


def _file_facts(reading: Reading) -> tuple[Any, ...]:
    stat = reading.stat
    return (
        *(stat.disk, reading.blob, stat.size, stat.mtime_ns, stat.ino, stat.ctime_ns),
        *(reading.seen_ns, reading.problem),
    )


class _Writer:
    """Gathers the rows of several files, since one statement for many rows is far cheaper."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._embedder = active_embedder(connection)
        # Never an id that was in use: postings may still know that chunk by it.
        self._next = int(value(connection, "select value from meta where key = 'ids'")) + 1
        self._posted = value(connection, "select 1 from posted") is not None
        self._dead: list[tuple[int]] = []
        self._moved: list[tuple[Any, ...]] = []
        self._chunks: list[tuple[Any, ...]] = []
        self._texts: list[tuple[Any, ...]] = []
        self._loose: set[bytes] = set()

    def replace(self, file: int, rows: tuple[Row, ...], *, known: bool) -> None:
        """Makes the rows of `file` these, at `flush`. Keeps those that FTS holds already: one new
        bullet in a long file costs one row."""
        held = self._held(file) if known else {}
        for row in rows:
            facts = facts_of(row)
            same = held.get(row.row_hash)
            if same:
                self._keep(same.pop(), facts, row.vec_hash)
                continue
            self._chunks.append(
                (self._next, file, *facts, row.row_hash, row.vec_hash, self._embedder, row.vec_hash)
            )
            self._texts.append((self._next, row.body, row.ctx, row.head, row.sym))
            self._next += 1
        for gone in held.values():
            for old in gone:
                self._dead.append((old[1],))
                self._loose.add(old[-2])

    def flush(self) -> None:
        """Writes what was gathered."""
        run = self._connection.executemany
        run("delete from fts where rowid = ?", self._dead)
        run("delete from chunk where id = ?", self._dead)
        if self._posted:
            run("insert or ignore into gone values(?)", self._dead)
        run(
            f"update chunk set {FACTS.replace(',', ' = ?,')} = ?, vec_hash = ?,"
            " vec = (select id from vector where embedder = ? and hash = ?) where id = ?",
            self._moved,
        )
        run(
            f"insert into chunk(id, file, {FACTS}, row_hash, vec_hash, vec)"
            " values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            " (select id from vector where embedder = ? and hash = ?))",
            self._chunks,
        )
        run("insert into fts(rowid, body, ctx, head, sym) values(?, ?, ?, ?, ?)", self._texts)
        self._connection.execute(
            "update meta set value = value + ? where key = 'chunks'",
            (len(self._chunks) - len(self._dead),),
        )
        self._connection.execute("update meta set value = ? where key = 'ids'", (self._next - 1,))
        self._let_go()

    def _let_go(self) -> None:
        """A vector lives as long as some present chunk has its text (EMB-05), of whatever model."""
        if not self._loose or value(self._connection, "select 1 from embedder") is None:
            return
        gone: list[tuple[Any, ...]] = []
        for key in self._loose:
            gone += self._connection.execute(
                "select id from vector where embedder in (select id from embedder) and hash = ?"
                " and not exists (select 1 from chunk where vec_hash = ?)",
                (key, key),
            )
        self._connection.executemany("delete from vector where id = ?", gone)
        take_out(self._connection, [row[0] for row in gone])

    def _held(self, file: int) -> dict[bytes, list[Any]]:
        held: dict[bytes, list[Any]] = defaultdict(list)
        for old in self._connection.execute(
            f"select row_hash, id, {FACTS}, vec_hash, vec from chunk"
            " where file = ? order by ordinal desc",
            (file,),
        ):
            held[old[0]].append(old)
        return held

    def _keep(self, old: Any, facts: tuple[Any, ...], vec_hash: bytes) -> None:
        if old[2:-2] == facts and old[-2] == vec_hash:
            return
        self._moved.append((*facts, vec_hash, self._embedder, vec_hash, old[1]))
        if old[-2] != vec_hash:
            self._loose.add(old[-2])
