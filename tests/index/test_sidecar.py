"""The sidecar may vanish, break, be old, be fought over, be killed; memory is found regardless."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import apsw
import pytest

from mnemofs.index.rows import database
from mnemofs.index.rows.database import Database
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index

from .conftest import Store, ask, found, home, write

NOTES = {f"memory/n{number}.md": f"- common word{number}\n- second\n" for number in range(40)}


def consistent(index: Index) -> None:
    """Every row belongs to a file, FTS and counters agree, SQLite finds no fault."""
    assert index.query("pragma integrity_check") == [("ok",)]
    chunks = index.query("select count(*) from chunk")[0][0]
    assert index.query("select count(*) from fts")[0][0] == chunks
    assert index.query("select value from meta where key = 'chunks'")[0][0] == chunks
    assert index.query("select count(*) from chunk where file not in (select id from file)") == [
        (0,)
    ]


@pytest.mark.parametrize("what", ["file", "folder"])
def test_the_index_may_be_deleted_at_any_time(store: Store, what: str) -> None:
    index = store(NOTES)
    folder = home(index) / ".mnemofs"
    if what == "file":
        (folder / "index.db").unlink()
    else:
        shutil.rmtree(folder)
    assert found(index, "word7") == ["- common word7"]
    assert (folder / "index.db").exists()
    again = Index(index.root)
    assert found(again, "word8") == ["- common word8"]
    consistent(again)


@pytest.mark.parametrize(
    "damage",
    [
        b"not a database, but long enough to look at" * 200,
        b"SQLite format 3\0" + os.urandom(50_000),
        b"",
        b"x",
    ],
    ids=["text", "header", "empty", "byte"],
)
def test_a_damaged_index_is_built_again_and_said(store: Store, damage: bytes) -> None:
    first = store(NOTES)
    first.close()
    (home(first) / ".mnemofs/index.db").write_bytes(damage)
    index = Index(first.root)
    result = ask(index, "word7")
    assert [hit.text for hit in result.hits] == ["- common word7"]
    assert (len(damage) > 1) == any("built again" in warning for warning in result.warnings)
    consistent(index)


def test_damage_under_an_open_index_is_mended(store: Store) -> None:
    index = store(NOTES)
    index.query("pragma wal_checkpoint(truncate)")
    path = home(index) / ".mnemofs/index.db"
    with path.open("r+b") as file:
        size = path.stat().st_size
        for offset in range(4096, size, 4096):
            file.seek(offset)
            file.write(os.urandom(4096))
    write(index.root, {"memory/new.md": "- brandnew\n"})
    results = [ask(index, "brandnew") for _ in range(2)]
    assert [hit.text for hit in results[1].hits] == ["- brandnew"]
    assert any("built again" in text for result in results for text in result.warnings)
    consistent(index)


def test_an_index_of_another_version_is_built_again(store: Store) -> None:
    first = store(NOTES)
    with_stamp = apsw.Connection(str(home(first) / ".mnemofs/index.db"))
    with_stamp.execute("pragma user_version = 1; drop table fts").fetchall()
    with_stamp.close()
    first.close()
    index = Index(first.root)
    assert found(index, "word7") == ["- common word7"]
    consistent(index)


def test_other_tables_in_the_file_are_left_alone(store: Store) -> None:
    first = store(NOTES)
    other = apsw.Connection(str(home(first) / ".mnemofs/index.db"))
    other.execute("create table guest(x); insert into guest values(1); pragma user_version = 1")
    other.close()
    first.close()
    index = Index(first.root)
    index.refresh()
    assert index.query("select x from guest") == [(1,)]


def test_a_place_that_cannot_be_written_is_searched_from_memory(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = store(NOTES, refreshed=False)

    def refuse(*_args: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(database.os, "makedirs", refuse)
    result = ask(index, "word7")
    assert [hit.text for hit in result.hits] == ["- common word7"]
    assert any("in memory" in warning for warning in result.warnings)
    assert not (home(index) / ".mnemofs").exists()


def test_a_reader_is_not_stopped_by_an_indexer(store: Store) -> None:
    index = store(NOTES)
    busy = Database(index.root)
    with busy.transaction():
        write(index.root, {"memory/late.md": "- latecomer\n"})
        (home(index) / "memory/n3.md").unlink()
        start = time.perf_counter()
        assert found(index, "word7") == ["- common word7"]
        assert found(index, "word3") == []  # no ghost, although nothing could be written
        result = ask(index, "latecomer")
        assert time.perf_counter() - start < 3
        assert any("another process" in warning for warning in result.warnings)
    assert found(index, "latecomer") == ["- latecomer"]


_BUILD = """
import sys
from mnemofs.index.sidecar import Index
index = Index(sys.argv[1])
for _ in range(int(sys.argv[2])):
    report = index.refresh()
    assert report.complete, report
    index.refresh(["memory/n1.md"])
"""


def _process(root: Path, turns: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _BUILD, str(root), str(turns)], stderr=subprocess.PIPE
    )


def test_processes_that_build_at_once_agree(tmp_path: Path) -> None:
    write(tmp_path, {f"memory/n{n}.md": f"- common word{n}\n- x{n}\n" for n in range(600)})
    processes = [_process(tmp_path, 5) for _ in range(3)]
    for turn in range(20):
        write(tmp_path, {"memory/n1.md": f"- turn{turn}\n"})
    for process in processes:
        _out, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
    with Index(tmp_path) as index:
        assert found(index, "turn19") == ["- turn19"]
        assert found(index, "word599") == ["- common word599"]
        consistent(index)


def test_a_killed_indexer_leaves_a_good_index(tmp_path: Path) -> None:
    write(tmp_path, {f"memory/n{n}.md": f"- common word{n}\n- x{n}\n" for n in range(3000)})
    for delay in (0.15, 0.3, 0.45, 0.6):
        process = _process(tmp_path, 1)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=10)
        assert process.stderr is not None
        process.stderr.close()
        with Index(tmp_path) as index:
            if (tmp_path / ".mnemofs/index.db").exists():
                consistent(index)
    with Index(tmp_path) as index:
        assert found(index, "word2999") == ["- common word2999"]
        consistent(index)


def test_threads_share_an_index(store: Store) -> None:
    index = store(NOTES)
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(15):
                write(index.root, {f"memory/t{number}.md": f"- thread{number}x{turn}\n"})
                index.refresh([f"memory/t{number}.md"])
                assert found(index, f"thread{number}x{turn}")
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    consistent(index)


def test_a_search_needs_no_refresh_of_its_own_after_one(store: Store) -> None:
    index = store(NOTES)
    hits = search([ScopedIndex(index)], "word9", mode="lexical", fresh=False).hits
    assert [hit.path for hit in hits] == ["memory/n9.md"]


def test_progress_counts_files(store: Store) -> None:
    index = store(NOTES, refreshed=False)
    seen: list[tuple[int, int]] = []
    index.refresh(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (40, 40)
