"""Which standing lines a new statement makes untrue: a correction wins, and nothing else goes.

A line goes when both set the same one-valued thing ("I live in"), or when it says the denied words
of the same subject: "my boss is called Anna" outlives "my sister is called Hannah, not Anna", and
"my brother lives in Lisbon" outlives "I moved from Lisbon to Porto".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from mnemofs.llm import rules_text
from mnemofs.llm.rules_grammar import any_of
from mnemofs.llm.rules_statements import Statement, bare, grammar, languages_of

# A value may hold a full stop ("Dr. Stone", "2.1"), but no comma.
_V = r"(?:[^,;.，；。]|\.(?=\s?\w))"

# What a sentence denies. Only read in what is a statement already, so they may be broad.
_DENIED = {
    "en": any_of(
        (
            r"(?:\b(?:is|are|was|were|am)(?: not|n't)|'(?:m|s|re) not)"
            r"(?: (?:actually|really|called|named|spelled|at|on|in|from|by|with|for|to))*"
            rf" (?P<old>{_V}+?)(?: any ?more| any longer| now)?(?:,| but |$)",
            rf"\b(?:do|does|did)(?: not|n't) (?P<old1>{_V}+?)(?: any ?more| any longer)?"
            r"(?:,| but |$)",
            rf"\bno longer (?P<old2>{_V}+?)(?:,| but | and |$)",
            r"\b(?:moved?|switched|changed|shifted|rescheduled|migrated) (?:\w+ ){0,2}"
            r"from (?P<old3>.+?) to ",
            r"\b(?:replaced|swapped|traded) (?P<old4>.+?) (?:with|for|by) ",
            rf", (?:and )?not (?:(?:called|named|at|on|in) )?(?P<old5>{_V}+)$",
        )
    ),
    "de": any_of(
        (
            r"\bnicht (?:mehr )?(?:(?:in|am|um|bei|mit|auf|an|gegen|als) )?"
            rf"(?P<old>{_V}+?)(?:,|$)",
            rf"\bkein\w* (?P<old1>{_V}+?)(?: mehr)?(?:,|$)",
            r"\bvon (?P<old2>.+?) (?:auf|zu|nach) ",
            r"\bhaben? (?P<old3>.+?) durch .+ ersetzt\b",
        )
    ),
    "es": any_of(
        (
            r"\bno (?:(?:es|son|está|están|se llama|soy|estoy|el|la|los|las|en|a|al) )*"
            rf"(?P<old>{_V}+?)(?:,| sino |$)",
            r"\b(?:cambi|pas|migr|mud|traslad)\w+ de (?P<old1>.+?) a ",
            r"\b(?:sustitu|reemplaz)\w+ (?P<old2>.+?) (?:por|con) ",
        )
    ),
    "fr": any_of(
        (
            r"\b(?:n'|ne )(?:s')?\w+ (?:pas|plus) (?:(?:à|au|aux|le|la|les|en|chez) )*"
            rf"(?P<old>{_V}+?)(?:,| mais |$)",
            rf", (?:et )?(?:pas|plus|non) (?:(?:à|au|aux|le|la|les|en|chez) )*(?P<old1>{_V}+)$",
            r"\b(?:remplacé|troqué) (?P<old2>.+?) (?:par|contre) ",
            r"\bdéménagé d(?:e |u |')(?P<old3>.+?) (?:à|vers|pour) ",
        )
    ),
    "zh": any_of(
        (
            r"不(?:再)?(?:是|叫|在|住在?|用)?(?P<old>[^，,。；不]{1,16}?)了?(?:$|[，,；]|而是)",
            r"从(?P<old1>[^，,。；]{1,16}?)(?:换|改|搬|转|迁|切|调)",
        )
    ),
    "ja": any_of(
        (
            r"(?P<old>[^、。はがを]{1,20}?)(?:では|じゃ)(?:なく|ありません|ない)",
            r"(?P<old1>[^、。はがを]{1,20}?)から[^、。]{1,20}?(?:に|へ)",
            r"(?P<old2>[^、。はが]{1,20}?)を(?:やめ|辞め)",
        )
    ),
}
_VERBS = {
    "en": r"(?:is|are|was|were|am|has|have|had|do|does|did)(?:n't)?|can|must|will|should|no longer"
    r"|not|now|moved|switched|changed|likes?|loves?|hates?|prefers?|needs?|wants?|goes|comes"
    r"|[a-z]{2,}(?:es|[^s'’]s)"
    r"(?= (?:in|at|on|for|to|as|from|with|by|a|an|the|my|our|no|his|her|their)\b)",
    "de": r"ist|sind|war|waren|heißt|heißen|hat|haben|hatte|wohnt|lebt|arbeitet|nutzt|läuft|liegt"
    r"|findet|beginnt|kostet|dauert|muss|kann|wird|wurde|mag|trinkt|isst|spricht|spielt|geht|kommt"
    r"|nicht",
    "es": r"es|son|era|se|no|ya|está|están|tiene|usa|vive|trabaja|empieza|termina|cuesta|va|viene"
    r"|come|bebe|habla|juega|corre|cierra|abre|ahora",
    "fr": r"est|sont|était|n'\w+|ne|s'appelle|a|ont|habite|vit|travaille|utilise|commence|finit"
    r"|coûte|va|vient|mange|boit|parle|joue|tourne|ferme|ouvre",
}
_ZH_VERBS = "是叫在住用不从改换搬喜讨对做有要开坐吃喝玩学教读写说打骑养买卖去来上戴穿弹拉会能"
_WHO = {
    "en": (
        r"(?:i|we)(?:['’]\w+)?\b",
        rf"(?:(?P<ours>our|the)\s+|(?:my|his|her|their)\s+)?(?P<who>[^,;:]+?)"
        rf"(?:['’]s name|['’]s)?\s+(?:{_VERBS['en']})\b",
    ),
    "de": (
        r"(?:\w+ )?(?:\w+ )?(?:ich|wir)\b",
        rf"(?:(?P<ours>unsere?|der|die|das)\s+|(?:meine?|seine?|ihre?)\s+)?(?P<who>[^,;:]+?)\s+(?:{_VERBS['de']})\b",
    ),
    "es": (
        r"(?:ya |no |ahora |siempre |nunca |nos |me |yo |nosotros )*"
        r"(?:(?!como\b)\w{2,}(?:o|é|í|mos|oy)|he|hemos)\b",
        rf"(?:(?P<ours>nuestr[oa]s?|el|la|los|las)\s+|(?:mis?|sus?)\s+)?(?P<who>[^,;:]+?)\s+(?:{_VERBS['es']})\b",
    ),
    "fr": (
        r"(?:je|nous|on)\b|j['’]",
        rf"(?:(?P<ours>notre|nos|le|la|les)\s+|l['’]|(?:mon|ma|mes|son|sa|ses)\s+)?(?P<who>[^,;:]+?)\s+(?:{_VERBS['fr']})\b",
    ),
    "zh": (
        r"(?:现在|如今|目前|最近)?我们?(?:现在|已经|也|都|还|一直|平时|最近|的?确)*"
        rf"(?=[{_ZH_VERBS}])",
        r"(?:(?P<ours>我们的?)|我的?|他的?|她的?)?(?P<who>[^，,。；我]{1,10}?)"
        rf"(?:现在|已经|已)?[{_ZH_VERBS}每都定姓]",
    ),
    "ja": (
        r"(?:もう|今は|現在は|最近は?)?(?:私|わたし|僕|ぼく|俺|うち|弊社)(?:は|も)"
        r"|(?!.*(?<![にでと])は)(?!.*が)",
        r"(?:もう|今は|現在は)?(?:(?P<ours>うちの|弊社の)|(?:私|わたし|僕|ぼく|俺)の)?"
        r"(?P<who>[^、。]{1,16}?)(?<![にでと])[はが]",
    ),
}
_SPEAKER = {name: re.compile(speaker, re.IGNORECASE) for name, (speaker, _) in _WHO.items()}
_SUBJECT = {name: re.compile(subject, re.IGNORECASE) for name, (_, subject) in _WHO.items()}
_NOTHING: frozenset[str] = frozenset()


class _Subject(NamedTuple):
    """Whom a sentence is about. words: none when it is the speaker. ours: a thing that "we" may
    speak of ("our database"); found: False when the sentence does not show it."""

    words: frozenset[str] = _NOTHING
    ours: bool = False
    found: bool = True


def replaced(statement: Statement, standing: Iterable[str]) -> list[str]:
    """Those of the standing lines that the statement makes untrue."""
    said = rules_text.gist(statement.text).words
    gone = denied(statement)
    subject = _subject(statement.text, statement.language) if gone else None
    result = []
    for line in standing:
        text = bare(line)
        if text == statement.text:
            continue
        same = statement.attribute and any(
            grammar(language).attribute(text) == statement.attribute
            for language in languages_of(text)
        )
        if same or (subject and any(_says(text, old, said - old, subject) for old in gone)):
            result.append(line)
    return result


def denied(statement: Statement) -> tuple[frozenset[str], ...]:
    """The words that no longer hold, in each way in which the statement can be read."""
    found = [statement.old]
    for match in _DENIED[statement.language].finditer(statement.text):
        found += (value for value in match.groupdict().values() if value)
    gists = (rules_text.gist(value).words for value in found if value)
    return tuple(words for words in dict.fromkeys(gists) if words)


def _says(line: str, old: frozenset[str], frame: frozenset[str], subject: _Subject) -> bool:
    """Whether a line states the old words of this subject, and does not just mention them.

    frame: the other words of the correction. Either the old words are a good part of the line, or
    most of what it says besides stands in the correction, too.
    """
    about = rules_text.gist(line).words
    if not old <= about:
        return False
    language = languages_of(line)[0]
    theirs = _subject(line, language)
    besides, shared = about - old, len(frame & about)
    if not theirs.found or not subject.found:
        return besides <= frame and _kind(line)[1]
    if subject.words and theirs.words:
        same = subject.words <= theirs.words or theirs.words <= subject.words
    else:  # "we switched from MySQL", "our database is MySQL", "we keep it in MySQL"
        same = subject.words <= about and (not theirs.words or theirs.ours)
    if not same or not old.isdisjoint(theirs.words - subject.words):
        return False
    alike = _size(old) * 3 >= _size(about) or (shared >= 2 and shared * 4 >= len(about))
    if subject.words and theirs.words:
        alike = shared * 4 >= len(about)
    known, plain = _kind(line)
    return alike and (known or (plain and besides <= frame | theirs.words))


def _size(words: frozenset[str]) -> float:
    """How many words these are; of Chinese and Japanese, two characters make one."""
    return sum(0.5 if rules_text.is_cjk(word) else 1.0 for word in words)


def _subject(text: str, language: str) -> _Subject:
    if _SPEAKER[language].match(text):
        return _Subject()
    match = _SUBJECT[language].match(text)
    if match is None or match.end() == len(text):  # "that my sister Anna heißt"
        return _Subject(found=False)
    return _Subject(rules_text.gist(match["who"]).words, match["ours"] is not None)


def _kind(text: str) -> tuple[bool, bool]:
    """(whether a line is a lasting statement, whether nothing speaks against its being one)."""
    kinds = {grammar(language).classify(text) for language in languages_of(text)}
    return bool(kinds - {None, "todo", "event"}), kinds.isdisjoint({"todo", "event"})
