"""English for the rules engine: how lasting statements are worded."""

from __future__ import annotations

import re

from mnemofs.llm.rules_en_person import PERSON
from mnemofs.llm.rules_en_setup import SETUP
from mnemofs.llm.rules_en_words import (
    BASE,
    DAY,
    DONE,
    VAGUE,
)
from mnemofs.llm.rules_grammar import Kind, any_of

KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "instruction",
        any_of(
            (
                rf"(?:please )?(?:always|never|don't ever|do not ever) {BASE}",
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
                rf"|we) [^,]+, (?:please )?(?:always |never |don't )?{BASE}",
                rf"(?:when|if) you [^,]+, (?:please )?(?:always |never |don't )?{BASE}",
                r"(?:please,? )?no [\w' -]{2,30} in (?:texts?|e?-?mails?|messages?|repl\w+"
                r"|answers?|code|documents?|anything|posts?|articles?|recipes?"
                r"|commit messages?)\b",
                rf"(?:please )?(?:{BASE}|bring up|point out|spell out) .*\bin (?:(?:all|every|any)"
                r" [\w -]+$|your (?:answers|replies|responses|messages|explanations|summaries"
                r"|texts))",
                r"(?:please )?(?:bring up|point out|spell out|warn me"
                r"|walk me) .*\bwhen(?:ever)? you\b",
                r"(?:please,? )?(?:nothing|no (?:meetings?|calls?|appointments?|messages?|events?)"
                r"(?: \w+)?) (?:before|after|on|during|between) ",
                rf"(?:please )?{BASE} .*\b(?:always|every time|each time)[.!]*$",
                r"(?:please )?(?:reach|contact|call|text|message|write|ping) me (?:on|by|at|via"
                r"|through|only)"
                r" (?!the\b)(?!.*\b(?:today|tomorrow|tonight|now|later|once|when)\b)",
                r"(?:please )?(?:give|show|write|express|format|quote|state|report) (?:all "
                r"|any )?(?:times?"
                r"|dates?|prices?|amounts|units|temperatures?|distances?|weights?|measurements?"
                r"|numbers"
                r"|currencies|figures|citations|references|formulas?) (?:in|as|with|without|using"
                r"|to)\b",
                r"(?:please )?be (?:\w+ly )?(?:blunt|direct|honest|brief|concise|frank|strict"
                r"|patient|critical"
                r"|precise|gentle|formal|informal) (?:with me|in your)\b",
                r"(?:please )?(?:ask|check with|consult|cc|tell|loop in"
                r"|talk to) (?-i:[A-Z])\w+ (?:first|before"
                r"|whenever)\b",
                r"[\w' -]{3,40} (?:should|must) (?:always|never) be \w+|[\w' -]{3,40} (?:should"
                r"|must) be \w+"
                r" .*\b(?:the first time|every time|each time|in every|in all)\b",
                r"(?:please )?(?:start|begin|end|close|write|answer|prefix|sign|format"
                r"|number) (?:every|each|all)"
                r" (?:of your )?[\w-]+(?: [\w-]+)? (?:with|in|by|as|using)\b",
                r"(?:please )?(?:answer|reply|respond|write|speak"
                r"|talk)(?: to me)? in (?-i:[A-Z])\w+ (?:unless"
                r"|except|by default)\b",
                r".*\b(?:that's|that is|it's) (?:our|my) (?:rule|policy|convention|habit|limit)\b"
                r"|no [\w-]+(?: [\w-]+)? on \w+days\b",
                r".*\b(?:that's|that is|it's) how i (?:learn|think|work|understand|read)\b",
                r".*, (?:so )?(?:please )?(?:keep|be) (?:\w+ing|direct|brief|concise"
                r"|explicit|honest|strict|patient)\b",
                r"(?:please )?avoid (?:\w+ ){1,6}when(?:ever)? you\b",
                rf"(?:please )?{BASE}.*\b(?:when(?:ever)? you (?!can\b|get\b|have\b|are\b"
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
                r"|stick) with " + VAGUE,
                r"(?:we|i)(?:'re| are|'m| am) (?:moving|switching|migrating|replacing) .*"
                r"\b(?:to|in|with|instead|for)\b",
                r"(?:the |our )?(?:final )?decision(?: is|:)|it(?:'s| is| was) (?:decided"
                r"|settled|agreed)",
                r"(?:the )?(?:team|board|we all) (?:decided|agreed|voted|chose)\b",
                r"the (?:rule|convention|policy|agreement|plan) (?:is|here is)\b",
                rf"(?:from|starting|as of|effective) (?:in )?(?!today|tonight"
                rf"|tomorrow){DAY}(?: \d{{4}})?"
                r"(?: on| onwards?)?, (?:all |our |the )?\w+ (?:\w+ ){0,2}?(?:go|goes|is|are|uses?"
                r"|must"
                r"|moves?|will)\b",
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
                rf"\b.*\b(?:by|before|until|on|at|due|this|in)? ?{DAY}\b",
                r"(?:the |my |our )?[\w' -]+ (?:is|are) due\b.*",
                r"(?:the |my |our |a )?[\w' -]+ (?:comes?|arrives?|visits?) (?:on "
                rf"|at )?{DAY}",
                r"(?:the |my |our )?(?:deadline|appointment|meeting|flight|interview|exam"
                r"|call|demo|train)\b.*"
                rf"\b(?:is|are)\b.*{DAY}",
            )
        ),
    ),
    (
        "event",
        any_of(
            (
                r"(?:today|yesterday|this morning|last (?:night|week)|just now"
                rf"|on \w+day),? (?:i|we) (?:just )?{DONE}\b",
                rf"(?:i|we)(?:'ve| have)?(?: just| finally)? {DONE}\b.*\b(?:today|yesterday"
                r"|this (?:morning|week"
                r"|afternoon)|last (?:night|week)|just now|an hour ago)\b",
            )
        ),
    ),
    *PERSON,
    *SETUP,
)
