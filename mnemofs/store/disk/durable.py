"""Files and folders that are safe after power loss, several at once for little more than one."""

from __future__ import annotations

import errno
import os
import sys
from _queue import SimpleQueue
from _thread import allocate_lock, start_new_thread
from collections.abc import Iterable
from time import perf_counter

from mnemofs.systems import NEW, READ

_THREADS = 4
_QUICK = 0.0008  # seconds
MAX_OPEN = 64  # files kept open to be synced together; some systems allow a process only 256


def create(path: str, mode: int = 0o666) -> int:
    """A new file for writing, in place of what a dead process left under this name."""
    try:
        return os.open(path, NEW, mode)
    except FileExistsError:
        os.unlink(path)
        return os.open(path, NEW, mode)


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
    for start in range(0, len(waiting), MAX_OPEN):
        descriptors: list[int] = []
        try:
            for folder in waiting[start : start + MAX_OPEN]:
                try:
                    descriptors.append(os.open(folder, READ))
                except (FileNotFoundError, NotADirectoryError, PermissionError):
                    continue
            sync_all(descriptors, journalled=True)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)


if sys.platform == "darwin":
    import fcntl

    def _fsync(descriptor: int) -> None:  # fsync leaves data in the drive's cache
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)

else:

    def _fsync(descriptor: int) -> None:
        os.fsync(descriptor)


def sync(descriptor: int) -> None:
    """Sync one open file or directory to the disk itself."""
    try:
        _fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS):
            raise
