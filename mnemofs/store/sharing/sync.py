"""Meeting another copy: fold, look, fetch, guard, merge, push (git-lab, "sync protocol").

No lock is held while the network is used. Nothing is ever forced, rebased or stashed. A guard that
stops leaves everything as it was, and a rescue ref that names where the branch stood.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from mnemofs.errors import GuardRefused, NotFound, OperationInProgress, RemoteError
from mnemofs.store.commit.writing import operation_words
from mnemofs.store.erasure.purgelist import purged
from mnemofs.store.git.ancestry import divergence, is_ancestor
from mnemofs.store.git.refmoves import all_refs
from mnemofs.store.git.refs import read_ref
from mnemofs.store.git.walk import Commits, open_commits
from mnemofs.store.sharing.guards import RewrittenRemote
from mnemofs.store.sharing.integrate import Integrated, Integrator
from mnemofs.store.sharing.outgoing import check_purged, check_secrets
from mnemofs.store.sharing.remote import RESCUE, SIDES, Upstream, set_ref, track, upstream
from mnemofs.store.sharing.transport import TIMEOUT, Listing, Transport, connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemofs.markdown.merge import Conflict
    from mnemofs.store.repository import Store

_ATTEMPTS = 5

SyncStatus = Literal["unchanged", "pulled", "pushed", "synced"]


@dataclass(frozen=True, slots=True)
class SyncRules:
    """What a sync may do. timeout: seconds of silence after which the network is given up."""

    pull: bool = True
    push: bool = True
    allow_deletions: bool = False
    allow_secrets: bool = False
    timeout: float = TIMEOUT


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did.

    status   "pulled", "pushed", "synced" (both) or "unchanged"
    pulled, pushed   commits taken over and sent; `left` commits that wait here (a pull only)
    before, commit   the branch's tip then and now
    paths    files that changed here; `merged` those put together from two texts
    """

    status: SyncStatus
    remote: str
    branch: str
    pulled: int = 0
    pushed: int = 0
    left: int = 0
    before: str | None = None
    commit: str | None = None
    paths: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[str, ...] = ()


def sync(store: Store, rules: SyncRules | None = None, *, remote: str | None = None) -> Synced:
    """Bring a store and its remote to the same content.

    Raises NotFound (no remote is set up), RemoteError (unreachable, or it refuses the push: what
    is committed here waits), OperationInProgress, and the errors of `guards`, after which nothing
    has changed here or there.
    """
    return _Sync(store, rules or SyncRules(), remote).run()


class _Sync:
    def __init__(self, store: Store, rules: SyncRules, remote: str | None) -> None:
        self._store = store
        self._parts = store.parts
        self._rules = rules
        where = upstream(self._parts, remote)
        head = store.head()
        if head.ref is None or head.operation is not None:
            raise OperationInProgress(
                f"{operation_words(head.operation or 'detached')} in {store.root}; "
                "nothing was changed",
                hint="finish or abort it with git (or check out a branch), then sync again",
                path=store.root,
            )
        if where is None:
            raise NotFound(
                "this memory has no remote to sync with",
                hint="give it one with `mnemofs remote add URL`",
            )
        self._where: Upstream = where
        self._warnings: tuple[str, ...] = ()
        self._took: list[Integrated] = []

    def run(self) -> Synced:
        started = self._store.head().commit
        self._warnings += self._store.fold().warnings
        link = connect(self._parts, self._where.remote, timeout=self._rules.timeout)
        pulled = pushed = 0
        tips: set[str | None] = set()
        refusal = ""
        for attempt in range(_ATTEMPTS):
            if attempt:
                if len(tips) < attempt:
                    break  # nobody else pushed: it is a rule over there that refuses
                time.sleep(random.uniform(0.05, 0.3) * attempt)
            listing = link.list_branches()
            self._settle_branch(listing)
            tip = listing.branches.get(self._where.branch)
            tips.add(tip)
            commits = open_commits(self._store.common_dir)
            try:
                pulled += self._pull(link, commits, tip)
                sent = self._push(link, commits, tip)
            except GuardRefused as refused:
                raise self._with_rescue(refused) from None
            if sent is not None:
                pushed += sent
                return self._report(started, pulled, pushed)
            refusal = link.refusal
        name = self._where.remote.name
        if len(tips) == _ATTEMPTS:
            raise RemoteError(
                f"others push to {name} all the time; what is committed here waits",
                hint="run `mnemofs sync` again",
            )
        raise RemoteError(
            f"{name} refuses the push" + (f": {refusal}" if refusal else ""),
            hint="what is committed here waits; look at the rights and rules of that repository",
        )

    def _settle_branch(self, listing: Listing) -> None:
        """Meet on the remote's own branch when nothing was agreed yet and ours is not there."""
        where = self._where
        if where.branch in listing.branches or read_ref(self._parts.layout, where.accepted):
            return
        short = where.local.removeprefix("refs/heads/")
        if self._parts.config.get(f"branch.{short}.merge") is None and listing.branches:
            only = next(iter(listing.branches)) if len(listing.branches) == 1 else None
            head = listing.head if listing.head in listing.branches else only
            if head is not None:
                self._where = replace(where, branch=head)

    def _pull(self, link: Transport, commits: Commits, tip: str | None) -> int:
        """Take over what stands there; how many commits that was."""
        parts, where = self._parts, self._where
        before = read_ref(parts.layout, where.accepted) or read_ref(parts.layout, where.tracking)
        name = where.remote.name
        if tip is None:
            if before is not None:
                raise RewrittenRemote(
                    f"the branch {where.branch} has gone from {name}; nothing was changed",
                    hint=f"to fill it anew: `mnemofs remote remove {name}`, then add it again",
                )
            return 0
        if not parts.objects.has(tip):
            link.fetch(where.branch, tip)
        head = self._store.head().commit
        sides = divergence(commits, head, tip)
        listed = purged(self._store) | purged(self._store, tip)
        check_purged(sides.theirs, listed, name)
        check_purged(sides.ours, listed, "this clone")
        if before is not None and not is_ancestor(commits, before, tip):
            raise RewrittenRemote(
                f"{name} no longer holds what it held at the last sync: its history was rewritten; "
                "nothing was changed here or there",
                hint="if the rewritten memory is the right one, `mnemofs init --from URL FOLDER` "
                f"fetches it; to share this one instead, `mnemofs remote remove {name}` and add an "
                "empty repository",
            )
        with parts.write_lock:
            set_ref(parts.layout, where.tracking, tip)
        if not self._rules.pull:
            if sides.theirs:
                raise RemoteError(
                    f"{name} is {len(sides.theirs)} commits ahead, and a push alone would need "
                    "them first; nothing was sent",
                    hint="run `mnemofs sync` without --push-only",
                )
            return 0
        integrator = Integrator(parts, allow_deletions=self._rules.allow_deletions)
        done = integrator.integrate(commits, tip, name)
        self._took.append(done)
        joined = (done.commit,) if done.joined and done.commit else ()
        with parts.write_lock:
            for side in hidden_sides(commits, (*joined, *sides.theirs)):
                set_ref(parts.layout, f"{SIDES}{side[:12]}", side)
            set_ref(parts.layout, where.accepted, tip)
        return len(sides.theirs)

    def _push(self, link: Transport, commits: Commits, tip: str | None) -> int | None:
        """Send what is missing there; how many commits, None when it has to be tried again."""
        parts, where = self._parts, self._where
        local = self._store.head().commit
        if not self._rules.push or local is None or local == tip:
            return 0
        outgoing = divergence(commits, local, tip).ours
        if not outgoing:
            return 0
        check_purged(outgoing, purged(self._store), "this clone")
        if not self._rules.allow_secrets:
            check_secrets(commits, outgoing)
        if not link.push(local, where.branch, tip):
            return None
        with parts.write_lock:
            set_ref(parts.layout, where.tracking, local)
            set_ref(parts.layout, where.accepted, local)
        track(parts, where)
        return len(outgoing)

    def _with_rescue(self, refused: GuardRefused) -> GuardRefused:
        """The same refusal, after a ref was made that keeps where the branch stands."""
        parts = self._parts
        head = self._store.head().commit
        if head is None:
            return refused
        known = all_refs(parts.layout, RESCUE)
        kept = next((ref for ref, commit in known.items() if commit == head), None)
        if kept is None:
            kept = f"{RESCUE}{parts.clock.now():%Y-%m-%dT%H%M%S}"
            with parts.write_lock:
                set_ref(parts.layout, kept, head)
        refused.hint = f"{refused.hint}. This state is kept as {kept}".removeprefix(". ")
        return refused

    def _report(self, started: str | None, pulled: int, pushed: int) -> Synced:
        where, took = self._where, self._took
        head = self._store.head().commit
        status: SyncStatus = "unchanged"
        if pulled or pushed:
            status = "synced" if pulled and pushed else "pulled" if pulled else "pushed"
        left = 0
        if not self._rules.push:
            tip = read_ref(self._parts.layout, where.tracking)
            left = len(divergence(open_commits(self._store.common_dir), head, tip).ours)
        return Synced(
            status,
            where.remote.name,
            where.branch,
            pulled,
            pushed,
            left,
            took[0].before if took else started,
            head,
            tuple(sorted({path for one in took for path in one.paths})),
            tuple(sorted({path for one in took for path in one.merged})),
            tuple(conflict for one in took for conflict in one.conflicts),
            self._warnings + tuple(text for one in took for text in one.warnings),
        )


def hidden_sides(commits: Commits, joined: Iterable[str]) -> Iterator[str]:
    """Parents whose text a merge did not take although it contradicts the one that stands.

    Git leaves such a side out of a file's history, because the merged file is the other side's.
    """
    for one in joined:
        commit = commits.get(one)
        if not commit.conflicts:
            continue
        for path in {place.partition("#")[0] for place in commit.conflicts}:
            stands = commits.trees.file(commit.tree, path)
            sides = {
                parent: commits.trees.file(commits.get(parent).tree, path)
                for parent in commits.parents(commit)
            }
            if stands in sides.values():
                yield from (
                    parent for parent, entry in sides.items() if entry not in (stands, None)
                )
