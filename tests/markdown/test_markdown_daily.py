"""Daily notes: the clock names the note, entries are never lost and never doubled."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.markdown.edits import append_daily
from tests.markdown.samples import ANY_TEXT, DAY


def titles(data: bytes) -> list[str]:
    return [line for line in data.decode().split("\n") if line.startswith("# ")]


@pytest.mark.parametrize(
    "heading",
    [
        "# 2025-06-27",
        "# 2026-05-01",
        "# 2026/05/02",
        "#   2025-06-27  #",
        "2025-06-27\n===",
        "# Daily note for 2025-06-27",
        "# Friday, June 27, 2025",
        "# 27 June 2025",
        "# 2025年6月27日",
        "# **2025-06-27**",
        "## 2026-05-01",
        "# 📅 2025-06-27 (Fri)",
    ],
)
@pytest.mark.parametrize("standing", [None, b"# 2026-05-01\n\n- a\n"])
def test_DAY_04_a_date_that_the_model_names_is_dropped(
    heading: str, standing: bytes | None
) -> None:
    done = append_daily(standing, f"{heading}\n- met Bo", DAY)
    assert done == (standing or b"# 2026-05-01\n\n") + b"- met Bo\n"


def test_DAY_04_words_beside_a_date_are_kept() -> None:
    done = append_daily(None, "# 2025-06-27: trip to Rome\n\n- met Bo", DAY)
    assert done == b"# 2026-05-01\n\n## 2025-06-27: trip to Rome\n\n- met Bo\n"
    assert append_daily(None, "# Trip\n- x", DAY) == b"# 2026-05-01\n\n# Trip\n- x\n"


def test_DAY_04_a_date_heading_in_code_is_code() -> None:
    done = append_daily(None, "```\n# 2025-06-27\n```", DAY)
    assert done == b"# 2026-05-01\n\n```\n# 2025-06-27\n```\n"


@pytest.mark.parametrize("first", ["- a", "# 2026-05-01\n- a", "- a\n"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_DAY_05_entries_add_up_and_a_repeated_day_adds_nothing(first: str, gap: str) -> None:
    note = append_daily(None, first, DAY)
    note = append_daily(note, "- b", DAY)
    assert note == b"# 2026-05-01\n\n- a\n- b\n"
    assert append_daily(note, f"# 2026-05-01{gap}- a\n- b", DAY) == note
    more = append_daily(note, f"# 2026-05-01{gap}- a\n- b\n- c", DAY)
    assert more == b"# 2026-05-01\n\n- a\n- b\n- c\n"


def test_DAY_05_a_repeated_day_adds_what_is_new_at_its_place() -> None:
    note = b"# 2026-05-01\r\n\r\n- a\r\n  - x\r\n\r\n## Work\r\n\r\nText.\r\n"
    entry = "# 2026-05-01\n\n- a\n  - x\n  - y\n- b\n\n## Work\n\nText.\n\nMore.\n\n## New\n\n- n"
    assert append_daily(note, entry, DAY) == (
        b"# 2026-05-01\r\n\r\n- a\r\n  - x\r\n  - y\r\n- b\r\n\r\n## Work\r\n\r\nText.\r\n\r\n"
        b"More.\r\n\r\n## New\r\n\r\n- n\r\n"
    )


def test_DAY_05_an_untitled_note_gets_a_title_when_the_entry_brought_one() -> None:
    assert append_daily(b"- a\n", "# 2026-05-01\n- a\n- b", DAY) == b"# 2026-05-01\n\n- a\n- b\n"
    assert append_daily(b"- a\n", "- b", DAY) == b"- a\n- b\n"
    front = b"---\nmood: ok\n---\n\n- a\n"
    done = append_daily(front, "# 2025-01-01\n- b", DAY)
    assert done == b"---\nmood: ok\n---\n# 2026-05-01\n\n- a\n- b\n"


def test_a_section_that_the_note_has_is_continued() -> None:
    note = b"# 2026-05-01\n\n## Work\n\n- a\n\n## Home\n\n- h\n"
    done = append_daily(note, "## Work\n- a\n- b\n\n## Food\n- soup", DAY)
    assert done == (b"# 2026-05-01\n\n## Work\n\n- a\n- b\n\n## Home\n\n- h\n\n## Food\n\n- soup\n")


def test_prose_starts_a_paragraph_of_its_own() -> None:
    note = append_daily(None, "First.", DAY)
    note = append_daily(note, "Second.", DAY)
    assert note == b"# 2026-05-01\n\nFirst.\n\nSecond.\n"
    assert append_daily(note, "- c", DAY) == note + b"\n- c\n"


@pytest.mark.parametrize("entry", ["```sh\nmake", "~~~~\n- a", "<!-- cut", "text\n\n`````x\n```\n"])
def test_an_entry_cut_short_cannot_swallow_the_next_one(entry: str) -> None:
    note = append_daily(append_daily(None, entry, DAY), "- next", DAY)
    from mnemofs.markdown.entries import bullets

    assert [bullet.text for bullet in bullets(note)] == ["next"]


def test_a_blank_entry_changes_nothing() -> None:
    assert append_daily(b"- a", " \n\t\n", DAY) == b"- a"
    assert append_daily(b"- a", "# 2025-01-01\n", DAY) == b"- a"


def lines_with_text(text: str) -> list[str]:
    return [line.strip() for line in text.replace("\r", "\n").split("\n") if line.strip()]


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_no_line_of_a_note_is_lost_and_repeating_it_adds_nothing(text: str, entry: str) -> None:
    done = append_daily(text.encode(), entry, DAY)
    kept = lines_with_text(done.decode())
    for line in lines_with_text(text):
        assert line in kept
    for line in lines_with_text(entry):
        assert line in kept or line.startswith("#") or not line.strip("-=")
    assert append_daily(done, done.decode(), DAY) == done


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["- a", "- b", "- c\n  - d", "Text.", "## S\n- e"]), max_size=6))
def test_each_entry_stands_once_however_often_it_comes(entries: list[str]) -> None:
    note: bytes | None = None
    for entry in entries:
        note = append_daily(note, entry, DAY)
    found = lines_with_text((note or b"").decode())
    for line in {line for entry in entries for line in lines_with_text(entry)}:
        assert found.count(line) == 1
    assert len(titles(note or b"")) == (1 if entries else 0)
