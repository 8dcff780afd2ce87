"""Checks that prove instead of claim: each says what was looked at and what to do about it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from mnemofs.errors import MnemofsError

if TYPE_CHECKING:
    from mnemofs.workspace import Workspace


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. ok: fine; warn: works with a limit; fail: needs a hand."""

    name: str
    state: Literal["ok", "warn", "fail"]
    detail: str
    hint: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {"name": self.name, "state": self.state, "detail": self.detail, "hint": self.hint}


def examine(workspace: Workspace) -> Iterator[Check]:
    """All checks of one workspace, as they are done. Changes nothing but the sidecar."""
    status = workspace.status()
    yield Check("folder", "ok", f"{status.workspace}, agent {status.agent}, {status.timezone}")
    yield _branch(status.operation, status.branch, status.head)
    yield from _commits(workspace)
    if status.dirty:
        yield Check(
            "hand edits",
            "warn",
            f"{len(status.dirty)} not committed yet: {', '.join(status.dirty[:5])}",
            "any command that reads or writes commits them once they have come to rest",
        )
    else:
        yield Check("hand edits", "ok", "every file is in a commit")
    yield from _index(workspace)
    yield _meaning(workspace)
    yield _program("git", "not needed, but used for maintenance and later for remotes")
    for warning in status.warnings:
        yield Check("notice", "warn", warning)


def _branch(operation: str | None, branch: str, head: str | None) -> Check:
    if operation:
        hint = "finish or abort it with git; until then memory is not committed"
        return Check("branch", "fail", f"git is in the middle of a {operation}", hint)
    return Check("branch", "ok", f"{branch} at {head[:10] if head else 'no commit yet'}")


def _commits(workspace: Workspace) -> Iterator[Check]:
    scope = workspace._scopes[0]
    try:
        tree = scope.store.tree()
        for blob in tree.values():
            scope.store.blob(blob)
    except MnemofsError as error:
        yield Check("commits", "fail", error.message, error.hint or "run `git fsck` in the folder")
        return
    yield Check("commits", "ok", f"all {len(tree)} files of the last commit can be read")


def _index(workspace: Workspace) -> Iterator[Check]:
    scope = workspace._scopes[0]
    try:
        report = scope.index.refresh()
    except MnemofsError as error:
        yield Check("search index", "fail", error.message, error.hint)
        return
    if report.skipped:
        yield Check(
            "search index", "warn", f"{len(report.skipped)} files are not searched", "see below"
        )
    else:
        yield Check("search index", "ok", "shows exactly what the files say")


def _meaning(workspace: Workspace) -> Check:
    embedder = workspace._embedders.get()
    if embedder is None:
        why = "; ".join(workspace._embedders.warnings) or "switched off in the settings"
        return Check("search by meaning", "warn", f"off: {why}", "search by words works")
    return Check("search by meaning", "ok", f"{embedder.id}, {embedder.dims} dimensions")


def _program(name: str, why: str) -> Check:
    found = shutil.which(name)
    if found:
        return Check(name, "ok", os.path.basename(found) + " is installed")
    return Check(name, "warn", f"{name} is not installed", why)
