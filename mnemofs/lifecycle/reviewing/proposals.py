"""Proposals: changes that wait for a person, each a commit under `refs/mnemofs/proposals/<id>`.

Nothing of the branch, the index or the work tree is touched. A proposal is read and compared with
plain git (`git show refs/mnemofs/proposals/<id>:MEMORY.md`), and garbage collection keeps it. What
was decided about it is in the ledger (`decisions`); the ref goes a month after that.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from mnemofs.errors import CorruptStore, MnemofsError
from mnemofs.lifecycle.reviewing.decisions import Decisions, decisions_at
from mnemofs.markdown.entries import all_entries
from mnemofs.store.git.messages import commit_object, identity, message
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from dulwich.object_store import PackBasedObjectStore
    from dulwich.objects import ObjectID, ShaFile

    from mnemofs.store.git.walk import Commits
    from mnemofs.store.model import CommitInfo
    from mnemofs.store.repository import Store

PREFIX: Final = "refs/mnemofs/proposals/"
_FILE_MODE = stat.S_IFREG | 0o644
_FOLDER_MODE = stat.S_IFDIR
_KEPT_AFTER: Final = timedelta(days=30)


@dataclass(frozen=True)
class ProposedFile:
    """One file of a proposal: what it was computed from and what it shall be. None: no file."""

    path: str
    base: str | None
    old: bytes | None
    new: bytes | None


@dataclass(frozen=True)
class Proposal:
    """A change that waits. info: its commit; files: what it changes against its parent."""

    id: str
    info: CommitInfo
    files: tuple[ProposedFile, ...]


def park(store: Store, change: Change, at: datetime) -> str | None:
    """Keep the change as a proposal on top of the present commit; its ref.

    The same texts parked again are the same proposal. None when a person has rejected them, or
    texts with the same entries: they do not come back.
    """
    from dulwich.objects import Blob, Commit, ObjectID
    from dulwich.refs import Ref
    from dulwich.repo import Repo

    contents = {edit.path: edit.content for edit in change.edits}
    name = proposal_id(contents)
    decisions = decisions_at(store.root)
    if decisions.rejected(signature(contents)):
        return None
    decision = decisions.by_item.get(name)
    ref = PREFIX + name
    with Repo(store.root) as repo:
        parked = Ref(ref.encode())
        # What was decided and undone by later edits may be proposed anew, on top of them.
        if parked in repo.refs and (decision is None or at <= decision.time):
            return ref
        head = store.head().commit
        objects = repo.object_store
        tree: ObjectID | None = None
        if head is not None:
            commit = objects[ObjectID(head.encode())]
            assert isinstance(commit, Commit)
            tree = commit.tree
        for edit in change.edits:
            blob = None
            if edit.content is not None:
                blob = Blob.from_string(edit.content)
                objects.add_object(blob)
            tree = _with_file(objects, tree, edit.path.split("/"), blob.id if blob else None)
        raw = commit_object(
            tree.decode() if tree else "",
            [head] if head else [],
            identity(store.agent),
            at,
            message(change),
        )
        proposal: ShaFile = Commit.from_string(raw)
        objects.add_object(proposal)
        repo.refs[parked] = proposal.id
    return ref


def proposal_id(contents: Mapping[str, bytes | None]) -> str:
    """The id under which these texts wait."""
    digest = hashlib.sha256()
    for path, content in contents.items():
        digest.update(path.encode() + b"\0" + (content or b"") + b"\0")
    return digest.hexdigest()[:10]


def proposals(store: Store, commits: Commits) -> Iterable[Proposal]:
    """All proposals that are kept here, decided or not, oldest first. Unreadable ones are none."""
    from mnemofs.store.git.layout import find
    from mnemofs.store.git.refmoves import all_refs

    found = []
    for ref, commit_id in all_refs(find(store.root), PREFIX).items():
        try:
            info = commits.get(commit_id)
            files = tuple(_files(store, commits, info))
        except (CorruptStore, MnemofsError):
            continue
        found.append(Proposal(ref.removeprefix(PREFIX), info, files))
    return sorted(found, key=lambda one: (one.info.time, one.id))


def signature(contents: Mapping[str, bytes | None]) -> str:
    """What some files say, whatever their order, dates, and line ends: equal for texts that a
    person would not want to be asked about twice."""
    digest = hashlib.sha256()
    for path, content in sorted(contents.items()):
        try:
            said = sorted({one.normal for one in all_entries(content or b"", "") if one.normal})
        except MnemofsError:
            said = [hashlib.sha256(content or b"").hexdigest()]
        digest.update("\0".join([path, *said, ""]).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def prune(store: Store, decisions: Decisions, now: datetime) -> None:
    """Drop the refs of proposals that were decided more than a month ago."""
    from mnemofs.store.git.layout import find
    from mnemofs.store.git.refmoves import all_refs, delete_ref

    layout = find(store.root)
    for ref in all_refs(layout, PREFIX):
        decision = decisions.by_item.get(ref.removeprefix(PREFIX))
        if decision is not None and now - decision.time > _KEPT_AFTER:
            delete_ref(layout, ref)


def _files(store: Store, commits: Commits, info: CommitInfo) -> Iterable[ProposedFile]:
    parents = commits.parents(info)
    before = commits.get(parents[0]).tree if parents else None
    for path, old, new in commits.trees.changed(before, info.tree):
        yield ProposedFile(
            path,
            old[1] if old else None,
            store.blob(old[1]) if old else None,
            store.blob(new[1]) if new else None,
        )


def _with_file(
    objects: PackBasedObjectStore,
    tree_id: ObjectID | None,
    parts: list[str],
    blob: ObjectID | None,
) -> ObjectID:
    """The id of the tree in which the file at `parts` is `blob`, or is not (None)."""
    from dulwich.objects import Tree

    found = objects[tree_id] if tree_id is not None else Tree()
    assert isinstance(found, Tree)
    tree = found.copy()
    assert isinstance(tree, Tree)
    name = parts[0].encode()
    if len(parts) == 1:
        if blob is not None:
            tree[name] = (tree[name][0] if name in tree else _FILE_MODE, blob)
        elif name in tree:
            del tree[name]
    else:
        below = tree[name][1] if name in tree and stat.S_ISDIR(tree[name][0]) else None
        tree[name] = (_FOLDER_MODE, _with_file(objects, below, parts[1:], blob))
    objects.add_object(tree)
    return tree.id
