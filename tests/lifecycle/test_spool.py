"""Turns in the background: nothing lost, nothing doubled, whatever is killed."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.errors import ModelError, PermissionRefused
from mnemofs.lifecycle.learning.spool import MOST_TRIES, Spool, Waiting
from mnemofs.llm.engine import Message
from mnemofs.llm.replies import Rejected
from mnemofs.view.whole import View
from tests.fake_model import FakeModel, fake_model  # noqa: F401 (a fixture)
from tests.lifecycle.conftest import Scripted, say
from tests.lifecycle.test_turn_bookkeeping import OSLO, Hands, engine, talk

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def ws(tmp_path: Path, hands: Hands) -> Iterator[Workspace]:
    clock = Clock(UTC, lambda: hands.now)
    with Workspace.init(tmp_path / "ws", agent="ada", timezone="UTC", clock=clock) as workspace:
        yield workspace


def waiting(view: View) -> int:
    return view.turn_status().waiting


def memory(root: str | Path) -> str:
    """Everything that is remembered in a store."""
    files = [*Path(root).glob("*.md"), *Path(root).glob("memory/*.md")]
    return "\n".join(path.read_text() for path in [*files, *Path(root).glob("structured/*.md")])


def test_a_queued_turn_is_learned_from_later_with_its_own_day(ws: Workspace, hands: Hands) -> None:
    hands.now = datetime(2026, 5, 1, 23, 59, tzinfo=UTC)
    view = ws.for_owner("user:1")
    assert view.turn_end("c1", OSLO, background=True).status == "queued"
    assert waiting(view) == 1 and "Oslo" not in memory(view._writer().root)
    hands.wait(hours=9)
    report = view.drain(engine=engine())
    assert (report.status, report.done, report.waiting) == ("updated", 1, 0)
    note = Path(view._writer().root) / "memory" / "2026-05-01.md"
    assert "- Moved to Oslo" in note.read_text()
    assert view.drain().status == "skipped"


def test_the_same_turn_twice_is_one_memory(ws: Workspace) -> None:
    asked = engine()
    for _ in range(3):
        ws.turn_end("c1", OSLO, background=True)
    assert ws.drain(engine=asked).done == 3
    assert len(asked.requests) == 1
    assert ws.turn_end("c1", OSLO, background=True).status == "unchanged"
    assert memory(ws.root).count("Moved to Oslo") == 1


def test_turns_of_one_conversation_are_looked_at_together_and_in_order(ws: Workspace) -> None:
    asked = engine()
    for end in (1, 2, 3, 4):
        ws.turn_end("c1", OSLO[end - 1 : end], background=True)
    ws.turn_end("c2", talk("I also like to sail a lot", "Oh"), background=True)
    assert ws.drain(engine=asked).done == 5
    assert [message.text for message in asked.requests[0].messages] == [
        one["content"] for one in OSLO
    ]
    outcomes = ws.turn_status().outcomes
    assert [one.conversation for one in outcomes] == ["c2", "c1"]
    assert "2 messages" in outcomes[0].reason


def test_a_turn_at_once_lets_those_that_wait_go_first(ws: Workspace) -> None:
    asked = engine(say(daily_entry="- one"), say(daily_entry="- two"))
    ws.turn_end("c1", OSLO, background=True)
    ws.turn_end("c2", talk("Remember: I sail on Sundays", "ok"), engine=asked)
    lines = [line for line in memory(ws.root).splitlines() if line in ("- one", "- two")]
    assert lines == ["- one", "- two"]


def test_a_turn_at_once_is_never_ahead_of_one_that_has_to_wait(ws: Workspace) -> None:
    asked = engine(*(say(daily_entry=f"- fact {number}") for number in range(4)))
    ws.turn_end("c0", OSLO, engine=asked)
    ws.turn_end("c1", OSLO, background=True)
    held = ws.turn_end("c2", OSLO, engine=asked)
    assert held.status == "queued" and "cooldown" in held.reason and waiting(ws) == 2
    report = ws.turn_end("c3", talk("Remember: I sail on Sundays", "ok"), engine=asked)
    assert report.status == "updated" and waiting(ws) == 0
    assert [one.conversation for one in ws.turn_status().outcomes[:3]] == ["c3", "c2", "c1"]


def test_a_turn_that_nobody_can_look_at_now_waits_instead_of_being_lost(ws: Workspace) -> None:
    asked = engine(say(daily_entry="- one"), say(daily_entry="- two"))

    def meanwhile() -> None:
        asked.before = None
        with Workspace.open(ws.root, clock=ws.clock) as other:
            report = other.turn_end("c2", talk("Remember: I sail", "ok"), engine=asked)
            assert report.status == "queued" and "another extraction" in report.reason

    asked.before = meanwhile
    assert ws.turn_end("c1", OSLO, engine=asked).status == "updated"
    assert ws.drain(engine=asked).done == 1
    assert "- one" in memory(ws.root) and "- two" in memory(ws.root)


def test_the_cooldown_makes_batches_and_loses_nothing(ws: Workspace, hands: Hands) -> None:
    asked = engine(*(say(daily_entry=f"- fact {number}") for number in range(3)))
    ws.turn_end("c0", OSLO, background=True)
    assert ws.drain(engine=asked).done == 1
    for name in ("c1", "c2"):
        ws.turn_end(name, OSLO, background=True)
    held = ws.drain(engine=asked)
    assert (held.done, held.waiting) == (0, 2) and "cooldown" in held.reason
    hands.wait(minutes=6)
    assert ws.drain(engine=asked).done == 2
    assert all(f"- fact {number}" in memory(ws.root) for number in range(3))


def test_hurry_and_an_explicit_request_do_not_wait_for_the_cooldown(ws: Workspace) -> None:
    asked = engine(*(say(daily_entry=f"- fact {number}") for number in range(3)))
    ws.turn_end("c0", OSLO, engine=asked)
    ws.turn_end("c1", OSLO, background=True)
    assert ws.drain(engine=asked).done == 0
    assert ws.drain(engine=asked, hurry=True).done == 1
    ws.turn_end("c2", talk("Merk dir: ich segle gern", "ja"), background=True)
    assert ws.drain(engine=asked).done == 1


FAULTS = [
    Rejected("truncated", "cut"),
    Rejected("not_json", "prose"),
    Rejected("blank", "-"),
    Rejected("wrong_type", "-"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_turn_that_fails_again_and_again_is_put_aside_with_the_reason(
    ws: Workspace, hands: Hands, fault: Rejected
) -> None:
    bad = Scripted([fault])
    ws.turn_end("bad", OSLO, background=True)
    for _ in range(MOST_TRIES):
        ws.drain(engine=bad)
        ws.drain(engine=bad)  # too early: nobody is asked
        hands.wait(hours=1)
    assert len(bad.requests) == MOST_TRIES
    status = ws.turn_status()
    assert status.waiting == 0
    (parked,) = status.parked
    assert parked.conversation == "bad" and fault.code in parked.reason
    assert any("1 conversation turn put aside" in text for text in ws.status().warnings)
    ws.turn_end("good", OSLO, background=True)
    assert ws.drain(engine=engine()).done == 1
    assert ws.retry_parked() == 1
    assert ws.drain(engine=engine(say(daily_entry="- late")), hurry=True).done == 1
    assert "- late" in memory(ws.root) and ws.turn_status().parked == ()


def test_an_endpoint_that_is_down_for_days_puts_nothing_aside(ws: Workspace, hands: Hands) -> None:
    down = Scripted([ModelError("the endpoint cannot be reached")])
    ws.turn_end("c1", OSLO, background=True)
    for _ in range(4 * MOST_TRIES):
        report = ws.drain(engine=down)
        assert report.status == "failed" and "cannot be reached" in report.reason
        hands.wait(hours=2)
    assert ws.turn_status().parked == () and waiting(ws) == 1
    assert ws.drain(engine=engine()).done == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"at": 3}', b"\xff\xfe", b"null"])
def test_a_file_that_is_no_turn_is_put_aside_and_the_others_go_on(
    ws: Workspace, content: bytes
) -> None:
    ws.turn_end("c1", OSLO, background=True)
    folder = Path(ws.root) / ".mnemofs" / "spool"
    (folder / "00000000000000000001-aaaaaaaa.json").write_bytes(content)
    assert ws.drain(engine=engine()).done == 1
    assert "no turn" in ws.turn_status().parked[0].reason


def test_what_comes_in_while_a_worker_is_at_it_is_not_forgotten(ws: Workspace) -> None:
    asked = Scripted([say(daily_entry="- one"), say(daily_entry="- two")])

    def meanwhile() -> None:
        asked.before = None
        with Workspace.open(ws.root, clock=ws.clock) as other:
            other.turn_end("c2", OSLO, background=True)
            assert other.is_draining()
            assert "another worker" in other.drain(engine=asked).reason

    ws.turn_end("c1", OSLO, background=True)
    asked.before = meanwhile
    report = ws.drain(engine=asked, hurry=True)
    assert (report.done, report.waiting) == (2, 0)


def test_order_holds_when_the_clock_is_set_back(tmp_path: Path, monkeypatch: Any) -> None:
    spool = Spool(tmp_path)
    names = []
    for moment in (5_000, 3_000, 4_000, 4_000):
        monkeypatch.setattr(time, "time_ns", lambda moment=moment: moment)
        turn = Waiting("", NOON, f"c{len(names)}", (Message("user", "x"),), ("aa",))
        names.append(spool.put(turn))
    assert spool.ids() == names
    assert [found.conversation for name in names if (found := spool.get(name))] == [
        "c0", "c1", "c2", "c3",
    ]  # fmt: skip


def test_CON_05_a_spool_that_cannot_be_written_says_so(ws: Workspace) -> None:
    folder = Path(ws.root) / ".mnemofs" / "spool"
    folder.mkdir(parents=True)
    folder.rmdir()
    folder.write_text("in the way")
    with pytest.raises(Exception, match="cannot be written") as caught:
        ws.turn_end("c1", OSLO, background=True)
    assert not isinstance(caught.value, PermissionRefused) or os.geteuid() != 0


def test_a_merge_in_progress_holds_the_turn_and_counts_against_nobody(
    ws: Workspace, hands: Hands
) -> None:
    ws.turn_end("c1", OSLO, background=True)
    merging = Path(ws.root) / ".git" / "MERGE_HEAD"
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ws.root, capture_output=True, text=True, check=True
    )
    merging.write_text(head.stdout)
    for _ in range(2 * MOST_TRIES):
        assert ws.drain(engine=engine()).waiting == 1
        hands.wait(hours=2)
    merging.unlink()
    assert ws.drain(engine=engine()).done == 1


def test_forgetting_reaches_what_waits(ws: Workspace) -> None:
    ws.turn_end("c1", talk("The quokka is called Fritz.", "ok"), background=True)
    ws.remember("The quokka is called Fritz")
    ws.forget("The quokka is called Fritz")
    (file,) = (Path(ws.root) / ".mnemofs" / "spool").glob("0*.json")
    assert "quokka" not in file.read_text()
    assert ws.drain(engine="rules").done == 1
    assert "quokka" not in memory(ws.root)


# Where a worker is killed: before a call of this function, or after it.
PHASES = [
    "mnemofs.lifecycle.learning.conversations:Conversations.record",
    "mnemofs.lifecycle.learning.turnbook:TurnBook.intend",
    "mnemofs.store.repository:Store.commit",
    "mnemofs.lifecycle.learning.turnbook:TurnBook.mark_seen",
    "mnemofs.lifecycle.learning.turnbook:TurnBook.start_cooldown",
    "mnemofs.lifecycle.learning.turnbook:TurnBook.settle",
    "mnemofs.lifecycle.learning.conversations:Conversations.note",
    "mnemofs.lifecycle.learning.spool:Spool.done",
]


def drain_and_die(root: str, phase: str, when: str) -> None:
    """Drain in a process of its own, which is killed at that place."""
    child = os.fork()
    if child:
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
        return
    try:
        module, _, name = phase.partition(":")
        owner, _, method = name.partition(".")
        kind = getattr(importlib.import_module(module), owner)
        real = getattr(kind, method)

        def killed(*given: Any, **named: Any) -> None:
            if when == "after":
                real(*given, **named)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(kind, method, killed)
        Workspace.open(root).drain(engine="llm", hurry=True)
    finally:
        os._exit(1)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.rpartition(".")[2])
def test_CON_03_a_worker_killed_in_any_phase_loses_and_doubles_nothing(
    tmp_path: Path,
    fake_model: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    phase: str,
    when: str,
) -> None:
    monkeypatch.setenv("MNEMOFS_MODEL_BASE_URL", fake_model.url)
    monkeypatch.setenv("MNEMOFS_MODEL_NAME", "stub")
    for number in range(3):  # a model never says the same thing twice
        fake_model.say(
            {"should_update": True, "reason": "r", "daily_entry": f"- Oslo, told way {number}"}
        )
    fake_model.always({"should_update": False, "reason": "nothing"})
    with Workspace.init(tmp_path / "ws", timezone="UTC") as ws:
        ws.turn_end("c1", OSLO, background=True)
        drain_and_die(ws.root, phase, when)
        ws.drain(engine="llm", hurry=True)
        assert memory(ws.root).count("- Oslo, told way") == 1
        assert waiting(ws) == 0 and ws.turn_status().parked == ()
        ws.turn_end("c1", OSLO, engine="llm")
        assert memory(ws.root).count("- Oslo, told way") == 1
        fsck = ["git", "fsck", "--strict", "--no-dangling"]
        assert subprocess.run(fsck, cwd=ws.root, capture_output=True, check=False).returncode == 0


def test_a_turn_that_kills_its_worker_is_put_aside_in_the_end(tmp_path: Path) -> None:
    with Workspace.init(tmp_path / "ws", timezone="UTC") as ws:
        ws.turn_end("c1", OSLO, background=True)
        spool = Spool(ws.root)
        (name,) = spool.ids()
        for _ in range(MOST_TRIES):
            spool.begin(name)
        ws.turn_end("c2", talk("Remember: I sail on Sundays.", "ok"), background=True)
        report = ws.drain(engine="rules")
        assert (report.done, report.parked) == (1, 1)
        assert "stopped while it looked" in ws.turn_status().parked[0].reason


def test_many_hosts_and_workers_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    with Workspace.init(tmp_path / "ws", timezone="UTC") as ws:
        root = ws.root

        def host(number: int) -> None:
            with Workspace.open(root) as mine:
                for turn in range(3):
                    said = talk(f"Remember: my friend {number}x{turn} lives in Oslo.", "ok")
                    mine.turn_end(f"c{number}", said, background=True)
                    if number % 2:
                        mine.drain(engine="rules", hurry=True)

        threads = [threading.Thread(target=host, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ws.drain(engine="rules", hurry=True)
        text = memory(root)
        assert waiting(ws) == 0
        for number in range(4):
            for turn in range(3):
                assert text.count(f"friend {number}x{turn} lives") == 1, (number, turn)


def test_extract_async_keeps_and_a_detached_worker_learns(tmp_path: Path) -> None:
    with Workspace.init(tmp_path / "ws", timezone="UTC") as ws:
        root = ws.root
    said = tmp_path / "said.json"
    said.write_text(json.dumps(talk("Remember: I moved to Oslo.", "ok")))
    command = [sys.executable, "-m", "mnemofs", "extract", "-w", root]
    done = subprocess.run(
        [*command, "--async", "--json", str(said)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["status"] == "queued"
    deadline = time.monotonic() + 30
    while "Oslo" not in memory(root):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--async", "--drain"],
        ["--drain", "x.json"],
        ["--status", "x.json"],
        [],
        ["--async", "--force", "x.json"],
        ["--conversation", "c", "x.json", "y.json"],
    ],
)
def test_options_that_make_no_sense_together_are_named(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    from mnemofs.cli.main import run

    monkeypatch.chdir(ws.root)
    assert run(["extract", *arguments]) == 2


def test_the_command_line_drains_and_says_how_things_stand(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from mnemofs.cli.main import run

    monkeypatch.chdir(ws.root)
    said = Path(ws.root).parent / "said.json"
    said.write_text(json.dumps(talk("Remember: I moved to Oslo.", "ok")))
    assert run(["extract", "--async", "--no-worker", "--conversation", "c1", str(said)]) == 0
    assert run(["extract", "--status"]) == 0
    assert "1 turn waiting" in capfd.readouterr().out
    assert run(["extract", "--drain", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["done"] == 1
    assert run(["extract", "--status", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["waiting"] == 0 and found["outcomes"][0]["status"] == "updated"
    assert run(["extract", "--status"]) == 0
    assert "c1: " in capfd.readouterr().out


def test_a_stopped_answer_in_the_background_is_kept_and_not_learned_from(ws: Workspace) -> None:
    asked = engine()
    ws.spool(OSLO, conversation="c1", state="stopped")
    assert ws.drain(engine=asked).done == 1
    assert asked.requests == [] and "stopped" in ws.turn_status().outcomes[0].reason
    assert ws.turn_end("c1", OSLO, engine=asked).status == "updated"


def test_providers_hear_of_finished_turns_without_secrets(ws: Workspace) -> None:
    from mnemofs.context.providers.protocol import BaseProvider, Turn

    heard: list[Turn] = []

    class Listener(BaseProvider):
        id = "listener"

        def sync_turn(self, turn: Turn) -> None:
            heard.append(turn)

    ws.add_provider(Listener())
    key = "ghp_" + "aB3dE6gH9j" * 3 + "aB3dE6"
    ws.turn_end("c1", talk(f"my key is {key}", "ok"), engine=engine())
    ws.turn_end("c1", talk("never mind", "no"), state="stopped", engine=engine())
    ws.turn_end("c2", talk("a job ran", "yes"), trigger="cron", engine=engine())
    ws.turn_end("c3", talk("hello there", "hi"), background=True)
    ws.drain(engine=engine(), hurry=True)
    until = time.monotonic() + 5
    while len(heard) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert [turn.conversation for turn in heard] == ["c1", "c3"]
    assert key not in repr(heard) and heard[1][2:] == ("hello there", "hi")


def test_what_a_killed_writer_left_is_tidied_away(ws: Workspace) -> None:
    ws.turn_end("c1", OSLO, background=True)
    folder = Path(ws.root) / ".mnemofs" / "spool"
    old, new = folder / "1.json.77.ab.new", folder / "2.json.78.ab.new"
    for file in (old, new):
        file.write_text("half")
    os.utime(old, (1, 1))
    ws.drain(engine=engine())
    assert not old.exists() and new.exists()


def test_an_old_turn_keeps_its_time_zone(ws: Workspace, hands: Hands) -> None:
    hands.now += timedelta(days=40)
    ws.turn_end("c1", OSLO, background=True)
    turn = Spool(ws.root).get(Spool(ws.root).ids()[0])
    assert turn is not None and turn.at == hands.now and len(turn.prints) == 4
