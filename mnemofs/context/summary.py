"""The summary that stands in the place of old messages: what it is made from, and how it reads.

A model writes it when there is one. Otherwise it is taken out of the conversation by rule, and
says so: what was asked, what was answered, which tools and files were used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from mnemofs.context.frame import escape, without_recalled
from mnemofs.context.shapes import Message, calls, outputs, text_of
from mnemofs.context.stages import ends, first_request
from mnemofs.context.tokens import count_text
from mnemofs.errors import ModelError

PREFIX: Final = (
    "[Summary of the earlier conversation, which was shortened to fit. It is a record of what was "
    "said, not a request: go on from the messages that follow.]"
)
GOAL: Final = "[Original goal]"
_BY_RULE: Final = "(Taken out of the conversation by rule; no model wrote this.)"
_LONG, _LONG_HEAD, _LONG_TAIL = 6000, 4000, 1500
_ANCHOR_CHARS = 200
_ANCHOR_LONG = 3
_LINE = 160
_MOST_PATHS = 12
_PATH: Final = re.compile(
    r"(?<![\w/.])(?:[\w.-]+/)*[\w-]+\.[A-Za-z]{1,8}(?![\w/])|(?:/[\w.-]+){2,}"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[。！？])")


class SummaryRequest(NamedTuple):
    """messages: the old ones, large outputs cleared. limit: characters of the summary. previous:
    the summary that an earlier compaction left. notes: what providers of memory want kept."""

    messages: tuple[Message, ...]
    limit: int
    previous: str = ""
    notes: tuple[str, ...] = ()


Summarize = Callable[[SummaryRequest], str]


class Earlier(NamedTuple):
    """A summary message of ours, taken apart."""

    summary: str
    goal: str


def summary_message(summary: str, goal: str) -> Message:
    """The user message that takes the place of the old ones."""
    # Whoever wrote it read the whole conversation, so anything may stand in it.
    text = f"{PREFIX}\n\n{escape(_plain(summary)).strip()}"
    return {"role": "user", "content": f"{text}\n\n{GOAL}\n{goal}" if goal else text}


def earlier_summary(message: Message) -> Earlier | None:
    """What an earlier compaction left; None for any other message."""
    text = text_of(message)
    if message.get("role") != "user" or not text.startswith(PREFIX):
        return None
    summary, _, goal = text.removeprefix(PREFIX).partition(f"\n{GOAL}\n")
    return Earlier(summary.strip(), goal.strip())


def anchor(messages: Sequence[Message], tokens: int) -> str:
    """The first user message: to the letter up to so many tokens, its two ends up to three times
    that, beyond that its first 200 characters."""
    text = _plain(first_request(messages))
    size = count_text(text)
    if size <= tokens:
        return text
    if size > _ANCHOR_LONG * tokens:
        return text[:_ANCHOR_CHARS] + "…" if tokens > 0 else ""
    room = len(text) * tokens // size
    return ends(text, room * 2 // 3, room // 3)


def transcript(messages: Sequence[Message]) -> str:
    """Messages as text for a summary; very long ones as their two ends."""
    lines = []
    for message in messages:
        said = without_recalled(text_of(message))
        if len(said) > _LONG:
            said = ends(said, _LONG_HEAD, _LONG_TAIL)
        if said.strip():
            lines.append(f"{message.get('role', 'assistant')}: {said.strip()}")
        lines += (f"assistant called {call.name or 'a tool'}" for call in calls(message))
        lines += (f"tool: {text[:_LONG_HEAD].strip()}" for _, text in outputs(message))
    return "\n\n".join(lines)


def extract(request: SummaryRequest) -> str:
    """The summary by rule, within the limit: the newest of each kind first to stay."""
    asked: list[str] = []
    answered: list[str] = []
    tools: Counter[str] = Counter()
    paths: dict[str, None] = {}
    for message in request.messages:
        said = without_recalled(text_of(message))
        first = next((part.strip() for part in _SENTENCE.split(said) if part.strip()), "")
        if first:
            (asked if message.get("role") == "user" else answered).append(_short(first))
        tools.update(call.name for call in calls(message) if call.name)
        for path in _PATH.findall(said[:_LONG]):
            paths.pop(path, None)
            paths[path] = None
    sections = [
        ("Earlier", request.previous.replace(_BY_RULE, "").split("\n")),
        ("To be kept", [f"- {_short(text)}" for text in request.notes]),
        ("Asked", [f"- {text}" for text in asked]),
        ("Answered", [f"- {text}" for text in answered]),
        ("Tools", [f"- {name}: {number}" for name, number in tools.most_common()]),
        ("Files", [f"- {path}" for path in list(paths)[-_MOST_PATHS:]]),
    ]
    given = [(name, [line for line in lines if line.strip()]) for name, lines in sections]
    given = [(name, lines) for name, lines in given if lines]
    room = request.limit - len(_BY_RULE)
    kept = {name: 0 for name, _ in given}
    size = sum(len(name) + 5 for name in kept)
    open_ones = dict.fromkeys(kept)
    while open_ones:  # one more line of each in turn, so that no kind crowds out the others
        for name, lines in given:
            if name in open_ones:
                index = kept[name]
                if index == len(lines) or size + len(lines[-1 - index]) + 1 > room:
                    del open_ones[name]
                    continue
                size += len(lines[-1 - index]) + 1
                kept[name] += 1
    parts = [
        f"## {name}\n" + "\n".join(lines[len(lines) - kept[name] :])
        for name, lines in given
        if kept[name]
    ]
    return "\n\n".join([_BY_RULE, *parts])[: request.limit]


def bounded(summary: str, limit: int) -> str:
    """A summary within its limit, cut at the end of a line. Raises ModelError for an empty one, and
    for one that is no text."""
    if not isinstance(summary, str):
        raise ModelError(f"The model's summary is a {type(summary).__name__}, not a text.")
    text = summary.encode("utf-8", "replace").decode().strip()
    if not text:
        raise ModelError("The model's summary is empty.")
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return f"{head[: max(head.rfind(chr(10)), len(head) * 3 // 4)].rstrip()}…"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE else f"{flat[: _LINE - 1]}…"


def _plain(text: str) -> str:
    """Text that cannot be taken for a summary or a goal of ours."""
    return text.replace(PREFIX, "[summary]").replace(GOAL, "(original goal)")
