"""Marks of our own in Markdown: sections a person edited, and what a dream wrote.

A dream's output must never become the material of the next one (DAY-09), and a model must not be
able to set a mark that only people and mnemofs set.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mnemofs.markdown.document import Document, Section
from mnemofs.markdown.lines import split_lines
from mnemofs.markdown.placing import place
from mnemofs.markdown.scanner import COMMENT

Forgotten = Callable[[str], bool]
DREAM_CLOSE = "<!-- /mnemofs:dream -->"
_DREAM_OPEN = re.compile(r"\s*<!--\s*mnemofs:dream\b[^>]*-->\s*")
_DREAM_CLOSE = re.compile(r"\s*<!--\s*/mnemofs:dream\s*-->\s*")
_DREAM_HEADING = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d Dream(?:ing)?\b.*")
_SCORED = re.compile(
    r"\bscore\s*=\s*-?\d*\.?\d|\(\s*score\b\W{0,3}[01]?\.\d|\brecalled \d+ times?, score \d",
    re.IGNORECASE,
)
_CANDIDATE = re.compile(r"\(\s*score\b", re.IGNORECASE)
# A page of the diary, in whatever quotation or list somebody put it.
_AROUND = re.compile(r"(?:[\s>]|[-*+•]\s|\d+[.)]\s)*")
_PAGE_HEAD = re.compile(rf"#{{1,6}}\s+{_DREAM_HEADING.pattern}")
_PAGE_READ = re.compile(r"Read \d+ notes?(?: \(\d{4}-\d\d-\d\d[^)]*\))?\.")
_PAGE_LIST = re.compile(r"(?:Promoted to MEMORY\.md|Merged or removed|Left in the notes):\s*")
_NOTE_LINKS = re.compile(r"\(\[\d{4}-\d\d-\d\d\]\(memory/\d{4}-\d\d-\d\d\.md\)")
_SIGNS = ("mnemofs:dream", " Dream", "](memory/", "Promoted to", "Merged or", "Left in the notes")
_USER_EDITED = re.compile(r"<!--\s*user-edited\b[^>]*-->")
_OWN = re.compile(r"<!--\s*/?(?:mnemofs:[a-z-]+|user-edited)\b[^>]*-->")


def dream_open(identity: str) -> str:
    """The line that opens a dream's entry."""
    return f"<!-- mnemofs:dream {identity} -->"


def without_dreams(text: str) -> str:
    """`text` (\\n line ends) without what a dream wrote and without scored candidates, also where
    somebody quoted or listed it (DAY-09)."""
    if not any(sign in text for sign in _SIGNS) and "score" not in text.lower():
        return text
    document = Document.of_text(text)
    lines = split_lines(text)
    bare = [line[match.end() :] if (match := _AROUND.match(line)) else line for line in lines]
    drop: set[int] = set()
    for section in document.sections:
        first, last = section.line - 1, section.last_line
        if _DREAM_HEADING.fullmatch(section.title):
            closed = (n + 1 for n in range(first, last) if _DREAM_CLOSE.fullmatch(bare[n]))
            drop.update(range(first, next(closed, last)))
        elif _CANDIDATE.search(section.title):  # with its text below it
            drop.update(range(first, last))
    open_at = -1
    for number, line in enumerate(bare):
        if _DREAM_OPEN.fullmatch(line):
            open_at = number
        elif open_at >= 0 and _DREAM_CLOSE.fullmatch(line):
            drop.update(range(open_at, number + 1))
            open_at = -1
        elif _told(line):
            drop.add(number)
        elif _PAGE_LIST.fullmatch(line):
            drop.update(_list_below(bare, lines, number))
    if open_at >= 0:  # cut short: up to the next heading
        starts = [section.line - 1 for section in document.sections if section.line - 1 > open_at]
        drop.update(range(open_at, starts[0] if starts else len(lines)))
    return "".join(line for number, line in enumerate(lines) if number not in drop)


def _told(line: str) -> bool:
    """Whether a line, without what is around it, is one of a dream's."""
    return bool(
        _SCORED.search(line)
        or _NOTE_LINKS.search(line)
        or _PAGE_READ.match(line)
        or _PAGE_HEAD.fullmatch(line.rstrip())
    )


def _list_below(bare: list[str], lines: list[str], title: int) -> range:
    """The lines of a page's list: its title, and the items below it up to a blank line."""
    end = title + 1
    while end < len(lines) and not bare[end].strip():
        end += 1
    while end < len(lines) and bare[end].strip() and bare[end] != lines[end]:
        end += 1
    return range(title, end)


def without_forged_marks(text: str, standing: str) -> str:
    """`text` without marks of ours, dream blocks and scored lines that `standing` does not hold.

    What stands in the file already is a person's or ours; a proposal may keep it, never add to it.
    """
    kept = set(standing.split("\n"))
    lines = []
    for line in split_lines(text):
        if line.rstrip("\n") in kept:
            lines.append(line)
        elif not _SCORED.search(line):
            cleaned = _OWN.sub("", line)
            if cleaned == line or cleaned.strip():
                lines.append(cleaned)
    return "".join(lines)


def keep_user_edited(old: str, new: str) -> tuple[str, tuple[str, ...]]:
    """`new` with every section that a person marked as edited as it stands in `old`.

    Returns the text and the titles of sections that had to be put back. Both texts use \\n. The
    mark protects the section around it with its subsections; in a text under a single title, the
    part before the first section below it.
    """
    document = Document.of_text(old)
    marked = {_own_text(document, section): section for section in _marked_sections(document)}
    protected = {text.strip("\n") for text in marked}
    restored: dict[str, None] = {}
    for text, section in marked.items():
        present = Document.of_text(new)
        if text.strip("\n") not in _own_texts(present):
            new = _put_back(present, section, text, protected)
            restored[section.title if section else "the beginning"] = None
    return new, tuple(restored)


def has_user_edited(text: str) -> bool:
    """Whether a person's mark stands anywhere in the text."""
    return _USER_EDITED.search(text) is not None


def touches_user_edited(old: str, new: str) -> bool:
    """Whether a change from `old` to `new` would alter a section that a person marked."""
    return bool(keep_user_edited(old, new)[1])


def keep_front_matter(old: str, new: str) -> str:
    """`new` under the front matter of `old`, to the letter (I9)."""
    before = Document.of_text(old)
    if before.front is None:
        return new
    document = Document.of_text(new)
    return before.text[: before.body_start] + document.text[document.body_start :].lstrip("\n")


def without_forgotten(text: str, standing: str, forgotten: Forgotten | None) -> tuple[str, int]:
    """`text` without new lines that say what was forgotten, and how many those were."""
    if forgotten is None:
        return text, 0
    kept = set(standing.split("\n"))
    lines = split_lines(text)
    stay = [
        line
        for line in lines
        if not line.strip() or line.rstrip("\n") in kept or not forgotten(line.strip())
    ]
    return "".join(stay), len(lines) - len(stay)


def _marked_sections(document: Document) -> list[Section | None]:
    """The sections that carry the mark; None stands for the text before the first heading."""
    found: dict[int, Section | None] = {}
    for block in document.blocks:
        if block.kind == COMMENT and _USER_EDITED.search(document.block_text(block)):
            at = document.offsets[block.start]
            around = [part for part in document.sections if part.start <= at < part.tree_end]
            inner = [part for part in around if part.level > 1]
            section = next(iter(inner or around[-1:]), None)
            found[section.start if section else 0] = section
    return list(found.values())


def _own_text(document: Document, section: Section | None) -> str:
    start, end = _span(document, section)
    return document.text[start:end]


def _span(document: Document, section: Section | None) -> tuple[int, int]:
    if section is None:
        sections = document.sections
        return document.body_start, sections[0].start if sections else len(document.text)
    return section.start, section.end if section.level == 1 else section.tree_end


def _own_texts(document: Document) -> set[str]:
    return {_own_text(document, section).strip("\n") for section in (None, *document.sections)}


def _put_back(document: Document, section: Section | None, text: str, protected: set[str]) -> str:
    present = document.text
    if section is None:
        start, end = _span(document, None)
        return present[:start] + text + present[end:]
    same = document.find(section.title, section.level) or document.find(section.title)
    # A twin that is protected itself is not the place to put this one.
    same = tuple(twin for twin in same if _own_text(document, twin).strip("\n") not in protected)
    if same:
        start, end = _span(document, same[0])
        gap = "\n\n" if present[end:] else "\n"
        return present[:start] + text.rstrip("\n") + gap + present[end:]
    return place(document, 0, len(present), text.rstrip("\n"))
