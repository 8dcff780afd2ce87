"""What came of a dream, as its caller is told."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from mnemofs.lifecycle.learning.extraction import RunStatus

Mode = Literal["all", "focused"]


@dataclass(frozen=True)
class DreamReport:
    """What came of one dream.

    status as in `ExtractionReport`; with dry_run it is what would come. id: of the ledger's event,
    "" when there is none, because nothing was committed. notes: paths that were read. promoted,
    removed: entries of MEMORY.md; sources: for each promoted one the notes that say it. rejected:
    (text, why); more_rejected: how many others were left in the notes. left: unread notes that are
    for the next run. archived: pages of the diary that moved to memory/dreams/. diff: of MEMORY.md.
    trigger: what started it ("manual", "schedule", ...). owner: whose memory, "" for the shared.
    """

    status: RunStatus
    reason: str
    commit: str | None = None
    id: str = ""
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    promoted: tuple[str, ...] = ()
    sources: tuple[tuple[str, ...], ...] = ()
    removed: tuple[str, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    more_rejected: int = 0
    candidates: int = 0
    left: tuple[str, ...] = ()
    archived: int = 0
    diff: str = ""
    mode: Mode = "all"
    topic: str = ""
    trigger: str = "manual"
    owner: str = ""
    started: datetime | None = None
    finished: datetime | None = None
    code: str = ""
    masked: int = 0
    conflicts: int = 0
    proposals: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        shape: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, datetime):
                value = value.isoformat(timespec="seconds")
            shape[field.name] = plain(value)
        shape["rejected"] = [{"text": text, "reason": why} for text, why in self.rejected]
        return shape


def plain(value: Any) -> Any:
    """Tuples as lists, all the way down."""
    return [plain(inner) for inner in value] if isinstance(value, tuple) else value
