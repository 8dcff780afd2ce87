"""How people say days, weeks, months and years, in English, German, Spanish, French, Chinese and
Japanese: tables for `days`. All words are folded (`text.fold`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# One row for each month, English first: the index writes dates out in English.
MONTHS = (
    ("january", "jan", "januar", "jänner", "enero", "janvier"),
    ("february", "feb", "februar", "febrero", "février"),
    ("march", "mar", "märz", "marzo", "mars"),
    ("april", "apr", "abril", "avril"),
    ("may", "mai", "mayo"),
    ("june", "jun", "juni", "junio", "juin"),
    ("july", "jul", "juli", "julio", "juillet"),
    ("august", "aug", "agosto", "août"),
    ("september", "sep", "sept", "septiembre", "setiembre", "septembre"),
    ("october", "oct", "okt", "oktober", "octubre", "octobre"),
    ("november", "nov", "noviembre", "novembre"),
    ("december", "dec", "dez", "dezember", "diciembre", "décembre"),
)
# Words of other meanings too: a month only beside a number or after one of WITHIN.
DOUBTFUL = frozenset(
    {"may", "march", "mar", "mars", "jan", "jun", "dec", "sep", "nov", "oct", "apr"}
)
WITHIN = (
    *("in", "of", "since", "until", "till", "during", "last", "this", "next", "early", "late"),
    *("mid", "before", "after", "im", "seit", "letzten", "letzter", "diesen", "en", "de", "desde"),
    *("depuis", "fin", "début"),
)

NUMBERS = (
    ("one", "a", "an", "ein", "eine", "einem", "einer", "un", "una", "uno", "une", "一"),
    ("two", "zwei", "dos", "deux", "二", "两", "兩"),
    ("three", "drei", "tres", "trois", "三"),
    ("four", "vier", "cuatro", "quatre", "四"),
    ("five", "fünf", "cinco", "cinq", "五"),
    ("six", "sechs", "seis", "六"),
    ("seven", "sieben", "siete", "sept", "七"),
    ("eight", "acht", "ocho", "huit", "八"),
    ("nine", "neun", "nueve", "neuf", "九"),
    ("ten", "zehn", "diez", "dix", "十"),
    ("eleven", "elf", "once", "onze", "十一"),
    ("twelve", "zwölf", "doce", "douze", "十二"),
)

DAY, WEEK, MONTH, YEAR, WEEKEND = "day", "week", "month", "year", "weekend"
UNITS = {
    DAY: ("day", "days", "tag", "tage", "tagen", "día", "días", "jour", "jours"),
    WEEK: ("week", "weeks", "woche", "wochen", "semana", "semanas", "semaine", "semaines"),
    MONTH: ("month", "months", "monat", "monate", "monaten", "mes", "meses", "mois"),
    YEAR: (
        *("year", "years", "jahr", "jahre", "jahren", "año", "años", "an", "ans", "année"),
        "années",
    ),
    WEEKEND: ("weekend", "wochenende", "fin de semana"),
}
UNITS_CJK = {
    DAY: ("天", "日"),
    WEEK: ("周", "週", "星期", "礼拜", "禮拜", "週間", "周间"),
    MONTH: ("月", "个月", "個月", "か月", "カ月", "ヶ月", "ヵ月"),
    YEAR: ("年",),
    WEEKEND: ("周末", "週末"),
}

# Monday first.
WEEKDAYS = (
    ("monday", "montag", "lunes", "lundi", "一", "月"),
    ("tuesday", "dienstag", "martes", "mardi", "二", "火"),
    ("wednesday", "mittwoch", "miércoles", "mercredi", "三", "水"),
    ("thursday", "donnerstag", "jueves", "jeudi", "四", "木"),
    ("friday", "freitag", "viernes", "vendredi", "五", "金"),
    ("saturday", "samstag", "sonnabend", "sábado", "samedi", "六", "土"),
    ("sunday", "sonntag", "domingo", "dimanche", "日", "天"),
)

# Fixed words -> (unit, how many of it from now).
FIXED = {
    "today": (DAY, 0),
    "yesterday": (DAY, -1),
    "the day before yesterday": (DAY, -2),
    "day before yesterday": (DAY, -2),
    "last night": (DAY, -1),
    "tomorrow": (DAY, 1),
    "heute": (DAY, 0),
    "gestern": (DAY, -1),
    "vorgestern": (DAY, -2),
    "übermorgen": (DAY, 2),
    "hoy": (DAY, 0),
    "ayer": (DAY, -1),
    "anteayer": (DAY, -2),
    "antier": (DAY, -2),
    "aujourd'hui": (DAY, 0),
    "avant-hier": (DAY, -2),
    "demain": (DAY, 1),
    "l'an dernier": (YEAR, -1),
    "l'année dernière": (YEAR, -1),
}
FIXED_CJK = {
    "今天": (DAY, 0),
    "昨天": (DAY, -1),
    "昨晚": (DAY, -1),
    "前天": (DAY, -2),
    "大前天": (DAY, -3),
    "明天": (DAY, 1),
    "后天": (DAY, 2),
    "後天": (DAY, 2),
    "今日": (DAY, 0),
    "昨日": (DAY, -1),
    "一昨日": (DAY, -2),
    "おととい": (DAY, -2),
    "きのう": (DAY, -1),
    "明日": (DAY, 1),
    "今週": (WEEK, 0),
    "先週": (WEEK, -1),
    "先々週": (WEEK, -2),
    "来週": (WEEK, 1),
    "今月": (MONTH, 0),
    "先月": (MONTH, -1),
    "先々月": (MONTH, -2),
    "来月": (MONTH, 1),
    "本月": (MONTH, 0),
    "上月": (MONTH, -1),
    "今年": (YEAR, 0),
    "去年": (YEAR, -1),
    "昨年": (YEAR, -1),
    "前年": (YEAR, -2),
    "一昨年": (YEAR, -2),
    "明年": (YEAR, 1),
    "来年": (YEAR, 1),
}

# Words before a unit or a weekday -> how many from now.
BEFORE = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this": 0,
    "next": 1,
    "letzte": -1,
    "letzten": -1,
    "letzter": -1,
    "letztes": -1,
    "vorige": -1,
    "vorigen": -1,
    "voriger": -1,
    "voriges": -1,
    "vergangene": -1,
    "vergangenen": -1,
    "vergangener": -1,
    "vergangenes": -1,
    "diese": 0,
    "diesen": 0,
    "dieser": 0,
    "diesem": 0,
    "dieses": 0,
    "nächste": 1,
    "nächsten": 1,
    "nächster": 1,
    "nächstes": 1,
    "esta": 0,
    "este": 0,
    "cette": 0,
    "ce": 0,
}
# The same in Chinese.
BEFORE_CJK = {
    "上": -1,
    "上个": -1,
    "上個": -1,
    "上上": -2,
    "上上个": -2,
    "上上個": -2,
    "这": 0,
    "這": 0,
    "这个": 0,
    "這個": 0,
    "本": 0,
    "下": 1,
    "下个": 1,
    "下個": 1,
}
# Words behind one.
BEHIND = {
    "pasado": -1,
    "pasada": -1,
    "anterior": -1,
    "próximo": 1,
    "próxima": 1,
    "que viene": 1,
    "dernier": -1,
    "dernière": -1,
    "passé": -1,
    "passée": -1,
    "prochain": 1,
    "prochaine": 1,
}

# One of these stands in whatever speaks of a time; most questions hold none.
_SIGNS = frozenset(
    word
    for table in (MONTHS, UNITS.values(), WEEKDAYS, FIXED)
    for names in table
    for word in ((names,) if isinstance(names, str) else names)
    if word.isalpha()
)
_SIGNS_CJK = frozenset("年月日号號天周週昨")
_JOINTS = frozenset("-/.")


def may_speak_of_time(folded: str, words: Iterable[str]) -> bool:
    """Whether it is worth to look for a time in a folded question of these words."""
    if not _SIGNS.isdisjoint(words):
        return True
    if not folded.isascii() and not _SIGNS_CJK.isdisjoint(folded):
        return True
    return ("19" in folded or "20" in folded) and not _JOINTS.isdisjoint(folded)
