"""How far a fact is trusted, and what people said about it: events in the ledger. Pure.

Trust is computed when it is asked for, from when the fact was last stated or confirmed, so neither
rebuilding nor recalling a fact makes it younger (W-21).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from mnemofs.errors import UsageError
from mnemofs.lifecycle.ledger import event, events

KIND: Final = "feedback"

# CONFIRMED: a person says that it holds today: as HELPFUL, and its age begins anew.
FeedbackKind = Literal["HELPFUL", "UNHELPFUL", "CONFIRMED"]
KINDS: Final[tuple[FeedbackKind, ...]] = ("HELPFUL", "UNHELPFUL", "CONFIRMED")

# What a fact is worth before anybody said anything about it, by the trust of its commit.
BASE: Final[Mapping[str, float]] = {"user": 0.8, "agent": 0.5, "web": 0.3}
_UP: Final = 0.1
_DOWN: Final = 0.2
_DAY: Final = 86400.0


class Feedback(NamedTuple):
    """One thing that was said about the fact (or entry) `about`."""

    id: str
    about: str
    kind: str
    time: datetime


def decayed(trust: float, days: float, half_life: float) -> float:
    """`trust` · 2^(−days / half_life), within 0 and 1; no half-life (0) means no decay.

    Days in the future, from a clock that was wrong, count as none (OWN-09).
    """
    trust = min(max(trust, 0.0), 1.0)
    if half_life <= 0 or days <= 0:
        return trust
    return trust * float(2.0 ** (-days / half_life))


def rated(base: float, helpful: int, unhelpful: int) -> float:
    """`base` with what people said: +0.1 for each HELPFUL, −0.2 for each UNHELPFUL."""
    return min(max(base + _UP * helpful - _DOWN * unhelpful, 0.0), 1.0)


def age_in_days(since: datetime | None, now: datetime) -> float:
    """Days since then; 0 when it is not known or lies in the future."""
    return max((now - since).total_seconds() / _DAY, 0.0) if since else 0.0


def checked_kind(kind: str) -> FeedbackKind:
    """The kind in its usual spelling. Raises UsageError."""
    wanted = kind.strip().upper()
    for known in KINDS:
        if known == wanted:
            return known
    raise UsageError(f"{kind!r} is no feedback", hint="use HELPFUL, UNHELPFUL or CONFIRMED")


def feedback_event(
    about: str, kind: FeedbackKind, at: datetime, owner: str, *, nonce: str
) -> dict[str, Any]:
    """The event for the ledger: the id only, never the text. nonce: another one each time, since
    equal lines are one line, and one event after a union."""
    return event(KIND, at, {"fact": about, "feedback": kind, "owner": owner, "nonce": nonce})


def read_feedback(data: bytes) -> Iterator[Feedback]:
    """The feedback in a ledger file; events that make no sense are passed over."""
    if f'"{KIND}"'.encode() not in data:
        return
    for happened in events(data, KIND):
        try:
            time = datetime.fromisoformat(str(happened["time"]))
            kind = checked_kind(str(happened["feedback"]))
            one = Feedback(str(happened["id"]), str(happened["fact"]), kind, time)
        except (KeyError, ValueError, UsageError):
            continue
        if time.tzinfo is not None:
            yield one


class Tally(NamedTuple):
    """What was said about one fact. confirmed: when it was last confirmed."""

    helpful: int = 0
    unhelpful: int = 0
    confirmed: datetime | None = None


def tally(said: Iterable[Feedback]) -> dict[str, Tally]:
    """The feedback by fact; an event that stands in two ledgers counts once."""
    found: dict[str, Tally] = {}
    for one in {each.id: each for each in said}.values():
        before = found.get(one.about, Tally())
        if one.kind == "UNHELPFUL":
            found[one.about] = before._replace(unhelpful=before.unhelpful + 1)
            continue
        confirmed = before.confirmed
        if one.kind == "CONFIRMED" and (confirmed is None or confirmed < one.time):
            confirmed = one.time
        found[one.about] = Tally(before.helpful + 1, before.unhelpful, confirmed)
    return found
