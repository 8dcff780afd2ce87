"""The nudge: in a conversation that goes on, structured entries that are new or have changed.

A second, smaller look beside the extraction, every few messages and with a cooldown of its own
(mateclaw-contract §3.9). It works from what stands already, and only adds and replaces entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from mnemofs.errors import EditRefused, ModelError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.statements import key, tokens
from mnemofs.lifecycle.gates import Bounds, check_addition, entries, statement
from mnemofs.lifecycle.labels import count, label, short_label
from mnemofs.lifecycle.learning.extraction import RunStatus, fault_status
from mnemofs.lifecycle.learning.turnbook import TurnBook
from mnemofs.lifecycle.learning.turns import machine_made
from mnemofs.lifecycle.learning.withheld import masked_messages
from mnemofs.llm.engine import STRUCTURED_TYPES, Message, NudgeRequest, StructuredType
from mnemofs.llm.replies import Rejected
from mnemofs.markdown.entries import StructuredEntry, parse_structured, put_structured
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.lifecycle.marks import Forgotten
    from mnemofs.llm.engine import Engine
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

SOURCE = "nudge"
_FEWEST = 4
_LONGEST = 1500  # characters of a message
_MOST_KNOWN = 80  # entries shown to the engine, the newest
_Entry = tuple[StructuredType, str, str]


@dataclass(frozen=True)
class NudgeReport:
    """What came of one nudge. status: updated, unchanged or failed."""

    status: RunStatus
    reason: str
    commit: str | None = None
    paths: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "reason": self.reason,
            "commit": self.commit,
            "paths": list(self.paths),
            "warnings": list(self.warnings),
        }


def is_time(messages: int, nudged: int, interval: int, cooling: timedelta | None) -> bool:
    """Whether a conversation of so many messages is due for one. nudged: how many it had at the
    last one (fewer by now: it was begun anew); interval 0: never. Pure.

    Counted from the last one, not by multiples, so a turn of two or three messages skips none.
    """
    since = messages - nudged if messages >= nudged else messages
    return 0 < interval <= since and messages >= _FEWEST and cooling is None


def nudge(
    store: Store,
    engine: Engine,
    messages: Sequence[Message],
    *,
    config: Config,
    owner: str,
    conversation: str,
    trigger: str,
    at: datetime,
    forgotten: Forgotten | None = None,
) -> NudgeReport | None:
    """Look for structured entries if it is time; None when it is not.

    messages: the whole conversation so far. A run that failed starts no cooldown. Raises what the
    store raises.
    """
    settings = config.extraction
    if not (settings.enabled and settings.nudge_enabled) or machine_made(trigger, settings):
        return None
    book = TurnBook(store.root, owner)
    with book.claim() as mine:
        cooling = book.cooling(at, settings.nudge_cooldown_minutes, "nudge")
        nudged, number = book.nudged(conversation), len(messages)
        due = is_time(number, nudged, settings.nudge_turn_interval, cooling)
        if not mine or not due or store.head().operation:
            return None
        report = _run(store, engine, messages, config, conversation, at, forgotten)
        if report.status != "failed":
            book.start_cooldown(at, "nudge")
            book.mark_nudged(conversation, number)
        return report


def _run(
    store: Store,
    engine: Engine,
    messages: Sequence[Message],
    config: Config,
    conversation: str,
    at: datetime,
    forgotten: Forgotten | None,
) -> NudgeReport:
    drafts = {kind: Draft.of(store.read(f"structured/{kind}.md")) for kind in STRUCTURED_TYPES}
    last = [one for one in messages if one.text.strip()][-config.extraction.nudge_max_messages :]
    shown, _ = masked_messages(last)
    cut = tuple(replace(one, text=_cut(one.text)) for one in shown)
    try:
        found = engine.nudge(NudgeRequest(cut, _known(drafts)))
    except ModelError as error:
        return NudgeReport("failed", fault_status(error)[2])
    if isinstance(found, Rejected):
        return NudgeReport("failed", fault_status(found)[2])
    standing = _standing(store)
    number, refused = 0, []
    bounds = Bounds(max_lost=config.dreaming.max_lost_entries, forgotten=forgotten)
    for entry in found.value.entries:
        if key(tokens(entry[2])) in standing:
            continue  # one memory, not two
        draft, why = _put(drafts[entry[0]], entry, at, bounds)
        refused += [why] if why else []
        number += draft.changed and draft.content != drafts[entry[0]].content
        drafts[entry[0]] = draft
    edits = tuple(edit for draft in drafts.values() if (edit := draft.edit()))
    if not edits:
        return NudgeReport("unchanged", "; ".join(dict.fromkeys(refused)) or "nothing new was said")
    summary = count(number, "structured entry")
    reason = f"nudge: {summary} from {short_label(conversation)}"
    done = store.commit(Change(edits, "extractor", reason, source=label(conversation)))
    return NudgeReport("updated", summary, done.commit, done.paths, done.warnings)


def _put(draft: Draft, entry: _Entry, at: datetime, bounds: Bounds) -> tuple[Draft, str]:
    """The draft with the entry, or as it was and why."""
    _, name, content = entry
    if not draft.readable:
        return draft, f"{draft.path} is not UTF-8 text and was left alone"
    named = check_addition(draft.path, draft.text, name, bounds)
    ruling = check_addition(draft.path, draft.text, content, bounds)
    for one in (named, ruling):
        if one.status != "accepted":
            return draft, one.reason
    new = StructuredEntry(named.text, ruling.text, SOURCE, at.date())
    standing = {one.key: one for one in parse_structured(draft.content or b"")}
    if new.key in standing and standing[new.key].content == new.content.strip():
        return draft, ""
    try:
        return draft.stepped(partial(put_structured, entry=new)), ""
    except EditRefused:
        return draft, f"an entry for {draft.path} has a key that no heading can hold"


def _standing(store: Store) -> set[str]:
    """What the files say that the extraction writes to, as keys of statements."""
    found = set()
    for path in ("PROFILE.md", "MEMORY.md"):
        for entry in entries(Draft.of(store.read(path)).text):
            found.add(key(tokens(statement(entry))))
    return found


def _known(drafts: dict[StructuredType, Draft]) -> tuple[_Entry, ...]:
    found = [
        (entry.updated.isoformat() if entry.updated else "", (kind, entry.key, entry.content))
        for kind, draft in drafts.items()
        if draft.readable
        for entry in parse_structured(draft.content or b"")
    ]
    found.sort(key=lambda one: one[0], reverse=True)
    return tuple(entry for _, entry in found[:_MOST_KNOWN])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + " [cut]"
