"""Packing happens by itself, after long work and never inside a write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.index.words import posting_build


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


def test_an_index_run_sorts_the_words_of_a_large_store(
    ws: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting_build, "FROM_CHUNKS", 20)
    ws.write("notes/n.md", "".join(f"- number {number}\n" for number in range(60)))
    seen: list[tuple[int, int]] = []
    ws.prepare(words=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] == seen[-1][1] > 60
    assert ws.search("number 7", mode="lexical").hits
    seen.clear()
    ws.prepare(words=lambda done, total: seen.append((done, total)))
    assert seen == []
