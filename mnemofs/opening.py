"""Finding a workspace, and the stores that a reader of it may see.

Apart from `Workspace` because hooks read and do nothing else: what writes, learns, shares and
forgets is not loaded for them.
"""

from __future__ import annotations

import os

from mnemofs import config as settings
from mnemofs import names
from mnemofs.errors import NotAWorkspace, UnsafeName
from mnemofs.scopes import Embedders, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemofs.clock import Clock
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

AGENTS_DIR, GLOBAL_DIR = "agents", "global"


def find_workspace(named: str | None = None, *, start: str) -> str:
    """The root of the workspace that is meant.

    named: a path or the name of an agent under `$MNEMOFS_HOME/agents`. Otherwise the nearest
    folder from `start` upwards that holds a mnemofs.toml (a person's repository leads to the
    workspace around it), else the only agent there is. Raises NotAWorkspace saying what was tried.
    """
    if named:
        by_name = os.path.join(settings.home(), AGENTS_DIR, named)
        for root in (os.path.abspath(os.path.expanduser(named)), by_name):
            if is_workspace(root):
                return root
        raise NotAWorkspace(
            f"{named} is no mnemofs memory", hint=f"create one with `mnemofs init {named}`"
        )
    folder = os.path.abspath(start)
    while True:
        if is_workspace(folder) and not _is_owner(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    agents = os.path.join(settings.home(), AGENTS_DIR)
    known = workspaces_in(agents)
    if len(known) == 1:
        return os.path.join(agents, known[0])
    several = f"name one of {', '.join(known)} with --workspace, or " if known else ""
    raise NotAWorkspace(
        f"there is no memory in {start} or above it",
        hint=f"{several}create one here with `mnemofs init .`",
    )


def load_settings(root: str, *, check: bool = True) -> Config:
    """The settings of the workspace at `root`. Raises NotAWorkspace and ConfigError.

    check=False leaves the time zone's name unlooked at.
    """
    if not is_workspace(root):
        raise NotAWorkspace(
            f"{root} is no mnemofs memory", hint=f"create one with `mnemofs init {root}`"
        )
    return settings.load(root, check=check)


def is_workspace(folder: str) -> bool:
    """Whether a folder is a memory: the workspace itself, or a person's."""
    return os.path.isfile(os.path.join(folder, names.SETTINGS))


def workspaces_in(folder: str) -> list[str]:
    """Names of the memories right in `folder`, sorted; none when it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and is_workspace(entry.path)
            )
    except OSError:
        return []


class Stores:
    """The stores of one workspace, each opened when something needs it."""

    def __init__(self, root: str, config: Config, clock: Clock | None = None) -> None:
        self.root = root
        self.embedders = Embedders(config)
        self._config = config
        self._clock = clock

    def shared(self) -> list[Scope]:
        """The workspace's own store, then this machine's global one when there is one."""
        found = [Scope("TEAM", "", self.root, self.embedders, self._opener(self.root))]
        common = os.path.join(settings.home(), GLOBAL_DIR)
        if is_workspace(common) and not _same(common, self.root):
            found.append(Scope("GLOBAL", "", common, self.embedders, self._opener(common)))
        return found

    def personal(self, key: str) -> Scope | None:
        """A person's own store, None before their first memory. key: in its normal form.

        Raises UnsafeName when the folder belongs to somebody else.
        """
        root = self.owner_root(key)
        if not os.path.isdir(root):
            return None
        kept = settings.load(root).agent.owner
        if kept and kept != key:
            raise UnsafeName(f"{root} belongs to another owner", hint="check its mnemofs.toml")
        return Scope("PERSONAL", key, root, self.embedders, self._opener(root))

    def seen_by(self, owner: str) -> tuple[str, list[Scope]]:
        """The key of whoever reads, "" for nobody in particular, and the stores they see, their
        own first. Raises UnsafeName for an impossible key."""
        shared = self.shared()
        if owner in ("", "system"):
            return "", shared
        key = names.owner_key(owner)
        if not self._config.owners.isolation:
            return "", shared
        own = self.personal(key)
        return key, [own, *shared] if own else shared

    def owner_root(self, key: str) -> str:
        """Where a person's own repository is or would be."""
        return names.inside(self.root, f"{names.OWNERS_DIR}/{names.encode_owner(key)}")

    def _opener(self, root: str) -> Callable[[], Store]:
        def opened() -> Store:
            from mnemofs.store.repository import Store

            clock = self._clock or self._config.clock()
            return Store.open(root, agent=self._config.agent.name, clock=clock)

        return opened


def _is_owner(folder: str) -> bool:
    return os.path.basename(os.path.dirname(folder)) == names.OWNERS_DIR


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
