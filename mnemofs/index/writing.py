"""How rows get into the sidecar: by the smallest change that makes them those of the bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from mnemofs.index.database import value

if TYPE_CHECKING:
    from mnemofs.index.projection import Row
    from mnemofs.store.model import FileStat


@dataclass(frozen=True)
class Reading:
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
    embedder = active_embedder(connection)
    for reading in readings:
        row = connection.execute(
            "select id, blob, seen from file where path = ?", (reading.path,)
        ).fetchone()
        if row and row[2] > reading.seen_ns:
            continue
        bindings = (
            reading.stat.disk,
            reading.blob,
            reading.stat.size,
            reading.stat.mtime_ns,
            reading.stat.ino,
            reading.stat.ctime_ns,
            reading.seen_ns,
            reading.problem,
            reading.path,
        )
        if row is None:
            connection.execute(
                "insert into file(disk, blob, size, mtime, ino, ctime, seen, problem, path)"
                " values(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                bindings,
            )
            file = connection.last_insert_rowid()
        else:
            file = row[0]
            connection.execute(
                "update file set disk = ?, blob = ?, size = ?, mtime = ?, ino = ?, ctime = ?,"
                " seen = ?, problem = ? where path = ?",
                bindings,
            )
        if reading.rows is not None:
            _replace(connection, file, reading.rows, embedder)
            changed.append(reading.path)
    return changed


def remove(connection: apsw.Connection, paths: Iterable[str]) -> list[str]:
    """Forgets files and their rows, inside a transaction; the paths that were known."""
    removed = []
    for path in paths:
        file = value(connection, "select id from file where path = ?", (path,))
        if file is not None:
            _replace(connection, file, (), 0)
            connection.execute("delete from file where id = ?", (file,))
            removed.append(path)
    return removed


def active_embedder(connection: apsw.Connection) -> int:
    """The id of the embedder whose vectors count, 0 when there has been none."""
    return int(value(connection, "select value from meta where key = 'embedder'") or 0)


def _replace(connection: apsw.Connection, file: int, rows: tuple[Row, ...], embedder: int) -> None:
    """Keeps the rows that FTS holds already: one new bullet in a long file costs one row."""
    held: dict[bytes, list[Any]] = defaultdict(list)
    for old in connection.execute(
        "select row_hash, id, ordinal, first, last, date, author, names, timed,"
        " asks, size, heading, whole, vec_hash, vec"
        " from chunk where file = ? order by ordinal desc",
        (file,),
    ):
        held[old[0]].append(old)
    loose: set[int] = set()
    moved, fresh = [], []
    for row in rows:
        names = "\n".join(row.names)
        place = (row.ordinal, row.first, row.last, row.date, row.author, names)
        facts = (*place, row.timed, row.asks, row.size, row.heading, row.whole)
        matching = held.get(row.row_hash)
        if not matching:
            fresh.append((row, facts))
            continue
        old = matching.pop()
        if old[2:13] != facts or old[13] != row.vec_hash:
            moved.append((*facts, row.vec_hash, embedder, row.vec_hash, old[1]))
            if old[13] != row.vec_hash and old[14] is not None:
                loose.add(old[14])
    dead = [old for olds in held.values() for old in olds]
    loose.update(old[14] for old in dead if old[14] is not None)
    if dead:
        ids = [(old[1],) for old in dead]
        connection.executemany("delete from fts where rowid = ?", ids)
        connection.executemany("delete from chunk where id = ?", ids)
    if moved:
        connection.executemany(
            "update chunk set ordinal = ?, first = ?, last = ?, date = ?, author = ?, names = ?,"
            " timed = ?, asks = ?, size = ?, heading = ?, whole = ?,"
            " vec_hash = ?,"
            " vec = (select id from vector where embedder = ? and hash = ?) where id = ?",
            moved,
        )
    if fresh:
        start = int(value(connection, "select coalesce(max(id), 0) from chunk")) + 1
        connection.executemany(
            "insert into chunk(id, file, ordinal, first, last, date, author, names, timed,"
            " asks, size, heading, whole, row_hash, vec_hash, vec)"
            " values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            " (select id from vector where embedder = ? and hash = ?))",
            [
                (start + n, file, *facts, row.row_hash, row.vec_hash, embedder, row.vec_hash)
                for n, (row, facts) in enumerate(fresh)
            ],
        )
        connection.executemany(
            "insert into fts(rowid, body, ctx, head, sym) values(?, ?, ?, ?, ?)",
            [
                (start + n, row.body, row.ctx, row.head, row.sym)
                for n, (row, _facts) in enumerate(fresh)
            ],
        )
    if len(fresh) != len(dead):
        connection.execute(
            "update meta set value = value + ? where key = 'chunks'", (len(fresh) - len(dead),)
        )
    # EMB-05: a vector lives as long as some present chunk has its text.
    connection.executemany(
        "delete from vector where id = ? and not exists (select 1 from chunk where vec = ?)",
        [(vec, vec) for vec in loose],
    )
