"""The index of another revision: made from its blobs, thrown away when others are wanted more.

`.mnemofs/asof/<commit>.db` has the layout of `index.db`. Where most files are as they are now, it
starts as a copy of that and only the difference is indexed; otherwise it is made from nothing.
Vectors are taken over by the hash of their text, from the present index and from what any earlier
revision needed (`vectors.cache`), so that no text is embedded twice.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import apsw

from mnemofs.errors import EmbedderError, NotFound, UnreadableText
from mnemofs.filelocks import exclusive
from mnemofs.index.rows import borrowed
from mnemofs.index.rows.database import DAMAGED, MEMORY, NAME, VERSION, Database, value
from mnemofs.index.rows.freshness import Freshness, unused_spellings
from mnemofs.index.rows.projection import project
from mnemofs.index.rows.writing import Reading, put, remove
from mnemofs.index.sidecar import _MAX_BYTES, Index, Progress
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.disk.filestat import FileStat

if TYPE_CHECKING:
    from mnemofs.index.meaning.embedders import Embedder
    from mnemofs.index.meaning.embedding import Embedded

FOLDER = "asof"
# How many revisions are kept indexed.
KEPT = 8
# A larger share of different files is sooner indexed from nothing than exchanged in a copy.
_ALIKE = 0.3
_BATCH_FILES = 200
_DATABASE = re.compile(r"[0-9a-f]{40}\.db")
_SUFFIXES = ("", "-wal", "-shm", "-journal", ".tmp", ".tmp-wal", ".tmp-shm", ".tmp-journal")


class PastIndex(Index):
    """The search index of one commit of the store at `root`.

    files: {path: blob id} of the commit, asked only when the index has to be made. blob: the bytes
    of a blob. Hits are verified against these bytes, never against the work tree.
    """

    def __init__(
        self,
        root: str,
        commit: str,
        files: Callable[[], Mapping[str, str]],
        blob: Callable[[str], bytes],
        *,
        embedder: Embedder | None = None,
    ) -> None:
        self._folder = os.path.join(root, SIDECAR_DIR, FOLDER)
        self._path = os.path.join(self._folder, f"{commit}.db")
        self._files = files
        self._blob = blob
        self._made = False
        self._taken = ""
        super().__init__(root, embedder=embedder, path=self._path)

    def refresh(
        self,
        hint_paths: Iterable[str] | None = None,
        *,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> Freshness:
        """Makes the index if it is not there; a revision never changes afterwards."""
        with self.writing_lock:
            if not (self._made and (self._database.in_memory or os.path.exists(self._path))):
                self._made, self._taken = False, ""
                self._ensure(progress)
                self._made = True
        skipped = self.query("select path, problem from file where problem <> ''")
        return Freshness(
            pending=self.pending(),
            skipped=tuple(sorted((path, problem) for path, problem in skipped)),
            warnings=self.take_warnings(),
        )

    def read(self, path: str) -> bytes:
        """The file's bytes in this revision. Raises NotFound."""
        rows = self.query("select blob from file where path = ?", (path,))
        if not rows:
            raise NotFound(f"there is no file {path} in that revision", path=path)
        return self._blob(rows[0][0])

    def embed_pending(
        self,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Embedded:
        """See `Index.embed_pending`; what was embedded for others is taken over first."""
        number = 0
        # A busy file or a mute embedder is told by what comes next.
        with contextlib.suppress(EmbedderError, apsw.BusyError):
            number = self._take_over()
        newest = self.query("select coalesce(max(id), 0) from vector")
        done = super().embed_pending(limit=limit, seconds=seconds, progress=progress)
        if number and done.done and newest and not self._database.in_memory:
            with self.writing_lock:
                borrowed.keep(self.query, number, newest[0][0], self._cache)
        return done

    def _take_over(self) -> int:
        """The embedder's number here, once the vectors are linked that others have made."""
        from mnemofs.index.meaning.vectors import activate

        if self.embedder is None:
            return 0
        number = activate(self, self.embedder)
        if self._taken != self.embedder.id:
            sources = os.path.join(self.root, SIDECAR_DIR, NAME), self._cache
            with self.writing_lock, self.transaction() as connection:
                borrowed.take(connection, number, sources)
            self._taken = self.embedder.id
        return number

    @property
    def _cache(self) -> str:
        return os.path.join(self._folder, "vectors.cache")

    def _ensure(self, progress: Progress | None) -> None:
        try:
            os.makedirs(self._folder, exist_ok=True)
            with exclusive(os.path.join(self._folder, "lock")):
                if not _is_complete(self._path):
                    self._database.close()
                    _unlink(self._path)
                    self._build_aside(progress)
                os.utime(self._path)
                _evict(self._folder, os.path.basename(self._path))
        except (OSError, apsw.FullError, apsw.ReadOnlyError, apsw.CantOpenError, apsw.IOError):
            if not self._database.in_memory:
                self._database.fall_back_to_memory("it cannot be written")
            self._fill(self._database, {}, self._wanted(), progress)

    def _build_aside(self, progress: Progress | None) -> None:
        """A whole index under its name, or none: it is renamed when it is complete."""
        wanted = self._wanted()
        temporary = self._path + ".tmp"
        present = os.path.join(self.root, SIDECAR_DIR, NAME)
        known = _copy(present, temporary, wanted)
        database = Database(self.root, path=temporary)
        try:
            self._fill(database, known, wanted, progress)
            if database.path == MEMORY:
                raise OSError("no place for the index of a revision")
        finally:
            database.close()
        os.replace(temporary, self._path)

    def _wanted(self) -> dict[str, str]:
        files = {path: blob for path, blob in self._files().items() if path.endswith(".md")}
        for twin in unused_spellings(files):
            del files[twin]
        return files

    def _fill(
        self,
        database: Database,
        known: Mapping[str, str | None],
        wanted: Mapping[str, str],
        progress: Progress | None,
    ) -> None:
        changed = [path for path, blob in wanted.items() if known.get(path) != blob]
        done = 0
        with database.transaction() as connection:
            remove(connection, [path for path in known if path not in wanted])
            for start in range(0, len(changed), _BATCH_FILES):
                batch = changed[start : start + _BATCH_FILES]
                put(connection, [self._project(path, wanted[path]) for path in batch])
                done += len(batch)
                if progress is not None:
                    progress(done, len(changed))
            connection.execute("insert or replace into meta values('complete', 1)")

    def _project(self, path: str, blob: str) -> Reading:
        data = self._blob(blob)
        stat = FileStat(len(data), 0, 0, 0, 0o100644, path)
        seen = time.time_ns()
        if len(data) > _MAX_BYTES:
            return Reading(path, stat, seen, blob, (), "larger than 32 MiB")
        try:
            return Reading(path, stat, seen, blob, project(path, data))
        except UnreadableText:
            return Reading(path, stat, seen, blob, (), "it is not UTF-8 text")


def drop_revisions(root: str) -> None:
    """Delete the indexes of all revisions, and the vectors that only they needed."""
    folder = os.path.join(root, SIDECAR_DIR, FOLDER)
    for name in _listed(folder):
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, name))


def _copy(present: str, target: str, wanted: Mapping[str, str]) -> dict[str, str | None]:
    """Start from the present index if it holds much the same; what the copy holds."""
    _unlink(target)
    try:
        source = apsw.Connection(present, flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return {}
    try:
        if int(value(source, "pragma user_version")) != VERSION:
            return {}
        known = _blobs(source)
        alike = sum(known.get(path) == blob for path, blob in wanted.items())
        if alike < (1 - _ALIKE) * max(len(known), len(wanted)):
            return {}
        copy = apsw.Connection(target)
        try:
            with copy.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(1000)
            # What was copied may have grown since it was compared.
            return _blobs(copy)
        finally:
            copy.close(True)
    except (*DAMAGED, apsw.BusyError, apsw.SQLError):
        _unlink(target)
        return {}
    finally:
        source.close(True)


def _blobs(connection: apsw.Connection) -> dict[str, str | None]:
    rows: list[Any] = connection.execute("select path, blob from file").fetchall()
    return dict(rows)


def _is_complete(path: str) -> bool:
    if not os.path.exists(path):
        return False
    try:
        connection = apsw.Connection(path)
        try:
            whole = value(connection, "select value from meta where key = 'complete'")
            return bool(whole) and value(connection, "pragma user_version") == VERSION
        finally:
            connection.close(True)
    except apsw.Error:
        return False


def _evict(folder: str, used: str) -> None:
    """Keep the revisions that were asked for last."""
    others = [name for name in _listed(folder) if _DATABASE.fullmatch(name) and name != used]
    others.sort(key=lambda name: _age(os.path.join(folder, name)))
    for name in others[: max(len(others) + 1 - KEPT, 0)]:
        _unlink(os.path.join(folder, name))


def _age(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _unlink(path: str) -> None:
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + suffix)


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
