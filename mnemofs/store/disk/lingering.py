"""Old versions of files, looked at once more: somebody may still have had one open.

A program that opened a note before we replaced it (a shell's `>>`, an editor that appends) writes
into the old version, where nobody would ever read it. So the link to the old version stays for a
moment, and what was written to it becomes an edit of that person.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from mnemofs.store.disk.files import read_file, unlink_quietly

PREFIX = "before-"
_SUFFIX = ".old"  # no Markdown to whoever looks for that
MOMENT = 2.0
_MOST = 64


@dataclass(frozen=True, slots=True)
class _Link:
    """An old version: where it stood, the blob it was in HEAD, and its stat then."""

    name: str
    disk: str
    blob: str | None
    size: int
    mtime: int


class Lingering:
    """The old versions of one store; they outlive the process that left them.

    folder: on the file system of the work tree. Safe to use from threads.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._links: deque[_Link] = deque()
        self._lock = threading.Lock()
        self._count = 0

    def leave(self, backup: str, disk: str, blob: str | None, status: os.stat_result) -> None:
        """Take the link of a version that stood at `disk` under `status` when it was replaced."""
        with self._lock:
            self._count += 1
            number = self._count
        stamp = f"{os.getpid()}.{number}.{blob or ''}.{status.st_size}.{status.st_mtime_ns}"
        name = f"{PREFIX}{stamp}.{_as_name(disk)}{_SUFFIX}"
        try:
            os.rename(backup, os.path.join(self._folder, name))
        except OSError:  # a long name, or a disk that takes no more
            _let_go(backup)
            return
        with self._lock:
            self._links.append(_Link(name, disk, blob, status.st_size, status.st_mtime_ns))

    def adopt(self, name: str) -> bool:
        """Look after what another process left; whether `name` is such a version."""
        fields = name.removeprefix(PREFIX).split(".", 5)
        if not name.startswith(PREFIX) or len(fields) < 6 or not (fields[3] + fields[4]).isdigit():
            return False
        disk = _from_name(fields[5].removesuffix(_SUFFIX))
        link = _Link(name, disk, fields[2] or None, int(fields[3]), int(fields[4]))
        with self._lock:
            self._links.append(link)
        return True

    def late(self, quiet: float) -> Iterator[tuple[str, str | None, bytes]]:
        """(path, the blob they wrote over, their bytes) of what was written since, once it rests
        for `quiet` seconds. Versions whose moment is over, and these, are let go; a version is let
        go only when the caller has done with it and asks for the next."""
        with self._lock:
            links = list(self._links)
        for place, link in enumerate(links):
            path = os.path.join(self._folder, link.name)
            try:
                now = os.lstat(path)
            except OSError:
                self._drop(link)
                continue
            age = time.time() - now.st_ctime
            changed = (now.st_size, now.st_mtime_ns) != (link.size, link.mtime)
            if changed and 0 <= age < quiet:
                continue
            if changed:
                content = read_file(path)
                if content is not None:
                    yield link.disk, link.blob, content
            elif 0 <= age < MOMENT and len(links) - place <= _MOST:
                continue
            self._drop(link)
            _let_go(path)

    def clear(self) -> None:
        """Let go of every version: what was in them shall be nowhere."""
        with self._lock:
            self._links.clear()
        for name in os.listdir(self._folder):
            if name.startswith(PREFIX):
                unlink_quietly(os.path.join(self._folder, name))

    def _drop(self, link: _Link) -> None:
        with self._lock:
            try:
                self._links.remove(link)
            except ValueError:
                pass


def _let_go(path: str) -> None:
    try:
        unlink_quietly(path)
    except OSError:
        pass  # litter; the next process clears it away


def _as_name(disk: str) -> str:
    return disk.replace("%", "%25").replace("/", "%2F")


def _from_name(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")
