"""Which languages a text may be in: a set, empty when nothing tells.

Told by script, by words without content and by a few letters and endings. A short text often fits
several languages (`la` is French, Spanish and Italian); then it is all of them, so that whoever
compares two texts only sees a difference that is certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain

from mnemofs.index.terms.stopwords import LISTS
from mnemofs.index.terms.text import letters

LATIN = tuple(LISTS)
_BITS = {name: 1 << place for place, name in enumerate((*LATIN, "zh", "ja", "ko", "other"))}
ZH, JA, KO, OTHER = (_BITS[name] for name in ("zh", "ja", "ko", "other"))
# Some language in Latin letters, which may be one without a list of its own.
ANY_LATIN = (ZH - 1) | (OTHER << 1)
# Letters that few languages use, and endings; each weighs as much as half a word.
_LETTERS = {
    "ß": "de", "ä": "de", "ö": "de", "ü": "de es", "ñ": "es", "¿": "es", "¡": "es",
    "á": "es pt", "í": "es pt it", "ó": "es pt it", "ú": "es pt it", "ã": "pt", "õ": "pt",
    "ç": "fr pt", "œ": "fr", "ê": "fr pt", "è": "fr it", "ù": "fr it", "à": "fr it pt",
    "ò": "it", "ì": "it", "î": "fr", "ï": "fr nl", "ë": "nl fr", "é": "fr es pt it",
}  # fmt: skip
_ENDINGS = {
    "ing": "en", "ly": "en", "ght": "en", "ed": "en", "ness": "en", "tion": "en fr", "ck": "en",
    "ung": "de", "ungen": "de", "keit": "de", "heit": "de", "lich": "de", "isch": "de", "cht": "de",
    "ieren": "de", "iert": "de", "en": "de nl es", "tz": "de", "ción": "es", "ciones": "es",
    "dad": "es", "mente": "es pt it", "ando": "es pt it", "iendo": "es", "ado": "es pt",
    "ada": "es pt", "ar": "es pt", "ería": "es", "os": "es pt", "as": "es pt", "eur": "fr",
    "eux": "fr", "ment": "fr", "ique": "fr", "aux": "fr", "er": "de fr en nl", "ez": "fr es",
    "ção": "pt", "ções": "pt", "agem": "pt", "inho": "pt", "dade": "pt", "zione": "it",
    "zioni": "it", "are": "it", "ere": "it", "etto": "it", "ità": "it", "tje": "nl", "heid": "nl",
    "ijk": "nl", "oo": "nl", "aa": "nl", "ie": "fr nl de",
}  # fmt: skip
_LONGEST_ENDING = max(map(len, _ENDINGS))
# Enough to tell, however long the text is.
_CHARS = 400
_WORDS = 24
# So many words without content need no further evidence.
_ENOUGH = 4
_LEAST = 1.0
# A language with this share of the best one's points may be it, too.
_NEAR = 0.75
# Fewer words than these may be names, which belong to no language.
_SENTENCE = 3
# Fewer marks than this share of the words: another language than those known.
_SHARE = 0.12


def languages(folded: str) -> int:
    """The languages that folded text may be in, as bits; 0 when unknown."""
    text = folded[:_CHARS]
    if not text.isascii():
        told = _by_script(text)
        if told:
            return told
    return _latin(text)


def _by_script(text: str) -> int:
    latin = han = kana = hangul = other = 0
    for char in text:
        if char < "\u0250":
            latin += char.isalpha()
        elif "\u4e00" <= char <= "\u9fff":
            han += 1
        elif "\u3040" <= char <= "\u30ff":
            kana += 1
        elif "\uac00" <= char <= "\ud7a3":
            hangul += 1
        elif char.isalpha():
            other += 1
    # A word of another script takes as many letters as several characters of these.
    if latin > 4 * (han + kana + hangul) and latin > other:
        return 0
    if kana:
        return JA
    if hangul:
        return KO
    if han:
        return _han(text)
    return OTHER if other > latin else 0


def _han(text: str) -> int:
    """Chinese or Japanese, by characters that only one of them has; both when nothing tells."""
    chinese = _encodes(text, "gb2312") or _encodes(text, "big5")
    japanese = _encodes(text, "shift_jis")
    if chinese == japanese:
        return ZH | JA
    return ZH if chinese else JA


def _encodes(text: str, charset: str) -> bool:
    letters = "".join(char for char in text if "\u4e00" <= char <= "\u9fff")
    try:
        letters.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _latin(text: str) -> int:
    marked = list(filter(None, map(_marks().get, text.split(None, _WORDS)[:_WORDS])))
    if len(marked) >= _ENOUGH:
        common = -1
        for bits in marked:
            common &= bits
        if common.bit_count() == 1:
            return common
    return _weighed(text, letters(text)[:_WORDS])


def _weighed(text: str, words: list[str]) -> int:
    marks: dict[int, float] = {}  # by set of languages: there are a few such sets
    for bits in chain.from_iterable(map(_evidence, words)):
        marks[bits] = marks.get(bits, 0.0) + 0.5
    if "¿" in text or "¡" in text:
        marks[_BITS["es"]] = marks.get(_BITS["es"], 0.0) + 1.0
    score: dict[int, float] = {}
    for bits, points in marks.items():
        while bits:
            bit = bits & -bits
            score[bit] = score.get(bit, 0.0) + points
            bits ^= bit
    best = max(score.values(), default=0.0)
    if best < _LEAST or best < _SHARE * len(words):
        return ANY_LATIN if len(words) >= _SENTENCE else 0
    return sum(bit for bit, points in score.items() if points >= _NEAR * best)


@lru_cache(maxsize=1 << 15)  # a first index asks about the same words a million times
def _evidence(word: str) -> tuple[int, ...]:
    """The sets of languages that a word speaks for, each with half a point."""
    if len(word) == 1 and word.isascii():
        return ()  # as often a name or a variable as a word
    bits = _marks().get(word)
    return (bits, bits) if bits else tuple(_hinted(word))


def _hinted(word: str) -> Iterator[int]:
    letters, endings = _signs()
    if not word.isascii():
        for char in word:
            if char in letters:
                yield letters[char]
    if len(word) > 3:
        for size in range(min(_LONGEST_ENDING, len(word) - 2), 1, -1):
            bits = endings.get(word[-size:], 0)
            if bits:
                yield bits
                return


def _bits(names: str) -> int:
    return sum(_BITS[name] for name in names.split())


@cache
def _marks() -> dict[str, int]:
    marks: dict[str, int] = {}
    for name, stop in LISTS.items():
        for word in stop:
            marks[word] = marks.get(word, 0) | _BITS[name]
    return marks


@cache
def _signs() -> tuple[dict[str, int], dict[str, int]]:
    return (
        {char: _bits(names) for char, names in _LETTERS.items()},
        {ending: _bits(names) for ending, names in _ENDINGS.items()},
    )
