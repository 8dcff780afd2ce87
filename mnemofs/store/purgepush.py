"""Putting a purged history in the place of the old one at a remote, on demand only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemofs.errors import RemoteError
from mnemofs.store.layout import program
from mnemofs.store.network import GitTransport
from mnemofs.store.remote import Remote, remotes
from mnemofs.store.transport import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemofs.store.repository import Store


class _Replacing(GitTransport):
    def replace(self, ref: str, commit: str, expected: str) -> bool:
        """Move a ref there to a commit that does not descend from it, if it still is `expected`."""
        lease = f"--force-with-lease={ref}:{expected}"
        done = self._run(["push", "--porcelain", lease, self._remote.name, f"{commit}:{ref}"])
        return done.code == 0


def replace_at_remotes(
    store: Store, moved: Mapping[str, tuple[str, str]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Replace, at every remote, the branches whose old history it is known to hold.

    moved: {ref: (old, new)} of the purge. What stands there must be what was seen last. Returns
    (what was replaced, what was not), each as "remote branch". Raises RemoteError without git.
    """
    git = program("git")
    if git is None:
        raise RemoteError("replacing history at a remote needs the git program")
    done: list[str] = []
    failed: list[str] = []
    for remote in remotes(store.parts):
        link = _Replacing(git, store.parts, remote, TIMEOUT)
        for ref, (old, _) in sorted(moved.items()):
            prefix = f"refs/remotes/{remote.name}/"
            if not ref.startswith(prefix):
                continue
            branch = ref.removeprefix(prefix)
            new = _present(store, branch, moved[ref][1])
            target = f"refs/heads/{branch}"
            (done if _replace(link, remote, target, new, old) else failed).append(
                f"{remote.name} {branch}"
            )
    return tuple(done), tuple(failed)


def _present(store: Store, branch: str, rewritten: str) -> str:
    """Our own branch of that name, which holds the purge list; else what was there, rewritten."""
    from mnemofs.store.ancestry import is_ancestor
    from mnemofs.store.refs import read_ref
    from mnemofs.store.walk import open_commits

    own = read_ref(store.layout, f"refs/heads/{branch}")
    if own is not None and is_ancestor(open_commits(store), rewritten, own):
        return own
    return rewritten


def _replace(link: _Replacing, remote: Remote, ref: str, commit: str, expected: str) -> bool:
    try:
        return link.replace(ref, commit, expected)
    except RemoteError:
        return False
