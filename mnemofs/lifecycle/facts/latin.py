"""How facts are worded in English, German, Spanish and French: data for `facts_said`.

Each row is (predicate, pattern). Groups: `me` the speaker, `s` another subject, `o` the object;
neither subject: the person whose memory it is. A predicate that begins with `!` denies.
"""

from __future__ import annotations

import re
from typing import Final

Rows = tuple[tuple[str, str], ...]

_CAPS: Final = r"(?-i:[A-ZÀ-Þ])[\w.'&-]*(?: (?-i:[A-ZÀ-Þ])[\w.'&-]*){0,3}"
_WEEKDAY: Final = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montags?|dienstags?|mittwochs?|donnerstags?"
    r"|freitags?|samstags?|sonntags?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?"
    r"|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?"
)

# What one has is counted: "have" also makes tenses, and moods.
_COUNT: Final = (
    r"\d+|two|three|four|five|six|zwei|drei|vier|fünf|dos|tres|cuatro|cinco|deux|trois|quatre|cinq"
)

_EN_S: Final = (
    rf"(?:(?P<me>i|we)|(?P<s>(?:the )?user|(?:the|my|our) [\w'& -]{{1,40}}?|{_CAPS}))"
    r"(?P<adv>(?: (?:now|currently|still|also|usually|often|sometimes|mostly|mainly|really"
    r"|only))*)"
)


def _en(base: str, third: str, rest: str = "") -> str:
    """Group `base`: a form that without a subject, or after a name, would be a request."""
    be = "(?:am |is |are |have |has )?"
    return rf"(?:{_EN_S} {be}(?:(?:{third})|(?P<base>{base}))|(?:{third})){rest} (?P<o>.+)"


EN: Final[Rows] = (
    ("lives in", _en("moved|relocated", "moved|relocated", r"(?: from .+?)? (?:back )?to")),
    (
        "lives in",
        _en("live|living|based|reside", "lives|resides|based|living", " (?:now )?(?:in|at)"),
    ),
    ("works as", _en("work|working", "works|working", r" as(?: an?| the)?")),
    ("works at", _en("work|working|employed", "works|working|employed", " (?:at|for|by)")),
    ("is called", rf"{_EN_S} (?:am|is|are) (?:called|named) (?P<o>.+)"),
    ("goes by", rf"(?:{_EN_S} (?:go|goes) by|call me) (?P<o>.+)"),
    ("is hosted on", rf"{_EN_S} (?:is|are) (?:hosted|deployed) (?:on|at|by|with) (?P<o>.+)"),
    ("was born on", _en("was born", "was born|born", r" (?:on|in)")),
    ("is married to", _en("married", "married", " to")),
    ("is allergic to", _en("allergic", "allergic", " to")),
    ("likes", _en("like|love|enjoy|am fond of|adore", "likes|loves|enjoys|adores|is fond of")),
    (
        "!likes",
        _en("hate|dislike|detest|can not stand", "hates|dislikes|detests|can not stand"),
    ),
    ("prefers", _en("prefer", "prefers")),
    ("speaks", _en("speak", "speaks")),
    ("uses", _en("use", "uses")),
    ("eats", _en("eat", "eats")),
    ("drinks", _en("drink", "drinks")),
    (
        "on",
        rf"{_EN_S} (?P<v>[a-z]+) (?:on |every |at )(?P<o>(?:{_WEEKDAY}|\d{{1,2}}(?::\d\d| ?[ap]m))"
        r".{0,40})",
    ),
    ("has", _en("have|own", "has|owns", rf"(?= (?:an?|{_COUNT}) )")),
    (
        "is",
        rf"(?P<s>(?:the|my|our) .{{2,60}}?|{_CAPS}(?:'s? [\w' -]{{2,40}}?)?) (?:is|are) (?P<o>.+)",
    ),
)

_DE_S: Final = (
    rf"(?:(?P<me>ich|wir)|(?P<s>(?:der |die )?nutzer(?:in)?|(?:der|die|das|meine?|unsere?)"
    rf" [\w'& -]{{1,40}}?|{_CAPS}))"
)
_DE_ADV: Final = r"(?P<adv>(?: (?:jetzt|derzeit|aktuell|auch|meist(?:ens)?|oft|manchmal|immer))*)"


def _de(verbs: str, rest: str = "") -> str:
    return rf"(?:{_DE_S} )?(?:{verbs}){_DE_ADV}{rest} (?P<o>.+)"


DE: Final[Rows] = (
    ("lives in", _de("wohnen?|wohnt|leben?|lebt", " in")),
    (
        "lives in",
        rf"(?:{_DE_S} )?(?:bin|ist|sind)(?: \w+)?(?: von .+?)? nach (?P<o>.+?) (?:um)?gezogen",
    ),
    ("works as", _de("arbeiten?|arbeitet", " als(?: eine?)?")),
    ("works at", _de("arbeiten?|arbeitet", " (?:bei|für)(?: der| dem)?")),
    ("is called", _de("heißen?|heißt")),
    ("goes by", r"nenn(?:t|en sie)? mich (?P<o>.+)"),
    ("was born on", rf"(?:{_DE_S} )?(?:bin|ist|wurde) am (?P<o>.+?) geboren"),
    ("is married to", rf"(?:{_DE_S} )?(?:bin|ist) mit (?P<o>.+?) verheiratet"),
    ("is allergic to", _de("bin|ist|sind", " allergisch gegen")),
    ("likes", rf"(?:{_DE_S} )?(?:mag|mögen|liebe|liebt|lieben) (?P<o>.+)"),
    ("!likes", _de("hasse|hasst|hassen")),
    ("prefers", _de("bevorzuge|bevorzugt|bevorzugen")),
    ("speaks", _de("spreche|spricht|sprechen")),
    ("uses", _de("verwende[tn]?|benutze[nt]?|benutzt|nutze[nt]?|nutzt")),
    ("eats", _de("esse|isst|essen")),
    ("drinks", _de("trinke|trinkt|trinken")),
    (
        "on",
        rf"{_DE_S} (?P<v>[a-zäöüß]+) (?:immer )?(?:am |um |jeden )?(?P<o>(?:{_WEEKDAY}).{{0,40}})",
    ),
    ("has", _de("habe|hat|haben", rf"(?= (?:eine?n?|{_COUNT}) )")),
    (
        "is",
        rf"(?P<s>(?:der|die|das|meine?|unsere?) .{{2,60}}?|{_CAPS}) (?:ist|sind|lautet) (?P<o>.+)",
    ),
)

_ES_S: Final = (
    rf"(?:(?P<me>yo|nosotros)|(?P<s>(?:el |la )?usuari[oa]|(?:el|la|los|las|mis?|nuestr[oa]s?)"
    rf" [\w'& -]{{1,40}}?|{_CAPS}))"
)


def _es(verbs: str, rest: str = "") -> str:
    return (
        rf"(?:{_ES_S} )?(?P<adv>(?:(?:ahora|actualmente|también|a veces|siempre) )*)(?:{verbs})"
        rf"(?: (?:ahora|actualmente))?{rest} (?P<o>.+)"
    )


ES: Final[Rows] = (
    ("lives in", _es("vivo|vive|vivimos|resido|reside", " en")),
    ("lives in", _es("me mudé|se mudó|nos mudamos|me he mudado", r"(?: de .+?)? a")),
    ("works as", _es("trabajo|trabaja|trabajamos", " como")),
    ("works at", _es("trabajo|trabaja|trabajamos", " (?:en|para)")),
    ("is called", _es("me llamo|se llama")),
    ("goes by", r"llámame (?P<o>.+)"),
    ("was born on", _es("nací|nació", " (?:el|en)")),
    ("is married to", _es("estoy casad[oa]|está casad[oa]", " con")),
    ("is allergic to", _es("soy alérgic[oa]|es alérgic[oa]", " a(?:l| la| los| las)?")),
    ("likes", _es("me gustan?|le gustan?|nos gustan?|me encantan?|le encantan?|amo|ama")),
    ("!likes", _es("odio|odia|detesto|detesta")),
    ("prefers", _es("prefiero|prefiere|preferimos")),
    ("speaks", _es("hablo|habla|hablamos")),
    ("uses", _es("uso|usa|usamos|utilizo|utiliza|utilizamos")),
    ("eats", _es("como|come")),
    ("drinks", _es("bebo|bebe|tomo|toma")),
    ("on", rf"(?:{_ES_S} )?(?P<v>[a-záéíóúñ]+) (?:los |el |cada )(?P<o>(?:{_WEEKDAY}).{{0,40}})"),
    ("has", _es("tengo|tiene|tenemos", rf"(?= (?:una?|{_COUNT}) )")),
    (
        "is",
        rf"(?P<s>(?:el|la|los|las|mis?|nuestr[oa]s?) .{{2,60}}?|{_CAPS}) (?:es|son|está en)"
        r" (?P<o>.+)",
    ),
)

_FR_S: Final = (
    r"(?:(?P<me>je|nous|on)|(?P<s>l'utilisat(?:eur|rice)|(?:(?:le|la|les|mon|ma|mes|notre|nos) "
    rf"|l')[\w'& -]{{1,40}}?|{_CAPS}))"
)


def _fr(verbs: str, rest: str = "") -> str:
    return (
        rf"(?:{_FR_S} )?(?:{verbs})(?P<adv>(?: (?:maintenant|actuellement|aussi|souvent|parfois"
        rf"|toujours))*){rest} (?P<o>.+)"
    )


FR: Final[Rows] = (
    ("lives in", _fr("habitons|habites?|vis|vit|vivons", " (?:à|en|au|aux|dans)")),
    ("lives in", _fr("ai déménagé|a déménagé|avons déménagé", r"(?: de .+?)? (?:à|en|au)")),
    ("works as", _fr("travailles?|travaillons", " comme")),
    ("works at", _fr("travailles?|travaillons", " (?:chez|pour|à)")),
    ("is called", _fr("m'appelle|s'appelle")),
    ("goes by", r"appelle[sz]?-moi (?P<o>.+)"),
    ("was born on", _fr("suis née?|est née?", " (?:le|en)")),
    ("is married to", _fr("suis mariée?|est mariée?", " (?:à|avec)")),
    ("is allergic to", _fr("suis allergique|est allergique", " (?:à la|à l'|au|aux|à)")),
    ("likes", _fr("aimes?|adores?|aimons|adorons")),
    ("!likes", _fr("détestes?|détestons|hais|hait")),
    ("prefers", _fr("préfères?|préférons")),
    ("speaks", _fr("parles?|parlons")),
    ("uses", _fr("utilises?|utilisons")),
    ("eats", _fr("manges?|mangeons")),
    ("drinks", _fr("bois|boit|buvons")),
    (
        "on",
        rf"(?:{_FR_S} )(?P<v>[a-zàâçéèêëîïôû]+) (?:le |chaque |tous les )?"
        rf"(?P<o>(?:{_WEEKDAY}).{{0,40}})",
    ),
    ("has", _fr("ai|a|avons", rf"(?= (?:une?|{_COUNT}) )")),
    (
        "is",
        rf"(?P<s>(?:(?:le|la|les|mon|ma|mes|notre|nos) |l').{{2,60}}?|{_CAPS}) (?:est|sont)"
        r" (?P<o>.+)",
    ),
)

LANGUAGES: Final = {"en": EN, "de": DE, "es": ES, "fr": FR}

# (what a denial looks like, what the sentence is without it)
DENIALS: Final[dict[str, tuple[tuple[re.Pattern[str], str], ...]]] = {
    "en": (
        (re.compile(r"\b(?:do|does) not (?:ever )?(?:any ?more )?", re.I), ""),
        (re.compile(r"\b(am|is|are) (?:not|no longer|never) ", re.I), r"\1 "),
        (re.compile(r"\b(?:never|no longer) ", re.I), ""),
    ),
    "de": (
        (re.compile(r" (?:nicht mehr|nicht|nie|niemals)(?= |$)", re.I), ""),
        (re.compile(r" keine?[nmrs]?(?: mehr)? ", re.I), " "),
    ),
    "es": ((re.compile(r"(?<!\S)(?:ya no|no|nunca|jamás) ", re.I), ""),),
    "fr": (
        (
            re.compile(
                r"\b(?:ne |n')(\S+(?: \S+)?) (?:pas|plus|jamais)(?: d'| de)?(?= |$|(?<='))", re.I
            ),
            r"\1",
        ),
    ),
}
CONTRACTED: Final = (
    (re.compile(r"\b(i)'m\b", re.I), r"\1 am"),
    (re.compile(r"\b(we|they|you)'re\b", re.I), r"\1 are"),
    (re.compile(r"\b(i|we|they|you)'ve\b", re.I), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|name)'s\b", re.I), r"\1 is"),
    (re.compile(r"\b(do|does|is|are)n't\b", re.I), r"\1 not"),
    (re.compile(r"\bcan(?:'t|not)\b", re.I), "can not"),
    (re.compile(r"\b(j)'(?=\w)", re.I), r"\1e "),
)
