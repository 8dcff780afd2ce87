"""Two machines and a bare repository between them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs.errors import NotFound, OperationInProgress, RemoteError
from mnemofs.store.sharing.guards import ChangedHere
from tests.sync.conftest import Git, Machine, own_text

Two = tuple[Machine, Machine]
NOTE = "memory/2026-05-01.md"
WHO = ("-c", "user.name=Bo", "-c", "user.email=bo@example.invalid")


def test_SYN_09_the_first_push_to_an_empty_remote_sets_tracking_and_the_second_sync_is_a_no_op(
    way: str, hub: Path, machine: Callable[..., Machine], git: Git
) -> None:
    a = machine("a")
    assert a.ws.add_remote(str(hub)).empty is True
    first = a.sync()
    assert (first.status, first.pushed) == ("pushed", 1)
    assert git(hub, "rev-parse", "main").strip() == a.head()
    assert a.git("rev-parse", "--abbrev-ref", "main@{upstream}") == "origin/main"
    log = a.git("log", "--format=%H")
    second = a.sync()
    assert (second.status, second.pushed, second.pulled) == ("unchanged", 0, 0)
    assert a.git("log", "--format=%H") == log
    a.sound()


def test_SYN_01_two_machines_append_to_one_daily_note(way: str, two: Two) -> None:
    a, b = two
    a.write(NOTE, "# 2026-05-01\n\n- a\n")
    a.sync()
    b.sync()
    a.write(NOTE, "# 2026-05-01\n\n- a\n- b\n")
    a.sync()
    b.write(NOTE, "# 2026-05-01\n\n- a\n- c\n")
    report = b.sync()
    assert (report.status, report.merged, report.conflicts) == ("synced", (NOTE,), ())
    a.sync()
    for one in two:
        assert sorted(one.text(NOTE).split()[2:]) == ["-", "-", "-", "a", "b", "c"]
        one.sound()
    assert a.head() == b.head()


def test_SYN_02_both_change_the_same_line_and_neither_value_is_lost(way: str, two: Two) -> None:
    a, b = two
    a.write("PROFILE.md", "# Profile\n\ncity: Rome\n")
    a.sync()
    b.sync()
    a.write("PROFILE.md", "# Profile\n\ncity: Oslo\n")
    b.write("PROFILE.md", "# Profile\n\ncity: Lima\n")
    a.sync()
    report = b.sync()
    assert report.conflicts == ("PROFILE.md#Profile",)
    a.sync()
    log = b.git("log", "--all", "-p", "--", "PROFILE.md")
    assert "Oslo" in log
    assert "Lima" in log
    assert "<<<<<<<" not in b.ws.context().system
    assert "Mnemofs-Conflict: PROFILE.md#Profile" in b.git("log", "-1", "--format=%B")
    assert a.text("PROFILE.md") == b.text("PROFILE.md")


def test_SYN_03_a_push_never_erases_what_is_there(way: str, two: Two) -> None:
    a, b = two
    a.write("memory/one.md", "- one\n")
    a.sync()
    old = a.head()
    b.write("memory/two.md", "- two\n")
    with pytest.raises(RemoteError, match="ahead"):
        b.sync(pull=False)
    b.sync()
    b.git("merge-base", "--is-ancestor", old, "HEAD")
    assert b.git("ls-remote", "origin", "refs/heads/main").split()[0] == b.head()
    assert {p.name for p in (b.root / "memory").glob("*.md")} == {"one.md", "two.md"}


def test_SYN_06_a_hand_edit_that_nobody_saw_yet_is_committed_then_merged(
    way: str, two: Two
) -> None:
    a, b = two
    a.write("MEMORY.md", "# Memory\n\n## A\n\n- first\n\n## B\n\n- second\n")
    a.sync()
    b.sync()
    a.write("MEMORY.md", "# Memory\n\n## A\n\n- first, seen by a\n\n## B\n\n- second\n")
    a.sync()
    b.by_hand("MEMORY.md", "# Memory\n\n## A\n\n- first\n\n## B\n\n- second, by hand\n")
    b.sync()
    assert "- first, seen by a\n" in b.text("MEMORY.md")
    assert "- second, by hand\n" in b.text("MEMORY.md")
    assert "by hand" in b.git("log", "--format=%s")
    b.sound()


def test_a_hand_edit_made_while_the_network_is_used_is_not_overwritten(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemofs.store.sharing.network import GitTransport

    a, b = two
    a.write("MEMORY.md", "# Memory\n\n- from a\n")
    a.sync()
    fetch = GitTransport.fetch

    def slow(self: GitTransport, branch: str, tip: str) -> None:
        fetch(self, branch, tip)
        b.by_hand("MEMORY.md", b.text("MEMORY.md") + "- typed meanwhile\n")

    monkeypatch.setattr(GitTransport, "fetch", slow)
    b.sync()
    assert "- from a\n" in b.text("MEMORY.md")
    assert "- typed meanwhile\n" in b.text("MEMORY.md")
    b.sound()


def test_a_fast_forward_makes_no_commit_of_its_own(way: str, two: Two) -> None:
    a, b = two
    a.write("memory/x.md", "- x\n")
    a.ws.rm("SOUL.md")
    a.sync()
    report = b.sync()
    assert report.status == "pulled"
    assert set(report.paths) == {"memory/x.md", "SOUL.md"}
    assert b.head() == a.head()
    assert not (b.root / "SOUL.md").exists()
    b.sound()


def test_only_files_that_differ_are_written(two: Two) -> None:
    a, b = two
    for number in range(5):
        a.write(f"memory/{number}.md", f"- {number}\n")
    a.sync()
    b.sync()
    before = {path: path.stat().st_ino for path in (b.root / "memory").iterdir()}
    a.write("memory/3.md", "- 3\n- more\n")
    a.sync()
    b.sync()
    after = {path: path.stat().st_ino for path in (b.root / "memory").iterdir()}
    assert {path.name for path in before if before[path] != after[path]} == {"3.md"}


def test_two_machines_that_meet_at_once_end_with_one_tree(way: str, two: Two) -> None:
    a, b = two
    for number in range(3):
        a.write("MEMORY.md", a.text("MEMORY.md") + f"- a{number}\n")
        b.write("MEMORY.md", b.text("MEMORY.md") + f"- b{number}\n")
        a.sync()
        b.sync()
        b.write("PROFILE.md", f"# P\n\n- {number}\n")
        b.sync()
        a.sync()
        b.sync()
    assert a.head() == b.head()
    assert a.tree() == b.tree()
    for word in ("a0", "a1", "a2", "b0", "b1", "b2"):
        assert a.text("MEMORY.md").count(f"- {word}\n") == 1


def test_a_criss_cross_is_merged_over_a_base_made_of_both(two: Two) -> None:
    a, b = two
    a.write("memory/n.md", "# N\n\n- base\n")
    a.sync()
    b.sync()
    a.write("memory/n.md", "# N\n\n- base\n- a1\n")
    b.write("memory/n.md", "# N\n\n- base\n- b1\n")
    # Both merge the same pair before either hears of the other's merge.
    a.git("fetch", "-q", str(b.root), "main:refs/remotes/peer/main")
    b.git("fetch", "-q", str(a.root), "main:refs/remotes/peer/main")
    a.git(*WHO, "merge", "-q", "-s", "ours", "--no-edit", "peer/main")
    b.git(*WHO, "merge", "-q", "-s", "ours", "--no-edit", "peer/main")
    a.write("memory/n.md", "# N\n\n- base\n- a1\n- b1\n- a2\n")
    b.write("memory/n.md", "# N\n\n- base\n- b1\n- a1\n- b2\n")
    a.sync()
    b.sync()
    a.sync()
    assert a.tree() == b.tree()
    for word in ("base", "a1", "b1", "a2", "b2"):
        assert a.text("memory/n.md").count(f"- {word}\n") == 1


def test_a_file_deleted_here_and_changed_there_stays_and_is_told(way: str, two: Two) -> None:
    a, b = two
    a.write("notes/x.md", "- x\n")
    a.sync()
    b.sync()
    a.ws.rm("notes/x.md")
    a.sync()
    b.write("notes/x.md", "- x\n- y\n")
    report = b.sync()
    assert report.conflicts == ("notes/x.md",)
    assert b.text("notes/x.md") == "- x\n- y\n"
    a.sync()
    assert a.text("notes/x.md") == "- x\n- y\n"


@pytest.mark.parametrize("first", ["file", "folder"])
def test_a_folder_and_a_file_change_places(two: Two, first: str) -> None:
    a, b = two
    forms = {"file": {"x.md": "- file\n"}, "folder": {"x.md/deep/y.md": "- y\n"}}
    for path, text in forms[first].items():
        a.by_hand(path, text)
    a.sync()
    b.sync()
    shutil.rmtree(a.root / "x.md", ignore_errors=True)
    (a.root / "x.md").unlink(missing_ok=True)
    (other,) = set(forms) - {first}
    for path, text in forms[other].items():
        a.by_hand(path, text)
    a.git("add", "-A")
    a.git(*WHO, "commit", "-qm", "turn")
    a.sync()
    b.sync()
    for path, text in forms[other].items():
        assert b.text(path) == text
    b.sound()


def test_files_of_other_programs_travel_too(two: Two) -> None:
    a, b = two
    a.by_hand("pics/a.png", b"\x89PNG\0\1")
    a.by_hand("run.sh", "#!/bin/sh\n")
    (a.root / "run.sh").chmod(0o755)
    (a.root / "CLAUDE.md").symlink_to("AGENTS.md")
    a.git("add", "-A")
    a.git(*WHO, "commit", "-qm", "files")
    a.sync()
    b.sync()
    assert (b.root / "pics/a.png").read_bytes() == b"\x89PNG\0\1"
    assert (b.root / "run.sh").stat().st_mode & 0o100
    assert (b.root / "CLAUDE.md").is_symlink()
    b.sound()
    (a.root / "CLAUDE.md").unlink()
    (a.root / "run.sh").chmod(0o644)
    a.git("add", "-A")
    a.git(*WHO, "commit", "-qm", "fewer")
    a.sync()
    b.sync()
    assert not (b.root / "CLAUDE.md").is_symlink()
    assert not (b.root / "run.sh").stat().st_mode & 0o100
    b.sound()


def test_a_changed_file_that_is_no_memory_is_neither_committed_nor_overwritten(
    two: Two, pushed: Callable[..., str]
) -> None:
    _, b = two
    pushed({"data.bin": b"\0one"})
    b.sync()
    pushed({"data.bin": b"\0two"})
    b.by_hand("data.bin", b"\0mine")
    head = b.head()
    with pytest.raises(ChangedHere, match=r"data\.bin"):
        b.sync()
    assert (b.root / "data.bin").read_bytes() == b"\0mine"
    assert b.head() == head


def test_pull_only_sends_nothing_and_push_only_takes_nothing(way: str, two: Two) -> None:
    a, b = two
    a.write("memory/a.md", "- a\n")
    a.sync()
    b.write("memory/b.md", "- b\n")
    report = b.sync(push=False)
    assert (report.status, report.left) == ("pulled", 2)
    a.sync()
    assert not (a.root / "memory/b.md").exists()
    assert b.sync(pull=False).status == "pushed"
    assert a.sync(pull=False, push=True) if False else True
    a.sync()
    assert (a.root / "memory/b.md").exists()


def test_offline_is_an_error_of_one_sentence_and_the_work_goes_with_the_next_sync(
    way: str, hub: Path, two: Two
) -> None:
    a, b = two
    away = hub.with_name("away.git")
    hub.rename(away)
    a.write("memory/a.md", "- a\n")
    with pytest.raises(RemoteError, match="cannot be reached"):
        a.sync()
    assert a.ws.status().sync["ahead"] == 1
    away.rename(hub)
    assert a.sync().pushed == 1
    b.sync()
    assert b.text("memory/a.md") == "- a\n"


def test_without_a_remote_sync_says_how_to_get_one(machine: Callable[..., Machine]) -> None:
    with pytest.raises(NotFound, match="no remote") as found:
        machine("a").sync()
    assert "remote add" in found.value.hint


@pytest.mark.parametrize("operation", ["merge", "detached"])
def test_nothing_is_pulled_into_the_user_s_own_operation(two: Two, operation: str) -> None:
    a, b = two
    a.write("memory/a.md", "- a\n")
    a.sync()
    if operation == "merge":
        (b.root / ".git" / "MERGE_HEAD").write_text(b.head() + "\n")
    else:
        b.git("checkout", "-q", "--detach")
    with pytest.raises(OperationInProgress):
        b.sync()
    assert not (b.root / "memory/a.md").exists()


def test_a_remote_branch_of_another_name_is_met_there(
    way: str, tmp_path: Path, git: Git, machine: Callable[..., Machine]
) -> None:
    a = machine("a")
    hub = tmp_path / "old.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "trunk", str(hub))
    a.git("push", "-q", str(hub), "main:trunk")
    a.ws.add_remote(str(hub))
    a.write("memory/x.md", "- x\n")
    assert a.sync().branch == "trunk"
    assert git(hub, "rev-parse", "trunk").strip() == a.head()
    assert git(hub, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/trunk"]
    assert a.sync().status == "unchanged"
    b = machine("b", hub)
    assert b.git("symbolic-ref", "HEAD") == "refs/heads/trunk"
    assert b.sync().status == "unchanged"


def test_GIT_07_a_crlf_file_keeps_its_line_ends_through_a_merge(two: Two) -> None:
    a, b = two
    b.git("config", "core.autocrlf", "input")
    b.by_hand("MEMORY.md", b"# M\r\n\r\n- one\r\n")
    b.sync()
    a.sync()
    assert a.text("MEMORY.md") == "# M\n\n- one\n"
    a.write("MEMORY.md", "# M\n\n- one\n- two\n")
    a.sync()
    b.write("PROFILE.md", "# P\n\n- p\n")
    b.sync()
    assert (b.root / "MEMORY.md").read_bytes() == b"# M\r\n\r\n- one\r\n- two\r\n"
    for _ in range(3):
        assert b.sync().status == "unchanged"
    b.sound()


def test_staged_work_in_the_way_is_committed_and_merged(two: Two) -> None:
    a, b = two
    a.write("memory/n.md", "- 1\n")
    a.sync()
    b.sync()
    a.write("memory/n.md", "- 1\n- a\n")
    a.sync()
    b.by_hand("memory/n.md", "- 1\n- staged\n")
    b.git("add", "memory/n.md")
    b.sync()
    assert set(b.text("memory/n.md").splitlines()) == {"- 1", "- a", "- staged"}
    b.sound()


def test_a_persons_memory_syncs_with_its_own_remote_only(
    way: str, tmp_path: Path, hub: Path, two: Two, git: Git
) -> None:
    a, b = two
    private = tmp_path / "private.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(private))
    person = a.ws.for_owner("user:42")
    person.remember("Prefers short answers")
    person.add_remote(str(private))
    assert person.sync().pushed >= 1
    a.sync()
    assert "short answers" not in git(hub, "log", "-p", "--all")
    there = b.ws.clone_owner(str(private), "user:42")
    assert "Prefers short answers" in own_text(there, "MEMORY.md")
    there.remember("Likes tea")
    there.sync()
    person.sync()
    assert "Likes tea" in own_text(person, "MEMORY.md")
    assert b.ws.owners() == ["user:42"]
    b.sound()


def test_what_was_pulled_is_found_at_once(two: Two) -> None:
    a, b = two
    a.write("memory/x.md", "# X\n\n- the quokka sleeps\n")
    a.sync()
    assert b.ws.search("quokka", mode="lexical").hits == ()
    b.sync()
    assert b.ws.search("quokka", mode="lexical").hits[0].path == "memory/x.md"
    a.ws.rm("memory/x.md")
    a.sync()
    b.sync()
    assert b.ws.search("quokka", mode="lexical").hits == ()
