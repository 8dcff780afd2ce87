"""Turns: what a host calls when a person has spoken and when the answer is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mnemofs.view.learning import Learning, Said, _heard, _tombstones
from mnemofs.view.providing import Providing, asks_others

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemofs.lifecycle.learning.conversations import Before, Outcome
    from mnemofs.lifecycle.learning.draining import DrainReport
    from mnemofs.lifecycle.learning.heard import Heard, TurnReport
    from mnemofs.lifecycle.learning.spool import Parked, Spool, Waiting
    from mnemofs.llm.engine import Engine

# Seen messages that go with the new ones into the spool, so that it is plain where they belong.
_OVERLAP = 30


@dataclass(frozen=True)
class TurnStatus:
    """How the last turns ended, newest first, and what is still to be done. cooldown: seconds until
    the next conversation is looked at, 0 when one may be now."""

    outcomes: tuple[Outcome, ...]
    waiting: int
    parked: tuple[Parked, ...]
    cooldown: int
    trouble: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "outcomes": [
                {
                    "time": outcome.time.isoformat(timespec="seconds"),
                    "conversation": outcome.conversation,
                    "kind": outcome.kind,
                    "status": outcome.status,
                    "reason": outcome.reason,
                    "commit": outcome.made or None,
                }
                for outcome in self.outcomes
            ],
            "waiting": self.waiting,
            "trouble": self.trouble,
            "parked": [one._asdict() for one in self.parked],
            "cooldown_seconds": self.cooldown,
        }


class Turning(Learning, Providing):
    """Bookkeeping at the start and the end of a turn, at once or in the background."""

    def turn_start(
        self,
        conversation: str,
        message: str = "",
        *,
        channel: str = "",
        title: str = "",
        trigger: str = "web",
    ) -> None:
        """A person has spoken: their message is kept, and the conversation is no answer to a search
        of sessions while the turn goes on. Raises GuardRefused as `extract` does."""
        from mnemofs.lifecycle.learning.heard import Heard
        from mnemofs.lifecycle.learning.listening import Ear

        said = [{"role": "user", "content": message}] if message.strip() else []
        now = self.clock.now()
        transcript = self._said(said, self.clock.zone)
        heard = Heard(transcript, now, conversation, trigger, channel, title)
        self._check_owner(heard)
        scope = self._writer()
        Ear(scope.root, self.config, self.owner, _tombstones(scope)).begin(heard)

    def turn_end(
        self,
        conversation: str,
        messages: Said,
        *,
        state: str = "",
        channel: str = "",
        title: str = "",
        trigger: str = "web",
        background: bool = False,
        engine: str | Engine | None = None,
    ) -> TurnReport:
        """The answer is there: keep what was said, learn from it if the gates let it through, look
        for structured entries if it is time. Every outcome has a reason; see `turn_status`.

        messages: the whole conversation, the last part of it, or only what is new. state: how the
        answer ended when not well ("stopped", "error"); such a turn is kept and not learned from.
        background: return as soon as it is safely in the spool, for `drain`; so does a turn that
        nobody can look at just now. Raises GuardRefused as `extract` does.
        """
        from mnemofs.lifecycle.learning.heard import BUSY

        heard = self._heard_now(conversation, messages, state, channel, title, trigger)
        if background:
            return self._enqueue(heard)
        if self._waits():
            return self._behind(heard, engine)
        report = self._hear(heard, engine, turn=True)
        if report.extraction is not None and report.extraction.code == BUSY:
            return replace(self._enqueue(heard), reason=f"{report.reason}; it waits for the worker")
        return replace(report, warnings=(*report.warnings, *self._tell_others(heard)))

    def spool(
        self,
        messages: Said,
        *,
        conversation: str = "",
        state: str = "",
        channel: str = "",
        title: str = "",
        trigger: str = "web",
    ) -> TurnReport:
        """`turn_end` in the background; the conversation's name may be the transcript's own."""
        heard = self._heard_now(conversation, messages, state, channel, title, trigger)
        return self._enqueue(heard)

    def drain(self, *, hurry: bool = False, engine: str | Engine | None = None) -> DrainReport:
        """Learn from what waits in this store's spool, in order, once. One worker at a time.

        hurry: neither the cooldown nor the pause after a failure holds anything up.
        """
        from mnemofs.lifecycle.learning.draining import DrainReport, Worker
        from mnemofs.lifecycle.learning.heard import Heard
        from mnemofs.lifecycle.learning.transcripts import Transcript
        from mnemofs.lifecycle.learning.turnbook import TurnBook

        scope, spool = self._require_own(), self._spool()
        if not spool.ids():
            return DrainReport("skipped", "nothing waits", parked=len(spool.parked()))
        book = TurnBook(scope.root, self.owner)
        ear = self._learner(scope, engine)

        def heard(turn: Waiting) -> Heard:
            said = Transcript(turn.messages, turn.conversation, finish=turn.finish)
            of_host = (turn.trigger, turn.channel, turn.title, turn.prints)
            return Heard(said, turn.at, turn.conversation, *of_host)

        def keep(turn: Waiting) -> Before:
            return ear.keep(heard(turn))

        def learn(turns: Sequence[Waiting], before: Before) -> TurnReport:
            report = ear.learn(heard(turns[-1]), before, rested=True, nudging=True)
            _heard(scope, report, ear.stones)
            for turn in turns:
                self._tell_others(heard(turn))
            return report

        minutes = self.config.extraction.cooldown_minutes
        return Worker(spool, book, keep, learn, self.clock.now, minutes, hurry).run()

    def is_draining(self) -> bool:
        """Whether a worker is at this store's spool just now."""
        from mnemofs.lifecycle.learning.turnbook import TurnBook

        return TurnBook(self._writer().root, self.owner).claimed("drain")

    def retry_parked(self) -> int:
        """What was put aside waits again; how many turns."""
        return self._spool().retry() if self._own() is not None else 0

    def turn_status(self, limit: int = 20) -> TurnStatus:
        """How the last turns ended and why, and what waits."""
        from mnemofs.lifecycle.learning.conversations import Conversations
        from mnemofs.lifecycle.learning.turnbook import TurnBook

        scope = self._own()
        if scope is None:
            return TurnStatus((), 0, (), 0)
        with Conversations(scope.root) as conversations:
            outcomes = conversations.outcomes(limit)
        spool = self._spool()
        ids = spool.ids()
        book = TurnBook(scope.root, self.owner)
        left = book.cooling(self.clock.now(), self.config.extraction.cooldown_minutes)
        return TurnStatus(
            outcomes,
            len(ids),
            spool.parked(),
            -(-int(left.total_seconds()) // 1) if left else 0,
            spool.trouble(ids[0]).reason if ids else "",
        )

    def turn_warnings(self) -> tuple[str, ...]:
        """What a person should know of turns that wait in this store."""
        from mnemofs.lifecycle.labels import count
        from mnemofs.lifecycle.learning.spool import Spool

        scope = self._own()
        spool = Spool(scope.root) if scope is not None else None
        ids = spool.ids() if spool else []
        found = []
        if spool and ids and (trouble := spool.trouble(ids[0])).reason:
            found.append(f"{count(len(ids), 'turn')} cannot be learned from yet: {trouble.reason}")
        if spool and (aside := spool.parked()):
            what = count(len(aside), "conversation turn")
            found.append(f"{what} put aside: see `mnemofs extract --status`")
        return tuple(found)

    def _heard_now(
        self, conversation: str, said: Said, state: str, channel: str, title: str, trigger: str
    ) -> Heard:
        from mnemofs.lifecycle.learning.heard import Heard

        transcript = self._said(said, self.clock.zone)
        if state:
            transcript = replace(transcript, finish=state)
        return Heard(transcript, self.clock.now(), conversation, trigger, channel, title)

    def _enqueue(self, heard: Heard) -> TurnReport:
        from mnemofs.lifecycle.learning.alignment import fingerprints, unseen_from
        from mnemofs.lifecycle.learning.heard import TurnReport
        from mnemofs.lifecycle.learning.spool import Waiting
        from mnemofs.lifecycle.learning.turnbook import TurnBook
        from mnemofs.lifecycle.learning.turns import Turn, barred

        messages, shown = heard.transcript.messages, heard.name
        warnings = heard.transcript.warnings
        reason = barred(Turn(heard.transcript, messages, heard.trigger), self.config.extraction)
        if reason is not None:
            return TurnReport("skipped", reason, shown, warnings=warnings)
        self._check_owner(heard)
        scope = self._writer()
        seen = TurnBook(scope.root, self.owner).seen(heard.name)
        prints = fingerprints(messages)
        first = unseen_from(seen, prints)
        if first >= len(messages):
            reason = "nothing was said since this conversation was last looked at"
            return TurnReport("unchanged", reason, shown, warnings=warnings)
        begin = max(0, first - _OVERLAP)
        of_host = (heard.trigger, heard.channel, heard.title, heard.transcript.finish)
        turn = Waiting("", heard.at, heard.name, messages[begin:], prints[begin:], *of_host)
        self._spool().put(turn)
        return TurnReport("queued", "kept for the worker", shown, warnings=warnings)

    def _waits(self) -> bool:
        from mnemofs.lifecycle.learning.spool import Spool

        scope = self._own()
        return scope is not None and bool(Spool(scope.root).ids())

    def _behind(self, heard: Heard, engine: str | Engine | None) -> TurnReport:
        """The turn after all that wait, in the order in which it was said."""
        from mnemofs.lifecycle.labels import label

        queued = self._enqueue(heard)
        if queued.status != "queued":
            return queued
        drained = self.drain(engine=engine)
        mine = (one for one in drained.reports if one.conversation == label(heard.name))
        return next(mine, replace(queued, reason=drained.reason))

    def _tell_others(self, heard: Heard) -> tuple[str, ...]:
        """Hands a finished turn to the providers of memory there are; warnings."""
        from mnemofs.lifecycle.learning.turns import machine_made

        said = {message.role: message.text for message in heard.transcript.messages}
        unfinished = heard.transcript.finish or len(said) < 2
        if unfinished or machine_made(heard.trigger, self.config.extraction):
            return ()
        if not asks_others(self):
            return ()
        from mnemofs.secrets import mask

        user, answer = (mask(said[role], deep=True)[0] for role in ("user", "assistant"))
        return self.sync_turn(user, answer, conversation=heard.name)

    def _spool(self) -> Spool:
        from mnemofs.lifecycle.learning.spool import Spool

        return Spool(self._writer().root)
