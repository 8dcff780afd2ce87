"""The worker of one spool: turns in order, each learned once, none lost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.labels import count, label
from mnemofs.lifecycle.learning.heard import BUSY
from mnemofs.lifecycle.learning.spool import MOST_TRIES, Spool, Waiting
from mnemofs.lifecycle.learning.turnbook import TurnBook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from mnemofs.lifecycle.learning.conversations import Before
    from mnemofs.lifecycle.learning.heard import TurnReport

# Nobody answered: the turn is fine, so it waits without being counted as a failure.
_NO_REPLY = "model"


@dataclass(frozen=True)
class DrainReport:
    """What came of one run. status: updated (some was learned), unchanged (looked at, nothing
    kept), skipped (another worker is at it, or nothing waited), failed (a turn could not be looked
    at). done, waiting, parked: numbers of turns."""

    status: str
    reason: str
    done: int = 0
    waiting: int = 0
    parked: int = 0
    reports: tuple[TurnReport, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "reason": self.reason,
            "commit": next((one.commit for one in reversed(self.reports) if one.commit), None),
            "done": self.done,
            "waiting": self.waiting,
            "parked": self.parked,
            "turns": [one.as_dict() for one in self.reports],
        }


class Hold(NamedTuple):
    """Why the rest has to wait. failed: because something went wrong."""

    reason: str
    failed: bool = False


@dataclass(frozen=True)
class Worker:
    """keep: records a turn; what stood before it. learn: looks at a conversation after these
    turns. cooldown: minutes between two batches; all that waited is one batch. hurry: neither the
    cooldown nor the pause after a failure holds anything up."""

    spool: Spool
    book: TurnBook
    keep: Callable[[Waiting], Before]
    learn: Callable[[Sequence[Waiting], Before], TurnReport]
    now: Callable[[], datetime]
    cooldown: int = 0
    hurry: bool = False

    def run(self) -> DrainReport:
        """Work until nothing is left that may be looked at now."""
        reports: list[TurnReport] = []
        done, hold = 0, None
        while hold is None and self.spool.ids():
            # Looked at again after each round: what comes in meanwhile may have no other worker.
            with self.book.claim("drain") as mine:
                if not mine:
                    hold = Hold("another worker is at it")
                    break
                number, hold = self._round(reports)
                done += number
        return self._report(done, reports, hold)

    def _round(self, reports: list[TurnReport]) -> tuple[int, Hold | None]:
        """(turns that are done, why the rest has to wait)."""
        turns = []
        self.spool.tidy()
        for name in self.spool.ids():
            try:
                turn = self.spool.get(name)
            except ValueError as error:
                self.spool.park(name, str(error), self.now())
                continue
            if turn is not None:
                turns.append(turn)
        cooling = None if self.hurry else self.book.cooling(self.now(), self.cooldown)
        if cooling and not any(_urgent(turn) for turn in turns):
            minutes = count(-(-max(1, round(cooling.total_seconds())) // 60), "more minute")
            return 0, Hold(f"cooldown: {minutes} since the last extraction")
        done = 0
        for _, group in groupby(turns, key=lambda turn: turn.conversation):
            finished, hold = self._conversation(list(group), reports)
            done += finished
            if hold:
                return done, hold
        return done, None

    def _conversation(
        self, turns: list[Waiting], reports: list[TurnReport]
    ) -> tuple[int, Hold | None]:
        """Turns of one conversation that follow one another are looked at together."""
        first = turns[0].id
        trouble = self.spool.trouble(first)
        if trouble.after and trouble.after > self.now() and not self.hurry:
            return 0, Hold(f"next try at {trouble.after:%H:%M}: {trouble.reason}", failed=True)
        if trouble.tries >= MOST_TRIES and trouble.after is None:  # it stopped the worker again
            self._aside(turns, trouble.reason)
            return 0, None
        tries = self.spool.begin(first)
        try:
            before = [self.keep(turn) for turn in turns][-1]
            report = self.learn(turns, before)
        except MnemofsError as error:
            return 0, self._failed(turns, tries, error.message, counts=error.code != BUSY)
        except Exception as error:
            return 0, self._failed(turns, tries, f"unexpected {type(error).__name__}", counts=True)
        code = report.extraction.code if report.extraction else ""
        if code:
            counts = code not in (BUSY, _NO_REPLY)
            return 0, self._failed(turns, tries, report.reason, counts=counts)
        reports.append(report)
        for turn in turns:
            self.spool.done(turn.id)
        return len(turns), None

    def _failed(
        self, turns: list[Waiting], tries: int, reason: str, *, counts: bool
    ) -> Hold | None:
        if counts and tries >= MOST_TRIES:
            self._aside(turns, reason)
            return None
        self.spool.again(turns[0].id, tries if counts else tries - 1, reason, self.now())
        return Hold(reason, failed=True)

    def _aside(self, turns: list[Waiting], reason: str) -> None:
        for turn in turns:
            self.spool.park(turn.id, reason, self.now())

    def _report(self, done: int, reports: list[TurnReport], hold: Hold | None) -> DrainReport:
        waiting, parked = len(self.spool.ids()), len(self.spool.parked())
        if done:
            names = ", ".join(dict.fromkeys(label(one.conversation) for one in reports[:3]))
            status = "updated" if any(one.commit for one in reports) else "unchanged"
            text = f"{count(done, 'turn')} looked at ({names})"
        else:
            status = "failed" if hold and hold.failed else "skipped"
            text = f"{count(waiting, 'turn')} waiting" if waiting else "nothing waits"
        reason = f"{text}; {hold.reason}" if hold else text
        return DrainReport(status, reason, done, waiting, parked, tuple(reports))


def _urgent(turn: Waiting) -> bool:
    """Whether the person asked to keep something in it."""
    from mnemofs.lifecycle.learning.requests import asks_to_remember

    return any(one.role == "user" and asks_to_remember(one.text) for one in turn.messages)
