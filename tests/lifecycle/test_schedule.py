"""When jobs are due: zones, clock changes, downtime. No process, no file."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import ConfigError
from mnemofs.lifecycle.upkeep.schedule import (
    Last,
    Rule,
    believable,
    instant_of,
    latest_slot,
    plan_runs,
    slots_after,
)

NIGHTLY = "0 3 * * *"
RULES = (Rule("dream", NIGHTLY),)
HELSINKI = ZoneInfo("Europe/Helsinki")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class Life:
    """Plans every few minutes and runs what is due at once."""

    def __init__(self, zone: ZoneInfo, begin: datetime, cron: str = NIGHTLY) -> None:
        self.zone, self.rules, self.now = zone, (Rule("dream", cron),), begin
        self.last = Last(begin)
        self.ran: list[datetime] = []
        self.caught_up: list[int] = []

    def live(self, until: datetime, step: timedelta = timedelta(minutes=7)) -> None:
        while self.now < until:
            self.tick()
            self.now += step

    def tick(self) -> None:
        self.last = believable(self.last, self.now)
        plan = plan_runs(self.now, {"dream": self.last}, self.rules, self.zone)
        for due in plan.due:
            self.ran.append(due.slot)
            self.caught_up.append(due.missed)
            self.last = Last(self.last.since, due.slot, 1, "updated", self.now, self.now)

    @property
    def next(self) -> datetime | None:
        return plan_runs(self.now, {"dream": self.last}, self.rules, self.zone).next["dream"]


def test_DAY_06_a_time_that_does_not_exist_is_the_end_of_the_gap() -> None:
    life = Life(HELSINKI, at("2026-03-27T22:00"))
    life.live(at("2026-03-30T20:00"))
    assert [int(slot.timestamp()) for slot in life.ran] == [
        int(at("2026-03-28T01:00").timestamp()),
        1774746000,
        int(at("2026-03-30T00:00").timestamp()),
    ]


def test_DAY_07_a_time_that_happens_twice_is_its_first() -> None:
    life = Life(HELSINKI, at("2026-10-23T22:00"))
    life.live(at("2026-10-26T20:00"))
    assert [int(slot.timestamp()) for slot in life.ran] == [
        int(at("2026-10-24T00:00").timestamp()),
        1792886400,
        int(at("2026-10-26T01:00").timestamp()),
    ]


@pytest.mark.parametrize(
    ("zone", "nominal", "instant"),
    [
        ("Europe/Helsinki", "2026-03-29T03:00", "2026-03-29T01:00"),
        ("Europe/Helsinki", "2026-03-29T03:59", "2026-03-29T01:00"),
        ("Europe/Helsinki", "2026-03-29T04:00", "2026-03-29T01:00"),
        ("Europe/Helsinki", "2026-10-25T03:30", "2026-10-25T00:30"),
        ("America/New_York", "2026-03-08T02:30", "2026-03-08T07:00"),
        ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30"),
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30"),
        ("Africa/Casablanca", "2026-03-22T02:30", "2026-03-22T02:00"),
        ("America/Sao_Paulo", "2018-11-04T00:00", "2018-11-04T03:00"),
        ("Asia/Shanghai", "2026-05-01T03:00", "2026-04-30T19:00"),
    ],
)
def test_a_local_time_is_one_instant(zone: str, nominal: str, instant: str) -> None:
    assert instant_of(datetime.fromisoformat(nominal), ZoneInfo(zone)) == at(instant)


def test_a_whole_day_that_does_not_exist_is_made_up_for() -> None:
    # Samoa had no 30 December 2011.
    found = instant_of(datetime(2011, 12, 30, 3), ZoneInfo("Pacific/Apia"))
    assert found == at("2011-12-30T10:00")


@pytest.mark.parametrize(
    ("zone", "cron", "begin", "days"),
    [
        ("Pacific/Apia", "0 3 * * *", "2011-12-27T20:00", [28, 29, 31, 1, 2]),
        ("Pacific/Apia", "30 0 30 * *", "2011-11-28T20:00", [30, 31, 30]),
        ("Pacific/Kwajalein", "0 0 * * *", "1993-08-20T00:00", [20, 22, 23]),
        ("Asia/Pyongyang", "45 23 * * *", "2018-05-03T00:00", [3, 5, 5, 6]),
        ("Antarctica/Troll", "30 2 * * *", "2026-03-28T00:00", [28, 29, 30]),
        ("Africa/Casablanca", "30 2 * * *", "2026-03-20T12:00", [21, 22, 23]),
    ],
)
def test_DAY_06_a_date_left_out_has_no_run_beside_that_of_the_next(
    zone: str, cron: str, begin: str, days: list[int]
) -> None:
    place = ZoneInfo(zone)
    found = islice(slots_after(cron, place, at(begin)), len(days))
    slots = list(found)
    assert [slot.astimezone(place).day for slot in slots] == days
    for slot in slots:
        assert latest_slot(cron, place, slot + timedelta(seconds=59)) == slot


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(
        ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham",
         "America/St_Johns", "Asia/Kathmandu", "UTC"]
    ),
    st.integers(0, 23),
    st.sampled_from([0, 15, 30, 59]),
    st.dates(date(2024, 1, 1), date(2027, 12, 1)),
)  # fmt: skip
def test_every_local_date_has_exactly_one_run(
    zone: str, hour: int, minute: int, begin: date
) -> None:
    place, cron = ZoneInfo(zone), f"{minute} {hour} * * *"
    start = datetime(begin.year, begin.month, begin.day, 12, tzinfo=UTC)
    slots = islice(slots_after(cron, place, start), 200)
    found = [slot.astimezone(place).date() for slot in slots]
    assert found == [found[0] + timedelta(days=number) for number in range(200)]


def test_DAY_10_ten_missed_nights_are_one_run() -> None:
    life = Life(ZoneInfo("Europe/Berlin"), at("2026-04-30T12:00"))
    life.live(at("2026-05-01T12:00"))
    assert len(life.ran) == 1
    life.now = at("2026-05-11T07:00")
    for _ in range(5):  # restarts
        life.tick()
    assert len(life.ran) == 2 and life.caught_up[-1] == 9
    assert life.next == at("2026-05-12T01:00")


def test_a_new_memory_waits_for_its_first_night() -> None:
    plan = plan_runs(at("2026-05-01T12:00"), {}, RULES, UTC)
    assert plan.due == () and plan.next["dream"] == at("2026-05-02T03:00")


@pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(hours=20), timedelta(days=400)])
def test_a_clock_set_back_runs_nothing_twice_and_does_not_stop(back: timedelta) -> None:
    life = Life(ZoneInfo("UTC"), at("2026-05-01T12:00"))
    life.live(at("2026-05-03T12:00"))
    assert len(life.ran) == 2
    life.now -= back
    life.tick()
    assert len(life.ran) == 2
    life.live(life.now + timedelta(days=2, hours=1))
    dates = [slot.date() for slot in life.ran]
    assert len(dates) == len(set(dates))
    assert len(dates) >= 3


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ("Europe/Helsinki", "America/Los_Angeles", ["2026-05-02T10:00", "2026-05-03T10:00"]),
        ("America/Los_Angeles", "Asia/Tokyo", ["2026-05-02T18:00", "2026-05-03T18:00"]),
    ],
)
def test_another_zone_changes_the_next_run_and_repeats_none(
    old: str, new: str, runs: list[str]
) -> None:
    life = Life(ZoneInfo(old), at("2026-04-30T12:00"))
    life.live(at("2026-05-01T14:00"))
    before = len(life.ran)
    assert before == 1
    life.zone = ZoneInfo(new)
    life.live(at("2026-05-03T20:00"))
    dates = [slot.astimezone(life.zone).date() for slot in life.ran]
    assert len(dates) == len(set(dates))
    assert life.ran[-2:] == [at(text) for text in runs]


def test_a_run_that_failed_is_tried_three_times_and_then_tomorrow() -> None:
    begin = at("2026-05-01T12:00")
    last, now, tries = Last(begin), begin, []
    while now < at("2026-05-03T12:00"):
        plan = plan_runs(now, {"dream": last}, RULES, UTC)
        for due in plan.due:
            tries.append(f"{now:%d %H:%M}")
            last = Last(begin, due.slot, due.attempt, "failed", now, now)
        now += timedelta(minutes=5)
    assert tries == ["02 03:00", "02 03:10", "02 03:40", "03 03:00", "03 03:10", "03 03:40"]


def test_the_half_hourly_job_runs_once_after_a_pause_and_once_an_hour_that_happens_twice() -> None:
    life = Life(HELSINKI, at("2026-10-24T23:50"), "*/30 * * * *")
    life.live(at("2026-10-25T02:35"))
    assert [f"{slot:%H:%M}" for slot in life.ran] == ["00:00", "00:30", "02:00", "02:30"]
    life.now = at("2026-10-26T12:10")
    life.tick()
    assert f"{life.ran[-1]:%d %H:%M}" == "26 12:00" and len(life.ran) == 5


@pytest.mark.parametrize(
    "cron", ["0 3 * *", "@daily", "61 * * * *", "", "0 0 3 * * ?", "0 3 * * * *"]
)
def test_a_rule_that_is_none_says_what_one_is(cron: str) -> None:
    with pytest.raises(ConfigError, match="five cron fields"):
        plan_runs(at("2026-05-01T12:00"), {}, (Rule("dream", cron),), UTC)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["Europe/Helsinki", "America/New_York", "UTC", "Australia/Lord_Howe"]),
    st.sampled_from(["0 3 * * *", "*/30 * * * *", "30 1 * * 1-5", "0 0 1 * *"]),
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31)),
)
def test_the_latest_slot_and_the_next_have_none_between(
    zone: str, cron: str, moment: datetime
) -> None:
    place, now = ZoneInfo(zone), moment.replace(tzinfo=UTC)
    latest = latest_slot(cron, place, now)
    assert latest is not None and latest <= now
    following = next(slots_after(cron, place, latest))
    assert following > now
    assert next(slots_after(cron, place, now)) == following
