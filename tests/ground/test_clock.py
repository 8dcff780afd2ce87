"""Local days and typed dates (cases DAY-01, DAY-02, DAY-08)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from mnemofs import clock
from mnemofs.clock import Clock
from mnemofs.errors import ConfigError, UsageError


@pytest.mark.parametrize(
    ("case", "zone", "instant", "day"),
    [
        ("DAY-01", "Asia/Shanghai", "2026-05-01T16:30:00+00:00", date(2026, 5, 2)),
        ("DAY-02", "America/Los_Angeles", "2026-05-02T03:10:00+00:00", date(2026, 5, 1)),
        ("DAY-01", "Pacific/Kiritimati", "2026-12-31T10:00:00+00:00", date(2027, 1, 1)),
        ("DAY-02", "Pacific/Pago_Pago", "2027-01-01T10:59:00+00:00", date(2026, 12, 31)),
        ("DST", "Europe/Berlin", "2026-10-25T00:30:00+00:00", date(2026, 10, 25)),
    ],
)
def test_DAY_01_DAY_02_the_day_is_the_workspace_zones(
    case: str, zone: str, instant: str, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Europe/London")
    here = Clock(ZoneInfo(zone), lambda: datetime.fromisoformat(instant))
    assert here.today() == day, case
    assert clock.note_path(here.today()) == f"memory/{day}.md"


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-02-30.md",
        "memory/2026-13-01.md",
        "memory/notes.md",
        "memory/2026-05-09.md.bak",
        "memory/0000-01-01.md",
        "2026-05-09.md",
        "x/memory/2026-05-09.md",
    ],
)
def test_DAY_08_only_real_dates_are_notes(path: str) -> None:
    assert clock.note_day(path) is None


def test_a_note_path_and_its_day_are_inverse() -> None:
    assert clock.note_day(clock.note_path(date(2024, 2, 29))) == date(2024, 2, 29)


def test_a_bare_day_means_its_end_in_the_zone() -> None:
    zone = ZoneInfo("Asia/Tokyo")
    end = clock.parse_instant("2026-05-01", zone)
    assert end.astimezone(UTC) == datetime(2026, 5, 1, 14, 59, 59, 999999, UTC)
    assert clock.parse_instant("2026-05-01 08:00", zone).astimezone(UTC).hour == 23
    assert clock.parse_instant("2026-05-01T08:00:00Z", zone).utcoffset() is not None


@pytest.mark.parametrize("text", ["yesterdayish", "2026-02-30", "", "05/01/2026"])
def test_a_date_that_is_none_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        clock.parse_instant(text, UTC)


def test_an_unknown_zone_is_named() -> None:
    with pytest.raises(ConfigError, match="Mars/Olympus"):
        clock.load_zone("Mars/Olympus")
