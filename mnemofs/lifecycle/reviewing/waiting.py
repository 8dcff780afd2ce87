"""What waits for a person: how it is listed, looked at, and what a verdict makes of the files.

Pure over snapshots of files. Another kind of thing that waits is a class with the members of `Item`
and a source in `review`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, cast

from mnemofs.errors import UsageError
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.reviewing.decisions import Decision, Verdict
from mnemofs.lifecycle.reviewing.disputes import SIDES, Dispute, plan_settlement, standing
from mnemofs.lifecycle.reviewing.proposals import Proposal, signature
from mnemofs.store.git.objects import blob_id
from mnemofs.store.model import Edit
from mnemofs.store.past.diffing import FileDiff, FileSide, diff_file

if TYPE_CHECKING:
    from mnemofs.store.model import Snapshot

Reader = Callable[[str], "Snapshot"]
_WHAT: Final = {
    "edit/edit": "two texts for one entry; both stand",
    "edit/delete": "changed on one side, deleted on the other; it stands",
    "value": "two values; one stands",
    "rename/rename": "two names for one thing; both stand",
    "unreadable": "two versions that cannot be merged",
}


@dataclass(frozen=True)
class Waiting:
    """What waits, as it is listed. id: the name that is typed. what: one line, no memory text.

    actor, source, trust: who it comes from. since: when it began to wait. verdicts: the decisions
    it takes. commit: where it is in git.
    """

    id: str
    kind: Literal["proposal", "conflict", "contradiction"]
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

    def decision(self, verdict: Verdict, at: datetime) -> Decision:
        """What is remembered of a verdict."""


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
                found.append(changes(file.path, present, after))
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

    def decision(self, verdict: Verdict, at: datetime) -> Decision:
        """See `Item`."""
        contents = {file.path: file.new for file in self.proposal.files}
        kept = signature(contents) if verdict == "rejected" else ""
        return Decision(self.proposal.id, verdict, at, kept)

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
        return (changes(self.dispute.path, *sides),)

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

    def decision(self, verdict: Verdict, at: datetime) -> Decision:
        """See `Item`."""
        dispute = self.dispute
        return Decision(dispute.id, verdict, at, "", dispute.commit, dispute.among)

    def standing(self, read: Reader) -> frozenset[str]:
        """Which of "ours" and "theirs" stand in the file now."""
        dispute = self.dispute
        content = read(dispute.path).content
        if dispute.aside:
            return frozenset(SIDES)
        if dispute.whole and content is not None and not (dispute.ours and dispute.theirs):
            return frozenset(side for side in SIDES if dispute.text(side))
        return standing(dispute, content)


def counted(waiting: Iterable[Waiting]) -> str:
    """ "2 proposals and 1 conflict", "" for nothing."""
    kinds: dict[str, int] = {}
    for one in waiting:
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
    return " and ".join(count(number, kind) for kind, number in kinds.items())


def changes(path: str, old: bytes | None, new: bytes | None) -> FileDiff:
    """The difference between two versions of a file, or of a piece of one."""
    sides = [None if one is None else FileSide(one, blob_id(one)) for one in (old, new)]
    if sides == [None, None]:
        sides[1] = FileSide(b"", blob_id(b""))
    return diff_file(path, sides[0], sides[1])
