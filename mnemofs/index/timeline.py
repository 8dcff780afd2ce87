"""The history of a store as a table: `log` and `blame` of one file without walking the commits.

`.mnemofs/timeline.db` is derived and may be thrown away at any time. It holds every commit that
HEAD reaches, parents before children, with the files that each one changed. It is extended by the
commits it does not know yet; commits that a rewrite took out of reach are dropped, so a purged
text leaves no trace here. Any number of processes may use it at once.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from mnemofs.index.lineage import COLUMNS, Graph, TableLineage, commit_of
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.history import LogQuery
from mnemofs.store.model import CommitInfo
from mnemofs.store.walk import open_commits

if TYPE_CHECKING:
    from mnemofs.store.repository import Store
    from mnemofs.store.walk import Commits, Touch

_Answer = TypeVar("_Answer")

_VERSION = 1
_BATCH = 200
_REMEMBERED = 20_000
# A reader extends the table for this long before it answers from the objects instead.
_READ_BUDGET = 0.5
_WAIT_MS = 2000
_SCHEMA = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE revision(
  seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, tree BLOB NOT NULL, parents BLOB NOT NULL,
  place INTEGER NOT NULL, time INTEGER NOT NULL, zone INTEGER NOT NULL, author TEXT NOT NULL,
  actor TEXT NOT NULL, reason TEXT NOT NULL, body TEXT NOT NULL, source TEXT NOT NULL,
  trust TEXT NOT NULL, owner TEXT NOT NULL, paths BLOB NOT NULL);
CREATE INDEX revision_place ON revision(place, seq);
CREATE TABLE path(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE);
CREATE TABLE change(
  path INTEGER NOT NULL, seq INTEGER NOT NULL, blob BLOB, taken INTEGER NOT NULL,
  PRIMARY KEY(path, seq)) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
_DAMAGED = (apsw.CorruptError, apsw.NotADBError)


class Timeline:
    """The table of one store, brought up to date by every question; safe to use from threads.

    When it cannot answer (locked for long, read-only disk, far behind) the answer is None and the
    asker falls back to the objects.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._file = os.path.join(store.root, SIDECAR_DIR, "timeline.db")
        self._db: apsw.Connection | None = None
        self._inode = 0
        self._graph: tuple[str, Graph] | None = None
        self._known: dict[bytes, CommitInfo] = {}
        self._lock = threading.RLock()

    def __enter__(self) -> Timeline:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def refresh(self, *, budget: float | None = None) -> bool:
        """Extend the table to HEAD; whether it got there.

        budget: seconds after which to stop between batches; what was done so far is kept.
        """
        return bool(self._guarded(lambda db: self._extend(db, budget)))

    def log(self, tip: str, query: LogQuery) -> list[CommitInfo] | None:
        """The commits reachable from `tip` that fit, newest first, with the paths they changed."""
        return self._guarded(lambda db: self._log(db, tip, query))

    def lineage(self, tip: str) -> TableLineage | None:
        """What following files back from `tip` needs."""
        return self._guarded(lambda db: self._lineage(db, tip))

    def _log(self, db: apsw.Connection, tip: str, query: LogQuery) -> list[CommitInfo] | None:
        if not self._extend(db, _READ_BUDGET):
            return None
        reached: frozenset[bytes] | None = None
        if tip != _meta(db, "head"):
            graph = self._loaded(db)
            if tip not in graph:
                return None
            reached = frozenset(graph.ids[at] for at in graph.reached_from([tip]))
        found = (row[0] for row in db.execute(*_select(db, query, limited=reached is None)))
        ids = list(islice((one for one in found if reached is None or one in reached), query.limit))
        return self._commits(db, ids)

    def _commits(self, db: apsw.Connection, ids: Sequence[bytes]) -> list[CommitInfo]:
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        missing = [one for one in ids if one not in self._known]
        for start in range(0, len(missing), _BATCH):
            some = missing[start : start + _BATCH]
            marks = ",".join("?" * len(some))
            query = f"SELECT {COLUMNS} FROM revision r WHERE r.id IN ({marks})"
            self._known.update((row[0], commit_of(row)) for row in db.execute(query, some))
        return [self._known[one] for one in ids]

    def _lineage(self, db: apsw.Connection, tip: str) -> TableLineage | None:
        if not self._extend(db, _READ_BUDGET):
            return None
        graph = self._loaded(db)
        return TableLineage(db, graph, self._lock) if tip in graph else None

    def _loaded(self, db: apsw.Connection) -> Graph:
        head = _meta(db, "head")
        if self._graph is None or self._graph[0] != head:
            self._graph = (
                head,
                Graph(db.execute("SELECT seq, id, parents FROM revision ORDER BY seq")),
            )
        return self._graph[1]

    def _guarded(self, work: Callable[[apsw.Connection], _Answer]) -> _Answer | None:
        """Do `work` on the open file; a damaged file is replaced once, other trouble is None."""
        with self._lock:
            for attempt in range(2):
                try:
                    return work(self._open())
                except _DAMAGED:
                    self._discard()
                    if attempt:
                        return None
                except (apsw.Error, OSError):
                    return None
        return None

    def _open(self) -> apsw.Connection:
        if self._db is not None:
            with contextlib.suppress(FileNotFoundError):
                if os.stat(self._file).st_ino == self._inode:
                    return self._db
            self.close()  # somebody threw the file away
        os.makedirs(os.path.dirname(self._file), exist_ok=True)
        db = apsw.Connection(self._file)
        try:
            db.set_busy_timeout(_WAIT_MS)
            for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
                db.execute(f"PRAGMA {pragma}").fetchall()
            self._inode = os.stat(self._file).st_ino
            if db.execute("PRAGMA user_version").fetchall() != [(_VERSION,)]:
                with _writing(db):
                    _create(db)
        except BaseException:
            db.close()
            raise
        self._db, self._graph = db, None
        self._known.clear()
        return db

    def _discard(self) -> None:
        self.close()
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._file + suffix)

    def _extend(self, db: apsw.Connection, budget: float | None) -> bool:
        """Make the table hold exactly what HEAD reaches. See `refresh`."""
        head = self._store.head().commit or ""
        if _meta(db, "head") == head:
            return True
        started = time.monotonic()
        commits = open_commits(self._store)
        new: dict[str, CommitInfo] = {}
        for commit in commits.newest_first(head or None, lambda one: _seq(db, one) is not None):
            new[commit.id] = commit
        with _writing(db):
            _drop_unreachable(db, head, new)
            _set_meta(db, "head", "" if new else head)
        waiting = iter(_parents_first(new))
        while batch := list(islice(waiting, _BATCH)):
            touched = [(commit, commits.touches(commit)) for commit in batch]
            with _writing(db):
                for commit, touches in touched:
                    if not _insert(db, commits, commit, touches):
                        return False
            if budget is not None and time.monotonic() - started > budget:
                break
        if next(waiting, None) is not None:
            return False
        with _writing(db):
            if new and self._store.head().commit == head:
                _set_meta(db, "head", head)
        return _meta(db, "head") == head


def _select(db: apsw.Connection, query: LogQuery, *, limited: bool) -> tuple[str, dict[str, Any]]:
    """The SQL for a query, newest first. limited: the limit may be left to SQLite."""
    wheres: list[str] = []
    values: dict[str, Any] = {}
    sql = "SELECT r.id FROM revision r"
    if query.path:
        name = query.path.encode("utf-8", "surrogateescape")
        below = "SELECT id FROM path WHERE name = ? OR (name >= ? AND name < ?)"
        files = [row[0] for row in db.execute(below, (name, name + b"/", name + b"0"))]
        if len(files) == 1:
            sql = "SELECT r.id FROM change c CROSS JOIN revision r ON r.seq = c.seq"
            values["file"] = files[0]
            wheres.append("c.path = :file AND NOT c.taken")
        else:
            listed = ",".join(map(str, files))
            wheres.append(
                f"r.seq IN (SELECT seq FROM change WHERE path IN ({listed}) AND NOT taken)"
            )
    for column in ("actor", "owner"):
        if getattr(query, column) is not None:
            values[column] = getattr(query, column)
            wheres.append(f"r.{column} = :{column}")
    if query.since is not None:
        values["since"] = query.since.timestamp()
        wheres.append("r.time >= :since")
    if query.until is not None:
        values["until"] = query.until.timestamp()
        wheres.append("r.time <= :until")
    if wheres:
        sql += f" WHERE {' AND '.join(wheres)}"
    sql += " ORDER BY r.place DESC, r.seq DESC"
    if limited and query.limit is not None:
        values["limit"] = query.limit
        sql += " LIMIT :limit"
    return sql, values


def _create(db: apsw.Connection) -> None:
    """An empty table of the present layout, whatever was there."""
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        db.execute(f'DROP TABLE "{name}"')
    db.execute(_SCHEMA)


def _insert(
    db: apsw.Connection, commits: Commits, commit: CommitInfo, touches: Sequence[Touch]
) -> bool:
    """Add one commit after its parents; False when those went missing (somebody rewrote)."""
    if _seq(db, commit.id) is not None:
        return True  # another process was faster
    place = int(commit.time.timestamp())
    for parent in commits.parents(commit):
        query = "SELECT place FROM revision WHERE id = ?"
        found: list[Any] = db.execute(query, (bytes.fromhex(parent),)).fetchall()
        if not found:
            return False
        place = max(place, found[0][0])
    offset = commit.time.utcoffset() or timedelta()
    paths = "\0".join(touch.path for touch in touches if not touch.taken)
    row = (
        bytes.fromhex(commit.id),
        bytes.fromhex(commit.tree),
        bytes.fromhex("".join(commit.parents)),
        place,
        int(commit.time.timestamp()),
        int(offset.total_seconds()),
        *(
            _storable(text)
            for text in (
                commit.author,
                commit.actor,
                commit.reason,
                commit.body,
                commit.source,
                commit.trust,
                commit.owner,
            )
        ),
        paths.encode("utf-8", "surrogateescape"),
    )
    db.execute(
        "INSERT INTO revision(id, tree, parents, place, time, zone, author, actor, reason, body,"
        f" source, trust, owner, paths) VALUES({','.join('?' * len(row))})",
        row,
    )
    seq = db.last_insert_rowid()
    for touch in touches:
        blob = bytes.fromhex(touch.blob) if touch.blob else None
        db.execute(
            "INSERT INTO change VALUES(?, ?, ?, ?)",
            (_path_id(db, touch.path), seq, blob, touch.taken),
        )
    return True


def _path_id(db: apsw.Connection, path: str) -> int:
    name = path.encode("utf-8", "surrogateescape")
    for (found,) in db.execute("SELECT id FROM path WHERE name = ?", (name,)):
        return int(found)
    db.execute("INSERT INTO path(name) VALUES(?)", (name,))
    return db.last_insert_rowid()


def _drop_unreachable(db: apsw.Connection, head: str, new: Mapping[str, CommitInfo]) -> None:
    """Forget the commits that `head` does not reach any more (a rewrite, a reset, a purge)."""
    edges = {parent for commit in new.values() for parent in commit.parents} - new.keys()
    if head and head not in new:
        edges.add(head)
    if _meta(db, "head") in edges:
        return  # history only grew
    graph = Graph(db.execute("SELECT seq, id, parents FROM revision ORDER BY seq"))
    kept = graph.reached_from(edges)
    gone = [(seq,) for at, seq in enumerate(graph.seqs) if at not in kept]
    if not gone:
        return
    db.executemany("DELETE FROM revision WHERE seq = ?", gone)
    db.execute("DELETE FROM change WHERE seq NOT IN (SELECT seq FROM revision)")
    db.execute("DELETE FROM path WHERE id NOT IN (SELECT path FROM change)")


def _parents_first(new: Mapping[str, CommitInfo]) -> Iterator[CommitInfo]:
    """The commits so that each comes after those of its parents that are among them."""
    done: set[str] = set()
    for commit in reversed(list(new.values())):
        todo = [commit]
        while todo:
            top = todo[-1]
            missing = [one for one in top.parents if one in new and one not in done]
            if missing:
                todo += (new[one] for one in missing)
                continue
            todo.pop()
            if top.id not in done:
                done.add(top.id)
                yield top


def _seq(db: apsw.Connection, commit_id: str) -> int | None:
    query = "SELECT seq FROM revision WHERE id = ?"
    return next((int(row[0]) for row in db.execute(query, (bytes.fromhex(commit_id),))), None)


def _meta(db: apsw.Connection, key: str) -> str:
    return next(
        (str(row[0]) for row in db.execute("SELECT value FROM meta WHERE key = ?", (key,))), ""
    )


def _set_meta(db: apsw.Connection, key: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, value))


def _storable(text: str) -> str:
    """Text that SQLite can hold: no lone surrogates."""
    return text.encode("utf-8", "replace").decode()


@contextlib.contextmanager
def _writing(db: apsw.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
