"""English for the rules engine: how work, things and circumstances are described."""

from __future__ import annotations

import re

from mnemofs.llm.rules_en_words import (
    NOT_A_HABIT,
    OF_THE_MOMENT,
    VAGUE,
)
from mnemofs.llm.rules_grammar import Kind, any_of

SETUP: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "reference",
        any_of(
            (
                r"(?:(?:the|our|my|all|that) )?[\w' -]{3,50}(?:docs?|documentation|wiki"
                r"|runbook|dashboard|spec|specs|repo|repository"
                r"|board|tracker|sheet|spreadsheet|folder|channel|playbook|handbook|guide"
                r"|diagram|design|logs?|designs|files|notes"
                r"|decisions|backups?|tickets|minutes|slides|recordings|template|templates"
                r"|assets) "
                r"(?:lives?|is|are|sits?|can be found|is kept|are kept|is stored|are stored"
                r"|go|goes) (?:at|in|on|under|here|stored|kept|found)\b",
                r"[\w' -]{3,40} (?:go|goes|are posted|is posted|belongs?|are kept|are sent"
                r"|is sent|get posted) (?:to|in|into|from|on) (?:the |our |a )?.*"
                r"(?:channel|folder|board|wiki|repo\w*|drive|bucket|mailbox|inbox|list"
                r"|directory|server|drawer|shelf|cabinet)\b",
                r"we (?:keep|store|put|document|track|host|log|collect) .+ (?:in|at|on|under"
                r"|with) ",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?!the way\b)(?:the|our|my) (?:[\w'-]+ ){0,3}?(?:project|product|app"
                r"|company|team|repo|repository|stack|backend|frontend|back-end"
                r"|front-end|database|codebase|api|code ?name|deadline|budget|release|sprint"
                r"|office|staging|production|server|cluster"
                r"|website|site|service|client|customer|library|cli|ci|cdn|vpn|domain|pipeline"
                r"|standup"
                r"|stand-up|retro|release train|platform"
                r"|pull requests?|merge requests?|prs?|tests?|builds?|branch|monorepo"
                r"|migrations?|deployments?|convention|style guide)"
                r"(?:'s [\w -]+?)?(?: [\w-]+){0,4}? (?:is|are|uses?|runs?|lives?|has|have"
                r"|needs?|requires?|must|targets?|supports?|stays?|ships?|starts?|happens?"
                r"|takes place|goes|consists|depends|follows?)\b",
                r"we(?:'re| are)? (?:all |also |only |always |never |currently |still "
                r"|mainly )*(?:use|using|run|running|deploy|host|hosting|store|ship|follow"
                r"|meet|work with|build|"
                r"push(?! each| oursel| through| on\b)|merge|release|write|code|test"
                r"|develop|maintain|target|support(?! each)|sell|serve|require|squash"
                rf"|rebase|review|have (?:two|three|\d+|no)) {VAGUE}",
                r"at (?:work|our company|the office) we\b",
                r"(?:the|our|my) (?:client|customer|boss|board|editor|publisher|landlord|school"
                r"|agency"
                r"|auditor)s? (?:always |only )?(?:wants?|expects?|prefers?|insists?|likes?|hates?)"
                r" (?!it\b|this\b|that\b|these\b|to (?:know|see|hear|meet|talk)\b|us\b|me\b|you\b)",
                r"(?!it\b|this\b|that\b|these\b|which\b|what\b|he\b|she\b"
                r"|they\b)[\w' -]{2,40} (?:is|are)"
                r" (?:handled|managed|run|owned|led|coordinated|reviewed|approved|looked after"
                r"|done) by"
                r" (?-i:[A-Z])\w+(?:$|[ ,.])",
                r"(?!it\b|this\b|that\b|he\b|she\b|who\b)[\w' -]{2,40} (?:belongs? to|reports? to"
                r"|looks after|takes care of|is in charge of|is responsible for) (?:(?-i:[A-Z])"
                r"|our\b|us\b)",
                r"(?!it\b|this\b|that\b|these\b|they\b|you\b|he\b|she\b|there\b|i\b|we\b"
                r"|life\b)[\w' -]{3,40}"
                r" (?:is|are) (?:always|never|only) (?!so\b|too\b|been\b|going\b|gonna\b|trying\b"
                r"|(?:a|an|such|there|fun|great|good|nice|like|worth|welcome|right|my|your)\b)",
                r"(?!it\b|th[aeio]|he\b|she\b|you\b|i\b|we\b|there\b)[\w' -]{3,40} (?:is"
                r"|are) \w+(?:ed|en|id|pt"
                r"|nt|ught) (?:nightly|daily|weekly|monthly|quarterly|yearly|annually|every|each"
                r"|twice|once an?"
                r"|automatically|manually|by default)\b",
                r"(?!it\b|th[aeio]|he\b|she\b|you\b|i\b|we\b|there\b)[\w' -]{3,40} (?:is"
                r"|are) (?:enforced|done|kept"
                r"|stored|cached|logged|tracked|built|hosted|deployed|managed|linted|tested|served"
                r"|documented"
                r"|archived|monitored|formatted|packaged) (?:in|by|with|on|to|through|via|using"
                r"|as) (?-i:[A-Z])",
                r"(?!the\b|it\b|this\b|that\b|these\b|he\b|she\b|my\b|your\b|an?\b|i\b"
                r"|what\b)[\w' -]{4,40}"
                r" (?:(?:happens?|takes? place|goes? out|ships?|closes?|opens?|starts?|ends?"
                r"|renews?"
                r"|rotates?|runs?) (?:on \w+days?|every|each|nightly|daily|weekly|monthly"
                r"|quarterly|yearly"
                r"|automatically|once an?|twice an?)|(?:happens?"
                r"|takes? place) in (?-i:[A-Z])\w*)\b",
                r"(?:nothing|no [\w-]+(?: [\w-]+)?) (?:gets?|is|are|goes?|may be|leaves?"
                r"|ships?) (?:\w+ ){0,3}?"
                r"(?:without|until|before|unless) ",
                r"the \w+ (?:requires?|demands?|insists on) (?:everything|us to|all (?:documents"
                r"|reports"
                r"|invoices|staff|texts))\b",
                r"(?-i:[A-Z])[\w-]+ (?:(?-i:[A-Z])[\w-]+ )?(?:runs|leads|heads|manages|owns"
                r"|handles|does|keeps"
                r"|maintains|supervises) (?:our|my)\b",
                r"(?!it\b|th[aeio]|there\b|what\b|i\b|you\b)[\w' -]{3,40} (?:is|are|uses?|must"
                r"|goes?|has|have|gets?)"
                r" .*\bin (?:our (?:code|codebase|project|team|repo|company|house|office)"
                r"|this (?:project"
                r"|codebase|repo))[.!]*$",
                r"(?:the|my|our) [\w' -]{3,30} (?:comes?|visits?|stays?|calls?|meets?) (?:over "
                r"|round |by )?(?:every"
                r"|each|on) \w+days?\b",
                r"i (?:expect|want|need) [\w ]{3,30} for (?:every|each|all) \w+",
                r"(?!\w+ing\b|one of|some of|most of|the (?:best|worst|end"
                r"|rest))[\w' -]{3,40} (?:in|of|for) our [\w' -]{3,30} (?:is|are|must|has|have"
                r"|goes?)\b(?! \w+ing\b)",
                r"(?:all|every|each) [\w' -]{2,40} (?:must|has to|have to|needs? to|is to|are to)"
                r" (?:be|use|have|go|start|end|include|follow|pass|carry)\b",
                r"(?:all |each |every |most )?(?:of )?our [\w' -]{3,50} (?:is|are|has|have"
                r"|uses?|runs?|lives?|needs?|starts?|ends?|goes|go|takes? place"
                r"|closes?|opens?|pays?|sells?|comes?|costs?|consists?|expires?|meets?"
                r"|works?|speaks?)\b(?! \w+ing\b(?! in| at| for| on))(?!.*\b(?:it|this"
                r"|these)\b)",
                r"(?:the|each|every) (?:\w+ ){0,2}?(?:plan|tier|licen[cs]e|account"
                r"|subscription|contract|policy|limit|quota|rate|price|fee|warranty|sla"
                r"|office|shop"
                r"|store|warehouse|school|clinic|lab|newsletter|report|backup"
                r"|invoice)s? (?:is|are|has|have|costs?|includes?|allows?|closes?|opens?"
                r"|runs?|ends?|starts?|goes)\b",
                r"(?:customers?|users?|clients?|students|patients|members|employees|guests"
                r"|invoices?|orders?|payments?|backups?|release notes|releases|tickets) "
                r"(?:is|are|must|may|can|cannot|can't|always|never|get|pay|have|need|go"
                r"|goes)\b",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                r"i(?: (?:also|still|usually|currently|now|mostly|mainly|only"
                rf"|regularly))? {NOT_A_HABIT}[a-z]+ "
                rf"(?!(?:the|that|to|you|your|my|so|if|like)\b){OF_THE_MOMENT}",
                r"i(?:'ve| have) been \w+ing\b.*\b(?:since|for)\b|i(?:'m"
                r"| am) (?:still )?(?:learning|training|studying|raising|writing a"
                rf"|recovering|taking (?:classes|lessons))\b{OF_THE_MOMENT}",
                r"(?:i|we) (?!need|want|think|see|get|can|call)\w+ .*\b(?:now|these days"
                rf"|nowadays)(?:$|[,.!]){OF_THE_MOMENT}",
                r"my (?!code|script|question|problem|issue|error|build|test|page|screen|app"
                r"|function|query|guess|bad|mistake"
                r"|understanding|point|idea|plan|next|last|first|request|message|previous"
                r"|current|output|input|result|terminal|cursor"
                r"|file|essay|text|draft|paragraph|life|day|week|thoughts?|opinion|apolog"
                r"|pleasure|turn|computer|laptop|browser|ide\b|wifi)"
                rf"[\w-]+(?: [\w-]+){{0,4}}? (?:is|are|has|have|lives?|starts?|ends?|runs?"
                r"|comes|goes|needs?|works?|prefers?|takes?"
                rf"|expires?|begins?|means|speaks?){OF_THE_MOMENT}\b(?! \w+ing\b)",
                r"(?!it\b|it's|that|this|these|those|which|what|there|you|which|he\b|she\b"
                r"|they\b)[\w' -]{3,40} (?:is|are|tastes?|smells?|makes? me|gives? me"
                r"|works?|hurts?|doesn't|don't|feels?) ?(?!good|fine|ok|great).*\b(?:for|to"
                r"|with|on) me\b",
                r"(?!it\b|th[aeio]|which|you|we\b|i\b|his|her|\w+ing\b|everything"
                r"|something)(?!.*\b(?:motivated"
                r"|going|thankful|grateful|appreciate|happy|smile|feel|proud|strength|peace|joy"
                r"|hope)\b)"
                r"[\w' -]{3,30} (?:(?:gives?|makes?|keeps?) me"
                r"|(?:triggers?|upsets?|worsens?) my) .*",
                r"(?!it\b|th[aeio]|which|you|we\b|i\b|he\b|she\b|something|everything|nothing"
                r"|what)[\w' -]{3,30}"
                r" (?:hits?|bothers?|hurts?|drains?|exhausts?|scares?|bores?|annoys?|irritates?"
                r"|relaxes?"
                r"|calms?|overwhelms?|stresses?|loses?|tires?|terrif(?:y|ies)|frightens?|disgusts?"
                r"|fascinates?) me\b",
                r"an? [\w' -]{2,30} (?:tells?|helps?|gives?) me (?:more|better|most)\b",
                r"(?!it\b|that|this|the (?:problem|issue|question|point|thing|best"
                r"|main))[\w' -]{3,30} for me"
                r" (?:is|means|are) (?!a (?:problem|question|mystery)|not\b|still\b|how\b|to\b"
                r"|that\b)",
                r"(?!it\b|that|this|these|here|there|which)[\w' -]{3,40} (?:is|are) (?:(?:when"
                r"|where) (?:i"
                r"|we)|(?:what|how) i) (?!am|was|were|got|stopped|want|need|left|mean|said|meant"
                r"|think|saw)\w+",
            )
        ),
    ),
)
