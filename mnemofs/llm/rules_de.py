"""German for the rules engine."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import Grammar, any_of

_RELATIVE = (
    r"(?:frau|mann|partner(?:in)?|freund(?:in)?|verlobte[r]?|mutter|mama|vater|papa|eltern|schwester|bruder|geschwister|sohn"
    r"|söhne|tochter|töchter|kind|kinder|baby|zwillinge|oma|opa|großmutter|großvater|großeltern|tante|onkel|cousin(?:e)?"
    r"|nichte|neffe|schwieger\w+|hund|katze|kater|haustier|pferd|mitbewohner(?:in)?|nachbar(?:in)?|chef(?:in)?|kolleg(?:e|in|en)"
    r"|arzt|ärztin|vermieter(?:in)?)"
)
_OWN = (
    r"(?:name|vorname|nachname|spitzname|geburtstag|geburtsdatum|zeitzone|e-?mail(?:-adresse)?|adresse|telefonnummer|handynummer"
    r"|arbeitgeber|firma|team|beruf|job|stelle|rolle|heimatstadt|muttersprache|pronomen|größe|gewicht|schuhgröße|blutgruppe|ernährung"
    r"|religion|editor|laptop|rechner|computer|handy|auto|fahrrad|tastatur|betriebssystem|browser|benutzername|büro|wohnung|haus"
    r"|schule|hochschule|hobby|hobbys|fachgebiet|ziel|allergie|allergien)"
)
_VAGUE = (
    r"(?!(?:es|das|dies|diese[rsmn]?|jene\w*|ihn|sie|er|dich|dein\w*|ihr\w*|die (?:erste|zweite|dritte|letzte|neue|alte|andere|idee"
    r"|antwort|version)|den (?:ersten|zweiten|dritten|letzten|vorschlag)|das (?:erste|zweite|dritte|ergebnis)|beide\w*|wissen|fragen|wie|dass|wenn|was|deren|dessen)\b)"
)
_OFTEN = r"(?:immer|nie|niemals|meist|meistens|normalerweise|gewöhnlich|grundsätzlich|generell|oft|selten|nur|stets|lieber|am liebsten)"
_IMPERATIVE = (
    r"(?:verwende|benutze?|nutze?|schreib|schreibe|antworte?|sprich|rede|nenn|nenne|gib|zeig|zeige|erklär|erkläre|frag|frage|prüf|prüfe"
    r"|mach|mache|halte?|lass|füg|füge|setz|setze|beginn|beginne|formuliere|formatiere|duze?|sieze?|vermeide|verzichte|bleib|bleibe"
    r"|nimm|rechne|runde|buche?|empfiehl|erwähn|erwähne|übersetze?|zitier|zitiere|teste?|committe|pushe?|entschuldige|stell|stelle|leg|lege"
    r"|verwenden|benutzen|nutzen|schreiben|antworten|sprechen|nennen|geben|zeigen|erklären|fragen|vermeiden|verzichten)"
)
_DAY = (
    r"(?:heute|morgen|übermorgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|nächste[nrs]? \w+|ende (?:der|des) \w+"
    r"|wochenende|monatsende|feierabend|mittag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|\d{1,2}\.|\d{4}-\d\d-\d\d|\d{1,2} uhr|um \w+ uhr)"
)

_MOMENTARY = (
    r"denke|denken|glaube|glauben|meine|weiß|wissen|sehe|sehen|finde|hoffe|brauche|brauchen|möchte|möchten|will|wollen|kann|können|muss|müssen|soll|sollen|bekomme|bekommen|kriege|erhalte|versuche|frage"
    r"|verstehe|suche|öffne|klicke|starte|rufe|schaue|gucke|probiere|melde|schicke|sende|poste|füge|ändere|lösche|danke|stimme|merke|fürchte|wünsche|warte|sage|sag|führe|gebe|setze|stelle|tippe|drücke|lade"
    r"|installiere|kopiere|überlege|vermute|nehme|gehe|erinnere|vergesse|darf|dürfen|hatte|hatten|war|waren|wurde|bin (?:mir|froh|dabei|gespannt|sicher|fertig|okay)|fühle|komme|freue"
)
# What someone does or wants right now, not what holds.
_NOT_A_HABIT = (
    r"(?!(?:denke|glaube|meine|weiß|sehe|finde|hoffe|brauche|möchte|will|kann|muss|soll|sollte|würde|hätte|könnte|wäre|bekomme|kriege|erhalte|versuche"
    r"|frage|verstehe|suche|öffne|klicke|starte|rufe|schaue|gucke|probiere|melde|schicke|sende|poste|füge|ändere|lösche|danke|stimme|merke|fürchte|wünsche"
    r"|warte|sage|sag|führe|gebe|setze|stelle|tippe|drücke|lade|installiere|kopiere|schreibe gerade|überlege|vermute|nehme an|gehe davon|erinnere|vergesse|habe|bin|war|wurde|werde|darf)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:fragen?|probleme?|fehler|funktion(?:en)?|listen?|dateien?|skripte?|tabellen?|klassen?|methoden?|schleifen?|spalten?|zeilen?|variablen?|csv"
    r"|json|seiten?|formulare?|bild(?:er)?|absätze?|idee|zweifel|kopfschmerzen|fieber|minute|moment|entwurf|knopf|ausgabe|eingabe|warnung(?:en)?|beispiele?"
    r"|gefühl|zeit|lust|hunger|durst|glück|pech|recht|termin|test|tests|dies\w*|das|es|jene\w*)\b)"
)

GRAMMAR = Grammar(
    language="de",
    remember=any_of(
        (
            r"^(?:(?:bitte|und|also|ok|okay|noch was|ach|so|kannst du|könntest du|können sie|du sollst|ich möchte, dass du)[, ]+)*"
            r"(?:merke? dir|merken sie sich|merk's dir|behalte?(?: dir)?(?: (?:bitte|im kopf|im hinterkopf|in erinnerung|im gedächtnis))+|behalten sie(?: bitte)? (?:im kopf|in erinnerung)"
            r"|denke?(?: bitte)? (?:immer )?(?:daran|dran)|denken sie(?: bitte)? daran|vergiss(?: bitte)?(?: nie| nicht| niemals)|vergessen sie(?: bitte)? nicht"
            r"|notiere?(?: dir)?|notieren sie(?: sich)?|schreib(?:e)? dir (?:bitte )?auf|speicher(?:e)?(?: dir)?(?: das)?|beachte?|beachten sie|nimm zur kenntnis"
            r"|dir merken|im gedächtnis behalten)(?: bitte| unbedingt| mal| noch| auch| für später| das| folgendes| dies)*(?: im gedächtnis| in deinem speicher)?"
            r"(?:\s*[:–—-]+\s*(?:dass\s+)?|\s*,\s*dass\s+|\s*,\s*(?=[^.]*\b(?:ich|mein\w*|wir|unser\w*)\b)|\s+dass\s+|\s+(?=(?:mein|meine|ich|wir|unser|unsere)\b)|[.!]*$)(?P<what>.*)",
            r"^bitte (?:merken|notieren|speichern|nicht vergessen|beachten|vormerken)\s*[,:]+\s*(?:dass\s+)?(?P<what2>.+)",
            r"^(?:eine |kleine |kurze |kleiner |kurzer )*(?:notiz|erinnerung|anmerkung|merke|hinweis|info)(?: an (?:dich|mich))?(?: für (?:später|dich|das nächste mal|die zukunft))?\s*:\s*(?P<what3>.+)",
            r"^(?:für (?:später|die zukunft|das nächste mal)|zur info(?:rmation)?|zur kenntnis)[,:]?\s+(?P<what4>.+)",
            r"^(?P<what5>.+?)[,;–—-]+\s*(?:bitte )?(?:merk dir das|merken|nicht vergessen|merk dir das bitte)[.!]*$",
        )
    ),
    keep_out=any_of(
        (
            r"(?:merke?|notiere?|speichere?|behalte?|merken|speichern|notieren)\b(?: sie)?(?: dir| sich)?(?: das| dies| es| davon)?(?: bitte| jetzt| auf keinen fall| lieber)* (?:nicht|nichts|niemals)\b"
            r"|nicht (?:merken|speichern|notieren|aufschreiben|behalten)\b|unter uns gesagt|vergiss (?:das|es|was ich)\b|vertraulich gesagt",
            r"\b(?:nur spaß|war nur (?:ein )?(?:spaß|witz)|tu so als|stell dir vor|spiel (?:einen|eine|die rolle)|in (?:der|meiner) geschichte|im (?:roman|spiel|film|traum))\b",
        )
    ),
    filler=any_of(
        (
            r"(?:hallo|hi|hey|moin|servus|ok(?:ay)?|ach(?: so)?|und|aber|also|übrigens|nebenbei|außerdem|eigentlich|bitte|tatsächlich|hm+)(?:[,.:;!–—-]+\s*|\s+)",
            r"(?:guten (?:morgen|tag|abend)|danke(?: schön| dir)?|gut|super|ja|nein|doch|so|denn|ehrlich gesagt|genau gesagt|zur info|noch (?:was|eins|etwas)|korrektur|nachtrag"
            r"|moment|sorry|entschuldigung|planänderung|das klappt|wie gesagt|kurz(?: zu mir)?|zu mir|wichtig|kurze info)[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:ich glaube|ich denke|weil|da|deshalb|denn)\s*,?\s+",
            r"(?:nach|seit|in|an|vor|während) (?:(?!ich\b|wir\b)[\wäöüß'-]+ ){1,6}?(?=(?:leben|wohnen|haben|sind|nutzen) wir\b|(?:lebe|wohne|habe|bin|nutze) ich\b)",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:und|aber|also|denn|weil|deshalb|sodass)\s+(?=(?:ich|wir|mein|meine|unser|unsere|bitte|wohne|arbeite|unterrichte|lebe|studiere|antworte|verwende|nutze|heiße|bin)\b)",
            r",\s+(?:also\s+)?(?=(?:ich|wir|mein|meine|unser|unsere|bitte|gib|verwende|antworte|nutze|schreib|nur)\b)",
        )
    ),
    kinds=(
        (
            "instruction",
            any_of(
                (
                    rf"(?:bitte )?{_IMPERATIVE}(?: sie)?\b.*\b(?:immer|nie|niemals|stets|grundsätzlich|ab jetzt|ab sofort|künftig|in zukunft|generell|jedes mal|nie wieder|nicht mehr|auf keinen fall)\b",
                    rf"(?:ab jetzt|ab sofort|künftig|in zukunft|zukünftig|von jetzt an|von nun an|ab heute)\b",
                    rf".*\b(?:ab jetzt|ab sofort|künftig|in zukunft|zukünftig|von jetzt an|von nun an) .*",
                    rf"(?:wenn|sobald|immer wenn|jedes mal,? wenn) du [^,]+, .*\b{_IMPERATIVE}\b",
                    rf"(?:bitte )?{_IMPERATIVE}\b[^,]*, wenn du\b",
                    r"(?:bitte )?keine? [\wäöüß -]{2,30} in (?:den |allen |deinen |meinen )?(?:texten|mails?|e-mails|nachrichten|antworten|code|dokumenten|beiträgen|artikeln|rezepten)\b",
                    r"(?:bitte )?hör (?:bitte )?auf,? |(?:bitte )?(?:niemals|nie|immer) \w+(?:en|ern|eln)\b",
                    r"(?:bitte )?(?:nenn|nenne|nennt) mich\b",
                    r"du sollst (?:immer|nie|niemals)\b|ich möchte, dass du (?:immer|nie|niemals)\b",
                    r"(?:bitte )?halte? (?:deine|die|alle) (?:antworten|erklärungen|zusammenfassungen|texte) ",
                )
            ),
        ),
        (
            "decision",
            any_of(
                (
                    r"(?:wir|ich)(?: haben| habe)(?: uns| mich)?\b.*\b(?:entschieden|geeinigt|beschlossen|vereinbart|ausgemacht|festgelegt|abgesprochen|verständigt|gewählt|abgemacht)\b",
                    r".*\b(?:haben wir|habe ich)(?: uns| mich)?\b.*\b(?:entschieden|geeinigt|beschlossen|vereinbart|ausgemacht|festgelegt|verständigt|gewählt)\b",
                    r"(?:wir|ich) (?:bleiben|bleibe|gehen|setzen|setze|wechseln|wechsle|steigen|steige) (?:jetzt |nun |künftig )?(?:bei|mit|auf|zu|um)\b",
                    r"(?:die |unsere )?(?:endgültige )?entscheidung(?: ist| lautet|:)|es (?:ist|wurde) (?:beschlossen|entschieden|vereinbart)|(?:die|unsere) (?:regel|konvention|abmachung)(?: ist| lautet|:)",
                )
            ),
        ),
        (
            "todo",
            any_of(
                (
                    r"(?:bitte )?erinner(?:e)? mich\b|erinnern sie mich|todo\b",
                    rf"(?:ich|wir) (?:muss|müssen|sollte|sollten|soll|sollen|will|wollen) .*\b{_DAY}",
                    rf"(?:am )?{_DAY}\b.*\b(?:kommt|muss ich|müssen wir)\b.*|.*\b(?:muss ich|müssen wir|sollte ich|sollten wir)\b.*|.*\b(?:fällig|abgabe|abgabetermin|frist|termin)\b.*{_DAY}",
                )
            ),
        ),
        (
            "event",
            any_of(
                (
                    r"(?:heute|gestern|heute (?:morgen|früh)|gestern abend|soeben|vorhin|am \w+tag) (?:habe ich|haben wir|bin ich|sind wir) .*(?:t|en)\b",
                    r"(?:ich habe|wir haben|ich bin|wir sind) (?:heute|gestern|soeben|vorhin|gerade) .*(?:veröffentlicht|ausgeliefert|abgeschlossen|abgegeben|fertig|bestanden|unterschrieben|gekauft|getroffen|gemerged|released)",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    rf"meine? (?:\w+ )?{_OWN}\b(?: \w+){{0,3}}? (?:ist|sind|lautet|heißt|hat|läuft|war)\b",
                    rf"(?:mein|meine|unser|unsere|meinem|meiner) (?:(?:älter\w+|jünger\w+|groß\w+|klein\w+|beste\w*|ex|neu\w+|zwei|drei) )*{_RELATIVE}(?: \w+){{0,2}} ?(?:ist|sind|heißt|heißen|lebt|leben|wohnt|wohnen|arbeitet|hat|haben"
                    r"|spricht|mag|liebt|hasst|studiert|spielt|kann|braucht|sitzt|kommt|wird|war)\b(?! (?:krank|gerade|heute|dran))",
                    r"(?:ich heiße|ich bin (?:der|die) (?=(?-i:[A-Z]))|mein name ist|man nennt mich|alle nennen mich)",
                    r"(?:ich bin|bin ich) (?:(?:auch|noch|strikt\w*|eigentlich|von beruf|seit \w+|gelernte[r]?|ausgebildete[r]?|selbständige[r]?|selbstständige[r]?|leidenschaftliche[r]?|eine?|ehrenamtlich) )*(?!Fan\b|Idiot|Roboter|Pirat|Mensch\b|Ihnen\b|Ihr|Dir\b|Okay\b)(?-i:[A-ZÄÖÜ])[\wäöüß-]{3,}(?:$|[,. ])",
                    r"(?:ich bin|bin ich) (?:\w+ )?(?:gegen .{2,40} allergisch|allergisch|vegetarisch|vegan|laktoseintolerant|schwanger|verheiratet|ledig|geschieden|verwitwet|farbenblind|blind|taub|gehörlos|schwerhörig|linkshänder\w*|\d{1,3} jahre"
                    r"|in rente|selbst(?:st)?ändig|arbeitslos|zweisprachig|in .{2,30} (?:geboren|aufgewachsen)|aus (?=(?-i:[A-Z])))",
                    r"(?:ich|wir)\b(?: \w+)? ?(?:wohne|wohnen|lebe|leben)\b(?: \w+){0,2} (?:in|bei|an|am|auf|mit|im|zu)\b|.*\b(?:wohne|lebe) ich\b|.*\b(?:wohnen|leben) wir\b|(?:wohne|lebe) (?:in|bei|im)\b",
                    r"(?:ich bin|wir sind)\b.*\b(?:nach|in) .{2,40} (?:gezogen|umgezogen|ausgewandert)\b",
                    r"(?:ich )?(?:arbeite|unterrichte|studiere|lehre|leite|betreibe|promoviere)\b(?! (?:gerade|heute|daran|noch))",
                    rf"(?:ich|wir) (?:habe|haben) (?:eine?n?|zwei|drei|vier|fünf|\d+|keine?n?) (?:\w+ )?(?:{_RELATIVE}|\w*allergie|\w*unverträglichkeit|garten|diabetes|asthma)",
                    r"(?:ich) (?:vertrage|esse|trinke|rauche|kann) (?:(?:keine?n?|nicht|weder|nie|nur)\b|.* nicht (?:vertragen|essen|trinken))",
                    rf"ich (?!bekomme|kriege|sehe|erhalte|muss|habe)\w+ (?:\w+ )?{_OFTEN}\b",
                    r"ich (?:spiele|spreche|sammle|sammele|züchte|singe|tanze|male|fahre|trainiere|koche|backe|lerne|höre|lese|laufe|reite|gärtnere|helfe)\b(?! (?:gerade|heute|mal|dir|das|die datei|auf|ab))",
                    r"(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|morgens|abends|am wochenende|jeden \w+|täglich|im flugzeug|im zug|beim \w+) (?!.*\bdu\b)\w+e ich\b",
                    r"ich \w+e (?:\w+ )?(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|morgens|abends|jeden \w+|täglich|am wochenende|regelmäßig|seit \w+)\b",
                )
            ),
        ),
        (
            "preference",
            any_of(
                (
                    rf"ich (?:bevorzuge|mag|liebe|hasse|verabscheue|genieße|schätze) (?:(?:wirklich|sehr|am liebsten|lieber|eher|besonders|generell) )*{_VAGUE}",
                    rf"ich (?:\w+e|habe|hätte) (?:am liebsten|lieber|gern|gerne|ungern) {_VAGUE}",
                    r".* (?:ist|sind) mir (?:\w+ )?lieber\b|.* (?:ist|sind) (?:mein|meine) (?:absolut\w+ )?(?:liebling\w*|lieblings\w+)|mein(?:e)? lieblings\w+",
                    rf"(?:mir|uns) (?:gefallen|gefällt|schmeckt|schmecken|liegt|liegen) {_VAGUE}",
                    r"ich (?:bin (?:ein (?:großer |riesen)?)?fan von|interessiere mich für|kann .{2,40} nicht (?:leiden|ausstehen)|stehe auf|halte nichts von|begeistere mich für)",
                    r"am liebsten (?:\w+e|habe|mag) ich\b",
                )
            ),
        ),
        (
            "reference",
            any_of(
                (
                    r"(?:(?:die|der|das|unsere?|alle) )?[\w' -]{0,40}(?:dokumentation|doku|docs|anleitung|handbuch|wiki|runbook|dashboard|spezifikation|repository|repo|board|tabelle|ordner|kanal|protokolle?|vorlagen?|backups?|logs?|unterlagen|entwürfe|dateien|folien) "
                    r"(?:liegt|liegen|steht|stehen|ist|sind|findet sich|finden sich|wird|werden) (?:im|in|auf|unter|bei|hier)\b",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?:das|der|die|unser|unsere|mein|meine) (?:[\wäöüß'-]+ ){0,3}?(?:\w+-)?(?:\w*projekt|produkt|app|firma|team|repo|repository|stack|backend|frontend|datenbank|codebasis|api|codename|frist|budget|release|sprint|büro|staging|produktion|\w*server|cluster"
                    r"|webseite|website|dienst|service|kunde|bibliothek|pipeline|standup|retro|plattform|pull requests?|merge requests?|prs?|tests?|branch|meeting|konvention|styleguide)(?: (?:des|der|von|für|im|vom) [\w -]+?)? (?:ist|sind|heißt|heißen|lautet|nutzt|nutzen|verwendet|läuft|laufen|liegt|hat|haben|braucht|brauchen|muss|müssen|benötigt|benötigen|unterstützt|besteht|findet|beträgt|basiert)\b",
                    rf"wir (?:alle |nur |immer |nie |derzeit )?(?:nutzen|verwenden|benutzen|setzen|deployen|hosten|speichern|entwickeln|bauen|schreiben|arbeiten mit|arbeiten in|testen|betreiben|pflegen|unterstützen|verkaufen|folgen|treffen uns|haben (?:ein|zwei|drei|\d+|kein)) ?{_VAGUE}",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    rf"ich {_NOT_A_HABIT}\w+e (?!dir|dich|dein|mal|gerade|es\b|das\b|die\b|den\b|dass\b|ob\b|nur\b|hier|bitte){_OF_THE_MOMENT}\w+",
                    rf"[\w-]{{3,}}(?: [\w-]+){{0,2}} {_NOT_A_HABIT}\w+e ich (?:immer|nie|niemals|nicht|kein\w*|gern\w*|überhaupt nicht|gar nicht|jeden|oft|nur|lieber){_OF_THE_MOMENT}\b",
                    rf"(?:am wochenende|montags|abends|morgens|zu hause|beruflich|privat|im urlaub|im büro) {_NOT_A_HABIT}\w+e ich\b",
                    rf"ich habe (?:(?:eine?n?|seit \w+|auch|zwei|drei) )?(?-i:[A-ZÄÖÜ])[\wäöüß-]+ ?(?:\d+|in |an |mit |und |seit |$|[,.])(?!.*\b(?:ge\w+t|ge\w+en|\w+iert)$){_OF_THE_MOMENT}",
                    rf"(?:ich|wir) (?!brauche|bekomme|kriege|sehe)\w+ (?:jetzt|nun|inzwischen|mittlerweile|seit \w+)\b.*(?<!\bt){_OF_THE_MOMENT}|(?:ich|wir) .*\bund (?!habe|bin)\w+ (?:jetzt|nun|inzwischen) ",
                    r"meine? (?!code|skript|frage|problem|fehler|build|test|seite|bildschirm|funktion|abfrage|idee|plan|nächst|letzt|erst|nachricht|vorherig|ausgabe|eingabe"
                    rf"|datei|aufsatz|text|entwurf|absatz|meinung|tag|rechner hängt|verständnis|ziel ist es)[\wäöüß-]+(?: [\wäöüß-]+){{0,3}}? (?:ist|sind|hat|haben|lebt|beginnt|endet|läuft|kommt|geht|braucht|arbeitet|spricht|heißt|mag|dauert|bedeutet|wird|kostet)\b(?! (?:kaputt|weg|leer))",
                    r"(?!das|es|dies)[\w' -]{3,40} (?:ist|sind|tut|tun|schmeckt|schmecken|passt|passen|fällt|fallen|hilft|bekommt|liegt|macht|machen|geht|klappt) (?:mir|für mich|uns)\b(?! jetzt)",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?:all |alle |jede[rs]? )?(?:unser|unsere|unseren)\b [\wäöüß' -]{3,50}(?: |^)(?:ist|sind|hat|haben|nutzt|nutzen|läuft|laufen|liegt|liegen|steht|stehen|braucht|brauchen|beginnt|beginnen|endet"
                    r"|erscheint|erscheinen|kommt|kommen|geht|gehen|wird|werden|findet|kostet|öffnet|schließt|trifft|spricht|arbeitet|besteht)\b(?!.*\b(?:es|das|dies)\b)",
                    r"(?:der|die|das|jede[rs]?) (?:\w+ ){0,2}?\w*(?:tarif|lizenz|konto|abo|vertrag|limit|preis|gebühr|garantie|büro|laden|lager|schule|praxis|labor|newsletter|bericht|rechnung|backup)(?:s|en|e)? (?:ist|sind|hat|kostet|enthält|erlaubt|schließt|öffnet|läuft|endet|beginnt|geht)\b",
                    r"(?:kunden|nutzer|benutzer|rechnungen|bestellungen|zahlungen|backups|release notes|releases|tickets|mitglieder|patienten|schüler) (?:sind|müssen|dürfen|können|bekommen|zahlen|haben|gehen|kommen|brauchen|werden)\b",
                )
            ),
        ),
    ),
    corrections=any_of(
        (
            r"^(?!es\b|das ist|dies)[^,]{3,80}\b(?:ist|sind|heißt|hat|nutzt|findet|liegt|läuft|beginnt|schreibt)\b[^,]{1,60}, (?:und )?nicht (?:mehr )?(?P<old>[^,.]+)",
            r"^(?!es\b|das\b)[^,]{3,80} nicht (?P<old1>[^,.]+?), sondern ",
            r"^(?:ich|wir)\b[^,.;]*? (?:nicht mehr|kein\w* (?P<old2a>\w+(?: \w+)?) mehr)(?: (?P<old2>[^,.;]+))?",
            r"\b(?:ich|wir)(?: bin| sind| habe| haben| wechseln| wechsle| ziehen)\b.{0,40}?\bvon (?P<old3>.+?) (?:auf|zu|nach) ",
            r"^(?:ich|wir|mein\w*|unser\w*)\b.* (?:statt|anstatt|anstelle von) (?:in |mit |bei )?(?P<old4>[^,.;]+)",
            r"\b(?:ich|wir) (?:habe|haben) (?P<old5>[^,.;]+?) aufgegeben\b|mit (?P<old6>[^,.;]+?) (?:habe ich|haben wir) aufgehört",
            r"\bfrüher .*?(?P<old7>[^,.;]+), (?:aber )?(?:jetzt|heute|nun|inzwischen)\b",
        )
    ),
    question=any_of(
        (
            r"\?",
            r"^(?:was|warum|wieso|weshalb|wie|wer|wessen|wo|wohin|woher|welche[rsnm]?|wann|kannst du|könntest du|können (?:sie|wir)|soll (?:ich|man)|sollen wir|sollte ich|ist (?:es|das|mein|der|die)|gibt es"
            r"|hast du|haben sie|bist du|weißt du|erinnerst du|darf ich|sag mir)\b",
            r"^(?:ich (?:frage mich|wüsste gern|weiß nicht|bin (?:mir )?nicht sicher))",
        )
    ),
    hypothetical=any_of(
        (
            r"\b(?:würde|würden|würdest|wäre|wären|hätte ich|hätten wir|könnte sein|angenommen|gesetzt den fall|nehmen wir an|stell dir vor|falls ich|sagen wir|zum beispiel|z\.\s?b\.|beispielsweise|vielleicht|möglicherweise|eventuell)\b",
            r"^wenn (?:ich|wir|er|sie|man)\b|\bich (?:überlege|denke darüber nach|erwäge|will kündigen)\b",
        )
    ),
    one_off=any_of(
        (
            r"\b(?:(?:nur |bloß )?(?:dieses|diesmal|für dieses|dies eine) ?mal|diesmal|für (?:diese|die nächste) (?:antwort|frage|nachricht|aufgabe)|in dieser (?:antwort|nachricht)|bei dieser (?:antwort|frage|aufgabe)|nur heute|für heute|vorerst|fürs erste|vorläufig"
            r"|im moment|momentan|zunächst|ausnahmsweise|erst ?mal|erstmal|nur jetzt|gerade)\b",
            r"\b(?:erste|zweite|dritte|letzte)[rn]? (?:version|variante|option|vorschlag|entwurf)\b|^ich (?:hätte gern|möchte|brauche) (?:eine?n?|noch)\b",
        )
    ),
    reported=any_of(
        (
            r"\b(?!ich\b|wir\b)\w+ (?:sagte?|meinte?|meint|glaubt|denkt|behauptet|schreibt|schrieb|erzählte?|findet, dass|fragte?|hat gesagt|hat erzählt)\b(?<!\bich sagte)(?<!\bich meinte)(?<!\bich schrieb)",
            r"\b(?:angeblich|laut \w+|ich habe gehört|gehört, dass|es heißt,|man sagt|anscheinend|gerüchten)\b|\bsei (?:ein|eine|er|sie|der|die)\b",
        )
    ),
    passing=any_of(
        (
            r"\b(?:fehler\w*|exception|absturz|abgestürzt|stürzt|kaputt|defekt|bugs?|fehlgeschlagen|schlägt fehl|hängt|hängen geblieben|timeout|404|500|funktioniert|funktionieren|geht nicht|lädt nicht|lädt|startet nicht|öffnet|kompiliert|reagiert|nicht erreichbar|down)\b",
            r"\b(?:heute|gerade|im moment|gestern|vorhin|heute morgen|diese woche)\b|\b(?:etwas|ein bisschen|so|sehr|ziemlich|total) (?:müde|hungrig|krank|gestresst|verwirrt|beschäftigt|traurig|genervt)\b"
            r"|\b(?:ist|sind|war|waren|bin) (?:so |echt |sehr |total |wirklich |richtig )*(?:super|toll|klasse|gut|schlecht|genial|schön|cool|nett|prima|spitze|großartig|perfekt|schwer|hart|wunderbar|dankbar|aufgeregt|okay|ok|stolz|froh|glücklich)\b",
            r"\b(?:kann|konnte) .* nicht (?:finden|öffnen|sehen|installieren|starten)\b|\bich (?:bin|war) (?:mir|nicht|fertig|dabei|froh|unsicher|verwirrt|müde)\b",
        )
    ),
    polite=any_of((r"^(?:bitte )?(?:kannst|könntest) du (?:dir )?(?:bitte )?(?:merken|notieren)|^(?:kannst|könntest) du dir .*merken",)),
    first_person=any_of((r"\b(?:ich|mein\w*|mir|mich)\b",)),
    speaker=any_of((r"\b(?:ich|wir|mein\w*|unser\w*|bei uns|uns)\b",)),
    told=any_of(
        (
            r"(?:der|die|das|alle|jede[rs]?) [\wäöüß' -]{2,50} (?:ist|sind|wird|werden) .*\b(?:geschrieben|gebaut|gehostet|betrieben|verwaltet|gespeichert|aufbewahrt|gepflegt|entwickelt"
            r"|veröffentlicht|genehmigt|freigegeben|verboten|vorgeschrieben|benannt)\b",
            r"(?:zuständig|verantwortlich|ansprechpartner\w*) (?:für .* )?(?:ist|sind)\b|(?:alle|jede[rs]?) [\wäöüß' -]{2,50} (?:brauchen|braucht|müssen|muss|benötigen|gehen|geht)\b",
        )
    ),
    fleeting=any_of(
        (
            r"\b(?:du|dir|dich|dein\w*|es|das|dies\w*|jene\w*|hier|dort|er|sie|ihm|ihr|ihn|würde\w*|könnte\w*|hätte\w*|wäre\w*|vielleicht|danke|bitte|beispiel|gerade|sollen|will|wollen|mal)\b",
            r"\b(?:ich|wir) (?:" + _MOMENTARY + r")\b|\b(?:" + _MOMENTARY + r") (?:ich|wir)\b",
            r"\b(?:ich|wir)?\b.*\b(?:habe|haben|bin|sind)\b.*\b(?:ge\w+t|\w{2,}ge\w+t|\w{0,6}ge\w+en|\w+iert|begonnen|verloren|vergessen|bekommen|verstanden)\b(?!.*(?:letztes jahr|seit|vor \w+ jahren))(?<!aufgewachsen)"
            r"(?<!gewechselt)(?<!umgestiegen)",
            r"\b(?:fragen?|probleme?|fehler|funktion(?:en)?|listen?|dateien?|skripte?|tabellen?|klassen?|methoden?|schleifen?|spalten?|zeilen?|variablen?|csv|json|seiten?|formulare?|absätze?|idee"
            r"|zweifel|minute|moment|entwurf|knopf|ausgabe|eingabe|warnung(?:en)?|schritt|code|meinung|teil|recht|ahnung|ihnen|test|tests|freu\w*|super|toll|wieder|schon)\b",
        )
    ),
    attributes=(
        ("name", any_of((r"ich heiße|mein name ist|(?:bitte )?nenne? mich",))),
        ("home", any_of((r"(?:ich|wir) (?:wohne|wohnen|lebe|leben) (?:jetzt |nun )?in|(?:ich bin|wir sind) .*nach .* gezogen|(?:wohne|lebe) in",))),
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
    subject=any_of((r"(?:das|der|die|unsere?|alle)?\s*(?P<subject>.+?)\s+(?:ist|sind|liegt|liegen|steht|stehen|heißt|lautet|hat|wird|werden)\b",)),
)
