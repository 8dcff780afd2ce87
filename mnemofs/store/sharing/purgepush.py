"""Putting a purged history in the place of the old one at a remote, on demand only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemofs.errors import RemoteError
from mnemofs.store.erasure.purgelist import purged
from mnemofs.store.git.ancestry import is_ancestor
from mnemofs.store.git.layout import program
from mnemofs.store.git.refs import read_ref
from mnemofs.store.git.walk import open_commits
from mnemofs.store.sharing.network import GitTransport
from mnemofs.store.sharing.remote import remotes, set_ref
from mnemofs.store.sharing.transport import TIMEOUT

if TYPE_CHECKING:
    from mnemofs.store.repository import Store


class _Replacing(GitTransport):
    def replace(self, ref: str, commit: str, expected: str) -> bool:
        """Move a ref there to a commit that does not descend from it, if it still is `expected`."""
        lease = f"--force-with-lease={ref}:{expected}"
        done = self._run(["push", "--porcelain", lease, self._remote.name, f"{commit}:{ref}"])
        return done.code == 0


def replace_at_remotes(store: Store) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Replace, at every remote, the branches that stand on a purged history.

    Only a branch whose tip there is on the purge list is touched: one that has moved on since
    holds somebody's work. Returns (what was replaced, what was not), each as "remote branch".
    Raises RemoteError when git is missing.
    """
    git = program("git")
    if git is None:
        raise RemoteError("replacing history at a remote needs the git program")
    listed = purged(store)
    done: list[str] = []
    failed: list[str] = []
    for remote in remotes(store.parts):
        link = _Replacing(git, store.parts, remote, TIMEOUT)
        try:
            there = link.list_branches().branches
        except RemoteError:
            failed.append(f"{remote.name} (it cannot be reached)")
            continue
        for branch, tip in sorted(there.items()):
            tracking = f"refs/remotes/{remote.name}/{branch}"
            new = _present(store, branch, read_ref(store.layout, tracking))
            if new is None or tip == new or (tip not in listed and store.parts.objects.has(tip)):
                continue
            name = f"{remote.name} {branch}"
            if tip in listed and _replace(link, f"refs/heads/{branch}", new, tip):
                with store.parts.write_lock:
                    set_ref(store.layout, tracking, new)
                done.append(name)
            else:
                failed.append(f"{name} (it has moved on: run `mnemofs purge --rejoin` there first)")
    return tuple(done), tuple(failed)


def _present(store: Store, branch: str, rewritten: str | None) -> str | None:
    """Our own branch of that name, which holds the purge list; else what was there, rewritten."""
    own = read_ref(store.layout, f"refs/heads/{branch}")
    if own is None or rewritten is None:
        return own or rewritten
    return own if is_ancestor(open_commits(store.common_dir), rewritten, own) else rewritten


def _replace(link: _Replacing, ref: str, commit: str, expected: str) -> bool:
    try:
        return link.replace(ref, commit, expected)
    except RemoteError:
        return False
