"""Proposals: listed, looked at, taken over, turned down, taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemofs.errors import NotFound, UsageError
from tests.review.conftest import BASE, Desk, Outcome

Cli = Callable[..., Outcome]
SHORT = BASE.replace("- Tea is in the cupboard\n- Coffee is out\n", "- Tea is in, coffee is out\n")


def test_a_parked_rewrite_waits_in_the_list_and_changes_nothing(desk: Desk, cli: Cli) -> None:
    before = desk.git("rev-parse", "HEAD")
    name = desk.propose(SHORT, reason="MEMORY.md would lose 2 of 4 entries")
    (item,) = cli("review", "--json").json
    assert (item["id"], item["kind"], item["paths"]) == (name, "proposal", ["MEMORY.md"])
    assert item["what"] == "MEMORY.md would lose 2 of 4 entries"
    assert (item["actor"], item["source"]) == ("dream", "d1")
    assert desk.text() == BASE
    assert desk.git("rev-parse", "HEAD") == before
    assert name in cli("review").out
    assert "Tea is in the cupboard" not in cli("review").out  # the list holds no memory text


def test_show_gives_the_difference_by_section_with_the_words_that_changed(
    desk: Desk, cli: Cli
) -> None:
    name = desk.propose(BASE.replace("on Fridays", "on Mondays"))
    shown = cli("review", "show", name[:4], colour=True).out
    assert "Memory › Facts" in shown
    assert "\x1b[1;31mFridays\x1b[0m" in shown
    assert "\x1b[1;32mMondays\x1b[0m" in shown
    (file,) = cli("review", "show", name, "--json").json["files"]
    assert file["path"] == "MEMORY.md"
    assert "+- Deploys happen on Mondays" in file["patch"]


def test_an_accepted_proposal_is_one_commit_and_undo_makes_it_wait_again(
    desk: Desk, cli: Cli
) -> None:
    name = desk.propose(SHORT)
    before = desk.commits
    done = cli("review", "accept", name, "--json").json
    assert done["status"] == "accepted"
    assert desk.text() == SHORT
    assert desk.commits == before + 1
    assert cli("review", "--json").json == []
    assert cli("undo").code == 0
    assert desk.text() == BASE
    assert [item["id"] for item in cli("review", "--json").json] == [name]
    assert cli("review", "accept", name).code == 0
    assert desk.text() == SHORT
    assert desk.git("fsck") == ""


def test_a_hand_edit_made_after_the_proposal_survives_accepting_it(desk: Desk) -> None:
    name = desk.propose(SHORT)
    (desk.root / "MEMORY.md").write_text(BASE + "\n## By hand\n\n- kept\n")
    desk.ws.decide(name, "accepted")
    assert "- kept" in desk.text()
    assert "- Tea is in, coffee is out" in desk.text()
    assert "Tea is in the cupboard" not in desk.text()


def test_what_both_sides_changed_is_kept_twice_when_a_proposal_is_accepted(desk: Desk) -> None:
    name = desk.propose(BASE.replace("Fridays", "Mondays"))
    desk.put(BASE.replace("Fridays", "Sundays"))
    done = desk.ws.decide(name, "accepted").done
    assert len(done.conflicts) == 1
    assert "Mondays" in desk.text()
    assert "Sundays" in desk.text()
    assert [one.kind for one in desk.ws.review()] == ["conflict"]


def test_the_preview_is_what_accepting_does(desk: Desk) -> None:
    name = desk.propose(SHORT)
    desk.put(BASE.replace("Rome", "Oslo"))
    (file,) = desk.ws.review_item(name).files
    before = desk.text()
    desk.ws.decide(name, "accepted")
    added = [line.text for hunk in file.hunks for line in hunk.lines if line.kind == "+"]
    removed = [line.text for hunk in file.hunks for line in hunk.lines if line.kind == "-"]
    assert set(added) == set(desk.text().splitlines()) - set(before.splitlines())
    assert set(removed) == set(before.splitlines()) - set(desk.text().splitlines())


def test_a_rejected_proposal_does_not_come_back(desk: Desk, cli: Cli) -> None:
    name = desk.propose(SHORT)
    assert cli("review", "reject", name, "--json").json["status"] == "rejected"
    assert desk.text() == BASE
    assert cli("review", "--json").json == []
    assert desk.propose(SHORT) == ""
    # Nor do the same entries in another order, with other dates.
    again = SHORT.replace("- Tea is in, coffee", "- 2026-05-02 09:00 (c9): Tea is in, coffee")
    assert desk.propose(again) == ""
    assert desk.propose(SHORT.replace("Tom", "Tim")) != ""


def test_a_rejection_is_remembered_by_the_memory_and_not_by_the_machine(desk: Desk) -> None:
    name = desk.propose(SHORT)
    desk.ws.decide(name, "rejected")
    assert SHORT not in desk.text("ledger/2026-05.jsonl")
    assert "Tea" not in desk.text("ledger/2026-05.jsonl")
    desk.git("update-ref", "-d", f"refs/mnemofs/proposals/{name}")
    assert desk.propose(SHORT) == ""


def test_undoing_a_rejection_makes_the_proposal_wait_again(desk: Desk) -> None:
    name = desk.propose(SHORT)
    desk.ws.decide(name, "rejected")
    desk.ws.undo()
    assert [one.id for one in desk.ws.review()] == [name]


def test_a_text_of_ones_own_takes_the_place_of_the_proposal(desk: Desk, cli: Cli) -> None:
    name = desk.propose(SHORT)
    mine = SHORT.replace("coffee is out", "coffee came")
    assert cli("review", "edit", name, "--text", "-", stdin=mine.encode()).code == 0
    assert desk.text() == mine
    assert cli("review", "--json").json == []


def test_what_was_accepted_and_edited_away_may_be_proposed_again(desk: Desk) -> None:
    name = desk.propose(SHORT)
    desk.ws.decide(name, "accepted")
    desk.put(BASE)
    assert desk.propose(SHORT) == name
    assert [one.id for one in desk.ws.review()] == [name]


def test_a_proposal_for_a_new_file_creates_it(desk: Desk) -> None:
    name = desk.propose("# Pets\n\n- Tom\n", "memories/pets.md")
    desk.ws.decide(name, "accepted")
    assert desk.text("memories/pets.md") == "# Pets\n\n- Tom\n"


def test_proposals_survive_garbage_collection_and_packed_refs(desk: Desk) -> None:
    name = desk.propose(SHORT)
    desk.git("gc", "-q", "--prune=now")
    assert [one.id for one in desk.ws.review()] == [name]
    desk.ws.decide(name, "accepted")
    assert desk.text() == SHORT


@pytest.mark.parametrize("wanted", ["", "zz", "ffffffffff", "HEAD"])
def test_an_unknown_id_is_refused_in_plain_words(desk: Desk, cli: Cli, wanted: str) -> None:
    desk.propose(SHORT)
    outcome = cli("review", "show", wanted, "--json")
    assert outcome.code == 1
    assert outcome.json["error"]["code"] == "not_found"


def test_a_decided_id_says_how_it_was_decided(desk: Desk) -> None:
    name = desk.propose(SHORT)
    desk.ws.decide(name, "rejected")
    with pytest.raises(NotFound, match="rejected"):
        desk.ws.review_item(name)


def test_an_id_that_fits_several_is_refused(desk: Desk) -> None:
    names: dict[str, int] = {}
    for number in range(300):
        name = desk.propose(BASE + f"- {number}\n")[:3]
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:
            with pytest.raises(UsageError, match="begin with"):
                desk.ws.review_item(name)
            return
    pytest.fail("no two ids with the same beginning")


def test_what_was_forgotten_does_not_come_back_by_accepting(desk: Desk, cli: Cli) -> None:
    name = desk.propose(BASE + "- The safe is behind the door\n")
    desk.put(BASE + "\n- The safe is behind the door\n")
    desk.ws.forget("The safe is behind the door")
    waiting = [one.id for one in desk.ws.review()]
    if name in waiting:
        outcome = cli("review", "accept", name)
        assert outcome.code in (0, 3)
    assert "safe" not in desk.text()


def test_status_says_how_many_wait(desk: Desk, cli: Cli) -> None:
    assert not any("decision" in text for text in desk.ws.status().warnings)
    desk.propose(SHORT)
    assert any("1 proposal waiting" in text for text in desk.ws.status().warnings)
    assert "mnemofs review" in cli("status").err


def test_a_person_has_a_list_of_their_own(desk: Desk, cli: Cli) -> None:
    view = desk.ws.for_owner("user:42")
    assert view.review() == ()
    view.remember("mine")
    desk.propose(SHORT)
    assert view.review() == ()
    assert cli("review", "--owner", "user:42", "--json").json == []
    assert len(cli("review", "--json").json) == 1


def test_proposals_decided_a_month_ago_leave_no_ref(desk: Desk) -> None:
    first = desk.propose(SHORT)
    desk.ws.decide(first, "rejected")
    desk.tick(days=40)
    second = desk.propose(BASE + "- more\n")
    desk.ws.decide(second, "accepted")
    refs = desk.git("for-each-ref", "--format=%(refname)", "refs/mnemofs/proposals")
    assert refs.split() == [f"refs/mnemofs/proposals/{second}"]
    assert desk.propose(SHORT) == ""


def test_a_proposal_may_delete_a_file(desk: Desk) -> None:
    desk.put("# Old\n\n- x\n", "memories/old.md")
    name = desk.propose(None, "memories/old.md")
    assert [file.status for file in desk.ws.review_item(name).files] == ["deleted"]
    desk.ws.decide(name, "accepted")
    assert not (desk.root / "memories/old.md").exists()
