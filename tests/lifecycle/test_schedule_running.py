"""The scheduler at work: real memories, a clock that is moved by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.errors import ModelError
from mnemofs.lifecycle.dreams.report import DreamReport
from mnemofs.lifecycle.upkeep.schedule import Due
from mnemofs.lifecycle.upkeep.schedule_book import Lease, RunBook
from mnemofs.register import known_workspaces, register, unregister
from mnemofs.scheduler import Ran, Scheduler, state_of
from mnemofs.view.whole import View


class Hands:
    """The present, moved by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 4, 30, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def go(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def root(tmp_path: Path, hands: Hands) -> str:
    clock = Clock(UTC, hands)
    with Workspace.init(tmp_path / "ws", agent="ada", timezone="UTC", clock=clock) as ws:
        for _ in range(2):
            ws.note("Decision: we deploy on Fridays.")
            ws.for_owner("user:1").note("I always drink oolong tea.")
            hands.go(days=1)
    hands.go(days=-1)
    return str(tmp_path / "ws")


@pytest.fixture
def scheduler(root: str, hands: Hands) -> Iterator[Scheduler]:
    with Scheduler(lambda: [root], now=hands) as made:
        made.tick()
        yield made


def jobs(ran: tuple[Ran, ...], job: str = "dream") -> list[str]:
    return [one.store for one in ran if one.job == job]


@pytest.fixture
def dreamt(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose dreams were asked for; they do what FAILING says, else nothing."""
    calls: list[str] = []

    def dream(self: View, **_: Any) -> DreamReport:
        calls.append(self.owner)
        if self.owner in FAILING:
            raise FAILING[self.owner]
        return DreamReport("unchanged", "nothing new")

    FAILING.clear()
    monkeypatch.setattr(View, "dream", dream)
    return calls


FAILING: dict[str, Exception] = {}


def test_every_store_dreams_at_three_each_night_once(
    scheduler: Scheduler, hands: Hands, dreamt: list[str]
) -> None:
    for _ in range(3 * 4):
        hands.go(hours=6, minutes=1)
        scheduler.tick()
    assert sorted(dreamt) == ["", "", "", "user:1", "user:1", "user:1"]


def test_the_jobs_of_a_night_really_run(scheduler: Scheduler, hands: Hands, root: str) -> None:
    hands.go(hours=15, minutes=40)
    tick = scheduler.tick()
    assert jobs(tick.ran) == ["", "user:1"]
    assert jobs(tick.ran, "consolidate") == [""] and jobs(tick.ran, "facts") == ["", "user:1"]
    assert {one.status for one in tick.ran} <= {"updated", "unchanged", "skipped"}
    assert "Fridays" in (Path(root) / "MEMORY.md").read_text()
    assert "Fridays" not in "".join(p.read_text() for p in (Path(root) / "owners").rglob("*.md"))


def test_DAY_10_downtime_is_made_up_for_once(root: str, hands: Hands, dreamt: list[str]) -> None:
    with Scheduler(lambda: [root], now=hands) as first:
        first.tick()
    hands.go(days=10, hours=-3)
    for _ in range(5):
        with Scheduler(lambda: [root], now=hands) as again:
            tick = again.tick()
    assert sorted(dreamt) == ["", "user:1"]
    state = state_of(root, now=hands)
    assert state.stores[0].plan.next["dream"] == datetime(2026, 5, 12, 3, tzinfo=UTC)
    assert tick.ran == ()


def test_one_that_fails_is_tried_again_and_holds_up_nobody(
    scheduler: Scheduler, hands: Hands, dreamt: list[str], root: str
) -> None:
    FAILING[""] = ModelError("the endpoint is down")
    hands.go(hours=15, minutes=5)
    tick = scheduler.tick()
    assert {(one.store, one.status == "failed") for one in tick.ran if one.job == "dream"} == {
        ("", True),
        ("user:1", False),
    }
    for _ in range(20):
        hands.go(minutes=10)
        scheduler.tick()
    assert dreamt.count("") == 3 and dreamt.count("user:1") == 1
    last = state_of(root, now=hands).stores[0].lasts["dream"]
    assert (last.status, last.tries, last.reason) == ("failed", 3, "the endpoint is down")


def test_an_unexpected_fault_of_a_job_ends_only_that_job(
    scheduler: Scheduler, hands: Hands, dreamt: list[str]
) -> None:
    FAILING["user:1"] = ZeroDivisionError("secret text")
    hands.go(hours=15, minutes=5)
    tick = scheduler.tick()
    (failed,) = [one for one in tick.ran if one.status == "failed"]
    assert failed.reason == "unexpected ZeroDivisionError"


def test_two_schedulers_share_the_work_and_one_takes_over(
    root: str, hands: Hands, dreamt: list[str]
) -> None:
    one, two = (Scheduler(lambda: [root], now=hands) for _ in range(2))
    assert one.tick().standby == () and two.tick().standby == (root,)
    hands.go(hours=15, minutes=5)
    assert two.tick().ran == ()
    assert jobs(one.tick().ran) == ["", "user:1"]
    one.close()
    hands.go(days=1)
    assert jobs(two.tick().ran) == ["", "user:1"]
    two.close()
    assert len(dreamt) == 4


def test_a_run_that_was_cut_off_is_made_again_a_few_times(
    root: str, hands: Hands, dreamt: list[str]
) -> None:
    with Scheduler(lambda: [root], now=hands) as first:
        first.tick()
    hands.go(hours=15, minutes=1)
    slot = datetime(2026, 5, 2, 3, tzinfo=UTC)
    for attempt in (1, 2, 3):
        RunBook(root).start(Due("dream", slot, 0, attempt), hands.now)
        with Scheduler(lambda: [root], now=hands) as again:
            again.tick()
            assert "" not in dreamt
            hands.go(hours=1)
            if attempt < 3:
                continue
            again.tick()
    assert "" not in dreamt
    assert RunBook(root).lasts()["dream"].reason == "it was cut off"


def test_a_cut_off_run_is_finished_by_the_next_try(
    root: str, hands: Hands, dreamt: list[str]
) -> None:
    with Scheduler(lambda: [root], now=hands) as first:
        first.tick()
    hands.go(hours=15, minutes=1)
    RunBook(root).start(Due("dream", datetime(2026, 5, 2, 3, tzinfo=UTC)), hands.now)
    with Scheduler(lambda: [root], now=hands) as again:
        again.tick()
        hands.go(minutes=11)
        again.tick()
        again.tick()
    assert dreamt.count("") == 1
    last = RunBook(root).lasts()["dream"]
    assert last.tries == 2 and last.status != "failed"


def test_turns_that_wait_are_learned_from_between_times(
    scheduler: Scheduler, hands: Hands, root: str
) -> None:
    with Workspace.open(root, clock=Clock(UTC, hands)) as ws:
        said = [{"role": "user", "content": "Remember: I moved to Oslo in April."}]
        ws.for_owner("user:1").turn_end("c1", said, background=True)
    hands.go(minutes=1)
    (ran,) = [one for one in scheduler.tick().ran if one.job == "learn"]
    assert (ran.store, ran.status) == ("user:1", "updated")
    assert not [one for one in scheduler.tick().ran if one.job == "learn"]


def test_a_person_who_comes_later_has_their_first_night(
    scheduler: Scheduler, hands: Hands, root: str, dreamt: list[str]
) -> None:
    hands.go(days=3)
    scheduler.tick()
    dreamt.clear()
    with Workspace.open(root, clock=Clock(UTC, hands)) as ws:
        ws.for_owner("user:2").note("Hello")
    scheduler.tick()
    assert dreamt == []
    hands.go(days=1)
    scheduler.tick()
    assert sorted(dreamt) == ["", "user:1", "user:2"]


def test_a_broken_memory_is_named_and_the_others_go_on(
    tmp_path: Path, root: str, hands: Hands, dreamt: list[str]
) -> None:
    bad = tmp_path / "bad"
    with Workspace.init(bad, timezone="UTC"):
        pass
    roots = [str(bad), str(tmp_path / "gone"), root]
    with Scheduler(lambda: roots, now=hands) as scheduler:
        scheduler.tick()
        (bad / "mnemofs.toml").write_text("[dreaming\n")
        hands.go(days=1)
        tick = scheduler.tick()
    assert len(tick.troubles) == 2 and "bad" in tick.troubles[0] and "gone" in tick.troubles[1]
    assert sorted(dreamt) == ["", "user:1"]


@pytest.mark.parametrize("schedule", ["nonsense", "0 3 * *", "99 3 * * *"])
def test_a_wrong_schedule_is_a_sentence_and_stops_nobody_else(
    root: str, hands: Hands, schedule: str
) -> None:
    file = Path(root) / "mnemofs.toml"
    file.write_text(file.read_text() + f'\nschedule = "{schedule}"\n')
    with Scheduler(lambda: [root], now=hands) as scheduler:
        tick = scheduler.tick()
    assert any("five cron fields" in trouble for trouble in tick.troubles)


def test_the_register_knows_homes_agents_and_what_was_added(root: str, clean_world: Path) -> None:
    agent = clean_world / "mnemofs" / "agents" / "ada"
    with Workspace.init(agent, timezone="UTC"):
        pass
    assert known_workspaces() == [str(agent)]
    assert register(root) and not register(root) and not register(str(agent))
    assert known_workspaces() == [str(agent), os.path.realpath(root)]
    assert unregister(root) and not unregister(root)


PROGRAM = [sys.executable, "-m", "mnemofs"]


def test_once_status_add_and_install_from_the_command_line(
    root: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from mnemofs.cli.main import run

    def mnemofs(*arguments: str, code: int = 0) -> str:
        capfd.readouterr()
        assert run(list(arguments)) == code, capfd.readouterr().err
        return capfd.readouterr().out

    monkeypatch.chdir("/")
    mnemofs("schedule", "once", code=1)
    mnemofs("schedule", "add", root)
    found = json.loads(mnemofs("schedule", "once", "--json"))
    assert found["ran"] == [] and found["next"] and found["warnings"] == []
    book = RunBook(root)
    lasts = book.lasts()
    assert set(lasts) == {"dream", "consolidate", "soul", "facts", "index"}
    past = datetime.now(UTC) - timedelta(days=2)
    book._save({job: last._replace(since=past) for job, last in lasts.items()})
    assert "due now" in mnemofs("schedule", "status")
    ran = json.loads(mnemofs("schedule", "once", "--json"))["ran"]
    assert [one["job"] for one in ran] == ["dream", "consolidate", "soul", "facts", "index"]
    shown = json.loads(mnemofs("schedule", "status", "--json"))
    stores = shown["workspaces"][0]["stores"]
    assert [one["owner"] for one in stores] == ["", "user:1"]
    assert stores[0]["jobs"][0]["last"]["status"] in ("updated", "unchanged", "skipped")
    text = mnemofs("schedule", "status")
    assert "user:1" in text and "not running" in text and "last" in text
    printed = mnemofs("schedule", "install", "--print")
    assert all(word in printed for word in ("ExecStart=", "<plist", "*/10 * * * *"))
    assert printed.count(os.environ["MNEMOFS_HOME"]) == 3
    monkeypatch.delenv("MNEMOFS_HOME")
    assert "MNEMOFS_HOME" not in mnemofs("schedule", "install", "--print")


def test_a_killed_scheduler_is_replaced_by_the_one_that_stood_by(root: str) -> None:
    command = [*PROGRAM, "schedule", "run", "-w", root]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    first = subprocess.Popen(command, **quiet)  # type: ignore[call-overload]
    try:
        await_that(lambda: (Lease(root).holder() or {}).get("pid") == first.pid)
        assert Scheduler(lambda: [root]).tick().standby == (root,)
        first.kill()
        first.wait(10)
        with Scheduler(lambda: [root]) as second:
            assert second.tick().standby == ()
    finally:
        first.kill()
        first.wait(10)


def test_a_running_scheduler_ends_at_a_signal(root: str) -> None:
    process = subprocess.Popen([*PROGRAM, "schedule", "run", "-w", root])
    await_that(lambda: Lease(root).holder() is not None)
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert Lease(root).holder() is None


def await_that(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)
