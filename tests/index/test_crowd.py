"""Many processes at one index: nobody waits, nobody is told of locks, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import apsw
import pytest

from mnemofs.filelocks import only_one
from mnemofs.index.proofs.proof import prove
from mnemofs.index.rows.database import VERSION
from mnemofs.index.sidecar import Index

from .conftest import Store, WordEmbedder, ask, found, home, write

NOTES = {f"memory/n{number}.md": f"- common word{number}\n- second\n" for number in range(300)}
_START = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.index.conftest import WordEmbedder
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index

class Slow(WordEmbedder):
    def embed(self, texts):
        time.sleep((0.02 if number == 1 else 0.002) * len(texts))
        return super().embed(texts)

root, number = sys.argv[1], int(sys.argv[2])
index = Index(root, embedder=Slow())
"""
_WRITER = """
for turn in range(12):
    path = f"memory/w{number}.md"
    open(f"{root}/{path}", "a").write(f"- writer{number}turn{turn} says\\n")
    report = index.refresh([path])
    assert report.complete and not report.warnings, report
    hits = search([ScopedIndex(index)], f"writer{number}turn{turn}", mode="lexical").hits
    assert [hit.path for hit in hits] == [path], hits
"""
_READER = """
for turn in range(25):
    start = time.monotonic()
    result = search([ScopedIndex(index)], f"word{turn * 7} common", mode="hybrid")
    assert result.hits
    assert not any("locked" in text or "busy" in text for text in result.warnings), result.warnings
    assert time.monotonic() - start < 10
"""
_EMBEDDER = """
done = index.embed_pending()
assert not done.error, done
print(len(index.embedder.seen))
"""


def run(root: Path | str, code: str, number: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _START + code, str(root), str(number)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    out, errors = process.communicate(timeout=90)
    assert process.returncode == 0, errors
    return out


def test_writers_readers_and_embedders_share_one_index(store: Store) -> None:
    index = store(NOTES)
    processes = [run(index.root, _WRITER, number) for number in range(2)]
    processes += [run(index.root, _READER, 7), run(index.root, _EMBEDDER, 8)]
    for process in processes:
        finished(process)
    index.embedder = WordEmbedder()
    index.embed_pending()
    assert prove(index).differences == ()
    assert found(index, "writer1turn11") == ["- writer1turn11 says"]


def test_two_that_embed_at_once_share_the_work(store: Store) -> None:
    index = store(NOTES)
    total = len({row[0] for row in index.query("select vec_hash from chunk")})
    counts = [int(finished(one)) for one in [run(index.root, _EMBEDDER, n) for n in (2, 3)]]
    assert sum(counts) <= total + 64  # at most the batch that was under way
    index.embedder = WordEmbedder()
    assert index.pending() == 0


def test_a_search_leaves_embedding_to_the_process_that_is_at_it(store: Store) -> None:
    index = store(NOTES, refreshed=False)
    index.embedder = WordEmbedder()
    index.refresh()
    with only_one(index.embedding_lock) as mine:
        assert mine
        start = time.monotonic()
        with Index(index.root, embedder=WordEmbedder()) as other:
            result = ask(other, "common word7", mode="hybrid")
            assert result.hits[0].text == "- common word7"
            assert time.monotonic() - start < 8
            backlog = other.backlog()
            assert backlog is not None
            assert (backlog.at_work, backlog.pending, backlog.total) == (True, 600, 600)
            assert "another process" in str(backlog)
            assert len(other.embedder.seen) == 1  # the question  # type: ignore[union-attr]
    assert index.embed_pending().pending == 0
    assert "all 600 texts" in str(index.backlog())


def test_one_that_waits_takes_over_from_one_that_died(store: Store) -> None:
    index = store(NOTES)
    first = run(index.root, _EMBEDDER, 1)
    for _ in range(400):
        if index.query("select count(*) from vector")[0][0] >= 64:
            break
        time.sleep(0.02)
    second = run(index.root, _EMBEDDER, 2)
    time.sleep(0.3)
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=10)
    made = int(finished(second))
    total = len({row[0] for row in index.query("select vec_hash from chunk")})
    assert 0 < made < total  # it went on where the first one was
    index.embedder = WordEmbedder()
    assert index.pending() == 0
    assert prove(index).differences == ()


@pytest.mark.parametrize("batches", [1, 4])
def test_a_first_index_that_was_killed_goes_on_where_it_was(tmp_path: Path, batches: int) -> None:
    write(tmp_path, {f"memory/n{n}.md": f"- common word{n}\n- x{n}\n" for n in range(2500)})
    process = run(tmp_path, "index.refresh()", 1)
    place = tmp_path / ".mnemofs/index.db"
    there = 0
    for _ in range(500):
        time.sleep(0.01)
        if place.exists():
            try:
                with apsw.Connection(str(place)) as connection:
                    there = connection.execute("select count(*) from file").fetchall()[0][0]
            except apsw.Error:
                continue
        if there >= 200 * batches:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=10)
    seen: list[tuple[int, int]] = []
    with Index(tmp_path) as index:
        kept = index.query("select count(*) from file")[0][0]
        index.refresh(progress=lambda done, total: seen.append((done, total)))
        assert kept >= 200 * batches
        assert seen == [] or seen[-1] == (2500 - kept, 2500 - kept)
        assert prove(index).differences == ()


def test_a_search_answers_while_another_process_holds_the_write_lock(store: Store) -> None:
    index = store(NOTES)
    other = apsw.Connection(index.place)
    other.execute("begin immediate")
    write(index.root, {"memory/n7.md": "- changed7\n"})
    (home(index) / "memory/n9.md").unlink()
    start = time.monotonic()
    assert found(index, "word11") == ["- common word11"]
    result = ask(index, "word7 word9")
    assert result.hits == ()  # gone and changed text is not shown, locked or not
    assert any("another process" in text for text in result.warnings)
    assert time.monotonic() - start < 4
    other.execute("rollback")
    assert found(index, "changed7") == ["- changed7"]


@pytest.mark.parametrize("stamp", [VERSION + 1, VERSION + 1000, VERSION - 1, 0])
def test_an_index_of_a_newer_or_older_program_is_built_again(store: Store, stamp: int) -> None:
    first = store(NOTES)
    first.close()
    connection = apsw.Connection(first.place)
    connection.execute(
        f"pragma user_version = {stamp}; alter table chunk rename to other"
    ).fetchall()
    connection.close()
    with Index(first.root) as index:
        assert found(index, "word7") == ["- common word7"]
        assert prove(index).differences == ()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("opened", [False, True])
def test_a_truncated_index_answers_rightly(store: Store, share: float, opened: bool) -> None:
    index = store(NOTES)
    index.query("pragma wal_checkpoint(truncate)")
    place = index.place
    if not opened:
        index.close()
    with open(place, "r+b") as file:
        file.truncate(int(os.path.getsize(place) * share))
    for number in (7, 250):
        results = [ask(index, f"word{number}") for _ in range(3)]
        assert [hit.text for hit in results[-1].hits] == [f"- common word{number}"]
        for result in results:
            assert all(hit.text == f"- common word{number}" for hit in result.hits)
    assert prove(index).differences == ()
