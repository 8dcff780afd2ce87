"""What upkeep has looked at in a store, and when: survives restarts, safe between processes.

Times, ids and hashes, no text. Losing it costs a look too many, never a memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from mnemofs.filelocks import exclusive
from mnemofs.lifecycle import statefile
from mnemofs.names import SIDECAR_DIR

_FILE = "upkeep.json"
_MOST_DONE = 2000


class Looked(NamedTuple):
    """The last look at something. at: None for never. seen: what was there (a blob or commit id),
    "" when that look came to nothing."""

    at: datetime | None = None
    seen: str = ""


class Upkeep:
    """The bookkeeping of the store whose work tree is `root`."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._file = os.path.join(root, SIDECAR_DIR, _FILE)

    def looked(self, what: str) -> Looked:
        """The last look at `what`."""
        found = self._load().get(what)
        if not isinstance(found, dict):
            return Looked()
        try:
            at = datetime.fromisoformat(str(found.get("at")))
        except ValueError:
            return Looked()
        seen = found.get("seen")
        return Looked(at if at.tzinfo else None, seen if isinstance(seen, str) else "")

    def note(self, what: str, at: datetime, seen: str | None) -> None:
        """Remember a look. seen None: it came to nothing, what was seen before still counts."""
        with self._changing() as book:
            before = self.looked(what).seen
            book[what] = {"at": at.isoformat(), "seen": before if seen is None else seen}

    def done(self, what: str) -> frozenset[str]:
        """Names of what was done here before; see `note_done`."""
        found = self._load().get(f"{what} done")
        return frozenset(map(str, found)) if isinstance(found, list) else frozenset()

    def note_done(self, what: str, names: Iterable[str]) -> None:
        """Remember what was done, so that it is not done again after a person took it back."""
        with self._changing() as book:
            old = self.done(what)
            new = [name for name in names if name not in old]
            book[f"{what} done"] = [*(book.get(f"{what} done") or []), *new][-_MOST_DONE:]

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        os.makedirs(os.path.dirname(self._file), exist_ok=True)
        with exclusive(f"{os.path.splitext(self._file)[0]}.lock"):
            book = self._load()
            yield book
            statefile.save(self._file, book)

    def _load(self) -> dict[str, Any]:
        return statefile.load_table(self._file)
