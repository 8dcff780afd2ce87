"""Conflicts: listed as long as both texts stand, decided in one commit, shown to agents once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.errors import NotFound, UsageError
from mnemofs.store.model import Change, Edit
from tests.review.conftest import BASE, Desk, Outcome

Cli = Callable[..., Outcome]
MONDAY, SUNDAY = BASE.replace("Fridays", "Mondays"), BASE.replace("Fridays", "Sundays")
OSLO, LIMA = BASE.replace("Rome", "Oslo"), BASE.replace("Rome", "Lima")


def met(desk: Desk, ours: str, theirs: str, path: str = "MEMORY.md") -> str:
    """The id of the conflict between a late write (ours) and what a person wrote first (theirs)."""
    base = desk.store.read(path).blob
    assert base is not None
    desk.put(theirs, path)
    assert desk.late(ours, base, path) == 1
    (item,) = desk.ws.review()
    assert item.kind == "conflict"
    return item.id


def test_two_texts_for_one_entry_are_listed_and_shown_side_by_side(desk: Desk, cli: Cli) -> None:
    name = met(desk, SUNDAY, MONDAY)
    (item,) = cli("review", "--json").json
    assert (item["paths"], item["heading"]) == (["MEMORY.md"], "Memory > Facts")
    shown = cli("review", "show", name, "--json").json
    assert shown["ours"] == "- Deploys happen on Sundays\n"
    assert shown["theirs"] == "- Deploys happen on Mondays\n"
    assert shown["standing"] == ["ours", "theirs"]
    assert shown["newer"] == "ours"
    coloured = cli("review", "show", name, colour=True).out
    assert "\x1b[1;31mSundays\x1b[0m" in coloured
    assert "\x1b[1;32mMondays\x1b[0m" in coloured


@pytest.mark.parametrize(
    ("flag", "stays", "goes"),
    [("--ours", "Sundays", "Mondays"), ("--theirs", "Mondays", "Sundays")],
)
def test_one_of_two_texts_is_kept_and_no_other_line_changes(
    desk: Desk, cli: Cli, flag: str, stays: str, goes: str
) -> None:
    name = met(desk, SUNDAY, MONDAY)
    before = desk.commits
    assert cli("review", "accept", name, flag, "--json").json["status"] == flag[2:]
    assert desk.commits == before + 1
    assert desk.text() == BASE.replace("Fridays", stays)
    assert goes not in desk.text()
    assert cli("review", "--json").json == []


@pytest.mark.parametrize("how", [("--both",), ()])
def test_both_texts_may_be_right(desk: Desk, cli: Cli, how: tuple[str, ...]) -> None:
    name = met(desk, SUNDAY, MONDAY)
    both = desk.text()
    assert cli("review", "accept", name, *how).code == 0
    assert desk.text() == both
    assert cli("review", "--json").json == []


def test_an_own_text_takes_the_place_of_both(desk: Desk, cli: Cli) -> None:
    name = met(desk, SUNDAY, MONDAY)
    assert cli("review", "edit", name, "--text", "- Deploys happen daily").code == 0
    assert desk.text() == BASE.replace("on Fridays", "daily")


def test_SYN_02_two_values_are_both_recoverable_and_one_stands(desk: Desk, cli: Cli) -> None:
    name = met(desk, LIMA, OSLO)
    assert desk.text().count("city:") == 1
    shown = cli("review", "show", name, "--json").json
    assert {shown["ours"], shown["theirs"]} == {"city: Lima\n", "city: Oslo\n"}
    assert "<<<<<<<" not in cli("context").out
    history = desk.git("log", "--all", "-p", "--", "MEMORY.md", "ours/MEMORY.md")
    assert "Oslo" in history
    assert "Lima" in history
    assert cli("review", "accept", name, "--theirs").code == 0
    assert desk.text() == OSLO
    assert cli("undo").code == 0
    assert desk.text() == LIMA
    assert [one.id for one in desk.ws.review()] == [name]


def test_a_machine_at_work_alone_does_not_outvote_a_person_and_its_value_is_kept(
    desk: Desk,
) -> None:
    base = desk.store.read("MEMORY.md").blob or ""
    desk.put(OSLO)
    late = LIMA + "\n- one more line\n"
    assert desk.late(late, base, actor="extractor") == 1
    assert "city: Oslo" in desk.text()
    (item,) = desk.ws.review()
    shown = desk.ws.review_item(item.id)
    assert (shown.ours, shown.theirs) == (b"city: Lima\n", b"city: Oslo\n")
    assert shown.standing == {"theirs"}
    assert shown.newer == "theirs"
    desk.git("gc", "-q", "--prune=now")
    desk.ws.decide(item.id, "ours")
    assert "city: Lima" in desk.text()
    assert "city: Oslo" not in desk.text()


def test_an_edit_by_hand_decides_too(desk: Desk) -> None:
    met(desk, SUNDAY, MONDAY)
    (desk.root / "MEMORY.md").write_text(MONDAY)
    assert desk.ws.review() == ()


def test_an_edit_of_something_else_decides_nothing(desk: Desk) -> None:
    name = met(desk, SUNDAY, MONDAY)
    desk.put(desk.text().replace("Tom", "Tim"))
    assert [one.id for one in desk.ws.review()] == [name]


def test_a_conflict_that_was_decided_meanwhile_is_refused(desk: Desk) -> None:
    name = met(desk, SUNDAY, MONDAY)
    desk.put("# Memory\n")
    with pytest.raises(NotFound, match="nothing waits"):
        desk.ws.decide(name, "ours")


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
def test_a_conflict_takes_only_its_own_verdicts(desk: Desk, verdict: str) -> None:
    name = met(desk, SUNDAY, MONDAY)
    with pytest.raises(UsageError, match="cannot be decided"):
        desk.ws.decide(name, verdict)  # type: ignore[arg-type]


def test_reject_says_what_to_type_instead(desk: Desk, cli: Cli) -> None:
    name = met(desk, SUNDAY, MONDAY)
    outcome = cli("review", "reject", name)
    assert outcome.code == 2
    assert "--ours" in outcome.err


def test_an_entry_deleted_here_and_changed_there_stands_until_decided(desk: Desk, cli: Cli) -> None:
    gone = BASE.replace("- Coffee is out\n", "").replace("Tom", "Tim")
    changed = BASE.replace("Coffee is out", "Coffee is out today")
    name = met(desk, gone, changed)
    assert "today" in desk.text()
    (item,) = desk.ws.review()
    assert item.verdicts == ("ours", "theirs")
    assert cli("review", "accept", name, "--ours").code == 0
    assert desk.text() == gone


def test_a_file_deleted_here_and_changed_there_is_a_choice_too(desk: Desk) -> None:
    base = desk.put("# A\n\n- one\n", "memories/a.md")
    desk.put("# A\n\n- one\n- two\n", "memories/a.md")
    desk.tick()
    done = desk.store.commit(Change((Edit("memories/a.md", base, None),), "tool", "delete"))
    assert len(done.conflicts) == 1
    # Nothing had to be committed, so there is nothing to decide: the file stands.
    assert desk.text("memories/a.md") == "# A\n\n- one\n- two\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_deciding_keeps_line_ends_and_byte_order_mark(desk: Desk, end: str, bom: str) -> None:
    def form(text: str) -> str:
        return bom + text.replace("\n", end)

    path = "memories/form.md"
    desk.put(form(BASE), path)
    name = met(desk, form(SUNDAY), form(MONDAY), path)
    desk.ws.decide(name, "theirs")
    assert desk.text(path) == form(MONDAY)


def test_the_same_texts_that_meet_again_after_a_decision_wait_again(desk: Desk) -> None:
    name = met(desk, SUNDAY, MONDAY)
    desk.ws.decide(name, "theirs")
    desk.tick()
    desk.put(BASE)
    assert met(desk, SUNDAY, MONDAY) == name


def test_context_shows_the_newer_and_says_that_there_is_an_older(desk: Desk, cli: Cli) -> None:
    name = met(desk, SUNDAY, MONDAY)
    told = desk.ws.context(query="when do deploys happen")
    assert told.system.count("Deploys happen on") == 1
    assert f"Sundays [an older text differs: mnemofs review show {name}]" in told.system
    assert "Mondays" in desk.text()  # the file keeps both
    desk.ws.decide(name, "ours")
    told = desk.ws.context()
    assert "- Deploys happen on Sundays\n" in told.system
    assert "review" not in told.system.partition("Deploys")[2].partition("\n")[0]


def test_recalled_lines_show_the_newer_only(desk: Desk) -> None:
    path = "memories/rota.md"
    desk.put("# Rota\n\n- Deploys happen on Fridays\n- other\n", path)
    name = met(
        desk,
        "# Rota\n\n- Deploys happen on Sundays\n- other\n",
        "# Rota\n\n- Deploys happen on Mondays\n- other\n",
        path,
    )
    told = desk.ws.context(query="when do deploys happen").prefetch
    assert f"Sundays [an older text differs: mnemofs review show {name}]" in told
    assert "Mondays" not in told


def test_status_counts_conflicts(desk: Desk, cli: Cli) -> None:
    met(desk, SUNDAY, MONDAY)
    state = cli("status", "--json").json
    assert state["sync"]["conflicts"] == 1
    assert any("1 conflict waiting" in text for text in state["warnings"])


def test_forgetting_one_of_the_texts_closes_the_conflict(desk: Desk) -> None:
    met(desk, SUNDAY, MONDAY)
    desk.ws.forget("Deploys happen on Mondays")
    assert desk.ws.review() == ()
    assert "Mondays" not in desk.text()


@pytest.fixture
def machines(desk: Desk, make: Callable[..., Desk], tmp_path: Path) -> tuple[Desk, Desk]:
    """Two machines with one memory, both in sync."""
    shared = tmp_path / "shared.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", shared], check=True)
    desk.ws.add_remote(str(shared))
    desk.ws.sync()
    other = Desk.__new__(Desk)
    other.now = desk.now
    other.ws = Workspace.clone(str(shared), tmp_path / "other", clock=desk.ws.clock)
    return desk, other


def test_a_conflict_of_two_machines_is_decided_once_for_both(
    machines: tuple[Desk, Desk],
) -> None:
    one, two = machines
    one.put(MONDAY)
    two.put(SUNDAY)
    one.ws.sync()
    two.ws.sync()
    one.ws.sync()
    assert one.text() == two.text()
    names = [[item.id for item in desk.ws.review()] for desk in machines]
    assert names[0] == names[1]
    assert len(names[0]) == 1
    assert "older text differs" in one.ws.context().system
    assert "older text differs" in two.ws.context().system
    shown = one.ws.review_item(names[0][0])
    assert {shown.ours, shown.theirs} == {
        b"- Deploys happen on Mondays\n",
        b"- Deploys happen on Sundays\n",
    }
    one.tick()
    one.ws.decide(names[0][0], "theirs")
    one.ws.sync()
    two.ws.sync()
    assert two.ws.review() == ()
    assert one.text() == two.text()
    assert one.text().count("Deploys happen") == 1


@pytest.mark.parametrize("keep", ["delete", "keep"])
def test_a_file_deleted_on_one_machine_and_changed_on_the_other(
    machines: tuple[Desk, Desk], keep: str
) -> None:
    one, two = machines
    path = "memories/a.md"
    one.put("# A\n\n- first\n", path)
    one.ws.sync()
    two.ws.sync()
    one.ws.rm(path)
    two.put("# A\n\n- first\n- second\n", path)
    one.ws.sync()
    two.ws.sync()
    (item,) = two.ws.review()
    shown = two.ws.review_item(item.id)
    assert (shown.ours == b"") != (shown.theirs == b"")
    deleted = "ours" if shown.ours == b"" else "theirs"
    other = "theirs" if deleted == "ours" else "ours"
    two.ws.decide(item.id, deleted if keep == "delete" else other)  # type: ignore[arg-type]
    assert (two.root / path).exists() == (keep == "keep")
    assert two.ws.review() == ()


def test_several_conflicts_of_one_merge_are_decided_one_by_one(
    machines: tuple[Desk, Desk],
) -> None:
    one, two = machines
    one.put(MONDAY.replace("Rome", "Oslo"))
    two.put(SUNDAY.replace("Rome", "Lima"))
    one.ws.sync()
    two.ws.sync()
    items = two.ws.review()
    assert sorted(item.heading for item in items) == ["Memory > Facts", "Memory > Place"]
    for item in items:
        two.tick()
        two.ws.decide(item.id, "ours")
    assert two.ws.review() == ()
    assert two.text().count("Deploys happen") == 1
    assert two.text().count("city:") == 1


def test_a_late_deletion_among_other_edits_is_a_choice(desk: Desk) -> None:
    base = desk.put("# A\n\n- one\n", "memories/a.md")
    desk.put("# A\n\n- one\n- two\n", "memories/a.md")
    desk.tick()
    edits = (Edit("memories/a.md", base, None), Edit("memories/b.md", None, b"# B\n"))
    done = desk.store.commit(Change(edits, "tool", "tidy up"))
    assert len(done.conflicts) == 1
    (item,) = desk.ws.review()
    assert desk.ws.review_item(item.id).ours == b""
    desk.ws.decide(item.id, "ours")
    assert not (desk.root / "memories/a.md").exists()
    assert desk.ws.review() == ()


def test_many_merges_with_conflicts_are_listed_at_once(desk: Desk) -> None:
    facts = "\n".join(f"- fact {n} of many is {n * 7919}" for n in range(40))
    desk.put(f"# Facts\n\n{facts}\n", "memories/f.md")
    for n in range(12):
        base = desk.store.read("memories/f.md").blob or ""
        text = desk.text("memories/f.md")
        old = f"- fact {n} of many is {n * 7919}"
        desk.put(text.replace(old, f"{old} or so"), "memories/f.md")
        assert desk.late(text.replace(old, f"{old} at most"), base, "memories/f.md") == 1
    items = desk.ws.review()
    assert len(items) == 12
    assert len({item.id for item in items}) == 12
    for item in items:
        desk.ws.decide(item.id, "theirs")
    assert desk.text("memories/f.md").count("or so") == 12
    assert "at most" not in desk.text("memories/f.md")
