"""The quick reading of structured files agrees with the parser, whatever stands in them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.markdown.entries import StructuredEntry, parse_structured, put_structured
from mnemofs.markdown.structured_text import structured_texts

LINES = st.sampled_from(
    [
        "## key",
        "## key_two",
        "##  spaced   key ",
        "## closed ##",
        "##",
        "##no",
        "# Title",
        "#",
        "### Below",
        " ## indented",
        "    ## code",
        "text",
        "more text  ",
        "",
        "   ",
        "> Source: agent | Updated: 2026-05-01",
        "> Source: a|b | Updated: 2026-02-30",
        ">Source:x|Updated:-",
        "> quoted",
        "```",
        "~~~~",
        "<!--",
        "-->",
        "<div>",
        "---",
        "===",
        "- item",
        "  - ## nested",
        "\\## escaped",
        "\\> escaped",
        "键 值",
        "## 项目",
        "\u3000wide",
        "tab\there",
        "line\u2028separator",
        "e\u0301",
        "## e\u0301",
    ]
)


@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_quick_reading_is_the_parsers(lines: list[str], eol: str, ends: bool) -> None:
    text = eol.join(lines) + (eol if ends else "")
    expected = [tuple(entry) for entry in parse_structured(text.encode())]
    assert [tuple(entry.as_tuple()) for entry in structured_texts(text)] == expected


@given(
    st.lists(
        st.tuples(st.from_regex(r"[a-z]{1,3}", fullmatch=True), st.text(max_size=60)), max_size=5
    )
)
def test_what_was_written_is_read(entries: list[tuple[str, str]]) -> None:
    data = b""
    for key, content in entries:
        if content.strip():
            data = put_structured(data, StructuredEntry(key, content))
    expected = [tuple(entry) for entry in parse_structured(data)]
    assert [tuple(one.as_tuple()) for one in structured_texts(data.decode())] == expected


@pytest.mark.parametrize(
    "text", ["## a\nb\n> Source: agent | Updated: 2026-05-01\n", "## 键\n值\n"]
)
def test_plain_files_are_read_without_the_parser(text: str) -> None:
    code = (
        "import sys; from mnemofs.markdown.structured_text import structured_texts;"
        f"print(len(structured_texts({text!r})), 'mnemofs.markdown.document' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]
