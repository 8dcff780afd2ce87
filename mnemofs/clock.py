"""The one home of time: instants are aware, a day is the workspace's local day.

A note is named by the workspace zone at the moment of the call; neither `TZ` nor a model's own
idea of the date has a say (DAY-01, DAY-02, DAY-04).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from mnemofs.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_NOTE = re.compile(r"memory/(\d{4})-(\d\d)-(\d\d)\.md", re.ASCII)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)


def utc_now() -> datetime:
    """The present instant, aware, in UTC."""
    return datetime.now(UTC)


class Clock:
    """The present instant and day of one workspace.

    zone: the workspace's time zone, or its name, which is looked up when first needed (a search
    needs none). read: returns an aware instant; replaced in tests and by the demo, which lives
    through two weeks in seconds.
    """

    __slots__ = ("_read", "_zone")

    def __init__(self, zone: tzinfo | str = UTC, read: Callable[[], datetime] = utc_now) -> None:
        self._zone = zone
        self._read = read

    @property
    def zone(self) -> tzinfo:
        """The time zone. Raises ConfigError for an unknown name."""
        if isinstance(self._zone, str):
            self._zone = load_zone(self._zone)
        return self._zone

    def instant(self) -> datetime:
        """The present instant, aware, in any zone: for those who need not know the workspace's."""
        return self._read()

    def now(self) -> datetime:
        """The present instant, aware, in the workspace zone."""
        return self._read().astimezone(self.zone)

    def today(self) -> date:
        """The workspace's local date."""
        return self.now().date()

    def local(self, instant: datetime) -> datetime:
        """`instant` (aware) in the workspace zone."""
        return instant.astimezone(self.zone)


def load_zone(name: str) -> ZoneInfo:
    """The IANA zone called `name`. Raises ConfigError when there is none."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ConfigError(
            f"there is no time zone called {name!r}",
            hint='use an IANA name such as "Europe/Berlin" or "UTC" as timezone in mnemofs.toml',
        ) from error


def machine_zone_name() -> str:
    """The IANA name of this machine's zone, "UTC" when it cannot be told.

    Asked once, at `init`; afterwards mnemofs.toml decides.
    """
    candidates = [os.environ.get("TZ", "").lstrip(":")]
    try:
        candidates.append(os.path.realpath("/etc/localtime").split("zoneinfo/", 1)[1])
    except (OSError, IndexError):
        pass
    try:
        with open("/etc/timezone", encoding="ascii") as file:
            candidates.append(file.read().strip())
    except (OSError, UnicodeError):
        pass
    for name in candidates:
        if name:
            try:
                return load_zone(name).key
            except ConfigError:
                continue
    return "UTC"


def note_path(day: date) -> str:
    """The repository path of the daily note of `day`."""
    return f"memory/{day.isoformat()}.md"


def note_day(path: str) -> date | None:
    """The day of a daily note's path; None for other files and for impossible dates."""
    match = _NOTE.fullmatch(path)
    return _date(match) if match else None


def parse_day(text: str) -> date | None:
    """A calendar day written YYYY-MM-DD, else None."""
    match = _DAY.fullmatch(text.strip())
    return _date(match) if match else None


def parse_instant(text: str, zone: tzinfo) -> datetime:
    """An instant a person typed: `2026-05-01`, `2026-05-01 14:30`, ISO 8601 with or without zone.

    A bare day means its last instant in `zone` ("what did we believe on that day"). Raises
    UsageError for anything else.
    """
    day = parse_day(text)
    if day is not None:
        return datetime.combine(day, time(), zone) + timedelta(days=1, microseconds=-1)
    try:
        instant = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{text!r} is not a date or time",
            hint="write 2026-05-01, 2026-05-01 14:30 or 2026-05-01T14:30+02:00",
        ) from None
    return instant if instant.tzinfo else instant.replace(tzinfo=zone)


def _date(match: re.Match[str]) -> date | None:
    year, month, day = map(int, match.groups())
    try:
        return date(year, month, day)
    except ValueError:  # DAY-08: 2026-02-30
        return None
