"""What was summarised already, by content; and for how long a failing model is left alone."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemofs.context.summary import SummaryRequest

KEPT_SECONDS = 30 * 60
COOLDOWN_SECONDS = 10 * 60
FORCED_SECONDS = 60
_MOST = 256


class SummaryCache:
    """Summaries for half an hour, and rests after failures. Bounded; safe to use from threads.

    A summary is found by what it was made from, so that an edited or regenerated conversation
    never gets a stale one (W-32). now: monotonic seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._summaries: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._rests: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, request: SummaryRequest) -> str | None:
        """The summary of just this, if it is not too old."""
        key = _key(request)
        with self._lock:
            found = self._summaries.get(key)
            if found is None or self._now() - found[0] > KEPT_SECONDS:
                self._summaries.pop(key, None)
                return None
            self._summaries.move_to_end(key)
            return found[1]

    def put(self, request: SummaryRequest, summary: str) -> None:
        """Keep a summary."""
        with self._lock:
            self._summaries[_key(request)] = (self._now(), summary)
            while len(self._summaries) > _MOST:
                self._summaries.popitem(last=False)

    def rest(self, conversation: str, seconds: float) -> None:
        """Leave the model alone for this conversation."""
        with self._lock:
            self._rests.pop(conversation, None)
            self._rests[conversation] = self._now() + seconds
            while len(self._rests) > _MOST:
                self._rests.popitem(last=False)

    def rests(self, conversation: str) -> bool:
        """Whether the model is to be left alone."""
        with self._lock:
            until = self._rests.get(conversation, 0.0)
            if until and until <= self._now():
                del self._rests[conversation]
            return until > self._now()


def _key(request: SummaryRequest) -> str:
    said = json.dumps(request, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=16).hexdigest()


SHARED = SummaryCache()
