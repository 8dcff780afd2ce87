"""Where a repository keeps its parts, and which repositories we do not write to (DESIGN §3)."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mnemofs.errors import NotAWorkspace, UnsupportedRepository
from mnemofs.store.git.config import GitConfig
from mnemofs.systems import PROGRAM

_KNOWN_EXTENSIONS = frozenset(
    {
        "extensions.noop",
        "extensions.preciousobjects",
        "extensions.worktreeconfig",
        "extensions.relativeworktrees",
    }
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Absolute directories of one work tree.

    git_dir holds HEAD and the index of this work tree; common_dir the objects and branches. They
    differ in a linked work tree (GIT-10).
    """

    root: str
    git_dir: str
    common_dir: str

    @property
    def state_dir(self) -> str:
        """Our own files of this work tree: the intent and the index lock's private file."""
        return os.path.join(self.git_dir, "mnemofs")

    @property
    def shared_dir(self) -> str:
        """Our own files of the whole repository: the lock, the ref's private file, temp files."""
        return os.path.join(self.common_dir, "mnemofs")

    @property
    def shallow(self) -> str:
        """Names the commits whose parents were never fetched; not there in a whole clone."""
        return _shallow(self.common_dir)

    @property
    def index(self) -> str:
        """The index file."""
        return os.path.join(self.git_dir, "index")


def find(root: str) -> Layout:
    """The layout of the repository whose work tree is `root`. Raises NotAWorkspace."""
    root = os.path.abspath(root)
    dot_git = os.path.join(root, ".git")
    if os.path.isdir(dot_git):
        git_dir = dot_git
    elif os.path.isfile(dot_git):
        git_dir = _linked(dot_git)
    elif all(os.path.exists(os.path.join(root, part)) for part in ("HEAD", "objects", "refs")):
        raise _unsupported(root, "is a bare repository: there is no folder to keep memory in")
    else:
        raise NotAWorkspace(
            f"{root} is not a workspace: there is no git repository in it",
            hint="create one with `mnemofs init`",
            path=root,
        )
    common_dir = git_dir
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as file:
            common_dir = os.path.normpath(os.path.join(git_dir, file.read().strip()))
    except (FileNotFoundError, NotADirectoryError):
        pass
    if not os.path.isdir(os.path.join(common_dir, "objects")):
        raise NotAWorkspace(
            f"{root} is not a workspace: its git directory is incomplete",
            hint="restore .git from another clone, or start anew with `mnemofs init`",
            path=root,
        )
    return Layout(root, git_dir, common_dir)


def check_supported(layout: Layout, config: GitConfig) -> None:
    """Raise UnsupportedRepository, with a clear sentence, for kinds we would damage."""
    root = layout.root
    _check_owner(layout, config)
    for name, value in config.names("extensions"):
        if name == "extensions.partialclone":
            raise _unsupported(root, "is a partial clone: some history is not on this machine")
        if name == "extensions.objectformat" and value.lower() == "sha1":
            continue
        if name == "extensions.objectformat":
            raise _unsupported(root, f"stores objects as {value}, and only sha1 is supported")
        if name == "extensions.refstorage" and value.lower() == "files":
            continue
        if name == "extensions.refstorage":
            raise _unsupported(root, f"stores refs as {value}, and only files are supported")
        if name not in _KNOWN_EXTENSIONS:
            raise _unsupported(root, f"uses the git extension {name.partition('.')[2]}")
    version = config.get("core.repositoryformatversion") or "0"
    if version not in ("0", "1"):
        raise _unsupported(root, f"has repository format version {version}")
    if any(name.endswith(".promisor") and config.flag(name) for name, _ in config.names("remote")):
        raise _unsupported(root, "is a partial clone: some history is not on this machine")
    if config.flag("core.bare") and layout.git_dir == layout.common_dir:
        raise _unsupported(root, "is configured as bare: there is no folder to keep memory in")
    work_tree = config.get("core.worktree")
    if work_tree and layout.git_dir == layout.common_dir:
        place = os.path.normpath(os.path.join(layout.git_dir, os.path.expanduser(work_tree)))
        if os.path.realpath(place) != os.path.realpath(root):
            raise _unsupported(root, "has its work tree elsewhere (core.worktree)")


def shallow_commits(common_dir: str) -> frozenset[str]:
    """The commits whose parents were never fetched; they count as roots."""
    try:
        with open(_shallow(common_dir), encoding="ascii") as file:
            return frozenset(file.read().split())
    except FileNotFoundError:
        return frozenset()


def _shallow(common_dir: str) -> str:
    return os.path.join(common_dir, "shallow")


def program(name: str) -> str | None:
    """The full name of a program on PATH, None when it is not installed."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = os.path.join(folder, name + PROGRAM)
        if folder and os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    return None


def _linked(dot_git: str) -> str:
    with open(dot_git, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read().strip()
    if not text.startswith("gitdir:"):
        raise NotAWorkspace(f"{dot_git} is no git directory", path=dot_git)
    target = os.path.join(os.path.dirname(dot_git), text[len("gitdir:") :].strip())
    target = os.path.normpath(target)
    if not os.path.isdir(target):
        raise NotAWorkspace(
            f"{dot_git} points at a git directory that does not exist",
            hint="run `git worktree repair` in the main work tree",
            path=dot_git,
        )
    return target


def _check_owner(layout: Layout, config: GitConfig) -> None:
    if not hasattr(os, "geteuid"):
        return
    me = os.geteuid()
    allowed = {me}
    if me == 0 and os.environ.get("SUDO_UID", "").isdigit():
        allowed.add(int(os.environ["SUDO_UID"]))
    if all(os.stat(place).st_uid in allowed for place in (layout.root, layout.git_dir)):
        return
    safe: list[str] = []
    for entry in config.user_rows.get("safe.directory", ()):
        safe = [*safe, entry] if entry else []
    for entry in safe:
        if entry == "*" or os.path.realpath(os.path.expanduser(entry)) == os.path.realpath(
            layout.root
        ):
            return
    raise UnsupportedRepository(
        f"{layout.root} belongs to another user of this machine",
        hint=f"if you trust it: git config --global --add safe.directory {layout.root}",
        path=layout.root,
    )


def _unsupported(root: str, reason: str) -> UnsupportedRepository:
    return UnsupportedRepository(
        f"{root} {reason}",
        hint="keep memory in an ordinary repository: `mnemofs init` in a new folder",
        path=root,
    )
