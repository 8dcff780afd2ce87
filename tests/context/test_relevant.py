"""Structured entries that fit a question, in the languages people ask in."""

from __future__ import annotations

from datetime import date

import pytest

from mnemofs.context.aliases import ALIASES
from mnemofs.context.relevant import relevant, relevant_block
from mnemofs.markdown.structured_text import StructuredText

DAY = date(2026, 5, 1)


def project(key: str, content: str, day: date | None = DAY) -> tuple[str, StructuredText]:
    return "project", StructuredText(key, content, "agent", day)


def reference(key: str, content: str, day: date | None = DAY) -> tuple[str, StructuredText]:
    return "reference", StructuredText(key, content, "agent", day)


ENTRIES = [
    project("tech_stack", "Go services and a Vue front end"),
    project("codename", "Bluebird"),
    project("release_day", "Ships every second Thursday"),
    reference("wiki_link", "https://wiki.example.org/home"),
    reference("db-host", "pg-7.internal"),
    project("客户", "上海的物流公司"),
]


def found(query: str) -> list[str]:
    return [ENTRIES[one.index][1].key for one in relevant(ENTRIES, query)]


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("what stack does my project use?", "tech_stack"),
        ("我的项目用什么技术栈?", "tech_stack"),
        ("このプロジェクトの技術は何ですか", "tech_stack"),
        ("Welche Technik verwendet mein Projekt?", "tech_stack"),
        ("¿Qué tecnología usa mi proyecto?", "tech_stack"),
        ("Quelles technologies utilise mon projet ?", "tech_stack"),
        ("What is the CODENAME?", "codename"),
        ("项目代号是什么", "codename"),
        ("コードネームは?", "codename"),
        ("Wie lautet der Deckname?", "codename"),
        ("什么时候发布?", "release_day"),
        ("wann veröffentlichen wir?", "release_day"),
        ("¿cuándo es el lanzamiento?", "release_day"),
        ("documentation please", "wiki_link"),
        ("which database host", "db-host"),
        ("我们的客户是谁", "客户"),
        ("物流", "客户"),
    ],
)
def test_a_question_in_any_language_finds_an_english_key(query: str, key: str) -> None:
    assert found(query)[0] == key


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and is", "的是了吗", "Wie geht es dir heute?", "?!", "🙂"]
)
def test_an_unrelated_question_finds_nothing(query: str) -> None:
    assert found(query) == []


def test_the_score_is_made_of_key_aliases_and_words() -> None:
    (best, *_) = relevant(ENTRIES, "tech stack of the Vue project")
    # tech and stack; alias stack and alias project; "tech", "stack", "vue".
    assert (best.score, best.parts) == (8 + 12 + 3, "key 8 alias 12 words 3")


def test_a_short_word_is_no_part_of_another() -> None:
    entries = [reference("ci", "Jenkins"), reference("go", "version 1.24")]
    assert relevant(entries, "our decision about the cigar goes here") == ()
    assert [one.index for one in relevant(entries, "which CI?")] == [0]


def test_conflicting_entries_stand_newest_first_with_their_dates() -> None:
    entries = [
        project("codename", "Robin", date(2026, 1, 1)),
        project("codename_new", "Bluebird", date(2026, 4, 1)),
        project("old_codename", "Crow", None),
    ]
    block = relevant_block(entries, relevant(entries, "codename?"), limit=0)
    lines = block.text.split("\n")
    assert lines[0] == "## Relevant Structured Memory (with the current project)"
    assert [line.split("**")[1] for line in lines[2:]] == [
        "codename_new",
        "codename",
        "old_codename",
    ]
    assert lines[2] == "- **codename_new**: Bluebird *(updated 2026-04-01)*"
    assert lines[4] == "- **old_codename**: Crow"


def test_the_project_is_announced_only_when_there_is_one() -> None:
    entries = [reference("wiki_link", "https://wiki.example.org")]
    block = relevant_block(entries, relevant(entries, "wiki link"), limit=0)
    assert block.text.startswith("## Relevant Structured Memory\n")
    assert block.files == ("structured/reference.md",)


@pytest.mark.parametrize("limit", [0, 100, 300, 1000])
def test_at_most_six_and_what_has_no_room_is_named(limit: int) -> None:
    entries = [project(f"budget_{n}", "x" * 80, date(2026, 1, n + 1)) for n in range(9)]
    chosen = relevant(entries, "budget")
    assert [one.index for one in chosen] == [8, 7, 6, 5, 4, 3]
    block = relevant_block(entries, chosen, limit=limit)
    assert not limit or len(block.text) <= limit
    assert block.text.count("\n- **") + len(block.omitted) == 6


def test_aliases_name_parts_of_keys_or_one_type() -> None:
    for alias in ALIASES:
        assert bool(alias.keys) != bool(alias.kind)
        assert all(term == term.casefold() for term in alias.terms)
