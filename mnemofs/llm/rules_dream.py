"""Promotion without a model: what recurs in the notes, or was marked as lasting, earns a place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from mnemofs import secrets
from mnemofs.llm import rules_text
from mnemofs.llm.engine import Dream, DreamRequest
from mnemofs.llm.rules_statements import bare, kind_of, lines, may_state

MOST_PROMOTED = 20  # for each run, so that one night cannot fill the memory file
_RECURS = 2  # notes
_LASTING = frozenset({"identity", "preference", "instruction", "decision", "correction"})
_MARK = re.compile(
    r"(?:\*\*|__)?(?:decision|decided|preference|lesson(?: learned)?|learned|important|remember"
    r"|rule|convention|fact|takeaway|entscheidung|vorliebe|lehre|wichtig|merke|regel|decisión|lección"
    r"|preferencia|importante|regla|décision|préférence|leçon|règle|à retenir|决定|偏好|教训|重要"
    r"|经验|规则|決定事項?|好み|教訓|ルール)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^(?:[-*+•]|\d{1,2}[.)])\s+")
_TASK = re.compile(r"\[[ xX]\]|(?:todo|to-do|tarea|à faire|待办)\b", re.IGNORECASE)


_SECRET = "looks like a secret"


@dataclass(frozen=True)
class _Item:
    """A line of a note. `age` counts notes from the newest; `mark` that it names itself lasting."""

    text: str
    path: str
    age: int
    gist: rules_text.Gist
    mark: bool
    task: bool
    secret: bool


def plan_dream(request: DreamRequest) -> Dream:
    """The lines to add to the memory file, best first, with a reason for every other.

    A line is promoted when the same thing stands in at least two notes, or when it is marked or
    worded as a decision, preference, instruction, correction or fact of a person; the newest
    wording is taken. Lines that differ in a figure are never the same thing. With a topic, lines
    about it come first.
    """
    standing = [rules_text.gist(bare(line)) for line in lines(request.memory)]
    promoted: list[tuple[float, str]] = []
    rejected: list[tuple[str, str]] = []
    for group in _groups(list(_items(request))):
        newest = min(group, key=lambda item: item.age)
        reason = _against(newest, group, standing)
        if reason:
            shown = secrets.mask(newest.text)[0] if reason == _SECRET else newest.text
            rejected.append((shown, reason))
        else:
            promoted.append((_score(newest, group, request), newest.text))
    promoted.sort(key=lambda scored: -scored[0])
    rejected += [(text, "left for the next run") for _, text in promoted[MOST_PROMOTED:]]
    chosen = tuple(text for _, text in promoted[:MOST_PROMOTED])
    return Dream(
        should_update=bool(chosen),
        reason=_summary(len(chosen), len(rejected), len(request.notes)),
        promoted=chosen,
        rejected=tuple(rejected),
    )


def _against(newest: _Item, group: list[_Item], standing: list[rules_text.Gist]) -> str:
    """Why a group is not promoted, "" when it is."""
    if any(item.secret for item in group):
        return _SECRET
    if any(rules_text.alike(newest.gist, line) for line in standing):
        return "known already"
    if newest.task:
        return "a task, not knowledge"
    recurs = len({item.path for item in group}) >= _RECURS
    if not (recurs or newest.mark or may_state(newest.text)):
        return "stands in one note only"
    kind, ruled_out = kind_of(newest.text)
    if ruled_out:
        return "a question, a hypothesis, or meant for one occasion"
    if kind == "todo":
        return "a task, not knowledge"
    if newest.mark or kind in _LASTING:
        return ""
    if kind == "event":
        return "an event"
    return "" if recurs else "stands in one note only"


def _score(newest: _Item, group: list[_Item], request: DreamRequest) -> float:
    """Recurrence, then marks, then age; a topic and recalled pieces lift what they name."""
    score = 2.0 * len({item.path for item in group}) + (1.0 if newest.mark else 0.0)
    score += 1.0 / (1 + newest.age)
    about = rules_text.terms(newest.text)
    if request.topic and about & rules_text.terms(request.topic):
        score *= 3.0
    recalled = (
        weight
        for _, preview, weight in request.candidates
        if len(about & rules_text.terms(preview)) * 2 >= len(about)
    )
    return score + max(recalled, default=0.0)


def _items(request: DreamRequest) -> Iterator[_Item]:
    for age, (path, text) in enumerate(request.notes):
        own = rules_text.said(text)
        secret = {finding.line for finding in secrets.scan(own)}
        for number, line in enumerate(own.split("\n"), 1):
            stripped = line.strip()
            if not stripped or stripped.startswith(("#", "<!--", ">", "|", "---")):
                continue
            item = _LIST_MARK.sub("", stripped)
            task = _TASK.match(item) is not None
            item = bare(item)
            mark = _MARK.match(item)
            said = mark["text"].strip("* ") if mark else item
            about = rules_text.gist(said)
            if about.words and len(said) <= rules_text.MAX_SENTENCE:
                yield _Item(said, path, age, about, mark is not None, task, number in secret)


def _groups(items: list[_Item]) -> list[list[_Item]]:
    """Items that say the same thing: each is alike the first of its group.

    A line and one that it covers share the rarest word of the shorter one, and the longer one has
    few more words; so each group is listed under those of its rarest words that can be shared.
    """
    frequency = Counter(word for item in items for word in item.gist.words)
    groups: list[list[_Item]] = []
    by_word: dict[str, list[int]] = {}
    for item in items:
        rarest = sorted(item.gist.words, key=lambda word: (frequency[word], word))
        rarest = rarest[: len(rarest) - ceil(rules_text.ALIKE * len(rarest)) + 1]
        near = sorted({number for word in rarest for number in by_word.get(word, ())})
        for number in near:
            if rules_text.alike(groups[number][0].gist, item.gist):
                groups[number].append(item)
                break
        else:
            for word in rarest:
                by_word.setdefault(word, []).append(len(groups))
            groups.append([item])
    return groups


def _summary(promoted: int, rejected: int, notes: int) -> str:
    where = f"{notes} note{'s' if notes != 1 else ''}"
    if not promoted:
        return f"nothing in {where} recurs or is marked as lasting"
    return f"{promoted} promoted from {where}, {rejected} left in the notes"
