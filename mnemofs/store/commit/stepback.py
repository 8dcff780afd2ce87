"""A branch whose newest commits are gone or damaged goes back to the last one that is whole.

`git gc --prune=now` in the instant of a write takes away what no ref names yet, and power loss what
was never synced, which git does with no loose object. The work tree still holds every text: what
it has more than that last commit is committed anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import takewhile

from mnemofs.errors import CorruptStore
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import Publisher
from mnemofs.store.disk.durable import create
from mnemofs.store.disk.files import read_file, unlink_quietly, write_all
from mnemofs.store.git.layout import Layout
from mnemofs.store.git.messages import git_time
from mnemofs.store.git.refmoves import move_refs
from mnemofs.store.git.refs import (
    append_reflogs,
    branch_of_head,
    operation_in_progress,
    read_head,
    read_ref,
    ref_path,
)
from mnemofs.store.git.walk import Commits, open_commits

_NONE = "0" * 40


def step_back(parts: Parts, publisher: Publisher, damage: CorruptStore) -> tuple[str, ...]:
    """Make the branch whole again; a sentence that says so. Needs the write lock.

    damage: what was found, and is raised again when the tip is whole (it is something else that is
    damaged), when its reflog knows no whole commit, or when objects are borrowed from a repository
    that may just be away.
    """
    layout = parts.layout
    ref = branch_of_head(layout)
    tip = _tip(parts, ref)
    commits = open_commits(layout.common_dir)  # nothing is remembered here
    try:
        if ref is None or operation_in_progress(layout) or commits.objects.borrows:
            raise damage
        if tip is not None and _is_whole(commits, tip):
            raise damage
        found = next((one for one in _known(parts, ref) if _is_whole(commits, one)), None)
    finally:
        commits.objects.close()
    if found is None:
        raise damage
    if tip is None:
        unlink_quietly(ref_path(layout, ref))
    if move_refs(layout, {ref: (tip or read_ref(layout, ref), found)}):
        return ()  # somebody else has just mended it
    _forget(layout, ref, takewhile(lambda one: one != found, _known(parts, ref)))
    parts.forget()
    stamp = f"{parts.identity} {git_time(parts.clock.now())}"
    setting = parts.config.get("core.logallrefupdates")
    append_reflogs(layout, setting, ref, (None, found), stamp, "mnemofs: back to a whole commit")
    _unstage(parts, publisher)
    return (
        f"commits after {found[:10]} were lost from .git (a `git gc --prune=now` during a write, or"
        " a power failure); the files are as they were, and are committed anew",
    )


def _tip(parts: Parts, ref: str | None) -> str | None:
    """The commit the branch names, None when its file is torn."""
    try:
        return read_ref(parts.layout, ref) if ref else None
    except CorruptStore:
        return None


def _known(parts: Parts, ref: str) -> Iterator[str]:
    """The commits that the branch was at, newest first."""
    log = read_file(os.path.join(parts.layout.common_dir, "logs", ref)) or b""
    seen = {_NONE}
    for line in reversed(log.splitlines()):
        for commit in reversed(line.decode("utf-8", "replace").split(" ", 2)[:2]):
            if commit not in seen and len(commit) == 40:
                seen.add(commit)
                yield commit


def _is_whole(commits: Commits, commit: str) -> bool:
    """Whether a commit can be built upon: itself, all its trees and what was before it are here."""
    try:
        info = commits.get(commit)
        for _ in commits.objects.walk(info.tree):
            pass
    except (CorruptStore, ValueError):
        return False
    return all(commits.objects.has(parent) for parent in commits.parents(info))


def _forget(layout: Layout, ref: str, lost: Iterable[str]) -> None:
    """Take commits that are not there out of the reflogs, over which git's gc would stumble."""
    gone = {commit.encode() for commit in lost}
    for base, name in ((layout.common_dir, ref), (layout.git_dir, "HEAD")):
        path = os.path.join(base, "logs", name)
        log = read_file(path)
        if log is not None:
            lines = log.splitlines(keepends=True)
            kept = [line for line in lines if gone.isdisjoint(line.split(b" ", 2)[:2])]
            descriptor = create(path + ".lock")
            try:
                write_all(descriptor, b"".join(kept))
            finally:
                os.close(descriptor)
            os.replace(path + ".lock", path)


def _unstage(parts: Parts, publisher: Publisher) -> None:
    """Our files in git's index as the branch has them now: what the lost commits left there would
    look like something a person has staged."""
    head = read_head(parts.layout)
    comparison = parts.comparer.compare(parts.tree_of(head.commit))
    staged = {
        row.tracked or row.disk or row.path: row.blob or ""
        for row in comparison.differences
        if row.staged
    }
    publisher.refresh_index(head, staged, lost=staged)
