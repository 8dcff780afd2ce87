"""A look that builds on the one before says what a first look says."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.store.disk.scan import survey
from mnemofs.store.git.index import GitIndex, NeedsGit
from mnemofs.store.repository import Store

Git = Callable[..., str]


@pytest.fixture
def many(tmp_path: Path) -> Store:
    """A store of two hundred notes."""
    files = {f"memory/n{n:03}.md": f"note {n}\n".encode() for n in range(200)}
    files["ümlaut.md"] = b"x\n"
    return Store.init(tmp_path / "ws", agent="ada", clock=Clock(), files=files)


def age(root: Path | str) -> None:
    """Lets the index be newer than every file, so that stats are believed."""
    time.sleep(0.06)
    os.utime(Path(root) / ".git/index")


_STEPS: dict[str, Callable[[Path, Git, random.Random], object]] = {
    "edit": lambda root, _git, dice: (root / f"memory/n{dice.randrange(200):03}.md").write_text(
        f"edited {dice.random()}\n"
    ),
    "edit and stage": lambda root, git, dice: (
        (root / "memory/n007.md").write_text(f"staged {dice.random()}\n"),
        git(root, "add", "memory/n007.md"),
    ),
    "stage another": lambda root, git, _dice: git(root, "add", "-A"),
    "commit by git": lambda root, git, _dice: git(
        root, "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qam", "x", "--allow-empty"
    ),
    "add": lambda root, git, dice: (
        (root / f"new{dice.randrange(99)}.md").write_text("new\n"),
        git(root, "add", "-N", "."),
    ),
    "remove": lambda root, git, dice: git(
        root, "rm", "-q", "--cached", "--ignore-unmatch", f"memory/n{dice.randrange(200):03}.md"
    ),
    "delete": lambda root, _git, dice: (root / f"memory/n{dice.randrange(200):03}.md").unlink(
        missing_ok=True
    ),
    "mode": lambda root, _git, _dice: (root / "memory/n001.md").chmod(0o755),
    "skip": lambda root, git, _dice: git(root, "update-index", "--skip-worktree", "ümlaut.md"),
    "unskip": lambda root, git, _dice: git(root, "update-index", "--no-skip-worktree", "ümlaut.md"),
}


@pytest.mark.parametrize("seed", range(6))
def test_comparing_again_and_again_is_comparing_anew(many: Store, git: Git, seed: int) -> None:
    root, dice = Path(many.root), random.Random(seed)
    with Store.open(root, agent="ada", clock=Clock()) as follower:
        for _turn in range(12):
            step = dice.choice(list(_STEPS))
            if step != "remove" or (root / "memory/n001.md").exists():
                _STEPS[step](root, git, dice)
            if dice.random() < 0.3:
                follower.fold(quiet=0.0)
            if dice.random() < 0.5:
                age(root)
            with Store.open(root, agent="ada", clock=Clock()) as newcomer:
                tree = newcomer.parts.tree_of(newcomer.head().commit)
                expected = newcomer.parts.comparer.compare(tree)
                found = follower.parts.comparer.compare(tree)
                given = follower.parts.comparer.compare(tree, survey(root))
                for other in (found, given):
                    assert sorted(other.differences, key=str) == sorted(
                        expected.differences, key=str
                    )
                    assert other.unknown == expected.unknown
                    assert other.unmerged == expected.unmerged
                    assert sorted(other.outdated) == sorted(expected.outdated)


@pytest.mark.parametrize("seed", range(6))
def test_an_index_that_follows_another_is_the_one_read_whole(
    many: Store, git: Git, seed: int
) -> None:
    root, dice = Path(many.root), random.Random(100 + seed)
    before = GitIndex((root / ".git/index").read_bytes())
    entries = before.entries()
    followed = 0
    for _turn in range(15):
        _STEPS[dice.choice(list(_STEPS))](root, git, dice)
        data = (root / ".git/index").read_bytes()
        try:
            whole = GitIndex(data)
        except NeedsGit:
            continue
        wanted = whole.entries()
        following = GitIndex.after(before, data)
        if following is not None:
            followed += 1
            index, paths = following
            changed = {path: index.fields(path) for path in paths}
            assert {**entries, **changed} == wanted
            assert changed.keys() == {p for p in wanted if wanted[p] != entries[p]}
            assert (index.unmerged, index.skipped) == (whole.unmerged, whole.skipped)
        before, entries = whole, wanted
    assert followed


def test_what_changed_since_the_walk_is_taken_as_it_stands(many: Store) -> None:
    root = Path(many.root)
    (root / "memory/n001.md").write_text("first\n")
    seen = survey(root)
    (root / "memory/n001.md").write_text("second\n")
    (root / "memory/n002.md").unlink()
    done = many.fold(quiet=0.0, seen=seen)
    assert done.paths == ("memory/n001.md",)
    assert many.read_at("memory/n001.md", "HEAD") == b"second\n"
    again = many.fold(quiet=0.0)
    assert (again.paths, again.clean) == (("memory/n002.md",), True)


def test_a_fold_says_whether_anything_is_left(many: Store, git: Git) -> None:
    root = Path(many.root)
    assert many.fold(quiet=0.0).clean
    (root / "memory/n001.md").write_text("mine\n")
    git(root, "add", "memory/n001.md")
    assert not many.fold(quiet=0.0).clean  # the user's, and still to be committed by them
    git(root, "reset", "-q")
    assert many.fold(quiet=0.0).clean
    assert many.dirty() == ()
