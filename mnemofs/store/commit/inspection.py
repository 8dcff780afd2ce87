"""One path, looked at: what HEAD holds, what stands on disk, and whether that is at rest."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from mnemofs import names
from mnemofs.errors import PermissionRefused, UnsafeName
from mnemofs.store.commit.differences import wanted_mode
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.worktree import Found, check_place, composed, read, spelling
from mnemofs.store.git.objects import Objects, blob_id
from mnemofs.store.git.trees import FOLDER, GITLINK, SYMLINK, Entry
from mnemofs.systems import changed_ns

_EMPTIED = 1024  # an empty file where HEAD had more than this is probably being rewritten
_EMPTIED_WAIT = 2.0


@dataclass(frozen=True, slots=True)
class Inspected:
    """The state of one path. `stored` is what git would store for the bytes on disk."""

    path: str
    tracked: str
    disk: str
    head: Entry | None
    found: Found | None
    stored: bytes | None
    entry: Entry | None

    @property
    def content(self) -> bytes | None:
        """The bytes on disk."""
        return None if self.found is None else self.found.content

    @property
    def blob(self) -> str | None:
        """The blob id of the bytes on disk, as a caller's `Edit.base` names it."""
        return None if self.entry is None else self.entry[1]

    @property
    def foreign(self) -> bool:
        """Whether somebody else changed the file since HEAD."""
        return self.entry != self.head


def inspect(parts: Parts, tree_id: str | None, path: str) -> Inspected:
    """Look at a repository path (already checked by `names`) against a tree.

    Raises UnsafeName for links, devices and other repositories, PermissionRefused when the file
    cannot be read, or is left out of a sparse checkout: it is then present but unknown, and nothing
    may be written over it.
    """
    tracked, disk = _spellings(parts, tree_id, path)
    check_place(parts.layout.root, disk)
    head = parts.objects.entry(tree_id, tracked)
    if head is not None and head[0] in (FOLDER, GITLINK):
        raise UnsafeName(f"{path} is a folder in the repository, not a file", path=path)
    found = read(parts.layout.root, disk, place_checked=True)
    if found is None:
        if head is not None and parts.comparer.skips(tracked):
            raise PermissionRefused(
                f"{path} is not on this disk: git was told to leave it out (a sparse checkout);"
                " nothing was changed",
                hint="bring it here with `git sparse-checkout add FOLDER` (or `disable`)",
                path=path,
            )
        return Inspected(composed(disk), tracked, disk, head, None, None, None)
    stored = parts.stored(disk, found.content, head[1] if head else None)
    plain = head if head is not None and head[0] != SYMLINK else None
    mode = wanted_mode(found.status.st_mode, plain, parts.config.flag("core.filemode", True))
    entry = (mode, blob_id(stored))
    return Inspected(composed(disk), tracked, disk, head, found, stored, entry)


def unrest(parts: Parts, row: Inspected, quiet: float) -> float:
    """Seconds until a foreign change counts as finished; 0 when it does (git-lab §10).

    Change time is what counts: an editor may keep the modification time, nobody sets this one.
    """
    path = os.path.join(parts.layout.root, row.disk)
    try:
        touched = row.found.status if row.found is not None else os.stat(os.path.dirname(path))
    except OSError:
        return 0.0
    emptied = row.found is not None and not row.found.content and row.head is not None
    if emptied and row.head and len(parts.objects.read_kind(row.head[1], "blob")) > _EMPTIED:
        quiet += _EMPTIED_WAIT
    age = time.time() - changed_ns(touched) / 1e9
    return quiet - age if 0 <= age < quiet else 0.0


def _spellings(parts: Parts, tree_id: str | None, path: str) -> tuple[str, str]:
    """(spelling in HEAD, spelling on disk) of a repository path (TXT-09, TXT-10)."""
    root = parts.layout.root
    if parts.objects.entry(tree_id, path) is not None:
        if path.isascii() or os.path.lexists(os.path.join(root, path)):
            return path, path
        disk = spelling(root, path)
        return path, disk if composed(disk) == path else path
    others = list(_tracked_alike(parts.objects, tree_id, path))
    disk = spelling(root, path, others)
    if disk in others:
        return disk, disk
    same = [other for other in others if composed(other) == composed(disk)]
    if same:
        return same[0], disk
    if parts.config.flag("core.precomposeunicode"):
        return composed(disk), disk
    return disk, disk


def _tracked_alike(objects: Objects, tree_id: str | None, path: str) -> Iterator[str]:
    """Paths in a tree that a case-insensitive or normalising disk would take for `path`."""
    if tree_id is None:
        return
    part, slash, rest = path.partition("/")
    key = names.collision_key(part)
    low = part.lower()
    for name, mode, object_id in objects.tree(tree_id).items():
        plain = name.isascii() and part.isascii()
        if name.lower() != low if plain else names.collision_key(name) != key:
            continue
        if not slash and mode != FOLDER:
            yield name
        elif slash and mode == FOLDER:
            for inner in _tracked_alike(objects, object_id, rest):
                yield f"{name}/{inner}"
