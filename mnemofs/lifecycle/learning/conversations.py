"""What was said, word for word, in the store of whoever it belongs to: for session search, for the
next look at a conversation, and for the outcomes of those looks.

`<store>/.mnemofs/conversations.db` is this machine's and never leaves it. Secrets are masked before
anything is written (SEC-07). It is bounded by age and by number. Losing it costs search results and
reports, never a memory. Forgetting and purging reach it through `rewrite`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Self

from mnemofs.lifecycle.labels import label
from mnemofs.lifecycle.learning.alignment import align, fingerprints
from mnemofs.lifecycle.learning.conversationdb import (
    delete_messages,
    index_text,
    open_database,
    prune,
    rows,
    transaction,
)
from mnemofs.lifecycle.learning.sessionsearch import SPACE, snippet
from mnemofs.lifecycle.learning.sessionsearch import terms as terms_of
from mnemofs.llm.message import Message
from mnemofs.names import SIDECAR_DIR
from mnemofs.secrets import mask

if TYPE_CHECKING:
    import apsw

NAME = "conversations.db"
_MAX_OUTCOMES = 500
_MAX_ROWS = 1000  # looked at for one search
_LONGEST = 20_000  # characters of a message; more than that was pasted
_TITLE = 60
# A conversation without a title of its own is called after the first thing a person said.
_TITLED = (
    "coalesce(nullif(c.title, ''), (select text from message where conversation = c.id"
    " and role = 'user' and text != '' order by id limit 1), '')"
)
# A turn that began longer ago than this and never ended was cut off.
_TURN_LASTS = timedelta(minutes=30)


class Session(NamedTuple):
    """A conversation: how many messages of it are kept, when it began and when it went on."""

    conversation: str
    title: str
    messages: int
    last: datetime
    first: datetime


class Match(NamedTuple):
    """A message that answers a search. snippet: one line, 200 characters at most."""

    conversation: str
    title: str
    role: str
    snippet: str
    time: datetime


class Before(NamedTuple):
    """What stood in a conversation before the messages that were handed over, with fingerprints."""

    messages: tuple[Message, ...] = ()
    prints: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What came of one look. kind: "extract" or "nudge"; made: the commit, "" without one."""

    time: datetime
    conversation: str
    kind: str
    status: str
    reason: str
    made: str = ""


class Conversations:
    """The conversations of one store. A context manager; opened when first needed.

    Raises StorageFull and PermissionRefused.
    keep_days, keep_messages: what is older or beyond goes with the next `record` (0 = no limit).
    """

    def __init__(
        self, root: str | os.PathLike[str], *, keep_days: int = 180, keep_messages: int = 100_000
    ) -> None:
        self._path = os.path.join(os.fspath(root), SIDECAR_DIR, NAME)
        self._keep_days = keep_days
        self._keep_messages = keep_messages
        self._connection: apsw.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the file."""
        if self._connection is not None:
            self._connection.close(True)
            self._connection = None

    def record(
        self,
        conversation: str,
        messages: Sequence[Message],
        *,
        at: datetime,
        title: str = "",
        channel: str = "",
        clean: Callable[[str], str] | None = None,
        prints: Sequence[str] = (),
    ) -> Before:
        """Keep what is new of these messages, which may be the whole conversation, a sliding window
        or just what was added; what stood before them.

        The same messages again add nothing. A conversation that was edited is replaced from the
        first change on. clean: takes out of a text what was forgotten for good. prints:
        fingerprints of the messages as they were said, when these were masked since.
        """
        prints = prints or fingerprints(messages)
        with self._transaction() as db:
            number = self._conversation(db, conversation, at, title, channel, clean)
            known = rows(
                db,
                "select id, role, text, time, print from message where conversation=? order by id",
                number,
            )
            stored = [row[4] for row in known]
            start = align(stored, prints)
            common = 0
            for one, other in zip(stored[start:], prints, strict=False):
                if one != other:
                    break
                common += 1
            if common < len(prints):
                delete_messages(db, [row[0] for row in known[start + common :]])
                for message, mark in zip(messages[common:], prints[common:], strict=True):
                    self._add(db, number, message, mark, at, clean)
            prune(db, number, at, self._keep_days, self._keep_messages)
        return Before(
            tuple(Message(row[1], row[2], _instant(row[3])) for row in known[:start]),
            tuple(stored[:start]),
        )

    def begin(self, conversation: str, *, at: datetime, title: str = "", channel: str = "") -> None:
        """A turn of this conversation is going on: it is no answer to a search of sessions."""
        with self._transaction() as db:
            number = self._conversation(db, conversation, at, title, channel)
            db.execute("update conversation set running=? where id=?", (at.timestamp(), number))

    def end(self, conversation: str) -> None:
        """The turn is over."""
        if self._there():
            with self._transaction() as db:
                db.execute("update conversation set running=0 where name=?", (conversation,))

    def messages(self, conversation: str) -> tuple[Message, ...]:
        """What is kept of a conversation, oldest first; nothing for an unknown one."""
        if not self._there():
            return ()
        found = rows(
            self._db(),
            "select m.role, m.text, m.time from message m join conversation c"
            " on c.id = m.conversation where c.name=? and m.text != '' order by m.id",
            conversation,
        )
        return tuple(Message(role, text, _instant(time)) for role, text, time in found)

    def recent(
        self, limit: int, *, without: Collection[str] = (), now: datetime | None = None
    ) -> tuple[Session, ...]:
        """The newest conversations, none that is going on right now."""
        if not self._there():
            return ()
        listed = rows(
            self._db(),
            f"select c.name, {_TITLED}, count(m.id), c.last, c.first from conversation c"
            " join message m on m.conversation = c.id where c.running < ?"
            " group by c.id order by c.last desc, c.id desc",
            _idle_since(now),
        )
        found = []
        for name, title, number, last, first in listed:
            if name not in without:
                found.append(Session(name, _title(title), number, _instant(last), _instant(first)))
            if len(found) >= limit:
                break
        return tuple(found)

    def search(
        self, query: str, limit: int, *, without: Collection[str] = (), now: datetime | None = None
    ) -> tuple[Match, ...]:
        """Messages that hold the words of `query`, best first, at most three of a conversation.

        All of its words if any message holds them all, else some. Query text is data; words of one
        or two Chinese characters are words, too.
        """
        if not self._there():
            return ()
        terms = terms_of(query)
        found: list[Match] = []
        for joined in dict.fromkeys((" AND ".join(terms), " OR ".join(terms))):
            if joined and not found:
                found = self._matches(joined, query, limit, without, now)
        return tuple(found)

    def note(self, outcome: Outcome) -> None:
        """Keep what came of a look; the newest few hundred are kept."""
        with self._transaction() as db:
            shown = label(outcome.conversation)
            reason = mask(outcome.reason, deep=True)[0]
            values = (outcome.time.timestamp(), shown, outcome.kind, outcome.status, reason)
            db.execute(
                "insert into outcome(time, conversation, kind, status, reason, made)"
                " values(?,?,?,?,?,?)",
                (*values, outcome.made),
            )
            db.execute(
                "delete from outcome where id <= (select max(id) from outcome) - ?",
                (_MAX_OUTCOMES,),
            )

    def outcomes(self, limit: int) -> tuple[Outcome, ...]:
        """The last outcomes, newest first."""
        if not self._there():
            return ()
        found = rows(
            self._db(),
            "select time, conversation, kind, status, reason, made from outcome"
            " order by id desc limit ?",
            limit,
        )
        return tuple(Outcome(_instant(row[0]), *row[1:]) for row in found)

    def texts(self) -> Iterator[tuple[str, str]]:
        """(place, text) of everything kept that says something."""
        if not self._there():
            return
        db = self._db()
        for number, text in rows(db, "select id, text from message where text != ''"):
            yield f"message {number}", text
        for number, text in rows(db, "select id, title from conversation where title != ''"):
            yield f"title {number}", text
        for number, text in rows(db, "select id, reason from outcome"):
            yield f"outcome {number}", text

    def rewrite(self, clean: Callable[[str], str]) -> int:
        """Replace every text by what `clean` makes of it; how many changed.

        Nothing of the old text stays in free pages, in the search segments or in the log.
        """
        if not self._there():
            return 0
        changed = 0
        with self._transaction() as db:
            for table, column in (
                ("message", "text"),
                ("conversation", "title"),
                ("conversation", "name"),
                ("outcome", "reason"),
                ("outcome", "conversation"),
            ):
                for number, text in rows(db, f"select id, {column} from {table}"):
                    if not text or (new := clean(text)) == text:
                        continue
                    changed += 1
                    if column == "name":
                        new = f"{new} #{number}"  # names are unique
                    db.execute(f"update {table} set {column}=? where id=?", (new, number))
            if changed:
                # A deleted row leaves its words in the segments; only a new table has none of them.
                db.execute("insert into fts(fts) values('delete-all')")
                for number, text in rows(db, "select id, text from message"):
                    index_text(db, number, text)
        if changed:
            db = self._db()
            db.execute("vacuum")
            db.execute("pragma wal_checkpoint(truncate)").fetchall()
        return changed

    def _conversation(
        self,
        db: apsw.Connection,
        name: str,
        at: datetime,
        title: str,
        channel: str,
        clean: Callable[[str], str] | None = None,
    ) -> int:
        """The row of a conversation."""
        moment = at.timestamp()
        shown = _title(self._shown(title, clean)) if title else ""
        found = rows(db, "select id, title from conversation where name=?", name)
        if found:
            db.execute(
                "update conversation set last=max(last, ?), title=? where id=?",
                (moment, shown or found[0][1], found[0][0]),
            )
            return int(found[0][0])
        db.execute(
            "insert into conversation(name, title, channel, first, last, running)"
            " values(?,?,?,?,?,0)",
            (name, shown, _title(self._shown(channel, clean)), moment, moment),
        )
        return db.last_insert_rowid()

    @staticmethod
    def _shown(text: str, clean: Callable[[str], str] | None) -> str:
        """A text as it may be kept: whole characters, no secrets, nothing that was forgotten."""
        # Masked before it is cut: half a secret would pass.
        text = mask(text[: _LONGEST + 4096], deep=True)[0][:_LONGEST]
        text = clean(text) if clean is not None else text
        return text.encode("utf-8", "replace").decode()

    def _add(
        self,
        db: apsw.Connection,
        number: int,
        message: Message,
        mark: str,
        at: datetime,
        clean: Callable[[str], str] | None,
    ) -> None:
        text = self._shown(message.text, clean)
        moment = (message.time or at).timestamp()
        db.execute(
            "insert into message(conversation, role, text, time, print) values(?,?,?,?,?)",
            (number, message.role, text, moment, mark),
        )
        index_text(db, db.last_insert_rowid(), text)

    def _matches(
        self,
        joined: str,
        query: str,
        limit: int,
        without: Collection[str],
        now: datetime | None,
    ) -> list[Match]:
        listed = rows(
            self._db(),
            f"select c.name, {_TITLED}, m.role, m.text, m.time from fts"
            " join message m on m.id = fts.rowid join conversation c on c.id = m.conversation"
            " where fts match ? and c.running < ? order by bm25(fts), m.time desc, m.id desc"
            " limit ?",
            *(joined, _idle_since(now), _MAX_ROWS),
        )
        found: list[Match] = []
        seen: dict[str, int] = {}
        for name, title, role, text, time in listed:
            if name in without or seen.get(name, 0) >= 3:
                continue
            seen[name] = seen.get(name, 0) + 1
            found.append(Match(name, _title(title), role, snippet(text, query), _instant(time)))
            if len(found) >= limit:
                break
        return found

    def _there(self) -> bool:
        return self._connection is not None or os.path.exists(self._path)

    def _transaction(self) -> AbstractContextManager[apsw.Connection]:
        return transaction(self._db(), self._path)

    def _db(self) -> apsw.Connection:
        if self._connection is None:
            self._connection = open_database(self._path)
        return self._connection


def _title(text: str) -> str:
    return _cut(SPACE.sub(" ", text).strip(), _TITLE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _instant(moment: float) -> datetime:
    return datetime.fromtimestamp(moment, UTC)


def _idle_since(now: datetime | None) -> float:
    """A conversation whose `running` is below this is not going on."""
    return ((now or datetime.now(UTC)) - _TURN_LASTS).timestamp()
