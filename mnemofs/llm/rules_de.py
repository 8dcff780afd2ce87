"""German for the rules engine."""

from __future__ import annotations

from mnemofs.llm import rules_de_against as against
from mnemofs.llm.rules_de_kinds import KINDS
from mnemofs.llm.rules_grammar import Grammar, any_of

GRAMMAR = Grammar(
    language="de",
    remember=any_of(
        (
            r"^(?:(?:bitte|und|also|ok|okay|noch was|ach|so|kannst du|könntest du|können sie"
            r"|du sollst|ich möchte, dass du)[, ]+)*"
            r"(?:merke? dir|merken sie sich|merk's dir|behalte?(?: dir)?(?: (?:bitte|im kopf"
            r"|im hinterkopf|in erinnerung|im gedächtnis))+|behalten sie(?: bitte)? (?:im kopf"
            r"|in erinnerung)"
            r"|denke?(?: bitte)? (?:immer )?(?:daran|dran)|denken sie(?: bitte)? daran"
            r"|vergiss(?: bitte)?(?: nie| nicht| niemals)|vergessen sie(?: bitte)? nicht"
            r"|notiere?(?: dir)?|notieren sie(?: sich)?|schreib(?:e)? dir (?:bitte )?auf"
            r"|speicher(?:e)?(?: dir)?(?: das)?|beachte?|beachten sie|nimm zur kenntnis"
            r"|dir merken|im gedächtnis behalten)(?: bitte| unbedingt| mal| noch| auch"
            r"| für später| das| folgendes| dies)*(?: im gedächtnis| in deinem speicher)?"
            r"(?:\s*[:–—-]+\s*(?:dass\s+)?|\s*,\s*dass\s+|\s*,\s*(?=[^.]*\b(?:ich|mein\w*|wir"
            r"|unser\w*)\b)|\s+dass\s+|\s+(?=(?:mein|meine|ich|wir|unser|unsere)\b)"
            r"|[.!]*$)(?P<what>.*)",
            r"^bitte (?:merken|notieren|speichern|nicht vergessen|beachten"
            r"|vormerken)\s*[,:]+\s*(?:dass\s+)?(?P<what2>.+)",
            r"^(?:eine |kleine |kurze |kleiner |kurzer )*(?:notiz|erinnerung|anmerkung|merke"
            r"|hinweis|info)(?: an (?:dich|mich))?(?: für (?:später|dich|das nächste mal"
            r"|die zukunft))?\s*:\s*(?P<what3>.+)",
            r"^(?:für (?:später|die zukunft|das nächste mal)|zur info(?:rmation)?"
            r"|zur kenntnis)[,:]?\s+(?P<what4>.+)",
            r"^(?P<what5>.+?)[,;–—-]+\s*(?:bitte )?(?:merk dir das|merken|nicht vergessen"
            r"|merk dir das bitte)[.!]*$",
        )
    ),
    keep_out=against.KEEP_OUT,
    filler=any_of(
        (
            r"(?:hallo|hi|hey|moin|servus|ok(?:ay)?|ach(?: so)?|und|aber|also|übrigens|nebenbei"
            r"|außerdem|eigentlich|bitte|tatsächlich|hm+)(?:[,.:;!–—-]+\s*|\s+)",
            r"(?:guten (?:morgen|tag|abend)|danke(?: schön| dir)?|gut|super|ja|nein|doch|so|denn"
            r"|ehrlich gesagt|genau gesagt|zur info|noch (?:was|eins|etwas)|korrektur|nachtrag"
            r"|moment|sorry|entschuldigung|planänderung|das klappt|wie gesagt|kurz(?: zu mir)?"
            r"|zu mir|wichtig|kurze info)[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:ich glaube|ich denke|weil|da|deshalb|denn)\s*,?\s+",
            r"(?:nach|seit|in|an|vor|während) (?:(?!ich\b|wir\b)[\wäöüß'-]+ ){1,6}?(?=(?:leben"
            r"|wohnen|haben|sind|nutzen) wir\b|(?:lebe|wohne|habe|bin|nutze) ich\b)",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:und|aber|also|denn|weil|deshalb|sodass)\s+(?=(?:ich|wir|mein|meine|unser"
            r"|unsere|bitte|wohne|arbeite|unterrichte|lebe|studiere|antworte|verwende|nutze"
            r"|heiße|bin)\b)",
            r",\s+(?:also\s+)?(?=(?:ich|wir|mein|meine|unser|unsere|bitte|gib|verwende|antworte"
            r"|nutze|schreib|nur)\b)",
        )
    ),
    kinds=KINDS,
    corrections=any_of(
        (
            r"^(?!es\b|das ist|dies)[^,]{3,80}\b(?:ist|sind|heißt|hat|nutzt|findet|liegt|läuft"
            r"|beginnt|schreibt)\b[^,]{1,60}, (?:und )?nicht (?:mehr )?(?P<old>[^,.]+)",
            r"^(?!es\b|das\b)[^,]{3,80} nicht (?P<old1>[^,.]+?), sondern ",
            r"^(?:ich|wir)\b[^,.;]*? (?:nicht mehr"
            r"|kein\w* (?P<old2a>\w+(?: \w+)?) mehr)(?: (?P<old2>[^,.;]+))?",
            r"\b(?:ich|wir)(?: bin| sind| habe| haben| wechseln| wechsle"
            r"| ziehen)\b.{0,40}?\bvon (?P<old3>.+?) (?:auf|zu|nach) ",
            r"^(?:ich|wir|mein\w*|unser\w*)\b.* (?:statt|anstatt|anstelle von) (?:in |mit "
            r"|bei )?(?P<old4>[^,.;]+)",
            r"\b(?:ich|wir) (?:habe|haben) (?P<old5>[^,.;]+?) aufgegeben\b"
            r"|mit (?P<old6>[^,.;]+?) (?:habe ich|haben wir) aufgehört",
            r"\bfrüher .*?(?P<old7>[^,.;]+), (?:aber )?(?:jetzt|heute|nun|inzwischen)\b",
        )
    ),
    question=against.QUESTION,
    hypothetical=against.HYPOTHETICAL,
    one_off=against.ONE_OFF,
    reported=against.REPORTED,
    passing=against.PASSING,
    polite=any_of(
        (
            r"^(?:bitte )?(?:kannst|könntest) du (?:dir )?(?:bitte )?(?:merken|notieren)"
            r"|^(?:kannst|könntest) du dir .*merken",
        )
    ),
    first_person=any_of((r"\b(?:ich|mein\w*|mir|mich)\b",)),
    speaker=any_of((r"\b(?:ich|wir|mein\w*|unser\w*|bei uns|uns)\b",)),
    told=any_of(
        (
            r"(?:der|die|das|alle|jede[rs]?) [\wäöüß' -]{2,50} (?:ist|sind|wird"
            r"|werden) .*\b(?:geschrieben|gebaut|gehostet|betrieben|verwaltet|gespeichert"
            r"|aufbewahrt|gepflegt|entwickelt"
            r"|veröffentlicht|genehmigt|freigegeben|verboten|vorgeschrieben|benannt)\b",
            r"(?:zuständig|verantwortlich|ansprechpartner\w*) (?:für .* )?(?:ist|sind)\b|(?:alle"
            r"|jede[rs]?) [\wäöüß' -]{2,50} (?:brauchen|braucht|müssen|muss|benötigen|gehen"
            r"|geht)\b",
        )
    ),
    fleeting=against.FLEETING,
    attributes=(
        ("name", any_of((r"ich heiße|mein name ist|(?:bitte )?nenne? mich",))),
        (
            "home",
            any_of(
                (
                    r"(?:ich|wir) (?:wohne|wohnen|lebe|leben) (?:jetzt |nun )?in|(?:ich bin"
                    r"|wir sind) .*nach .* gezogen|(?:\w+ )?(?:wohne|lebe) (?:ich )?in",
                )
            ),
        ),
        ("work", any_of((r"ich arbeite (?:jetzt |nun )?(?:bei|für)|mein arbeitgeber ist",))),
        ("birthday", any_of((r"mein geburtstag",))),
        ("time zone", any_of((r"meine zeitzone",))),
        ("pronouns", any_of((r"meine pronomen",))),
        ("age", any_of((r"ich bin \d{1,3} jahre",))),
        ("email", any_of((r"meine e-?mail",))),
        ("code name", any_of((r"(?:der |unser )?codename|das (?:\w+)?projekt heißt",))),
        ("budget", any_of((r"(?:das|unser) (?:projekt)?budget\b",))),
        ("deadline", any_of((r"(?:die|unsere) frist\b|(?:der|unser) abgabetermin",))),
    ),
    subject=any_of(
        (
            r"(?:das|der|die|unsere?|alle)?\s*(?P<subject>.+?)\s+(?:ist|sind|liegt"
            r"|liegen|steht|stehen|heißt|lautet|hat|wird|werden)\b",
        )
    ),
)
