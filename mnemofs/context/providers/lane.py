"""One provider's calls, in a thread of their own with a deadline.

A call that does not come back is abandoned: its thread is left to itself, and until it has ended
the provider is not asked again, so that hung threads cannot pile up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Call(Generic[Value]):
    """A call under way. `value` or `error` is set once it is done; both stay unset before."""

    def __init__(self) -> None:
        self.value: Value | None = None
        self.error: BaseException | None = None
        self._done = threading.Event()

    def wait(self, seconds: float | None) -> bool:
        """Whether it was done within `seconds` (None = however long it takes)."""
        return self._done.wait(seconds)

    def run(self, work: Callable[[], Value], after: Callable[[], None]) -> None:
        """Do the work; whatever it raises stays here."""
        try:
            self.value = work()
        except BaseException as error:
            self.error = error
        finally:
            after()
            self._done.set()


class Lane:
    """At most one thread at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._busy = threading.Lock()

    def start(self, work: Callable[[], Any]) -> Call[Any] | None:
        """Begin a call; None while an earlier one has not come back."""
        if not self._busy.acquire(blocking=False):
            return None
        call: Call[Any] = Call()
        thread = threading.Thread(
            target=call.run, args=(work, self._busy.release), name=self._name, daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # no more threads, or the interpreter is going down
            self._busy.release()
            return None
        return call
