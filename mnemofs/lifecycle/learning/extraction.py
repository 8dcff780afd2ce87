"""After a conversation: what of it is kept, as one commit, or why nothing is.

Snapshots are read, an engine proposes, the gates decide, the store commits. Nothing is written
unless all of that went well; a file that a person changed meanwhile is merged (CON-02).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from mnemofs.clock import note_path
from mnemofs.errors import ModelError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.gates import Bounds, mask_new
from mnemofs.lifecycle.labels import count, label, list_counts, short_label
from mnemofs.lifecycle.learning.alignment import fingerprints, unseen_from
from mnemofs.lifecycle.learning.conversations import Before
from mnemofs.lifecycle.learning.heard import BUSY, name_of, safe_name
from mnemofs.lifecycle.learning.plan import Desk, Parked, plan_extraction
from mnemofs.lifecycle.learning.requests import asks_to_forget
from mnemofs.lifecycle.learning.turnbook import Intent, TurnBook, turn_id
from mnemofs.lifecycle.learning.turns import Turn, barred, hindrance
from mnemofs.lifecycle.learning.withheld import masked_messages
from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.llm.engine import STRUCTURED_TYPES, Engine, Extraction, ExtractionRequest, Message
from mnemofs.llm.replies import Rejected
from mnemofs.store.git.walk import open_commits
from mnemofs.store.model import Change, Edit

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.learning.transcripts import Transcript
    from mnemofs.lifecycle.marks import Forgotten
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

NOTHING_BEFORE = Before()
_FAULTS: dict[str, RunStatus] = {"blank": "skipped", "placeholder": "refused"}
_Waiting = tuple[str, str | None, str, str]
RunStatus = Literal["updated", "unchanged", "skipped", "refused", "parked", "failed"]


@dataclass(frozen=True)
class ExtractionReport:
    """What came of one run.

    status: updated (committed), unchanged (nothing new or nothing worth keeping), skipped (a gate
    of the turn, or a reply without content), refused (a gate of the text), parked (a proposal
    waits for a person; other parts may be committed), failed (no usable reply).
    code: the reply's fault ("truncated", "not_json", ...), "" otherwise. messages: how many were
    looked at; left: how many were not, because a reply failed on the way. masked: secrets kept
    from the engine and from files.
    conflicts: places where a person's edit made meanwhile and the new text were both kept.
    """

    status: RunStatus
    reason: str
    conversation: str
    commit: str | None = None
    paths: tuple[str, ...] = ()
    code: str = ""
    messages: int = 0
    left: int = 0
    masked: int = 0
    conflicts: int = 0
    proposals: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "reason": self.reason,
            "commit": self.commit,
            "conversation": self.conversation,
            "paths": list(self.paths),
            "code": self.code,
            "messages": self.messages,
            "left": self.left,
            "masked": self.masked,
            "conflicts": self.conflicts,
            "proposals": list(self.proposals),
            "warnings": list(self.warnings),
        }


def extract(
    store: Store,
    engine: Engine,
    transcript: Transcript,
    *,
    config: Config,
    clock: Clock,
    owner: str = "",
    conversation: str | None = None,
    trigger: str = "",
    force: bool = False,
    rested: bool = False,
    before: Before = NOTHING_BEFORE,
    prints: Sequence[str] = (),
    at: datetime | None = None,
    forgotten: Forgotten | None = None,
) -> ExtractionReport:
    """Learn from a conversation into `store`, which is the owner's own (or the workspace's).

    trigger: where the conversation comes from ("web", "cron", ...); "import" means an old one:
    cooldown and the state of its last answer do not matter. force: no turn gates but those for
    machines' own conversations, and messages that were looked at before are looked at again.
    rested: the caller has seen to the cooldown. before: what was said before these messages.
    prints: their fingerprints, if they are not as they were said.
    at: when the turn ended, if not just now; it names the note. forgotten: says of a line whether
    it was forgotten for good.
    Killed at any moment and called again, it learns everything once. Raises what the store raises;
    no fault of an engine or a model is raised.
    """
    name = safe_name(conversation or "") or name_of(transcript)
    book = TurnBook(store.root, owner)
    with book.claim() as mine:
        if not mine:
            return ExtractionReport(
                "skipped", "another extraction is running", label(name), code=BUSY
            )
        run = _Run(store, engine, config, clock, book, name, forgotten)
        run.finish_interrupted()
        whole = replace(transcript, messages=before.messages + transcript.messages)
        known = before.prints + (tuple(prints) or fingerprints(transcript.messages))
        # DAY-03: one instant names the note and dates every line, however long the model thinks.
        started = clock.local(at) if at else clock.now()
        return run.of(whole, known, trigger, started, force=force, rested=rested)


@dataclass(frozen=True)
class _Outcome:
    """Where the windows led. done: messages in windows that ended well."""

    desk: Desk
    done: int
    fault: Rejected | ModelError | None = None
    said: str = ""


@dataclass(frozen=True)
class _Run:
    store: Store
    engine: Engine
    config: Config
    clock: Clock
    book: TurnBook
    name: str
    forgotten: Forgotten | None

    def of(
        self,
        transcript: Transcript,
        prints: tuple[str, ...],
        trigger: str,
        started: datetime,
        *,
        force: bool,
        rested: bool,
    ) -> ExtractionReport:
        shown, settings, code = label(self.name), self.config.extraction, ""
        first = 0 if force else unseen_from(self.book.seen(self.name), prints)
        turn = Turn(transcript, transcript.messages[first:], trigger)
        reason = barred(turn, settings)
        if reason is None and not turn.new and transcript.messages:
            reason = "nothing was said since this conversation was last looked at"
            return ExtractionReport("unchanged", reason, shown, warnings=transcript.warnings)
        if reason is None and not force:
            cooling = None if rested else self.book.cooling(started, settings.cooldown_minutes)
            reason = hindrance(turn, settings, cooling)
        if reason is None and not turn.new:
            reason = "the conversation is empty"
        operation = self.store.head().operation
        if reason is None and operation:
            reason = f"the repository is in the middle of a {operation}; run this again afterwards"
            code = BUSY
        if reason is not None:
            return ExtractionReport(
                "skipped", reason, shown, code=code, warnings=transcript.warnings
            )
        messages, secrets = masked_messages(turn.new)
        outcome = self._windows(replace(self._desk(started), masked=secrets), messages)
        seen = prints[: first + outcome.done]
        report = self._commit(outcome, len(turn.new), shown, seen)
        if report.status in ("updated", "unchanged", "parked"):
            self.book.mark_seen(self.name, seen)
        if report.commit or report.status == "parked":
            self.book.start_cooldown(started)
        self.book.settle()
        return replace(report, warnings=transcript.warnings + report.warnings)

    def finish_interrupted(self) -> None:
        """When a run before this one was cut off after its commit, book what that commit holds."""
        intent = self.book.intent()
        if intent is None:
            return
        commits = open_commits(self.store.common_dir)
        for commit in islice(commits.newest_first(self.store.head().commit), 500):
            if commit.id == intent.head:
                break
            if commit.actor == "extractor" and _body(intent.turn) in commit.body:
                self.book.mark_seen(intent.conversation, intent.seen)
                self.book.start_cooldown(commit.time)
                self._park(intent.parked, commit.time, commit.source)
                break
        self.book.settle()

    def _desk(self, started: datetime) -> Desk:
        paths: dict[str, str] = {
            "daily": note_path(started.date()),
            "memory": "MEMORY.md",
            "profile": "PROFILE.md",
            **{str(kind): f"structured/{kind}.md" for kind in STRUCTURED_TYPES},
        }
        drafts = {role: Draft.of(self.store.read(path)) for role, path in paths.items()}
        return Desk(drafts, started, short_label(self.name))

    def _windows(self, desk: Desk, messages: Sequence[Message]) -> _Outcome:
        size = self.config.extraction.max_messages or len(messages)
        done, said = 0, ""
        for start in range(0, len(messages), size):
            window = tuple(messages[start : start + size])
            if any(message.role == "user" for message in window):
                found = self._ask(desk, window)
                if not isinstance(found, Extraction):
                    return _Outcome(desk, done, found, said)
                if found.should_update:
                    desk = plan_extraction(desk, found, self.config.files, self._bounds(window))
                said = found.reason or said
            done += len(window)
        return _Outcome(desk, done, None, said)

    def _ask(self, desk: Desk, window: tuple[Message, ...]) -> Extraction | Rejected | ModelError:
        request = ExtractionRequest(
            window,
            desk.at.date(),
            desk.drafts["profile"].text,
            desk.drafts["memory"].text,
            desk.drafts["daily"].text,
        )
        try:
            found = self.engine.extract(request)
        except ModelError as error:
            return error
        if isinstance(found, Rejected):
            return found
        if found.value.should_update and not _says_anything(found.value):  # LLM-04
            return Rejected("blank", "The reply announces an update and gives none.")
        return found.value

    def _bounds(self, window: tuple[Message, ...]) -> Bounds:
        asked = any(message.role == "user" and asks_to_forget(message.text) for message in window)
        return Bounds(
            max_lost=self.config.dreaming.max_lost_entries,
            may_shrink=asked,
            forgotten=self.forgotten,
        )

    def _commit(
        self, outcome: _Outcome, total: int, shown: str, seen: tuple[str, ...]
    ) -> ExtractionReport:
        desk = outcome.desk
        edits = tuple(edit for draft in desk.drafts.values() if (edit := draft.edit()))
        summary = list_counts(desk.counts) or "memory revised"
        warnings = desk.warnings
        commit: str | None = None
        paths: tuple[str, ...] = ()
        conflicts = 0
        if edits:
            reason = f"extract: {summary} from {short_label(self.name)}"
            turn = turn_id(self.name, seen)
            change = Change(edits, "extractor", reason, source=shown, body=_body(turn))
            head = self.store.head().commit
            self.book.intend(Intent(self.name, seen, turn, head, _waiting(desk)))
            committed = self.store.commit(change)
            commit, paths = committed.commit, committed.paths
            conflicts = len(committed.conflicts)
            warnings += committed.warnings
            if conflicts and commit is None:
                # Nothing of it may outvote what a person wrote meanwhile, so nothing else keeps it.
                overruled = replace(change, reason="proposal: it was changed by hand meanwhile")
                desk = replace(desk, parked=(*desk.parked, *_parked(desk, overruled)))
        proposals = self._park(_waiting(desk), desk.at, shown)
        outcome = replace(outcome, desk=desk)
        status, reason = _judgement(outcome, commit is not None, summary, len(proposals))
        left = total - outcome.done
        if outcome.fault and commit:
            why = fault_status(outcome.fault)[2]
            warnings += (f"{count(left, 'message')} not looked at: {why}",)
        return ExtractionReport(
            status,
            reason,
            shown,
            commit,
            paths,
            outcome.fault.code if outcome.fault else "",
            outcome.done,
            left,
            desk.masked,
            conflicts,
            proposals,
            warnings + tuple(kept_for_review(ref) for ref in proposals),
        )

    def _park(self, waiting: Sequence[_Waiting], at: datetime, shown: str) -> tuple[str, ...]:
        refs = []
        for path, base, text, reason in waiting:
            edit = Edit(path, base, text.encode())
            change = Change((edit,), "extractor", f"proposal: {reason}", source=shown)
            refs.append(park(self.store, change, at))
        return tuple(ref for ref in refs if ref)


def _waiting(desk: Desk) -> tuple[_Waiting, ...]:
    """What of a desk waits for a person."""
    edits = [(parked.draft.edit(), parked.reason) for parked in desk.parked]
    return tuple(
        (edit.path, edit.base, edit.content.decode(), reason)
        for edit, reason in edits
        if edit is not None and edit.content is not None
    )


def kept_for_review(ref: str) -> str:
    """Where a parked change waits, as a sentence."""
    return f"kept for review: mnemofs review show {ref.rpartition('/')[2]}"


def _parked(desk: Desk, change: Change) -> Iterator[Parked]:
    """The drafts behind the edits of a change, as things that wait."""
    paths = {edit.path for edit in change.edits}
    for draft in desk.drafts.values():
        if draft.path in paths:
            yield Parked(draft, change.reason.removeprefix("proposal: "))


def _judgement(
    outcome: _Outcome, committed: bool, summary: str, waiting: int
) -> tuple[RunStatus, str]:
    """Status and reason of a run. The reason is for the caller; commits hold only the summary.

    waiting: how many of the parked changes wait for a person, who may have rejected them before.
    """
    desk, fault = outcome.desk, outcome.fault
    if desk.parked and not waiting and not committed:
        return "refused", f"{desk.parked[0].reason}, and that was rejected in review before"
    if desk.parked and waiting:
        return "parked", "; ".join(parked.reason for parked in desk.parked)
    if committed:
        return "updated", summary
    if fault is not None:
        status, _, reason = fault_status(fault)
        return status, reason
    if desk.refused:
        return "refused", "; ".join(dict.fromkeys(desk.refused))
    return "unchanged", mask_new(outcome.said)[0] or "nothing worth keeping was said"


def fault_status(fault: Rejected | ModelError) -> tuple[RunStatus, str, str]:
    """Status, code and reason of a run that ended with this fault.

    A placeholder is refused as the gates would; an update without text is none; all else failed.
    """
    detail = fault.detail if isinstance(fault, Rejected) else fault.message
    return _FAULTS.get(fault.code, "failed"), fault.code, f"{fault.code}: {detail}"


def _says_anything(proposal: Extraction) -> bool:
    texts = (proposal.daily_entry, proposal.memory_update, proposal.profile_update)
    if any(text is not None and text.strip() for text in texts):
        return True
    return bool(proposal.structured or proposal.memory_entries or proposal.profile_entries)


def _body(turn: str) -> str:
    """How a commit says which turn it holds."""
    return f"Turn {turn}"
