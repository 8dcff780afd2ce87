"""Arrays of a large store's words: the same scores as FTS5's, whatever happened since."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.index.proofs.proof import prove
from mnemofs.index.rows.writing import drop_postings
from mnemofs.index.scrub import scrub
from mnemofs.index.sidecar import Index
from mnemofs.index.terms.query import parse
from mnemofs.index.words import lexical, posting_build, postings
from mnemofs.index.words.packed import pack, unpack
from tests.index.conftest import Store, write

WORDS = [f"{a}{b}" for a in ("ka", "lo", "mi", "ten", "ra") for b in ("bel", "do", "vin", "gar")]
RARE = [
    "xylem",
    "zephyr",
    "C++",
    "v1.2.3",
    "naïve",
    "running",
    "runs",
    "pre-commit",
    "数据库",
    "猫",
]


def lines(dice: random.Random, count: int) -> str:
    picked = (dice.choices(WORDS, k=dice.randint(3, 20)) for _ in range(count))
    return "".join(
        f"- {' '.join(words)} {dice.choice(RARE) if dice.random() < 0.2 else ''}\n"
        for words in picked
    )


@pytest.fixture
def large(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """A store that counts as large, with arrays."""
    monkeypatch.setattr(lexical, "_LARGE", 100)
    monkeypatch.setattr(lexical, "DEPTH", 20)
    monkeypatch.setattr(posting_build, "FROM_CHUNKS", 200)
    monkeypatch.setattr(posting_build, "FEW", 3)
    dice = random.Random(5)
    files = {f"memory/{n:02}.md": f"# Note {n}\n\n" + lines(dice, 20) for n in range(40)}
    files["memory/often.md"] = "# Often\n\n- " + "zephyr " * 300 + "\n- " + "xylem " * 20 + "\n"
    index = store(files)
    posting_build.tend(index)
    assert index.query("select count(*) from posted where ready = 2") == [(1,)]
    yield index


def asked(dice: random.Random, count: int = 40) -> list[str]:
    some = [" ".join(dice.sample(WORDS + RARE, dice.randint(1, 6))) for _ in range(count)]
    return [
        *some,
        "xylem",
        "running",
        "数据库",
        "数据库 猫 kabel",
        '"kabel"',
        "C++",
        "nothinglikeit",
    ]


def same_both_ways(index: Index, monkeypatch: pytest.MonkeyPatch, *, depth: int = 20) -> int:
    """Asks by arrays and by FTS5 alone; how many questions the arrays took part in."""
    used = 0
    for question in asked(random.Random(9)):
        query = parse(question)
        if not query.terms:
            continue
        used += index.postings().lists(query.terms) is not None
        with_arrays = lexical.rank(index, query, depth)
        with monkeypatch.context() as patch:
            patch.setattr(lexical, "_lists", lambda *_: None)
            alone = lexical.rank(index, query, depth)
        assert with_arrays.note == alone.note
        assert with_arrays.scores.keys() == alone.scores.keys() or _ties(alone.scores, depth)
        for chunk in with_arrays.scores.keys() & alone.scores.keys():
            assert with_arrays.scores[chunk] == pytest.approx(alone.scores[chunk], rel=1e-3)
    return used


def _ties(scores: dict[int, float], depth: int) -> bool:
    """Whether several chunks are as good as the last one, so that either may be it."""
    return len(scores) == depth and list(scores.values())[-1] == pytest.approx(
        list(scores.values())[-2], rel=1e-3
    )


def test_scores_are_those_of_fts5(large: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    assert same_both_ways(large, monkeypatch) > 40
    assert same_both_ways(large, monkeypatch, depth=500) > 40


def test_chunks_written_since_are_found_and_those_gone_are_not(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(large.root)
    dice = random.Random(6)
    write(root, {f"memory/new{n}.md": lines(dice, 10) for n in range(5)})
    for n in range(0, 40, 7):
        (root / f"memory/{n:02}.md").unlink()
    (root / "memory/03.md").write_text("# Note 3\n\n- only xylem and naïve now\n")
    large.refresh()
    assert same_both_ways(large, monkeypatch, depth=500) > 40
    assert large.query("select count(*) from gone")[0][0] > 100
    found = lexical.rank(large, parse("only xylem and naive now kabel"), 500).scores
    alive = {row[0] for row in large.query("select id from chunk")}
    assert found.keys() <= alive


def test_a_number_is_never_given_to_another_chunk(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = large.query("select max(id) from chunk")[0][0]
    path = large.query(
        f"select f.path from file f join chunk c on c.file = f.id where c.id = {last}"
    )
    (Path(large.root) / path[0][0]).write_text("- something else altogether\n")
    large.refresh()
    assert large.query("select min(id) from chunk where id > ?", (last,))[0][0] > last
    assert not large.query("select 1 from chunk where id = ?", (last,))
    assert same_both_ways(large, monkeypatch, depth=500) > 40


def test_a_long_tail_is_left_to_fts5_and_then_taken_in(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "_TAIL", 50)
    write(Path(large.root), {"memory/new.md": lines(random.Random(7), 60)})
    large.refresh()
    assert same_both_ways(large, monkeypatch) == 0
    before = large.query("select id from posted")
    posting_build.tend(large)
    assert large.query("select id from posted where ready = 2") != before
    assert large.query("select count(distinct segment) from posting") == [(1,)]
    assert same_both_ways(large, monkeypatch) > 40


def test_nothing_is_made_anew_without_need(large: Index) -> None:
    before = large.query("select id, upto from posted")
    posting_build.tend(large)
    assert large.query("select id, upto from posted") == before


def test_a_store_that_became_small_does_without(large: Index) -> None:
    for path in sorted((Path(large.root) / "memory").iterdir())[4:]:
        path.unlink()
    large.refresh()
    posting_build.tend(large)
    for table in ("posted", "posting", "gone"):
        assert large.query(f"select count(*) from {table}") == [(0,)]
    assert lexical.rank(large, parse("kabel lodo mivin")).scores


def test_others_write_and_delete_while_they_are_made(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting_build, "_WRITTEN", 10)
    monkeypatch.setattr(posting_build, "longest_tail", lambda _total: -1)
    real = posting_build._row
    turn = iter(range(1000))

    def meanwhile(segment: int, one: posting_build.Posting) -> tuple[object, ...]:
        number = next(turn)
        if number % 10 == 3:
            with Index(large.root) as other:
                name = Path(large.root) / f"memory/{number % 40:02}.md"
                name.unlink(missing_ok=True)
                write(Path(large.root), {f"memory/while{number}.md": "- written kabel meanwhile\n"})
                other.refresh()
        return real(segment, one)

    monkeypatch.setattr(posting_build, "_row", meanwhile)
    posting_build.tend(large)
    assert same_both_ways(large, monkeypatch, depth=500) > 40
    assert lexical.rank(large, parse("meanwhile written")).scores
    assert prove(large).differences == ()


def test_an_interruption_leaves_the_old_ones_in_use(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting_build, "_WRITTEN", 10)
    monkeypatch.setattr(posting_build, "longest_tail", lambda _total: -1)
    before = large.query("select id from posted where ready = 2")
    turn = iter(range(1000))

    def dies(segment: int, one: posting_build.Posting) -> tuple[object, ...]:
        if next(turn) > 25:
            raise KeyboardInterrupt
        return segment, one.term, pack(one.chunks, one.own, one.near)

    with monkeypatch.context() as patch:
        patch.setattr(posting_build, "_row", dies)
        with pytest.raises(KeyboardInterrupt):
            posting_build.tend(large)
    assert large.query("select id from posted where ready = 2") == before
    assert large.query("select count(distinct segment) from posting") == [(2,)]
    assert same_both_ways(large, monkeypatch) > 40
    posting_build.tend(large)
    assert large.query("select count(distinct segment) from posting") == [(1,)]
    assert same_both_ways(large, monkeypatch) > 40


def test_one_process_at_a_time_makes_them(large: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    from mnemofs.filelocks import only_one

    monkeypatch.setattr(posting_build, "longest_tail", lambda _total: -1)
    before = large.query("select id from posted")
    with only_one(large.embedding_lock):
        posting_build.tend(large)
    assert large.query("select id from posted") == before


def test_a_forgotten_word_is_in_none(large: Index) -> None:
    assert b"xylem" in b"".join(row[0].encode() for row in large.query("select term from posting"))
    scrub(str(large.root))
    assert large.query("select count(*) from posting") == [(0,)]
    assert lexical.rank(large, parse("xylem")).scores


def test_the_proof_sees_what_is_wrong_in_them(large: Index) -> None:
    assert prove(large).differences == ()
    for harm, words in (
        ("update posting set packed = x'00000000' where term = 'xylem'", "'xylem'"),
        ("delete from posting where term = 'kabel'", "'kabel'"),
        ("insert into gone select min(id) from chunk", "taken for deleted"),
        ("update posted set lengths = zeroblob(length(lengths))", "lengths of texts"),
    ):
        with large.writing_lock, large.transaction() as connection:
            connection.execute(harm)
        assert any(words in str(one) for one in prove(large).differences), harm


@pytest.mark.parametrize("bytes_", [b"", b"\0", b"\x02\xff\xff\xff\xff\x01", b"\7" * 9, b"\3" * 40])
def test_damaged_arrays_are_no_reason_to_fail(
    large: Index, monkeypatch: pytest.MonkeyPatch, bytes_: bytes
) -> None:
    with large.writing_lock, large.transaction() as connection:
        connection.execute("update posting set packed = ?", (bytes_,))
    assert same_both_ways(large, monkeypatch) < 40


def test_a_hook_does_without_until_questions_are_many(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_MANY", 3)
    monkeypatch.setattr(lexical, "sys", SimpleNamespace(modules={}))
    query = parse("kabel lodo mivin tengar")
    assert [lexical._lists(large, query, 1000) is not None for _ in range(5)] == [
        *(False, False, False),
        *(True, True),
    ]


@given(
    st.lists(st.tuples(st.integers(1, 70_000), st.integers(0, 300), st.integers(0, 20)), min_size=1)
)
def test_packing_keeps_everything(rows: list[tuple[int, int, int]]) -> None:
    chunks = np.cumsum([step for step, _, _ in rows])
    own = np.array([count for _, count, _ in rows])
    near = np.array([count for _, _, count in rows])
    again = unpack(pack(chunks, own, near))
    assert again[0].tolist() == chunks.tolist()
    assert again[1].tolist() == np.minimum(own, 255).tolist()
    assert again[2].tolist() == np.minimum(near, 255).tolist()


def test_an_index_that_is_replaced_meanwhile_gets_none(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting_build, "_WRITTEN", 10)
    monkeypatch.setattr(posting_build, "longest_tail", lambda _total: -1)
    turn = iter(range(1000))

    def replaced(segment: int, one: posting_build.Posting) -> tuple[object, ...]:
        if next(turn) == 25:
            for name in ("index.db", "index.db-wal", "index.db-shm"):
                (Path(large.root) / ".mnemofs" / name).unlink(missing_ok=True)
            large.refresh()
        return segment, one.term, pack(one.chunks, one.own, one.near)

    monkeypatch.setattr(posting_build, "_row", replaced)
    posting_build.tend(large)
    assert large.query("select count(*) from posted") == [(0,)]
    assert large.query("select count(*) from posting") == [(0,)]
    assert lexical.rank(large, parse("kabel lodo mivin")).scores
    monkeypatch.undo()
    assert prove(large).differences == ()


def test_threads_ask_the_same_index_at_once(large: Index) -> None:
    queries = [parse(question) for question in asked(random.Random(9))]
    queries = [query for query in queries if query.terms]
    alone = [lexical.rank(large, query).scores for query in queries]

    def all_of_them(turn: int) -> list[dict[int, float]]:
        order = [(number + turn * 7) % len(queries) for number in range(len(queries))]
        found = {number: lexical.rank(large, queries[number]).scores for number in order}
        return [found[number] for number in range(len(queries))]

    with ThreadPoolExecutor(4) as pool:
        for together in pool.map(all_of_them, range(8)):
            assert together == alone


def test_a_look_at_arrays_that_are_not_there_is_taken_once(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    with large.writing_lock, large.transaction() as connection:
        drop_postings(connection)
    query = parse("kabel lodo mivin tengar")
    assert large.postings().lists(query.terms) is None
    asked_for: list[str] = []
    real = large.query
    monkeypatch.setattr(
        large, "query", lambda sql, *more: (asked_for.append(sql), real(sql, *more))[1]
    )
    assert large.postings().lists(query.terms) is None
    assert len(asked_for) == 1
