"""Conversations for tests: in every shape that hosts send, and a check that they are valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Messages = list[dict[str, Any]]


def openai_call(number: int, parallel: int, size: int) -> Messages:
    ids = [f"call_{number}_{n}" for n in range(parallel)]
    calls = [
        {"id": one, "type": "function", "function": {"name": "read", "arguments": '{"n": 1}'}}
        for one in ids
    ]
    answers = [
        {"role": "tool", "tool_call_id": one, "content": f"{one} " + "out " * size} for one in ids
    ]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *answers]


def anthropic_call(number: int, parallel: int, size: int) -> Messages:
    ids = [f"toolu_{number}_{n}" for n in range(parallel)]
    uses = [{"type": "tool_use", "id": one, "name": "read", "input": {"n": 1}} for one in ids]
    results = [
        {
            "type": "tool_result",
            "tool_use_id": one,
            "content": f"{one} " + "out " * size
            if n % 2
            else [{"type": "text", "text": f"{one} " + "out " * size}],
        }
        for n, one in enumerate(ids)
    ]
    return [
        {"role": "assistant", "content": [{"type": "text", "text": "let me look"}, *uses]},
        {"role": "user", "content": results},
    ]


def function_call(number: int, _parallel: int, size: int) -> Messages:
    return [
        {"role": "assistant", "content": "", "function_call": {"name": "read", "arguments": "{}"}},
        {"role": "function", "name": "read", "content": f"{number} " + "out " * size},
    ]


def items_call(number: int, _parallel: int, size: int) -> Messages:
    return [
        {"type": "function_call", "call_id": f"i{number}", "name": "read", "arguments": "{}"},
        {"type": "function_call_output", "call_id": f"i{number}", "output": "out " * size},
    ]


def other_items_call(number: int, parallel: int, size: int) -> Messages:
    """Calls of other kinds, each with what the model thought before, answered in reverse."""
    kinds = ("custom_tool", "computer", "local_shell", "shell", "apply_patch")
    made = [(f"o{number}_{n}", kinds[(number + n) % len(kinds)]) for n in range(parallel)]
    thoughts: Messages = [{"type": "reasoning", "id": f"rs_{number}", "summary": []}]
    calls: Messages = [{"type": f"{kind}_call", "call_id": one} for one, kind in made]
    answers: Messages = [
        {"type": f"{kind}_call_output", "call_id": one, "output": f"{one} " + "out " * size}
        for one, kind in reversed(made)
    ]
    return thoughts + calls + answers


def sdk_call(number: int, parallel: int, size: int) -> Messages:
    ids = [f"sdk_{number}_{n}" for n in range(parallel)]
    calls = [{"type": "tool-call", "toolCallId": one, "toolName": "read"} for one in ids]
    results = [
        {"type": "tool-result", "toolCallId": one, "result": f"{one} " + "out " * size}
        for one in reversed(ids)
    ]
    return [{"role": "assistant", "content": calls}, {"role": "tool", "content": results}]


MAKERS = [openai_call, anthropic_call, function_call, items_call, other_items_call, sdk_call]


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def valid(messages: Sequence[Mapping[str, Any]]) -> None:
    """No answer without its call before it, no call without its answer after it (CTX-01)."""
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        kind = str(message.get("type"))
        answered = [b["tool_use_id"] for b in blocks if b.get("type") == "tool_result"]
        answered += [b["toolCallId"] for b in blocks if b.get("type") == "tool-result"]
        if message.get("role") == "tool" and not answered:
            answered.append(message["tool_call_id"])
        if message.get("role") == "function":
            answered.append(f"function {message['name']}")
        if kind.endswith("_call_output"):
            answered.append(message["call_id"])
        for one in answered:
            assert one in open_calls, f"answer without call: {one}"
            open_calls.remove(one)
        open_calls += [call["id"] for call in message.get("tool_calls") or []]
        open_calls += [b["id"] for b in blocks if b.get("type") == "tool_use"]
        open_calls += [b["toolCallId"] for b in blocks if b.get("type") == "tool-call"]
        if "function_call" in message:
            open_calls.append(f"function {message['function_call']['name']}")
        if kind.endswith("_call"):
            open_calls.append(message["call_id"])
        if kind == "reasoning":
            assert str(messages[index + 1].get("type")).endswith("_call"), "a thought without end"
    assert not open_calls


def conversation(plan: Sequence[tuple[int, int, int]], system: bool = True) -> Messages:
    messages = [said("system", "Be brief.")] if system else []
    messages.append(said("user", "Please move the garden shed plan to paper.md"))
    for number, (kind, parallel, size) in enumerate(plan):
        if kind < len(MAKERS):
            messages += MAKERS[kind](number, parallel, size)
        else:
            messages.append(
                said("user" if kind % 2 else "assistant", f"{number} " + "word " * size)
            )
    messages += [said("assistant", "almost there"), said("user", "and now?")]
    return messages


def long_talk(turns: int = 30) -> Messages:
    messages = [said("system", "Be brief."), said("user", "Plan the move to Graz in paper.md")]
    for number in range(turns):
        messages.append(said("assistant", f"Step {number}: " + "detail " * 60))
        messages.append(said("user", f"Change {number} please. " + "reason " * 60))
    return messages
