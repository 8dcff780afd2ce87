"""SEC-08: a hundred thousand times the same characters, in a note or in a question, cost no more
than as many others."""

from __future__ import annotations

import time

import pytest

from mnemofs.index.terms.query import parse

from .conftest import Store, ask, found

_SIZE = 100_000
_UNITS = [
    *(
        "# ",
        "。",
        "。中",
        "中。",
        "。 ",
        "a. ",
        "é. ",
        "…",
        "!",
        "？",
        "ア",
        "한",
        "ก",
        "“a",
        "「",
        "(a",
    ),
    *(
        "|-",
        "| ",
        "> ",
        "**a",
        "1:",
        "0-",
        "2026-",
        "2026-11-30 (",
        "a_",
        "%",
        "=",
        "\u0301",
        "\u200b",
    ),
]
_PLACES = {"a line": "", "a heading": "# ", "an item": "- a", "a source": "- 2026-11-30 ("}


@pytest.mark.parametrize("place", _PLACES)
@pytest.mark.parametrize("unit", _UNITS)
def test_SEC_08_a_run_in_a_note_takes_no_time(store: Store, unit: str, place: str) -> None:
    run = unit * (_SIZE // len(unit))
    start = time.thread_time()
    index = store({"memory/2026-11-30.md": f"# Day\n\n{_PLACES[place]}{run}\n\n- needle {unit}\n"})
    found(index, "needle")
    ask(index, f"needle {unit * 40}")
    assert time.thread_time() - start < 4


@pytest.mark.parametrize(
    "unit", [*_UNITS, '"', "“", "-", "|", "-->", "*", "a*", "'s", "a'", "+", "."]
)
def test_SEC_08_a_run_in_a_question_takes_no_time(unit: str) -> None:
    start = time.thread_time()
    for before, after in (("", ""), ("a", "a"), ("- ", "x"), ('"', '"'), ("“", "”")) * 2:
        parse(before + (unit * _SIZE)[: 3_990 - len(before)] + after)
        parse(before + unit * (_SIZE // len(unit)) + after)
    assert time.thread_time() - start < 3


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("…kiwi…", "kiwi"),
        ("'kiwi',", "kiwi"),
        ("-v", "-v"),
        ("kiwi-", "kiwi"),
        ("C++,", "c++"),
        ("(100%)", "100%"),
        ("«été»", "été"),
        ("...", ""),
    ],
)
def test_what_surrounds_a_word_is_no_part_of_it(asked: str, kept: str) -> None:
    assert parse(asked).terms == parse(kept).terms
