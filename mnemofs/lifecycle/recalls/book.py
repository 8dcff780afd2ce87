"""Which entries entered which prompt: the counts dreams are fed with, and `why-in-context`.

One book for each store, about entries of that store only, so that no count and no question ever
crosses from one person to another (W-2). A line is noted while a prompt is made (`recall_spool`);
everything that asks moves those lines into the tables first. A reader is never stopped by it: what
cannot be noted is not counted.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import apsw

from mnemofs.lifecycle.ledger import event, events
from mnemofs.lifecycle.recalls import table
from mnemofs.lifecycle.recalls.drain import done, drain
from mnemofs.lifecycle.recalls.spool import (
    DRAIN_BYTES,
    SPOOL,
    Injected,
    Shown,
    new_prompt,
    note,
    owner_tag,
    query_hash,
)
from mnemofs.lifecycle.recalls.texts import Texts
from mnemofs.names import SIDECAR_DIR

__all__ = [
    "Counted",
    "Injected",
    "Prompt",
    "RecallBook",
    "Shown",
    "new_prompt",
    "owner_tag",
    "query_hash",
    "recall_event",
    "recall_totals",
]

KIND = "recall"
_PREVIEW = 200
_MOST_ENTRIES = 20_000
_MOST_PROMPTS = 2_000
# So many prompts in a row are not noted by a clock that is wrong for a moment.
_FEW = 20
# An entry that no prompt held for so many times `keep_days` is no longer counted.
_ENTRY_LIFE = 6
_MOST_IN_EVENT = 200
_DAY = 86_400.0
_ENTRIES = (
    "select id, path, recalls, today, queries, first, last from entry"
    " order by recalls desc, last desc, id"
)
_LATELY = "select at from prompt order by at desc limit 1 offset ?"
_NOT_AHEAD = "update entry set last = ?, first = min(first, ?) where last > ?"
_WORDS = "select id, query, hash, omitted from prompt"
# Takes one question's hash out of the counts.
_WITHOUT_QUESTION = (
    "update entry set queries = (select json_group_array(value) from json_each(queries)"
    " where value <> ?) where instr(queries, ?)"
)
_PACK = "select path, why, entries from pack where id = ?"
_SHOWN = "select entry, path, line, why, score, parts from shown where prompt = ? order by rowid"


class Counted(NamedTuple):
    """How often an entry was found for a question or read; standing in every prompt does not count.

    today: since the last settle. queries: hashes of distinct questions, at most 32, the latest
    last. text: its first 200 characters as it stands now.
    """

    entry: str
    path: str
    heading: str
    text: str
    recalls: int
    today: int
    queries: tuple[str, ...]
    first: datetime
    last: datetime


class Prompt(NamedTuple):
    """What one prompt took from this store. query: "" where only its hash may be kept. entries:
    text is "" for what has since been changed or removed. omitted: in words, with the reason."""

    id: str
    at: datetime
    owner: str
    query: str
    query_hash: str
    entries: tuple[Injected, ...]
    omitted: tuple[str, ...]


class RecallBook:
    """The recalls of the store at `root`. owner: whose repository it is, "" for a shared one.

    keep_days: how long single prompts are kept (0 = as long as there is room); counts of entries
    live longer.
    """

    def __init__(self, root: str | os.PathLike[str], *, owner: str = "", keep_days: int = 30):
        self.root = os.fspath(root)
        self.owner = owner
        self.keep_days = keep_days

    def record(
        self,
        entries: Sequence[Injected],
        *,
        query: str,
        owner: str,
        at: datetime,
        prompt: str,
        files: Sequence[Shown] = (),
        omitted: Sequence[str] = (),
    ) -> None:
        """Note what one prompt was given. owner: who asked; their words are kept in their own store
        only. Never raises, waits for nobody, and costs a tenth of a millisecond."""
        size = note(
            self.root,
            entries,
            prompt=prompt,
            query=query,
            owner=owner,
            private=bool(owner) and owner == self.owner,
            at=at.timestamp(),
            files=files,
            omitted=omitted,
        )
        if size > DRAIN_BYTES:
            self.absorb()

    def absorb(self) -> None:
        """Move what was noted into the tables, so that the spool stays small. Never raises."""
        with contextlib.suppress(apsw.Error, OSError), self._table():
            pass  # opening them does it

    def counts(self) -> tuple[Counted, ...]:
        """Every entry that is still there and was ever recalled, most recalled first."""
        texts = Texts(self.root)
        with self._table() as db:
            rows = table.rows(db, _ENTRIES) if db is not None else []
        found = (_counted(row, texts) for row in rows)
        return tuple(one for one in found if one is not None)

    def settle(self, at: datetime, counted: Iterable[Counted] | None = None) -> tuple[Counted, ...]:
        """Begin a new day of counting: to be called once what was counted is committed.

        counted: what was committed; recalls that came since then stay for the next day. Without it
        all days end here. Returns what was still counted today before. Old prompts go.
        """
        before = tuple(one for one in self.counts() if one.today)
        with self._table() as db:
            if db is None:
                return before
            for one in before if counted is None else counted:
                db.execute(
                    "update entry set today = max(today - ?, 0) where id = ?",
                    (one.today, one.entry),
                )
            now = at.timestamp()
            db.execute(_NOT_AHEAD, (now,) * 3)
            _prune(db, self.keep_days, now, sure=now)
        return before

    def prompts(
        self, limit: int, owner: str | None = None, *, ids: Sequence[str] = ()
    ) -> tuple[Prompt, ...]:
        """The latest prompts, newest first. owner: whose, None for everybody's. ids: only these."""
        where, bindings = "true", []
        if owner is not None:
            where, bindings = "owner = ?", [owner_tag(owner)]
        if ids:
            where += f" and id in ({','.join('?' * len(ids))})"
            bindings += ids
        texts = Texts(self.root)
        with self._table() as db:
            if db is None:
                return ()
            some = table.rows(
                db,
                f"select id, at, owner, query, hash, omitted, packs from prompt where {where}"
                " order by at desc, id limit ?",
                (*bindings, limit),
            )
            return tuple(_prompt(db, row, texts) for row in some)

    def forget(self, says: Callable[[str], bool]) -> int:
        """Drop the words that say what is forgotten, and all about entries that are no longer
        there; also from the free pages of the file.

        says: whether a text says it. Returns how many questions and entries went.
        """
        gone = 0
        texts = Texts(self.root)
        with self._table() as db:
            if db is None:
                return 0
            for prompt, query, question, omitted in table.rows(db, _WORDS):
                kept = [text for text in json.loads(omitted) if not says(text)]
                if query and says(query):
                    gone += 1
                    query = ""
                    db.execute(_WITHOUT_QUESTION, (question, question))
                    db.execute("update prompt set hash = '' where hash = ?", (question,))
                db.execute(
                    "update prompt set query = ?, omitted = ? where id = ?",
                    (query, json.dumps(kept, ensure_ascii=False), prompt),
                )
            for identity, path in table.rows(db, "select id, path from entry"):
                entry = texts.find(identity, path)
                if entry is None or says(entry.text):
                    gone += 1
                    db.execute("delete from entry where id = ?", (identity,))
                    db.execute("delete from shown where entry = ?", (identity,))
        table.vacuum(self.root)
        return gone

    def forget_owner(self, owner: str) -> None:
        """Drop every single prompt of a person; what they were counted into has no name."""
        with self._table() as db:
            if db is None:
                return
            db.execute("delete from prompt where owner = ?", (owner_tag(owner),))
            db.execute("delete from shown where prompt not in (select id from prompt)")
        table.vacuum(self.root)

    @contextlib.contextmanager
    def _table(self) -> Iterator[apsw.Connection | None]:
        """The tables with all that was noted in them; None when there is nothing, or no way in."""
        spool = os.path.join(self.root, SIDECAR_DIR, SPOOL)
        if not (table.exists(self.root) or os.path.exists(spool)):
            yield None
            return
        try:
            opened = contextlib.ExitStack()
            db = opened.enter_context(table.opened(self.root))
        except (apsw.Error, OSError):
            yield None
            return
        with opened:
            read, last = drain(db, self.root)
            if last:  # also where no dream ever settles
                some = table.rows(db, _LATELY, (_FEW,))
                _prune(db, self.keep_days, last, sure=min(last, some[0][0]) if some else 0.0)
            yield db
        done(self.root, read)


def recall_event(counted: Iterable[Counted], at: datetime) -> dict[str, Any] | None:
    """The ledger's event of the recalls since the last one.

    Its `entries` are id -> [recalls, distinct questions], those with the most recalls. None when
    there is nothing to tell.
    """
    some = sorted((one for one in counted if one.today), key=lambda one: (-one.today, one.entry))
    entries = {one.entry: [one.today, len(one.queries)] for one in some[:_MOST_IN_EVENT]}
    return event(KIND, at, {"entries": entries}) if entries else None


def recall_totals(ledgers: Iterable[bytes]) -> Mapping[str, tuple[int, int]]:
    """What all machines have counted: entry id -> (recalls, most distinct questions at once)."""
    totals: dict[str, tuple[int, int]] = {}
    for data in ledgers:
        for happened in events(data, KIND):
            entries = happened.get("entries")
            for identity, numbers in entries.items() if isinstance(entries, dict) else ():
                with contextlib.suppress(TypeError, ValueError):
                    recalls, questions = map(int, numbers)
                    before = totals.get(identity, (0, 0))
                    totals[identity] = (before[0] + recalls, max(before[1], questions))
    return totals


def _counted(row: Sequence[Any], texts: Texts) -> Counted | None:
    identity, path, recalls, today, queries, first, last = row
    entry = texts.find(identity, path)
    if entry is None:
        return None
    return Counted(
        identity,
        path,
        entry.key or " > ".join(entry.section),
        " ".join(entry.text.split())[:_PREVIEW],
        recalls,
        today,
        tuple(json.loads(queries)),
        datetime.fromtimestamp(first, UTC),
        datetime.fromtimestamp(last, UTC),
    )


def _prompt(db: apsw.Connection, row: Sequence[Any], texts: Texts) -> Prompt:
    identity, at, owner, query, question, omitted, packs = row
    entries = []
    for pack in json.loads(packs):
        for path, why, some in table.rows(db, _PACK, (pack,)):
            entries += [_injected(texts, one, path, 0, why) for one in json.loads(some)]
    for one, path, line, why, score, parts in table.rows(db, _SHOWN, (identity,)):
        entries.append(_injected(texts, one, path, line, why, score, parts))
    return Prompt(
        identity,
        datetime.fromtimestamp(at, UTC),
        owner,
        query,
        question,
        tuple(entries),
        tuple(json.loads(omitted)),
    )


def _injected(
    texts: Texts,
    identity: str,
    path: str,
    line: int,
    why: str,
    score: float = 0.0,
    parts: str = "",
) -> Injected:
    entry = texts.find(identity, path)
    if entry is None:
        return Injected(path, line, "", "", why, score, parts)
    heading = entry.key or " > ".join(entry.section)
    return Injected(path, entry.line, heading, entry.text, why, score, parts)


def _prune(db: apsw.Connection, keep_days: int, now: float, sure: float) -> None:
    """Drop what is too old now, and prompts of a day that has not come.

    sure: a time that has passed for certain, by which counts go; a clock that was wrong for a few
    prompts costs none.
    """
    oldest = now - keep_days * _DAY if keep_days > 0 else 0.0
    db.execute(
        "delete from prompt where at < ? or at > ? or id in"
        " (select id from prompt order by at desc, id limit -1 offset ?)",
        (oldest, now + _DAY, _MOST_PROMPTS),
    )
    db.execute("delete from shown where prompt not in (select id from prompt)")
    db.execute(
        "delete from pack where id not in (select value from prompt, json_each(prompt.packs))"
    )
    forgotten = sure - _ENTRY_LIFE * keep_days * _DAY if keep_days > 0 else 0.0
    db.execute(
        "delete from entry where last < ? or id in"
        " (select id from entry order by last desc, id limit -1 offset ?)",
        (forgotten, _MOST_ENTRIES),
    )
