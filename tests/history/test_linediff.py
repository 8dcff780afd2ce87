"""Alignment of lines and words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.store.past.linediff import align, changes, highlight, pair_lines, split_lines

TEXT = st.binary(max_size=200) | st.lists(
    st.sampled_from([b"a", b"b", b"", b"- x", b"# h", b"a\r", b"\xff"]), max_size=40
).map(b"\n".join)


def rebuilt(old: list[bytes], new: list[bytes]) -> list[bytes]:
    """`new`, made from `old` and the changes alone."""
    out: list[bytes] = []
    at = 0
    for hunk in changes(old, new):
        out += old[at : hunk.old_start] + new[hunk.new_start : hunk.new_end]
        at = hunk.old_end
    return out + old[at:]


@given(TEXT)
def test_lines_joined_are_the_text_again(data: bytes) -> None:
    lines = split_lines(data)
    assert b"".join(lines) == data
    assert all(line.count(b"\n") == line.endswith(b"\n") for line in lines)


@given(TEXT, TEXT)
def test_changes_lead_from_one_text_to_the_other(one: bytes, other: bytes) -> None:
    old, new = split_lines(one), split_lines(other)
    assert rebuilt(old, new) == new


@given(TEXT, TEXT)
def test_blocks_ascend_and_hold_equal_lines(one: bytes, other: bytes) -> None:
    old, new = split_lines(one), split_lines(other)
    i = j = 0
    for block in align(old, new):
        assert block.size and block.old >= i and block.new >= j
        i, j = block.old + block.size, block.new + block.size
        assert old[block.old : i] == new[block.new : j]
    assert i <= len(old) and j <= len(new)


@given(TEXT)
def test_a_text_has_no_changes_against_itself(data: bytes) -> None:
    lines = split_lines(data)
    assert changes(lines, lines) == []


@given(st.lists(st.integers(), unique=True, max_size=30), st.data())
def test_unique_lines_that_stay_are_never_shown_as_changed(
    numbers: list[int], data: st.DataObject
) -> None:
    old = [b"%d\n" % number for number in numbers]
    kept = [line for line in old if data.draw(st.booleans())]
    assert sum(block.size for block in align(old, kept)) == len(kept)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([b"\n"] * 40_000, [b"\n"] * 39_999),
        ([b"- x\n", b"\n"] * 20_000, [b"\n", b"- x\n", b"y\n"] * 13_000),
        ([b"a\n", b"b\n", b"c\n"] * 8_000, [b"c\n", b"a\n", b"b\n", b"b\n"] * 6_000),
        ([b"%d\n" % k for k in range(30_000)], [b"%d\n" % k for k in reversed(range(30_000))]),
        (
            [b"%d\n" % (k % 700) for k in range(20_000)],
            [b"%d\n" % (k % 701) for k in range(20_000)],
        ),
        ([b"x" * 100_000], [b"y" * 100_000]),
    ],
    ids=["blank", "two", "three", "reversed", "periods", "long"],
)
def test_SEC_08_no_shape_of_text_makes_a_diff_slow(one: list[bytes], other: list[bytes]) -> None:
    began = time.process_time()
    assert rebuilt(one, other) == other
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a " * 2000, "b a " * 1000),
        ("x" * 4000, "y" * 4000),
        ("中文" * 2000, "文中" * 2000),
        ("-" * 4000, "-=" * 2000),
        ("a" * 100_000, "b" * 100_000),
    ],
    ids=["words", "letters", "characters", "marks", "endless"],
)
def test_SEC_08_no_line_makes_the_highlights_slow(old: str, new: str) -> None:
    began = time.process_time()
    for _ in range(20):
        highlight(old, new)
        pair_lines([old], [new])
    assert time.process_time() - began < 4


@pytest.mark.parametrize(
    ("old", "new", "old_parts", "new_parts"),
    [
        ("- lives in Rome", "- lives in Oslo", ["Rome"], ["Oslo"]),
        ("likes tea", "likes green tea", [], ["green "]),
        ("likes green tea", "likes tea", ["green "], []),
        ("我住在北京", "我住在上海", ["北京"], ["上海"]),
        ("port 8080, host a", "port 9090, host b", ["8080", "a"], ["9090", "b"]),
        ("same", "same", [], []),
        ("", "new", [], ["new"]),
    ],
)
def test_highlights_are_the_words_that_changed(
    old: str, new: str, old_parts: list[str], new_parts: list[str]
) -> None:
    old_spans, new_spans = highlight(old, new)
    assert [old[start:end] for start, end in old_spans] == old_parts
    assert [new[start:end] for start, end in new_spans] == new_parts


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_is_not_highlighted_is_equal(old: str, new: str) -> None:
    def rest(text: str, spans: tuple[tuple[int, int], ...]) -> str:
        kept, at = "", 0
        for start, end in spans:
            assert at <= start < end <= len(text)
            kept += text[at:start]
            at = end
        return kept + text[at:]

    old_spans, new_spans = highlight(old, new)
    assert rest(old, old_spans) == rest(new, new_spans)


def test_replaced_lines_are_paired_with_what_they_became() -> None:
    old = ["- city: Rome", "- tea: green", "- gone entirely"]
    new = ["- something else altogether different", "- city: Oslo", "- tea: black"]
    assert pair_lines(old, new) == [(0, 1), (1, 2)]
    assert pair_lines([], new) == []
    assert pair_lines(["x"] * 1000, ["x"] * 1000) == []
