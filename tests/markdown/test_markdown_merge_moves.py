"""Merging what one side moved or renamed and the other worked on, and merging again."""

from __future__ import annotations

import pytest

from mnemofs.markdown.merge import Merged, merge


def both_ways(base: str, a: str, b: str) -> Merged:
    """The merge, which is the same from either side."""
    done = merge(base.encode(), a.encode(), b.encode(), path="MEMORY.md")
    assert merge(base.encode(), b.encode(), a.encode(), path="MEMORY.md").content == done.content
    return done


TABLE = "| 日 | Wer |\n|---|---|\n| Montag | Ada und Bo |\n| Freitag | Cem und Dora |\n"
SHORT = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
ITEM = "- Tee\n  - grün aus Japan am Morgen\n  - schwarz mit Milch am Abend\n"


def at(place: int, moved: str) -> str:
    """A file in which something stands under one of three headings."""
    titles = ("Eins", "Zwei", "Drei")
    parts = [f"## {title}\n\nText, der bei {title} bleibt.\n" for title in titles]
    parts[place] += f"\n{moved}"
    return "\n".join(parts)


@pytest.mark.parametrize(
    ("thing", "more"),
    [
        (TABLE, "| Sonntag | niemand |\n"),
        (SHORT, "| 5 | 6 |\n"),
        (ITEM, "  - Kräuter\n"),
    ],
    ids=["table", "small table", "list"],
)
def test_what_has_a_short_head_moves_as_a_whole(thing: str, more: str) -> None:
    done = both_ways(at(0, thing), at(2, thing), at(0, thing + more))
    assert done.content.decode() == at(2, thing + more)
    assert done.conflicts == ()


@pytest.mark.parametrize("thing", [TABLE, SHORT, ITEM], ids=["table", "small table", "list"])
def test_what_both_sides_moved_stands_once(thing: str) -> None:
    done = both_ways(at(0, thing), at(1, thing), at(2, thing)).content.decode()
    assert done in (at(1, thing), at(2, thing))


def test_a_table_that_grows_while_it_moves_takes_the_other_side_s_row() -> None:
    moved = TABLE + "| Samstag | Ada allein |\n"
    done = both_ways(at(0, TABLE), at(2, moved), at(0, TABLE + "| Sonntag | niemand hier |\n"))
    text = done.content.decode()
    assert text.count("| 日 | Wer |") == 1
    assert all(text.count(day) == 1 for day in ("Montag", "Freitag", "Samstag", "Sonntag"))
    assert done.conflicts == ()


def test_a_heading_over_nothing_but_headings_is_renamed_with_them() -> None:
    base = "# Pläne\n\n## Q1\n\n- eins\n\n## Q2\n\n- zwei\n"
    one = base.replace("# Pläne", "# Pläne 2026")
    other = base.replace("- zwei", "- zwei und drei")
    assert both_ways(base, one, other).content.decode() == one.replace("- zwei", "- zwei und drei")
    done = both_ways(base, one, base.replace("# Pläne", "# 计划"))
    assert [conflict.kind for conflict in done.conflicts] == ["rename/rename"]


def test_what_was_merged_stays_when_a_side_is_merged_into_it_again() -> None:
    base = "# M\n\n### 房电\n\n- alt und neu\n\n```py\nx = 1\n```\n"
    a = base.replace("### 房电\n", "## Neu\n\n- steht davor\n\n### 房电\n").replace(
        "x = 1\n", "x = 1\ny = 2\nz = 3\n"
    )
    b = base.replace("### 房电", "### 房电 2").replace("x = 1\n", "x = 1\nw = 4\n")
    done = both_ways(base, a, b).content.decode()
    assert done.count("###") == 1
    for side in (a, b):
        assert both_ways(base, done, side).content.decode() == done
