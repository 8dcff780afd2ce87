"""Lines that give the same thing another value: "release day is Friday", "release day is Monday".

Only what has one value at a time counts, and only where the two values are of one sort (figures,
days, names, a few characters of Chinese or Japanese), so that "the door is red" and "the door is
heavy" both stand. What a person has one of (a home, a name) the grammars know as attributes.
"""

from __future__ import annotations

from typing import NamedTuple

from mnemofs.llm import rules_text
from mnemofs.llm.rules_statements import grammar, languages_of, may_state
from mnemofs.llm.rules_words import ARTICLES, DAYS, STATES

_LONGEST_VALUE = 8  # words
_FEW_CHARACTERS = 6


class Setting(NamedTuple):
    """A line as "this thing has that value". key: what is set, and the words around the value;
    value: the words that may differ."""

    key: tuple[str, ...]
    value: tuple[str, ...]


def setting(text: str, *, stating: bool | None = None) -> Setting | None:
    """What the line sets; None when it sets nothing that has one value only.

    stating: `may_state(text)`, when it is known already.
    """
    if may_state(text) if stating is None else stating:
        for language in languages_of(text, shown=True):
            attribute = grammar(language).attribute(text)
            if attribute:
                return Setting(("attribute", attribute), rules_text.words(text))
    found = rules_text.words(text)
    if STATES.isdisjoint(found):
        return None
    at = next((n for n, word in enumerate(found) if n and word in STATES), 0)
    rest = found[at + 1 :]
    if not at or not rest or len(rest) > _LONGEST_VALUE * (1 if text.isascii() else 2):
        return None
    subject = tuple(word for word in found[:at] if word not in ARTICLES)
    sort, value = _value(rest, text)
    if not subject or not value:
        return None
    around = ["…" if word in value else word for word in rest]
    around = [word for word, before in zip(around, ["", *around], strict=False) if word != before]
    return Setting((*subject, found[at], sort, *around), value)


def _value(rest: tuple[str, ...], text: str) -> tuple[str, tuple[str, ...]]:
    """(the sort of the value, its words); no words when it is of no sort that can be compared."""
    figures = tuple(word for word in rest if any(char.isdigit() for char in word))
    if figures:
        return "figure", figures
    days = tuple(word for word in rest if word in DAYS)
    if days:
        return "day", days
    if rules_text.is_chinese(text) or rules_text.is_japanese(text):
        return "text", rest if len(rest) <= _FEW_CHARACTERS else ()
    names = {word.lower() for word in text.split()[1:] if word[:1].isupper()}
    found = tuple(word for word in rest if word in {name.strip(".,;:!()") for name in names})
    return "name", found
