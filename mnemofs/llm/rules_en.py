"""English for the rules engine."""

from __future__ import annotations

from mnemofs.llm import rules_en_against as against
from mnemofs.llm.rules_en_kinds import KINDS
from mnemofs.llm.rules_grammar import Grammar, any_of

GRAMMAR = Grammar(
    language="en",
    remember=any_of(
        (
            r"^(?:(?:please|pls|also|and|oh|so|ok(?:ay)?|well|now|just|hey|but|can you|could you"
            r"|would you"
            r"|will you|you (?:should|must|can)|i(?:'d like| want| need) you to|let's"
            r"|help me)[, ]+)*"
            r"(?:remember|memori[sz]e|keep (?:this |that |it )?in mind|bear (?:this |that "
            r"|it )?in mind"
            r"|(?:make|take) (?:a )?(?:mental )?note(?: of (?:this|that))?|note(?: down)?"
            r"|write (?:this |that )?down"
            r"|(?:don't|do not|never) forget|save (?:(?:this|that|it) )?(?:to|in"
            r"|into) (?:your )?(?:long-term )?memory"
            r"|store (?:(?:this|that|it) )?(?:to|in|into) (?:your )?(?:long-term )?memory"
            r"|jot (?:this |that )?down"
            r"|add (?:this |that )?to (?:your )?memory|put (?:this |that )?(?:in"
            r"|into) (?:your )?(?:memory|notes))"
            r"(?: for (?:me|later|next time|the future|future reference))?(?: please)?"
            r"(?:(?: (?:this|these|the following|that|the fact that|down))?\s*(?:[:–—-]+"
            r"|,(?=[^.]*\b(?:i|my|we|our|i'm|we're)\b))\s*|\s+(?:that|the fact that)\s+"
            r"|\s+(?=(?:i|i'm|we|we're|my|our|all)\b)|\s+(?=to \w+ .*\b(?:tomorrow|tonight|today"
            r"|on|at|by|before|until|next)\b)|[.!]*$|\s+(?:this|that|it|the \w+)[.!]*$"
            r"|\s+(?:this|that)(?: for (?:later|next time|me))?[.!]*$|\s+(?=the [\w' -]+ (?:is"
            r"|are|has|have|uses?|runs?|must|needs?|lives?|goes|starts?)\b))(?P<what>.*)",
            r"^(?:a )?(?:small |quick |little )?(?:note|reminder|heads-up)(?: to (?:self|you))?"
            r"(?: for (?:later|you|the future|next time))?\s*:\s*(?P<what2>.+)",
            r"^(?:for (?:future reference|the record|next time|later)|fyi"
            r"|for your information)[,:]?\s+(?P<what3>.+)",
            r"^(?P<what4>.+?)[,;–—-]+\s*(?:so )?(?:please )?(?:remember|note|keep in mind"
            r"|don't forget)"
            r"(?: (?:that|this|it))?[.!]*$",
        )
    ),
    keep_out=against.KEEP_OUT,
    filler=any_of(
        (
            r"(?:well|so|oh|ah|ok(?:ay)?|hi|hey|hello|btw|by the way|also|and|but|please|pls"
            r"|actually|um|hmm)(?:[,.:;!–—-]+\s*|\s+)",
            r"(?:hi there|good (?:morning|evening|afternoon)|thanks(?: a lot)?|thank you|great"
            r"|perfect|cool|yes|yeah|yep|no|nope|nah|right"
            r"|in fact|to be (?:clear|honest|precise)|just so you know|for your information|fyi"
            r"|note|correction|update|sorry|wait|one more thing|another thing"
            r"|anyway|besides|additionally|as you know|for context|for what it's worth|finally"
            r"|that works|change of plans?|important"
            r"|a bit about me|about me|as i said|i was wrong|i misspoke|scratch that)"
            r"[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:after|since|for|at|in|on|during|last|this|these) (?:(?!i\b"
            r"|we\b)[\w'-]+ ){0,6}[\w'-]+, ",
            r"after (?:(?!i\b|we\b)[\w'-]+ ){1,6}?(?=(?:i|we|i've|we've|i'm|we're)\b)",
            r"(?:i think|i guess|because|since)\s+",
            r"being [\w -]{3,30}, (?=i\b)",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:and|but|so|because|since|which is why)\s+"
            r"(?=(?:i|i'm|i've|we|we're|we've|my|our|the|please|use|keep|it's)\b)",
            r",\s+(?:so\s+)?(?=(?:i|i'm|i've|we|we're|we've|my|our|please|add|use|keep|give"
            r"|include)\b)",
        )
    ),
    kinds=KINDS,
    corrections=any_of(
        (
            r"^(?!it\b|it's|that|this|there)[^,]{3,60}\b(?:is|are|was|has|have|uses?|starts?"
            r"|lives?|runs?|spelled|called|named)\b[^,]{1,40}, "
            r"(?:and )?(?:not (?!just|only|even|a\b|an\b)|rather than |instead of )(?P<old>[^,.]+)",
            r"^(?:i|we|my|our|the)\b[^,]{2,60}, not (?!just|only|even)(?P<old6>[^,.]{2,40})$",
            r"^(?!it\b|it's|that|this)(?:i|we|my|our"
            r"|the)\b.* not (?P<old1>[^,.]+?),? but (?!\w+ (?:is|are) )",
            r"^(?:i|we|my|our|the|i'm|we're) ?.*\bno longer (?P<old2>[^,.;]+)",
            r"^(?:i|we|my|our|i'm|we're) ?.*(?:don't|doesn't|do not|does not"
            r"|not) (?P<old3>[^,.;]+?) any ?more\b",
            r"\b(?:i|we|team|they)(?:'ve| have|'re| are)?(?: just| now| finally"
            r"| recently)? (?:switch(?:ed|ing)|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)"
            r"|went|convert(?:ed|ing)) (?:\w+ ){0,3}from (?P<old4>.+?) to ",
            r"^(?:i|we|i'm|we're|we've|i've)\b(?! (?:get|got|see|saw|want|need|expect\w*"
            r"|receive\w*|am|was)\b).* instead of (?P<old7>[^,.;]+)",
            r"\b(?:i|we) used to (?P<old8>.+?),? (?:but|and) (?:now|these days|today)\b",
            r"\b(?:i|we)(?:'ve| have)? (?:stopped|quit|gave up|given up) (?P<old9>(?!on\b|by\b"
            r"|off\b|at\b|the (?:car|train))[^,.;]+)",
            r"^(?:the|our|my) [\w' -]{3,60} (?:is|are|has|runs|uses) now\b",
            r"^(?:the|our|my) [\w' -]{2,40}? (?:isn't|aren't|is not|are not|is no longer)"
            r" [^,]{2,40}, (?:but |it's |it is |he's |she's |they're )"
            r"(?:called |named )?(?=(?-i:[A-Z\d]))",
            r"^(?:our|my|the(?=[^,]* from [^,]*\d)) [\w' -]{2,40}? (?:(?:has |was |is |got )?moved"
            r"|(?:has |was )?changed|was rescheduled) from (?P<old11>[^,;]+?) to ",
            r"\bwe(?:'ve| have)?(?: just| now| finally| recently)? replaced"
            r" (?P<old10>(?-i:[A-Z])[^,;]*?) (?:with|by) (?=(?-i:[A-Z]))",
        )
    ),
    question=against.QUESTION,
    hypothetical=against.HYPOTHETICAL,
    one_off=against.ONE_OFF,
    reported=against.REPORTED,
    passing=against.PASSING,
    polite=any_of(
        (
            r"^(?:please )?(?:can|could|would|will) you (?:please |also )*(?:remember|note"
            r"|memori[sz]e|keep in mind"
            r"|make a note)(?: down)? (?:that|to|of)\b(?! \w+ we talked)",
        )
    ),
    first_person=any_of((r"\b(?:i|i'm|i've|i'd|my|me|mine)\b",)),
    speaker=any_of(
        (
            r"^(?:(?:on|in|at|every|each|most|after|before|for|during|with|since|from|around"
            r"|last|as) [\w' -]{2,40}?,? )?(?:i|i'm|i've|my|we|we're|we've|our)(?![\w'])",
            r"^[\w' -]{3,60} (?:is|are) (?:my|our)(?![\w'])",
        )
    ),
    told=any_of(
        (
            r"(?:the|all|every|each|most|any) [\w' -]{2,50} (?:is|are) (?:written|built|hosted"
            r"|deployed|located|based|managed|owned|named|called|closed|stored"
            r"|kept|designed|maintained|required|forbidden|approved|handled|signed|published"
            r"|billed|developed) (?:in|on|by|at|with|from|to|for|via|as)\b",
            r"the (?:person|one|colleague|team|contact|people|company) (?:who|that|which|for"
            r"|in charge|responsible) .* (?:is|are)\b",
            r"(?:all|every|each) [\w' -]{2,50} (?:need|needs|must|has to|have to|require"
            r"|requires|get|gets|go|goes)\b",
        )
    ),
    fleeting=against.FLEETING,
    attributes=(
        ("name", any_of((r"my (?:full |first |last )?name(?:'s| is)|call me |i go by ",))),
        (
            "home",
            any_of(
                (
                    r"(?:i|we)(?:'ve| have)?(?: now| just| recently| currently)? (?:live"
                    r" (?:now )?in|(?:moved|relocated) (?:back to|into|to|from(?= .+ to )))\b"
                    r"|i(?:'m| am)(?: now"
                    r"| currently)? (?:based|living) in",
                )
            ),
        ),
        (
            "work",
            any_of(
                (
                    r"i(?:'m| am)?(?: now| currently)? work(?:ing)? (?:at|for)|i(?:'m"
                    r"| am)(?: now)? at (?=(?-i:[A-Z]))|my (?:employer|company) is",
                )
            ),
        ),
        ("birthday", any_of((r"my birthday is|i was born on",))),
        ("time zone", any_of((r"my time ?zone is",))),
        ("pronouns", any_of((r"my pronouns are",))),
        ("age", any_of((r"i(?:'m| am) \d{1,3} years old",))),
        ("email", any_of((r"my e-?mail(?: address)? is",))),
        (
            "code name",
            any_of(
                (
                    r"(?:the|our) (?:project's |project )?code ?name"
                    r"|the project is called",
                )
            ),
        ),
        ("budget", any_of((r"(?:the|our) (?:project |project's )?budget\b.* is",))),
        ("deadline", any_of((r"(?:the|our) (?:project |project's |release )?deadline\b.* is",))),
    ),
    subject=any_of(
        (
            r"(?:the|our|my|all)?\s*(?P<subject>.+?)\s+(?:is|are|lives?|sits?|can be|go"
            r"|goes|has|uses|runs)\b",
        )
    ),
)
