"""Common ancestors and what each side has alone, compared with git on random histories."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.store.git.ancestry import divergence, is_ancestor, merge_bases
from mnemofs.store.git.walk import Commits, open_commits
from mnemofs.store.repository import Store
from tests.sync.conftest import Git

SIZE = 40


@pytest.fixture
def history(tmp_path: Path, git: Git) -> Callable[[int, int], tuple[Commits, list[str]]]:
    """Makes a random history: its graph and its commits. skew: seconds a clock may be wrong."""

    def make(seed: int, skew: int) -> tuple[Commits, list[str]]:
        chance = random.Random(seed)
        root = tmp_path / f"h{seed}-{skew}"
        git(tmp_path, "init", "-q", "-b", "main", str(root))
        stream = ""
        for number in range(SIZE):
            when = 1_700_000_000 + number * 60 + chance.randint(-skew, skew)
            stream += f"commit refs/heads/c{number}\nmark :{number + 1}\n"
            stream += f"committer Bo <bo@example.invalid> {when} +0000\ndata 1\nx\n"
            parents = chance.sample(range(number), min(number, chance.choice([1, 1, 1, 2, 3])))
            for place, parent in enumerate(parents):
                stream += f"{'from' if place == 0 else 'merge'} :{parent + 1}\n"
            stream += f"M 100644 inline f{number}.md\ndata 1\ny\n\n"
        command = ["git", "-C", str(root), "fast-import", "--quiet"]
        subprocess.run(command, input=stream.encode(), check=True)
        ids = [git(root, "rev-parse", f"c{number}").strip() for number in range(SIZE)]
        with Store.open(root, agent="a", clock=Clock()) as store:
            return open_commits(store.common_dir), ids

    return make


@pytest.mark.parametrize("skew", [0, 600, 10_000])
@pytest.mark.parametrize("seed", [1, 2])
def test_answers_are_git_s_whatever_the_clocks_say(
    history: Callable[[int, int], tuple[Commits, list[str]]],
    tmp_path: Path,
    git: Git,
    seed: int,
    skew: int,
) -> None:
    commits, ids = history(seed, skew)
    root = tmp_path / f"h{seed}-{skew}"
    known: dict[str, set[str]] = {}
    for one in ids:
        parents = commits.parents(commits.get(one))
        known[one] = {one}.union(*(known[parent] for parent in parents))
    chance = random.Random(seed)
    for _ in range(15):
        a, b = chance.choice(ids), chance.choice(ids)
        done = subprocess.run(
            ["git", "-C", str(root), "merge-base", "--all", a, b],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert set(merge_bases(commits, (a,), (b,))) == set(done.stdout.split())
    for _ in range(150):
        a, b = chance.choice(ids), chance.choice(ids)
        assert is_ancestor(commits, a, b) == (a in known[b])
        apart = divergence(commits, a, b)
        assert set(apart.ours) >= known[a] - known[b]
        assert set(apart.theirs) >= known[b] - known[a]
        if not skew:
            assert set(apart.ours) == known[a] - known[b]
            assert set(apart.theirs) == known[b] - known[a]


def test_a_side_that_does_not_exist_has_nothing(
    history: Callable[[int, int], tuple[Commits, list[str]]],
) -> None:
    commits, ids = history(3, 0)
    assert divergence(commits, None, None).ours == ()
    assert ids[-1] in divergence(commits, ids[-1], None).ours
    assert divergence(commits, None, ids[0]).theirs == (ids[0],)
    assert merge_bases(commits, (ids[5],), ()) == ()
