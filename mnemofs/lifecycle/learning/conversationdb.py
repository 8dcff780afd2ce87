"""The file behind `conversations`: schema, opening, and what every part of it does with rows."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from mnemofs.index.rows import sqlitefile
from mnemofs.store.disk.failures import in_words as as_error
from mnemofs.store.disk.failures import storage_errors

if TYPE_CHECKING:
    import apsw

_VERSION = 1
_WAIT_MS = 10_000
_SCHEMA = """
create table conversation(id integer primary key, name text not null unique, title text not null,
  channel text not null, first real not null, last real not null, running real not null);
create index conversation_last on conversation(last);
create table message(id integer primary key, conversation integer not null, role text not null,
  text text not null, time real not null, print text not null);
create index message_of on message(conversation, id);
create table outcome(id integer primary key, time real not null, conversation text not null,
  kind text not null, status text not null, reason text not null, made text not null);
create virtual table fts using fts5(body, sym, content='', contentless_delete=1, tokenize='{}');
"""


def open_database(path: str) -> apsw.Connection:
    """A connection. The file is made when it is not there, and made anew when it is damaged."""
    import apsw

    with _in_words(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            return _open(path)
        except (apsw.NotADBError, apsw.CorruptError):
            sqlitefile.delete(path)
            return _open(path)


@contextlib.contextmanager
def transaction(db: apsw.Connection, path: str) -> Iterator[apsw.Connection]:
    """All of the block or nothing of it. path: the file, for errors."""
    with _in_words(path), sqlitefile.immediate(db):
        yield db


@contextlib.contextmanager
def _in_words(path: str) -> Iterator[None]:
    """Turns what a full disk or a folder without permission does to the block into StorageFull,
    PermissionRefused or StoreError."""
    import apsw

    try:
        with storage_errors(path):
            yield
    except apsw.FullError:
        raise as_error(OSError(errno.ENOSPC, "disk full"), path) from None
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError):
        raise as_error(OSError(errno.EACCES, "permission denied"), path) from None
    except apsw.IOError:
        raise as_error(OSError(errno.EIO, "the disk failed or is full"), path) from None


def _open(path: str) -> apsw.Connection:
    import apsw

    from mnemofs.index.terms.text import TOKENIZER

    db = apsw.Connection(path)
    try:
        sqlitefile.configure(db, _WAIT_MS)
        with sqlitefile.immediate(db):
            if rows(db, "pragma user_version") != [(_VERSION,)]:
                db.execute(_SCHEMA.format(TOKENIZER))
                db.execute(f"pragma user_version={_VERSION}")
    except BaseException:
        db.close(True)
        raise
    return db


def rows(db: apsw.Connection, sql: str, *bindings: Any) -> list[Any]:
    """All rows of a query."""
    return db.execute(sql, bindings).fetchall()


def index_text(db: apsw.Connection, number: int, text: str) -> None:
    """Make message `number` findable by its words."""
    from mnemofs.index.terms.text import fold, spaced, symbol_tokens

    folded = fold(text)
    db.execute(
        "insert into fts(rowid, body, sym) values(?,?,?)",
        (number, spaced(folded), " ".join(symbol_tokens(folded))),
    )


def delete_messages(db: apsw.Connection, numbers: Sequence[int]) -> None:
    """Delete messages and their words."""
    for number in numbers:
        db.execute("delete from fts where rowid=?", (number,))
        db.execute("delete from message where id=?", (number,))


def prune(
    db: apsw.Connection, current: int, at: datetime, keep_days: int, keep_messages: int
) -> None:
    """Delete conversations that ended more than `keep_days` before `at`, and the oldest beyond
    `keep_messages`, all of each (0 = no limit); never the current one."""
    gone: list[int] = []
    if keep_days:
        before = (at - timedelta(days=keep_days)).timestamp()
        old = "select id from conversation where last < ? and id != ?"
        gone += [row[0] for row in rows(db, old, before, current)]
    total = int(rows(db, "select count(*) from message")[0][0])
    if 0 < keep_messages < total:
        oldest = rows(
            db,
            "select c.id, count(m.id) from conversation c left join message m"
            " on m.conversation = c.id where c.id != ? group by c.id order by c.last",
            current,
        )
        for number, size in oldest:
            if total <= keep_messages:
                break
            gone.append(number)
            total -= size
    for number in dict.fromkeys(gone):
        messages = rows(db, "select id from message where conversation=?", number)
        delete_messages(db, [row[0] for row in messages])
        db.execute("delete from conversation where id=?", (number,))
