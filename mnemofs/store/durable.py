"""Objects and files that are safe after power loss before anything points at them.

Everything one commit needs is written to temporary files, synced together in parallel (four files
cost about one), renamed into place, and the folders are synced likewise. Only then may a ref move.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
import zlib
from _queue import SimpleQueue
from _thread import allocate_lock, start_new_thread
from collections.abc import Iterable
from hashlib import sha1
from time import perf_counter

from mnemofs.store.files import unlink_quietly, write_all
from mnemofs.store.objects import Objects

_COMPRESSION = 1  # git's own level for loose objects
_SMALL = 8192  # bytes; beyond the smaller window, but texts repeat nearby
_THREADS = 4
_QUICK = 0.0008  # seconds
_YOUNG = 60.0  # seconds
_MAX_OPEN = 64  # files kept open to be synced together; some systems allow a process only 256


class Pending:
    """Objects of one write, on their way to the disk. Needs the write lock.

    temp_dir: on the same file system as the objects; what a dead process leaves there is litter.
    """

    def __init__(self, objects: Objects, temp_dir: str, durable: bool) -> None:
        self._objects = objects
        self._temp_dir = temp_dir
        self._durable = durable
        self._waiting: list[tuple[str, str]] = []  # temp, final
        self._known: set[str] = set()
        self._open: list[int] = []
        self.folders: set[str] = set()

    def add(self, kind: str, content: bytes) -> str:
        """Write an object to a temporary file (unless it is stored already); its id."""
        header = b"%s %d\0" % (kind.encode(), len(content))
        digest = sha1(header, usedforsecurity=False)
        digest.update(content)
        object_id = digest.hexdigest()
        folder = os.path.join(self._objects.directory, object_id[:2])
        if object_id in self._known:
            return object_id
        if self._objects.has(object_id, look_again=False):
            self._sync_if_young(os.path.join(folder, object_id[2:]))
            return object_id
        temp = os.path.join(self._temp_dir, f"object-{object_id}")
        packed = _packed(header, content)
        descriptor = create(temp, 0o444)
        self._waiting.append((temp, os.path.join(folder, object_id[2:])))
        self._known.add(object_id)
        try:
            write_all(descriptor, packed)
        finally:
            self.sync_also(descriptor)
        return object_id

    def _sync_if_young(self, path: str) -> None:
        """git itself may have written this object a moment ago, and it does not sync them."""
        try:
            if os.stat(path).st_mtime < time.time() - _YOUNG:
                return
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # packed, or borrowed
        self.folders.add(os.path.dirname(path))
        self.sync_also(descriptor)

    def sync_also(self, descriptor: int) -> None:
        """Have a file (closed here) synced with the rest."""
        self._open.append(descriptor)
        if len(self._open) >= _MAX_OPEN:
            self._sync()

    def place(self) -> None:
        """Sync everything added and rename the objects into place.

        The folders are synced by `settle`, after the caller's own renames (who adds to `folders`).
        """
        self._sync()
        for temp, final in self._waiting:
            folder = os.path.dirname(final)
            try:
                os.rename(temp, final)
            except FileNotFoundError:
                os.mkdir(folder)
                self.folders.add(os.path.dirname(folder))
                os.rename(temp, final)
            self.folders.add(folder)
        self._waiting = []

    def settle(self) -> None:
        """Sync the folders that received something: after this nothing can be missing."""
        folders, self.folders = self.folders, set()
        if self._durable:
            sync_folders(folders)

    def discard(self) -> None:
        """Forget what was not placed."""
        for temp, _ in self._waiting:
            unlink_quietly(temp)
        self._waiting = []
        self._close()

    def _sync(self) -> None:
        try:
            if self._durable:
                sync_all(self._open)
        finally:
            self._close()

    def _close(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
        self._open = []


def _packed(header: bytes, content: bytes) -> bytes:
    """A loose object's bytes. A window as small as the text: clearing the usual one takes longer
    than all else about a small object."""
    small = len(content) <= _SMALL
    compressor = (
        zlib.compressobj(_COMPRESSION, zlib.DEFLATED, 12, 5)
        if small
        else zlib.compressobj(_COMPRESSION)
    )
    return compressor.compress(header) + compressor.compress(content) + compressor.flush()


def create(path: str, mode: int = 0o666) -> int:
    """A new file for writing, in place of what a dead process left under this name."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, flags, mode)
    except FileExistsError:
        os.unlink(path)
        return os.open(path, flags, mode)


def sync_all(descriptors: list[int], *, journalled: bool = False) -> None:
    """Sync files; raises the first error.

    One after the other while the disk answers at once, in parallel when it does not: waiting for
    four files then costs about one, but handing them to threads costs more than a quick disk.
    journalled: what is synced is renames, of which a file system with a journal writes all that
    came before together with the first: the second is tried before threads are.
    """
    global _seconds
    position = 0
    while position < len(descriptors) and (
        _seconds < _QUICK or (journalled and position < 2) or position == len(descriptors) - 1
    ):
        began = perf_counter()
        sync(descriptors[position])
        _seconds = perf_counter() - began
        position += 1
    jobs = [_Job(descriptor) for descriptor in descriptors[position:]]
    if not jobs:
        return
    queue = _helpers()
    for job in jobs[1:]:
        queue.put(job)
    began = perf_counter()
    jobs[0].run()
    _seconds = perf_counter() - began
    for job in jobs:
        job.finished.acquire()
    for job in jobs:
        if job.error is not None:
            raise job.error


_seconds = 1.0  # how long the last sync took


class _Job:
    __slots__ = ("descriptor", "error", "finished")

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.error: OSError | None = None
        self.finished = allocate_lock()
        self.finished.acquire()

    def run(self) -> None:
        try:
            sync(self.descriptor)
        except OSError as error:
            self.error = error
        finally:
            self.finished.release()


_pool: tuple[int, SimpleQueue[_Job]] | None = None
_pool_guard = allocate_lock()


def _helpers() -> SimpleQueue[_Job]:
    """The queue of a few threads that wait to sync; made again in a forked child."""
    global _pool
    with _pool_guard:
        if _pool is None or _pool[0] != os.getpid():
            queue: SimpleQueue[_Job] = SimpleQueue()
            for _ in range(_THREADS):
                start_new_thread(_work, (queue,))
            _pool = os.getpid(), queue
        return _pool[1]


def _work(queue: SimpleQueue[_Job]) -> None:
    while True:
        queue.get().run()


def sync_folders(folders: Iterable[str]) -> None:
    """Sync directories in parallel; file systems that cannot are passed over."""
    waiting = list(folders)
    for start in range(0, len(waiting), _MAX_OPEN):
        descriptors: list[int] = []
        try:
            for folder in waiting[start : start + _MAX_OPEN]:
                try:
                    descriptors.append(os.open(folder, os.O_RDONLY | os.O_CLOEXEC))
                except (FileNotFoundError, NotADirectoryError, PermissionError):
                    continue
            sync_all(descriptors, journalled=True)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)


def sync(descriptor: int) -> None:
    """Sync one open file or directory to the disk itself."""
    full = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: fsync leaves data in the drive's cache
    try:
        if full is None:
            os.fsync(descriptor)
        else:
            fcntl.fcntl(descriptor, full)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS):
            raise
