"""French for the rules engine: how lasting statements are worded."""

from __future__ import annotations

import re

from mnemofs.llm.rules_grammar import Kind, any_of

_RELATIVE = (
    r"(?:femme|épouse|mari|époux|conjointe?|compagne|compagnon|copine|copain|fiancée?|mère|maman"
    r"|père|papa|parents|sœurs?|soeurs?|frères?|fils|filles?|enfants?|bébé|jumeaux|jumelles"
    r"|grand-?mère|grand-?père|grands-parents|tante|oncle|cousine?s?|nièce|neveu"
    r"|belle-\w+|beau-\w+|chien(?:ne)?|chat(?:te)?|cheval|animal|colocataire|voisine?"
    r"|chef(?:fe)?|patronne?|collègues?|médecin|propriétaire)"
)
_OWN = (
    r"(?:nom|prénom|surnom|anniversaire|date de naissance|fuseau horaire|adresse(?: mail"
    r"| e-mail)?|e-?mail|mail|téléphone|numéro|employeur|entreprise|boîte|équipe|métier|travail"
    r"|poste|profession|ville natale|langue maternelle|pronoms|taille|poids|pointure|groupe sanguin"
    r"|régime|religion|éditeur|portable|ordinateur|voiture|vélo|clavier|système|navigateur"
    r"|identifiant|bureau|appartement|maison|école|université|loisir|loisirs|passion|spécialité"
    r"|objectif|allergie|allergies)"
)
_VAGUE = (
    r"(?!(?:ça|cela|ceci|ce|cette|ces|cet|le tien|ta|ton|tes|votre|la (?:première|deuxième"
    r"|seconde|troisième|dernière|version|réponse)|le (?:premier|deuxième|second|dernier|bleu"
    r"|rouge|résultat)|l'idée|mieux la|mieux le|savoir|voir|un exemple|comment|quand|que"
    r"|combien)\b)"
)
_IMPERATIVE = (
    r"(?:utilise|utilisez|écris|écrivez|réponds|répondez|parle|parlez|appelle|appelez|donne"
    r"|donnez|montre|montrez|explique|expliquez|vérifie|vérifiez|ajoute|ajoutez|mets|mettez"
    r"|garde|gardez|commence|commencez|finis|évite|évitez|cite|citez"
    r"|traduis|arrondis|formate|fais|faites|laisse|laissez|tutoie|vouvoie|tutoyez|vouvoyez"
    r"|recommande|mentionne|réserve|teste|précise|indique|inclus|incluez|reste|restez|emploie"
    r"|employez)"
)
_DAY = (
    r"(?:aujourd'hui|demain|après-demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|fin (?:du|de la|de l') ?\w+|la semaine prochaine|le mois prochain|midi|janvier|février"
    r"|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|le \d{1,2}"
    r"|\d{1,2}/\d{1,2}"
    r"|\d{4}-\d\d-\d\d|à \w+ heures?|\d{1,2} ?h)"
)
_AY = r"(?:j'|je |nous |on )"
# What someone does or wants right now, not what holds.
_NOT_A_HABIT = (
    r"(?!(?:pense|crois|sais|vois|veux|voudrais|peux|dois|dirais|comprends|trouve|essaie|essaye"
    r"|cherche|demande|suppose|imagine|espère|reçois|obtiens|viens|vais|fais|remercie|suis|ai"
    r"|aimerais"
    r"|souhaite|lance|ouvre|clique|tape|appelle|ajoute|modifie|supprime|envoie|copie|colle"
    r"|installe|importe|exécute|mets|dis|parle|rappelle|souviens|oublie|attends|entends|sens"
    r"|doute|regarde|teste|vérifie"
    r"|précise|veille|tiens|me|te|le|la|les|ne|n'|y|en)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:questions?|problèmes?|erreurs?|fonctions?|listes?|fichiers?|scripts?"
    r"|tableaux?|classes?|méthodes?|boucles?|colonnes?|lignes?|variables?|csv|json|pages?"
    r"|formulaires?|images?"
    r"|paragraphes?|idée|doutes?|fièvre|minute|moment|brouillon|bouton|sortie|entrée"
    r"|avertissements?|exemples?|impression|temps|faim|soif|peur|raison|tort|besoin|envie|hâte"
    r"|chance|tests?|c(?:e|et|ette|es)|ça|cela)\b)"
)

KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "instruction",
        any_of(
            (
                r"(?:s'il te plaît,? )?(?:n'|ne )(?:me "
                rf"|m')?{_IMPERATIVE}\b.{{0,12}}(?:jamais|plus)\b|(?:s'il te plaît,? )?(?:n'"
                r"|ne )\w+(?:-\w+)? (?:jamais|plus jamais)\b",
                rf"(?:s'il te plaît,? )?{_IMPERATIVE}(?:-moi|-nous)?\b.*\b(?:toujours"
                r"|désormais|à chaque fois|systématiquement|par défaut|dorénavant|quand tu"
                r"|lorsque tu|chaque fois que)\b",
                r"(?:à partir de maintenant|dorénavant|désormais|à l'avenir"
                r"|dès maintenant)\b|.*\b(?:à partir de maintenant|dorénavant"
                r"|désormais, \w+)\b",
                rf"(?:quand|lorsque|chaque fois que|dès que) tu [^,]+, .*\b{_IMPERATIVE}\b",
                r"(?:s'il te plaît,? )?(?:pas de|aucune?"
                r"|sans) [\wàâéèêëîïôûç -]{2,30} dans (?:les |mes |tes )?(?:textes|mails"
                r"|messages|réponses|code|documents|recettes)\b",
                r"(?:s'il te plaît,? )?(?:appelle-moi|appelez-moi|arrête de|cesse de"
                r"|tutoie-moi|vouvoie-moi)|je veux que tu (?:\w+ )?(?:toujours|jamais)"
                r"|toujours \w+(?:er|ir|re)\b|ne jamais \w+(?:er|ir|re)\b",
                r"(?:s'il te plaît,? )?(?:garde|fais) (?:tes|les|toutes tes) (?:réponses"
                r"|explications|messages)",
            )
        ),
    ),
    (
        "decision",
        any_of(
            (
                r"(?:finalement |au final )?(?:nous avons|on a|j'ai)(?: \w+)? (?:décidé"
                r"|convenu|choisi|opté|retenu|acté|tranché|adopté|validé|voté)\b",
                r"(?:nous nous sommes|on s'est) (?:mis d'accord|décidés?|entendus?)\b"
                r"|(?:nous restons|on reste|nous partons|on part) (?:sur|avec|à)\b|(?:la "
                r"|notre )?décision(?: finale| définitive)?(?: est|\s*:)|il (?:a été"
                r"|est) (?:décidé|convenu|acté)|(?:la|notre) (?:règle|convention)(?: est|\s*:)",
                r"(?:on|nous) (?:développe|développons|écrit|écrivons|construit|construisons"
                r"|passe|passons|migre|migrons) .*\b(?:en|à|vers|avec|au lieu)\b",
            )
        ),
    ),
    (
        "todo",
        any_of(
            (
                r"(?:s'il te plaît,? )?rappelle(?:z)?-moi (?:de|d')|todo\b|à faire\s*:",
                r".*(?:je dois|nous devons|on doit|il faut que|j'ai besoin de"
                rf"|il me faut)\b.*{_DAY}|{_DAY}.*(?:je dois|nous devons|on doit|il faut)\b",
                rf".*\b(?:échéance|date limite|à rendre|rendez-vous)\b.*{_DAY}",
            )
        ),
    ),
    (
        "event",
        any_of(
            (
                r"(?:aujourd'hui|hier|ce matin|hier soir|tout à l'heure),? (?:j'ai"
                r"|nous avons|on a|je suis|nous sommes) .*",
                r"(?:j'ai|nous avons|on a) .*(?:livré|publié|terminé|rendu|signé|déployé"
                r"|envoyé|fini)\b.*\b(?:aujourd'hui|hier|ce matin)\b|je viens de (?:finir"
                r"|terminer|rendre|signer|envoyer|publier)\b(?! c(?:e|et|ette|ça)\b)",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                r"je m'appelle\b|mon (?:pré)?nom est\b|(?:tout le monde|on) m'appelle\b"
                r"|moi,? c'est (?=(?-i:[A-ZÀ-Ü]))|c'est (?=(?-i:[A-ZÀ-Ü])\w+ à l'appareil)",
                rf"(?:mon|ma|mes) (?:\w+ )?{_OWN}\b(?: [\wàâéèêëîïôûç]+){{0,4}}? (?:est|sont"
                r"|c'est|a|tourne)\b",
                r"(?:mon|ma|mes|notre|nos) (?:(?:meilleure?|ex|nouvelle|nouveau|petite?"
                rf"|grande?|deux|trois) )?{_RELATIVE}(?: (?:aînée?|cadette?"
                r"|(?-i:[A-ZÀ-Ü])\w+))? (?:est|sont|s'appellent?|vit|vivent|habitent?"
                r"|travaillent?|a|ont|parlent?|aiment?|déteste|préfère|étudie|joue|peut|ne"
                r"|n'|utilise|va)\b",
                r"(?:je suis|suis) (?!un peu|sûre?|en train|d'accord|désolée?|contente?"
                r"|fatiguée?|perdue?|prête?|là|bloquée?|un robot|un pirate|allée?|revenue?"
                r"|passée?)(?:(?:aussi|plutôt|actuellement|devenue?"
                r"|strictement) )*(?:une? (?!peu)[\wàâéèêëîïôûç'-]+|(?!triste|certaine?\b"
                r"|bien\b|rien)[\wàâéèêëîïôûç-]*(?:eur|euse|trice|ien|ienne|iste|ier|ière"
                r"|iant|iante|ais|aise|ois|oise|ain|aine|logue|gane|ecte|crate|taire|cin"
                r"|tre)\b|allergique|intolérante?|diabétique|mariée?|divorcée?|gauch(?:er"
                r"|ère)|droit(?:ier|ière)|daltonien\w*|sourde?\b|aveugle|née?\b|originaire"
                r"|basée?\b|enceinte|veuf|veuve|bilingue|bénévole|membre|responsable"
                r"|chargée?|prof\b|d'origine|de [A-Z])",
                r".*\bje suis (?:bénévole|membre|professeure?|allergique|végétarien(?:ne)?"
                r"|végane?)\b",
                rf"{_AY}(?:y )?(?:habite|habitons|vis|vit|vivons|réside)\b"
                r"|.*\b(?:nous vivons|on vit|je vis|j'habite) (?:maintenant "
                rf"|désormais )?(?:à|en|au|dans)\b|{_AY}(?:ai|avons"
                r"|a)(?: récemment)? (?:déménagé|emménagé)|.*\b(?:j'ai|nous avons"
                r"|on a) (?:déménagé|emménagé)\b",
                r"je (?:travaille|bosse|étudie|dirige|fais des études)\b|j'(?:enseigne"
                r"|étudie|exerce|anime)\b",
                rf"j'ai (?:une?|deux|trois|quatre|\d+) (?:\w+ )?(?:{_RELATIVE}|allergie"
                r"|intolérance|jardin|maison|voiture)|j'ai (?:du diabète|de l'asthme"
                rf"|\d+ ans|\w+ ans)|nous avons (?:une?|deux|trois|\d+) (?:\w+ )?{_RELATIVE}",
                r"je (?:ne |n')(?:mange|bois|fume|peux|conduis|supporte|digère|tolère"
                r"|travaille|lis|consulte)\b.{0,20}(?:pas|plus|jamais)\b",
                r"je parle (?:couramment |un peu |aussi )?(?:le |l')?\w+(?:ais|ien|ois|and"
                r"|agnol|abe|usse|gais|lais)\b|je (?:joue|collectionne|pratique|chante|danse"
                r"|peins|cours|nage|roule|fais (?:du|de la|de l'))\b(?! de (?:ça|ce))"
                r"|je suis née?\b|je viens de (?=(?-i:[A-ZÀ-Ü]))",
                r".*\b(?:je|j') ?(?!ai\b|obtiens|reçois|vois"
                r"|tombe)[\wàâéèêîôûç]+ (?:toujours|jamais|généralement|souvent|d'habitude"
                r"|rarement|principalement)\b",
                r"(?:le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|matin|soir"
                r"|week-end)|en (?:avion|train|voiture|vacances)|d'habitude|normalement"
                r"|chaque \w+|tous les \w+),? (?:je|j')",
                r"(?:je|j') ?.*\b(?:tous les (?:jours|matins|soirs|\w+s)|chaque (?:jour"
                r"|semaine|matin)|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi"
                r"|dimanche))(?:$|[.!])",
            )
        ),
    ),
    (
        "preference",
        any_of(
            (
                r"(?:je |j')(?:préfère|aime|adore|déteste|apprécie|hais"
                r"|privilégie)(?: (?:beaucoup|vraiment|surtout|mieux|bien|plutôt|énormément"
                rf"|toujours))* {_VAGUE}",
                r"je n'aime (?:pas|plus|guère)(?: (?:du tout|trop|beaucoup"
                rf"|vraiment))* {_VAGUE}|je (?:ne )?supporte pas {_VAGUE}",
                r"mon \w+ préférée?\b|ma \w+ préférée?\b|mes \w+ préférée?s\b|.+ est m(?:on"
                r"|a) préférée?\b|(?:les? |la |l')?.{2,40} me (?:convient|conviennent|plaît"
                r"|plaisent)\b",
                r"je suis (?:\w+ )?(?:fan|amateur|amatrice|passionnée?|plutôt) d(?:e|u"
                r"|es)?\b|je m'intéresse à\b",
            )
        ),
    ),
    (
        "reference",
        any_of(
            (
                r"(?:(?:le|la|les|l'|notre|nos) ?)?[\w' àâéèêîôûç-]{0,40}(?:documentation"
                r"|docs?|documents?|manuel|wiki|guide|tableau(?: de bord)?|spécifications?"
                r"|dépôt|dossier|canal|comptes rendus|modèles?|sauvegardes|journaux"
                r"|maquettes|fichiers)\b[\w' àâéèêîôûç-]{0,20} (?:est|sont|se trouve"
                r"|se trouvent) (?:dans|sur|sous|à|rangée?s?|stockée?s?)\b",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?:le|la|les|l'|notre|nos|mon) ?(?:[\wàâéèêîôûç'-]+ ){0,3}?(?:projet"
                r"|produit|appli(?:cation)?|entreprise|équipe|dépôt|stack|backend|frontend"
                r"|base de données|code|api|nom de code|échéance|budget|version|sprint"
                r"|bureau|production|serveur|cluster|site|service|client|bibliothèque"
                r"|plateforme|pull requests?|merge requests?|prs?|tests?|branche|réunion"
                r"|convention)(?: (?:de|du|des|d'|pour) ?[\wàâéèêîôûç' -]+?)? (?:est|sont"
                r"|s'appelle|utilise|utilisent|tourne|tournent|a|ont|doit|doivent|nécessite"
                r"|exige|exigent|supporte|se tient)\b",
                r"(?:nous|on) (?:\w+ )?(?:utilisons|utilise|déployons|déploie|hébergeons"
                r"|héberge|stockons|stocke|développons|testons|publions|maintenons"
                rf"|travaillons (?:avec|en)|suivons) {_VAGUE}",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                rf"(?:je |j'){_NOT_A_HABIT}[\wàâéèêëîïôûç]+(?:e|s|x|ds|ts) (?!que\b|qu'|si\b"
                rf"|tu\b|ton\b|tes\b|le script|ce\b){_OF_THE_MOMENT}",
                r"j'ai (?:de l'|du |des |une? |la |l'|les |deux "
                rf"|trois ){_OF_THE_MOMENT}[\wàâéèêëîïôûç]+|je fais (?:du |de la |de l'|des "
                rf"|mon |ma ){_OF_THE_MOMENT}",
                r"je suis (?:au niveau|du (?:matin|soir)|plutôt du|sous \w+|en (?:fauteuil"
                r"|retraite|reconversion|master|thèse|licence|alternance|télétravail))\b",
                r"(?:je|on|nous) (?!pense|veux|peux|dois"
                r"|vois)[\wàâéèêëîïôûç]+ .*\bmaintenant\b|(?:je|on"
                rf"|nous) [\wàâéèêëîïôûç]+ (?:maintenant|désormais|depuis)\b{_OF_THE_MOMENT}",
                r"(?:mon|ma|mes) (?!code|script|question|problème|erreur|build|test|page"
                r"|écran|fonction|requête|idée|plan|prochain|dernier|dernière|premier"
                r"|message|sortie|entrée|fichier|texte|brouillon|paragraphe|avis|jour)"
                r"[\wàâéèêëîïôûç]+(?: [\wàâéèêëîïôûç']+){0,4}? (?:est|sont|a|ont|vit|vivent"
                r"|commence|entre|finit|court|dure|va|vient|travaille|parle|préfère|coûte"
                r"|expire|signifie|fait)\b",
                r"(?!ça|cela|ce\b|c'est)[\wàâéèêëîïôûç' -]{3,40} (?:ne |n')?me (?:convien\w+"
                r"|réussi\w*|fait|font|donne|donnent|dérange\w*|gêne\w*|fatigue\w*|rend"
                r"|rendent)\b",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?:tous |toutes |toute |tout )?(?:notre"
                r"|nos) [\wàâéèêëîïôûç' -]{3,50} (?:est|sont|a|ont|utilise|utilisent|va|vont"
                r"|sort|sortent|commence|commencent|finit|coûte|ouvre|ferme|se \w+|vient"
                r"|viennent|parle|travaille|compte)\b(?!.*\b(?:ça|cela)\b)",
                r"(?:le|la|les|chaque) (?:\w+ ){0,2}?(?:forfait|abonnement|licence|compte"
                r"|contrat|limite|prix|tarif|garantie|bureau|magasin|entrepôt|école|clinique"
                r"|laboratoire|lettre|rapport|facture|sauvegarde|notes)s?(?: (?:de"
                r"|d') ?[\wàâéèêëîïôûç]+)? (?:est|sont|a|coûte|inclut|permet|ferme|ouvre"
                r"|commence|finit|va|vont|sort)\b",
                r"(?:les )?(?:clients|utilisateurs|factures|commandes|paiements|membres"
                r"|patients|élèves) (?:doivent|peuvent|sont|ont|paient|reçoivent|vont|ne)\b",
                r"[\wàâéèêëîïôûç' -]{3,40} (?:va|vont|est publiée?|sont publiée?s"
                r"|est rangée?|sont rangée?s|est envoyée?|sont envoyée?s) (?:dans|sur|vers"
                r"|à) (?:le |la |l'|les )?(?:\w+ )?(?:canal|dossier|tableau|wiki|dépôt"
                r"|disque|boîte|liste|serveur)\b",
            )
        ),
    ),
)
