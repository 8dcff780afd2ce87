"""Ceilings: the cut is at a real heading, inside the limit, and says what it left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.markdown.budget import MARKER, fit
from mnemofs.markdown.document import Document
from tests.markdown.samples import ANY_TEXT

CASE = "# P\n\n## A\naaaa\n\n## B\n```\n## x\n```\nbbbb\n\n## C\ncccc\n"


@pytest.mark.parametrize("limit", range(38, 50))
def test_CTX_02_the_ceiling_never_cuts_at_a_heading_in_code(limit: int) -> None:
    done = fit(CASE, limit)
    assert len(done.text) <= limit
    assert done.text == CASE[:16].rstrip() + MARKER
    assert done.omitted == ("B", "C")


@pytest.mark.parametrize(
    ("opening", "closing"), [("~~~~", "~~~~"), ("<!--", "-->"), ("   ```sh", "```")]
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_CTX_02_other_ways_to_hide_a_heading(opening: str, closing: str, eol: str) -> None:
    head = "---\ntitle: x\n---\n\nPlan\n====\n\n" + "word " * 30 + "\n\n"
    body = f"Next\n----\n{opening}\n## x\n## y\n{closing}\nbbbb\n\n"
    text = (head + body + "## C\ncccc\n" * 9).replace("\n", eol)
    boundary = len(head.replace("\n", eol))
    for limit in range(boundary + 30, len(text)):
        done = fit(text, limit)
        assert len(done.text) <= limit
        kept = done.text.removesuffix(MARKER.replace("\n", eol))
        cut = Document.of_text(text)
        starts = [s.start for s in cut.sections if s.level <= 2]
        assert any(text[:at].rstrip() == kept for at in starts), (limit, kept)


def test_a_text_within_the_limit_is_the_same_object() -> None:
    for limit in (0, -1, len(CASE), len(CASE) + 1):
        assert fit(CASE, limit).text is CASE


def test_a_first_section_too_long_is_cut_after_a_whole_block() -> None:
    text = "# T\n\n" + "".join(f"- entry number {n}\n" for n in range(100))
    done = fit(text, 200)
    assert len(done.text) <= 200
    kept = done.text.removesuffix(MARKER)
    assert text.startswith(kept + "\n") and len(kept) > 140
    assert done.omitted == ("T (in part)",)


def test_a_single_huge_paragraph_is_cut_at_a_word() -> None:
    done = fit("word " * 500, 300)
    assert len(done.text) <= 300 and done.text.startswith("word word")
    assert done.text.removesuffix(MARKER).endswith("word")


def test_a_huge_fence_is_left_out_whole() -> None:
    text = "# T\n\nintro\n\n```\n" + "code\n" * 500 + "```\n\n## Z\nz\n"
    done = fit(text, 400)
    assert done.text == "# T\n\nintro" + MARKER
    assert done.omitted == ("T (in part)", "Z")


def test_front_matter_that_does_not_fit_is_never_cut() -> None:
    text = "---\n" + "key: value\n" * 50 + "---\n# T\n"
    assert "key" not in fit(text, 200).text


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, st.integers(1, 200))
def test_the_result_fits_and_keeps_a_prefix(text: str, limit: int) -> None:
    done = fit(text, limit)
    assert len(done.text) <= limit
    if done.text != text:
        kept = done.text
        for eol in ("\n", "\r\n", "\r"):
            kept = kept.removesuffix(MARKER.replace("\n", eol)).removesuffix(
                MARKER.lstrip().replace("\n", eol)
            )
        assert text.startswith(kept)
