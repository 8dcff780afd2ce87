"""Everything that something refers to: refs, HEAD, reflogs and the index (git-lab finding 5)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from mnemofs.store.disk.files import read_file
from mnemofs.store.git.index import GitIndex
from mnemofs.store.git.layout import Layout, shallow_commits
from mnemofs.store.git.objects import EMPTY_TREE, Objects
from mnemofs.store.git.refmoves import all_refs
from mnemofs.store.git.refs import read_head
from mnemofs.store.git.trees import FOLDER, GITLINK

_ID = re.compile(rb"\b[0-9a-f]{40}\b")


def reachable(layout: Layout, objects: Objects) -> Iterator[str]:
    """Ids of all objects that may not be pruned, each once."""
    seen: set[str] = set()
    stack = [*all_refs(layout).values(), *_logged(layout), *_staged(layout)]
    head = read_head(layout).commit
    stack += [head] if head else []
    edges = shallow_commits(layout.common_dir)
    while stack:
        object_id = stack.pop()
        if object_id in seen or (object_id == EMPTY_TREE and not objects.has(object_id)):
            continue
        seen.add(object_id)
        if not objects.has(object_id):
            continue
        yield object_id
        kind, content = objects.read(object_id)
        if kind == "tree":
            for _, mode, child in objects.tree(object_id).items():
                if mode == FOLDER:
                    stack.append(child)
                elif mode != GITLINK and child not in seen:
                    seen.add(child)
                    yield child
        elif kind in ("commit", "tag"):
            named = [one.decode() for one in _ID.findall(content.partition(b"\n\n")[0])]
            stack += named[:1] if object_id in edges else named


def _logged(layout: Layout) -> Iterator[str]:
    for folder, _, names in os.walk(os.path.join(layout.common_dir, "logs")):
        for name in names:
            for line in (read_file(os.path.join(folder, name)) or b"").splitlines():
                if not line.startswith(b"0" * 40, 41):
                    yield line[41:81].decode("ascii", "replace")


def _staged(layout: Layout) -> Iterator[str]:
    data = read_file(layout.index)
    if data:
        for fields in GitIndex(data).entries().values():
            yield fields[10].hex()
