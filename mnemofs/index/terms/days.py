"""The days that a question speaks of: "8. Mai", "上周五", "two weeks ago", "2026-05".

A day is written in many ways and languages, while the index writes it in one (`projection`), so a
question's own words for it find little. Here they are read as the days they mean. Pure.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache

from mnemofs.index.terms import day_words as said
from mnemofs.records import Record

# A time that takes more phrases than this to tell is none that anybody looks for.
_MOST_YEARS = 60
# FTS5 takes it for the stem of "may".
_ALIKE = {"mai"}
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_CJK_DIGITS = "一二三四五六七八九十"
_MONTH_OF = {name: place for place, names in enumerate(said.MONTHS, 1) for name in names}
_NUMBER_OF = {name: place for place, names in enumerate(said.NUMBERS, 1) for name in names}
_WEEKDAY_OF = {name: place for place, names in enumerate(said.WEEKDAYS) for name in names}
_UNIT_OF = {
    name: unit
    for table in (said.UNITS, said.UNITS_CJK)
    for unit, names in table.items()
    for name in names
}
_FIXED = {**said.FIXED, **said.FIXED_CJK}
_BEFORE = {**said.BEFORE, **said.BEFORE_CJK}


class Days(Record):
    """What a question says of time, and where it says so.

    start, end: of the words in the folded question. first, last: the days that are meant, None when
    no year is told. month, day: what is told without a year, 0 for unsaid. relative: it counts from
    the day on which it is asked. past: and lies before that day.
    """

    start: int
    end: int
    first: date | None = None
    last: date | None = None
    month: int = 0
    day: int = 0
    relative: bool = False
    past: bool = False


def spoken_of(folded: str, today: Callable[[], date] | None = None) -> tuple[Days, ...]:
    """The times that a folded question (`text.fold`) speaks of, in its order, none within another.

    today: the day on which it is asked; without it "yesterday" is no time.
    """
    found = list(_absolute(folded))
    if today is not None:
        found += _relative(folded, today)
    chosen: list[Days] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not chosen or one.start >= chosen[-1].end:
            chosen.append(one)
    return tuple(chosen)


def expression(days: Days) -> str:
    """What holds them, as an FTS5 expression over `head` (a chunk's own day) and `body` (days that
    a text names)."""
    if days.first is None or days.last is None:
        return _named(days.month, days.day, None)
    whole = None if days.relative else _unit(days.first, days.last)
    if whole is not None:
        return _named(*whole, days.first.year)
    return f"head : ({' OR '.join(_cover(days.first, days.last))})"


def _named(month: int, day: int, year: int | None) -> str:
    """A day or a month as the index writes it and as texts of several languages do."""
    days, years = [str(day)] if day else [], [str(year)] if year else []
    head = [*days, said.MONTHS[month - 1][0], *years]
    bodies = [[*years, *(["年"] if year else []), str(month), "月", *days]]
    for name in said.MONTHS[month - 1]:
        if days or years:
            bodies.append([*days, name, *years])
            bodies.append([*days, "de", name] if days else [name, "de", *years])
            bodies.append([name, *days] if days else [name, *years])
        elif name not in said.DOUBTFUL | _ALIKE:
            bodies.append([name])
        else:
            bodies += [[word, name] for word in said.WITHIN if word not in said.BEFORE]
    for name in said.MONTHS[month - 1][:2] if day else ():
        ordinal = f"{day}{_ORDINALS.get(day if day < 21 else day % 10, 'th')}"
        bodies += [[name, ordinal], [ordinal, name], [ordinal, "of", name]]
    if year:
        bodies.append([str(year), f"{month:02}", *([f"{day:02}"] if day else [])])
    if year and day:
        bodies += [[f"{day:02}", f"{month:02}", str(year)], [str(day), str(month), str(year)]]
    elsewhere = " OR ".join(dict.fromkeys(map(_phrase, bodies)))
    return f"(head : {_phrase(head)} OR body : ({elsewhere}))"


def _phrase(words: list[str]) -> str:
    return " + ".join(f'"{word}"' for word in words)


def _cover(first: date, last: date) -> Iterator[str]:
    """Phrases of ISO dates that begin the days from `first` to `last`: years, months or days."""
    day = first
    while day <= last:
        year_end = date(day.year, 12, 31)
        month_end = day.replace(day=monthrange(day.year, day.month)[1])
        if day == date(day.year, 1, 1) and year_end <= last:
            yield _phrase([str(day.year)])
            day = year_end
        elif day.day == 1 and month_end <= last:
            yield _phrase([str(day.year), f"{day.month:02}"])
            day = month_end
        else:
            yield _phrase(day.isoformat().split("-"))
        if day == date.max:
            return
        day += timedelta(1)


def _unit(first: date, last: date) -> tuple[int, int] | None:
    """(month, day) when it is one day, (month, 0) when it is one month."""
    if first == last:
        return first.month, first.day
    if first.day == 1 and last == first.replace(day=monthrange(first.year, first.month)[1]):
        return first.month, 0
    return None


def _absolute(text: str) -> Iterator[Days]:
    for pattern in _patterns():
        for match in pattern.finditer(text):
            parts = match.groupdict()
            found = _told(
                match.span(),
                _number(parts.get("year") or ""),
                _number(parts.get("month") or "") or _MONTH_OF.get(parts.get("month") or "", 0),
                _number(parts.get("day") or ""),
            )
            if found is not None:
                yield found


def _told(span: tuple[int, int], year: int, month: int, day: int) -> Days | None:
    """None for a date that does not exist."""
    if not 1 <= month <= 12 or day > monthrange(year or 2000, month)[1]:
        return None
    if not year:
        return Days(*span, month=month, day=day)
    first = date(year, month, day or 1)
    return Days(*span, first, first if day else first.replace(day=monthrange(year, month)[1]))


def _number(text: str) -> int:
    """A number in figures or words, 0 for none."""
    if text.isdecimal():
        return int(text)
    if text in _NUMBER_OF:
        return _NUMBER_OF[text]
    tens, ten, ones = text.partition("十")
    if ten and all(part == "" or part in _NUMBER_OF for part in (tens, ones)):
        return 10 * _NUMBER_OF.get(tens, 1) + _NUMBER_OF.get(ones, 0)
    return 0


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Ways to tell a date, the more telling first."""
    month = rf"(?P<month>{_any_of(_MONTH_OF)})"
    clear = rf"(?P<month>{_any_of(set(_MONTH_OF) - said.DOUBTFUL)})"
    day, year = r"(?P<day>\d{1,2})", r"(?P<year>(?:19|20)\d\d)"
    of = r"(?:of |de |del |d'|,)? ?"
    cjk = rf"\d{{1,2}}|[{_CJK_DIGITS}]{{1,3}}"
    cjk_day = rf"(?:の?\s*(?P<day>{cjk})\s*[日号號])"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"(?<![\d.]){year}([-/])(?P<month>\d{{1,2}})\2{day}(?![\d.]\d|\d)",
            rf"(?<![\d.-]){year}-(?P<month>\d\d)(?![\d-])",
            rf"(?<![\d.])(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{year}(?!\d)",
            rf"(?<!\d){year}\s*年\s*の?(?P<month>{cjk})\s*月份?{cjk_day}?",
            rf"(?<![\d{_CJK_DIGITS}几何每])(?P<month>{cjk})\s*月份?(?![曜球亮饼]){cjk_day}?",
            rf"(?<![\w.]){day}(?:st|nd|rd|th|er|º|\.)? ?{of}{month}\b\.?(?: ?{of}{year}\b)?",
            rf"\b{month}\.? {day}(?:st|nd|rd|th)?\b(?![:.]\d)(?:,? {year}\b)?",
            rf"\b{month} {of}{year}\b",
            rf"\b(?:{_any_of(said.WITHIN)}) {month}\b",
            rf"\b{clear}\b",
        )
    )


def _relative(text: str, today: Callable[[], date]) -> Iterator[Days]:
    for pattern in (*_counted(), *(() if text.isascii() else _counted_cjk())):
        for match in pattern.finditer(text):
            parts = {name: word for name, word in match.groupdict().items() if word}
            now = today()
            meant = _meant(parts, now)
            if meant is not None and meant[1].year - meant[0].year <= _MOST_YEARS:
                yield Days(*match.span(), *meant, relative=True, past=meant[1] < now)


def _meant(parts: dict[str, str], today: date) -> tuple[date, date] | None:
    """The days that words mean, None when they reach beyond the calendar."""
    try:
        unit, step = _FIXED[parts["fixed"]] if "fixed" in parts else ("", 0)
        step = _BEFORE[parts["before"]] if "before" in parts else step
        step = said.BEHIND[parts["behind"]] if "behind" in parts else step
        unit = _UNIT_OF[parts["unit"]] if "unit" in parts else unit
        if "in_week" in parts:
            day = _span(said.WEEK, step, today)[0] + timedelta(_WEEKDAY_OF[parts["in_week"]])
            return day, day
        if "weekday" in parts:
            day = _weekday(_WEEKDAY_OF[parts["weekday"]], step, today)
            return day, day
        if "ago" in parts:
            return _span(unit, -_number(parts["ago"]), today)
        if "lately" in parts:
            count = _number(parts["lately"])
            first = today - timedelta(count) if unit == said.DAY else _back(unit, count, today)
            return first, today
        return _span(unit, step, today)
    except (OverflowError, ValueError):
        return None


def _back(unit: str, count: int, today: date) -> date:
    """The day so many weeks, months or years before today."""
    if unit in {said.WEEK, said.WEEKEND}:
        return today - timedelta(7 * count)
    first, last = _span(unit, -count, today)
    if unit == said.YEAR:
        first, last = _span(said.MONTH, -12 * count, today)
    return min(first.replace(day=1) + timedelta(today.day - 1), last)


def _span(unit: str, step: int, today: date) -> tuple[date, date]:
    """The unit that lies `step` of its kind from the one of today, whole."""
    if unit == said.DAY:
        day = today + timedelta(step)
        return day, day
    if unit in {said.WEEK, said.WEEKEND}:
        monday = today + timedelta(7 * step - today.weekday())
        return monday + timedelta(5 if unit == said.WEEKEND else 0), monday + timedelta(6)
    if unit == said.YEAR:
        return date(today.year + step, 1, 1), date(today.year + step, 12, 31)
    months = 12 * today.year + today.month - 1 + step
    year, month = divmod(months, 12)
    return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])


def _weekday(weekday: int, step: int, today: date) -> date:
    """The one of this week, or the nearest before or after today."""
    ahead = weekday - today.weekday()
    if step < 0:
        ahead -= 7 if ahead >= 0 else 0
    elif step > 0:
        ahead += 7 if ahead <= 0 else 0
    return today + timedelta(ahead)


def _any_of(words: Iterable[str]) -> str:
    """A pattern for the longest of some words."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _every(table: Mapping[str, Iterable[str]]) -> str:
    return _any_of(word for words in table.values() for word in words)


@cache
def _counted() -> tuple[re.Pattern[str], ...]:
    """Ways to count from today where words stand apart."""
    unit = rf"(?P<unit>{_every(said.UNITS)})"
    weekday = rf"(?P<weekday>{_any_of(name for name in _WEEKDAY_OF if len(name) > 1)})"
    before, behind = rf"(?P<before>{_any_of(said.BEFORE)})", rf"(?P<behind>{_any_of(said.BEHIND)})"
    n = rf"\d{{1,3}}|{_any_of(name for name in _NUMBER_OF if name[0] not in _CJK_DIGITS)}"
    ago, lately = rf"(?P<ago>{n})", rf"(?P<lately>{n})"
    recent = r"(?:last|past|previous|letzten|vergangenen|últim[oa]s)"
    return tuple(
        re.compile(rf"(?<!\w){way}(?!\w)")
        for way in (
            rf"(?P<fixed>{_any_of(said.FIXED)})",
            *(rf"{before} {what}" for what in (unit, weekday)),
            *(rf"{what} {behind}" for what in (unit, weekday)),
            *(rf"{ago} {unit} ago", rf"(?:vor|hace|il y a) {ago} {unit}"),
            *(rf"{recent} {lately} {unit}", rf"{lately} derni(?:er|ère)s {unit}"),
        )
    )


@cache
def _counted_cjk() -> tuple[re.Pattern[str], ...]:
    """The same in Chinese and Japanese."""
    unit = rf"(?P<unit>{_every(said.UNITS_CJK)})"
    before = rf"(?P<before>{_any_of(said.BEFORE_CJK)})"
    n = rf"\d{{1,3}}|[{_CJK_DIGITS}两兩]{{1,3}}"
    return tuple(
        re.compile(way)
        for way in (
            r"(?P<fixed>[今先来]週|先々週)の?(?P<in_week>[月火水木金土日])曜日?",
            rf"{before}(?:周|週|星期|礼拜|禮拜)(?P<in_week>[一二三四五六日天])",
            rf"(?P<fixed>{_any_of(said.FIXED_CJK)})",
            rf"{before}{unit}",
            rf"(?<![\d{_CJK_DIGITS}])(?P<ago>{n})\s*{unit}(?:之前|以前|前)",
            rf"(?:最近|过去|過去|近|この)\s*(?P<lately>{n})\s*{unit}",
        )
    )
