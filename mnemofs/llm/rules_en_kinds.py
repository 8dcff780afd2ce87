"""English for the rules engine: how lasting statements are worded."""

from __future__ import annotations

import re

from mnemofs.llm.rules_grammar import Kind, any_of

_RELATIVE = (
    r"(?:wife|husband|partner|spouse|boyfriend|girlfriend|fianc[eé]e?|mother|mom|mum|father|dad"
    r"|parents?|sister|brother|siblings?|son|daughter|kids?|child|children|baby|twins?|grand\w+"
    r"|aunt|uncle|cousin|niece|nephew|in-laws|dog|cat|pet|horse|rabbit|parrot|best friend|flatmate"
    r"|roommate|neighbou?r|boss|manager|colleague|co-?worker|assistant|doctor|therapist|landlord)s?"
)
_OWN = (
    r"(?:name|nickname|surname|birthday|birth date|time ?zone|e-?mail(?: address)?|address|phone"
    r"|employer|company|team|job|role|position|title|hometown|home town|native language|husky"
    r"|mother tongue|first language|pronouns|height|weight|shoe size|blood type|diet|religion"
    r"|editor|ide|shell|laptop|computer|desktop|phone|car|bike|keyboard|operating system|os|browser"
    r"|username|handle|github|office|apartment|flat|house|school|university|hobby|hobbies"
    r"|field|specialty|background|workflow|setup|budget|goal|allergy|allergies)"
)
_STATES = (
    r"(?:vegetarian|vegan|pescatarian|diabetic|celiac|coeliac|asthmatic|dyslexic|autistic|deaf"
    r"|blind"
    r"|colou?r-?blind|left-handed|right-handed|lactose.intolerant|allergic|intolerant|pregnant"
    r"|married|divorced|single|widowed|retired|self-employed|unemployed|freelanc\w+|bilingual"
    r"|trilingual|fluent|jewish|muslim|christian|buddhist|hindu|atheist|kosher|halal"
    r"|\w+(?:ese|ish)|norwegian|german|canadian|australian|american|italian|indian|korean|russian"
    r"|brazilian|mexican|austrian|belgian|hungarian|ukrainian|greek|french|dutch|swiss)"
)
_NOT_A_ROLE = (
    r"(?!(?:bit|little|lot|fan|huge|big|few|couple|mess|idiot|fool|moment|hurry|rush|loss|step"
    r"|while|good mood|bad mood|position|situation|pirate|robot|human)\b)"
)
_VAGUE = (
    r"(?!(?:it|this|that|these|those|them|him|her|he|she|they|your|you|the (?:idea|answer|way you"
    r"|first|second|third|last|new|old|other|one|ones|look|sound|latter|former|version|result)"
    r"|option|a (?:table|list|summary|copy)|what|how|where|when|both|there|their|either"
    r"|to (?:see|know|ask"
    r"|hear|get|have|try|make|add|use|change|check|learn|understand|find|go|be able)|to$)\b)"
    r"(?![^,;.–-]{0,60}\b(?:it|these|those|this|him|them|their|there)\b)"
)
_OFTEN = r"(?:usually|always|never|normally|typically|generally|mostly|often|rarely|only|tend to)"
_BASE = (
    r"(?:use|write|answer|reply|respond|ask|check|include|add|put|keep|start|end|call|address"
    r"|format|give|show|explain|commit|push|test|cite|speak|send|save|avoid|say|begin|convert"
    r"|round|sort|delete|touch|schedule|book|order|suggest|recommend|quote|mention|make|do"
    r"|read|follow|prefix|sign|translate|deploy|merge|rebase|propose|work|stick|leave|change"
    r"|apologi[sz]e|assume|skip|edit|confirm|provide|wrap|list|run|talk|treat|refer|spell"
    r"|name|type|document|review|link|attach|number|capitali[sz]e|indent|log|prefer)\b(?! (?:up"
    r"|know|a chance)\b)"
)
_DAY = (
    r"(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next \w+"
    r"|the end of (?:the )?\w+|end of \w+|noon|midnight|eod|eow|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct"
    r"|nov|dec|the \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th|[./:-]\d+)|\d{4}-\d\d-\d\d"
    r"|\d{1,2} ?(?:am|pm|o'clock)|this (?:week|month|evening|afternoon|weekend))"
)
_DONE = (
    r"(?:finished|shipped|released|launched|completed|signed|booked|submitted|graduated|passed"
    r"|published|merged|deployed|handed in|sent|closed|bought|ordered|met|visited|fixed|started"
    r"|won|got|received|delivered|presented|migrated|moved|hired|called|paid|renewed|filed|wrote)"
)
# What someone does or wants right now, and past forms that do not end in -ed.
_NOT_A_HABIT = (
    r"(?!(?:think|guess|believe|suppose|know|see|mean|want|need|hope|wish|wonder|feel|understand"
    r"|find|look|try|get|ask|say"
    r"|tell|agree|disagree|appreciate|thank|promise|swear|bet|doubt|remember|forget|recall"
    r"|notice|hear|mention|apologi[sz]e|do"
    r"|run|click|press|type|open|call|import|install|execute|compile|push|pull|commit|add|set"
    r"|put|define|pass|declare|create"
    r"|change|remove|delete|update|return|expect|plan|intend|refer|wait|send|post|paste|upload"
    r"|download|copy|start|stop|begin|give|check"
    r"|let|seem|happen|realize|realise|assume|imagine|consider|request|show|apply|attach|select"
    r"|choose|switch|replace|figure|end up"
    r"|will|would|can|could|shall|should|may|might|must|am|was|were|had|did|don't|didn't|won't"
    r"|can't|couldn't|wouldn't|haven't|ran|got"
    r"|made|took|saw|found|wrote|said|told|thought|knew|went|came|left|lost|met|paid|sent|spent"
    r"|began|broke|brought|built|chose|felt"
    r"|bought|sold|taught|caught|grew|drew|wore|ate|drank|slept|drove|rode|fell|flew|threw|sang"
    r"|swam|sat|led|fed|hid|hurt|hit|wanna|gonna|gotta|forgot|gave|heard|held|kept|meant|spoke"
    r"|stood|understood|won|just|then|first|already|even|too|really|actually|also"
    r"|\w+ed|\w+ly|'\w+)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:questions?|problems?|issues?|functions?|lists?|files?|scripts?|tables?"
    r"|data ?frames?|class(?:es)?|methods?|loops?|strings?"
    r"|arrays?|quer(?:y|ies)|columns?|rows?|variables?|csv|json|regex|pages?|forms?|images?"
    r"|paragraphs?|essays?|idea|doubts?|hunch"
    r"|headache|cold|fever|minute|moment|second|draft|buttons?|outputs?|inputs?|warnings?"
    r"|messages?|overloads?|examples?|snippets?"
    r"|feeling|time|chance|look|sense|point|fun|clue|guess|as you can see|this|these|that one"
    r"|those|it|them)\b)"
)

KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "instruction",
        any_of(
            (
                rf"(?:please )?(?:always|never|don't ever|do not ever) {_BASE}",
                r"(?:please )?(?:don't|do not) (?:ever )?(?:call me|use (?:emojis?|jargon"
                r"|slang|exclamation"
                r"|abbreviations|smileys)|apologi[sz]e|start (?:your|every|with)|end (?:your"
                r"|every|with))",
                r"(?:please )?stop (?:apologi[sz]ing|using|adding|calling|saying|starting"
                r"|ending|asking|writing"
                r"|repeating|suggesting|giving)\b",
                r".*\b(?:from now on|from here on|going forward|henceforth|in (?:all|every) "
                r"(?:your |future )?(?:answers?|repl(?:y|ies)|responses?|messages?"
                r"|conversations?))\b",
                r"(?:whenever|every time|each time|any time|anytime) (?:you|i"
                rf"|we) [^,]+, (?:please )?(?:always |never |don't )?{_BASE}",
                rf"(?:when|if) you [^,]+, (?:please )?(?:always |never |don't )?{_BASE}",
                r"(?:please,? )?no [\w' -]{2,30} in (?:texts?|e?-?mails?|messages?|repl\w+"
                r"|answers?|code|documents?|anything|posts?|articles?|recipes?"
                r"|commit messages?)\b",
                rf"(?:please )?{_BASE} .*\bin (?:all|every|any) [\w -]+$",
                r".*, (?:so )?(?:please )?(?:keep|be) (?:\w+ing|direct|brief|concise"
                r"|explicit|honest|strict|patient)\b",
                r"(?:please )?avoid (?:\w+ ){1,6}when(?:ever)? you\b",
                rf"(?:please )?{_BASE}.*\b(?:when(?:ever)? you (?!can\b|get\b|have\b|are\b"
                r"|want\b|feel\b|need\b|like\b|try\b)|in everything|every time|each time"
                r"|by default"
                r"|at all times|for (?:all|every))\b",
                r"(?:please )?keep (?:your|all|the|any)? ?(?:answers|replies|responses"
                r"|explanations|messages"
                r"|summaries|comments|commits|emails) ",
                r"(?:you should|i want you to|i'd like you to|i need you to"
                r"|you must) (?:always|never)\b",
                r"(?:use|write|speak|prefer) (?:only )?(?:british|american|metric|imperial"
                r"|uk|us|simple|plain)\b",
            )
        ),
    ),
    (
        "decision",
        any_of(
            (
                r"(?:we|i)(?:'ve| have|'re| are)?(?: just| now| all| finally"
                r"| both)? (?:decided|agreed|chose|chosen"
                r"|settled|opted|committed|concluded|resolved|standardi[sz](?:ed"
                r"|ing))\b(?! (?:what|whether|if|how|them|it|this)\b)"
                r"(?!(?:(?![,;]|\b(?:because|since|so)\b).)*\b(?:this|these|those|it|them)\b)",
                r"(?:we|i)(?:'re| are|'ll| will|'m| am)? (?:going|go|sticking"
                r"|stick) with " + _VAGUE,
                r"(?:we|i)(?:'re| are|'m| am) (?:moving|switching|migrating|replacing) .*"
                r"\b(?:to|in|with|instead|for)\b",
                r"(?:the |our )?(?:final )?decision(?: is|:)|it(?:'s| is| was) (?:decided"
                r"|settled|agreed)",
                r"(?:the )?(?:team|board|we all) (?:decided|agreed|voted|chose)\b",
                r"the (?:rule|convention|policy|agreement|plan) (?:is|here is)\b",
            )
        ),
    ),
    (
        "todo",
        any_of(
            (
                r"(?:please )?remind me\b|todo\b|to-do\b|(?:remember|don't forget"
                r"|do not forget) to\b",
                r"(?:i|we)(?:'ve| have|'ll| will)? (?:still )?(?:need to|have to|must|should"
                r"|got to|ought to|gotta|want to|have an? (?:\w+ ){0,2}(?:appointment"
                r"|meeting|call|exam|interview|flight|deadline|test))"
                rf"\b.*\b(?:by|before|until|on|at|due|this|in)? ?{_DAY}\b",
                r"(?:the |my |our )?[\w' -]+ (?:is|are) due\b.*",
                r"(?:the |my |our |a )?[\w' -]+ (?:comes?|arrives?|visits?) (?:on "
                rf"|at )?{_DAY}",
                r"(?:the |my |our )?(?:deadline|appointment|meeting|flight|interview|exam"
                r"|call|demo|train)\b.*"
                rf"\b(?:is|are)\b.*{_DAY}",
            )
        ),
    ),
    (
        "event",
        any_of(
            (
                r"(?:today|yesterday|this morning|last (?:night|week)|just now"
                rf"|on \w+day),? (?:i|we) (?:just )?{_DONE}\b",
                rf"(?:i|we)(?:'ve| have)?(?: just| finally)? {_DONE}\b.*\b(?:today|yesterday"
                r"|this (?:morning|week"
                r"|afternoon)|last (?:night|week)|just now|an hour ago)\b",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                rf"my (?:\w+ )?{_OWN}(?: (?!is\b|are\b)\w+){{0,3}} ?(?:is|are|'s|has|runs?"
                r"|uses?)\b(?! (?:broken|wrong|not working))",
                r"my (?:name's|name is)\b|call me (?!when|if|later|back|tomorrow|crazy)"
                r"|(?:i go by|people call me|everyone calls me)\b",
                r"my (?:(?:older|younger|elder|little|big|late|ex|new|two"
                rf"|three) )*{_RELATIVE}(?: \w+){{0,2}}? "
                r"(?:is|are|'s|lives?|works?|has|have|speaks?|uses?|loves?|hates?|prefers?"
                r"|was|were|studies|plays?"
                r"|goes|can't|cannot|doesn't|needs?|turned|died|moved)\b(?! \w+ing\b(?! in"
                r"| at| for))",
                rf"i(?:'m| am)(?: \w+ly)? an? {_NOT_A_ROLE}(?:[\w/-]+ ){{0,3}}[\w/-]+",
                r"i(?:'m| am) (?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?(?:$|[,.]| and\b"
                r"| from\b)",
                r"i(?:'m| am)(?: (?:also|both|still|strictly|mildly|severely|completely"
                rf"|\d+%))? (?:not )?{_STATES}\b",
                r"i(?:'m| am) (?:originally |mainly |currently |now )?(?:from|based in"
                r"|living in|located in|working (?:at|for|as|in)"
                r"|employed|studying|at (?=(?-i:[A-Z]))|\d{1,2} years old|in charge of"
                r"|responsible for|the (?:\w+ ){1,4}(?:of|at|for|here))",
                r"(?:i|we)(?:'ve| have)?(?: just| recently| now| only)? (?:moved"
                r"|relocated) (?:to|into|from|back)\b",
                r"(?:i|we)(?: now| currently| both)? (?:live|reside) (?:in|at|on|near|with"
                r"|together|now)\b",
                r"i(?: now| currently| mainly| mostly)? (?:work|study|teach|play|own|drive"
                r"|collect|volunteer|speak|grew up"
                r"|practi[cs]e|breed|grow|coach|sing|dance|paint|freelance|commute|ride|race"
                r"|garden|knit)\b"
                r"(?! (?:through|around|it|that|this|the (?:game|video|file)|on it|out"
                r"|with it))",
                r"i was born\b|i(?:'ve| have) (?:been )?(?:a |an )?(?:diabetes|asthma|adhd"
                r"|allerg\w+|dyslexia|celiac)",
                r"(?:i|we)(?:'ve| have| have got|'ve got| own| keep) (?:a|an|two|three|four"
                r"|five|\d+|no|one|twin) "
                rf"(?:\w+ ){{0,3}}?(?:{_RELATIVE}|allerg(?:y|ies)|garden|car|house|flat|farm"
                r"|phd|degree|ducks|hens|bees)\b",
                r"i (?:can't|cannot|can not|must not|may not|don't|do not) (?:eat|drink|hear"
                r"|see colou?rs|tolerate|digest"
                r"|drive|swim|fly|smoke)\b",
                rf"i {_OFTEN} (?!get|see|end|go there|go here|do (?:it|that)|turn to|dream"
                r"|have to|thought|wondered|knew|seen|heard|had|got|want(?:ed)?|mind|said|did"
                r"|happen|works?|need|receive|run into)\w+",
                r"i (?:run|walk|swim|cycle|train|go) .*\b(?:every|each|on \w+days?|times a"
                r"|once a|twice a|daily|in the (?:mornings?|evenings?))",
                r"i (?:don't|do not) (?:work|read|eat|drink|do|take|have|use|answer|check"
                r"|own|speak|drive|fly)\b"
                r".*(?:\bon \w+days?\b|\bany\b|\bat all\b|\bat (?:night|weekends?)"
                r"|\bafter \d|\bbefore \d|\bmeat|\balcohol|\bcoffee)",
            )
        ),
    ),
    (
        "preference",
        any_of(
            (
                r"i(?:'d| would)?(?: really| much| strongly| generally| usually| always"
                r"| still| definitely| personally"
                r"| particularly| absolutely| also| just)* (?:prefer|love|like|enjoy|hate"
                rf"|dislike|favou?r|adore|detest|despise|loathe) {_VAGUE}"
                r"(?<!i'd like )(?<!i would like )(?<!i'd love )(?<!i would love )",
                r"i (?:really |just |usually )?(?:don't|do not|didn't) (?:really |much "
                rf"|particularly )?(?:like|enjoy|love|want to be|care for|trust) {_VAGUE}",
                rf"i (?:can't|cannot|could not) stand {_VAGUE}",
                rf"i(?:'d| would) rather (?:have|get|use|not|read|see|be|work|you) {_VAGUE}",
                r"my (?:all-time |absolute )?favou?rite\b(?! part of (?:this|that))|.+ (?:is"
                r"|are) my (?:absolute )?favou?rites?\b",
                r"i(?:'m| am)(?: not| really| very| more| also)*(?: of)? (?:a )?(?:big "
                r"|huge |great )?(?:(?:fan|lover) of|into|fond of"
                rf"|passionate about|crazy about|keen on|interested in|partial to) {_VAGUE}",
                r"i(?:'m| am) (?:more of )?an? \w+ person\b|.+ works? best for me\b"
                r"|.+ suits? me best\b",
                r"i (?:like|prefer) (?:my|all|every|answers|replies|code)\b",
            )
        ),
    ),
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
                r"|website|site|service|client|customer|library|cli|domain|pipeline|standup"
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
                rf"|rebase|review|have (?:two|three|\d+|no)) {_VAGUE}",
                r"at (?:work|our company|the office) we\b",
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
                rf"|regularly))? {_NOT_A_HABIT}[a-z]+ "
                rf"(?!(?:the|that|to|you|your|my|so|if|like)\b){_OF_THE_MOMENT}",
                r"i(?:'ve| have) been \w+ing\b.*\b(?:since|for)\b|i(?:'m"
                r"| am) (?:still )?(?:learning|training|studying|raising|writing a"
                rf"|recovering|taking (?:classes|lessons))\b{_OF_THE_MOMENT}",
                r"(?:i|we) (?!need|want|think|see|get|can|call)\w+ .*\b(?:now|these days"
                rf"|nowadays)(?:$|[,.!]){_OF_THE_MOMENT}",
                r"my (?!code|script|question|problem|issue|error|build|test|page|screen|app"
                r"|function|query|guess|bad|mistake"
                r"|understanding|point|idea|plan|next|last|first|request|message|previous"
                r"|current|output|input|result|terminal|cursor"
                r"|file|essay|text|draft|paragraph|life|day|week|thoughts?|opinion|apolog"
                r"|pleasure|turn|computer|laptop|browser|ide\b|wifi)"
                rf"[\w-]+(?: [\w-]+){{0,4}}? (?:is|are|has|have|lives?|starts?|ends?|runs?"
                r"|comes|goes|needs?|works?|prefers?|takes?"
                rf"|expires?|begins?|means|speaks?){_OF_THE_MOMENT}\b(?! \w+ing\b)",
                r"(?!it\b|it's|that|this|these|those|which|what|there|you|which|he\b|she\b"
                r"|they\b)[\w' -]{3,40} (?:is|are|tastes?|smells?|makes? me|gives? me"
                r"|works?|hurts?|doesn't|don't|feels?) ?(?!good|fine|ok|great).*\b(?:for|to"
                r"|with|on) me\b",
                r"(?!it\b|that|this|these|which|you)[\w' -]{3,30} (?:gives|makes) me .*",
            )
        ),
    ),
)
