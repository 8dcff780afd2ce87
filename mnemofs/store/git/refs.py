"""HEAD, refs and what the user is in the middle of, read straight from the git directory."""

from __future__ import annotations

import os
import re

from mnemofs.errors import CorruptStore, NotAWorkspace
from mnemofs.store.disk.files import read_file
from mnemofs.store.git.layout import Layout
from mnemofs.store.model import Head
from mnemofs.systems import APPEND

_ID = re.compile(r"[0-9a-f]{40}")
_MAX_SYMBOLIC = 5
# What git leaves in the git directory while an operation waits for the user (wt-status.c).
_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("sequencer", "cherry-pick"),
    ("BISECT_LOG", "bisect"),
)


def read_head(layout: Layout) -> Head:
    """The branch, its tip and the operation in progress. Raises CorruptStore."""
    operation = operation_in_progress(layout)
    text = _read(os.path.join(layout.git_dir, "HEAD"))
    if text is None:
        raise CorruptStore("the repository has no HEAD", path=layout.git_dir)
    if text.startswith("ref:"):
        ref = text[len("ref:") :].strip()
        return Head(ref, read_ref(layout, ref), operation)
    if _ID.fullmatch(text.strip()):
        return Head(None, text.strip(), operation or "detached")
    raise CorruptStore("HEAD of the repository is unreadable", path=layout.git_dir)


def branch_of_head(layout: Layout) -> str | None:
    """The full name of the branch that HEAD names, whatever stands in it; None when detached."""
    text = _read(os.path.join(layout.git_dir, "HEAD")) or ""
    return text[len("ref:") :].strip() if text.startswith("ref:") else None


def operation_in_progress(layout: Layout) -> str | None:
    """The operation git waits in, None when there is none (GIT-01)."""
    try:
        present = set(os.listdir(layout.git_dir))
    except FileNotFoundError:
        raise NotAWorkspace(
            f"the repository {layout.root} is gone",
            hint="mount or restore the folder, then try again",
            path=layout.root,
        ) from None
    return next((operation for name, operation in _OPERATIONS if name in present), None)


def read_ref(layout: Layout, ref: str) -> str | None:
    """The commit a full ref name points at, None when it does not exist (unborn)."""
    for _ in range(_MAX_SYMBOLIC):
        text = _read(ref_path(layout, ref))
        if text is None:
            return packed_refs(layout).get(ref)
        if not text.startswith("ref:"):
            value = text.strip()
            if not _ID.fullmatch(value):
                raise CorruptStore(
                    f"the ref {ref} is unreadable",
                    hint="the next write goes back to the last whole commit that its reflog knows",
                    revision=ref,
                )
            return value
        ref = text[len("ref:") :].strip()
    raise CorruptStore(f"the ref {ref} points at itself", revision=ref)


def ref_path(layout: Layout, ref: str) -> str:
    """The file of a loose ref: per work tree for pseudo refs, else shared."""
    shared = ref.startswith("refs/") and not ref.startswith(
        ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
    )
    return os.path.join(layout.common_dir if shared else layout.git_dir, ref)


def packed_refs(layout: Layout) -> dict[str, str]:
    """Refs of `packed-refs` by name."""
    text = _read(os.path.join(layout.common_dir, "packed-refs")) or ""
    found = {}
    for line in text.splitlines():
        if line and line[0] not in "#^":
            value, _, name = line.partition(" ")
            found[name] = value
    return found


def append_reflogs(
    layout: Layout,
    setting: str | None,
    ref: str,
    moved: tuple[str | None, str],
    stamp: str,
    text: str,
) -> None:
    """Tell both logs, of the branch and of HEAD, that the branch moves (old, new).

    setting: core.logAllRefUpdates; logs that exist are kept up whatever it says, as in git.
    stamp: `Name <address> seconds +hhmm`.
    """
    old, new = moved
    line = f"{old or '0' * 40} {new} {stamp}\t{text}\n".encode("utf-8", "replace")
    wanted = (setting or "true").lower() not in ("false", "no", "off", "0")
    for base, name in ((layout.common_dir, ref), (layout.git_dir, "HEAD")):
        path = os.path.join(base, "logs", name)
        if not wanted and not os.path.exists(path):
            continue
        try:
            descriptor = os.open(path, APPEND, 0o666)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            descriptor = os.open(path, APPEND, 0o666)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)


def _read(path: str) -> str | None:
    try:
        content = read_file(path)
    except IsADirectoryError:
        return None
    return None if content is None else content.decode("utf-8", "surrogateescape")
