"""What an agent is shown of a file: no comments, and within a limit the newest."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.markdown.comments import without_comments
from mnemofs.markdown.document import Document
from mnemofs.markdown.scanner import COMMENT
from mnemofs.markdown.shown import shown


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# A\n\n<!-- x -->\n\ntext\n", "# A\n\ntext\n"),
        ("<!-- x -->\ntext\n", "text\n"),
        ("a\n\n<!--\nx\n\ny\n-->\n\nb", "a\n\nb"),
        ("a\n<!-- x -->\nb\n", "a\nb\n"),
        ("   <!-- x -->\na", "a"),
        ("a\r\n\r\n<!-- x -->\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"),
        ("<!-- one --><!-- two -->\na", "<!-- one --><!-- two -->\na"),
        ("<!-- x --> text\n", "<!-- x --> text\n"),
        ("text <!-- x -->\n", "text <!-- x -->\n"),
        ("    <!-- code -->\n", "    <!-- code -->\n"),
        ("```\n<!-- x -->\n```\n", "```\n<!-- x -->\n```\n"),
        ("~~~~\n```\n<!-- x -->\n~~~~\n<!-- y -->\nz", "~~~~\n```\n<!-- x -->\n~~~~\nz"),
        ("- ```\n  <!-- x -->\n  ```\n<!-- y -->\n", "- ```\n  <!-- x -->\n  ```\n"),
        ("a\n<!-- never closed\nb\n", "a\n<!-- never closed\nb\n"),
        ("<!-- a\n--> b\n", "<!-- a\n--> b\n"),
        ("<!-- user-edited -->\n## Kept\n", "## Kept\n"),
        ("", ""),
    ],
)
def test_comments_on_lines_of_their_own_go(text: str, left: str) -> None:
    assert without_comments(text) == left


@given(
    st.lists(
        st.sampled_from(
            ["text", "", "<!-- x -->", "<!--", "-->", "# H", "- item", "  more", "> q"]
        ),
        max_size=12,
    )
)
def test_only_what_the_parser_calls_a_comment_goes(lines: list[str]) -> None:
    text = "\n".join(lines)
    document = Document.of_text(text)
    comments = {
        number
        for block in document.blocks
        if block.kind == COMMENT
        for number in range(block.start, block.end)
    }
    kept = [line for number, line in enumerate(document.lines) if number not in comments]
    shown_lines = without_comments(text).split("\n")
    for line in kept:
        if line.strip():
            assert line in shown_lines


@given(st.text(alphabet="ab <!->`~\n#\t", max_size=120), st.integers(0, 80))
def test_a_limit_holds_and_what_fits_is_whole(text: str, limit: int) -> None:
    seen, omitted = shown(text, limit)
    whole = without_comments(text).strip()
    assert not limit or len(seen) <= limit
    assert seen == whole or (limit and len(whole) > limit)
    assert seen == whole or omitted or not Document.of_text(whole).sections


@pytest.mark.parametrize(
    "text",
    [
        "<!--" + " " * 100_000,
        "<!-- x\n" * 30_000,
        "<!-- x\n" * 30_000 + "--> b",
        "`" * 100_000 + "<!--",
        "<" * 100_000,
    ],
)
def test_SEC_08_it_takes_little_time(text: str) -> None:
    before = time.process_time()
    without_comments(text)
    assert time.process_time() - before < 2
