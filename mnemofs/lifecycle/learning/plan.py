"""From a proposal to a plan: which files shall say what, and why some shall not. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType

from mnemofs.errors import EditRefused
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.gates import Bounds, Ruling, check_addition, check_rewrite, entries, missing
from mnemofs.lifecycle.marks import touches_user_edited
from mnemofs.llm.engine import Extraction
from mnemofs.markdown.document import Document
from mnemofs.markdown.edits import append_daily, remember
from mnemofs.markdown.entries import (
    StructuredEntry,
    bullets,
    parse_structured,
    put_structured,
    stamped,
)
from mnemofs.markdown.lines import flatten
from mnemofs.sections import FilesConfig

STRUCTURED_SOURCE = "auto-summary"
_NOUNS = {"daily": "daily entry", "memory": "memory", "profile": "profile fact"}
# Where a single line goes when the file has that section; else where new entries arrive.
_ARRIVALS = {"memory": "Recent Lessons", "profile": "About"}
_HOMES: dict[str, tuple[tuple[str, re.Pattern[str]], ...]] = {
    "memory": (
        (
            "Decisions",
            re.compile(
                r"\b(?:decided|decision|agreed to|entschieden|beschlossen|decidi\w+|décid\w+)\b"
                r"|决定|決定|決めた|定了",
                re.IGNORECASE,
            ),
        ),
    ),
    "profile": (
        (
            "Working together",
            re.compile(
                r"\b(?:answers?|repl(?:y|ies)|explanations?|from now on|antwort\w*|respuestas?"
                r"|réponses?)\b|回答|回复|回覆|答え|返信",
                re.IGNORECASE,
            ),
        ),
        (
            "Preferences",
            re.compile(
                r"\b(?:prefer\w*|like[sd]?|love[sd]?|hate[sd]?|enjoy\w*|favou?rite|dislike\w*|lieber"
                r"|bevorzug\w*|mag|prefier\w*|gust\w*|préf\w*|aime\w*)\b"
                r"|喜欢|喜歡|偏好|讨厌|討厭|爱吃|好き|好む|嫌い",
                re.IGNORECASE,
            ),
        ),
    ),
}


@dataclass(frozen=True)
class Parked:
    """A rewrite that waits for a person, and why (a phrase)."""

    draft: Draft
    reason: str


@dataclass(frozen=True)
class Desk:
    """The files an extraction works on, and what was decided so far.

    drafts: by role: "daily", "memory", "profile", and the four types of structured entries.
    counts: what was added, by noun ("memory", "profile fact", "daily entry", ...).
    refused and warnings are phrases without memory text.
    """

    drafts: Mapping[str, Draft]
    at: datetime
    source: str
    counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    parked: tuple[Parked, ...] = ()
    refused: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    masked: int = 0

    def put(self, role: str, draft: Draft, added: int = 1) -> Desk:
        """The desk with another draft, counted as `added` things, unless it says the same."""
        if draft.content == self.drafts[role].content:
            return self
        noun = _NOUNS.get(role, "structured entry")
        return replace(
            self,
            drafts={**self.drafts, role: draft},
            counts={**self.counts, noun: self.counts.get(noun, 0) + added},
        )

    def heard(self, ruling: Ruling) -> Desk:
        """The desk with a ruling's warnings, and with its reason when it refused."""
        refused = (ruling.reason,) if ruling.status == "refused" else ()
        return replace(
            self,
            refused=self.refused + refused,
            warnings=self.warnings + ruling.warnings,
            masked=self.masked + ruling.masked,
        )


def plan_extraction(desk: Desk, proposal: Extraction, files: FilesConfig, bounds: Bounds) -> Desk:
    """The desk after one proposal. Every part passes the gates by itself; a refused part does not
    take the others with it."""
    memory = replace(bounds, max_chars=files.memory_max_chars, moves_overflow=True)
    profile = replace(bounds, max_chars=files.profile_max_chars, moves_overflow=True)
    desk = _daily(desk, proposal.daily_entry, bounds)
    desk = _rewrite(desk, "memory", proposal.memory_update, memory)
    desk = _rewrite(desk, "profile", proposal.profile_update, profile)
    hindered = len(desk.refused) + len(desk.warnings)
    desk = _remember(desk, "memory", proposal.memory_entries, memory)
    desk = _remember(desk, "profile", proposal.profile_entries, profile)
    if hindered == len(desk.refused) + len(desk.warnings):
        for line in proposal.superseded:
            desk = _supersede(desk, line)
    for kind, key, content in proposal.structured:
        desk = _structured(desk, kind, key, content, bounds)
    return desk


def _daily(desk: Desk, entry: str | None, bounds: Bounds) -> Desk:
    if entry is None or not entry.strip():
        return desk
    draft = desk.drafts["daily"]
    if not draft.readable:
        return _unreadable(desk, draft)
    ruling = check_addition(draft.path, draft.text, entry, bounds)
    desk = desk.heard(ruling)
    if ruling.status != "accepted":
        return desk
    step = partial(append_daily, entry=ruling.text, day=desk.at.date())
    return desk.put("daily", draft.stepped(step))


def _rewrite(desk: Desk, role: str, text: str | None, bounds: Bounds) -> Desk:
    if text is None or not text.strip():
        return desk
    draft = desk.drafts[role]
    if not draft.readable:
        return _unreadable(desk, draft)
    text = text.replace("\r\n", "\n")
    ruling = check_rewrite(draft.path, draft.text, text, bounds)
    desk = desk.heard(ruling)
    if ruling.status == "parked":
        waiting = Parked(draft.rewritten(ruling.text), ruling.reason)
        return replace(desk, parked=(*desk.parked, waiting))
    if ruling.status != "accepted":
        return desk
    added = len(missing(entries(ruling.text), entries(draft.text)))
    desk = desk.put(role, draft.rewritten(ruling.text), added)
    if not ruling.overflow:
        return desk
    # Over the ceiling, but said or standing: it stays in the memory, where nothing is injected.
    return _daily(desk, f"## From {draft.path}\n\n{ruling.overflow}", bounds)


def _remember(desk: Desk, role: str, texts: Sequence[str], bounds: Bounds) -> Desk:
    overflow = []
    for text in texts:
        draft = desk.drafts[role]
        if not draft.readable:
            return _unreadable(desk, draft)
        ruling = check_addition(draft.path, draft.text, text, bounds)
        desk = desk.heard(ruling)
        if ruling.status != "accepted":
            continue
        section = home_of(role, draft, ruling.text)
        grown = _remembered(desk, draft, ruling.text, section)
        if touches_user_edited(draft.text, grown.text):
            grown = _remembered(desk, draft, ruling.text, f"More {section.lower()}")
        if bounds.max_chars and len(grown.text) > bounds.max_chars and grown.changed:
            overflow.append(flatten(ruling.text))
        else:
            desk = desk.put(role, grown)
    if not overflow:
        return desk
    # A full file is for the dream to condense: nothing is cut away for a new line (W-17).
    full = f"{draft.path} is full ({bounds.max_chars} characters): added to the daily note"
    if full not in desk.warnings:
        desk = replace(desk, warnings=(*desk.warnings, full))
    return _daily(desk, "\n".join(f"- {text}" for text in overflow), bounds)


def _remembered(desk: Desk, draft: Draft, text: str, section: str) -> Draft:
    step = partial(remember, text=text, at=desk.at, source=desk.source, section=section)
    return draft.stepped(step)


def home_of(role: str, draft: Draft, text: str) -> str:
    """The `##` section of the "memory" or "profile" draft that a new line belongs to."""
    document = Document.of_text(draft.text)
    fitting = (title for title, words in _HOMES[role] if words.search(text))
    return next((title for title in fitting if document.find(title, 2)), _ARRIVALS[role])


def _supersede(desk: Desk, line: str) -> Desk:
    """The desk without a standing bullet that a new entry replaces.

    Only bullets with date and source go, which automatic writers and `remember` make; a line that
    a person wrote into the file stays beside the new one.
    """
    for role in ("memory", "profile"):
        draft = desk.drafts[role]
        grown = draft.stepped(partial(without_bullet, text=line))
        if grown.content != draft.content and not touches_user_edited(draft.text, grown.text):
            desk = desk.put(role, grown, 0)
            number = desk.counts.get("replaced line", 0) + 1
            desk = replace(desk, counts={**desk.counts, "replaced line": number})
    return desk


def without_bullet(data: bytes | None, text: str) -> bytes | None:
    """The file without the bullet that says `text`, if it has a date and a source in front."""
    if data is None:
        return None
    for bullet in bullets(data):
        stamp = stamped(bullet.text)
        if bullet.text == text and bullet.depth == 0 and stamp.day and stamp.source:
            lines = data.split(b"\n")
            del lines[bullet.line - 1 : bullet.last_line]
            return b"\n".join(lines)
    return data


def _structured(desk: Desk, kind: str, key: str, content: str, bounds: Bounds) -> Desk:
    draft = desk.drafts[kind]
    if not draft.readable:
        return _unreadable(desk, draft)
    ruling = check_addition(draft.path, draft.text, content, bounds)
    named = check_addition(draft.path, draft.text, key, bounds)
    desk = desk.heard(ruling)
    if ruling.status != "accepted" or named.status != "accepted":
        return desk
    entry = StructuredEntry(named.text, ruling.text, STRUCTURED_SOURCE, desk.at.date())
    standing = {entry.key: entry for entry in parse_structured(draft.content or b"")}
    if entry.key in standing and standing[entry.key].content == entry.content.strip():
        return desk
    try:
        return desk.put(kind, draft.stepped(partial(put_structured, entry=entry)))
    except EditRefused:
        refused = f"an entry for {draft.path} has a key that no heading can hold"
        return replace(desk, refused=(*desk.refused, refused))


def _unreadable(desk: Desk, draft: Draft) -> Desk:
    said = f"{draft.path} is not UTF-8 text and was left alone"
    return replace(desk, refused=(*desk.refused, said))
