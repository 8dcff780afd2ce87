"""What a dream works with: which notes it reads, and what in them may be a candidate. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mnemofs.clock import note_day, note_path
from mnemofs.lifecycle.dreams.scoring import RECURS, Evidence
from mnemofs.lifecycle.identity import normal_id
from mnemofs.markdown.entries import Entry, all_entries, item_text
from mnemofs.markdown.lines import flatten
from mnemofs.names import WELL_KNOWN

if TYPE_CHECKING:
    from mnemofs.lifecycle.recalls.book import Counted

# What is managed as entries of its own, or told by dreams themselves, is no note (W-9, W-10).
_NO_NOTES = ("structured/", "memories/", "memory/dreams/", "ledger/")
_PUNCTUATION = re.compile(r"[^\w\s]+")
_LIST_LIKE = frozenset({"bullet", "pair", "paragraph"})


@dataclass(frozen=True)
class Note:
    """A daily note as a dream reads it: `text` without what earlier dreams wrote."""

    path: str
    blob: str
    text: str

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Its memories, see `all_entries`."""
        return all_entries(self.text.encode("utf-8", "surrogatepass"), self.path)

    @cached_property
    def normals(self) -> frozenset[str]:
        """The same as they are compared."""
        return frozenset(entry.normal for entry in self.entries if entry.normal)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Its memories by id, see `identity.entry_id`."""
        return {normal_id(entry.normal): entry for entry in self.entries if entry.normal}


class Reach(NamedTuple):
    """Paths of notes, newest first. recent: of the last days, read again with every dream, so that
    what recurs is seen. earlier: from before, to be read when no dream has."""

    recent: list[str]
    earlier: list[str]


class Material(NamedTuple):
    """notes: what one run reads, newest first. left: unread notes that had no room, newest first.
    cut: notes of which only the end was read."""

    notes: tuple[Note, ...]
    left: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()

    @property
    def rest(self) -> date | None:
        """The earliest day that is left for the next run."""
        return min((day for path in self.left if (day := note_day(path))), default=None)


def notes_to_read(
    names: Iterable[str], today: date, days: int, since: date | None = None
) -> list[str]:
    """Paths of the daily notes of the last `days` days up to today, newest first (DAY-08).

    Real dates only: no impossible or future day, no other file. since: begin with that day instead.
    """
    first = since or first_day(today, days)
    found = {day for name in names if (day := note_day(name)) and first <= day <= today}
    return [note_path(day) for day in sorted(found, reverse=True)]


def first_day(today: date, days: int) -> date:
    """The first of the last `days` days."""
    return today - timedelta(days=max(days, 1) - 1)


def reach(
    names: Sequence[str], today: date, days: int, last: date | None, rest: date | None, most: int
) -> Reach:
    """Which notes are in reach of a dream today.

    last: when the last dream was, rest: the earliest day of which it left something unread. After
    downtime the reach goes back to the days that its own look began with, so that no note is passed
    over for good (DAY-10); `most` days at most. Where nothing was dreamed yet, old notes are the
    past and stay that (DAY-08).
    """
    recent = notes_to_read(names, today, days)
    if last is None:
        return Reach(recent, [])
    begin = min(first_day(last, days), rest or last)
    begin = max(begin, first_day(today, max(most, days)))
    seen = set(recent)
    return Reach(recent, [p for p in notes_to_read(names, today, days, begin) if p not in seen])


def unread(notes: Iterable[Note], read: Set[tuple[str, str]]) -> list[Note]:
    """Notes that no dream has read as they are now. read: (path, blob id) of those that were."""
    return [note for note in notes if (note.path, note.blob) not in read]


def plan_material(
    notes: Sequence[Note], read: Set[tuple[str, str]], most_notes: int, most_chars: int
) -> Material:
    """What one run reads of the notes in reach: unread ones first, the newest of each first.

    0 for either limit means none. A note that is longer than all the room is read from its end.
    """
    fresh = {note.path for note in unread(notes, read)}
    chosen: list[Note] = []
    left, cut = [], []
    room = most_chars or sum(len(note.text) for note in notes)
    by_day = sorted(notes, key=lambda note: note.path, reverse=True)
    for note in sorted(by_day, key=lambda note: note.path not in fresh):
        if (most_notes and len(chosen) >= most_notes) or (chosen and len(note.text) > room):
            if note.path in fresh:
                left.append(note.path)
            continue
        if len(note.text) > room:
            note = Note(note.path, note.blob, _end_of(note.text, room))
            cut.append(note.path)
        chosen.append(note)
        room -= len(note.text)
    chosen.sort(key=lambda note: note.path, reverse=True)
    return Material(tuple(chosen), tuple(sorted(left, reverse=True)), tuple(cut))


def recalled(
    counts: Iterable[Counted], whole: Callable[[str, str], str | None], zone_of: datetime
) -> list[Evidence]:
    """What recall says for entries of notes. whole: (path, entry) -> the full text where it stands
    in the notes, None when it does not. zone_of: gives the zone of local days."""
    found = []
    for one in counts:
        if not is_note(one.path):
            continue
        text = whole(one.path, one.entry)
        if text:
            found.append(
                Evidence(
                    one.entry,
                    "recalled",
                    text,
                    (one.path,),
                    one.heading,
                    one.recalls,
                    one.today,
                    len(set(one.queries)),
                    one.first.astimezone(zone_of.tzinfo),
                    one.last.astimezone(zone_of.tzinfo),
                )
            )
    return found


def recurring(notes: Sequence[Note], fresh: Iterable[str], at: datetime) -> list[Evidence]:
    """Entries that stand in several notes. notes: newest first; fresh: paths no dream has read."""
    new = set(fresh)
    paths: dict[str, list[str]] = {}
    newest: dict[str, Entry] = {}
    for note in notes:
        for entry in note.entries:
            if entry.kind not in _LIST_LIKE or not entry.normal:
                continue
            said = " ".join(_PUNCTUATION.sub(" ", entry.normal).split())
            newest.setdefault(said, entry)
            where = paths.setdefault(said, [])
            if not where or where[-1] != note.path:
                where.append(note.path)
    found = []
    for said, where in paths.items():
        if len(where) < RECURS or not said:
            continue
        entry = newest[said]
        days = sorted(day for path in where if (day := note_day(path)))
        found.append(
            Evidence(
                normal_id(entry.normal),
                "recurring",
                entry_text(entry),
                tuple(where),
                " > ".join(entry.section),
                len(where),
                sum(path in new for path in where),
                len(days),
                datetime.combine(days[0], time(), at.tzinfo),
                datetime.combine(days[-1], time(), at.tzinfo),
            )
        )
    return found


def is_note(path: str) -> bool:
    """Whether a recalled file is a note: not what is always read, kept under keys, or dreamed."""
    return path not in WELL_KNOWN and not path.startswith(_NO_NOTES)


def entry_text(entry: Entry) -> str:
    """An entry as one line, without its marker."""
    return flatten(item_text(entry.text.split("\n")))


def _end_of(text: str, room: int) -> str:
    end = text[-room:]
    return end[end.find("\n") + 1 :] if "\n" in end else end
