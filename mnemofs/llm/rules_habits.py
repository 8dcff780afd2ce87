"""Lines that recur in notes out of habit and say nothing that lasts."""

from __future__ import annotations

import re

from mnemofs.llm import rules_text

_FEW_WORDS = 3
_FEW_CHARACTERS = 6  # of Chinese or Japanese
_NOTHING = re.compile(
    r"(?:nothing|no (?:news|change|plans)|not much|same as|as usual|all (?:good|quiet|fine)"
    r"|good (?:day|morning|night)|nichts|alles (?:gut|ruhig|wie)|wie (?:immer|gestern)|guten? "
    r"|nada|sin (?:nov|cambios)|todo (?:bien|igual)|buen[oa]s|rien|pas de nouv|tout va"
    r"|comme d'hab|bonjour)\b"
    r"|没什么|没有新|一切正常|和昨天一样|特に|何もな|変わりな|いつも通り|おはよう",
    re.IGNORECASE,
)
# Something that somebody did: by its first words, as people write notes. What happens by itself
# again and again ("the feed was late again") is worth knowing.
_DONE = re.compile(
    r"(?:(?:i|we|he|she|they) )?(?:(?!need|embed|feed|speed|shed|seed)[a-z]{2,}ed|went|came|had|got"
    r"|met|saw|ate|bought|sold|sent|lost|found|left|took|made|did|said|told|spoke|wrote)\b"
    r"|.* (?:went|was|ging|lief|war|salió|estuvo|était) (?:fine|well|ok|okay|good|nice|gut|bien)$"
    r"|(?:fui|fuimos|comí|compré|hablé|vi|j'ai|on a|ich habe|habe|war|waren) ",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:every|each|always|usually|often|never|immer|jede[nrs]?|oft|nie|siempre|cada|nunca|suele"
    r"|toujours|chaque|souvent|jamais)\b|每|总|經常|经常|いつも|毎",
    re.IGNORECASE,
)


def tells_of_a_day(text: str) -> bool:
    """Whether a line tells what somebody did, and not that they always do."""
    return _DONE.match(text) is not None and _HABIT.search(text) is None


def says_little(text: str) -> bool:
    """Whether a line is a habit of writing: "quiet day", "nothing new"."""
    least = _FEW_CHARACTERS if rules_text.is_cjk(text) else _FEW_WORDS
    return len(rules_text.words(text)) < least or _NOTHING.match(text) is not None
