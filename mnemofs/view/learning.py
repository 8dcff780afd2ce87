"""Learning: from conversations, from notes, and from the edits people make by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mnemofs.errors import GuardRefused
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    import threading

    from mnemofs.lifecycle.dreaming import DreamReport
    from mnemofs.lifecycle.extraction import ExtractionReport
    from mnemofs.lifecycle.tombstones import Tombstones
    from mnemofs.lifecycle.transcripts import Transcript
    from mnemofs.llm.engine import Engine
    from mnemofs.scopes import Scope
    from mnemofs.store.model import Committed


class Learning(ViewBase):
    """Extract, dream and watch."""

    def extract(
        self,
        conversation_of: Transcript | bytes | str | Sequence[Mapping[str, Any]],
        *,
        conversation: str | None = None,
        engine: str | Engine | None = None,
        trigger: str = "",
        force: bool = False,
    ) -> ExtractionReport:
        """Learn from a conversation: a transcript, a file name, its bytes, or messages."""
        from mnemofs.lifecycle import extraction, transcripts

        if isinstance(conversation_of, transcripts.Transcript):
            transcript = conversation_of
        elif isinstance(conversation_of, str | bytes):
            transcript = transcripts.read(conversation_of, zone=self.clock.zone)
        else:
            transcript = transcripts.from_messages(conversation_of, zone=self.clock.zone)
        scope = self._writer()
        report = extraction.extract(
            scope.store,
            self._engine(engine or self.config.extraction.engine),
            transcript,
            config=self.config,
            clock=self.clock,
            owner=self.owner,
            conversation=conversation,
            trigger=trigger,
            force=force,
            forgotten=(stones := _tombstones(scope)),
        )
        _follow(scope, report, stones)
        return report

    def dream(
        self,
        *,
        topic: str | None = None,
        dry_run: bool = False,
        engine: str | Engine | None = None,
    ) -> DreamReport:
        """Consolidate this store's recent notes into its MEMORY.md."""
        from dataclasses import replace

        from mnemofs.lifecycle import dreaming

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
            forgotten=(stones := _tombstones(scope)),
        )
        _follow(scope, report, stones)
        if dry_run:
            return report
        return replace(report, warnings=(*report.warnings, *scope.upkeep()))

    def watch(
        self,
        folded: Callable[[str, tuple[str, ...]], None],
        stop: threading.Event,
        *,
        problem: Callable[[str], None] | None = None,
    ) -> None:
        """Commit and index hand edits until `stop` is set; `folded` hears of each commit and
        `problem` of what holds one up."""
        from mnemofs.store.watch import Watcher

        scope = self._require_own()

        def on_fold(done: Committed) -> None:
            scope.written(done)
            if done.commit:
                folded(done.commit, done.paths)

        Watcher(scope.store, on_fold, on_problem=problem).run(stop)

    def _engine(self, engine: str | Engine) -> Engine:
        if not isinstance(engine, str):
            return engine
        if engine == "rules":
            from mnemofs.llm.rules import RulesEngine

            return RulesEngine()
        model = self.config.model
        if not model.base_url or not model.name:
            raise GuardRefused(
                "no language model is set up for the engine llm",
                hint="set MNEMOFS_MODEL_BASE_URL and MNEMOFS_MODEL_NAME, or use --engine rules",
            )
        from mnemofs.llm.client import ChatClient
        from mnemofs.llm.model import ModelEngine

        return ModelEngine(
            ChatClient(
                model.base_url,
                model.name,
                api_key_env=model.api_key_env,
                timeout=model.timeout,
                max_tokens=model.max_tokens,
            )
        )


def _follow(scope: Scope, report: ExtractionReport | DreamReport, stones: Tombstones) -> None:
    """What every run leaves to be done: keep what was learned of tombstones, let agents know of
    contradictions, make the new text findable."""
    stones.close()
    if report.conflicts:
        scope.contest()
    scope.reindex(path for path in report.paths if path.endswith(".md"))


def _tombstones(scope: Scope) -> Tombstones:
    from mnemofs.lifecycle.tombstones import Tombstones

    return Tombstones.load(scope.store.root)
