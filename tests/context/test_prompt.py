"""The pure parts of the context: always-on files, structured entries, budgets, recall."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.context.prefetch import Recalled, asked_part, prefetch
from mnemofs.context.prompt import Block, MemoryFile, always_on, structured_block
from mnemofs.markdown.structured_text import StructuredText

NOTHING = Block("")
START = date(2026, 1, 1)


def test_the_prompt_is_the_same_bytes_for_the_same_memory() -> None:
    files = [MemoryFile("A.md", "one"), MemoryFile("B.md", ""), MemoryFile("C.md", "three")]
    first = always_on(files, NOTHING, limit=1000)
    assert first == always_on(list(files), NOTHING, limit=1000)
    assert first.text == "--- A.md ---\none\n\n--- C.md ---\nthree"
    assert first.files == ("A.md", "C.md")


def test_what_does_not_fit_is_named() -> None:
    long = "# M\n\n" + "".join(f"## S{n}\n\n{'word ' * 60}\n\n" for n in range(6))
    block = always_on(
        [MemoryFile("MEMORY.md", long, 800), MemoryFile("KNOWLEDGE.md", "k" * 900)],
        NOTHING,
        limit=1000,
    )
    assert len(block.text) <= 1000
    assert "## S0" in block.text and "## S5" not in block.text
    assert any("S5" in name for name in block.omitted)
    assert "KNOWLEDGE.md: whole file" in block.omitted or "KNOWLEDGE.md" in block.files


def test_budgets_drop_the_oldest_dated_entries_first_and_say_up_to_when() -> None:
    lines = [f"- {START + timedelta(days=n)} (tool): fact number {n} {'x' * 40}" for n in range(30)]
    text = "# Memory\n\n## Decisions\n\n- Undated and kept\n\n## Recent\n\n" + "\n".join(lines)
    block = always_on([MemoryFile("MEMORY.md", text, 1200)], NOTHING, limit=0)
    assert len(block.text) < 1300
    assert "fact number 29" in block.text and "Undated and kept" in block.text
    assert "fact number 0 " not in block.text
    (named,) = block.omitted
    gone = 30 - block.text.count("fact number")
    assert named == f"MEMORY.md: {gone} older entries up to {START + timedelta(days=gone - 1)}"


def test_a_nested_item_leaves_with_the_entry_it_belongs_to() -> None:
    old = "- 2026-01-01: old\n  - its detail\n\n  more of it\n"
    new = "".join(f"- 2026-02-{n:02}: new {n} {'y' * 30}\n" for n in range(1, 8))
    block = always_on([MemoryFile("MEMORY.md", f"# M\n\n{old}{new}", 320)], NOTHING, limit=0)
    assert "detail" not in block.text and "more of it" not in block.text
    assert "new 7" in block.text


@pytest.mark.parametrize("limit", [0, 100, 500, 3000])
def test_comments_are_for_people(limit: int) -> None:
    text = "# Memory\n\n<!-- What stays true. -->\n\n## Facts\n\n<!--\nmany\nlines\n-->\n\n- one\n"
    block = always_on([MemoryFile("MEMORY.md", text)], NOTHING, limit=limit)
    assert "<!--" not in block.text
    assert block.text == "--- MEMORY.md ---\n# Memory\n\n## Facts\n\n- one"
    assert always_on([MemoryFile("M.md", "<!-- only this -->\n")], NOTHING, limit=0).text == ""


def entry(number: int, day: date | None, kind: str = "user") -> tuple[str, StructuredText]:
    return kind, StructuredText(f"key_{number}", f"value {number}", "agent", day)


@pytest.mark.parametrize("kind", ["user", "feedback"])
@pytest.mark.parametrize(("count", "cap"), [(41, 40), (50, 40), (5, 4), (2, 1)])
def test_CTX_03_the_oldest_entries_are_left_out_and_counted(
    kind: str, count: int, cap: int
) -> None:
    entries = [entry(number, START + timedelta(days=number), kind) for number in range(count)]
    block = structured_block(entries, limit=0, per_type=cap)
    gone = count - cap
    assert f"**key_{gone - 1}**" not in block.text and f"**key_{count - 1}**" in block.text
    noun = "entry" if gone == 1 else "entries"
    assert block.text.endswith(f"> {gone} older {noun} left out here.")
    assert block.omitted == tuple(f"structured/{kind}.md: key_{n}" for n in range(gone))
    order = [line for line in block.text.split("\n") if line.startswith("- **")]
    assert order == [f"- **key_{n}**: value {n}" for n in range(gone, count)]


@given(
    st.lists(st.tuples(st.integers(0, 300), st.sampled_from(["user", "feedback"])), max_size=60),
    st.integers(150, 3000),
    st.integers(0, 40),
)
def test_CTX_03_a_budget_is_kept_whatever_is_in_it(
    sizes: list[tuple[int, str]], limit: int, per_type: int
) -> None:
    entries = [
        (kind, StructuredText(f"k{n}", "x" * size, "agent", START if n % 3 else None))
        for n, (size, kind) in enumerate(sizes)
    ]
    block = structured_block(entries, limit=limit, per_type=per_type)
    assert len(block.text) <= limit
    shown = block.text.count("\n- **")
    assert shown + len(block.omitted) == len(entries) and len(block.keys) == shown
    assert not per_type or shown <= 2 * per_type


@given(
    st.lists(st.integers(0, 4000), max_size=4),
    st.lists(st.integers(1, 600), max_size=12),
    st.integers(0, 6000),
)
def test_W_4_a_person_is_never_injected_beyond_the_budget(
    sizes: list[int], hits: list[int], limit: int
) -> None:
    files = [MemoryFile(f"F{n}.md", "word " * (size // 5), 4000) for n, size in enumerate(sizes)]
    own = always_on(files, NOTHING, limit=limit)
    found = [Recalled(f"m/{n}.md", n, "x" * size, "", "TEAM") for n, size in enumerate(hits)]
    asked = asked_part(NOTHING, found, [], limit=limit)
    for part in (own, asked):
        assert not limit or len(part.text) <= limit
    shown = len(asked.keys) + sum("no room" in name for name in asked.omitted)
    assert shown == len(hits)


def test_hits_carry_dates_and_what_has_no_room_is_named() -> None:
    hits = [
        Recalled("memory/2026-05-01.md", 3, "- met Bo\n  at noon", "2026-05-01", "TEAM"),
        Recalled("a.md", 7, "undated", "", "TEAM"),
        Recalled("b.md", 9, "x" * 500, "", "TEAM"),
    ]
    own = always_on([MemoryFile("MEMORY.md of user:1", "- mine")], NOTHING, limit=200)
    block = prefetch(own, asked_part(NOTHING, hits, [], limit=200))
    assert block.text.index("- mine") < block.text.index("met Bo")
    assert "- 2026-05-01 (memory/2026-05-01.md:3) - met Bo at noon" in block.text
    assert block.omitted == ("b.md:9: no room",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("> to be or not\nsaid Hamlet", "> to be or not said Hamlet"),
        ("one\n\n  two\n> Source: x | Updated: y\n", "one two"),
        ("<b>\n--- x ---", "<b> --- x ---"),
    ],
)
def test_W_18_a_quotation_in_an_entry_is_not_lost(content: str, said: str) -> None:
    entries = [("user", StructuredText("key", content, "agent", START))]
    assert f"- **key**: {said}" in structured_block(entries, limit=0, per_type=0).text


def test_nothing_recalled_is_nothing_said() -> None:
    own, asked = always_on([], NOTHING, limit=100), asked_part(NOTHING, [], [], limit=100)
    assert prefetch(own, asked) == Block("", (), ())


@pytest.mark.parametrize(
    "content",
    ["<!-- hint -->\nshort", "short\n<!-- hint\nover lines -->", "  <!-- hint -->\n\nshort"],
)
def test_a_comment_of_an_entry_is_not_shown(content: str) -> None:
    entry = StructuredText("style", content, "agent", None)
    block = structured_block([("user", entry)], limit=0, per_type=0)
    assert block.text.endswith("- **style**: short")


@pytest.mark.parametrize("key", [1, 31, 200, 3000])
@pytest.mark.parametrize("content", [3700, 4100, 50_000])
def test_CTX_03_a_long_key_with_a_long_text_does_not_empty_the_block(
    key: int, content: int
) -> None:
    entry = StructuredText("k" * key, "v" * content, "agent", None)
    block = structured_block([("user", entry)], limit=4000, per_type=40)
    assert 3000 < len(block.text) <= 4000 and block.omitted == ()
