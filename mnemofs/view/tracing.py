"""Where memory came from: the log, differences, and who wrote each line."""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING

from mnemofs import names
from mnemofs.clock import parse_day, parse_instant
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.index.timelines.timeline import Timeline
    from mnemofs.scopes import Scope
    from mnemofs.store.model import CommitInfo
    from mnemofs.store.past.blame import BlameLine
    from mnemofs.store.past.diffing import FileDiff


class Tracing(ViewBase):
    """Log, diff and blame."""

    def log(
        self,
        path: str | None = None,
        *,
        limit: int | None = 30,
        actor: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> list[CommitInfo]:
        """Commits of the reader's own store, newest first."""
        from mnemofs.store.past import history

        scope = self._own()
        if scope is None:
            return []
        scope.fold()
        with self._timeline(scope) as timeline:
            return history.log(
                scope.store,
                path=path,
                limit=limit,
                actor=actor,
                since=self._instant(since, start=True),
                until=self._instant(until),
                timeline=timeline,
            )

    def diff(
        self, old: str | None = None, new: str | None = None, *, path: str | None = None
    ) -> list[FileDiff]:
        """Between two revisions; of one commit; or of the hand edits, else of the last commit."""
        from mnemofs.store.past import history

        scope = self._own()
        if scope is None:
            return []
        store = scope.store
        if old is None:
            pending = history.diff(store, "HEAD", None, path=path) if store.dirty() else []
            return pending or history.show(store, "HEAD", path=path)
        if new is None:
            return history.show(store, old, path=path)
        return history.diff(store, old, new, path=path)

    def blame(self, path: str, *, at: str | None = None) -> list[BlameLine]:
        """Where each line of a file came from. Raises NotFound."""
        from mnemofs.store.past import history

        path = names.check_path(path)
        scope = self._require_own()
        scope.fold()
        with self._timeline(scope) as timeline:
            return history.blame(scope.store, path, at or "HEAD", timeline=timeline)

    def _timeline(self, scope: Scope) -> Timeline:
        from mnemofs.index.timelines.timeline import Timeline

        return Timeline(scope.store)

    def _instant(self, text: str | None, *, start: bool = False) -> datetime | None:
        if text is None:
            return None
        day = parse_day(text)
        if start and day is not None:
            return datetime.combine(day, time(), self.clock.zone)
        return parse_instant(text, self.clock.zone)
