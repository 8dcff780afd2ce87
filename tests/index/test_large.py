"""A store beyond the exact limit: its vectors stand in inverted lists, and none is ever missed."""

from __future__ import annotations

import threading
from array import array

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemofs.index.meaning import ivf
from mnemofs.index.rows import inverted
from mnemofs.index.sidecar import Index

from .conftest import Store, WordEmbedder, home, write

NOTES = {f"n{n}.md": f"topic{n % 12} place{n % 7} detail{n} more{n % 31}\n" for n in range(600)}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred chunks count as a large store."""
    monkeypatch.setattr(ivf, "EXACT_UP_TO", 200)
    monkeypatch.setattr(ivf, "TAIL", 40)
    monkeypatch.setattr(ivf, "_FILED", 150)
    monkeypatch.setattr(ivf, "_BLOCK", 8)


def filed(index: Index) -> list[int]:
    """The vectors in the lists, each as often as it stands there."""
    return sorted(v for (ids,) in index.query("select ids from block") for v in array("q", ids))


def sound(index: Index) -> None:
    """The lists hold each vector up to their mark once, with its own bytes, and no other."""
    truth = dict(index.query("select id, q8 from vector"))
    marks = index.query("select id, upto from partition where ready = 1")
    assert len(marks) == index.query("select count(*) from partition")[0][0] == 1
    assert filed(index) == [vector for vector in sorted(truth) if vector <= marks[0][1]]
    places = dict(index.query("select vector, block from place"))
    assert sorted(places) == filed(index)
    for block, ids, packed in index.query("select id, ids, q8 from block"):
        numbers = array("q", ids)
        width = len(packed) // len(numbers)
        for slot, vector in enumerate(numbers):
            assert places[vector] == block
            assert packed[slot * width : (slot + 1) * width] == truth[vector]


def question(embedder: WordEmbedder, text: str) -> NDArray[np.float32]:
    """The unit vector of a question."""
    row: NDArray[np.float32] = embedder.embed([text])[0]
    return row / np.float32(np.linalg.norm(row))


def test_a_large_store_is_filed_and_gives_nearly_what_comparing_all_gives(store: Store) -> None:
    embedder = WordEmbedder()
    index = store(NOTES, embedder=embedder)
    sound(index)
    hits = total = 0
    for number in range(0, 600, 12):
        asked = question(embedder, f"topic{number % 12} place{number % 7} detail{number}")
        rows = index.query("select c.id, v.q8 from chunk c join vector v on v.id = c.vec")
        matrix = np.array([np.frombuffer(row[1], np.int8) for row in rows], np.float32)
        best = np.argsort(-(matrix @ asked))[:10]
        exact = {rows[place][0] for place in best}
        chunks, cosines = index.vector_lane().cosines(asked, nearest=10)
        assert len(chunks) == 10
        assert list(chunks) == sorted(chunks)
        assert float(cosines.max()) <= 1.01
        hits += len(exact & set(chunks.tolist()))
        total += 10
    assert hits >= 0.8 * total
    assert len(index.vector_lane()._vectors) == 0  # none of it is kept in memory


def test_a_chunk_that_is_asked_for_by_name_gets_its_cosine_wherever_it_is_filed(
    store: Store,
) -> None:
    embedder = WordEmbedder()
    index = store(NOTES, embedder=embedder)
    asked = question(embedder, "topic1 place1")
    every = [row[0] for row in index.query("select id from chunk order by id")]
    chunks, cosines = index.vector_lane().cosines(asked, nearest=0, also=every)
    assert chunks.tolist() == every
    vectors = index.query("select v.q8 from chunk c join vector v on v.id = c.vec order by c.id")
    matrix = np.array([np.frombuffer(row[0], np.int8) for row in vectors], np.float32)
    assert np.allclose(cosines, matrix @ asked / 127, atol=1e-4)


@pytest.mark.parametrize("added", [5, 60, 150])
def test_new_vectors_are_found_before_and_after_they_are_filed(store: Store, added: int) -> None:
    embedder = WordEmbedder()
    index = store(NOTES, embedder=embedder)
    write(index.root, {f"x{n}.md": f"novelty{n} appeared today\n" for n in range(added)})
    index.refresh()
    index.embed_pending()
    sound(index)
    for number in (0, added // 2, added - 1):
        asked = question(embedder, f"novelty{number} appeared today")
        chunks, _cosines = index.vector_lane().cosines(asked, nearest=3)
        rows = index.query(
            f"select f.path from chunk c join file f on f.id = c.file"
            f" where c.id in ({','.join(map(str, chunks))})"
        )
        assert (f"x{number}.md",) in rows


def test_EMB_05_deleted_and_edited_texts_leave_the_lists(store: Store) -> None:
    embedder = WordEmbedder()
    index = store(NOTES, embedder=embedder)
    for number in range(0, 600, 3):
        (home(index) / f"n{number}.md").unlink()
    write(index.root, {f"n{number}.md": f"rewritten{number}\n" for number in range(1, 60, 3)})
    with Index(index.root) as plain:  # a writer that knows no embedder
        plain.refresh()
    sound(index)
    index.embed_pending()
    sound(index)
    chunks, _cosines = index.vector_lane().cosines(question(embedder, "topic0 place0 detail0"))
    there = {row[0] for row in index.query("select id from chunk")}
    assert set(chunks.tolist()) <= there


def test_lists_are_made_anew_when_the_store_has_outgrown_them(store: Store) -> None:
    index = store(dict(list(NOTES.items())[:250]), embedder=WordEmbedder())
    first = index.query("select id, trained from partition")
    write(index.root, NOTES)
    index.refresh()
    index.embed_pending()
    (second,) = index.query("select id, trained from partition")
    assert (first[0][1], second[1]) == (250, 600)
    sound(index)


def test_a_store_that_became_small_is_compared_as_a_whole_again(store: Store) -> None:
    embedder = WordEmbedder()
    index = store(NOTES, embedder=embedder)
    for number in range(80, 600):
        (home(index) / f"n{number}.md").unlink()
    index.refresh()
    index.embed_pending()
    for table in ("partition", "block", "place"):
        assert index.query(f"select count(*) from {table}") == [(0,)]
    chunks, _cosines = index.vector_lane().cosines(question(embedder, "topic1"))
    assert len(chunks) == 80


@pytest.mark.parametrize("stage", ["trained", "half filed"])
def test_an_interrupted_filing_goes_on_where_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    index = store(NOTES, refreshed=False)
    index.embedder = WordEmbedder()
    index.refresh()
    turns = 0
    real = ivf._put

    def stop(*arguments: object) -> None:
        nonlocal turns
        turns += 1
        if turns > (0 if stage == "trained" else 2):
            raise KeyboardInterrupt
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ivf, "_put", stop)
    with pytest.raises(KeyboardInterrupt):
        index.embed_pending()
    chunks, _cosines = index.vector_lane().cosines(question(WordEmbedder(), "topic1"))
    assert len(chunks) == 600  # until the lists are ready, everything is compared
    monkeypatch.setattr(ivf, "_put", real)
    trained = index.query("select id from partition")
    monkeypatch.setattr(ivf, "train", None)  # its centroids are there already
    index.embed_pending()
    assert index.query("select id from partition") == trained
    sound(index)


def test_vectors_deleted_while_they_are_filed_do_not_come_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = store(NOTES, refreshed=False)
    index.embedder = WordEmbedder()
    index.refresh()
    real = ivf.assign
    calls = 0

    def meanwhile(rows: NDArray[np.int8], directions: NDArray[np.float32]) -> NDArray[np.int64]:
        nonlocal calls
        calls += 1
        if rows.dtype == np.int8 and calls % 2:
            with Index(index.root) as other:
                gone = [f"n{number}.md" for number in range(calls, 600, 40)]
                for path in gone:
                    (home(index) / path).unlink(missing_ok=True)
                other.refresh(gone)
        return real(rows, directions)

    monkeypatch.setattr(ivf, "assign", meanwhile)
    index.embed_pending()
    sound(index)


def test_EMB_02_another_model_gets_lists_of_its_own(store: Store) -> None:
    first = store(NOTES, embedder=WordEmbedder("old", 32))
    first.close()
    with Index(first.root, embedder=WordEmbedder("new", 48)) as index:
        asked = question(WordEmbedder("new", 48), "topic1")
        index.embed_pending(limit=50)
        chunks, _cosines = index.vector_lane().cosines(asked)
        assert len(chunks) == 50
        index.embed_pending()
        assert index.query("select name from embedder") == [("new",)]
        assert {len(row[0]) for row in index.query("select q8 from vector")} == {48}
        sound(index)


def test_a_filing_process_and_readers_do_not_disturb_each_other(store: Store) -> None:
    embedder = WordEmbedder()
    index = store(NOTES, embedder=embedder)
    asked = question(embedder, "topic1 place1 detail85")
    faults: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            with Index(index.root, embedder=WordEmbedder()) as reader:
                while not stop.is_set():
                    chunks, _cosines = reader.vector_lane().cosines(asked, nearest=5)
                    assert len(chunks) == 5
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for turn in range(4):
        write(index.root, {f"y{turn}x{n}.md": f"later{turn} words{n}\n" for n in range(60)})
        index.refresh()
        index.embed_pending()
    stop.set()
    for thread in threads:
        thread.join(20)
    assert faults == []
    sound(index)


def test_k_means_is_repeatable_and_leaves_no_centroid_without_direction() -> None:
    dice = np.random.default_rng(5)
    sample = dice.standard_normal((300, 16)).astype(np.float32)
    sample /= np.linalg.norm(sample, axis=1, keepdims=True)
    sample[100:200] = sample[0]  # many of the same
    made = ivf.train(sample, 32)
    assert np.array_equal(made, ivf.train(sample, 32))
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-3)


@pytest.mark.parametrize("gone", [{1}, {3}, {1, 2, 3}, {9}])
def test_a_block_keeps_the_order_of_what_stays(gone: set[int]) -> None:
    ids, packed = inverted.without(array("q", [1, 2, 3]).tobytes(), b"aabbcc", gone)
    kept = [n for n in (1, 2, 3) if n not in gone]
    assert array("q", ids).tolist() == kept
    assert packed == b"".join({1: b"aa", 2: b"bb", 3: b"cc"}[n] for n in kept)
