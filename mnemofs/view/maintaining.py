"""Upkeep: tidying the structured entries, and letting the agent's character follow its memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mnemofs.errors import MnemofsError
from mnemofs.view.learning import Learning

if TYPE_CHECKING:
    from mnemofs.lifecycle.forgetting.tombstones import LiveTombstones
    from mnemofs.lifecycle.upkeep.consolidation_report import (
        Bucket,
        BucketReport,
        ConsolidationReport,
    )
    from mnemofs.lifecycle.upkeep.soul import SoulReport, SoulStatus
    from mnemofs.llm.engine import Engine
    from mnemofs.scopes import Scope


class Maintaining(Learning):
    """Consolidate and evolve."""

    def consolidate(
        self,
        *,
        everyone: bool = True,
        dry_run: bool = False,
        engine: str | Engine | None = None,
    ) -> ConsolidationReport:
        """Join structured entries that say the same thing, each kind in a commit of its own.

        everyone: a workspace also tidies every person's memory, the longest untouched first, within
        `[consolidation] max_buckets`; for one person's view there is nobody else. dry_run: show
        what would change, write nothing.
        """
        from mnemofs.lifecycle.upkeep import consolidation_report as reports

        if not self.config.consolidation.enabled:
            return reports.ConsolidationReport((), "consolidation is switched off", dry_run)
        wanted = self._engine(engine or self.config.consolidation.engine)
        found: list[Bucket] = []
        done: list[BucketReport] = []
        for view in self._tidied(everyone=everyone):
            buckets, broken = view._survey(wanted, fold=not dry_run)
            found += buckets
            done += broken
        ready, left = reports.plan_run(found, self.config.consolidation.max_buckets)
        chosen = {bucket.owner for bucket in ready}
        for view in self._tidied(everyone=everyone):
            if view.owner in chosen:
                mine = [bucket for bucket in ready if bucket.owner == view.owner]
                done += view._tidy(mine, wanted, dry_run=dry_run)
        done += [reports.skipped(bucket._replace(skip="cap")) for bucket in left]
        done += [reports.skipped(bucket) for bucket in found if not bucket.ready]
        return reports.ConsolidationReport(tuple(done), "", dry_run)

    def _tidied(self, *, everyone: bool) -> Iterator[Maintaining]:
        yield self
        if everyone:
            yield from self._people()

    def _people(self) -> Iterator[Maintaining]:
        """The views of all people, each closed after its use; a workspace knows them."""
        return iter(())

    def _survey(
        self, engine: Engine, *, fold: bool
    ) -> tuple[tuple[Bucket, ...], tuple[BucketReport, ...]]:
        """The buckets here, and the report on a store that cannot be read."""
        from mnemofs.lifecycle.upkeep import consolidation_report as reports

        scope = self._own()
        if scope is None:
            return (), ()
        try:
            if fold:
                scope.fold()
                scope.sweep()
            return reports.survey(scope.store, engine.name, self.config, owner=self.owner), ()
        except MnemofsError as error:
            return (), (
                reports.failed(reports.Bucket(self.owner, "user", 0, "", None), error.message),
            )

    def _tidy(
        self, buckets: Sequence[Bucket], engine: Engine, *, dry_run: bool
    ) -> tuple[BucketReport, ...]:
        from mnemofs.lifecycle.upkeep import consolidation
        from mnemofs.lifecycle.upkeep import consolidation_report as reports

        scope = self._own()
        if scope is None or not buckets:
            return ()
        try:
            with _tombstones(scope) as stones:
                done = consolidation.consolidate(
                    scope.store,
                    engine,
                    buckets,
                    config=self.config,
                    clock=self.clock,
                    dry_run=dry_run,
                    forgotten=stones,
                )
        except MnemofsError as error:
            return tuple(reports.failed(bucket, error.message) for bucket in buckets)
        if any(report.conflicts for report in done):
            scope.contest()
        scope.reindex(f"structured/{report.kind}.md" for report in done if report.commit)
        if not dry_run:
            scope.upkeep()
        return done

    def evolve_soul(
        self, *, now: bool = False, dry_run: bool = False, engine: str | Engine | None = None
    ) -> SoulReport:
        """Look whether the agent's character has grown, when enough was written since the last
        look; a person accepts the change in review unless `[soul] apply = "direct"`.

        now: look even if it is not due. dry_run: show what would be proposed, keep nothing.
        """
        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.lifecycle.upkeep import soul

        scope = self._require_own()
        scope.fold()
        scope.sweep()
        named = engine or ("llm" if self.config.model.base_url and self.config.model.name else "")
        with Timeline(scope.store) as timeline, _tombstones(scope) as stones:
            report = soul.evolve(
                scope.store,
                self._engine(named) if named else None,
                config=self.config,
                clock=self.clock,
                now=now,
                dry_run=dry_run,
                forgotten=stones,
                timeline=timeline,
            )
        if report.conflicts:
            scope.contest()
        scope.reindex(report.paths)
        return report

    def soul_status(self) -> SoulStatus:
        """How much was written since the character was last looked at, and when that is due."""
        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.lifecycle.upkeep import soul

        scope = self._require_own()
        with Timeline(scope.store) as timeline:
            return soul.status(scope.store, config=self.config, timeline=timeline)


@contextmanager
def _tombstones(scope: Scope) -> Iterator[LiveTombstones]:
    from mnemofs.lifecycle.forgetting.tombstones import LiveTombstones

    stones = LiveTombstones(scope.store.root)
    try:
        yield stones
    finally:
        stones.close()
        if stones.grown:  # what an engine read before it was forgotten may stand there now
            scope.sweep()
