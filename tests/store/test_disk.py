"""Full disks: old bytes stay, nothing is half done, and the words say what happened."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.errors import PermissionRefused, StorageFull, StoreError
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store
from tests.store.conftest import Workspace, litter

CALLS = [
    "os.open",
    "os.write",
    "os.rename",
    "os.replace",
    "os.link",
    "os.mkdir",
    "os.fsync",
    "os.ftruncate",
]


@pytest.fixture
def ws(tmp_path: Path, git: Callable[..., str]) -> Iterator[Workspace]:
    """A workspace that syncs, as outside of tests."""
    files = {"MEMORY.md": b"# Memory\n"}
    with Store.init(tmp_path / "ws", agent="ada", clock=Clock(), files=files) as store:
        yield Workspace(store, git)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("call", CALLS)
def test_CON_04_whatever_fails_at_whatever_moment_old_bytes_are_intact(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    """The n-th call of one kind fails, for every n that a write makes."""
    ws.write("memory/a.md", b"- one\n")
    ws.write("memory/b.md", b"- old\n")
    name = call.partition(".")[2]
    original = getattr(os, name)
    number = 0
    while True:
        counter = 0

        def failing(*args: object, chosen: int = number, **words: object) -> object:
            nonlocal counter
            counter += 1
            if counter == chosen + 1:
                raise OSError(code, os.strerror(code))
            return original(*args, **words)

        before = ws.head(), (ws.root / "memory/a.md").read_bytes()
        paths = ["memory/a.md", f"memory/new-{number}.md", "memory/b.md"]
        contents = [b"- two %d\n" % number, b"n\n", None if number % 2 else b"back\n"]
        edits = tuple(
            Edit(path, ws.store.read(path).blob, content)
            for path, content in zip(paths, contents, strict=True)
        )
        failed = None
        with monkeypatch.context() as patch:
            patch.setattr(os, name, failing)
            try:
                ws.store.commit(Change(edits, "tool", "try"))
            except StoreError as error:
                failed = error
        if failed is None and counter <= number:
            break  # the write makes no more such calls
        if failed is not None and "old bytes are intact" in failed.message:
            if code in (errno.ENOSPC, errno.EDQUOT):
                assert isinstance(failed, StorageFull)
            if code == errno.EROFS:
                assert isinstance(failed, PermissionRefused)
            assert ws.head() == before[0]
            assert (ws.root / "memory/a.md").read_bytes() == before[1], f"{name} {number}"
            assert not (ws.root / f"memory/new-{number}.md").exists()
            assert ws.store.dirty() == ()
        elif failed is not None:
            assert "committed" in failed.message
            assert (ws.root / "memory/a.md").read_bytes() == contents[0]
        ws.append("MEMORY.md", b"- after %d\n" % number)
        assert ws.store.dirty() == (), f"{name} {number}"
        assert ws.git("status", "--porcelain") == ""
        number += 1
        assert number < 100
    assert litter(ws.root) == []
    ws.sound()


def test_CON_04_a_file_larger_than_the_limit_is_refused(ws: Workspace) -> None:
    ws.write("big.md", b"old\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        with pytest.raises(StorageFull) as caught:
            ws.write("big.md", b"x" * (2 << 20))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "big.md" in caught.value.message
    assert (ws.root / "big.md").read_bytes() == b"old\n"
    assert ws.store.dirty() == ()
    ws.append("big.md", b"new\n")
    ws.sound()


def small_disk(place: Path) -> bool:
    place.mkdir()
    if shutil.which("mount") is None or os.geteuid() != 0:
        return False
    words = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def test_CON_04_a_disk_of_one_megabyte(tmp_path: Path, git: Callable[..., str]) -> None:
    place = tmp_path / "disk"
    mounted = small_disk(place)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with Store.init(
            place / "ws", agent="a", clock=Clock(), files={"MEMORY.md": b"# M\n"}
        ) as store:
            if not mounted:  # no rights to mount: the limit on file size stands in
                resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limit[1]))
            ws = Workspace(store, git)
            with pytest.raises(StorageFull):
                ws.write("MEMORY.md", os.urandom(2 << 20))
            assert (ws.root / "MEMORY.md").read_bytes() == b"# M\n"
            assert ws.append("MEMORY.md", b"- small\n").commit == ws.head()
            ws.sound()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        if mounted:
            subprocess.run(["umount", str(place)], check=True)


def test_files_are_synced_before_the_branch_moves(ws: Workspace) -> None:
    """Under strace-like eyes: no ref is renamed before every object and folder was synced."""
    events: list[tuple[str, str]] = []
    names: dict[int, str] = {}
    real = {name: getattr(os, name) for name in ("open", "fsync", "replace")}

    def opened(path: object, *args: object, **words: object) -> int:
        descriptor = real["open"](path, *args, **words)
        names[descriptor] = str(path)
        return int(descriptor)

    def synced(descriptor: int) -> None:
        real["fsync"](descriptor)
        events.append(("sync", names[descriptor]))

    def renamed(source: str, target: str, **words: object) -> None:
        real["replace"](source, target, **words)
        events.append(("replace", f"{source}>{target}"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", opened)
        patch.setattr(os, "fsync", synced)
        patch.setattr(os, "replace", renamed)
        ws.write("memory/deep/new.md", b"- x\n")
    moves = [at for at, event in enumerate(events) if event[1].endswith("refs/heads/main")]
    assert len(moves) == 1
    before = events[: moves[0]]
    for at, (kind, what) in enumerate(before):
        if kind == "replace" and "/objects/" in what.partition(">")[2]:
            temp, final = what.split(">")
            assert ("sync", temp) in before[:at], "an object must be whole before it has its name"
            assert ("sync", os.path.dirname(final)) in before[at:], "and its name must be kept"
        if kind == "replace" and what.endswith("new.md"):
            assert ("sync", what.partition(">")[0]) in before[:at]
            assert ("sync", str(ws.root / "memory/deep")) in before[at:]
    assert ("sync", str(ws.root / ".git/mnemofs/ref.private")) in before
    assert ("sync", str(ws.root / ".git/refs/heads")) in events[moves[0] :]


def test_no_descriptor_is_leaked(ws: Workspace) -> None:
    ws.append("MEMORY.md", b"- x\n")
    before = len(os.listdir("/dev/fd"))
    for number in range(10):
        ws.append("MEMORY.md", b"- %d\n" % number)
        ws.store.fold()
    assert len(os.listdir("/dev/fd")) == before
