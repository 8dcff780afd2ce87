"""Two small reasons to prefer a memory that have nothing to do with the question: new, and used.

Both are off unless asked for, from 0 to 1, and at full weight worth less than one good word in
common, so that they decide between answers and never make one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date

from mnemofs.records import Record

# (path, heading path) -> how often what stands there was recalled.
Usage = Callable[[], Mapping[tuple[str, str], int]]

RECENCY = 0.15
IMPORTANCE = 0.15
# Days after which a memory counts half as new.
HALF_LIFE = 60
# Recalls after which more of them say nothing more.
OFTEN = 16
# What was kept on purpose is worth as much as some recalls; a daily note is as it came.
KEPT = 0.5


class Priors(Record):
    """recency, importance: weights from 0 (off) to 1. today: what ages are counted from."""

    recency: float = 0.0
    importance: float = 0.0
    today: date | None = None


def recency(day: str, today: date) -> float:
    """1 for today and for what lies ahead, half of it each HALF_LIFE days, 0 without a date."""
    if not day:
        return 0.0
    age = max((today - date.fromisoformat(day)).days, 0)
    return math.pow(0.5, age / HALF_LIFE)


def importance(path: str, recalls: int) -> float:
    """From 0 to 1: how often it was recalled, and whether it was kept on purpose (a file of its
    own, a structured entry, MEMORY.md or PROFILE.md) rather than noted in passing."""
    used = math.log1p(recalls) / math.log1p(OFTEN)
    return min(used + (0.0 if path.startswith("memory/") else KEPT), 1.0)
