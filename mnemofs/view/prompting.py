"""What an agent is told: the always-on files, and what is recalled for one question."""

from __future__ import annotations

from sys import modules
from time import time

from mnemofs.view.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mnemofs.context.given import Given
    from mnemofs.index.hits import Hit
    from mnemofs.index.search import SearchResult
    from mnemofs.lifecycle.recalls.spool import Injected, Shown
    from mnemofs.lifecycle.reviewing.disputes import Dispute
    from mnemofs.results import Context
    from mnemofs.scopes import Scope
    from mnemofs.view.providing import Asked

_RECALLED = 8


class Prompting(Reading):
    """The context of a prompt."""

    def context(self, *, query: str = "", mode: str = "lexical", limit: int = _RECALLED) -> Context:
        """What an agent should be told: always-on files of the shared stores, then this person's
        own memory and what fits `query`.

        limit: how many search hits. What cannot be searched or read is named in the warnings. Which
        entries were given, and why, is noted for `why_in_context`.
        """
        from mnemofs.context.assemble import assemble
        from mnemofs.context.given import Source
        from mnemofs.context.prefetch import Recalled
        from mnemofs.results import Context

        asked = self._ask_others(query)
        found, warnings = self._found(query, mode, 2 * limit)
        disputes: dict[str, tuple[Dispute, ...]] = {
            scope.name: _disputes(scope) for scope in self._scopes if scope.contested
        }
        hits = [
            Recalled(
                hit.path,
                hit.line_start,
                text,
                hit.date or "",
                hit.scope,
                hit.heading,
                hit.score,
                parts_of(hit),
            )
            for hit in (found.hits if found else ())
            if (text := _shown_hit(disputes, hit)) is not None
        ]
        external: tuple[str, ...] = ()
        blocks: tuple[str, ...] = ()
        if asked is not None:
            blocks, problems = asked.system_blocks()
            external, more = asked.recalled()
            warnings += problems + more
        done = assemble(
            [
                Source(scope.name, scope.owner, _shown_file(disputes, scope))
                for scope in self._scopes
            ],
            self.config.files,
            hits,
            owner=self.owner,
            query=query,
            most_hits=limit,
            external=external,
            without=self.config.providers.disabled,
        )
        omitted = done.system.omitted + done.prefetch.omitted
        self._note(query, done.given, omitted)
        return Context(
            system="\n\n".join(text for text in (done.system.text, *blocks) if text),
            prefetch=done.prefetch.text,
            files=done.system.files + done.prefetch.files,
            omitted=omitted,
            warnings=tuple(dict.fromkeys((*done.warnings, *warnings))),
        )

    def note_hits(self, hits: Iterable[Hit], *, query: str) -> None:
        """Count hits that were shown to whoever asked `query`. Never raises."""
        from mnemofs.lifecycle.recalls.spool import Injected

        noted: dict[str, list[Injected]] = {}
        for hit in hits:
            if not hit.revision:
                noted.setdefault(hit.scope, []).append(
                    Injected(
                        hit.path,
                        hit.line_start,
                        hit.heading,
                        hit.text,
                        "search",
                        hit.score,
                        parts_of(hit),
                    )
                )
        self._record(query, noted, {}, ())

    def _ask_others(self, query: str) -> Asked | None:
        """A question to other providers, under way; None where there are none."""
        if any(scope.revision for scope in self._scopes):
            return None
        if not self.config.mem0.base_url and "mnemofs.view.providing" not in modules:
            return None  # a hook without providers pays nothing for them
        from mnemofs.view.providing import Asked, asks_others

        return Asked(self, query) if asks_others(self) else None

    def _found(
        self, query: str, mode: str, limit: int
    ) -> tuple[SearchResult | None, tuple[str, ...]]:
        """Search hits and warnings. A prompt is made without them when search fails (I8)."""
        from mnemofs.errors import MnemofsError

        try:
            if query.strip():
                found = self.search(query, limit=limit, mode=mode, explain=self._records)
                return found, found.warnings
            warnings = (text for scope in self._scopes for text in scope.fresh(semantic=False))
            return None, tuple(warnings)
        except MnemofsError as error:
            return None, (f"memory could not be searched: {error.message}",)

    @property
    def _records(self) -> bool:
        """Whether prompts are noted: never those of the past."""
        return self.config.recall.enabled and not any(scope.revision for scope in self._scopes)

    def _note(self, query: str, given: Sequence[Given], omitted: Sequence[str]) -> None:
        if not self._records:
            return
        from mnemofs.index.rows.blobs import blob_id
        from mnemofs.lifecycle.recalls.spool import Injected, Shown

        entries: dict[str, list[Injected]] = {}
        files: dict[str, list[Shown]] = {}
        for one in given:
            if one.content is None:
                entries.setdefault(one.scope, []).append(
                    Injected(
                        one.path, one.line, one.heading, one.text, one.why, one.score, one.parts
                    )
                )
            else:
                files.setdefault(one.scope, []).append(
                    Shown(one.path, blob_id(one.content), one.limit, one.why, one.without)
                )
        self._record(query, entries, files, omitted)

    def _record(
        self,
        query: str,
        entries: Mapping[str, Sequence[Injected]],
        files: Mapping[str, Sequence[Shown]],
        omitted: Sequence[str],
    ) -> None:
        """Note one prompt in each store that gave to it, and in the asker's own."""
        if not self._records:
            return
        from mnemofs.lifecycle.recalls.spool import DRAIN_BYTES, new_prompt, note

        # The system's clock needs no zone to be looked up.
        at = time() if self._clock is None else self._clock.instant().timestamp()
        prompt = new_prompt()
        for index, scope in enumerate(self._scopes):
            own = index == 0
            some, whole = entries.get(scope.name, ()), files.get(scope.name, ())
            if not (own or some or whole):
                continue
            size = note(
                scope.root,
                some,
                prompt=prompt,
                query=query,
                owner=self.owner,
                private=scope.owner == self.owner,
                at=at,
                files=whole,
                omitted=omitted if own else (),
            )
            if size > DRAIN_BYTES:
                from mnemofs.lifecycle.recalls.book import RecallBook

                keep_days = self.config.recall.keep_days
                RecallBook(scope.root, owner=scope.owner, keep_days=keep_days).absorb()


def parts_of(hit: Hit) -> str:
    """What a hit's score is made of, as words."""
    return " ".join(f"{name} {value:.2f}" for name, value in hit.parts.items())


def _disputes(scope: Scope) -> tuple[Dispute, ...]:
    """The open conflicts of a store; looked for only where there may be some."""
    from mnemofs.index.timelines.timeline import Timeline
    from mnemofs.lifecycle.reviewing.review import Review

    with Timeline(scope.store) as timeline:
        found = Review(scope.store, timeline=timeline).conflicts()
    if not found:
        scope.contest(over=True)
    return found


def _shown_file(
    disputes: Mapping[str, tuple[Dispute, ...]], scope: Scope
) -> Callable[[str], bytes | None]:
    """Reads files of a store as an agent should see them: of two texts the newer."""

    def read(path: str) -> bytes | None:
        content = scope.read(path)
        contested = [one for one in disputes[scope.name] if one.path == path]
        if content is None or not contested:
            return content
        from mnemofs.lifecycle.reviewing.disputes import newer_only

        return newer_only(contested, content)

    return read if disputes.get(scope.name) else scope.read


def _shown_hit(disputes: Mapping[str, tuple[Dispute, ...]], hit: Hit) -> str | None:
    if not disputes.get(hit.scope):
        return hit.text
    from mnemofs.lifecycle.reviewing.disputes import newer_hit

    return newer_hit(disputes[hit.scope], hit.path, hit.text)
