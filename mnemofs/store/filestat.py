"""What `stat` says of a file, apart so that a search need not load what a write needs."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
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
