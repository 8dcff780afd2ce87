"""The shapes of chat messages: who calls a tool, who answers, and what must not be separated.

OpenAI's (`tool_calls`, `role: tool`, and the older `function_call`), OpenAI's items of any kind
(`type: function_call`, `computer_call`, … with `…_call_output`), and Anthropic's (`tool_use` and
`tool_result` blocks; the AI SDK's `tool-call` and `tool-result` are the same). A message is never
changed: what changes is copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Message = Mapping[str, Any]

SYSTEM_ROLES = ("system", "developer")
_TEXT_TYPES = ("text", "input_text", "output_text")
_USES, _RESULTS = ("tool_use", "tool-call"), ("tool_result", "tool-result")


class Called(NamedTuple):
    """A call (or the answer to one) that stands in a message."""

    id: str
    name: str = ""


def calls(message: Message) -> tuple[Called, ...]:
    """The tool calls that a message makes."""
    found: list[Called] = []
    for call in _list(message.get("tool_calls")):
        function = call.get("function")
        name = function.get("name") if isinstance(function, Mapping) else call.get("name")
        found.append(Called(str(call.get("id") or name or ""), str(name or "")))
    old = message.get("function_call")
    if isinstance(old, Mapping):
        name = str(old.get("name") or "")
        found.append(Called(f"function {name}", name))
    # Items without a call_id are answered where they stand ("web_search_call").
    if str(message.get("type")).endswith("_call") and message.get("call_id"):
        found.append(Called(str(message["call_id"]), str(message.get("name") or "")))
    found += (
        Called(
            str(block.get("id") or block.get("toolCallId") or ""),
            str(block.get("name") or block.get("toolName") or ""),
        )
        for block in _list(message.get("content"))
        if block.get("type") in _USES
    )
    return tuple(found)


def answers(message: Message) -> tuple[Called, ...]:
    """The tool calls that a message answers."""
    role = message.get("role")
    results = tuple(Called(_answered(block)) for block in _results(message))
    if results:
        return results
    if role == "tool":
        name = str(message.get("name") or "")
        return (Called(str(message.get("tool_call_id") or name), name),)
    if role == "function":
        name = str(message.get("name") or "")
        return (Called(f"function {name}", name),)
    if _is_output(message):
        return (Called(str(message.get("call_id") or "")),)
    return ()


class Pair(NamedTuple):
    """Indices of a call and of its answer."""

    call: int
    answer: int
    name: str


def pairs(messages: Sequence[Message]) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """Calls with their answers, and the messages with an answer to nothing.

    An id may be used again once it is answered. A call that nothing answers (yet) is in no pair.
    What a model thought (an item of type "reasoning") is paired with the item that it led to, since
    neither is accepted without the other.
    """
    waiting: dict[str, list[tuple[int, str]]] = {}
    found: list[Pair] = []
    orphans: list[int] = []
    for index, message in enumerate(messages):
        for answer in answers(message):
            made = waiting.get(answer.id)
            if made:
                call, name = made.pop(0)
                found.append(Pair(call, index, name or answer.name))
            else:
                orphans.append(index)
        if message.get("type") == "reasoning" and index + 1 < len(messages):
            found.append(Pair(index, index + 1, ""))
        for made_here in calls(message):
            waiting.setdefault(made_here.id, []).append((index, made_here.name))
    return tuple(found), tuple(dict.fromkeys(orphans))


def safe_cut(found: Sequence[Pair], cut: int) -> int:
    """The nearest place at or before `cut` that separates no call from its answer."""
    while True:
        crossing = [pair.call for pair in found if pair.call < cut <= pair.answer]
        if not crossing:
            return cut
        cut = min(crossing)


def text_of(message: Message) -> str:
    """What a person or the model says in a message, without tool calls and their answers."""
    if message.get("role") in ("tool", "function"):
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = [block.get("text") for block in _list(content) if block.get("type") in _TEXT_TYPES]
    return "\n".join(part for part in parts if isinstance(part, str))


def outputs(message: Message) -> tuple[tuple[str, str], ...]:
    """(id, text) of every tool output in a message."""
    found: list[tuple[str, str]] = []

    def look(identity: str, text: str) -> str:
        found.append((identity, text))
        return text

    with_outputs(message, look)
    return tuple(found)


def with_outputs(message: Message, change: Callable[[str, str], str]) -> Message:
    """The message with each tool output as `change(id, text)` gives it; itself if none changes."""
    if _results(message):
        blocks = [
            _with(block, _result_key(block), _answered(block), change)
            if isinstance(block, Mapping) and block.get("type") in _RESULTS
            else block
            for block in message["content"]
        ]
        same = all(one is other for one, other in zip(blocks, message["content"], strict=True))
        return message if same else {**message, "content": blocks}
    for answer in answers(message):
        key = "output" if _is_output(message) else "content"
        return _with(message, key, answer.id, change)
    return message


def _is_output(message: Message) -> bool:
    return str(message.get("type")).endswith("_call_output")


def _results(message: Message) -> list[Mapping[str, Any]]:
    return [block for block in _list(message.get("content")) if block.get("type") in _RESULTS]


def _answered(block: Mapping[str, Any]) -> str:
    return str(block.get("tool_use_id") or block.get("toolCallId") or "")


def _result_key(block: Mapping[str, Any]) -> str:
    return next((key for key in ("result", "output") if key in block), "content")


def _with(holder: Message, key: str, identity: str, change: Callable[[str, str], str]) -> Message:
    content = holder.get(key)
    if isinstance(content, str):
        changed = change(identity, content)
        return holder if changed == content else {**holder, key: changed}
    blocks = list(content) if isinstance(content, list | tuple) else []
    for index, block in enumerate(blocks):
        if isinstance(block, Mapping) and isinstance(block.get("text"), str):
            changed = change(identity, block["text"])
            if changed != block["text"]:
                blocks[index] = {**block, "text": changed}
    return {**holder, key: blocks} if blocks and blocks != list(content or ()) else holder


def _list(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; nothing for anything else."""
    if not isinstance(value, list | tuple):
        return []
    return [item for item in value if isinstance(item, Mapping)]
