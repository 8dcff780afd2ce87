"""Values of facts as they are compared: when two of them say the same. Pure.

Case, punctuation, articles, the spelling of numbers, times, days and months, and a few words for
the same thing in six languages are no difference. A value that merely says more than the other
("Berlin", "Berlin, Germany") is none either: where one may be right together with the other,
nobody is asked.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from mnemofs.characters import CJK

_DROPPED_WORDS: Final = (
    "a an the der die das dem den ein eine einen einem el la los las un una unos unas le les du des"
    " in on at to for für para pour im am um en au aux à of de del von vom is be about roughly"
    " around approximately ca circa ungefähr etwa environ uhr o'clock every each jeden jeder jede"
    " cada chaque"
)
_DROPPED: Final = frozenset(_DROPPED_WORDS.split())
_DAYS: Final = (
    "monday mondays mon montag montags lunes lundi lundis 月曜日 月曜 周一 星期一 礼拜一",
    "tuesday tuesdays tue tues dienstag dienstags martes mardi mardis 火曜日 火曜 周二 星期二",
    "wednesday wednesdays wed mittwoch mittwochs miércoles miercoles mercredi 水曜日 周三 星期三",
    "thursday thursdays thu thurs donnerstag donnerstags jueves jeudi jeudis 木曜日 周四 星期四",
    "friday fridays fri freitag freitags viernes vendredi vendredis 金曜日 金曜 周五 星期五",
    "saturday saturdays sat samstag samstags sonnabend sábado sábados samedi 土曜日 周六 星期六",
    "sunday sundays sun sonntag sonntags domingo domingos dimanche 日曜日 周日 星期日 星期天",
)
_MONTHS: Final = (
    "january jan januar enero janvier",
    "february feb februar febrero février fevrier",
    "march mar märz maerz marzo mars",
    "april apr abril avril",
    "may mai mayo",
    "june jun juni junio juin",
    "july jul juli julio juillet",
    "august aug agosto août aout",
    "september sep sept septiembre septembre",
    "october oct oktober okt octubre octobre",
    "november nov noviembre novembre",
    "december dec dezember dez diciembre décembre decembre",
)
_NUMBERS: Final = (
    "zero null cero zéro",
    "one eins uno",
    "two zwei dos deux",
    "three drei tres trois",
    "four vier cuatro quatre",
    "five fünf cinco cinq",
    "six sechs seis",
    "seven sieben siete sept_",
    "eight acht ocho huit",
    "nine neun nueve neuf",
    "ten zehn diez dix",
    "eleven elf once onze",
    "twelve zwölf doce douze",
)
_SAME: Final = (
    "yes true on enabled ja sí si oui vrai wahr はい 是的",
    "no false off disabled nein non falso faux いいえ 不是",
    "usd $ dollar dollars us$",
    "eur € euro euros",
    "usa us u.s u.s.a",
    "uk u.k",
    "utc gmt",
    "postgres postgresql",
    "js javascript",
    "k8s kubernetes",
    "minute minutes min mins minuten minutos",
    "hour hours hr hrs stunde stunden hora horas heure heures",
    "day days tag tage tagen día días jour jours",
    "week weeks woche wochen semana semanas semaine semaines",
    "year years jahr jahre jahren año años an_ ans",
)
_GROUPED: Final = re.compile(
    r"(?<![\d.,])(\d{1,3})((?:[ '\u00a0\u202f]\d{3})+|(?:,\d{3})+)(?![\d,])"
)
_THOUSANDS: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)k\b")
_CLOCK: Final = re.compile(r"(?<![\d:])(\d{1,2})(?::(\d\d))?\s?([ap])\.?m\.?(?!\w)")
_TIME: Final = re.compile(r"(?<![\d:])(\d{1,2})[:h](\d\d)(?![\d:])")
_ISO: Final = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_CJK_DATE: Final = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号號]")
_ORDINAL: Final = re.compile(r"\b(\d+)(?:st|nd|rd|th|er|º|ª)\b")
_CURRENCY: Final = re.compile(r"([€$])")
_TOKEN: Final = re.compile(
    r"[€$%]|[+-]?\d+(?:[.:,]\d+)*|[^\W\d_]+(?:['’.+#&/@:-]*[^\W_]+)*[+#]*|\d\w*"
)
_CJK: Final = re.compile(f"[{CJK}]")
_DECORATION: Final = re.compile(r"\*{1,3}|`+|~~|(?<![^\W_])_{1,3}|_{1,3}(?![^\W_])")
_DIGIT: Final = re.compile(r"\d")
_LONE_DOT: Final = re.compile(r"(?<=\d)\.(?=\s|$)")


def _numbered(rows: tuple[str, ...], prefix: str) -> dict[str, str]:
    return {word: f"{prefix}{number}" for number, row in enumerate(rows) for word in row.split()}


_WORDS: Final = {
    **{word.rstrip("_"): row.split()[0] for row in _SAME for word in row.split()},
    **_numbered(_MONTHS, "month"),
    **_numbered(_DAYS, "weekday"),
    **{word: str(n) for n, row in enumerate(_NUMBERS) for word in row.split() if word[-1] != "_"},
}


def plain(text: str) -> str:
    """A text without Markdown decoration, surrounding quotes and final punctuation."""
    text = _DECORATION.sub("", text).strip()
    return text.strip(" \t\"'“”„«»「」『』‘’.。;；,，!！").strip()


@lru_cache(maxsize=4096)  # a value, its subject and its heading are looked at from several sides
def tokens_of(text: str) -> frozenset[str]:
    """What a value says, word by word, in a spelling that does not matter any more."""
    text = unicodedata.normalize("NFKC", plain(text)).casefold().replace("’", "'")
    if _DIGIT.search(text):
        text = _figures(text)
    text = _CURRENCY.sub(r" \1 ", text)
    found = set()
    for match in _TOKEN.finditer(text):
        word = match[0].strip("'.-/:")
        for part in word.split("/") if word.count("/") == 1 and word[0].isalpha() else (word,):
            if part and part not in _DROPPED:
                found.add(_WORDS.get(part, part))
    return frozenset(found)


def _figures(text: str) -> str:
    text = _ISO.sub(lambda m: f" {m[1]} month{int(m[2]) - 1} {int(m[3])} ", text)
    text = _CJK_DATE.sub(lambda m: f" {m[1] or ''} month{int(m[2]) - 1} {int(m[3])} ", text)
    text = _CLOCK.sub(_clock, text)
    text = _TIME.sub(lambda m: f" {int(m[1])}:{m[2]} ", text)
    text = _ORDINAL.sub(r"\1", _LONE_DOT.sub(" ", text))
    text = _GROUPED.sub(lambda m: m[1] + re.sub(r"\D", "", m[2]), text)
    return _THOUSANDS.sub(lambda m: f"{float(m[1]) * 1000:.0f}", text)


def value_key(text: str) -> str:
    """One string for a value; equal for equal values."""
    return " ".join(sorted(tokens_of(text)))


def same_value(one: str, other: str) -> bool:
    """Whether two values (keys of `value_key`) say the same, or one of them merely more."""
    first, second = frozenset(one.split()), frozenset(other.split())
    if not first or not second or first <= second or second <= first:
        return True
    if _CJK.search(one) and _CJK.search(other):
        return one in other or other in one
    plural = {word.removesuffix("s") for word in first} == {w.removesuffix("s") for w in second}
    return plural or one.replace("-", "").replace(" ", "") == other.replace("-", "").replace(
        " ", ""
    )


def size_of(text: str) -> int:
    """How long a value is, in words; two Chinese or Japanese characters count as one."""
    characters = len(_CJK.findall(text))
    return len(_CJK.sub(" ", text).split()) + (characters + 1) // 2


def _clock(match: re.Match[str]) -> str:
    hour = int(match[1]) % 12 + (12 if match[3] == "p" else 0)
    return f" {hour}:{match[2] or '00'} "
