"""English for the rules engine: the words that its patterns are made of."""

from __future__ import annotations

RELATIVE = (
    r"(?:wife|husband|partner|spouse|boyfriend|girlfriend|fianc[eé]e?|mother|mom|mum|father|dad"
    r"|parents?|sister|brother|siblings?|son|daughter|kids?|child|children|baby|twins?|grand\w+"
    r"|aunt|uncle|cousin|niece|nephew|in-laws|dog|cat|pet|horse|rabbit|parrot|best friend|flatmate"
    r"|roommate|neighbou?r|boss|manager|colleague|co-?worker|assistant|doctor|therapist|landlord)s?"
)
OWN = (
    r"(?:name|nickname|surname|birthday|birth date|time ?zone|e-?mail(?: address)?|address|phone"
    r"|employer|company|team|job|role|position|title|hometown|home town|native language|husky"
    r"|mother tongue|first language|pronouns|height|weight|shoe size|blood type|diet|religion"
    r"|editor|ide|shell|laptop|computer|desktop|phone|car|bike|keyboard|operating system|os|browser"
    r"|username|handle|github|office|apartment|flat|house|school|university|hobby|hobbies"
    r"|field|specialty|background|workflow|setup|budget|goal|allergy|allergies)"
)
STATES = (
    r"(?:vegetarian|vegan|pescatarian|diabetic|celiac|coeliac|asthmatic|dyslexic|autistic|deaf"
    r"|blind|claustrophobic|an(?:a)?emic|insomniac|epileptic|introverted|extroverted|(?:short|near"
    r"|far)-?sighted"
    r"|hard of hearing|arachnophobic|left-footed|ambidextrous|childless|adopted|sober"
    r"|colou?r-?blind|left-handed|right-handed|lactose.intolerant|allergic|intolerant|pregnant"
    r"|married|divorced|single|widowed|retired|self-employed|unemployed|freelanc\w+|bilingual"
    r"|trilingual|fluent|jewish|muslim|christian|buddhist|hindu|atheist|kosher|halal"
    r"|\w+(?:ese|ish)|norwegian|german|canadian|australian|american|italian|indian|korean|russian"
    r"|brazilian|mexican|austrian|belgian|hungarian|ukrainian|greek|french|dutch|swiss)"
)
NOT_A_ROLE = (
    r"(?!(?:bit|little|lot|fan|huge|big|few|couple|mess|idiot|fool|moment|hurry|rush|loss|step"
    r"|while|good mood|bad mood|position|situation|pirate|robot|human)\b)"
)
VAGUE = (
    r"(?!(?:it|this|that|these|those|them|him|her|he|she|they|your|you|the (?:idea|answer|way you"
    r"|first|second|third|last|new|old|other|one|ones|look|sound|latter|former|version|result)"
    r"|option|a (?:table|list|summary|copy)|what|how|where|when|both|there|their|either"
    r"|to (?:see|know|ask"
    r"|hear|get|have|try|make|add|use|change|check|learn|understand|find|go|be able)|to$)\b)"
    r"(?![^,;.–-]{0,60}\b(?:it|these|those|this|him|them|their|there)\b)"
)
OFTEN = r"(?:usually|always|never|normally|typically|generally|mostly|often|rarely|only|tend to)"
BASE = (
    r"(?:use|write|answer|reply|respond|ask|check|include|add|put|keep|start|end|call|address"
    r"|format|give|show|explain|commit|push|test|cite|speak|send|save|avoid|say|begin|convert"
    r"|round|sort|delete|touch|schedule|book|order|suggest|recommend|quote|mention|make|do"
    r"|read|follow|prefix|sign|translate|deploy|merge|rebase|propose|work|stick|leave|change"
    r"|apologi[sz]e|assume|skip|edit|confirm|provide|wrap|list|run|talk|treat|refer|spell"
    r"|name|type|document|review|link|attach|number|capitali[sz]e|indent|log|prefer)\b(?! (?:up"
    r"|know|a chance)\b)"
)
DAY = (
    r"(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next \w+"
    r"|the end of (?:the )?\w+|end of \w+|noon|midnight|eod|eow|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct"
    r"|nov|dec|the \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th|[./:-]\d+)|\d{4}-\d\d-\d\d"
    r"|\d{1,2} ?(?:am|pm|o'clock)|this (?:week|month|evening|afternoon|weekend))"
)
DONE = (
    r"(?:finished|shipped|released|launched|completed|signed|booked|submitted|graduated|passed"
    r"|published|merged|deployed|handed in|sent|closed|bought|ordered|met|visited|fixed|started"
    r"|won|got|received|delivered|presented|migrated|moved|hired|called|paid|renewed|filed|wrote)"
)
# What someone does or wants right now, and past forms that do not end in -ed.
NOT_A_HABIT = (
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
OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:reports?|e?mails?|letters?|summary|articles?|posts?|questions?|problems?"
    r"|issues?|functions?|lists?|files?|scripts?|tables?"
    r"|data ?frames?|class(?:es)?|methods?|loops?|strings?"
    r"|arrays?|quer(?:y|ies)|columns?|rows?|variables?|csv|json|regex|pages?|forms?|images?"
    r"|paragraphs?|essays?|idea|doubts?|hunch"
    r"|headache|cold|fever|minute|moment|second|draft|buttons?|outputs?|inputs?|warnings?"
    r"|messages?|overloads?|examples?|snippets?"
    r"|feeling|time|chance|look|sense|point|fun|clue|guess|as you can see|this|these|that one"
    r"|those|it|them)\b)"
)
