"""Where the work tree differs from HEAD, with git's index as the stat cache (git-lab §3).

HEAD is what counts: an index entry only spares reading a file whose stat it knows. Entries as new
as the index itself are "racy" and looked at.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mnemofs.errors import MnemofsError
from mnemofs.names import OWNERS_DIR, is_memory, skip_dir
from mnemofs.store.gitindex import GitIndex, IndexEntry, NeedsGit
from mnemofs.store.layout import Layout
from mnemofs.store.model import FileStat
from mnemofs.store.objects import Objects
from mnemofs.store.scan import Survey, survey
from mnemofs.store.trees import EXECUTABLE, FILE, FOLDER
from mnemofs.store.worktree import composed

_RACY_NS = 50_000_000
_EXECUTE = 0o100

Tracked = tuple[str, int, str]  # spelling in the tree, mode, blob id


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
    """Differences, and what could not be compared with the reason."""

    differences: list[Difference]
    unknown: dict[str, str]
    unmerged: set[str]
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
        self._hashed: dict[str, tuple[int, int, int, int, str]] = {}
        self._flat: dict[tuple[str, str], dict[str, Tracked]] = {}
        self._lock = threading.Lock()

    def tracked(self, tree_id: str | None) -> dict[str, Tracked]:
        """Our files in a tree by repository path; subtrees are remembered."""
        if tree_id is None:
            return {}
        with self._lock:
            used: dict[tuple[str, str], dict[str, Tracked]] = {}
            found: dict[str, Tracked] = {}
            self._collect(tree_id, "", found, used)
            self._flat = used
        return found

    def compare(self, tree_id: str | None) -> Comparison:
        """All our files against a tree. Raises NotAWorkspace when the folder is gone."""
        tracked = self.tracked(tree_id)
        entries, index, stamp = self._read_index()
        found = survey(self._layout.root)
        result = Comparison([], found.unknown, index.unmerged, len(tracked), len(found.files))
        file_mode = self._file_mode()
        for path, stat in found.files.items():
            row = tracked.get(path)
            name = row[0] if row else stat.disk
            entry = entries.get(name)
            head = (row[1], row[2]) if row else None
            matches = entry is not None and entry.matches(*stat[:4])
            if matches and entry is not None and entry.mtime_ns < stamp:
                blob: str | None = entry.raw_id.hex()
            else:
                blob = self._hash(stat, row[2] if row else None, result)
                if blob is None:
                    continue
            mode = wanted_mode(stat.mode, head, file_mode)
            if head == (mode, blob):
                continue
            staged = entry is not None and (entry.mode, entry.raw_id.hex()) == (mode, blob)
            result.differences.append(
                Difference(path, stat.disk, name if row else None, head, blob, stat, staged)
            )
        for path, (name, mode, blob_id) in tracked.items():
            if path not in found.files and not self._may_be_there(path, name, found, index):
                staged = name not in entries and name not in index.unmerged
                result.differences.append(
                    Difference(path, None, name, (mode, blob_id), None, None, staged)
                )
        return result

    def _read_index(self) -> tuple[dict[str, IndexEntry], GitIndex, int]:
        try:
            with open(self._layout.index, "rb") as file:
                stamp = os.fstat(file.fileno()).st_mtime_ns
                index = GitIndex(file.read(), verify=False)
            return index.entries(), index, stamp
        except FileNotFoundError:
            pass
        except (NeedsGit, MnemofsError):
            pass  # Only a cache here: without it every file is read.
        return {}, GitIndex(None), 0

    def _hash(self, stat: FileStat, head_blob: str | None, result: Comparison) -> str | None:
        known = self._hashed.get(stat.disk)
        if known is not None and known[:4] == stat[:4]:
            return known[4]
        began = time.time_ns()
        try:
            blob = self._identify(stat.disk, head_blob)
        except MnemofsError as error:
            result.unknown[stat.disk] = error.message
            return None
        if blob is not None and max(stat.mtime_ns, stat.ctime_ns) < began - _RACY_NS:
            self._hashed[stat.disk] = (*stat[:4], blob)
        return blob

    def _may_be_there(self, path: str, name: str, found: Survey, index: GitIndex) -> bool:
        """Whether the absence of a tracked file from the survey proves nothing."""
        if name in index.skipped:
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

    def _collect(
        self,
        tree_id: str,
        prefix: str,
        found: dict[str, Tracked],
        used: dict[tuple[str, str], dict[str, Tracked]],
    ) -> None:
        own = self._flat.get((prefix, tree_id))
        if own is None:
            own = dict(_own_files(self._objects, tree_id, prefix))
        used[prefix, tree_id] = own
        for path, row in own.items():
            if row[1] == FOLDER:
                self._collect(row[2], row[0] + "/", found, used)
            elif path not in found or row[0] == path:
                found[path] = row


def _own_files(objects: Objects, tree_id: str, prefix: str) -> Iterable[tuple[str, Tracked]]:
    """Our files directly in a tree, and the folders to enter."""
    for name, mode, object_id in objects.tree(tree_id).items():
        spelled = prefix + name
        if mode == FOLDER:
            if not skip_dir(name) and (prefix or name.casefold() != OWNERS_DIR):
                yield composed(spelled) + "/", (spelled, mode, object_id)
        elif mode & 0o170000 == 0o100000 and is_memory(name if name[-3:] == ".md" else spelled):
            yield composed(spelled), (spelled, mode, object_id)


def wanted_mode(disk_mode: int, head: tuple[int, str] | None, file_mode: bool) -> int:
    """The mode git would give a file: HEAD's where modes are not trusted."""
    if not file_mode:
        return head[0] if head else FILE
    mode = EXECUTABLE if disk_mode & _EXECUTE else FILE
    # Ancient trees hold 100664; git leaves such an entry alone.
    return head[0] if head and mode == FILE and head[0] & _EXECUTE == 0 else mode
