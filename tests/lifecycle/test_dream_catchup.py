"""Which notes a dream reads: after downtime, within its room, and what is left for the next."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.lifecycle.dreams.cursor import LocalState
from mnemofs.lifecycle.dreams.material import Note, plan_material, reach
from mnemofs.lifecycle.ledger import events
from mnemofs.llm.engine import Dream
from mnemofs.llm.rules import RulesEngine
from tests.lifecycle.conftest import Memory, Scripted

Make = Callable[..., Memory]
FIRST = datetime(2026, 5, 1, 3, tzinfo=UTC)
MEMORY = "# Memory\n\n- Release day is Friday\n"


def notes(first: str, number: int) -> dict[str, str]:
    start = date.fromisoformat(first)
    days = [start + timedelta(days=n) for n in range(number)]
    return {f"memory/{day}.md": f"# {day}\n\n- said on {day}\n" for day in days}


def read_by(engine: Scripted) -> list[str]:
    return [path[7:17] for path, _ in engine.requests[-1].notes]


def echo(ws: Memory, number: int) -> Dream:
    return Dream(True, "r", ws.read("MEMORY.md") + f"- thought number {number}\n")


def test_DAY_10_a_dream_after_downtime_reads_every_note_that_was_missed_and_only_once(
    memory: Make,
) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-04-20", 12)}, now=FIRST)
    ws.dream(Scripted([echo(ws, 0)]))
    for path, text in notes("2026-05-02", 40).items():
        (ws.root / path).write_text(text)
    ws.store.fold(quiet=0)
    ws.now = datetime(2026, 6, 10, 9, tzinfo=UTC)
    engine = Scripted([echo(ws, 1)])
    assert ws.dream(engine).status == "updated"
    assert read_by(engine)[0] == "2026-06-10"
    assert read_by(engine)[-1] == "2026-05-11"  # 31 notes have room; the newest come first
    engine = Scripted([echo(ws, 2)])
    assert ws.dream(engine).status == "updated"
    missed = {path[7:17] for path in notes("2026-05-02", 9)}
    assert missed <= set(read_by(engine))
    engine = Scripted([echo(ws, 3)])
    for _ in range(5):
        assert ws.dream(engine).status == "skipped"
    assert engine.requests == []


def test_DAY_10_what_was_missed_is_read_also_when_the_dreams_bring_nothing(memory: Make) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-04-25", 7)}, now=FIRST, dreams={"max_notes": 4})
    nothing = Scripted([Dream(False, "nothing")])
    seen: set[str] = set()
    for _ in range(3):
        if ws.dream(nothing).status == "skipped":
            break
        seen |= set(read_by(nothing))
    assert seen == {path[7:17] for path in notes("2026-04-25", 7)}
    assert ws.dream(nothing).status == "skipped"


def test_DAY_08_where_nothing_was_dreamed_old_notes_are_the_past(memory: Make) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-03-01", 60)}, now=FIRST)
    engine = Scripted([echo(ws, 0)])
    ws.dream(engine)
    assert read_by(engine) == [f"2026-04-{day}" for day in range(29, 24, -1)]


def test_an_old_note_that_arrives_late_from_another_machine_is_read(memory: Make) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-04-25", 7)}, now=FIRST)
    ws.dream(Scripted([echo(ws, 0)]))
    ws.now = datetime(2026, 5, 4, 3, tzinfo=UTC)
    ws.write("memory/2026-04-26.md", "# 2026-04-26\n\n- written on the train\n")
    engine = Scripted([echo(ws, 1)])
    assert ws.dream(engine).status == "updated"
    assert "2026-04-26" in read_by(engine)


def test_the_room_of_a_run_is_kept_and_said(memory: Make) -> None:
    big = {path: text + "- filler words\n" * 200 for path, text in notes("2026-04-25", 7).items()}
    ws = memory({"MEMORY.md": MEMORY, **big}, now=FIRST, dreams={"max_note_chars": 7000})
    engine = Scripted([echo(ws, 0)])
    report = ws.dream(engine)
    assert read_by(engine) == ["2026-05-01", "2026-04-30"]
    assert report.left == tuple(f"memory/2026-04-{day}.md" for day in (29, 28, 27, 26, 25))
    assert any("5 notes had no room" in warning for warning in report.warnings)
    (happened,) = events((ws.root / "ledger/2026-05.jsonl").read_bytes(), "dream")
    assert happened["rest"] == "2026-04-25"
    read = [read_by(engine)]
    for number in (1, 2):
        engine = Scripted([echo(ws, number)])
        ws.dream(engine)
        read.append(read_by(engine))
    assert read[1] == ["2026-04-29", "2026-04-28"]
    assert read[2] == ["2026-04-27", "2026-04-26"]


def test_a_note_longer_than_all_room_is_read_from_its_end_and_said(memory: Make) -> None:
    long = "# 2026-05-01\n\n" + "".join(f"- line {number} of many\n" for number in range(500))
    ws = memory(
        {"MEMORY.md": MEMORY, "memory/2026-05-01.md": long},
        now=FIRST,
        dreams={"max_note_chars": 1000},
    )
    engine = Scripted([echo(ws, 0)])
    report = ws.dream(engine)
    ((_, text),) = engine.requests[0].notes
    assert len(text) <= 1000
    assert text.endswith("- line 499 of many\n") and text.startswith("- line ")
    assert any("too long for one dream" in warning for warning in report.warnings)


def test_what_the_rules_leave_for_the_next_run_is_promoted_then(memory: Make) -> None:
    lines = [f"- Decision: the {name} team owns module {name}" for name in _names(50)]
    ws = memory(
        {"MEMORY.md": MEMORY, "memory/2026-05-01.md": "\n".join(lines)},
        now=FIRST,
        sizes={"memory_max_chars": 0},
    )
    promoted: set[str] = set()
    for _ in range(3):
        report = ws.dream(RulesEngine())
        assert report.status == "updated"
        promoted |= set(report.promoted)
    assert len(promoted) == 50
    assert ws.dream(RulesEngine()).status == "skipped"


def test_a_topic_moves_no_cursor_and_can_be_switched_off(memory: Make) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-04-28", 3)}, now=FIRST)
    engine = Scripted([echo(ws, 0), echo(ws, 1), echo(ws, 2)])
    assert ws.dream(engine, topic="thoughts").mode == "focused"
    assert ws.dream(engine).status == "updated"
    ws.config = ws.config.replace(dreaming=ws.config.dreaming.replace(focused_enabled=False))
    report = ws.dream(engine, topic="thoughts")
    assert report.status == "skipped" and "focused_enabled" in report.reason
    assert len(engine.requests) == 2


def test_runs_are_remembered_whatever_came_of_them(memory: Make) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-04-28", 3)}, now=FIRST)
    ws.dream(Scripted([Dream(False, "nothing here")]), trigger="schedule")
    ws.now += timedelta(days=1)
    ws.dream(Scripted([Dream(False, "nothing here")]))
    ws.dream(Scripted([echo(ws, 0)]), dry_run=True)
    runs = LocalState.load(str(ws.root)).runs
    assert [run["status"] for run in runs] == ["unchanged", "skipped"]
    assert runs[0]["time"] == "2026-05-01T03:00:00+00:00"
    assert ws.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"{",
        b"[]",
        b'{"runs": 3, "read": [1], "reviews": {"a": 1}}',
        b'{"runs": [{}, 1], "read": {"a": 1}, "reviews": {"a": [], "b": ["x", "y"]}, "rest": 7}',
    ],
)
def test_a_broken_state_file_costs_one_more_look_only(memory: Make, junk: bytes) -> None:
    ws = memory({"MEMORY.md": MEMORY, **notes("2026-04-28", 3)}, now=FIRST)
    ws.dream(Scripted([Dream(False, "nothing here")]))
    (ws.root / ".mnemofs/dreams.json").write_bytes(junk)
    assert ws.dream(Scripted([echo(ws, 0)])).status == "updated"


DAYS = st.dates(date(2026, 1, 1), date(2026, 7, 1))


@given(st.sets(DAYS, max_size=40), st.integers(1, 10), st.none() | DAYS, st.none() | DAYS)
def test_reach_holds_real_days_once_and_never_the_future(
    days: set[date], wide: int, last: date | None, rest: date | None
) -> None:
    today = date(2026, 6, 1)
    names = [f"memory/{day}.md" for day in days] + ["memory/x.md", "memory/2026-02-30.md"]
    found = reach(names, today, wide, last, rest, 366)
    both = found.recent + found.earlier
    assert both == sorted(set(both), reverse=True)
    assert all(path[7:17] <= str(today) for path in both)
    if last is None:
        assert found.earlier == []
    else:
        since = min(last - timedelta(days=wide - 1), rest or last)
        wanted = {f"memory/{day}.md" for day in days if since <= day <= today}
        assert wanted <= set(both)


@given(
    st.lists(st.tuples(DAYS, st.integers(1, 300), st.booleans()), unique_by=lambda row: row[0]),
    st.integers(0, 10),
    st.integers(0, 800),
)
def test_every_unread_note_is_read_or_left(
    rows: list[tuple[date, int, bool]], most: int, chars: int
) -> None:
    given_notes = [Note(f"memory/{day}.md", "b", "x" * size) for day, size, _ in rows]
    read = {(f"memory/{day}.md", "b") for day, _, known in rows if known}
    found = plan_material(given_notes, read, most, chars)
    chosen = [note.path for note in found.notes]
    unread = {note.path for note in given_notes} - {path for path, _ in read}
    assert unread <= set(chosen) | set(found.left)
    assert not set(chosen) & set(found.left)
    assert set(found.left) <= unread
    assert chosen == sorted(chosen, reverse=True)
    assert not most or len(chosen) <= most
    assert not chars or sum(len(note.text) for note in found.notes) <= chars
    assert bool(chosen) == bool(rows)


def _names(number: int) -> list[str]:
    heads: Mapping[int, str] = dict(enumerate("bdfgklmnpr"))
    tails: Any = ("ando", "eral", "inum", "osta", "ulip")
    return [heads[n % 10] + tails[n // 10] for n in range(number)]


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_SEC_02_a_ledger_that_is_no_plain_file_stops_no_dream(
    memory: Make, tmp_path: Path, kind: str
) -> None:
    ws = memory({"memory/2026-05-01.md": "- Remember: tea is green\n"})
    odd = ws.root / "ledger/2026-04.jsonl"
    odd.parent.mkdir(exist_ok=True)
    if kind == "folder":
        odd.mkdir()
    elif kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to(tmp_path)
    assert ws.dream(RulesEngine()).status == "updated"
