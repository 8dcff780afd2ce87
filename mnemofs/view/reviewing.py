"""Reviewing: what waits for a person in the reader's own store, and deciding about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.lifecycle.facts.contradictions import Contradiction
    from mnemofs.lifecycle.reviewing.decisions import Verdict
    from mnemofs.lifecycle.reviewing.review import Decided, Review
    from mnemofs.lifecycle.reviewing.waiting import Waiting
    from mnemofs.store.model import Actor
    from mnemofs.store.past.diffing import FileDiff


class Shown(NamedTuple):
    """One item to look at. files: what a proposal would change; of a conflict, from ours to theirs;
    of a contradiction, from one statement to the other.

    ours, theirs, actors, standing: only of a conflict: both texts, who wrote them, and which of
    them stand in the file. contradiction: the two facts.
    """

    item: Waiting
    files: tuple[FileDiff, ...]
    ours: bytes | None = None
    theirs: bytes | None = None
    newer: str = ""
    actors: tuple[str, str] = ("", "")
    standing: frozenset[str] = frozenset()
    contradiction: Contradiction | None = None


class Reviewing(ViewBase):
    """List, show and decide."""

    def review(self) -> tuple[Waiting, ...]:
        """Everything that waits for a person here, oldest first."""
        scope = self._own()
        if scope is not None:
            scope.fold()
        return self.waiting()

    def waiting(self) -> tuple[Waiting, ...]:
        """The same, without committing hand edits first."""
        with self._review() as review:
            return review.waiting() if review else ()

    def review_item(self, name: str) -> Shown:
        """One of them by its id, or the beginning of it. Raises NotFound."""
        from mnemofs.lifecycle.facts.contradictions_item import ContradictionItem
        from mnemofs.lifecycle.reviewing.waiting import ConflictItem

        with self._review() as review:
            item = _present(review).find(name)
            files = _present(review).preview(item)
            if isinstance(item, ContradictionItem):
                return Shown(item.waiting, files, contradiction=item.found)
            if not isinstance(item, ConflictItem):
                return Shown(item.waiting, files)
            dispute = item.dispute
            return Shown(
                item.waiting,
                files,
                dispute.ours,
                dispute.theirs,
                dispute.newer,
                dispute.actors,
                _present(review).standing(item),
            )

    def review_draft(self, name: str) -> bytes:
        """What a person starts from who wants to write an own text for it. Raises NotFound."""
        with self._review() as review:
            return _present(review).draft(_present(review).find(name))

    def decide(
        self, name: str, verdict: Verdict, *, text: str | None = None, actor: Actor = "person"
    ) -> Decided:
        """Carry out what a person decided, as one commit that `undo` takes back.

        verdict: one of the item's `verdicts`; text: only for "edited": the whole file of a
        proposal, the entry of a conflict, the statement of a contradiction ("merge" may have one,
        too). Raises NotFound, UsageError, EditRefused (it was decided
        by an edit meanwhile), GuardRefused (it would bring back what was forgotten).
        """
        self._require_own().fold()
        with self._review() as review:
            item = _present(review).find(name)
            content = None if text is None else text.encode("utf-8", "surrogateescape")
            decided = _present(review).decide(
                item, verdict, text=content, actor=actor, clock=self.clock
            )
        self._require_own().written(decided.done)
        return decided

    @contextmanager
    def _review(self) -> Iterator[Review | None]:
        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.lifecycle.reviewing.review import Review

        scope = self._own()
        if scope is None:
            yield None
            return
        with Timeline(scope.store) as timeline:
            facts = self.config.facts
            yield Review(
                scope.store, timeline=timeline, facts=facts.enabled and facts.contradictions
            )


def _present(review: Review | None) -> Review:
    from mnemofs.errors import NotFound

    if review is None:
        raise NotFound("nothing waits here: there is no memory yet", hint="see `mnemofs review`")
    return review
