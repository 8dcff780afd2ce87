"""Text as an agent reads it: without HTML comments that stand on lines of their own.

A line scanner without patterns, because hooks run it at every prompt and a parser costs them
milliseconds.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_CONTAINERS = " \t->*+.)0123456789"


def without_comments(text: str) -> str:
    """`text` without its comment blocks and the blank lines that they leave behind.

    Comments inside a line or a fence stay, and so does one that is never closed: nobody meant to
    hide the rest of the file. Line ends are kept.
    """
    if "<!--" not in text:
        return text
    kept: list[str] = []
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    closing = [index for index, line in enumerate(lines) if "-->" in line][::-1]
    index = 0
    fence = ""
    while index < len(lines):
        line = lines[index]
        mark = _fence(line)
        if mark and not fence:
            fence = mark
        elif mark.startswith(fence or "-") and not line.strip().strip(mark[0]):
            fence = ""
        elif not fence and _begins(line) and (end := _comment_end(lines, closing, index)):
            index = end
            while index < len(lines) and not lines[index].strip() and _blank_before(kept):
                index += 1
            continue
        kept.append(line)
        index += 1
    return "".join(kept)


def _fence(line: str) -> str:
    """The run of backticks or tildes that opens or closes a fence, also in a list; "" if none."""
    bare = line.lstrip(_CONTAINERS)
    for sign in "`~":
        if bare.startswith(sign * 3):
            return sign * (len(bare) - len(bare.lstrip(sign)))
    return ""


def _begins(line: str) -> bool:
    bare = line.lstrip(" ")
    return bare.startswith("<!--") and len(line) - len(bare) < 4


def _comment_end(lines: Sequence[str], closing: list[int], start: int) -> int:
    """The index behind a comment that fills its lines; 0 for any other. closing: the lines from
    `start` on that may end one, last first."""
    while closing and closing[-1] < start:
        closing.pop()
    if not closing:
        return 0
    after = lines[closing[-1]].partition("-->")[2]
    return 0 if after.strip() else closing[-1] + 1


def _blank_before(kept: Sequence[str]) -> bool:
    return not kept or not kept[-1].strip()
