"""A sync that dies at any moment: the next one finishes it, and nobody's text is reverted."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from benchmarks.sync import run
from mnemofs.store.commit import publish
from mnemofs.store.disk.locks import GitLock
from mnemofs.store.sharing.sync import SyncRules, sync
from tests.sync.conftest import Machine

Two = tuple[Machine, Machine]


def die(*_: object) -> None:
    os._exit(9)


def before_files(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(publish.Placement, "place", die)


def half_of_the_files(patch: pytest.MonkeyPatch) -> None:
    place = publish.Placement._place
    left = iter([True])

    def some(self: publish.Placement, step: object, backup: str) -> None:
        if next(left, None) is None:
            die()
        place(self, step, backup)  # type: ignore[arg-type]

    patch.setattr(publish.Placement, "_place", some)


def files_only(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(publish._Run, "_take_git_locks", die)


def index_not_branch(patch: pytest.MonkeyPatch) -> None:
    done = GitLock.publish

    def only_the_index(self: GitLock) -> None:
        if self.target.endswith("index"):
            done(self)
        else:
            die()

    patch.setattr(GitLock, "publish", only_the_index)


def before_the_push(patch: pytest.MonkeyPatch) -> None:
    from mnemofs.store.sharing.sync import _Sync

    patch.setattr(_Sync, "_push", die)


DEATHS = [before_files, half_of_the_files, files_only, index_not_branch, before_the_push]


def killed(one: Machine, death: Callable[[pytest.MonkeyPatch], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            with pytest.MonkeyPatch.context() as patch:
                death(patch)
                with one.ws._scopes[0].store.open(one.root, agent="x", clock=one.ws.clock) as store:
                    sync(store, SyncRules())
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("kind", ["forward", "merge"])
@pytest.mark.parametrize("death", DEATHS, ids=lambda death: death.__name__)
def test_the_next_sync_finishes_what_a_dead_one_began(
    two: Two, death: Callable[[pytest.MonkeyPatch], None], kind: str
) -> None:
    a, b = two
    a.write("memory/n.md", "# N\n\n- base\n")
    a.write("memory/gone.md", "- gone\n")
    a.sync()
    b.sync()
    a.write("memory/n.md", "# N\n\n- base\n- a\n")
    a.write("MEMORY.md", "# Memory\n\n- from a\n")
    a.write("new/x.md", "- new\n")
    a.ws.rm("memory/gone.md")
    a.sync()
    if kind == "merge":
        b.write("memory/n.md", "# N\n\n- base\n- b\n")
    killed(b, death)
    b.sync()
    a.sync()
    assert a.head() == b.head()
    assert "- a\n" in b.text("memory/n.md")
    assert b.text("MEMORY.md") == "# Memory\n\n- from a\n"
    assert b.text("new/x.md") == "- new\n"
    assert not (b.root / "memory/gone.md").exists()
    if kind == "merge":
        assert "- b\n" in b.text("memory/n.md")
    speakers = b.git("log", "--format=%(trailers:key=Mnemofs-Actor,valueonly)").split()
    assert "person" not in speakers
    b.sound()


@pytest.mark.parametrize("death", [files_only, index_not_branch], ids=lambda d: d.__name__)
@pytest.mark.parametrize("kind", ["forward", "merge"])
def test_any_next_write_completes_the_very_commit_that_was_begun(
    two: Two, death: Callable[[pytest.MonkeyPatch], None], kind: str
) -> None:
    a, b = two
    a.write("memory/n.md", "- a\n")
    a.sync()
    if kind == "merge":
        b.write("memory/m.md", "- b\n")
    killed(b, death)
    b.write("other.md", "- other\n")
    parents = b.git("rev-list", "--parents", "-1", "HEAD~1").split()
    assert len(parents) == (3 if kind == "merge" else 2)
    assert b.git("merge-base", "HEAD", a.head()) == a.head()
    assert (b.root / "memory/n.md").exists()
    b.sound()


def test_a_hand_edit_after_the_death_is_kept_too(two: Two) -> None:
    a, b = two
    a.write("memory/n.md", "# N\n\n- a\n")
    a.write("memory/o.md", "# O\n\n- a\n")
    a.sync()
    killed(b, half_of_the_files)
    missing = next(name for name in ("n", "o") if not (b.root / f"memory/{name}.md").exists())
    b.by_hand(f"memory/{missing}.md", "# By hand\n\n- mine\n")
    b.sync()
    text = b.text(f"memory/{missing}.md")
    assert "- mine\n" in text
    assert "- a\n" in text
    a.sync()
    assert a.head() == b.head()
    b.sound()


@pytest.mark.parametrize("seed", [3, 8])
def test_five_machines_with_deaths_and_offline_spells_end_with_one_tree(seed: int) -> None:
    done = run(seed, rounds=9, machines=5, kill_share=0.25)
    assert done.good(), done
    assert done.kills


def test_without_git_machines_end_with_one_tree_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemofs.store.sharing.transport.program", lambda _: None)
    done = run(5, rounds=6, machines=3, kill_share=0.2)
    assert done.good(), done
