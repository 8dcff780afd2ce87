"""The morning card: all that dreams added and that this person has not seen, with actions."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace

import pytest

from mnemofs.errors import NotFound, UsageError
from mnemofs.lifecycle.marks import touches_user_edited
from mnemofs.lifecycle.reviewing.card import mark_user_edited
from mnemofs.llm.engine import Dream
from mnemofs.view import View
from tests.facts.conftest import Cli, Desk
from tests.lifecycle.conftest import Scripted


def sleep(desk: Desk, view: View, *lines: str) -> str:
    """A dream that promotes these lines; its report."""
    desk.tick(days=1)
    for line in lines:
        view.note(line, actor="person")
    done = view.dream(engine=Scripted([Dream(True, "recurs", promoted=lines)]))
    assert done.status == "updated", done
    return done.commit or ""


def shown(view: View) -> list[list[str]]:
    """The entries of each unseen report, newest first."""
    return [[entry.text for entry in report.entries] for report in view.card().reports]


def ids(view: View) -> dict[str, str]:
    return {one.text: one.id for report in view.card().reports for one in report.entries}


def test_nothing_unseen_is_no_error(desk: Desk, cli: Cli) -> None:
    assert desk.ws.card().reports == ()
    assert cli("card", "--json").json == {"unseen": 0, "reports": []}
    assert "nothing new" in cli("card").err
    assert desk.ws.for_owner("user:new").card().reports == ()
    assert desk.ws.card_seen() == 0


def test_every_unseen_dream_is_shown_not_only_the_latest(desk: Desk, cli: Cli) -> None:
    sleep(desk, desk.ws, "I live in Rome", "The deploy day is Friday")
    commit = sleep(desk, desk.ws, "Anna works at Acme")
    assert shown(desk.ws) == [
        ["Anna works at Acme"],
        ["I live in Rome", "The deploy day is Friday"],
    ]
    found = cli("card", "--json").json
    assert (found["unseen"], found["reports"][0]["commit"]) == (2, commit)
    assert datetime.fromisoformat(found["reports"][0]["time"]).tzinfo
    text = cli("card").out
    assert "Anna works at Acme" in text
    assert "1 entry promoted" in text


def test_what_was_seen_stays_seen_after_a_restart_and_new_dreams_are_shown(desk: Desk) -> None:
    sleep(desk, desk.ws, "I live in Rome")
    assert desk.ws.card_seen() == 1
    assert desk.ws.card().reports == ()
    sleep(desk, desk.ws, "Anna works at Acme")
    sleep(desk, desk.ws, "Bo works at Acme")
    older = desk.ws.card().reports[-1]
    assert desk.ws.card_seen(older.id) == 1
    with type(desk.ws).open(desk.root, clock=desk.ws.clock) as again:
        assert shown(again) == [["Bo works at Acme"]]
        with pytest.raises(NotFound):
            again.card_seen(older.id)


def test_each_person_has_a_card_of_their_own(desk: Desk, cli: Cli) -> None:
    first, second = desk.ws.for_owner("user:a"), desk.ws.for_owner("user:b")
    sleep(desk, first, "My favourite animal is Zebra1")
    sleep(desk, second, "I live in Oslo")
    sleep(desk, desk.ws, "The deploy day is Friday")
    assert shown(first) == [["The deploy day is Friday"], ["My favourite animal is Zebra1"]]
    assert shown(second) == [["The deploy day is Friday"], ["I live in Oslo"]]
    assert shown(desk.ws) == [["The deploy day is Friday"]]
    first.card_seen()
    assert shown(first) == []
    assert len(shown(second)) == 2
    assert len(shown(desk.ws)) == 1
    assert "zebra" not in cli("card", "--json", "--owner", "user:b").out.casefold()


def test_a_dream_that_was_undone_has_no_report(desk: Desk) -> None:
    commit = sleep(desk, desk.ws, "I live in Rome")
    desk.ws.undo(commit)
    assert desk.ws.card().reports == ()


def test_W_33_confirming_is_recorded_and_raises_the_trust(desk: Desk, cli: Cli) -> None:
    sleep(desk, desk.ws, "I live in Rome")
    name = ids(desk.ws)["I live in Rome"]
    desk.tick(days=60)
    before, text, commits = desk.ws.facts()[0], desk.text(), desk.commits
    done = cli("card", "confirm", name, "--json").json
    assert (done["status"], desk.commits) == ("confirmed", commits + 1)
    after = desk.ws.facts()[0]
    assert after.trust > before.trust + 0.2
    assert after.helpful == 1
    assert desk.text() == text
    assert after.id == before.id


@pytest.mark.parametrize(
    "mark", ["<!-- user-edited: 2020-01-01 -->", "<!-- mnemofs:dream x -->", "<!--user-edited-->"]
)
def test_a_persons_words_bring_no_marks_of_ours(desk: Desk, mark: str) -> None:
    sleep(desk, desk.ws, "I live in Rome")
    name = ids(desk.ws)["I live in Rome"]
    with pytest.raises(UsageError):
        desk.ws.card_edit(name, mark)
    desk.ws.card_edit(name, f"I live in Paris {mark}")
    assert "I live in Paris\n" in desk.text() and mark not in desk.text()
    assert desk.text().count("user-edited") == 1


def test_W_33_editing_puts_the_persons_words_there_and_marks_them(desk: Desk, cli: Cli) -> None:
    sleep(desk, desk.ws, "I live in Rome", "The deploy day is Friday")
    name = ids(desk.ws)["I live in Rome"]
    done = cli("card", "edit", name, "I live in Paris now", "--json").json
    assert done["commit"]
    assert "I live in Rome" not in desk.text()
    line = next(line for line in desk.text().splitlines() if "I live in Paris now" in line)
    assert line.startswith("- 2026-")  # date and source stay
    assert desk.text().count("<!-- user-edited: ") == 1
    again = ids(desk.ws)["The deploy day is Friday"]
    desk.ws.card_edit(again, "The deploy day is Monday")
    assert desk.text().count("user-edited") == 1
    assert touches_user_edited(desk.text(), desk.text().replace("Monday", "Sunday"))
    assert desk.ws.card().reports[0].gone == 2
    assert shown(desk.ws) == [[]]
    sleep(desk, desk.ws, "Anna works at Acme")
    assert "The deploy day is Monday" in desk.text()


def test_W_33_forgetting_gives_a_receipt_and_the_entry_is_gone(desk: Desk, cli: Cli) -> None:
    sleep(desk, desk.ws, "I live in Quokkatown")
    name = ids(desk.ws)["I live in Quokkatown"]
    receipt = cli("card", "forget", name, "--json").json
    assert receipt["status"] == "deleted"
    assert receipt["removed"]["total"] >= 2  # the note, too
    assert "uokka" not in desk.text()
    assert shown(desk.ws) == [[]]
    assert "uokka" not in cli("card", "--json").out
    assert cli("card", "forget", name).code == 1


def test_an_entry_that_nobody_knows_cannot_be_acted_on(desk: Desk) -> None:
    sleep(desk, desk.ws, "I live in Rome")
    name = ids(desk.ws)["I live in Rome"]
    for act in (desk.ws.card_confirm, desk.ws.card_forget, lambda one: desk.ws.card_edit(one, "x")):
        with pytest.raises(NotFound):
            act("0123456789ab")
    with pytest.raises(UsageError):
        desk.ws.card_edit(name, "  ")
    team = desk.ws.for_owner("user:a")
    with pytest.raises(NotFound):
        team.card_edit(name, "the team's entry is not theirs to change")
    assert team.card_confirm(name).commit  # but to confirm, for themselves


@pytest.mark.parametrize(
    ("text", "line", "after"),
    [
        ("- a\n", 1, "- a\n\n<!-- user-edited: 2026-05-01 -->\n"),
        ("# M\n\n- a\n\n## B\n\n- b\n", 3,
         "# M\n\n- a\n\n<!-- user-edited: 2026-05-01 -->\n\n## B\n\n- b\n"),
        ("## A\n- a\n\n<!-- user-edited: 2020-01-01 -->\n\n## B\n- b\n", 2,
         "## A\n- a\n\n<!-- user-edited: 2026-05-01 -->\n\n## B\n- b\n"),
        ("## A\r\n- a\r\n", 2, "## A\r\n- a\r\n\r\n<!-- user-edited: 2026-05-01 -->\r\n"),
        ("## A\n- a", 2, "## A\n- a\n\n<!-- user-edited: 2026-05-01 -->\n"),
    ],
)  # fmt: skip
def test_the_mark_stands_at_the_end_of_the_section_and_never_stacks(
    text: str, line: int, after: str
) -> None:
    day = datetime(2026, 5, 1).date()
    once = mark_user_edited(text.encode(), line, day)
    assert once.decode() == after
    assert mark_user_edited(once, line, day) == once


def test_a_dream_brings_the_facts_up_to_date_and_has_pairs_judged(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemofs.llm.engine import Judged, JudgeRequest, Verdict
    from mnemofs.llm.replies import Clean, Rejected

    settings = desk.root / "mnemofs.toml"
    settings.write_text(settings.read_text() + "\n[facts]\njudge = true\n")
    asked: list[JudgeRequest] = []
    replies = [
        Rejected("not_json", "no JSON"),
        lambda request: Clean(Judged(tuple(Verdict(p.id, False, "both") for p in request.pairs))),
    ]

    def judge(request: JudgeRequest) -> object:
        asked.append(request)
        reply = replies.pop(0)
        return reply if isinstance(reply, Rejected) else reply(request)

    with type(desk.ws).open(desk.root, clock=desk.ws.clock) as ws:
        engine = Scripted([Dream(True, "recurs", promoted=("I live in Rome", "I live in Paris"))])
        monkeypatch.setattr(
            ws, "_engine", lambda one: SimpleNamespace(judge=judge) if one == "llm" else engine
        )
        ws.note("I live in Rome. I live in Paris.", actor="person")
        report = ws.dream()
        assert any("not judged" in text for text in report.warnings)
        assert len(ws.contradictions()) == 1
        desk.tick(days=1)
        ws.note("Anna works at Acme", actor="person")
        engine.outcomes = [Dream(True, "recurs", promoted=("Anna works at Acme",))]
        ws.dream()
        assert ws.contradictions() == ()  # the model says that both may be true
        assert [len(request.pairs) for request in asked] == [1, 1]
