"""Where the index alone cannot tell, the text is read; and what is tried when nothing matched.

Symbol-bearing terms may stand inside longer words (`file_name` in `my_file_name`). A name may be
written apart or together (`LH 1372`, `LH1372`), an umlaut as two letters, a commit's id cut short.
Ordinary words may be misspelt: then the nearest word of the store is asked for. Each is said.
"""

from __future__ import annotations

import itertools
import re

from mnemofs.errors import MnemofsError
from mnemofs.index.rows.blobs import blob_id, lines_of, split_lines
from mnemofs.index.terms.query import Query, Term, phrase, quoted
from mnemofs.index.terms.stopwords import without_stop_words
from mnemofs.index.terms.text import fold, solitary_count, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemofs.index.sidecar import Index

# A word this short differs from many others by one letter.
_SHORTEST = 5
_LONG = 9
_CANDIDATES = 300
# The longest ending that a stemmer takes off.
_SUFFIX = 7
# Longer words are not taken apart, and not more words than these looked at.
_LONGEST = 24
_MOST_WORDS = 12
# A commit's id, cut short.
_HASH = r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,39}"
# How German writes an umlaut where there is no key for it; FTS5 keeps the letter without its dots.
_UMLAUT = r"([aou])e"


def inside(index: Index, query: Query) -> dict[int, float]:
    """Chunks whose text holds a literal of the query inside a longer word, with equal weight."""
    found: dict[int, float] = {}
    for literal in query.literals:
        parts = words(literal)
        if not parts:
            continue
        rows = index.query(
            "select rowid from fts where fts match ? limit ?",
            (f"{{body head}} : ({phrase(parts)})", _CANDIDATES),
        )
        texts = _texts(index, [row[0] for row in rows])
        found |= {chunk: 1.0 for chunk, text in texts.items() if literal in text}
    return found


def with_prefix(index: Index, prefixes: tuple[str, ...]) -> dict[int, float]:
    """Chunks in which a word, or a run of words, begins with one of `prefixes`; equal weight.

    FTS5 keeps stems, which may be shorter than what was asked (`deploym*`, kept as `deploy`), so
    the texts decide.
    """
    found: dict[int, float] = {}
    for prefix in prefixes:
        last = prefix.rpartition(" ")[2]
        stems = [last[:size] for size in range(max(2, len(last) - _SUFFIX), len(last))]
        texts = _texts(index, index.holders(last, stems, _CANDIDATES))
        for chunk, text in texts.items():
            if f" {prefix}" in f" {' '.join(words(text))}":
                found[chunk] = 1.0
    return found


def _texts(index: Index, chunks: list[int]) -> dict[int, str]:
    """The folded lines of chunks whose files are as indexed."""
    texts = {}
    for chunk, path, blob, first, last in index.query(
        "select c.id, f.path, f.blob, c.first, c.last from chunk c join file f on f.id = c.file"
        f" where c.id in ({','.join(map(str, chunks))})"
    ):
        try:
            data = index.read(path)
        except MnemofsError:
            continue
        if blob_id(data) == blob:
            texts[chunk] = fold(lines_of(split_lines(data), first, last))
    return texts


def corrected(index: Index, query: Query) -> tuple[tuple[Term, ...], str]:
    """Terms for what is nearly what was asked, and how to say so; no terms when there is nothing
    like it."""
    terms, said = [], []
    spoken = [word for word in query.spoken.split() if not solitary_count(word)][:_MOST_WORDS]
    for asked, term, shown in itertools.chain(
        _together(index, spoken), _alike(index, without_stop_words(spoken))
    ):
        terms.append(term)
        said.append(f"nothing matched {asked!r}, searched for {shown!r}")
    return tuple(terms), "; ".join(said)


# What was asked, what is asked for instead, and how that is written.
_Instead = tuple[str, Term, str]


def _together(index: Index, spoken: list[str]) -> Iterator[_Instead]:
    """Neighbouring words that the store knows as one."""
    for pair in itertools.pairwise(spoken):
        term = Term(quoted("".join(pair)))
        if _stands(index, term):
            yield " ".join(pair), term, "".join(pair)


def _alike(index: Index, spoken: list[str]) -> Iterator[_Instead]:
    """For each word that the store does not know, what it has that is written nearly so."""
    for word in spoken:
        if not _stands(index, Term(quoted(word))):
            found = _apart(index, word) or _cut_short(index, word) or _spelt(index, word)
            if found is not None:
                yield word, *found


def _apart(index: Index, word: str) -> tuple[Term, str] | None:
    """The word as two that stand together."""
    for place in range(1, len(word)) if len(word) <= _LONGEST else ():
        parts = word[:place], word[place:]
        counted = parts[0][-1].isdigit() != parts[1][0].isdigit()
        if counted or min(map(len, parts)) > 1:
            term = Term(phrase(parts))
            if _stands(index, term):
                return term, " ".join(parts)
    return None


def _cut_short(index: Index, word: str) -> tuple[Term, str] | None:
    term = Term(f"{quoted(word)} *")
    if re.fullmatch(_HASH, word) and _stands(index, term):
        return term, f"{word}*"
    return None


def _spelt(index: Index, word: str) -> tuple[Term, str] | None:
    if not word.isalpha():
        return None
    plain = re.sub(_UMLAUT, r"\1", word)
    near = plain if plain != word and _stands(index, Term(quoted(plain))) else _nearest(index, word)
    return (Term(quoted(near)), near) if near else None


def _stands(index: Index, term: Term) -> bool:
    return bool(
        index.query(
            "select 1 from fts where fts match ? limit 1", (f"{{body head}} : ({term.match})",)
        )
    )


def _nearest(index: Index, word: str) -> str:
    """The word of the store that is most like `word`, "" when none is like it."""
    stem = index.stem(word)
    if len(stem) < _SHORTEST - 1 or len(word) < _SHORTEST:
        return ""
    allowed = 2 if len(stem) >= _LONG else 1
    best = (allowed + 1, 0, "")
    for term, count in index.vocabulary(stem[0], len(stem) - allowed, len(stem) + allowed):
        # Numbered names differ by a character and mean different things.
        if term.isalpha():
            away = _distance(stem, term, allowed)
            best = min(best, (away, -count, term))
    if best[0] > allowed:
        return ""
    for text in _texts(index, index.holders("", [best[2]], 3)).values():
        for there in words(text):
            if index.stem(there) == best[2]:
                return there
    return ""


def _distance(word: str, other: str, most: int) -> int:
    """Edits (insert, delete, replace, swap neighbours) between two words; more than `most` as
    `most` + 1. A lone replaced last letter counts twice: `wordA` and `wordB` are two names."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    if len(word) == len(other) and word[:-1] == other[:-1] and word != other:
        return 2
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(word, 1):
        before, last, row = row, before, [i]
        for j, match in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != match))
            if i > 1 and j > 1 and char == other[j - 2] and word[i - 2] == match:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
