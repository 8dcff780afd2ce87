"""One store's candidates, scored by what is known about each; pure arithmetic on two lanes.

score = .45 v + .55 l + named + time + asks + substance + language + note (+ recency + importance).
v is the calibrated cosine clip((cos - floor) / (ceiling - floor), 0, 1), l is BM25 over what the
query could attain, at most 1.2. Neither is stretched to what the best hit happens to reach, so that
scores of different stores can be merged. Beside v, l is bent (l ** 1.3): one word of several in
common is the weakest evidence there is, and tells least where meaning can be asked. The small terms
are generic; `benchmarks/locomo.py` and `benchmarks/multilingual.py` judge them together.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from mnemofs.index.hits import Candidate
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mnemofs.index.hits import Place
    from mnemofs.index.priors import Priors
    from mnemofs.index.sidecar import Index
    from mnemofs.index.terms.query import Query

VECTOR_SHARE = 0.45
LEXICAL_SHARE = 0.55
LEXICAL_CAP = 1.2
LEXICAL_BEND = 1.3
# The question names the author, title or tag.
NAMED = 0.2
# It asks for a time, and the text says one; a longer statement says more (words, up to
# SUBSTANTIAL). Both count in full once the text has to do with the question at all (RELATED).
TIMED = 0.07
# It speaks of a time, and the memory is of that time.
OF_TIME = 0.2
SUBSTANCE = 0.05
SUBSTANTIAL = 30
RELATED = 0.3
# A question answers nothing.
ASKS = -0.06
# Who asks in one language means a memory in that language before the like in another. Words in
# common across languages are names or false friends. What is much alike in spite of the language is
# more often the answer than what is a little alike.
FOREIGN = -0.16
FOREIGN_ALIKE = -0.06
FOREIGN_FROM, FOREIGN_TO = 0.45, 0.75
FOREIGN_LIKENESS = 0.1
FOREIGN_WORDS = -0.4
# A note of which several parts answer is more likely the right one: the mean of its best three, as
# far as they are more than chance.
NOTE = 0.3
NOTE_BEST = 3
NOTE_FROM = 0.2
# Instructions and character stand in every prompt anyway; they are no answer where a memory is one.
INSTRUCTIONS = ("AGENTS.md", "SOUL.md")
INSTRUCTION_SHARE = 0.5
# A hit needs a word in common that counts, or likeness beyond the mean of a question and any text,
# and must not be far weaker than the best one: a list is never filled up with noise.
WORDS_FLOOR = 0.02
MEANING_FLOOR = 0.03
# One word or two resemble many texts by chance; not so when they are a question.
MEANING_FLOOR_BRIEF = {1: 0.5, 2: 0.35}
FAR_BELOW_BEST = 0.2
FAR_BELOW_BEST_LEXICAL = 0.1
# Two of three questions that nothing answers have no better hit than this, and one of ten that
# something answers: then it is the first few or none, and they must be about as good as the best.
UNSURE = 0.13
UNSURE_BELOW_BEST = 0.3
UNSURE_SHOWN = 5
# Evidence beyond this says no more about how good the others must be.
BEST_SEEN = 0.5

_NO_USAGE: Mapping[tuple[str, str], int] = {}


class Asked(Record):
    """A question as ranking needs it. hybrid: meaning was asked, too. languages: those it may be
    in, as bits."""

    query: Query
    hybrid: bool
    languages: int
    priors: Priors | None = None


def score(
    place: Place,
    asked: Asked,
    words: Mapping[int, float],
    likeness: Mapping[int, float],
    usage: Mapping[tuple[str, str], int] = _NO_USAGE,
    timed: Container[int] = (),
) -> list[Candidate]:
    """The chunks of one store that have anything to do with the question.

    words, likeness: chunk -> what each lane gives it. timed: those of the time that was asked for.
    """
    query = asked.query
    floor = meaning_floor(query)
    spoken, when, languages = query.spoken, query.when, asked.languages
    named: dict[str, float] = {"": 0.0}
    kept = []
    by_note: dict[int, list[float]] = {}
    rows = _facts(place.index, [*words, *likeness])
    for chunk, file, names, says_when, asks, size, tongue, instructs in rows:
        lexical = words.get(chunk, 0.0)
        meaning = likeness.get(chunk, 0.0)
        if lexical > LEXICAL_CAP:
            lexical = LEXICAL_CAP
        if instructs:
            lexical *= INSTRUCTION_SHARE
            meaning *= INSTRUCTION_SHARE
        if names not in named:
            named[names] = 0.0
            for name in names.split("\n"):
                if f" {name} " in spoken:
                    named[names] = NAMED
                    break
        said = LEXICAL_SHARE * (lexical**LEXICAL_BEND if asked.hybrid else lexical)
        meant = VECTOR_SHARE * meaning
        evidence = said + meant
        substance = SUBSTANCE if size >= SUBSTANTIAL else SUBSTANCE * size / SUBSTANTIAL
        time = TIMED if when and says_when else 0.0
        if chunk in timed:
            time += OF_TIME
        if evidence < RELATED:
            substance *= evidence / RELATED
            time *= evidence / RELATED
        asking = ASKS if asks else 0.0
        foreign = 0.0
        if languages and tongue and not languages & tongue:
            foreign = _foreign(meaning) + FOREIGN_WORDS * said
        total = evidence + named[names] + time + asking + substance + foreign
        if total > NOTE_FROM:
            by_note.setdefault(file, []).append(total - NOTE_FROM)
        if lexical >= WORDS_FLOOR or meaning >= floor:
            parts = (said, meant, named[names], time, asking, substance, foreign)
            kept.append((chunk, file, total, parts))
    note = {
        file: NOTE * sum(sorted(scores, reverse=True)[:NOTE_BEST]) / NOTE_BEST
        for file, scores in by_note.items()
    }
    scored = []
    for chunk, file, total, parts in kept:
        more = note.get(file, 0.0)
        scored.append(Candidate(place, chunk, total + more, (*parts, more)))
    priors = asked.priors
    return _preferred(scored, priors, usage) if priors is not None else scored


def _foreign(meaning: float) -> float:
    """What a chunk in another language than the question loses, which is negative."""
    alike = min(max((meaning - FOREIGN_FROM) / (FOREIGN_TO - FOREIGN_FROM), 0.0), 1.0)
    lost = FOREIGN + alike * (FOREIGN_ALIKE - FOREIGN)
    return lost * min(meaning / FOREIGN_LIKENESS, 1.0)


def meaning_floor(query: Query) -> float:
    """The likeness from which a chunk may be an answer at all."""
    if query.text.rstrip().endswith(("?", "？")):
        return MEANING_FLOOR
    return MEANING_FLOOR_BRIEF.get(query.length, MEANING_FLOOR)


def least(ranked: Sequence[Candidate], *, hybrid: bool) -> float:
    """The evidence below which a candidate is far weaker than the best of `ranked`."""
    best = max((one.evidence for one in ranked), default=0.0)
    if not hybrid:
        return FAR_BELOW_BEST_LEXICAL * best
    return (UNSURE_BELOW_BEST if best < UNSURE else FAR_BELOW_BEST) * min(best, BEST_SEEN)


def shown(ranked: Sequence[Candidate], asked: Asked) -> int | None:
    """How many hits are worth showing at most; None: all. Few when nothing stands out."""
    exact = asked.query.required or asked.query.literal
    if exact or not asked.hybrid or max((one.evidence for one in ranked), default=1.0) >= UNSURE:
        return None
    return UNSURE_SHOWN


def _preferred(
    scored: list[Candidate], priors: Priors, usage: Mapping[tuple[str, str], int]
) -> list[Candidate]:
    """The candidates with what recency and importance add to each."""
    from mnemofs.index import priors as prior

    if not scored:
        return scored
    places: dict[int, tuple[str, str, str]] = {
        row[0]: row[1:]
        for row in scored[0].place.index.query(
            "select c.id, f.path, c.heading, c.date from chunk c join file f on f.id = c.file"
            f" where c.id in ({','.join(str(one.chunk) for one in scored)})"
        )
    }
    preferred = []
    for one in scored:
        path, heading, day = places.get(one.chunk, ("", "", ""))
        fresh = used = 0.0
        if priors.recency and priors.today is not None:
            fresh = prior.RECENCY * priors.recency * prior.recency(day, priors.today)
        if priors.importance and path:
            recalls = usage.get((path, heading), 0)
            used = prior.IMPORTANCE * priors.importance * prior.importance(path, recalls)
        total = one.score + fresh + used
        preferred.append(Candidate(one.place, one.chunk, total, (*one.parts, fresh, used)))
    return preferred


def _facts(index: Index, chunks: Sequence[int]) -> list[Any]:
    """(id, file, names, timed, asks, size, language, whether it is an instruction) of each."""
    wanted = ",".join(map(str, dict.fromkeys(chunks)))
    marks = ", ".join("?" * len(INSTRUCTIONS))
    return index.query(
        "select id, file, names, timed, asks, size, language,"
        f" file in (select id from file where path in ({marks})) from chunk where id in ({wanted})",
        INSTRUCTIONS,
    )
