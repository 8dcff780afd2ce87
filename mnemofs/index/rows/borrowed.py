"""Vectors that were made for another index of the same store: taken over, and kept for the next."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import apsw

_MAX_BYTES = 256 << 20
_SCHEMA = (
    "create table if not exists vector(name text not null, dims integer not null,"
    " hash blob not null, q8 blob not null, primary key(name, dims, hash)) without rowid"
)


def take(connection: apsw.Connection, number: int, sources: Sequence[str]) -> None:
    """Copy the vectors that chunks of this index wait for from an `index.db` and a cache, inside a
    transaction, and link them.

    number: the embedder in use here. sources: paths of the two; missing ones are passed over.
    """
    missing: list[Any] = connection.execute(
        "select distinct vec_hash from chunk where vec is null"
    ).fetchall()
    waiting = [row[0] for row in missing]
    if waiting:
        rows: list[Any] = connection.execute(
            "select name, dims from embedder where id = ?", (number,)
        ).fetchall()
        name, dims = rows[0]
        for path, query in zip(sources, (_FROM_INDEX, _FROM_CACHE), strict=True):
            found = list(_look_up(path, query, (name, dims), waiting))
            connection.executemany(
                "insert or ignore into vector(embedder, hash, q8) values(?, ?, ?)",
                [(number, key, packed) for key, packed in found],
            )
            got = {key for key, _ in found}
            waiting = [key for key in waiting if key not in got]
        connection.execute(
            "update chunk set vec = (select id from vector where embedder = ? and hash = vec_hash)"
            " where vec is null",
            (number,),
        )


def keep(query: Callable[..., list[Any]], number: int, newest: int, cache: str) -> None:
    """Write the vectors that an index got after the one with the id `newest` into the cache.

    query: of that index. A cache that cannot be written is done without.
    """
    rows = query(
        "select e.name, e.dims, v.hash, v.q8 from vector v join embedder e"
        " on e.id = v.embedder where v.embedder = ? and v.id > ?",
        (number, newest),
    )
    with contextlib.suppress(apsw.Error, OSError):
        if os.path.exists(cache) and os.path.getsize(cache) > _MAX_BYTES:
            os.unlink(cache)
        connection = apsw.Connection(cache)
        try:
            connection.set_busy_timeout(2000)
            connection.execute(_SCHEMA)
            with connection:
                connection.executemany("insert or ignore into vector values(?, ?, ?, ?)", rows)
        finally:
            connection.close(True)


_FROM_INDEX = (
    "select v.q8 from vector v join embedder e on e.id = v.embedder"
    " where e.name = ? and e.dims = ? and v.hash = ?"
)
_FROM_CACHE = "select q8 from vector where name = ? and dims = ? and hash = ?"


def _look_up(
    path: str, query: str, embedder: tuple[str, int], keys: Sequence[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    if not os.path.exists(path):
        return
    try:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return
    try:
        connection.set_busy_timeout(2000)
        for key in keys:
            found: list[Any] = connection.execute(query, (*embedder, key)).fetchall()
            for (packed,) in found:
                yield key, packed
    except apsw.Error:
        return
    finally:
        connection.close(True)
