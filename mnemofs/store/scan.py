"""Which files of a folder are memory, by walking it once. No git objects are read.

Never entered: hidden folders, other repositories (GIT-08), owners, symbolic links (SEC-02). What
cannot be read is "present, unknown", so that it is never taken for deleted.
"""

from __future__ import annotations

import contextlib
import os
import unicodedata
from collections.abc import Iterator

from mnemofs.errors import NotAWorkspace
from mnemofs.names import OWNERS_DIR, is_memory, skip_dir
from mnemofs.store.filestat import FileStat

# Reasons that are no news to anybody unless a file of ours is behind them.
ORDINARY = frozenset({"it is a symbolic link", "it is a repository of its own"})


_FOLDER = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_DIRECTORY", 0)


class Survey:
    """What a walk found.

    files    our files by repository path (NFC)
    unknown  folders and files whose content could not be looked at, with the reason
    twins    on-disk spellings of one repository path that lost to another one (TXT-09)
    """

    __slots__ = ("files", "twins", "unknown")

    def __init__(self) -> None:
        self.files: dict[str, FileStat] = {}
        self.unknown: dict[str, str] = {}
        self.twins: dict[str, str] = {}

    def copy(self) -> Survey:
        """The same, to which something may be added."""
        made = Survey()
        made.files, made.twins, made.unknown = self.files, self.twins, dict(self.unknown)
        return made

    def hides(self, path: str) -> str | None:
        """Why nothing can be said about `path`, None when its absence is a fact."""
        while path:
            if path in self.unknown:
                return self.unknown[path]
            path = path.rpartition("/")[0]
        return None


def scan(root: str | os.PathLike[str]) -> dict[str, FileStat]:
    """Our files below `root` by repository path. Raises NotAWorkspace when `root` is gone."""
    return survey(root).files


def survey(root: str | os.PathLike[str]) -> Survey:
    """Walk `root`. Raises NotAWorkspace when it is not there (an unmounted disk is no deletion)."""
    found = Survey()
    top = os.fspath(root)
    if not os.path.isdir(top):
        raise NotAWorkspace(
            f"the folder {top} is not there", hint="mount or restore it, then try again", path=top
        )
    pending = [""]
    while pending:
        pending += _folder(top, pending.pop(), found)
    return found


def _folder(top: str, prefix: str, found: Survey) -> list[str]:
    # Written out in one loop: a workspace of 10 000 notes goes round it 10 000 times per look.
    folders: list[str] = []
    files: dict[str, FileStat] = {}
    make = tuple.__new__  # what FileStat._make comes down to
    try:
        with _listed(os.path.join(top, prefix), prefix) as entries:
            for entry in entries:
                name = entry.name
                if not entry.is_file(follow_symlinks=False):
                    if name == ".git" and prefix:
                        found.unknown[prefix[:-1]] = "it is a repository of its own"
                        return []
                    _odd(prefix, entry, folders, found)
                    continue
                if name[-3:] != ".md" or not name[0].isalnum():
                    if name == ".git" and prefix:
                        found.unknown[prefix[:-1]] = "it is a repository of its own"
                        return []
                    if not is_memory(name if name[-3:] == ".md" else prefix + name):
                        continue
                disk = prefix + name
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                except OSError:
                    found.unknown[disk] = "it cannot be looked at"
                    continue
                row = make(
                    FileStat,
                    (
                        status.st_size,
                        status.st_mtime_ns,
                        status.st_ino,
                        status.st_ctime_ns,
                        status.st_mode,
                        disk,
                    ),
                )
                if disk.isascii():
                    files[disk] = row
                else:
                    _add_composed(files, found, row)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        found.unknown[prefix[:-1]] = "it cannot be listed"
        return []
    found.files.update(files)
    return folders


@contextlib.contextmanager
def _listed(folder: str, prefix: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """The entries of a folder, by its descriptor where that can be done: then the way to it is
    walked once and not again for every file, and no link takes its place meanwhile."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield entries
        return
    descriptor = os.open(folder, _FOLDER | (os.O_NOFOLLOW if prefix else 0))
    try:
        with os.scandir(descriptor) as entries:
            yield entries
    finally:
        os.close(descriptor)


def _odd(prefix: str, entry: os.DirEntry[str], folders: list[str], found: Survey) -> None:
    """An entry that is no plain file: a folder to enter, or something to pass over."""
    name = entry.name
    if entry.is_dir(follow_symlinks=False):
        if not skip_dir(name) and (prefix or name.casefold() != OWNERS_DIR):
            folders.append(f"{prefix}{name}/")
    elif entry.is_symlink():
        found.unknown[prefix + name] = "it is a symbolic link"
    elif is_memory(prefix + name):
        found.unknown[prefix + name] = "it is not a plain file"


def _add_composed(files: dict[str, FileStat], found: Survey, row: FileStat) -> None:
    """Enter a file under the composed form of its name; the composed spelling wins (TXT-09)."""
    disk = row.disk
    try:
        disk.encode()
    except UnicodeEncodeError:
        found.unknown[disk] = "its name is not UTF-8"
        return
    path = unicodedata.normalize("NFC", disk)
    other = files.get(path)
    if other is None:
        files[path] = row
    elif disk == path or (other.disk != path and disk < other.disk):
        files[path] = row
        found.twins[other.disk] = path
    else:
        found.twins[disk] = path
