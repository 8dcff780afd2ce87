"""What one sentence states, when that is clear: subject, predicate, object. Pure.

Only plain statements are read. A question, a condition, a guess, a plan, a sentence about "it" or
"them", a pattern that does not fit: no fact (nothing is invented). What limits a statement in time
or place ("until May", "in project X", "at work") is its `limit`: two values under different limits
may both be true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from mnemofs.lifecycle.facts.latin import CONTRACTED, DENIALS
from mnemofs.lifecycle.facts.values import plain, size_of, tokens_of, value_key
from mnemofs.lifecycle.facts.words import (
    ATTRIBUTES,
    NAMED,
    NAMED_CJK,
    NOT_ONE,
    ONE_VALUED,
    ONE_VALUED_CJK,
    WORD_VALUED,
)
from mnemofs.llm.rules_words import COMMON, TELLING

USER: Final = "user"
ALWAYS, FIGURES, MANY = 2, 1, 0

# Predicates of which a thing has one value at a time, and what that value is called.
_SINGLE: Final = {
    "lives in": "home",
    "works at": "employer",
    "works as": "role",
    "is called": "name",
    "goes by": "nickname",
    "is hosted on": "host",
    "was born on": "birthday",
    "is married to": "spouse",
}
_LONGEST: Final = 240
_MOST_WORDS: Final = 6
_LONGEST_OBJECT: Final = 14
_UNSURE: Final = re.compile(
    r"[?？]\s*$|^(?:if|when|whenever|unless|maybe|perhaps|suppose|imagine|should|could|would|let|please"
    r"|wenn|falls|ob|vielleicht|bitte|si|cuando|quizás?|tal vez|por favor|quand|lorsque|peut-être"
    r"|s'il|als ob)\b"
    r"|\b(?:might|probably|would|could|maybe|perhaps|supposedly|allegedly|i think|i guess|used to"
    r"|wants? to|plans? to|going to|will|hopes? to|wahrscheinlich|vielleicht|würde|könnte|möchte"
    r"|früher|will nach|quizás?|tal vez|probablemente|podría|antes vivía|quiere|peut-être"
    r"|probablement|pourrait|voudrais?|autrefois)\b"
    r"|^(?:如果|要是|假如|也许|可能|大概|请|もし|多分|たぶん|恐らく)|(?:吗|呢|吧)[。.!！]?$|かもしれ|だろう|でしょう"
    r"|以前は|たい(?:です)?。?$|(?:想|打算|计划|准备|将要?|曾经?|以前|过去|听说|哪|什么|谁|几点|多少|怎么)",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"(?:i|we|ich|wir|je|nous|on|yo|nosotros|私|僕|我|我们"
    r"|it|this|that|these|those|he|she|they|there|here|what|which|who|everything|nothing|es|das"
    r"|dies|sie|er|man|esto|eso|ello|él|ella|ellos|il|elle|ils|elles|cela|ça|ce|c')(?:$|\s)"
    r"|(?:the|an?|my|our) (?:thing|one|other|same|first|second|last|next|problem|issue|point|reason"
    r"|answer|question|idea|way|rest|following|above)s?$"
    r"|(?:last|next|mes|año|semana|mois|an|letzten?|nächsten?) \w+$|明日|今日|昨日|今天|明天|昨天"
    r"|.*\b(?:says?|said|thinks?|thought|wrote|he|she|they|who|that|which|if|when|sagt|sagte|dit"
    r"|dice|dijo|que|qui|dass)\b",
    re.IGNORECASE,
)
_NO_OBJECT: Final = re.compile(
    r"(?:going|about|being|not|because|why|what|how|that|to|when|where|if|sure|so|too|very|more|less"
    r"|better|worse|done|ready|able|important|dass|weil|zu|sehr|que|porque|muy|trop|très|parce"
    r"|there|here|it|this|them|these|those|diese\w*|est[aeo]s?|es[aeo]s?|cette|cet|ces?|dies|das"
    r")\b(?! \w+ ist)|[这那]|この|その|あの|なく|[^\w'\"$€(「『“„«+-]",
    re.IGNORECASE,
)
# "In project X, …", "Since May …", "At work, …"
_LEAD: Final = re.compile(
    r"(?P<limit>(?:in|for|on|at|since|from|until|till|during|before|after|as of|by|with|under"
    r"|within|im|in der|für|auf|bei|seit|ab|bis|während|vor|nach|en|para|desde|hasta|durante|antes"
    r" de|después de|dans|pour|depuis|jusqu'(?:à|en|au)|pendant|avant|après|chez|au|à)\b"
    r"[^,]{1,40}), "
    r"|(?P<zh>(?:在|从|自从?|直到|截至|对于)[^，,]{1,20}"
    r"(?:中|里|上|以来|起|前|后|之前|之后|时|年|月)?)[，,]"
    r"|(?P<year>(?:19|20)\d\d(?:年)?(?:-\d\d)?(?:[:：,，] ?| - |には|は))"
    r"|(?P<ja>[^、。]{1,20}(?:では|には|からは?|までは?|以降は?|のとき))、?(?=.{4})",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(
    r"^(?P<limit>(?:since|until|from|seit|ab|bis|desde|hasta|depuis) \S+) (?=i |we |je |habit|viv"
    r"|wohn|leb|arbeit|trabaj)",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"\s*[,;(（]\s*(?P<aside>.+?)[)）]?$"
    r"|\s+(?P<limit>(?:until|till|through|from|since|as of|starting|before|after|during|while|when"
    r"|whenever|if|unless|except|for|in|on|at|within|under|with|without|via|because|but|and not"
    r"|by|per|to|bis|seit|ab|von|für|im|in|am|an|auf|bei|während|wenn|außer|mit|ohne|weil|aber"
    r"|hasta|desde|para|en|durante|cuando|si|con|sin|excepto|porque|pero|jusqu'\w*|depuis|pour"
    r"|dans|pendant|quand|avec|sans|sauf|chez|car|mais|only|nur|solo|seulement)\b.*)$",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"[ ,]+(?:any ?more|now|currently|at the moment|these days|nowadays|right now|jetzt|derzeit"
    r"|momentan|ahora|actualmente|maintenant|actuellement|en ce moment|again)$",
    re.IGNORECASE,
)
_NOT_THE_OTHER: Final = re.compile(
    r"(?:, (?:and )?(?:not|nicht|no|pas)|,? (?:instead of|rather than|statt|en lugar de|au lieu de)"
    r") .+$|，?不是.+$",
    re.IGNORECASE,
)
# Another clause: no limit of the first.
_MORE: Final = re.compile(
    r",? (?:and (?:i|we|my)|so (?:i|we|please|give|use)|und (?:ich|wir)|y (?:yo|mi|vivo|trabajo"
    r"|tengo|soy)|et (?:je|j'|nous|mon|ma))\b.*$|[,;] (?:i|we|my|ich|wir|je|j'|yo)\b.*$"
    r"|,? (?:and|but) (?:lives?|works?|is|was|has|had|likes?|loves?|hates?|uses?|speaks?"
    r"|prefers?)\b.*$"
    r"|,? und (?:wohnt?|arbeitet|ist|hat|mag|nutzt|spricht|bin|habe)\b.*$"
    r"|,? [ye] (?:vive|trabaja|es|tiene|usa|habla|prefiere)\b.*$"
    r"|,? et (?:habite|vit|travaille|est|a|aime|utilise|parle|préfère)\b.*$",
    re.IGNORECASE,
)
# "…," said Anna: what somebody says of themselves is not the user's.
_SPEECH: Final = re.compile(
    r"""["“„«「『].+(?:[,.!?…，。！？] ?["”“»」』]|["”“»] ?,|[」』](?=と|，|,)).*\w"""
)
_ZH_TAIL: Final = re.compile(r"(?:（(?P<aside>.+)）|[，,](?P<limit>.+))$")
_ALSO: Final = re.compile(
    r"also|usually|often|sometimes|mostly|mainly|auch|meist|oft|manchmal|también|a veces|aussi"
    r"|souvent|parfois|也|还|经常|有时|通常|都|も|よく|時々",
    re.IGNORECASE,
)
_OWN: Final = re.compile(
    r"^(?:the user's|the|my|our|der|die|das|meine?|unsere?|el|la|los|las|mis?|nuestr[oa]s?|le|les"
    r"|mon|ma|mes|notre|nos|user's)\s+(?=\S)|^l'(?=\S)",
    re.IGNORECASE,
)
_MINE: Final = re.compile(
    r"^(?:my|mein|meine|mi|mis|mon|ma|mes|the user's|user's)\b|^我的|^(?:私|僕)の", re.IGNORECASE
)
_CJK_OWN: Final = re.compile(r"^(?:我们的|我的|我们|用户的?|私の|僕の|私たちの|ユーザーの)(?=.)")
_ENDS: Final = re.compile(
    r"(?<=[。！？])|(?<=[!?])\s+|(?<=[^\W\d]{2}[.])\s+(?=\S)|(?<=\d\.)\s+(?=[A-ZÄÖÜ])(?!(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))"
)
_ARTICLE: Final = re.compile(
    r"^(?:(?:el |la |le )?(?:señora?|doctora?|docteure?|monsieur|madame|maître)\s+)(?=\S)"
    r"|^(?:(?:the|an?|in|on|at|der|die|das|eine?|am|im|el|la|los|las|una?|en|le|les|une|de|à|du)\s+"
    r"|[ld]')(?=\S)",
    re.IGNORECASE,
)
# A secret is no fact: it is not listed, ranked or recalled.
_SECRET: Final = re.compile(
    r"(?:pass(?:word|wd|phrase|code)|passwort|kennwort|contraseña|mot de passe|密码|密碼|口令"
    r"|パスワード|暗証番号|api[ _-]?key|\b(?:secret|token|pin))"
    r"(?: (?:for|of|für|vom|zu|de|del|du|pour|wifi) \S+| wifi)?"
    r"\s*(?:$|[:=：]|(?:is|ist|lautet|es|est)\b|是|为|は)|\[redacted: ",
    re.IGNORECASE,
)
_NO_NAMES: Final = COMMON | frozenset().union(*TELLING.values())
_TO_BE: Final = frozenset(("is", "are", "ist", "sind", "es", "son", "est", "sont"))
_SHORTENED: Final = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|no|nr|vs|etc|ca|approx|inc|ltd|sra?|mme|bzw|vgl)\.$",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"[@/\\_]|\w[.:]\w")
_FIGURE: Final = re.compile(r"(?:^| )(?:\S*\d\S*)(?= |$)")
# A foreign name, or a person's: of other values none tells whether it describes.
_CJK_NAME: Final = re.compile(r"[A-Za-z0-9]|(?:先生|女士|小姐|医生|老师|律师|さん|様|氏|さま)$")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


class Said(NamedTuple):
    """One fact. object: as it was written, with its limits; value: how it is compared.

    slot: what it is a value of, "" when nothing can be said about that. single: whether that has
    one value at a time: ALWAYS, MANY, or FIGURES (as long as both values hold a figure or a day).
    limit: what limits it, in a form to compare. negative: it denies.
    """

    subject: str
    predicate: str
    object: str
    slot: str
    value: str
    single: int
    limit: str = ""
    negative: bool = False


def sentences(text: str) -> list[str]:
    """The sentences of an entry of one line."""
    found: list[str] = []
    for part in _ENDS.split(text):
        if found and _SHORTENED.search(found[-1]):
            found[-1] = f"{found[-1]} {part.strip()}"
        else:
            found.append(part.strip())
    return [part for part in found if part]


def of_pair(key: str, value: str, *, about: str) -> Said | None:
    """The fact of `key: value`. about: whose key it is: USER, or a heading, or ""."""
    value = plain(" ".join(value.split()))
    name = plain(key)
    if not name or not value or len(name) > 60 or _SECRET.search(name):
        return None
    words = " ".join(name.casefold().replace("_", " ").replace("-", " ").split())
    head, limit = _cut(value)
    key_words = words.split()
    many = words in NOT_ONE or key_words[-1] in NOT_ONE or key_words[0] in NOT_ONE
    many = many or size_of(head) > _MOST_WORDS or _UNSURE.search(value) is not None
    attribute = ATTRIBUTES.get(words) or ATTRIBUTES.get(name.casefold())
    slot = _slot(words, about, attribute)
    return Said(name, "is", value, slot, value_key(head), MANY if many else ALWAYS, limit)


def of_sentence(text: str) -> Said | None:
    """The fact that a sentence states, None when none is clear."""
    if _SPEECH.match(text):
        return None
    text = " ".join(plain(text).split())
    if not (2 if _HAN.search(text) else 4) < len(text) <= _LONGEST or _UNSURE.search(text):
        return None
    if _SECRET.search(text):
        return None
    text, lead = _led(text)
    for language in _languages(text):
        for said in _read(text, language):
            if lead:
                said = said._replace(limit=" ".join(filter(None, (_limit(lead), said.limit))))
            return said
    return None


def _languages(text: str) -> tuple[str, ...]:
    if _KANA.search(text):
        return ("ja",)
    if _HAN.search(text):
        return ("zh",)
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", text.casefold())
    scores = {name: sum(word in told for word in words) for name, told in TELLING.items()}
    best = max(scores.values())
    return tuple(name for name in ("en", "de", "es", "fr") if scores[name] == best)


@cache
def _rows(language: str) -> tuple[tuple[str, bool, re.Pattern[str]], ...]:
    from mnemofs.lifecycle.facts import cjk as facts_cjk
    from mnemofs.lifecycle.facts import latin as facts_latin

    rows = {**facts_latin.LANGUAGES, **facts_cjk.LANGUAGES}[language]
    return tuple(
        (name.lstrip("!"), name.startswith("!"), re.compile(pattern, re.IGNORECASE))
        for name, pattern in rows
    )


def _read(text: str, language: str) -> Iterator[Said]:
    plainer, negative = text, False
    if language in DENIALS:
        for pattern, instead in CONTRACTED if "'" in plainer else ():
            plainer = pattern.sub(instead, plainer)
        plainer = _NOW.sub("", _NOT_THE_OTHER.sub("", plainer))
        for pattern, instead in DENIALS[language]:
            if pattern.search(plainer):
                plainer, negative = pattern.sub(instead, plainer, count=1), True
                break
    for name, denies, pattern in _rows(language):
        match = pattern.fullmatch(plainer)
        if match is None:
            continue
        found = match.groupdict()
        said = _said(found, name, negative != denies)
        if said is not None:
            yield said
            return


def _said(found: dict[str, str | None], predicate: str, negative: bool) -> Said | None:
    subject, value = found.get("s") or "", plain(_MORE.sub("", found["o"] or ""))
    if not value or _NO_OBJECT.match(value) or (subject and _VAGUE.match(subject)):
        return None
    head, limit = _cut(value)
    if not head or size_of(head) > _LONGEST_OBJECT or size_of(subject) > 7:
        return None
    key = value_key(head)
    if not key:
        return None
    if _is_name(subject) and (
        (found.get("base") and not negative) or subject.split()[0].casefold() in _NO_NAMES
    ):
        return None
    mine = not subject or _MINE.match(subject) is not None
    bare = _CJK_OWN.sub("", _OWN.sub("", subject)).strip()
    also = _ALSO.search(found.get("adv") or "") is not None
    if predicate == "is":
        return _copula(bare, value, key, limit, negative, mine)
    if bare.casefold() in ("user", "nutzer", "nutzerin", "usuario", "usuaria", "用户", "ユーザー"):
        bare = ""
    name = bare or USER
    owner = USER if not bare else " ".join(sorted(tokens_of(bare)))
    if predicate == "on":
        verb = (found.get("v") or "").strip().casefold()
        verb = "is" if verb in _TO_BE else verb
        slot = f"{owner}|{verb} on"
        return Said(
            name, f"{verb} on", value, slot, key, MANY if also else FIGURES, limit, negative
        )
    single = _SINGLE.get(predicate)
    if single is not None:
        level = MANY if also or size_of(head) > _MOST_WORDS else ALWAYS
        return Said(name, predicate, value, f"{owner}|{single}", key, level, limit, negative)
    return Said(name, predicate, value, f"{owner}|{predicate}|{key}", key, MANY, limit, negative)


def _is_name(subject: str) -> bool:
    return subject[:1].isupper() and _OWN.match(subject) is None


def _copula(
    subject: str, value: str, key: str, limit: str, negative: bool, mine: bool
) -> Said | None:
    words = " ".join(subject.casefold().replace("_", " ").split())
    if not words:
        return None
    attribute = ATTRIBUTES.get(words) if mine else None
    single = _copula_level(words, attribute, value, key)
    slot = _slot(words, USER if mine else "", attribute)
    return Said(subject, "is", value, slot, key, single, limit, negative)


def _copula_level(words: str, attribute: str | None, value: str, key: str) -> int:
    """How many values "the X is Y" leaves room for: `words` are X."""
    if size_of(value) > _MOST_WORDS + 4:
        return MANY
    if _HAN.search(words) or _KANA.search(words):
        if attribute or words.endswith(ONE_VALUED_CJK):
            return ALWAYS
        named = words.endswith(NAMED_CJK) and _CJK_NAME.search(value) is not None
        return ALWAYS if named else FIGURES if _FIGURE.search(key) else MANY
    nouns = set(re.findall(r"[^\W_]+", words))
    kind = kind_of(value, key)
    if kind != "word":
        one = attribute or nouns & ONE_VALUED or nouns & NAMED
        return ALWAYS if one else FIGURES if kind == "figure" else MANY
    return ALWAYS if nouns & WORD_VALUED else MANY


def kind_of(value: str, key: str) -> str:
    """What sort of value it is: a "figure" (also a day), a "name", or a mere "word"."""
    if _FIGURE.search(key):
        return "figure"
    bare = _ARTICLE.sub("", value)
    return "word" if bare[:1].islower() and not _ADDRESS.search(bare) else "name"


def _slot(words: str, about: str, attribute: str | None) -> str:
    if about == USER and attribute:
        return f"{USER}|{attribute}"
    tokens = " ".join(sorted(tokens_of(words))) or words
    return f"{tokens}|is"


def _led(text: str) -> tuple[str, str]:
    """(the sentence without a limit in front of it, that limit)."""
    match = _LEAD.match(text) or _SINCE.match(text)
    if not match:
        return text, ""
    limit = next(value for value in match.groupdict().values() if value)
    rest = text[match.end() :].lstrip()
    return (rest, limit) if len(rest) > 3 else (text, "")


def _cut(value: str) -> tuple[str, str]:
    """(what is claimed, what limits it): "Rome until May" is Rome, limited."""
    pattern = _ZH_TAIL if _HAN.search(value) and not re.search(r"[A-Za-z]{4}", value) else _TAIL
    match = pattern.search(value, 1)
    if not match or not value[: match.start()].strip():
        return value, ""
    limit = match["limit"] or match["aside"] or ""
    head = value[: match.start()].strip()
    # "Berlin, Germany" says more of the same; "on Friday" is no limit of nothing.
    more = match["aside"] and match[0].lstrip()[0] in ",;" and len(limit) < 24
    if more and not _TAIL.match(" " + limit):
        return value, ""
    return (head, _limit(limit)) if tokens_of(head) else (value, "")


def _limit(text: str) -> str:
    return value_key(text) or text.casefold()
