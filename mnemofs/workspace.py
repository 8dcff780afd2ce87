"""`Workspace`: one agent's memory, and the front door of the library.

ws = Workspace.init("~/memory", agent="ada")      # or Workspace.open(path)
ws.remember("We deploy on Fridays")
ws.for_owner("user:42").remember("Prefers short answers", kind="user", key="answer_style")
ws.search("when do we ship?").hits[0].text
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from mnemofs import config as settings
from mnemofs import names
from mnemofs.clock import Clock, load_zone, machine_zone_name
from mnemofs.errors import UnsafeName, UsageError
from mnemofs.opening import (
    Stores,
    find_workspace,
    is_workspace,
    load_settings,
    workspaces_in,
)
from mnemofs.view.whole import View

if TYPE_CHECKING:
    from mnemofs.scopes import Scope
    from mnemofs.sections import Config
    from mnemofs.status import Status


class Workspace(View):
    """The memory of one agent: shared files, and a private repository for each person.

    As a view it reads and writes the shared files; `for_owner` gives a person's view.
    """

    def __init__(self, root: str, config: Config, clock: Clock) -> None:
        self.root = root
        self._stores = Stores(root, config, clock)
        super().__init__(config, clock, self._stores.embedders, self._stores.shared())

    @classmethod
    def init(
        cls,
        path: str | os.PathLike[str],
        *,
        agent: str = "",
        timezone: str = "",
        clock: Clock | None = None,
    ) -> Self:
        """Create the workspace and its first commit; opens it when it is one already.

        agent: its name (default: the folder's). timezone: IANA name (default: this machine's).
        Files that are there already are kept and become part of the memory.
        """
        from mnemofs.store.repository import Store

        root = os.path.abspath(os.path.expanduser(os.fspath(path)))
        if is_workspace(root):
            return cls.open(root, clock=clock)
        if os.path.exists(root) and not os.path.isdir(root):
            raise UsageError(f"{root} is a file", hint="name a folder, new or there already")
        agent = agent.strip() or os.path.basename(root) or "mnemofs"
        if any(char in agent for char in "<>\n\r\0"):
            raise UsageError(f"{agent!r} cannot be an agent's name", hint="use letters and digits")
        zone = timezone or machine_zone_name()
        found = load_zone(zone)
        clock = clock or Clock(found)
        files = {names.SETTINGS: settings.settings_text(agent, zone).encode()}
        files |= dict(_templates())
        store = Store.init(root, agent=agent, clock=clock, files=files)
        store.close()
        return cls.open(root, clock=clock)

    @classmethod
    def clone(
        cls,
        url: str,
        path: str | os.PathLike[str],
        *,
        agent: str = "",
        timezone: str = "",
        clock: Clock | None = None,
    ) -> Self:
        """A workspace that begins as a copy of the one at `url` and syncs with it.

        path: where nothing stands, or an empty folder. From an empty repository, or one that is no
        memory yet, a memory is made as by `init`. Raises UsageError, RemoteError and UnsafeTree
        with nothing left behind.
        """
        from mnemofs.store.sharing.cloning import clone

        root = os.path.abspath(os.path.expanduser(os.fspath(path)))
        name = agent.strip() or os.path.basename(root)
        zone = Clock(load_zone(timezone or machine_zone_name()))
        clone(url, root, agent=name, clock=clock or zone)
        return cls.init(root, agent=agent, timezone=timezone, clock=clock)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, clock: Clock | None = None) -> Self:
        """Open an existing workspace. Raises NotAWorkspace, UnsupportedRepository, ConfigError."""
        root = os.path.abspath(os.path.expanduser(os.fspath(path)))
        config = load_settings(root)
        workspace = cls(root, config, clock or config.clock())
        _ = workspace._scopes[0].store
        return workspace

    @staticmethod
    def find(named: str | None = None, *, start: str) -> str:
        """The root of the workspace that is meant; see `opening.find_workspace`."""
        return find_workspace(named, start=start)

    def close(self) -> None:
        """Releases files and locks, and lets other providers finish what they queued."""
        super().close()
        if "mnemofs.context.providers.registry" in sys.modules:
            from mnemofs.context.providers.registry import close_manager

            close_manager(self._embedders)

    def for_owner(self, owner: str) -> View:
        """One person's memory: their own repository, then the shared ones.

        Their repository is created by the first write. With `[owners] isolation = false` they
        write into the workspace itself. Raises UnsafeName for an impossible key.
        """
        if owner in ("", "system"):
            return self
        key = names.owner_key(owner)
        shared = self._stores.shared()
        if not self.config.owners.isolation:
            return View(self.config, self.clock, self._embedders, shared)
        own = self._stores.personal(key)
        return View(
            self.config,
            self.clock,
            self._embedders,
            [own, *shared] if own else shared,
            owner=key,
            open_writer=lambda: self._create_owner(key),
        )

    def clone_owner(self, url: str, owner: str) -> View:
        """One person's memory, copied from the repository at `url` and synced with it from then on.

        Raises UsageError when there is a memory of theirs here already, UnsafeName when the one at
        `url` belongs to somebody else, and what `clone` raises.
        """
        import shutil

        from mnemofs.store.sharing.cloning import clone

        key = names.owner_key(owner)
        root = self._stores.owner_root(key)
        if os.path.isdir(root) and os.listdir(root):
            raise UsageError(
                f"there is a memory of {key} here already", hint=f"`mnemofs sync --owner {key}`"
            )
        os.makedirs(os.path.dirname(root), exist_ok=True)
        found = clone(url, root, agent=self.config.agent.name, clock=self.clock)
        if found.commit is not None and settings.load(root).agent.owner != key:
            shutil.rmtree(root)
            raise UnsafeName(
                f"the memory at {found.remote.shown} is not that of {key}",
                hint="look at [agent] owner in its mnemofs.toml",
            )
        if found.commit is None:
            self._create_owner(key).close()
        return self.for_owner(key)

    def owners(self) -> list[str]:
        """The keys of all people with a private memory here, sorted."""
        keys = []
        folder = os.path.join(self.root, names.OWNERS_DIR)
        for name in workspaces_in(folder):
            key = names.decode_owner(name)
            if key is None:
                key = settings.load(os.path.join(folder, name)).agent.owner
                if not key or names.encode_owner(key) != name:
                    continue
            keys.append(key)
        return sorted(keys)

    def status(self) -> Status:
        """How things stand: branch, uncommitted edits, index, owners, and every warning."""
        from mnemofs.lifecycle.reviewing.waiting import counted
        from mnemofs.status import Status
        from mnemofs.store.disk.scan import scan

        scope = self._scopes[0]
        head = scope.store.head()
        files = [path for path in scan(self.root) if path.endswith(".md")]
        scope.index.embedder = scope.embedders.get()
        report = scope.look(wait=False)
        backlog = scope.index.backlog()
        waiting = self.waiting()
        shared = self.sync_state(waiting)
        warnings = [*self.config.warnings, *report.warnings, *shared.warnings]
        warnings += self.turn_warnings()
        warnings += (f"{path} is not searched: {reason}" for path, reason in report.skipped)
        warnings += (
            f"{path} is another spelling of {better} and is not used"
            for path, better in sorted(names.collisions(files).items())
        )
        if waiting:
            warnings.append(f"{counted(waiting)} waiting for a decision: see `mnemofs review`")
        if head.operation:
            warnings.append(f"git is in the middle of a {head.operation}: memory is not committed")
        return Status(
            workspace=self.root,
            agent=self.config.agent.name,
            branch=(head.ref or "").removeprefix("refs/heads/"),
            head=head.commit,
            operation=head.operation,
            timezone=self.config.agent.timezone,
            files=len(files),
            owners=tuple(self.owners()),
            dirty=scope.store.dirty(),
            index={
                "fresh": report.complete,
                "pending": report.pending,
                "vectors": backlog._asdict() if backlog else None,
            },
            sync=shared.as_dict(),
            remote=shared.remote,
            warnings=tuple(dict.fromkeys(warnings)),
        )

    def _people(self) -> Iterator[View]:
        """The view of each person, closed after its use; see `Maintaining`."""
        if self.config.owners.isolation:
            for owner in self.owners():
                with self.for_owner(owner) as view:
                    yield view

    def _create_owner(self, key: str) -> Scope:
        from mnemofs.store.repository import Store

        root = self._stores.owner_root(key)
        agent, zone = self.config.agent.name, self.config.agent.timezone
        text = settings.settings_text(agent, zone, owner=key)
        files = {names.SETTINGS: text.encode()}
        Store.init(root, agent=agent, clock=self.clock, files=files).close()
        made = self._stores.personal(key)
        assert made is not None
        return made


def _templates() -> Iterator[tuple[str, bytes]]:
    from importlib.resources import files

    for item in files("mnemofs.templates").joinpath("workspace").iterdir():
        if item.name.endswith(".md"):
            yield item.name, item.read_bytes()
