"""What `stat` says of a file, apart so that a search need not load what a write needs."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import NamedTuple

    class FileStat(NamedTuple):
        """The stat fields that decide whether a file may have changed (a tuple: made by thousands).

        `disk` is the path as spelled on disk; it differs from the repository path only for names
        that are not in Unicode normal form C there (# TXT-09).
        """

        size: int
        mtime_ns: int
        ino: int
        ctime_ns: int
        mode: int
        disk: str
else:
    # The same without `typing`, which a hook does not wait for.
    FileStat = namedtuple("FileStat", "size mtime_ns ino ctime_ns mode disk")


def stat_of(status: os.stat_result, disk: str) -> FileStat:
    """The fields of a stat. An inode number beyond 63 bits is the negative one of the same bits,
    which SQLite can hold."""
    ino = status.st_ino - (status.st_ino >> 63 << 64)
    return FileStat(
        status.st_size, status.st_mtime_ns, ino, status.st_ctime_ns, status.st_mode, disk
    )
