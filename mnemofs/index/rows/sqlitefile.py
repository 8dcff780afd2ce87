"""What every SQLite file of the sidecar needs, whichever library opens it.

Loads no library of its own, so that a part which only may need a file pays for none.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, Protocol

# A database's file, and what may stand beside it.
SUFFIXES = ("", "-wal", "-shm", "-journal")


class Connection(Protocol):
    """An apsw connection, or one of `sqlite3` that begins nothing by itself."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    def execute(self, sql: str, /) -> Any:
        """Runs a statement."""


@contextlib.contextmanager
def immediate(connection: Connection) -> Iterator[None]:
    """All of the block or nothing of it, as the one writer."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def configure(connection: Connection, wait_ms: int) -> None:
    """For what people said: many processes at once, and nothing of a deleted row stays readable."""
    connection.execute(
        f"pragma busy_timeout={wait_ms}; pragma journal_mode=wal; pragma synchronous=normal;"
        " pragma secure_delete=on"
    ).fetchall()


def delete(path: str) -> None:
    """Remove the database at `path` with its log; what is not there is gone already."""
    for suffix in SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + suffix)
