"""A bounded queue with one thread behind it: what is to be sent does not keep anybody waiting."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from mnemofs.errors import MnemofsError

Item = TypeVar("Item")

# Seconds between two attempts while everything fails, and at most.
_REST, _LONGEST_REST = 0.5, 30.0
# A thread with nothing to send ends after so many seconds.
_IDLE = 5.0
_MOST_PROBLEMS = 8
_AT_EXIT = 2.0


class Outbox(Generic[Item]):
    """Sends items one after the other, in order. capacity: most that wait; another is dropped.

    An item whose sending fails is not sent again: it is counted, and the thread rests a while, the
    longer the more fail in a row. Problems are told by `problems`, once.
    """

    def __init__(self, name: str, capacity: int, send: Callable[[Item], None]) -> None:
        self._name = name
        self._capacity = max(capacity, 1)
        self._send = send
        self._waiting: deque[Item] = deque()
        self._sending = False
        self._closed = False
        self._dropped = 0
        self._failed: dict[str, int] = {}
        self._in_a_row = 0
        self._changed = threading.Condition()
        self._running = False
        self._at_exit = False

    def put(self, item: Item) -> bool:
        """Queue an item; False when it was dropped for want of room."""
        with self._changed:
            if self._closed or len(self._waiting) >= self._capacity:
                self._dropped += 1
                return False
            self._waiting.append(item)
            if not self._running:
                self._begin()
            self._changed.notify_all()
            return True

    def problems(self) -> Sequence[str]:
        """What went wrong since this was asked last."""
        with self._changed:
            found = [
                f"{number} turn{'s' if number > 1 else ''} could not be sent: {reason}"
                for reason, number in self._failed.items()
            ]
            if self._dropped:
                noun = "turn was" if self._dropped == 1 else "turns were"
                found.append(f"{self._dropped} {noun} dropped: {self._capacity} wait already")
            self._failed, self._dropped = {}, 0
            return found

    def flush(self, seconds: float) -> bool:
        """Whether nothing waits any more within `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._sending), seconds)

    def close(self, seconds: float) -> None:
        """Send what waits, as far as `seconds` go; take nothing more."""
        with self._changed:
            self._closed = True
            self._in_a_row = 0
            self._changed.notify_all()
        self.flush(seconds)
        with self._changed:
            self._dropped += len(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()

    def _begin(self) -> None:
        if not self._at_exit:
            self._at_exit = True
            atexit.register(_at_exit, weakref.ref(self))
        thread = threading.Thread(target=self._run, name=f"mnemofs-send-{self._name}", daemon=True)
        thread.start()
        self._running = True

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed, _IDLE)
                if self._in_a_row and not self._closed:
                    rest = min(_REST * 2 ** min(self._in_a_row - 1, 10), _LONGEST_REST)
                    end = time.monotonic() + rest
                    while not self._closed and (left := end - time.monotonic()) > 0:
                        self._changed.wait(left)
                if not self._waiting:
                    self._running = False
                    return
                item = self._waiting.popleft()
                self._sending = True
            reason = ""
            try:
                self._send(item)
            except BaseException as error:
                reason = error.message if isinstance(error, MnemofsError) else type(error).__name__
            with self._changed:
                self._sending = False
                self._in_a_row = self._in_a_row + 1 if reason else 0
                if reason and (reason in self._failed or len(self._failed) < _MOST_PROBLEMS):
                    self._failed[reason] = self._failed.get(reason, 0) + 1
                self._changed.notify_all()


def _at_exit(box: weakref.ref[Outbox[Item]]) -> None:
    found = box()
    if found is not None:
        found.close(_AT_EXIT)
