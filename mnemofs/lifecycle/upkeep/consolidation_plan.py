"""What of a proposed consolidation may be done: entries and a proposal in, a plan out. Pure.

An entry goes only where another one says all of it. Near-twins that differ in a value (a number, a
date, a name, a "not", an order) are never joined, whatever a model says; a join that would lose or
add words waits for a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations

from mnemofs.errors import EditRefused
from mnemofs.lifecycle.marks import Forgotten
from mnemofs.lifecycle.upkeep.consolidation_text import SOURCE, Join
from mnemofs.llm import values
from mnemofs.llm.engine import Consolidated, Kept
from mnemofs.llm.placeholders import elided, says_nothing
from mnemofs.markdown.entries import StructuredEntry, put_structured
from mnemofs.secrets import scan as scan_secrets

_SHORTEST = 3  # words; a shorter text needs its key and is nobody's duplicate without a citation
_MAX_KEY = 80
_FIGURE = re.compile(r"\d")
_NEW_KEY = re.compile(r"\w[\w.-]*(?: [\w.-]+){0,3}")
_MARKUP = re.compile(r"<!--|-->|```|~~~")

DIFFER = "they differ in a value"
GROWS = "it holds more entries than there are"


@dataclass(frozen=True)
class ConsolidationPlan:
    """joins: to be done. doubtful: for a person to decide, with the reason. refused: why not, one
    for each join that may never be."""

    joins: tuple[Join, ...] = ()
    doubtful: tuple[tuple[Join, str], ...] = ()
    refused: tuple[str, ...] = ()


@dataclass
class _Sorting:
    given: dict[str, StructuredEntry]
    taken: set[str] = field(default_factory=set)
    joins: list[Join] = field(default_factory=list)
    doubtful: list[tuple[Join, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def plan_consolidation(
    entries: Sequence[StructuredEntry],
    proposal: Consolidated,
    today: date,
    *,
    others: Iterable[str] = (),
    forgotten: Forgotten | None = None,
    touches: Callable[[Join], bool] | None = None,
) -> ConsolidationPlan:
    """The plan for one proposal about `entries` (unique keys).

    others: keys of the file that were not offered. forgotten: says of a text that it was forgotten.
    touches: whether a join would alter what a person marked as edited.
    """
    if not proposal.should_update:
        return ConsolidationPlan()
    if len(proposal.entries) > len(entries):
        return ConsolidationPlan(refused=(GROWS,))
    sorting = _Sorting({entry.key: entry for entry in entries})
    listed = {kept.key for kept in proposal.entries}
    cited = {key for kept in proposal.entries for key in kept.merged_from}
    uncited = [entry for entry in entries if entry.key not in listed | cited]
    for kept in proposal.entries:
        sources = _sources(kept, sorting.given, uncited)
        if isinstance(sources, str):
            sorting.refused.append(sources)
            continue
        if len(sources) < 2:
            continue  # one entry in other words, or under another key, stays as it is
        if sorting.taken.intersection(source.key for source in sources):
            sorting.refused.append("an entry was to go into two")
            continue
        join = Join(kept.key, kept.content, _dated(kept.key, sources, today), sources)
        _sort(sorting, join, {*others}, forgotten, touches)
    _drops(sorting, uncited, listed, touches)
    return ConsolidationPlan(tuple(sorting.joins), tuple(sorting.doubtful), tuple(sorting.refused))


def _sources(
    kept: Kept, given: dict[str, StructuredEntry], uncited: list[StructuredEntry]
) -> tuple[StructuredEntry, ...] | str:
    """The entries that `kept` stands for, or why it cannot.

    Without a citation it stands for itself and for the dropped entries that it says all of.
    """
    if unknown := [key for key in kept.merged_from if key not in given]:
        return f"it cites {len(unknown)} that are not there"
    names = dict.fromkeys(kept.merged_from)
    if kept.key in given:
        names = dict.fromkeys((*names, kept.key))
    elif not names:
        return "an entry came from nowhere"
    if not kept.merged_from:
        for entry in uncited:
            said = values.tokens(entry.content)
            if len(said) >= _SHORTEST and values.keeps(kept.content, entry.content):
                names[entry.key] = None
    return tuple(entry for key, entry in given.items() if key in names)


def _dated(key: str, sources: Sequence[StructuredEntry], today: date) -> date:
    """A key that stands keeps its date; a new one has the newest of its sources."""
    own = [source.updated for source in sources if source.key == key and source.updated]
    known = [source.updated for source in sources if source.updated]
    return (own or [max(known, default=today)])[0]


def _sort(
    sorting: _Sorting,
    join: Join,
    others: set[str],
    forgotten: Forgotten | None,
    touches: Callable[[Join], bool] | None,
) -> None:
    reason = _never(join, sorting.given.keys() | others, forgotten)
    if not reason and touches is not None and touches(join):
        reason = "it would alter an entry that was edited by hand"
    if reason:
        sorting.refused.append(reason)
        return
    sorting.taken.update(source.key for source in join.sources)
    doubt = _doubt(join)
    if doubt:
        sorting.doubtful.append((join, doubt))
    else:
        sorting.joins.append(join)


def _never(join: Join, keys: set[str], forgotten: Forgotten | None) -> str:
    """Why this join may not be done by anybody's machine, "" when it may."""
    texts = [source.content for source in join.sources]
    if any(values.differ(one, other) for one, other in combinations(texts, 2)):
        return DIFFER
    if says_nothing(join.content) or elided(join.content):
        return "a joined entry leaves its text out"  # LLM-05
    if scan_secrets(f"{join.key}: {join.content}", deep=True):
        return "a joined entry holds a secret"
    if forgotten and any(forgotten(line) for line in join.content.split("\n") if line.strip()):
        return "a joined entry says what was forgotten"
    if values.denies(join.content) and not any(map(values.denies, texts)):
        return "a joined entry denies what its sources say"
    new = values.added(join.content, [*texts, *(source.key for source in join.sources)])
    if any(_FIGURE.search(word) for word in new):
        return "a joined entry holds a figure of its own"
    if _MARKUP.search(join.content) and not any(_MARKUP.search(text) for text in texts):
        return "a joined entry holds a comment or code"
    if len(join.content) > 2 * sum(
        len(source.key) + len(source.content) for source in join.sources
    ):
        return "a joined entry is longer than all that it joins"
    if join.key not in {source.key for source in join.sources}:
        if join.key in keys:
            return "the new key is taken"
        if not _NEW_KEY.fullmatch(join.key):
            return "the new key is no name"
    try:
        put_structured(None, StructuredEntry(join.key, join.content, SOURCE, join.updated))
    except EditRefused:
        return "the new key or text cannot be written as an entry"
    return "the new key is too long" if len(join.key) > _MAX_KEY else ""


def _doubt(join: Join) -> str:
    """Why a person should look at this join, "" when it loses and adds nothing."""
    texts = [source.content for source in join.sources]
    if not all(_kept(join.content, source) for source in join.sources):
        return "words would be lost"
    keys = [re.sub(r"[\W_]+", " ", source.key) for source in join.sources]
    if values.added(join.content, [*texts, *keys]):
        return "words would be added"
    return ""


def _kept(content: str, source: StructuredEntry) -> bool:
    """A text that only repeats its key before the value may lose that: "The code name is"."""
    if values.keeps(content, source.content):
        return True
    first, *rest = values.beyond_key(source.content, source.key) or ("",)
    return values.holds(values.tokens(content), first, rest)


def _drops(
    sorting: _Sorting,
    uncited: Sequence[StructuredEntry],
    listed: set[str],
    touches: Callable[[Join], bool] | None,
) -> None:
    """Entries that were left out without a word: they stand, and a person may drop them."""
    for entry in uncited:
        if entry.key in sorting.taken:
            continue
        join = Join(entry.key, "", entry.updated, (entry,))
        if not listed or (touches is not None and touches(join)):
            sorting.refused.append("an entry would be lost")
        else:
            sorting.doubtful.append((join, "an entry would be dropped"))
