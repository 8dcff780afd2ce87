"""Words that carry no question in seven languages; glue characters of Chinese and Japanese."""

from __future__ import annotations

from collections.abc import Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH = _words("""
    a about am an and any are as at be been being but by can could d did do does doing don done
    for from had has have having he her hers him his how i if in into is it its itself ll m may me
    might mine more most must my no nor not of off on once or other our ours out over own re s
    shall she should so some such t than that the their them then there these they this those
    through to too under until up us ve very was we were what when where which while who whom
    whose why will with would you your yours don't doesn't didn't isn't aren't wasn't weren't
    won't wouldn't can't couldn't shouldn't haven't hasn't hadn't i'm i've i'd i'll you're you've
    you'd you'll he's she's it's we're we've we'd we'll they're they've they'd they'll that's
    what's who's where's when's how's there's let's please tell
""")
_GERMAN = _words("""
    ab aber als am an auch auf aufs aus bei beim bin bis da darf das dass dein deine dem den der
    des die dies diese dieser doch du ein eine einem einen einer eines er es für hab habe haben
    hat hatte hatten ich ihm ihn ihr ihre im in ist ja kann kein keine keinem keinen keiner können
    man mein meine meinem meinen meiner mich mir mit möchte muss müssen nach nicht noch nun nur ob
    oder schon sein seine sich sie sind so um und uns unser unsere unseren unserem unserer vom von
    vor war waren warum was welche welchem welchen welcher welches wem wen wenn wer werden weshalb
    wie wieso wieviel wir wird wo wofür woher wohin womit woran worauf woraus worüber wovon wovor
    wozu wurde wurden zu zum zur über soll sollen sollte sollten dürfen
""")
_SPANISH = _words("""
    a al algo ante aunque con como cómo cual cuál cuales cuáles cuando cuándo cuanto cuánto de del
    cuanta cuánta cuantas cuántas cuantos cuántos desde donde dónde el él ella ellos en entre era
    es esa ese eso esta está están este esto fue fueron ha han hay hasta he la las le les lo los
    más me mi mis muy no nos nosotros nuestra nuestro nuestros nuestras mí o para puede pueden
    pero por porque que qué quien quién quiénes se ser si sí sin sobre son su sus te tiene tienen
    tener tengo tu tus un una uno unos y ya yo
""")
_FRENCH = _words("""
    à au aux avec ce ces cette comment d dans de des du elle en est et eu il ils j je l la le les
    leur lui ma mais me mes mon ne nos notre nous on ou où par pas pour pourquoi qu quand que quel
    quelle quelles quels qui quoi s sa se ses son sont sur ta te tes ton tu un une vos votre vous
    y a ont avait était
""")
_PORTUGUESE = _words("""
    a ao aos as com como da das de do dos e é ela ele em era essa esse esta está este eu foi há
    isso isto já mais mas me meu minha na nas no nos não nós o onde os ou para pela pelo por
    porque qual quais quando que quem se sem ser seu sua são também te tem um uma você
""")
_ITALIAN = _words("""
    a ai al alla alle anche avere c che chi ci come con cosa da dal dalla de dei del della delle di
    dove e è era ha hai hanno ho i il in io l la le lei lo loro lui ma mi mia mio ne nei nel nella
    noi non nostra nostro o per perché più quale quali quando quanto quello questa questo se si sono
    su sua sul sulla suo ti tra tu tua tuo un una uno
""")
_DUTCH = _words("""
    aan al als bij ben dan dat de deze die dit door een en er had heb heeft hem het hij hoe hun ik
    in is je kan kunnen maar me met mij mijn moet naar niet nog nu of om onder ons onze ook op over
    te tot u uit van veel voor waar waarom was wat we welke wie wij word worden wordt zal ze zich
    zij zijn zo zonder
""")
LISTS = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "es": _SPANISH,
    "fr": _FRENCH,
    "pt": _PORTUGUESE,
    "it": _ITALIAN,
    "nl": _DUTCH,
}
# Two of these in a row say nothing about a Chinese or Japanese text.
_FILLERS = frozenset(
    "的了是在我你您他她它们們这這那哪什么麼吗嗎呢吧啊和与與或及也都就还還很把被让讓用给給对對于於"
    "从從到有没沒不会會能可以要想该該怎样樣为為因所以谁誰几幾个個时時候里裡上下中"
    "はがをにでとものへやかよねわさたてだですまるしいうくれらりすせあえおけこそつどなのばびぶべぼ"
    "みむめゆろをんっゃゅょ何"
)


def without_stop_words(words: Sequence[str]) -> list[str]:
    """`words` less those that are empty in the language most of them belong to; all of them when
    nothing else would be left."""
    given = [word for word in words if word]
    best = max(LISTS.values(), key=lambda stop: sum(word in stop for word in given))
    return [word for word in given if word not in best] or given


def only_stop_words(words: Sequence[str]) -> bool:
    """Whether all words are empty in one language."""
    return any(stop.issuperset(filter(None, words)) for stop in LISTS.values())


def is_filler(char: str) -> bool:
    """Whether a character is mere grammar next to another such."""
    return char in _FILLERS
