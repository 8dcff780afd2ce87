"""Keeping the repository small, outside the write path and only when asked (git-lab §9)."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Literal

from mnemofs.errors import StoreError
from mnemofs.store.commit.parts import Parts
from mnemofs.store.disk.files import unlink_quietly
from mnemofs.store.git.layout import program

LOOSE_LIMIT = 2000
_ABANDONED = 24 * 3600


@dataclass(frozen=True, slots=True)
class Maintained:
    """What maintenance did: "unneeded", "git" (git gc) or "packed" (without git)."""

    status: Literal["unneeded", "git", "packed"]
    loose_before: int
    loose_after: int


def maintain(parts: Parts, *, limit: int = LOOSE_LIMIT) -> Maintained:
    """Pack loose objects when there are more than `limit`.

    With git: `git gc --auto`, which keeps unreachable objects for two weeks and needs no lock of
    ours. Without: loose objects are packed under the write lock; nothing is ever pruned.
    """
    before = parts.objects.loose_count()
    _sweep(parts)
    if before <= limit:
        return Maintained("unneeded", before, before)
    git = program("git")
    if git is not None:
        # git guesses the number from one folder of 256, so it may see no need: then in full.
        _git_gc(parts, git, "--auto")
        if parts.objects.loose_count() > limit:
            _git_gc(parts, git)
        parts.objects.close()
        return Maintained("git", before, parts.objects.loose_count())
    with parts.write_lock:
        from dulwich.object_store import DiskObjectStore

        store = DiskObjectStore(parts.objects.directory)
        try:
            store.pack_loose_objects()
        finally:
            store.close()
        parts.objects.close()
    return Maintained("packed", before, parts.objects.loose_count())


def _git_gc(parts: Parts, git: str, *words: str) -> None:
    from mnemofs.store.git.gc import FAILURES, git_gc

    settings = {"gc.auto": "1", "gc.autoDetach": "false", "gc.pruneExpire": "2.weeks.ago"}
    try:
        git_gc(parts.layout, git, settings, *words)
    except FAILURES as error:
        raise StoreError(
            f"git gc failed in {parts.layout.root}", hint="run `git gc` there to see why"
        ) from error


def _sweep(parts: Parts) -> None:
    """Remove temporary objects that a dead process left a day ago or earlier."""
    horizon = time.time() - _ABANDONED
    for byte in range(256):
        folder = os.path.join(parts.objects.directory, f"{byte:02x}")
        try:
            names = os.listdir(folder)
        except (FileNotFoundError, NotADirectoryError):
            continue
        for name in names:
            path = os.path.join(folder, name)
            try:
                if name.startswith("tmp_obj_") and os.lstat(path).st_mtime < horizon:
                    unlink_quietly(path)
            except FileNotFoundError:
                continue
