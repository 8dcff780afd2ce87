"""Dreams looked back on and ahead to: their reports, where dreaming stands, and its candidates."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING

from mnemofs.errors import MnemofsError
from mnemofs.view.learning import Learning
from mnemofs.view.maintaining import Maintaining

if TYPE_CHECKING:
    from mnemofs.lifecycle.dreams.log import DreamRecord, DreamStatus, PastDream
    from mnemofs.lifecycle.dreams.report import DreamReport
    from mnemofs.lifecycle.dreams.scoring import Ranking
    from mnemofs.llm.engine import Engine
    from mnemofs.scopes import Scope


class Dreams(Maintaining):
    """What came of dreams, and what would."""

    def dreams(self, limit: int | None = 20) -> tuple[DreamRecord, ...]:
        """The dreams of the reader's own store that changed something, newest first."""
        from mnemofs.lifecycle.dreams import log as dreamlog

        scope = self._own()
        if scope is None:
            return ()
        found = list(islice(dreamlog.records(scope.root), limit))
        return tuple(dreamlog.with_commits(found, self._dream_commits(scope, found)))

    def dream_report(self, name: str) -> PastDream:
        """One of them in full, by its id or the beginning of it. Raises NotFound."""
        from mnemofs.lifecycle.dreams import log as dreamlog

        scope = self._require_own()
        found = [dreamlog.find(scope.root, name)]
        (record,) = dreamlog.with_commits(found, self._dream_commits(scope, found))
        return dreamlog.past_dream(scope.store, record)

    def dream_status(self) -> DreamStatus:
        """When the last and the next run are, and how much waits for it."""
        from mnemofs.lifecycle.dreams import log as dreamlog

        scope = self._own()
        return dreamlog.status(
            scope.store if scope else None, self.config, self.clock.now(), self.dreams(1)
        )

    def candidates(self) -> Ranking:
        """The entries of the notes that the next dream would weigh, best first, with their scores;
        and those that were looked at and are none, each with the reason."""
        from mnemofs.lifecycle.dreams import log as dreamlog

        scope = self._own()
        if scope is None:
            return dreamlog.NO_CANDIDATES
        scope.fold()
        return dreamlog.ranking(scope.store, self.config, self.clock.now())

    def dream_everywhere(
        self,
        *,
        topic: str | None = None,
        dry_run: bool = False,
        engine: str | Engine | None = None,
        trigger: str = "manual",
    ) -> tuple[DreamReport, ...]:
        """A dream of this store and, in a workspace, of each person's, one report each. What goes
        wrong in one store is that store's report and stops no other."""
        everyone = chain((self,), self._people())
        return tuple(self._dreamed(view, topic, dry_run, engine, trigger) for view in everyone)

    def _dreamed(
        self,
        view: Learning,
        topic: str | None,
        dry_run: bool,
        engine: str | Engine | None,
        trigger: str,
    ) -> DreamReport:
        from dataclasses import replace

        from mnemofs.lifecycle.dreams.report import DreamReport

        try:
            report = view.dream(topic=topic, dry_run=dry_run, engine=engine, trigger=trigger)
        except MnemofsError as error:
            report = DreamReport(
                "failed", error.message, code=error.code, trigger=trigger, dry_run=dry_run
            )
        return replace(report, owner=view.owner)

    def _dream_commits(self, scope: Scope, found: list[DreamRecord]) -> Mapping[str, str]:
        """The commits of these dreams, by the id of their event."""
        from datetime import timedelta

        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.store.past import history

        if not found:
            return {}
        # A merge from another machine may carry the event; its commit was made there, soon after.
        since = min(one.time for one in found) - timedelta(minutes=1)
        with Timeline(scope.store) as timeline:
            log = history.log(scope.store, actor="dream", since=since, timeline=timeline)
        return {commit.source: commit.id for commit in log}
