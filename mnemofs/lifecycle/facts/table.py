"""The table behind `facts_book`: its form, and how rows come and go."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from mnemofs.index.rows import sqlitefile
from mnemofs.index.rows.freshness import Known
from mnemofs.lifecycle.facts.feedback import read_feedback
from mnemofs.lifecycle.facts.projection import (
    FILES,
    FOLDER,
    Projected,
    category_of,
    project_entry,
    stated_entries,
)
from mnemofs.lifecycle.facts.terms import terms_of
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.disk.filestat import FileStat

NAME: Final = "facts.db"
# Bumped when the same bytes would give other facts; tables of another form are noticed by it.
VERSION: Final = 2
_WAIT_SECONDS: Final = 2.0
COLUMNS: Final = (
    "id, subject, predicate, object, statement, section, line, last_line, entry, day, source, key,"
    " slot, value, single, lim, negative"
)
_SCHEMA: Final = f"""
create table file(id integer primary key, path text not null unique, blob text, size integer,
    mtime integer, ino integer, ctime integer, seen integer, problem text not null default '');
create table fact(row integer primary key, file integer not null, id text not null, subject text,
    predicate text, object text, statement text, section text, line integer, last_line integer,
    entry text, day text, source text, key text, slot text, value text, single integer, lim text,
    negative integer, category text, mark text);
create table entry(file integer not null, mark text not null, line integer not null,
    last_line integer not null, primary key(file, mark)) without rowid;
create index fact_file on fact(file, mark);
create index fact_id on fact(id);
create index fact_slot on fact(slot);
create table term(word text not null, row integer not null, primary key(word, row)) without rowid;
create index term_row on term(row);
create table feedback(id text not null, file integer not null, about text not null,
    kind text not null, time text not null, primary key(id, file)) without rowid;
create index feedback_about on feedback(about);
create table recalled(file integer not null, entry text not null, count integer not null,
    primary key(file, entry)) without rowid;
create table origin(file integer not null, line integer not null, commit_id text, time text,
    actor text, source text, trust text, primary key(file, line)) without rowid;
create table used(id text primary key, count integer not null, last text not null) without rowid;
create table judged(pair text primary key, contradicts integer not null)
    without rowid;
pragma user_version={VERSION};
"""


def drop(root: str) -> None:
    """Delete the table of a store; it is built again when asked for."""
    sqlitefile.delete(os.path.join(root, SIDECAR_DIR, NAME))


def connect(path: str) -> sqlite3.Connection:
    """Open the table, made anew when it is of another version or of another form."""
    db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
    db.execute("pragma secure_delete = on")
    if path != ":memory:":
        db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = off")
    if _form(db) != _wanted():
        with sqlitefile.immediate(db):
            if _form(db) != _wanted():
                for kind, name in db.execute(
                    "select type, name from sqlite_master where type in ('table', 'view')"
                    " and name not like 'sqlite\\_%' escape '\\'"
                ).fetchall():
                    db.execute(f'drop {kind} "{name.replace(chr(34), chr(34) * 2)}"')
                for statement in _SCHEMA.split(";"):
                    db.execute(statement)
    return db


def _form(db: sqlite3.Connection) -> tuple[int, frozenset[str]]:
    (version,) = db.execute("pragma user_version").fetchone()
    rows = db.execute(
        "select sql from sqlite_master where sql is not null and name not like 'sqlite%'"
    )
    return version, frozenset(sql for (sql,) in rows)


@cache
def _wanted() -> tuple[int, frozenset[str]]:
    db = sqlite3.connect(":memory:")
    db.executescript(_SCHEMA)
    form = _form(db)
    db.close()
    return form


def is_sound(path: str) -> bool:
    """Whether the file can be read as a database: False only when that is certain."""
    try:
        db = sqlite3.connect(path, timeout=_WAIT_SECONDS)
        try:
            (answer,) = db.execute("pragma quick_check(1)").fetchone()
        finally:
            db.close()
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False
    return str(answer) == "ok"


def present(root: str) -> dict[str, FileStat]:
    """The files that facts and feedback are read from, as they are."""
    found: dict[str, FileStat] = {}
    paths = [*FILES]
    for folder, suffix in ((FOLDER, ".md"), ("ledger", ".jsonl")):
        if os.path.islink(os.path.join(root, folder)):  # SEC-02
            continue
        with contextlib.suppress(OSError):
            names = sorted(os.listdir(os.path.join(root, folder)))
            paths += (f"{folder}/{name}" for name in names if name.endswith(suffix))
    for path in paths:
        with contextlib.suppress(OSError):
            status = os.stat(os.path.join(root, path), follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                found[path] = FileStat(
                    status.st_size,
                    status.st_mtime_ns,
                    status.st_ino,
                    status.st_ctime_ns,
                    status.st_mode,
                    path,
                )
    return found


def known(db: sqlite3.Connection) -> dict[str, Known]:
    """The files as they were when they were read."""
    rows = db.execute("select path, blob, seen, problem, size, mtime, ino, ctime from file")
    return {
        path: Known(blob, seen, problem, (size, mtime, ino, ctime))
        for path, blob, seen, problem, size, mtime, ino, ctime in rows
    }


def take_out(db: sqlite3.Connection, path: str) -> None:
    """Remove all rows of a file."""
    for (file,) in db.execute("select id from file where path = ?", (path,)).fetchall():
        db.execute("delete from term where row in (select row from fact where file = ?)", (file,))
        for table in ("fact", "entry", "feedback", "recalled", "origin"):
            db.execute(f"delete from {table} where file = ?", (file,))
        db.execute("delete from file where id = ?", (file,))


def clear(db: sqlite3.Connection) -> None:
    """Remove all rows that are derived."""
    for table in ("file", "fact", "entry", "term", "feedback", "recalled", "origin"):
        db.execute(f"delete from {table}")


def follow(db: sqlite3.Connection, file: int, path: str, data: bytes, label: str) -> None:
    """Bring the facts of a file up to its bytes: only entries that are new are read, of those that
    moved the lines change, those that are gone go."""
    present = {one.mark: one for one in stated_entries(path, data)}
    known = {
        mark: (line, last)
        for mark, line, last in db.execute(
            "select mark, line, last_line from entry where file = ?", (file,)
        )
    }
    gone = [(file, mark) for mark in known if mark not in present]
    db.executemany(
        "delete from term where row in (select row from fact where file = ? and mark = ?)", gone
    )
    db.executemany("delete from fact where file = ? and mark = ?", gone)
    db.executemany("delete from entry where file = ? and mark = ?", gone)
    db.execute("delete from origin where file = ?", (file,))
    moved = [
        (one.entry.line, one.entry.last_line, file, mark)
        for mark, one in present.items()
        if mark in known and known[mark] != (one.entry.line, one.entry.last_line)
    ]
    for name in ("fact", "entry"):
        db.executemany(
            f"update {name} set line = ?, last_line = ? where file = ? and mark = ?", moved
        )
    category = category_of(path)
    for mark, one in present.items():
        if mark not in known:
            db.execute(
                "insert into entry values(?, ?, ?, ?)",
                (file, mark, one.entry.line, one.entry.last_line),
            )
            for fact in project_entry(path, one, label):
                _put(db, file, fact, category, mark)


def follow_ledger(db: sqlite3.Connection, file: int, data: bytes) -> None:
    """Bring what a ledger file says of facts and entries up to its bytes."""
    db.execute("delete from feedback where file = ?", (file,))
    db.executemany(
        "insert or replace into feedback values(?, ?, ?, ?, ?)",
        [(one.id, file, one.about, one.kind, one.time.isoformat()) for one in read_feedback(data)],
    )
    db.execute("delete from recalled where file = ?", (file,))
    if b'"recall"' in data:
        from mnemofs.lifecycle.recalls.book import recall_totals

        totals = recall_totals([data])
        db.executemany(
            "insert into recalled values(?, ?, ?)",
            [(file, entry, recalls) for entry, (recalls, _) in totals.items()],
        )


def _put(db: sqlite3.Connection, file: int, one: Projected, category: str, mark: str) -> None:
    said = one.said
    cursor = db.execute(
        f"insert into fact(file, category, mark, {COLUMNS}) values({marks(range(20))})",
        (
            file, category, mark, one.id, said.subject, said.predicate, said.object,
            one.statement, " > ".join(one.section), one.line, one.last_line, one.entry, one.day,
            one.source, one.key, said.slot, said.value, said.single, said.limit,
            int(said.negative),
        ),
    )  # fmt: skip
    words = terms_of(f"{said.subject} {said.predicate} {said.object} {one.key} {one.statement}")
    row = cursor.lastrowid
    db.executemany("insert or ignore into term values(?, ?)", [(word, row) for word in words])


def marks(values: Iterable[Any]) -> str:
    """Placeholders for so many values."""
    return ", ".join("?" for _ in values)
