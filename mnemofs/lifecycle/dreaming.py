"""Dreaming: what recurs or holds in the daily notes moves into MEMORY.md, as one commit.

Works on one store: the workspace's notes, or one person's own. Notes are read and never rewritten;
what earlier dreams wrote is not material. Undoing the commit undoes the dream, its cursor included.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from mnemofs.errors import ModelError, PermissionRefused, UnsafeName
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.dreamplan import (
    DIARY,
    DreamPlan,
    Note,
    append_diary,
    diary_entry,
    dream_event,
    notes_to_read,
    plan_dream,
    unread,
)
from mnemofs.lifecycle.extraction import RunStatus, fault_status, kept_for_review
from mnemofs.lifecycle.gates import Bounds, mask_new
from mnemofs.lifecycle.ledger import append_event, event, events, ledger_path
from mnemofs.lifecycle.marks import without_dreams
from mnemofs.lifecycle.proposals import park
from mnemofs.lifecycle.turns import TurnBook
from mnemofs.llm.engine import Dream, DreamRequest, Engine
from mnemofs.llm.replies import Clean, Rejected
from mnemofs.markdown.markers import marker_line
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.marks import Forgotten
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

_MEMORY = "MEMORY.md"
# Where this machine remembers notes that were read without result: that is no commit.
_FRUITLESS = "dreams without result"


@dataclass(frozen=True)
class DreamReport:
    """What came of one dream.

    status as in `ExtractionReport`; with dry_run it is what would come. notes: paths that were
    read. promoted, removed: entries of MEMORY.md. rejected: (text, why). diff: of MEMORY.md.
    """

    status: RunStatus
    reason: str
    commit: str | None = None
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    promoted: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    diff: str = ""
    topic: str = ""
    code: str = ""
    masked: int = 0
    conflicts: int = 0
    proposals: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "reason": self.reason,
            "commit": self.commit,
            "paths": list(self.paths),
            "notes": list(self.notes),
            "promoted": list(self.promoted),
            "removed": list(self.removed),
            "rejected": [{"text": text, "reason": why} for text, why in self.rejected],
            "diff": self.diff,
            "topic": self.topic,
            "code": self.code,
            "masked": self.masked,
            "conflicts": self.conflicts,
            "proposals": list(self.proposals),
            "warnings": list(self.warnings),
            "dry_run": self.dry_run,
        }


def dream(
    store: Store,
    engine: Engine,
    *,
    config: Config,
    clock: Clock,
    topic: str | None = None,
    dry_run: bool = False,
    forgotten: Forgotten | None = None,
) -> DreamReport:
    """Consolidate the recent notes of `store` into its MEMORY.md.

    topic: look for this above all; such a dream reads notes that were read before, too. dry_run:
    ask the engine, show what would change, write nothing.
    Raises what the store raises; no fault of an engine or a model is raised.
    """
    topic = " ".join(topic.split()) if topic else None
    book = TurnBook(store.root)
    with book.claim("dream") as mine:
        if not mine:
            return DreamReport("skipped", "another dream is running", topic=topic or "")
        return _Dream(store, engine, config, clock, book, topic or "", dry_run, forgotten).run()


@dataclass(frozen=True)
class _Dream:
    store: Store
    engine: Engine
    config: Config
    clock: Clock
    book: TurnBook
    topic: str
    dry_run: bool
    forgotten: Forgotten | None

    def run(self) -> DreamReport:
        started = self.clock.now()
        if not self.config.dreaming.enabled:
            return self._report("skipped", "dreaming is switched off")
        operation = self.store.head().operation
        if operation:
            reason = f"the repository is in the middle of a {operation}; run this again afterwards"
            return self._report("skipped", reason)
        notes, warnings = self._notes(started)
        if not notes:
            days = self.config.dreaming.day_range
            return self._report("skipped", f"no notes in the last {days} days", warnings=warnings)
        if not self.topic and not unread(notes, self._dreamed(started)):
            reason = "no note has changed since the last dream"  # LLM-11
            return self._report("skipped", reason, warnings=warnings)
        read = tuple(note.path for note in notes)
        memory = Draft.of(self.store.read(_MEMORY))
        if marker_line(memory.snapshot.content or b"") is not None:  # SYN-07
            reason = f"{_MEMORY} holds conflict markers; remove them and run this again"
            return self._report("skipped", reason, warnings=warnings)
        found: Clean[Dream] | Rejected | ModelError
        try:
            found = self.engine.dream(self._request(notes, memory, started))
        except ModelError as error:
            found = error
        if isinstance(found, Rejected | ModelError):
            status, code, reason = fault_status(found)
            return self._report(status, reason, code=code, notes=read, warnings=warnings)
        plan = plan_dream(memory, notes, found.value, self._bounds(), started)
        return self._carry_out(plan, notes, started, warnings)

    def _report(self, status: RunStatus, reason: str, **more: Any) -> DreamReport:
        return DreamReport(status, reason, topic=self.topic, dry_run=self.dry_run, **more)

    def _bounds(self) -> Bounds:
        return Bounds(
            max_chars=self.config.files.memory_max_chars,
            max_lost=self.config.dreaming.max_lost_entries,
            forgotten=self.forgotten,
        )

    def _request(self, notes: list[Note], memory: Draft, started: datetime) -> DreamRequest:
        given = tuple((note.path, mask_new(note.text)[0]) for note in notes)
        return DreamRequest(given, memory.text, started.date(), self.topic or None)

    def _notes(self, started: datetime) -> tuple[list[Note], tuple[str, ...]]:
        notes, warnings = [], []
        names = [f"memory/{name}" for name in _listed(os.path.join(self.store.root, "memory"))]
        for path in notes_to_read(names, started.date(), self.config.dreaming.day_range):
            try:
                snapshot = self.store.read(path)
            except (UnsafeName, PermissionRefused) as error:  # SEC-02
                warnings.append(f"{path} was not read: {error.message}")
                continue
            draft = Draft.of(snapshot)
            if not draft.readable:
                warnings.append(f"{path} was not read: it is not UTF-8 text")
                continue
            if marker_line(snapshot.content or b"") is not None:  # SYN-07
                warnings.append(f"{path} was not read: it holds conflict markers")
                continue
            text = without_dreams(draft.text)
            if snapshot.blob and text.strip():
                notes.append(Note(path, snapshot.blob, text))
        return notes, tuple(warnings)

    def _dreamed(self, started: datetime) -> Mapping[str, str]:
        """The newest blob of each note that a dream read: by the ledger, and by this machine."""
        seen: dict[str, str] = {}
        months = {
            ledger_path(started - timedelta(days=back))
            for back in (0, self.config.dreaming.day_range, 31)
        }
        for path in sorted(months):
            for happened in events(self.store.read(path).content, "dream"):
                notes = happened.get("notes")
                if isinstance(notes, dict):
                    seen.update((str(name), str(blob)) for name, blob in notes.items())
        for pair in self.book.seen(_FRUITLESS):
            name, _, blob = pair.partition(" ")
            seen[name] = blob
        return seen

    def _carry_out(
        self, plan: DreamPlan, notes: list[Note], started: datetime, warnings: tuple[str, ...]
    ) -> DreamReport:
        commit: str | None = None
        paths: tuple[str, ...] = ()
        proposals: tuple[str, ...] = ()
        conflicts = 0
        rejected = False
        warnings += plan.warnings
        if not self.dry_run:
            if plan.status == "updated":
                committed = self.store.commit(self._change(plan, notes, started))
                commit, paths = committed.commit, committed.paths
                conflicts = len(committed.conflicts)
                warnings += committed.warnings
            elif plan.status == "parked":
                edit = plan.memory.edit()
                if edit is not None:
                    reason = f"proposal: {plan.reason}"
                    ref = park(self.store, Change((edit,), "dream", reason), started)
                    if ref is None:
                        rejected = True
                        reason = f"{plan.reason}, and that was rejected in review before"
                        plan = replace(plan, status="refused", reason=reason)
                    else:
                        proposals = (ref,)
                        warnings += (kept_for_review(ref),)
            if (rejected or plan.status in ("unchanged", "parked")) and not self.topic:
                self.book.mark_seen(_FRUITLESS, [f"{note.path} {note.blob}" for note in notes])
        return self._report(
            plan.status,
            plan.reason,
            commit=commit,
            paths=paths,
            notes=tuple(note.path for note in notes),
            promoted=tuple(text for text, _ in plan.promoted),
            removed=plan.removed,
            rejected=plan.rejected,
            diff=plan.diff,
            masked=plan.masked,
            conflicts=conflicts,
            proposals=proposals,
            warnings=warnings,
        )

    def _change(self, plan: DreamPlan, notes: list[Note], started: datetime) -> Change:
        topic = self.topic or None
        happened = event("dream", started, dream_event(plan, notes, topic, self.engine.name))
        page = diary_entry(plan, notes, started, happened["id"], topic)
        ledger = Draft.of(self.store.read(ledger_path(started)))
        drafts = [plan.memory, ledger.stepped(partial(append_event, happened=happened))]
        diary = Draft.of(self.store.read(DIARY))
        if diary.readable:  # one that is not is left as it is (TXT-02)
            drafts.append(diary.stepped(partial(append_diary, entry=page)))
        edits = [edit for draft in drafts if (edit := draft.edit())]
        return Change(tuple(edits), "dream", f"dream: {plan.reason}", source=happened["id"])


def _listed(folder: str) -> list[str]:
    if os.path.islink(folder):  # SEC-02
        return []
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
