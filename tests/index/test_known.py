"""Looks: what spares comparing ten thousand files with their rows never hides a change."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemofs.index.proofs.proof import prove
from mnemofs.index.rows import known
from mnemofs.index.sidecar import Index
from mnemofs.store.disk.scan import Listing, Survey, survey

from .conftest import Store, ask, found, home, write

NOTES = {f"memory/n{number}.md": f"- thing{number}\n" for number in range(100)}


def sound(index: Index) -> None:
    """A look names every row that is no stray; a file that is there as it says has such a row."""
    rows = {
        row[0]: row[1:]
        for row in index.query("select path, size, mtime, ino, ctime, blob from file")
    }
    present = survey(index.root).files
    looks = index.query("select folder, names, stats from look")
    named = {path for (path,) in index.query("select path from stray")}
    for folder, names, stats in looks:
        for name, *numbers in Listing(names, stats).rows():
            path = folder + name
            if path in present and [*present[path][:5]] == numbers and path not in named:
                assert rows[path][:4] == tuple(numbers[:4])
                assert rows[path][4] is not None
            named.add(path)
    assert not looks or rows.keys() <= named


def settled(index: Index) -> Index:
    """The same, once its looks say all there is."""
    time.sleep(0.2)  # until a look can be sure that nothing changes under the same time
    for _ in range(3):
        assert index.refresh().removed == ()
    assert index.query("select count(*) from look")[0][0]
    return index


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each comparison with the whole folder took."""
    counts: list[int] = []
    real = known.KnownFiles._compare

    def count(self: known.KnownFiles, found: Survey) -> known.Compared:
        made = real(self, found)
        counts.append(len(made.known))
        return made

    monkeypatch.setattr(known.KnownFiles, "_compare", count)
    return counts


def test_a_settled_index_sees_every_kind_of_change(store: Store) -> None:
    index = settled(store(NOTES))
    write(index.root, {"memory/n3.md": "- thing3 and a quokka\n"})
    assert index.refresh().changed == ("memory/n3.md",)
    assert found(index, "quokka") == ["- thing3 and a quokka"]
    (home(index) / "memory/n4.md").unlink()
    assert index.refresh().removed == ("memory/n4.md",)
    write(index.root, {"memory/new.md": "- a wombat\n"})
    assert index.refresh().changed == ("memory/new.md",)
    (home(index) / "memory/new.md").unlink()
    assert index.refresh().removed == ("memory/new.md",)
    sound(index)
    with index.transaction() as connection:
        connection.execute("delete from file where path = 'memory/n5.md'")
    index.close()
    assert "memory/n5.md" in Index(index.root).refresh().changed


def test_the_work_is_in_proportion_to_the_change(store: Store, compared: list[int]) -> None:
    index = settled(store(NOTES))
    compared.clear()
    index.refresh()
    Index(index.root).refresh()
    write(index.root, {"memory/n3.md": "- other\n", "memory/new.md": "- new\n"})
    index.refresh()
    (home(index) / "memory/n9.md").unlink()
    Index(index.root).refresh()
    assert compared == [0, 0, 1, 3]


def test_looks_are_renewed_when_much_has_changed(store: Store, compared: list[int]) -> None:
    index = settled(store(NOTES))
    write(index.root, dict.fromkeys(list(NOTES)[:80], "- all of it\n"))
    for number in range(90, 100):
        (home(index) / f"memory/n{number}.md").unlink()
    assert len(index.refresh().changed) == 80
    settled(index)
    compared.clear()
    index.refresh()
    assert compared == [0]
    assert index.query("select count(*) from stray") == [(0,)]
    sound(index)


def test_a_file_that_comes_back_as_it_was_is_searched_again(store: Store, tmp_path: Path) -> None:
    index = settled(store(NOTES))
    # A file in a folder that is moved away keeps its stat.
    (home(index) / "memory").rename(tmp_path / "elsewhere")
    assert len(index.refresh().removed) == 100
    (tmp_path / "elsewhere").rename(home(index) / "memory")
    assert len(index.refresh().changed) == 100
    assert found(index, "thing7") == ["- thing7"]


def test_files_that_change_places_are_told_apart(store: Store) -> None:
    index = settled(store(NOTES))
    memory = home(index) / "memory"
    (memory / "n1.md").rename(memory / "x")
    (memory / "n2.md").rename(memory / "n1.md")
    (memory / "x").rename(memory / "n2.md")
    index.refresh()
    assert [hit.path for hit in ask(index, "thing1").hits] == ["memory/n2.md"]


def test_TXT_10_a_better_spelling_takes_the_place_of_a_settled_file(store: Store) -> None:
    index = settled(store({**NOTES, "memory.md": "- needle two\n"}))
    write(index.root, {"MEMORY.md": "- needle one\n"})
    assert index.refresh().removed == ("memory.md",)
    time.sleep(0.2)
    for _ in range(3):
        assert found(index, "needle") == ["- needle one"]
        assert "memory.md" in dict(index.refresh().skipped)
    (home(index) / "MEMORY.md").unlink()
    assert found(index, "needle") == ["- needle two"]
    write(index.root, {"Memory/n7.md": "- needle three\n"})
    assert dict(index.refresh().skipped).keys() == {"Memory/n7.md"}
    sound(index)


def test_TXT_09_other_forms_of_a_name_are_followed(store: Store) -> None:
    files = {f"caf\u00e9/n{number}.md": f"- tea{number}\n" for number in range(50)}
    files |= {f"cafe\u0301/m{number}.md": f"- ink{number}\n" for number in range(50)}
    index = settled(store({**files, "cafe\u0301/n3.md": "- a second one\n"}))
    assert found(index, "ink3") == ["- ink3"]
    assert dict(index.refresh().skipped).keys() == {"cafe\u0301/n3.md"}
    (home(index) / "caf\u00e9/n3.md").unlink()
    assert index.refresh().changed == ("caf\u00e9/n3.md",)
    assert found(index, "second") == ["- a second one"]
    (home(index) / "cafe\u0301/m3.md").write_text("- rooibos\n")
    assert found(index, "rooibos") == ["- rooibos"]
    assert prove(index).differences == ()
    sound(index)


def test_inodes_of_64_bits_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    class Entry:
        def __init__(self, entry: os.DirEntry[str]) -> None:
            self._entry = entry
            self.name = entry.name
            self.is_file, self.is_dir = entry.is_file, entry.is_dir
            self.is_symlink = entry.is_symlink

        def stat(self, *, follow_symlinks: bool) -> os.stat_result:
            status = self._entry.stat(follow_symlinks=follow_symlinks)
            times = {name: getattr(status, name) for name in ("st_mtime_ns", "st_ctime_ns")}
            return os.stat_result((status[0], status[1] | 1 << 63, *status[2:]), times)

    class Entries:
        def __init__(self, folder: int | str) -> None:
            self._entries = real(folder)

        def __enter__(self) -> Iterator[Entry]:
            return map(Entry, self._entries)

        def __exit__(self, *_exc: object) -> None:
            self._entries.close()

    monkeypatch.setattr(os, "scandir", Entries)
    monkeypatch.setattr(os, "supports_fd", {Entries})
    index = store({"a.md": "- one\n", "b/c.md": "- two\n"})
    assert all(row.ino < 0 for row in survey(index.root).files.values())
    assert found(index, "two") == ["- two"]
    assert index.query("select count(*) from file where ino < 0") == [(2,)]


def edit(root: Path, dice: random.Random) -> None:
    """One thing that people and programs do to a folder."""
    files = [file for file in root.rglob("*.md") if ".mnemofs" not in file.parts]
    target = dice.choice(files)
    other = root / dice.choice(["a", "b", "b/c", "d"]) / f"x{dice.randrange(40)}.md"
    step = dice.randrange(8)
    if step == 0:
        target.unlink()
    elif step == 1:
        target.write_text(f"- word{dice.randrange(50)} again\n")
    elif step == 2:  # the same size within the same time
        status = target.stat()
        target.write_text("".join(dice.choices("xyz", k=status.st_size - 1)) + "\n")
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif step in (3, 4):
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(f"- new{dice.randrange(50)}\n")
    elif step == 5:
        other.parent.mkdir(parents=True, exist_ok=True)
        target.rename(other)
    elif step == 6:
        folders = [folder for folder in ("a", "b", "d") if (root / folder).is_dir()]
        if folders:
            (root / dice.choice(folders)).rename(root / f"moved{dice.randrange(10**6)}")
    else:
        target.write_bytes(dice.choice([b"", "- wide\n".encode("utf-16"), b"- \xff\n"]))


@pytest.mark.parametrize("seed", range(8))
def test_a_life_of_changes_leaves_no_lie(
    store: Store, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(known, "_STALE", 3)
    dice = random.Random(seed)
    index = store({f"{'abd'[n % 3]}/n{n}.md": f"- word{n}\n" for n in range(60)})
    for turn in range(25):
        for _ in range(dice.randrange(4)):
            edit(home(index), dice)
        if dice.random() < 0.3:
            time.sleep(0.11)
        if dice.random() < 0.3:
            index.refresh(dice.sample(sorted(survey(index.root).files), 3))
        if dice.random() < 0.2:
            with Index(index.root) as other:
                other.refresh()
        index.refresh()
        sound(index)
        if turn % 5 == 4:
            assert prove(index).differences == ()


def test_several_that_look_at_once_leave_no_lie(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "_STALE", 3)
    index = store({f"{'abd'[n % 3]}/n{n}.md": f"- word{n}\n" for n in range(60)})
    faults: list[BaseException] = []
    stop = threading.Event()

    def forever(act: Callable[[], object]) -> None:
        try:
            while not stop.is_set():
                act()
        except BaseException as fault:
            faults.append(fault)

    others = [Index(index.root) for _ in range(3)]
    threads = [threading.Thread(target=forever, args=(other.refresh,)) for other in others]
    for thread in threads:
        thread.start()
    dice = random.Random(7)
    for _ in range(60):
        edit(home(index), dice)
        if dice.random() < 0.1:
            time.sleep(0.11)
    stop.set()
    for thread in threads:
        thread.join(20)
    assert faults == []
    for other in others:
        other.close()
    sound(index)
    assert prove(index).differences == ()
    settled(index)
    sound(index)
