"""Structured entries for a prompt: read line by line where that is exact, by the parser elsewhere.

The parser and what it imports cost a hook twenty milliseconds.
"""

from __future__ import annotations

import re
from datetime import date
from unicodedata import is_normalized

from mnemofs.records import Record

# Fences, HTML, Setext underlines, escapes, indented or closed headings, odd white space.
_ODD = re.compile(
    r"^ {0,3}(?:`{3}|~{3}|<|=+ *$|-+ *$| #|\\)|^#.*#\s*$|^(?:#{1,6}|##\s+)$|^ {1,3}#"
    r"|[\t\r\v\f\0\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]",
    re.MULTILINE,
)
_META = re.compile(r" {0,3}> *Source:(?P<source>[^|]*)\| *Updated: *(?P<day>\S*) *$")


class StructuredText(Record):
    """One entry of a structured file, as `entries.StructuredEntry`."""

    key: str
    content: str
    source: str = ""
    updated: date | None = None


def structured_texts(text: str) -> tuple[StructuredText, ...]:
    """The entries of a structured file in file order; of twin keys the last wins."""
    if _ODD.search(text) or not is_normalized("NFC", text):
        from mnemofs.markdown.entries import parse_structured

        return tuple(StructuredText(*entry) for entry in parse_structured(text.encode()))
    found: dict[str, StructuredText] = {}
    key = ""
    body: list[str] = []
    for line in (*text.split("\n"), "# "):
        if line.startswith(("# ", "## ")):
            if key:
                found[key] = _entry(key, body)
            key = " ".join(line[3:].split()) if line.startswith("##") else ""
            body = []
        elif key:
            body.append(line)
    return tuple(found.values())


def _entry(key: str, body: list[str]) -> StructuredText:
    lines = _trimmed(body)
    meta = _META.match(lines[-1]) if lines else None
    if not meta:
        return StructuredText(key, "\n".join(lines))
    try:
        updated = date.fromisoformat(meta["day"]) if len(meta["day"]) == 10 else None
    except ValueError:
        updated = None
    return StructuredText(key, "\n".join(_trimmed(lines[:-1])), meta["source"].strip(), updated)


def _trimmed(lines: list[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return lines[first:last]
