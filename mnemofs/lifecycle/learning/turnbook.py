"""What is kept of an owner's turns: cooldown, one run at a time, and what was seen already.

It lives under `.mnemofs/turns/` of the store, one folder for each owner, so it holds across
processes and restarts. Losing that folder costs a repeated extraction, never a memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mnemofs.digests import blake2b
from mnemofs.filelocks import is_held, only_one
from mnemofs.lifecycle import statefile
from mnemofs.names import SIDECAR_DIR, encode_owner
from mnemofs.store.disk.failures import storage_errors

_MAX_CONVERSATIONS = 1000
Cooling = Literal["extract", "nudge"]
_LAST: dict[Cooling, str] = {"extract": "last.json", "nudge": "nudged.json"}


class Intent(NamedTuple):
    """A commit that is about to be made. seen: fingerprints of the conversation up to its end.
    turn: `turn_id` of them. head: the commit before it. parked: changes that are to wait for a
    person afterwards, as (path, base blob, text, reason)."""

    conversation: str
    seen: tuple[str, ...]
    turn: str
    head: str | None
    parked: tuple[tuple[str, str | None, str, str], ...] = ()


def turn_id(conversation: str, seen: Sequence[str]) -> str:
    """What names a turn: the conversation and everything that was said in it so far."""
    told = "\0".join((conversation, *seen)).encode("utf-8", "surrogatepass")
    return blake2b(told, digest_size=10).hexdigest()


class TurnBook:
    """The bookkeeping of one owner's turns in one store. What writes raises StorageFull and
    PermissionRefused."""

    def __init__(self, root: str | os.PathLike[str], owner: str = "") -> None:
        self._folder = Path(root) / SIDECAR_DIR / "turns" / (encode_owner(owner) or "team")

    @contextmanager
    def claim(self, name: str = "extract") -> Iterator[bool]:
        """True while this is the only run of its kind for the owner, on any process; False at once
        when another one is going on. The claim ends with the process."""
        with storage_errors(str(self._folder)):
            self._folder.mkdir(parents=True, exist_ok=True)
        with only_one(str(self._folder / f"{name}.lock")) as mine:
            yield mine

    def claimed(self, name: str) -> bool:
        """Whether such a run is going on, without taking part."""
        return is_held(str(self._folder / f"{name}.lock"))

    def cooling(self, now: datetime, minutes: int, kind: Cooling = "extract") -> timedelta | None:
        """How long the cooldown lasts from `now`; None when it is over.

        A last run in the future (the clock was set back) is no cooldown.
        """
        value = self._load(_LAST[kind]).get("updated")
        try:
            last = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            last = None
        if last is None or last.tzinfo is None or last > now:
            return None
        left = last + timedelta(minutes=minutes) - now
        return left if left > timedelta(0) else None

    def start_cooldown(self, now: datetime, kind: Cooling = "extract") -> None:
        """Remember that a run did its work just now."""
        self._save(_LAST[kind], {"updated": now.isoformat()})

    def nudged(self, conversation: str) -> int:
        """How many messages the conversation had when its structured entries were looked for."""
        found = self._load(_file_of(conversation)).get("nudged")
        return found if isinstance(found, int) else 0

    def mark_nudged(self, conversation: str, messages: int) -> None:
        """Set that."""
        name = _file_of(conversation)
        self._save(name, {**self._load(name), "nudged": messages})

    def intend(self, intent: Intent) -> None:
        """Note what is about to be committed, until `settle`."""
        self._save("intent.json", intent._asdict())

    def intent(self) -> Intent | None:
        """What was about to be committed when a run was cut off, None when none was."""
        found = self._load("intent.json")
        try:
            return Intent(
                str(found["conversation"]),
                tuple(map(str, found["seen"])),
                str(found["turn"]),
                found["head"],
                tuple((path, base, text, why) for path, base, text, why in found["parked"]),
            )
        except (KeyError, TypeError, ValueError):
            return None

    def settle(self) -> None:
        """The commit is booked, or there was none."""
        (self._folder / "intent.json").unlink(missing_ok=True)

    def seen(self, conversation: str) -> tuple[str, ...]:
        """Fingerprints of the messages of a conversation that were looked at."""
        found = self._load(_file_of(conversation)).get("seen")
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            return ()
        return tuple(found)

    def mark_seen(self, conversation: str, seen: Sequence[str]) -> None:
        """Set what was looked at; the books of the longest untouched conversations are dropped."""
        name = _file_of(conversation)
        self._save(name, {**self._load(name), "seen": list(seen)})
        books = list(self._folder.glob("c-*.json"))
        if len(books) > _MAX_CONVERSATIONS:
            books.sort(key=_modified)
            for book in books[: len(books) - _MAX_CONVERSATIONS]:
                book.unlink(missing_ok=True)

    def _load(self, name: str) -> dict[str, Any]:
        return statefile.load_table(str(self._folder / name))

    def _save(self, name: str, value: dict[str, Any]) -> None:
        statefile.save(str(self._folder / name), value)


def _file_of(conversation: str) -> str:
    digest = blake2b(conversation.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"c-{digest}.json"


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
