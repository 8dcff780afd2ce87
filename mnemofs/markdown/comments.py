"""Text as an agent reads it: without HTML comments that stand on lines of their own.

A line scanner, because hooks run it at every prompt and a whole parser costs them milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_FENCE: Final = re.compile(r"[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_BEGIN: Final = re.compile(r" {0,3}<!--")
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


def without_comments(text: str) -> str:
    """`text` without its comment blocks and the blank lines that they leave behind.

    Comments inside a line or a fence stay, and so does one that is never closed: nobody meant to
    hide the rest of the file. Line ends are kept.
    """
    if "<!--" not in text:
        return text
    kept: list[str] = []
    lines = _LINE.findall(text)
    index = 0
    fence = ""
    while index < len(lines):
        line = lines[index]
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
        elif not fence and _BEGIN.match(line) and (end := _comment_end(lines, index)):
            index = end
            while index < len(lines) and not lines[index].strip() and _blank_before(kept):
                index += 1
            continue
        kept.append(line)
        index += 1
    return "".join(kept)


def _comment_end(lines: Sequence[str], start: int) -> int:
    """The index behind a comment that fills its lines; 0 for any other."""
    for index in range(start, len(lines)):
        _, closed, after = lines[index].partition("-->")
        if closed:
            return 0 if after.strip() else index + 1
    return 0


def _blank_before(kept: Sequence[str]) -> bool:
    return not kept or not kept[-1].strip()
