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
from array import array
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from mnemofs.index.rows import sqlitefile
from mnemofs.index.timelines.lineage import COLUMNS, Graph, TableLineage, commit_of
from mnemofs.index.timelines.timeline_table import (
    VERSION,
    create,
    drop_unreachable,
    get_meta,
    insert,
    parents_first,
    path_id,
    select,
    seq_of,
    set_meta,
    writing,
)
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.git.walk import open_commits
from mnemofs.store.model import CommitInfo
from mnemofs.store.past.blame import Version
from mnemofs.store.past.history import LogQuery

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

_Answer = TypeVar("_Answer")

_BATCH = 200
_REMEMBERED = 20_000
# A reader extends the table for this long before it answers from the objects instead.
_READ_BUDGET = 0.5
_WAIT_MS = 2000
_DAMAGED = (apsw.CorruptError, apsw.NotADBError)


class Timeline:
    """The table of one store, brought up to date by every question; safe to use from threads.

    When it cannot answer (locked for long, read-only disk, far behind) the answer is None and the
    asker falls back to the objects.
    """

    def __init__(self, store: Store, *, budget: float = _READ_BUDGET) -> None:
        """budget: seconds that a question may spend on extending the table."""
        self._store = store
        self._budget = budget
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

    def at(self, moment: datetime) -> str | None:
        """The last commit on HEAD's first-parent line at that moment; "" when there was none."""
        return self._guarded(lambda db: self._at(db, moment))

    def lineage(self, tip: str) -> TableLineage | None:
        """What following files back from `tip` needs."""
        return self._guarded(lambda db: self._lineage(db, tip))

    def attributed(self, path: str) -> Version | None:
        """A version of the file with the owners of its lines, when one was remembered."""
        return self._guarded(lambda db: self._attributed(db, path))

    def remember(self, path: str, version: Version) -> None:
        """Keep the owners of a version's lines; whoever cannot write now leaves it to the next."""
        self._guarded(lambda db: self._remember(db, path, version))

    def _attributed(self, db: apsw.Connection, path: str) -> Version | None:
        query = (
            "SELECT seq, blob, owners FROM blame WHERE path = (SELECT id FROM path WHERE name = ?)"
        )
        rows: list[Any] = db.execute(query, (path.encode("utf-8", "surrogateescape"),)).fetchall()
        if not rows:
            return None
        graph = self._loaded(db)
        ids = {seq: raw.hex() for seq, raw in zip(graph.seqs, graph.ids, strict=True)}
        seq, blob, packed = rows[0]
        owners = array("I", packed)
        if seq not in ids or any(one not in ids for one in set(owners)):
            return None
        return Version(ids[seq], blob.hex(), (), tuple(ids[one] for one in owners))

    def _remember(self, db: apsw.Connection, path: str, version: Version) -> None:
        owners = version.owners or ()
        with writing(db):
            seqs = {one: seq_of(db, one) for one in {version.commit, *owners}}
            if None in seqs.values():
                return
            packed = array("I", (seqs[one] or 0 for one in owners)).tobytes()
            db.execute(
                "INSERT OR REPLACE INTO blame VALUES(?, ?, ?, ?)",
                (path_id(db, path), seqs[version.commit], bytes.fromhex(version.blob), packed),
            )

    def _log(self, db: apsw.Connection, tip: str, query: LogQuery) -> list[CommitInfo] | None:
        if not self._extend(db, self._budget):
            return None
        reached: frozenset[bytes] | None = None
        if tip != get_meta(db, "head"):
            graph = self._loaded(db)
            if tip not in graph:
                return None
            reached = frozenset(graph.ids[at] for at in graph.reached_from([tip]))
        found = (row[0] for row in db.execute(*select(db, query, limited=reached is None)))
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

    def _at(self, db: apsw.Connection, moment: datetime) -> str | None:
        if not self._extend(db, self._budget):
            return None
        merged = "SELECT EXISTS (SELECT 1 FROM revision WHERE length(parents) > 20)"
        seconds = moment.timestamp()
        if not db.execute(merged).fetchall()[0][0]:  # one line: what comes first stands first
            latest = "SELECT max(seq) FROM revision WHERE time <= ?"
            query = f"SELECT id FROM revision WHERE seq = ({latest})"
            return next((raw.hex() for (raw,) in db.execute(query, (seconds,))), "")
        graph = self._loaded(db)
        times: list[Any] = db.execute("SELECT time FROM revision ORDER BY seq").fetchall()
        at = graph.place.get(bytes.fromhex(get_meta(db, "head")))
        while at is not None and times[at][0] > seconds:
            at = next(iter(graph.parents[at]), None)
        return graph.ids[at].hex() if at is not None else ""

    def _lineage(self, db: apsw.Connection, tip: str) -> TableLineage | None:
        if not self._extend(db, self._budget):
            return None
        graph = self._loaded(db)
        return TableLineage(db, graph, self._lock) if tip in graph else None

    def _loaded(self, db: apsw.Connection) -> Graph:
        head = get_meta(db, "head")
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
            if db.execute("PRAGMA user_version").fetchall() != [(VERSION,)]:
                with writing(db):
                    create(db)
        except BaseException:
            db.close()
            raise
        self._db, self._graph = db, None
        self._known.clear()
        return db

    def _discard(self) -> None:
        self.close()
        sqlitefile.delete(self._file)

    def _extend(self, db: apsw.Connection, budget: float | None) -> bool:
        """Make the table hold exactly what HEAD reaches. See `refresh`."""
        head = self._store.head().commit or ""
        if get_meta(db, "head") == head:
            return True
        started = time.monotonic()
        commits = open_commits(self._store.common_dir)
        new: dict[str, CommitInfo] = {}
        for commit in commits.newest_first(head or None, lambda one: seq_of(db, one) is not None):
            new[commit.id] = commit
        with writing(db):
            drop_unreachable(db, head, new)
            set_meta(db, "head", "" if new else head)
        waiting = iter(parents_first(new))
        while batch := list(islice(waiting, _BATCH)):
            touched = [(commit, commits.touches(commit)) for commit in batch]
            with writing(db):
                for commit, touches in touched:
                    if not insert(db, commits, commit, touches):
                        return False
            if budget is not None and time.monotonic() - started > budget:
                break
        if next(waiting, None) is not None:
            return False
        with writing(db):
            if new and self._store.head().commit == head:
                set_meta(db, "head", head)
        return get_meta(db, "head") == head
