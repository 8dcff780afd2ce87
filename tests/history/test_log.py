"""What happened, when, by whom: against real git, with and without the timeline."""

from __future__ import annotations

import os
import random
from datetime import timedelta
from pathlib import Path

import pytest

from mnemofs.errors import NotFound
from mnemofs.index.timelines.timeline import Timeline
from mnemofs.store.past import history
from tests.history.repo import START, Repo


def both(repo: Repo, **wanted: object) -> list[history.CommitInfo]:
    """The log, which must be the same read from objects and from the table."""
    plain = history.log(repo.store, **wanted)  # type: ignore[arg-type]
    with Timeline(repo.store) as timeline:
        assert timeline.refresh()
        table = history.log(repo.store, timeline=timeline, **wanted)  # type: ignore[arg-type]
        assert history.log(repo.store, timeline=timeline, **wanted) == table  # type: ignore[arg-type]
    assert [info.id for info in table] == [info.id for info in plain]
    assert table == plain
    return table


def test_a_commit_of_ours_says_who_what_and_from_where(repo: Repo) -> None:
    repo.commit(
        {"MEMORY.md": b"# Memory\n\n- second\n", "PROFILE.md": b"# P\n"},
        "extract: two facts",
        actor="extractor",
        source="conversation c7",
        trust="web",
        owner="user:42",
    )
    info = both(repo, limit=1)[0]
    assert (info.actor, info.reason, info.source) == (
        "extractor",
        "extract: two facts",
        "conversation c7",
    )
    assert (info.trust, info.owner, info.author) == ("web", "user:42", "mnemofs ada")
    assert info.paths == ("MEMORY.md", "PROFILE.md")
    assert info.time == repo.now
    assert info.id == repo.git("rev-parse", "HEAD").strip()


def test_a_commit_without_our_trailers_is_a_persons(repo: Repo) -> None:
    repo.by_hand({"MEMORY.md": b"x\n"}, "Tidy up\n\nwith a body\n\nSigned-off-by: Mo <m@x>")
    info = both(repo, limit=1)[0]
    assert (info.actor, info.author, info.trust, info.reason) == ("person", "Mo", "user", "Tidy up")
    assert "with a body" in info.body


@pytest.mark.parametrize(
    "message",
    [
        "Subject\n\nMnemofs-Actor: dream\n\nquoted above, not a trailer",
        "Mnemofs-Actor: dream",
        "Subject\n\nsays Mnemofs-Actor: dream in the text",
    ],
)
def test_text_that_looks_like_a_trailer_elsewhere_counts_for_nothing(
    repo: Repo, message: str
) -> None:
    repo.by_hand({"MEMORY.md": b"x\n"}, message)
    assert both(repo, limit=1)[0].actor == "person"


def test_GIT_10_an_unborn_branch_has_an_empty_history(repo: Repo) -> None:
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    assert both(repo) == []
    assert both(repo, path="MEMORY.md", limit=5) == []
    assert history.show(repo.store, "HEAD") == []
    with pytest.raises(NotFound):
        history.blame(repo.store, "MEMORY.md")


def test_GIT_10_a_linked_work_tree_has_the_history_of_its_own_branch(
    repo: Repo, tmp_path: Path
) -> None:
    from mnemofs.store.repository import Store

    repo.git("worktree", "add", "-q", str(tmp_path / "w"), "-b", "b2")
    repo.commit({"MEMORY.md": b"only on main\n"}, "on main")
    with Store.open(tmp_path / "w", agent="ada", clock=repo.clock) as linked:
        assert [info.reason for info in history.log(linked)] == [
            info.reason for info in history.log(repo.store)[1:]
        ]
        with Timeline(linked) as timeline:
            assert history.log(linked, timeline=timeline) == history.log(linked)


def test_the_log_can_be_narrowed(repo: Repo) -> None:
    repo.commit({"memory/2026-05-01.md": b"- a\n"}, "one", actor="extractor", owner="user:1")
    repo.commit({"memory/2026-05-02.md": b"- b\n"}, "two", actor="dream")
    repo.commit({"MEMORY.md": b"- c\n"}, "three", actor="extractor")
    repo.commit({"memory/2026-05-01.md": None}, "four")

    def reasons(**wanted: object) -> list[str]:
        return [info.reason for info in both(repo, **wanted)]

    assert reasons(path="memory/2026-05-01.md") == ["four", "one"]
    assert reasons(path="memory") == reasons(path="./memory/") == ["four", "two", "one"]
    assert reasons(actor="extractor") == ["three", "one"]
    assert reasons(owner="user:1") == ["one"]
    assert reasons(since=START + timedelta(minutes=2), until=START + timedelta(minutes=3)) == [
        "three",
        "two",
    ]
    assert reasons(limit=2) == ["four", "three"]
    assert reasons(limit=0) == []
    assert reasons(rev="HEAD~2", path="memory") == ["two", "one"]
    assert reasons(path="memor") == reasons(path="nothing.md") == []
    with pytest.raises(NotFound):
        history.log(repo.store, rev="no-such")


def test_TXT_09_the_log_of_a_name_covers_both_spellings(repo: Repo) -> None:
    composed, decomposed = "memories/café.md", "memories/café.md"
    repo.by_hand({decomposed: b"- by mac\n"})
    assert [info.paths for info in both(repo, path=composed)] == [(composed,)]
    assert [info.paths for info in both(repo, path=decomposed)] == [(composed,)]
    assert history.blame(repo.store, decomposed)[0].text == "- by mac"


def test_names_that_are_not_utf8_do_no_harm(repo: Repo) -> None:
    with open(os.fsencode(repo.root) + b"/caf\xe9.txt", "wb") as file:
        file.write(b"x\n")
    repo.by_hand({})
    assert both(repo, limit=1)[0].paths == ("caf\udce9.txt",)


def make_history(repo: Repo, seed: int, steps: int) -> None:
    """Random edits on random branches, merged now and then, with a clock that jumps."""
    rng = random.Random(seed)
    files = ["MEMORY.md", "PROFILE.md", "memory/2026-05-01.md", "memory/old/a.md"]
    branches = ["main"]
    for step in range(steps):
        repo.tick(minutes=rng.choice([0, 1, 5, -3]))
        kind = rng.random()
        if kind < 0.15 and len(branches) < 4:
            branches.append(f"side{step}")
            repo.git("checkout", "-q", "-b", branches[-1])
        elif kind < 0.3:
            repo.git("checkout", "-q", rng.choice(branches))
        elif kind < 0.5 and len(branches) > 1:
            other = rng.choice(branches)
            repo.git("merge", "-q", "--no-edit", "-X", "ours", other, check=False)
            repo.git("add", "-A")
            repo.git("commit", "-q", "-m", f"merge {step}", check=False)
        else:
            name = rng.choice(files)
            lines = (repo.text(name) or b"# T\n\n").split(b"\n")
            at = rng.randrange(len(lines) + 1)
            if rng.random() < 0.3 and len(lines) > 2:
                del lines[rng.randrange(len(lines))]
            else:
                lines.insert(at, b"- %d" % rng.randrange(40))
            gone = rng.random() < 0.08 and repo.text(name) is not None
            repo.by_hand({name: None if gone else b"\n".join(lines)}, f"step {step}")
    repo.git("checkout", "-q", "main")
    for branch in branches[1:]:
        repo.git("merge", "-q", "--no-edit", "-X", "theirs", branch, check=False)
        repo.git("add", "-A")
        repo.git("commit", "-q", "-m", "merge", check=False)


@pytest.mark.parametrize("seed", range(4))
def test_merged_histories_are_listed_like_git_lists_them(repo: Repo, seed: int) -> None:
    make_history(repo, seed, 45)
    reached = repo.git("rev-list", "HEAD").split()
    with Timeline(repo.store) as timeline:
        assert timeline.refresh()
        for table in (None, timeline):
            whole = history.log(repo.store, timeline=table)
            assert sorted(info.id for info in whole) == sorted(reached)
            for path in ("MEMORY.md", "memory/2026-05-01.md", "memory"):
                ours = history.log(repo.store, path=path, timeline=table)
                if path != "memory":
                    full = ("rev-list", "--full-history", "HEAD", "--", path)
                    merges = repo.git(full[0], "--merges", *full[1:]).split()
                    wanted = repo.git(full[0], "--no-merges", *full[1:]).split()
                    wanted += [
                        one for one in merges if path in repo.git("diff-tree", "-c", "-r", one)
                    ]
                    assert sorted(info.id for info in ours) == sorted(wanted)
                assert len({info.id for info in ours}) == len(ours)
        for info in history.log(repo.store, timeline=timeline):
            merge = len(info.parents) > 1
            shown = repo.git(
                "diff-tree", "-r", "--root", "--no-commit-id", "--name-only", "-z",
                *(["-c"] if merge else []), info.id,
            )  # fmt: skip
            assert info.paths == tuple(sorted(shown.split("\0")[:-1]))


@pytest.mark.parametrize("seed", range(2))
def test_the_table_lists_children_before_their_parents(repo: Repo, seed: int) -> None:
    make_history(repo, 100 + seed, 40)
    with Timeline(repo.store) as timeline:
        ids = [info.id for info in history.log(repo.store, timeline=timeline)]
        place = {commit: at for at, commit in enumerate(ids)}
        for info in history.log(repo.store, timeline=timeline):
            assert all(place[parent] > place[info.id] for parent in info.parents)
