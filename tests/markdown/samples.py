"""Inputs shared by the tests of this room."""

from __future__ import annotations

from datetime import date, datetime

from hypothesis import strategies as st

from mnemofs.markdown.chunks import chunk

DAY = date(2026, 5, 1)
NOON = datetime(2026, 5, 1, 12, 5)

_PARTS = [
    "# T", "## A", "### B", "text", "- item", "  - nested", "1. one", "> quote", "```", "~~~",
    "<!--", "-->", "---", "===", "key: value", "| a | b |", "|---|---|", "    code", "\ttab",
    "", "", "é中文", "\u2028", "\x0c", "* star", "C#", "## A ##", "- [ ] task", "a: b: c",
]  # fmt: skip
ANY_TEXT = st.builds(
    lambda parts, ends: "".join(part + end for part, end in zip(parts, ends, strict=False)),
    st.lists(st.sampled_from(_PARTS), max_size=14),
    st.lists(
        st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r", ""]), min_size=14, max_size=14
    ),
)


def line_of(data: bytes, word: str) -> int:
    """The line at which a search for `word` would point into this file."""
    return next(piece.line_start for piece in chunk(data, "n.md") if word in piece.text)
