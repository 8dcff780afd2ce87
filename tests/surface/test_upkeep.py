"""Packing happens by itself, after long work and never inside a write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mnemofs import Workspace


def loose(git: Callable[..., str], root: Path) -> int:
    return int(git(root, "count-objects").split()[0])


def test_many_loose_objects_are_packed_after_an_index_run(
    ws: Workspace, root: Path, git: Callable[..., str]
) -> None:
    (root / "notes").mkdir()
    for number in range(2100):
        (root / "notes" / f"n{number}.md").write_text(f"- number {number}\n")
    git(root, "-c", "gc.auto=0", "add", "-A")
    git(root, "-c", "gc.auto=0", "-c", "user.name=p", "-c", "user.email=p@x", "commit", "-qm", "m")
    before = loose(git, root)
    assert before > 2000
    ws.remember("a write packs nothing")
    assert loose(git, root) > before
    ws.prepare()
    assert loose(git, root) < 100
    git(root, "fsck", "--strict")
    assert ws.search("packs nothing", mode="lexical").hits
