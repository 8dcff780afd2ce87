"""Whether a sentence that begins like "I live in" names a value, or says something else.

"I live in a small flat" is no other home than Lisbon, and "I work at night" no other employer: what
is taken for a new value takes the old one's place, so in doubt it is none.
"""

from __future__ import annotations

import re

from mnemofs.llm import rules_text
from mnemofs.llm.rules_words import DAYS, words_of

_FROM = re.compile(
    r"\s*(?:from|back|von|aus|de|d'|du) .+? (?:to|nach|a|à|au|en|vers|pour)(?= )"
    r"|\s*(?:to|à|en|au|aux|dans|vers|nach|a(?= (?-i:[A-ZÀ-Þ])))(?= )",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\bnach (?P<value>.+?) (?:um)?gezogen", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:the|der|die|das|el|la|los|las|le|les)\s+|l'", re.IGNORECASE)
_FIRST = re.compile(r"[^\W\d_][\w'’.-]*")
# Written all in lower case, a name is told by what it is not.
_NO_NAMES = words_of(
    "a an my our your this that these those one two three four half home night nights day days",
    "weekends work school together here there town on at in of with from for always not now then",
    "ein eine einem einer der dem den mein meiner zu hause zwei nachts un una unos mi casa noche",
    "dos une chez la le les maison nuit deux étage premier deuxième troisième planta piso",
)
_NO_PLACES = words_of(
    "postgres postgresql mysql sqlite mongodb redis kafka github gitlab bitbucket slack teams zoom",
    "jira linear notion confluence aws azure gcp kubernetes docker terraform react vue angular",
    "svelte python rust go typescript javascript kotlin java swift linux windows macos ubuntu",
    "scrum kanban jenkins buildkite microservices",
)
_CJK_NO_PLACE = re.compile(
    r"楼|层|公寓|酒店|宿舍|房子|家里|附近|一起|隔壁|对面|乡下|市中心|郊区|那里|这里"
    r"|階|マンション|アパート|ホテル|実家|寮|近く|一人|一緒|両親|家族|会社"
)
_CJK_NO_EMPLOYER = re.compile(
    r"在(?:家|晚上|早上|白天|夜里|周末|这里|那里|外面|路上|办公室|线上|远程|咖啡)|で?夜|週末|自宅|在宅"
)
_CJK_NO_NAME = re.compile(r"里|上|很|不|[のにで]")
_NAMED = frozenset({"home", "work", "name"})


def is_value(attribute: str, matched: str, rest: str) -> bool:
    """Whether the text names a value for the attribute. matched: what its pattern found; rest: what
    stands behind that."""
    whole = matched + rest
    if attribute == "email":
        return "@" in rest
    if attribute in ("birthday", "deadline", "budget", "age"):
        return (
            any(char.isdigit() for char in whole)
            or not DAYS.isdisjoint(rules_text.words(whole))
            or rules_text.is_cjk(whole)
        )
    if attribute not in _NAMED:
        return bool(rest.strip(" .。:：")) or rules_text.is_cjk(whole)
    if rules_text.is_cjk(whole):
        barred = {"home": _CJK_NO_PLACE, "work": _CJK_NO_EMPLOYER, "name": _CJK_NO_NAME}[attribute]
        return barred.search(whole if attribute != "name" else rest) is None
    within = _WITHIN.search(whole)
    value = within["value"] if within else rest
    while found := _FROM.match(value):
        value = value[found.end() :]
    value = value.strip()
    value = value[found.end() :] if (found := _ARTICLE.match(value)) else value
    first = _FIRST.match(value)
    if first is None:
        return False
    word = first[0].casefold()
    if attribute == "home" and word.strip(".") in _NO_PLACES:
        return False
    if first[0][0].isupper():
        return True
    words = value.casefold().split()
    return whole.replace("I", "i").islower() and len(words) <= 2 and _NO_NAMES.isdisjoint(words)
