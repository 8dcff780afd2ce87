"""What a single line can be, looked at alone: titles, list markers, rules, link definitions."""

from __future__ import annotations

import re
from typing import Final

ORDERED: Final = re.compile(r"[0-9]{1,9}[.)](?= |\t|$)")
REFERENCE: Final = re.compile(
    r" {0,3}\[(?!\s*\])(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:<[^<>]*>|[^<\s]\S*)"
    r"(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*$"
)
_PREFIX: Final = re.compile(r"[ \t>*+\-0-9.)]*")


def heading_title(text: str) -> str:
    """The title of an ATX heading from what follows its opening hashes (MD-06).

    A closing run of hashes counts only after white space: `C#` keeps its hash, `Done ##` loses two.
    """
    text = text.strip(" \t")
    head = text.rstrip("#")
    if head == text:
        return text
    if not head:
        return ""
    return head.rstrip(" \t") if head[-1] in " \t" else text


def untab(line: str) -> str:
    """Expand the tabs that decide structure: those before the first character of text."""
    prefix = _PREFIX.match(line)
    end = prefix.end() if prefix else 0
    return line[:end].expandtabs(4) + line[end:]


def skip_spaces(line: str, pos: int) -> int:
    """Where the first character from `pos` on stands that is no space (the length, if none)."""
    return len(line) - len(line[pos:].lstrip(" "))


def item_marker(line: str, spot: int, *, strict: bool) -> tuple[int, int] | None:
    """Width of the list marker with its white space, and where the item's text starts.

    `strict`: an open paragraph is only interrupted by a bullet with text or by number 1.
    """
    first = line[spot]
    if first in "-+*":
        end = spot + 1
        if line[end : end + 1] not in ("", " "):
            return None
    else:
        mark = ORDERED.match(line, spot)
        if not mark or (strict and int(line[spot : mark.end() - 1]) != 1):
            return None
        end = mark.end()
    content = skip_spaces(line, end)
    if content == len(line):
        return None if strict else (end + 1 - spot, content)
    gap = content - end
    return (end - spot + (gap if gap <= 4 else 1)), content


def is_rule(line: str, spot: int, mark: str) -> bool:
    """Is the line from `spot` on a thematic break of this mark (`-`, `*` or `_`)?"""
    tail = line[spot:]
    return tail.count(mark) >= 3 and not tail.strip(mark + " \t")
