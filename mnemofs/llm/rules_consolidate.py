"""Consolidation without a model: entries that say the same thing about the same values are one."""

from __future__ import annotations

import re

from mnemofs.llm import values
from mnemofs.llm.engine import Consolidated, ConsolidateRequest, Given, Kept

_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_SENTENCE = 3
# Somebody says, does or wants something: the beginning of a text that needs no key.
_STATEMENT = re.compile(
    r"(?:(?:the )?user|i|i'm|i’m|we|we're|always|never|don't|don’t|do not|please|prefers?|likes?"
    r"|dislikes?|hates?|loves?|enjoys?|wants?|needs?|works?|lives?|speaks?|avoids?|drinks?|eats?"
    r"|ich|wir|immer|nie|niemals|bevorzugt|mag|(?:der |die )?(?:be)?nutzer(?:in)?|bitte"
    r"|yo|siempre|nunca|prefiere|vive|trabaja|(?:el |la )?usuari[oa]|por favor"
    r"|je|nous|toujours|jamais|préfère|habite|travaille|aime|l['’]utilisat(?:eur|rice))(?![\w'’])"
    r"|j['’]|用户|用戶|我|喜欢|偏好|讨厌|习惯|不喜欢|住在|请|总是|从不|不要|.+(?:です|ます|ません|ている)。?$",
    re.IGNORECASE,
)


def join_duplicates(request: ConsolidateRequest) -> Consolidated:
    """The entries with each group of duplicates as one, in file order.

    Two entries are duplicates when their texts are the same (`values.same`) and either their keys
    are, or the text is a sentence that needs no key to be understood: `start: Friday` and
    `end: Friday` are two things. The newest one's key stays, with the fullest wording.
    """
    groups: list[list[Given]] = []
    for entry in request.entries:
        for group in groups:
            if any(_duplicates(entry, other) for other in group):
                group.append(entry)
                break
        else:
            groups.append([entry])
    kept = tuple(_one(group, request.kind) for group in groups)
    merged = len(request.entries) - len(kept)
    if not merged:
        return Consolidated(False, (), "no two entries say the same")
    return Consolidated(True, kept, f"{merged} duplicate{'s' if merged > 1 else ''} joined")


def _duplicates(first: Given, second: Given) -> bool:
    alike = values.squashed(first.key) == values.squashed(second.key)
    if values.same(first.content, second.content):
        return alike or _stands_alone(first.content) or _stands_alone(second.content)
    if not alike:
        return False
    mine = values.beyond_key(first.content, first.key)
    theirs = values.beyond_key(second.content, second.key)
    return bool(mine) and mine == theirs


def _one(group: list[Given], kind: str) -> Kept:
    if len(group) == 1:
        return Kept(group[0].key, group[0].content)
    newest = max(group, key=lambda one: (one.updated is not None, one.updated, _named(one.key)))
    fullest = max(group, key=lambda one: (len(values.tokens(one.content)), one is newest))
    return Kept(newest.key, fullest.content, tuple(one.key for one in group))


def _named(key: str) -> bool:
    return _SNAKE.fullmatch(key) is not None


def _stands_alone(text: str) -> bool:
    """Whether a text is a statement of somebody, and not just a value."""
    return len(values.tokens(text)) >= _SENTENCE and _STATEMENT.match(text) is not None
