"""English for the rules engine: what speaks against a lasting statement."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import any_of

_MOMENTARY = (
    r"think|guess|believe|suppose|know|see|mean|want|need|hope|wish|wonder|feel|understand|find"
    r"|look|try|get|ask|say|tell|agree|disagree|appreciate|thank|promise"
    r"|swear|bet|doubt|remember|forget|recall|notice|hear|mention|apologi[sz]e|do|run|click"
    r"|press|open|call|import|install|execute|compile|push|pull|commit|add|set"
    r"|put|define|pass|declare|create|change|remove|delete|update|return|expect|plan|intend"
    r"|refer|wait|post|paste|upload|download|copy|start|stop|begin|give|check|let"
    r"|seem|happen|reali[sz]e|assume|imagine|consider|request|show|apply|attach|select|choose"
    r"|switch|replace|figure|end up|end|can|should|may|must|was|were|had|did|go|come|keep|make"
    r"|care|miss|enjoy how"
)

KEEP_OUT = any_of(
    (
        r"\b(?:don't|do not|never|no need to|without|please not|shouldn't) (?:remember"
        r"|memori[sz]\w+|sav(?:e|ing)"
        r"|stor(?:e|ing)|record(?:ing)?|not(?:e|ing)|keep(?:ing)?|log(?:ging)?|writ(?:e|ing))"
        r" (?:this|that|it|any|anything|what|the following|down)\b",
        r"\boff the record\b|\bbetween (?:you and me|us)\b"
        r"|(?<!don't )(?<!do not )(?<!never )\bforget (?:i said|what i said|about that|this"
        r"|that)\b",
        r"\bjust (?:kidding|joking)\b|\b(?:pretend|imagine|suppose|role-?play|in (?:the|this"
        r"|my) "
        r"(?:story|novel|book|game|film|movie|dream|play|scene)|act as|you are a)\b",
    )
)
QUESTION = any_of(
    (
        r"\?",
        r"^(?:what(?! i (?:like|love|prefer|want|need))|why|how|who|whose|where|which"
        r"|when (?:is|are|do|does|did|will|was|can|should)"
        r"|can (?:you|i|we)|could (?:you|i|we)|would you|will you|do (?:you|i|we|they)|does"
        r"|did|is (?:it|there|that|this|my|the)"
        r"|are (?:you|there|we|these|they)|should|shall|have you|has|may i|am i|any idea"
        r"|tell me|do)\b",
        r"^(?:i (?:was )?wonder(?:ing)?|i'd like to know|i want to know|not sure (?:if"
        r"|whether)|i'm not sure|i don't know)\b",
    )
)
HYPOTHETICAL = any_of(
    (
        r"\bif (?:i|we|he|she|they|it|you)\b.*\b(?:would|could|might|'d)\b|^if (?:i|we|he"
        r"|she|they|it)\b|\bif only\b",
        r"\b(?:suppose|supposing|imagine|pretend|let's say|say i|assuming|assume (?:i|we"
        r"|that)|hypothetically|what if|as if i)\b",
        r"\bi (?:wish|would have|could have|might|may) |\b(?:maybe|perhaps|possibly) (?:i"
        r"|we)\b|\bfor example\b|\be\.g\.|\bfor instance\b",
        r"\bi(?:'m| am) (?:thinking (?:of|about)|considering|not sure)|\bwe (?:might|may"
        r"|could)\b",
        r"\b(?:in|from) (?:the|this|my|that) (?:story|novel|book|game|film|movie|dream|play)\b",
        # Said with a sigh, not meant.
        r"^(?:yeah,? (?:right|sure)|oh,? (?:sure|great|joy|wonderful|fantastic|yay)|as if"
        r"|how lovely"
        r"|(?:great|wonderful|fantastic|lovely|brilliant|super),? (?:another|yet another|more"
        r"|just))\b"
        r"|\bjust what i (?:always )?(?:wanted|needed)\b",
    )
)
ONE_OFF = any_of(
    (
        r"\b(?:for|in|with) (?:this|the next|that|your next|the current) (?:answer|reply"
        r"|response|message|question|task|one|email|time|chat|session|conversation"
        r"|example|exercise|draft|paragraph|text|file|function)\b",
        r"\b(?:just|only) (?:this once|once|for now|for today|today|this time)\b"
        r"|\bthis (?:time|once|answer)\b|\bfor (?:now|the moment|today|once)\b"
        r"|\btemporarily\b|\bright now\b|\bat the moment\b",
        r"^(?:i'd|i would) (?:like|love|need|want)\b|\bof the two\b|\bthis one\b"
        r"|\bthe (?:first|second|third|last|other) (?:one|version|option|draft|variant)\b",
    )
)
REPORTED = any_of(
    (
        r"\b(?!i\b|we\b|nobody\b|one\b)\w+ (?:said|says|told|thinks?|claims?|claimed"
        r"|believes?|wrote|writes|mentioned|asked|keeps? saying|argues|insists|suggests"
        r"|reckons)\b"
        r"(?<!\bi said)(?<!\bi told)(?<!\bi think)(?<!\bwe think)(?<!\bi wrote)"
        r"(?<!\bi mentioned)(?<!\bi asked)(?<!\bi believe)",
        r"\b(?:i heard|i've heard|i read|apparently|allegedly|according to|rumou?r has"
        r"|they say|people say|supposedly|quote(?=[:,]))(?!\w)",
    )
)
PASSING = any_of(
    (
        r"\b(?:errors?|exceptions?|crash\w*|broken|bugs?|fail(?:s|ed|ing|ure)?|stuck"
        r"|timeouts?|traceback|stack ?trace|doesn't (?:work|load|compile|start|open"
        r"|build|run|respond|show)|not working|(?<!\bi )(?<!\bwe )no longer (?:works?|loads?"
        r"|compiles?|starts?|opens?|builds?|runs?|responds?|shows?|passes|appears?|exists?)"
        r"|(?:is|are|was|were|went) down)\b",
        r"\b(?:can't|cannot|couldn't) (?:find|see|open|connect|log ?in|access|install|figure"
        r"|get)\b",
        r"\b(?:today|tonight|right now|this (?:morning|afternoon|evening|week)|yesterday"
        r"|tomorrow)\b",
        r"\b(?:a (?:bit|little)|so|very|really|super|too|pretty|quite|feeling|been) (?:tired"
        r"|hungry|sick|busy|confused|stressed|annoyed|happy|sad|cold|bored|sleepy|lost"
        r"|excited|grateful"
        r"|thankful|proud|inspired|motivated|hopeful|optimistic|relieved|worried|nervous"
        r"|upset|great|rough|tough|good|well|super|so|encouraging|amazing|awesome|giving)\b"
        r"|\bi (?:always |often )?feel\b|^(?:every|each) time i\b",
        r"\b(?:is|are|was|were|'s|'re) (?:so |really |very |just |pretty )*(?:amazing"
        r"|awesome|great|good|bad|nice|cool|terrible|fun|beautiful|cute|gorgeous|(?:tough"
        r"|hard)(?! for me)|infectious|perfect|lovely|wonderful|crazy|insane|everything)\b",
        r"\b(?:is|are|am|'m|'re|'s) (?:running )?(?:late|waiting|early|away|delayed|cancell?ed"
        r"|on (?:my|the|our|their|his|her) way|almost done)\b",
        r"\b(?:i(?:'m| am)|we(?:'re| are)) (?:still |already )?(?:at|in|on|outside|inside"
        r"|near) (?:the|a|an"
        r"|my|our) (?:airport|station|train|bus|plane|car|taxi|meeting|call|shop|store|supermarket"
        r"|dentist|doctor|gym|queue|hotel|lobby|hospital|road|beach|park|phone)\b",
        r"\bi(?:'m| am) (?:sorry|afraid|sure|glad|happy|done|ready|back|here|fine|good|ok"
        r"|okay|trying|looking|getting|having|using (?:the|this|your)|seeing|stuck|lost"
        r"|coming|doing|feeling|so\b|excited|grateful|thankful|proud|hopeful|pushing|keeping"
        r"|driven"
        r"|confused|tired|late|going to|about to|wondering|curious)\b",
    )
)
FLEETING = any_of(
    (
        r"\b(?:you|your|yours|you're|you've|it|it's|this|that|that's|these|those|them|they"
        r"|they're|he|she|he's|she's|him|her|here|there|let's|please"
        r"|i'd|i'll|we'd|we'll|would|could|will|might|maybe|perhaps|going to|gonna|wanna"
        r"|example|thanks|sorry|yet|just)\b",
        r"\b(?:i|we) (?:(?:don't|do not|didn't|can't|cannot|won't|never|also|still|only"
        r"|really|already|always|usually) )*(?:" + _MOMENTARY + r")\b",
        r"\b(?:i'm|i am|we're|we are) (?:\w+ )?(?!learning|living|working|studying|raising"
        r"|training|teaching|building|growing|allergic)\w+ing\b",
        r"\b(?:i|we)(?:'ve| have)?(?: \w+ly)? (?:\w+ed|ran|got|made|took|saw|found|wrote"
        r"|said|told|thought|knew|went|came|lost|met|paid|sent|spent|began|broke|brought"
        r"|built|chose|felt|forgot|gave|heard|held|kept|meant|spoke|stood|understood|won"
        r"|bought|sold|had|did|been|done|seen|gone)\b"
        r"(?!.*\b(?:last year|years? ago|since|in \d{4}|when i was|as a (?:child|kid"
        r"|student)|for \w+ years)\b)",
        r"\b(?:questions?|problems?|issues?|functions?|lists?|files?|scripts?|tables?"
        r"|data ?frames?|class(?:es)?|methods?|loops?|strings?|arrays?|quer(?:y|ies)|columns?"
        r"|rows?|variables?|csv|json|regex|pages?|forms?|buttons?|outputs?|inputs?|warnings?"
        r"|overloads?|snippets?|idea|doubts?|minute|moment|second|draft|lucky"
        r"|code (?:does|is|has|returns|works|looks)|step|life|mistake|bad|turn|opinion|mind"
        r"|point|luck|guess|chance|to share|news|great|fun|nice|awesome|amazing|wonderful"
        r"|excited|grateful|best|again|right now|was|were|made|happened|managed|wanted|glad"
        r"|blessed|lucky|determined|express|goal|aim|important|everything|world|impact"
        r"|amazing|agree|busy|have to|gotta|gotten|got|went|wore|held|off to|rock|mess"
        r"|great news)\b",
    )
)
