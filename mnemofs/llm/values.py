"""What a short statement says, word by word: to tell a rewording from another value.

Strict on purpose. Two statements are the same only when nothing but case, punctuation, articles
and the name of the speaker tells them apart; everything else may be the value that matters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mnemofs.llm.rules_words import NEGATIONS

_CJK = r"\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_HEAD = "\"'“”„‘’«»「」『』()[]{}（）【】`,;:，；：、"
_TAIL = "\"'“”„‘’«»「」『』()[]{}（）【】`.,;:!。，；：、！"
# "The user prefers", "I prefer" and "Prefers" are one; whose memory it is says who is meant.
_SPEAKER = re.compile(
    r"(?:(?:the|this) )?user(?:'s|’s)? |(?:i|my|je|mon|ma|mes|ich|mein|meine|yo|mi|mis) |j['’]"
    r"|(?:der |die )?(?:be)?nutzer(?:in)? |(?:el |la )?usuari[oa] |l['’]utilisat(?:eur|rice) "
    r"|(?:用户|用戶|使用者|我)的?|(?:ユーザーさん|ユーザー|ユーザ|私|僕|俺)[はの]?",
    re.IGNORECASE,
)
_ARTICLES = frozenset({"a", "an", "the", "please", "bitte"})
_NOT_WORDS = frozenset({"and", "und", "et", "y", "&", "also", "auch", "aussi", "también"})
_SHORT_FORMS = {
    "i'm": ("be",), "am": ("be",), "is": ("be",), "are": ("be",), "has": ("have",),
    "does": ("do",), "i've": ("have",), "can't": ("can", "not"), "cannot": ("can", "not"),
    "won't": ("will", "not"), "isn't": ("be", "not"), "aren't": ("be", "not"),
    "don't": ("do", "not"), "doesn't": ("do", "not"), "hasn't": ("have", "not"),
    "haven't": ("have", "not"), "didn't": ("did", "not"), "wasn't": ("was", "not"),
}  # fmt: skip
_CJK_NEGATIONS = frozenset("不没沒别別勿無无未莫")
_JAPANESE_DENIAL = re.compile(r"ない|なく|ません|ず(?:に|、|$)|ぬ(?:。|$)")
# Speaks of a time or a case: two such values can both be true.
_BOUNDED = re.compile(
    r"\b(?:until|till|since|before|after|during|formerly|previously|used to|was|were|had|last"
    r"|next|sometimes|usually|often|mostly|except|unless|when|while|if|only|at (?:work|home)"
    r"|for (?:the )?project|on weekends?|bis|seit|vor|nach|früher|damals|manchmal|meist|außer|wenn"
    r"|nur|bei der arbeit|zu hause|hasta|desde|antes|después|a veces|salvo|cuando|solo|sólo|jusqu"
    r"|depuis|avant|après|parfois|sauf|quand|seulement|au travail)\b"
    r"|以前|之前|之后|之後|以后|以後|直到|曾|有时|有時|除了|只在|工作时|在家|まで|から|以前|昔|時々|たまに|だけ|場合",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_NEAR = 0.5
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_IN_KEY = re.compile(r"[\W_]+")
_LEADING = frozenset({"our", "my", "project", "project's", "current"})
_COPULA = frozenset({"be", "=", "->", "named", "called"})
_LONGEST_KEY = 5  # words of a content that may only repeat the key


@lru_cache(maxsize=4096)  # each entry is compared with all others
def tokens(text: str) -> tuple[str, ...]:
    """The words of a statement as they are compared, CJK character by character.

    Signs that can be a value stay ("-5", "50%", ".env", "👎", "why?"); a word with capitals inside
    keeps them, since `README` and `readme` may be two files.
    """
    text = unicodedata.normalize("NFC", text).replace("’", "'").replace("**", "")
    said = _SPEAKER.match(text)
    text = text[said.end() :] if said else text
    found: list[str] = []
    for piece in _PIECE.findall(text):
        word = piece.lstrip(_HEAD).rstrip(_TAIL)
        if word and not any(char.isupper() for char in word[1:]):
            word = word.casefold()
        if word and word not in _ARTICLES:
            found += _SHORT_FORMS.get(word, (word,))
    if found:  # "prefers" as "prefer"
        found[0] = _singular(found[0])
    return tuple(found)


def same(first: str, second: str) -> bool:
    """Whether two statements say the same thing about the same values."""
    if "```" in first or "```" in second or "~~~" in first + second:
        return first.strip() == second.strip()
    mine = tokens(first)
    return bool(mine) and mine == tokens(second)


def keeps(whole: str, part: str) -> bool:
    """Whether `whole` holds all that `part` says, joining words aside: its first word, and then
    the others in one run. Words that only stand scattered there may belong to something else."""
    first, *rest = [word for word in tokens(part) if word not in _NOT_WORDS] or [""]
    said = [word for word in tokens(whole) if word not in _NOT_WORDS]
    return holds(said, first, rest)


def holds(said: Sequence[str], first: str, rest: Sequence[str]) -> bool:
    """Whether `first` and, right there or later, the run `rest` stand in `said`."""
    verbs = [_singular(word) for word in said]  # "wants" inside is "want" at the front
    if first not in verbs:
        return False
    begin, size = verbs.index(first) + 1, len(rest)
    return any(
        list(said[at : at + size]) == list(rest) for at in range(begin, len(said) - size + 1)
    )


def beyond_key(content: str, key: str) -> tuple[str, ...]:
    """The words of an entry without a beginning that only repeats its key: "The code name is"."""
    said = list(tokens(content))
    while said and said[0] in _LEADING:
        del said[0]
    for length in range(min(_LONGEST_KEY, len(said)), 0, -1):
        if squashed("_".join(said[:length])) == squashed(key):
            del said[:length]
            if said and said[0] in _COPULA:
                del said[0]
            break
    return tuple(said)


def squashed(key: str) -> str:
    """A key without what people spell differently: `Code-Name`, `codeName`, `code_names`."""
    parts = _NOT_IN_KEY.split(_CAMEL.sub("_", key).casefold())
    return "".join(part for part in parts if part).removesuffix("s")


def added(whole: str, parts: Iterable[str]) -> tuple[str, ...]:
    """Words of `whole` that none of the parts has."""
    known = {_singular(word) for part in parts for word in tokens(part)} | _NOT_WORDS
    return tuple(word for word in tokens(whole) if _singular(word) not in known)


def denies(text: str) -> bool:
    """Whether a statement holds a "not"."""
    said = tokens(text)
    return (
        not NEGATIONS.isdisjoint(said)
        or not _CJK_NEGATIONS.isdisjoint(said)
        or _JAPANESE_DENIAL.search(text) is not None
    )


def differ(first: str, second: str) -> bool:
    """Whether two statements are near-twins that differ in a value: they must never be one.

    Twins share half of the shorter one's words. They differ when each has a word that the other
    has not, when one denies, or when the same words stand in another order ("tabs over spaces").
    Where both hold figures of their own, a single shared word makes them twins.
    """
    mine, theirs = _telling(first), _telling(second)
    ours = Counter(mine), Counter(theirs)
    shared = sum((ours[0] & ours[1]).values())
    left, right = ours[0] - ours[1], ours[1] - ours[0]
    if shared and _figures(left) and _figures(right):
        return True
    if not shared or shared < _NEAR * min(len(mine), len(theirs)):
        return False
    if denies(first) != denies(second) or (left and right):
        return True
    longer, shorter = (mine, theirs) if len(mine) >= len(theirs) else (theirs, mine)
    said = iter(longer)
    return not all(word in said for word in shorter)


def contradict(first: str, second: str) -> bool:
    """Whether two statements about one thing give it different values, outright.

    Not when one only says more than the other, and not when what tells them apart speaks of time
    or scope ("until 2024", "at work").
    """
    if same(first, second) or not (tokens(first) and tokens(second)):
        return False
    mine, theirs = Counter(_telling(first)), Counter(_telling(second))
    left, right = mine - theirs, theirs - mine
    if _BOUNDED.search(first) or _BOUNDED.search(second):
        return False
    if denies(first) != denies(second):
        return bool(mine & theirs)
    return bool(left and right) or differ(first, second)


def _telling(text: str) -> list[str]:
    """The words that can carry a value, without plural endings."""
    skipped = _NOT_WORDS | {"be", "do", "的", "了", "是"}
    return [_singular(word) for word in tokens(text) if word not in skipped]


def _figures(words: Counter[str]) -> bool:
    return any(_FIGURE.search(word) for word in words)


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word.isalpha()
    return word[:-1] if plural else word
