"""Checks that prove instead of claim: each says what was looked at and what to do about it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mnemofs.errors import MnemofsError

if TYPE_CHECKING:
    from mnemofs.index.meaning.embedding import Backlog
    from mnemofs.index.proofs.proof import Proof
    from mnemofs.scopes import Scope
    from mnemofs.view import View
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


class Proven(NamedTuple):
    """The index of one store, compared with its files. repaired: it was made anew, and `proof` is
    of the new one."""

    scope: str
    owner: str
    proof: Proof
    repaired: bool = False

    @property
    def name(self) -> str:
        """The store as a person calls it."""
        return f"{self.owner}'s memory" if self.owner else f"the {self.scope} memory"

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        found = self.proof.as_dict()
        return {"scope": self.scope, "owner": self.owner, "repaired": self.repaired, **found}


def prove_indexes(
    workspace: Workspace,
    *,
    repair: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Proven]:
    """Proves the index of every store, each person's opened by itself. repair: one that differs is
    made anew from the files and proven again. progress(done, total) counts files."""
    for scope in workspace._scopes:
        yield _prove(scope, repair, progress)
    for owner in workspace.owners() if workspace.config.owners.isolation else ():
        with workspace.for_owner(owner) as view:
            yield _prove(view._scopes[0], repair, progress)


def backlogs(view: View) -> list[Backlog]:
    """How far the vectors of each store of a view are; none without an embedder."""
    found = []
    for scope in view._scopes:
        scope.index.embedder = scope.embedders.get()
        backlog = scope.index.backlog()
        if backlog is not None:
            found.append(backlog)
    return found


def _prove(scope: Scope, repair: bool, progress: Callable[[int, int], None] | None) -> Proven:
    from mnemofs.index.proofs.proof import prove, remake

    scope.index.embedder = scope.embedders.get()
    scope.look()
    proof = prove(scope.index, progress=progress)
    if proof.can_be_mended and repair:
        remake(scope.index, proof)
        proof = prove(scope.index, progress=progress)
        return Proven(scope.name, scope.owner, proof, repaired=True)
    return Proven(scope.name, scope.owner, proof)


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
    yield from _schedules(workspace)
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
        report = scope.look()
    except MnemofsError as error:
        yield Check("search index", "fail", error.message, error.hint)
        return
    if report.skipped:
        yield Check(
            "search index", "warn", f"{len(report.skipped)} files are not searched", "see below"
        )
    else:
        text = "is up to date with the files; `mnemofs doctor --index` proves it"
        yield Check("search index", "ok", text)


def _meaning(workspace: Workspace) -> Check:
    embedder = workspace._embedders.get()
    if embedder is None:
        why = "; ".join(workspace._embedders.warnings) or "switched off in the settings"
        return Check("search by meaning", "warn", f"off: {why}", "search by words works")
    index = workspace._scopes[0].index
    index.embedder = embedder
    backlog = index.backlog()
    if backlog is not None and backlog.pending:
        hint = "search by words finds them meanwhile"
        return Check("search by meaning", "warn", str(backlog), hint)
    return Check("search by meaning", "ok", str(backlog))


def _schedules(workspace: Workspace) -> Iterator[Check]:
    """Only what is wrong with them: most memories leave them as they are."""
    from mnemofs.lifecycle.upkeep.schedule import check_cron

    for section in ("dreaming", "consolidation", "facts", "embedder"):
        try:
            check_cron(getattr(workspace.config, section).schedule)
        except MnemofsError as error:
            yield Check("schedule", "fail", f"[{section}] {error.message}", error.hint)


def _program(name: str, why: str) -> Check:
    found = shutil.which(name)
    if found:
        return Check(name, "ok", os.path.basename(found) + " is installed")
    return Check(name, "warn", f"{name} is not installed", why)
