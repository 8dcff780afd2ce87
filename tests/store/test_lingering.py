"""Somebody had a note open when we replaced it, and writes to what they opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.store.disk import lingering
from mnemofs.store.disk.lingering import Lingering
from mnemofs.store.erasure.purge import purge
from mnemofs.store.repository import Store
from tests.store.conftest import Workspace, litter

START = b"# Note\n\n- start\n"


@pytest.fixture
def opened(ws: Workspace) -> Iterator[tuple[Workspace, int]]:
    """A workspace whose notes/ü%.md somebody opened to append to, and which we then wrote."""
    ws.write("notes/ü%.md", START)
    descriptor = os.open(ws.root / "notes/ü%.md", os.O_WRONLY | os.O_APPEND)
    ws.append("notes/ü%.md", b"- ours\n")
    yield ws, descriptor
    os.close(descriptor)


def lines(ws: Workspace) -> list[bytes]:
    return sorted(ws.committed("notes/ü%.md").splitlines()[2:])


def test_the_next_fold_takes_it_in(opened: tuple[Workspace, int]) -> None:
    ws, descriptor = opened
    os.write(descriptor, b"- late\n")
    ws.store.fold(quiet=0)
    assert lines(ws) == [b"- late", b"- ours", b"- start"]
    assert ws.git("log", "-1", "--format=%s").strip() == "by hand: edited notes/ü%.md"
    ws.store.fold(quiet=0)
    assert lines(ws) == [b"- late", b"- ours", b"- start"]
    assert litter(ws.root) == []
    ws.sound()


def test_the_next_write_takes_it_in(opened: tuple[Workspace, int]) -> None:
    ws, descriptor = opened
    os.write(descriptor, b"- late\n")
    os.utime(descriptor)
    ws.append("other.md", b"x\n")
    assert b"- late" not in lines(ws), "so fresh it may be half written"
    lingering.time.sleep(0.35)
    ws.append("other.md", b"y\n")
    assert lines(ws) == [b"- late", b"- ours", b"- start"]


def test_it_outlives_the_process_that_wrote(opened: tuple[Workspace, int]) -> None:
    ws, descriptor = opened
    ws.store.close()
    os.write(descriptor, b"- late\n")
    lingering.time.sleep(0.35)
    with Store.open(ws.root, agent="ada", clock=Clock()) as store:
        again = Workspace(store, ws._git)
        again.append("other.md", b"x\n")
        assert lines(again) == [b"- late", b"- ours", b"- start"]


def test_what_was_written_late_to_a_deleted_file_stays(ws: Workspace) -> None:
    ws.write("gone.md", START)
    with open(ws.root / "gone.md", "ab", buffering=0) as file:
        ws.write("gone.md", None)
        file.write(b"- late\n")
    ws.store.fold(quiet=0)
    assert ws.committed("gone.md") == START + b"- late\n"


def test_a_version_is_let_go_when_its_moment_is_over(
    opened: tuple[Workspace, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ws, _ = opened
    tmp = ws.root / ".git/mnemofs/tmp"
    assert len(os.listdir(tmp)) == 1
    monkeypatch.setattr(lingering, "MOMENT", 0.0)
    ws.append("other.md", b"x\n")
    ws.store.fold(quiet=0)
    assert os.listdir(tmp) == []


def test_only_so_many_stay(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering, "_MOST", 3)
    for number in range(9):
        ws.append("MEMORY.md", b"- %d\n" % number)
    assert len(os.listdir(ws.root / ".git/mnemofs/tmp")) <= 3


def test_a_purge_leaves_none(opened: tuple[Workspace, int]) -> None:
    ws, _ = opened
    purge(ws.store, ["- start"])
    assert os.listdir(ws.root / ".git/mnemofs/tmp") == []


def test_a_name_too_long_is_no_reason_to_fail(ws: Workspace) -> None:
    name = "notes/" + "n" * 200 + ".md"
    ws.write(name, START)
    ws.append(name, b"- more\n")
    assert litter(ws.root) == []


@pytest.mark.parametrize("name", ["before-1", "before-a.b.c.d.e.f", "file-1", "before-1.2..x.4.n"])
def test_other_files_are_not_taken_for_one(tmp_path: Path, name: str) -> None:
    assert not Lingering(str(tmp_path)).adopt(name)
