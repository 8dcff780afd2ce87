"""Query text is data: whatever it holds, it finds what stands there and nothing else happens."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index
from mnemofs.index.terms.query import parse

from .conftest import Store, WordEmbedder, ask, found, write

NOTES = {
    "a.md": "run pre-commit before push\n",
    "b.md": "I write C++ for a living\n",
    "c.md": "and some C# on weekends, C only in school\n",
    "d.md": "don't panic\n",
    "e.md": "the disk is 100% full\n",
    "f.md": "upgrade to 2026.4.10 soon\n",
    "g.md": "write to a@b.example instead\n",
    "h.md": "部署方案已经写好\n",
    "i.md": "重跑gen-itgc后修复\n",
    "j.md": "see src/store/file_name.py for why\n",
    "k.md": "ブレーキを修理した。\n",
    "l.md": "프로젝트를 시작했다\n",
    "m.md": "สวัสดีครับ ผมชื่อ\n",
    "n.md": "Größe und Straße\n",
    "o.md": "party 🎉 with 🧠\n",
}


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_SRC_01_a_hyphenated_word_finds_its_note(store: Store, mode: str) -> None:
    index = store({"a.md": "run pre-commit before push\n"}, embedder=WordEmbedder())
    assert found(index, "pre-commit", mode=mode) == ["run pre-commit before push"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "query",
    [
        *('"', "(", "*", "^x", "AND", "NOT", "OR OR", "NEAR(", 'a"b', "don't", "100%", "C++"),
        *("C#", "a@b.example", "{x}:y", "x:y", "-foo", "2026.4.10", "\0", "a\0b", "", "   "),
        *("\ud800", "body:x", "sym : y", "a + b", "* *", '""', '"unclosed', "NEAR(a b, 3)"),
        *("^", "'; drop--"),
    ],
)
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_SRC_02_no_query_is_an_error(store: Store, query: str, mode: str) -> None:
    index = store(NOTES, embedder=WordEmbedder())
    result = ask(index, query, mode=mode)  # type: ignore[arg-type]
    assert result.mode == mode
    if not parse(query).terms:
        assert result.hits == ()
        assert "no word" in result.warnings[0]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("C++", "b.md"),
        ("c#", "c.md"),
        ("don't", "d.md"),
        ("don’t", "d.md"),
        ("100%", "e.md"),
        ("2026.4.10", "f.md"),
        ("a@b.example", "g.md"),
        ("A@B.example", "g.md"),
        ("file_name", "j.md"),
        ("store/file_name.py", "j.md"),
        ("src/store/file_name.py", "j.md"),
        ("ＰＲＥ－ＣＯＭＭＩＴ", "a.md"),
        ("groesse Grösse größe", "n.md"),
        ("STRASSE", "n.md"),
        ("🎉", "o.md"),
        ("🧠", "o.md"),
        ("修理", "k.md"),
        ("ブレーキ", "k.md"),
        ("시작", "l.md"),
        ("สวัสดี", "m.md"),
    ],
)
def test_SRC_02_symbols_and_scripts_find_their_own(store: Store, query: str, path: str) -> None:
    assert [hit.path for hit in ask(store(NOTES), query).hits] == [path]


@pytest.mark.parametrize("query", ["部署", "方案", "写好", "部", "好", "部署方案"])
def test_SRC_04_short_chinese_words_are_found(store: Store, query: str) -> None:
    index = store({"a.md": "部署方案已经写好\n", "b.md": "今天天气很热\n"})
    assert found(index, query) == ["部署方案已经写好"]


@pytest.mark.parametrize("query", ["itgc", "修复", "gen-itgc", "重跑", "后"])
def test_SRC_05_latin_glued_to_chinese_is_found(store: Store, query: str) -> None:
    assert [hit.path for hit in ask(store(NOTES), query).hits] == ["i.md"]


@pytest.mark.parametrize(
    ("query", "texts", "wanted"),
    [
        ("100%", ["rate 100% sure", "rate 1000 sure", "file_name", "filename"], 0),
        ("file_name", ["file_name", "filename", "file name", "file-name"], 0),
        ("5%", ["up 5% today", "up 0.5% today", "up 15% today", "5 today"], 0),
        ("0.5%", ["up 0.5% today", "up 5% today"], 0),
        ("C++", ["C++ here", "C here", "C# here", "C+ here"], 0),
        ("C", ["C here", "cc here"], 0),
        ("1.2", ["version 1.2", "version 1.25", "version 11.2", "version 1-2"], 0),
        ("2026.4.1", ["on 2026.4.1", "on 2026.4.10", "on 2026.4.11"], 0),
        ("R&D", ["the R&D budget", "the R D budget", "the RD budget"], 0),
        ("$5", ["costs $5", "costs 5", "costs 5$"], 0),
        ("@ada", ["ask @ada", "ask ada"], 0),
        ("#release", ["see #release", "the release"], 0),
        ("snake_case_name", ["snake_case_name", "snake_case", "snakecasename"], 0),
        ("__init__", ["in __init__ only", "to init it"], 0),
    ],
)
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_SRC_06_symbols_are_letters(
    store: Store, query: str, texts: list[str], wanted: int, mode: str
) -> None:
    files = {f"n{number}.md": text + "\n" for number, text in enumerate(texts)}
    index = store(files, embedder=WordEmbedder())
    assert found(index, query, mode=mode) == [texts[wanted]]  # type: ignore[arg-type]


def test_a_symbol_word_inside_a_longer_one_is_found_and_said(store: Store) -> None:
    index = store({"a.md": "call my_file_name here\n", "b.md": "the file name\n"})
    result = ask(index, "file_name")
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert "inside longer words" in result.warnings[0]


def test_in_a_sentence_a_signed_word_also_finds_the_bare_one(store: Store) -> None:
    index = store({"a.md": "went to the LGBTQ group\n", "b.md": "the LGBTQ+ parade\n"})
    assert found(index, "the LGBTQ+ parade and group")[0] == "the LGBTQ+ parade"
    assert len(found(index, "the LGBTQ+ parade and group")) == 2


def test_quoted_words_stay_together(store: Store) -> None:
    index = store({"a.md": "red green blue\n", "b.md": "green red\n", "c.md": "blue\n"})
    assert found(index, '"red green" blue') == ["red green blue"]
    assert found(index, '"green red"') == ["green red"]


def test_quoted_words_that_stand_nowhere_do_not_hide_the_rest(store: Store) -> None:
    index = store({"a.md": "a needle\n"})
    result = ask(index, 'owner_key:"user:b" OR needle')
    assert [hit.text for hit in result.hits] == ["a needle"]
    assert any("quoted" in warning for warning in result.warnings)


def test_a_final_star_means_any_ending(store: Store) -> None:
    index = store({"a.md": "deployments are frozen\n", "b.md": "deny it\n", "c.md": "**bold**\n"})
    assert found(index, "deploym*") == ["deployments are frozen"]
    assert found(index, "deployx*") == []
    assert found(index, "de*") == ["deployments are frozen", "deny it"]
    assert found(index, "**bold**") == ["**bold**"]


def test_a_misspelt_word_is_corrected_only_when_nothing_matched(store: Store) -> None:
    index = store({"a.md": "kubernetes cluster\n", "b.md": "a kubernatus, misspelt\n"})
    assert found(index, "kubernatus") == ["a kubernatus, misspelt"]
    result = ask(index, "kuberntees")
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert "kuberntees" in result.warnings[0]


@pytest.mark.parametrize(
    ("asked", "there"), [("worda", "wordb"), ("tok12", "tok13"), ("cat", "car")]
)
def test_names_that_differ_by_a_character_are_not_corrected(
    store: Store, asked: str, there: str
) -> None:
    assert found(store({"a.md": f"{there}\n"}), asked) == []


SCRIPTS = "部署方案已经写好天地人数据库設計あいうアイウー한국어시작"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.sampled_from(SCRIPTS + "abc 1。,"), min_size=1, max_size=20),
    st.integers(0, 19),
    st.integers(1, 4),
)
def test_every_piece_of_unspaced_text_finds_it(text: str, start: int, length: int) -> None:
    piece = text[start : start + length]
    if not piece or not all(char in SCRIPTS for char in piece):
        return
    with tempfile.TemporaryDirectory() as folder, Index(folder) as index:
        write(Path(folder), {"a.md": f"x{text}x\n"})
        assert [hit.path for hit in search([ScopedIndex(index)], piece, mode="lexical").hits]


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = tmp_path_factory.mktemp("notes")
    write(root, NOTES)
    index = Index(root, embedder=WordEmbedder())
    index.refresh()
    index.embed_pending()
    return index


@settings(max_examples=150, deadline=None)
@given(query=st.text(max_size=40))
def test_any_text_may_be_asked(notes: Index, query: str) -> None:
    for mode in ("lexical", "hybrid"):
        search([ScopedIndex(notes)], query, mode=mode, fresh=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "when"),
    [
        ("When did Ada move?", True),
        ("什么时候搬家", True),
        ("Wann zieht sie um?", True),
        ("¿Cuándo se muda?", True),
        ("いつ引っ越す", True),
        ("Where is the whenever?", False),
    ],
)
def test_questions_for_a_time_are_recognised(query: str, when: bool) -> None:
    assert parse(query).when is when
