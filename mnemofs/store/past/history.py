"""Reading the past of a store: what changed, when, by whom, and what each line came from.

Everything here works from git objects alone. A `Timeline` (index/timeline.py) only makes it
faster: results are the same without one. An unborn branch has an empty history (GIT-10).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from mnemofs.errors import NotFound
from mnemofs.store.git.objects import Objects, blob_id
from mnemofs.store.git.treediff import TreeReader, clean_path
from mnemofs.store.git.trees import FILE, SYMLINK, Entry
from mnemofs.store.git.walk import Commits, open_commits
from mnemofs.store.model import CommitInfo
from mnemofs.store.past.blame import BlameLine, Lineage, Version, attribute, versions
from mnemofs.store.past.diffing import FileDiff, FileSide, diff_file
from mnemofs.store.past.takeback import restore, restore_change, undo

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

__all__ = [
    "LogQuery",
    "Timeline",
    "blame",
    "diff",
    "log",
    "restore",
    "restore_change",
    "show",
    "undo",
]

_WORTH_REMEMBERING = 30


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which commits to list. path: a file or a folder, "" for all. since, until: inclusive.

    conflicting: only those that kept two texts somewhere.
    """

    path: str = ""
    actor: str | None = None
    owner: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int | None = None
    conflicting: bool = False

    def admits(self, commit: CommitInfo) -> bool:
        """Whether everything but the path fits."""
        return (
            (self.actor is None or commit.actor == self.actor)
            and (self.owner is None or commit.owner == self.owner)
            and (self.since is None or commit.time >= self.since)
            and (self.until is None or commit.time <= self.until)
            and (not self.conflicting or bool(commit.conflicts))
        )


class Timeline(Protocol):
    """A derived table of the history that answers at once. None: ask the objects instead."""

    def log(self, tip: str, query: LogQuery) -> list[CommitInfo] | None:
        """The commits reachable from `tip` that fit, newest first, with their paths."""
        ...

    def lineage(self, tip: str) -> Lineage | None:
        """What following files back from `tip` needs."""
        ...

    def attributed(self, path: str) -> Version | None:
        """A version of the file with the owners of its lines, when one was remembered."""
        ...

    def remember(self, path: str, version: Version) -> None:
        """Keep the owners of a version's lines, so that the next blame starts from there."""
        ...


def log(
    store: Store,
    *,
    path: str | None = None,
    actor: str | None = None,
    owner: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int | None = None,
    conflicting: bool = False,
    rev: str = "HEAD",
    timeline: Timeline | None = None,
) -> list[CommitInfo]:
    """The commits that reach `rev` and fit, newest first, each once, with the paths they changed.

    path: a file or a folder. Sides of a merge are all covered; the merge itself is listed for a
    path only when its result differs from every side. Raises NotFound for an unknown `rev`.
    """
    tip = _tip(store, rev)
    if tip is None or (limit is not None and limit <= 0):
        return []
    query = LogQuery(clean_path(path), actor, owner, since, until, limit, conflicting)
    known = timeline.log(tip, query) if timeline else None
    return _walk_log(open_commits(store.common_dir), tip, query) if known is None else known


def diff(
    store: Store, old: str = "HEAD", new: str | None = None, *, path: str | None = None
) -> list[FileDiff]:
    """What changed from revision `old` to revision `new`, or to the work tree when None, by path.

    path: only this file, or the files of this folder. On an unborn branch HEAD is empty. Raises
    NotFound for an unknown revision.
    """
    trees = TreeReader(store.objects)
    prefix = clean_path(path)
    before = _tree_of(store, old)
    if new is None:
        pairs = _against_work_tree(store, trees, before, prefix)
    else:
        pairs = _between(trees, before, _tree_of(store, new), prefix)
    return [diff_file(name, one, two) for name, one, two in pairs]


def show(store: Store, rev: str = "HEAD", *, path: str | None = None) -> list[FileDiff]:
    """What one commit changed against its first parent, by path. Nothing on an unborn branch."""
    tip = _tip(store, rev)
    if tip is None:
        return []
    commits = open_commits(store.common_dir)
    commit = commits.get(tip)
    parents = commits.parents(commit)
    before = commits.get(parents[0]).tree if parents else None
    pairs = _between(commits.trees, before, commit.tree, clean_path(path))
    return [diff_file(name, one, two) for name, one, two in pairs]


def blame(
    store: Store, path: str, rev: str = "HEAD", *, timeline: Timeline | None = None
) -> list[BlameLine]:
    """Each line of a file as `rev` has it, with the commit that first wrote it.

    Content is followed through merges, exact renames, undo and restore. Raises NotFound when the
    revision or the file in it does not exist.
    """
    name = clean_path(path)
    tip = _tip(store, rev)
    if tip is None:
        raise NotFound(f"there is no file {name} yet: nothing is committed", path=name)
    commits = open_commits(store.common_dir)
    lineage = (timeline.lineage(tip) if timeline else None) or commits
    known = timeline.attributed(name) if timeline else None
    found = versions(lineage, commits.trees, tip, name, known)
    last = found[-1]
    owners = attribute(found, lambda blob: commits.objects.read_kind(blob, "blob"))
    if timeline and len(found) > _WORTH_REMEMBERING:
        timeline.remember(name, replace(last, parents=(), owners=tuple(owners)))
    infos = {commit: lineage.get(commit) for commit in set(owners)}
    lines = commits.objects.read_kind(last.blob, "blob").split(b"\n")
    return [
        _blame_line(number, raw, infos[commit])
        for number, (raw, commit) in enumerate(zip(lines, owners, strict=False), 1)
    ]


def _walk_log(commits: Commits, tip: str, query: LogQuery) -> list[CommitInfo]:
    found: list[CommitInfo] = []
    for commit in commits.newest_first(tip):
        if not query.admits(commit):
            continue
        if query.path and not commits.touches_below(commit, query.path):
            continue
        paths = tuple(touch.path for touch in commits.touches(commit) if not touch.taken)
        found.append(replace(commit, paths=paths))
        if query.limit is not None and len(found) >= query.limit:
            break
    return found


def _tip(store: Store, rev: str) -> str | None:
    return store.head().commit if rev == "HEAD" else store.resolve(rev)


def _tree_of(store: Store, rev: str) -> str | None:
    tip = _tip(store, rev)
    return open_commits(store.common_dir).get(tip).tree if tip else None


_Pair = tuple[str, FileSide | None, FileSide | None]


def _between(trees: TreeReader, old: str | None, new: str | None, prefix: str) -> Iterator[_Pair]:
    for path, before, after in trees.changed(old, new):
        if _below(path, prefix):
            yield path, _side(trees.objects, before), _side(trees.objects, after)


def _against_work_tree(
    store: Store, trees: TreeReader, old: str | None, prefix: str
) -> Iterator[_Pair]:
    """What stands on disk against a tree: hand edits of our files, and what was committed since."""
    paths = {path for path, _, _ in trees.changed(old, _tree_of(store, "HEAD"))}
    for path in sorted(paths.union(store.dirty())):
        if _below(path, prefix):
            entry = trees.file(old, path)
            present = _on_disk(store, path, entry)
            if (present.blob if present else None) != (entry[1] if entry else None):
                yield path, _side(trees.objects, entry), present


def _on_disk(store: Store, path: str, entry: Entry | None) -> FileSide | None:
    mode = entry[0] if entry else FILE
    if mode == SYMLINK:
        try:
            content = os.fsencode(os.readlink(os.path.join(store.root, path)))
        except OSError:
            return None
        return FileSide(content, blob_id(content), mode)
    found = store.read(path)
    if found.content is None or found.blob is None:
        return None
    content = found.content
    if blob_id(content) != found.blob:  # git stores LF for this file (GIT-07)
        content = content.replace(b"\r\n", b"\n")
    return FileSide(content, found.blob, mode)


def _side(objects: Objects, entry: Entry | None) -> FileSide | None:
    if entry is None:
        return None
    return FileSide(objects.read_kind(entry[1], "blob"), entry[1], entry[0])


def _below(path: str, prefix: str) -> bool:
    return not prefix or path == prefix or path.startswith(prefix + "/")


def _blame_line(number: int, raw: bytes, commit: CommitInfo) -> BlameLine:
    return BlameLine(
        line=number,
        text=raw.decode("utf-8", "replace").removesuffix("\r"),
        commit=commit.id,
        actor=commit.actor,
        source=commit.source,
        trust=commit.trust,
        author=commit.author,
        owner=commit.owner,
        time=commit.time,
    )
