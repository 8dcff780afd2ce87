"""Locks on open files that die with the process that holds them, on every system.

`flock` where there is one. On Windows one byte far behind the end of the file is locked, so that
what stands in it can still be read. A lock is given up by closing the file.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from mnemofs.systems import UPDATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MODE = 0o600

if sys.platform == "win32":
    import errno
    import msvcrt

    _BYTE = 1 << 30
    _HELD = (errno.EACCES, errno.EDEADLK)

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Lock an open file, for this process alone unless `shared`; False when somebody else has
        it. Raises OSError where the file system has no locks."""
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno not in _HELD:
                raise
            return False
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Lock an open file, for this process alone unless `shared`; False when somebody else has
        it. Raises OSError where the file system has no locks."""
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextlib.contextmanager
def exclusive(path: str) -> Iterator[None]:
    """Be the only one, on any process or thread, that holds this file, however long that takes.
    Raises OSError when the file cannot be opened or locked."""
    descriptor = _opened(path)
    try:
        pause = 0.0005
        while not try_lock(descriptor):
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def only_one(path: str) -> Iterator[bool]:
    """Whether this is the only one to do what `path` stands for, until the block ends; never waits.

    True as well where nothing can be written, since nobody else keeps anything there either, and
    for "", by which nobody else can be meant.
    """
    if not path:
        yield True
        return
    try:
        descriptor = _opened(path)
    except OSError:
        yield True
        return
    try:
        try:
            mine = try_lock(descriptor)
        except OSError:
            mine = False
        yield mine
    finally:
        os.close(descriptor)


def is_held(path: str) -> bool:
    """Whether somebody holds this file at this moment; False when there is none. Such a look keeps
    nobody out who looks as well."""
    try:
        descriptor = os.open(path, UPDATE)
    except OSError:
        return False
    try:
        return not try_lock(descriptor, shared=True)
    except OSError:
        return True
    finally:
        os.close(descriptor)


def _opened(path: str) -> int:
    return os.open(path, UPDATE | os.O_CREAT, _MODE)
