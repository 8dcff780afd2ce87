"""Consolidation as it is surveyed, chosen and reported: a bucket is one kind in one store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mnemofs.errors import UnreadableText
from mnemofs.lifecycle.learning.extraction import RunStatus
from mnemofs.lifecycle.upkeep.consolidation_text import standing
from mnemofs.lifecycle.upkeep.counters import Upkeep
from mnemofs.llm.engine import STRUCTURED_TYPES, StructuredType
from mnemofs.markdown.document import Document
from mnemofs.markdown.markers import marker_line

if TYPE_CHECKING:
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

Skip = Literal["", "small", "seen", "cap"]
_NEVER = datetime.min.replace(tzinfo=UTC)
_LOUDEST: tuple[RunStatus, ...] = ("updated", "parked", "failed", "refused", "unchanged")


class Bucket(NamedTuple):
    """One kind of entry in one store, as it stands. looked: when it was last tidied.

    ready: whether there is anything to do; else `skip` or `problem` says why not.
    """

    owner: str
    kind: StructuredType
    entries: int
    blob: str
    looked: datetime | None
    skip: Skip = ""
    problem: str = ""

    @property
    def ready(self) -> bool:
        return not self.skip and not self.problem

    @property
    def path(self) -> str:
        return f"structured/{self.kind}.md"


@dataclass(frozen=True)
class BucketReport:
    """What came of one bucket. before, after: entries. reasons: why joins were refused, counted."""

    owner: str
    kind: StructuredType
    status: RunStatus
    reason: str
    before: int
    after: int
    commit: str | None = None
    skip: Skip = ""
    code: str = ""
    refused: int = 0
    conflicts: int = 0
    proposals: tuple[str, ...] = ()
    diff: str = ""
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "owner": self.owner,
            "kind": self.kind,
            "status": self.status,
            "reason": self.reason,
            "before": self.before,
            "after": self.after,
            "commit": self.commit,
            "code": self.code,
            "refused": self.refused,
            "conflicts": self.conflicts,
            "proposals": list(self.proposals),
            "diff": self.diff,
        }


@dataclass(frozen=True)
class ConsolidationReport:
    """What came of a run over some buckets."""

    buckets: tuple[BucketReport, ...] = ()
    reason: str = ""
    dry_run: bool = False

    @property
    def status(self) -> RunStatus:
        """The weightiest status of any bucket."""
        found = {bucket.status for bucket in self.buckets}
        return next((status for status in _LOUDEST if status in found), "skipped")

    @property
    def commit(self) -> str | None:
        """The last commit, None when nothing was written."""
        return next((one.commit for one in reversed(self.buckets) if one.commit), None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings, each once."""
        return tuple(dict.fromkeys(text for one in self.buckets for text in one.warnings))

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form. updated, failed, refused, parked: numbers of buckets."""
        statuses = Counter(bucket.status for bucket in self.buckets)
        skips = Counter(bucket.skip for bucket in self.buckets)
        tidied = {one.owner for one in self.buckets if one.status != "skipped"}
        return {
            "status": self.status,
            "reason": self.summary(),
            "commit": self.commit,
            "owners_consolidated": len(tidied),
            "updated": statuses["updated"],
            "unchanged": statuses["unchanged"],
            "parked": sum(bool(bucket.proposals) for bucket in self.buckets),
            "refused": statuses["refused"],
            "failed": statuses["failed"],
            "skipped_small": skips["small"],
            "skipped_unchanged": skips["seen"],
            "skipped_over_cap": skips["cap"],
            "entries_before": sum(bucket.before for bucket in self.buckets),
            "entries_after": sum(bucket.after for bucket in self.buckets),
            "buckets": [bucket.as_dict() for bucket in self.buckets],
            "warnings": list(self.warnings),
            "dry_run": self.dry_run,
        }

    def summary(self) -> str:
        """One line for a person."""
        if self.reason or not self.buckets:
            return self.reason or "there are no structured entries yet"
        before = sum(bucket.before for bucket in self.buckets)
        after = sum(bucket.after for bucket in self.buckets)
        if after < before:
            return f"{before} entries became {after}"
        return next((one.reason for one in self.buckets if one.status == self.status), "")


def survey(store: Store, engine: str, config: Config, *, owner: str = "") -> tuple[Bucket, ...]:
    """The buckets of one store that hold anything. engine: the name of the one that would look."""
    upkeep = Upkeep(store.root)
    found = []
    for kind in STRUCTURED_TYPES:
        snapshot = store.read(f"structured/{kind}.md")
        if snapshot.content is None or snapshot.blob is None:
            continue
        looked = upkeep.looked(book_name(kind))
        bucket = Bucket(owner, kind, 0, snapshot.blob, looked.at)
        if marker_line(snapshot.content) is not None:  # SYN-07
            found.append(bucket._replace(problem="it holds conflict markers"))
            continue
        try:
            number = len(standing(Document.parse(snapshot.content)))
        except UnreadableText:
            found.append(bucket._replace(problem="it is not UTF-8 text"))
            continue
        skip: Skip = ""
        if number < config.consolidation.min_entries:
            skip = "small"
        elif looked.seen == seen_by(snapshot.blob, engine):
            skip = "seen"
        found.append(bucket._replace(entries=number, skip=skip))
    return tuple(found)


def plan_run(buckets: Iterable[Bucket], most: int) -> tuple[tuple[Bucket, ...], tuple[Bucket, ...]]:
    """(what this run does, what it leaves): the `most` (0 = all) longest untouched ready buckets.

    Nobody starves: what was left now is first in line next time. Among equals the shared store
    comes first, and it does so in the order of work.
    """
    ready = [bucket for bucket in buckets if bucket.ready]
    ready.sort(key=lambda one: (one.looked or _NEVER, one.owner != ""))
    chosen = ready[:most] if most > 0 else ready
    order = sorted(chosen, key=lambda one: (one.owner != "", one.looked or _NEVER))
    return tuple(order), tuple(ready[len(chosen) :])


def skipped(bucket: Bucket) -> BucketReport:
    """The report on a bucket that is not looked at."""
    reasons = {
        "small": f"only {bucket.entries} entries",
        "seen": "nothing changed since the last look",
        "cap": "left for the next run",
    }
    reason = bucket.problem or reasons.get(bucket.skip, "")
    warnings = (f"{bucket.path} was left alone: {bucket.problem}",) if bucket.problem else ()
    return BucketReport(
        bucket.owner,
        bucket.kind,
        "skipped",
        reason,
        bucket.entries,
        bucket.entries,
        skip=bucket.skip,
        warnings=warnings,
    )


def failed(bucket: Bucket, reason: str) -> BucketReport:
    """The report on a bucket that went wrong."""
    return replace(skipped(bucket), status="failed", reason=reason)


def book_name(kind: str) -> str:
    """Under which name the last look at a kind is kept in `Upkeep`."""
    return f"consolidation {kind}"


def seen_by(blob: str, engine: str) -> str:
    """What a look is remembered by: another engine may see more in the same bytes."""
    return f"{blob} {engine}"
