"""Front matter: where it ends and what its simple fields say. It is read, never re-serialised.

Only a block that looks like YAML counts: a leading rule above prose is body text (TXT-06), while a
block that is merely broken (`title: Q3: plan`) is still front matter, kept byte for byte and named
in a warning (TXT-03). Values are the author's own strings: `no` and `12:30` stay so (TXT-05).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_CLOSERS: Final = ("---", "...")
_KEY: Final = re.compile(r"(\"[^\"]*\"|'[^']*'|[^\s\"'\[\]{}#,&*!|>%@`?-][^:]{0,80}?):(?:[ \t]|$)")
_CLOSING: Final = frozenset("]})")
Field = str | tuple[str, ...]


class FrontMatter(NamedTuple):
    """`lines` counts both fences. `fields` holds top-level scalars and lists of scalars, in order.

    `warnings` name lines that a YAML reader would stumble over, without quoting them.
    """

    lines: int
    fields: Mapping[str, Field]
    warnings: tuple[str, ...] = ()


def find(lines: Sequence[str]) -> FrontMatter | None:
    """Front matter at the very top of `lines` (structural lines without their ends), or None."""
    if not lines or lines[0].rstrip(" \t") != "---":
        return None
    for index in range(1, len(lines)):
        if lines[index].rstrip(" \t") in _CLOSERS:
            return _read(lines[1:index]) if _looks_like_yaml(lines[1:index]) else None
    return None


def key_of(line: str) -> str | None:
    """The key of a top-level `key: value` line, unquoted, or None."""
    match = _KEY.match(line)
    return _unquoted(match[1].rstrip()) if match else None


def _looks_like_yaml(body: Sequence[str]) -> bool:
    """Keys first; lines that are no YAML only when they are few and nothing is spaced out."""
    keys = strange = 0
    spaced = False
    for line in body:
        if not line.strip():
            spaced = True
        elif line[0] in " \t" or line.startswith("#") or line[0] in _CLOSING:
            continue
        elif key_of(line) is not None:
            keys += 1
        elif not keys:
            return False
        elif line != "-" and not line.startswith("- "):
            strange += 1
    if strange:
        return not spaced and strange <= keys
    return bool(keys) or not any(line.strip() for line in body)


def _read(body: Sequence[str]) -> FrontMatter:
    fields: dict[str, Field] = {}
    warnings: list[str] = []
    index = 0
    while index < len(body):
        line = body[index]
        match = _KEY.match(line)
        index += 1
        if not match:
            if line.strip() and not line.startswith("#"):
                warnings.append(f"front matter line {index + 1} is not `key: value`")
            continue
        key = _unquoted(match[1].rstrip())
        begin = index
        while index < len(body) and continues_value(body[index]):
            index += 1
        value = line[match.end() :].strip()
        if key in fields:
            warnings.append(f"front matter line {begin + 1} repeats a key")
        if problem := _problem(value):
            warnings.append(f"front matter line {begin + 1} {problem}")
        fields[key] = _value(value, body[begin:index])
    return FrontMatter(len(body) + 2, fields, tuple(warnings))


def continues_value(line: str) -> bool:
    """Does this line carry on the value of the key above it?"""
    return line[:1] in (" ", "\t") or line == "-" or line.startswith("- ") or line[:1] in _CLOSING


def _problem(value: str) -> str:
    """What a YAML reader would object to in a one-line value, or an empty string."""
    if value[:1] in ("'", '"'):
        return "" if len(value) > 1 and value[-1] == value[0] else "has an unclosed quote"
    if value[:1] in ("[", "{"):
        return ""
    if ": " in _without_comment(value) or value.endswith(":"):
        return "holds a second `: ` outside quotes"
    if value[:1] in ("@", "`", "%"):
        return "starts with a reserved character"
    return ""


def _value(value: str, more: Sequence[str]) -> Field:
    nested = [line.strip() for line in more if line.strip()]
    if value in ("|", ">", "|-", ">-", "|+", ">+"):
        return ("\n" if value[0] == "|" else " ").join(nested)
    if value.startswith("["):
        inner = " ".join([value, *nested])
        inner = inner[1 : inner.rfind("]")] if "]" in inner else inner[1:]
        return tuple(_unquoted(item) for item in _flow_items(inner))
    if not value and nested and all(line == "-" or line.startswith("- ") for line in nested):
        return tuple(_unquoted(line[1:].strip()) for line in nested)
    if value[:1] in ("'", '"'):
        return _unquoted(value)
    return "\n".join(part for part in (_without_comment(value), *nested) if part)


def _flow_items(inner: str) -> list[str]:
    items: list[str] = []
    current: list[str] = []
    quote = ""
    for char in inner:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == ",":
            items.append("".join(current).strip())
            current = []
            continue
        current.append(char)
    items.append("".join(current).strip())
    return [item for item in items if item]


def _without_comment(value: str) -> str:
    if value.startswith("#"):
        return ""
    at = value.find(" #")
    return value if at < 0 else value[:at].rstrip()


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        inner = value[1:-1]
        if value[0] == "'":
            return inner.replace("''", "'")
        return inner.replace('\\"', '"').replace("\\\\", "\\")
    return value
