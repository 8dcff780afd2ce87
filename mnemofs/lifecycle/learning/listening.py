"""What happens at the end of a turn: it is kept word for word, looked at, and the outcome noted.

One path for all who bring conversations: a turn that just ended, one out of the spool, an old one
that is imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemofs.lifecycle.forgetting.unsaying import Unsaid
from mnemofs.lifecycle.learning.conversations import Before, Conversations, Outcome
from mnemofs.lifecycle.learning.extraction import extract
from mnemofs.lifecycle.learning.heard import Heard, TurnReport
from mnemofs.lifecycle.learning.nudge import NudgeReport, nudge
from mnemofs.lifecycle.learning.turns import machine_made

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.forgetting.tombstones import LiveTombstones
    from mnemofs.llm.engine import Engine
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store


@dataclass(frozen=True)
class Ear:
    """Keeps what is said in one store. owner: whose it is, "" for the workspace's. Needs neither
    git nor an engine: a person waits for their answer."""

    root: str
    config: Config
    owner: str
    stones: LiveTombstones

    def keep(self, heard: Heard) -> Before:
        """Record what was said; what stood before it. Nothing of a conversation nobody had."""
        settings = self.config.conversations
        if not settings.enabled or machine_made(heard.trigger, self.config.extraction):
            return Before()
        with self._book() as book:
            before = book.record(
                heard.name,
                heard.transcript.messages,
                at=heard.at,
                title=heard.title,
                channel=heard.channel,
                clean=Unsaid(self.stones),
                prints=heard.prints,
            )
            book.end(heard.name)
        return before

    def begin(self, heard: Heard) -> None:
        """A turn of this conversation goes on, with what the person just said."""
        settings = self.config.conversations
        if not settings.enabled or machine_made(heard.trigger, self.config.extraction):
            return
        if heard.transcript.messages:
            self.keep(heard)
        with self._book() as book:
            book.begin(heard.name, at=heard.at, title=heard.title, channel=heard.channel)

    def _book(self) -> Conversations:
        settings = self.config.conversations
        return Conversations(
            self.root,
            keep_days=settings.keep_days,
            keep_messages=settings.keep_messages,
        )


@dataclass(frozen=True)
class Learner(Ear):
    """Learns from it, too."""

    store: Store
    engine: Engine
    clock: Clock

    def learn(
        self,
        heard: Heard,
        before: Before,
        *,
        force: bool = False,
        rested: bool = False,
        nudging: bool = False,
    ) -> TurnReport:
        """Look at what was kept, and note what came of it. rested: see `extract`. nudging: look for
        structured entries, too, when it is time."""
        report = extract(
            self.store,
            self.engine,
            heard.transcript,
            config=self.config,
            clock=self.clock,
            owner=self.owner,
            conversation=heard.name,
            trigger=heard.trigger,
            force=force,
            rested=rested,
            before=before,
            prints=heard.prints,
            at=heard.at,
            forgotten=self.stones,
        )
        found = [("extract", report.status, report.reason, report.commit)]
        nudged = None
        if nudging and not heard.transcript.finish:
            nudged = self._nudge(heard, before)
        if nudged is not None:
            found.append(("nudge", nudged.status, nudged.reason, nudged.commit))
        if not machine_made(heard.trigger, self.config.extraction):
            clean = Unsaid(self.stones)
            with self._book() as book:
                for kind, status, reason, commit in found:
                    why, made = clean(reason), commit or ""
                    book.note(Outcome(heard.at, heard.name, kind, status, why, made))
        return TurnReport(report.status, report.reason, report.conversation, report, nudged)

    def _nudge(self, heard: Heard, before: Before) -> NudgeReport | None:
        messages = before.messages + heard.transcript.messages
        return nudge(
            self.store,
            self.engine,
            messages,
            config=self.config,
            owner=self.owner,
            conversation=heard.name,
            trigger=heard.trigger,
            at=self.clock.local(heard.at),
            forgotten=self.stones,
        )
