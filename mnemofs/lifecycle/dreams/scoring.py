"""Scored emergence: which entries of the notes have earned a look for long-term memory. Pure.

There are two ways to become a candidate. An entry that was *recalled* entered prompts for several
different questions; one that *recurs* stands in several daily notes. Both are scored by the same
formula, so that they can stand in one list; each has gates of its own.

    score = w1 frequency + w2 recency + w3 diversity + w4 freshness + w5 velocity

    frequency  recalls / most recalls of any candidate of its way
    recency    exp(-0.693 d / 7), d = whole days since the last recall: halves every week
    diversity  distinct questions / most distinct questions of any candidate of its way
    freshness  max(0, 1 - d / 30), d = days since the date of the daily note; 0.5 for other files
    velocity   recalls since the last dream / recalls

(mateclaw-contract §4.3.) Weights, gates and threshold are keys of `[dreaming]`. For an entry that
recurs, each note is a recall, each day a question, and the days that no dream has read are new.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from mnemofs.clock import note_day
from mnemofs.lifecycle.labels import count
from mnemofs.sections import DreamingConfig

Way = Literal["recalled", "recurring"]
RECURS = 2  # notes
_HALVED = 0.693
_WEEK = 7
_FRESH_DAYS = 30
_OTHER_FILES = 0.5


class Evidence(NamedTuple):
    """What speaks for one entry. recalls: how often, today: of those since the last dream, queries:
    distinct questions; first, last: when. paths: where it stands, the newest note first."""

    entry: str
    way: Way
    text: str
    paths: tuple[str, ...]
    heading: str
    recalls: int
    today: int
    queries: int
    first: datetime
    last: datetime


class Candidate(NamedTuple):
    """An entry that passed the gates, with its score from 0 to 1 and the parts of it."""

    evidence: Evidence
    score: float
    frequency: float
    recency: float
    diversity: float
    freshness: float
    velocity: float

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        seen = self.evidence
        return {
            "entry": seen.entry,
            "text": seen.text,
            "path": seen.paths[0],
            "heading": seen.heading,
            "way": seen.way,
            "score": round(self.score, 4),
            "recalls": seen.recalls,
            "queries": seen.queries,
            "last": seen.last.isoformat(timespec="seconds"),
            "parts": {
                "frequency": round(self.frequency, 4),
                "recency": round(self.recency, 4),
                "diversity": round(self.diversity, 4),
                "freshness": round(self.freshness, 4),
                "velocity": round(self.velocity, 4),
            },
            "paths": list(seen.paths),
        }


class Ranking(NamedTuple):
    """Candidates, best first, and what was looked at and is none, with the reason."""

    candidates: tuple[Candidate, ...]
    others: tuple[tuple[Evidence, str], ...]


def rank(evidence: Iterable[Evidence], config: DreamingConfig, at: datetime) -> Ranking:
    """The candidates at `at` (a local time), at most `max_candidates` of them."""
    passed: list[Evidence] = []
    others: list[tuple[Evidence, str]] = []
    for one in evidence:
        reason = hindrance(one, config, at)
        if reason:
            others.append((one, reason))
        else:
            passed.append(one)
    scored = []
    most_of: dict[Way, tuple[int, int]] = {}
    for one in passed:
        recalls, queries = most_of.get(one.way, (1, 1))
        most_of[one.way] = max(recalls, one.recalls), max(queries, one.queries)
    for one in passed:
        found = score(one, *most_of[one.way], config, at)
        if found.score < config.score_threshold:
            below = f"its score is {found.score:.2f}, {config.score_threshold:.2f} is needed"
            others.append((one, below))
        else:
            scored.append(found)
    scored.sort(key=lambda found: (-found.score, found.evidence.entry))
    most = max(config.max_candidates, 0)
    others += [(found.evidence, f"more than {most} candidates") for found in scored[most:]]
    return Ranking(tuple(scored[:most]), tuple(others))


def hindrance(seen: Evidence, config: DreamingConfig, at: datetime) -> str | None:
    """The hard gate that an entry does not pass, as a phrase; None when it passes all."""
    if seen.way == "recurring":
        if len(seen.paths) < RECURS:
            return "stands in one note only"
    elif seen.recalls < config.min_recall_count:
        times = count(seen.recalls, "time")
        return f"recalled {times}, {config.min_recall_count} are needed"
    elif seen.queries < config.min_unique_queries:
        return f"recalled by {count(seen.queries, 'question')} only"
    age = _days(seen.first, at)
    if config.max_age_days and age > config.max_age_days:
        return f"first seen {age} days ago"
    return None


def score(
    seen: Evidence, most_recalls: int, most_queries: int, config: DreamingConfig, at: datetime
) -> Candidate:
    """The score of an entry; most_*: the most of any candidate of its way, at least 1."""
    frequency = seen.recalls / most_recalls
    recency = math.exp(-_HALVED * _days(seen.last, at) / _WEEK)
    diversity = seen.queries / most_queries
    fresh = max((freshness(path, at.date()) for path in seen.paths), default=_OTHER_FILES)
    velocity = min(1.0, seen.today / seen.recalls) if seen.recalls else 0.0
    total = (
        config.weight_frequency * frequency
        + config.weight_recency * recency
        + config.weight_diversity * diversity
        + config.weight_freshness * fresh
        + config.weight_velocity * velocity
    )
    return Candidate(seen, total, frequency, recency, diversity, fresh, velocity)


def freshness(path: str, today: date) -> float:
    """How fresh the file is, by the date in a daily note's name."""
    day = note_day(path)
    if day is None:
        return _OTHER_FILES
    return min(1.0, max(0.0, 1 - (today - day).days / _FRESH_DAYS))


def _days(since: datetime, at: datetime) -> int:
    return max(0, (at - since).days)
