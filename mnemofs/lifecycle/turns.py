"""When a conversation is looked at: gates, cooldown, one run at a time, and what was seen already.

The gates are pure. Cooldown, lock and cursors live under `.mnemofs/turns/` of the store, one
folder for each owner, so they hold across processes and restarts. Losing that folder costs a
repeated extraction, never a memory.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.requests import asks_to_remember, is_incomplete, is_source_work
from mnemofs.lifecycle.transcripts import Transcript
from mnemofs.llm.engine import Message
from mnemofs.names import SIDECAR_DIR, encode_owner
from mnemofs.sections import ExtractionConfig

# Sources of conversations that nobody had: their text is our own or a job's (LLM-11).
MACHINE_TRIGGERS = frozenset({"cron", "system", "dream", "schedule", "hook-child"})
IMPORT = "import"
_MAX_CONVERSATIONS = 1000


@dataclass(frozen=True)
class Turn:
    """A conversation at the end of a turn. new: its messages that were not looked at before."""

    transcript: Transcript
    new: tuple[Message, ...]
    trigger: str = ""

    def asks_to_remember(self) -> bool:
        """Whether the person asked to keep something in the new part."""
        return any(asks_to_remember(message.text) for message in self.new if message.role == "user")


def barred(turn: Turn, config: ExtractionConfig) -> str | None:
    """Why nothing may be learned from this turn whatever it says; None otherwise."""
    if not config.enabled:
        return "extraction is switched off"
    if config.skip_cron and turn.trigger.lower() in MACHINE_TRIGGERS:
        return "cron/system source: nobody spoke"  # LLM-11
    return None


def hindrance(turn: Turn, config: ExtractionConfig, cooling: timedelta | None) -> str | None:
    """Why this turn is not looked at, as a phrase for the report; None when it is.

    cooling: how long the owner's cooldown still lasts. An explicit request to remember overrides
    everything that `barred` does not name (mateclaw-contract §3.2). For an old conversation that
    is imported, neither the cooldown nor the state of its last answer matters.
    """
    if reason := barred(turn, config):
        return reason
    if turn.asks_to_remember():
        return None
    if turn.trigger == IMPORT:
        return _too_little(turn, config)
    return _too_little(turn, config) or _resting(cooling) or _not_worth_it(turn, config)


def _too_little(turn: Turn, config: ExtractionConfig) -> str | None:
    number = len(turn.transcript.messages)
    if number < config.min_messages:
        return f"only {count(number, 'message')}, {config.min_messages} are needed"
    said = [message for message in turn.transcript.messages if message.role == "user"]
    if not said:
        return "no message of a person"
    length = len(said[-1].text)
    if length < config.min_user_chars:
        have = count(length, "character")
        return f"the newest message has only {have}, {config.min_user_chars} are needed"
    return None


def _resting(cooling: timedelta | None) -> str | None:
    if cooling is None:
        return None
    seconds = max(1, round(cooling.total_seconds()))
    return f"cooldown: {count(-(-seconds // 60), 'more minute')} since the last extraction"


def _not_worth_it(turn: Turn, config: ExtractionConfig) -> str | None:
    if turn.transcript.finish:
        return f"the newest answer is incomplete ({turn.transcript.finish[:40]})"
    answers = [message for message in turn.transcript.messages if message.role == "assistant"]
    if answers and is_incomplete(answers[-1].text):
        return "the newest answer is uncertain or failed"
    said = [message.text for message in turn.new if message.role == "user"]
    if said and is_source_work(said[-1]):
        others = [text for text in said[:-1] if len(text) >= config.min_user_chars]
        if all(is_source_work(text) for text in others):
            return "one-off work on code or logs"
    return None


class TurnBook:
    """The bookkeeping of one owner's turns in one store."""

    def __init__(self, root: str | os.PathLike[str], owner: str = "") -> None:
        self._folder = Path(root) / SIDECAR_DIR / "turns" / (encode_owner(owner) or "team")

    @contextmanager
    def claim(self, name: str = "extract") -> Iterator[bool]:
        """True while this is the only run of its kind for the owner, on any process; False at once
        when another one is going on. The claim ends with the process."""
        from filelock import FileLock, Timeout

        self._folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._folder / f"{name}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    def cooling(self, now: datetime, minutes: int) -> timedelta | None:
        """How long the cooldown lasts from `now`; None when it is over.

        A last run in the future (the clock was set back) is no cooldown.
        """
        value = self._load("last.json").get("updated")
        try:
            last = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            last = None
        if last is None or last.tzinfo is None or last > now:
            return None
        left = last + timedelta(minutes=minutes) - now
        return left if left > timedelta(0) else None

    def start_cooldown(self, now: datetime) -> None:
        """Remember that an extraction changed memory just now."""
        self._save("last.json", {"updated": now.isoformat()})

    def seen(self, conversation: str) -> tuple[str, ...]:
        """Fingerprints of the messages of a conversation that were looked at."""
        found = self._load(_file_of(conversation)).get("seen")
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            return ()
        return tuple(found)

    def mark_seen(self, conversation: str, seen: Sequence[str]) -> None:
        """Set what was looked at; the books of the longest untouched conversations are dropped."""
        self._save(_file_of(conversation), {"seen": list(seen)})
        books = list(self._folder.glob("c-*.json"))
        if len(books) > _MAX_CONVERSATIONS:
            books.sort(key=_modified)
            for book in books[: len(books) - _MAX_CONVERSATIONS]:
                book.unlink(missing_ok=True)

    def _load(self, name: str) -> dict[str, Any]:
        try:
            found = json.loads((self._folder / name).read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _save(self, name: str, value: dict[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f".{name}.{os.getpid()}"
        temporary.write_text(json.dumps(value), encoding="utf-8")
        temporary.replace(self._folder / name)


def _file_of(conversation: str) -> str:
    digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).hexdigest()
    return f"c-{digest[:32]}.json"


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
