"""Times in questions: what is read as one, in six languages, and what is not."""

from __future__ import annotations

import itertools
import sqlite3
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.index.terms.day_words import may_speak_of_time
from mnemofs.index.terms.days import Days, expression, spoken_of
from mnemofs.index.terms.text import fold, spaced, words

TUESDAY = date(2026, 12, 1)


def read(question: str, today: date = TUESDAY) -> list[str]:
    """What is read: "first..last", or "--05-08" for a day and "--05" for a month of any year."""
    folded = fold(question)
    return [_written(one) for one in spoken_of(folded, lambda: today)]


def _written(one: Days) -> str:
    if one.first is None or one.last is None:
        return f"--{one.month:02}" + (f"-{one.day:02}" if one.day else "")
    return f"{one.first}" if one.first == one.last else f"{one.first}..{one.last}"


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What did we decide on 8 May 2026?", "2026-05-08"),
        ("what happened on May 8th", "--05-08"),
        ("May 3, 2023 meeting", "2023-05-03"),
        ("the 2nd of March 2025", "2025-03-02"),
        ("What did we believe in May?", "--05"),
        ("plans for September 2026", "2026-09-01..2026-09-30"),
        ("Was haben wir am 8. Mai beschlossen?", "--05-08"),
        ("Sitzung am 08.05.2026", "2026-05-08"),
        ("Welche Pläne gab es im März?", "--03"),
        ("¿Qué pasó el 8 de mayo de 2026?", "2026-05-08"),
        ("¿Qué hicimos en febrero?", "--02"),
        ("le 1er mai 2026", "2026-05-01"),
        ("5月8日我们决定了什么", "--05-08"),
        ("２０２６年５月我们发布了什么", "2026-05-01..2026-05-31"),
        ("十二月二十五日谁来了", "--12-25"),
        ("2024年2月29日の会議", "2024-02-29"),
        ("notes of 2026-05-08", "2026-05-08"),
        ("2026/5/8", "2026-05-08"),
        ("what was planned in 2026-05?", "2026-05-01..2026-05-31"),
    ],
)
def test_a_date_is_read(question: str, meant: str) -> None:
    assert read(question) == [meant]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("yesterday's meeting", "2026-11-30"),
        ("the day before yesterday", "2026-11-29"),
        ("what did we do last week", "2026-11-23..2026-11-29"),
        ("two weeks ago", "2026-11-16..2026-11-22"),
        ("in the last 10 days", "2026-11-21..2026-12-01"),
        ("last Friday", "2026-11-27"),
        ("last Tuesday", "2026-11-24"),
        ("this month", "2026-12-01..2026-12-31"),
        ("last year", "2025-01-01..2025-12-31"),
        ("last weekend", "2026-11-28..2026-11-29"),
        ("Was war gestern?", "2026-11-30"),
        ("letzte Woche", "2026-11-23..2026-11-29"),
        ("vor zwei Tagen", "2026-11-29"),
        ("am letzten Freitag", "2026-11-27"),
        ("in den letzten 3 Tagen", "2026-11-28..2026-12-01"),
        ("la semana pasada", "2026-11-23..2026-11-29"),
        ("hace dos meses", "2026-10-01..2026-10-31"),
        ("el viernes pasado", "2026-11-27"),
        ("il y a trois jours", "2026-11-28"),
        ("la semaine dernière", "2026-11-23..2026-11-29"),
        ("昨天我们做了什么？", "2026-11-30"),
        ("大前天", "2026-11-28"),
        ("上周五谁来了", "2026-11-27"),
        ("上上周", "2026-11-16..2026-11-22"),
        ("上个月花了多少钱", "2026-11-01..2026-11-30"),
        ("两天前", "2026-11-29"),
        ("三个月前", "2026-09-01..2026-09-30"),
        ("最近三天", "2026-11-28..2026-12-01"),
        ("先週の金曜日に何があった", "2026-11-27"),
        ("一昨日", "2026-11-29"),
        ("3ヶ月前に何をした", "2026-09-01..2026-09-30"),
    ],
)
def test_a_time_counted_from_today_is_read(question: str, meant: str) -> None:
    assert read(question) == [meant]
    assert spoken_of(fold(question)) == ()


@pytest.mark.parametrize(
    "question",
    [
        "what may I eat",
        "march of the penguins",
        "Python 3.11.7",
        "version 2026.05.1",
        "三个月的预算",
        "每月的费用",
        "月曜日",
        "上海在哪里",
        "本书的作者",
        "一百天前",
        "wer arbeitet hier?",
        "guten Morgen",
        "in a year",
        "an hour ago",
        "CVE-2026-0508",
        "CVE-2026-05",
        "the last 300 years",
        "zero days ago",
        "seven of nine",
        "35.13.2026",
    ],
)
def test_what_is_no_time_is_left(question: str) -> None:
    assert read(question) == []


def test_calendars_have_edges() -> None:
    assert read("last month", date(2026, 1, 31)) == ["2025-12-01..2025-12-31"]
    assert read("two months ago", date(2024, 4, 30)) == ["2024-02-01..2024-02-29"]
    assert read("last 2 months", date(2026, 4, 30)) == ["2026-02-28..2026-04-30"]
    assert read("上周日", date(2026, 11, 29)) == ["2026-11-22"]
    assert read("last Sunday", date(2026, 11, 29)) == ["2026-11-22"]
    assert read("letzte Woche", date(2026, 1, 1)) == ["2025-12-22..2025-12-28"]
    assert read("three years ago", date(2, 1, 1)) == []
    assert read("2023-02-29") == []
    assert read("30. Februar") == ["--02"]


def test_two_times_are_two() -> None:
    assert read("between 8 May 2026 and 10 May 2026") == ["2026-05-08", "2026-05-10"]
    assert read("昨天和5月8日") == ["2026-11-30", "--05-08"]


def found(question: str, head: str, body: str = "") -> bool:
    """Whether a chunk of this head and body is of the time that the question speaks of."""
    database = sqlite3.connect(":memory:")
    tokenizer = "porter unicode61 remove_diacritics 2"
    database.execute(
        f"create virtual table f using fts5(body, ctx, head, sym, tokenize='{tokenizer}')"
    )
    database.execute("insert into f values(?, '', ?, '')", (spaced(fold(body)), head))
    (one,) = spoken_of(fold(question), lambda: TUESDAY)
    return bool(database.execute("select 1 from f where f match ?", (expression(one),)).fetchall())


EIGHTH = "8 may 2026 2026-05-08"


@pytest.mark.parametrize(
    ("question", "head", "body", "there"),
    [
        ("am 8. Mai", EIGHTH, "", True),
        ("5月8日", EIGHTH, "", True),
        ("im Mai", EIGHTH, "", True),
        ("2026年5月", EIGHTH, "", True),
        ("8 de mayo de 2025", EIGHTH, "", False),
        ("am 9. Mai", EIGHTH, "", False),
        ("in June", EIGHTH, "", False),
        ("on May 8, 2026", "", "Wir zogen am 8. Mai 2026 um.", True),
        ("on May 8, 2026", "", "我们2026年5月8日搬家。", True),
        ("2026年5月8日", "", "Termin: 08.05.2026 beim Notar", True),
        ("5月8日", "", "The party is on May 8th.", True),
        ("5月8日", "", "the 8th of May it was", True),
        ("am 8. Mai", "", "Nos mudamos el 8 de mayo.", True),
        ("im März", "", "Im März wird gestrichen.", True),
        ("in May", "", "you may ask", False),
        ("in May", "", "Wir ziehen im Mai um", True),
        ("5月", "", "in May we moved", True),
        ("last week", "24 november 2026 2026-11-24", "", True),
        ("last week", "30 november 2026 2026-11-30", "", False),
        ("last year", "3 may 2025 2025-05-03", "", True),
        ("last year", EIGHTH, "", False),
        ("last 60 days", "2 october 2026 2026-10-02", "", True),
        ("last 60 days", "1 october 2026 2026-10-01", "", False),
    ],
)
def test_days_find_what_is_of_them_in_whatever_language(
    question: str, head: str, body: str, there: bool
) -> None:
    assert found(question, head, body) is there


@pytest.mark.hypothesis
@given(st.text(alphabet="昨上下周月日年前个天1239五十 alstweekmgodyv.-/20"), st.dates())
def test_any_text_is_read_without_harm(text: str, today: date) -> None:
    folded = fold(text)
    times = spoken_of(folded, lambda: today)
    assert all(one.start < one.end <= len(folded) for one in times)
    assert all(one.end <= other.start for one, other in itertools.pairwise(times))
    if times:
        assert may_speak_of_time(folded, words(folded))


@pytest.mark.hypothesis
@given(st.dates(date(1900, 1, 1), date(2090, 12, 31)), st.integers(0, 400))
def test_an_interval_is_covered_exactly(last: date, length: int) -> None:
    first = date.fromordinal(last.toordinal() - length)
    days = Days(0, 1, first, last, relative=True)
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table f using fts5(head)")
    around = range(first.toordinal() - 40, last.toordinal() + 41)
    database.executemany(
        "insert into f(rowid, head) values(?, ?)",
        ((number, date.fromordinal(number).isoformat()) for number in around),
    )
    rows = database.execute("select rowid from f where f match ?", (expression(days),))
    assert sorted(row[0] for row in rows) == list(range(first.toordinal(), last.toordinal() + 1))
