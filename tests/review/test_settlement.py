"""What a file is once somebody has decided: laws, over files nobody has thought of."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mnemofs.errors import EditRefused
from mnemofs.lifecycle.reviewing.disputes import (
    SIDES,
    Dispute,
    Side,
    is_open,
    newer_only,
    plan_settlement,
    standing,
)
from mnemofs.markdown.merge import merge

_WORDS = ("alpha", "beta", "gamma", "delta", "tea", "coffee", "Oslo", "Rome", "茶", "don't", "C++")
_SENTENCE = st.lists(st.sampled_from(_WORDS), min_size=4, max_size=8).map(" ".join)
_FILLER = st.lists(_SENTENCE, min_size=0, max_size=4, unique=True)


def dispute(
    ours: bytes, theirs: bytes, merged: bytes, *, heading: str = "", kind: str = "edit/edit"
) -> Dispute:
    when = datetime(2026, 5, 1, tzinfo=UTC)
    return Dispute("0" * 40, when, "MEMORY.md", heading, kind, ours, theirs, merged, "ours")


@st.composite
def quarrels(draw: st.DrawFn) -> tuple[bytes, list[Dispute]]:
    """A merged file, and the disputes of that merge as history would tell them."""
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    style = draw(st.sampled_from(["- {}", "{}\n", "1. {}", "- {}\n  more of it", "> {}\n"]))
    topic = draw(_SENTENCE)
    above, below = draw(_FILLER), draw(_FILLER)

    def file(middle: str) -> bytes:
        lines = ["# Title", "", "## Part", ""]
        lines += [style.format(text) for text in (*above, middle, *below)]
        lines += ["", "## End", "", "last", ""]
        return "\n".join(lines).replace("\n", ends).encode()

    base = file(f"{topic} at nine")
    one, two = draw(st.lists(st.sampled_from(["ten", "one", "six"]), min_size=2, max_size=2))
    assume(one != two)
    sides = file(f"{topic} at {one}"), file(f"{topic} at {two}")
    done = merge(base, *sides, path="MEMORY.md")
    return done.content, [
        dispute(found.ours, found.theirs, done.content, heading=found.heading, kind=found.kind)
        for found in done.conflicts
    ]


@settings(max_examples=120, deadline=None)
@given(quarrels(), st.sampled_from(SIDES))
def test_one_side_stays_the_other_goes_and_nothing_else_changes(
    quarrel: tuple[bytes, list[Dispute]], side: Side
) -> None:
    content, disputes = quarrel
    for one in disputes:
        assert is_open(one, content, None)
        settled = plan_settlement(one, content, side)
        assert settled is not None
        assert side in standing(one, settled)
        other = SIDES[1 - SIDES.index(side)]
        assert other not in standing(one, settled)
        assert not is_open(one, settled, None)
        gone = [line for line in content.splitlines(keepends=True) if line.strip()]
        for line in settled.splitlines(keepends=True):
            if line.strip():
                gone.remove(line)  # every line that is left stood there, to the byte
        assert len(gone) <= len(one.text(other).splitlines())


@settings(max_examples=60, deadline=None)
@given(quarrels())
def test_a_text_of_ones_own_stands_where_they_stood(quarrel: tuple[bytes, list[Dispute]]) -> None:
    content, disputes = quarrel
    for one in disputes:
        settled = plan_settlement(one, content, b"- mine")
        assert settled is not None
        assert settled.count(b"- mine") == 1
        assert standing(one, settled) == frozenset()
        assert settled.splitlines()[:4] == content.splitlines()[:4]
        assert settled.splitlines()[-1] == content.splitlines()[-1]
        assert (b"\r\n" in settled) == (b"\r\n" in content)
        with pytest.raises(EditRefused):
            plan_settlement(one, settled, b"- again")


@settings(max_examples=60, deadline=None)
@given(quarrels())
def test_an_agent_sees_one_of_them_and_where_to_look(quarrel: tuple[bytes, list[Dispute]]) -> None:
    content, disputes = quarrel
    shown = newer_only(disputes, content)
    for one in disputes:
        assert one.id.encode() in shown
        assert "theirs" not in standing(one, shown)
    assert newer_only([], content) == content


@settings(max_examples=50, deadline=None)
@given(quarrels(), _SENTENCE)
def test_writing_elsewhere_in_the_file_decides_nothing(
    quarrel: tuple[bytes, list[Dispute]], text: str
) -> None:
    content, disputes = quarrel
    for one in disputes:
        assert is_open(one, content + f"\n- {text} zz\n".encode(), None)
        assert is_open(one, f"# {text} zz\n\n".encode() + content, None)


@pytest.mark.parametrize(
    ("ours", "theirs", "merged", "kept"),
    [
        pytest.param(
            b"## New\n",
            b"## Newer\n",
            b"# T\n\n## New\n## Newer\n\n- x\n",
            b"# T\n\n## New\n\n- x\n",
            id="two names for a heading",
        ),
        pytest.param(
            b"- a one\n  b\n",
            b"- a two\n  b\n",
            b"- a one\n  b\n- a two\n  b\n",
            b"- a one\n  b\n",
            id="lines in common",
        ),
        pytest.param(
            b"One.\n",
            b"Two.\n",
            b"One.\n\nTwo.\n\nThree.\n",
            b"One.\n\nThree.\n",
            id="a paragraph goes with its gap",
        ),
        pytest.param(
            b"One.\n", b"Two.\n", b"One.\n\nTwo.", b"One.\n", id="at the end, without a line end"
        ),
        pytest.param(
            b"```\na\n```\n",
            b"```\nb\n```\n",
            b"```\na\n```\n\n```\nb\n```\n",
            b"```\na\n```\n",
            id="fences",
        ),
        pytest.param(b"", b"- x y\n", b"- w\n- x y\n- z\n", b"- w\n- z\n", id="deleted by us"),
    ],
)
def test_ours_is_kept(ours: bytes, theirs: bytes, merged: bytes, kept: bytes) -> None:
    assert plan_settlement(dispute(ours, theirs, merged), merged, "ours") == kept


@pytest.mark.parametrize(
    ("present", "wanted"),
    [
        (b"---\ncity: Rome\nname: Ada\n---\n\n# T\n", b"---\ncity: Oslo\nname: Ada\n---\n\n# T\n"),
        (b"city: Rome", b"city: Oslo"),
        (b"\xef\xbb\xbfcity: Rome\r\nx\r\n", b"\xef\xbb\xbfcity: Oslo\r\nx\r\n"),
    ],
)
def test_the_value_that_stood_aside_takes_the_place(present: bytes, wanted: bytes) -> None:
    one = dispute(b"city: Oslo\n", b"city: Rome\n", present, kind="value")
    assert standing(one, present) == {"theirs"}
    assert plan_settlement(one, present, "ours") == wanted
    assert plan_settlement(one, present, "theirs") == present


def test_numbers_of_a_list_may_change_without_deciding() -> None:
    merged = b"1. eat\n2. tea at one\n3. tea at six\n"
    one = dispute(b"2. tea at one\n", b"2. tea at six\n", merged)
    assert is_open(one, b"1. wake\n2. eat\n3. tea at one\n4. tea at six\n", None)
    assert plan_settlement(one, merged, "theirs") == b"1. eat\n3. tea at six\n"
