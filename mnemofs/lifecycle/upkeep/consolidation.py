"""Consolidation: structured entries that say the same thing become one, a bucket at a time.

Buckets are surveyed first, chosen fairly (`consolidation_report`), and then done one by one, each
as a commit of its own; what goes wrong in one does not stop the others. Entries that somebody adds
or changes while a model thinks stand as they are.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from mnemofs.errors import MnemofsError, ModelError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.learning.extraction import RunStatus, fault_status, kept_for_review
from mnemofs.lifecycle.learning.turnbook import TurnBook
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.lifecycle.marks import touches_user_edited
from mnemofs.lifecycle.reviewing.pending import pending
from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.lifecycle.upkeep.consolidation_plan import ConsolidationPlan, plan_consolidation
from mnemofs.lifecycle.upkeep.consolidation_report import (
    Bucket,
    BucketReport,
    book_name,
    failed,
    seen_by,
    skipped,
)
from mnemofs.lifecycle.upkeep.consolidation_text import Join, apply_joins, standing
from mnemofs.lifecycle.upkeep.counters import Upkeep
from mnemofs.llm.engine import Consolidated, ConsolidateRequest, Engine, Given
from mnemofs.llm.replies import Rejected
from mnemofs.markdown.document import Document, plain_title
from mnemofs.markdown.entries import StructuredEntry
from mnemofs.secrets import scan as scan_secrets
from mnemofs.store.commit.writing import operation_words
from mnemofs.store.model import Change, Trust
from mnemofs.store.past import history

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.marks import Forgotten
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

# More entries than these are shown to a model in turns, a window each night.
_WINDOW = 150
_TRUSTS: tuple[Trust, ...] = ("web", "agent", "user")


def consolidate(
    store: Store,
    engine: Engine,
    buckets: Sequence[Bucket],
    *,
    config: Config,
    clock: Clock,
    dry_run: bool = False,
    forgotten: Forgotten | None = None,
) -> tuple[BucketReport, ...]:
    """Tidy these buckets of one store; each one's report says how it went, failures included.

    Raises CorruptStore when the store as a whole cannot be read.
    """
    if not config.consolidation.enabled:
        return tuple(_off(bucket, "consolidation is switched off") for bucket in buckets)
    operation = store.head().operation
    if operation:
        reason = f"{operation_words(operation)}; run this again afterwards"
        return tuple(_off(bucket, reason) for bucket in buckets)
    with TurnBook(store.root).claim("consolidate") as mine:
        if not mine:
            return tuple(_off(one, "another consolidation is running") for one in buckets)
        run = _Run(store, engine, clock, dry_run, forgotten)
        return tuple(run.of(bucket) for bucket in buckets)


@dataclass(frozen=True)
class _Run:
    store: Store
    engine: Engine
    clock: Clock
    dry_run: bool
    forgotten: Forgotten | None

    def of(self, bucket: Bucket) -> BucketReport:
        try:
            return self._of(bucket)
        except MnemofsError as error:
            return failed(bucket, error.message)

    def _of(self, bucket: Bucket) -> BucketReport:
        started = self.clock.now()
        draft = Draft.of(self.store.read(bucket.path))
        document = Document.parse(draft.content or b"")
        offered, others = self._offered(document)
        shown = _window(offered, started)
        given = tuple(Given(one.key, one.content, one.updated) for one in shown)
        found: Any
        try:
            found = self.engine.consolidate(ConsolidateRequest(bucket.kind, given, started.date()))
        except ModelError as error:
            found = error
        if isinstance(found, Rejected | ModelError):
            status, code, reason = fault_status(found)
            self._note(bucket, started, None)
            return replace(failed(bucket, reason), status=status, code=code)
        proposal: Consolidated = found.value
        plan = plan_consolidation(
            shown,
            proposal,
            started.date(),
            others=(*others, *(one.key for one in offered if one not in shown)),
            forgotten=self.forgotten,
            touches=partial(_touches, draft) if "user-edited" in document.text else None,
        )
        plan = replace(plan, joins=plan.joins + _twins(document, plan.joins))
        plan = self._without_undone(bucket, plan)
        return self._carry_out(bucket, draft, plan, started, whole=len(shown) == len(offered))

    def _offered(self, document: Document) -> tuple[list[StructuredEntry], list[str]]:
        """(entries that may be joined, keys of all others).

        Left out: what holds a secret or was forgotten, and keys that stand twice with two texts.
        """
        entries = [one.entry for one in standing(document)]
        texts: dict[str, set[str]] = {}
        for entry in entries:
            texts.setdefault(entry.key, set()).add(entry.content)
        offered: dict[str, StructuredEntry] = {}
        for entry in entries:
            if len(texts[entry.key]) == 1 and entry.content.strip() and not self._kept_out(entry):
                offered[entry.key] = entry
        return list(offered.values()), [key for key in texts if key not in offered]

    def _kept_out(self, entry: StructuredEntry) -> bool:
        if scan_secrets(f"{entry.key}: {entry.content}", deep=True):
            return True
        lines = (line for line in entry.content.split("\n") if line.strip())
        return self.forgotten is not None and any(map(self.forgotten, lines))

    def _without_undone(self, bucket: Bucket, plan: ConsolidationPlan) -> ConsolidationPlan:
        """What was joined once and stands apart again was taken back by a person."""
        known = Upkeep(self.store.root).done(book_name(bucket.kind))
        joins = tuple(join for join in plan.joins if _digest(join) not in known)
        undone = ("it was taken back before",) * (len(plan.joins) - len(joins))
        return replace(plan, joins=joins, refused=plan.refused + undone)

    def _as_it_is_now(
        self, draft: Draft, plan: ConsolidationPlan
    ) -> tuple[Draft, ConsolidationPlan]:
        """The same over the file's present bytes: joins of what somebody has changed while the
        engine was at work fall away (W-24)."""
        now = Draft.of(self.store.read(draft.path))
        if now.snapshot.blob == draft.snapshot.blob:
            return draft, plan
        joins = tuple(one for one in plan.joins if now.stepped(_joined(one)).changed)
        gone = ("its entries were changed meanwhile",) * (len(plan.joins) - len(joins))
        return now, replace(plan, joins=joins, refused=plan.refused + gone)

    def _carry_out(
        self, bucket: Bucket, draft: Draft, plan: ConsolidationPlan, at: datetime, *, whole: bool
    ) -> BucketReport:
        draft, plan = self._as_it_is_now(draft, plan)
        report = BucketReport(
            bucket.owner,
            bucket.kind,
            "unchanged",
            "no two entries say the same",
            bucket.entries,
            bucket.entries,
            refused=len(plan.refused),
            warnings=_told(bucket, plan),
        )
        joined = draft.stepped(partial(apply_joins, joins=plan.joins))
        if joined.changed:
            report = self._write(report, joined, plan, at)
        if plan.doubtful:
            report = self._park(report, bucket, plan, at)
        elif plan.refused and report.status == "unchanged":
            report = replace(report, status="refused", reason=plan.refused[0])
        seen = self.store.read(bucket.path).blob or ""
        self._note(bucket, at, seen_by(seen, self.engine.name) if whole else "")
        return report

    def _write(
        self, report: BucketReport, joined: Draft, plan: ConsolidationPlan, at: datetime
    ) -> BucketReport:
        merged = sum(len(join.sources) for join in plan.joins)
        reason = f"{merged} entries joined into {len(plan.joins)}"
        after = len(standing(Document.parse(joined.content or b"")))
        report = replace(report, status="updated", reason=reason, after=after, diff=_diff(joined))
        if self.dry_run:
            return report
        happened = event(
            "consolidation",
            at,
            {
                "type": report.kind,
                "engine": self.engine.name,
                "before": report.before,
                "after": after,
                "joined": merged,
            },
        )
        ledger = Draft.of(self.store.read(ledger_path(at)))
        drafts = (joined, ledger.stepped(partial(append_event, happened=happened)))
        edits = tuple(edit for draft in drafts if (edit := draft.edit()))
        text = f"consolidate: {reason} in {joined.path}"
        trust = self._lowest_trust(joined, plan)
        change = Change(edits, "consolidator", text, source=happened["id"], trust=trust)
        done = self.store.commit(change)
        book = Upkeep(self.store.root)
        book.note_done(book_name(report.kind), [_digest(join) for join in plan.joins])
        left = self.store.read(joined.path).content
        return replace(
            report,
            after=len(standing(Document.parse(left or b""))),
            commit=done.commit,
            conflicts=len(done.conflicts),
            warnings=report.warnings + done.warnings,
        )

    def _lowest_trust(self, draft: Draft, plan: ConsolidationPlan) -> Trust:
        """A joined entry is trusted as the least trusted of its sources is (DESIGN §5)."""
        keys = {source.key for join in plan.joins for source in join.sources}
        sections = Document.parse(draft.snapshot.content or b"").sections
        lines = {
            number
            for section in sections
            if section.level == 2 and plain_title(section.title) in keys
            for number in range(section.line, section.last_line + 1)
        }
        blamed = history.blame(self.store, draft.path)
        found = {one.trust for one in blamed if one.line in lines and one.text.strip()}
        return next((trust for trust in _TRUSTS if trust in found), "agent")

    def _park(
        self, report: BucketReport, bucket: Bucket, plan: ConsolidationPlan, at: datetime
    ) -> BucketReport:
        """Keeps what is doubtful for a person, unless something of this bucket waits already."""
        reasons = list(dict.fromkeys(reason for _, reason in plan.doubtful))
        reason = f"{'; '.join(reasons)} in {bucket.path}"
        status: RunStatus = "parked" if report.status == "unchanged" else report.status
        told = reason if report.status == "unchanged" else report.reason
        report = replace(report, status=status, reason=told)
        if self.dry_run:
            return report
        waits, _ = pending(self.store, "consolidator", bucket.path)
        if waits:
            return replace(report, warnings=(*report.warnings, kept_for_review(waits)))
        joins = [join for join, _ in plan.doubtful]
        draft = Draft.of(self.store.read(bucket.path))
        edit = draft.stepped(partial(apply_joins, joins=joins)).edit()
        ref = None
        if edit is not None:
            ref = park(self.store, Change((edit,), "consolidator", f"proposal: {reason}"), at)
        if ref is None:
            if report.status == "parked":
                reason = f"{reason}, and that was rejected in review before"
                report = replace(report, status="refused", reason=reason)
            return report
        return replace(report, proposals=(ref,), warnings=(*report.warnings, kept_for_review(ref)))

    def _note(self, bucket: Bucket, at: datetime, seen: str | None) -> None:
        if not self.dry_run:
            Upkeep(self.store.root).note(book_name(bucket.kind), at, seen)


def _off(bucket: Bucket, reason: str) -> BucketReport:
    return replace(skipped(bucket), reason=reason, skip="")


def _told(bucket: Bucket, plan: ConsolidationPlan) -> tuple[str, ...]:
    """Each refusal once, with how often. No memory text."""
    return tuple(
        f"{bucket.path}: {number} proposed {'join was' if number == 1 else 'joins were'} refused:"
        f" {reason}"
        for reason, number in Counter(plan.refused).items()
    )


def _window(entries: list[StructuredEntry], at: datetime) -> list[StructuredEntry]:
    """What is shown at once: all, or another part of them every day."""
    if len(entries) <= _WINDOW:
        return entries
    first = at.date().toordinal() * (_WINDOW // 2) % len(entries)
    chosen = {(first + step) % len(entries) for step in range(_WINDOW)}
    return [entry for number, entry in enumerate(entries) if number in chosen]


def _digest(join: Join) -> str:
    """A name for a join by what it joins."""
    said = sorted(f"{source.key}\0{source.content}" for source in join.sources)
    return hashlib.blake2b("\0".join(said).encode(), digest_size=8).hexdigest()


def _twins(document: Document, joins: Sequence[Join]) -> tuple[Join, ...]:
    """Entries that stand twice to the letter and go into no other join: the last one counts."""
    found = Counter((one.entry.key, one.entry.content) for one in standing(document))
    keys = Counter(key for key, _ in found)
    taken = {source.key for join in joins for source in join.sources}
    return tuple(
        Join(key, content, None, (StructuredEntry(key, content),))
        for (key, content), number in found.items()
        if number > 1 and keys[key] == 1 and key not in taken and content.strip()
    )


def _joined(join: Join) -> partial[bytes | None]:
    return partial(apply_joins, joins=[join])


def _touches(draft: Draft, join: Join) -> bool:
    changed = draft.stepped(_joined(join))
    return touches_user_edited(draft.text, changed.text)


def _diff(draft: Draft) -> str:
    from difflib import unified_diff

    before = Draft.of(draft.snapshot).text.splitlines(keepends=True)
    after = draft.text.splitlines(keepends=True)
    lines = unified_diff(before, after, f"a/{draft.path}", f"b/{draft.path}", n=1)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
