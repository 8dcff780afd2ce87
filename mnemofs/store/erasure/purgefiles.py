"""The files around the objects: work tree, git's own notes, our sidecar. Cleaned, then searched."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from mnemofs.names import OWNERS_DIR, SIDECAR_DIR
from mnemofs.store.disk.durable import create, sync
from mnemofs.store.disk.files import read_file, unlink_quietly, write_all
from mnemofs.store.erasure.needles import Needles, free_name
from mnemofs.store.git.index import NO_STAT, GitIndex, NeedsGit, StatData
from mnemofs.store.git.layout import Layout
from mnemofs.store.git.trees import Entry
from mnemofs.systems import set_mode

# What git keeps of earlier states, none of which anybody is in the middle of.
_LEFTOVERS: Final = (
    "ORIG_HEAD",
    "FETCH_HEAD",
    "AUTO_MERGE",
    "MERGE_MSG",
    "MERGE_RR",
    "SQUASH_MSG",
    "COMMIT_EDITMSG",
    "TAG_EDITMSG",
    "NOTES_EDITMSG",
    "GIT_COLA_MSG",
    "gitk.cache",
    "gc.log",
    "info/refs",
    "objects/info/packs",
    "objects/info/commit-graph",
)
_LEFTOVER_DIRS: Final = ("rr-cache", "lost-found", "objects/info/commit-graphs")
_IDS: Final = frozenset({"HEAD", "packed-refs", "shallow", "index"})
_ID: Final = re.compile(rb"[0-9a-f]{40}")
_DATABASES: Final = ("index.db", "timeline.db", "facts.db")
_REVISIONS: Final = f"{SIDECAR_DIR}/asof/"  # indexes of earlier commits
_LARGEST: Final = 512 << 20


@dataclass
class Cleaned:
    """changed: how many files were rewritten. left: paths that hold it still, with the reason."""

    changed: int = 0
    renamed: int = 0
    left: dict[str, str] = field(default_factory=dict)


def work_tree_files(layout: Layout) -> Iterator[str]:
    """Every plain file of the work tree, by path from the root; not of other repositories."""
    for folder, folders, names in os.walk(layout.root):
        top = folder == layout.root
        folders[:] = sorted(
            name
            for name in folders
            if name != ".git"
            and not (top and name.casefold() == OWNERS_DIR)
            and not os.path.lexists(os.path.join(folder, name, ".git"))
            and not os.path.islink(os.path.join(folder, name))
        )
        for name in sorted(names):
            if not (top and name == ".git"):
                path = os.path.relpath(os.path.join(folder, name), layout.root)
                yield path.replace(os.sep, "/")


def clean_work_tree(layout: Layout, needles: Needles, tracked: set[str]) -> Cleaned:
    """Replace the text in every file and file name of the work tree, and in state files of ours.

    Databases of ours are deleted: they are derived. Files that are neither tracked nor text are
    left and named.
    """
    done = Cleaned()
    for path in list(work_tree_files(layout)):
        full = os.path.join(layout.root, path)
        if os.path.islink(full):
            if needles.found(os.fsencode(os.readlink(full))):
                done.left[path] = "it is a link"
            continue
        if path.startswith(_REVISIONS) or (
            path.startswith(f"{SIDECAR_DIR}/") and os.path.basename(path).startswith(_DATABASES)
        ):
            unlink_quietly(full)
            continue
        try:
            data = _read(full)
        except OSError as error:
            done.left[path] = error.strerror or "it cannot be read"
            continue
        if data is not None and needles.found(data):
            if path in tracked or b"\0" not in data:
                _replace(full, needles.replaced(data))
                done.changed += 1
            else:
                done.left[path] = "it is no text file and not part of the memory"
    _rename(layout, needles, done)
    return done


def rest_of_git(layout: Layout, needles: Needles, kept_logs: dict[str, bytes]) -> None:
    """Delete what git and we keep of earlier states, and clean every other small file of git's.

    kept_logs: reflogs with their new content (the stash is a reflog); all others go.
    """
    for base in {layout.git_dir, layout.common_dir}:
        for name in _LEFTOVERS:
            unlink_quietly(os.path.join(base, name))
        for name in _LEFTOVER_DIRS:
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)
        shutil.rmtree(os.path.join(base, "logs"), ignore_errors=True)
    for name, content in kept_logs.items():
        path = os.path.join(layout.common_dir, "logs", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _replace(path, content)
    for name in ("index.damaged", "index.copy", "intent"):
        unlink_quietly(os.path.join(layout.state_dir, name))
    for path in _git_files(layout):
        data = _read(path)
        if data is not None and needles.found(data) and not _holds_ids(layout, path):
            _replace(path, needles.replaced(data))


def clean_index(layout: Layout, blobs: dict[str, str], needles: Needles, head: bytes) -> None:
    """Make git's index name the new blobs; what a user staged stays staged. Needs `index.lock`.

    head: the bytes of an index that says what the new HEAD says, for one that only git can change.
    """
    data = read_file(layout.index)
    if data is None:
        return
    try:
        index = GitIndex(data)
        changes: dict[str, tuple[Entry, StatData] | None] = {}
        entries = index.entries()
        moved = _new_paths(entries, needles)
        for path, fields in entries.items():
            new = blobs.get(fields[10].hex(), fields[10].hex())
            if path in moved:
                changes[path] = None
                path = moved[path]
            elif new == fields[10].hex():
                continue
            changes[path] = (fields[6], new), NO_STAT
        made = index.changed(changes).data
    except NeedsGit:
        made = head
        for name in os.listdir(layout.git_dir):
            if name.startswith("sharedindex."):
                unlink_quietly(os.path.join(layout.git_dir, name))
    _replace(layout.index, made)


def _new_paths(paths: Iterable[str], needles: Needles) -> dict[str, str]:
    """{path: its path without the text}, by the rule that trees are rewritten by."""
    below: dict[str, dict[bytes, bytes]] = {}
    for path in paths:
        folder = ""
        for part in path.split("/"):
            below.setdefault(folder, {})[os.fsencode(part)] = os.fsencode(part)
            folder = f"{folder}/{part}" if folder else part
    if not any(needles.in_name(name) for names in below.values() for name in names):
        return {}
    for names in below.values():
        taken = {name for name in names if not needles.in_name(name)}
        for name in sorted(names.keys() - taken):
            names[name] = free_name(needles.renamed(name), taken)
            taken.add(names[name])
    moved = {}
    for path in paths:
        folder, new = "", []
        for part in path.split("/"):
            new.append(os.fsdecode(below[folder][os.fsencode(part)]))
            folder = f"{folder}/{part}" if folder else part
        if "/".join(new) != path:
            moved[path] = "/".join(new)
    return moved


def search(layout: Layout, needles: Needles) -> dict[str, str]:
    """Files of the work tree, the sidecar and the git directory that hold the text: {path: where}.

    Objects are not looked into here: they are compressed.
    """
    found: dict[str, str] = {}
    for path in work_tree_files(layout):
        full = os.path.join(layout.root, path)
        if needles.in_name(path.encode("utf-8", "surrogateescape")):
            found[path] = "file name"
        if os.path.islink(full):
            continue
        try:
            data = _read(full)
        except OSError:
            found[path] = "cannot be read"
            continue
        if data is not None and needles.found(data):
            found[path] = "sidecar" if path.startswith(f"{SIDECAR_DIR}/") else "work tree"
    for full in _git_files(layout):
        data = _read(full)
        name = os.path.relpath(full, layout.root).replace(os.sep, "/")
        if needles.in_name(name.encode("utf-8", "surrogateescape")):
            found[name] = "file name"
        if data is not None and _holds_ids(layout, full):
            data = _ID.sub(b"", data)
        if data is not None and needles.found(data):
            found[name] = "git"
    return found


def _holds_ids(layout: Layout, path: str) -> bool:
    """Whether a file of git's is made of ids and names of refs, in which nothing is replaced."""
    name = os.path.relpath(path, layout.common_dir).replace(os.sep, "/")
    return name.startswith(("refs/", "logs/", "mnemofs/")) or name in _IDS


def _git_files(layout: Layout) -> Iterator[str]:
    """Files of the git directory that are neither objects nor packs."""
    for base in sorted({layout.git_dir, layout.common_dir}):
        objects = os.path.join(base, "objects")
        for folder, folders, names in os.walk(base):
            if folder == objects:
                folders[:] = [name for name in folders if name in ("info",)]
            for name in sorted(names):
                full = os.path.join(folder, name)
                if not os.path.islink(full):
                    yield full


def _rename(layout: Layout, needles: Needles, done: Cleaned) -> None:
    """Give files and folders other names where the text stands in theirs, innermost first."""
    files = list(work_tree_files(layout))
    folders = {path.rpartition("/")[0] for path in files}
    while more := {path.rpartition("/")[0] for path in folders} - folders:
        folders |= more
    root = os.fsencode(layout.root)
    for path in sorted({*files, *folders} - {""}, key=lambda path: (-path.count("/"), path)):
        above, _, name = os.fsencode(path).rpartition(b"/")
        if not needles.in_name(name):
            continue
        taken = set(os.listdir(os.path.join(root, above)))
        target = free_name(needles.renamed(name), taken)
        os.rename(os.path.join(root, above, name), os.path.join(root, above, target))
        done.renamed += 1


def _read(path: str) -> bytes | None:
    try:
        if os.path.getsize(path) > _LARGEST or not os.path.isfile(path):
            return None
    except FileNotFoundError:
        return None
    return read_file(path)


def _replace(path: str, content: bytes) -> None:
    """Other bytes for a file, atomically, with its mode."""
    temporary = os.path.join(os.path.dirname(path), f".{os.getpid()}.purge")
    mode = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else 0o644
    descriptor = create(temporary, mode)
    try:
        set_mode(descriptor, mode)
        write_all(descriptor, content)
        sync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(temporary, path)
