"""Reading memory: files, search, the context of a prompt, and the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, time
from typing import TYPE_CHECKING

from mnemofs import names
from mnemofs.clock import parse_day, parse_instant
from mnemofs.errors import NotFound
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.index.hits import Hit
    from mnemofs.index.search import SearchResult
    from mnemofs.index.timeline import Timeline
    from mnemofs.lifecycle.disputes import Dispute
    from mnemofs.results import Context, FileEntry
    from mnemofs.scopes import Scope
    from mnemofs.store.blame import BlameLine
    from mnemofs.store.diffing import FileDiff
    from mnemofs.store.model import CommitInfo, Snapshot
    from mnemofs.view.asof import PastView

_RECALLED = 8


class Reading(ViewBase):
    """List, read, search, context, log, diff and blame."""

    def ls(self, prefix: str = "") -> list[FileEntry]:
        """Markdown files whose path starts with `prefix`, sorted, own store first."""
        from mnemofs.results import FileEntry

        return [
            FileEntry(path, stat.size, scope.name, scope.owner)
            for scope in self._scopes
            for path, stat in sorted(scope.store.scan().items())
            if path.endswith(".md") and path.startswith(prefix)
        ]

    def read(self, path: str, *, at: str | None = None) -> Snapshot:
        """A file as it is, or as it was `at` a revision, date or time.

        The first store that has it answers, the reader's own first. Raises NotFound.
        """
        path = names.check_path(path)
        view = self if at is None else self.at(at)
        for scope in view._scopes:
            snapshot = scope.store.read(path)
            if snapshot.content is not None:
                return snapshot
        when = f" at {at}" if at else ""
        raise NotFound(f"there is no file {path}{when}", hint="see `mnemofs ls`", path=path)

    def at(self, when: str) -> PastView:
        """This memory as it was at a date, a time or a revision; nothing can be written there.

        A bare day is its end in the workspace zone. A revision is looked up in the reader's own
        store first; the other stores are taken as they were at the time of that commit. Raises
        NotFound when there was no memory yet or no such revision, UsageError for a bad date.
        """
        from mnemofs.view.asof import past_view

        return past_view(self, when)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        offset: int = 0,
        mode: str | None = None,
        explain: bool = False,
    ) -> SearchResult:
        """The pieces of memory that fit `query` best, over all stores this reader may see."""
        from mnemofs.index.search import ScopedIndex, search

        mode = mode or self.config.search.mode
        semantic = mode == "hybrid"
        warnings = [text for scope in self._scopes for text in scope.fresh(semantic=semantic)]
        if semantic:
            warnings += self._embedders.warnings
        result = search(
            [
                ScopedIndex(scope.index, scope.name, scope.owner, scope.revision)
                for scope in self._scopes
            ],
            query,
            limit=limit or self.config.search.limit,
            offset=offset,
            mode="hybrid" if semantic else "lexical",
            explain=explain,
            fresh=False,
        )
        return result._replace(warnings=tuple(dict.fromkeys((*warnings, *result.warnings))))

    def prepare(
        self, progress: Callable[[int, int], None] | None = None, *, rebuild: bool = False
    ) -> tuple[int, tuple[str, ...]]:
        """Bring search fully up to date, vectors included; may be interrupted and goes on later.

        progress(done, total) counts texts. rebuild throws the index away first. Returns how many
        texts still have no vector, and warnings.
        """
        left: int = 0
        warnings: list[str] = []
        for scope in self._scopes:
            if rebuild:
                scope.rebuild()
            warnings += scope.fresh(semantic=True)
            done = scope.index.embed_pending(progress=progress)
            warnings += [done.error] if done.error else []
            warnings += (f"{path}: no vector, {reason}" for path, reason in done.refused)
            left += scope.index.pending()
            warnings += scope.upkeep()
        return left, tuple(dict.fromkeys((*warnings, *self._embedders.warnings)))

    def context(self, *, query: str = "", mode: str = "lexical", limit: int = _RECALLED) -> Context:
        """What an agent should be told: always-on files of the shared stores, then this person's
        own memory and what fits `query`."""
        from mnemofs.context.assemble import Source, assemble
        from mnemofs.context.prefetch import Recalled
        from mnemofs.results import Context

        found = self.search(query, limit=2 * limit, mode=mode) if query.strip() else None
        if found is None:
            for scope in self._scopes:
                scope.fresh(semantic=False)
        disputes: dict[str, tuple[Dispute, ...]] = {
            scope.name: _disputes(scope) for scope in self._scopes if scope.contested
        }
        hits = [
            Recalled(hit.path, hit.line_start, text, hit.date or "", hit.scope)
            for hit in (found.hits if found else ())
            if (text := _shown_hit(disputes, hit)) is not None
        ]
        done = assemble(
            [
                Source(scope.name, scope.owner, _shown_file(disputes, scope))
                for scope in self._scopes
            ],
            self.config.files,
            hits,
            owner=self.owner,
        )
        return Context(
            system=done.system.text,
            prefetch=done.prefetch.text,
            files=done.system.files + done.prefetch.files,
            omitted=done.system.omitted + done.prefetch.omitted,
            warnings=(*done.warnings, *(found.warnings if found else ())),
        )

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
        from mnemofs.store import history

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
        from mnemofs.store import history

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
        from mnemofs.store import history

        path = names.check_path(path)
        scope = self._require_own()
        scope.fold()
        with self._timeline(scope) as timeline:
            return history.blame(scope.store, path, at or "HEAD", timeline=timeline)

    def _timeline(self, scope: Scope) -> Timeline:
        from mnemofs.index.timeline import Timeline

        return Timeline(scope.store)

    def _instant(self, text: str | None, *, start: bool = False) -> datetime | None:
        if text is None:
            return None
        day = parse_day(text)
        if start and day is not None:
            return datetime.combine(day, time(), self.clock.zone)
        return parse_instant(text, self.clock.zone)


_Disputes = Mapping[str, "tuple[Dispute, ...]"]


def _disputes(scope: Scope) -> tuple[Dispute, ...]:
    """The open conflicts of a store; looked for only where there may be some."""
    from mnemofs.index.timeline import Timeline
    from mnemofs.lifecycle.review import Review

    with Timeline(scope.store) as timeline:
        found = Review(scope.store, timeline=timeline).conflicts()
    if not found:
        scope.contest(over=True)
    return found


def _shown_file(disputes: _Disputes, scope: Scope) -> Callable[[str], bytes | None]:
    """Reads files of a store as an agent should see them: of two texts the newer."""

    def read(path: str) -> bytes | None:
        content = scope.read(path)
        contested = [one for one in disputes[scope.name] if one.path == path]
        if content is None or not contested:
            return content
        from mnemofs.lifecycle.disputes import newer_only

        return newer_only(contested, content)

    return read if disputes.get(scope.name) else scope.read


def _shown_hit(disputes: _Disputes, hit: Hit) -> str | None:
    if not disputes.get(hit.scope):
        return hit.text
    from mnemofs.lifecycle.disputes import newer_hit

    return newer_hit(disputes[hit.scope], hit.path, hit.text)
