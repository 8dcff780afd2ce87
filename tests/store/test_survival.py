"""Death at any instant, and many writers at once: nothing acknowledged is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store
from tests.store.conftest import Workspace, frozen, litter

CALLS = (
    "open",
    "write",
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "fsync",
    "ftruncate",
    "close",
)
OLD = b"- old\n" * 100
NEW = b"- new\n" * 150


def in_child(work: Callable[[], None]) -> int:
    """Run in a forked child; its exit status."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def die_at(step: int) -> None:
    """Make this process end, without any cleaning up, before its n-th call that touches a disk."""
    taken = 0

    def wrap(original: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **words: object) -> object:
            nonlocal taken
            taken += 1
            if taken > step:
                os._exit(9)
            return original(*args, **words)

        return call

    for name in CALLS:
        setattr(os, name, wrap(getattr(os, name)))


def change_three(store: Store) -> None:
    edits = (
        Edit("memory/a.md", store.read("memory/a.md").blob, NEW),
        Edit("memory/new.md", store.read("memory/new.md").blob, NEW),
        Edit("gone.md", store.read("gone.md").blob, None),
    )
    store.commit(Change(edits, "extractor", "three files", source="c1"))


@pytest.mark.parametrize("part", range(4))
def test_CON_03_death_before_any_step_leaves_old_or_new_and_the_next_write_goes_through(
    tmp_path: Path, git: Callable[..., str], part: int
) -> None:
    """Every call to the operating system that a write makes is the last one, once."""
    step = part
    finished = False
    outcomes = set()
    while not finished:
        root = tmp_path / f"ws-{step}"
        files = {"memory/a.md": OLD, "gone.md": OLD}
        with Store.init(root, agent="ada", clock=Clock(), files=files, durable=False) as store:
            before = store.head().commit

        def work(root: Path = root, step: int = step) -> None:
            with Store.open(root, agent="ada", clock=Clock()) as store:
                die_at(step)
                change_three(store)

        finished = in_child(work) == 0
        for path, old in {"memory/a.md": OLD, "memory/new.md": None, "gone.md": OLD}.items():
            target = root / path
            there = target.read_bytes() if target.exists() else None
            assert there in (old, None if path == "gone.md" else NEW), f"{path} at step {step}"
        began = time.monotonic()
        with Store.open(root, agent="ada", clock=Clock(), durable=False) as store:
            ws = Workspace(store, git)
            ws.append("MEMORY.md", b"- next\n")
            assert time.monotonic() - began < 3
            assert store.fold(quiet=0).commit is None, f"left for a hand edit at step {step}"
            assert not litter(root)
            reasons = {}
            commit = store.head().commit
            while commit != before:
                info = store.commit_info(str(commit))
                reasons[info.reason] = info.actor
                commit = info.parents[0]
            landed = "three files" in reasons
            outcomes.add(landed)
            assert landed or not finished
            if landed:  # all of it, or nothing of it
                assert store.read_at("memory/a.md", "HEAD") == NEW
                assert store.read_at("memory/new.md", "HEAD") == NEW
                assert "gone.md" not in store.tree()
                assert reasons["three files"] == "extractor"
            else:
                assert (root / "memory/a.md").read_bytes() == OLD
            ws.sound()
        step += 4
    assert outcomes == {True, False}


def test_CON_03_death_while_recovering_is_recovered_from(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    root = tmp_path / "ws"
    files = {"memory/a.md": OLD, "gone.md": OLD}
    Store.init(root, agent="ada", clock=Clock(), files=files, durable=False).close()

    def first() -> None:
        with Store.open(root, agent="ada", clock=Clock()) as store:
            replace = os.replace

            def stop(source: str, target: str) -> None:
                replace(source, target)
                if target.endswith("memory/a.md"):
                    os._exit(9)

            os.replace = stop  # type: ignore[assignment]
            change_three(store)

    assert in_child(first) == 9
    assert (root / ".git/mnemofs/intent").stat().st_size
    for step in range(0, 120, 2):

        def again(step: int = step) -> None:
            later = Clock(read=lambda: frozen() + timedelta(hours=step))  # another commit id
            with Store.open(root, agent="ada", clock=later) as store:
                die_at(step)
                store.fold(quiet=0)

        in_child(again)
    with Store.open(root, agent="ada", clock=Clock()) as store:
        ws = Workspace(store, git)
        ws.append("MEMORY.md", b"- next\n")
        assert ws.committed("memory/a.md") == NEW
        assert ws.committed("memory/new.md") == NEW
        assert "person" not in ws.git("log", "--format=%(trailers:key=Mnemofs-Actor,valueonly)")
        ws.sound()


LOOP = """
import sys
from mnemofs.clock import Clock
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store
root, name, count = sys.argv[1:]
with Store.open(root, agent=name, clock=Clock()) as store:
    for number in range(int(count)):
        for path in (f"memory/{name}.md", "MEMORY.md"):
            line = f"- {name} {number}\\n".encode()
            replay = lambda now: (now or b"") + line
            seen = store.read(path)
            edit = Edit(path, seen.blob, replay(seen.content), replay)
            done = store.commit(Change((edit,), "tool", f"{name} {number}"))
            print(path, number, done.commit, flush=True)
"""


def start(root: Path, name: str, count: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", LOOP, str(root), name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_CON_03_twenty_kills_lose_nothing_that_was_acknowledged(ws: Workspace) -> None:
    acked: list[tuple[str, str]] = []
    for round_number in range(20):
        name = f"w{round_number}"
        process = start(ws.root, name, 10_000)
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(0.004 * round_number)
        process.send_signal(signal.SIGKILL)
        lines = [first, *process.stdout.read().splitlines()]
        process.wait()
        for line in lines:
            words = line.split()
            if len(words) == 3 and len(words[2]) == 40:
                acked.append((words[0], f"- {name} {words[1]}\n"))
        began = time.monotonic()
        ws.append("after.md", b"- %d\n" % round_number)
        assert time.monotonic() - began < 3
    assert len(acked) >= 20
    for path in {path for path, _ in acked}:
        text = ws.committed(path).decode()
        assert [line for where, line in acked if where == path and text.count(line) != 1] == []
    assert ws.store.fold(quiet=0).commit is None
    ws.sound()


def test_CON_01_two_processes_and_many_threads_append_to_one_file(ws: Workspace) -> None:
    processes = [start(ws.root, name, 30) for name in ("p1", "p2")]
    failures: list[BaseException] = []

    def append(number: int) -> None:
        try:
            ws.append("MEMORY.md", b"- n%02d\n" % number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=append, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process in processes:
        process.communicate(timeout=100)
        assert process.returncode == 0
    assert failures == []
    lines = ws.committed("MEMORY.md").decode().splitlines()
    wanted = [f"- n{number:02d}" for number in range(20)]
    wanted += [f"- {name} {number}" for name in ("p1", "p2") for number in range(30)]
    assert [line for line in wanted if lines.count(line) != 1] == []
    ws.sound()


def test_CON_01_git_and_we_commit_side_by_side(ws: Workspace) -> None:
    script = """
    cd "$1"
    for n in $(seq 40); do
        echo "- git $n" >> by-git.md
        until git add by-git.md 2>/dev/null; do sleep 0.01; done
        until git -c user.name=u -c user.email=u@x -c gc.auto=0 commit -qm "git $n" 2>/dev/null ||
            git diff --quiet HEAD -- by-git.md; do sleep 0.01; done
    done
    """
    peer = subprocess.Popen(["sh", "-c", script, "sh", str(ws.root)], stdout=subprocess.DEVNULL)
    number = 0
    while peer.poll() is None or number < 40:
        ws.append(f"ours-{number % 7}.md", b"- ours %d\n" % number)
        number += 1
        time.sleep(0.01)  # git gives up at once when a lock is taken; let it have a turn
    assert peer.returncode == 0
    ws.store.fold(quiet=0)
    texts = "".join(ws.committed(f"ours-{index}.md").decode() for index in range(7))
    assert [n for n in range(number) if texts.count(f"- ours {n}\n") != 1] == []
    theirs = ws.committed("by-git.md").decode()
    assert [n for n in range(1, 41) if theirs.count(f"- git {n}\n") != 1] == []
    ws.sound()


def test_a_lock_of_another_dead_process_of_ours_is_recognised(ws: Workspace) -> None:
    git_dir = ws.root / ".git"
    for name, private in (
        ("index.lock", "mnemofs/index.private"),
        ("refs/heads/main.lock", "mnemofs/ref.private"),
    ):
        (git_dir / private).write_bytes(b"left behind")
        os.link(git_dir / private, git_dir / name)
    began = time.monotonic()
    ws.append("MEMORY.md", b"- x\n")
    assert time.monotonic() - began < 2
    ws.sound()


def test_without_hard_links_locks_work_and_stale_ones_are_recognised(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno

    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no hard links on this file system")

    monkeypatch.setattr(os, "link", no_links)
    ws.append("MEMORY.md", b"- one\n")
    ws.sound()
    (ws.root / ".git/index.lock").write_bytes(b"mnemofs lock\n")
    ws.append("MEMORY.md", b"- two\n")
    ws.write("new.md", b"n")
    ws.sound()


def test_a_store_used_after_a_fork_still_syncs(ws: Workspace) -> None:
    ws.append("MEMORY.md", b"- parent\n")

    def child() -> None:
        ws.append("MEMORY.md", b"- child\n")

    assert in_child(child) == 0
    ws.append("MEMORY.md", b"- parent again\n")
    assert ws.committed("MEMORY.md") == b"# Memory\n- parent\n- child\n- parent again\n"
    ws.sound()


@pytest.mark.parametrize("fails", [False, True])
def test_a_git_directory_on_another_disk_works(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    import errno

    inside = str(ws.root / ".git")
    for name in ("rename", "replace", "link"):
        original = getattr(os, name)

        def across(
            source: str, target: str, original: Callable[..., None] = original, **words: object
        ) -> None:
            if source.startswith(inside) != target.startswith(inside):
                raise OSError(errno.EXDEV, "another disk")
            if fails and target.endswith("b.md"):
                raise OSError(errno.ENOSPC, "full")
            original(source, target, **words)

        monkeypatch.setattr(os, name, across)
    edits = tuple(
        Edit(path, ws.store.read(path).blob, content)
        for path, content in {"MEMORY.md": b"one\n", "memory/a.md": b"a\n", "b.md": b"b\n"}.items()
    )
    if fails:
        from mnemofs.errors import StorageFull

        with pytest.raises(StorageFull):
            ws.store.commit(Change(edits, "tool", "three"))
        assert list(ws.store.scan()) == ["MEMORY.md"]
    else:
        ws.store.commit(Change(edits, "tool", "three"))
        ws.append("MEMORY.md", b"two\n")
        ws.write("b.md", None)
        assert ws.committed("MEMORY.md") == b"one\ntwo\n"
    assert [p.name for p in ws.root.rglob("*.tmp")] == []
    if not fails:
        ws.sound()
