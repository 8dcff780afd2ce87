"""French for the rules engine: what speaks against a lasting statement."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import any_of

KEEP_OUT = any_of(
    (
        r"\bn(?:e |')(?:le |la |l')?(?:retiens|retenez|note|notez|garde|gardez|enregistre"
        r"|enregistrez|mémorise|mémorisez|sauvegarde) (?:pas|rien|jamais)\b"
        r"|\bsans (?:le )?(?:noter|retenir|enregistrer)\b|\bentre nous\b|\boublie (?:ça"
        r"|ce que|que)\b|\bofficieusement\b",
        r"\b(?:je plaisante|je rigole|c'est une blague|imagine(?:ons|z)? que|fais comme si"
        r"|fais semblant|dans (?:l'histoire|le roman|mon roman|le jeu|le film|le rêve"
        r"|mon rêve))\b",
    )
)
QUESTION = any_of(
    (
        r"\?",
        r"^(?:que|quoi|qu'|pourquoi|comment|qui|quel(?:le)?s?|où|quand est-ce|combien|est-ce"
        r"|peux-tu|pourrais-tu|tu peux|tu sais|tu te souviens|y a-t-il|devrait-on"
        r"|dis-moi (?:si|comment|quel|ce))\b",
        r"^(?:je me demande|je ne sais pas|je ne suis pas sûre?)",
    )
)
HYPOTHETICAL = any_of(
    (
        r"^s(?:i |')(?:je|j'|nous|on|il|elle|tu)\b|^et si\b|\b(?:je|j'|nous|on) ?\w+(?:rais"
        r"|rions|rait)\b|\b(?:supposons|suppose|imagine|imaginons|imaginez|disons que"
        r"|admettons|par exemple|p\. ?ex\.|peut-être|éventuellement|il se peut|si seulement"
        r"|je pense à|je songe à|j'envisage|j'hésite)\b",
    )
)
ONE_OFF = any_of(
    (
        r"\b(?:juste |seulement )?(?:pour )?cette (?:fois|réponse|question|tâche)\b"
        r"|\bcette fois(?:-ci)?\b|\b(?:dans|pour) c(?:ette|e) (?:réponse|message|question"
        r"|cas|tâche|mail)\b|\bpour (?:l'instant|le moment|aujourd'hui)\b|\bprovisoirement\b"
        r"|\btemporairement\b|\ben ce moment\b|\bexceptionnellement\b",
        r"\b(?:première|deuxième|seconde|troisième|dernière|autre) (?:version|option"
        r"|proposition|variante)\b|^(?:je voudrais|j'aimerais|je veux|il me faut) (?:une?"
        r"|voir|savoir)\b",
    )
)
REPORTED = any_of(
    (
        r"\b(?!je\b|j'|nous\b)\w+ (?:(?:m'|nous |a |me |toujours )*)(?:dit|dis|disent|pense"
        r"|pensent|croit|croient|affirme|affirment|prétend|écrit|raconte|racontent|estime"
        r"|trouve que|a demandé)\b(?<!\bje dis)(?<!\bje pense)(?<!\bj'écris)",
        r"\b(?:il paraît|paraît-il|apparemment|selon|d'après|on dit que|soi-disant"
        r"|j'ai entendu|j'ai lu|il semble)\b",
    )
)
PASSING = any_of(
    (
        r"\b(?:pour toi|avec toi|avec vous|ces moments|contre)\b|\b(?:me manquent?|je profite"
        r"|je dis toujours"
        r"|patience|les meilleure?s|le plus important|un succès)\b",
        r"\bj'ai (?:très |trop |un peu |tellement )?(?:faim|soif|sommeil|hâte|beaucoup (?:à"
        r"|de travail)|une"
        r" (?:question|idée)|un (?:doute|problème)|du mal)\b",
        r"\b(?:est|sont|suis|sommes) (?:très |trop |un peu |presque |déjà |encore )*(?:froide?s?"
        r"|chaude?s?"
        r"|fatigué\w*|prête?s?|contente?s?|occupé\w*|en retard|en train|terminé\w*|fini\w*)\b",
        r"\b(?:dort|sonne|aboie|pleut|neige)\b(?!.*\b(?:toujours|souvent|chaque))|\bon se (?:voit"
        r"|parle"
        r"|retrouve|rappelle)\b",
        r"^(?:j'écoute|je regarde|je lis|je bois|je mange) (?:une?|de la|du|des)\b(?!.*\b(?:chaque"
        r"|tous|toutes"
        r"|toujours|souvent|jamais)\b)",
        r"\b(?:erreurs?|exception|plantage|plante|planté|cassée?|bug|bugs|échoue|échec"
        r"|bloquée?|timeout|en panne|(?:ne|n') ?(?:marche|fonctionne|charge|s'ouvre"
        r"|démarre|répond|compile|s'affiche)|(?:peux|arrive) (?:pas|plus) (?:à )?(?:trouver"
        r"|ouvrir|voir|installer|me connecter))\b",
        r"\b(?:aujourd'hui|ce (?:matin|soir)|cet après-midi|en ce moment|hier|cette semaine"
        r"|tout de suite)\b|\b(?:un peu|très|trop|si) (?:fatigu|malade|perdu|occupé|stress"
        r"|content|triste)\w*"
        r"|\b(?:est|sont|était|étaient|suis) (?:tout |très |trop |vraiment |super "
        r"|si )*(?:génia|super\b|bien\b|bonn?e?s?\b|cool|beau|belle|nul|excité|content"
        r"|parfait|incroyable|sympa|dure?\b|difficile|magnifique|formidable|conscient|ravi"
        r"|heureu|inqui|étonné|curieu)\w*",
    )
)
FLEETING = any_of(
    (
        r"\b(?:tu|toi|ton|ta|tes|te|vous|votre|vos|ça|cela|ceci|cet|cette|ces|il|elle|ils"
        r"|elles|ici|là|merci|exemple|pardon|peut-être|vais|allons|va|viens|aimerais"
        r"|voudrais|moment)\b|\b(?:c'était|t')",
        r"\b(?:je|on|nous|j') ?(?:(?:ne|n'|me|m'|le|la|les|y|en) ?)*(?:pense|crois|sais|vois"
        r"|veux|peux|peut|dois|doit|dirais|comprends|trouve|essaie|essaye|cherche|demande"
        r"|suppose|imagine|espère|reçois|obtiens|remercie"
        r"|souhaite|lance|ouvre|clique|tape|appelle|ajoute|modifie|supprime|envoie|copie"
        r"|colle|installe|importe|exécute|mets|dis|dit|parle|rappelle|souviens|oublie"
        r"|attends|entends|sens|doute|regarde|teste|vérifie|précise|pourrait"
        r"|fait semblant|pouvons|voulons|savons|voyons)\b",
        r"\b(?:j'ai|nous avons|on a|je suis|nous sommes"
        r"|on est) (?:\w+ )?[\wàâéèêëîïôûç]+(?:é|ée|és|ées|i|is|it|u|us"
        r"|ert)\b(?!.*(?:l'an dernier|l'année dernière|depuis|il y a"
        r"|en \d{4}))(?<!grandi)(?<!allergique)",
        r"\b(?:questions?|problèmes?|fonctions?|listes?|fichiers?|scripts?|tableaux?"
        r"|méthodes?|boucles?|colonnes?|lignes?|variables?|csv|json|pages?|formulaires?"
        r"|paragraphes?|idée|doutes?|brouillon|bouton|sortie|entrée"
        r"|avertissements?|étape|code|avis|partie|raison|tort|besoin|envie|hâte|faim|erreur"
        r"|encore|génial|super)\b",
    )
)
