"""Arrays of scripts without spaces: pairs of characters, and longer runs, weigh what FTS5 says."""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.index.proofs.proof import prove
from mnemofs.index.sidecar import Index
from mnemofs.index.terms.query import parse
from mnemofs.index.words import lexical, pair_build, posting_build, postings
from mnemofs.index.words.packed import Group, of_pair, pack_group, unpack_group
from mnemofs.index.words.pair_build import CHUNK_BIT, HEAD_BIT, NEAR_BIT, Pairs
from tests.index.conftest import Store, write

WORDS = "数据库 数据 据点 仓库 库存 人工智能 智能 人工 我们 项目 什么 哈哈 学习 的 了 在 猫".split()
WORDS += "データ ベース テスト する です 東京 東 京都 の は がんばる すし".split()
WORDS += ["PostgreSQL", "한국어", "ภาษา", "C++", "，", "。", "·", "゛"]
QUESTIONS = [
    *("数据库", "数据", "猫", "哈哈", "哈哈哈", "库存", "据库", "人工智能", "東京都", "の", "すし"),
    *("用 PostgreSQL 吗", "我们的项目用什么数据库", "データベースのテストはどこですか", "한국어"),
    *(
        "数据库 和 PostgreSQL",
        "ภาษา",
        "我们",
        "项目，数据",
        "据点库存",
        "鳳凰",
        "鳳数据",
        "「数据」",
    ),
    *("人工智能学习项目的数据仓库在哪里", "智能数据 C++", "学习データ", "がんばる", "标题"),
]


def lines(dice: random.Random, count: int) -> str:
    return "".join(
        f"- {''.join(dice.choices(WORDS, k=dice.randint(2, 14)))}\n" for _ in range(count)
    )


@pytest.fixture
def chinese(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """A store that counts as large, with arrays."""
    monkeypatch.setattr(lexical, "_LARGE", 100)
    monkeypatch.setattr(lexical, "DEPTH", 20)
    monkeypatch.setattr(posting_build, "FROM_CHUNKS", 200)
    monkeypatch.setattr(posting_build, "FEW", 12)
    dice = random.Random(5)
    files = {f"memory/{n:02}.md": f"# 标题数据{n}\n\n" + lines(dice, 20) for n in range(40)}
    files["memory/often.md"] = "# 多\n\n- " + "哈" * 300 + "\n- 短\n- " + "数据库" * 90 + "\n"
    index = store(files)
    posting_build.tend(index)
    assert index.query("select ready from posted") == [(postings.FORM,)]
    yield index


def same_both_ways(index: Index, monkeypatch: pytest.MonkeyPatch, depth: int = 1000) -> int:
    """Asks by arrays and by FTS5 alone; in how many questions the arrays knew every term."""
    known = 0
    dice = random.Random(3)
    for question in [*QUESTIONS, *("".join(dice.choices(WORDS, k=3)) for _ in range(40))]:
        query = parse(question)
        if not query.terms:
            continue
        lists = index.postings().lists(query.terms)
        known += lists is not None and all(map(lists.holds, query.terms))
        ours = lexical.rank(index, query, depth)
        with monkeypatch.context() as patch:
            patch.setattr(lexical, "_lists", lambda *_: None)
            alone = lexical.rank(index, query, depth)
        assert ours.note == alone.note
        assert ours.scores.keys() == alone.scores.keys(), question
        for chunk, score in alone.scores.items():
            assert ours.scores[chunk] == pytest.approx(score, rel=1e-3), question
    return known


def test_scores_are_those_of_fts5(chinese: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    assert same_both_ways(chinese, monkeypatch) > 30


@pytest.mark.parametrize("most", [0, 5, 10_000])
def test_long_runs_are_looked_into_or_left_to_fts5(
    chinese: Index, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(postings, "_LOOKED_INTO", most)
    same_both_ways(chinese, monkeypatch)


def test_chunks_written_since_are_found_and_those_gone_are_not(
    chinese: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(chinese.root)
    write(root, {f"memory/new{n}.md": lines(random.Random(n), 10) for n in range(5)})
    write(root, {"memory/phoenix.md": "- 鳳凰\n- 鳳数据\n"})  # characters that no array has
    for n in range(0, 40, 7):
        (root / f"memory/{n:02}.md").unlink()
    (root / "memory/03.md").write_text("# 别的\n\n- 只有数据库\n")
    chinese.refresh()
    assert same_both_ways(chinese, monkeypatch) > 30
    assert prove(chinese).differences == ()
    assert lexical.rank(chinese, parse("鳳凰")).scores


def test_pairs_do_not_cross_from_one_column_or_chunk_into_the_next(chinese: Index) -> None:
    columns = chinese.postings().lists(parse("短哈").terms)
    assert columns is not None
    assert columns.count(parse("短哈").terms[0]) == 0


def test_ranges_of_chunks_make_no_difference(
    chinese: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "select term, packed from posting order by term"
    before = chinese.query(rows)
    monkeypatch.setattr(pair_build, "_RANGE_BITS", 5)
    monkeypatch.setattr(pair_build, "_RANGE", 31)
    monkeypatch.setattr(pair_build, "_BATCH", 100)
    monkeypatch.setattr(posting_build, "_BATCH", 500)
    monkeypatch.setattr(posting_build, "longest_tail", lambda _total: -1)
    posting_build.tend(chinese)
    assert chinese.query(rows) == before


def test_arrays_of_another_form_are_not_read_and_made_anew(chinese: Index) -> None:
    with chinese.writing_lock, chinese.transaction() as connection:
        connection.execute("update posted set ready = 1")
        connection.execute("delete from posting where length(term) > 1")
    assert chinese.postings().lists(parse("数据库").terms) is None
    assert prove(chinese).differences == ()
    posting_build.tend(chinese)
    assert chinese.query("select ready from posted") == [(postings.FORM,)]
    assert chinese.postings().lists(parse("数据库").terms) is not None


@pytest.mark.parametrize(
    "harm",
    [
        "update posting set packed = x'00' where term = '数据'",
        "update posting set packed = substr(packed, 1, length(packed) - 1) where term = '数据'",
        "update posting set packed = cast(packed || x'00' as blob) where term = '数据'",
        "delete from posting where term = '数据'",
        "update posting set packed = substr(packed, 1, length(packed) - 1) where term = '鳳 '",
        "update posting set packed = x'' where term = '鳳 '",
    ],
)
def test_a_damaged_row_falls_back_to_fts5_and_the_proof_names_it(
    chinese: Index, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    write(Path(chinese.root), {"memory/phoenix.md": "- 鳳凰\n- 鳳数据\n"})
    chinese.refresh()
    monkeypatch.setattr(posting_build, "longest_tail", lambda _total: -1)
    posting_build.tend(chinese)
    with chinese.writing_lock, chinese.transaction() as connection:
        connection.execute(harm)
    same_both_ways(chinese, monkeypatch)
    lists = chinese.postings().lists(parse("数据" if "数据" in harm else "鳳凰").terms)
    assert lists is None
    named = "数据" if "数据" in harm else "鳳"
    assert any(named in str(one) for one in prove(chinese).differences)


def test_the_proof_sees_a_wrong_pair(chinese: Index) -> None:
    assert prove(chinese).differences == ()
    (packed,) = chinese.query("select packed from posting where term = '据 '")[0]
    group = unpack_group(packed)
    other = group._replace(own=group.own + np.uint8(1))
    for harm, blob in (
        ("update posting set packed = ? where term = '据 '", pack_group(other)),
        ("insert into posting(segment, term, packed) values(1, '鳳凰', ?)", packed),
        ("delete from posting where term = '据 ' and ? <> ''", packed),
    ):
        with chinese.writing_lock, chinese.transaction() as connection:
            connection.execute(harm, (blob,))
        assert any("in their arrays" in str(one) for one in prove(chinese).differences), harm


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 70), st.integers(0, 2)), st.text("数据库の"), max_size=40
    )
)
def test_pairs_are_what_stands_side_by_side(texts: dict[tuple[int, int], str]) -> None:
    upto = 70
    column = (0, 1 << NEAR_BIT, 1 << HEAD_BIT)
    rows = sorted(
        (char, chunk << CHUNK_BIT | column[where] | place)
        for (chunk, where), text in texts.items()
        for place, char in enumerate(text)
    )
    pairs = Pairs(upto, io.BytesIO())
    for some in (rows[::2], rows[1::2]):
        pairs.take(
            np.array([row[1] for row in some], np.int64),
            np.array([ord(row[0]) for row in some], np.int64),
        )
    wanted: dict[tuple[str, int], list[int]] = {}
    for (chunk, where), text in texts.items():
        for left, right in itertools.pairwise(text):
            wanted.setdefault((left + right, chunk), [0, 0])[where == 1] += 1
    found = [
        ((block.first + chr(second), chunk), [own, near])
        for block in pairs.blocks()
        for second, chunk, own, near in zip(*(c.tolist() for c in block[1:]), strict=True)
    ]
    assert [key for key, _ in found] == sorted(wanted)
    assert dict(found) == wanted


@given(
    st.dictionaries(
        st.integers(0x3400, 0x3FFFF),
        st.dictionaries(
            st.integers(0, 1_000_000),
            st.tuples(st.integers(0, 300), st.integers(0, 9)),
            max_size=31,
        ),
        min_size=1,
    )
)
def test_packing_a_group_keeps_everything(pairs: dict[int, dict[int, tuple[int, int]]]) -> None:
    seconds = sorted(pairs)
    rows = [(chunk, *counts) for code in seconds for chunk, counts in sorted(pairs[code].items())]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    sizes = np.array([len(pairs[code]) for code in seconds])
    again = unpack_group(pack_group(Group(np.array(seconds, np.uint32), sizes, *columns)))
    for code in seconds:
        found = of_pair(again, code)
        if not pairs[code]:
            assert found is None
            continue
        assert found is not None
        wanted = sorted((chunk, min(own, 255), near) for chunk, (own, near) in pairs[code].items())
        assert list(zip(*(column.tolist() for column in found), strict=True)) == wanted
    missing = of_pair(again, 0x33FF)
    assert missing is not None
    assert len(missing[0]) == 0


@given(st.binary(max_size=60))
def test_no_bytes_do_harm(packed: bytes) -> None:
    try:
        group = unpack_group(packed)
    except ValueError:
        return
    assert len(group.chunks) == len(group.own) == len(group.near) == group.sizes.sum()
