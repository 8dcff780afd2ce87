"""Where the work tree differs from HEAD, with git's index as the stat cache (git-lab §3).

HEAD is what counts: an index entry only spares reading a file whose stat it knows. Entries as new
as the index itself are "racy" and looked at.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mnemofs.errors import MnemofsError
from mnemofs.names import OWNERS_DIR, is_memory, skip_dir
from mnemofs.store.commit.worktree import composed
from mnemofs.store.disk.filestat import FileStat
from mnemofs.store.disk.scan import ORDINARY, Listing, Survey, survey
from mnemofs.store.git.index import GitIndex, IndexFields, NeedsGit
from mnemofs.store.git.layout import Layout
from mnemofs.store.git.objects import Objects
from mnemofs.store.git.trees import EXECUTABLE, FILE

_RACY_NS = 50_000_000
_EXECUTE = 0o100

_MASK32 = 0xFFFFFFFF
_SECOND = 1_000_000_000
_ENDINGS = (".md", ".jsonl", ".toml")

Tracked = tuple[str, bytes, bytes]  # spelling in the tree, mode in octal digits, raw blob id


@dataclass(frozen=True, slots=True)
class Difference:
    """One of our files that is not as HEAD has it.

    path       repository path; `disk` and `tracked` are its spellings (None: not there)
    head       (mode, blob) in HEAD; None for a file HEAD does not know
    blob       what the file holds now, None when it is gone
    staged     the user has put exactly this into the index and means to commit it (GIT-02)
    """

    path: str
    disk: str | None
    tracked: str | None
    head: tuple[int, str] | None
    blob: str | None
    stat: FileStat | None
    staged: bool


@dataclass(slots=True)
class Comparison:
    """What `Comparer.compare` found.

    unknown   what could not be compared, with the reason
    unmerged  paths (as the index spells them) whose conflict is unresolved
    outdated  (path, spelling in HEAD) of files that are as HEAD has them while the index says
              otherwise: what git leaves behind when it loses a race against us
    """

    differences: list[Difference]
    unknown: dict[str, str]
    unmerged: frozenset[str]
    outdated: list[tuple[str, str]]
    tracked: int
    present: int


class Comparer:
    """Compares one work tree with commits again and again, remembering what it hashed.

    identify: the blob id git would give to (on-disk path, HEAD's blob id or None), by reading the
    file; None when it is gone.
    """

    def __init__(
        self,
        layout: Layout,
        objects: Objects,
        identify: Callable[[str, str | None], str | None],
        file_mode: Callable[[], bool],
    ) -> None:
        self._layout = layout
        self._objects = objects
        self._identify = identify
        self._file_mode = file_mode
        self._hashed: dict[str, tuple[int, int, int, int, bytes]] = {}
        self._folders: dict[tuple[str, str], _Folder] = {}
        # Folders that were as HEAD and the index have them, as they were listed then.
        self._settled: dict[str, tuple[Listing, _Folder]] = {}
        self._index: tuple[tuple[int, ...], _Index] | None = None
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Drop what was found out: git's rules for line endings changed."""
        self._hashed, self._settled = {}, {}

    def skips(self, name: str) -> bool:
        """Whether git's index keeps a tracked file out of the work tree (a sparse checkout)."""
        return self._read_index().git.skips(name)

    def tracked(self, tree_id: str | None) -> dict[str, tuple[str, int, str]]:
        """Our files in a tree: {repository path: (spelling there, mode, blob id)}."""
        return {
            path: (row[0], int(row[1], 8), row[2].hex())
            for folder in self._tree(tree_id).values()
            for path, row in folder.files.items()
            if path.endswith(_ENDINGS) and is_memory(path)
        }

    def compare(self, tree_id: str | None, found: Survey | None = None) -> Comparison:
        """All our files against a tree. found: what the folder held a moment ago, to spare a walk.

        Raises NotAWorkspace when the folder is gone.
        """
        tree = self._tree(tree_id)
        index = self._read_index()
        found = survey(self._layout.root) if found is None else found.copy()
        present = sum(map(len, found.folders.values()))
        result = Comparison([], found.unknown, index.git.unmerged, [], 0, present)
        settled = self._settled
        for prefix, listing in found.folders.items():
            folder = tree.get(prefix, _EMPTY)
            if settled.get(prefix) == (listing, folder):
                result.tracked += len(listing)
            elif self._compare_folder(found, prefix, folder, index, result):
                settled[prefix] = listing, folder
            else:
                settled.pop(prefix, None)
        for prefix, folder in tree.items():
            if prefix not in found.folders:
                self._missing(folder, {}, found, index, result)
        result.unknown = {
            path: why
            for path, why in found.unknown.items()
            if why not in ORDINARY or path.endswith(".md") or _tracks(tree, path)
        }
        return result

    def _compare_folder(
        self, found: Survey, prefix: str, folder: _Folder, index: _Index, result: Comparison
    ) -> bool:
        """Compares one folder's own files; whether they all are as HEAD and the index have them,
        and would not have changed under the same stat."""
        file_mode = self._file_mode()
        settled = True
        entries, stamp = index.entries, index.written
        files = found.files_of(prefix)
        for path, stat in files.items():
            row = folder.files.get(path)
            size, mtime, inode, ctime, mode, disk = stat
            entry = entries.get(row[0] if row else disk)
            if (
                entry is not None
                and entry[2] * _SECOND + entry[3] == mtime < stamp
                and entry[0] * _SECOND + entry[1] == ctime
                and entry[9] == size & _MASK32
                and entry[5] == inode & _MASK32
            ):
                raw_id = entry[10]
            else:
                hashed = self._hash(stat, row[2] if row else None, result)
                if hashed is None:
                    settled = False
                    continue
                raw_id = hashed
            if row is not None:
                result.tracked += 1
                if row[2] == raw_id and (
                    not file_mode or (row[1] == b"100755") == (mode & _EXECUTE != 0)
                ):
                    if (entry is None or entry[10] != raw_id) and stamp:
                        result.outdated.append((path, row[0]))
                        settled = False
                    elif mtime >= stamp:
                        settled = False
                    continue
            settled = False
            result.differences.append(_difference(path, row, raw_id, stat, entry, file_mode))
        return not self._missing(folder, files, found, index, result) and settled

    def _missing(
        self,
        folder: _Folder,
        files: Mapping[str, FileStat],
        found: Survey,
        index: _Index,
        result: Comparison,
    ) -> bool:
        """Enters what HEAD has in a folder and the folder has not; whether there is any."""
        before = result.tracked
        for path, row in folder.files.items():
            if path in files or not path.endswith(_ENDINGS) or not is_memory(path):
                continue
            result.tracked += 1
            if not self._may_be_there(path, row[0], found, index.git):
                staged = row[0] not in index.entries and row[0] not in index.git.unmerged
                head = (int(row[1], 8), row[2].hex())
                result.differences.append(Difference(path, None, row[0], head, None, None, staged))
        return result.tracked > before

    def _read_index(self) -> _Index:
        try:
            with open(self._layout.index, "rb", buffering=0) as file:
                status = os.fstat(file.fileno())
                signature = (status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)
                if self._index is None or self._index[0] != signature:
                    taken = self._take_index(file.readall(), status.st_mtime_ns)
                    self._index = (signature, taken)
                return self._index[1]
        except FileNotFoundError:
            pass
        except (NeedsGit, MnemofsError):
            pass  # Only a cache here: without it every file is read.
        return _Index({}, GitIndex(None), 0)

    def _take_index(self, data: bytes, written: int) -> _Index:
        if self._index is not None:
            before = self._index[1]
            following = GitIndex.after(before.git, data)
            if following is not None:
                git, changed = following
                for path in changed:
                    before.entries[path] = git.fields(path)
                    folder, slash, _name = composed(path).rpartition("/")
                    self._settled.pop(folder + slash, None)
                return _Index(before.entries, git, written)
        self._settled = {}
        git = GitIndex(data, verify=False)
        return _Index(git.entries(), git, written)

    def _hash(self, stat: FileStat, head_id: bytes | None, result: Comparison) -> bytes | None:
        known = self._hashed.get(stat.disk)
        if known is not None and known[:4] == stat[:4]:
            return known[4]
        began = time.time_ns()
        try:
            blob = self._identify(stat.disk, head_id.hex() if head_id else None)
        except MnemofsError as error:
            result.unknown[stat.disk] = error.message
            return None
        if blob is None:
            return None
        raw_id = bytes.fromhex(blob)
        if max(stat.mtime_ns, stat.ctime_ns) < began - _RACY_NS:
            self._hashed[stat.disk] = (*stat[:4], raw_id)
        return raw_id

    def _may_be_there(self, path: str, name: str, found: Survey, index: GitIndex) -> bool:
        """Whether the absence of a tracked file from the survey proves nothing."""
        if index.skips(name):
            return True
        reason = found.hides(path) or found.hides(name)
        if reason is not None:
            found.unknown.setdefault(path, reason)
            return True
        try:
            os.lstat(os.path.join(self._layout.root, name))
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            found.unknown[path] = "it cannot be looked at"
            return True
        # It came back, or became something that is no file of ours.
        return True

    def _tree(self, tree_id: str | None) -> dict[str, _Folder]:
        """The folders of a tree that are not hidden, by repository path; they are remembered."""
        if tree_id is None:
            return {}
        with self._lock:
            used: dict[tuple[str, str], _Folder] = {}
            found: dict[str, _Folder] = {}
            pending = [("", tree_id)]
            while pending:
                key = pending.pop()
                folder = self._folders.get(key) or _folder(self._objects, *key)
                used[key] = folder
                pending += folder.folders
                home = key[0] if folder.ascii else composed(key[0])
                if folder.files:
                    found[home] = folder if home not in found else _joined(found[home], folder)
            self._folders = used
        return found


@dataclass(frozen=True, slots=True)
class _Index:
    """Git's index. entries: what it knows of paths. written: when; 0 when it cannot be read. Later
    files may have changed since."""

    entries: dict[str, IndexFields]
    git: GitIndex
    written: int


@dataclass(frozen=True, slots=True, eq=False)
class _Folder:
    files: dict[str, Tracked]
    folders: tuple[tuple[str, str], ...]  # prefix, tree id
    ascii: bool


_EMPTY = _Folder({}, (), True)


def _joined(one: _Folder, other: _Folder) -> _Folder:
    """Two folders of a tree whose names are one in composed form (TXT-09)."""
    files = dict(one.files)
    for path, row in other.files.items():
        if path not in files or row[0] == path:
            files[path] = row
    return _Folder(files, (), False)


def _tracks(tree: Mapping[str, _Folder], path: str) -> bool:
    folder, slash, _name = path.rpartition("/")
    return path in tree.get(folder + slash, _EMPTY).files


def _folder(objects: Objects, prefix: str, tree_id: str) -> _Folder:
    files: dict[str, Tracked] = {}
    folders: list[tuple[str, str]] = []
    plain = prefix.isascii()
    for mode, raw_name, raw_id in objects.tree(tree_id).rows():
        if mode == b"40000":
            name = raw_name.decode("utf-8", "surrogateescape")
            if not skip_dir(name) and (prefix or name.casefold() != OWNERS_DIR):
                folders.append((f"{prefix}{name}/", raw_id.hex()))
        elif not mode.startswith(b"100"):
            continue  # a link or another repository
        elif plain and raw_name.isascii():
            path = prefix + raw_name.decode("ascii")
            files[path] = (path, mode, raw_id)
        else:
            plain = False
            spelled = prefix + raw_name.decode("utf-8", "surrogateescape")
            path = composed(spelled)
            if path not in files or spelled == path:
                files[path] = (spelled, mode, raw_id)
    return _Folder(files, tuple(folders), plain)


def _difference(
    path: str,
    row: Tracked | None,
    raw_id: bytes,
    stat: FileStat,
    entry: IndexFields | None,
    file_mode: bool,
) -> Difference:
    head = (int(row[1], 8), row[2].hex()) if row else None
    mode = wanted_mode(stat.mode, head, file_mode)
    staged = entry is not None and entry[6] == mode and entry[10] == raw_id
    return Difference(path, stat.disk, row[0] if row else None, head, raw_id.hex(), stat, staged)


def wanted_mode(disk_mode: int, head: tuple[int, str] | None, file_mode: bool) -> int:
    """The mode git would give a file: HEAD's where modes are not trusted."""
    if not file_mode:
        return head[0] if head else FILE
    mode = EXECUTABLE if disk_mode & _EXECUTE else FILE
    # Ancient trees hold 100664; git leaves such an entry alone.
    return head[0] if head and mode == FILE and head[0] & _EXECUTE == 0 else mode
