"""French for the rules engine."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import Grammar, any_of

_RELATIVE = (
    r"(?:femme|épouse|mari|époux|conjointe?|compagne|compagnon|copine|copain|fiancée?|mère|maman|père|papa|parents|sœurs?|soeurs?|frères?|fils|filles?|enfants?|bébé|jumeaux|jumelles|grand-?mère|grand-?père|grands-parents|tante|oncle|cousine?s?|nièce|neveu"
    r"|belle-\w+|beau-\w+|chien(?:ne)?|chat(?:te)?|cheval|animal|colocataire|voisine?|chef(?:fe)?|patronne?|collègues?|médecin|propriétaire)"
)
_OWN = (
    r"(?:nom|prénom|surnom|anniversaire|date de naissance|fuseau horaire|adresse(?: mail| e-mail)?|e-?mail|mail|téléphone|numéro|employeur|entreprise|boîte|équipe|métier|travail|poste|profession|ville natale|langue maternelle|pronoms|taille|poids|pointure|groupe sanguin"
    r"|régime|religion|éditeur|portable|ordinateur|voiture|vélo|clavier|système|navigateur|identifiant|bureau|appartement|maison|école|université|loisir|loisirs|passion|spécialité|objectif|allergie|allergies)"
)
_VAGUE = (
    r"(?!(?:ça|cela|ceci|ce|cette|ces|cet|le tien|ta|ton|tes|votre|la (?:première|deuxième|seconde|troisième|dernière|version|réponse)|le (?:premier|deuxième|second|dernier|bleu|rouge|résultat)|l'idée|mieux la|mieux le|savoir|voir|un exemple|comment|quand|que|combien)\b)"
)
_IMPERATIVE = (
    r"(?:utilise|utilisez|écris|écrivez|réponds|répondez|parle|parlez|appelle|appelez|donne|donnez|montre|montrez|explique|expliquez|vérifie|vérifiez|ajoute|ajoutez|mets|mettez|garde|gardez|commence|commencez|finis|évite|évitez|cite|citez"
    r"|traduis|arrondis|formate|fais|faites|laisse|laissez|tutoie|vouvoie|tutoyez|vouvoyez|recommande|mentionne|réserve|teste|précise|indique|inclus|incluez|reste|restez|emploie|employez)"
)
_DAY = (
    r"(?:aujourd'hui|demain|après-demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|fin (?:du|de la|de l') ?\w+|la semaine prochaine|le mois prochain|midi|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|le \d{1,2}|\d{1,2}/\d{1,2}"
    r"|\d{4}-\d\d-\d\d|à \w+ heures?|\d{1,2} ?h)"
)
_AY = r"(?:j'|je |nous |on )"

# What someone does or wants right now, not what holds.
_NOT_A_HABIT = (
    r"(?!(?:pense|crois|sais|vois|veux|voudrais|peux|dois|dirais|comprends|trouve|essaie|essaye|cherche|demande|suppose|imagine|espère|reçois|obtiens|viens|vais|fais|remercie|suis|ai|aimerais"
    r"|souhaite|lance|ouvre|clique|tape|appelle|ajoute|modifie|supprime|envoie|copie|colle|installe|importe|exécute|mets|dis|parle|rappelle|souviens|oublie|attends|entends|sens|doute|regarde|teste|vérifie"
    r"|précise|veille|tiens|me|te|le|la|les|ne|n'|y|en)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:questions?|problèmes?|erreurs?|fonctions?|listes?|fichiers?|scripts?|tableaux?|classes?|méthodes?|boucles?|colonnes?|lignes?|variables?|csv|json|pages?|formulaires?|images?"
    r"|paragraphes?|idée|doutes?|fièvre|minute|moment|brouillon|bouton|sortie|entrée|avertissements?|exemples?|impression|temps|faim|soif|peur|raison|tort|besoin|envie|hâte|chance|tests?|c(?:e|et|ette|es)|ça|cela)\b)"
)

GRAMMAR = Grammar(
    language="fr",
    remember=any_of(
        (
            r"^(?:(?:s'il te plaît|s'il vous plaît|stp|et|alors|ok|bon|ah|aussi|peux-tu|tu peux|pourrais-tu|je veux que tu|il faut que tu)[, ]+)*"
            r"(?:souviens-toi|souvenez-vous|te souvenir|retiens|retenez|retenir|rappelle-toi|rappelez-vous|n'oublie(?:z)?(?: pas| jamais)|garde(?:z)?(?: bien)? (?:en (?:mémoire|tête)|à l'esprit)|note(?:z)?|noter|prends(?: bien)? note|prenez note|mémorise(?:z)?|enregistre(?:z)?(?: en mémoire)?)"
            r"(?:-le|-ça)?(?: bien| s'il te plaît| stp| aussi| toujours| ceci| ça| cela| ce qui suit| dans ta mémoire)*(?: du fait| de)?"
            r"(?:\s*[:–—-]+\s*(?:que\s+|qu')?|\s*,\s*(?:que\s+|qu')?(?=[^.]*\b(?:je|mon|ma|mes|nous|notre|nos)\b|[^.]*\bj')|\s+(?:que\s+|qu')|\s+(?=(?:mon|ma|mes|notre|nos|je|j')\b)|\s*[.!]*$)(?P<what>.*)",
            r"^(?:une |un |petite |petit )*(?:note|rappel|remarque|info|précision)(?: pour (?:toi|moi|plus tard|l'avenir|la prochaine fois))?\s*:\s*(?P<what2>.+)",
            r"^(?:pour (?:info(?:rmation)?|mémoire|plus tard|la prochaine fois|l'avenir)|à noter|à retenir)\s*[,:]?\s+(?P<what3>.+)",
            r"^(?P<what4>.+?)\s*[,;–—-]+\s*(?:s'il te plaît,? )?(?:souviens-t'en|retiens-le|note-le|ne l'oublie pas|garde-le en tête)\s*[.!]*$",
        )
    ),
    keep_out=any_of(
        (
            r"\bn(?:e |')(?:le |la |l')?(?:retiens|retenez|note|notez|garde|gardez|enregistre|enregistrez|mémorise|mémorisez|sauvegarde) (?:pas|rien|jamais)\b|\bsans (?:le )?(?:noter|retenir|enregistrer)\b|\bentre nous\b|\boublie (?:ça|ce que|que)\b|\bofficieusement\b",
            r"\b(?:je plaisante|je rigole|c'est une blague|imagine(?:ons|z)? que|fais comme si|fais semblant|dans (?:l'histoire|le roman|mon roman|le jeu|le film|le rêve|mon rêve))\b",
        )
    ),
    filler=any_of(
        (
            r"(?:bonjour|salut|coucou|bonsoir|ok(?:ay)?|alors|et|mais|donc|au fait|d'ailleurs|en fait|s'il te plaît|s'il vous plaît|stp|euh)(?:\s*[,.:;!–—-]+\s*|\s+)",
            r"(?:merci(?: beaucoup)?|d'accord|bon|bien|super|parfait|oui|non|si|à vrai dire|franchement|en plus|aussi|par ailleurs|correction|précision|encore une chose|une dernière chose"
            r"|attends|pardon|désolée?|changement de (?:plan|programme)|comme tu sais|pour info|important|(?:un mot sur|à propos de) moi|moi)\s*[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:je pense que|je crois que|parce que|car|maintenant)\s+",
            r"(?:après|depuis|pendant|en) (?:(?!je\b|j'|nous\b|on\b)[\wàâéèêëîïôûùüç'-]+ ){1,6}[\wàâéèêëîïôûùüç'-]+, |(?:le|la|l') ?(?:mois|semaine|année|an|été) derni(?:er|ère),? ",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)\s*[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:et|mais|donc|car|parce que|alors)\s+(?=(?:je|j'|mon|ma|mes|nous|on|notre|nos|s'il|réponds|utilise|maintenant)\b)",
            r",\s+(?=(?:je|j'|mon|ma|mes|nous|on|notre|nos|s'il|réponds|utilise|ajoute|donne|évite|précise|maintenant|toujours)\b)",
        )
    ),
    kinds=(
        (
            "instruction",
            any_of(
                (
                    rf"(?:s'il te plaît,? )?(?:n'|ne )(?:me |m')?{_IMPERATIVE}\b.{{0,12}}(?:jamais|plus)\b|(?:s'il te plaît,? )?(?:n'|ne )\w+(?:-\w+)? (?:jamais|plus jamais)\b",
                    rf"(?:s'il te plaît,? )?{_IMPERATIVE}(?:-moi|-nous)?\b.*\b(?:toujours|désormais|à chaque fois|systématiquement|par défaut|dorénavant|quand tu|lorsque tu|chaque fois que)\b",
                    r"(?:à partir de maintenant|dorénavant|désormais|à l'avenir|dès maintenant)\b|.*\b(?:à partir de maintenant|dorénavant|désormais, \w+)\b",
                    rf"(?:quand|lorsque|chaque fois que|dès que) tu [^,]+, .*\b{_IMPERATIVE}\b",
                    r"(?:s'il te plaît,? )?(?:pas de|aucune?|sans) [\wàâéèêëîïôûç -]{2,30} dans (?:les |mes |tes )?(?:textes|mails|messages|réponses|code|documents|recettes)\b",
                    r"(?:s'il te plaît,? )?(?:appelle-moi|appelez-moi|arrête de|cesse de|tutoie-moi|vouvoie-moi)|je veux que tu (?:\w+ )?(?:toujours|jamais)|toujours \w+(?:er|ir|re)\b|ne jamais \w+(?:er|ir|re)\b",
                    r"(?:s'il te plaît,? )?(?:garde|fais) (?:tes|les|toutes tes) (?:réponses|explications|messages)",
                )
            ),
        ),
        (
            "decision",
            any_of(
                (
                    r"(?:finalement |au final )?(?:nous avons|on a|j'ai)(?: \w+)? (?:décidé|convenu|choisi|opté|retenu|acté|tranché|adopté|validé|voté)\b",
                    r"(?:nous nous sommes|on s'est) (?:mis d'accord|décidés?|entendus?)\b|(?:nous restons|on reste|nous partons|on part) (?:sur|avec|à)\b|(?:la |notre )?décision(?: finale| définitive)?(?: est|\s*:)|il (?:a été|est) (?:décidé|convenu|acté)|(?:la|notre) (?:règle|convention)(?: est|\s*:)",
                    r"(?:on|nous) (?:développe|développons|écrit|écrivons|construit|construisons|passe|passons|migre|migrons) .*\b(?:en|à|vers|avec|au lieu)\b",
                )
            ),
        ),
        (
            "todo",
            any_of(
                (
                    r"(?:s'il te plaît,? )?rappelle(?:z)?-moi (?:de|d')|todo\b|à faire\s*:",
                    rf".*(?:je dois|nous devons|on doit|il faut que|j'ai besoin de|il me faut)\b.*{_DAY}|{_DAY}.*(?:je dois|nous devons|on doit|il faut)\b",
                    rf".*\b(?:échéance|date limite|à rendre|rendez-vous)\b.*{_DAY}",
                )
            ),
        ),
        (
            "event",
            any_of(
                (
                    r"(?:aujourd'hui|hier|ce matin|hier soir|tout à l'heure),? (?:j'ai|nous avons|on a|je suis|nous sommes) .*",
                    r"(?:j'ai|nous avons|on a) .*(?:livré|publié|terminé|rendu|signé|déployé|envoyé|fini)\b.*\b(?:aujourd'hui|hier|ce matin)\b|je viens de (?:finir|terminer|rendre|signer|envoyer|publier)\b(?! c(?:e|et|ette|ça)\b)",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    r"je m'appelle\b|mon (?:pré)?nom est\b|(?:tout le monde|on) m'appelle\b|moi,? c'est (?=(?-i:[A-ZÀ-Ü]))|c'est (?=(?-i:[A-ZÀ-Ü])\w+ à l'appareil)",
                    rf"(?:mon|ma|mes) (?:\w+ )?{_OWN}\b(?: [\wàâéèêëîïôûç]+){{0,4}}? (?:est|sont|c'est|a|tourne)\b",
                    rf"(?:mon|ma|mes|notre|nos) (?:(?:meilleure?|ex|nouvelle|nouveau|petite?|grande?|deux|trois) )?{_RELATIVE}(?: (?:aînée?|cadette?|(?-i:[A-ZÀ-Ü])\w+))? (?:est|sont|s'appellent?|vit|vivent|habitent?|travaillent?|a|ont|parlent?|aiment?|déteste|préfère|étudie|joue|peut|ne|n'|utilise|va)\b",
                    r"(?:je suis|suis) (?!un peu|sûre?|en train|d'accord|désolée?|contente?|fatiguée?|perdue?|prête?|là|bloquée?|un robot|un pirate|allée?|revenue?|passée?)(?:(?:aussi|plutôt|actuellement|devenue?|strictement) )*(?:une? (?!peu)[\wàâéèêëîïôûç'-]+|(?!triste|certaine?\b|bien\b|rien)[\wàâéèêëîïôûç-]*(?:eur|euse|trice|ien|ienne|iste|ier|ière|iant|iante|ais|aise|ois|oise|ain|aine|logue|gane|ecte|crate|taire|cin|tre)\b|allergique|intolérante?|diabétique|mariée?|divorcée?|gauch(?:er|ère)|droit(?:ier|ière)|daltonien\w*|sourde?\b|aveugle|née?\b|originaire|basée?\b|enceinte|veuf|veuve|bilingue|bénévole|membre|responsable|chargée?|prof\b|d'origine|de [A-Z])",
                    r".*\bje suis (?:bénévole|membre|professeure?|allergique|végétarien(?:ne)?|végane?)\b",
                    rf"{_AY}(?:y )?(?:habite|habitons|vis|vit|vivons|réside)\b|.*\b(?:nous vivons|on vit|je vis|j'habite) (?:maintenant |désormais )?(?:à|en|au|dans)\b|{_AY}(?:ai|avons|a)(?: récemment)? (?:déménagé|emménagé)|.*\b(?:j'ai|nous avons|on a) (?:déménagé|emménagé)\b",
                    r"je (?:travaille|bosse|étudie|dirige|fais des études)\b|j'(?:enseigne|étudie|exerce|anime)\b",
                    rf"j'ai (?:une?|deux|trois|quatre|\d+) (?:\w+ )?(?:{_RELATIVE}|allergie|intolérance|jardin|maison|voiture)|j'ai (?:du diabète|de l'asthme|\d+ ans|\w+ ans)|nous avons (?:une?|deux|trois|\d+) (?:\w+ )?{_RELATIVE}",
                    r"je (?:ne |n')(?:mange|bois|fume|peux|conduis|supporte|digère|tolère|travaille|lis|consulte)\b.{0,20}(?:pas|plus|jamais)\b",
                    r"je parle (?:couramment |un peu |aussi )?(?:le |l')?\w+(?:ais|ien|ois|and|agnol|abe|usse|gais|lais)\b|je (?:joue|collectionne|pratique|chante|danse|peins|cours|nage|roule|fais (?:du|de la|de l'))\b(?! de (?:ça|ce))|je suis née?\b|je viens de (?=(?-i:[A-ZÀ-Ü]))",
                    r".*\b(?:je|j') ?(?!ai\b|obtiens|reçois|vois|tombe)[\wàâéèêîôûç]+ (?:toujours|jamais|généralement|souvent|d'habitude|rarement|principalement)\b",
                    r"(?:le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|matin|soir|week-end)|en (?:avion|train|voiture|vacances)|d'habitude|normalement|chaque \w+|tous les \w+),? (?:je|j')",
                    r"(?:je|j') ?.*\b(?:tous les (?:jours|matins|soirs|\w+s)|chaque (?:jour|semaine|matin)|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche))(?:$|[.!])",
                )
            ),
        ),
        (
            "preference",
            any_of(
                (
                    rf"(?:je |j')(?:préfère|aime|adore|déteste|apprécie|hais|privilégie)(?: (?:beaucoup|vraiment|surtout|mieux|bien|plutôt|énormément|toujours))* {_VAGUE}",
                    rf"je n'aime (?:pas|plus|guère)(?: (?:du tout|trop|beaucoup|vraiment))* {_VAGUE}|je (?:ne )?supporte pas {_VAGUE}",
                    r"mon \w+ préférée?\b|ma \w+ préférée?\b|mes \w+ préférée?s\b|.+ est m(?:on|a) préférée?\b|(?:les? |la |l')?.{2,40} me (?:convient|conviennent|plaît|plaisent)\b",
                    r"je suis (?:\w+ )?(?:fan|amateur|amatrice|passionnée?|plutôt) d(?:e|u|es)?\b|je m'intéresse à\b",
                )
            ),
        ),
        (
            "reference",
            any_of(
                (
                    r"(?:(?:le|la|les|l'|notre|nos) ?)?[\w' àâéèêîôûç-]{0,40}(?:documentation|docs?|documents?|manuel|wiki|guide|tableau(?: de bord)?|spécifications?|dépôt|dossier|canal|comptes rendus|modèles?|sauvegardes|journaux|maquettes|fichiers)\b[\w' àâéèêîôûç-]{0,20} (?:est|sont|se trouve|se trouvent) (?:dans|sur|sous|à|rangée?s?|stockée?s?)\b",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?:le|la|les|l'|notre|nos|mon) ?(?:[\wàâéèêîôûç'-]+ ){0,3}?(?:projet|produit|appli(?:cation)?|entreprise|équipe|dépôt|stack|backend|frontend|base de données|code|api|nom de code|échéance|budget|version|sprint|bureau|production|serveur|cluster|site|service|client|bibliothèque"
                    r"|plateforme|pull requests?|merge requests?|prs?|tests?|branche|réunion|convention)(?: (?:de|du|des|d'|pour) ?[\wàâéèêîôûç' -]+?)? (?:est|sont|s'appelle|utilise|utilisent|tourne|tournent|a|ont|doit|doivent|nécessite|exige|exigent|supporte|se tient)\b",
                    rf"(?:nous|on) (?:\w+ )?(?:utilisons|utilise|déployons|déploie|hébergeons|héberge|stockons|stocke|développons|testons|publions|maintenons|travaillons (?:avec|en)|suivons) {_VAGUE}",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    rf"(?:je |j'){_NOT_A_HABIT}[\wàâéèêëîïôûç]+(?:e|s|x|ds|ts) (?!que\b|qu'|si\b|tu\b|ton\b|tes\b|le script|ce\b){_OF_THE_MOMENT}",
                    rf"j'ai (?:de l'|du |des |une? |la |l'|les |deux |trois ){_OF_THE_MOMENT}[\wàâéèêëîïôûç]+|je fais (?:du |de la |de l'|des |mon |ma ){_OF_THE_MOMENT}",
                    r"je suis (?:au niveau|du (?:matin|soir)|plutôt du|sous \w+|en (?:fauteuil|retraite|reconversion|master|thèse|licence|alternance|télétravail))\b",
                    rf"(?:je|on|nous) (?!pense|veux|peux|dois|vois)[\wàâéèêëîïôûç]+ .*\bmaintenant\b|(?:je|on|nous) [\wàâéèêëîïôûç]+ (?:maintenant|désormais|depuis)\b{_OF_THE_MOMENT}",
                    r"(?:mon|ma|mes) (?!code|script|question|problème|erreur|build|test|page|écran|fonction|requête|idée|plan|prochain|dernier|dernière|premier|message|sortie|entrée|fichier|texte|brouillon|paragraphe|avis|jour)"
                    r"[\wàâéèêëîïôûç]+(?: [\wàâéèêëîïôûç']+){0,4}? (?:est|sont|a|ont|vit|vivent|commence|entre|finit|court|dure|va|vient|travaille|parle|préfère|coûte|expire|signifie|fait)\b",
                    r"(?!ça|cela|ce\b|c'est)[\wàâéèêëîïôûç' -]{3,40} (?:ne |n')?me (?:convien\w+|réussi\w*|fait|font|donne|donnent|dérange\w*|gêne\w*|fatigue\w*|rend|rendent)\b",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?:tous |toutes |toute |tout )?(?:notre|nos) [\wàâéèêëîïôûç' -]{3,50} (?:est|sont|a|ont|utilise|utilisent|va|vont|sort|sortent|commence|commencent|finit|coûte|ouvre|ferme|se \w+|vient|viennent|parle|travaille|compte)\b(?!.*\b(?:ça|cela)\b)",
                    r"(?:le|la|les|chaque) (?:\w+ ){0,2}?(?:forfait|abonnement|licence|compte|contrat|limite|prix|tarif|garantie|bureau|magasin|entrepôt|école|clinique|laboratoire|lettre|rapport|facture|sauvegarde|notes)s?(?: (?:de|d') ?[\wàâéèêëîïôûç]+)? (?:est|sont|a|coûte|inclut|permet|ferme|ouvre|commence|finit|va|vont|sort)\b",
                    r"(?:les )?(?:clients|utilisateurs|factures|commandes|paiements|membres|patients|élèves) (?:doivent|peuvent|sont|ont|paient|reçoivent|vont|ne)\b",
                    r"[\wàâéèêëîïôûç' -]{3,40} (?:va|vont|est publiée?|sont publiée?s|est rangée?|sont rangée?s|est envoyée?|sont envoyée?s) (?:dans|sur|vers|à) (?:le |la |l'|les )?(?:\w+ )?(?:canal|dossier|tableau|wiki|dépôt|disque|boîte|liste|serveur)\b",
                )
            ),
        ),
    ),
    corrections=any_of(
        (
            r"^(?!c'est|ça|cela|il est)[^,]{3,80}\b(?:est|sont|s'appelle|a|utilise|commence|s'écrit|tourne)\b[^,]{1,60}, (?:et )?(?:pas|non) (?P<old>[^,.]+)",
            r"^(?!c'est|ce n'est)[^,]{3,80}(?:pas|non) (?P<old1>[^,.]+?),? mais (?:plutôt )?",
            r"^(?:je|j'|nous|on) ?(?:ne |n')(?P<old2>(?!fonctionne|marche|charge)\w+) plus(?P<old2b> [^,.;]+)?",
            r"\b(?:nous sommes|on est|je suis) passée?s? d(?:e |u |')(?P<old3>.+?) à |\b(?:nous avons|on a|j'ai) (?:migré|changé|basculé) d(?:e |u |')(?P<old4>.+?) (?:à|vers|pour) ",
            r"^(?!si\b).{3,80} (?:au lieu|à la place) d(?:e |u |')(?P<old5>[^,.;]+)",
            r"\bj'ai arrêté (?:de |d'|le |la |l'|les )?(?P<old6>[^,.;]+)|\b(?:nous avons|on a) (?:arrêté|abandonné) (?P<old7>[^,.;]+)",
            r"\bavant,? (?:je|j'|nous|on) ?(?P<old8>[^,.;]+?),? (?:mais )?maintenant\b",
        )
    ),
    question=any_of(
        (
            r"\?",
            r"^(?:que|quoi|qu'|pourquoi|comment|qui|quel(?:le)?s?|où|quand est-ce|combien|est-ce|peux-tu|pourrais-tu|tu peux|tu sais|tu te souviens|y a-t-il|devrait-on|dis-moi (?:si|comment|quel|ce))\b",
            r"^(?:je me demande|je ne sais pas|je ne suis pas sûre?)",
        )
    ),
    hypothetical=any_of(
        (
            r"^s(?:i |')(?:je|j'|nous|on|il|elle|tu)\b|^et si\b|\b(?:je|j'|nous|on) ?\w+(?:rais|rions|rait)\b|\b(?:supposons|suppose|imagine|imaginons|imaginez|disons que|admettons|par exemple|p\. ?ex\.|peut-être|éventuellement|il se peut|si seulement|je pense à|je songe à|j'envisage|j'hésite)\b",
        )
    ),
    one_off=any_of(
        (
            r"\b(?:juste |seulement )?(?:pour )?cette (?:fois|réponse|question|tâche)\b|\bcette fois(?:-ci)?\b|\b(?:dans|pour) c(?:ette|e) (?:réponse|message|question|cas|tâche|mail)\b|\bpour (?:l'instant|le moment|aujourd'hui)\b|\bprovisoirement\b|\btemporairement\b|\ben ce moment\b|\bexceptionnellement\b",
            r"\b(?:première|deuxième|seconde|troisième|dernière|autre) (?:version|option|proposition|variante)\b|^(?:je voudrais|j'aimerais|je veux|il me faut) (?:une?|voir|savoir)\b",
        )
    ),
    reported=any_of(
        (
            r"\b(?!je\b|j'|nous\b)\w+ (?:(?:m'|nous |a |me |toujours )*)(?:dit|dis|disent|pense|pensent|croit|croient|affirme|affirment|prétend|écrit|raconte|racontent|estime|trouve que|a demandé)\b(?<!\bje dis)(?<!\bje pense)(?<!\bj'écris)",
            r"\b(?:il paraît|paraît-il|apparemment|selon|d'après|on dit que|soi-disant|j'ai entendu|j'ai lu|il semble)\b",
        )
    ),
    passing=any_of(
        (
            r"\b(?:erreurs?|exception|plantage|plante|planté|cassée?|bug|bugs|échoue|échec|bloquée?|timeout|404|500|en panne|(?:ne|n') ?(?:marche|fonctionne|charge|s'ouvre|démarre|répond|compile|s'affiche)|(?:peux|arrive) (?:pas|plus) (?:à )?(?:trouver|ouvrir|voir|installer|me connecter))\b",
            r"\b(?:aujourd'hui|ce (?:matin|soir)|cet après-midi|en ce moment|hier|cette semaine|tout de suite)\b|\b(?:un peu|très|trop|si) (?:fatigu|malade|perdu|occupé|stress|content|triste)\w*"
            r"|\b(?:est|sont|était|étaient|suis) (?:tout |très |trop |vraiment |super |si )*(?:génia|super\b|bien\b|bonn?e?s?\b|cool|beau|belle|nul|excité|content|parfait|incroyable|sympa|dure?\b|difficile|magnifique|formidable|conscient|ravi|heureu|inqui|étonné|curieu)\w*",
        )
    ),
    polite=any_of((r"^(?:s'il te plaît,? )?(?:peux-tu|tu peux|pourrais-tu|tu pourrais) (?:te souvenir|retenir|noter) (?:que|qu')",)),
    first_person=any_of((r"\b(?:je|j'|mon|ma|mes|moi|me|m')",)),
    speaker=any_of((r"\b(?:je|nous|on|mon|ma|mes|notre|nos|chez nous)\b|\bj'",)),
    told=any_of(
        (
            r"(?:le|la|les|l'|tous les|toutes les|chaque) ?[\wàâéèêëîïôûç' -]{2,50} (?:est|sont) (?:écrit|construit|hébergé|déployé|géré|stocké|conservé|maintenu|développé|publié|interdit|validé|approuvé|situé|basé|facturé)\w*",
            r"(?:la personne qui|celui qui|celle qui) .* (?:est|c'est)\b|(?:tous les|toutes les|chaque) [\wàâéèêëîïôûç' -]{2,50} (?:doit|doivent|nécessite|nécessitent|va|vont|demande)\b",
        )
    ),
    fleeting=any_of(
        (
            r"\b(?:tu|toi|ton|ta|tes|te|vous|votre|vos|ça|cela|ceci|cet|cette|ces|il|elle|ils|elles|ici|là|merci|exemple|pardon|peut-être|vais|allons|va|viens|aimerais|voudrais|moment)\b|\b(?:c'était|t')",
            r"\b(?:je|on|nous|j') ?(?:(?:ne|n'|me|m'|le|la|les|y|en) ?)*(?:pense|crois|sais|vois|veux|peux|peut|dois|doit|dirais|comprends|trouve|essaie|essaye|cherche|demande|suppose|imagine|espère|reçois|obtiens|remercie"
            r"|souhaite|lance|ouvre|clique|tape|appelle|ajoute|modifie|supprime|envoie|copie|colle|installe|importe|exécute|mets|dis|dit|parle|rappelle|souviens|oublie|attends|entends|sens|doute|regarde|teste|vérifie|précise|pourrait"
            r"|fait semblant|pouvons|voulons|savons|voyons)\b",
            r"\b(?:j'ai|nous avons|on a|je suis|nous sommes|on est) (?:\w+ )?[\wàâéèêëîïôûç]+(?:é|ée|és|ées|i|is|it|u|us|ert)\b(?!.*(?:l'an dernier|l'année dernière|depuis|il y a|en \d{4}))(?<!grandi)(?<!allergique)",
            r"\b(?:questions?|problèmes?|fonctions?|listes?|fichiers?|scripts?|tableaux?|méthodes?|boucles?|colonnes?|lignes?|variables?|csv|json|pages?|formulaires?|paragraphes?|idée|doutes?|brouillon|bouton|sortie|entrée"
            r"|avertissements?|étape|code|avis|partie|raison|tort|besoin|envie|hâte|faim|erreur|encore|génial|super)\b",
        )
    ),
    attributes=(
        ("name", any_of((r"je m'appelle|mon (?:pré)?nom est|appelle-moi|moi,? c'est",))),
        ("home", any_of((r"j'habite|je vis (?:à|en|au)|nous (?:habitons|vivons)|(?:j'ai|nous avons|on a) (?:dé|em)ménagé",))),
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
    subject=any_of((r"(?:le|la|les|l'|notre|nos)?\s*(?P<subject>.+?)\s+(?:est|sont|se|s'|a|utilise|tourne)\b",)),
)
