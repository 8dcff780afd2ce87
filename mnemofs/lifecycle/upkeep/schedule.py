"""When a job is due. Pure: the present, the last runs and the rules in; what is due, and when next.

A rule is five cron fields in the workspace's zone. Where the zone's clock jumps (DESIGN §15), a
time that does not exist is the end of the gap, one that happens twice is its first (DAY-06,
DAY-07). A slot is an instant, so a rule runs once for each local time it names, whatever happens to
clocks and zones. What was missed while nothing ran is caught up by one run (DAY-10).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice, takewhile
from typing import NamedTuple

from cronsim import CronSim, CronSimError

from mnemofs.errors import ConfigError

MOST_TRIES = 3
_PAUSES = (timedelta(minutes=10), timedelta(minutes=30))
# No zone's clock jumps by more than this.
_JUMP = timedelta(hours=3)
# A last run further ahead than this was made by a clock that was wrong.
_AHEAD = timedelta(days=1)
_MOST_MISSED = 1000


class Rule(NamedTuple):
    """A job and the times it is for."""

    job: str
    cron: str


class Last(NamedTuple):
    """The last run of a job. slot: the time it was for, None before the first; since: when the job
    was first heard of. status: "", "running", "failed", or how it ended."""

    since: datetime
    slot: datetime | None = None
    tries: int = 0
    status: str = ""
    started: datetime | None = None
    finished: datetime | None = None
    reason: str = ""
    commit: str = ""


class Due(NamedTuple):
    """A run to make now, for `slot`. missed: how many earlier slots it stands for. attempt: 1 for
    the first try."""

    job: str
    slot: datetime
    missed: int = 0
    attempt: int = 1


class Plan(NamedTuple):
    """due: in the order of the rules. next: when each job is due after that, None for never."""

    due: tuple[Due, ...]
    next: Mapping[str, datetime | None]


def plan_runs(
    now: datetime, lasts: Mapping[str, Last], rules: Sequence[Rule], zone: tzinfo
) -> Plan:
    """What is due at `now` (aware), and what is next. A job without a last run begins with its next
    slot. Raises ConfigError for a rule that is none."""
    due: list[Due] = []
    upcoming: dict[str, datetime | None] = {}
    for rule in rules:
        last = lasts.get(rule.job) or Last(now)
        base = last.slot or last.since
        latest = latest_slot(rule.cron, zone, now)
        retry = _retry(last)
        if latest is not None and latest > base:
            between = islice(slots_after(rule.cron, zone, base), _MOST_MISSED)
            missed = sum(1 for _ in takewhile(latest.__gt__, between))
            due.append(Due(rule.job, latest, missed if last.slot else 0))
            retry = None
        elif retry is not None and retry <= now and last.slot is not None:
            due.append(Due(rule.job, last.slot, 0, last.tries + 1))
            retry = None
        regular = next(slots_after(rule.cron, zone, max(now, base)), None)
        upcoming[rule.job] = min(filter(None, (retry, regular)), default=None)
    return Plan(tuple(due), upcoming)


def believable(last: Last, now: datetime) -> Last:
    """The last run, or a new beginning when it was made by a clock that was far ahead."""
    return Last(now) if (last.slot or last.since) > now + _AHEAD else last


def _retry(last: Last) -> datetime | None:
    """When a run that failed is tried again; None when it is not."""
    if last.status != "failed" or last.finished is None or not 0 < last.tries < MOST_TRIES:
        return None
    return last.finished + _PAUSES[min(last.tries, len(_PAUSES)) - 1]


def latest_slot(cron: str, zone: tzinfo, now: datetime) -> datetime | None:
    """The newest slot that is not after `now`, in UTC."""
    local = now.astimezone(zone)
    before = (now - _JUMP).astimezone(zone)
    # In an hour that happens twice, its first pass has slots that the second has yet to name.
    back = max(timedelta(0), (before.utcoffset() or _NONE) - (local.utcoffset() or _NONE))
    start = local.replace(tzinfo=None, second=0, microsecond=0) + back + timedelta(minutes=1)
    for nominal in _nominal(cron, start, reverse=True):
        instant = instant_of(nominal, zone)
        if instant <= now and not _doubled(cron, nominal, instant, zone):
            return instant
    return None


def slots_after(cron: str, zone: tzinfo, moment: datetime) -> Iterator[datetime]:
    """The slots after `moment`, in UTC, each once."""
    previous = moment
    start = moment.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0)
    for nominal in _nominal(cron, start - timedelta(minutes=1)):
        instant = instant_of(nominal, zone)
        if instant > previous and not _doubled(cron, nominal, instant, zone):
            yield instant
            previous = instant


def instant_of(nominal: datetime, zone: tzinfo) -> datetime:
    """The instant of a local time without zone: the first of two, the end of the gap for none."""
    first, second = (nominal.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    instant = first.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == nominal:
        return instant
    before, after = first.utcoffset() or _NONE, second.utcoffset() or _NONE
    low = int((nominal.replace(tzinfo=UTC) - after).timestamp())
    high = int(instant.timestamp())
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return datetime.fromtimestamp(high, UTC)


def _doubled(cron: str, nominal: datetime, instant: datetime, zone: tzinfo) -> bool:
    """Whether a local time belongs to a date that a zone left out, as Samoa did 2011-12-30, while
    the rule has a time of its own on the date after it: one run for each local date (DAY-06)."""
    date = instant.astimezone(zone).date()
    if date == nominal.date() or instant_of(nominal.replace(hour=0, minute=0), zone) != instant:
        return False
    return any(later.date() == date for later in islice(_nominal(cron, nominal), 1))


def check_cron(cron: str) -> None:
    """Raises ConfigError for what is no rule."""
    try:
        if len(cron.split()) != 5:  # with a sixth, the first would be seconds
            raise CronSimError("Wrong number of fields")
        CronSim(cron, datetime(2000, 1, 1))  # noqa: DTZ001 (local times have no zone here)
    except CronSimError as error:
        raise ConfigError(
            f"the schedule {cron!r} is not five cron fields: {error}",
            hint='minute, hour, day of month, month, day of week, as in "0 3 * * *"',
        ) from None


def _nominal(cron: str, start: datetime, *, reverse: bool = False) -> Iterator[datetime]:
    """Local times of a rule after (or before) `start`, all without zone."""
    check_cron(cron)
    yield from CronSim(cron, start, reverse=reverse)


_NONE = timedelta(0)
