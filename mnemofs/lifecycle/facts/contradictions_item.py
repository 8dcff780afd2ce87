"""A contradiction as it waits for a person, and what a decision makes of the files. Pure.

Keeping one side takes the other out wherever it stands; merging puts one text in the place of
both; ignoring changes nothing. Neither is asked again: one whose loser was written down anew is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from mnemofs.errors import EditRefused, UsageError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.facts.book import Origin
from mnemofs.lifecycle.facts.contradictions import Contradiction, Side, Where
from mnemofs.lifecycle.facts.edits import with_statement, without_fact
from mnemofs.lifecycle.facts.shown import BY_HAND
from mnemofs.lifecycle.reviewing.decisions import Decision, Verdict
from mnemofs.lifecycle.reviewing.waiting import Waiting, changes
from mnemofs.store.model import Edit

if TYPE_CHECKING:
    from mnemofs.lifecycle.reviewing.disputes import Dispute
    from mnemofs.store.model import Snapshot
    from mnemofs.store.past.diffing import FileDiff

    Reader = Callable[[str], Snapshot]

VERDICTS: Final[tuple[Verdict, ...]] = ("keep_a", "keep_b", "merge", "ignored", "edited")
_WHAT: Final = {
    "value": "two values for one thing; both stand",
    "denial": "one statement denies the other; both stand",
}


@dataclass(frozen=True)
class ContradictionItem:
    """label: the store's, for the ids of facts. newer: who wrote the later of the two, and since:
    when. at: the clock of the reader, for dates that are written."""

    found: Contradiction
    label: str
    newer: Origin
    since: datetime
    at: datetime

    @property
    def waiting(self) -> Waiting:
        """See `waiting.Item`."""
        paths = (one.path for side in (self.found.a, self.found.b) for one in side.places)
        return Waiting(
            id=self.found.id,
            kind="contradiction",
            what=_WHAT[self.found.kind],
            paths=tuple(dict.fromkeys(paths)),
            heading=self.found.a.section,
            since=self.since,
            actor=self.newer.actor,
            source=self.newer.source,
            trust=self.newer.trust,
            commit=self.newer.commit,
            verdicts=VERDICTS,
        )

    def is_asked_by(self, disputes: Iterable[Dispute]) -> bool:
        """Whether a conflict of a merge asks the same question: its two texts are these two."""
        first, second = (
            [one.statement.encode() for one in side.places] for side in (self.found.a, self.found.b)
        )
        return any(
            any(one in left for one in first) and any(one in right for one in second)
            for dispute in disputes
            for left, right in (
                (dispute.ours, dispute.theirs),
                (dispute.theirs, dispute.ours),
            )
        )

    def preview(self, read: Reader) -> tuple[FileDiff, ...]:
        """From one statement to the other."""
        first, second = self.found.a.places[0], self.found.b.places[0]
        return (
            changes(first.path, _shown(first).encode() + b"\n", _shown(second).encode() + b"\n"),
        )

    def plan(self, read: Reader, verdict: Verdict, text: bytes | None) -> tuple[Edit, ...]:
        """See `waiting.Item`. Raises EditRefused when one of the two stands no more, UsageError
        when a denial is to be merged without a text."""
        if verdict == "ignored":
            return ()
        drafts = _Drafts(read)
        first, second = self.found.a, self.found.b
        if verdict in ("keep_a", "keep_b"):
            loser = second if verdict == "keep_a" else first
            self._take_out(drafts, loser)
        else:
            wanted = (text or b"").decode("utf-8", "surrogateescape").strip() or self.combined()
            home = first.places[0]
            put = partial(
                with_statement,
                path=home.path,
                label=self.label,
                fact=home.fact,
                text=wanted,
                day=self.at.date(),
                gone=(*first.facts, *second.facts),
            )
            drafts.step(home.path, put)
            self._take_out(drafts, first, but=home.path)
            self._take_out(drafts, second, but=home.path)
        edits = drafts.edits()
        if not edits:
            raise EditRefused(
                "neither of the two stands there any more; nothing was changed",
                hint="`mnemofs contradictions` lists what is still open",
            )
        return edits

    def _take_out(self, drafts: _Drafts, side: Side, *, but: str = "") -> None:
        for path, fact in dict.fromkeys((one.path, one.fact) for one in side.places):
            if path == but:
                continue
            drafts.step(path, partial(without_fact, path=path, label=self.label, fact=fact))

    def decision(self, verdict: Verdict, at: datetime) -> Decision:
        """See `waiting.Item`."""
        return Decision(self.found.id, verdict, at)

    def combined(self) -> str:
        """One statement with both values. Raises UsageError when that would make no sense."""
        first, second = self.found.a, self.found.b
        statement = first.places[0].statement
        if self.found.kind == "denial":
            raise UsageError(
                "one statement denies the other: they cannot be merged by themselves",
                hint="say what is right with --text",
            )
        if first.places[0].key:
            return f"{first.object} / {second.object}"
        head, found, tail = statement.rpartition(first.object)
        if not found:
            return f"{statement.rstrip('.')}; {second.places[0].statement}"
        return f"{head}{first.object} / {second.object}{tail}"

    def draft(self) -> bytes:
        """What a person starts from who wants to write an own text."""
        if self.found.kind == "value":
            return self.combined().encode() + b"\n"
        return self.found.a.places[0].statement.encode() + b"\n"


class _Drafts:
    """Files as they become, each by steps that can be repeated on newer bytes."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._found: dict[str, Draft] = {}

    def step(self, path: str, step: Callable[[bytes | None], bytes | None]) -> None:
        draft = self._found.get(path) or Draft.of(self._read(path))
        self._found[path] = draft.stepped(step)

    def edits(self) -> tuple[Edit, ...]:
        made = (draft.edit() for draft in self._found.values())
        return tuple(replace(edit) for edit in made if edit is not None)


def _shown(place: Where) -> str:
    return f"{place.key}: {place.statement}" if place.key else place.statement


def latest(found: Contradiction, origins: Mapping[tuple[int, int], Origin]) -> Origin:
    """Who wrote the later of the two claims; what is in no commit yet is later than all."""
    sides = [_newest(side, origins) for side in (found.a, found.b)]
    known = [one for one in sides if one is not None]
    return max(known, key=_time) if len(known) == len(sides) else BY_HAND


def _newest(side: Side, origins: Mapping[tuple[int, int], Origin]) -> Origin | None:
    found = [origins.get((one.file, one.line)) for one in side.places]
    known = [one for one in found if one is not None]
    return max(known, key=_time) if len(known) == len(found) else None


def _time(origin: Origin) -> datetime:
    return datetime.fromisoformat(origin.time)
