"""`Index`: one store's searchable present, kept true to the files at every read."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from mnemofs.errors import MnemofsError, NotFound, PermissionRefused, UnreadableText
from mnemofs.index.database import DAMAGED, Database
from mnemofs.index.freshness import Freshness, Known, Stat, plan_index, unused_spellings
from mnemofs.index.projection import blob_id, project
from mnemofs.index.writing import Reading, put, remove
from mnemofs.names import is_memory, open_regular

if TYPE_CHECKING:
    from mnemofs.index.embedders import Embedder
    from mnemofs.index.vectors import Embedded, VectorLane

Progress = Callable[[int, int], None]

_BATCH_FILES = 200
_BATCH_BYTES = 2_000_000
# Beyond this a file is no note; reading it would stop everything else.
_MAX_BYTES = 32 * 1024 * 1024


class Index:
    """The search index of the store at `root`; safe to use from several threads and processes.

    The files are the truth and this is their shadow: it may be deleted at any time. `embedder`
    None means lexical search only; vectors made earlier stay for the next time.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        embedder: Embedder | None = None,
        path: str | None = None,
    ) -> None:
        """path: another place for the database than `<root>/.mnemofs/index.db`."""
        self.root = Path(root)
        self.embedder = embedder
        self._database = Database(root, path=path)
        self._reading = threading.RLock()
        self._writing = threading.RLock()
        self._known: tuple[int, dict[str, Known]] = (-1, {})
        self._lane: VectorLane | None = None

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the files."""
        with self._writing, self._reading:
            self._database.close()

    def refresh(
        self,
        hint_paths: Iterable[str] | None = None,
        *,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> Freshness:
        """Makes the index equal to the files and says what that took.

        hint_paths: look at these only (the write path: about a millisecond a file); None looks at
        all. wait=False gives up at once when another process is indexing (`complete` is then
        False). progress(done, total) counts files.
        """
        with self._writing:
            for _attempt in range(3):
                try:
                    return self._refresh(hint_paths, wait, progress)
                except DAMAGED:
                    self._discard()
                except (apsw.FullError, apsw.ReadOnlyError, apsw.IOError) as error:
                    with self._reading:
                        self._database.fall_back_to_memory(str(error).rpartition(": ")[2])
            return Freshness(complete=False, warnings=self.take_warnings())

    def read(self, path: str) -> bytes:
        """The file's present bytes. Raises NotFound, UnsafeName, PermissionRefused."""
        return open_regular(self.root, path)

    def query(self, sql: str, bindings: Any = ()) -> list[Any]:
        """The rows of a read-only statement; an empty list while a damaged file is replaced."""
        with self._reading:
            try:
                return self._database.reader().execute(sql, bindings).fetchall()
            except DAMAGED:
                self._discard()
                return []

    def embed_pending(
        self,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Embedded:
        """Makes vectors for chunks that have none, in short transactions; may be interrupted.

        Stops after `limit` chunks or `seconds`, whichever comes first. Never raises for the
        embedder's faults: they are in the result.
        """
        from mnemofs.index.vectors import embed_pending

        return embed_pending(self, limit=limit, seconds=seconds, progress=progress)

    def pending(self) -> int:
        """Chunks that wait for a vector of the present embedder."""
        if self.embedder is None:
            return 0
        from mnemofs.index.vectors import pending

        return pending(self)

    def vector_lane(self) -> VectorLane:
        """Nearest neighbours over the present chunks; needs an embedder."""
        if self._lane is None:
            from mnemofs.index.vectors import VectorLane

            self._lane = VectorLane(self)
        return self._lane

    def transaction(self, *, wait: bool = True) -> Any:
        """The database's transaction, for the modules of this room."""
        return self._database.transaction(wait=wait)

    def take_warnings(self) -> tuple[str, ...]:
        """What had to be done about the index file since last asked."""
        warnings, self._database.warnings = tuple(self._database.warnings), []
        return warnings

    @property
    def reading_lock(self) -> threading.RLock:
        """Held while this process reads."""
        return self._reading

    @property
    def writing_lock(self) -> threading.RLock:
        """Held while this process writes."""
        return self._writing

    def _discard(self) -> None:
        with self._reading:
            self._known = (-1, {})
            self._database.discard("damaged")

    def _refresh(
        self, hints: Iterable[str] | None, wait: bool, progress: Progress | None
    ) -> Freshness:
        with self._reading:
            self._database.refresh()
        present = self._scan() if hints is None else self._look(hints)
        twins = unused_spellings(present) if hints is None else {}
        known = self._load_known()
        if hints is not None:
            wanted = set(hints)
            known = {path: known[path] for path in wanted if path in known}
        plan = plan_index(
            known, {path: stat for path, stat in present.items() if path not in twins}
        )
        changed: list[str] = []
        removed: list[str] = []
        complete = True
        try:
            done = 0
            for batch in self._readings(plan.check, present, known):
                with self.transaction(wait=wait) as connection:
                    changed += put(connection, batch)
                done += len(batch)
                if progress is not None:
                    progress(done, len(plan.check))
            gone = [path for path in plan.absent if path not in twins and self._is_gone(path)]
            losers = [path for path in twins if path not in known or not known[path].problem]
            if gone or losers:
                with self.transaction(wait=wait) as connection:
                    put(connection, [self._unused(path, twins[path], present) for path in losers])
                    removed += remove(connection, gone)
        except apsw.BusyError:
            complete = False
        return Freshness(
            changed=tuple(changed),
            removed=tuple(removed),
            pending=self.pending(),
            skipped=tuple(
                self.query("select path, problem from file where problem <> '' order by path")
            ),
            complete=complete,
            warnings=self.take_warnings(),
        )

    def _scan(self) -> dict[str, Stat]:
        from mnemofs.store.scan import scan

        return {
            path: Stat(stat.size, stat.mtime_ns, stat.ino)
            for path, stat in scan(self.root).items()
            if path.endswith(".md")
        }

    def _look(self, hints: Iterable[str]) -> dict[str, Stat]:
        present = {}
        for path in hints:
            if path.endswith(".md") and is_memory(path):
                try:
                    status = os.lstat(self.root / path)
                except OSError:
                    continue
                present[path] = Stat(status.st_size, status.st_mtime_ns, status.st_ino)
        return present

    def _load_known(self) -> dict[str, Known]:
        generation = self.generation()
        if generation != self._known[0] or generation < 0:
            rows = self.query("select path, id, blob, size, mtime, ino, seen, problem from file")
            self._known = (generation, {row[0]: Known(*row[1:]) for row in rows})
        return self._known[1]

    def generation(self) -> int:
        """Counts the transactions that changed the index, by whichever process."""
        rows = self.query("select value from meta where key = 'generation'")
        return int(rows[0][0]) if rows else -1

    def _readings(
        self, paths: Iterable[str], present: Mapping[str, Stat], known: Mapping[str, Known]
    ) -> Iterator[list[Reading]]:
        batch: list[Reading] = []
        size = 0
        for path in paths:
            reading = self._read(path, present[path], known.get(path))
            if reading is None:
                continue
            batch.append(reading)
            size += reading.stat.size
            if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _read(self, path: str, stat: Stat, old: Known | None) -> Reading | None:
        seen = time.time_ns()
        if stat.size > _MAX_BYTES:
            return Reading(path, stat, seen, None, (), "larger than 32 MiB")
        try:
            data = self.read(path)
        except NotFound:
            return None
        except PermissionRefused as error:
            # Present but unknown: what was indexed is kept, hits are checked before they are shown.
            return Reading(path, stat, seen, None, None, error.message)
        except MnemofsError as error:
            return Reading(path, stat, seen, None, (), error.message)
        blob = blob_id(data)
        if old is not None and old.blob == blob:
            return Reading(path, stat, seen, blob, None, old.problem)
        try:
            return Reading(path, stat, seen, blob, project(path, data))
        except UnreadableText:
            return Reading(path, stat, seen, blob, (), "not UTF-8 text")

    def _unused(self, path: str, canonical: str, present: Mapping[str, Stat]) -> Reading:
        reason = f"another spelling of {canonical}, which is the one in use"
        return Reading(path, present[path], time.time_ns(), None, (), reason)

    def _is_gone(self, path: str) -> bool:
        # A folder that cannot be read makes its files unknown, not deleted.
        try:
            os.lstat(self.root / path)
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False
        return True
