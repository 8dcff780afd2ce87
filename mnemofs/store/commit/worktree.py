"""Files of the work tree: found under the spelling they have, read whole, replaced atomically.

A file is always a whole old or a whole new version (CON-03). What stood there before stays linked
until the commit is done, so that a foreign write in the last microsecond is seen, and so that a
failed commit can put everything back.
"""

from __future__ import annotations

import errno
import os
import stat
import time
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from mnemofs import names
from mnemofs.errors import PermissionRefused, UnsafeName
from mnemofs.store.disk.durable import create
from mnemofs.store.disk.failures import in_words
from mnemofs.store.disk.files import read_all, read_file, unlink_quietly, write_all
from mnemofs.store.disk.lingering import PREFIX, Lingering
from mnemofs.systems import NO_LINK, NO_WAIT, READ, set_mode

BESIDE = ".mnemofs-new.tmp"  # a new version on its way, where the git directory is on another disk
_READ_ATTEMPTS = 20
_NO_FILE = frozenset({errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP})


@dataclass(frozen=True, slots=True)
class Found:
    """A file's bytes and the stat they were read under."""

    content: bytes
    status: os.stat_result

    def same_file(self, other: os.stat_result) -> bool:
        """Whether a later stat says that nothing was written since."""
        mine = self.status
        return (mine.st_ino, mine.st_size, mine.st_mtime_ns, mine.st_ctime_ns) == (
            other.st_ino,
            other.st_size,
            other.st_mtime_ns,
            other.st_ctime_ns,
        )


def read(root: str, disk: str, *, place_checked: bool = False) -> Found | None:
    """The file at an on-disk path, None when there is none.

    Read again while somebody writes, so that the bytes belong to the stat. place_checked: the
    caller has made sure that no link stands on the way. Raises UnsafeName (a link, FIFO or device)
    and PermissionRefused.
    """
    path = os.path.join(root, disk) if place_checked else names.inside(root, disk)
    for attempt in range(_READ_ATTEMPTS):
        try:
            descriptor = os.open(path, READ | NO_LINK | NO_WAIT)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError:
            raise PermissionRefused(
                f"{disk} cannot be read: no permission",
                hint="check the file's owner and mode",
                path=disk,
            ) from None
        except OSError as error:
            if error.errno not in _NO_FILE:
                raise
            raise UnsafeName(f"{disk} is not a plain file ({error.strerror})", path=disk) from None
        try:
            before = os.fstat(descriptor)
            if not stat.S_ISREG(before.st_mode):
                raise UnsafeName(f"{disk} is not a plain file", path=disk)
            content = read_all(descriptor, before.st_size)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size) or (
            attempt == _READ_ATTEMPTS - 1
        ):
            return Found(content, after)
        time.sleep(0.005)
    return None


def spelling(root: str, path: str, tracked: Iterable[str] = ()) -> str:
    """The on-disk spelling of a repository path, so that no second file is made for one name.

    tracked: spellings that HEAD holds for this path, if they are known. An exact spelling wins;
    then what a case-insensitive or normalising disk would call the same (TXT-09, TXT-10).
    """
    known = list(tracked)
    chosen = ""
    for part in path.split("/"):
        candidates = [chosen + name for name in _alike(os.path.join(root, chosen), part)]
        depth = chosen.count("/")
        candidates += ["/".join(other.split("/")[: depth + 1]) for other in known]
        chosen = names.settle(chosen + part, candidates) + "/"
    return chosen[:-1]


def check_place(root: str, disk: str) -> None:
    """Raise UnsafeName when a path passes through a link or into another repository (GIT-08)."""
    names.inside(root, disk)
    folder = disk.rpartition("/")[0]
    while folder:
        if os.path.lexists(os.path.join(root, folder, ".git")):
            raise UnsafeName(
                f"{folder} is a repository of its own, so {disk} is not part of this memory",
                hint="open that folder as a workspace of its own",
                path=disk,
            )
        folder = folder.rpartition("/")[0]


def _alike(folder: str, part: str) -> list[str]:
    try:
        entries = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError:
        return [part]
    if part in entries:
        return [part]
    key = names.collision_key(part)
    low = part.lower() if part.isascii() else None
    return [
        name
        for name in entries
        if (name.lower() == low if low is not None and name.isascii() else False)
        or (not (low is not None and name.isascii()) and names.collision_key(name) == key)
    ]


def composed(disk: str) -> str:
    """The repository path of an on-disk or tracked spelling."""
    return disk if disk.isascii() else unicodedata.normalize("NFC", disk)


@dataclass(slots=True)
class _Step:
    disk: str
    before: Found | None
    content: bytes | None
    blob: str | None = None
    temp: str | None = None
    backup: str | None = None
    written: os.stat_result | None = None
    placed: os.stat_result | None = None
    done: bool = False


class Placement:
    """New versions of some files, put in place together and put back together.

    temp_dir: for temporary files; the file system of the work tree, where possible. Order of use:
    `stage`, `place`, then either `keep` or `undo`.
    """

    def __init__(self, root: str, temp_dir: str, lingering: Lingering) -> None:
        self._root = root
        self._temp_dir = temp_dir
        self._lingering = lingering
        self._steps: list[_Step] = []
        self._by_disk: dict[str, _Step] = {}
        self._made_folders: list[str] = []

    def stage(
        self, disk: str, before: Found | None, content: bytes | None, blob: str | None
    ) -> int | None:
        """Write the new version aside; its descriptor (the caller's to sync and close).

        blob: what HEAD holds at this path.
        """
        step = _Step(disk, before, content, blob)
        self._steps.append(step)
        self._by_disk[disk] = step
        if content is None:
            return None
        step.temp = os.path.join(self._temp_dir, f"file-{len(self._steps)}")
        try:
            descriptor = create(step.temp)
            try:
                if before is not None:
                    set_mode(descriptor, stat.S_IMODE(before.status.st_mode))
                write_all(descriptor, content)
                step.written = os.fstat(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        except OSError as error:
            raise in_words(error, disk) from error
        return descriptor

    def folders(self) -> set[str]:
        """The folders that `place` changes, as absolute names."""
        return {os.path.dirname(os.path.join(self._root, step.disk)) for step in self._steps}

    def unchanged(self) -> bool:
        """Whether every file still is what was read."""
        for step in self._steps:
            try:
                now = os.lstat(os.path.join(self._root, step.disk))
            except (FileNotFoundError, NotADirectoryError):
                now = None
            if now is not None and step.before is None and stat.S_ISDIR(now.st_mode):
                now = None  # a folder gives way to the file when nothing is left in it
            if (now is None) != (step.before is None):
                return False
            if now is not None and step.before is not None and not step.before.same_file(now):
                return False
        return True

    def place(self) -> set[str]:
        """Rename everything into place; folders that were made. Puts all back on failure."""
        for number, step in enumerate(self._steps):
            try:
                self._place(step, os.path.join(self._temp_dir, f"{PREFIX}{number}"))
            except OSError as error:
                self.undo()
                raise in_words(error, step.disk) from error
        return {os.path.dirname(folder) for folder in self._made_folders}

    def status(self, disk: str) -> os.stat_result | None:
        """The stat of a placed file; None when somebody wrote to it at once, or it was deleted.

        git must never be told that foreign bytes are the ones we committed.
        """
        step = self._by_disk[disk]
        placed, written = step.placed, step.written
        if placed is None or written is None:
            return None
        same = (placed.st_ino, placed.st_size, placed.st_mtime_ns) == (
            written.st_ino,
            written.st_size,
            written.st_mtime_ns,
        )
        return placed if same else None

    def overtaken(self) -> list[tuple[str, str | None, bytes]]:
        """(path, the blob in HEAD before, bytes) of what was written between read and rename."""
        found = []
        for step in self._steps:
            if step.backup is not None and step.before is not None:
                try:
                    content = read_file(step.backup)
                except OSError:
                    continue
                if content is not None and content != step.before.content:
                    found.append((step.disk, step.blob, content))
                    unlink_quietly(step.backup)
                    step.backup = None
        return found

    def keep(self) -> None:
        """The new versions stand: the old ones linger for a moment."""
        for step in self._steps:
            if step.backup is not None and step.before is not None:
                self._lingering.leave(step.backup, step.disk, step.blob, step.before.status)

    def undo(self) -> set[str]:
        """Put the old versions back and remove what was staged.

        Returns the paths where ours no longer stands because somebody wrote over it.
        """
        built_upon = set()
        for step in reversed(self._steps):
            path = os.path.join(self._root, step.disk)
            if step.done and not self._still_ours(step, path):
                built_upon.add(step.disk)
            elif step.done:
                if step.backup is not None:
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    os.replace(step.backup, path)
                    step.backup = None
                elif step.before is None:
                    unlink_quietly(path)
            if step.backup is not None:
                unlink_quietly(step.backup)
            if step.temp is not None:
                unlink_quietly(step.temp)
        for folder in reversed(self._made_folders):
            try:
                os.rmdir(folder)
            except OSError:
                break
        self._steps, self._by_disk, self._made_folders = [], {}, []
        return built_upon

    def _still_ours(self, step: _Step, path: str) -> bool:
        try:
            now = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return step.content is None
        return step.placed is not None and Found(b"", step.placed).same_file(now)

    def _place(self, step: _Step, backup: str) -> None:
        path = os.path.join(self._root, step.disk)
        if step.content is None:
            unlink_quietly(backup)
            try:
                os.replace(path, backup)
                step.backup = backup
            except OSError as error:
                if not _other_disk(error):
                    raise
                os.unlink(path)
            step.done = True
            return
        assert step.temp is not None
        self._make_folders(os.path.dirname(path))
        if step.before is None and os.path.isdir(path):
            remove_empty(path)
        if step.before is not None:
            unlink_quietly(backup)
            try:
                os.link(path, backup, follow_symlinks=False)
                step.backup = backup
            except OSError:
                pass  # No hard links here: the stat taken before is the only guard.
        try:
            os.replace(step.temp, path)
        except OSError as error:
            if not _other_disk(error):
                raise
            self._copy_over(step, path)
        step.temp = None
        step.done = True
        step.placed = os.lstat(path)

    def _make_folders(self, folder: str) -> None:
        missing = []
        while not os.path.isdir(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        for name in reversed(missing):
            try:
                os.mkdir(name)
                self._made_folders.append(name)
            except FileExistsError:
                if not os.path.isdir(name):
                    raise

    def _copy_over(self, step: _Step, path: str) -> None:
        # The git directory is on another disk (a linked work tree): a hidden file beside the note.
        assert step.temp is not None and step.content is not None
        beside = os.path.join(os.path.dirname(path), BESIDE)
        descriptor = create(beside)
        try:
            if step.before is not None:
                set_mode(descriptor, stat.S_IMODE(step.before.status.st_mode))
            write_all(descriptor, step.content)
            os.fsync(descriptor)
            os.replace(beside, path)
        except BaseException:
            unlink_quietly(beside)
            raise
        finally:
            os.close(descriptor)
        unlink_quietly(step.temp)


def remove_empty(folder: str) -> None:
    """Remove a folder in which nothing but empty folders is left. Raises OSError otherwise."""
    for inner, _, _ in os.walk(folder, topdown=False):
        os.rmdir(inner)


def _other_disk(error: OSError) -> bool:
    return error.errno == errno.EXDEV
