"""Getting a copy, and the settings of remotes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.errors import NotFound, RemoteError, UnsafeName, UsageError
from mnemofs.store.git.settings import replace_section
from mnemofs.store.sharing.guards import UnsafeTree
from tests.sync.conftest import Git, Machine, Outcome

Cli = Callable[..., Outcome]
Two = tuple[Machine, Machine]


def test_init_from_a_url_gives_a_copy_that_syncs(
    way: str, hub: Path, two: Two, tmp_path: Path, cli: Cli, git: Git
) -> None:
    a, _ = two
    a.write("memory/x.md", "- x\n")
    a.sync()
    done = cli(tmp_path, "init", "--from", "hub.git", "c")
    assert done.code == 0, done.err
    copy = tmp_path / "c"
    assert (copy / "memory/x.md").read_text() == "- x\n"
    assert git(copy, "rev-parse", "HEAD").strip() == a.head()
    assert git(copy, "rev-parse", "--abbrev-ref", "main@{upstream}").strip() == "origin/main"
    assert git(copy, "status", "--porcelain") == ""
    assert cli(copy, "sync", "--json").json["status"] == "unchanged"
    assert "0 to push, 0 to pull, 0 conflicts" in cli(copy, "status").out


def test_init_from_an_empty_repository_begins_a_memory_there(
    way: str, hub: Path, tmp_path: Path, cli: Cli, git: Git
) -> None:
    assert cli(tmp_path, "init", "--from", str(hub), "c", "--agent", "eve").code == 0
    assert cli(tmp_path / "c", "sync", "--json").json["pushed"] == 1
    assert "mnemofs.toml" in git(hub, "ls-tree", "--name-only", "main")


def test_init_from_a_repository_that_is_no_memory_yet_makes_it_one(
    hub: Path, tmp_path: Path, cli: Cli, pushed: Callable[..., str], git: Git
) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "seed")
    pushed({"README.md": "# Notes\n", "notes/a.md": "- quokka\n"}, onto=False)
    assert cli(tmp_path, "init", "--from", str(hub), "c").code == 0
    found = cli(tmp_path / "c", "search", "quokka", "--lexical", "--json")
    assert found.json["hits"][0]["path"] == "notes/a.md"
    assert cli(tmp_path / "c", "sync", "--json").json["pushed"] == 1


def test_init_from_never_mixes_with_what_is_there(hub: Path, two: Two, tmp_path: Path) -> None:
    target = tmp_path / "full"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        Workspace.clone(str(hub), target)
    assert os.listdir(target) == ["mine.txt"]
    empty = tmp_path / "empty"
    empty.mkdir()
    Workspace.clone(str(hub), empty).close()
    assert (empty / "MEMORY.md").exists()


def test_a_copy_that_fails_leaves_nothing_behind(
    way: str, hub: Path, two: Two, tmp_path: Path, pushed: Callable[..., str]
) -> None:
    pushed({"owners/x.md": "- x\n"})
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(UnsafeTree):
        Workspace.clone(str(hub), tmp_path / "c")
    with pytest.raises(RemoteError):
        Workspace.clone(str(tmp_path / "none.git"), tmp_path / "d")
    assert sorted(os.listdir(tmp_path)) == before


def test_a_persons_copy_must_be_theirs(two: Two, tmp_path: Path, git: Git) -> None:
    a, b = two
    hub = tmp_path / "person.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(hub))
    person = a.ws.for_owner("user:alice")
    person.remember("Likes tea")
    person.add_remote(str(hub))
    person.sync()
    with pytest.raises(UnsafeName, match="not that of user:bob"):
        b.ws.clone_owner(str(hub), "user:bob")
    assert b.ws.owners() == []
    b.ws.clone_owner(str(hub), "user:alice").close()
    with pytest.raises(UsageError, match="already"):
        b.ws.clone_owner(str(hub), "user:alice")


def test_remotes_are_added_shown_and_removed(
    hub: Path, machine: Callable[..., Machine], cli: Cli
) -> None:
    a = machine("a")
    config = (a.root / ".git" / "config").read_bytes()
    assert cli(a.root, "remote", "add", str(hub)).code == 0
    assert cli(a.root, "remote", "add", str(hub)).code == 2
    shown = cli(a.root, "remote", "show", "--json").json
    assert [(one["name"], one["current"]) for one in shown] == [("origin", True)]
    assert a.git("remote", "get-url", "origin") == str(hub)
    a.sync()
    assert cli(a.root, "remote", "remove").code == 0
    assert a.git("remote") == ""
    assert a.git("for-each-ref", "refs/remotes", "refs/mnemofs/sync") == ""
    assert (a.root / ".git" / "config").read_bytes() == config
    with pytest.raises(NotFound):
        a.ws.remove_remote()


def test_a_remote_that_git_knows_is_used_as_it_is(
    hub: Path, machine: Callable[..., Machine]
) -> None:
    a = machine("a")
    a.git("remote", "add", "backup", str(hub))
    assert a.sync().remote == "backup"
    a.git("remote", "add", "origin", str(hub) + "-gone")
    assert a.sync().remote == "backup"  # the branch follows it since the first push


CONFIG = """# mine
[core]
\tbare = false ; yes
[remote "origin"] # old
\turl = http://x/"quoted"\\
 more
\tfetch = a
[alias]
\tst = status
[Remote "origin"]
\tpushurl = y
[remote "other"]
\turl = z"""


def test_only_the_named_section_of_the_settings_is_touched(tmp_path: Path, git: Git) -> None:
    (tmp_path / "config").write_text(CONFIG)
    replace_section(str(tmp_path), "remote", "origin", {"url": 'a b"\\#;', "fetch": "+a:b"})
    text = (tmp_path / "config").read_text()
    assert text.startswith("# mine\n[core]\n\tbare = false ; yes\n[alias]\n\tst = status\n")
    read = git(tmp_path, "config", "--file", "config", "--get-all", "remote.origin.url")
    assert read == 'a b"\\#;\n'
    assert git(tmp_path, "config", "--file", "config", "remote.other.url") == "z\n"
    replace_section(str(tmp_path), "remote", "origin", {})
    assert "origin" not in (tmp_path / "config").read_text()
    assert not (tmp_path / "config.lock").exists()


def test_status_counts_what_is_to_push_and_to_pull(two: Two, cli: Cli) -> None:
    a, b = two
    a.write("memory/a.md", "- a\n")
    assert "1 to push, 0 to pull, 0 conflicts" in cli(a.root, "status").out
    a.sync()
    b.write("memory/b.md", "- b\n")
    b.git("fetch", "-q")
    state = cli(b.root, "status", "--json").json["sync"]
    assert state == {"ahead": 1, "behind": 1, "conflicts": 0}
    a.write("PROFILE.md", "city: Oslo\n")
    b.write("PROFILE.md", "city: Lima\n")
    a.sync()
    b.sync()
    assert b.ws.status().sync["conflicts"] == 1


def test_the_summary_says_what_was_done_and_how_to_take_it_back(two: Two, cli: Cli) -> None:
    a, b = two
    b.write("MEMORY.md", "# Memory\n\n- old\n")
    b.sync()
    a.sync()
    a.write("MEMORY.md", "# Memory\n\n- new\n")
    a.sync()
    done = cli(b.root, "sync")
    assert "1 commit pulled (1 file changed here)" in done.out
    hint = next(line for line in done.out.splitlines() if "mnemofs restore" in line)
    revision = hint.split()[-1]
    assert cli(b.root, "restore", "MEMORY.md", revision).code == 0
    assert b.text("MEMORY.md") == "# Memory\n\n- old\n"


@pytest.mark.parametrize("every", ["0", "x", "-5s", "1y", ""])
def test_an_impossible_interval_is_a_usage_error(two: Two, cli: Cli, every: str) -> None:
    assert cli(two[0].root, "watch", "--sync", every).code == 2


def test_watch_syncs_in_both_directions_until_it_is_stopped(hub: Path, two: Two) -> None:
    a, b = two
    process = subprocess.Popen(
        [sys.executable, "-m", "mnemofs", "watch", "--sync", "1s"],
        cwd=a.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        b.write("memory/b.md", "- from b\n")
        b.sync()
        end = time.monotonic() + 30
        while not (a.root / "memory/b.md").exists() and time.monotonic() < end:
            time.sleep(0.1)
        a.by_hand("memory/a.md", "- from a\n")
        while not (b.root / "memory/a.md").exists() and time.monotonic() < end:
            b.sync()
            time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=20)
    assert (a.root / "memory/b.md").read_text() == "- from b\n"
    assert (b.root / "memory/a.md").read_text() == "- from a\n"
    assert process.returncode == 0
    assert b"synced with origin" in out
    assert b"Traceback" not in out


def test_being_offline_is_told_once_and_is_over_by_itself(hub: Path, two: Two) -> None:
    import threading

    a, _ = two
    told: list[str] = []
    done: list[str] = []
    stop = threading.Event()
    away = hub.with_name("away.git")
    hub.rename(away)
    thread = threading.Thread(
        target=a.ws.sync_every,
        args=(
            0.05,
            stop,
            lambda report: done.append(report.status),
            lambda e: told.append(e.message),
        ),
    )
    thread.start()
    try:
        time.sleep(0.6)
        a.write("memory/a.md", "- a\n")
        away.rename(hub)
        end = time.monotonic() + 20
        while not done and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        stop.set()
        thread.join(20)
    assert done == ["pushed"]
    assert len(told) == 1
