"""Facts that fit a question, ranked by the words they share with it. Reads the table only.

Cheap enough for every turn: no git, no history, no whole-message match (W-22).
"""

from __future__ import annotations

from math import log

from mnemofs.lifecycle.facts.book import FactBook, Row
from mnemofs.lifecycle.facts.terms import asked, terms_of

# A fact has to share this much of what a question asks, by the rarity of its words.
_ENOUGH = 0.2
_TYPED = 2


def fitting(book: FactBook, query: str) -> list[Row]:
    """The rows that fit a question, best first."""
    words = asked(query)
    if not words:
        return []
    rarity = book.rarity(words)
    if not rarity and len(words) <= _TYPED:  # a part of a word, as it is typed into a search box
        rarity = book.rarity(word for part in words for word in book.words_with(part))
    total = max(1, book.count())
    weights = {word: log(1 + total / number) for word, number in rarity.items()}
    if not weights:
        return []
    scores: dict[int, float] = {}
    for word, weight in weights.items():
        for row in book.rows_of(word):
            scores[row] = scores.get(row, 0.0) + weight
    enough = min(_ENOUGH * sum(weights.values()), max(weights.values()))
    kept = {row: score for row, score in scores.items() if score >= enough}
    best = sorted(kept, key=lambda row: -kept[row])[:200]
    by_row = dict(zip(sorted(best), book.by_number(sorted(best)), strict=True))
    return [by_row[row] for row in best]


def about(book: FactBook, entity: str) -> list[Row]:
    """The rows whose subject or object names an entity: all of its words, in any language."""
    words = tuple(terms_of(entity))
    if not words:
        return []
    sets = [set(book.rows_of(word)) for word in words]
    rows = book.by_number(sorted(set.intersection(*sets)))
    wanted = set(words)
    return [row for row in rows if wanted <= terms_of(f"{row.subject} {row.object} {row.key}")]
