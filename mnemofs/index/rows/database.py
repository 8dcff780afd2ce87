"""The sidecar file: schema, connections, and what happens when it is missing, old or damaged.

Everything in it can be derived again, so the answer to damage is always the same: put it aside and
build a new one, with a warning. A connection notices that its file was deleted or replaced.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import apsw

from mnemofs.errors import IndexUnavailable
from mnemofs.filelocks import exclusive
from mnemofs.index.rows.tally import WEIGHTS, register
from mnemofs.index.terms.text import TOKENIZER
from mnemofs.names import SIDECAR_DIR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "index.db"
# Bumped when the tables change, or when the rows of unchanged bytes would come out differently
# (chunks, folding, what is embedded): every file is then read again.
VERSION = 9
MEMORY = ":memory:"

_TABLES = (
    *("meta", "file", "look", "stray", "chunk", "fts", "embedder", "vector"),
    *("partition", "block", "place", "posted", "posting", "gone"),
)
# The columns of the full-text index; {} is its name.
FTS = (
    "create virtual table {} using fts5(body, ctx, head, sym, content='', contentless_delete=1,"
    f" tokenize='{TOKENIZER}')"
)
_SCHEMA = f"""
create table meta(key text primary key, value integer not null) without rowid;
insert into meta values('generation', 0), ('chunks', 0), ('embedder', 0), ('ids', 0);
create table file(id integer primary key, path text not null unique, disk text, blob text,
    size integer, mtime integer, ino integer, ctime integer, seen integer,
    problem text not null default '');
create index file_problem on file(path) where problem <> '';
create table look(folder text primary key, names text not null, stats blob not null);
create table stray(path text primary key) without rowid;
create trigger file_comes after insert on file when exists (select 1 from look) begin
    insert or ignore into stray values(new.path);
end;
create trigger file_goes after delete on file when exists (select 1 from look) begin
    insert or ignore into stray values(old.path);
end;
create table chunk(id integer primary key, file integer not null, ordinal integer not null,
    first integer not null, last integer not null, date text not null, author text not null,
    names text not null, timed integer not null, asks integer not null, size integer not null,
    language integer not null, heading text not null, whole integer not null,
    row_hash blob not null, vec_hash blob not null, vec integer);
create index chunk_file on chunk(file, ordinal);
create index chunk_vec on chunk(vec);
create index chunk_hash on chunk(vec_hash);
{FTS.format("fts")};
insert into fts(fts, rank) values('rank', 'bm25({WEIGHTS})');
create table embedder(id integer primary key, name text not null, dims integer not null,
    floor real, ceiling real, unique(name, dims));
create table vector(id integer primary key autoincrement, embedder integer not null,
    hash blob not null, q8 blob not null, unique(embedder, hash));
create table partition(id integer primary key autoincrement, embedder integer not null,
    trained integer not null, upto integer not null, ready integer not null,
    centroids blob not null);
create table block(id integer primary key, partition integer not null, list integer not null,
    ids blob not null, q8 blob not null);
create index block_list on block(partition, list);
create table place(vector integer not null, block integer not null,
    primary key(vector, block)) without rowid;
create table posted(id integer primary key autoincrement, upto integer not null,
    ready integer not null, lengths blob not null);
create table posting(id integer primary key, segment integer not null, term text not null,
    packed blob not null, unique(segment, term));
create table gone(chunk integer primary key);
pragma user_version={VERSION};
"""
# Long enough for any single transaction of an indexer, short enough to be noticed.
_WRITE_WAIT_MS = 5000
_READ_WAIT_MS = 2000
# For one who would rather answer without: a batch of another indexer takes less.
_SOON_MS = 200

# What reading or writing a file shows whose bytes are not ours any more: SQLite notices most of it,
# text that is no text and rows that cannot both be there tell the rest.
DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.ConstraintError, UnicodeDecodeError)
# No place to write: search goes on from memory.
NO_PLACE = (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.FullError)


class Database:
    """One store's sidecar at `<root>/.mnemofs/index.db`; two connections, so that reading never
    waits for this process's own indexer.

    Not thread-safe by itself: `reader` and `writer` are each guarded by their user. `warnings`
    tells what had to be done to open it.
    """

    def __init__(self, root: str | os.PathLike[str], *, path: str | None = None) -> None:
        """path: another place for the file; MEMORY for none at all."""
        self.path = path or os.path.join(os.fspath(root), SIDECAR_DIR, NAME)
        self.warnings: list[str] = []
        self._identity: tuple[int, int] | None = None
        self._size = 0
        self._reader: apsw.Connection | None = None
        self._writer: apsw.Connection | None = None

    @property
    def in_memory(self) -> bool:
        """Whether nothing outlives this process."""
        return self.path == MEMORY

    def reader(self) -> apsw.Connection:
        """A connection for queries. Raises IndexUnavailable when none can be had."""
        if self._reader is None:
            self._reader = self._open()
            self._reader.set_busy_timeout(_READ_WAIT_MS)
        return self._reader

    def writer(self) -> apsw.Connection:
        """A connection for `transaction`."""
        if self.in_memory:
            return self.reader()
        if self._writer is None:
            self._writer = self._open()
        return self._writer

    @contextlib.contextmanager
    def transaction(self, *, wait: bool = True, silent: bool = False) -> Iterator[apsw.Connection]:
        """All or nothing, one writer at a time among all processes.

        silent: nothing changes that a reader could see, so nothing is told to them.

        Raises apsw.BusyError when the lock is not to be had: soon with wait=False, else after some
        seconds.
        """
        connection = self.writer()
        connection.set_busy_timeout(_WRITE_WAIT_MS if wait else _SOON_MS)
        connection.execute("begin immediate")
        try:
            yield connection
            if not silent:
                connection.execute("update meta set value = value + 1 where key = 'generation'")
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise

    def refresh(self) -> bool:
        """Reopens when the file was deleted, replaced or cut short behind our back (True): what is
        mapped of it must never be read beyond its end."""
        if self._identity is None:
            return False
        size = _size(self.path)
        other = self._identity != _identity(self.path) or size < self._size
        if other:
            self.close()
            self._identity = None
        self._size = 0 if other else size
        return other

    def discard(self, reason: str) -> None:
        """Puts a damaged file aside and starts anew; the next connection finds an empty index."""
        from mnemofs.index.rows import sqlitefile

        self.close()
        if self.in_memory:
            return
        with exclusive(self.path + ".lock"):
            # Another process may have replaced it while we waited: never throw a good one away.
            if self._identity is None or self._identity == _identity(self.path):
                sqlitefile.delete(self.path)
        self._identity = None
        self.warnings.append(f"the search index was {reason}; it is being built again")

    def fall_back_to_memory(self, reason: str) -> None:
        """For a workspace where nothing can be written: index in memory, this process only."""
        self.close()
        place, self.path = self.path, MEMORY
        self.warnings.append(
            f"the search index cannot be kept on disk ({reason}: {place}); it lives in memory for"
            " now"
        )

    def close(self) -> None:
        """Releases both connections; they open again when needed."""
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.close(True)
        self._reader = self._writer = None

    def _open(self) -> apsw.Connection:
        for _attempt in range(3):
            try:
                return self._connect()
            except DAMAGED:
                self.discard("damaged")
            except apsw.SQLError:
                self.discard("made by another version")  # its tables stand in the way of ours
            except NO_PLACE as error:
                self.fall_back_to_memory(_plain(error))
            except OSError as error:
                self.fall_back_to_memory(error.strerror or "unknown reason")
            except apsw.Error as error:
                raise IndexUnavailable(
                    f"the search index {self.path} cannot be opened: {_plain(error)}",
                    hint="close other programs that use it, or delete the file; it is rebuilt",
                ) from error
        raise IndexUnavailable(
            f"the search index {self.path} is damaged and cannot be replaced",
            hint="delete that file",
        )

    def _connect(self) -> apsw.Connection:
        if not self.in_memory:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
        connection = apsw.Connection(self.path)
        try:
            connection.set_busy_timeout(_WRITE_WAIT_MS)
            # apsw stops at the first statement that returns a row until the cursor is read.
            connection.execute(
                "pragma journal_mode=wal; pragma synchronous=normal; pragma temp_store=memory;"
                # Not mapped: a file that is cut short by others would end the process.
                " pragma cache_size=-64000"
            ).fetchall()
            register(connection)
            if not _is_whole(connection):
                _create(connection)
                self._identity = _identity(self.path)
            self._identity = self._identity or _identity(self.path)
        except BaseException:
            self._identity = _identity(self.path)
            connection.close(True)
            raise
        return connection


def _create(connection: apsw.Connection) -> None:
    from mnemofs.index.rows.sqlitefile import immediate

    with immediate(connection):
        # Two processes may build at once: whoever comes second finds it done.
        if not _is_whole(connection):
            for table in _TABLES:
                connection.execute(f"drop table if exists {table}")
            connection.execute(_SCHEMA)


def _is_whole(connection: apsw.Connection) -> bool:
    """Whether all tables are there, of this version, as they were made."""
    if value(connection, "pragma user_version") != VERSION:
        return False
    marks = ",".join("?" * len(_TABLES))
    made: list[Any] = connection.execute(
        f"select name, sql from sqlite_master where sql <> '' and tbl_name in ({marks})", _TABLES
    ).fetchall()
    as_written = all(sql[sql.find(name) :] in _SCHEMA for name, sql in made)
    return as_written and {name for name, _sql in made}.issuperset(_TABLES)


def value(connection: apsw.Connection, sql: str, bindings: Any = ()) -> Any:
    """The first column of the first row, None when there is no row."""
    row = connection.execute(sql, bindings).fetchone()
    return row[0] if row else None


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _plain(error: BaseException) -> str:
    return str(error).rpartition(": ")[2]
