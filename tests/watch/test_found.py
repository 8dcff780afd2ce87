"""A hand edit is found by search as soon as the watcher has folded it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index
from mnemofs.store.model import Committed
from tests.history.repo import Repo
from tests.watch.test_watch import Watching, count, watching


class Searched:
    """An index that is refreshed by the watcher's callback only, and how often that was."""

    def __init__(self, repo: Repo) -> None:
        self.index = Index(repo.root)
        self.updates = 0
        self.index.refresh()

    def update(self, done: Committed) -> None:
        """What a server does in `on_fold`."""
        self.index.refresh(done.paths)
        self.updates += 1

    def find(self, word: str) -> list[tuple[str, int]]:
        """Where a word stands, without looking at the files first."""
        place = ScopedIndex(self.index)
        hits = search([place], word, mode="lexical", fresh=False).hits
        return [(hit.path, hit.line_start) for hit in hits]


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_WAT_01_the_second_save_replaces_the_first_in_search(repo: Repo) -> None:
    with watching(repo) as seen:
        searched = Searched(repo)
        seen.listeners.append(searched.update)
        for word in ("alpha1", "beta2"):
            temp = repo.root / "MEMORY.md.new"
            temp.write_text(f"# Memory\n\n- {word}\n")
            temp.rename(repo.root / "MEMORY.md")
            wait_for(lambda word=word: searched.find(word) == [("MEMORY.md", 3)])
        assert searched.find("alpha1") == []
        assert searched.updates == 2 and count(repo) == 3
    searched.index.close()


def test_WAT_02_the_index_catches_up_with_what_happened_meanwhile(repo: Repo) -> None:
    repo.commit({"b.md": b"oldtok\n", "c.md": b"before\n"})
    searched = Searched(repo)
    (repo.root / "a.md").write_bytes(b"newtok\n")
    (repo.root / "b.md").unlink()
    (repo.root / "c.md").write_bytes(b"after\n")
    made = Watching(repo)
    made.listeners.append(searched.update)
    made.thread.start()
    wait_for(lambda: searched.updates == 1)
    made.stop.set()
    made.thread.join()
    assert searched.find("newtok") == [("a.md", 1)]
    assert searched.find("oldtok") == searched.find("before") == []
    assert searched.find("after") == [("c.md", 1)]
    assert repo.store.dirty() == ()
    searched.index.close()


def test_WAT_04_one_write_of_ours_is_no_update_of_the_watcher(repo: Repo) -> None:
    with watching(repo) as seen:
        searched = Searched(repo)
        seen.listeners.append(searched.update)
        repo.commit({"memory/2026-05-01.md": b"- written by a tool\n"})
        time.sleep(2)
        assert searched.updates == 0 and count(repo) == 2
    searched.index.close()


@pytest.mark.parametrize("parent", [".agents", ".config/deep/.hidden"])
def test_WAT_05_only_what_is_visible_below_a_hidden_parent_is_found(
    tmp_path: Path, parent: str
) -> None:
    repo = Repo(tmp_path / parent / "ws")
    with watching(repo) as seen:
        searched = Searched(repo)
        seen.listeners.append(searched.update)
        for number, path in enumerate((".obsidian/x.md", ".trash/y.md", "memory/2026-05-01.md")):
            (repo.root / path).parent.mkdir(exist_ok=True)
            (repo.root / path).write_text(f"token{number}\n")
        wait_for(lambda: searched.updates == 1)
        time.sleep(0.5)
        assert [searched.find(f"token{number}") for number in range(3)] == [
            [],
            [],
            [("memory/2026-05-01.md", 1)],
        ]
    searched.index.close()
    repo.store.close()
