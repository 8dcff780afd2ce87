"""The side of a merge that no commit holds: what a writer wanted over text that had moved on.

When an edit computed from an older version contradicts what stands there now, the merge may have to
leave a value of it out, and its text as a whole is in no tree. It is kept as a commit of its own
under `refs/mnemofs/kept/<id>`, named by the trailer `Mnemofs-Kept`, so that a person can still
decide for it. Its tree holds `base/<path>` (what the edit was computed from) and `ours/<path>`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from mnemofs.errors import CorruptStore
from mnemofs.store.disk.locks import GitLock
from mnemofs.store.git.messages import commit_object
from mnemofs.store.git.pending import Pending
from mnemofs.store.git.refs import read_ref, ref_path
from mnemofs.store.git.treebuild import rebuild
from mnemofs.store.git.trees import FILE, Entry

if TYPE_CHECKING:
    from mnemofs.store.commit.parts import Parts
    from mnemofs.store.git.layout import Layout
    from mnemofs.store.git.objects import Objects

PREFIX = "refs/mnemofs/kept/"
_BASE, _OURS = "base/", "ours/"


@dataclass(frozen=True, slots=True)
class Side:
    """What an edit was computed from and what it said. base None: the file was not there; ours
    None: it was to be deleted."""

    base: bytes | None
    ours: bytes | None


def keep(parts: Parts, sides: Mapping[str, Side], at: datetime) -> str:
    """Store the sides; the id of their commit. Needs the write lock."""
    pending = Pending(parts.objects, parts.temp_dir, parts.durable)
    files: dict[str, Entry | None] = {}
    try:
        for path, side in sides.items():
            if side.ours is not None:
                files[_OURS + path] = (FILE, pending.add("blob", side.ours))
            if side.base is not None:
                files[_BASE + path] = (FILE, pending.add("blob", side.base))
        tree = rebuild(parts.objects, pending, None, files)
        assert tree is not None
        text = "What an edit said that met newer text\n"
        commit = pending.add("commit", commit_object(tree, (), parts.identity, at, text))
        pending.place()
    except BaseException:
        pending.discard()
        raise
    _point(parts, pending, PREFIX + commit[:12], commit)
    pending.settle()
    return commit


def read(objects: Objects, layout: Layout, commit: str, path: str) -> Side | None:
    """The side kept for a file; None when it is not here (it was forgotten, or never sent)."""
    # A purge rewrites what the ref points at, and perhaps the trailer that names it.
    commit = read_ref(layout, PREFIX + commit[:12]) or commit
    try:
        tree = objects.read_kind(commit, "commit")[5:45].decode("ascii")
        ours = objects.entry(tree, _OURS + path)
        base = objects.entry(tree, _BASE + path)
        if ours is None and base is None:
            return None
        texts = (objects.read_kind(one[1], "blob") if one else None for one in (base, ours))
        return Side(*texts)
    except CorruptStore:
        return None


def _point(parts: Parts, pending: Pending, ref: str, commit: str) -> None:
    if read_ref(parts.layout, ref) is not None:
        return
    target = ref_path(parts.layout, ref)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    lock = GitLock(target, os.path.join(parts.layout.shared_dir, "ref.private"))
    pending.sync_also(lock.prepare(f"{commit}\n".encode()))
    try:
        pending.place()
        lock.take()
        lock.publish()
    finally:
        lock.release()
    pending.folders.add(os.path.dirname(target))
