"""German for the rules engine: how lasting statements are worded."""

from __future__ import annotations

import re

from mnemofs.llm.rules_grammar import Kind, any_of

_RELATIVE = (
    r"(?:frau|mann|partner(?:in)?|freund(?:in)?|verlobte[r]?|mutter|mama|vater|papa|eltern"
    r"|schwester|bruder|geschwister|sohn"
    r"|söhne|tochter|töchter|kind|kinder|baby|zwillinge|oma|opa|großmutter|großvater|großeltern"
    r"|tante|onkel|cousin(?:e)?"
    r"|nichte|neffe|schwieger\w+|hund|katze|kater|haustier|pferd|mitbewohner(?:in)?"
    r"|nachbar(?:in)?|chef(?:in)?|kolleg(?:e|in|en)"
    r"|arzt|ärztin|vermieter(?:in)?)"
)
_OWN = (
    r"(?:name|vorname|nachname|spitzname|geburtstag|geburtsdatum|zeitzone|e-?mail(?:-adresse)?"
    r"|adresse|telefonnummer|handynummer"
    r"|arbeitgeber|firma|team|beruf|job|stelle|rolle|heimatstadt|muttersprache|pronomen|größe"
    r"|gewicht|schuhgröße|blutgruppe|ernährung"
    r"|religion|editor|laptop|rechner|computer|handy|auto|fahrrad|tastatur|betriebssystem"
    r"|browser|benutzername|büro|wohnung|haus"
    r"|schule|hochschule|hobby|hobbys|fachgebiet|ziel|allergie|allergien)"
)
_VAGUE = (
    r"(?!(?:es|das|dies|diese[rsmn]?|jene\w*|ihn|sie|er|dich|dein\w*|ihr\w*|die (?:erste|zweite"
    r"|dritte|letzte|neue|alte|andere|idee"
    r"|antwort|version)|den (?:ersten|zweiten|dritten|letzten|vorschlag)|das (?:erste|zweite"
    r"|dritte|ergebnis)|beide\w*|wissen|fragen|wie|dass|wenn|was|deren|dessen)\b)"
)
_OFTEN = (
    r"(?:immer|nie|niemals|meist|meistens|normalerweise|gewöhnlich|grundsätzlich|generell|oft"
    r"|selten|nur|stets|lieber|am liebsten)"
)
_IMPERATIVE = (
    r"(?:verwende|benutze?|nutze?|schreib|schreibe|antworte?|sprich|rede|nenn|nenne|gib|zeig"
    r"|zeige|erklär|erkläre|frag|frage|prüf|prüfe"
    r"|mach|mache|halte?|lass|füg|füge|setz|setze|beginn|beginne|formuliere|formatiere|duze?"
    r"|sieze?|vermeide|verzichte|bleib|bleibe"
    r"|nimm|rechne|runde|buche?|empfiehl|erwähn|erwähne|übersetze?|zitier|zitiere|teste?"
    r"|committe|pushe?|entschuldige|stell|stelle|leg|lege"
    r"|verwenden|benutzen|nutzen|schreiben|antworten|sprechen|nennen|geben|zeigen|erklären"
    r"|fragen|vermeiden|verzichten)"
)
_DAY = (
    r"(?:heute|morgen|übermorgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend"
    r"|sonntag|nächste[nrs]? \w+|ende (?:der|des) \w+"
    r"|wochenende|monatsende|feierabend|mittag|januar|februar|märz|april|mai|juni|juli|august"
    r"|september|oktober|november|dezember"
    r"|\d{1,2}\.|\d{4}-\d\d-\d\d|\d{1,2} uhr|um \w+ uhr)"
)
# What someone does or wants right now, not what holds.
_NOT_A_HABIT = (
    r"(?!(?:denke|glaube|meine|weiß|sehe|finde|hoffe|brauche|möchte|will|kann|muss|soll|sollte"
    r"|würde|hätte|könnte|wäre|bekomme|kriege|erhalte|versuche"
    r"|frage|verstehe|suche|öffne|klicke|starte|rufe|schaue|gucke|probiere|melde|schicke|sende"
    r"|poste|füge|ändere|lösche|danke|stimme|merke|fürchte|wünsche"
    r"|warte|sage|sag|führe|gebe|setze|stelle|tippe|drücke|lade|installiere|kopiere"
    r"|schreibe gerade|überlege|vermute|nehme an|gehe davon|erinnere|vergesse|habe|bin|war|wurde"
    r"|werde|darf)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:fragen?|probleme?|fehler|funktion(?:en)?|listen?|dateien?|skripte?|tabellen?"
    r"|klassen?|methoden?|schleifen?|spalten?|zeilen?|variablen?|csv"
    r"|json|seiten?|formulare?|bild(?:er)?|absätze?|idee|zweifel|kopfschmerzen|fieber|minute"
    r"|moment|entwurf|knopf|ausgabe|eingabe|warnung(?:en)?|beispiele?"
    r"|gefühl|zeit|lust|hunger|durst|glück|pech|recht|termin|test|tests|dies\w*|das|es|jene\w*)\b)"
)

KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "instruction",
        any_of(
            (
                rf"(?:bitte )?{_IMPERATIVE}(?: sie)?\b.*\b(?:immer|nie|niemals|stets"
                r"|grundsätzlich|ab jetzt|ab sofort|künftig|in zukunft|generell|jedes mal"
                r"|nie wieder|nicht mehr|auf keinen fall)\b",
                r"(?:ab jetzt|ab sofort|künftig|in zukunft|zukünftig|von jetzt an"
                r"|von nun an|ab heute)\b",
                r".*\b(?:ab jetzt|ab sofort|künftig|in zukunft|zukünftig|von jetzt an"
                r"|von nun an) .*",
                rf"(?:wenn|sobald|immer wenn|jedes mal,? wenn) du [^,]+, .*\b{_IMPERATIVE}\b",
                rf"(?:bitte )?{_IMPERATIVE}\b[^,]*, wenn du\b",
                r"(?:bitte )?keine? [\wäöüß -]{2,30} in (?:den |allen |deinen "
                r"|meinen )?(?:texten|mails?|e-mails|nachrichten|antworten|code|dokumenten"
                r"|beiträgen|artikeln|rezepten)\b",
                r"(?:bitte )?hör (?:bitte )?auf,? |(?:bitte )?(?:niemals|nie|immer) \w+(?:en"
                r"|ern|eln)\b",
                r"(?:bitte )?(?:nenn|nenne|nennt|duze|sieze) mich\b",
                r"(?:bitte )?(?:verzichte|verzichten sie) (?:auf|bitte auf) .*\b(?:antworten"
                r"|texten|mails"
                r"|erklärungen|immer|grundsätzlich|generell)\b",
                r"du sollst (?:immer|nie|niemals)\b|ich möchte, dass du (?:immer|nie"
                r"|niemals)\b",
                r"(?:bitte )?halte? (?:deine|die|alle) (?:antworten|erklärungen"
                r"|zusammenfassungen|texte) ",
            )
        ),
    ),
    (
        "decision",
        any_of(
            (
                r"(?:wir|ich)(?: haben| habe)(?: uns| mich)?\b.*\b(?:entschieden|geeinigt"
                r"|beschlossen|vereinbart|ausgemacht|festgelegt|abgesprochen|verständigt"
                r"|gewählt|abgemacht)\b",
                r".*\b(?:haben wir|habe ich)(?: uns| mich)?\b.*\b(?:entschieden|geeinigt"
                r"|beschlossen|vereinbart|ausgemacht|festgelegt|verständigt|gewählt)\b",
                r"(?:wir|ich) (?:bleiben|bleibe|gehen|setzen|setze|wechseln|wechsle|steigen"
                r"|steige) (?:jetzt |nun |künftig )?(?:bei|mit|auf|zu|um)\b",
                r"(?:die |unsere )?(?:endgültige )?entscheidung(?: ist| lautet|:)|es (?:ist"
                r"|wurde) (?:beschlossen|entschieden|vereinbart)|(?:die|unsere) (?:regel"
                r"|konvention|abmachung)(?: ist| lautet|:)",
            )
        ),
    ),
    (
        "todo",
        any_of(
            (
                r"(?:bitte )?erinner(?:e)? mich\b|erinnern sie mich|todo\b",
                r"(?:ich|wir) (?:muss|müssen|sollte|sollten|soll|sollen|will"
                rf"|wollen) .*\b{_DAY}",
                rf"(?:am )?{_DAY}\b.*\b(?:kommt|muss ich|müssen wir)\b.*|.*\b(?:muss ich"
                r"|müssen wir|sollte ich|sollten wir)\b.*|.*\b(?:fällig|abgabe|abgabetermin"
                rf"|frist|termin)\b.*{_DAY}",
            )
        ),
    ),
    (
        "event",
        any_of(
            (
                r"(?:heute|gestern|heute (?:morgen|früh)|gestern abend|soeben|vorhin"
                r"|am \w+tag) (?:habe ich|haben wir|bin ich|sind wir) .*(?:t|en)\b",
                r"(?:ich habe|wir haben|ich bin|wir sind) (?:heute|gestern|soeben|vorhin"
                r"|gerade) .*(?:veröffentlicht|ausgeliefert|abgeschlossen|abgegeben|fertig"
                r"|bestanden|unterschrieben|gekauft|getroffen|gemerged|released)",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                rf"meine? (?:\w+ )?{_OWN}\b(?: \w+){{0,3}}? (?:ist|sind|lautet|heißt|hat"
                r"|läuft|war)\b",
                r"(?:mein|meine|unser|unsere|meinem|meiner) (?:(?:älter\w+|jünger\w+"
                r"|groß\w+|klein\w+|beste\w*|ex|neu\w+|zwei"
                rf"|drei) )*{_RELATIVE}(?: \w+){{0,2}} ?(?:ist|sind|heißt|heißen|lebt|leben"
                r"|wohnt|wohnen|arbeitet|hat|haben"
                r"|spricht|mag|liebt|hasst|studiert|spielt|kann|braucht|sitzt|kommt|wird"
                r"|war)\b(?! (?:krank|gerade|heute|dran))",
                r"(?:ich heiße|ich bin (?:der|die) (?=(?-i:[A-Z]))|mein name ist"
                r"|man nennt mich|alle nennen mich)",
                r"(?:ich bin|bin ich) (?:(?:auch|noch|strikt\w*|eigentlich|von beruf"
                r"|seit \w+|gelernte[r]?|ausgebildete[r]?|selbständige[r]?"
                r"|selbstständige[r]?|leidenschaftliche[r]?|eine?|ehrenamtlich) )*(?!Fan\b"
                r"|Idiot|Roboter|Pirat|Mensch\b|Ihnen\b|Ihr|Dir\b"
                r"|Okay\b)(?-i:[A-ZÄÖÜ])[\wäöüß-]{3,}(?:$|[,. ])",
                r"(?:ich bin|bin ich) (?:\w+ )?(?:gegen .{2,40} allergisch|allergisch"
                r"|vegetarisch|vegan|laktoseintolerant|schwanger|verheiratet|ledig"
                r"|geschieden|verwitwet|farbenblind|blind|taub|gehörlos|schwerhörig"
                r"|linkshänder\w*|\d{1,3} jahre"
                r"|in rente|selbst(?:st)?ändig|arbeitslos|zweisprachig|in .{2,30} (?:geboren"
                r"|aufgewachsen)|aus (?=(?-i:[A-Z])))",
                r"(?:ich|wir)\b(?: \w+)? ?(?:wohne|wohnen|lebe|leben)\b(?: \w+){0,2} (?:in"
                r"|bei|an|am|auf|mit|im|zu)\b|.*\b(?:wohne|lebe) ich\b|.*\b(?:wohnen"
                r"|leben) wir\b|(?:wohne|lebe) (?:in|bei|im)\b",
                r"(?:ich bin|wir sind)\b.*\b(?:nach|in) .{2,40} (?:gezogen|umgezogen"
                r"|ausgewandert)\b",
                r"(?:ich )?(?:arbeite|unterrichte|studiere|lehre|leite|betreibe"
                r"|promoviere)\b(?! (?:gerade|heute|daran|noch))",
                r"(?:ich|wir) (?:habe|haben) (?:eine?n?|zwei|drei|vier|fünf|\d+"
                rf"|keine?n?) (?:\w+ )?(?:{_RELATIVE}|\w*allergie|\w*unverträglichkeit"
                r"|garten|diabetes|asthma)",
                r"(?:ich) (?:vertrage|esse|trinke|rauche|kann) (?:(?:keine?n?|nicht|weder"
                r"|nie|nur)\b|.* nicht (?:vertragen|essen|trinken))",
                rf"ich (?!bekomme|kriege|sehe|erhalte|muss|habe)\w+ (?:\w+ )?{_OFTEN}\b",
                r"ich (?:spiele|spreche|sammle|sammele|züchte|singe|tanze|male|fahre"
                r"|trainiere|koche|backe|lerne|höre|lese|laufe|reite|gärtnere"
                r"|helfe)\b(?! (?:gerade|heute|mal|dir|das|die datei|auf|ab))",
                r"(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags"
                r"|morgens|abends|am wochenende|jeden \w+|täglich|im flugzeug|im zug"
                r"|beim \w+) (?!.*\bdu\b)\w+e ich\b",
                r"ich \w+e (?:\w+ )?(?:montags|dienstags|mittwochs|donnerstags|freitags"
                r"|samstags|sonntags|morgens|abends|jeden \w+|täglich|am wochenende"
                r"|regelmäßig|seit \w+)\b",
            )
        ),
    ),
    (
        "preference",
        any_of(
            (
                r"ich (?:bevorzuge|mag|liebe|hasse|verabscheue|genieße"
                r"|schätze) (?:(?:wirklich|sehr|am liebsten|lieber|eher|besonders"
                rf"|generell) )*{_VAGUE}",
                rf"ich (?:\w+e|habe|hätte) (?:am liebsten|lieber|gern|gerne|ungern) {_VAGUE}",
                r".* (?:ist|sind) mir (?:\w+ )?lieber\b|.* (?:ist|sind) (?:mein"
                r"|meine) (?:absolut\w+ )?(?:liebling\w*|lieblings\w+)|mein(?:e)? lieblings\w+",
                rf"(?:mir|uns) (?:gefallen|gefällt|schmeckt|schmecken|liegt|liegen) {_VAGUE}",
                r"ich (?:bin (?:ein (?:großer |riesen)?)?fan von|interessiere mich für"
                r"|kann .{2,40} nicht (?:leiden|ausstehen)|stehe auf|halte nichts von"
                r"|begeistere mich für)",
                r"am liebsten (?:\w+e|habe|mag) ich\b",
            )
        ),
    ),
    (
        "reference",
        any_of(
            (
                r"(?:(?:die|der|das|unsere?|alle) )?[\w' -]{0,40}(?:dokumentation|doku|docs"
                r"|anleitung|handbuch|wiki|runbook|dashboard|spezifikation|repository|repo"
                r"|board|tabelle|ordner|kanal|protokolle?|vorlagen?|backups?|logs?"
                r"|unterlagen|entwürfe|dateien|folien) "
                r"(?:liegt|liegen|steht|stehen|ist|sind|findet sich|finden sich|wird"
                r"|werden) (?:im|in|auf|unter|bei|hier)\b",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?:das|der|die|unser|unsere|mein"
                r"|meine) (?:[\wäöüß'-]+ ){0,3}?(?:\w+-)?(?:\w*projekt|produkt|app|firma"
                r"|team|repo|repository|stack|backend|frontend|datenbank|codebasis|api"
                r"|codename|frist|budget|release|sprint|büro|staging|produktion|\w*server"
                r"|cluster"
                r"|webseite|website|dienst|service|kunde|bibliothek|pipeline|standup|retro"
                r"|plattform|pull requests?|merge requests?|prs?|tests?|branch|meeting"
                r"|konvention|styleguide)(?: (?:des|der|von|für|im|vom) [\w -]+?)? (?:ist"
                r"|sind|heißt|heißen|lautet|nutzt|nutzen|verwendet|läuft|laufen|liegt|hat"
                r"|haben|braucht|brauchen|muss|müssen|benötigt|benötigen|unterstützt|besteht"
                r"|findet|beträgt|basiert)\b",
                r"wir (?:alle |nur |immer |nie |derzeit )?(?:nutzen|verwenden|benutzen"
                r"|setzen|deployen|hosten|speichern|entwickeln|bauen|schreiben|arbeiten mit"
                r"|arbeiten in|testen|betreiben|pflegen|unterstützen|verkaufen|folgen"
                rf"|treffen uns|haben (?:ein|zwei|drei|\d+|kein)) ?{_VAGUE}",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                rf"ich {_NOT_A_HABIT}\w+e (?!dir|dich|dein|mal|gerade|es\b|das\b|die\b|den\b"
                rf"|dass\b|ob\b|nur\b|hier|bitte){_OF_THE_MOMENT}\w+",
                rf"[\w-]{{3,}}(?: [\w-]+){{0,2}} {_NOT_A_HABIT}\w+e ich (?:immer|nie|niemals"
                r"|nicht|kein\w*|gern\w*|überhaupt nicht|gar nicht|jeden|oft|nur"
                rf"|lieber){_OF_THE_MOMENT}\b",
                r"(?:am wochenende|montags|abends|morgens|zu hause|beruflich|privat"
                rf"|im urlaub|im büro) {_NOT_A_HABIT}\w+e ich\b",
                r"ich habe (?:(?:eine?n?|seit \w+|auch|zwei"
                r"|drei) )?(?-i:[A-ZÄÖÜ])[\wäöüß-]+ ?(?:\d+|in |an |mit |und |seit |$"
                rf"|[,.])(?!.*\b(?:ge\w+t|ge\w+en|\w+iert)$){_OF_THE_MOMENT}",
                r"(?:ich|wir) (?!brauche|bekomme|kriege|sehe)\w+ (?:jetzt|nun|inzwischen"
                rf"|mittlerweile|seit \w+)\b.*(?<!\bt){_OF_THE_MOMENT}|(?:ich"
                r"|wir) .*\bund (?!habe|bin)\w+ (?:jetzt|nun|inzwischen) ",
                r"meine? (?!code|skript|frage|problem|fehler|build|test|seite|bildschirm"
                r"|funktion|abfrage|idee|plan|nächst|letzt|erst|nachricht|vorherig|ausgabe"
                r"|eingabe"
                r"|datei|aufsatz|text|entwurf|absatz|meinung|tag|rechner hängt|verständnis"
                r"|ziel ist es)[\wäöüß-]+(?: [\wäöüß-]+){0,3}? (?:ist|sind|hat|haben|lebt"
                r"|beginnt|endet|läuft|kommt|geht|braucht|arbeitet|spricht|heißt|mag|dauert"
                r"|bedeutet|wird|kostet)\b(?! (?:kaputt|weg|leer))",
                r"(?!das|es|dies)[\w' -]{3,40} (?:ist|sind|tut|tun|schmeckt|schmecken|passt"
                r"|passen|fällt|fallen|hilft|bekommt|liegt|macht|machen|geht|klappt) (?:mir"
                r"|für mich|uns)\b(?! jetzt)",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?!das\b|dies|es\b|dann\b|jetzt\b|hier\b|so\b)[\wäöüß' -]{3,40} (?:schreiben"
                r"|testen|deployen"
                r"|speichern|verwalten|führen|dokumentieren|nutzen|verwenden|machen) wir (?!das\b"
                r"|es\b|dies"
                r"|jetzt\b|mal\b|noch\b)",
                r"(?:all |alle |jede[rs]? )?(?:unser|unsere|unseren)\b [\wäöüß' -]{3,50}(?: "
                r"|^)(?:ist|sind|hat|haben|nutzt|nutzen|läuft|laufen|liegt|liegen|steht"
                r"|stehen|braucht|brauchen|beginnt|beginnen|endet"
                r"|erscheint|erscheinen|kommt|kommen|geht|gehen|wird|werden|findet|kostet"
                r"|öffnet|schließt|trifft|spricht|arbeitet|besteht)\b(?!.*\b(?:es|das|dies)\b)",
                r"(?:der|die|das|jede[rs]?) (?:\w+ ){0,2}?\w*(?:tarif|lizenz|konto|abo"
                r"|vertrag|limit|preis|gebühr|garantie|büro|laden|lager|schule|praxis|labor"
                r"|newsletter|bericht|rechnung|backup)(?:s|en|e)? (?:ist|sind|hat|kostet"
                r"|enthält|erlaubt|schließt|öffnet|läuft|endet|beginnt|geht)\b",
                r"(?:kunden|nutzer|benutzer|rechnungen|bestellungen|zahlungen|backups"
                r"|release notes|releases|tickets|mitglieder|patienten|schüler) (?:sind"
                r"|müssen|dürfen|können|bekommen|zahlen|haben|gehen|kommen|brauchen|werden)\b",
            )
        ),
    ),
)
