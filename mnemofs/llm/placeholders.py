"""Words that stand for text instead of being it: "unchanged", "[rest of file]", 无变化.

Models write them when a prompt asks for a whole file. Stored, they replace the memory they refer to
(LLM-05), are read back by the next prompt, and spread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from mnemofs.llm import placeholder_words as words

_ELLIPSIS = re.compile(r"\.{3}|[…⋯]|。{3}")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")
# A line that is all in brackets, or a comment.
_BRACKETED = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|［[^［］]*］|【[^【】]*】|<[^<>]*>|\$?\{+[^{}]*\}+|/\*.*\*/|//.*"
)
_HEADING_ASIDE = re.compile(r"#{1,6} .*[(（\[]([^()（）\[\]]*)[)）\]]\s*")
_DOTTED = re.compile(r"(?:\.\.|[…⋯]|--|==).*|.*(?:\.\.|[…⋯])")
# A template's variable that was never filled in.
_VARIABLE = re.compile(r"\$?\{\{?\s*[\w.]+\s*\}?\}")
_LIST_MARK = re.compile(r"\s*(?:[-*+>]\s+|\d+[.)]\s+)*")
_SPACING = re.compile(r"[\s:：,、_—–]+")
_PHRASES = re.compile(r"[/|,，、;；()（）\[\]—–]|[.。!！](?=\s|$)")
_MOST_PHRASES = 4
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def says_nothing(text: str) -> bool:
    """Whether the whole text is a placeholder, bare or wrapped in quotes, brackets or a heading, or
    several of them: "保持不变 / unchanged"."""
    if len(text) > 200:
        return False
    bare = _bare(text)
    if not bare or _is_nothing(bare) or _VARIABLE.fullmatch(text.strip()):
        return bool(text.strip())
    parts = [part for part in map(_bare, _PHRASES.split(text)) if part]
    return 1 < len(parts) <= _MOST_PHRASES and all(map(_is_nothing, parts))


def elided(text: str) -> bool:
    """Whether a line outside code fences says that text was left out here."""
    return next(_elisions(text.split("\n")), None) is not None


def without_elisions(text: str) -> str:
    """The text without such lines; "" when only headings are left of it then."""
    lines = text.split("\n")
    gone = set(_elisions(lines))
    kept = [line for number, line in enumerate(lines) if number not in gone]
    if gone and all(not line.strip() or line.startswith("#") for line in kept):
        return ""
    return "\n".join(kept)


def _elisions(lines: Sequence[str]) -> Iterator[int]:
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        elif not fence and len(line) <= 200 and _line_elides(line):
            yield number


def _line_elides(line: str) -> bool:
    said = line[_LIST_MARK.match(line).end() :].strip()  # type: ignore[union-attr]
    bare = _bare(said)
    if not bare:
        return _ELLIPSIS.search(said) is not None
    if _is(bare, words.REST):
        return True
    if heading := _HEADING_ASIDE.fullmatch(said):
        return _is(_bare(heading[1]), words.UNCHANGED, words.REST)
    # "unchanged" alone can be honest content; in brackets or between dots it never is.
    plain = said.strip("*_ ")
    if _BRACKETED.fullmatch(plain):
        return _is(bare, words.UNCHANGED, words.POINTER, words.ASIDE)
    if _DOTTED.fullmatch(plain):
        return _is(bare, words.UNCHANGED, words.POINTER)
    return plain != said and _is(bare, words.UNCHANGED)


def _is_nothing(bare: str) -> bool:
    return _is(bare, words.UNCHANGED, words.POINTER, words.NOTHING, words.REST)


def _is(bare: str, *kinds: str) -> bool:
    return any(_pattern(kind).fullmatch(bare) for kind in kinds)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile(f"(?:{kind}){words.TARGET}?", re.IGNORECASE)


def _bare(text: str) -> str:
    return _SPACING.sub(" ", _EDGE.sub("", text))
