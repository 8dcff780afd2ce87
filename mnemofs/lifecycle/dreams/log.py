"""Past dreams, as the ledger, history and the diary tell of them, and where dreaming stands.

A dream's report is rebuilt when somebody asks: what it changed from its commit, what it turned down
from the notes it read. So a report never says more than the store still holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from mnemofs.errors import CorruptStore, NotFound
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.dreams.archive import archive_path
from mnemofs.lifecycle.dreams.cursor import dreams_in, instant
from mnemofs.lifecycle.dreams.diary import DIARY, left_in, pages
from mnemofs.lifecycle.dreams.inputs import MEMORY, Inputs
from mnemofs.lifecycle.dreams.material import Note, entry_text
from mnemofs.lifecycle.dreams.plan import text_diff
from mnemofs.lifecycle.dreams.report import plain
from mnemofs.lifecycle.dreams.scoring import Ranking
from mnemofs.lifecycle.forgetting.tombstones import Tombstones
from mnemofs.lifecycle.gates import entries, mask_new, statement
from mnemofs.lifecycle.identity import entry_id
from mnemofs.lifecycle.ledger import ledger_files
from mnemofs.lifecycle.marks import without_dreams
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import normalise
from mnemofs.store.model import Snapshot

if TYPE_CHECKING:
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

NO_CANDIDATES = Ranking((), ())
_UNTOLD = "left in the notes"


@dataclass(frozen=True)
class DreamRecord:
    """One dream of the ledger. promoted, removed, rejected: how many entries; entries, gone, left:
    their ids, the last by reason. read: how many notes; notes: blob by path of those that are done
    with. commit: None when history no longer has it."""

    id: str
    time: datetime
    mode: str
    trigger: str
    engine: str
    commit: str | None
    candidates: int
    promoted: int
    removed: int
    rejected: int
    read: int
    notes: Mapping[str, str]
    entries: tuple[str, ...]
    gone: tuple[str, ...]
    left: Mapping[str, tuple[str, ...]]

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.id,
            "time": self.time.isoformat(timespec="seconds"),
            "mode": self.mode,
            "trigger": self.trigger,
            "engine": self.engine,
            "commit": self.commit,
            "candidates": self.candidates,
            "promoted": self.promoted,
            "removed": self.removed,
            "rejected": self.rejected,
            "read": self.read,
            "notes": sorted(self.notes, reverse=True),
        }


@dataclass(frozen=True)
class PastDream:
    """One dream in full. promoted, removed: entries of MEMORY.md; rejected: (text, why); diff: of
    MEMORY.md; page: what the diary tells, "" when it stands there no longer."""

    record: DreamRecord
    promoted: tuple[str, ...]
    removed: tuple[str, ...]
    rejected: tuple[tuple[str, str], ...]
    diff: str
    page: str

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form; here the lists take the place of the record's counts."""
        return {
            **self.record.as_dict(),
            "promoted": list(self.promoted),
            "removed": list(self.removed),
            "rejected": [{"text": text, "reason": why} for text, why in self.rejected],
            "rejected_count": self.record.rejected,
            "diff": self.diff,
            "page": self.page,
        }


@dataclass(frozen=True)
class DreamStatus:
    """Where dreaming stands. last_run: the latest run on this machine, whatever came of it (`time`,
    `status`, `reason`, `mode`), None when there was none. next_run: by the schedule, None when
    dreaming is switched off. last_entry: heading of the diary's newest page. unread: notes that no
    dream has read. candidates: how many entries would be weighed now. recalled: entries counted."""

    enabled: bool
    engine: str
    schedule: str
    timezone: str
    last_run: Mapping[str, str] | None
    last_dream: DreamRecord | None
    next_run: datetime | None
    last_entry: str
    unread: int
    candidates: int
    recalled: int
    dreams: int
    promoted: int
    threshold: float
    min_recall_count: int
    min_unique_queries: int

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        shape = {field.name: plain(getattr(self, field.name)) for field in fields(self)}
        shape["last_dream"] = self.last_dream.as_dict() if self.last_dream else None
        shape["last_run"] = dict(self.last_run) if self.last_run else None
        shape["next_run"] = self.next_run.isoformat(timespec="seconds") if self.next_run else None
        return shape


def records(root: str) -> Iterator[DreamRecord]:
    """All dreams of the store's ledger, newest first, without their commits."""
    for _, data in ledger_files(root, newest_first=True):
        for happened in dreams_in(data):
            at = instant(happened["time"])
            if at is not None and isinstance(happened.get("id"), str):
                yield _record(happened, at)


def find(root: str, name: str) -> DreamRecord:
    """The dream of this id, or of the only one that begins like it. Raises NotFound."""
    found = [one for one in records(root) if name and one.id.startswith(name)]
    exact = [one for one in found if one.id == name]
    if len(exact or found) != 1:
        what = "is no dream of this memory" if not found else "may be several dreams"
        raise NotFound(f"{name} {what}", hint="`mnemofs dreams` lists them")
    return (exact or found)[0]


def past_dream(store: Store, record: DreamRecord) -> PastDream:
    """A dream in full, from the commit that the record names, without what was forgotten since."""
    before = after = ""
    if record.commit is not None:
        parent = next(iter(store.commit_info(record.commit).parents), "")
        before = _text_at(store, parent, MEMORY) if parent else ""
        after = _text_at(store, record.commit, MEMORY)
    page = ""
    told: dict[str, str] = {}
    for path in (DIARY, archive_path(record.time.date())):
        page, told = left_in(Draft.of(store.read(path)).text, record.id)
        if page:
            break
    stones = Tombstones.load(store.root)

    def stands(text: str) -> bool:
        return not (stones and stones(text))

    return PastDream(
        record,
        tuple(text for text in _named(record.entries, after) if stands(text)),
        tuple(text for text in _named(record.gone, before) if stands(text)),
        tuple(item for item in _rejected(store, record, told) if stands(item[0])),
        "".join(
            line
            for line in text_diff(before, after, MEMORY).splitlines(keepends=True)
            if stands(line[1:])
        ),
        page,
    )


def ranking(store: Store, config: Config, at: datetime) -> Ranking:
    """The candidates that a dream at `at` (a local time) would weigh, and what is none and why."""
    return _looked_at(Inputs(store, config, at))[0]


def _looked_at(inputs: Inputs) -> tuple[Ranking, int, int]:
    """The candidates, and how many notes are unread and entries counted."""
    local = inputs.local()
    material, fresh = inputs.material(inputs.cursor(local))
    memory = Draft.of(inputs.store.read(MEMORY)).text
    known = inputs.known() | frozenset(map(normalise, entries(memory)))
    counts = inputs.counts()
    return inputs.ranking(counts, material, fresh, known, local), len(fresh), len(counts)


def status(
    store: Store | None, config: Config, at: datetime, latest: Sequence[DreamRecord]
) -> DreamStatus:
    """Where dreaming stands in a store (None: there is none yet) at `at`, a local time.

    Raises ConfigError for a schedule that is none.
    """
    dreaming = config.dreaming
    unread = candidates = recalled = dreams = promoted = 0
    last_run: Mapping[str, str] | None = None
    last_entry = ""
    if store is not None:
        inputs = Inputs(store, config, at)
        found, unread, recalled = _looked_at(inputs)
        candidates = len(found.candidates)
        last_run = next(reversed(inputs.local().runs), None)
        for one in records(store.root):
            dreams, promoted = dreams + 1, promoted + one.promoted
        told = pages(Document.of_text(Draft.of(store.read(DIARY)).text))
        last_entry = told[-1].title if told else ""
    return DreamStatus(
        dreaming.enabled,
        dreaming.engine,
        dreaming.schedule,
        config.agent.timezone,
        last_run,
        latest[0] if latest else None,
        _next_run(dreaming.schedule, at) if dreaming.enabled else None,
        last_entry,
        unread,
        candidates,
        recalled,
        dreams,
        promoted,
        dreaming.score_threshold,
        dreaming.min_recall_count,
        dreaming.min_unique_queries,
    )


def with_commits(found: list[DreamRecord], commits: Mapping[str, str]) -> list[DreamRecord]:
    """The records with their commits. commits: commit by event id."""
    return [replace(one, commit=commits.get(one.id)) for one in found]


def _next_run(schedule: str, at: datetime) -> datetime | None:
    from mnemofs.lifecycle.upkeep.schedule import slots_after

    zone = at.tzinfo or UTC
    slot = next(slots_after(schedule, zone, at), None)
    return slot.astimezone(zone) if slot else None


def _record(happened: Mapping[str, Any], at: datetime) -> DreamRecord:
    def number(name: str) -> int:
        value = happened.get(name)
        return value if isinstance(value, int) else 0

    notes = happened.get("notes")
    left = happened.get("left")
    return DreamRecord(
        str(happened["id"]),
        at,
        str(happened.get("mode", "all")),
        str(happened.get("trigger", "")),
        str(happened.get("engine", "")),
        None,
        number("candidates"),
        number("promoted"),
        number("removed"),
        number("rejected"),
        number("read") or (len(notes) if isinstance(notes, dict) else 0),
        {str(path): str(blob) for path, blob in notes.items()} if isinstance(notes, dict) else {},
        _ids(happened.get("entries")),
        _ids(happened.get("gone")),
        {str(why): _ids(one) for why, one in left.items()} if isinstance(left, dict) else {},
    )


def _ids(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _named(ids: Sequence[str], text: str) -> tuple[str, ...]:
    """The entries of a text that have these ids, without date and source."""
    wanted = set(ids)
    return tuple(statement(one) for one in entries(text) if entry_id(one) in wanted)


def _rejected(
    store: Store, record: DreamRecord, told: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What was turned down, in the words of the notes that were read, where those are still there;
    then what only the diary tells."""
    wanted = {one: why for why, ids in record.left.items() for one in ids}
    seen: set[str] = set()
    for path, blob in sorted(record.notes.items(), reverse=True):
        if not wanted:
            break
        try:
            text = Draft.of(Snapshot(path, blob, store.blob(blob))).text
        except (NotFound, CorruptStore):  # purged since, or a shallow clone
            continue
        said_there = Note(path, blob, without_dreams(text)).by_id
        for one in [one for one in wanted if one in said_there]:
            said = mask_new(entry_text(said_there[one]))[0]
            seen.add(said)
            yield said, wanted.pop(one) or told.get(said) or _UNTOLD
    for text, why in told.items():
        if text not in seen:
            yield text, why


def _text_at(store: Store, revision: str, path: str) -> str:
    try:
        return Draft.of(Snapshot(path, None, store.read_at(path, revision))).text
    except (NotFound, CorruptStore):
        return ""
