"""The watcher on real files: editors, changes while it was away, what it leaves alone."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mnemofs.store.model import Committed
from mnemofs.store.watching import hints
from mnemofs.store.watching.hints import changed_files, on_network
from mnemofs.store.watching.watch import Watcher
from tests.history.repo import Repo


class Watching:
    """A watcher in a thread, with what it reported."""

    def __init__(self, repo: Repo, *, polling: bool | None = None) -> None:
        self.repo = repo
        self.folds: list[Committed] = []
        self.listeners: list[Callable[[Committed], None]] = []
        self.problems: list[str] = []
        self.stop = threading.Event()
        self.failure: BaseException | None = None
        self.watcher = Watcher(
            repo.store, self._folded, on_problem=self.problems.append, polling=polling
        )
        self.thread = threading.Thread(target=self._run)

    def _folded(self, done: Committed) -> None:
        for listener in self.listeners:
            listener(done)
        self.folds.append(done)

    def _run(self) -> None:
        try:
            self.watcher.run(self.stop)
        except BaseException as error:
            self.failure = error

    def until(self, done: Callable[[], bool], seconds: float = 10) -> None:
        """Wait for something to become true."""
        end = time.monotonic() + seconds
        while not done():
            assert self.failure is None, self.failure
            assert time.monotonic() < end, (self.folds, self.problems)
            time.sleep(0.02)

    def until_clean(self, commits: int | None = None) -> None:
        """Wait until HEAD holds the files, and as many commits were made."""
        self.until(lambda: not self.repo.store.dirty())
        if commits is not None:
            self.until(lambda: len(self.folds) >= commits)


@contextmanager
def watching(repo: Repo, *, polling: bool | None = None) -> Iterator[Watching]:
    made = Watching(repo, polling=polling)
    made.thread.start()
    began = time.monotonic()
    while not made.watcher._full_done and time.monotonic() < began + 2:
        time.sleep(0.02)  # until the scan at the start is over; there is none during a merge
    try:
        yield made
    finally:
        made.stop.set()
        began = time.monotonic()
        made.thread.join(10)
        assert not made.thread.is_alive()
        assert time.monotonic() - began < 2
        assert made.failure is None, made.failure


def at_head(repo: Repo, path: str) -> bytes | None:
    shown = repo.git("show", f"HEAD:{path}", check=False)
    return shown.encode("utf-8", "surrogateescape") or None


def count(repo: Repo) -> int:
    return int(repo.git("rev-list", "--count", "HEAD"))


@pytest.mark.parametrize("polling", [False, True], ids=["events", "scans"])
def test_WAT_01_an_editor_that_saves_by_rename_twice(
    repo: Repo, polling: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemofs.store.watching.watch._POLL_EVERY", 0.3)
    with watching(repo, polling=polling) as seen:
        for number, word in enumerate((b"alpha1", b"beta2"), 1):
            temp = repo.root / "MEMORY.md.tmp"
            temp.write_bytes(b"# Memory\n\n- " + word + b"\n")
            temp.rename(repo.root / "MEMORY.md")
            seen.until_clean(number)
            assert word in (at_head(repo, "MEMORY.md") or b"")
        assert len(seen.folds) == 2
    assert b"alpha1" not in (at_head(repo, "MEMORY.md") or b"")
    assert repo.git("log", "-1", "--format=%(trailers:key=Mnemofs-Actor,valueonly)").strip() == (
        "person"
    )


def test_WAT_02_changes_while_it_was_away(repo: Repo) -> None:
    repo.commit({"b.md": b"oldtok\n", "c.md": b"c\n"})
    (repo.root / "a.md").write_bytes(b"newtok\n")
    (repo.root / "b.md").unlink()
    (repo.root / "c.md").write_bytes(b"edited\n")
    with watching(repo) as seen:
        seen.until_clean(1)
        assert [fold.paths for fold in seen.folds] == [("a.md", "c.md", "b.md")]
    assert repo.git("status", "--porcelain") == ""


def test_WAT_04_no_echo_of_our_own_writes_nor_of_gits(repo: Repo) -> None:
    with watching(repo) as seen:
        for number in range(3):
            repo.commit({"MEMORY.md": b"- %d\n" % number, "memory/2026-05-01.md": b"- x\n"})
        repo.by_hand({"PROFILE.md": b"by git\n"})
        repo.git("checkout", "-q", "-b", "other", "HEAD~2")
        repo.git("checkout", "-q", "main")
        commits = count(repo)
        time.sleep(2.5)
        assert seen.folds == [] and seen.problems == []
        assert count(repo) == commits
        (repo.root / "MEMORY.md").touch()
        (repo.root / "MEMORY.md").read_bytes()
        time.sleep(1)
        assert count(repo) == commits


def test_WAT_05_hidden_folders_below_a_hidden_parent(tmp_path: Path) -> None:
    repo = Repo(tmp_path / ".agents" / "ws")
    with watching(repo) as seen:
        for path in (".obsidian/x.md", ".trash/y.md", "memory/2026-05-01.md", "memory/.h/z.md"):
            (repo.root / path).parent.mkdir(parents=True, exist_ok=True)
            (repo.root / path).write_bytes(b"tok\n")
        seen.until_clean(1)
        time.sleep(0.8)
        assert [fold.paths for fold in seen.folds] == [("memory/2026-05-01.md",)]
    tracked = repo.git("ls-files").split()
    assert [path for path in tracked if path.endswith(".md")] == ["memory/2026-05-01.md"]
    repo.store.close()


def test_GIT_08_a_nested_repository_is_left_alone(repo: Repo) -> None:
    (repo.root / "memory").mkdir()
    for place in ("sub", "memory/sub"):
        subprocess.run(["git", "init", "-q", str(repo.root / place)], check=True)
    with watching(repo) as seen:
        (repo.root / "sub/x.md").write_bytes(b"theirs\n")
        (repo.root / "memory/sub/y.md").write_bytes(b"theirs\n")
        (repo.root / "memory/ours.md").write_bytes(b"ours\n")
        seen.until(lambda: bool(seen.folds))
        time.sleep(0.8)
        assert [fold.paths for fold in seen.folds] == [("memory/ours.md",)]


def save_like_vim(path: Path, text: bytes) -> None:
    swap = path.with_name(f".{path.name}.swp")
    swap.write_bytes(b"swap")
    probe = path.with_name("4913")
    probe.write_bytes(b"")
    probe.unlink()
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_bytes(text)
    backup.unlink()
    swap.unlink()


def save_like_emacs(path: Path, text: bytes) -> None:
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("mo@host.1")
    auto = path.with_name(f"#{path.name}#")
    auto.write_bytes(text[:4])
    path.rename(path.with_name(path.name + "~"))
    path.write_bytes(text)
    auto.unlink()
    lock.unlink()


def save_in_place(path: Path, text: bytes) -> None:
    with path.open("r+b") as file:
        file.truncate()
        file.write(text)


def save_with_pauses(path: Path, text: bytes) -> None:
    with path.open("wb", buffering=0) as file:
        for at in range(0, len(text), 8):
            file.write(text[at : at + 8])
            time.sleep(0.12)


def save_and_keep_open(path: Path, text: bytes) -> None:
    file = path.open("wb", buffering=0)
    file.write(text)
    threading.Timer(6, file.close).start()


def save_empty_first(path: Path, text: bytes) -> None:
    path.write_bytes(b"")
    time.sleep(1.2)
    path.write_bytes(text)


@pytest.mark.parametrize(
    "save",
    [
        save_like_vim,
        save_like_emacs,
        save_in_place,
        save_with_pauses,
        save_and_keep_open,
        save_empty_first,
    ],
)
def test_each_way_of_saving_is_one_commit_of_the_whole_text(
    repo: Repo, save: Callable[[Path, bytes], None]
) -> None:
    repo.commit({"MEMORY.md": b"# Memory\n\n" + b"- something long enough\n" * 80})
    text = b"# Memory\n\n- saved whole\n"
    with watching(repo) as seen:
        save(repo.root / "MEMORY.md", text)
        seen.until(lambda: at_head(repo, "MEMORY.md") == text)
        time.sleep(0.5)
        assert [fold.paths for fold in seen.folds] == [("MEMORY.md",)]
    assert [name for name in repo.git("ls-files").split() if "MEMORY" in name] == ["MEMORY.md"]


def test_a_renamed_folder_is_one_commit(repo: Repo) -> None:
    repo.commit({f"memory/{number}.md": b"%d\n" % number for number in range(8)})
    with watching(repo) as seen:
        (repo.root / "memory").rename(repo.root / "notes")
        seen.until_clean(1)
        (repo.root / "notes/0.md").write_bytes(b"still watched\n")
        seen.until_clean(2)
        (repo.root / "notes/deep/er").mkdir(parents=True)
        (repo.root / "notes/deep/er/new.md").write_bytes(b"new\n")
        seen.until_clean(3)
        assert [len(fold.paths) for fold in seen.folds] == [16, 1, 1]


def test_a_folder_that_goes_and_comes_back_is_still_watched(repo: Repo) -> None:
    with watching(repo) as seen:
        for number in range(3):
            folder = repo.root / "memory"
            folder.mkdir()
            (folder / "a.md").write_bytes(b"%d\n" % number)
            seen.until_clean(2 * number + 1)
            (folder / "a.md").unlink()
            folder.rmdir()
            seen.until_clean(2 * number + 2)


def test_a_burst_is_one_commit(repo: Repo) -> None:
    with watching(repo) as seen:
        for number in range(600):
            folder = repo.root / f"memory/{number % 7}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}.md").write_bytes(b"%d\n" % number)
        seen.until_clean(1)
        assert sum(len(fold.paths) for fold in seen.folds) == 600
        assert len(seen.folds) <= 2  # a machine that stalls for 0.3 s makes two bursts of it


def test_GIT_01_nothing_is_committed_into_a_merge_and_all_after_it(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.by_hand({"MEMORY.md": b"side\n"})
    repo.git("checkout", "-q", "main")
    repo.by_hand({"MEMORY.md": b"main\n"})
    repo.git("merge", "-q", "side", check=False)
    commits = count(repo)
    with watching(repo) as seen:
        (repo.root / "PROFILE.md").write_bytes(b"during the merge\n")
        time.sleep(1.5)
        assert count(repo) == commits
        assert (repo.root / ".git/MERGE_HEAD").exists()
        (repo.root / "MEMORY.md").write_bytes(b"resolved\n")
        repo.git("add", "MEMORY.md")
        repo.git("commit", "-q", "-m", "merged")
        seen.until_clean(1)
        assert [fold.paths for fold in seen.folds] == [("PROFILE.md",)]


def test_GIT_06_a_lock_of_git_is_waited_for_and_never_removed(repo: Repo) -> None:
    lock = repo.root / ".git/index.lock"
    with watching(repo) as seen:
        lock.write_bytes(b"")
        (repo.root / "MEMORY.md").write_bytes(b"edited\n")
        time.sleep(1.2)
        assert lock.exists() and seen.folds == []
        lock.unlink()
        seen.until_clean(1)


def test_GIT_09_ignored_files_are_not_committed(repo: Repo) -> None:
    repo.by_hand({".gitignore": b"private.md\n"})
    with watching(repo) as seen:
        (repo.root / "private.md").write_bytes(b"mine\n")
        (repo.root / "MEMORY.md").write_bytes(b"edited\n")
        seen.until_clean(1)
        time.sleep(0.5)
        assert [fold.paths for fold in seen.folds] == [("MEMORY.md",)]


def test_a_problem_is_told_once_and_tried_again(repo: Repo) -> None:
    repo.commit({f"memory/{number}.md": b"x\n" for number in range(30)})
    with watching(repo) as seen:
        for number in range(30):
            (repo.root / f"memory/{number}.md").unlink()
        seen.until(lambda: bool(seen.problems))
        time.sleep(2)
        assert seen.folds == []
        assert len(seen.problems) == 1 and "missing" in seen.problems[0]
        repo.git("checkout", "-q", "--", "memory")
        (repo.root / "MEMORY.md").write_bytes(b"edited\n")
        seen.until_clean(1)


def test_without_watches_left_it_scans(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(hints.EventSource, "_schedule", refuse)
    monkeypatch.setattr("mnemofs.store.watching.watch._POLL_EVERY", 0.3)
    with watching(repo) as seen:
        assert seen.watcher.polling
        (repo.root / "MEMORY.md").write_bytes(b"edited\n")
        seen.until_clean(1)


def test_what_events_miss_the_next_full_scan_finds(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemofs.store.watching.watch._FULL_EVERY", 1.0)
    monkeypatch.setattr(hints.EventSource, "_on_event", lambda *_: None)
    with watching(repo) as seen:
        (repo.root / "MEMORY.md").write_bytes(b"edited\n")
        seen.until_clean(1)


def test_a_flood_of_events_leads_to_a_full_scan() -> None:
    mailbox = hints.Mailbox()
    for _ in range(hints._FLOOD - 1):
        mailbox.count()
    assert not mailbox.take().everything
    for _ in range(hints._FLOOD):
        mailbox.count()
    assert mailbox.take().everything


def test_two_watchers_make_one_commit(repo: Repo) -> None:
    with watching(repo) as one, watching(repo) as other:
        (repo.root / "MEMORY.md").write_bytes(b"edited\n")
        one.until_clean()
        time.sleep(1)
        assert len(one.folds) + len(other.folds) == 1


def test_idle_it_costs_next_to_nothing(repo: Repo) -> None:
    with watching(repo):
        time.sleep(0.5)
        began = time.process_time()
        time.sleep(3)
        assert time.process_time() - began < 0.5


def test_watchdog_is_imported_only_when_it_runs() -> None:
    code = "import sys, mnemofs.store.watching.watch; sys.exit('watchdog' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("root", "network"),
    [
        ("/home/mo/ws", False),
        ("/mnt/nas/ws", True),
        ("/mnt/nas", True),
        ("/mnt/nasty/ws", False),
        ("/mnt/nas/local/ws", False),
        ("/media/my share/ws", True),
        ("/win/ws", True),
    ],
)
def test_network_file_systems_are_known(tmp_path: Path, root: str, network: bool) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\nnas:/x /mnt/nas nfs4 rw 0 0\n/dev/sdb /mnt/nas/local ext4 rw\n"
        "//s/x /media/my\\040share cifs rw 0 0\nC: /win 9p rw 0 0\nbroken\n"
    )
    assert on_network(root, str(mounts)) is network
    assert not on_network(root, str(tmp_path / "no-such"))


def test_two_scans_name_what_changed(repo: Repo) -> None:
    before = repo.store.scan()
    assert changed_files(before, repo.store.scan()) == []
    (repo.root / "new.md").write_bytes(b"n\n")
    os.utime(repo.root / "MEMORY.md", (1, 1))
    assert changed_files(before, repo.store.scan()) == ["MEMORY.md", "new.md"]
