"""What an agent is told: the always-on files, and what is recalled for one question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mnemofs.view.reading import Reading

if TYPE_CHECKING:
    from mnemofs.index.hits import Hit
    from mnemofs.lifecycle.disputes import Dispute
    from mnemofs.results import Context
    from mnemofs.scopes import Scope

_RECALLED = 8


class Prompting(Reading):
    """The context of a prompt."""

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
