"""Plain text work of the rules engine: what a person said themselves, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_SENTENCE = 400  # characters; longer ones are pasted, not said

_FENCED = re.compile(r"(?ms)^[ \t]{0,3}(`{3,}|~{3,}).*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)")
_QUOTED_LINE = re.compile(r"(?m)^[ \t]{0,3}>.*$")
_TAGGED = re.compile(r"(?s)<(\w{1,20})>.*?</\1>")
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
_WORD = re.compile(rf"[{_HAN}{_KANA}]|[^\W_]+(?:['’._+#-][^\W_]+)*[+#]*")


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
    return re.search(rf"[{_HAN}]", text) is not None and not is_japanese(text)


def is_japanese(text: str) -> bool:
    """Kana make a text Japanese."""
    return re.search(rf"[{_KANA}]", text) is not None


def words(text: str) -> list[str]:
    """Lower-case words; each Han or kana character is one."""
    return [match[0].replace("’", "'") for match in _WORD.finditer(text.lower())]


def terms(text: str) -> frozenset[str]:
    """What a text is about: its words without the commonest, CJK as pairs of neighbours."""
    found = words(text)
    result = {word for word in found if not _is_cjk(word) and word not in _COMMON}
    result.update(
        first + second
        for first, second in zip(found, found[1:], strict=False)
        if _is_cjk(first) and _is_cjk(second)
    )
    return frozenset(result)


def similar(first: str, second: str) -> bool:
    """Whether two lines say the same thing: most terms shared and no value that differs.

    A differing number or name with a digit is a different statement, however alike the rest is.
    """
    left, right = terms(first), terms(second)
    if not left or not right:
        return first.strip().lower() == second.strip().lower()
    if {term for term in left ^ right if any(char.isdigit() for char in term)}:
        return False
    if _denies(first) != _denies(second):
        return False
    return len(left & right) / len(left | right) >= 0.6


def _denies(text: str) -> bool:
    return any(word in _NEGATIONS for word in words(text)) or bool(re.search("[不没別别]|ない|ません", text))


def _is_cjk(word: str) -> bool:
    return len(word) == 1 and re.match(rf"[{_HAN}{_KANA}]", word) is not None


_NEGATIONS = frozenset(
    "not no never don't doesn't didn't isn't aren't won't can't cannot without nicht kein keine"
    " keinen nie niemals ohne nunca jamás sin tampoco ne pas jamais plus sans n'aime".split()
)
_COMMON = frozenset(
    "a an the and or but so of to in on at for with by from as is are was were be been am i i'm i'd"
    " i've we we're you your my our me us it its it's that this these those they he she his her"
    " there here have has had do does did will would can could should very really just also please"
    " der die das den dem des ein eine einen einem einer und oder aber zu in im am an auf für mit"
    " von vom aus als ist sind war bin habe hat haben ich wir du sie er es mein meine mir mich uns"
    " dass nur auch noch bitte el la los las un una unos unas y o pero de del al en con por para"
    " es son soy era he ha hemos yo mi mis me nos se lo que más muy le les un une des et ou mais"
    " du au aux dans sur pour avec par est sont suis ai a avons je j' nous on tu il elle mon ma mes"
    " me se que qui ce cette très plus".split()
)
