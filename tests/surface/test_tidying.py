"""`mnemofs consolidate` and `mnemofs soul` as a person uses them, for one memory or all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.llm.engine import Consolidated, ConsolidateRequest
from mnemofs.llm.replies import Clean
from tests.fake_model import FakeModel, fake_model  # noqa: F401 (a fixture)
from tests.surface.conftest import Cli

SAID = ("Rows on Tuesdays", "Plays the cello", "Eats no pork", "Has a parrot", "Sings in a choir",
        "Lives in Bergen", "Works as a midwife")  # fmt: skip


class Counting:
    """Finds nothing and remembers how many entries it was shown."""

    name = "counting"

    def __init__(self) -> None:
        self.shown: list[tuple[str, ...]] = []

    def consolidate(self, request: ConsolidateRequest) -> Clean[Consolidated]:
        self.shown.append(tuple(entry.content for entry in request.entries))
        return Clean(Consolidated(False))


def fill(ws: Workspace, owner: str = "", *, kind: str = "user", twins: bool = True) -> None:
    view = ws.for_owner(owner) if owner else ws
    for number, said in enumerate(SAID):
        view.remember(f"{said} ({owner or 'team'})", kind=kind, key=f"k{number}")
    for key in ("style", "answer_style") if twins else ("style",):
        view.remember("Prefers short answers", kind=kind, key=key)
    if owner:
        view.close()


def set_up(root: Path, text: str) -> None:
    with open(root / "mnemofs.toml", "a") as file:
        file.write(text)


def test_one_memory_by_default_everybody_with_all(
    ws: Workspace, cli: Cli, root: Path, git: Callable[..., str]
) -> None:
    for owner in ("", "user:1", "user:2"):
        fill(ws, owner)
    one = cli("consolidate", "--json").json
    assert (one["status"], one["updated"], one["entries_after"]) == ("updated", 1, 8)
    assert one["commit"] == git(root, "rev-parse", "HEAD").strip()
    dry = cli("consolidate", "--all", "--dry-run", "--json").json
    assert dry["updated"] == 2 and dry["commit"] is None and dry["dry_run"]
    rest = cli("consolidate", "--all", "--json").json
    assert (rest["updated"], rest["owners_consolidated"], rest["skipped_unchanged"]) == (2, 2, 1)
    told = cli("consolidate", "--all")
    assert told.code == 0 and "nothing changed" in told.out and "Rows" not in told.out
    assert cli("consolidate", "--all", "--owner", "user:1").code == 2
    assert cli("search", "short answers", "--lexical", "--owner", "user:1", "--json").json["hits"]
    assert cli("undo").code == 0
    assert (root / "structured/user.md").read_text().count("Prefers short") == 2


def test_I4_each_owners_entries_are_shown_alone_and_stay_in_their_store(
    ws: Workspace, root: Path
) -> None:
    for owner in ("", "user:1", "user:2"):
        fill(ws, owner)
    engine = Counting()
    ws.consolidate(engine=engine)
    assert len(engine.shown) == 3
    for shown in engine.shown:
        assert len({said[said.find("(") :] for said in shown if "(" in said}) == 1
    for folder in (root, *(root / "owners").iterdir()):
        assert "user:" not in (folder / ".mnemofs" / "upkeep.json").read_text()


def test_W_24_the_cap_takes_turns(ws: Workspace, root: Path) -> None:
    owners = [f"user:{number}" for number in range(5)]
    for owner in owners:
        fill(ws, owner, twins=False)
    set_up(root, "\n[consolidation]\nmax_buckets = 2\n")
    seen: list[str] = []
    for night in range(3):
        engine = Counting()
        with Workspace.open(root) as opened:
            report = opened.consolidate(engine=engine).as_dict()
        assert report["skipped_over_cap"] == max(0, 3 - 2 * night)
        seen += [shown[0] for shown in engine.shown]
    assert sorted(seen) == sorted(f"Rows on Tuesdays ({owner})" for owner in owners)


def test_a_broken_store_does_not_stop_the_others(ws: Workspace, root: Path) -> None:
    for owner in ("user:1", "user:2"):
        fill(ws, owner)
    (root / "owners" / "user=3a1" / ".git" / "HEAD").write_text("nonsense")
    report = ws.consolidate()
    assert {bucket.owner: bucket.status for bucket in report.buckets} == {
        "user:1": "failed",
        "user:2": "updated",
    }


def test_it_can_be_switched_off(ws: Workspace, cli: Cli, root: Path) -> None:
    fill(ws)
    set_up(root, "\n[consolidation]\nenabled = false\n")
    off = cli("consolidate", "--json")
    assert (
        off.code == 0 and off.json["status"] == "skipped" and "switched off" in off.json["reason"]
    )
    assert all(off.json[name] == 0 for name in ("updated", "failed", "entries_before"))


def test_soul_is_proposed_reviewed_and_accepted(
    ws: Workspace,
    cli: Cli,
    root: Path,
    fake_model: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill(ws)
    status = cli("soul", "--status", "--json").json
    assert (status["writes"], status["interval"], status["left"], status["due"]) == (
        9,
        20,
        11,
        False,
    )
    assert "9 of 20" in cli("soul").out and "due after 20" in cli("soul", "--status").out
    assert "no language model" in cli("soul", "--now", "--json").json["reason"]
    monkeypatch.setenv("MNEMOFS_MODEL_BASE_URL", fake_model.url)
    monkeypatch.setenv("MNEMOFS_MODEL_NAME", "stub")
    grown = (root / "SOUL.md").read_text() + "\nI wait for the answer before I ask again.\n"
    fake_model.always(json.dumps({"should_update": True, "soul_content": grown, "reason": "r"}))
    dry = cli("soul", "--now", "--dry-run", "--json").json
    assert dry["status"] == "parked" and "+I wait" in dry["diff"] and not dry["proposals"]
    shown = cli("soul", "--now", "--json").json
    assert shown["status"] == "parked" and len(shown["proposals"]) == 1
    (waiting,) = cli("review", "--json").json
    assert waiting["actor"] == "soul"
    assert "I wait for the answer" in cli("review", "show", waiting["id"]).out
    assert "I wait" not in (root / "SOUL.md").read_text()
    assert cli("review", "accept", waiting["id"]).code == 0
    assert (root / "SOUL.md").read_text() == grown
    assert cli("soul", "--status", "--json").json["writes"] == 0


def test_a_person_without_a_character_of_their_own_has_none_to_evolve(
    ws: Workspace, cli: Cli
) -> None:
    fill(ws, "user:1")
    told = cli("soul", "--now", "--owner", "user:1", "--json").json
    assert told["status"] == "skipped" and told["commit"] is None


def test_OWN_06_a_purge_finds_nothing_in_what_upkeep_keeps(
    ws: Workspace, cli: Cli, root: Path
) -> None:
    fill(ws)
    cli("consolidate")
    assert cli("purge", "Plays the cello (team)", "--yes").code == 0
    for file in (root / ".mnemofs").rglob("*"):
        if file.is_file():
            assert b"cello" not in file.read_bytes(), file
