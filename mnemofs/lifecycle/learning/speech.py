"""What in a message is speech: text blocks without the blocks that a host injected.

Pure helpers of `transcripts`; each takes time proportional to its text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})
# Blocks that hosts put into a user's message: reminders, slash commands and their output, shell
# mode, editor state, recalled memory (ours and others').
_INJECTED = re.compile(
    r"<(system[-_]reminder|environment_(?:context|details)|user_instructions|turn_aborted"
    r"|teammate-message|attached_files|additional_data|(?:relevant|retrieved|recalled)[-_]memor[a-z]+"
    r"|command-[a-z-]+|local-command-[a-z-]+|bash-(?:input|stdout|stderr)"
    r"|user-prompt-submit-hook|session-start-hook|[a-z-]+-hook|task-notification|ide_[a-z_]+"
    r"|[a-z-]*mem(?:ory)?-context|mnemofs[a-z-]*)(?=[\s>])[^<>]*>"
)
_INTERRUPTION = re.compile(r"^[ \t]*\[Request interrupted by user[^\]\n]*\][ \t]*$", re.M)
# A host that ran out of room goes on with a summary in the person's name.
_CONTINUED = re.compile(r"\s*This session is being continued from a previous conversation")
_LINE_END = re.compile(r"\r\n?")
_SURROGATE = re.compile("[\ud800-\udfff]")
_COMPLETE = frozenset(
    {"normal", "return_direct", "stop", "end_turn", "stop_sequence", "tool_use", "tool_calls",
     "complete", "completed", "eos", "function_call"}
)  # fmt: skip


def spoken(content: Any) -> str | None:
    """The text of a message's content (a string, or blocks); "" when it holds no text blocks.

    None when the content is of no known form.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        content = _LINE_END.sub("\n", content)
        return _SURROGATE.sub("\ufffd", content)  # half a pair cannot be written as UTF-8
    if isinstance(content, Mapping):
        if isinstance(content.get("parts"), list):
            return spoken(content["parts"])
        return spoken([content]) if isinstance(content.get("text"), str) else None
    if not isinstance(content, list):
        return None
    texts = []
    for block in content:
        if isinstance(block, str):
            texts.append(block)
        elif not isinstance(block, Mapping):
            return None
        elif block.get("thought") is True:  # the form of a text, and reasoning
            continue
        elif str(block.get("type", "text")) in _TEXT_BLOCKS and isinstance(block.get("text"), str):
            texts.append(block["text"])
    return spoken("\n\n".join(text for text in texts if text.strip()))


def said_by_person(text: str) -> tuple[str, bool]:
    """A user message without what the host put in, and whether it says "interrupted"."""
    if _CONTINUED.match(text):
        return "", False
    text, interruptions = _INTERRUPTION.subn("", injected_cut(text))
    return text.strip(), interruptions > 0


def injected_cut(text: str) -> str:
    """`text` without the blocks a host put into it; unclosed ones stay, they may be quoted."""
    if "<" not in text:
        return text
    kept: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while found := _INJECTED.search(text, at):
        end = -1 if found[1] in unclosed else _block_end(text, found[1], found.end())
        if end < 0:
            unclosed.add(found[1])
            kept.append(text[at : found.end()])
            at = found.end()
            continue
        kept.append(text[at : found.start()])
        at = end
    kept.append(text[at:])
    return "".join(kept)


def finish_of(message: Mapping[str, Any]) -> str:
    """How an assistant message ended, lower case; "" when it ended well or nothing is known.

    Looks at the message and at its `metadata`, which some hosts store as JSON in a string, or as
    JSON in a string in JSON.
    """
    metadata = message.get("metadata")
    for _ in range(2):
        if isinstance(metadata, str):
            try:
                metadata = json.loads(metadata)
            except ValueError:
                metadata = None
    for holder in (message, metadata):
        if not isinstance(holder, Mapping):
            continue
        for key in ("finish_reason", "finishReason", "stop_reason", "stopReason"):
            value = holder.get(key)
            if isinstance(value, str) and value.strip():
                value = value.strip().lower()
                return "" if value in _COMPLETE else value
    return ""


def instant(value: Any, zone: tzinfo) -> datetime | None:
    """A message's time: ISO 8601, or seconds or milliseconds since 1970; None when unreadable."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip())
            return found if found.tzinfo else found.replace(tzinfo=zone)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def _block_end(text: str, tag: str, at: int) -> int:
    """Where the block opened before `at` ends, nested ones of its kind counted; -1 if never.

    When the nesting does not add up (a block that mentions its own tag) the first end counts.
    """
    depth = 1
    opening, closing = f"<{tag}", f"</{tag}>"
    first = -1
    while depth:
        end = text.find(closing, at)
        if end < 0:
            return first
        depth += text.count(opening, at, end) - 1
        at = end + len(closing)
        first = at if first < 0 else first
    return at
