"""The morning card: what dreams put into MEMORY.md since this person last looked.

What a dream promoted is read from its commit, not from what it said of itself. Only entries that
still stand are shown: what was forgotten or changed meanwhile is counted, never repeated. What was
seen is remembered on this machine, for each reader of a store.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from mnemofs.errors import CorruptStore, NotFound, UnreadableText
from mnemofs.lifecycle import statefile
from mnemofs.lifecycle.facts.edits import in_place_of, replaced
from mnemofs.lifecycle.identity import normal_id
from mnemofs.lifecycle.ledger import events, ledger_files
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import Entry, all_entries, item_text, stamped
from mnemofs.markdown.scanner import COMMENT
from mnemofs.names import SIDECAR_DIR, encode_owner

if TYPE_CHECKING:
    from mnemofs.store.model import CommitInfo
    from mnemofs.store.past.history import Timeline
    from mnemofs.store.repository import Store

MEMORY: Final = "MEMORY.md"
_MARK: Final = "<!-- user-edited"
_MOST_SEEN: Final = 5000
_SKEW: Final = timedelta(days=2)


@dataclass(frozen=True)
class CardEntry:
    """An entry that a dream promoted and that stands. id: `identity.entry_id` of it."""

    id: str
    text: str
    path: str
    line: int
    section: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.id,
            "text": self.text,
            "path": self.path,
            "line": self.line,
            "section": list(self.section),
        }


@dataclass(frozen=True)
class CardReport:
    """One dream. gone: how many of its entries stand no more; removed: how many it took out."""

    id: str
    time: datetime
    commit: str
    mode: str
    topic: str
    reason: str
    entries: tuple[CardEntry, ...]
    gone: int
    removed: int
    scope: str
    owner: str

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "report": self.id,
            "time": self.time.isoformat(),
            "commit": self.commit,
            "mode": self.mode,
            "topic": self.topic,
            "reason": self.reason,
            "promoted": [one.as_dict() for one in self.entries],
            "gone": self.gone,
            "removed": self.removed,
            "scope": self.scope,
            "owner": self.owner,
        }


@dataclass(frozen=True)
class Card:
    """The dreams that a person has not seen, newest first."""

    reports: tuple[CardReport, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {"unseen": len(self.reports), "reports": [one.as_dict() for one in self.reports]}


class Seen:
    """The reports of one store that one reader has seen, kept on this machine.

    owner: the reader, "" for the workspace's own. Losing the file shows reports again.
    """

    def __init__(self, root: str, owner: str) -> None:
        folder = encode_owner(owner) if owner else "team"
        self._path = os.path.join(root, SIDECAR_DIR, "turns", folder, "card.json")

    def load(self) -> frozenset[str]:
        """The ids of the reports."""
        return frozenset(self._ids())

    def add(self, reports: Iterable[str]) -> None:
        """Note that these were seen, too."""
        found = [*self._ids(), *reports][-_MOST_SEEN:]
        statefile.save(self._path, list(dict.fromkeys(found)))

    def _ids(self) -> list[str]:
        """In the order in which they were seen."""
        found = statefile.load(self._path)
        return [str(one) for one in found] if isinstance(found, list) else []


def unseen(
    store: Store, seen: frozenset[str], timeline: Timeline | None, *, scope: str, owner: str
) -> list[CardReport]:
    """The dreams of a store whose reports are not among those seen, newest first.

    A dream that changed nothing, or that was undone, has no report.
    """
    happened = {
        str(one["id"]): one
        for _, data in ledger_files(store.root)
        if b'"dream"' in data
        for one in events(data, "dream")
        if isinstance(one.get("id"), str) and one["id"] not in seen
    }
    if not happened:
        return []
    commits = _commits(store, happened, timeline)
    present = {normal_id(one.normal): one for one in _entries(store.read(MEMORY).content)}
    found = [
        _report(store, one, commits[name], present, scope, owner)
        for name, one in happened.items()
        if name in commits
    ]
    return sorted(found, key=lambda one: (one.time, one.id), reverse=True)


def find_entry(data: bytes | None, entry: str) -> Entry:
    """The entry of this id in MEMORY.md. Raises NotFound."""
    for one in _entries(data):
        if normal_id(one.normal) == entry:
            return one
    raise NotFound(f"there is no entry {entry}", hint="see `mnemofs card`", path=MEMORY)


def edited(data: bytes | None, entry: str, text: str, day: date) -> bytes:
    """MEMORY.md with `text` for what the entry says, its section marked as edited by a person.

    Raises NotFound when it stands there no more.
    """
    one = find_entry(data, entry)
    statement = stamped(item_text(one.text.split("\n"))).statement
    content = replaced(
        data or b"", one.line, one.last_line, statement, in_place_of(statement, text)
    )
    return mark_user_edited(content, one.line, day)


def mark_user_edited(data: bytes, line: int, day: date) -> bytes:
    """The file with the mark of a person's edit at the end of the section around a line.

    Earlier marks of that section go: they never stack.
    """
    document = Document.parse(data)
    at = document.offsets[document.numbers.index(line)]
    start, end = document.body_start, len(document.text)
    for section in document.sections:
        if section.start <= at:
            start, end = section.body, section.end
        elif section.start < end:
            end = section.start
    body = document.text[start:end]
    for block in reversed(document.blocks):
        begin, stop = document.offsets[block.start], document.offsets[block.end]
        is_mark = block.kind == COMMENT and document.text[begin:stop].lstrip().startswith(_MARK)
        if is_mark and start <= begin < end:
            body = body[: begin - start] + body[stop - start :]
    kept = body.rstrip("\r\n")
    tail = document.eol * 2 if document.text[end:] else document.eol
    mark = f"{document.eol}{document.eol}{_MARK}: {day.isoformat()} -->{tail}"
    return document.encode(document.text[:start] + kept + mark + document.text[end:])


def _commits(
    store: Store, happened: dict[str, dict[str, Any]], timeline: Timeline | None
) -> dict[str, CommitInfo]:
    from mnemofs.store.past import history

    times = [time for one in happened.values() if (time := _time(one)) is not None]
    since = min(times) - _SKEW if times else None
    found = history.log(store, actor="dream", since=since, timeline=timeline)
    return {info.source: info for info in found if info.source in happened}


def _report(
    store: Store,
    happened: dict[str, Any],
    info: CommitInfo,
    present: dict[str, Entry],
    scope: str,
    owner: str,
) -> CardReport:
    after = _normals(_at(store, info.id))
    before = _normals(_at(store, info.parents[0])) if info.parents else []
    added = list(dict.fromkeys(one for one in after if one not in set(before)))
    standing = [present[name] for name in map(normal_id, added) if name in present]
    return CardReport(
        str(happened["id"]),
        _time(happened) or info.time,
        info.id,
        str(happened.get("mode", "")),
        str(happened.get("topic", "")),
        info.reason.removeprefix("dream: "),
        tuple(_shown(one) for one in standing),
        len(added) - len(standing),
        len(set(before) - set(after)),
        scope,
        owner,
    )


def _shown(entry: Entry) -> CardEntry:
    text = stamped(item_text(entry.text.split("\n"))).statement
    identity = normal_id(entry.normal)
    return CardEntry(identity, " ".join(text.split()), MEMORY, entry.line, entry.section)


def _at(store: Store, commit: str) -> bytes | None:
    try:
        return store.read_at(MEMORY, commit)
    except (NotFound, CorruptStore):  # no such file then, or a shallow clone
        return None


def _entries(data: bytes | None) -> Sequence[Entry]:
    try:
        return all_entries(data, MEMORY) if data else ()
    except UnreadableText:
        return ()


def _normals(data: bytes | None) -> list[str]:
    return [one.normal for one in _entries(data) if one.normal]


def _time(happened: dict[str, Any]) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(happened["time"]))
    except (KeyError, ValueError):
        return None
    return time if time.tzinfo else None
