"""Sharing a memory with other machines: its remotes, and meeting them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.errors import GuardRefused, MnemofsError, UsageError
from mnemofs.view.reviewing import Reviewing

if TYPE_CHECKING:
    import threading

    from mnemofs.lifecycle.reviewing.waiting import Waiting
    from mnemofs.scopes import Scope
    from mnemofs.store.sharing.remote import Remote
    from mnemofs.store.sharing.sync import Synced

_MEMO = "sync.json"


class RemoteInfo(NamedTuple):
    """A remote as it may be shown. url: without user names and tokens.

    current: whether this memory syncs with it. empty: whether nothing stands there yet, None when
    nobody looked.
    """

    name: str
    url: str
    branch: str
    current: bool
    empty: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "name": self.name,
            "url": self.url,
            "branch": self.branch,
            "current": self.current,
            "empty": self.empty,
        }


class SyncReport(NamedTuple):
    """One sync. status: "unchanged", "pulled", "pushed", "synced".

    pulled, pushed, left: commits taken over, sent, and waiting here. before, commit: the branch's
    tip then and now. paths: files that changed here.
    """

    status: str
    remote: str
    branch: str
    pulled: int
    pushed: int
    left: int
    before: str | None
    commit: str | None
    paths: tuple[str, ...]
    merged: tuple[str, ...]
    conflicts: tuple[str, ...]
    owner: str = ""
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "remote": self.remote,
            "branch": self.branch,
            "pulled": self.pulled,
            "pushed": self.pushed,
            "left": self.left,
            "before": self.before,
            "commit": self.commit,
            "paths": list(self.paths),
            "merged": list(self.merged),
            "conflicts": list(self.conflicts),
            "owner": self.owner,
            "warnings": list(self.warnings),
        }


class SyncState(NamedTuple):
    """How far a memory and its remote were apart when they last met. remote: "" without one."""

    remote: str
    ahead: int
    behind: int
    conflicts: int
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {"ahead": self.ahead, "behind": self.behind, "conflicts": self.conflicts}


class Sharing(Reviewing):
    """Remotes and sync. Each person's memory has remotes of its own."""

    def add_remote(self, url: str, *, name: str = "origin", folder: str = "") -> RemoteInfo:
        """Share this memory through the git repository at `url`, after asking whether it answers.

        folder: what a relative path starts from. Raises UsageError for a bad address or a name
        that is taken, RemoteError when nothing answers there; nothing is noted then.
        """
        from mnemofs.store.sharing import remote
        from mnemofs.store.sharing.transport import connect

        parts = self._writer().store.parts
        url = remote.check_url(url, folder or os.getcwd())
        remote.check_bare(url)
        if any(known.name == name for known in remote.remotes(parts)):
            raise UsageError(
                f"there is a remote {name} already",
                hint=f"`mnemofs remote remove {name}` first, or choose another --name",
            )
        listing = connect(parts, remote.Remote(name, url)).list_branches()
        remote.add(parts, name, url)
        parts.refresh()
        where = remote.upstream(parts)
        return self._info(remote.Remote(name, url), where, empty=not listing.branches)

    def remotes(self) -> list[RemoteInfo]:
        """The remotes of this memory, by name."""
        from mnemofs.store.sharing import remote

        own = self._own()
        if own is None:
            return []
        parts = own.store.parts
        where = remote.upstream(parts)
        return [self._info(known, where) for known in remote.remotes(parts)]

    def remove_remote(self, name: str = "origin") -> None:
        """Stop sharing through a remote. Nothing there or here is deleted. Raises NotFound."""
        from mnemofs.store.sharing import remote

        scope = self._require_own()
        remote.remove(scope.store.parts, name)
        _note(scope, "", ())

    def sync(
        self,
        *,
        remote: str | None = None,
        pull: bool = True,
        push: bool = True,
        allow_deletions: bool = False,
        allow_secrets: bool = False,
    ) -> SyncReport:
        """Bring this memory and its remote to the same content.

        Hand edits are committed first, both sides' changes are merged entry by entry, and what
        contradicts is kept in both forms. allow_deletions: take over a mass deletion.
        allow_secrets: send what looks like a secret. Raises NotFound without a remote, RemoteError
        when it cannot be reached, and GuardRefused (see `store.guards`) with nothing changed.
        """
        from dataclasses import replace

        from mnemofs.store.sharing.sync import SyncRules, sync

        scope = self._require_own()
        rules = SyncRules(pull, push, allow_deletions, allow_secrets)
        try:
            done = sync(scope.store, rules, remote=remote)
        except GuardRefused as refused:
            _note(scope, f"the last sync was refused: {refused.message}", None)
            raise
        marked = _marked(scope, done.paths)
        _note(scope, "", marked)
        if done.paths:
            scope.contest()
        warnings = (*done.warnings, *scope.reindex(p for p in done.paths if p.endswith(".md")))
        warnings += scope.sweep()
        if push and scope.store.head().commit != done.commit:
            try:  # what was forgotten and came back went again: there, too
                more = sync(scope.store, rules, remote=remote)
                pushed = done.pushed + more.pushed
                done = replace(done, commit=more.commit, pushed=pushed)
            except MnemofsError as error:
                warnings += (error.message,)
        return _report(done, self.owner, (*warnings, *marked.values(), *scope.upkeep()))

    def sync_state(self, waiting: Sequence[Waiting] | None = None) -> SyncState:
        """How far this memory and its remote are apart, as far as is known here, and how many
        contradictions wait for a decision. Asks nobody.

        waiting: what waits, when the caller has looked already.
        """
        from mnemofs.store.git.ancestry import divergence
        from mnemofs.store.git.refs import read_ref
        from mnemofs.store.git.walk import open_commits
        from mnemofs.store.sharing import remote

        own = self._own()
        if own is None:
            return SyncState("", 0, 0, 0)
        parts = own.store.parts
        waiting = self.waiting() if waiting is None else waiting
        conflicts = sum(one.kind == "conflict" for one in waiting)
        where = remote.upstream(parts)
        problem, marked = _noted(own)
        warnings = tuple(text for text in (problem, *marked) if text)
        if where is None:
            return SyncState("", 0, 0, conflicts, warnings)
        tip = read_ref(parts.layout, where.tracking)
        head = own.store.head().commit
        apart = divergence(open_commits(own.store.common_dir), head, tip)
        return SyncState(where.remote.name, len(apart.ours), len(apart.theirs), conflicts, warnings)

    def sync_every(
        self,
        seconds: float,
        stop: threading.Event,
        synced: Callable[[SyncReport], None],
        failed: Callable[[MnemofsError], None],
    ) -> None:
        """Sync now and every so many seconds until `stop` is set. Blocks.

        synced: hears of each sync that changed something. failed: hears of a failure once, until
        it is another one or is over; being offline is one of them, and nothing is lost by it.
        """
        from mnemofs.store.disk.failures import in_words

        told = ""
        while not stop.is_set():
            try:
                report = self.sync()
                told = ""
                if report.status != "unchanged":
                    synced(report)
            except (MnemofsError, OSError) as error:
                found = error if isinstance(error, MnemofsError) else in_words(error, "the memory")
                if found.message != told:
                    failed(found)
                told = found.message
            stop.wait(seconds)

    def _info(self, known: Remote, where: Any, *, empty: bool | None = None) -> RemoteInfo:
        current = where is not None and where.remote.name == known.name
        return RemoteInfo(known.name, known.shown, where.branch if current else "", current, empty)


def _report(done: Synced, owner: str, warnings: tuple[str, ...]) -> SyncReport:
    places = (
        f"{conflict.path}#{conflict.heading}" if conflict.heading else conflict.path
        for conflict in done.conflicts
    )
    return SyncReport(
        done.status,
        done.remote,
        done.branch,
        done.pulled,
        done.pushed,
        done.left,
        done.before,
        done.commit,
        done.paths,
        done.merged,
        tuple(places),
        owner,
        tuple(dict.fromkeys(warnings)),
    )


def _marked(scope: Scope, paths: tuple[str, ...]) -> dict[str, str]:
    """Those of the files that hold conflict markers, with a sentence for each (SYN-07)."""
    from mnemofs.markdown.markers import marker_line

    found = {}
    for path in {*paths, *_noted_paths(scope)}:
        if not path.endswith(".md"):
            continue
        try:
            line = marker_line(scope.store.read(path).content or b"")
        except MnemofsError:
            continue
        if line is not None:
            found[path] = (
                f"{path} holds conflict markers from line {line} on; "
                "agents are not shown it until they are removed"
            )
    return dict(sorted(found.items()))


def _noted(scope: Scope) -> tuple[str, tuple[str, ...]]:
    problem = str(_memo(scope).get("problem", ""))
    return problem, tuple(_marked(scope, ()).values())


def _noted_paths(scope: Scope) -> list[str]:
    paths = _memo(scope).get("marked", [])
    return [str(path) for path in paths] if isinstance(paths, list) else []


def _memo(scope: Scope) -> dict[str, Any]:
    import json

    try:
        with open(_memo_path(scope), encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _note(scope: Scope, problem: str, marked: Any) -> None:
    """Remember how the last sync ended, for `status`. marked None: as before."""
    paths = _noted_paths(scope) if marked is None else list(marked)
    import json

    path = _memo_path(scope)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
            json.dump({"problem": problem, "marked": paths}, file)
        os.replace(f"{path}.{os.getpid()}", path)
    except OSError:
        pass  # `status` then says less


def _memo_path(scope: Scope) -> str:
    return os.path.join(scope.store.git_dir, "mnemofs", _MEMO)
