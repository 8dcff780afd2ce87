"""What a dream would do: notes and a proposal in, a plan out. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from difflib import unified_diff
from functools import partial
from typing import Any, Literal

from mnemofs.clock import note_day, note_path
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.gates import (
    Bounds,
    Ruling,
    check_addition,
    check_rewrite,
    entries,
    mask_new,
    missing,
    statement,
    words,
)
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.marks import DREAM_CLOSE, dream_open, touches_user_edited
from mnemofs.llm.engine import Dream
from mnemofs.markdown.edits import append, remember
from mnemofs.markdown.lines import flatten

DIARY = "DREAMS.md"
_DIARY_HEAD = "# Dreams\n\nWhat was condensed from the daily notes, and why. Newest last.\n"
_LISTED = 12
_SOURCE = "dream"


@dataclass(frozen=True)
class Note:
    """A daily note as a dream reads it: `text` without what earlier dreams wrote."""

    path: str
    blob: str
    text: str


@dataclass(frozen=True)
class DreamPlan:
    """What shall become of MEMORY.md.

    status: "updated", "unchanged", "parked" or "refused". promoted: new entries, each with the
    notes it comes from. removed: entries that no longer stand. rejected: (text, why) of items
    that were looked at and stay in the notes.
    """

    status: Literal["updated", "unchanged", "parked", "refused"]
    reason: str
    memory: Draft
    promoted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    removed: tuple[str, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    masked: int = 0

    @property
    def diff(self) -> str:
        """The change of MEMORY.md as a unified diff; "" when there is none."""
        before = Draft.of(self.memory.snapshot).text.splitlines(keepends=True)
        after = self.memory.text.splitlines(keepends=True)
        name = self.memory.path
        lines = unified_diff(before, after, f"a/{name}", f"b/{name}", n=2)
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def notes_to_read(names: Iterable[str], today: date, days: int) -> list[str]:
    """Paths of the daily notes of the last `days` days up to today, newest first (DAY-08).

    Real dates only: no impossible or future day, no other file.
    """
    first = today - timedelta(days=max(days, 1) - 1)
    found = {day for name in names if (day := note_day(name)) and first <= day <= today}
    return [note_path(day) for day in sorted(found, reverse=True)]


def unread(notes: Sequence[Note], dreamed: Mapping[str, str]) -> list[Note]:
    """Notes that no dream has read as they are now. dreamed: blob id by path."""
    return [note for note in notes if dreamed.get(note.path) != note.blob]


def plan_dream(
    memory: Draft, notes: Sequence[Note], proposal: Dream, bounds: Bounds, at: datetime
) -> DreamPlan:
    """The plan for one proposal, after the gates."""
    nothing = DreamPlan("unchanged", "nothing in the notes belongs into MEMORY.md", memory)
    nothing = replace(nothing, rejected=_shown(proposal.rejected))
    if not proposal.should_update:
        said = mask_new(proposal.reason)[0]
        return replace(nothing, reason=said or nothing.reason)
    if not memory.readable:
        reason = f"{memory.path} is not UTF-8 text and was left alone"
        return replace(nothing, status="refused", reason=reason)
    if proposal.memory_content is not None:
        plan = _rewrite(nothing, proposal.memory_content.replace("\r\n", "\n"), bounds)
    else:
        plan = _add(nothing, proposal.promoted, bounds, at)
    if plan.status == "refused" or not plan.memory.changed:
        return plan
    before, after = entries(Draft.of(memory.snapshot).text), entries(plan.memory.text)
    lines = {note.path: entries(note.text) for note in notes}
    promoted = tuple((statement(text), _sources(text, lines)) for text in missing(after, before))
    removed = tuple(statement(text) for text in missing(before, after))
    plan = replace(plan, promoted=promoted, removed=removed)
    if plan.status != "updated":
        return plan
    return replace(plan, reason=summary(plan, len(notes)))


def summary(plan: DreamPlan, notes: int) -> str:
    """ "2 entries promoted, 1 removed from 5 notes": what a commit message may say."""
    parts = []
    if plan.promoted:
        parts.append(f"{count(len(plan.promoted), 'entry')} promoted")
    if plan.removed:
        parts.append(f"{len(plan.removed)} removed")
    return f"{', '.join(parts) or 'memory reworded'} from {count(notes, 'note')}"


def diary_entry(
    plan: DreamPlan, notes: Sequence[Note], at: datetime, identity: str, topic: str | None
) -> str:
    """The dream's page in the diary, for a person to read."""
    days = [day.isoformat() for note in notes if (day := note_day(note.path))]
    span = f"{min(days)} to {max(days)}" if len(set(days)) > 1 else "".join(days[:1])
    lines = [f"## {at:%Y-%m-%d %H:%M} Dream", dream_open(identity), ""]
    about = f" Looked for: {flatten(topic)}." if topic else ""
    lines.append(f"Read {count(len(notes), 'note')} ({span}).{about}")
    lines += _list("Promoted to MEMORY.md", [_with_sources(*item) for item in plan.promoted])
    lines += _list("Merged or removed", [flatten(text) for text in plan.removed])
    lines += _list("Left in the notes", [f"{flatten(t)} ({why})" for t, why in plan.rejected])
    lines += ["", DREAM_CLOSE]
    return mask_new("\n".join(lines))[0] + "\n"


def append_diary(data: bytes | None, entry: str) -> bytes:
    """The diary with one more page."""
    if data is None or not data.strip():
        data = _DIARY_HEAD.encode()
    return append(data, entry)


def dream_event(
    plan: DreamPlan, notes: Sequence[Note], topic: str | None, engine: str
) -> dict[str, Any]:
    """What the ledger keeps of a dream: enough to know what was read, nothing that was said.

    `notes` is the cursor. A dream about a topic did not weigh everything else and moves none.
    """
    details: dict[str, Any] = {
        "mode": "focused" if topic else "all",
        "engine": engine,
        "promoted": len(plan.promoted),
        "removed": len(plan.removed),
        "rejected": len(plan.rejected),
    }
    if not topic:
        details["notes"] = {note.path: note.blob for note in notes}
    return details


def _rewrite(plan: DreamPlan, text: str, bounds: Bounds) -> DreamPlan:
    memory = plan.memory
    ruling = check_rewrite(memory.path, memory.text, text, bounds)
    plan = _heard(plan, ruling)
    if ruling.status in ("refused", "unchanged"):
        return replace(plan, status=ruling.status, reason=ruling.reason)
    status: Literal["updated", "parked"] = "updated" if ruling.status == "accepted" else "parked"
    return replace(plan, status=status, reason=ruling.reason, memory=memory.rewritten(ruling.text))


def _add(plan: DreamPlan, promoted: Sequence[str], bounds: Bounds, at: datetime) -> DreamPlan:
    refused = []
    for text in promoted:
        memory = plan.memory
        ruling = check_addition(memory.path, memory.text, text, bounds)
        plan = _heard(plan, ruling)
        if ruling.status != "accepted":
            refused.append(ruling.reason)
            continue
        grown = memory.stepped(partial(remember, text=ruling.text, at=at, source=_SOURCE))
        if touches_user_edited(memory.text, grown.text):
            step = partial(remember, text=ruling.text, at=at, source=_SOURCE, section="From notes")
            grown = memory.stepped(step)
        if bounds.max_chars and len(grown.text) > bounds.max_chars:
            full = (ruling.text.strip(), f"MEMORY.md is full ({bounds.max_chars} characters)")
            plan = replace(plan, rejected=(*plan.rejected, full))
            continue
        plan = replace(plan, memory=grown)
    if plan.memory.changed:
        return replace(plan, status="updated")
    if refused:
        return replace(plan, status="refused", reason="; ".join(dict.fromkeys(refused)))
    return plan


def _heard(plan: DreamPlan, ruling: Ruling) -> DreamPlan:
    return replace(
        plan, warnings=plan.warnings + ruling.warnings, masked=plan.masked + ruling.masked
    )


def _sources(text: str, said: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The notes that say most of an entry's words in one entry of their own."""
    return tuple(path for path, lines in said.items() if words(text) and not missing([text], lines))


def _with_sources(text: str, notes: Sequence[str]) -> str:
    named = ", ".join(f"[{note_day(path)}]({path})" for path in notes)
    return f"{flatten(text)} ({named})" if named else flatten(text)


def _shown(rejected: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((mask_new(flatten(text))[0], flatten(why)) for text, why in rejected)


def _list(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    more = [f"- and {len(items) - _LISTED} more"] if len(items) > _LISTED else []
    return ["", f"{title}:", "", *(f"- {item}" for item in items[:_LISTED]), *more]
