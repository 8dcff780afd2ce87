"""All refs at once: listed, moved and deleted, each only if it still is what it was read as."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from mnemofs.store.disk.durable import sync, sync_folders
from mnemofs.store.disk.files import read_file, unlink_quietly, write_all
from mnemofs.store.disk.locks import GitLock, WriteLock
from mnemofs.store.git.layout import Layout
from mnemofs.store.git.refs import packed_refs, read_ref

_ID = re.compile(r"[0-9a-f]{40}")


def all_refs(layout: Layout, prefix: str = "refs/") -> dict[str, str]:
    """Every ref below `prefix` that holds an object id, loose ones before packed ones. Symbolic
    refs are left out: what they point at is listed itself."""
    found = {name: value for name, value in packed_refs(layout).items() if name.startswith(prefix)}
    for base in {layout.common_dir, layout.git_dir}:
        for name in _loose(base, prefix.rstrip("/")):
            text = (read_file(os.path.join(base, name)) or b"").decode("ascii", "replace").strip()
            if _ID.fullmatch(text):
                found[name] = text
    return found


def move_refs(
    layout: Layout, moves: Mapping[str, tuple[str | None, str | None]]
) -> tuple[str, ...]:
    """Move refs from the first id (None: it is new) to the second (None: delete).

    Returns the names of those that had moved meanwhile and were left alone. Needs the write lock.
    Raises Busy.

    Loose refs go one by one, then `packed-refs` at once: whatever dies in between, every ref holds
    either its old or its new value. Reflogs are not written.
    """
    overtaken: list[str] = []
    private = os.path.join(layout.shared_dir, "ref.private")
    folders: set[str] = set()
    for name, (old, new) in moves.items():
        target = os.path.join(layout.common_dir, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        lock = GitLock(target, private)
        descriptor = lock.prepare(f"{new}\n".encode() if new else b"")
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)  # before it is renamed
        try:
            lock.take()
            if read_ref(layout, name) != old:
                overtaken.append(name)
            elif new is not None:
                lock.publish()
                folders.add(os.path.dirname(target))
            else:
                _drop_packed(layout, {name})
                unlink_quietly(target)
                folders.add(os.path.dirname(target))
        finally:
            lock.release()
    sync_folders(folders)
    return tuple(overtaken)


def delete_ref(layout: Layout, name: str) -> None:
    """Delete one ref, if it is there. Takes the write lock. Raises Busy."""
    with WriteLock(os.path.join(layout.shared_dir, "lock")):
        old = read_ref(layout, name)
        if old is not None:
            move_refs(layout, {name: (old, None)})


def forget_packed(layout: Layout, names: set[str]) -> None:
    """Take refs that are loose now out of `packed-refs`, where their old values still stand."""
    _drop_packed(layout, names)


def _drop_packed(layout: Layout, names: set[str]) -> None:
    path = os.path.join(layout.common_dir, "packed-refs")
    data = read_file(path)
    if data is None or not any(name.encode() in data for name in names):
        return
    lock = GitLock(path, os.path.join(layout.shared_dir, "packed.private"))
    descriptor = lock.prepare()
    try:
        try:
            lock.take()
            write_all(descriptor, _without(read_file(path) or b"", names))
            sync(descriptor)
        finally:
            os.close(descriptor)
        lock.publish()
    finally:
        lock.release()


def _without(data: bytes, names: set[str]) -> bytes:
    out, dropping = [], False
    for line in data.splitlines(keepends=True):
        if line.startswith(b"^"):
            if not dropping:
                out.append(line)
            continue
        name = line.partition(b" ")[2].strip().decode("utf-8", "surrogateescape")
        dropping = not line.startswith(b"#") and name in names
        if not dropping:
            out.append(line)
    return b"".join(out)


def _loose(base: str, below: str) -> Iterator[str]:
    top = os.path.join(base, below)
    if os.path.isfile(top):
        yield below
        return
    for folder, _, names in os.walk(top):
        for name in sorted(names):
            if not name.endswith(".lock"):
                yield os.path.relpath(os.path.join(folder, name), base).replace(os.sep, "/")
