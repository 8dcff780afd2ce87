"""English for the rules engine: how people speak of themselves."""

from __future__ import annotations

import re

from mnemofs.llm.rules_en_words import (
    NOT_A_ROLE,
    OF_THE_MOMENT,
    OFTEN,
    OWN,
    RELATIVE,
    STATES,
    VAGUE,
)
from mnemofs.llm.rules_grammar import Kind, any_of

PERSON: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "identity",
        any_of(
            (
                rf"my (?:\w+ )?{OWN}(?: (?!is\b|are\b)\w+){{0,3}} ?(?:is|are|'s|has|runs?"
                r"|uses?)\b(?! (?:broken|wrong|not working))",
                r"my (?:name's|name is)\b|call me (?!when|if|later|back|tomorrow|crazy)"
                r"|(?:i go by|people call me|everyone calls me)\b",
                r"(?:it's|it is|that's|i'm) spel(?:led|t) (?-i:[A-Z])",
                r"(?:both |all )?(?:of )?my (?:(?:older|younger|elder|little|big|late|ex|new|two"
                rf"|three) )*{RELATIVE}(?: \w+){{0,2}}? "
                r"(?:is|are|'s|lives?|works?|has|have|speaks?|uses?|loves?|hates?|prefers?"
                r"|was|were|studies|plays?"
                r"|goes|can't|cannot|doesn't|needs?|turned|died|moved)\b(?! \w+ing\b(?! in"
                r"| at| for))",
                rf"i(?:'m| am)(?: \w+ly)? an? {NOT_A_ROLE}(?:[\w/-]+ ){{0,3}}[\w/-]+",
                r"i(?:'m| am) (?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?(?:$|[,.]| and\b"
                r"| from\b)",
                r"i(?:'m| am)(?: (?:also|both|still|strictly|mildly|severely|completely"
                rf"|\d+%))? (?:not )?{STATES}\b",
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
                rf"(?:\w+ ){{0,3}}?(?:{RELATIVE}|allerg(?:y|ies)|garden|car|house|flat|farm"
                r"|phd|degree|ducks|hens|bees)\b",
                r"i (?:can't|cannot|can not|must not|may not|don't|do not) (?:eat|drink|hear"
                r"|see colou?rs|tolerate|digest"
                r"|drive|swim|fly|smoke)\b",
                rf"i {OFTEN} (?!get|see|end|go there|go here|do (?:it|that)|turn to|dream"
                r"|have to|thought|wondered|knew|seen|heard|had|got|want(?:ed)?|mind|said|did"
                r"|happen|works?|need|receive|run into)\w+",
                rf"(?:being|as an?) {STATES}",
                r"i (?:picked up|learn(?:ed|t)|grew up speaking|taught myself) (?-i:[A-Z])\w+\b",
                r"(?!(?:she|he|they|it|you)\b)(?-i:[A-Z])\w+ and i (?:share|run|have|are|own|live"
                r"|work|play|founded|met)\b",
                r"i (?:do|write|read|keep|make|take) (?:all|most) (?:of )?my\b"
                r"|i read your (?:answers|replies"
                r"|messages|e?-?mails) (?:in|on|with|aloud|while)\b",
                r"i (?:spent|worked|served|taught|lived) (?:[\w-]+ )?(?:years|decades"
                r"|months) (?:as|in|at|with)\b",
                r"(?:i'm|i am|we're|we are) (?:relocating|emigrating|retiring|getting married"
                r"|expecting a|adopting)"
                r"\b|i(?:'m| am)? (?:plan(?:ning)?|going) to (?:retire|relocate|emigrate"
                r"|get married|graduate)\b",
                r"(?:both|all|neither|none|two|three|four) of us (?:is|are|have|work|speak|eat"
                r"|like|live)\b"
                rf"{OF_THE_MOMENT}",
                r"i need (?!an? (?:minute|moment|second|break)\b)[\w ]{3,30} to (?:concentrate"
                r"|focus|sleep|work|read|function|think|relax)\b",
                r"with my (?:\w+ )?(?:adhd|dyslexia|asthma|anxiety|back|knees?|eyes|eyesight"
                r"|hearing|hands"
                r"|arthritis|migraines|allergies|autism|diabetes)\b",
                r"i(?:'ve| have) (?:published|written|run|climbed|visited|raised|founded|won"
                r"|taught) (?:\w+ ){1,3}?"
                r"(?:books?|novels?|albums?|marathons?|companies|children|kids|countries|plays"
                r"|courses)\b",
                r"i can only (?:eat|drink|use|work|rent|drive|take|wear|meet|afford) (?!it\b"
                r"|this\b|that\b|the\b)",
                r"as an? [\w -]{2,30},? (?:i|my) (?:need|prefer|have|am|work|can't|don't|use|tend"
                r"|often"
                r"|usually)\b",
                r"(?:born(?: and raised)?|raised|based|originally|married|retired|living"
                r"|working) (?:in|from|to|at"
                r"|as) (?-i:[A-Z])",
                r"i(?:'ve| have)(?: got)? (?:an? |chronic |mild |severe |type \d )*(?:\w*(?:emia"
                r"|itis|osis|algia"
                r"|pathy|phobia|epsy)|migraines?|insomnia|tinnitus|adhd|eczema|psoriasis"
                r"|arthritis)\b",
                r"there(?:'s| is| are) [\w -]{1,30} (?:in|on|at) (?:my|our) (?:team|family|house"
                r"|household"
                r"|company|office|department|class|flat)\b",
                r"i (?:can't|cannot) \w+ .*\bwithout (?:my|a|an)\b",
                r"(?:since )?(?:childhood|school|college|university|birth|\d{4}|my (?:teens"
                r"|twenties|thirties)"
                r"|last (?:year|summer|winter|spring|autumn|fall)),? (?:i|we)(?:'ve| have) \w+",
                r"i(?:'ve| have) (?:\w+ed|been|had|run|taught|sung|spoken|written|driven|ridden"
                r"|kept)\b(?! (?:trying"
                r"|waiting|getting|seeing|looking|stuck|having|an? (?:error|problem|issue)))"
                r".*\b(?:since (?:\d{4}|childhood|school|i was)|for (?:\w+ ){1,2}(?:years|decades"
                r"|months))\b",
                r"i(?:'m| am) (?:cutting out|giving up|avoiding|quitting|off"
                r"|cutting down on) (?!it\b|this\b"
                rf"|that\b|to\b|the\b){OF_THE_MOMENT}",
                r"i (?:can't|cannot|can not) (?:tell [\w ]{2,20} (?:from|apart)|distinguish"
                r"|roll my)\b",
                r"i (?:don't|do not) (?:do|eat|drink|smoke|own|wear|celebrate|watch) (?!it\b"
                r"|this\b|that\b"
                r"|these\b|any|so\b|well\b|the\b|my\b|your\b|much\b|enough\b)[\w' -]{3,30}(?:$"
                r"|[.,!;])",
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
                rf"|dislike|favou?r|adore|detest|despise|loathe) {VAGUE}"
                r"(?<!i'd like )(?<!i would like )(?<!i'd love )(?<!i would love )",
                r"i (?:really |just |usually )?(?:don't|do not|didn't) (?:really |much "
                rf"|particularly )?(?:like|enjoy|love|want to be|care for|trust) {VAGUE}",
                rf"i (?:can't|cannot|could not) stand {VAGUE}",
                rf"i(?:'d| would) rather (?:have|get|use|not|read|see|be|work|you) {VAGUE}",
                r"my (?:all-time |absolute )?favou?rite\b(?! part of (?:this|that))|.+ (?:is"
                r"|are) my (?:absolute )?favou?rites?\b",
                r"i(?:'m| am)(?: not| really| very| more| also)*(?: of)? (?:a )?(?:big "
                r"|huge |great )?(?:(?:fan|lover) of|into|fond of"
                rf"|passionate about|crazy about|keen on|interested in|partial to) {VAGUE}",
                r"i(?:'m| am) (?:more of |not (?:really |much of )?)?an? \w+ person\b"
                r"|.+ works? best for me\b"
                r"|.+ suits? me best\b",
                r"[\w' -]{2,40} (?:is|are) the \w+ (?:i|we) (?:know|use|like|trust|speak|write"
                r"|play|prefer)"
                r" (?:best|most)\b",
                r"[\w' -]{2,30} over [\w' -]{2,30}(?:, (?:always|whenever)| any day| every time)",
                r"i (?:like|prefer) (?:my|all|every|answers|replies|code)\b",
            )
        ),
    ),
)
