"""English for the rules engine."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import Grammar, any_of

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
    r"(?:vegetarian|vegan|pescatarian|diabetic|celiac|coeliac|asthmatic|dyslexic|autistic|deaf|blind"
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
    r"|option|a (?:table|list|summary|copy)|what|how|where|when|both|there|their|either|to (?:see|know|ask"
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
    r"|name|type|document|review|link|attach|number|capitali[sz]e|indent|log|prefer)\b(?! (?:up|know|a chance)\b)"
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

_MOMENTARY = (
    r"think|guess|believe|suppose|know|see|mean|want|need|hope|wish|wonder|feel|understand|find|look|try|get|ask|say|tell|agree|disagree|appreciate|thank|promise"
    r"|swear|bet|doubt|remember|forget|recall|notice|hear|mention|apologi[sz]e|do|run|click|press|open|call|import|install|execute|compile|push|pull|commit|add|set"
    r"|put|define|pass|declare|create|change|remove|delete|update|return|expect|plan|intend|refer|wait|post|paste|upload|download|copy|start|stop|begin|give|check|let"
    r"|seem|happen|reali[sz]e|assume|imagine|consider|request|show|apply|attach|select|choose|switch|replace|figure|end up|end|can|should|may|must|was|were|had|did|go|come|keep|make|care|miss|enjoy how"
)
# Verbs that say what someone does or wants right now, and past forms that the suffix -ed does not show.
_NOT_A_HABIT = (
    r"(?!(?:think|guess|believe|suppose|know|see|mean|want|need|hope|wish|wonder|feel|understand|find|look|try|get|ask|say"
    r"|tell|agree|disagree|appreciate|thank|promise|swear|bet|doubt|remember|forget|recall|notice|hear|mention|apologi[sz]e|do"
    r"|run|click|press|type|open|call|import|install|execute|compile|push|pull|commit|add|set|put|define|pass|declare|create"
    r"|change|remove|delete|update|return|expect|plan|intend|refer|wait|send|post|paste|upload|download|copy|start|stop|begin|give|check"
    r"|let|seem|happen|realize|realise|assume|imagine|consider|request|show|apply|attach|select|choose|switch|replace|figure|end up"
    r"|will|would|can|could|shall|should|may|might|must|am|was|were|had|did|don't|didn't|won't|can't|couldn't|wouldn't|haven't|ran|got"
    r"|made|took|saw|found|wrote|said|told|thought|knew|went|came|left|lost|met|paid|sent|spent|began|broke|brought|built|chose|felt"
    r"|bought|sold|taught|caught|grew|drew|wore|ate|drank|slept|drove|rode|fell|flew|threw|sang|swam|sat|led|fed|hid|hurt|hit|wanna|gonna|gotta|forgot|gave|heard|held|kept|meant|spoke|stood|understood|won|just|then|first|already|even|too|really|actually|also"
    r"|\w+ed|\w+ly|'\w+)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:questions?|problems?|issues?|functions?|lists?|files?|scripts?|tables?|data ?frames?|class(?:es)?|methods?|loops?|strings?"
    r"|arrays?|quer(?:y|ies)|columns?|rows?|variables?|csv|json|regex|pages?|forms?|images?|paragraphs?|essays?|idea|doubts?|hunch"
    r"|headache|cold|fever|minute|moment|second|draft|buttons?|outputs?|inputs?|warnings?|messages?|overloads?|examples?|snippets?"
    r"|feeling|time|chance|look|sense|point|fun|clue|guess|as you can see|this|these|that one|those|it|them)\b)"
)

GRAMMAR = Grammar(
    language="en",
    remember=any_of(
        (
            r"^(?:(?:please|pls|also|and|oh|so|ok(?:ay)?|well|now|just|hey|but|can you|could you|would you"
            r"|will you|you (?:should|must|can)|i(?:'d like| want| need) you to|let's|help me)[, ]+)*"
            r"(?:remember|memori[sz]e|keep (?:this |that |it )?in mind|bear (?:this |that |it )?in mind"
            r"|(?:make|take) (?:a )?(?:mental )?note(?: of (?:this|that))?|note(?: down)?|write (?:this |that )?down"
            r"|(?:don't|do not|never) forget|save (?:(?:this|that|it) )?(?:to|in|into) (?:your )?(?:long-term )?memory"
            r"|store (?:(?:this|that|it) )?(?:to|in|into) (?:your )?(?:long-term )?memory|jot (?:this |that )?down"
            r"|add (?:this |that )?to (?:your )?memory|put (?:this |that )?(?:in|into) (?:your )?(?:memory|notes))"
            r"(?: for (?:me|later|next time|the future|future reference))?(?: please)?"
            r"(?:(?: (?:this|these|the following|that|the fact that|down))?\s*(?:[:–—-]+|,(?=[^.]*\b(?:i|my|we|our|i'm|we're)\b))\s*|\s+(?:that|the fact that)\s+"
            r"|\s+(?=(?:i|i'm|we|we're|my|our|all)\b)|\s+(?=to \w+ .*\b(?:tomorrow|tonight|today|on|at|by|before|until|next)\b)|[.!]*$|\s+(?:this|that|it|the \w+)[.!]*$"
            r"|\s+(?:this|that)(?: for (?:later|next time|me))?[.!]*$|\s+(?=the [\w' -]+ (?:is|are|has|have|uses?|runs?|must|needs?|lives?|goes|starts?)\b))(?P<what>.*)",
            r"^(?:a )?(?:small |quick |little )?(?:note|reminder|heads-up)(?: to (?:self|you))?"
            r"(?: for (?:later|you|the future|next time))?\s*:\s*(?P<what2>.+)",
            r"^(?:for (?:future reference|the record|next time|later)|fyi|for your information)[,:]?\s+(?P<what3>.+)",
            r"^(?P<what4>.+?)[,;–—-]+\s*(?:so )?(?:please )?(?:remember|note|keep in mind|don't forget)"
            r"(?: (?:that|this|it))?[.!]*$",
        )
    ),
    keep_out=any_of(
        (
            r"\b(?:don't|do not|never|no need to|without|please not|shouldn't) (?:remember|memori[sz]\w+|sav(?:e|ing)"
            r"|stor(?:e|ing)|record(?:ing)?|not(?:e|ing)|keep(?:ing)?|log(?:ging)?|writ(?:e|ing))"
            r" (?:this|that|it|any|anything|what|the following|down)\b",
            r"\boff the record\b|\bbetween (?:you and me|us)\b|(?<!don't )(?<!do not )(?<!never )\bforget (?:i said|what i said|about that|this|that)\b",
            r"\bjust (?:kidding|joking)\b|\b(?:pretend|imagine|suppose|role-?play|in (?:the|this|my) "
            r"(?:story|novel|book|game|film|movie|dream|play|scene)|act as|you are a)\b",
        )
    ),
    filler=any_of(
        (
            r"(?:well|so|oh|ah|ok(?:ay)?|hi|hey|hello|btw|by the way|also|and|but|please|pls|actually|um|hmm)(?:[,.:;!–—-]+\s*|\s+)",
            r"(?:hi there|good (?:morning|evening|afternoon)|thanks(?: a lot)?|thank you|great|perfect|cool|yes|yeah|yep|no|nope|nah|right"
            r"|in fact|to be (?:clear|honest|precise)|just so you know|for your information|fyi|note|correction|update|sorry|wait|one more thing|another thing"
            r"|anyway|besides|additionally|as you know|for context|for what it's worth|finally|that works|change of plans?|important"
            r"|a bit about me|about me)[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:after|since|for|at|in|on|during|last|this|these) (?:(?!i\b|we\b)[\w'-]+ ){0,6}[\w'-]+, ",
            r"after (?:(?!i\b|we\b)[\w'-]+ ){1,6}?(?=(?:i|we|i've|we've|i'm|we're)\b)",
            r"(?:i think|i guess|because|since)\s+",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:and|but|so|because|since|which is why)\s+"
            r"(?=(?:i|i'm|i've|we|we're|we've|my|our|the|please|use|keep|it's)\b)",
            r",\s+(?:so\s+)?(?=(?:i|i'm|i've|we|we're|we've|my|our|please|add|use|keep|give|include)\b)",
        )
    ),
    kinds=(
        (
            "instruction",
            any_of(
                (
                    rf"(?:please )?(?:always|never|don't ever|do not ever) {_BASE}",
                    r"(?:please )?(?:don't|do not) (?:ever )?(?:call me|use (?:emojis?|jargon|slang|exclamation"
                    r"|abbreviations|smileys)|apologi[sz]e|start (?:your|every|with)|end (?:your|every|with))",
                    r"(?:please )?stop (?:apologi[sz]ing|using|adding|calling|saying|starting|ending|asking|writing"
                    r"|repeating|suggesting|giving)\b",
                    r".*\b(?:from now on|from here on|going forward|henceforth|in (?:all|every) "
                    r"(?:your |future )?(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?))\b",
                    rf"(?:whenever|every time|each time|any time|anytime) (?:you|i|we) [^,]+, (?:please )?(?:always |never |don't )?{_BASE}",
                    rf"(?:when|if) you [^,]+, (?:please )?(?:always |never |don't )?{_BASE}",
                    r"(?:please,? )?no [\w' -]{2,30} in (?:texts?|e?-?mails?|messages?|repl\w+|answers?|code|documents?|anything|posts?|articles?|recipes?|commit messages?)\b",
                    rf"(?:please )?{_BASE} .*\bin (?:all|every|any) [\w -]+$",
                    rf".*, (?:so )?(?:please )?(?:keep|be) (?:\w+ing|direct|brief|concise|explicit|honest|strict|patient)\b",
                    r"(?:please )?avoid (?:\w+ ){1,6}when(?:ever)? you\b",
                    rf"(?:please )?{_BASE}.*\b(?:when(?:ever)? you (?!can\b|get\b|have\b|are\b|want\b|feel\b|need\b|like\b|try\b)|in everything|every time|each time|by default"
                    r"|at all times|for (?:all|every))\b",
                    r"(?:please )?keep (?:your|all|the|any)? ?(?:answers|replies|responses|explanations|messages"
                    r"|summaries|comments|commits|emails) ",
                    r"(?:you should|i want you to|i'd like you to|i need you to|you must) (?:always|never)\b",
                    rf"(?:use|write|speak|prefer) (?:only )?(?:british|american|metric|imperial|uk|us|simple|plain)\b",
                )
            ),
        ),
        (
            "decision",
            any_of(
                (
                    r"(?:we|i)(?:'ve| have|'re| are)?(?: just| now| all| finally| both)? (?:decided|agreed|chose|chosen"
                    r"|settled|opted|committed|concluded|resolved|standardi[sz](?:ed|ing))\b(?! (?:what|whether|if|how|them|it|this)\b)(?!.*\b(?:this|these|those|it|them)\b)",
                    r"(?:we|i)(?:'re| are|'ll| will|'m| am)? (?:going|go|sticking|stick) with " + _VAGUE,
                    r"(?:we|i)(?:'re| are|'m| am) (?:moving|switching|migrating|replacing) .*"
                    r"\b(?:to|in|with|instead|for)\b",
                    r"(?:the |our )?(?:final )?decision(?: is|:)|it(?:'s| is| was) (?:decided|settled|agreed)",
                    r"(?:the )?(?:team|board|we all) (?:decided|agreed|voted|chose)\b",
                    r"the (?:rule|convention|policy|agreement|plan) (?:is|here is)\b",
                )
            ),
        ),
        (
            "todo",
            any_of(
                (
                    r"(?:please )?remind me\b|todo\b|to-do\b|(?:remember|don't forget|do not forget) to\b",
                    r"(?:i|we)(?:'ve| have|'ll| will)? (?:still )?(?:need to|have to|must|should|got to|ought to|gotta|want to|have an? (?:\w+ ){0,2}(?:appointment|meeting|call|exam|interview|flight|deadline|test))"
                    rf"\b.*\b(?:by|before|until|on|at|due|this|in)? ?{_DAY}\b",
                    r"(?:the |my |our )?[\w' -]+ (?:is|are) due\b.*",
                    rf"(?:the |my |our |a )?[\w' -]+ (?:comes?|arrives?|visits?) (?:on |at )?{_DAY}",
                    rf"(?:the |my |our )?(?:deadline|appointment|meeting|flight|interview|exam|call|demo|train)\b.*"
                    rf"\b(?:is|are)\b.*{_DAY}",
                )
            ),
        ),
        (
            "event",
            any_of(
                (
                    rf"(?:today|yesterday|this morning|last (?:night|week)|just now|on \w+day),? (?:i|we) (?:just )?{_DONE}\b",
                    rf"(?:i|we)(?:'ve| have)?(?: just| finally)? {_DONE}\b.*\b(?:today|yesterday|this (?:morning|week"
                    r"|afternoon)|last (?:night|week)|just now|an hour ago)\b",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    rf"my (?:\w+ )?{_OWN}(?: (?!is\b|are\b)\w+){{0,3}} ?(?:is|are|'s|has|runs?|uses?)\b(?! (?:broken|wrong|not working))",
                    r"my (?:name's|name is)\b|call me (?!when|if|later|back|tomorrow|crazy)|(?:i go by|people call me|everyone calls me)\b",
                    rf"my (?:(?:older|younger|elder|little|big|late|ex|new|two|three) )*{_RELATIVE}(?: \w+){{0,2}}? "
                    r"(?:is|are|'s|lives?|works?|has|have|speaks?|uses?|loves?|hates?|prefers?|was|were|studies|plays?"
                    r"|goes|can't|cannot|doesn't|needs?|turned|died|moved)\b(?! \w+ing\b(?! in| at| for))",
                    rf"i(?:'m| am)(?: \w+ly)? an? {_NOT_A_ROLE}(?:[\w/-]+ ){{0,3}}[\w/-]+",
                    r"i(?:'m| am) (?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?(?:$|[,.]| and\b| from\b)",
                    rf"i(?:'m| am)(?: (?:also|both|still|strictly|mildly|severely|completely|\d+%))? (?:not )?{_STATES}\b",
                    r"i(?:'m| am) (?:originally |mainly |currently |now )?(?:from|based in|living in|located in|working (?:at|for|as|in)"
                    r"|employed|studying|at (?=(?-i:[A-Z]))|\d{1,2} years old|in charge of|responsible for|the (?:\w+ ){1,4}(?:of|at|for|here))",
                    r"(?:i|we)(?:'ve| have)?(?: just| recently| now| only)? (?:moved|relocated) (?:to|into|from|back)\b",
                    r"(?:i|we)(?: now| currently| both)? (?:live|reside) (?:in|at|on|near|with|together|now)\b",
                    r"i(?: now| currently| mainly| mostly)? (?:work|study|teach|play|own|drive|collect|volunteer|speak|grew up"
                    r"|practi[cs]e|breed|grow|coach|sing|dance|paint|freelance|commute|ride|race|garden|knit)\b"
                    r"(?! (?:through|around|it|that|this|the (?:game|video|file)|on it|out|with it))",
                    r"i was born\b|i(?:'ve| have) (?:been )?(?:a |an )?(?:diabetes|asthma|adhd|allerg\w+|dyslexia|celiac)",
                    r"(?:i|we)(?:'ve| have| have got|'ve got| own| keep) (?:a|an|two|three|four|five|\d+|no|one|twin) "
                    rf"(?:\w+ ){{0,3}}?(?:{_RELATIVE}|allerg(?:y|ies)|garden|car|house|flat|farm|phd|degree|ducks|hens|bees)\b",
                    r"i (?:can't|cannot|can not|must not|may not|don't|do not) (?:eat|drink|hear|see colou?rs|tolerate|digest"
                    r"|drive|swim|fly|smoke)\b",
                    rf"i {_OFTEN} (?!get|see|end|go there|go here|do (?:it|that)|turn to|dream|have to|thought|wondered|knew|seen|heard|had|got|want(?:ed)?|mind|said|did"
                    r"|happen|works?|need|receive|run into)\w+",
                    r"i (?:run|walk|swim|cycle|train|go) .*\b(?:every|each|on \w+days?|times a|once a|twice a|daily|in the (?:mornings?|evenings?))",
                    r"i (?:don't|do not) (?:work|read|eat|drink|do|take|have|use|answer|check|own|speak|drive|fly)\b"
                    r".*(?:\bon \w+days?\b|\bany\b|\bat all\b|\bat (?:night|weekends?)|\bafter \d|\bbefore \d|\bmeat|\balcohol|\bcoffee)",
                )
            ),
        ),
        (
            "preference",
            any_of(
                (
                    r"i(?:'d| would)?(?: really| much| strongly| generally| usually| always| still| definitely| personally"
                    rf"| particularly| absolutely| also| just)* (?:prefer|love|like|enjoy|hate|dislike|favou?r|adore|detest|despise|loathe) {_VAGUE}"
                    r"(?<!i'd like )(?<!i would like )(?<!i'd love )(?<!i would love )",
                    rf"i (?:really |just |usually )?(?:don't|do not|didn't) (?:really |much |particularly )?(?:like|enjoy|love|want to be|care for|trust) {_VAGUE}",
                    rf"i (?:can't|cannot|could not) stand {_VAGUE}",
                    rf"i(?:'d| would) rather (?:have|get|use|not|read|see|be|work|you) {_VAGUE}",
                    r"my (?:all-time |absolute )?favou?rite\b(?! part of (?:this|that))|.+ (?:is|are) my (?:absolute )?favou?rites?\b",
                    r"i(?:'m| am)(?: not| really| very| more| also)*(?: of)? (?:a )?(?:big |huge |great )?(?:(?:fan|lover) of|into|fond of"
                    rf"|passionate about|crazy about|keen on|interested in|partial to) {_VAGUE}",
                    r"i(?:'m| am) (?:more of )?an? \w+ person\b|.+ works? best for me\b|.+ suits? me best\b",
                    r"i (?:like|prefer) (?:my|all|every|answers|replies|code)\b",
                )
            ),
        ),
        (
            "reference",
            any_of(
                (
                    r"(?:(?:the|our|my|all|that) )?[\w' -]{3,50}(?:docs?|documentation|wiki|runbook|dashboard|spec|specs|repo|repository"
                    r"|board|tracker|sheet|spreadsheet|folder|channel|playbook|handbook|guide|diagram|design|logs?|designs|files|notes"
                    r"|decisions|backups?|tickets|minutes|slides|recordings|template|templates|assets) "
                    r"(?:lives?|is|are|sits?|can be found|is kept|are kept|is stored|are stored|go|goes) (?:at|in|on|under|here|stored|kept|found)\b",
                    r"[\w' -]{3,40} (?:go|goes|are posted|is posted|belongs?|are kept|are sent|is sent|get posted) (?:to|in|into|from|on) (?:the |our |a )?.*"
                    r"(?:channel|folder|board|wiki|repo\w*|drive|bucket|mailbox|inbox|list|directory|server|drawer|shelf|cabinet)\b",
                    r"we (?:keep|store|put|document|track|host|log|collect) .+ (?:in|at|on|under|with) ",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?!the way\b)(?:the|our|my) (?:[\w'-]+ ){0,3}?(?:project|product|app|company|team|repo|repository|stack|backend|frontend|back-end"
                    r"|front-end|database|codebase|api|code ?name|deadline|budget|release|sprint|office|staging|production|server|cluster"
                    r"|website|site|service|client|customer|library|cli|domain|pipeline|standup|stand-up|retro|release train|platform"
                    r"|pull requests?|merge requests?|prs?|tests?|builds?|branch|monorepo|migrations?|deployments?|convention|style guide)"
                    r"(?:'s [\w -]+?)?(?: [\w-]+){0,4}? (?:is|are|uses?|runs?|lives?|has|have|needs?|requires?|must|targets?|supports?|stays?|ships?|starts?|happens?|takes place|goes|consists|depends|follows?)\b",
                    r"we(?:'re| are)? (?:all |also |only |always |never |currently |still |mainly )*(?:use|using|run|running|deploy|host|hosting|store|ship|follow|meet|work with|build|"
                    rf"push(?! each| oursel| through| on\b)|merge|release|write|code|test|develop|maintain|target|support(?! each)|sell|serve|require|squash|rebase|review|have (?:two|three|\d+|no)) {_VAGUE}",
                    r"at (?:work|our company|the office) we\b",
                    r"(?:all |each |every |most )?(?:of )?our [\w' -]{3,50} (?:is|are|has|have|uses?|runs?|lives?|needs?|starts?|ends?|goes|go|takes? place"
                    r"|closes?|opens?|pays?|sells?|comes?|costs?|consists?|expires?|meets?|works?|speaks?)\b(?! \w+ing\b(?! in| at| for| on))(?!.*\b(?:it|this|these)\b)",
                    r"(?:the|each|every) (?:\w+ ){0,2}?(?:plan|tier|licen[cs]e|account|subscription|contract|policy|limit|quota|rate|price|fee|warranty|sla|office|shop"
                    r"|store|warehouse|school|clinic|lab|newsletter|report|backup|invoice)s? (?:is|are|has|have|costs?|includes?|allows?|closes?|opens?|runs?|ends?|starts?|goes)\b",
                    r"(?:customers?|users?|clients?|students|patients|members|employees|guests|invoices?|orders?|payments?|backups?|release notes|releases|tickets) "
                    r"(?:is|are|must|may|can|cannot|can't|always|never|get|pay|have|need|go|goes)\b",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    rf"i(?: (?:also|still|usually|currently|now|mostly|mainly|only|regularly))? {_NOT_A_HABIT}[a-z]+ "
                    rf"(?!(?:the|that|to|you|your|my|so|if|like)\b){_OF_THE_MOMENT}",
                    rf"i(?:'ve| have) been \w+ing\b.*\b(?:since|for)\b|i(?:'m| am) (?:still )?(?:learning|training|studying|raising|writing a"
                    rf"|recovering|taking (?:classes|lessons))\b{_OF_THE_MOMENT}",
                    rf"(?:i|we) (?!need|want|think|see|get|can|call)\w+ .*\b(?:now|these days|nowadays)(?:$|[,.!]){_OF_THE_MOMENT}",
                    r"my (?!code|script|question|problem|issue|error|build|test|page|screen|app|function|query|guess|bad|mistake"
                    r"|understanding|point|idea|plan|next|last|first|request|message|previous|current|output|input|result|terminal|cursor"
                    r"|file|essay|text|draft|paragraph|life|day|week|thoughts?|opinion|apolog|pleasure|turn|computer|laptop|browser|ide\b|wifi)"
                    rf"[\w-]+(?: [\w-]+){{0,4}}? (?:is|are|has|have|lives?|starts?|ends?|runs?|comes|goes|needs?|works?|prefers?|takes?"
                    rf"|expires?|begins?|means|speaks?){_OF_THE_MOMENT}\b(?! \w+ing\b)",
                    r"(?!it\b|it's|that|this|these|those|which|what|there|you|which|he\b|she\b|they\b)[\w' -]{3,40} (?:is|are|tastes?|smells?|makes? me|gives? me"
                    r"|works?|hurts?|doesn't|don't|feels?) ?(?!good|fine|ok|great).*\b(?:for|to|with|on) me\b",
                    r"(?!it\b|that|this|these|which|you)[\w' -]{3,30} (?:gives|makes) me .*",
                )
            ),
        ),
    ),
    corrections=any_of(
        (
            r"^(?!it\b|it's|that|this|there)[^,]{3,60}\b(?:is|are|was|has|have|uses?|starts?|lives?|runs?|spelled|called|named)\b[^,]{1,40}, "
            r"(?:and )?(?:not (?!just|only|even|a\b|an\b)|rather than |instead of )(?P<old>[^,.]+)",
            r"^(?:i|we|my|our|the)\b[^,]{2,60}, not (?!just|only|even)(?P<old6>[^,.]{2,40})$",
            r"^(?!it\b|it's|that|this)(?:i|we|my|our|the)\b.* not (?P<old1>[^,.]+?),? but (?!\w+ (?:is|are) )",
            r"^(?:i|we|my|our|the|i'm|we're) ?.*\bno longer (?P<old2>[^,.;]+)",
            r"^(?:i|we|my|our|i'm|we're) ?.*(?:don't|doesn't|do not|does not|not) (?P<old3>[^,.;]+?) any ?more\b",
            r"\b(?:i|we|team|they)(?:'ve| have|'re| are)?(?: just| now| finally| recently)? (?:switch(?:ed|ing)|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)"
            r"|went|convert(?:ed|ing)) (?:\w+ ){0,3}from (?P<old4>.+?) to ",
            r"^(?:i|we|i'm|we're|we've|i've)\b(?! (?:get|got|see|saw|want|need|expect\w*|receive\w*|am|was)\b).* instead of (?P<old7>[^,.;]+)",
            r"\b(?:i|we) used to (?P<old8>.+?),? (?:but|and) (?:now|these days|today)\b",
            r"\b(?:i|we)(?:'ve| have)? (?:stopped|quit|gave up|given up) (?P<old9>(?!on\b|by\b|off\b|at\b|the (?:car|train))[^,.;]+)",
            r"^(?:the|our|my) [\w' -]{3,60} (?:is|are|has|runs|uses) now\b",
        )
    ),
    question=any_of(
        (
            r"\?",
            r"^(?:what(?! i (?:like|love|prefer|want|need))|why|how|who|whose|where|which|when (?:is|are|do|does|did|will|was|can|should)"
            r"|can (?:you|i|we)|could (?:you|i|we)|would you|will you|do (?:you|i|we|they)|does|did|is (?:it|there|that|this|my|the)"
            r"|are (?:you|there|we|these|they)|should|shall|have you|has|may i|am i|any idea|tell me|do)\b",
            r"^(?:i (?:was )?wonder(?:ing)?|i'd like to know|i want to know|not sure (?:if|whether)|i'm not sure|i don't know)\b",
        )
    ),
    hypothetical=any_of(
        (
            r"\bif (?:i|we|he|she|they|it|you)\b.*\b(?:would|could|might|'d)\b|^if (?:i|we|he|she|they|it)\b|\bif only\b",
            r"\b(?:suppose|supposing|imagine|pretend|let's say|say i|assuming|assume (?:i|we|that)|hypothetically|what if|as if i)\b",
            r"\bi (?:wish|would have|could have|might|may) |\b(?:maybe|perhaps|possibly) (?:i|we)\b|\bfor example\b|\be\.g\.|\bfor instance\b",
            r"\bi(?:'m| am) (?:thinking (?:of|about)|considering|not sure)|\bwe (?:might|may|could)\b",
            r"\b(?:in|from) (?:the|this|my|that) (?:story|novel|book|game|film|movie|dream|play)\b",
        )
    ),
    one_off=any_of(
        (
            r"\b(?:for|in|with) (?:this|the next|that|your next|the current) (?:answer|reply|response|message|question|task|one|email|time|chat|session|conversation"
            r"|example|exercise|draft|paragraph|text|file|function)\b",
            r"\b(?:just|only) (?:this once|once|for now|for today|today|this time)\b|\bthis (?:time|once|answer)\b|\bfor (?:now|the moment|today|once)\b"
            r"|\btemporarily\b|\bright now\b|\bat the moment\b",
            r"^(?:i'd|i would) (?:like|love|need|want)\b|\bof the two\b|\bthis one\b|\bthe (?:first|second|third|last|other) (?:one|version|option|draft|variant)\b",
        )
    ),
    reported=any_of(
        (
            r"\b(?!i\b|we\b|nobody\b|one\b)\w+ (?:said|says|told|thinks?|claims?|claimed|believes?|wrote|writes|mentioned|asked|keeps? saying|argues|insists|suggests|reckons)\b"
            r"(?<!\bi said)(?<!\bi told)(?<!\bi think)(?<!\bwe think)(?<!\bi wrote)(?<!\bi mentioned)(?<!\bi asked)(?<!\bi believe)",
            r"\b(?:i heard|i've heard|i read|apparently|allegedly|according to|rumou?r has|they say|people say|supposedly|quote)\b",
        )
    ),
    passing=any_of(
        (
            r"\b(?:errors?|exceptions?|crash\w*|broken|bugs?|fail(?:s|ed|ing|ure)?|stuck|timeouts?|traceback|stack ?trace|404|500|doesn't (?:work|load|compile|start|open"
            r"|build|run|respond|show)|not working|(?<!\bi )(?<!\bwe )no longer (?:works?|loads?|compiles?|starts?|opens?|builds?|runs?|responds?|shows?|passes|appears?|exists?)"
            r"|(?:is|are|was|were|went) down)\b",
            r"\b(?:can't|cannot|couldn't) (?:find|see|open|connect|log ?in|access|install|figure|get)\b",
            r"\b(?:today|tonight|right now|this (?:morning|afternoon|evening|week)|yesterday|tomorrow)\b",
            r"\b(?:a (?:bit|little)|so|very|really|super|too|pretty|quite|feeling|been) (?:tired|hungry|sick|busy|confused|stressed|annoyed|happy|sad|cold|bored|sleepy|lost|excited|grateful"
            r"|thankful|proud|inspired|motivated|hopeful|optimistic|relieved|worried|nervous|upset|great|rough|tough|good|well|super|so|encouraging|amazing|awesome|giving)\b|\bi (?:always |often )?feel\b|^(?:every|each) time i\b",
            r"\b(?:is|are|was|were|'s|'re) (?:so |really |very |just |pretty )*(?:amazing|awesome|great|good|bad|nice|cool|terrible|fun|beautiful|cute|gorgeous|(?:tough|hard)(?! for me)|infectious|perfect|lovely|wonderful|crazy|insane|everything)\b",
            r"\bi(?:'m| am) (?:sorry|afraid|sure|glad|happy|done|ready|back|here|fine|good|ok|okay|trying|looking|getting|having|using (?:the|this|your)|seeing|stuck|lost|coming|doing|feeling|so\b|excited|grateful|thankful|proud|hopeful|pushing|keeping|driven"
            r"|confused|tired|late|going to|about to|wondering|curious)\b",
        )
    ),
    polite=any_of(
        (
            r"^(?:please )?(?:can|could|would|will) you (?:please |also )*(?:remember|note|memori[sz]e|keep in mind"
            r"|make a note)(?: down)? (?:that|to|of)\b(?! \w+ we talked)",
        )
    ),
    first_person=any_of((r"\b(?:i|i'm|i've|i'd|my|me|mine)\b",)),
    speaker=any_of(
        (
            r"^(?:(?:on|in|at|every|each|most|after|before|for|during|with|since|from|around|last|as) [\w' -]{2,40}?,? )?(?:i|i'm|i've|my|we|we're|we've|our)(?![\w'])",
            r"^[\w' -]{3,60} (?:is|are) (?:my|our)(?![\w'])",
        )
    ),
    told=any_of(
        (
            r"(?:the|all|every|each|most|any) [\w' -]{2,50} (?:is|are) (?:written|built|hosted|deployed|located|based|managed|owned|named|called|closed|stored"
            r"|kept|designed|maintained|required|forbidden|approved|handled|signed|published|billed|developed) (?:in|on|by|at|with|from|to|for|via|as)\b",
            r"the (?:person|one|colleague|team|contact|people|company) (?:who|that|which|for|in charge|responsible) .* (?:is|are)\b",
            r"(?:all|every|each) [\w' -]{2,50} (?:need|needs|must|has to|have to|require|requires|get|gets|go|goes)\b",
        )
    ),
    fleeting=any_of(
        (
            r"\b(?:you|your|yours|you're|you've|it|it's|this|that|that's|these|those|them|they|they're|he|she|he's|she's|him|her|here|there|let's|please"
            r"|i'd|i'll|we'd|we'll|would|could|will|might|maybe|perhaps|going to|gonna|wanna|example|thanks|sorry|yet|just)\b",
            r"\b(?:i|we) (?:(?:don't|do not|didn't|can't|cannot|won't|never|also|still|only|really|already|always|usually) )*(?:" + _MOMENTARY + r")\b",
            r"\b(?:i'm|i am|we're|we are) (?:\w+ )?(?!learning|living|working|studying|raising|training|teaching|building|growing|allergic)\w+ing\b",
            r"\b(?:i|we)(?:'ve| have)?(?: \w+ly)? (?:\w+ed|ran|got|made|took|saw|found|wrote|said|told|thought|knew|went|came|lost|met|paid|sent|spent|began|broke|brought"
            r"|built|chose|felt|forgot|gave|heard|held|kept|meant|spoke|stood|understood|won|bought|sold|had|did|been|done|seen|gone)\b"
            r"(?!.*\b(?:last year|years? ago|since|in \d{4}|when i was|as a (?:child|kid|student)|for \w+ years)\b)",
            r"\b(?:questions?|problems?|issues?|functions?|lists?|files?|scripts?|tables?|data ?frames?|class(?:es)?|methods?|loops?|strings?|arrays?|quer(?:y|ies)|columns?"
            r"|rows?|variables?|csv|json|regex|pages?|forms?|buttons?|outputs?|inputs?|warnings?|overloads?|snippets?|idea|doubts?|minute|moment|second|draft|lucky"
            r"|code (?:does|is|has|returns|works|looks)|step|life|mistake|bad|turn|opinion|mind|point|luck|guess|chance|to share|news|great|fun|nice|awesome|amazing|wonderful|excited|grateful|best|again|right now|was|were|made|happened|managed|wanted|glad|blessed|lucky|determined|express|goal|aim|important|everything|world|impact|amazing|agree|busy|have to|gotta|gotten|got|went|wore|held|off to|rock|mess|great news)\b",
        )
    ),
    attributes=(
        ("name", any_of((r"my (?:full |first |last )?name(?:'s| is)|call me |i go by ",))),
        (
            "home",
            any_of(
                (
                    r"(?:i|we)(?:'ve| have)?(?: now| just| recently| currently)? (?:live|moved|relocated) (?:in|to|back to|into|now in)|i(?:'m| am)(?: now| currently)? (?:based|living) in",
                )
            ),
        ),
        (
            "work",
            any_of((r"i(?:'m| am)?(?: now| currently)? work(?:ing)? (?:at|for)|i(?:'m| am)(?: now)? at (?=(?-i:[A-Z]))|my (?:employer|company) is",)),
        ),
        ("birthday", any_of((r"my birthday is|i was born on",))),
        ("time zone", any_of((r"my time ?zone is",))),
        ("pronouns", any_of((r"my pronouns are",))),
        ("age", any_of((r"i(?:'m| am) \d{1,3} years old",))),
        ("email", any_of((r"my e-?mail(?: address)? is",))),
        ("code name", any_of((r"(?:the|our) (?:project's |project )?code ?name|the project is called",))),
        ("budget", any_of((r"(?:the|our) (?:project |project's )?budget\b.* is",))),
        ("deadline", any_of((r"(?:the|our) (?:project |project's |release )?deadline\b.* is",))),
    ),
    subject=any_of((r"(?:the|our|my|all)?\s*(?P<subject>.+?)\s+(?:is|are|lives?|sits?|can be|go|goes|has|uses|runs)\b",)),
)
