"""The token estimate."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.context.tokens import count_message, count_text, count_tools


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("部署在周五", 5),
        ("カタカナ、ひらがな。", 10),
        ("한국어", 3),
        ("ㄅㄆ", 2),
        ("ＡＢ", 2),
        ("äöü", 2),
        ("naïve", 1 + 1),
        ("🙂", 1),
        ("部署 ok", 2 + 1),
        ("𠮷", 1),
    ],
)
def test_characters_count_by_script(text: str, tokens: int) -> None:
    assert count_text(text) == tokens


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ({"role": "user", "content": "abcd"}, 5),
        ({"role": "user", "content": ""}, 4),
        ({"role": "assistant", "content": None}, 4),
        ({"role": "user", "content": [{"type": "text", "text": "abcd"}]}, 5),
        ({"role": "tool", "tool_call_id": "call_1234567890", "content": "abcd"}, 5),
        (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
                ],
            },
            6,
        ),
        (
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": "x" * 90_000}}],
            },
            1004,
        ),
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "t", "name": "find", "input": {"q": "abcd"}}
                ],
            },
            6,
        ),
    ],
)
def test_a_message_counts_four_and_all_that_is_read(message: dict[str, Any], tokens: int) -> None:
    assert count_message(message) == tokens


@pytest.mark.parametrize(
    ("block", "tokens"),
    [
        ({"type": "document", "source": {"type": "base64", "data": "A" * 90_000}}, 1000),
        ({"type": "input_audio", "input_audio": {"data": "A" * 150_000}}, 2000),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64," + "A" * 9000}},
            1000,
        ),
        ({"type": "document", "source": {"type": "text", "data": "word " * 4000}}, 5000),
        ({"type": "thinking", "thinking": "abcd", "signature": "A" * 9000}, 1),
        ({"type": ["odd"], "text": "abcd"}, 1),
    ],
)
def test_a_file_counts_as_a_file_and_not_as_its_letters(block: Any, tokens: int) -> None:
    counted = count_message({"role": "user", "content": [block]}) - 4
    assert tokens <= counted <= tokens + 20


@pytest.mark.parametrize("key", ["parameters", "input_schema"])
def test_tools_count_name_description_schema_and_twelve(key: str) -> None:
    tool = {"name": "find", "description": "looks up", key: {"a": 1}}
    assert count_tools([tool]) == 12 + 1 + 2 + 2
    assert count_tools([{"type": "function", "function": tool}]) == count_tools([tool])
    assert count_tools([{}]) == 12 + 1


@given(st.text(), st.text())
def test_more_text_is_never_less(one: str, other: str) -> None:
    assert count_text(one + other) >= count_text(one)
    assert count_text(one + other) <= count_text(one) + count_text(other)
