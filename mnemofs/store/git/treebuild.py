"""New trees from an old one and a few changed paths: HEAD's tree, never the index.

What a user has staged is therefore never swept into a commit of ours (GIT-02).
"""

from __future__ import annotations

from mnemofs.store.git.objects import Objects
from mnemofs.store.git.pending import Pending
from mnemofs.store.git.trees import FOLDER, Entry, Tree


def rebuild(
    objects: Objects, pending: Pending, tree_id: str | None, changes: dict[str, Entry | None]
) -> str | None:
    """A tree with paths set or dropped; only touched folders are made anew. None when empty."""
    direct: dict[str, Entry | None] = {}
    below: dict[str, dict[str, Entry | None]] = {}
    for path, entry in changes.items():
        name, slash, rest = path.partition("/")
        if slash:
            below.setdefault(name, {})[rest] = entry
        else:
            direct[name] = entry
    tree = objects.tree(tree_id) if tree_id else Tree(raw=b"")
    for name, inner in below.items():
        present = tree.get(name)
        folder = present[1] if present and present[0] == FOLDER else None
        if folder is None and all(entry is None for entry in inner.values()):
            continue
        made = rebuild(objects, pending, folder, inner)
        if made is not None:
            direct[name] = (FOLDER, made)
        elif direct.get(name) is None:
            direct[name] = None
    changed = tree.changed(direct)
    if not len(changed):
        return None
    made = pending.add("tree", changed.raw())
    objects.remember_tree(made, changed)
    return made
