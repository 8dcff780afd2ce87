"""The stores that one reader may see, each with its own index, and how they are kept fresh.

A person's memory is a repository of its own: a `Scope` holds exactly one store, and a view for
owner A is never given B's (I4).
"""

from __future__ import annotations

import contextlib
import os
import time

from mnemofs.errors import MnemofsError, NotFound
from mnemofs.names import SIDECAR_DIR, collision_key, open_regular
from mnemofs.systems import WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal

    from mnemofs.index.meaning.embedders import Embedder
    from mnemofs.index.rows.freshness import Freshness
    from mnemofs.index.sidecar import Index
    from mnemofs.sections import Config
    from mnemofs.store.disk.scan import Survey
    from mnemofs.store.model import Committed
    from mnemofs.store.repository import Store

    ScopeName = Literal["TEAM", "PERSONAL", "GLOBAL"]

# Present while hand edits were seen that are in no commit yet.
_UNFOLDED = "unfolded"
# Present while some merge may have kept two texts that nobody has decided between.
_CONTESTED = "contested"
# More changed files than this are left to `sync` and `dream`: a reader does not wait for them.
_SWEPT_BY_READERS = 200
# More files than these are told by their number.
_NAMED = 3


class Embedders:
    """The workspace's embedder, loaded at the first search that asks for meaning."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._loaded: Embedder | None = None
        self._tried = False
        self.warnings: tuple[str, ...] = ()

    def get(self) -> Embedder | None:
        """The embedder, None when there is none; then `warnings` says why, unless it was asked
        for."""
        if not self._tried:
            from mnemofs.index.meaning import embedders

            self._tried = True
            self._loaded, warning = embedders.load(self._config.embedder)
            self.warnings = (warning,) if warning else ()
        return self._loaded


class Scope:
    """One store as a reader sees it. owner: "" unless the store is a person's. revision: the
    commit it is looked at, "" for the present.

    The store is opened when something needs git: a search that finds all as it was does not.
    """

    def __init__(
        self,
        name: ScopeName,
        owner: str,
        root: str,
        embedders: Embedders,
        opened: Callable[[], Store],
    ) -> None:
        self.name: ScopeName = name
        self.owner = owner
        self.root = root
        self.embedders = embedders
        self.revision = ""
        self._opened = opened
        self._store: Store | None = None
        self._index: Index | None = None

    @property
    def store(self) -> Store:
        """The git repository behind it. Raises UnsupportedRepository and its kin."""
        if self._store is None:
            self._store = self._opened()
        return self._store

    @property
    def index(self) -> Index:
        """The store's search index."""
        if self._index is None:
            from mnemofs.index.sidecar import Index

            self._index = Index(self.root)
        return self._index

    def read(self, path: str) -> bytes | None:
        """A file as it stands in the folder, None when there is none.

        Raises UnsafeName and PermissionRefused.
        """
        try:
            return open_regular(self.root, path)
        except NotFound:
            # It may stand there under another spelling of its name (TXT-09).
            return self.store.read(path).content if self._has_twin(path) else None

    def fresh(self, *, semantic: bool) -> tuple[str, ...]:
        """Brings the index up to the files and folds hand edits in; warnings.

        A reader is never stopped by what goes wrong here: the edit stays in its file, is found
        from there, and is committed by a later call.
        """
        self.index.embedder = self.embedders.get() if semantic else None
        began = time.time_ns()
        report = self.index.refresh(wait=False)
        warnings = [*report.warnings, *self._passed_over(report)]
        # Another process may have seen an edit since we looked: then we look again.
        seen = self.index.surveyed if self._marked() < began else None
        self._note_edits(report)
        if self._marked():
            warnings += self.fold(seen)
        if report.changed:
            warnings += self.sweep(most=_SWEPT_BY_READERS)
        return tuple(warnings)

    def look(
        self, *, wait: bool = True, progress: Callable[[int, int], None] | None = None
    ) -> Freshness:
        """Brings the index up to the files and commits nothing: the next reader does, also what
        only this look has seen as new."""
        report = self.index.refresh(wait=wait, progress=progress)
        self._note_edits(report)
        return report

    def _passed_over(self, report: Freshness) -> list[str]:
        """Files that cannot be searched, by name while they are few (I8)."""
        if len(report.skipped) > _NAMED:
            many = f"{len(report.skipped)} files of the {self.name} memory"
            return [f"{many} are not searched: `mnemofs doctor` names them"]
        place = "" if self.name == "TEAM" else f"{self.name}/"
        return [f"{place}{path} is not searched: {reason}" for path, reason in report.skipped]

    def _note_edits(self, report: Freshness) -> None:
        if report.changed or report.removed:
            self._mark(_UNFOLDED)

    def has_tombstones(self) -> bool:
        """Whether anything was ever forgotten here: a quick look before anything is loaded."""
        folder = os.path.join(self.root, "ledger")
        try:
            names = os.listdir(folder)
        except OSError:
            return False
        for name in names:
            with contextlib.suppress(OSError), open(os.path.join(folder, name), "rb") as file:
                if b'"tombstone"' in file.read():
                    return True
        return False

    def sweep(self, *, most: int | None = None) -> tuple[str, ...]:
        """Takes out again what had been forgotten and came in from elsewhere; warnings. most: see
        `sweeping.sweep`. Never raises: a later call looks again."""
        if not self.has_tombstones():
            return ()
        from mnemofs.lifecycle.forgetting import sweeping

        try:
            done = sweeping.sweep(self.store, most=most)
        except MnemofsError as error:
            return (f"forgotten text may have come back: {error.message}",)
        warnings = (*done.warnings, *self.reindex(p for p in done.paths if p.endswith(".md")))
        if done.news:
            self.scrub()
        return warnings

    def scrub(self) -> None:
        """The index and the facts without the old words, also in their free pages."""
        from mnemofs.index.scrub import scrub
        from mnemofs.lifecycle.facts import book as facts_book

        self.index.close()
        scrub(self.root)
        facts_book.scrub(self.root)

    def rebuild(self) -> None:
        """Throws the index away; the next use builds it from the files."""
        from mnemofs.index.rows import sqlitefile

        self.index.close()
        self._index = None
        sqlitefile.delete(os.path.join(self.root, SIDECAR_DIR, "index.db"))

    def fold(self, seen: Survey | None = None) -> tuple[str, ...]:
        """Commits hand edits that have come to rest; warnings. Never raises for a busy store.

        seen: what a walk through the folder found a moment ago, to spare another one.
        """
        marked = self._marked()
        try:
            done = self.store.fold(seen=seen)
            if done.clean and self._marked() == marked:
                with contextlib.suppress(OSError):
                    os.unlink(self._marker())
        except MnemofsError as error:
            return (f"hand edits are not committed yet: {error.message}",)
        return done.warnings

    def upkeep(self) -> tuple[str, ...]:
        """Packs git's loose objects when there are many: after long work, never inside a write.
        A failure is a warning; nothing depends on it."""
        try:
            self.store.maintain()
        except MnemofsError as error:
            return (f"the repository could not be packed: {error.message}",)
        return ()

    def written(self, done: Committed) -> tuple[str, ...]:
        """Makes what was just committed findable; a warning when the index cannot follow."""
        if done.conflicts:
            self.contest()
        paths = [path for path in done.paths if path.endswith(".md")]
        return self.reindex(paths) if paths else ()

    @property
    def contested(self) -> bool:
        """Whether there may be conflicts to look for."""
        return os.path.exists(self._marker(_CONTESTED))

    def contest(self, *, over: bool = False) -> None:
        """Notes that there may be conflicts, or that there is none."""
        if over:
            with contextlib.suppress(OSError):
                os.unlink(self._marker(_CONTESTED))
        else:
            self._mark(_CONTESTED)

    def reindex(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Refreshes these paths only. Never raises: what is committed stays acknowledged, and the
        next search looks again."""
        try:
            return tuple(self.index.refresh(list(paths)).warnings)
        except Exception as error:
            reason = error.message if isinstance(error, MnemofsError) else type(error).__name__
            return (f"written, but the search index could not follow yet ({reason})",)

    def close(self) -> None:
        """Releases files and locks."""
        if self._index is not None:
            self._index.close()
        if self._store is not None:
            self._store.close()

    def _has_twin(self, path: str) -> bool:
        folder, name = os.path.split(path)
        try:
            there = os.listdir(os.path.join(self.root, folder))
        except OSError:
            return False
        return any(collision_key(other) == collision_key(name) for other in there)

    def _marked(self) -> int:
        """When somebody last saw a hand edit that may be in no commit yet, in ns; 0 for never."""
        try:
            return os.stat(self._marker()).st_mtime_ns
        except OSError:
            return 0

    def _marker(self, name: str = _UNFOLDED) -> str:
        return os.path.join(self.root, SIDECAR_DIR, name)

    def _mark(self, name: str) -> None:
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self._marker()), exist_ok=True)
            os.close(os.open(self._marker(name), WRITE, 0o666))
            now = time.time_ns()
            os.utime(self._marker(name), ns=(now, now))
