"""The edits that memory knows. Each is pure, bytes in and bytes out, so that it can be computed
again on whatever a file holds by the time it is written. Bytes outside an edit stay what they were.

All of them raise UnreadableText for a file that is not UTF-8, and EditRefused (or its kind
AmbiguousSection) when the edit cannot be applied as asked; None stands for a file that is absent.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal, NamedTuple

from mnemofs.errors import AmbiguousSection, EditRefused
from mnemofs.markdown.daily import append_daily
from mnemofs.markdown.document import Document, Section, plain_title
from mnemofs.markdown.entries import bullets
from mnemofs.markdown.keyvalues import Upserted, upsert_kv, upsert_pairs
from mnemofs.markdown.lines import flatten, with_ending
from mnemofs.markdown.placing import (
    apart,
    balanced,
    below_text,
    closing_line,
    content_end,
    place,
    trimmed,
    underlined,
)

__all__ = [
    "SectionEdit",
    "Upserted",
    "append",
    "append_daily",
    "find_replace",
    "overwrite",
    "read_section",
    "remember",
    "replace_section",
    "upsert_kv",
    "upsert_pairs",
]


class SectionEdit(NamedTuple):
    """What replacing a section did. `created` says that the heading stood nowhere before."""

    content: bytes
    status: Literal["created", "replaced", "unchanged"]
    warnings: tuple[str, ...] = ()


def append(data: bytes | None, block: str) -> bytes:
    """The file, a blank line, then `block`; never glued to a last line without an end (MD-10), and
    never part of a fence or comment that was left open."""
    document = Document.parse(data or b"")
    if not block.strip():
        return data or b""
    text, eol = document.text, document.eol
    block = with_ending(block, eol)
    if not block.endswith(eol):
        block += eol
    if text and not text.endswith(("\n", "\r")):
        text += eol
    if not text.strip():
        return document.encode(text + block)
    if closing := closing_line(document):
        return document.encode(text + closing + eol * 2 + block)
    blank = document.lines[-1].strip(" \t") == ""
    return document.encode(text + ("" if blank else eol) + block)


def overwrite(data: bytes | None, content: str) -> bytes:
    """`content` as it is; only a byte order mark that the file had is kept."""
    had_mark = data is not None and data.startswith(b"\xef\xbb\xbf")
    encoded = content.encode("utf-8")
    if had_mark and not encoded.startswith(b"\xef\xbb\xbf"):
        return b"\xef\xbb\xbf" + encoded
    return encoded


def find_replace(
    data: bytes, old: str, new: str, *, replace_all: bool = False
) -> tuple[bytes, int]:
    """Replace `old`, which must stand exactly once unless `replace_all`; returns how often it did.

    Line ends of `old` and `new` are read as those of the file. EditRefused when `old` is empty,
    equal to `new`, absent, or (AmbiguousSection) stands more than once.
    """
    document = Document.parse(data)
    text = document.text
    if not old:
        raise EditRefused("there is no text to look for", hint="give the exact text to replace")
    if old not in text:
        old = with_ending(old, document.eol)
    new = with_ending(new, document.eol)
    if old == new:
        raise EditRefused("old and new text are the same", hint="nothing was changed")
    first = text.find(old)
    if first < 0:
        raise EditRefused(
            "the text to replace does not stand in the file",
            hint=_why_absent(text, old),
        )
    if not replace_all and text.find(old, first + 1) >= 0:
        raise AmbiguousSection(
            f"the text to replace stands {max(2, text.count(old))} times in the file",
            hint="quote more of the lines around it, or replace all of them",
        )
    count = text.count(old)
    return document.encode(text.replace(old, new)), count


def _why_absent(text: str, old: str) -> str:
    if " ".join(old.split()) in " ".join(text.split()):
        return "it stands there with other white space; read the file again and quote it exactly"
    if old.casefold() in text.casefold():
        return "it stands there in other upper and lower case"
    return "read the file again and quote the text exactly"


def read_section(data: bytes, title: str, level: int | None = None) -> str | None:
    """A section with its heading and subsections, or None. Writing it back changes nothing (MD-14).

    Raises AmbiguousSection when several sections have this title (and level, if given).
    """
    document = Document.parse(data)
    found = document.find(title, level)
    if len(found) > 1:
        raise _twins(found)
    return document.section_text(found[0]) if found else None


def replace_section(data: bytes | None, text: str) -> SectionEdit:
    """Put `text` in place of the section that its first heading names, subsections included.

    Level and title must be the same. Missing: `text` is appended, status `created`, and a heading
    that only nearly matches is named in a warning (MD-04). Twins are refused (MD-05), and so is a
    text that would bring a second copy of another section. Without any heading: EditRefused.
    """
    document = Document.parse(data or b"")
    new = trimmed(with_ending(text, "\n"))
    incoming = Document.fragment(new)
    if not incoming.sections:
        raise EditRefused(
            "the new text has no heading that names a section",
            hint="start it with the section's heading, or append it",
        )
    heading = incoming.sections[0]
    found = document.find(heading.title, heading.level)
    if len(found) > 1:
        raise _twins(found)
    _refuse_copies(document, incoming, found[0] if found else None)
    if not found:
        content = place(document, 0, len(document.text), new)
        return SectionEdit(document.encode(content), "created", _near_misses(document, heading))
    section = found[0]
    end = content_end(document.text, section.start, section.tree_end)
    old = document.text[section.start : end]
    if with_ending(old, "\n").rstrip() == new.rstrip():
        return SectionEdit(document.encode(document.text), "unchanged")
    tail = document.text[end:]
    if tail.strip():
        new = balanced(new)
    tail = (apart(document, end, new) + tail) or document.eol
    before = document.text[: section.start]
    if heading.line > 1 or underlined(incoming, heading.start):
        before += below_text(document, section.start)
    content = before + with_ending(new, document.eol) + tail
    return SectionEdit(document.encode(content), "replaced")


def _twins(found: tuple[Section, ...]) -> AmbiguousSection:
    lines = ", ".join(str(section.line) for section in found)
    return AmbiguousSection(
        f"{len(found)} sections have this heading (lines {lines})",
        hint="rename one of them, or edit the text by find and replace",
    )


def _refuse_copies(document: Document, incoming: Document, replaced: Section | None) -> None:
    """A text that holds other sections of the file as well would leave them there twice."""
    top = incoming.sections[0].level
    for section in incoming.sections[1:]:
        if section.level > top:
            continue
        for standing in document.find(section.title, section.level):
            inside = replaced and replaced.start <= standing.start < replaced.tree_end
            if not inside:
                raise AmbiguousSection(
                    f"the new text also holds a section that stands at line {standing.line}",
                    hint="replace one section at a time",
                )


_INLINE = r"[*_~`]+|\s#[\w/-]+|!?\[|\]\([^)]{0,200}\)|\]"  # compiled on first use
_WORDS = r"[^\W_]+"


def _simplified(title: str) -> str:
    """A title without emphasis, links, tags, punctuation and case; long ones by their start."""
    plain = re.sub(_INLINE, " ", " " + plain_title(title)[:200])
    return " ".join(re.findall(_WORDS, plain.casefold()))


def _near_misses(document: Document, heading: Section) -> tuple[str, ...]:
    wanted = _simplified(heading.title)
    if not wanted:
        return ()
    few = len(document.sections) <= 300
    near = [
        other
        for other in document.sections
        if _is_near(wanted, _simplified(other.title), spelling=few)
    ]
    return tuple(
        f"a new section was added; line {other.line} already has a similar heading, "
        f"`{'#' * other.level} {other.title}`"
        for other in near[:3]
    )


def _is_near(wanted: str, other: str, *, spelling: bool) -> bool:
    if not other:
        return False
    if (
        wanted == other
        or f"{other} ".startswith(f"{wanted} ")
        or f"{wanted} ".startswith(f"{other} ")
    ):
        return True
    if not spelling:
        return False
    from difflib import SequenceMatcher

    return SequenceMatcher(None, wanted, other, autojunk=False).ratio() >= 0.85


def remember(
    data: bytes | None, text: str, *, at: datetime, source: str, section: str = "Recent Lessons"
) -> bytes:
    """Add `- YYYY-MM-DD HH:mm (source): text` at the end of a `##` section, made when missing.

    `text` becomes one line. A statement that stands as a bullet anywhere in the file, whatever its
    date and source, is not added again. `at` is a local time; of twin sections the last is used.
    """
    statement = flatten(text)
    if not statement:
        raise EditRefused("there is no text to remember", hint="give a sentence")
    document = Document.parse(data or b"")
    if any(bullet.statement == statement for bullet in bullets(data or b"")):
        return data or b""
    label = flatten(source).replace("(", "[").replace(")", "]") or "unknown"
    bullet = f"- {at:%Y-%m-%d %H:%M} ({label}): {statement}"
    found = document.find(section, 2)
    if not found:
        block = f"## {flatten(section)}\n\n{bullet}"
        return document.encode(place(document, 0, len(document.text), block))
    home = found[-1]
    return document.encode(place(document, home.start, home.end, bullet))
