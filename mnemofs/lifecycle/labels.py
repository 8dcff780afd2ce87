"""Short names and counts for commit messages, bullets and reports: one line, no memory text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from mnemofs.secrets import mask

_LONGEST = 80
_SHORT = 24
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def label(name: str) -> str:
    """A conversation's name as it may stand in a commit: one line, printable, secrets masked."""
    printable = "".join(
        " " if unicodedata.category(char)[0] in "CZ" else char for char in name[: 20 * _LONGEST]
    )
    text = " ".join(mask(printable, deep=True)[0].split()) or "conversation"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def short_label(name: str) -> str:
    """The same, short enough to stand in front of every line: the head of a UUID or of the name."""
    text = label(name)
    if _UUID.fullmatch(text):
        return text[:8]
    return text if len(text) <= _SHORT else text[: _SHORT - 1].rstrip() + "…"


def list_counts(counts: Mapping[str, int]) -> str:
    """ "2 memories, 1 daily entry"; a noun counted 0 times was changed without anything new."""
    return ", ".join(count(number, noun) for noun, number in counts.items())


def count(number: int, noun: str) -> str:
    """ "1 entry", "2 entries", "memory revised"."""
    if number == 0:
        return f"{noun} revised"
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}s"
