"""How many tokens a text will be, by estimate: no tokenizer is loaded, no model asked.

Wide characters (CJK ideographs, kana, hangul, bopomofo, CJK punctuation, full width) count 1 each;
ASCII n/4; all others 2n/3, each rounded up; 4 more for each message, 12 for each tool
(mateclaw-contract §15).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

PER_MESSAGE: Final = 4
PER_TOOL: Final = 12
# A picture costs about this much, however long its base64 is; a document or a sound for each begun
# hundred thousand characters of it.
PER_IMAGE: Final = 1000
_PER_IMAGE_CHARS: Final = 100_000

_WIDE: Final = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3200-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
_ASCII: Final = re.compile("[\0-\x7f]")
_IMAGES: Final = ("image", "image_url", "input_image", "computer_screenshot")
# Not part of what a model reads.
_NOT_READ: Final = frozenset(
    {"role", "type", "id", "tool_call_id", "tool_use_id", "call_id", "toolCallId", "signature"}
)
# Where a file stands, unless it is text.
_FILES: Final = ("data", "file_data")
_ENCODED: Final = re.compile(r"(?:data:[\w/.+;=-]+,)?[A-Za-z0-9+/_-]{1000}")


def count_text(text: str) -> int:
    """Tokens of a text."""
    if text.isascii():
        return -(-len(text) // 4)
    wide = len(_WIDE.findall(text))
    plain = len(_ASCII.findall(text))
    return wide + -(-plain // 4) + -(-2 * (len(text) - wide - plain) // 3)


def count_message(message: Mapping[str, Any]) -> int:
    """Tokens of one message of a chat, its tool calls and results included."""
    return PER_MESSAGE + _count(message)


def count_messages(messages: Iterable[Mapping[str, Any]]) -> int:
    """Tokens of a chat."""
    return sum(map(count_message, messages))


def count_tools(tools: Iterable[Mapping[str, Any]]) -> int:
    """Tokens of tool definitions: name, description and schema of each."""
    total = 0
    for tool in tools:
        inner = tool.get("function")
        given = inner if isinstance(inner, Mapping) else tool
        schema = given.get("parameters") or given.get("input_schema") or {}
        text = json.dumps(schema, ensure_ascii=False, default=str)
        parts = (str(given.get("name") or ""), str(given.get("description") or ""), text)
        total += PER_TOOL + sum(map(count_text, parts))
    return total


def _count(value: Any) -> int:
    if isinstance(value, str):
        return count_text(value)
    if isinstance(value, Mapping):
        if value.get("type") in _IMAGES:
            return PER_IMAGE
        return sum(
            PER_IMAGE * -(-len(item) // _PER_IMAGE_CHARS)
            if key in _FILES and isinstance(item, str) and _ENCODED.match(item)
            else _count(item)
            for key, item in value.items()
            if key not in _NOT_READ
        )
    if isinstance(value, list | tuple):
        return sum(map(_count, value))
    return 0 if value is None or isinstance(value, bool) else count_text(str(value))
