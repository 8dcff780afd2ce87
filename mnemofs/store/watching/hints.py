"""Where the watcher's hints come from: the file system's events, or a stat scan where it has none.

A hint says "this path may have changed" and nothing more. The event handler only puts paths into
a set: 3 000 creations with 2 ms of work in it would still be draining after 40 s (git-lab §10).
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemofs.names import OWNERS_DIR, is_memory, skip_dir
from mnemofs.store.git.treediff import composed

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver, ObservedWatch

    from mnemofs.store.disk.filestat import FileStat

# Above this many events at once the kernel's queue (16 384) may have overflowed unseen.
_FLOOD = 4096
# fmt: off
_NETWORK = frozenset((
    "9p", "acfs", "afpfs", "afs", "ceph", "cifs", "coda", "davfs", "drvfs", "fuse",
    "fuse.gvfsd-fuse", "fuse.juicefs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
    "fuse.vmhgfs-fuse", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "prl_fs", "smb2",
    "smb3", "smbfs", "vboxsf", "virtiofs", "webdav",
))
# fmt: on


@dataclass
class Hints:
    """What happened since the last `take`: files (True: still open for writing), new folders,
    and whether only a full scan can tell the rest.
    """

    files: dict[str, bool] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    everything: bool = False


class Mailbox:
    """Hints from any thread, taken by the watcher's."""

    def __init__(self) -> None:
        self._hints = Hints()
        self._events = 0
        self._lock = threading.Lock()
        self._news = threading.Event()

    def file(self, path: str, *, writing: bool) -> None:
        """A file that may have changed."""
        with self._lock:
            self._hints.files[path] = writing
        self._news.set()

    def folder(self, path: str) -> None:
        """A folder that appeared: its files have to be looked for."""
        with self._lock:
            self._hints.folders.add(path)
        self._news.set()

    def everything(self) -> None:
        """Anything may have changed."""
        with self._lock:
            self._hints.everything = True
        self._news.set()

    def count(self) -> None:
        """One more event of any kind; a flood of them may hide lost ones."""
        self._events += 1
        if self._events == _FLOOD:
            self.everything()

    def take(self) -> Hints:
        """All hints so far."""
        with self._lock:
            hints, self._hints = self._hints, Hints()
            self._events = 0
        return hints

    def wait(self, seconds: float) -> None:
        """Until there is news, at most this long."""
        self._news.wait(seconds)
        self._news.clear()


class EventSource:
    """The folders of a work tree under watchdog: the root, and each visible top folder with all
    below it. `.git`, hidden folders, owners and nested repositories at the top cost nothing; deeper
    ones are filtered.

    Raises OSError when the system has no watch left (the caller scans instead).
    """

    def __init__(self, root: str, mailbox: Mailbox) -> None:
        self._root = root
        self._mailbox = mailbox
        self._watched: dict[str, tuple[int, ObservedWatch]] = {}
        self._observer = _observer()
        self._handler = _handler(self._on_event)
        self._inode = os.stat(root).st_ino
        try:
            self._schedule("")
            self.follow()
            self._observer.start()
        except BaseException:
            self.stop()
            raise

    def alive(self) -> bool:
        """Whether events still come, and from the folder that stands there now."""
        try:
            return self._observer.is_alive() and os.stat(self._root).st_ino == self._inode
        except OSError:
            return False

    def follow(self) -> None:
        """Watch top folders that appeared, let go of those that vanished or were replaced."""
        present = _top_folders(self._root)
        for name, (inode, watch) in list(self._watched.items()):
            if name and present.get(name) != inode:
                self._observer.unschedule(watch)
                del self._watched[name]
        for name in present.keys() - self._watched.keys():
            try:
                self._schedule(name, present[name])
            except (FileNotFoundError, NotADirectoryError):
                continue

    def stop(self) -> None:
        """No more events; returns when its threads are done."""
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()

    def _schedule(self, name: str, inode: int = 0) -> None:
        folder = os.path.join(self._root, name) if name else self._root
        watch = self._observer.schedule(
            self._handler, folder, recursive=bool(name), event_filter=_filter()
        )
        self._watched[name] = inode, watch

    def _on_event(self, event: FileSystemEvent) -> None:
        self._mailbox.count()
        source, target = self._relative(event.src_path), self._relative(event.dest_path)
        if event.is_directory:
            for path in (source, target):
                if path and _visible(path):
                    if "/" not in path:
                        self._mailbox.folder("")  # the set of top folders changed
                    if event.event_type in ("moved", "deleted"):
                        self._mailbox.everything()
                    self._mailbox.folder(path)
            return
        # Only inotify tells when a writer is done; elsewhere `modified` is all there is.
        writing = event.event_type == "modified" and sys.platform == "linux"
        for path in (source, target):
            if path and is_memory(path):
                self._mailbox.file(path, writing=writing)

    def _relative(self, raw: bytes | str) -> str:
        path = os.fsdecode(raw) if raw else ""
        if not path.startswith(self._root + os.sep):
            return ""
        return composed(path[len(self._root) + 1 :].replace(os.sep, "/"))


def out_of_watches(error: OSError) -> bool:
    """Whether the system refused a watch because a limit is reached."""
    return error.errno in (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


def on_network(root: str, mounts: str = "/proc/self/mounts") -> bool:
    """Whether a folder lies on a file system that does not tell what other machines do to it."""
    best, kind = "", ""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields = line.split(" ")
                if len(fields) < 3:
                    continue
                point = _unescaped(fields[1]).rstrip("/")
                inside = root == point or root.startswith(point + "/")
                if inside and len(point) >= len(best):
                    best, kind = point, fields[2]
    except OSError:
        return False
    return kind in _NETWORK


def changed_files(before: Mapping[str, FileStat], after: Mapping[str, FileStat]) -> list[str]:
    """Paths that appeared, vanished or were written to between two scans."""
    return [
        path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)
    ]


def _top_folders(root: str) -> dict[str, int]:
    """Names and inodes of the folders at the top that may hold memory."""
    found = {}
    try:
        with os.scandir(root) as entries:
            for entry in entries:
                if (
                    entry.is_dir(follow_symlinks=False)
                    and _visible(entry.name)
                    and not os.path.lexists(os.path.join(entry.path, ".git"))
                ):
                    found[entry.name] = entry.inode()
    except OSError:
        return {}
    return found


def _visible(path: str) -> bool:
    first, *_ = parts = path.split("/")
    return first.casefold() != OWNERS_DIR and not any(skip_dir(part) for part in parts)


def _unescaped(field: str) -> str:
    """A mount point as /proc writes it: space, tab, newline and backslash in octal."""
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, char)
    return field


def _observer() -> BaseObserver:
    from watchdog.observers import Observer

    return Observer()


def _handler(on_event: Callable[[FileSystemEvent], None]) -> FileSystemEventHandler:
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        def dispatch(self, event: FileSystemEvent) -> None:
            on_event(event)

    return Handler()


def _filter() -> list[type[FileSystemEvent]]:
    """Without opened and closed_no_write: mere reading is no hint."""
    from watchdog import events

    return [
        events.FileCreatedEvent,
        events.FileModifiedEvent,
        events.FileMovedEvent,
        events.FileDeletedEvent,
        events.FileClosedEvent,
        events.DirCreatedEvent,
        events.DirMovedEvent,
        events.DirDeletedEvent,
    ]
