"""Conflict markers that git left behind (SYN-07)."""

from __future__ import annotations

import pytest

from mnemofs.markdown.markers import marker_line

CONFLICT = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (CONFLICT, 1),
        ("# T\n\n- x\n" + CONFLICT, 4),
        (CONFLICT.replace("\n", "\r\n"), 1),
        ("<<<<<<<\na\n||||||| base\nc\n=======\nb\n>>>>>>>\n", 1),
        ("```\ncode\n```\n" + CONFLICT, 4),
        ("~~~~\n```\n~~~~\n" + CONFLICT, 4),
        ("<<<<<<< HEAD\n```\n=======\n~~~\n>>>>>>> other\n", 1),
        ("<<<<<<< HEAD\n" + CONFLICT, 2),
        ("```\n" + CONFLICT + "```\n", None),
        ("- item\n  ~~~\n" + CONFLICT + "  ~~~\n", None),
        ("    " + CONFLICT.replace("\n", "\n    "), None),
        ("> " + CONFLICT.replace("\n", "\n> "), None),
        ("Title\n=======\n\ntext\n", None),
        ("<<<<<<< is how it begins\n", None),
        (">>>>>>> a\n=======\n<<<<<<< b\n", None),
        ("<<<<<<< HEAD\na\n>>>>>>> other\n", None),
        ("<<<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n", None),
        ("", None),
    ],
)
def test_a_conflict_is_three_markers_in_order_outside_a_fence(text: str, line: int | None) -> None:
    assert marker_line(text.encode()) == line


def test_any_bytes_are_looked_at_without_complaint() -> None:
    assert marker_line(b"\xff\n" + CONFLICT.encode()) == 2
    assert marker_line((b"<<<<<<< x\n" * 50_000) + b">>>>>>> y\n") is None
