"""Learning: from conversations, from notes, and from the edits people make by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from mnemofs.errors import GuardRefused
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    import threading
    from datetime import tzinfo

    from mnemofs.lifecycle.dreams.dreaming import DreamReport
    from mnemofs.lifecycle.forgetting.tombstones import LiveTombstones
    from mnemofs.lifecycle.learning.extraction import ExtractionReport
    from mnemofs.lifecycle.learning.heard import Heard, TurnReport
    from mnemofs.lifecycle.learning.listening import Learner
    from mnemofs.lifecycle.learning.transcripts import Transcript
    from mnemofs.llm.engine import Engine
    from mnemofs.scopes import Scope
    from mnemofs.store.model import Committed


# What `extract` and its kin take: a transcript, a file's name or bytes, messages of a host.
Said = Union["Transcript", bytes, str, Sequence[Mapping[str, Any]]]


class Learning(ViewBase):
    """Extract, dream and watch."""

    def extract(
        self,
        conversation_of: Said,
        *,
        conversation: str | None = None,
        engine: str | Engine | None = None,
        trigger: str = "",
        state: str = "",
        force: bool = False,
    ) -> ExtractionReport:
        """Learn from a conversation: a transcript, a file name, its bytes, or messages. It is not
        kept word for word; `turn_end` does that.

        state: how its last answer ended when not well ("stopped", "error").
        What a person said goes into that person's memory only: for the shared memory it raises
        GuardRefused when the conversation is known to be somebody's.
        """
        from mnemofs.lifecycle.learning.heard import Heard

        heard = Heard(
            self._said(conversation_of, self.clock.zone),
            self.clock.now(),
            conversation or "",
            trigger,
        )
        report = self._hear(heard, engine, force=force).extraction
        assert report is not None
        return report

    def dream(
        self,
        *,
        topic: str | None = None,
        dry_run: bool = False,
        engine: str | Engine | None = None,
        trigger: str = "manual",
    ) -> DreamReport:
        """Consolidate this store's recent notes into its MEMORY.md.

        topic: look for this above all. trigger: what started it, for the record.
        """
        from dataclasses import replace

        from mnemofs.lifecycle.dreams import dreaming

        scope = self._require_own()
        scope.fold()
        scope.sweep()
        report = dreaming.dream(
            scope.store,
            self._engine(engine or self.config.dreaming.engine),
            config=self.config,
            clock=self.clock,
            topic=topic,
            dry_run=dry_run,
            trigger=trigger,
            forgotten=(stones := _tombstones(scope)),
        )
        _follow(scope, report, stones)
        if dry_run:
            return report
        after = self._after_dream(scope, report)
        return replace(report, warnings=(*report.warnings, *after, *scope.upkeep()))

    def watch(
        self,
        folded: Callable[[str, tuple[str, ...]], None],
        stop: threading.Event,
        *,
        problem: Callable[[str], None] | None = None,
    ) -> None:
        """Commit and index hand edits until `stop` is set; `folded` hears of each commit and
        `problem` of what holds one up."""
        from mnemofs.store.watching.watch import Watcher

        scope = self._require_own()

        def on_fold(done: Committed) -> None:
            scope.written(done)
            if done.commit:
                folded(done.commit, done.paths)

        Watcher(scope.store, on_fold, on_problem=problem).run(stop)

    @staticmethod
    def _said(conversation_of: Said, zone: tzinfo) -> Transcript:
        from mnemofs.lifecycle.learning import transcripts

        if isinstance(conversation_of, transcripts.Transcript):
            return conversation_of
        if isinstance(conversation_of, str | bytes):
            return transcripts.read(conversation_of, zone=zone)
        return transcripts.from_messages(conversation_of, zone=zone)

    def _hear(
        self, heard: Heard, engine: str | Engine | None, *, force: bool = False, turn: bool = False
    ) -> TurnReport:
        """Learns from a conversation. turn: a turn of it just ended: it is kept word for word, and
        looked through for structured entries when it is time."""
        from mnemofs.lifecycle.learning.conversations import Before

        self._check_owner(heard)
        scope = self._writer()
        ear = self._learner(scope, engine)
        before = ear.keep(heard) if turn else Before()
        report = ear.learn(heard, before, force=force, nudging=turn)
        _heard(scope, report, ear.stones)
        return report

    def _check_owner(self, heard: Heard) -> None:
        """Notes whose conversation this is. Raises GuardRefused when it is not this view's."""
        from mnemofs.lifecycle.learning import personal

        team = next((scope.root for scope in self._scopes if scope.name == "TEAM"), None)
        if team is None:
            return
        marks = personal.marks_of(heard.transcript, heard.conversation)
        if self.owner:
            personal.claim(team, marks)
        elif personal.is_personal(team, marks):  # W-1
            raise GuardRefused(
                "this conversation is a person's; the shared memory takes nothing of it",
                hint="name the person with --owner",
            )

    def _learner(self, scope: Scope, engine: str | Engine | None) -> Learner:
        from mnemofs.lifecycle.learning.listening import Learner

        return Learner(
            scope.root,
            self.config,
            self.owner,
            _tombstones(scope),
            scope.store,
            self._engine(engine or self.config.extraction.engine),
            self.clock,
        )

    def _engine(self, engine: str | Engine) -> Engine:
        if not isinstance(engine, str):
            return engine
        if engine == "rules":
            from mnemofs.llm.rules import RulesEngine

            return RulesEngine()
        from mnemofs.llm.client import client_of
        from mnemofs.llm.model import ModelEngine

        return ModelEngine(client_of(self.config.model))


def _follow(scope: Scope, report: DreamReport, stones: LiveTombstones) -> None:
    """What every run leaves to be done: keep what was learned of tombstones, let agents know of
    contradictions, make the new text findable."""
    stones.close()
    if report.conflicts:
        scope.contest()
    scope.reindex(path for path in report.paths if path.endswith(".md"))
    _sweep_if_forgotten(scope, stones)


def _heard(scope: Scope, report: TurnReport, stones: LiveTombstones) -> None:
    """The same for a turn."""
    for part in (report.extraction, report.nudge):
        if part is not None and part.commit:
            scope.reindex(path for path in part.paths if path.endswith(".md"))
    if report.extraction is not None and report.extraction.conflicts:
        scope.contest()
    stones.close()
    _sweep_if_forgotten(scope, stones)


def _sweep_if_forgotten(scope: Scope, stones: LiveTombstones) -> None:
    """What was forgotten while an engine thought may have been read before and written after."""
    if stones.grown:
        scope.sweep()


def _tombstones(scope: Scope) -> LiveTombstones:
    from mnemofs.lifecycle.forgetting.tombstones import LiveTombstones

    return LiveTombstones(scope.root)
