"""What dreams have read and decided so far: by the ledger, and by this machine.

The ledger speaks for every clone, and undoing a dream takes its event back. A dream that changed
nothing makes no commit, so its part stands in `.mnemofs/dreams.json`; losing that file costs one
more look at the same notes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final

from mnemofs.clock import parse_day
from mnemofs.lifecycle import statefile
from mnemofs.lifecycle.ledger import FOLDER, events, ledger_files
from mnemofs.names import SIDECAR_DIR

KIND: Final = "dream"
FOCUSED: Final = "focused"
_FILE: Final = "dreams.json"
_MOST_READ = 1000
_MOST_REVIEWED = 5000
_MOST_RUNS = 50


@dataclass(frozen=True)
class LocalState:
    """What this machine keeps. read: blob by path of notes that were read without result. rest: see
    `Cursor`. reviews: entry -> (how often it was turned down, its recalls then). runs: the latest
    runs, oldest first, each with `time`, `status`, `reason` and `mode`."""

    read: Mapping[str, str] = field(default_factory=dict)
    rest: str = ""
    reviews: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    runs: tuple[Mapping[str, str], ...] = ()

    @classmethod
    def load(cls, root: str) -> LocalState:
        """The state of the store at `root`; what cannot be read counts as empty."""
        found = statefile.load_table(os.path.join(root, SIDECAR_DIR, _FILE))
        runs = found.get("runs")
        return cls(
            dict(_pairs(found.get("read"), str)),
            str(found.get("rest", "")),
            {
                name: (row[0], row[1])
                for name, row in _pairs(found.get("reviews"), list)
                if len(row) == 2 and all(isinstance(number, int) for number in row)
            },
            tuple(run for run in runs if isinstance(run, dict)) if isinstance(runs, list) else (),
        )

    def save(self, root: str) -> None:
        """Write it, bounded, in one step. Raises StorageFull, PermissionRefused or StoreError."""
        value = {
            "read": dict(list(self.read.items())[-_MOST_READ:]),
            "rest": self.rest,
            "reviews": dict(list(self.reviews.items())[-_MOST_REVIEWED:]),
            "runs": self.runs[-_MOST_RUNS:],
        }
        statefile.save(os.path.join(root, SIDECAR_DIR, _FILE), value)

    def ran(self, at: datetime, status: str, reason: str, mode: str) -> LocalState:
        """The state after one more run."""
        run = {
            "time": at.isoformat(timespec="seconds"),
            "status": status,
            "reason": reason,
            "mode": mode,
        }
        return replace(self, runs=(*self.runs, run))

    def turned_down(self, entries: Iterable[tuple[str, int]]) -> LocalState:
        """The state after these entries, each with its recalls, were weighed and left."""
        reviews = dict(self.reviews)
        for entry, recalls in entries:
            times, before = reviews.pop(entry, (0, 0))
            reviews[entry] = (times + 1 if recalls <= before else 1, recalls)
        return replace(self, reviews=reviews)


@dataclass(frozen=True)
class Cursor:
    """Where dreaming stands in one store.

    read: (path, blob) of every note as some dream read it. last: the day of the last dream that
    weighed everything, None when there was none. rest: the earliest day of which the last dream
    left a note unread. promoted: entry -> the day on which a dream promoted it.
    """

    read: Set[tuple[str, str]] = frozenset()
    last: date | None = None
    rest: date | None = None
    promoted: Mapping[str, date] = field(default_factory=dict)


def read_cursor(root: str, local: LocalState, since: date) -> Cursor:
    """The cursor, from the ledger files on disk and this machine's part.

    since: dreams from before the month of this day are only looked at until one was found.
    """
    read = set(local.read.items())
    promoted: dict[str, date] = {}
    last: datetime | None = None
    rest: date | None = None
    earliest = since
    for path, data in ledger_files(root, newest_first=True):
        month = path.removeprefix(f"{FOLDER}/").removesuffix(".jsonl")
        if last is not None and month < f"{earliest:%Y-%m}":
            break
        for happened in dreams_in(data):
            at = instant(happened["time"])
            if at is None:
                continue
            for entry in _strings(happened.get("entries")):
                promoted.setdefault(entry, at.date())
            if happened.get("mode") == FOCUSED:
                continue
            read.update(_pairs(happened.get("notes"), str))
            if last is None:
                last, rest = at, parse_day(str(happened.get("rest", "")))
                earliest = min(earliest, last.date(), rest or last.date())
    quiet = [
        run
        for run in local.runs
        if run.get("mode") != FOCUSED and run.get("status") in ("unchanged", "parked")
    ]
    here = instant(quiet[-1].get("time", "")) if quiet else None
    if here is not None and (last is None or here >= last):
        last, rest = here, parse_day(local.rest)
    return Cursor(read, last.date() if last else None, rest, promoted)


def instant(text: str) -> datetime | None:
    """An instant as the ledger writes it; None for anything else."""
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else None


def dreams_in(data: bytes) -> list[dict[str, Any]]:
    """The dreams of one ledger file, newest first."""
    lines = b"\n".join(line for line in data.split(b"\n") if b'"dream"' in line)
    found = [one for one in events(lines, KIND) if isinstance(one.get("time"), str)]
    return sorted(found, key=lambda one: str(one["time"]), reverse=True)


def _pairs(value: Any, kind: type) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, kind):
            yield name, inner


def _strings(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
