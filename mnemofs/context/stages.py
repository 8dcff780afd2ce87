"""How a conversation is shortened without a model: pure steps from messages to messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mnemofs.context.frame import without_recalled
from mnemofs.context.shapes import (
    SYSTEM_ROLES,
    Message,
    Pair,
    calls,
    outputs,
    pairs,
    safe_cut,
    text_of,
    with_outputs,
)
from mnemofs.context.tokens import count_message, count_text

if TYPE_CHECKING:
    from mnemofs.sections import WindowConfig

LARGE = 500
_HEAD, _TAIL = 200, 200
_CLEARED = 200
# An output that alone takes this share of the window is cut wherever it stands.
_OVERSIZED = 0.25
_KEPT_LAST = 2
_SOFT = 1.5
_TAIL_SHARE = 0.2
_FORCED_SHARE, _FORCED_LEAST = 4, 2000
_LEAST_TEXT = 40


class Split(NamedTuple):
    """A conversation in three: messages[:system] stay; messages[system:cut] may be compacted; the
    rest is recent."""

    system: int
    cut: int


def split(messages: Sequence[Message], config: WindowConfig, trigger: int) -> Split | None:
    """Where the recent part begins; None when too little is old for compaction to pay.

    The recent part has at least `protect_last_messages` messages and as many more as fit into a
    fifth of the trigger; it never begins between a tool call and its answer.
    """
    system = leading_system(messages)
    history = len(messages) - system
    least = min(
        max(config.protect_last_messages, 2 * config.preserve_recent_pairs), max(history - 1, 0)
    )
    room = int(trigger * _TAIL_SHARE)
    used = kept = 0
    for message in reversed(messages[system:]):
        size = count_message(message)
        if kept >= least and used + size > room:
            break
        # More than half as much again is too much, however few messages that are.
        if kept >= _KEPT_LAST and used + size > room * _SOFT:
            break
        used += size
        kept += 1
    return _at(messages, system, len(messages) - kept, config.min_prefix_to_compact)


def forced_split(messages: Sequence[Message], room: int) -> Split | None:
    """The same when it has to be: the recent part is a quarter of all, at most `room` tokens, and
    at least the last two messages."""
    system = leading_system(messages)
    sizes = [count_message(message) for message in messages[system:]]
    room = min(max(sum(sizes) // _FORCED_SHARE, _FORCED_LEAST), room)
    used = kept = 0
    for size in reversed(sizes):
        if kept >= _KEPT_LAST and used + size > room:
            break
        used += size
        kept += 1
    return _at(messages, system, len(messages) - kept, 1)


def _at(messages: Sequence[Message], system: int, cut: int, least: int) -> Split | None:
    found, _ = pairs(messages)
    cut = safe_cut(found, cut)
    return Split(system, cut) if cut - system >= max(least, 1) else None


def leading_system(messages: Sequence[Message]) -> int:
    """How many messages at the beginning are the system's."""
    count = 0
    while count < len(messages) and messages[count].get("role") in SYSTEM_ROLES:
        count += 1
    return count


def without_duplicates(messages: Sequence[Message]) -> list[Message]:
    """Large tool outputs that stand again further down, as a note in the earlier place."""
    later: set[str] = set()
    changed: list[Message] = []
    for message in reversed(messages):

        def once(_identity: str, text: str) -> str:
            if len(text) <= LARGE:
                return text
            if text in later:
                return f"[the same output of {len(text)} characters stands further down]"
            later.add(text)
            return text

        changed.append(with_outputs(message, once))
    return changed[::-1]


def without_oversized(messages: Sequence[Message], budget: int) -> list[Message]:
    """Tool outputs that take a quarter of the window or more, cut to their two ends; the latest
    answer is left as it is."""
    most = max(int(budget * _OVERSIZED), 100)

    def cut(_identity: str, text: str) -> str:
        return text if count_text(text) <= most else ends(text, most * 2, most)

    return _changed(messages, cut, last_answer(messages))


def trimmed(messages: Sequence[Message], end: int) -> list[Message]:
    """Large tool outputs before `end` as their first and last 200 characters."""

    def trim(_identity: str, text: str) -> str:
        return ends(text, _HEAD, _TAIL) if len(text) > LARGE else text

    return _changed(messages, trim, end)


def placeholders(messages: Sequence[Message], end: int, most: int = LARGE) -> list[Message]:
    """Tool outputs before `end` that are longer than `most` characters, as a word on what they
    were."""
    names = _names(messages)

    def replace(identity: str, text: str) -> str:
        if len(text) <= most:
            return text
        tool = names.get(identity, "a tool")
        first = " ".join(text[:400].split())[:80]
        return f'[output of {tool} left out: {len(text)} characters, beginning "{first}"]'

    return _changed(messages, replace, end)


def cleared(messages: Sequence[Message]) -> list[Message]:
    """All outputs of more than 200 characters as placeholders: what a summary is made from."""
    return placeholders(messages, len(messages), _CLEARED)


def drop_front(
    messages: Sequence[Message], over: int, keep: Callable[[int], bool]
) -> tuple[list[Message], int]:
    """The messages without so many of the oldest that `over` tokens go, as far as that is possible
    with the last two kept; and how many went. Calls and answers go together. keep: which indices
    must stay whatever happens."""
    found, _ = pairs(messages)
    system = leading_system(messages)
    last = safe_cut(found, max(len(messages) - _KEPT_LAST, system))
    gone: set[int] = set()
    for index in range(system, last):
        if over <= 0:
            break
        group = _group(found, index) - gone
        if index not in gone and not any(one >= last or keep(one) for one in group):
            over -= sum(count_message(messages[one]) for one in group)
            gone |= group
    return [one for index, one in enumerate(messages) if index not in gone], len(gone)


def shrink_outputs(messages: Sequence[Message], over: int) -> list[Message]:
    """Tool outputs of all messages cut, the longest first, until `over` tokens are gone."""
    sizes = sorted((len(text) for one in messages for _, text in outputs(one)), reverse=True)
    result = list(messages)
    before = sum(map(count_message, messages))
    for size in dict.fromkeys(sizes):
        if size <= LARGE:
            break

        def cut(_identity: str, text: str, longest: int = size) -> str:
            return ends(text, _HEAD, _TAIL) if len(text) >= longest else text

        result = _changed(messages, cut, len(messages))
        if before - sum(map(count_message, result)) >= over:
            break
    return result


def ends(text: str, head: int, tail: int) -> str:
    """The two ends of a text, and how much lies between them."""
    if len(text) <= head + tail + _LEAST_TEXT:
        return text
    gone = len(text) - head - tail
    return f"{text[:head]}\n[… {gone} characters left out …]\n{text[len(text) - tail :]}"


def first_request(messages: Sequence[Message]) -> str:
    """What the person said first; "" when nobody did."""
    for message in messages:
        said = without_recalled(text_of(message)).strip()
        if message.get("role") == "user" and said:
            return said
    return ""


def last_answer(messages: Sequence[Message]) -> int:
    """The index of the latest tool output; the number of messages when there is none."""
    for index in range(len(messages) - 1, -1, -1):
        if outputs(messages[index]):
            return index
    return len(messages)


def _changed(
    messages: Sequence[Message], change: Callable[[str, str], str], end: int
) -> list[Message]:
    return [
        with_outputs(message, change) if index < end else message
        for index, message in enumerate(messages)
    ]


def _names(messages: Sequence[Message]) -> Mapping[str, str]:
    return {call.id: call.name for one in messages for call in calls(one) if call.name}


def _group(found: Sequence[Pair], index: int) -> set[int]:
    """The messages that go with this one: its calls, their answers, and theirs."""
    group = {index}
    while True:
        more = {
            one
            for pair in found
            if pair.call in group or pair.answer in group
            for one in (pair.call, pair.answer)
        }
        if more <= group:
            return group
        group |= more
