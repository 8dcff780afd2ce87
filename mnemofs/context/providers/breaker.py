"""A circuit breaker: who failed several times in a row is left alone for a while.

Its state may live in a small file, because hooks are short processes: without it every prompt
would wait for a service that is known to be down.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable


class Breaker:
    """closed → (failures in a row) → open → (cooldown) → half open: one probe decides.

    threshold: failures that open it, 0 = never. cooldown: seconds. file: where the state is kept,
    None = in this process only. now: wall-clock seconds.
    """

    def __init__(
        self,
        threshold: int,
        cooldown: float,
        *,
        file: str | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._threshold = threshold
        self._cooldown = cooldown
        self._file = file
        self._now = now
        self._failures = 0
        self._opened = 0.0
        self._probing = 0.0
        self._lock = threading.Lock()
        if file is not None:
            with contextlib.suppress(OSError, ValueError):
                with open(file, encoding="ascii") as stored:
                    failures, opened = stored.read(64).split()
                self._failures, self._opened = int(failures), float(opened)

    def allows(self) -> bool:
        """Whether a call may be made now; after the cooldown only one at a time may try."""
        with self._lock:
            if not self._is_open():
                return True
            now = self._now()
            # A clock that was set back must not keep it open for ever.
            if 0 <= now - self._opened < self._cooldown:
                return False
            if self._probing and 0 <= now - self._probing < self._cooldown:
                return False
            self._probing = now
            return True

    def rests(self) -> float:
        """Seconds until the next call may be tried; 0 when one may be made."""
        with self._lock:
            if not self._is_open():
                return 0.0
            return min(max(self._opened + self._cooldown - self._now(), 0.0), self._cooldown)

    def succeeded(self) -> None:
        """A call went well: closed."""
        with self._lock:
            before = self._failures
            self._failures, self._opened, self._probing = 0, 0.0, 0.0
            if before:
                self._keep()

    def failed(self) -> None:
        """A call failed."""
        with self._lock:
            self._failures = min(self._failures + 1, 1000)
            self._probing = 0.0
            if self._is_open():
                self._opened = self._now()
            self._keep()

    def _is_open(self) -> bool:
        return 0 < self._threshold <= self._failures

    def _keep(self) -> None:
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            if not self._failures:
                os.unlink(self._file)
                return
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            temporary = f"{self._file}.{os.getpid()}-{threading.get_ident()}"
            with open(temporary, "w", encoding="ascii") as stored:
                stored.write(f"{self._failures} {self._opened}")
            os.replace(temporary, self._file)
