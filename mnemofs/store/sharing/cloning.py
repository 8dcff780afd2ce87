"""A new folder from another copy, whole or not at all.

Made beside its place and renamed there at the end. Nothing of the remote's settings, hooks or
names is trusted: its tree passes the same guards as a pull, before a file is written.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from mnemofs.clock import Clock
from mnemofs.errors import NotFound, UsageError
from mnemofs.store.commit.creation import BRANCH, create_repository, skeleton
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.git.walk import open_commits
from mnemofs.store.repository import Store
from mnemofs.store.sharing import remote as settings
from mnemofs.store.sharing.integrate import Integrator
from mnemofs.store.sharing.transport import TIMEOUT, connect


@dataclass(frozen=True, slots=True)
class Cloned:
    """A clone. commit: its tip, None when the remote is empty. warnings: for a person."""

    root: str
    remote: settings.Remote
    branch: str
    commit: str | None
    warnings: tuple[str, ...]


def clone(
    url: str, root: str, *, agent: str, clock: Clock, folder: str = "", timeout: float = TIMEOUT
) -> Cloned:
    """Make `root` a copy of the memory at `url` that syncs with it.

    root: an absolute path where nothing stands, or an empty folder. folder: what a relative url
    starts from. Raises UsageError, RemoteError, UnsafeTree, and what a full disk raises; nothing
    is left behind then.
    """
    url = settings.check_url(url, folder or os.getcwd())
    if os.path.lexists(root) and (not os.path.isdir(root) or os.listdir(root)):
        raise UsageError(
            f"{root} is not empty", hint="name a new folder; its content would be mixed up"
        )
    aside = os.path.join(os.path.dirname(root), f".{os.path.basename(root)}.{os.getpid()}.clone")
    try:
        with storage_errors(root):
            shutil.rmtree(aside, ignore_errors=True)
            os.makedirs(aside)
            skeleton(os.path.join(aside, ".git"))
        remote, branch, commit = _fill(aside, url, agent, clock, timeout)
        with storage_errors(root):
            os.rename(aside, root)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    _, warnings = create_repository(root)
    return Cloned(root, remote, branch, commit, warnings)


def _fill(
    root: str, url: str, agent: str, clock: Clock, timeout: float
) -> tuple[settings.Remote, str, str | None]:
    with Store.open(root, agent=agent, clock=clock) as store:
        parts = store.parts
        remote = settings.add(parts, settings.DEFAULT, url)
        link = connect(parts, remote, timeout=timeout)
        listing = link.list_branches()
        branch = listing.head or BRANCH
        if listing.branches and branch not in listing.branches:
            if len(listing.branches) > 1 and BRANCH not in listing.branches:
                raise NotFound(
                    f"{remote.shown} has several branches and does not say which is the memory",
                    hint="set the default branch there",
                )
            branch = BRANCH if BRANCH in listing.branches else next(iter(listing.branches))
        with open(os.path.join(store.git_dir, "HEAD"), "w", encoding="utf-8") as file:
            file.write(f"ref: refs/heads/{branch}\n")
        parts.refresh()
        where = settings.Upstream(remote, f"refs/heads/{branch}", branch)
        settings.track(parts, where)
        tip = listing.branches.get(branch)
        if tip is None:
            return remote, branch, None
        link.fetch(branch, tip)
        with parts.write_lock:
            settings.set_ref(parts.layout, where.tracking, tip)
        Integrator(parts).integrate(open_commits(store.common_dir), tip, remote.name)
        with parts.write_lock:
            settings.set_ref(parts.layout, where.accepted, tip)
        return remote, branch, store.head().commit
