"""Locks that a killed process cannot leave behind for others to trip over (git-lab §8).

Three kinds. The *write lock* dies with its process and keeps mnemofs processes
and threads apart. `index.lock` and `<ref>.lock` are git's own: they keep git away, and are taken
by `link()`ing a private file of ours, so that the next holder of the write lock recognises a stale
one by its inode. A lock that is not ours is never touched (GIT-06).
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mnemofs.errors import Busy
from mnemofs.filelocks import try_lock
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.disk.files import unlink_quietly, write_all
from mnemofs.systems import NEW, UPDATE

WRITE_WAIT = 60.0
GIT_WAIT = 5.0
_MARKER = b"mnemofs lock\n"
_NO_LINKS = frozenset(
    {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV, errno.EMLINK, errno.EACCES}
)

_mutexes: dict[str, threading.Lock] = {}
_mutexes_guard = threading.Lock()


class WriteLock:
    """The lock around every write to one repository, for threads and processes.

    Raises Busy when another process keeps it longer than `wait` seconds; nothing was changed then.
    Not re-entrant.
    """

    def __init__(self, path: str, wait: float = WRITE_WAIT) -> None:
        self._path = path
        self._wait = wait
        with _mutexes_guard:
            self._mutex = _mutexes.setdefault(os.path.realpath(path), threading.Lock())
        self._descriptor: int | None = None  # only touched by the thread that has the mutex

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Hold the lock, giving up (Busy) after `seconds` instead of the usual patience."""
        self._take(seconds)
        try:
            yield
        finally:
            self.__exit__()

    def __enter__(self) -> WriteLock:
        self._take(self._wait)
        return self

    def _take(self, wait: float) -> None:
        deadline = time.monotonic() + wait
        if not self._mutex.acquire(timeout=wait):
            raise self._busy(wait)
        try:
            self._descriptor = self._flock(deadline, wait)
        except BaseException:
            self._mutex.release()
            raise

    def __exit__(self, *_: object) -> None:
        descriptor, self._descriptor = self._descriptor, None
        try:
            if descriptor is not None:
                os.close(descriptor)
        finally:
            self._mutex.release()

    def _flock(self, deadline: float, wait: float) -> int:
        with storage_errors(self._path):
            try:
                descriptor = os.open(self._path, UPDATE | os.O_CREAT, 0o666)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(self._path), exist_ok=True)
                descriptor = os.open(self._path, UPDATE | os.O_CREAT, 0o666)
        pause = 0.0005
        while True:
            try:
                if try_lock(descriptor):
                    return descriptor
                if time.monotonic() > deadline:
                    raise self._busy(wait)
                time.sleep(pause)
                pause = min(pause * 1.5, 0.01)
            except BaseException:
                os.close(descriptor)
                raise

    def _busy(self, wait: float) -> Busy:
        return Busy(
            f"another process has been writing to this memory for {wait:.0f} seconds; "
            "nothing was changed",
            hint="try again, or look for a mnemofs process that hangs",
            path=self._path,
        )


class GitLock:
    """One of git's lock files (`<target>.lock`), held by us. Needs the write lock.

    private: the file of ours that becomes the lock. Its content can be written before or after
    taking the lock; `publish` renames the lock over the target.
    """

    def __init__(self, target: str, private: str) -> None:
        self.target = target
        self.lock = target + ".lock"
        self._private = private
        self._held = False
        self._linked = False

    def prepare(self, content: bytes = b"") -> int:
        """Make the private file anew and return its descriptor, to be closed by the caller."""
        clear_stale(self.lock, self._private)
        # Never truncated in place: after an earlier rename it may be the live file.
        unlink_quietly(self._private)
        descriptor = os.open(self._private, NEW, 0o666)
        try:
            write_all(descriptor, content)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def take(self, wait: float = GIT_WAIT, holds: Callable[[], str] | None = None) -> None:
        """Take the lock, waiting for a foreign one. `prepare` comes first.

        holds: what the message says about the bytes of the write when it gives up.
        Raises Busy naming the lock file; a foreign lock is never removed.
        """
        deadline = time.monotonic() + wait
        pause = 0.002
        while not self._try():
            if time.monotonic() > deadline:
                age = _age(self.lock)
                raise Busy(
                    f"{self.lock} is held by another program"
                    + (f" since {age}" if age else "")
                    + ("; " + holds() if holds else ""),
                    hint="wait for that git command; if none is running, delete the lock file",
                    path=self.lock,
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.1)
        self._held = True

    def publish(self) -> None:
        """Make the private file's content the target's, atomically, and give up the lock."""
        if self._linked:
            os.replace(self.lock, self.target)
            self._held = False
            unlink_quietly(self._private)
        else:
            os.replace(self._private, self.target)
            self.release()

    def release(self) -> None:
        """Give up the lock and leave the target as it was."""
        if self._held:
            self._held = False
            unlink_quietly(self.lock)
        unlink_quietly(self._private)

    def _try(self) -> bool:
        try:
            os.link(self._private, self.lock)
            self._linked = True
            return True
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        self._linked = False
        try:  # No hard links here (exFAT, some shares): exclusive creation, and our mark inside.
            descriptor = os.open(self.lock, NEW, 0o666)
        except FileExistsError:
            return False
        with open(descriptor, "wb") as file:
            file.write(_MARKER)
        return True


def clear_stale(lock: str, private: str) -> bool:
    """Remove `lock` if it is a dead process's of ours; whether it was. Needs the write lock."""
    try:
        found = os.lstat(lock)
    except FileNotFoundError:
        return False
    try:
        ours = os.path.samestat(found, os.lstat(private))
    except FileNotFoundError:
        ours = False
    if not ours and found.st_size == len(_MARKER):
        try:
            with open(lock, "rb") as file:
                ours = file.read(len(_MARKER) + 1) == _MARKER
        except OSError:
            return False
    if ours:
        unlink_quietly(lock)
    return ours


def _age(lock: str) -> str:
    try:
        seconds = time.time() - os.lstat(lock).st_mtime
    except OSError:
        return ""
    if seconds < 90:
        return f"{max(seconds, 0):.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.0f} hours"
