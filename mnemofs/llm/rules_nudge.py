"""Structured entries from a running conversation, by the statement grammars."""

from __future__ import annotations

import re

from mnemofs.llm import rules_text, values
from mnemofs.llm.engine import Nudge, NudgeRequest, StructuredType
from mnemofs.llm.rules_corrections import replaced
from mnemofs.llm.rules_statements import Statement, statements, topic
from mnemofs.llm.rules_words import COMMON

_TYPES: dict[str, StructuredType] = {
    "instruction": "feedback",
    "identity": "user",
    "preference": "user",
    "decision": "project",
    "project": "project",
    "reference": "reference",
}
_WORDS_IN_KEY = 4
_CJK_IN_KEY = 12
_NO_KEY = re.compile(r"[\W_]+")


def plan_nudge(request: NudgeRequest) -> Nudge:
    """The user's lasting statements that no standing entry makes already, each under a key.

    A value that replaces another one keeps the key of the entry it makes untrue.
    """
    known = {(kind, key): content for kind, key, content in request.known}
    found: dict[tuple[StructuredType, str], str] = {}
    for message in request.messages:
        for statement in statements(message.text) if message.role == "user" else ():
            kind = _type(statement)
            if kind is None or _stands(statement, [*known.values(), *found.values()]):
                continue
            key = _key_of(statement, kind, {**known, **found})
            if key:
                found[kind, key] = statement.text
    return Nudge(tuple((kind, key, text) for (kind, key), text in found.items()))


def _type(statement: Statement) -> StructuredType | None:
    """None for tasks and events: they belong into a daily note."""
    if statement.kind in ("correction", "fact"):
        return "user" if statement.personal else "project"
    return _TYPES.get(statement.kind)


def _stands(statement: Statement, standing: list[str]) -> bool:
    about = rules_text.gist(statement.text)
    return any(
        values.same(text, statement.text) or rules_text.covers(rules_text.gist(text), about)
        for text in standing
    )


def _key_of(
    statement: Statement, kind: StructuredType, taken: dict[tuple[StructuredType, str], str]
) -> str:
    for (other, key), content in taken.items():
        if other == kind and replaced(statement, [content]):
            return key
    if statement.attribute:
        key = _snake(statement.attribute)
    elif kind == "reference" and topic(statement):
        key = topic(statement)
    else:
        key = _from_words(statement.text)
    number, name = 1, key
    while (kind, name) in taken:
        number += 1
        name = f"{key}_{number}"
    return name if key else ""


def _from_words(text: str) -> str:
    said = [word for word in rules_text.words(text) if word not in COMMON]
    if any(len(word) == 1 and not word.isascii() for word in said):
        return "".join(said)[:_CJK_IN_KEY]
    return _snake(" ".join(said[:_WORDS_IN_KEY]))


def _snake(text: str) -> str:
    return _NO_KEY.sub("_", text.lower()).strip("_")
