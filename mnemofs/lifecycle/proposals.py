"""Proposals: changes that wait for a person, each a commit under `refs/mnemofs/proposals/<id>`.

Nothing of the branch, the index or the work tree is touched. A proposal is read and compared with
plain git (`git show refs/mnemofs/proposals/<id>:MEMORY.md`), and garbage collection keeps it.
"""

from __future__ import annotations

import hashlib
import stat
from datetime import datetime
from typing import TYPE_CHECKING

from mnemofs.store.messages import commit_object, identity, message
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from dulwich.object_store import PackBasedObjectStore
    from dulwich.objects import ObjectID, ShaFile

    from mnemofs.store.repository import Store

PREFIX = "refs/mnemofs/proposals/"
_FILE_MODE = stat.S_IFREG | 0o644
_FOLDER_MODE = stat.S_IFDIR


def park(store: Store, change: Change, at: datetime) -> str:
    """Keep the change as a proposal on top of the present commit; its ref.

    The same texts parked again are the same proposal.
    """
    from dulwich.objects import Blob, Commit, ObjectID
    from dulwich.refs import Ref
    from dulwich.repo import Repo

    digest = hashlib.sha256()
    for edit in change.edits:
        digest.update(edit.path.encode() + b"\0" + (edit.content or b"") + b"\0")
    ref = PREFIX + digest.hexdigest()[:10]
    with Repo(store.root) as repo:
        name = Ref(ref.encode())
        if name in repo.refs:
            return ref
        head = store.head().commit
        objects = repo.object_store
        tree: ObjectID | None = None
        if head is not None:
            commit = objects[ObjectID(head.encode())]
            assert isinstance(commit, Commit)
            tree = commit.tree
        for edit in change.edits:
            blob = Blob.from_string(edit.content or b"")
            objects.add_object(blob)
            tree = _with_file(objects, tree, edit.path.split("/"), blob.id)
        raw = commit_object(
            tree.decode() if tree else "",
            [head] if head else [],
            identity(store.agent),
            at,
            message(change),
        )
        proposal: ShaFile = Commit.from_string(raw)
        objects.add_object(proposal)
        repo.refs.add_if_new(name, proposal.id)
    return ref


def _with_file(
    objects: PackBasedObjectStore, tree_id: ObjectID | None, parts: list[str], blob: ObjectID
) -> ObjectID:
    """The id of the tree in which the file at `parts` is `blob`."""
    from dulwich.objects import Tree

    found = objects[tree_id] if tree_id is not None else Tree()
    assert isinstance(found, Tree)
    tree = found.copy()
    assert isinstance(tree, Tree)
    name = parts[0].encode()
    if len(parts) == 1:
        mode = tree[name][0] if name in tree else _FILE_MODE
        tree[name] = (mode, blob)
    else:
        below = tree[name][1] if name in tree and stat.S_ISDIR(tree[name][0]) else None
        tree[name] = (_FOLDER_MODE, _with_file(objects, below, parts[1:], blob))
    objects.add_object(tree)
    return tree.id
