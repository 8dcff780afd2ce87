"""Knowing: the facts in memory, how far to trust them, and what contradicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mnemofs.errors import GuardRefused, MnemofsError, NotFound, UsageError
from mnemofs.results import WriteResult
from mnemofs.view.forgetting import Forgetting
from mnemofs.view.learning import Learning
from mnemofs.view.reviewing import Reviewing
from mnemofs.view.writing import Writing

if TYPE_CHECKING:
    from mnemofs.lifecycle.dreams.report import DreamReport
    from mnemofs.lifecycle.facts.book import FactBook, Row
    from mnemofs.lifecycle.facts.contradictions import Contradiction
    from mnemofs.lifecycle.facts.contradictions_item import ContradictionItem
    from mnemofs.lifecycle.facts.feedback import FeedbackKind
    from mnemofs.lifecycle.facts.projection import Fact
    from mnemofs.lifecycle.forgetting.receipts import Receipt
    from mnemofs.lifecycle.reviewing.decisions import Verdict
    from mnemofs.lifecycle.reviewing.review import Decided
    from mnemofs.scopes import Scope
    from mnemofs.store.model import Actor

_LISTED = 50
_PROBED = 20
_LINE = 400
_SHORTEST = 4
# Pairs that a model is asked about after one dream; the others wait for the next.
_JUDGED = 40
# More changed files than this are left to `sync` and `dream`: a reader does not wait for them.
_SWEPT = 50
_RESOLUTIONS: dict[str, Verdict] = {
    "KEEP_A": "keep_a",
    "KEEP_B": "keep_b",
    "MERGE": "merge",
    "IGNORE": "ignored",
}


class FactsReport(NamedTuple):
    """What bringing the facts up to date did. read: files that were read again, removed: files that
    are gone, facts: how many there are, over all stores of the view."""

    read: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    facts: int = 0
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The stable JSON form."""
        return {
            "status": "updated" if self.read or self.removed else "unchanged",
            "read": list(self.read),
            "removed": list(self.removed),
            "facts": self.facts,
            "warnings": list(self.warnings),
        }


class Knowing(Writing, Learning, Forgetting, Reviewing):
    """Facts, feedback, contradictions."""

    def facts(self, query: str = "", *, entity: str = "", limit: int = _LISTED) -> list[Fact]:
        """Facts of the stores this reader may see, as the files are now.

        query: words in any language; those that share most with it come first. entity: only facts
        whose subject or object names it. Without either all, most trusted first. limit 0: all.
        """
        from mnemofs.lifecycle.facts import recalled as facts_recall

        found: list[Fact] = []
        rank: dict[tuple[str, str], int] = {}
        for scope, book in self._books():
            if query.strip():
                rows = facts_recall.fitting(book, query)
            elif entity.strip():
                rows = facts_recall.about(book, entity)
            else:
                rows = book.rows()
            if query.strip() and entity.strip():
                named = {row.id for row in facts_recall.about(book, entity)}
                rows = [row for row in rows if row.id in named]
            facts = self._assembled(scope, book, rows)
            rank |= {(scope.name, one.id): number for number, one in enumerate(facts)}
            found += facts
        if query.strip():
            found.sort(key=lambda one: (rank[one.scope, one.id], -one.trust))
        else:
            found.sort(key=lambda one: (-one.trust, one.text.casefold(), one.id))
        return found[:limit] if limit else found

    def fact(self, identity: str) -> Fact:
        """One fact by its id, or the beginning of it. Raises NotFound, also for a fact that only
        somebody else has."""
        scope, book, rows = self._find(identity)
        with book:
            return self._assembled(scope, book, rows)[0]

    def fact_feedback(self, identity: str, kind: str, *, actor: Actor = "tool") -> WriteResult:
        """Note in the reader's own ledger that a fact was helpful or not.

        kind: HELPFUL, UNHELPFUL or CONFIRMED. What a person says of a shared fact changes its
        trust for them only. Raises NotFound and UsageError.
        """
        from mnemofs.lifecycle.facts.feedback import checked_kind

        checked = checked_kind(kind)
        _, book, rows = self._find(identity)
        book.close()
        return self._say(rows[0].id, checked, actor)

    def forget_fact(self, identity: str, *, purge: bool = False, source: str = "") -> Receipt:
        """Remove everything that states this fact from the reader's own store, as `forget` does.

        Raises NotFound, and GuardRefused for a fact of a shared store.
        """
        from dataclasses import replace

        scope, book, rows = self._find(identity)
        book.close()
        if scope is not self._own():
            raise GuardRefused(
                f"the fact {identity} is in the {scope.name.lower()} memory, which is shared; "
                "nothing was changed",
                hint="forget it there: the same command without --owner",
            )
        receipt: Receipt | None = None
        for row in rows:
            try:
                done = self._forget_row(row, purge=purge, source=source)
            except (NotFound, GuardRefused):
                if receipt is None:
                    raise
                continue  # gone together with an earlier place
            receipt = (
                done
                if receipt is None
                else replace(
                    done,
                    status=receipt.status if done.status == "unchanged" else done.status,
                    commit=done.commit or receipt.commit,
                    removed=_sum(receipt.removed, done.removed),
                    places=_sum(receipt.places, done.places),
                    tombstones=receipt.tombstones + done.tombstones,
                    history=receipt.history or done.history,
                )
            )
        assert receipt is not None
        return receipt

    def fact_probe(self, entity: str) -> str:
        """What is known about something, one fact a line with its trust; counts as use."""
        found = self.facts(entity=entity, limit=_PROBED) or self.facts(entity, limit=_PROBED)
        self._used(found)
        return "\n".join(f"- {_short(one.text)} (trust={one.trust:.2f})" for one in found)

    def fact_list_contradictions(self) -> str:
        """The open contradictions, one a line."""
        found = self.contradictions()[:_LISTED]
        return "\n".join(f"- [{one.found.id}] {_short(one.found.description)}" for one in found)

    def rebuild_facts(self, *, rebuild: bool = False) -> FactsReport:
        """Bring the facts of every store of this view up to date; cheap when nothing changed.

        rebuild: read every file again. Reading facts does the same by itself.
        """
        from mnemofs.lifecycle.facts.book import FactBook

        report = FactsReport()
        if not self.config.facts.enabled:
            return report
        for scope in self._scopes:
            with FactBook(scope.root) as book:
                done = book.refresh(rebuild=rebuild)
            report = FactsReport(
                report.read + done.changed,
                report.removed + done.removed,
                report.facts + done.facts,
                report.warnings + done.warnings,
            )
        return report

    def contradictions(self) -> tuple[ContradictionItem, ...]:
        """The open contradictions of the reader's own store."""
        with self._review() as review:
            return review.contradictions() if review else ()

    def resolve(
        self, identity: str, resolution: str, *, text: str | None = None, actor: Actor = "person"
    ) -> Decided:
        """Settle a contradiction: KEEP_A, KEEP_B, MERGE (into `text`, or a line with both values)
        or IGNORE, as one commit. Raises UsageError, and what `decide` raises."""
        verdict = _RESOLUTIONS.get(resolution.strip().upper().replace("-", "_"))
        if verdict is None:
            raise UsageError(
                f"{resolution!r} settles nothing", hint=f"use one of {', '.join(_RESOLUTIONS)}"
            )
        if self.review_item(identity).item.kind != "contradiction":
            raise UsageError(f"{identity} is no contradiction", hint="see `mnemofs contradictions`")
        return self.decide(identity, verdict, text=text, actor=actor)

    def _after_dream(self, scope: Scope, report: DreamReport) -> tuple[str, ...]:
        """What follows a dream: facts brought up to date, contradictions looked for; warnings."""
        if not self.config.facts.enabled or report.status != "updated":
            return ()
        from mnemofs.lifecycle.facts import contradictions
        from mnemofs.lifecycle.facts.book import FactBook

        try:
            with FactBook(scope.root) as book:
                warnings = book.refresh().warnings
                if self.config.facts.contradictions and self.config.facts.judge:
                    found = contradictions.find(book.rivals())
                    warnings += self._judge(book, found)
        except Exception as error:  # the dream is committed; this is made up for at the next look
            reason = error.message if isinstance(error, MnemofsError) else type(error).__name__
            return (f"facts are not up to date: {reason}",)
        return warnings

    def _judge(self, book: FactBook, found: Sequence[Contradiction]) -> tuple[str, ...]:
        """Ask the model about pairs that it has not judged; what goes wrong is a warning."""
        from mnemofs.llm.engine import JudgeRequest, Pair
        from mnemofs.llm.replies import Rejected

        known = book.judged()
        pairs = tuple(Pair(one.id, one.a.text, one.b.text) for one in found if one.id not in known)
        if not pairs:
            return ()
        pairs = pairs[:_JUDGED]
        try:
            reply = self._engine("llm").judge(JudgeRequest(pairs))
        except MnemofsError as error:
            return (f"contradictions were not judged: {error.message}",)
        if isinstance(reply, Rejected):
            return (f"contradictions were not judged: {reply.detail or reply.code}",)
        book.remember_judged((one.id, one.contradiction) for one in reply.value.verdicts)
        return ()

    def _books(self) -> Iterator[tuple[Scope, FactBook]]:
        """Each store of this view with its facts, up to date."""
        from mnemofs.lifecycle.facts.book import FactBook

        if not self.config.facts.enabled:
            return
        for scope in self._scopes:
            with FactBook(scope.root) as book:
                if any(path.endswith(".md") for path in book.refresh().changed):
                    # What was forgotten may have come in from elsewhere: it is no fact (OWN-07).
                    scope.sweep(most=_SWEPT)
                    book.refresh()
                yield scope, book

    def _find(self, identity: str) -> tuple[Scope, FactBook, list[Row]]:
        """The fact of an id, in the reader's own store first. The book is open.

        Raises NotFound with the same words whether it is unknown or somebody else's (OWN-04).
        """
        from mnemofs.lifecycle.facts.book import FactBook

        wanted = identity.strip().lower()
        for scope in self._scopes if self.config.facts.enabled and len(wanted) >= _SHORTEST else ():
            book = FactBook(scope.root)
            book.refresh()
            ids = book.ids_like(wanted)
            if wanted in ids:
                ids = [wanted]
            if len(ids) > 1:
                book.close()
                raise UsageError(
                    f"{len(ids)} facts begin with {identity!r}", hint="type more of it"
                )
            if ids:
                return scope, book, book.rows(ids=ids)
            book.close()
        raise NotFound(f"there is no fact {identity}", hint="see `mnemofs facts list`")

    def _assembled(self, scope: Scope, book: FactBook, rows: Sequence[Row]) -> list[Fact]:
        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.lifecycle.facts.feedback import tally
        from mnemofs.lifecycle.facts.shown import find_origins, put_together

        with Timeline(scope.store) as timeline:
            origins = find_origins(scope.store, book, rows, timeline)
        said = list(book.feedback())
        own = self._own()
        if own is not None and own is not scope:
            from mnemofs.lifecycle.facts.book import FactBook

            with FactBook(own.root) as mine:
                mine.refresh()
                said += mine.feedback()
        return put_together(
            book,
            rows,
            origins,
            tally(said),
            scope=scope.name,
            owner=scope.owner,
            now=self.clock.now(),
            half_life=self.config.facts.trust_half_life_days,
        )

    def _used(self, facts: Sequence[Fact]) -> None:
        from mnemofs.lifecycle.facts.book import FactBook

        for scope in self._scopes:
            ids = [one.id for one in facts if (one.scope, one.owner) == (scope.name, scope.owner)]
            if ids:
                with FactBook(scope.root) as book:
                    book.use(ids, self.clock.now())

    def _say(self, about: str, kind: FeedbackKind, actor: Actor) -> WriteResult:
        """One feedback event in the reader's own ledger, as a commit."""
        import secrets

        from mnemofs.lifecycle.facts.feedback import feedback_event
        from mnemofs.lifecycle.ledger import append_event, ledger_path

        now = self.clock.now()
        happened = feedback_event(about, kind, now, self.owner, nonce=secrets.token_hex(4))
        step: Callable[[bytes | None], bytes] = partial(append_event, happened=happened)
        return self._apply(
            ledger_path(now), step, f"feedback: 1 fact {kind.lower()}", actor, "", ()
        )

    def _forget_row(self, row: Row, *, purge: bool, source: str) -> Receipt:
        if row.key and row.predicate == "has":
            return self.forget(entry=f"{row.path}#{row.key}", purge=purge, source=source)
        return self.forget(row.statement, purge=purge, source=source)


def _short(text: str) -> str:
    """As much of a fact as a line for an agent takes."""
    return text if len(text) <= _LINE else f"{text[:_LINE]}…"


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in (*one, *other)}
