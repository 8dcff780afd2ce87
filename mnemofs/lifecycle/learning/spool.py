"""Turns that wait for a worker: one file each, on the disk before the host is told "queued".

`<store>/.mnemofs/spool/<order>.json`. What is in there is masked already. A worker takes the oldest
first and deletes a file only when everything that comes of it is committed, so a turn is looked at
at least once; that it is learned once is the extraction's own doing. A file that fails again and
again, or kills its worker, is put aside under `parked/` with the reason.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from mnemofs.lifecycle import statefile
from mnemofs.llm.message import Message
from mnemofs.names import SIDECAR_DIR
from mnemofs.secrets import mask
from mnemofs.store.disk.failures import storage_errors

FOLDER = "spool"
PARKED = "parked"
MOST_TRIES = 5
_TRIES = "tries.json"
_UNFINISHED = 600  # seconds
_LONGEST = 20_000  # characters of a message


class Waiting(NamedTuple):
    """A turn in the spool. at: when it ended. prints: fingerprints of the messages before they were
    masked."""

    id: str
    at: datetime
    conversation: str
    messages: tuple[Message, ...]
    prints: tuple[str, ...]
    trigger: str = ""
    channel: str = ""
    title: str = ""
    finish: str = ""


class Parked(NamedTuple):
    """A turn that was put aside. since: when."""

    id: str
    conversation: str
    reason: str
    since: str


class Trouble(NamedTuple):
    """What went wrong with a turn so far. after: no new try before."""

    tries: int = 0
    reason: str = ""
    after: datetime | None = None


class Spool:
    """The spool of one store. Reading it makes no folder. What writes raises StorageFull and
    PermissionRefused."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._folder = os.path.join(os.fspath(root), SIDECAR_DIR, FOLDER)

    def put(self, turn: Waiting) -> str:
        """Add a turn (its id is ignored) behind all others; its id. When this returns it survives
        a crash of the machine."""
        newest = max((name for name in self._names()), default="")
        # Behind the newest even when the clock was set back.
        order = max(time.time_ns(), int(newest[:20] or 0) + 1)
        name = f"{order:020d}-{os.urandom(4).hex()}"
        body = {**turn._asdict(), "id": name, "at": turn.at.isoformat()}
        for word in ("channel", "title", "finish"):
            body[word] = mask(body[word][:_LONGEST])[0]
        body["messages"] = [_as_json(message) for message in turn.messages]
        self._save(f"{name}.json", body, sync=True)
        return name

    def ids(self) -> list[str]:
        """Ids of all turns that wait, oldest first."""
        return [name.removesuffix(".json") for name in self._names()]

    def get(self, turn: str) -> Waiting | None:
        """A turn; None when it is gone. Raises ValueError for a file that is none."""
        try:
            with open(self._path(turn), "rb") as file:
                found = json.loads(file.read())
            at = datetime.fromisoformat(found["at"])
            messages = tuple(_of_json(message) for message in found["messages"])
            prints = tuple(map(str, found["prints"]))
            words = [str(found[name]) for name in ("trigger", "channel", "title", "finish")]
            if at.tzinfo is None or len(prints) != len(messages):
                raise ValueError("a time without zone, or messages without fingerprints")
        except FileNotFoundError:
            return None
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the file is no turn ({type(error).__name__})") from error
        return Waiting(turn, at, str(found["conversation"]), messages, prints, *words)

    def done(self, turn: str) -> None:
        """Everything that comes of it is committed."""
        with storage_errors(self._folder):
            _unlink(self._path(turn))
        self._forget(turn)

    def trouble(self, turn: str) -> Trouble:
        """What went wrong with it so far."""
        try:
            tries, reason, text = self._load(_TRIES)[turn]
            after = datetime.fromisoformat(text) if text else None
            if after is not None and after.tzinfo is None:
                raise ValueError("a time without zone")
            return Trouble(int(tries), str(reason), after)
        except (KeyError, TypeError, ValueError):  # none, or a damaged note: begin anew
            return Trouble()

    def begin(self, turn: str) -> int:
        """Count a try before it is made, so that one that kills the worker counts; its number."""
        tries = self.trouble(turn).tries + 1
        self._note(turn, Trouble(tries, "the worker was stopped while it looked at this"))
        return tries

    def again(self, turn: str, tries: int, reason: str, now: datetime) -> None:
        """Try later: after 1, 2, 4 ... minutes, an hour at most."""
        pause = timedelta(minutes=min(60, 2 ** max(0, tries - 1)))
        self._note(turn, Trouble(tries, reason, now + pause))

    def park(self, turn: str, reason: str, now: datetime) -> None:
        """Put a turn aside."""
        note = {"reason": reason, "since": now.isoformat(timespec="seconds")}
        self._save(os.path.join(PARKED, f"{turn}.why"), note)
        with storage_errors(self._folder), contextlib.suppress(FileNotFoundError):
            os.replace(self._path(turn), os.path.join(self._folder, PARKED, f"{turn}.json"))
            self._forget(turn)

    def parked(self) -> tuple[Parked, ...]:
        """What was put aside, oldest first."""
        found = []
        for turn in self._names(PARKED):
            turn = turn.removesuffix(".json")
            why = self._load(os.path.join(PARKED, f"{turn}.why"))
            named = self._load(os.path.join(PARKED, f"{turn}.json")).get("conversation", "")
            reason, since = str(why.get("reason", "")), str(why.get("since", ""))
            found.append(Parked(turn, str(named), reason, since))
        return tuple(found)

    def tidy(self) -> None:
        """Delete what a killed writer left unfinished; nobody was told that it was kept."""
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if (
                    entry.name.endswith(".new")
                    and entry.stat().st_mtime < time.time() - _UNFINISHED
                ):
                    _unlink(entry.path)

    def retry(self) -> int:
        """Everything that was put aside waits again, in its old place; how many."""
        names = list(self._names(PARKED))
        aside = os.path.join(self._folder, PARKED)
        with storage_errors(self._folder):
            for name in names:
                os.replace(os.path.join(aside, name), os.path.join(self._folder, name))
                _unlink(os.path.join(aside, f"{name.removesuffix('.json')}.why"))
        return len(names)

    def _names(self, below: str = "") -> Iterator[str]:
        try:
            names = os.listdir(os.path.join(self._folder, below))
        except (FileNotFoundError, NotADirectoryError):
            return
        for name in sorted(names):
            if name.endswith(".json") and name[:20].isdigit():
                yield name

    def _path(self, turn: str) -> str:
        return os.path.join(self._folder, f"{turn}.json")

    def _note(self, turn: str, trouble: Trouble) -> None:
        standing = set(self.ids())
        known = {name: found for name, found in self._load(_TRIES).items() if name in standing}
        after = trouble.after.isoformat() if trouble.after else ""
        self._save(_TRIES, {**known, turn: [trouble.tries, trouble.reason, after]})

    def _forget(self, turn: str) -> None:
        known = self._load(_TRIES)
        if known.pop(turn, None) is not None:
            self._save(_TRIES, known)

    def _load(self, name: str) -> dict[str, Any]:
        return statefile.load_table(os.path.join(self._folder, name))

    def _save(self, name: str, value: dict[str, Any], *, sync: bool = False) -> None:
        statefile.save(os.path.join(self._folder, name), value, sync=sync)


def _as_json(message: Message) -> dict[str, str | None]:
    # The precise shapes only: the wider detectors are slow to load, and the worker asks them.
    text = mask(message.text[: _LONGEST + 4096])[0][:_LONGEST]
    time = message.time.isoformat() if message.time else None
    return {"role": message.role, "content": text, "time": time}


def _of_json(found: dict[str, Any]) -> Message:
    time = datetime.fromisoformat(found["time"]) if found["time"] else None
    if found["role"] not in ("user", "assistant"):
        raise ValueError("a message of nobody")
    return Message(found["role"], str(found["content"]), time)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
