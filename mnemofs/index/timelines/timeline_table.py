"""The tables of the timeline and what is done to their rows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from mnemofs.index.timelines.lineage import Graph
from mnemofs.store.model import CommitInfo
from mnemofs.store.past.history import LogQuery

if TYPE_CHECKING:
    import apsw

    from mnemofs.store.git.walk import Commits, Touch

VERSION = 3
SCHEMA = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE revision(
  seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, tree BLOB NOT NULL, parents BLOB NOT NULL,
  place INTEGER NOT NULL, time INTEGER NOT NULL, zone INTEGER NOT NULL, author TEXT NOT NULL,
  actor TEXT NOT NULL, reason TEXT NOT NULL, body TEXT NOT NULL, source TEXT NOT NULL,
  trust TEXT NOT NULL, owner TEXT NOT NULL, conflicts TEXT NOT NULL,
  paths BLOB NOT NULL);
CREATE INDEX revision_time ON revision(time, seq);
CREATE INDEX revision_merge ON revision(seq) WHERE length(parents) > 20;
CREATE INDEX revision_conflict ON revision(seq) WHERE conflicts <> '';
CREATE INDEX revision_place ON revision(place, seq);
CREATE TABLE path(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE);
CREATE TABLE change(
  path INTEGER NOT NULL, seq INTEGER NOT NULL, blob BLOB, taken INTEGER NOT NULL,
  PRIMARY KEY(path, seq)) WITHOUT ROWID;
CREATE TABLE blame(path INTEGER PRIMARY KEY, seq INTEGER NOT NULL, blob BLOB NOT NULL,
  owners BLOB NOT NULL);
PRAGMA user_version = {VERSION};
"""


def select(db: apsw.Connection, query: LogQuery, *, limited: bool) -> tuple[str, dict[str, Any]]:
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
    if query.conflicting:
        wheres.append("r.conflicts <> ''")
    if wheres:
        sql += f" WHERE {' AND '.join(wheres)}"
    sql += " ORDER BY r.place DESC, r.seq DESC"
    if limited and query.limit is not None:
        values["limit"] = query.limit
        sql += " LIMIT :limit"
    return sql, values


def create(db: apsw.Connection) -> None:
    """An empty table of the present layout, whatever was there."""
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        db.execute(f'DROP TABLE "{name}"')
    db.execute(SCHEMA)


def insert(
    db: apsw.Connection, commits: Commits, commit: CommitInfo, touches: Sequence[Touch]
) -> bool:
    """Add one commit after its parents; False when those went missing (somebody rewrote)."""
    if seq_of(db, commit.id) is not None:
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
                "\n".join(commit.conflicts),
            )
        ),
        paths.encode("utf-8", "surrogateescape"),
    )
    db.execute(
        "INSERT INTO revision(id, tree, parents, place, time, zone, author, actor, reason, body,"
        f" source, trust, owner, conflicts, paths) VALUES({','.join('?' * len(row))})",
        row,
    )
    seq = db.last_insert_rowid()
    for touch in touches:
        blob = bytes.fromhex(touch.blob) if touch.blob else None
        db.execute(
            "INSERT INTO change VALUES(?, ?, ?, ?)",
            (path_id(db, touch.path), seq, blob, touch.taken),
        )
    return True


def path_id(db: apsw.Connection, path: str) -> int:
    """The number of a path, given to it when it has none."""
    name = path.encode("utf-8", "surrogateescape")
    for (found,) in db.execute("SELECT id FROM path WHERE name = ?", (name,)):
        return int(found)
    db.execute("INSERT INTO path(name) VALUES(?)", (name,))
    return db.last_insert_rowid()


def drop_unreachable(db: apsw.Connection, head: str, new: Mapping[str, CommitInfo]) -> None:
    """Forget the commits that `head` does not reach any more (a rewrite, a reset, a purge)."""
    edges = {parent for commit in new.values() for parent in commit.parents} - new.keys()
    if head and head not in new:
        edges.add(head)
    if get_meta(db, "head") in edges:
        return  # history only grew
    graph = Graph(db.execute("SELECT seq, id, parents FROM revision ORDER BY seq"))
    kept = graph.reached_from(edges)
    gone = [(seq,) for at, seq in enumerate(graph.seqs) if at not in kept]
    if not gone:
        return
    db.executemany("DELETE FROM revision WHERE seq = ?", gone)
    db.execute("DELETE FROM change WHERE seq NOT IN (SELECT seq FROM revision)")
    db.execute("DELETE FROM path WHERE id NOT IN (SELECT path FROM change)")
    db.execute("DELETE FROM blame")


def parents_first(new: Mapping[str, CommitInfo]) -> Iterator[CommitInfo]:
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


def seq_of(db: apsw.Connection, commit_id: str) -> int | None:
    """Where a commit stands in the table, None when it is not there."""
    query = "SELECT seq FROM revision WHERE id = ?"
    return next((int(row[0]) for row in db.execute(query, (bytes.fromhex(commit_id),))), None)


def get_meta(db: apsw.Connection, key: str) -> str:
    """A note of ours, "" when there is none. `head`: the tip that the table is complete for."""
    return next(
        (str(row[0]) for row in db.execute("SELECT value FROM meta WHERE key = ?", (key,))), ""
    )


def set_meta(db: apsw.Connection, key: str, value: str) -> None:
    """Write such a note."""
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, value))


def _storable(text: str) -> str:
    """Text that SQLite can hold: no lone surrogates."""
    return text.encode("utf-8", "replace").decode()


@contextlib.contextmanager
def writing(db: apsw.Connection) -> Iterator[None]:
    """One transaction; waits for other writers as long as the connection does."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
