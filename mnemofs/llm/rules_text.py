"""Plain text work of the rules engine: what a person said themselves, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from mnemofs.llm.rules_words import COMMON, NEGATIONS

MAX_SENTENCE = 400  # characters; longer ones are pasted, not said
ALIKE = 0.6  # the share of a line's words that a shorter line must hold to say the same thing

_FENCED = re.compile(r"(?ms)^[ \t]{0,3}(`{3,}|~{3,}).*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)")
_QUOTED_LINE = re.compile(r"(?m)^[ \t]{0,3}>.*$")
_TAGGED = re.compile(r"<(\w{1,20})>[^<]{0,4000}</\1>")
_CODE = re.compile(r"`[^`\n]{1,200}`")
_QUOTATION = re.compile(
    r"“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|\"[^\"\n]{1,400}\"|「[^」\n]{1,400}」"
    r"|『[^』\n]{1,400}』|(?<![\w])'[^'\n]{12,400}'(?!\w)|‘[^’\n]{12,400}’(?!\w)"
)
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KANA = r"\u3040-\u30ff\u31f0-\u31ff"
_ENDS = re.compile(
    r"(?<=[。！？])|(?<=[!?])(?=\s|$)|(?<=[^\W\d]{2}\.)(?=\s+\S)|(?<=\d\.)(?=\s+[A-ZÄÖÜÀ-Þ¿¡])"
    r"|(?<=[.!?][\"”»)])(?=\s)|\n+"
)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|dr|mr|mrs|ms|prof|st|no|nr|approx|ca|z\.b|d\.h|bzw|usw|p\.ej|sr|sra"
    r"|ud|uds|p\.ex|m|mme|mlle|env|inc|ltd|co)\.$",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•・]|\d{1,2}[.)、])\s+(?:\[[ xX]\]\s+)?")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:['._+#-][a-z0-9]+)*[+#]*")
# Chinese and Japanese put no space between their characters and a foreign word.
_LETTER = rf"[^\W_{_HAN}{_KANA}]"
_WORD = re.compile(rf"[{_HAN}{_KANA}]|{_LETTER}+(?:['’._+#-]{_LETTER}+)*[+#]*")


def said(text: str) -> str:
    """The text without what was pasted into it: code, quoted lines, tagged blocks, quotations.

    Short quoted names stay, since a name in quotation marks is still what the person says.
    """
    text = _FENCED.sub("\n", text)
    text = _QUOTED_LINE.sub("", text)
    text = _TAGGED.sub("\n", text)
    text = _CODE.sub(_unless_long, text)
    return _QUOTATION.sub(_unless_long, text)


def _unless_long(match: re.Match[str]) -> str:
    inner = match[0][1:-1].strip()
    cjk = len(re.findall(rf"[{_HAN}{_KANA}]", inner))
    return "…" if len(inner.split()) > 2 or cjk > 4 else match[0]


def sentences(text: str) -> Iterator[str]:
    """Sentences in order, without list marks; a list item is a sentence."""
    start = 0
    for match in _ENDS.finditer(text):
        part = text[start : match.start()]
        if _ABBREVIATED.search(part) and "\n" not in match[0]:
            continue
        start = match.end()
        yield from _trimmed(part)
    yield from _trimmed(text[start:])


def _trimmed(part: str) -> Iterator[str]:
    sentence = " ".join(_LIST_MARK.sub("", part).replace("**", "").split())
    if sentence:
        yield sentence


def is_chinese(text: str) -> bool:
    """Han characters and no kana."""
    return _HAS_HAN.search(text) is not None and not is_japanese(text)


def is_japanese(text: str) -> bool:
    """Kana make a text Japanese."""
    return _HAS_KANA.search(text) is not None


def is_cjk(text: str) -> bool:
    """Whether there is a Chinese or Japanese character in it."""
    return _CJK.search(text) is not None


@lru_cache(maxsize=1024)  # a line is looked at from several sides in a row
def words(text: str) -> tuple[str, ...]:
    """Lower-case words; each Han or kana character is one."""
    text = text.lower()
    if text.isascii():
        return tuple(_ASCII_WORD.findall(text))
    found = _WORD.findall(text)
    return tuple([word.replace("’", "'") for word in found] if "’" in text else found)


def terms(text: str) -> frozenset[str]:
    """What a text is about: its words without the commonest, CJK as pairs of neighbours."""
    return _terms(words(text))


@dataclass(frozen=True)
class Gist:
    """What a line says, for comparing it: its words, those with a digit, whether it denies.

    Han and katakana count character by character, hiragana not at all: it holds the grammar.
    """

    words: frozenset[str]
    figures: frozenset[str]
    denies: bool


def gist(text: str) -> Gist:
    """The gist of a line."""
    found = words(text)
    if text.isascii():
        said = frozenset([_stem(word) for word in found if word not in COMMON])
        figures = said and frozenset([word for word in said if not word.isalpha() and _DIGIT(word)])
        return Gist(said, figures, not NEGATIONS.isdisjoint(found))
    said = frozenset(
        word if _is_cjk(word) else _stem(word)
        for word in found
        if word not in COMMON and not _HIRAGANA.match(word)
    )
    figures = frozenset(word for word in said if any(char.isdigit() for char in word))
    denies = not NEGATIONS.isdisjoint(found) or _DENIAL.search(text) is not None
    return Gist(said, figures, denies)


def covers(first: Gist, second: Gist) -> bool:
    """Whether the first line says all that the second says, and not much else.

    A word that only the second has may be the value that changed, so it makes the two differ; so
    does a figure, and so does a denial.
    """
    if first.figures != second.figures or first.denies != second.denies:
        return False
    return second.words <= first.words and len(second.words) >= ALIKE * len(first.words) > 0


def alike(first: Gist, second: Gist) -> bool:
    """Whether one of two lines covers the other."""
    return covers(first, second) or covers(second, first)


def _terms(found: tuple[str, ...]) -> frozenset[str]:
    result = {word for word in found if not _is_cjk(word) and word not in COMMON}
    result.update(
        first + second for first, second in pairwise(found) if _is_cjk(first) and _is_cjk(second)
    )
    return frozenset(result)


def _stem(word: str) -> str:
    """A word without the ending of the plural, of the third person or of the owner."""
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_cjk(word: str) -> bool:
    return len(word) == 1 and not word.isascii() and _CJK.match(word) is not None


_DIGIT = re.compile(r"\d").search
_HAS_HAN = re.compile(rf"[{_HAN}]")
_HAS_KANA = re.compile(rf"[{_KANA}]")
_CJK = re.compile(rf"[{_HAN}{_KANA}]")
_HIRAGANA = re.compile(r"[\u3040-\u309f]")
_DENIAL = re.compile("[不没別别]|ない|ません")
