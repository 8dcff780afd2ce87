"""Windows renames and deletes no file that is open: ours are closed by then."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sync.conftest import Machine


@pytest.fixture
def closed_before(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that were open in this process when they were renamed, replaced or deleted."""
    found: list[str] = []

    def watch(name: str) -> None:
        real = getattr(os, name)

        def call(*paths: str, **words: object) -> None:
            opened = {_inode(int(number)) for number in os.listdir("/dev/fd")}
            found.extend(
                f"{name} {path}"
                for path in paths
                if isinstance(path, str) and os.path.isfile(path) and _inode(path) in opened
            )
            real(*paths, **words)

        monkeypatch.setattr(os, name, call)

    for name in ("rename", "replace", "unlink"):
        watch(name)
    return found


def _inode(path: str | int) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def test_no_file_is_renamed_or_deleted_while_it_is_open(
    way: str, hub: Path, machine: Callable[..., Machine], closed_before: list[str]
) -> None:
    a = machine("a")
    a.ws.add_remote(str(hub))
    a.sync()
    b = machine("b", hub)
    for number, one in enumerate((a, b)):
        one.write(f"memory/{number}.md", "- quokka\n")
        one.write("MEMORY.md", f"- {number}\n- quokka\n")
        one.by_hand("memory/hand.md", f"- hand {number}\n")
        one.sync()
    a.git("pack-refs", "--all")
    a.sync()
    a.ws.rm("memory/0.md")
    a.ws.purge(["quokka"])
    a.ws.remove_remote("origin")
    a.sound()
    assert closed_before == []
