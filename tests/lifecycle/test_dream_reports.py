"""Looking back at dreams and ahead: reports, status, candidates, as the library and by command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mnemofs.cli.root import cli
from mnemofs.clock import Clock
from mnemofs.errors import GuardRefused, ModelError, NotFound
from mnemofs.lifecycle.dreams.report import DreamReport
from mnemofs.lifecycle.identity import entry_id
from mnemofs.llm.engine import Dream
from mnemofs.workspace import Workspace
from tests.lifecycle.conftest import Scripted

TENTH = datetime(2026, 5, 10, 3, tzinfo=UTC)


class World:
    """A workspace on a clock that is moved by hand."""

    def __init__(self, root: Path) -> None:
        self.now = TENTH
        self.root = root
        self.ws = Workspace.init(
            root, agent="ada", timezone="UTC", clock=Clock(UTC, lambda: self.now)
        )

    def note(self, day: str, text: str, owner: str = "") -> None:
        view = self.ws.for_owner(owner) if owner else self.ws
        view.write(f"memory/{day}.md", f"# {day}\n\n{text}".encode())

    def nights(self) -> list[DreamReport]:
        """Three nights: something each time."""
        found = []
        for day in (10, 11, 12):
            self.now = TENTH + timedelta(days=day - 10)
            self.note(f"2026-05-{day}", f"- Decision: rule number {day} holds\n- met Bo on {day}\n")
            found.append(self.ws.dream(engine="rules"))
        return found

    def run(self, *arguments: str, code: int = 0) -> Result:
        found = CliRunner().invoke(cli, [*arguments, "-w", str(self.root)], standalone_mode=False)
        assert found.exception is None, found.exception
        assert (found.return_value or 0) == code
        return found


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("MNEMOFS_HOME", str(tmp_path / "home"))
    made = World(tmp_path / "ws")
    yield made
    made.ws.close()


def test_dreams_are_listed_newest_first_with_their_commits(world: World) -> None:
    reports = world.nights()
    assert [report.status for report in reports] == ["updated"] * 3
    found = world.ws.dreams()
    assert [one.id for one in found] == [report.id for report in reversed(reports)]
    assert [one.commit for one in found] == [report.commit for report in reversed(reports)]
    assert [one.promoted for one in found] == [1, 1, 1]
    assert len(world.ws.dreams(2)) == 2


def test_W_13_a_report_is_rebuilt_with_its_true_diff_and_every_entry(world: World) -> None:
    report = world.nights()[1]
    past = world.ws.dream_report(report.id[:8])
    assert past.promoted == report.promoted == ("rule number 11 holds",)
    assert past.diff == report.diff
    assert "+- 2026-05-11 03:00 (dream): rule number 11 holds" in past.diff
    assert set(past.rejected) == set(report.rejected)
    assert ("met Bo on 11", "stands in one note only") in past.rejected
    assert past.page.startswith("## 2026-05-11 03:00 Dream\n")
    assert past.record.trigger == "manual"
    shape = past.as_dict()
    assert shape["promoted"] == ["rule number 11 holds"]
    json.dumps(shape)


def test_a_report_of_a_model_keeps_its_reasons(world: World) -> None:
    world.note("2026-05-10", "- the ferry (new) sails at 9\n- met Bo\n")
    memory = (world.root / "MEMORY.md").read_text()
    wish = Dream(
        True, "r", memory + "\n- Bo likes ferries\n", rejected=(("met Bo", "a (single) event"),)
    )
    report = world.ws.dream(engine=Scripted([wish]))
    past = world.ws.dream_report(report.id)
    assert past.promoted == ("Bo likes ferries",)
    assert past.rejected == (("met Bo", "a (single) event"),)


@pytest.mark.parametrize("purge", [False, True])
def test_OWN_06_a_forgotten_statement_is_in_no_report(world: World, purge: bool) -> None:
    report = world.nights()[1]
    assert "met Bo on 11" in json.dumps(world.ws.dream_report(report.id).as_dict())
    world.ws.forget("met Bo on 11", purge=purge)
    past = json.dumps(world.ws.dream_report(report.id).as_dict())
    assert "met Bo on 11" not in past and "rule number 11" in past
    diary = (world.root / "DREAMS.md").read_text()
    assert "met Bo on 11" not in diary and "met Bo on 12 (stands in" in diary


def test_the_diary_tells_what_is_new_and_not_the_same_every_night(world: World) -> None:
    world.nights()
    diary = (world.root / "DREAMS.md").read_text()
    assert "known already" not in diary
    for day in (10, 11, 12):
        assert diary.count(f"met Bo on {day}") == 1


def test_OWN_06_forget_takes_a_line_out_of_the_diary_and_its_archive(world: World) -> None:
    world.nights()
    archive = world.root / "memory/dreams/2026-05.md"
    archive.parent.mkdir()
    (world.root / "DREAMS.md").rename(archive)
    world.ws.forget("met Bo on 12")
    told = archive.read_text()
    assert "met Bo on 12" not in told and "- met Bo on 11 (stands in one note only)" in told
    assert "rule number 12 holds ([2026-05-12](memory/2026-05-12.md))" in told


def test_an_undone_dream_is_no_report_any_more(world: World) -> None:
    reports = world.nights()
    before = {path.name: path.read_bytes() for path in world.root.glob("*.md")}
    world.ws.undo(reports[2].commit)
    assert [one.id for one in world.ws.dreams()] == [reports[1].id, reports[0].id]
    assert "rule number 12" not in (world.root / "MEMORY.md").read_text()
    assert "2026-05-12" not in (world.root / "DREAMS.md").read_text()
    with pytest.raises(NotFound):
        world.ws.dream_report(reports[2].id)
    assert world.ws.dream(engine="rules").promoted == reports[2].promoted
    assert (world.root / "MEMORY.md").read_bytes() == before["MEMORY.md"]


def test_every_night_can_be_taken_back_out_of_order(world: World) -> None:
    reports = world.nights()
    for number in (1, 0, 2):
        world.ws.undo(reports[number].commit)
    assert "rule number" not in (world.root / "MEMORY.md").read_text()
    assert world.ws.dreams() == ()


def test_the_status_knows_the_last_and_the_next_run(world: World) -> None:
    empty = world.ws.dream_status()
    assert (empty.enabled, empty.dreams, empty.last_run, empty.last_entry) == (True, 0, None, "")
    assert empty.next_run == TENTH + timedelta(days=1)
    reports = world.nights()
    world.note("2026-05-12", "- something new\n- and more\n")
    found = world.ws.dream_status()
    assert found.last_run is not None and found.last_run["status"] == "updated"
    assert found.last_dream is not None and found.last_dream.id == reports[2].id
    assert found.last_entry == "2026-05-12 03:00 Dream"
    assert (found.dreams, found.promoted, found.unread) == (3, 3, 1)
    assert found.next_run == datetime(2026, 5, 13, 3, tzinfo=UTC)
    json.dumps(found.as_dict())
    with Workspace.open(world.root, clock=Clock(UTC, lambda: world.now)) as again:  # W-13
        assert again.dream_status().last_run == found.last_run


def test_a_person_without_memory_has_no_dreams(world: World) -> None:
    view = world.ws.for_owner("user:nobody")
    assert view.dreams() == () and view.candidates().candidates == ()
    assert view.dream_status().dreams == 0
    with pytest.raises(NotFound):
        view.dream_report("abc")


def test_W_8_everybody_dreams_their_own_notes_into_their_own_memory(world: World) -> None:
    world.note("2026-05-10", "- Decision: the team ships on Friday\n")
    world.note("2026-05-10", "- Decision: Ann takes Monday off\n", "user:ann")
    world.note("2026-05-10", "- Decision: Ben takes Tuesday off\n", "user:ben")
    reports = world.ws.dream_everywhere(engine="rules")
    assert [(one.owner, one.promoted) for one in reports] == [
        ("", ("the team ships on Friday",)),
        ("user:ann", ("Ann takes Monday off",)),
        ("user:ben", ("Ben takes Tuesday off",)),
    ]
    assert "Ann" not in (world.root / "MEMORY.md").read_text()
    ann = world.root / "owners" / "user=3aann"
    everything = "".join(path.read_text() for path in ann.glob("**/*.md"))
    assert "Ben" not in everything and "ships" not in everything
    assert [one.owner for one in world.ws.dream_everywhere(engine="rules")] == [
        "", "user:ann", "user:ben",
    ]  # fmt: skip


def test_what_fails_for_one_person_stops_nobody_else(world: World) -> None:
    world.note("2026-05-10", "- Decision: the team ships on Friday\n")
    world.note("2026-05-10", "- Decision: Ann takes Monday off\n", "user:ann")
    world.note("2026-05-10", "- Decision: Ben takes Tuesday off\n", "user:ben")
    good = Dream(True, "r", None, promoted=("kept",))
    engine = Scripted([good, ModelError("down"), good])
    reports = world.ws.dream_everywhere(engine=engine)
    assert [one.status for one in reports] == ["updated", "failed", "updated"]
    broken = Scripted([GuardRefused("no way")])
    reports = world.ws.dream_everywhere(engine=broken)
    assert [one.status for one in reports] == ["skipped", "failed", "skipped"]
    assert reports[1].reason == "no way"


def test_the_commands_show_what_the_library_knows(world: World) -> None:
    today = datetime.now(UTC).date()  # commands live in the present
    world.note(f"{today - timedelta(days=1)}", "- The lift is slow\n")
    world.note(f"{today}", "- the lift is slow.\n- Decision: we use uv\n")
    listed = json.loads(world.run("dreams", "candidates", "--json").stdout)
    assert [one["text"] for one in listed["candidates"]] == ["the lift is slow."]
    assert "stands in 2 notes" in world.run("dreams", "candidates").stdout
    assert "no dream has changed anything" in world.run("dreams").output
    dry: dict[str, Any] = json.loads(world.run("dream", "--dry-run", "--json").stdout)
    assert (dry["status"], dry["commit"], dry["dry_run"]) == ("updated", None, True)
    done = json.loads(world.run("dream", "--json").stdout)
    assert done["status"] == "updated" and len(done["promoted"]) == 2
    (row,) = json.loads(world.run("dreams", "--json").stdout)
    assert row["id"] == done["id"] and row["commit"] == done["commit"]
    assert row == json.loads(world.run("dreams", "list", "--json").stdout)[0]
    shown = world.run("dreams", "show", done["id"][:6]).stdout
    assert "+ we use uv" in shown and "+++ b/MEMORY.md" in shown
    assert json.loads(world.run("dreams", "show", done["id"], "--json").stdout)["diff"]
    state = json.loads(world.run("dreams", "status", "--json").stdout)
    assert state["last_dream"]["id"] == done["id"] and state["enabled"] is True
    assert "next run" in world.run("dreams", "status").stdout


def test_dream_all_prints_one_report_for_each_memory(world: World) -> None:
    today = str(datetime.now(UTC).date())
    world.note(today, "- Decision: the team ships on Friday\n")
    world.note(today, "- Decision: Ann takes Monday off\n", "user:ann")
    found = json.loads(world.run("dream", "--all", "--json").stdout)
    assert [(one["owner"], one["status"]) for one in found] == [
        ("", "updated"), ("user:ann", "updated"),
    ]  # fmt: skip
    printed = world.run("dream", "--all").stdout
    assert "shared memory: skipped" in printed and "user:ann: skipped" in printed


def test_I7_no_id_of_a_forgotten_entry_is_left_in_the_ledger(world: World) -> None:
    world.nights()
    ledger = world.root / "ledger/2026-05.jsonl"
    kept, gone = entry_id("met Bo on 12"), entry_id("met Bo on 11")
    assert kept in ledger.read_text() and gone in ledger.read_text()
    world.ws.forget("met Bo on 11")
    assert kept in ledger.read_text() and gone not in ledger.read_text()
    assert len(world.ws.dreams()) == 3


def test_forget_reaches_what_this_machine_keeps_of_runs(world: World) -> None:
    world.note("2026-05-10", "- the quokka plan\n")
    said = "The quokka plan is no lasting thing."
    assert world.ws.dream(engine=Scripted([Dream(False, said)])).status == "unchanged"
    state = world.root / ".mnemofs/dreams.json"
    assert "quokka" in state.read_text()
    world.ws.forget("quokka", all_mentions=True)
    assert "quokka" not in state.read_text()
    last = world.ws.dream_status().last_run
    assert last is not None and last["status"] == "unchanged"
