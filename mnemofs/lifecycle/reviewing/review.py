"""Review: everything that waits for a person, in one list, and what happens once they decide.

Proposals, conflicts and contradictions wait (`waiting`). `decide` commits the edits that a verdict
means together with the decision, as one commit, so that undoing it makes the item wait again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.ledger import append_event, ledger_path
from mnemofs.lifecycle.reviewing.conflicts import disputes_of
from mnemofs.lifecycle.reviewing.decisions import Decisions, Verdict, decision_event, decisions_at
from mnemofs.lifecycle.reviewing.disputes import SIDES, Dispute, is_open
from mnemofs.lifecycle.reviewing.proposals import proposals, prune
from mnemofs.lifecycle.reviewing.waiting import ConflictItem, Item, ProposalItem, Waiting
from mnemofs.store.git.walk import open_commits
from mnemofs.store.model import Change
from mnemofs.store.past import history

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.facts.contradictions_item import ContradictionItem
    from mnemofs.lifecycle.forgetting.tombstones import Tombstones
    from mnemofs.store.git.walk import Commits
    from mnemofs.store.model import Actor, Committed, Trust
    from mnemofs.store.past.diffing import FileDiff
    from mnemofs.store.past.history import Timeline
    from mnemofs.store.repository import Store

_SHORTEST: Final = 3
_TRUST: Final = frozenset({"user", "agent", "web"})


@dataclass(frozen=True)
class Decided:
    """What a decision did. done: the commit, and where texts met newer ones."""

    item: Waiting
    verdict: Verdict
    done: Committed


class Review:
    """What waits in one store. timeline: makes finding the conflicts quick. facts: whether
    contradictions between facts are looked for."""

    def __init__(
        self, store: Store, *, timeline: Timeline | None = None, facts: bool = True
    ) -> None:
        self._store = store
        self._timeline = timeline
        self._facts = facts
        self._decisions: Decisions = decisions_at(store.root)

    def items(self) -> tuple[Item, ...]:
        """All that waits, oldest first."""
        commits = open_commits(self._store.common_dir)
        conflicts = list(self._conflicts(commits))
        asked = [item.dispute for item in conflicts]
        found: list[Item] = [*self._proposals(commits), *conflicts, *self._contradictions(asked)]
        return tuple(sorted(found, key=lambda one: (one.waiting.since, one.waiting.id)))

    def waiting(self) -> tuple[Waiting, ...]:
        """The same, as it is listed."""
        return tuple(item.waiting for item in self.items())

    def conflicts(self) -> tuple[Dispute, ...]:
        """The open conflicts."""
        found = self._conflicts(open_commits(self._store.common_dir))
        return tuple(item.dispute for item in found)

    def find(self, name: str) -> Item:
        """The item of an id or the beginning of one. Raises NotFound and UsageError (several)."""
        wanted = name.strip().lower()
        items = self.items()
        found = [item for item in items if item.waiting.id == wanted]
        if not found and len(wanted) >= _SHORTEST:
            found = [item for item in items if item.waiting.id.startswith(wanted)]
        if len(found) > 1:
            raise UsageError(f"{len(found)} items begin with {name!r}", hint="type more of the id")
        if not found:
            known = self._decisions.by_item.get(wanted)
            past = f"; it was decided: {known.verdict}" if known else ""
            raise NotFound(
                f"nothing waits under the id {name!r}{past}", hint="see `mnemofs review`"
            )
        return found[0]

    def preview(self, item: Item) -> tuple[FileDiff, ...]:
        """What there is to look at, against the files as they stand now."""
        return item.preview(self._store.read)

    def draft(self, item: Item) -> bytes:
        """What a person starts from who wants to write an own text."""
        if isinstance(item, ProposalItem):
            return item.draft(self._store.read)
        if not isinstance(item, ConflictItem):
            return cast("ContradictionItem", item).draft()
        return item.dispute.text(item.dispute.newer)

    def contradictions(self) -> tuple[ContradictionItem, ...]:
        """The open contradictions, by subject."""
        conflicts = self._conflicts(open_commits(self._store.common_dir))
        return tuple(self._contradictions([item.dispute for item in conflicts]))

    def standing(self, item: Item) -> frozenset[str]:
        """Which sides of a conflict stand in the file now; nothing for other items."""
        return item.standing(self._store.read) if isinstance(item, ConflictItem) else frozenset()

    def decide(
        self, item: Item, verdict: Verdict, *, text: bytes | None, actor: Actor, clock: Clock
    ) -> Decided:
        """Carry a verdict out, as one commit. text: only for "edited".

        Raises UsageError for a verdict that the item does not take, GuardRefused when it would
        bring back what was forgotten, and what the store raises; nothing is changed then.
        """
        from mnemofs.lifecycle.forgetting.returning import coming_back

        waiting = item.waiting
        if verdict not in waiting.verdicts:
            raise UsageError(
                f"a {waiting.kind} like {waiting.id} cannot be decided as {verdict!r}",
                hint=f"it takes {', '.join(waiting.verdicts)}",
            )
        if verdict == "edited" and not (text or b"").strip():
            raise UsageError("there is no text to put there", hint="give it with --text")
        edits = item.plan(self._store.read, verdict, text)
        if coming_back(self._store, edits):
            raise GuardRefused(
                "this would bring back what was forgotten; nothing was changed",
                hint="reject it, or edit it first",
            )
        now = clock.now()
        ledger = Draft.of(self._store.read(ledger_path(now)))
        for one, said in ((item, verdict), *self._settled_too(item, verdict)):
            about = one.waiting
            happened = decision_event(one.decision(said, now), about.kind, now, paths=about.paths)
            ledger = ledger.stepped(partial(append_event, happened=happened))
        noted = ledger.edit()
        change = Change(
            (*edits, *([noted] if noted else ())),
            actor,
            f"review: {waiting.kind} {waiting.id} in {', '.join(waiting.paths[:3])}: {verdict}",
            source=f"{waiting.kind} {waiting.id} of {waiting.actor} {waiting.source}".strip(),
            trust=_trust(waiting.trust),
        )
        done = self._store.commit(change)
        self._decisions = decisions_at(self._store.root)
        prune(self._store, self._decisions, now)
        return Decided(waiting, verdict, done)

    def _settled_too(self, item: Item, verdict: Verdict) -> list[tuple[Item, Verdict]]:
        """Who says that both texts of a conflict are right has been asked about them as facts."""
        if not isinstance(item, ConflictItem) or verdict != "both":
            return []
        return [
            (one, "ignored") for one in self._contradictions([]) if one.is_asked_by([item.dispute])
        ]

    def _proposals(self, commits: Commits) -> Iterable[ProposalItem]:
        for proposal in proposals(self._store, commits):
            if self._decisions.settled(proposal.id, proposal.info.time) is None:
                yield ProposalItem(proposal)

    def _conflicts(self, commits: Commits) -> Iterable[ConflictItem]:
        """The open ones; where the same two texts met twice, the later meeting counts."""
        if self._store.head().commit is None:
            return
        seen: set[str] = set()
        stones = self._tombstones()
        for commit in history.log(self._store, conflicting=True, timeline=self._timeline):
            if self._decisions.all_settled(commit.id):
                continue  # not planned again just to find that nothing is left
            for dispute in disputes_of(self._store, commits, commit):
                if dispute.id in seen:
                    continue
                seen.add(dispute.id)
                if self._decisions.settled(dispute.id, dispute.time) is None and self._open(
                    dispute, stones
                ):
                    yield ConflictItem(dispute, commit.actor, commit.trust)

    def _contradictions(self, asked: Sequence[Dispute]) -> Iterable[ContradictionItem]:
        """The open ones, without those that a conflict asks about already."""
        if not self._facts:
            return
        from mnemofs.lifecycle.facts import contradictions
        from mnemofs.lifecycle.facts.book import FactBook
        from mnemofs.lifecycle.facts.contradictions_item import ContradictionItem, latest
        from mnemofs.lifecycle.facts.shown import find_origins

        now = self._store.clock.now()
        with FactBook(self._store.root) as book:
            book.refresh()
            for one in contradictions.find(book.rivals(), judged=book.judged()):
                decided = self._decisions.by_item.get(one.id)
                if decided is not None and decided.verdict == "ignored":
                    continue
                rows = book.rows(ids=(*one.a.facts, *one.b.facts))
                newer = latest(one, find_origins(self._store, book, rows, self._timeline))
                since = datetime.fromisoformat(newer.time) if newer.time else now
                item = ContradictionItem(one, book.label, newer, since, now)
                if self._decisions.settled(one.id, since) is None and not item.is_asked_by(asked):
                    yield item

    def _open(self, dispute: Dispute, stones: Tombstones) -> bool:
        present = self._store.read(dispute.path).content
        aside = self._store.read(dispute.aside).content if dispute.aside else None
        if not is_open(dispute, present, aside):
            return False
        texts = (dispute.text(side).decode("utf-8", "replace") for side in SIDES)
        return not (stones and any(stones.hit_by(text) for text in texts))

    def _tombstones(self) -> Tombstones:
        from mnemofs.lifecycle.forgetting.tombstones import Tombstones

        return Tombstones.load(self._store.root)


def _trust(name: str) -> Trust:
    return cast("Trust", name) if name in _TRUST else "web"
