"""`key: value` lines: found where a reader sees them, rewritten in place, never in code (MD-13)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from mnemofs.errors import EditRefused
from mnemofs.markdown import frontmatter
from mnemofs.markdown.document import Document
from mnemofs.markdown.lines import bare, flatten, structural_lines
from mnemofs.markdown.placing import place
from mnemofs.markdown.scanner import ITEM, MORE, PARAGRAPH

# Some languages put a space before the colon, some have a wide one of their own.
_LINE: Final = re.compile(r"[ \t]*([\w.-]+)(?:[ \t\u00a0\u202f]*:(?=[ \t]|$)|\uff1a)")
_DRESSED: Final = r"[ \t]*(?:[-*+][ \t]+)?[*_`]*([\w.-]+)[*_`]*[ \t\u00a0]*[:\uff1a]"
_KEY: Final = re.compile(r"[\w.-]+")
_YAML_QUOTED: Final = frozenset("\"'[]{}#,&*!|>%@`-?:")


class Upserted(NamedTuple):
    """What an upsert did. `created`: at least one new key; `replaced`: values changed only."""

    content: bytes
    status: Literal["created", "replaced", "unchanged"]
    warnings: tuple[str, ...] = ()


class KeyLine(NamedTuple):
    """A `key: value` line: `line` is a structural line index, `value` stands as it is written."""

    key: str
    value: str
    line: int


def parse_line(line: str) -> tuple[str, str] | None:
    """Key and value of one line without its end, or None. The key has no white space."""
    match = _LINE.match(line)
    return (match[1], line[match.end() :].strip()) if match else None


def key_lines(document: Document) -> Iterator[KeyLine]:
    """The key lines of the body: lines of top-level paragraphs, so none of code, quote, list."""
    for block in document.blocks:
        if block.kind == PARAGRAPH and not block.depth:
            for index in range(block.start, block.end):
                if parsed := parse_line(document.lines[index]):
                    yield KeyLine(parsed[0], parsed[1], index)


def upsert_kv(data: bytes | None, text: str) -> Upserted:
    """Update the file by the `key: value` lines of `text`: in place where a key stands already
    (first occurrence), new keys at the end in the order given, the last value of a key wins. A
    line that only nearly has a new key (`Role:`, `- role:`) is named in a warning (MD-04).

    Lines of `text` that are no key line are left out and counted in a warning.
    """
    pairs: dict[str, str] = {}
    dropped = 0
    for line in map(bare, structural_lines(text)):
        if parsed := parse_line(line):
            pairs[parsed[0]] = parsed[1]
        elif line.strip():
            dropped += 1
    warnings = (f"{dropped} lines without `key: value` were left out",) if dropped else ()
    return _upsert(data, pairs, warnings)


def upsert_pairs(data: bytes | None, pairs: Mapping[str, str]) -> Upserted:
    """The same for values given apart from their keys; a value is always one line (MD-12).

    EditRefused for a key that holds anything but letters, digits, `_`, `.` and `-`.
    """
    for key in pairs:
        if not _KEY.fullmatch(key):
            raise EditRefused(
                "a key may hold letters, digits, `_`, `.` and `-` only",
                hint="choose another key",
            )
    return _upsert(data, {key: flatten(value) for key, value in pairs.items()}, ())


def _upsert(data: bytes | None, pairs: Mapping[str, str], warnings: tuple[str, ...]) -> Upserted:
    document = Document.parse(data or b"")
    lines = structural_lines(document.text)
    missing = dict(pairs)
    changed = _upsert_front(document, lines, missing)
    for found in key_lines(document):
        if found.key in missing:
            value = missing.pop(found.key)
            if value != found.value:
                lines[found.line] = _with_value(lines[found.line], value)
                changed = True
    content = document.encode("".join(lines)) if changed else (data or b"")
    if missing:
        content = _add(content, missing)
        return Upserted(content, "created", (*warnings, *_near_misses(document, missing)))
    return Upserted(content, "replaced" if changed else "unchanged", warnings)


def _upsert_front(document: Document, lines: list[str], missing: dict[str, str]) -> bool:
    """Rewrite the keys that stand in the front matter; takes them out of `missing`."""
    if not document.front:
        return False
    changed = False
    for index in range(1, document.front.lines - 1):
        key = frontmatter.key_of(document.lines[index])
        if key is None or key not in missing:
            continue
        value = missing.pop(key)
        if document.front.fields.get(key) == value:
            continue
        lines[index] = _rewritten(lines[index], key, _yaml(value))
        following = index + 1
        while following < document.front.lines - 1 and frontmatter.continues_value(
            document.lines[following]
        ):
            lines[following] = ""
            following += 1
        changed = True
    return changed


def _with_value(line: str, value: str) -> str:
    plain = bare(line)
    match = _LINE.match(plain)
    assert match is not None
    gap = "" if match[0].endswith("\uff1a") else " "
    return f"{match[0]}{gap}{value}".rstrip(" ") + line[len(plain) :]


def _near_misses(document: Document, missing: Mapping[str, str]) -> tuple[str, ...]:
    wanted = {key.casefold() for key in missing}
    found = []
    for block in document.blocks:
        if block.kind in (PARAGRAPH, ITEM, MORE):
            for index in range(block.start, block.end):
                match = re.match(_DRESSED, document.lines[index])
                if match and match[1].casefold() in wanted:
                    found.append(
                        f"a new key was added; line {document.numbers[index]} already has a "
                        f"similar one, `{match[1]}`"
                    )
    return tuple(found[:3])


def _rewritten(line: str, key: str, value: str) -> str:
    stripped = line.lstrip(" \t")
    indent = line[: len(line) - len(stripped)]
    end = line[len(line.rstrip("\r\n")) :]
    return f"{indent}{key}: {value}".rstrip() + end


def _yaml(value: str) -> str:
    """A one-line value as YAML: quoted only when a reader would take it for something else."""
    if value and (value[0] in _YAML_QUOTED or ": " in value or " #" in value or value[-1] == ":"):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return value


def _add(data: bytes, pairs: Mapping[str, str]) -> bytes:
    document = Document.parse(data)
    block = "\n".join(f"{key}: {value}".rstrip() for key, value in pairs.items())
    last = document.blocks[-1] if document.blocks else None
    joins = (
        last is not None
        and last.kind == PARAGRAPH
        and parse_line(document.lines[last.end - 1]) is not None
    )
    return document.encode(place(document, 0, len(document.text), block, tight=joins))
