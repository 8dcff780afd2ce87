"""From a question and a piece of text to the one line that answers best, and how it is shown. Pure.

The search decides what answers; here only the line inside of it is chosen and its words are marked.
Lines are looked at as the index sees them, so that neither accents nor ligatures, wide letters or
letters in pieces hide a word that was found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category, is_normalized, normalize

from mnemofs.index.terms.stopwords import is_filler, without_stop_words
from mnemofs.index.terms.text import fold, solitary_run

AROUND = 80
_MOST_TERMS = 32
_LONGEST_TERM = 64
_EDGES = re.compile(r"^[^\w%+#@$&=~^\\€£¥§°]+|[^\w%+#@$&=~^\\€£¥§°]+$")
# Letters of scripts that put spaces between words; a Chinese neighbour ends a word, too (SRC-05).
_LETTER = r"[0-9A-Za-z_\u00aa-\u0e00\u1100-\u2dff]"
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")


# Pieces of a letter that are no marks by class: half-width voicing, parts of a Hangul syllable.
_PIECES = re.compile("[\uff9e\uff9f\u1160-\u11ff]")


class _Bare(dict[int, str]):
    """A folded character as it is compared: Latin and Greek without accents, dashes as a hyphen."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        base, marks = (apart := normalize("NFD", char))[0], apart[1:]
        if marks and base < "\u0400" and all("\u0300" <= mark <= "\u036f" for mark in marks):
            char = base
        elif "\u0300" <= char <= "\u036f":  # what no letter took in
            char = ""
        self[code] = "-" if char and category(char) == "Pd" else char
        return self[code]


_BARE = _Bare()


class Wanted(NamedTuple):
    """A word to look for. weight: how much it tells; longer words tell more."""

    pattern: re.Pattern[str]
    weight: int


class Line(NamedTuple):
    """A line that holds something of what is wanted. score: 0 to 1; spans: where, in order."""

    number: int
    text: str
    score: float
    spans: tuple[tuple[int, int], ...]


def wanted(query: str) -> tuple[Wanted, ...]:
    """What of a query to look for in a line: nothing that carries no question, unless there is
    nothing else. Runs of Chinese or Japanese characters are looked for in all their pairs of
    neighbours, so that no odd offset is missed (W-31)."""
    found: dict[str, Wanted] = {}
    spoken = [_EDGES.sub("", word) for word in fold(query[:4000]).split()]
    for word in (one.translate(_BARE) for one in without_stop_words(spoken)):
        at = 0
        for run in solitary_run().finditer(word) if not word.isascii() else ():
            _add(found, word[at : run.start()])
            pairs = [left + right for left, right in pairwise(run[0])] or [run[0]]
            for pair in [one for one in pairs if not all(map(is_filler, one))] or pairs:
                found.setdefault(pair, Wanted(re.compile(re.escape(pair)), 4))
            at = run.end()
        _add(found, word[at:])
    return tuple(found.values())[:_MOST_TERMS]


def lines(text: str, terms: Sequence[Wanted], first: int = 1) -> list[Line]:
    """The lines that hold any of the terms. first: the number of the text's first line."""
    total = sum(term.weight for term in terms) or 1
    found = []
    for number, line in enumerate(text.split("\n"), first):
        seen, places = _seen(line)
        spans = _spans(seen, terms)
        if spans:
            score = sum(term.weight for term in terms if term.pattern.search(seen)) / total
            if places:
                spans = tuple((places[start][0], places[stop - 1][1]) for start, stop in spans)
            found.append(Line(number, line, score, spans))
    return found


def best(text: str, terms: Sequence[Wanted], first: int = 1) -> Line:
    """The line of a text that holds most of the terms; its first line with words when none does."""
    found = lines(text, terms, first)
    if found:
        return max(found, key=lambda line: (line.score, -line.number))
    for number, line in enumerate(text.split("\n"), first):
        if line.strip():
            return Line(number, line, 0.0, ())
    return Line(first, "", 0.0, ())


def snippet(line: Line) -> str:
    """What is shown of a line: 80 characters on both sides of the first match, `...` where it is
    cut, each match in `[[ ]]`."""
    text = line.text.rstrip("\r")
    begin, end = 0, min(len(text), 2 * AROUND)
    if line.spans:
        begin = max(0, line.spans[0][0] - AROUND)
        end = min(len(text), line.spans[0][1] + AROUND)
    shown, at = "", begin
    for start, stop in line.spans:
        if stop <= end:
            shown += f"{text[at:start]}[[{text[start:stop]}]]"
            at = stop
    shown = (shown + text[at:end]).strip()
    return ("..." if begin else "") + shown + ("..." if end < len(text) else "")


def _add(found: dict[str, Wanted], word: str) -> None:
    word = _EDGES.sub("", word)[:_LONGEST_TERM]
    if not word or word in found:
        return
    shape = re.escape(word)
    if word.isalpha() and len(word) >= 5:
        stem = _ENDING.sub("", word)
        shape = re.escape(stem if len(stem) >= 4 else word) + f"{_LETTER}*"
    before = f"(?<!{_LETTER})" if word[0].isalnum() else ""
    after = f"(?!{_LETTER})" if word[-1].isalnum() and not shape.endswith("*") else ""
    found[word] = Wanted(re.compile(f"{before}{shape}{after}"), len(word))


def _bare(text: str) -> str:
    return fold(text).translate(_BARE)


def _seen(line: str) -> tuple[str, list[tuple[int, int]]]:
    """The line as it is compared, and where each character of that stands in the line; no places
    when it is the same place for all."""
    seen = _bare(line)
    if line.isascii() or (
        len(seen) == len(line) == len(line.casefold()) and is_normalized("NFKC", line)
    ):
        return seen, []
    seen, places, start = "", [], 0
    for stop in range(1, len(line) + 1):
        # A letter in several pieces is one.
        if stop < len(line) and (category(line[stop])[0] == "M" or _PIECES.match(line[stop])):
            continue
        piece = _bare(line[start:stop])
        seen += piece
        places += [(start, stop)] * len(piece)
        start = stop
    return seen, places


def _spans(line: str, terms: Sequence[Wanted]) -> tuple[tuple[int, int], ...]:
    """Where the terms stand; of matches that overlap the longer one counts."""
    every = {match.span() for term in terms for match in term.pattern.finditer(line)}
    taken = bytearray(len(line))
    kept = []
    for start, stop in sorted(every, key=lambda span: (span[0] - span[1], span)):
        if taken.find(1, start, stop) < 0:
            taken[start:stop] = b"\1" * (stop - start)
            kept.append((start, stop))
    return tuple(sorted(kept))
