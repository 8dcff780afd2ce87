"""The three-way merge: nothing lost, doubled or invented, no markers, the same on both machines."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.markdown.edits import append_daily, remember
from mnemofs.markdown.merge import Conflict, Merged, merge
from tests.markdown.samples import ANY_TEXT, DAY, NOON
from tests.markdown.test_markdown_limits import HOSTILE

FIGURES = Path(__file__).resolve().parents[2] / "benchmarks" / "merge.py"


def merged(
    base: str, ours: str, theirs: str, path: str = "MEMORY.md", *, again: bool = True
) -> Merged:
    """Merge both ways round; the bytes must not depend on who calls himself ours, and merging
    either side once more changes nothing, even from the old base."""
    done = merge(base.encode(), ours.encode(), theirs.encode(), path=path)
    mirrored = merge(base.encode(), theirs.encode(), ours.encode(), path=path)
    assert done.content == mirrored.content
    turned = [Conflict(c.path, c.heading, c.theirs, c.ours, c.kind) for c in mirrored.conflicts]
    assert list(done.conflicts) == turned
    for side in (ours.encode(), theirs.encode()):
        assert merge(side, done.content, side, path=path).content == done.content
        if again:
            assert merge(base.encode(), done.content, side, path=path).content == done.content
    return done


def clean(base: str, ours: str, theirs: str, path: str = "MEMORY.md") -> str:
    done = merged(base, ours, theirs, path)
    assert done.conflicts == ()
    return done.content.decode()


def kinds(done: Merged) -> list[tuple[str, str]]:
    return [(conflict.kind, conflict.heading) for conflict in done.conflicts]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("path", ["memory/2026-05-01.md", "MEMORY.md", "notes/x.md"])
@pytest.mark.parametrize(
    ("base", "b", "c"),
    [
        ("# 2026-05-01\n\n- a\n", "- b\n", "- c\n"),
        ("# 2026-05-01\n\n- a\n", "- b\n  more b\n", "- c\n  - nested\n"),
        ("# 2026-05-01\n\nprose\n", "\nb\n", "\nc\n"),
        ("# 2026-05-01\n\n1. a\n", "2. b\n", "2. c\n"),
        ("# 2026-05-01\n", "\n```\nb\n```\n", "\n```\nc\n```\n"),
        ("# 2026-05-01\n\n- a\n", "\n## b\n\nb1\n", "\n## c\n\nc1\n"),
        ("a\n", "b\n", "c\n"),
        ("", "- b\n", "- c\n"),
    ],
)
def test_SYN_01_both_append_to_one_note_and_both_survive(
    base: str, b: str, c: str, path: str, eol: str
) -> None:
    texts = [text.replace("\n", eol) for text in (base, base + b, base + c)]
    done = clean(texts[0], texts[1], texts[2], path)
    found = Counter(line.strip() for line in done.split(eol) if line.strip())
    for text in (base, b, c):
        for line in text.split("\n"):
            if line.strip() and not line.startswith("```"):
                assert found[line.strip()] == 1
    assert done.startswith(texts[0])


@pytest.mark.parametrize("base", ["# 2026-05-01\n\n- a", "# 2026-05-01\n\n- a\n", ""])
def test_CON_01_appends_of_our_own_edits_meet_without_a_conflict(base: str) -> None:
    sides = [append_daily(base.encode() or None, f"- n{n:02}", DAY) for n in range(2)]
    content = merge(base.encode(), sides[0], sides[1], path="memory/2026-05-01.md")
    assert content.conflicts == ()
    for n in range(2, 12):
        late = append_daily(base.encode() or None, f"- n{n:02}", DAY)
        content = merge(base.encode(), content.content, late, path="memory/2026-05-01.md")
        assert content.conflicts == ()
    lines = content.content.decode().split("\n")
    assert [line for line in lines if line.startswith("- n")] == [f"- n{n:02}" for n in range(12)]
    lessons = [remember(None, word, at=NOON, source="t") for word in ("one", "two")]
    both = merge(b"", lessons[0], lessons[1], path="MEMORY.md")
    assert both.conflicts == () and both.content.count(b"## Recent Lessons") == 1


def test_SYN_02_two_values_of_one_key_have_one_winner_and_a_record() -> None:
    done = merged("city: Rome\n", "city: Oslo\n", "city: Lima\n", "PROFILE.md")
    assert done.content in (b"city: Oslo\n", b"city: Lima\n")
    assert done.conflicts == (
        Conflict("PROFILE.md", "", b"city: Oslo\n", b"city: Lima\n", "value"),
    )
    for newer, city in (("ours", b"Oslo"), ("theirs", b"Lima")):
        told = merge(
            b"city: Rome\n", b"city: Oslo\n", b"city: Lima\n", path="PROFILE.md", newer=newer
        )  # fmt: skip
        assert city in told.content


def test_key_value_lines_merge_by_key() -> None:
    base = "# P\n\nname: Ada\ncity: Rome\ntz: UTC\n"
    ours = "# P\n\nname: Ada L\ncity: Rome\ntz: UTC\nlang: en\n"
    theirs = "# P\n\nname: Ada\ncity: Oslo\nsize: 9\n"
    done = clean(base, ours, theirs, "PROFILE.md")
    assert done == "# P\n\nname: Ada L\ncity: Oslo\nlang: en\nsize: 9\n"
    same = clean("x\n", "x\n\ncity: Oslo\n", "x\n\ncity: Oslo\n\nmore\n", "PROFILE.md")
    assert same.count("city") == 1


def test_lines_of_prose_that_look_like_keys_are_never_dropped_from_notes() -> None:
    path = "memory/2026-05-01.md"
    done = clean("# D\n", "# D\n\nNote: met Bo\n", "# D\n\nNote: met Cy\n", path)
    assert "met Bo" in done and "met Cy" in done


def test_front_matter_merges_by_key() -> None:
    base = (
        "---\n# mine\ntitle: Q3: plan\ntags: [a, b]\nversion: 3\nupdated: 2026-05-01\n---\nbody\n"
    )
    ours = base.replace("[a, b]", "[a, b, c]").replace("3\nu", "4\nu").replace("05-01", "05-03")
    theirs = base.replace("[a, b]", "[b, d]").replace("3\nu", "5\nu").replace("05-01", "05-02")
    theirs = theirs.replace("body\n", "body\n\nmore\n").replace("# mine\n", "# mine\nowner: bo\n")
    done = clean(base, ours, theirs, "memories/plan.md")
    assert done == (
        "---\n# mine\nowner: bo\ntitle: Q3: plan\ntags: [b, c, d]\nversion: 5\n"
        "updated: 2026-05-03\n---\nbody\n\nmore\n"
    )


def test_front_matter_values_that_contradict_are_recorded_and_added_blocks_meet() -> None:
    done = merged(
        "---\na: 1\n---\nx\n", "---\na: 2\n---\nx\n", "---\na: 3\nb:\n  - y\n---\nx\n", "m.md"
    )  # fmt: skip
    assert kinds(done) == [("value", "")]
    assert done.content.count(b"---\n") == 2 and b"b:\n  - y\n" in done.content
    both = clean("x\n", "---\na: 1\n---\nx\n", "---\nb: 2\n---\nx\ny\n", "m.md")
    assert both == "---\na: 1\nb: 2\n---\nx\ny\n"


def entry(key: str, text: str, day: str) -> str:
    return f"## {key}\n{text}\n> Source: agent | Updated: 2026-05-{day}\n"


def test_structured_entries_merge_by_key_and_the_newer_value_stands() -> None:
    base = entry("a", "one", "01") + "\n" + entry("b", "two", "01")
    ours = entry("a", "uno", "05") + "\n" + entry("b", "two", "01") + "\n" + entry("c", "c", "02")
    theirs = entry("a", "eins\nzwei", "03") + "\n" + entry("d", "d", "03")
    done = merged(base, ours, theirs, "structured/user.md")
    text = done.content.decode()
    assert text.startswith(entry("a", "uno", "05")) and "eins" not in text and "## b" not in text
    assert entry("c", "c", "02") in text and entry("d", "d", "03") in text
    assert done.conflicts == (
        Conflict(
            "structured/user.md",
            "a",
            b"uno\n> Source: agent | Updated: 2026-05-05\n",
            b"eins\nzwei\n> Source: agent | Updated: 2026-05-03\n",
            "value",
        ),
    )


def test_structured_entries_added_or_stamped_twice_and_deleted_while_edited() -> None:
    path = "structured/user.md"
    added = merged("", entry("k", "x", "01"), entry("k", "y", "02"), path)
    assert added.content.decode() == entry("k", "y", "02") and kinds(added) == [("value", "k")]
    stamped = clean(
        entry("k", "x", "01"), entry("k", "x", "03"), entry("k", "x", "02"), path
    )  # fmt: skip
    assert stamped == entry("k", "x", "03")
    base = entry("k", "x", "01") + "\n" + entry("z", "z", "01")
    gone = merged(base, entry("z", "z", "01"), base.replace("x\n", "new\n"), path)
    assert b"new" in gone.content and kinds(gone) == [("edit/delete", "k")]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (["09:00 a", "11:00 c"], ["10:00 b"], ["09:00 a", "10:00 b", "11:00 c"]),
        (["23:10 z"], ["00:05 a", "9:30 b"], ["00:05 a", "9:30 b", "23:10 z"]),
        (["9:30 pm z"], ["11:00 am a"], ["11:00 am a", "9:30 pm z"]),
        (
            ["2026-05-02 08:00 (tool): b"],
            ["2026-05-01 23:00 (tool): a"],
            ["2026-05-01 23:00 (tool): a", "2026-05-02 08:00 (tool): b"],
        ),
        (["**10:00** b"], ["[09:00] a"], ["[09:00] a", "**10:00** b"]),
    ],
)
def test_daily_notes_merge_by_time(ours: list[str], theirs: list[str], expected: list[str]) -> None:
    base = "# 2026-05-01\n\n- 08:00 first\n"
    texts = [base + "".join(f"- {line}\n" for line in side) for side in (ours, theirs, expected)]
    assert clean(base, texts[0], texts[1], "memory/2026-05-01.md") == texts[2]


def test_timed_sections_of_a_note_or_diary_merge_by_time() -> None:
    base = "# Dreams\n\n## 2026-05-01 03:00 Dreaming\n\nx\n"
    ours = base + "\n## 2026-05-03 03:00 Dreaming\n\nz\n"
    theirs = base + "\n## 2026-05-02 03:00 Dreaming\n\n### Kept\n\n- y\n"
    done = clean(base, ours, theirs, "DREAMS.md")
    assert re.findall(r"05-0(\d)", done) == ["1", "2", "3"]
    assert done.index("### Kept") < done.index("05-03")


def test_a_ledger_merges_by_union_in_time_order() -> None:
    line = '{{"time":"2026-05-0{}T00:00:00Z","kind":"dream"}}\n'
    base = line.format(1) + line.format(2)
    ours = base + line.format(5) + line.format(3)
    theirs = line.format(1) + line.format(4) + line.format(3).strip()
    done = clean(base, ours, theirs, "ledger/2026-05.jsonl")
    assert re.findall(r"05-0(\d)", done) == ["1", "3", "4", "5"]  # 2 was forgotten over there


@pytest.mark.parametrize(
    "path", ["structured/user.md", "MEMORY.md", "mnemofs.toml", "ledger/x.jsonl", "any.txt"]
)
def test_a_file_that_both_sides_add_is_merged_with_nothing(path: str) -> None:
    done = merged("", "alpha = 1\n", "beta = 2\n", path)
    assert sorted(done.content.split(b"\n")) in ([b"", b"alpha = 1", b"beta = 2"],
                                                 [b"", b"", b"alpha = 1", b"beta = 2"])  # fmt: skip


def test_settings_merge_by_table_and_key_and_stay_valid() -> None:
    import tomllib

    base = 'agent = "a"\n\n[memory]\nlimit = 1\n\n[dream]\nat = "03:00"\n'
    ours = base.replace("limit = 1", "limit = 2\nfiles = [\n  'A',\n  'B',\n]")
    theirs = base.replace("limit = 1", "limit = 3").replace("03:00", "04:00") + "on = true\n"
    done = merged(base, ours, theirs, "mnemofs.toml")
    found = tomllib.loads(done.content.decode())
    assert found["memory"]["files"] == ["A", "B"] and found["dream"] == {"at": "04:00", "on": True}
    assert found["memory"]["limit"] in (2, 3) and kinds(done) == [("value", "[memory]")]


@pytest.mark.parametrize(
    "block",
    [
        "- x{}\n",
        "- x{}\n  with more of it\n",
        "Prose {} that is\nwrapped over two lines of text, which is long enough.\n",
        "```sh\n# {}\nmake\n```\n",
        "~~~~\n```\n## {}\n```\n~~~~\n",
        "<!-- kept {}\n## not a heading\n-->\n",
        "| a | {} |\n|---|---|\n| 1 | 2 |\n",
        "> quoted {}\n> more\n",
        "<div>\n{}\n</div>\n",
        "    indented {}\n",
        "Setext {}\n---\n\nunder {}\n",
    ],
)
def test_blocks_of_every_kind_are_added_edited_and_deleted_on_different_sides(block: str) -> None:
    old, mine, yours = (block.format(word, word) for word in ("old", "mine", "yours"))
    base = f"# T\n\n## A\n\n{old}\n## B\n\n- b\n"
    ours = base.replace(f"\n{old}", f"\n{old}\n{mine}")
    theirs = base.replace("- b\n", f"- b\n\n{yours}")
    assert clean(base, ours, theirs) == ours.replace("- b\n", f"- b\n\n{yours}")
    gone = base.replace(f"{old}\n", "")
    assert clean(base, gone, theirs) == gone.replace("- b\n", f"- b\n\n{yours}")
    edited = base.replace(old, mine)
    assert clean(base, edited, theirs) == edited.replace("- b\n", f"- b\n\n{yours}")


def test_both_add_further_lines_to_one_entry() -> None:
    done = clean("- a thing\n- z\n", "- a thing\n  mine\n- z\n", "- a thing\n  yours\n- z\n")
    assert done == "- a thing\n  mine\n  yours\n- z\n"


def test_code_merges_by_line_where_it_can() -> None:
    code = "```py\nimport a\n\ndef one():\n    pass\n\ndef two():\n    pass\n```\n"
    ours = code.replace("import a", "import a, b")
    theirs = code.replace("def two():\n    pass", "def two():\n    return 2")
    assert clean(code, ours, theirs) == ours.replace(
        "def two():\n    pass", "def two():\n    return 2"
    )
    clash = merged(code, ours, code.replace("import a", "import c"))
    assert clash.content.count(b"```py") == 2 and kinds(clash) == [("edit/edit", "")]


def test_tables_merge_by_row() -> None:
    base = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    ours = base.replace("| 1 | 2 |", "| 1 | two |") + "| 5 | 6 |\n"
    theirs = "| a   | b |\n|-----|---|\n| 1   | 2 |\n| 7   | 8 |\n"
    done = clean(base, ours, theirs)
    assert done == "| a   | b |\n|-----|---|\n| 1 | two |\n| 5 | 6 |\n| 7   | 8 |\n"


def test_nested_items_keep_their_parent() -> None:
    base = "- trip to Rome\n  - hotel\n- other thing\n"
    ours = "- trip to Rome\n  - hotel\n  - flight\n- other thing\n"
    theirs = "- trip to Rome in May\n  - hotel\n  - car\n    - small\n- other thing\n"
    done = clean(base, ours, theirs)
    for line in ("- trip to Rome in May", "  - hotel", "  - flight", "  - car", "    - small"):
        assert done.split("\n").count(line) == 1
    assert done.index("    - small") == done.index("  - car") + len("  - car\n")
    removed = merged(base, ours, "- other thing\n")
    assert removed.content == b"- trip to Rome\n  - flight\n- other thing\n"
    assert kinds(removed) == [("edit/delete", "")]


def test_subsections_stay_under_their_section() -> None:
    base = "# T\n\n## A\n\n- a\n\n### A1\n\n- a1\n\n## B\n\n- b\n"
    ours = base.replace("## B", "### A2\n\n- a2\n\n## B")
    theirs = base.replace("## B", "## New\n\n- n\n\n## B")
    done = clean(base, ours, theirs)
    assert re.findall(r"(?m)^#+ (\S+)", done) == ["T", "A", "A1", "A2", "New", "B"]


def test_a_move_and_an_edit_of_one_entry_are_both_kept() -> None:
    base = "## A\n\n- likes green tea very much\n- x\n\n## B\n\n- y\n"
    ours = "## A\n\n- x\n\n## B\n\n- likes green tea very much\n- y\n"
    theirs = base.replace("very much", "in the morning")
    done = clean(base, ours, theirs)
    assert done == "## A\n\n- x\n\n## B\n\n- likes green tea in the morning\n- y\n"


def test_the_same_move_or_addition_on_both_sides_happens_once() -> None:
    base = "## A\n\n- likes green tea very much\n\n## B\n\n- y\n\n## C\n\n- z\n"
    to_b = "## A\n\n## B\n\n- y\n- likes green tea very much\n\n## C\n\n- z\n"
    to_c = "## A\n\n## B\n\n- y\n\n## C\n\n- z\n- likes green tea very much\n"
    assert clean(base, to_b, to_c).count("green tea") == 1
    added = "- met Bo at the harbour market\n"
    done = clean(base, base.replace("- y\n", "- y\n" + added), base + added)
    assert done.count("harbour") == 1


def test_a_renamed_section_takes_what_the_other_side_adds_to_it() -> None:
    base = "# T\n\n## Todo\n\n- call Ada\n- pay rent\n\n## Done\n\n- slept\n"
    ours = base.replace("## Todo", "## Open items")
    theirs = base.replace("- pay rent\n", "- pay rent\n- buy milk\n")
    assert clean(base, ours, theirs) == ours.replace("- pay rent\n", "- pay rent\n- buy milk\n")
    twice = merged(base, ours, base.replace("## Todo", "## Tasks"), again=False)
    assert b"## Open items\n" in twice.content and b"## Tasks\n" in twice.content
    assert twice.content.count(b"- call Ada") == 1
    assert [kind for kind, _ in kinds(twice)] == ["rename/rename"]


def test_real_conflicts_keep_both_texts_and_say_so() -> None:
    base = "# T\n\n- the budget is ten thousand\n- other\n"
    ours = base.replace("ten", "twelve")
    theirs = base.replace("ten", "nine")
    done = merged(base, ours, theirs)
    assert done.content.count(b"the budget is") == 2
    assert done.conflicts == (
        Conflict(
            "MEMORY.md",
            "T",
            b"- the budget is twelve thousand\n",
            b"- the budget is nine thousand\n",
            "edit/edit",
        ),
    )
    gone = merged(base, ours, "# T\n\n- other\n")
    assert gone.content == ours.encode() and kinds(gone) == [("edit/delete", "T")]


def test_a_section_deleted_here_and_continued_there_stays_with_what_is_new() -> None:
    base = "# T\n\n## Old\n\n- one entry\n- two entry\n\n## Keep\n\n- k\n"
    done = merged(
        base, "# T\n\n## Keep\n\n- k\n", base.replace("- two entry\n", "- two entry\n- three\n")
    )  # fmt: skip
    assert done.content == b"# T\n\n## Old\n\n- three\n\n## Keep\n\n- k\n"
    assert kinds(done) == [("edit/delete", "T > Old")]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        (b"- a", b"- a\n- b", b"- a\n- c", b"- a\n- b\n- c"),
        (b"- a", b"- a\n- b\n", b"- a\n- c", b"- a\n- b\n- c\n"),
        (b"- a\r\n", b"- a\r\n- b\r\n", b"- a\r\n- c\r\n", b"- a\r\n- b\r\n- c\r\n"),
        (b"- a\n", b"- a\r\n- b\r\n", b"- a\n- c\n", b"- a\r\n- b\r\n- c\r\n"),
        (b"- a\r\n", b"- a\n", b"- a\r\n- c\r\n", b"- a\n- c\n"),
        (b"\xef\xbb\xbf- a\n", b"\xef\xbb\xbf- a\n- b\n", b"- a\n", b"- a\n- b\n"),
        (b"- a\n", b"\xef\xbb\xbf- a\n", b"- a\n- b\n", b"\xef\xbb\xbf- a\n- b\n"),
        (b"- a\r\n- x\n", b"- a\r\n- x\n- b\n", b"- z\n- a\r\n- x\n", b"- z\n- a\r\n- x\n- b\n"),
        (b"a\0b\n", b"a\0b\n\nc\n", b"x\n\na\0b\n", b"x\n\na\0b\n\nc\n"),
        ("é\u2028f\n".encode(), "é\u2028f\n\ng\n".encode(), "h\n\né\u2028f\n".encode(),
         "h\n\né\u2028f\n\ng\n".encode()),
        (b"- a\n\n\n", b"- a\n- b\n\n\n", b"- z\n- a\n\n\n", b"- z\n- a\n- b\n\n\n"),
    ],
)  # fmt: skip
def test_ends_of_lines_and_files_and_byte_order_marks_follow_the_side_that_changed_them(
    base: bytes, ours: bytes, theirs: bytes, expected: bytes
) -> None:
    for one, other in ((ours, theirs), (theirs, ours)):
        done = merge(base, one, other, path="MEMORY.md")
        assert done.content == expected and done.conflicts == ()


def test_bytes_that_are_not_text_are_not_merged() -> None:
    done = merge(b"a\n", b"\xff\xfea", b"a\nb\n", path="x.md")
    assert done.content == b"\xff\xfea" and [c.kind for c in done.conflicts] == ["unreadable"]
    assert merge(b"\xff\xfea", b"\xff\xfea", b"b\n", path="x.md").content == b"b\n"
    revived = merge(b"\xff\xfea", b"a\n", b"b\n", path="x.md")
    assert sorted(revived.content.split()) == [b"a", b"b"]


@pytest.mark.parametrize("marks", ["<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"])
def test_markers_that_somebody_else_left_are_text_like_any_other(marks: str) -> None:
    base = f"# T\n\n{marks}"
    done = merged(base, base + "\n- mine\n", base + "\n- yours\n")
    assert done.content.count(b"<<<<<<<") == 1


def test_an_open_fence_cannot_swallow_what_the_other_side_adds() -> None:
    done = merged("# T\n\n- a\n", "# T\n\n- a\n\n```sh\ncut", "# T\n\n- a\n\n- yours\n")
    from mnemofs.markdown.entries import bullets

    assert [bullet.text for bullet in bullets(done.content)] == ["a", "yours"]


PARTS = [
    "# T", "## A", "### B", "- item one two", "- item three four", "  - nested a b", "1. first",
    "> quote of it", "```\ncode\n```", "~~~\n## no\n~~~", "<!-- c -->", "<!--\n## hid\n-->", "---",
    "key: value", "| a | b |\n|---|---|\n| 1 | 2 |", "    code", "", "", "é中文 text", "Plan\n----",
    "09:00 woke up", "- 10:30 ate lunch", "- [ ] task x", "prose of one line", "<div>\nx\n</div>",
]  # fmt: skip
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["edit", "insert", "insert", "delete", "move"]),
        st.integers(0, 30),
        st.integers(0, 30),
        st.sampled_from(
            ["- new {}", "para {}", "## Head {}", "key{}: v", "  - deep {}", "{}:00 x"]
        ),
    ),
    max_size=5,
)


def changed(parts: list[str], changes: list[tuple[str, int, int, str]], name: str) -> list[str]:
    """Another version; whatever it adds holds a word that stands nowhere else."""
    parts = list(parts)
    for serial, (what, at, to, form) in enumerate(changes):
        word = f"{name}{serial}"
        if what == "insert" or not parts:
            parts.insert(at % (len(parts) + 1), form.format(word))
        elif what == "edit":
            at %= len(parts)
            head, _, tail = parts[at].partition("\n")
            parts[at] = f"{head} {word}" + (f"\n{tail}" if tail else "")
        elif what == "delete":
            parts.pop(at % len(parts))
        else:
            part = parts.pop(at % len(parts))
            parts.insert(to % (len(parts) + 1), part)
    return parts


def lines_of(data: bytes) -> Counter[str]:
    text = data.decode().replace("\r\n", "\n")
    return Counter(line.strip() for line in text.split("\n") if line.strip())


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(PARTS), max_size=12),
    CHANGES,
    CHANGES,
    st.sampled_from(["MEMORY.md", "memory/2026-05-01.md", "structured/user.md", "x.txt"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_nothing_is_lost_invented_revived_or_asymmetric(
    parts: list[str],
    mine: list[tuple[str, int, int, str]],
    yours: list[tuple[str, int, int, str]],
    path: str,
    eol: str,
    ended: bool,
) -> None:
    sides = (parts, changed(parts, mine, "mine"), changed(parts, yours, "yours"))
    texts = ["\n".join(side).replace("\n", eol) + (eol if ended else "") for side in sides]
    base, ours, theirs = (text.encode() for text in texts)
    done = merge(base, ours, theirs, path=path)
    assert done.content == merge(base, theirs, ours, path=path).content
    assert merge(base, done.content, done.content, path=path).content == done.content
    for side in (ours, theirs):
        assert merge(side, done.content, side, path=path).content == done.content
    found, before = lines_of(done.content), lines_of(base)
    recorded = Counter[str]()
    for conflict in done.conflicts:
        recorded += lines_of(conflict.ours) + lines_of(conflict.theirs)
    both = (lines_of(ours), lines_of(theirs))
    for side_lines in both:
        for line, count in side_lines.items():
            if count > before[line]:
                assert line in found or line in recorded, ("lost", line)
    for line in found:
        known = before[line] or both[0][line] or both[1][line]
        assert known or line in ("```", "~~~", "-->"), ("invented", line)
        if before[line] and not both[0][line] and not both[1][line]:
            assert line in ("```", "~~~", "-->"), ("revived", line)
        word = re.search(r"(?:mine|yours)\d", line)
        if word and not done.conflicts:
            assert found[line] == 1, ("doubled", line)
    assert not re.search(rb"(?m)^(<{7}|>{7})", done.content)


@settings(max_examples=150, deadline=None)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_three_texts_can_be_merged_and_the_laws_hold(base: str, ours: str, theirs: str) -> None:
    texts = base.encode(), ours.encode(), theirs.encode()
    for path in ("MEMORY.md", "memory/2026-05-01.md", "structured/user.md", "a.toml"):
        done = merge(*texts, path=path).content
        assert done == merge(texts[0], texts[2], texts[1], path=path).content
        assert merge(texts[0], texts[1], texts[1], path=path).content == texts[1]
        assert merge(texts[0], texts[0], texts[1], path=path).content == texts[1]
        assert merge(texts[0], texts[1], texts[0], path=path).content == texts[1]


def _figures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("merge_figures", FIGURES)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["merge_figures"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", [11, 12])
def test_the_figures_hold_on_a_small_run(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    faults = _figures().run(400, seed, 0)
    assert faults.total() == 0
    share = re.search(r"flagged for a person: ([\d.]+)%", capsys.readouterr().out)
    assert share and float(share[1]) <= 10


@pytest.mark.parametrize("seed", range(4))
def test_machines_that_sync_in_any_order_converge_and_lose_nothing(seed: int) -> None:
    """Four machines add, edit and delete entries and sync with one store, as git would base it."""
    dice = random.Random(seed)
    store = b"# 2026-05-01\n\n- start of the day\n"
    machines = [(store, store) for _ in range(4)]
    added: set[str] = set()
    deleted: set[str] = set()
    for step in range(60):
        at = dice.randrange(4)
        synced, local = machines[at]
        entries = [line for line in local.decode().split("\n") if line.startswith("- e")]
        if dice.random() < 0.65:
            line = f"- e{step} {dice.choice(['tea', 'rome', 'oslo'])} {dice.randint(0, 99)}"
            added.add(line)
            local = append_daily(local, line, DAY)
        elif entries and dice.random() < 0.5:
            line = dice.choice(entries)
            deleted.add(line)
            local = local.replace(line.encode() + b"\n", b"")
        if dice.random() < 0.5:
            store = merge(synced, local, store, path="memory/2026-05-01.md").content
            synced = local = store
        machines[at] = (synced, local)
    for at in (*range(4), *range(4)):
        synced, local = machines[at]
        store = merge(synced, local, store, path="memory/2026-05-01.md").content
        machines[at] = (store, store)
    assert len({local for _, local in machines}) == 1
    found = Counter(line for line in store.decode().split("\n") if line.startswith("- e"))
    assert set(found) == added - deleted
    assert set(found.values()) <= {1}


def test_three_machines_end_alike_whatever_the_order_of_their_timed_entries() -> None:
    base = b"# D\n\n- 08:00 start\n"
    sides = [base + f"- {hour}:00 entry {hour}\n".encode() for hour in (11, 9, 10)]
    results = set()
    for order in permutations(sides):
        content = order[0]
        for side in order[1:]:
            content = merge(base, content, side, path="memory/2026-05-01.md").content
        results.add(content)
    assert results == {base + b"- 9:00 entry 9\n- 10:00 entry 10\n- 11:00 entry 11\n"}


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_SEC_08_merging_hostile_files_is_linear(name: str) -> None:
    text = HOSTILE[name][:40_000]
    half = len(text) // 2
    base = text.encode()
    ours = (text[:half] + "\n- mine\n" + text[half:]).encode()
    theirs = ("# Top\n\n" + text[: half // 2] + text[half:]).encode()
    assert _timed(lambda: merge(base, ours, theirs, path="MEMORY.md")) < 5
    assert _timed(lambda: merge(b"", ours, theirs, path="structured/user.md")) < 5
