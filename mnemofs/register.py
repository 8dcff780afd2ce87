"""The list of workspaces whose jobs are run: the agents' own, and those that were added."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mnemofs import config as settings
from mnemofs.opening import AGENTS_DIR, workspaces_in

REGISTER = "workspaces.txt"


def known_workspaces() -> list[str]:
    """All workspaces of this machine: the agents' under MNEMOFS_HOME, then the registered ones."""
    agents = os.path.join(settings.home(), AGENTS_DIR)
    found = [os.path.join(agents, name) for name in workspaces_in(agents)]
    return list(dict.fromkeys(map(os.path.realpath, found + registered())))


def registered() -> list[str]:
    """Workspaces elsewhere whose jobs are to be run, as they were added."""
    try:
        with open(_file(), encoding="utf-8", errors="surrogateescape") as file:
            return [line.rstrip("\n") for line in file if line.strip()]
    except FileNotFoundError:
        return []


def register(root: str) -> bool:
    """Add a workspace; False when it was known."""
    root = os.path.realpath(root)
    if root in known_workspaces():
        return False
    _write([*registered(), root])
    return True


def unregister(root: str) -> bool:
    """Take a workspace off the list; False when it was not on it."""
    root = os.path.realpath(root)
    before = registered()
    left = [one for one in before if os.path.realpath(one) != root]
    if left != before:
        _write(left)
    return left != before


def _file() -> str:
    return os.path.join(settings.home(), REGISTER)


def _write(roots: Sequence[str]) -> None:
    path = _file()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}.new"
    with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(f"{root}\n" for root in roots)
    os.replace(temporary, path)
