"""French for the rules engine."""

from __future__ import annotations

from mnemofs.llm import rules_fr_against as against
from mnemofs.llm.rules_fr_kinds import KINDS
from mnemofs.llm.rules_grammar import Grammar, any_of

GRAMMAR = Grammar(
    language="fr",
    remember=any_of(
        (
            r"^(?:(?:s'il te plaît|s'il vous plaît|stp|et|alors|ok|bon|ah|aussi|peux-tu|tu peux"
            r"|pourrais-tu|je veux que tu|il faut que tu)[, ]+)*"
            r"(?:souviens-toi|souvenez-vous|te souvenir|retiens|retenez|retenir|rappelle-toi"
            r"|rappelez-vous|n'oublie(?:z)?(?: pas| jamais)"
            r"|garde(?:z)?(?: bien)? (?:en (?:mémoire|tête)|à l'esprit)|note(?:z)?|noter"
            r"|prends(?: bien)? note|prenez note|mémorise(?:z)?|enregistre(?:z)?(?: en mémoire)?)"
            r"(?:-le|-ça)?(?: bien| s'il te plaît| stp| aussi| toujours| ceci| ça| cela"
            r"| ce qui suit| dans ta mémoire)*(?: du fait| de)?"
            r"(?:\s*[:–—-]+\s*(?:que\s+|qu')?|\s*,\s*(?:que\s+|qu')?(?=[^.]*\b(?:je|mon|ma|mes"
            r"|nous|notre|nos)\b|[^.]*\bj')|\s+(?:que\s+|qu')|\s+(?=(?:mon|ma|mes|notre|nos|je"
            r"|j')\b)|\s*[.!]*$)(?P<what>.*)",
            r"^(?:une |un |petite |petit )*(?:note|rappel|remarque|info"
            r"|précision)(?: pour (?:toi|moi|plus tard|l'avenir"
            r"|la prochaine fois))?\s*:\s*(?P<what2>.+)",
            r"^(?:pour (?:info(?:rmation)?|mémoire|plus tard|la prochaine fois|l'avenir)|à noter"
            r"|à retenir)\s*[,:]?\s+(?P<what3>.+)",
            r"^(?P<what4>.+?)\s*[,;–—-]+\s*(?:s'il te plaît,? )?(?:souviens-t'en|retiens-le"
            r"|note-le|ne l'oublie pas|garde-le en tête)\s*[.!]*$",
        )
    ),
    keep_out=against.KEEP_OUT,
    filler=any_of(
        (
            r"(?:bonjour|salut|coucou|bonsoir|ok(?:ay)?|alors|et|mais|donc|au fait|d'ailleurs"
            r"|en fait|s'il te plaît|s'il vous plaît|stp|euh)(?:\s*[,.:;!–—-]+\s*|\s+)",
            r"(?:merci(?: beaucoup)?|d'accord|bon|bien|super|parfait|oui|non|si|à vrai dire"
            r"|franchement|en plus|aussi|par ailleurs|correction|précision|encore une chose"
            r"|une dernière chose"
            r"|attends|pardon|désolée?|changement de (?:plan|programme)|comme tu sais|pour info"
            r"|important|(?:un mot sur|à propos de) moi|moi)\s*[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:je pense que|je crois que|parce que|car|maintenant)\s+",
            r"(?:après|depuis|pendant|en) (?:(?!je\b|j'|nous\b"
            r"|on\b)[\wàâéèêëîïôûùüç'-]+ ){1,6}[\wàâéèêëîïôûùüç'-]+, |(?:le|la|l') ?(?:mois"
            r"|semaine|année|an|été) derni(?:er|ère),? ",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)\s*[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:et|mais|donc|car|parce que|alors)\s+(?=(?:je|j'|mon|ma|mes|nous|on|notre"
            r"|nos|s'il|réponds|utilise|maintenant)\b)",
            r",\s+(?=(?:je|j'|mon|ma|mes|nous|on|notre|nos|s'il|réponds|utilise|ajoute|donne"
            r"|évite|précise|maintenant|toujours)\b)",
        )
    ),
    kinds=KINDS,
    corrections=any_of(
        (
            r"^(?!c'est|ça|cela|il est)[^,]{3,80}\b(?:est|sont|s'appelle|a|utilise|commence"
            r"|s'écrit|tourne)\b[^,]{1,60}, (?:et )?(?:pas|non) (?P<old>[^,.]+)",
            r"^(?!c'est|ce n'est)[^,]{3,80}(?:pas|non) (?P<old1>[^,.]+?),? mais (?:plutôt )?",
            r"^(?:je|j'|nous|on) ?(?:ne |n')(?P<old2>(?!fonctionne|marche"
            r"|charge)\w+) plus(?P<old2b> [^,.;]+)?",
            r"\b(?:nous sommes|on est|je suis) passée?s? d(?:e |u |')(?P<old3>.+?) à "
            r"|\b(?:nous avons|on a|j'ai) (?:migré|changé|basculé) d(?:e |u "
            r"|')(?P<old4>.+?) (?:à|vers|pour) ",
            r"^(?!si\b).{3,80} (?:au lieu|à la place) d(?:e |u |')(?P<old5>[^,.;]+)",
            r"\bj'ai arrêté (?:de |d'|le |la |l'|les )?(?P<old6>[^,.;]+)|\b(?:nous avons"
            r"|on a) (?:arrêté|abandonné) (?P<old7>[^,.;]+)",
            r"\bavant,? (?:je|j'|nous|on) ?(?P<old8>[^,.;]+?),? (?:mais )?maintenant\b",
            r"^(?:mon|ma|notre|l['’]|le|la) ?[^,]{2,40} n['’]est (?:plus|pas) [^,]{2,40}, "
            r"(?:il est|elle est|c['’]est) (?:à |au |en )?(?=(?-i:[A-Z\d]))",
            r"\b(?:nous avons|on a) remplacé (?P<old9>(?-i:[A-Z])[^,;]*?) par (?=(?-i:[A-Z]))",
        )
    ),
    question=against.QUESTION,
    hypothetical=against.HYPOTHETICAL,
    one_off=against.ONE_OFF,
    reported=against.REPORTED,
    passing=against.PASSING,
    polite=any_of(
        (
            r"^(?:s'il te plaît,? )?(?:peux-tu|tu peux|pourrais-tu"
            r"|tu pourrais) (?:te souvenir|retenir|noter) (?:que|qu')",
        )
    ),
    first_person=any_of((r"\b(?:je|j'|mon|ma|mes|moi|me|m')",)),
    speaker=any_of((r"\b(?:je|nous|on|mon|ma|mes|notre|nos|chez nous)\b|\bj'",)),
    told=any_of(
        (
            r"(?:le|la|les|l'|tous les|toutes les|chaque) ?[\wàâéèêëîïôûç' -]{2,50} (?:est"
            r"|sont) (?:écrit|construit|hébergé|déployé|géré|stocké|conservé|maintenu|développé"
            r"|publié|interdit|validé|approuvé|situé|basé|facturé)\w*",
            r"(?:la personne qui|celui qui|celle qui) .* (?:est|c'est)\b|(?:tous les|toutes les"
            r"|chaque) [\wàâéèêëîïôûç' -]{2,50} (?:doit|doivent|nécessite|nécessitent|va|vont"
            r"|demande)\b",
        )
    ),
    fleeting=against.FLEETING,
    attributes=(
        ("name", any_of((r"je m'appelle|mon (?:pré)?nom est|appelle-moi|moi,? c'est",))),
        (
            "home",
            any_of(
                (
                    r"j'habite|je vis (?:à|en|au)|nous (?:habitons|vivons)|(?:j'ai"
                    r"|nous avons|on a) (?:dé|em)ménagé(?= (?:à|en|au|aux|dans|vers|d))",
                )
            ),
        ),
        ("work", any_of((r"je (?:travaille|bosse) (?:chez|pour|à)|mon employeur est",))),
        ("birthday", any_of((r"mon anniversaire",))),
        ("time zone", any_of((r"mon fuseau",))),
        ("pronouns", any_of((r"mes pronoms",))),
        ("age", any_of((r"j'ai \d{1,3} ans",))),
        ("email", any_of((r"mon (?:e-?mail|mail|adresse)",))),
        ("code name", any_of((r"le nom de code|le projet(?: de \w+)? s'appelle",))),
        ("budget", any_of((r"(?:le|notre) budget\b",))),
        ("deadline", any_of((r"(?:l'|notre )échéance\b|la date limite",))),
    ),
    subject=any_of(
        (
            r"(?:le|la|les|l'|notre|nos)?\s*(?P<subject>.+?)\s+(?:est|sont|se|s'|a"
            r"|utilise|tourne)\b",
        )
    ),
)
