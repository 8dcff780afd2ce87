"""A question as terms. Query text is data: only quoted tokens of it reach FTS5 (SRC-02).

Two marks of a person's are honoured: "quoted words" stay together, a final `*` means any ending.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from mnemofs.index.terms.stopwords import is_filler, only_stop_words, without_stop_words
from mnemofs.index.terms.text import fold, query_symbols, solitary_count, solitary_run, words
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from mnemofs.index.terms.days import Days

# Patterns are compiled on use, and used where their signs stand: most questions have none.
_QUOTES = ('"', "“", "「")
# An opening mark ends the search for a closing one, so that a run of them costs nothing (SEC-08).
_QUOTED = r"\"([^\"]+)\"|“([^“”]+)”|「([^「」]+)」"
_POSSESSIVE = r"(?<=\w)'s\b"
_PREFIX = r"(?<!\S)(\w[^\s*\"]*)\*(?!\S)"
_WHEN = (
    r"\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long ago"
    r"|wann|cuándo|cuando fue|quand|quando|когда)\b"
    r"|什么时候|什麼時候|何时|何時|几时|哪[天年月]|几[号月]|いつ|何[年月日]|언제"
)
# What may surround a word without belonging to it; symbols that may belong are left.
_EDGE_SYMBOLS = frozenset("_%+#@$&=~^\\€£¥§°")
_MEANINGFUL = r"[^\W\d_]{3}|[^\W\d_\x00-\u02ff]"
# A question longer than this is a pasted text; its first words say what it is about.
_MAX_CHARS = 4000
_MAX_TERMS = 48
# A phrase is matched word by word; more words than these do not tell texts apart any better.
_MAX_PHRASE = 32


class Term(Record):
    """match: an FTS5 expression. exact: a symbol-bearing or quoted term, true or false of a text,
    nothing in between. word: the word it is, "" when it is more than one. own: it must stand in the
    chunk itself. run: the characters of a script without spaces that it is, if there are several.
    """

    match: str
    exact: bool = False
    word: str = ""
    own: bool = False
    run: str = ""

    def __hash__(self) -> int:
        return hash(self.match)  # asked for some dozens of times in a question


class Query(Record):
    """A question, parsed.

    terms: what may match, in any number. required: exact terms that every hit should hold when the
    store has them at all. literal: nothing but exact terms was asked, so a text that is merely
    similar is no answer. spoken: the folded words between spaces, to find names in. when: the
    question asks for a time. plain: words worth correcting when nothing matched.
    literals: the symbol-bearing words, folded. prefixes: what was asked with a final `*`, when
    nothing else was asked. brief: a word or two, which must then stand in the hit itself. length:
    all words, also those that carry no question. days: the times it speaks of.
    meaningful: there is a word long enough to mean something.
    """

    text: str
    terms: tuple[Term, ...]
    required: tuple[Term, ...]
    literal: bool
    spoken: str
    when: bool
    plain: tuple[str, ...]
    literals: tuple[str, ...]
    prefixes: tuple[str, ...]
    meaningful: bool
    brief: bool
    length: int
    days: tuple[Days, ...] = ()


def parse(text: str, today: Callable[[], date] | None = None) -> Query:
    """Any string, as a question; no terms when it holds no word at all.

    today: the day on which it is asked, for times that count from it.
    """
    raw = text[:_MAX_CHARS].encode("utf-8", "replace").decode()
    folded = fold(raw)
    terms: dict[str, Term] = {}
    required: dict[str, Term] = {}
    rest = folded
    if any(quote in folded for quote in _QUOTES):
        for match in re.finditer(_QUOTED, folded):
            together = _phrase(next(filter(None, match.groups())))
            if together is not None:
                required[together.match] = together
        rest = re.sub(_QUOTED, " ", folded)
    prefixes: list[str] = []
    for match in re.finditer(_PREFIX, rest) if "*" in rest else ():
        parts = words(match[1])
        if parts:
            head, last = parts[:-1], parts[-1]
            prefix = " + ".join([*map(quoted, head), quoted(last) + " *"])
            terms[prefix] = Term(prefix)
            prefixes.append(" ".join(parts))
    rest = re.sub(_PREFIX, " ", rest) if prefixes else rest
    days = _times(rest, today)
    for one in reversed(days):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    plain: list[str] = []
    literals: list[str] = []
    exact: dict[str, Term] = {}
    for word in _without_possessives(rest).split():
        symbols = query_symbols(word)
        if symbols:
            term = Term(_exact(word, symbols), exact=True)
            exact[term.match] = term
            literals.append(_bare(word))
        plain.append(word)
    literal = bool(exact or required)
    kept = without_stop_words([_bare(word) for word in plain])
    if days and only_stop_words(kept):
        kept = []  # "what did I do yesterday" asks for the day
    for word in kept:
        if query_symbols(word):
            continue
        literal = literal and not words(word)
        for term in _word_terms(word):
            terms.setdefault(term.match, term)
    if exact and not literal:
        # In a sentence `LGBTQ+` should also find what was written without the sign.
        for word in kept:
            if query_symbols(word):
                for part in words(word):
                    terms.setdefault(quoted(part), Term(quoted(part), word=part))
    every = [*required.values(), *exact.values(), *terms.values()][:_MAX_TERMS]
    return Query(
        text=raw,
        terms=tuple(every),
        required=tuple(required.values()),
        literal=literal and bool(every),
        spoken=f" {' '.join(words(folded))} ",
        when=re.search(_WHEN, folded) is not None,
        plain=tuple(word for word in kept if word.isalpha() and word.isascii()),
        literals=tuple(literals),
        prefixes=tuple(prefixes) if not plain and not required else (),
        meaningful=any(map(_means_something, plain)) or _means_something(folded),
        length=sum(map(_weight, folded.split())),
        brief=sum(map(_weight, kept)) + len(required) + len(prefixes) <= 2,
        days=days,
    )


def _times(folded: str, today: Callable[[], date] | None) -> tuple[Days, ...]:
    from mnemofs.index.terms.day_words import may_speak_of_time

    if not may_speak_of_time(folded, words(folded)):
        return ()
    from mnemofs.index.terms.days import spoken_of

    return spoken_of(folded, today)


def _without_possessives(text: str) -> str:
    return re.sub(_POSSESSIVE, "", text) if "'s" in text else text


def _bare(word: str) -> str:
    begin, end = 0, len(word)
    while begin < end and not _belongs(word[begin]) and word[begin] != "-":
        begin += 1
    while end > begin and not _belongs(word[end - 1]):
        end -= 1
    return word[begin:end]


def _belongs(char: str) -> bool:
    return char.isalnum() or char in _EDGE_SYMBOLS


def _means_something(text: str) -> bool:
    plainly = len(text) > 2 and text.isascii() and text.isalpha()
    return plainly or re.search(_MEANINGFUL, text) is not None


def _word_terms(word: str) -> list[Term]:
    """`pre-commit`: a phrase. `数据库`: each pair of neighbours, and the whole. Else itself."""
    terms = []
    position = 0
    pieces: list[str] = []
    for match in solitary_run().finditer(word) if not word.isascii() else ():
        pieces.append(word[position : match.start()])
        terms += _solitary(words(match[0]))
        position = match.end()
    pieces.append(word[position:])
    for piece in pieces:
        parts = words(piece)
        if parts:
            terms.append(Term(phrase(parts), word=parts[0] if len(parts) == 1 else ""))
    return terms


def _weight(word: str) -> int:
    """How many words a run without spaces is: Chinese words have two characters mostly."""
    return max(1, (solitary_count(word) + 1) // 2)


def _solitary(chars: list[str]) -> list[Term]:
    if len(chars) <= 2:
        return [_run(chars)] if chars else []
    pairs = [
        _run(pair)
        for pair in itertools.pairwise(chars)
        if not (is_filler(pair[0]) and is_filler(pair[1]))
    ]
    return [*pairs, _run(chars)] if len(chars) <= 8 else pairs


def _run(chars: Sequence[str]) -> Term:
    if len(chars) == 1:
        return Term(quoted(chars[0]), word=chars[0])
    return Term(phrase(chars), run="".join(chars))


def _phrase(text: str) -> Term | None:
    parts = words(text)
    symbols = [token for word in text.split() for token in query_symbols(word)]
    if symbols:
        return Term(_exact(text, symbols), exact=True)
    return Term(phrase(parts), exact=True) if parts else None


def _exact(text: str, symbols: list[str]) -> str:
    conditions = [f"sym : {quoted(token)}" for token in dict.fromkeys(symbols[:_MAX_PHRASE])]
    parts = words(text)
    if parts:
        conditions.append(f"{{body head}} : ({phrase(parts)})")
    return "(" + " AND ".join(conditions) + ")" if len(conditions) > 1 else conditions[0]


def phrase(parts: Sequence[str]) -> str:
    """Words that stand together, as an FTS5 phrase."""
    return " + ".join(map(quoted, parts[:_MAX_PHRASE]))


def quoted(token: str) -> str:
    """A token as an FTS5 string; it holds letters and digits only."""
    return f'"{token}"'


def either(terms: Sequence[Term]) -> str:
    """Any of some terms, as an FTS5 expression."""
    return " OR ".join(f"({term.match})" for term in terms)
