"""Conflict markers that git left in a file: text nobody wrote and no agent may read (SYN-07)."""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(r"[ >\t*+\-0-9.)]*?(`{3,}|~{3,})(.*)")
_START: Final = re.compile(r"<{7}(?: .*)?$")
_MIDDLE: Final = re.compile(r"={7}$")
_END: Final = re.compile(r">{7}(?: .*)?$")


def marker_line(data: bytes) -> int | None:
    """The line (from 1) where the first unresolved conflict begins, None when there is none.

    A conflict is the three markers in order, each at the start of a line. One that begins inside
    a fence is an example, not a conflict.
    """
    if b"<<<<<<<" not in data or b">>>>>>>" not in data:
        return None
    fence = ""
    start: int | None = None
    middle = False
    for number, raw in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        line = raw.rstrip("\r")
        if start is None:
            found = _FENCE.match(line)
            if found is not None:
                mark, rest = found[1], found[2]
                if not fence:
                    fence = "" if mark[0] == "`" and "`" in rest else mark
                elif mark[0] == fence[0] and len(mark) >= len(fence) and not rest.strip():
                    fence = ""
            elif not fence and _START.match(line):
                start = number
        elif _START.match(line) and not middle:
            start = number
        elif _MIDDLE.match(line):
            middle = True
        elif middle and _END.match(line):
            return start
    return None
