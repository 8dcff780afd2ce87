"""Git's wildmatch patterns as regular expressions, shared by ignore and attribute files."""

from __future__ import annotations

import re
from collections.abc import Callable

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


def glob(pattern: str, *, fold: bool = False) -> Callable[[str], bool]:
    """A predicate for whole paths: `*` and `?` stop at `/`, `**` as a whole part does not.

    A pattern git cannot match (a bracket left open, a trailing backslash) matches nothing.
    """
    try:
        expression = re.compile(_translate(pattern), re.S | (re.I if fold else 0))
    except (re.error, _Unmatchable):
        return lambda _path: False
    return lambda path: expression.fullmatch(path) is not None


class _Unmatchable(Exception):
    pass


def _translate(pattern: str) -> str:
    out: list[str] = []
    position, end = 0, len(pattern)
    while position < end:
        char = pattern[position]
        if char == "*":
            stop = position
            while stop < end and pattern[stop] == "*":
                stop += 1
            before = position == 0 or pattern[position - 1] == "/"
            after = stop == end or pattern[stop] == "/"
            if stop - position == 2 and before and after:
                if stop == end:
                    out.append(".*")
                else:
                    out.append("(?:.*/)?")
                    stop += 1
            else:
                out.append("[^/]*")
            position = stop
        elif char == "?":
            out.append("[^/]")
            position += 1
        elif char == "[":
            piece, position = _bracket(pattern, position)
            out.append(piece)
        elif char == "\\":
            if position + 1 >= end:
                raise _Unmatchable
            out.append(re.escape(pattern[position + 1]))
            position += 2
        else:
            out.append(re.escape(char))
            position += 1
    return "".join(out)


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    position = start + 1
    negated = pattern[position : position + 1] in ("!", "^")
    position += negated
    body: list[str] = []
    first = True
    while True:
        if position >= len(pattern):
            raise _Unmatchable
        char = pattern[position]
        if char == "]" and not first:
            break
        first = False
        if pattern.startswith("[:", position):
            close = pattern.find(":]", position + 2)
            name = pattern[position + 2 : close] if close >= 0 else ""
            if name not in _CLASSES:
                raise _Unmatchable
            body.append(_CLASSES[name])
            position = close + 2
            continue
        low, position = _one(pattern, position)
        is_range = pattern.startswith("-", position) and pattern[
            position + 1 : position + 2
        ] not in (
            "",
            "]",
        )
        if is_range:
            high, position = _one(pattern, position + 1)
            if low <= high:
                body.append(f"{re.escape(low)}-{re.escape(high)}")
            continue
        body.append(re.escape(low))
    inner = "".join(body)
    if not inner:
        return ("[^/]" if negated else "(?!)"), position + 1
    return (f"(?!/)[^{inner}]" if negated else f"(?!/)[{inner}]"), position + 1


def _one(pattern: str, position: int) -> tuple[str, int]:
    if pattern[position] == "\\":
        if position + 1 >= len(pattern):
            raise _Unmatchable
        return pattern[position + 1], position + 2
    return pattern[position], position + 1
