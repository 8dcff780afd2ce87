"""Words out of the sidecar for good: deleted rows leave theirs in segments and free pages."""

from __future__ import annotations

import os

import apsw

from mnemofs.index.asof import drop_revisions
from mnemofs.index.rows import sqlitefile
from mnemofs.index.rows.database import NAME
from mnemofs.index.rows.writing import drop_postings
from mnemofs.names import SIDECAR_DIR

_WAIT_MS = 2000


def scrub(root: str) -> bool:
    """Rewrite the index of the store at `root` without what its rows no longer hold.

    The full-text segments are merged, the file is vacuumed and its log emptied. When another
    process keeps it busy, or it is damaged, the file is deleted instead (it is derived): False.
    """
    drop_revisions(root)
    path = os.path.join(root, SIDECAR_DIR, NAME)
    if not os.path.exists(path):
        return True
    try:
        connection = apsw.Connection(path)
        try:
            connection.set_busy_timeout(_WAIT_MS)
            connection.execute("pragma secure_delete=on").fetchall()
            drop_postings(connection)
            for table in ("look", "stray"):  # made anew when the index looks at the folder
                connection.execute(f"delete from {table}")
            connection.execute("insert into fts(fts) values('optimize')")
            connection.execute("vacuum")
            (busy, _, _), *_ = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        finally:
            connection.close(True)
    except (apsw.Error, ValueError):
        busy = 1
    if busy:
        drop(root)
    return not busy


def drop(root: str) -> None:
    """Delete what is derived: the indexes and the timeline. They are built again when asked for."""
    drop_revisions(root)
    for name in (NAME, "timeline.db"):
        sqlitefile.delete(os.path.join(root, SIDECAR_DIR, name))
