"""Promotion without a model: what recurs in the notes, or was marked as lasting, earns a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mnemofs import secrets
from mnemofs.llm import rules_text
from mnemofs.llm.engine import Dream, DreamRequest
from mnemofs.llm.rules_statements import bare, kind_of, lines

MOST_PROMOTED = 20  # for each run, so that one night cannot fill the memory file
_RECURS = 2  # notes
_LASTING = frozenset({"identity", "preference", "instruction", "decision", "correction"})
_MARK = re.compile(
    r"(?:\*\*|__)?(?:decision|decided|preference|lesson(?: learned)?|learned|important|remember|rule|convention|fact|takeaway"
    r"|entscheidung|vorliebe|lehre|wichtig|merke|regel|decisión|preferencia|lección|importante|regla|décision|préférence|leçon"
    r"|important|règle|à retenir|决定|偏好|教训|重要|经验|规则|決定事項?|決定|好み|教訓|ルール)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_TASK = re.compile(r"\[[ xX]\]|(?:todo|to-do|tarea|à faire|待办)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Item:
    """A line of a note. `age` counts notes from the newest; `mark` that it names itself lasting."""

    text: str
    path: str
    age: int
    mark: bool
    task: bool


def plan_dream(request: DreamRequest) -> Dream:
    """The lines to add to the memory file, newest wording first, with a reason for every other.

    A line is promoted when the same thing stands in at least two notes, or when it is marked or
    worded as a decision, preference, instruction, correction or fact of a person. Lines that
    differ in a number are never the same thing. With a topic, lines about it are taken first.
    """
    standing = [bare(line) for line in lines(request.memory)]
    groups = _groups(_items(request))
    promoted: list[tuple[float, str]] = []
    rejected: list[tuple[str, str]] = []
    for group in groups:
        newest = min(group, key=lambda item: item.age)
        reason = _against(newest, group, standing)
        if reason == _SECRET:
            rejected.append((secrets.mask(newest.text)[0], reason))
        elif reason:
            rejected.append((newest.text, reason))
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


_SECRET = "looks like a secret"


def _against(newest: _Item, group: list[_Item], standing: list[str]) -> str:
    """Why a group is not promoted, "" when it is."""
    if any(secrets.scan(item.text) for item in group):
        return _SECRET
    if any(rules_text.similar(newest.text, line) for line in standing):
        return "known already"
    if newest.task:
        return "a task, not knowledge"
    kind, ruled_out = kind_of(newest.text)
    if ruled_out:
        return "a question, a hypothesis, or meant for one occasion"
    if kind == "todo":
        return "a task, not knowledge"
    if newest.mark or kind in _LASTING:
        return ""
    if len({item.path for item in group}) >= _RECURS:
        return "" if kind != "event" else "an event"
    return "an event" if kind == "event" else "stands in one note only"


def _score(newest: _Item, group: list[_Item], request: DreamRequest) -> float:
    """Recurrence, then marks, then age; a topic and recalled pieces lift what they name."""
    score = 2.0 * len({item.path for item in group}) + (1.0 if newest.mark else 0.0)
    score += 1.0 / (1 + newest.age)
    about = rules_text.terms(newest.text)
    if request.topic and about & rules_text.terms(request.topic):
        score *= 3.0
    score += max(
        (
            weight
            for _, preview, weight in request.candidates
            if len(about & rules_text.terms(preview)) * 2 >= len(about)
        ),
        default=0.0,
    )
    return score


def _items(request: DreamRequest) -> Iterator[_Item]:
    for age, (path, text) in enumerate(request.notes):
        for line in rules_text.said(text).split("\n"):
            stripped = line.strip()
            if not stripped or stripped.startswith(("#", "<!--", ">", "|", "---")):
                continue
            item = re.sub(r"^(?:[-*+•]|\d{1,2}[.)])\s+", "", stripped)
            task = _TASK.match(item) is not None
            item = bare(item)
            mark = _MARK.match(item)
            said = mark["text"].strip("* ") if mark else item
            if len(rules_text.words(said)) >= 2 and len(said) <= rules_text.MAX_SENTENCE:
                yield _Item(said, path, age, mark is not None, task)


def _groups(items: Iterator[_Item]) -> list[list[_Item]]:
    """Items that say the same thing, by a shared term first so that time stays near linear."""
    groups: list[list[_Item]] = []
    by_term: dict[str, set[int]] = {}
    for item in items:
        about = rules_text.terms(item.text)
        near = sorted({number for term in about for number in by_term.get(term, ())})
        home = next(
            (number for number in near if rules_text.similar(groups[number][0].text, item.text)),
            None,
        )
        if home is None:
            home = len(groups)
            groups.append([])
            for term in about:
                by_term.setdefault(term, set()).add(home)
        groups[home].append(item)
    return groups


def _summary(promoted: int, rejected: int, notes: int) -> str:
    where = f"{notes} note{'s' if notes != 1 else ''}"
    if not promoted:
        return f"nothing in {where} recurs or is marked as lasting"
    return f"{promoted} promoted from {where}, {rejected} left in the notes"
