"""Small words that tell a language, a statement, or a denial."""

from __future__ import annotations


def words_of(*lines: str) -> frozenset[str]:
    """The words of some lines of them."""
    return frozenset(word for line in lines for word in line.split())


# The commonest words of each language, to tell which one a text is in.
TELLING = {
    "en": words_of(
        "the i my we our you your is are was and not to of in for with it that this don't i'm",
        "always never please from on have has use remember can what how me",
    ),
    "de": words_of(
        "der die das ich wir mein meine unser unsere du dein ist sind nicht und mit für auf von",
        "zu bin habe haben bitte ein eine einen dass mir dir uns im am kein keine nur noch wie",
        "immer nie merk heiße",
    ),
    "es": words_of(
        "el la los las yo mi mis nuestro nuestra tu es son no y con para de del en soy tengo me",
        "nos por favor un una que lo se siempre nunca recuerda al ya prefiero vivo",
    ),
    "fr": words_of(
        "le la les je nous mon ma mes notre tu ton est sont ne pas et avec pour de du des en suis",
        "ai un une que qui se toujours jamais souviens-toi à au ce cette il elle j'ai j'aime je",
        "m'appelle n'oublie c'est",
    ),
}

# Without one of these, a line is hardly a statement of a person.
CUES = {
    "en": words_of(
        "i i'm i've my we we're we've our always never don't stop avoid prefer decided agreed",
        "decision switched whenever",
    ),
    "de": words_of("ich mein meine wir unser unsere immer nie niemals nenn verwende künftig"),
    "es": words_of("yo mi mis soy tengo nuestro nuestra siempre nunca hemos llámame"),
    "fr": words_of(
        "je j'ai j'aime j'adore j'habite mon ma mes nous notre toujours jamais dorénavant désormais"
    ),
}

NEGATIONS = words_of(
    "not no never don't doesn't didn't isn't aren't won't can't cannot without nicht kein keine",
    "keinen nie niemals ohne nunca jamás sin tampoco ne pas jamais plus sans n'aime",
)

# Too common to say what a line is about.
COMMON = words_of(
    "a an the and or but so of to in on at for with by from as is are was were be been am i i'm",
    "i'd i've we we're you your my our me us it its it's that this these those they he she his her",
    "there here have has had do does did will would can could should very really just also please",
    "der die das den dem des ein eine einen einem einer und oder aber zu in im am an auf für mit",
    "von vom aus als ist sind war bin habe hat haben ich wir du sie er es mein meine mir mich uns",
    "dass nur auch noch bitte el la los las un una unos unas y o pero de del al en con por para es",
    "son soy era he ha hemos yo mi mis me nos se lo que más muy le les un une des et ou mais du au",
    "aux dans sur pour avec par est sont suis ai a avons je j' nous on tu il elle mon ma mes me se",
    "que qui ce cette très plus each every around about again still now today yesterday",
    "unser unsere unserem unseren unserer nuestro nuestra nuestros nuestras notre nos 私 僕 俺",
    "的 了 是 在 和 就 也 都 很 我 你 们 有 从 把 被 给 跟 对 用 着 吧 呢 啊",
)

ARTICLES = words_of("the a an der die das el la los las le les")

# Verbs and copulas after which a thing's one value stands.
STATES = words_of(
    "is are was were runs lives takes costs starts begins ends opens closes sits works reports",
    "lasts ist sind läuft wohnt lebt kostet dauert beginnt endet öffnet schließt liegt arbeitet es",
    "son está están vive cuesta dura empieza termina abre cierra corre trabaja queda est sont",
    "habite vit coûte dure commence finit ouvre ferme tourne travaille 是 为 在 は",
)

# Days and months, which are values.
DAYS = words_of(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays",
    "thursdays fridays saturdays sundays january february march april may june july august",
    "september october november december montag dienstag mittwoch donnerstag freitag samstag",
    "sonntag januar februar märz mai juni juli oktober dezember lunes martes miércoles jueves",
    "viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre",
    "octubre noviembre diciembre lundi mardi mercredi jeudi vendredi samedi dimanche janvier",
    "février mars avril juin juillet août septembre octobre novembre décembre",
)
