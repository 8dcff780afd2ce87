"""Who brought each line of a file, followed through merges, undo and restore.

The line keeps the commit that first wrote it for as long as its bytes stand, whoever moves the
text around it. Text that an undo or a restore brings back keeps its first author and trust: a
line from the web does not become a person's by being deleted and restored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mnemofs.errors import NotFound
from mnemofs.store.git.treediff import TreeReader
from mnemofs.store.model import CommitInfo
from mnemofs.store.past.linediff import align, split_lines

UNDO = "undo:"
RESTORE = "restore:"
_COMMIT_ID = re.compile(r"[0-9a-f]{40}")

_Node = tuple[str, str, str]  # commit, path, blob


@dataclass(frozen=True, slots=True)
class BlameLine:
    """One line and the commit that wrote it. line: 1-based. text: without its line end."""

    line: int
    text: str
    commit: str
    actor: str
    source: str
    trust: str
    author: str
    owner: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Version:
    """The bytes of a file as one commit left them.

    parents: indexes of the versions it was made from, most important first. owners: the commit of
    each line when that is known already; the version then needs no parents.
    """

    commit: str
    blob: str
    parents: tuple[int, ...]
    owners: tuple[str, ...] | None = None


class Lineage(Protocol):
    """What following a file needs to know of the history. `walk.Commits` is one."""

    def get(self, commit_id: str) -> CommitInfo:
        """The commit."""
        ...

    def knows(self, commit_id: str) -> bool:
        """Whether there is such a commit here."""
        ...

    def parents(self, commit: CommitInfo) -> tuple[str, ...]:
        """Its parents as far as they are here."""
        ...

    def origin(self, commit_id: str, path: str) -> tuple[str, str] | None:
        """(commit, blob) that brought the bytes `path` has in `commit_id`; None when absent."""
        ...


def versions(
    lineage: Lineage,
    trees: TreeReader,
    commit_id: str,
    path: str,
    known: Version | None = None,
) -> list[Version]:
    """The versions that the file of `path` in `commit_id` grew from, parents before children.

    known: a version of this path whose lines were attributed before; nothing older is needed.

    A file that appears under a new name with the very bytes of one that vanished in the same
    commit is followed under the old name. Raises NotFound when the commit has no such file.
    """
    start = lineage.origin(commit_id, path)
    if start is None:
        raise NotFound(
            f"there is no file {path} in {commit_id[:12]}", path=path, revision=commit_id
        )
    first = (start[0], path, start[1])
    index: dict[_Node, int] = {}
    found: list[Version] = []
    todo: list[tuple[_Node, list[_Node] | None]] = [(first, None)]
    while todo:
        node, parents = todo.pop()
        if node in index:
            continue
        if known and path == node[1] and (known.commit, known.blob) == (node[0], node[2]):
            index[node] = len(found)
            found.append(known)
            continue
        if parents is None:
            parents = _before(lineage, trees, node)
            todo.append((node, parents))
            todo.extend((parent, None) for parent in parents if parent not in index)
            continue
        index[node] = len(found)
        found.append(Version(node[0], node[2], tuple(index[parent] for parent in parents)))
    return found


def _before(lineage: Lineage, trees: TreeReader, node: _Node) -> list[_Node]:
    commit_id, path, blob = node
    commit = lineage.get(commit_id)
    parent_ids = lineage.parents(commit)
    sources = [(parent, path) for parent in parent_ids]
    if not any(lineage.origin(parent, path) for parent in parent_ids):
        sources += [
            (parent, old_path)
            for parent in parent_ids
            for old_path in _moved_from(trees, lineage.get(parent).tree, commit.tree, blob)
        ]
    sources += [(earlier, path) for earlier in _earlier(lineage, commit)]
    nodes: dict[_Node, None] = {}
    for parent, old_path in sources:
        origin = lineage.origin(parent, old_path)
        if origin:
            nodes[origin[0], old_path, origin[1]] = None
    return list(nodes)


def _moved_from(trees: TreeReader, old: str, new: str, blob: str) -> list[str]:
    return [
        path
        for path, before, after in trees.changed(old, new)
        if after is None and before is not None and before[1] == blob
    ]


def brought_back(source: str, mark: str) -> str:
    """The commit id behind `mark` (UNDO or RESTORE) in a commit's source, "" without one."""
    found = source.removeprefix(mark).partition(" ")[0] if source.startswith(mark) else ""
    return found if _COMMIT_ID.fullmatch(found) else ""


def _earlier(lineage: Lineage, commit: CommitInfo) -> tuple[str, ...]:
    """Earlier commits whose text an undo or restore returned to."""
    restored = brought_back(commit.source, RESTORE)
    if restored and lineage.knows(restored):
        return (restored,)
    undone = brought_back(commit.source, UNDO)
    return lineage.parents(lineage.get(undone)) if undone and lineage.knows(undone) else ()


def attribute(versions: Sequence[Version], read: Callable[[str], bytes]) -> list[str]:
    """For each line of the last version, the commit that brought it.

    versions: parents before children, the file asked about last. read: bytes of a blob id. Each
    line goes to the first parent that has it, as in `git blame`.
    """
    uses = [0] * len(versions)
    for version in versions:
        for parent in version.parents:
            uses[parent] += 1
    texts: dict[int, bytes] = {}
    owners: dict[int, list[str]] = {}
    for index, version in enumerate(versions):
        texts[index] = text = read(version.blob)
        mine = list(version.owners) if version.owners is not None else None
        for parent in version.parents:
            inherited = _inherited(version.commit, text, owners[parent], texts[parent])
            if mine is None:
                mine = inherited
            else:
                mine = [
                    other if one == version.commit else one
                    for one, other in zip(mine, inherited, strict=True)
                ]
            uses[parent] -= 1
            if not uses[parent]:
                del texts[parent], owners[parent]
        owners[index] = [version.commit] * _count_lines(text) if mine is None else mine
    return owners[len(versions) - 1] if versions else []


def _inherited(commit: str, text: bytes, theirs: list[str], before: bytes) -> list[str]:
    """The owners of the lines of `text`: those of `before` where its lines stand, else `commit`."""
    head, tail = _same_lines(before, text)
    start = text[:head].count(b"\n")
    old = split_lines(before[head : len(before) - tail])
    new = split_lines(text[head : len(text) - tail])
    middle = [commit] * len(new)
    for block in align(old, new):
        there = start + block.old
        middle[block.new : block.new + block.size] = theirs[there : there + block.size]
    return theirs[:start] + middle + theirs[start + len(old) :]


def _same_lines(one: bytes, other: bytes) -> tuple[int, int]:
    """How many bytes at the start and at the end are the same, both cut at whole lines."""
    head = _common(len(one), len(other), lambda size: one[:size] == other[:size])
    if head < max(len(one), len(other)):
        head = one.rfind(b"\n", 0, head) + 1
    limit_one, limit_other = len(one) - head, len(other) - head
    tail = _common(
        limit_one, limit_other, lambda size: one[len(one) - size :] == other[len(other) - size :]
    )
    # The tail starts after a line end of both texts, or where the head ends.
    if tail < limit_one or tail < limit_other:
        cut = one.find(b"\n", len(one) - tail)
        tail = len(one) - cut - 1 if cut >= 0 else 0
    return head, tail


def _common(size_one: int, size_other: int, same: Callable[[int], bool]) -> int:
    low, high = 0, min(size_one, size_other)
    if same(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if same(middle):
            low = middle
        else:
            high = middle
    return low


def _count_lines(text: bytes) -> int:
    return text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
