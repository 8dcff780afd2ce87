"""Reads the plain part of TOML: what `init` writes and most people leave it at.

A hook pays four milliseconds for `tomllib`, more than for its search. Whatever is not plainly a
section, a comment, or a key with a simple value is left to `tomllib`, and so is every error.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def parse(text: str) -> dict[str, dict[str, Any]] | None:
    """Sections with their keys, as `tomllib.loads` gives them; None when that has to read it."""
    if not text.isprintable() and not text.replace("\n", "").isprintable():
        return None
    table: dict[str, dict[str, Any]] = {}
    section: dict[str, Any] | None = None
    for raw in text.split("\n"):
        line = raw.strip(" ")
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            name = line[1:-1]
            if line[-1] != "]" or not _is_bare(name) or name in table:
                return None
            section = table[name] = {}
            continue
        key, sign, written = line.partition("=")
        key = key.strip(" ")
        if section is None or not sign or not _is_bare(key) or key in section:
            return None
        value = _value(written.strip(" "))
        if value is None:
            return None
        section[key] = value
    return table


def _is_bare(key: str) -> bool:
    return bool(key) and _BARE.issuperset(key)


def _value(text: str) -> str | int | bool | None:
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        inner = text[1:-1]
        return None if '"' in inner or "\\" in inner else inner
    if text in ("true", "false"):
        return text == "true"
    if text.isascii() and text.isdigit() and (text[0] != "0" or text == "0"):
        return int(text)
    return None
