"""What a dream would do: notes and a proposal in, a plan out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from difflib import unified_diff
from functools import partial
from typing import Any, Literal

from mnemofs.clock import note_day
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.dreams.diary import Told
from mnemofs.lifecycle.dreams.material import Note
from mnemofs.lifecycle.dreams.scoring import Candidate
from mnemofs.lifecycle.gates import (
    Bounds,
    Ruling,
    carried_by,
    check_addition,
    check_rewrite,
    entries,
    mask_new,
    missing,
    statement,
    words,
)
from mnemofs.lifecycle.identity import entry_id, normal_id
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.learning.plan import home_of, without_bullet
from mnemofs.lifecycle.marks import touches_user_edited, without_forgotten
from mnemofs.llm.engine import Dream
from mnemofs.llm.rules_dream import KNOWN, REASONS
from mnemofs.markdown.edits import remember
from mnemofs.markdown.entries import normalise
from mnemofs.markdown.lines import flatten

_SOURCE = "dream"
_LEFT = "left in the notes by the model"
_TAKEN_OUT = "was taken out of MEMORY.md after an earlier dream"
_FULL = "MEMORY.md is full"
_OWN_LINE = "MEMORY.md says otherwise in a line that a person wrote; both stand there"


@dataclass(frozen=True)
class Ground:
    """What a plan rests on.

    notes: what was read, newest first; fresh: those that no dream had read. candidates: what was
    weighed, best first. known: entries (normalised) that other always-on files hold. taken_out: ids
    of entries that a dream promoted and somebody removed since. most: how many turned down items a
    report lists.
    """

    notes: Sequence[Note]
    fresh: Sequence[Note] = ()
    candidates: Sequence[Candidate] = ()
    known: Set[str] = frozenset()
    taken_out: Set[str] = frozenset()
    most: int = 100


@dataclass(frozen=True)
class Promoted:
    """A new entry of MEMORY.md, the notes that say it, and the candidate it comes from, if any."""

    text: str
    notes: tuple[str, ...]
    candidate: Candidate | None = None

    @property
    def why(self) -> str:
        """What spoke for it, as a phrase; "" when it was no candidate."""
        if self.candidate is None or self.candidate.evidence.way != "recalled":
            return ""
        recalls = self.candidate.evidence.recalls
        return f"recalled {count(recalls, 'time')}, score {self.candidate.score:.2f}"


@dataclass(frozen=True)
class DreamPlan:
    """What shall become of MEMORY.md.

    status: "updated", "unchanged", "parked" or "refused". removed: entries that no longer stand.
    rejected: (text, why) of items that were looked at and stay in the notes, candidates first;
    more: how many others. turned_down: the candidates among them.
    """

    status: Literal["updated", "unchanged", "parked", "refused"]
    reason: str
    memory: Draft
    promoted: tuple[Promoted, ...] = ()
    removed: tuple[str, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    more: int = 0
    turned_down: tuple[Candidate, ...] = ()
    warnings: tuple[str, ...] = ()
    masked: int = 0
    own: Mapping[str, str] = field(default_factory=dict)  # why a promoted line was not taken

    @property
    def diff(self) -> str:
        """The change of MEMORY.md as a unified diff; "" when there is none."""
        name = self.memory.path
        return text_diff(Draft.of(self.memory.snapshot).text, self.memory.text, name)

    def told(self, ground: Ground, topic: str) -> Told:
        """The plan as the diary tells it: of what was left, that which is new this time."""
        promoted = [(one.text, one.notes, one.why) for one in self.promoted]
        weighed = {one.evidence.text for one in self.turned_down}
        new = frozenset(normal for note in ground.fresh for normal in note.normals)
        left = [
            (text, why)
            for text, why in self.rejected
            if why != KNOWN and (text in weighed or normalise(text) in new)
        ]
        return Told(promoted, self.removed, left, len(ground.candidates), topic)


def text_diff(before: str, after: str, name: str) -> str:
    """A unified diff of two versions of a file."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = unified_diff(old, new, f"a/{name}", f"b/{name}", n=2)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def changed_entries(before: str, after: str, *, exact: bool) -> tuple[list[str], list[str]]:
    """The entries that a new text adds and those it no longer has, without date and source.

    exact: every line that is not the same counts. Otherwise one that says most of what another one
    said is that one reworded, and counts on neither side.
    """
    old, new = entries(before), entries(after)
    stays = {normalise(text) for text in old} & {normalise(text) for text in new}
    gone = [text for text in old if normalise(text) not in stays]
    fresh = [text for text in new if normalise(text) not in stays]
    if gone and not exact:
        lost = missing(gone, new)
        merged = [text for text in gone if text not in lost]
        fresh = [text for text in fresh if not _says(text, merged)]
        gone = lost
    return [statement(text) for text in fresh], [statement(text) for text in gone]


def _says(text: str, others: Sequence[str]) -> bool:
    normal = normalise(text)
    return any(carried_by(other, [normal]) for other in others)


def plan_dream(
    memory: Draft, ground: Ground, proposal: Dream, bounds: Bounds, at: datetime
) -> DreamPlan:
    """The plan for one proposal, after the gates."""
    plan = DreamPlan("unchanged", "nothing in the notes belongs into MEMORY.md", memory)
    if not proposal.should_update:
        said = mask_new(flatten(proposal.reason))[0]
        plan = replace(plan, reason=said or plan.reason)
    elif not memory.readable:
        reason = f"{memory.path} is not UTF-8 text and was left alone"
        plan = replace(plan, status="refused", reason=reason)
    elif proposal.memory_content is not None:
        plan = _rewrite(plan, proposal.memory_content.replace("\r\n", "\n"), bounds, ground)
    else:
        plan = _add(plan, proposal, bounds, at, ground)
    plan = _compared(plan, ground, exact=proposal.memory_content is None)
    plan = _turned_down(plan, proposal, ground)
    if plan.status == "updated":
        plan = replace(plan, reason=summary(plan, len(ground.notes)))
    return plan


def summary(plan: DreamPlan, notes: int) -> str:
    """ "2 entries promoted, 1 removed from 5 notes": what a commit message may say."""
    parts = []
    if plan.promoted:
        parts.append(f"{count(len(plan.promoted), 'entry')} promoted")
    if plan.removed:
        parts.append(f"{len(plan.removed)} removed")
    return f"{', '.join(parts) or 'memory reworded'} from {count(notes, 'note')}"


def dream_event(
    plan: DreamPlan,
    ground: Ground,
    *,
    mode: str,
    trigger: str,
    engine: str,
    postponed: Set[str] = frozenset(),
    rest: date | None = None,
) -> dict[str, Any]:
    """What the ledger keeps of a dream: enough to know what was read and decided, nothing that was
    said. Entries stand there as ids (`identity.entry_id`).

    `notes` is the cursor, without those of which something was postponed (paths); `rest` is the
    earliest day of a note that is still to be read. A dream about a topic did not weigh everything
    else and moves no cursor. `left` gives the turned down entries by reason, where that is ours and
    not a model's.
    """
    left: dict[str, list[str]] = {}
    for text, why in plan.rejected:
        ours = why in REASONS or why in plan.own.values()
        left.setdefault(why if ours else "", []).append(entry_id(text))
    details: dict[str, Any] = {
        "mode": mode,
        "trigger": trigger,
        "engine": engine,
        "candidates": len(ground.candidates),
        "promoted": len(plan.promoted),
        "removed": len(plan.removed),
        "rejected": len(plan.rejected) + plan.more,
        "entries": [entry_id(one.text) for one in plan.promoted],
        "gone": [entry_id(text) for text in plan.removed],
        "left": left,
        "read": len(ground.notes),
    }
    if mode != "focused":
        done = [note for note in ground.notes if note.path not in postponed]
        details["notes"] = {note.path: note.blob for note in done}
        if rest is not None:
            details["rest"] = rest.isoformat()
    return details


def taken_out(promoted: Mapping[str, date], memory: str, notes: Sequence[Note]) -> frozenset[str]:
    """Ids of entries that a dream promoted and that stand in the memory no longer.

    They were removed for a reason, so they stay out until a newer note says them again.
    promoted: the day on which it happened, by id.
    """
    gone = set(promoted) - {entry_id(entry) for entry in entries(memory)}
    if not gone:
        return frozenset()
    for note in notes:
        day = note_day(note.path)
        later = {one for one in gone if day is not None and day > promoted[one]}
        if later:
            gone -= later & {normal_id(normal) for normal in note.normals}
    return frozenset(gone)


def _rewrite(plan: DreamPlan, text: str, bounds: Bounds, ground: Ground) -> DreamPlan:
    memory = plan.memory
    text, dropped = without_forgotten(
        text, memory.text, lambda line: entry_id(line) in ground.taken_out
    )
    if dropped:
        said = f"{memory.path}: left out {count(dropped, 'line')} that had been taken out before"
        plan = replace(plan, warnings=(*plan.warnings, said))
    ruling = check_rewrite(memory.path, memory.text, text, bounds)
    plan = _heard(plan, ruling)
    if ruling.status in ("refused", "unchanged"):
        return replace(plan, status=ruling.status, reason=ruling.reason)
    status: Literal["updated", "parked"] = "updated" if ruling.status == "accepted" else "parked"
    return replace(plan, status=status, reason=ruling.reason, memory=memory.rewritten(ruling.text))


def _add(
    plan: DreamPlan, proposal: Dream, bounds: Bounds, at: datetime, ground: Ground
) -> DreamPlan:
    refused: list[str] = []
    for text in proposal.promoted:
        normal = normalise(text)
        barred = _TAKEN_OUT if normal_id(normal) in ground.taken_out else ""
        if barred or normal in ground.known:
            plan = replace(plan, own={**plan.own, normal: barred or KNOWN})
            continue
        ruling = check_addition(plan.memory.path, plan.memory.text, text, bounds)
        plan = _heard(plan, ruling)
        if ruling.status != "accepted":
            refused.append(ruling.reason)
            continue
        outdated = [old for old, new in proposal.superseded if new == text]
        grown, kept = _grown(plan.memory, ruling.text, outdated, at)
        if bounds.max_chars and len(grown.text) > max(bounds.max_chars, len(plan.memory.text)):
            full = f"{_FULL} ({bounds.max_chars} characters)"
            plan = replace(plan, own={**plan.own, normal: full})
            continue
        said = (_OWN_LINE,) if kept and _OWN_LINE not in plan.warnings else ()
        plan = replace(plan, memory=grown, warnings=plan.warnings + said)
    if plan.memory.changed:
        return replace(plan, status="updated")
    full = next((why for why in plan.own.values() if why.startswith(_FULL)), "")
    if full:
        return replace(plan, reason=full)
    if refused:
        return replace(plan, status="refused", reason="; ".join(dict.fromkeys(refused)))
    return plan


def _grown(
    memory: Draft, text: str, outdated: Sequence[str], at: datetime
) -> tuple[Draft, list[str]]:
    """The memory with one more line and without those it replaces, and which of them stay because
    a person wrote them."""
    grown, kept = memory, []
    for old in outdated:
        shorter = grown.stepped(partial(without_bullet, text=old))
        if shorter.content == grown.content or touches_user_edited(memory.text, shorter.text):
            kept.append(old)
        else:
            grown = shorter
    base = grown
    for section in (home_of("memory", base, text), "From notes"):
        step = partial(remember, text=text, at=at, source=_SOURCE, section=section)
        grown = base.stepped(step)
        if not touches_user_edited(memory.text, grown.text):
            break
    return grown, kept


def _heard(plan: DreamPlan, ruling: Ruling) -> DreamPlan:
    return replace(
        plan, warnings=plan.warnings + ruling.warnings, masked=plan.masked + ruling.masked
    )


def _compared(plan: DreamPlan, ground: Ground, *, exact: bool) -> DreamPlan:
    """The plan with what it adds and removes, entry by entry."""
    if not plan.memory.changed:
        return plan
    before = Draft.of(plan.memory.snapshot).text
    added, removed = changed_entries(before, plan.memory.text, exact=exact)
    weighed = [(one, words(one.evidence.text)) for one in ground.candidates]
    promoted = []
    for text in added:
        said = words(text)
        near = (one for one, about in weighed if about and 2 * len(about & said) >= len(about))
        promoted.append(Promoted(text, _sources(text, ground.notes), next(near, None)))
    return replace(plan, promoted=tuple(promoted), removed=tuple(removed))


def _sources(entry: str, notes: Sequence[Note]) -> tuple[str, ...]:
    """The notes that say most of an entry's words, and all of its figures, in one of their own."""
    normal = normalise(entry)
    figures = [word for word in words(entry) if any(char.isdigit() for char in word)]
    found = []
    for note in notes:
        near = (one for one in note.normals if all(figure in one for figure in figures))
        if normal in note.normals or carried_by(entry, near):
            found.append(note.path)
    return tuple(found)


def _turned_down(plan: DreamPlan, proposal: Dream, ground: Ground) -> DreamPlan:
    """The plan with what was looked at and not taken, each with a reason; secrets masked."""
    reasons = {normalise(text): flatten(why) for text, why in proposal.rejected}
    after = entries(plan.memory.text) if plan.status in ("updated", "unchanged") else []
    standing = {normalise(entry) for entry in after}
    absent = set(missing([one.evidence.text for one in ground.candidates], after))
    turned_down = []
    rejected: dict[str, tuple[str, str]] = {}
    for one in ground.candidates:
        text = one.evidence.text
        normal = normalise(text)
        why = plan.own.get(normal) or reasons.get(normal, "")
        if normal in standing or not (why or text in absent):
            continue
        if plan.status in ("parked", "refused"):
            why = plan.reason
        turned_down.append(one)
        rejected[normal] = (text, why or _LEFT)
    for text in proposal.promoted:
        normal = normalise(text)
        if normal in plan.own:
            rejected.setdefault(normal, (text, plan.own[normal]))
    for text, why in proposal.rejected:
        rejected.setdefault(normalise(text), (text, flatten(why)))
    shown = list(rejected.values())[: ground.most]
    masked = _masked([*(flatten(text) for text, _ in shown), *(why for _, why in shown)])
    told: dict[str, str] = {}
    for text, why in zip(masked[: len(shown)], masked[len(shown) :], strict=True):
        if told.get(text, _LEFT) == _LEFT:  # what is told apart by a secret only is one thing
            told[text] = why
    return replace(
        plan,
        rejected=tuple(told.items()),
        more=len(rejected) - len(shown) + proposal.more_rejected,
        turned_down=tuple(turned_down),
    )


def _masked(texts: Sequence[str]) -> list[str]:
    """Lines with their secrets masked, in one go."""
    joined = "\n".join(texts)
    masked = mask_new(joined)[0].split("\n") if joined else list(texts)
    # A secret over several lines took some with it: then each line by itself.
    return masked if len(masked) == len(texts) else [mask_new(text)[0] for text in texts]
