"""Reading memory: files, search, and memory as it was."""

from __future__ import annotations

from mnemofs import names
from mnemofs.errors import NotFound
from mnemofs.view.base import ViewBase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemofs.index.priors import Priors, Usage
    from mnemofs.index.search import SearchResult
    from mnemofs.results import FileEntry
    from mnemofs.scopes import Scope
    from mnemofs.store.model import Snapshot
    from mnemofs.view.asof import PastView


class Reading(ViewBase):
    """List, read and search."""

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
        recency: float | None = None,
        importance: float | None = None,
    ) -> SearchResult:
        """The pieces of memory that fit `query` best, over all stores this reader may see.

        recency, importance: how much newer and more often used memories are preferred, from 0 to 1;
        None: as `[search]` says.
        """
        from mnemofs.index.search import ScopedIndex, search

        mode = mode or self.config.search.mode
        semantic = mode == "hybrid"
        warnings = [text for scope in self._scopes for text in scope.fresh(semantic=semantic)]
        if semantic:
            warnings += self._embedders.warnings
        result = search(
            [
                ScopedIndex(
                    scope.index, scope.name, scope.owner, scope.revision, self._usage(scope)
                )
                for scope in self._scopes
            ],
            query,
            limit=limit or self.config.search.limit,
            offset=offset,
            mode="hybrid" if semantic else "lexical",
            explain=explain,
            fresh=False,
            priors=self._priors(recency, importance),
            today=lambda: self.clock.today(),
        )
        return result.replace(warnings=tuple(dict.fromkeys((*warnings, *result.warnings))))

    def _priors(self, recency: float | None, importance: float | None) -> Priors | None:
        settings = self.config.search
        newer = settings.recency if recency is None else recency
        used = settings.importance if importance is None else importance
        if newer <= 0 and used <= 0:
            return None
        from mnemofs.index.priors import Priors

        return Priors(min(max(newer, 0), 1), min(max(used, 0), 1), self.clock.today())

    def _usage(self, scope: Scope) -> Usage:
        def usage() -> dict[tuple[str, str], int]:
            from mnemofs.lifecycle.recalls.book import RecallBook

            recalls: dict[tuple[str, str], int] = {}
            for one in RecallBook(scope.root, owner=scope.owner).counts():
                place = (one.path, one.heading)
                recalls[place] = recalls.get(place, 0) + one.recalls
            return recalls

        return usage

    def prepare(
        self,
        progress: Callable[[int, int], None] | None = None,
        *,
        files: Callable[[int, int], None] | None = None,
        words: Callable[[int, int], None] | None = None,
        rebuild: bool = False,
    ) -> tuple[int, tuple[str, ...]]:
        """Bring search fully up to date, vectors included; may be interrupted and goes on later.

        files(done, total) counts the files that are read, progress(done, total) the texts that get
        a vector, words(done, total) the words that are sorted for quick questions to a large store.
        rebuild throws the index away first. Returns how many texts still have no vector,
        and warnings.
        """
        from mnemofs.index.meaning.encoder_cache import quiet_numpy

        quiet_numpy()
        from mnemofs.index.words.posting_build import tend

        left: int = 0
        warnings: list[str] = []
        for scope in self._scopes:
            if rebuild:
                scope.rebuild()
            scope.look(progress=files)
            warnings += scope.fresh(semantic=True)
            done = scope.index.embed_pending(progress=progress)
            warnings += [done.error] if done.error else []
            warnings += (f"{path}: no vector, {reason}" for path, reason in done.refused)
            left += scope.index.pending()
            tend(scope.index, words)
            warnings += scope.upkeep()
        return left, tuple(dict.fromkeys((*warnings, *self._embedders.warnings)))
