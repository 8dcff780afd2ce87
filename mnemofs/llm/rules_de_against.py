"""German for the rules engine: what speaks against a lasting statement."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import any_of

_MOMENTARY = (
    r"denke|denken|glaube|glauben|meine|weiß|wissen|sehe|sehen|finde|hoffe|brauche|brauchen"
    r"|möchte|möchten|will|wollen|kann|können|muss|müssen|soll|sollen|bekomme|bekommen|kriege"
    r"|erhalte|versuche|frage"
    r"|verstehe|suche|öffne|klicke|starte|rufe|schaue|gucke|probiere|melde|schicke|sende|poste"
    r"|füge|ändere|lösche|danke|stimme|merke|fürchte|wünsche|warte|sage|sag|führe|gebe|setze"
    r"|stelle|tippe|drücke|lade"
    r"|installiere|kopiere|überlege|vermute|nehme|gehe|erinnere|vergesse|darf|dürfen|hatte"
    r"|hatten|war|waren|wurde|bin (?:mir|froh|dabei|gespannt|sicher|fertig|okay)|fühle|komme|freue"
)

KEEP_OUT = any_of(
    (
        r"(?:merke?|notiere?|speichere?|behalte?|merken|speichern"
        r"|notieren)\b(?: sie)?(?: dir| sich)?(?: das| dies| es| davon)?(?: bitte| jetzt"
        r"| auf keinen fall| lieber)* (?:nicht|nichts|niemals)\b"
        r"|nicht (?:merken|speichern|notieren|aufschreiben|behalten)\b|unter uns gesagt"
        r"|vergiss (?:das|es|was ich)\b|vertraulich gesagt",
        r"\b(?:nur spaß|war nur (?:ein )?(?:spaß|witz)|tu so als|stell dir vor"
        r"|spiel (?:einen|eine|die rolle)|in (?:der|meiner) geschichte|im (?:roman|spiel"
        r"|film|traum))\b",
    )
)
QUESTION = any_of(
    (
        r"\?",
        r"^(?:was|warum|wieso|weshalb|wie|wer|wessen|wo|wohin|woher|welche[rsnm]?|wann"
        r"|kannst du|könntest du|können (?:sie|wir)|soll (?:ich|man)|sollen wir|sollte ich"
        r"|ist (?:es|das|mein|der|die)|gibt es"
        r"|hast du|haben sie|bist du|weißt du|erinnerst du|darf ich|sag mir)\b",
        r"^(?:ich (?:frage mich|wüsste gern|weiß nicht|bin (?:mir )?nicht sicher))",
    )
)
HYPOTHETICAL = any_of(
    (
        r"\b(?:würde|würden|würdest|wäre|wären|hätte ich|hätten wir|könnte sein|angenommen"
        r"|gesetzt den fall|nehmen wir an|stell dir vor|falls ich|sagen wir|zum beispiel"
        r"|na toll|na super|na klasse|weil ich ja so|z\.\s?b\.|beispielsweise|vielleicht"
        r"|möglicherweise|eventuell)\b",
        r"^wenn (?:ich|wir|er|sie|man)\b|\bich (?:überlege|denke darüber nach|erwäge"
        r"|will kündigen)\b",
    )
)
ONE_OFF = any_of(
    (
        r"\b(?:(?:nur |bloß )?(?:dieses|diesmal|für dieses|dies eine) ?mal|diesmal"
        r"|für (?:diese|die nächste) (?:antwort|frage|nachricht|aufgabe)"
        r"|in dieser (?:antwort|nachricht)|bei dieser (?:antwort|frage|aufgabe)|nur heute"
        r"|für heute|vorerst|fürs erste|vorläufig"
        r"|im moment|momentan|zunächst|ausnahmsweise|erst ?mal|erstmal|nur jetzt|gerade)\b",
        r"\b(?:erste|zweite|dritte|letzte)[rn]? (?:version|variante|option|vorschlag"
        r"|entwurf)\b|^ich (?:hätte gern|möchte|brauche|will) (?:eine?n?|noch|nur|bloß|jetzt|mal"
        r"|bitte|lediglich|zwei|drei|vier|fünf|\d+)\b",
    )
)
REPORTED = any_of(
    (
        r"\b(?!ich\b|wir\b)\w+ (?:sagte?|meinte?|meint|glaubt|denkt|behauptet|schreibt"
        r"|schrieb|erzählte?|findet, dass|fragte?|hat gesagt"
        r"|hat erzählt)\b(?<!\bich sagte)(?<!\bich meinte)(?<!\bich schrieb)",
        r"\b(?:angeblich|laut \w+|ich habe gehört|gehört, dass|es heißt,|man sagt"
        r"|anscheinend|gerüchten)\b|\bsei (?:ein|eine|er|sie|der|die)\b",
    )
)
PASSING = any_of(
    (
        r"\b(?:daran|dazu|dagegen|darauf|darüber|euch|dir|dich|solche[rnms]?|so viel|weiter|dran)\b"
        r"|\b(?:vermisse|genieße|lebe für|sage immer|klopft|klagen|positiv|am ende|die besten"
        r"|voller erfolg"
        r"|das wichtigste|dank gilt|geduld)\b",
        r"\b(?:hunger|durst|feierabend|viel zu tun|keine zeit|wenig zeit|glück gehabt"
        r"|pech gehabt)\b"
        r"|\bmein(?:e|en|em|er)? (?:tag|woche|wochenende|kaffee|tee|essen|mittagessen|handy|telefon"
        r"|laptop|rechner|computer|akku|pause|kopf|internet|wlan|bildschirm|termin|zug|bus|flug"
        r"|bahn)"
        r" (?:ist|war|wird|klingelt|geht|spinnt|kommt)\b(?! eine?\b| jed| immer| ein \w)",
        r"\b(?:schläft|nervt|klingelt|bellt|weint|regnet|schneit)\b(?!.*\b(?:immer|oft|jed|nachts"
        r"|meist))",
        r"\bich (?:gehe|mache|hole|trinke|esse|lese|höre|schaue|gucke|fahre|laufe|koche"
        r"|packe) (?:mir |uns )?"
        r"(?:jetzt|kurz|gleich|schnell|eben|eine?n?|mal|noch|schon|erst|musik)\b(?!.*(?:jed|immer"
        r"|oft|täglich"
        r"|regelmäßig|meist|nie|morgens|abends|am morgen|am abend|tag|wochenende))",
        r"\bich (?:bin|war) (?:\w+ )?(?:beeindruckt|begeistert|gespannt|überrascht|enttäuscht"
        r"|erleichtert"
        r"|neugierig|nervös|hungrig|satt|zurück|wieder da|bereit|dran|ratlos|sauer|genervt|wach)\b"
        r"|\bich werde (?:langsam|gleich|jetzt|später|bald)\b|\b(?:ist|sind|war|waren) (?:schon "
        r"|fast |bald )?"
        r"(?:vorbei|kalt|warm|heiß|lang|kurz|aus|zu ende|rum)\b",
        r"\b(?:fehler\w*|exception|absturz|abgestürzt|stürzt|kaputt|defekt|bugs?"
        r"|fehlgeschlagen|schlägt fehl|hängt|hängen geblieben|timeout|funktioniert"
        r"|funktionieren|geht nicht|lädt nicht|lädt|startet nicht|öffnet|kompiliert|reagiert"
        r"|nicht erreichbar|down)\b",
        r"\b(?:heute|gerade|im moment|gestern|vorhin|heute morgen|diese woche)\b|\b(?:etwas"
        r"|ein bisschen|so|sehr|ziemlich|total) (?:müde|hungrig|krank|gestresst|verwirrt"
        r"|beschäftigt|traurig|genervt)\b"
        r"|\b(?:ist|sind|war|waren|bin) (?:so |echt |sehr |total |wirklich "
        r"|richtig )*(?:super|toll|klasse|gut|schlecht|genial|schön|cool|nett|prima|spitze"
        r"|großartig|perfekt|schwer|hart|wunderbar|dankbar|aufgeregt|okay|ok|stolz|froh"
        r"|glücklich)\b",
        r"\bich (?:habe|hab|hätte) (?:da |noch |mal |nur )*(?:eine?n?|keine?n?) (?:kurze |kleine "
        r"|andere )?"
        r"(?:frage|idee|problem|moment|bitte|ahnung|zeit|lust|hunger|durst|verdacht|wunsch"
        r"|vorschlag)\b",
        r"\b(?:kommt|kommen|geht|gehen|fährt|fahren) (?:gleich|bald|jetzt|nachher|später)\b"
        r"|\b(?:fast|noch"
        r" nicht|schon|bald|endlich|gleich|jetzt) (?:fertig|da|zurück|durch|so weit|los|weg)\b"
        r"|\bverspätung\b|\bunterwegs\b",
        r"\b(?:bin|sind|sitze|stehe|warte) (?:noch |schon )?(?:im (?:zug|stau|meeting|bus|auto"
        r"|supermarkt)"
        r"|am (?:bahnhof|flughafen|telefon)|beim (?:arzt|zahnarzt|friseur)|in (?:der"
        r"|einer) (?:bahn|schlange"
        r"|besprechung|sitzung))\b",
        r"\b(?:ist|sind) (?:leer|voll|nass|weg|alle)\b|\b(?:tut|tun) (?:mir )?(?:gerade )?weh\b",
        r"\b(?:kann|konnte) .* nicht (?:finden|öffnen|sehen|installieren|starten)\b"
        r"|\bich (?:bin|war) (?:mir|nicht(?!.*, sondern)|fertig|dabei|froh|unsicher"
        r"|verwirrt|müde)\b",
    )
)
FLEETING = any_of(
    (
        r"\b(?:du|dir|dich|dein\w*|es|das|dies\w*|jene\w*|hier|dort|er|sie|ihm|ihr|ihn"
        r"|würde\w*|könnte\w*|hätte\w*|wäre\w*|vielleicht|danke|bitte|beispiel|gerade|sollen"
        r"|will|wollen|mal)\b",
        r"\b(?:ich|wir) (?:" + _MOMENTARY + r")\b|\b(?:" + _MOMENTARY + r") (?:ich|wir)\b",
        r"\b(?:ich|wir)?\b.*\b(?:habe|haben|bin|sind)\b.*\b(?:ge\w+t|\w{2,}ge\w+t"
        r"|\w{0,6}ge\w+en|\w+iert|begonnen|verloren|vergessen|bekommen"
        r"|verstanden)\b(?!.*(?:letztes jahr|seit|vor \w+ jahren))(?<!aufgewachsen)"
        r"(?<!gewechselt)(?<!umgestiegen)",
        r"\b(?:fragen?|probleme?|fehler|funktion(?:en)?|listen?|dateien?|skripte?|tabellen?"
        r"|klassen?|methoden?|schleifen?|spalten?|zeilen?|variablen?|csv|json|seiten?"
        r"|formulare?|absätze?|idee"
        r"|zweifel|minute|moment|entwurf|knopf|ausgabe|eingabe|warnung(?:en)?|schritt|code"
        r"|meinung|teil|recht|ahnung|ihnen|test|tests|freu\w*|super|toll|wieder|schon)\b",
    )
)
