"""Following one file through the commits of the timeline table."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from mnemofs.errors import CorruptStore
from mnemofs.store.model import CommitInfo

if TYPE_CHECKING:
    import apsw

COLUMNS = (
    "r.id, r.tree, r.parents, r.time, r.zone, r.author, r.actor, r.reason, r.body, r.source,"
    " r.trust, r.owner, r.conflicts, r.paths"
)
_ABSENT = -1


def commit_of(row: tuple[Any, ...]) -> CommitInfo:
    """The commit of a row of COLUMNS."""
    raw_id, tree, parents, seconds, zone, author, actor, reason, body, source, *rest = row
    trust, owner, conflicts, paths = rest
    return CommitInfo(
        id=raw_id.hex(),
        tree=tree.hex(),
        parents=(parents.hex(),) if len(parents) == 20 else tuple(_ids(parents)),
        time=datetime.fromtimestamp(seconds, _ZONES.get(zone) or _zone(zone)),
        author=author,
        reason=reason,
        body=body,
        actor=actor,
        source=source,
        trust=trust,
        owner=owner,
        conflicts=tuple(conflicts.split("\n")) if conflicts else (),
        paths=tuple(paths.decode("utf-8", "surrogateescape").split("\0")) if paths else (),
    )


class Graph:
    """Which commit comes after which: commits by place in the table, parents before children.

    rows: (seq, id, ids of the parents) ascending, ids as raw bytes.
    """

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.seqs: list[int] = []
        self.ids: list[bytes] = []
        self.place: dict[bytes, int] = {}
        self.parents: list[tuple[int, ...]] = []
        for at, (seq, raw_id, parent_ids) in enumerate(rows):
            self.seqs.append(seq)
            self.ids.append(raw_id)
            self.place[raw_id] = at
            if len(parent_ids) == 20:
                parent = self.place.get(parent_ids)
                self.parents.append(() if parent is None else (parent,))
            else:
                known = (self.place.get(bytes.fromhex(one)) for one in _ids(parent_ids))
                self.parents.append(tuple(one for one in known if one is not None))

    def __contains__(self, commit_id: str) -> bool:
        return bytes.fromhex(commit_id) in self.place

    def reached_from(self, commit_ids: Iterable[str]) -> set[int]:
        """The places of these commits and of everything before them."""
        todo = [self.place[raw] for raw in map(bytes.fromhex, commit_ids) if raw in self.place]
        reached = set(todo)
        while todo:
            for parent in self.parents[todo.pop()]:
                if parent not in reached:
                    reached.add(parent)
                    todo.append(parent)
        return reached


class TableLineage:
    """`store.blame.Lineage` answered from the table."""

    def __init__(self, db: apsw.Connection, graph: Graph, lock: threading.RLock) -> None:
        self._db = db
        self._graph = graph
        self._lock = lock
        self._known: dict[str, CommitInfo] = {}
        self._origins: dict[str, tuple[list[int], dict[int, bytes | None]]] = {}

    def get(self, commit_id: str) -> CommitInfo:
        """The commit. Raises CorruptStore when the table does not have it."""
        known = self._known.get(commit_id)
        if known is None:
            query = f"SELECT {COLUMNS} FROM revision r WHERE r.id = ?"
            with self._lock:
                rows = self._db.execute(query, (bytes.fromhex(commit_id),)).fetchall()
            if not rows:
                raise CorruptStore(f"commit {commit_id[:12]} is not known", revision=commit_id)
            known = self._known[commit_id] = commit_of(rows[0])
        return known

    def knows(self, commit_id: str) -> bool:
        """Whether the table has the commit."""
        return len(commit_id) == 40 and commit_id in self._graph

    def parents(self, commit: CommitInfo) -> tuple[str, ...]:
        """Its parents as far as they are here."""
        return tuple(parent for parent in commit.parents if parent in self._graph)

    def origin(self, commit_id: str, path: str) -> tuple[str, str] | None:
        """(commit, blob) that brought the bytes `path` has in `commit_id`; None when absent."""
        if path not in self._origins:
            self._origins[path] = self._follow(path)
        origins, blobs = self._origins[path]
        at = origins[self._graph.place[bytes.fromhex(commit_id)]]
        blob = blobs.get(at)
        return (self._graph.ids[at].hex(), blob.hex()) if blob is not None else None

    def _follow(self, path: str) -> tuple[list[int], dict[int, bytes | None]]:
        """For each commit the place of the one that brought the file's bytes, _ABSENT if none."""
        place = {seq: at for at, seq in enumerate(self._graph.seqs)}
        query = "SELECT c.seq, c.blob FROM change c JOIN path p ON p.id = c.path WHERE p.name = ?"
        with self._lock:
            rows: list[Any] = self._db.execute(
                query, (path.encode("utf-8", "surrogateescape"),)
            ).fetchall()
        blobs: dict[int, bytes | None] = {place[seq]: blob for seq, blob in rows if seq in place}
        origins: list[int] = []
        for at, parents in enumerate(self._graph.parents):
            if at not in blobs:
                origins.append(origins[parents[0]] if parents else _ABSENT)
                continue
            blob = blobs[at]
            # A merge may have taken the bytes over; a change of mode alone brings none.
            same = (origins[one] for one in parents if blobs.get(origins[one]) == blob)
            origins.append(_ABSENT if blob is None else next(same, at))
        return origins, blobs


def _ids(raw: bytes) -> list[str]:
    return [raw[at : at + 20].hex() for at in range(0, len(raw), 20)]


_ZONES: dict[int, timezone] = {0: UTC}


def _zone(seconds: int) -> timezone:
    return _ZONES.setdefault(seconds, timezone(timedelta(seconds=seconds)))
