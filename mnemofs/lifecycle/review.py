"""Review: everything that waits for a person, in one list, and what happens once they decide.

Two kinds of things wait today, proposals and conflicts. Another kind is a class with the members of
`Item` and a source in `_SOURCES`. Planning reads snapshots and gives edits; `decide` commits them,
together with the decision, as one commit, so that undoing it makes the item wait again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, cast

from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.lifecycle.conflicts import disputes_of
from mnemofs.lifecycle.decisions import Decisions, Verdict, decision_event, decisions_at
from mnemofs.lifecycle.disputes import SIDES, Dispute, is_open, plan_settlement, standing
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.ledger import append_event, ledger_path
from mnemofs.lifecycle.proposals import Proposal, proposals, prune, signature
from mnemofs.store import history
from mnemofs.store.diffing import FileDiff, FileSide, diff_file
from mnemofs.store.model import Change, Edit
from mnemofs.store.walk import open_commits

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.tombstones import Tombstones
    from mnemofs.store.history import Timeline
    from mnemofs.store.model import Actor, Committed, Snapshot, Trust
    from mnemofs.store.repository import Store
    from mnemofs.store.walk import Commits

Reader = Callable[[str], "Snapshot"]
_SHORTEST: Final = 3
_WHAT: Final = {
    "edit/edit": "two texts for one entry; both stand",
    "edit/delete": "changed on one side, deleted on the other; it stands",
    "value": "two values; one stands",
    "rename/rename": "two names for one thing; both stand",
    "unreadable": "two versions that cannot be merged",
}
_TRUST: Final = frozenset({"user", "agent", "web"})


@dataclass(frozen=True)
class Waiting:
    """What waits, as it is listed. id: the name that is typed. what: one line, no memory text.

    actor, source, trust: who it comes from. since: when it began to wait. verdicts: the decisions
    it takes. commit: where it is in git.
    """

    id: str
    kind: Literal["proposal", "conflict"]
    what: str
    paths: tuple[str, ...]
    heading: str
    since: datetime
    actor: str
    source: str
    trust: str
    commit: str
    verdicts: tuple[Verdict, ...]

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.id,
            "kind": self.kind,
            "what": self.what,
            "paths": list(self.paths),
            "heading": self.heading,
            "since": self.since.isoformat(),
            "actor": self.actor,
            "source": self.source,
            "trust": self.trust,
            "commit": self.commit,
            "verdicts": list(self.verdicts),
        }


class Item(Protocol):
    """Something that waits, with all that it takes to decide about it."""

    @property
    def waiting(self) -> Waiting:
        """How it is listed."""

    def preview(self, read: Reader) -> tuple[FileDiff, ...]:
        """What there is to look at."""

    def plan(self, read: Reader, verdict: Verdict, text: bytes | None) -> tuple[Edit, ...]:
        """The edits that carry a verdict out; text: what stands there instead ("edited").

        Raises EditRefused when it is decided already by what stands there now.
        """

    def signature(self) -> str:
        """What is remembered of it when it is rejected."""


@dataclass(frozen=True)
class Decided:
    """What a decision did. done: the commit, and where texts met newer ones."""

    item: Waiting
    verdict: Verdict
    done: Committed


@dataclass(frozen=True)
class ProposalItem:
    """A change that somebody parked."""

    proposal: Proposal

    @property
    def waiting(self) -> Waiting:
        """See `Item`."""
        info = self.proposal.info
        return Waiting(
            id=self.proposal.id,
            kind="proposal",
            what=info.reason.removeprefix("proposal: "),
            paths=tuple(file.path for file in self.proposal.files),
            heading="",
            since=info.time,
            actor=info.actor,
            source=info.source,
            trust=info.trust,
            commit=info.id,
            verdicts=("accepted", "rejected", "edited"),
        )

    def preview(self, read: Reader) -> tuple[FileDiff, ...]:
        """What accepting it would change in the files as they stand now."""
        found = []
        for file in self.proposal.files:
            present = read(file.path).content
            after = self._over(present, file.path)
            if after != present:
                found.append(_diff(file.path, present, after))
        return tuple(found)

    def plan(self, read: Reader, verdict: Verdict, text: bytes | None) -> tuple[Edit, ...]:
        """See `Item`. Accepted: the store merges its text with what was written since."""
        files = self.proposal.files
        if verdict == "rejected":
            return ()
        if verdict == "edited":
            if len(files) != 1:
                raise UsageError(
                    f"this proposal is about {len(files)} files; one text cannot replace them",
                    hint="accept it and edit the files afterwards, or reject it",
                )
            before = read(files[0].path)
            return (Edit(before.path, before.blob, text),)
        return tuple(Edit(file.path, file.base, file.new) for file in files)

    def draft(self, read: Reader) -> bytes:
        """What a person starts from who wants to edit it: the file as accepting would leave it."""
        path = self.proposal.files[0].path
        return self._over(read(path).content, path) or b""

    def signature(self) -> str:
        """See `Item`."""
        return signature({file.path: file.new for file in self.proposal.files})

    def _over(self, present: bytes | None, path: str) -> bytes | None:
        from mnemofs.markdown.merge import merge

        file = next(one for one in self.proposal.files if one.path == path)
        if present == file.old:
            return file.new
        if present is None or file.new is None:
            return present if file.new is None else file.new
        return merge(file.old or b"", file.new, present, path=path, newer="ours").content


@dataclass(frozen=True)
class ConflictItem:
    """Two texts that a merge could not decide between."""

    dispute: Dispute
    actor: str = ""
    trust: str = ""

    @property
    def waiting(self) -> Waiting:
        """See `Item`."""
        dispute = self.dispute
        verdicts: tuple[Verdict, ...] = ("ours", "theirs", "both", "edited")
        if not (dispute.ours and dispute.theirs):
            verdicts = ("ours", "theirs")
        elif dispute.kind == "value":
            verdicts = ("ours", "theirs", "edited")
        return Waiting(
            id=dispute.id,
            kind="conflict",
            what=_WHAT.get(dispute.kind, dispute.kind),
            paths=(dispute.path, *([dispute.aside] if dispute.aside else [])),
            heading=dispute.heading,
            since=dispute.time,
            actor=self.actor,
            source="; ".join(dict.fromkeys(filter(None, dispute.actors))),
            trust=self.trust,
            commit=dispute.commit,
            verdicts=verdicts,
        )

    def preview(self, read: Reader) -> tuple[FileDiff, ...]:
        """From ours to theirs."""
        sides = (self.dispute.text(side) or None for side in SIDES)
        return (_diff(self.dispute.path, *sides),)

    def plan(self, read: Reader, verdict: Verdict, text: bytes | None) -> tuple[Edit, ...]:
        """See `Item`."""
        dispute = self.dispute
        if verdict == "both" and dispute.kind != "value":
            return ()
        wanted = text if verdict == "edited" else cast(Literal["ours", "theirs"], verdict)
        assert wanted is not None

        def settle(present: bytes | None) -> bytes | None:
            return plan_settlement(dispute, present, wanted)

        before = read(dispute.path)
        edits = [Edit(before.path, before.blob, settle(before.content), replay=settle)]
        if dispute.aside:
            aside = read(dispute.aside)
            edits.append(Edit(dispute.aside, aside.blob, None))
        return tuple(edits)

    def signature(self) -> str:
        """See `Item`."""
        return ""

    def standing(self, read: Reader) -> frozenset[str]:
        """Which of "ours" and "theirs" stand in the file now."""
        dispute = self.dispute
        content = read(dispute.path).content
        if dispute.aside:
            return frozenset(SIDES)
        if dispute.whole and content is not None and not (dispute.ours and dispute.theirs):
            return frozenset(side for side in SIDES if dispute.text(side))
        return standing(dispute, content)


class Review:
    """What waits in one store. timeline: makes finding the conflicts quick."""

    def __init__(self, store: Store, *, timeline: Timeline | None = None) -> None:
        self._store = store
        self._timeline = timeline
        self._decisions: Decisions = decisions_at(store.root)

    def items(self) -> tuple[Item, ...]:
        """All that waits, oldest first."""
        commits = open_commits(self._store)
        found = [item for source in _SOURCES for item in source(self, commits)]
        return tuple(sorted(found, key=lambda one: (one.waiting.since, one.waiting.id)))

    def waiting(self) -> tuple[Waiting, ...]:
        """The same, as it is listed."""
        return tuple(item.waiting for item in self.items())

    def conflicts(self) -> tuple[Dispute, ...]:
        """The open conflicts."""
        found = self._conflicts(open_commits(self._store))
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
        assert isinstance(item, ConflictItem)
        return item.dispute.text(item.dispute.newer)

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
        from mnemofs.lifecycle.returning import coming_back

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
        happened = decision_event(
            waiting.id,
            waiting.kind,
            verdict,
            now,
            paths=waiting.paths,
            signature=item.signature() if verdict == "rejected" else "",
        )
        ledger = Draft.of(self._store.read(ledger_path(now)))
        noted = ledger.stepped(partial(append_event, happened=happened)).edit()
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
            for dispute in disputes_of(self._store, commits, commit):
                if dispute.id in seen:
                    continue
                seen.add(dispute.id)
                if self._decisions.settled(dispute.id, dispute.time) is None and self._open(
                    dispute, stones
                ):
                    yield ConflictItem(dispute, commit.actor, commit.trust)

    def _open(self, dispute: Dispute, stones: Tombstones) -> bool:
        present = self._store.read(dispute.path).content
        aside = self._store.read(dispute.aside).content if dispute.aside else None
        if not is_open(dispute, present, aside):
            return False
        texts = (dispute.text(side).decode("utf-8", "replace") for side in SIDES)
        return not (stones and any(stones.hit_by(text) for text in texts))

    def _tombstones(self) -> Tombstones:
        from mnemofs.lifecycle.tombstones import Tombstones

        return Tombstones.load(self._store.root)


Source = Callable[[Review, "Commits"], Iterable[Item]]
_SOURCES: Final[tuple[Source, ...]] = (Review._proposals, Review._conflicts)


def counted(waiting: Iterable[Waiting]) -> str:
    """ "2 proposals and 1 conflict", "" for nothing."""
    from mnemofs.lifecycle.labels import count

    kinds: dict[str, int] = {}
    for one in waiting:
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
    return " and ".join(count(number, kind) for kind, number in kinds.items())


def _diff(path: str, old: bytes | None, new: bytes | None) -> FileDiff:
    from mnemofs.store.objects import blob_id

    sides = [None if one is None else FileSide(one, blob_id(one)) for one in (old, new)]
    if sides == [None, None]:
        sides[1] = FileSide(b"", blob_id(b""))
    return diff_file(path, sides[0], sides[1])


def _trust(name: str) -> Trust:
    return cast("Trust", name) if name in _TRUST else "web"
