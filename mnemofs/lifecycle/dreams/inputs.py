"""What a dream looks at, read from one store: its notes, its recalls, and where dreaming stands."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from mnemofs.errors import NotFound, PermissionRefused, UnreadableText, UnsafeName
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.dreams.cursor import Cursor, LocalState, read_cursor
from mnemofs.lifecycle.dreams.material import (
    Material,
    Note,
    entry_text,
    first_day,
    plan_material,
    reach,
    recalled,
    recurring,
    unread,
)
from mnemofs.lifecycle.dreams.scoring import Candidate, Evidence, Ranking, rank
from mnemofs.lifecycle.identity import normal_id
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.marks import without_dreams
from mnemofs.llm.rules_dream import KNOWN
from mnemofs.markdown.entries import all_entries
from mnemofs.markdown.lines import split_lines
from mnemofs.markdown.markers import marker_line
from mnemofs.store.past import history

if TYPE_CHECKING:
    from mnemofs.lifecycle.recalls.book import Counted
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

MEMORY = "MEMORY.md"
# An entry that was turned down so often without a new recall is not asked about again.
_PATIENCE = 3
_TURNED_DOWN = f"turned down {_PATIENCE} times, and not recalled since"


@dataclass
class Inputs:
    """The reading side of a dream of `store` at `at` (a local time)."""

    store: Store
    config: Config
    at: datetime
    warnings: list[str] = field(default_factory=list)
    _notes: dict[str, Note | None] = field(default_factory=dict)

    def local(self) -> LocalState:
        """What this machine keeps."""
        return LocalState.load(self.store.root)

    def cursor(self, local: LocalState) -> Cursor:
        """Where dreaming stands."""
        days = self.config.dreaming.day_range
        return read_cursor(self.store.root, local, first_day(self.at.date(), days))

    def material(self, cursor: Cursor) -> tuple[Material, list[Note]]:
        """What this run reads, and which of all notes in reach no dream has read."""
        settings = self.config.dreaming
        names = [f"memory/{name}" for name in _listed(os.path.join(self.store.root, "memory"))]
        within = reach(
            names,
            self.at.date(),
            settings.day_range,
            cursor.last,
            cursor.rest,
            settings.catch_up_days,
        )
        notes = [note for path in within.recent if (note := self.note(path))]
        earlier = [note for path in within.earlier if (note := self.note(path))]
        notes += unread(earlier, cursor.read)
        room = settings.max_notes, settings.max_note_chars
        return plan_material(notes, cursor.read, *room), unread(notes, cursor.read)

    def ranking(
        self,
        counts: tuple[Counted, ...],
        material: Material,
        fresh: list[Note],
        known: frozenset[str],
        local: LocalState,
    ) -> Ranking:
        """The candidates, and what was looked at and is none. known: entries (normalised) that
        MEMORY.md or another always-on file holds."""
        evidence = recalled(counts, self._standing, self.at)
        named = {one.entry for one in evidence}
        recur = recurring(material.notes, [note.path for note in fresh], self.at)
        evidence += [one for one in recur if one.entry not in named]
        passed: list[Evidence] = []
        others: list[tuple[Evidence, str]] = []
        ids = {normal_id(normal) for normal in known}
        for one in evidence:
            times, before = local.reviews.get(one.entry, (0, 0))
            if one.entry in ids:
                others.append((one, KNOWN))
            elif times >= _PATIENCE and one.recalls <= before:
                others.append((one, _TURNED_DOWN))
            else:
                passed.append(one)
        ranking = rank(passed, self.config.dreaming, self.at)
        return Ranking(ranking.candidates, (*ranking.others, *others))

    def counts(self) -> tuple[Counted, ...]:
        """What was recalled from this store."""
        if not self.config.recall.enabled:
            return ()
        from mnemofs.lifecycle.recalls.book import RecallBook

        return RecallBook(self.store.root, keep_days=self.config.recall.keep_days).counts()

    def known(self) -> frozenset[str]:
        """Entries (normalised) of the always-on files besides MEMORY.md."""
        found: set[str] = set()
        paths = (*self.config.files.always_on, "structured/user.md", "structured/feedback.md")
        for path in paths:
            if path == MEMORY:
                continue
            try:
                data = self.store.read(path).content
                found |= {entry.normal for entry in all_entries(data or b"", path)}
            except (UnsafeName, PermissionRefused, UnreadableText):
                continue
        return frozenset(found - {""})

    def note(self, path: str) -> Note | None:
        """A note as a dream reads it; None when there is nothing to read, with a warning where that
        needs one."""
        if path not in self._notes:
            self._notes[path] = self._read(path)
        return self._notes[path]

    def _read(self, path: str) -> Note | None:
        try:
            snapshot = self.store.read(path)
        except (UnsafeName, PermissionRefused) as error:  # SEC-02
            self.warnings.append(f"{path} was not read: {error.message}")
            return None
        draft = Draft.of(snapshot)
        if not draft.readable:
            self.warnings.append(f"{path} was not read: it is not UTF-8 text")
            return None
        if marker_line(snapshot.content or b"") is not None:  # SYN-07
            self.warnings.append(f"{path} was not read: it holds conflict markers")
            return None
        text = self._trusted(path, without_dreams(draft.text))
        return Note(path, snapshot.blob, text) if snapshot.blob and text.strip() else None

    def _trusted(self, path: str, text: str) -> str:
        """The text without lines that came from outside: what nobody here said enters no file that
        every prompt holds (DESIGN §11)."""
        if path not in self._imported:
            return text
        try:
            blamed = history.blame(self.store, path)
        except NotFound:
            return text
        own = {one.text.strip() for one in blamed if one.trust != "web"}
        foreign = {one.text.strip() for one in blamed if one.trust == "web"} - own
        lines = split_lines(text)
        kept = [line for line in lines if line.strip() not in foreign]
        if len(kept) < len(lines):
            number = count(len(lines) - len(kept), "line")
            self.warnings.append(f"{path}: {number} from outside will not be weighed")
        return "".join(kept)

    @cached_property
    def _imported(self) -> frozenset[str]:
        """Notes that an import ever touched."""
        from mnemofs.index.timelines.timeline import Timeline

        with Timeline(self.store) as timeline:
            log = history.log(self.store, path="memory", actor="import", timeline=timeline)
        return frozenset(path for commit in log for path in commit.paths)

    def _standing(self, path: str, entry: str) -> str | None:
        """The text of an entry where it stands in a note, outside of what dreams wrote."""
        note = self.note(path)
        found = note.by_id.get(entry) if note else None
        return entry_text(found) if found else None


def fresh_recall(candidates: tuple[Candidate, ...], local: LocalState) -> bool:
    """Whether a candidate was recalled since it was last weighed: a reason to dream without any
    new note."""
    for one in candidates:
        seen = one.evidence
        if seen.way == "recalled" and seen.recalls > local.reviews.get(seen.entry, (0, 0))[1]:
            return True
    return False


def _listed(folder: str) -> list[str]:
    if os.path.islink(folder):  # SEC-02
        return []
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
