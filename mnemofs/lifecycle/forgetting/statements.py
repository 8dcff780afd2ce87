"""When two texts say the same: the same words in the same order, however they are dressed.

Case, Unicode form, sentence punctuation and Markdown decoration are dress. What carries meaning in
a word stays: `C++`, `100%`, `-5`, `don't`, `a/b`. Chinese and Japanese characters are words of
their own, so spaces between them do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

_CJK: Final = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003134f"
)
_CJK_MARKS: Final = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301b\u30fb\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff5e"
)
# A run of characters without white space, cut at every Chinese or Japanese character.
_PIECE: Final = re.compile(
    rf"[{_CJK}][\u3099\u309a\uff9e\uff9f]?|[{_CJK_MARKS}]|[^\s{_CJK}{_CJK_MARKS}]+"
)
_OPENING: Final = frozenset("「『（《【〈〔〖")
_IS_CJK: Final = re.compile(rf"[{_CJK}]")
_LINK: Final = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
_COMMENT_MARK: Final = re.compile(r"<!--|-->")
_ESCAPE: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_PAIRED: Final = re.compile(r"\*\*|__|~~|`|\*(?=$)|(?<![^\W_])_|_(?![^\W_])")
_LEADING: Final = re.compile(rf"^[.,;:!?'\"()\[\]{{}}|*_#«»„“”‘’‚‹›…—–{_CJK_MARKS}]+|^-+(?!\d)")
_TRAILING: Final = re.compile(rf"[.,;:!?'\"()\[\]{{}}|*_«»„“”‘’‚‹›…—–{_CJK_MARKS}-]+$")
_DASH: Final = re.compile("[\u2010-\u2015\u2212]")
_QUOTE: Final = re.compile("[\u2018\u2019\u02bc\u2032]")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_STOP: Final = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f]+[\"'\)\]\u201d\u2019\u00bb\u300d\u300f\uff09*_`]*$"
)
_ABBREVIATION: Final = re.compile(
    r"(?<![^\W_])(?:[^\W\d_]|dr|mr|mrs|ms|prof|st|vs|etc|approx|ca|bzw|nr|no|vgl|inc|e\.g|i\.e|z\.b|d\.h"
    r"|sra?|mme|fig|vol|pp?)\.$",
    re.IGNORECASE,
)


class Word(NamedTuple):
    """One word: how it is compared, and the characters of the text that belong to it with its
    punctuation. `ends`: a sentence ends here."""

    token: str
    start: int
    end: int
    ends: bool


def words(text: str) -> list[Word]:
    """The words of a text in order. Offsets count characters of `text`."""
    found: list[Word] = []
    opened = -1  # where brackets before the next word begin
    for match in _PIECE.finditer(_undecorated(text)):
        piece, (start, end) = match[0], match.span()
        token = _token(piece)
        stops = _STOP.search(piece) is not None and _ABBREVIATION.search(piece) is None
        if token:
            found.append(Word(token, opened if opened >= 0 else start, end, stops))
            opened = -1
        elif piece in _OPENING:
            opened = start if opened < 0 else opened
        elif found and (found[-1].end == start or stops):
            # Punctuation by itself belongs to the word before it.
            last = found[-1]
            found[-1] = last._replace(end=end, ends=last.ends or stops)
    return found


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared; a text of mere punctuation is one word."""
    found = tuple(word.token for word in words(text))
    if found or not text.strip():
        return found
    return (unicodedata.normalize("NFKC", " ".join(text.split())).casefold(),)


def key(some: Sequence[str]) -> str:
    """One string for a run of words."""
    return " ".join(some)


def telling(some: Sequence[str]) -> bool:
    """Whether a run of words can only mean the statement it was taken from, wherever it stands;
    a word or two may be about anything."""
    return len(some) >= (6 if any(is_cjk(word) for word in some) else 3)


def occurrences(some: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the run `wanted` begins in `some`, without overlaps."""
    size, found, at = len(wanted), [], 0
    if not size:
        return []
    while at + size <= len(some):
        if some[at] == wanted[0] and list(some[at : at + size]) == list(wanted):
            found.append(at)
            at += size
        else:
            at += 1
    return found


def is_cjk(token: str) -> bool:
    """Whether a word is a Chinese or Japanese character."""
    return _IS_CJK.match(token) is not None


def _undecorated(text: str) -> str:
    """`text`, as long as before, with what only links or hides blanked out."""
    if "](" in text:
        text = _LINK.sub(lambda match: " " * len(match[0]), text)
    if "--" in text:
        text = _COMMENT_MARK.sub(lambda match: " " * len(match[0]), text)
    return text


def _token(piece: str) -> str:
    if piece.isascii() and piece.isalnum():
        return piece.casefold()
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", piece))
    plain = _ESCAPE.sub("", plain)
    plain = _DASH.sub("-", _QUOTE.sub("'", plain))
    plain = _PAIRED.sub("", plain)
    plain = _TRAILING.sub("", _LEADING.sub("", plain))
    if _IS_CJK.match(plain):
        return plain
    return unicodedata.normalize("NFKC", plain.casefold())
