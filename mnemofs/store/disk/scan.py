"""Which files of a folder are memory, by walking it once. No git objects are read.

Never entered: hidden folders, other repositories (GIT-08), owners, symbolic links (SEC-02). What
cannot be read is "present, unknown", so that it is never taken for deleted.
"""

from __future__ import annotations

import contextlib
import os
import unicodedata
from array import array
from collections.abc import Iterator, Sequence

from mnemofs.errors import NotAWorkspace
from mnemofs.names import OWNERS_DIR, is_memory, skip_dir
from mnemofs.store.disk.filestat import FileStat
from mnemofs.systems import FOLDER, NO_LINK, READ

# Reasons that are no news to anybody unless a file of ours is behind them.
ORDINARY = frozenset({"it is a symbolic link", "it is a repository of its own"})
# Bytes that a file takes in `Listing.stats`.
STAT_BYTES = 40

_INODES = slice(2, None, 5)


class Listing:
    """Our files of one folder, as the disk lists them; two that are equal stand for one state.

    names: theirs (NFC), with `/` between them. stats: for each one size, mtime_ns, ino, ctime_ns
    and mode, as machine integers of 64 bits.
    """

    __slots__ = ("names", "stats")

    def __init__(self, names: str, stats: bytes) -> None:
        self.names = names
        self.stats = stats

    def __len__(self) -> int:
        return len(self.stats) // STAT_BYTES

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Listing):
            return NotImplemented
        return self.names == other.names and self.stats == other.stats

    __hash__ = None  # type: ignore[assignment]

    def rows(
        self, places: Sequence[int] | None = None
    ) -> Iterator[tuple[str, int, int, int, int, int]]:
        """(name, size, mtime_ns, ino, ctime_ns, mode) of every file, or of those at `places`."""
        names, stats = self.names.split("/"), self.stats
        if places is not None:
            names = [names[at] for at in places]
            stats = b"".join(stats[at * STAT_BYTES : (at + 1) * STAT_BYTES] for at in places)
        numbers = iter(memoryview(stats).cast("q"))
        return zip(names, *[numbers] * 5, strict=False)


class Survey:
    """What a walk found.

    folders  our files by folder: "" or a repository path with a slash at its end
    spelled  on-disk spelling of the paths that are spelled in another way there (TXT-09)
    unknown  folders and files whose content could not be looked at, with the reason
    twins    on-disk spellings of one repository path that lost to another one (TXT-09)
    """

    __slots__ = ("_files", "folders", "spelled", "twins", "unknown")

    def __init__(self) -> None:
        self.folders: dict[str, Listing] = {}
        self.spelled: dict[str, str] = {}
        self.unknown: dict[str, str] = {}
        self.twins: dict[str, str] = {}
        self._files: dict[str, FileStat] | None = None

    @property
    def files(self) -> dict[str, FileStat]:
        """Our files by repository path; made when first asked for."""
        if self._files is None:
            self._files = {}
            for folder in self.folders:
                self._files.update(self.files_of(folder))
        return self._files

    def files_of(self, folder: str, places: Sequence[int] | None = None) -> dict[str, FileStat]:
        """Our files in one folder, by repository path. places: only those that stand there in its
        listing."""
        make = tuple.__new__  # what FileStat._make comes down to
        found: dict[str, FileStat] = {
            folder + name: make(FileStat, (size, mtime, ino, ctime, mode, folder + name))
            for name, size, mtime, ino, ctime, mode in self.folders[folder].rows(places)
        }
        for path in self.spelled.keys() & found.keys() if self.spelled else ():
            found[path] = found[path]._replace(disk=self.spelled[path])
        return found

    def copy(self) -> Survey:
        """The same, to which something may be added."""
        made = Survey()
        made.folders, made.spelled, made.twins = self.folders, self.spelled, self.twins
        made.unknown, made._files = dict(self.unknown), self._files
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
    loose: list[tuple[str, Listing]] = []
    while pending:
        pending += _folder(top, pending.pop(), found, loose)
    if loose:
        _compose(found, loose)
    return found


def _folder(top: str, prefix: str, found: Survey, loose: list[tuple[str, Listing]]) -> list[str]:
    # Written out in one loop: a workspace of 10 000 notes goes round it 10 000 times per look. No
    # object that lives on is made for a file, but its name and its numbers.
    folders: list[str] = []
    names: list[str] = []
    numbers: list[int] = []
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
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                except OSError:
                    found.unknown[prefix + name] = "it cannot be looked at"
                    continue
                names.append(name)
                numbers += (
                    status.st_size,
                    status.st_mtime_ns,
                    status.st_ino,
                    status.st_ctime_ns,
                    status.st_mode,
                )
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        found.unknown[prefix[:-1]] = "it cannot be listed"
        return []
    if names:
        listing = Listing("/".join(names), _packed(numbers))
        if _is_composed(prefix + listing.names):
            found.folders[prefix] = listing
        else:
            loose.append((prefix, listing))
    return folders


def _packed(numbers: list[int]) -> bytes:
    try:
        return array("q", numbers).tobytes()
    except OverflowError:  # the disk numbers its files with all 64 bits
        numbers[_INODES] = [ino - (ino >> 63 << 64) for ino in numbers[_INODES]]
        return array("q", numbers).tobytes()


@contextlib.contextmanager
def _listed(folder: str, prefix: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """The entries of a folder, by its descriptor where that can be done: then the way to it is
    walked once and not again for every file, and no link takes its place meanwhile."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield entries
        return
    descriptor = os.open(folder, READ | FOLDER | (NO_LINK if prefix else 0))
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


def _is_composed(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return unicodedata.is_normalized("NFC", text)


def _compose(found: Survey, loose: list[tuple[str, Listing]]) -> None:
    """Enter folders where a name is in another form than ours, or is no name at all."""
    files: dict[str, FileStat] = {}
    for prefix, listing in loose:
        home = unicodedata.normalize("NFC", prefix)
        if home in found.folders:
            files.update(found.files_of(home))
            del found.folders[home]
        for name, size, mtime, ino, ctime, mode in listing.rows():
            row = FileStat(size, mtime, ino, ctime, mode, prefix + name)
            _add_composed(files, found, row)
    folders: dict[str, tuple[list[str], list[int]]] = {}
    for path, row in files.items():
        folder, slash, name = path.rpartition("/")
        names, numbers = folders.setdefault(folder + slash, ([], []))
        names.append(name)
        numbers += row[:5]
        if row.disk != path:
            found.spelled[path] = row.disk
    for folder, (names, numbers) in folders.items():
        found.folders[folder] = Listing("/".join(names), _packed(numbers))


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
