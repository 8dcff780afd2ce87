"""The derived table: extended, rewritten under, thrown away, damaged, shared."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mnemofs.index.timelines.timeline import Timeline
from mnemofs.store.past import history
from tests.history.repo import Repo, on_branch


def agree(repo: Repo, timeline: Timeline) -> None:
    """The table answers, and answers what the objects say."""
    assert timeline.refresh()
    head = repo.store.head().commit
    assert head is not None
    table = timeline.log(head, history.LogQuery())
    assert table is not None
    plain = history.log(repo.store)
    assert sorted(info.id for info in table) == sorted(info.id for info in plain)
    assert {info.id: info for info in table} == {info.id: info for info in plain}
    for path in repo.store.tree():
        assert history.blame(repo.store, path, timeline=timeline) == history.blame(repo.store, path)


def database(repo: Repo) -> Path:
    return repo.root / ".mnemofs" / "timeline.db"


def test_it_follows_new_commits_without_starting_over(repo: Repo) -> None:
    with Timeline(repo.store) as timeline:
        for number in range(5):
            repo.commit({"MEMORY.md": b"- %d\n" % number}, f"change {number}")
            agree(repo, timeline)


@pytest.mark.parametrize(
    "rewrite",
    [
        ("commit", "-q", "--amend", "--allow-empty", "-m", "other words"),
        ("reset", "-q", "--hard", "HEAD~2"),
        ("checkout", "-q", "-B", "main", "HEAD~3"),
        ("rebase", "-q", "--force-rebase", "HEAD~3"),
    ],
    ids=lambda command: command[0],
)
def test_a_rewritten_history_leaves_nothing_of_the_old_one(
    repo: Repo, rewrite: tuple[str, ...]
) -> None:
    for number in range(5):
        repo.commit({"MEMORY.md": b"- %d\n" % number, f"n{number}.md": b"x\n"}, f"SECRET{number}")
    with Timeline(repo.store) as timeline:
        agree(repo, timeline)
        repo.tick(hours=1)
        repo.git(*rewrite)
        agree(repo, timeline)
        agree(repo, Timeline(repo.store))


def test_a_purged_word_is_gone_from_the_file(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"- a\n"}, "reason with XYZZY42 in it")
    with Timeline(repo.store) as timeline:
        agree(repo, timeline)
        repo.git("reset", "-q", "--hard", "HEAD~1")
        agree(repo, timeline)
    raw = b"".join(part.read_bytes() for part in database(repo).parent.glob("timeline.db*"))
    assert b"XYZZY42" not in raw


def test_switching_branches_back_and_forth(repo: Repo) -> None:
    with Timeline(repo.store) as timeline:
        with on_branch(repo, "side"):
            repo.commit({"PROFILE.md": b"side\n"}, "on side")
            agree(repo, timeline)
        agree(repo, timeline)
        repo.commit({"MEMORY.md": b"main\n"}, "on main")
        agree(repo, timeline)
        repo.git("merge", "-q", "--no-edit", "side")
        agree(repo, timeline)


def test_it_may_be_thrown_away_at_any_time(repo: Repo) -> None:
    with Timeline(repo.store) as timeline:
        agree(repo, timeline)
        for part in database(repo).parent.glob("timeline.db*"):
            part.unlink()
        repo.commit({"MEMORY.md": b"- more\n"})
        agree(repo, timeline)


@pytest.mark.parametrize(
    "damage", [b"", b"not a database at all" * 400, None], ids=["emptied", "garbage", "torn"]
)
def test_a_damaged_file_is_built_again(repo: Repo, damage: bytes | None) -> None:
    for number in range(30):
        repo.commit({"MEMORY.md": b"- %d\n" % number})
    with Timeline(repo.store) as timeline:
        agree(repo, timeline)
    raw = bytearray(database(repo).read_bytes())
    if damage is None:
        raw[4096:] = os.urandom(len(raw) - 4096)
    database(repo).write_bytes(raw if damage is None else damage)
    with Timeline(repo.store) as timeline:
        agree(repo, timeline)


def test_without_a_place_for_it_history_still_answers(repo: Repo) -> None:
    place = database(repo).parent
    if place.exists():
        for part in place.iterdir():
            part.unlink()
        place.rmdir()
    place.write_bytes(b"a file where the folder should be")
    with Timeline(repo.store) as timeline:
        assert not timeline.refresh()
        assert history.log(repo.store, timeline=timeline) == history.log(repo.store)
        assert history.blame(repo.store, "MEMORY.md", timeline=timeline)


def test_a_builder_that_died_half_way_is_finished_by_the_next(repo: Repo, tmp_path: Path) -> None:
    stream = [b"reset refs/heads/main\nfrom refs/heads/main^0\n\n"]
    for number in range(900):
        text = b"- %d\n" % number
        stream.append(
            b"commit refs/heads/main\ncommitter Mo <m@x> %d +0000\ndata 1\nx\n"
            b"M 100644 inline MEMORY.md\ndata %d\n%s\n" % (1777700000 + number, len(text), text)
        )
    repo.git("fast-import", "--quiet", stdin=b"".join(stream))
    repo.git("reset", "-q", "--hard")
    with Timeline(repo.store) as timeline:
        rounds = 0
        while not timeline.refresh(budget=0.0):
            rounds += 1
            timeline.close()
        assert rounds > 1
        agree(repo, timeline)


def test_many_processes_and_threads_extend_one_table(repo: Repo) -> None:
    code = (
        "import sys\nfrom datetime import UTC\nfrom mnemofs.clock import Clock\n"
        "from mnemofs.index.timelines.timeline import Timeline\n"
        "from mnemofs.store.past import history\n"
        "from mnemofs.store.repository import Store\n"
        "store = Store.open(sys.argv[1], agent='ada', clock=Clock(UTC))\n"
        "timeline = Timeline(store)\n"
        "for _ in range(30):\n"
        "    assert len(history.log(store, path='MEMORY.md', timeline=timeline)) >= 1\n"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", code, str(repo.root)], stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    with Timeline(repo.store) as timeline:
        failures: list[BaseException] = []

        def read() -> None:
            try:
                for _ in range(30):
                    assert history.log(repo.store, timeline=timeline)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(40):
            repo.commit({"MEMORY.md": b"- %d\n" % number})
        for thread in threads:
            thread.join()
        for other in others:
            _, complaint = other.communicate(timeout=60)
            assert other.returncode == 0, complaint.decode()
        assert failures == []
        agree(repo, timeline)


def test_a_shallow_clone_ends_where_it_was_cut(repo: Repo, tmp_path: Path) -> None:
    from mnemofs.store.repository import Store

    for number in range(6):
        repo.commit({"MEMORY.md": b"- %d\n" % number})
    repo.git("clone", "-q", "--depth", "3", f"file://{repo.root}", str(tmp_path / "clone"))
    with Store.open(tmp_path / "clone", agent="ada", clock=repo.clock) as store:
        assert len(history.log(store)) == 3
        with Timeline(store) as timeline:
            assert history.log(store, timeline=timeline) == history.log(store)
