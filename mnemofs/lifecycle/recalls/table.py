"""The tables behind `recall.RecallBook`: who entered which prompt, without any memory text.

`.mnemofs/recall.db` names entries by hash and path; what they say is read from the files when it
is shown, so that what is gone from the memory is gone here. The only words kept are those of
questions (masked, and only in the asker's own store) and the names of what was left out.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import apsw

from mnemofs.index.rows import sqlitefile
from mnemofs.index.rows.sqlitefile import configure, immediate
from mnemofs.names import SIDECAR_DIR

NAME = "recall.db"
_WAIT_MS = 2000
_DAMAGED = (apsw.CorruptError, apsw.NotADBError)
_SCHEMA = """
create table entry(id text primary key, path text not null, recalls integer not null,
    today integer not null, queries text not null, first real not null, last real not null)
    without rowid;
create table prompt(id text primary key, at real not null, owner text not null,
    query text not null, hash text not null, omitted text not null, packs text not null)
    without rowid;
create index prompt_at on prompt(at);
create table shown(prompt text not null, entry text not null, path text not null,
    line integer not null, why text not null, score real not null, parts text not null);
create index shown_prompt on shown(prompt);
create table pack(id text primary key, path text not null, blob text not null, why text not null,
    entries text not null) without rowid;
"""
_VERSION = crc32(_SCHEMA.encode()) & 0x7FFFFFFF  # tables of another form are another version


@contextlib.contextmanager
def opened(root: str) -> Iterator[apsw.Connection]:
    """The tables of the store at `root` inside one write transaction; made when there are none.

    Raises apsw.Error and OSError. A damaged file is begun anew: counts are worth less than a dream.
    """
    path = os.path.join(root, SIDECAR_DIR, NAME)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        connection = _connect(path)
    except _DAMAGED:
        drop(root)
        connection = _connect(path)
    try:
        with immediate(connection):
            yield connection
    finally:
        connection.close(True)


def rows(db: apsw.Connection, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
    """All rows of an answer."""
    return db.execute(sql, tuple(bindings)).fetchall()


def exists(root: str) -> bool:
    """Whether anything was counted here yet."""
    return os.path.exists(os.path.join(root, SIDECAR_DIR, NAME))


def drop(root: str) -> None:
    """Delete the tables."""
    sqlitefile.delete(os.path.join(root, SIDECAR_DIR, NAME))


def vacuum(root: str) -> None:
    """Rewrite the file without what its rows no longer hold; deleted when that cannot be done."""
    path = os.path.join(root, SIDECAR_DIR, NAME)
    if not os.path.exists(path):
        return
    try:
        connection = _connect(path)
        try:
            connection.execute("vacuum")
            (busy, _, _), *_ = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        finally:
            connection.close(True)
    except apsw.Error:
        busy = 1
    if busy:
        drop(root)


def _connect(path: str) -> apsw.Connection:
    connection = apsw.Connection(path)
    try:
        configure(connection, _WAIT_MS)
        if _stamp(connection) != _VERSION:
            with immediate(connection):
                if _stamp(connection) != _VERSION:
                    for (table,) in connection.execute(
                        "select name from sqlite_master where type='table'"
                    ).fetchall():
                        connection.execute(f"drop table {table}")
                    connection.execute(f"{_SCHEMA}pragma user_version={_VERSION}").fetchall()
    except BaseException:
        connection.close(True)
        raise
    return connection


def _stamp(connection: apsw.Connection) -> int:
    row: Any = connection.execute("pragma user_version").fetchone()
    return int(row[0])
