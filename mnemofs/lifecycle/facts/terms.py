"""The words by which a fact is found, in any language. Pure.

A question is data: its content words are looked up, never the whole message (W-22). Chinese and
Japanese are cut into pairs of neighbours and single characters, so that one character finds, too.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

from mnemofs.characters import CJK
from mnemofs.llm.rules_words import COMMON

_WORD: Final = re.compile(rf"[{CJK}]|[^\W_]+(?:['+#-]*[^\W_]+)*[+#]*")
_CJK: Final = re.compile(f"[{CJK}]")
_KANA_GRAMMAR: Final = re.compile(r"[\u3040-\u309f]")
_ASKING_WORDS: Final = (
    "what who where when which how why whose does did tell know anything something wer was wo wann"
    " welche welcher wie warum qué quién dónde cuándo cuál cómo qui quoi où quand quel quelle"
    " comment user"
)
_ASKING: Final = frozenset(_ASKING_WORDS.split())
_FEW_CJK: Final = frozenset("的了是在和就也都很我你们有什么吗呢哪谁怎多少几")


def terms_of(text: str) -> frozenset[str]:
    """Every word of a fact, for the table."""
    found = _words(text)
    result = set()
    for word in found:
        result.add(word)
        result.update(part for part in re.split(r"['-]", word) if part)
    result.update(one + other for one, other in pairwise(found) if _is_cjk(one) and _is_cjk(other))
    return frozenset(result)


def asked(text: str) -> tuple[str, ...]:
    """The words of a question that say what it is about; all of them when none does."""
    found = _words(text)
    words = [word for word in found if not _is_cjk(word)]
    content = [word for word in words if word not in COMMON and word not in _ASKING]
    pairs = [
        one + other
        for one, other in pairwise(found)
        if _is_cjk(one)
        and _is_cjk(other)
        and not (one in _FEW_CJK and other in _FEW_CJK)
        and not (_KANA_GRAMMAR.match(one) and _KANA_GRAMMAR.match(other))
    ]
    single = [word for word in found if _is_cjk(word)]
    return tuple(dict.fromkeys([*content, *pairs] or [*words, *single]))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ").replace("’", "'")
    return [_stem(match[0]) for match in _WORD.finditer(plain)]


def _stem(word: str) -> str:
    """Without the ending of the plural or of the third person."""
    if len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _is_cjk(word: str) -> bool:
    return len(word) == 1 and _CJK.match(word) is not None
