"""Structured entries that fit a question: projects and references, which no prompt holds always.

Score (mateclaw-contract §6.4): 4 for each word of the key that the question has, 6 for each alias
that fits, and 1 for each word or pair of characters in common, at most 6. Words that carry no
question count for nothing.
"""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from mnemofs.context.aliases import ALIASES
from mnemofs.context.frame import RELEVANT, flat
from mnemofs.context.prompt import Block, one_line
from mnemofs.index.terms.stopwords import is_filler, without_stop_words
from mnemofs.index.terms.text import fold, solitary_count, solitary_run, words
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemofs.markdown.structured_text import StructuredText

_MOST = 6
_KEY, _ALIAS, _MOST_SHARED = 4, 6, 6
_CONTENT_CHARS = 600


class Scored(Record):
    """An entry that fits. index: its place in what was given; parts: "key 4 alias 6 words 2"."""

    index: int
    score: int
    parts: str


def relevant(entries: Sequence[tuple[str, StructuredText]], query: str) -> tuple[Scored, ...]:
    """The entries (type, entry) that fit `query`, best first, then newest first; at most six."""
    asked = _Question(query)
    if not asked.shingles and not asked.padded.strip():
        return ()
    found = []
    for index, (kind, entry) in enumerate(entries):
        key, alias, shared = asked.score(kind, entry)
        if key + alias + shared > 0:
            named = (("key", key), ("alias", alias), ("words", shared))
            parts = " ".join(f"{name} {value}" for name, value in named if value)
            found.append(Scored(index, key + alias + shared, parts))
    found.sort(key=lambda one: one.index)
    found.sort(key=lambda one: (one.score, entries[one.index][1].updated or date.min), reverse=True)
    return tuple(found[:_MOST])


def relevant_block(
    entries: Sequence[tuple[str, StructuredText]], chosen: Sequence[Scored], *, limit: int
) -> Block:
    """The chosen entries as bullets with their dates, ≤ `limit` characters (0 = no end)."""
    lines: list[str] = []
    keys: list[int] = []
    omitted: list[str] = []
    some = [entries[one.index][0] for one in chosen]
    head = f"## {RELEVANT}" + (" (with the current project)" if "project" in some else "")
    size = len(head) + 1
    for one in chosen:
        kind, entry = entries[one.index]
        day = f" *(updated {entry.updated.isoformat()})*" if entry.updated else ""
        line = f"- **{flat(entry.key)}**: {one_line(entry, _CONTENT_CHARS)}{day}"
        if limit and size + len(line) + 1 > limit:
            omitted.append(f"structured/{kind}.md: {entry.key}")
            continue
        size += len(line) + 1
        lines.append(line)
        keys.append(one.index)
    if not lines:
        return Block("", (), tuple(omitted))
    files = dict.fromkeys(f"structured/{entries[index][0]}.md" for index in keys)
    return Block("\n".join([head, "", *lines]), tuple(files), tuple(omitted), keys=tuple(keys))


class _Question:
    """A question taken apart once for all entries."""

    def __init__(self, query: str) -> None:
        folded = fold(query)
        self.folded = folded
        self.padded = f" {' '.join(_latin(folded))} "
        self.shingles = _shingles(folded)

    def score(self, kind: str, entry: StructuredText) -> tuple[int, int, int]:
        key = fold(entry.key)
        parts = [part for part in key.replace("_", " ").replace("-", " ").split() if len(part) > 1]
        named = sum(self.has(part) for part in without_stop_words(parts))
        aliases = sum(
            (kind == alias.kind if alias.kind else any(part in key for part in alias.keys))
            and any(map(self.has, alias.terms))
            for alias in ALIASES
        )
        shared = len(self.shingles & _shingles(fold(f"{entry.key} {entry.content}")))
        return _KEY * named, _ALIAS * aliases, min(shared, _MOST_SHARED)

    def has(self, term: str) -> bool:
        """Whether the question has a term; see `aliases`."""
        if solitary_count(term):
            return term in self.folded
        return f" {term}" in self.padded if len(term) > 3 else f" {term} " in self.padded


def _shingles(folded: str) -> frozenset[str]:
    """Words that say something, and pairs of characters where there are no spaces."""
    found = {word for word in without_stop_words(_latin(folded)) if len(word) > 1}
    if not folded.isascii():
        for run in solitary_run().findall(folded):
            pairs = [run] if len(run) == 1 else map("".join, pairwise(run))
            found.update(pair for pair in pairs if not all(map(is_filler, pair)))
    return frozenset(found)


def _latin(folded: str) -> list[str]:
    found = words(folded.replace("_", " "))
    return found if folded.isascii() else [word for word in found if not solitary_count(word)]
