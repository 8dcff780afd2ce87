"""One list for all that waits: proposals of every kind, conflicts, contradictions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.store.model import Actor, Change, Edit
from tests.review.conftest import BASE, Desk, Outcome

Cli = Callable[..., Outcome]
SOUL = "# Soul\n\n- Kind and brief\n"


def propose(desk: Desk, actor: Actor, path: str, text: str) -> str:
    """Park a change of an actor; its id."""
    desk.tick()
    edit = Edit(path, desk.store.read(path).blob, text.encode())
    trust = "web" if actor == "import" else "agent"
    change = Change((edit,), actor, "proposal: why", source="s1", trust=trust)
    ref = park(desk.store, change, desk.ws.clock.now())
    assert ref
    return ref.rpartition("/")[2]


@pytest.fixture
def full(desk: Desk) -> dict[str, str]:
    """One of each kind; ids by kind."""
    desk.put(SOUL, "SOUL.md")
    desk.put("- I work at Acme\n- I work at Globex\n", "PROFILE.md")
    base = desk.put(BASE)
    desk.put(BASE.replace("Tea is in", "Tea is on"))
    desk.late(BASE.replace("Tea is in", "Tea is under"), base)
    names = {
        "proposal": propose(desk, "dream", "KNOWLEDGE.md", "# Known\n\n- x\n"),
        "soul": propose(desk, "soul", "SOUL.md", SOUL + "- Curious\n"),
        "import": propose(desk, "import", "AGENTS.md", "# How\n\n- imported\n"),
    }
    for item in desk.ws.review():
        if item.kind != "proposal":
            names[item.kind] = item.id
    return names


def test_everything_that_waits_is_in_one_list(full: dict[str, str], desk: Desk, cli: Cli) -> None:
    listed = cli("review", "--json").json
    assert {item["id"] for item in listed} == set(full.values())
    assert set(full) == {"proposal", "soul", "import", "conflict", "contradiction"}
    kinds = {item["id"]: (item["kind"], item["actor"], item["trust"]) for item in listed}
    assert kinds[full["import"]] == ("proposal", "import", "web")
    assert kinds[full["contradiction"]][0] == "contradiction"
    times = [item["since"] for item in listed]
    assert times == sorted(times)
    shown = cli("review").out
    assert "soul proposal" in shown
    assert "import proposal" in shown
    assert "Acme" not in shown  # the list holds no memory text
    for kind, name in full.items():
        (item,) = [one for one in cli("review", "--json", "--kind", kind).json if one["id"] == name]
        assert cli("review", "show", item["id"]).code == 0
    assert any("contradiction" in text for text in desk.ws.status().warnings)


@pytest.mark.parametrize(
    ("kind", "arguments", "path", "text"),
    [
        ("soul", ["accept"], "SOUL.md", "- Curious"),
        ("import", ["accept"], "AGENTS.md", "- imported"),
        ("import", ["edit", "--text", "# My own\n"], "AGENTS.md", "# My own"),
        ("contradiction", ["accept", "--keep-a"], "PROFILE.md", "I work at"),
        ("contradiction", ["accept", "--keep-b"], "PROFILE.md", "I work at"),
        ("contradiction", ["accept", "--merge"], "PROFILE.md", " / "),
        ("contradiction", ["accept", "--merge", "--text", "I work at both"], "PROFILE.md", "both"),
        ("contradiction", ["edit", "--text", "I work at Initech"], "PROFILE.md", "Initech"),
        ("conflict", ["accept", "--ours"], "MEMORY.md", "Tea is"),
    ],
)
def test_each_kind_is_decided_by_one_commit_that_undo_takes_back(
    full: dict[str, str],
    desk: Desk,
    cli: Cli,
    kind: str,
    arguments: list[str],
    path: str,
    text: str,
) -> None:
    before, commits = desk.text(path), desk.commits
    done = cli("review", arguments[0], full[kind], *arguments[1:], "--json")
    assert done.code == 0, done.out
    assert desk.commits == commits + 1
    assert text in desk.text(path)
    assert desk.text(path) != before
    assert full[kind] not in [item.id for item in desk.ws.review()]
    desk.ws.undo()
    assert desk.text(path) == before
    assert full[kind] in [item.id for item in desk.ws.review()]


@pytest.mark.parametrize("kind", ["soul", "import", "contradiction"])
def test_what_is_rejected_is_not_asked_again(
    full: dict[str, str], desk: Desk, cli: Cli, kind: str
) -> None:
    before = {path: desk.text(path) for path in ("SOUL.md", "AGENTS.md", "PROFILE.md")}
    assert cli("review", "reject", full[kind]).code == 0
    assert {path: desk.text(path) for path in before} == before
    desk.tick(days=2)
    assert full[kind] not in [item.id for item in desk.ws.review()]


def test_an_accepted_import_keeps_its_low_trust(full: dict[str, str], desk: Desk) -> None:
    desk.ws.decide(full["import"], "accepted")
    assert "Mnemofs-Trust: web" in desk.git("show", "-s", "HEAD")


def test_a_proposal_stays_whose_it_is_when_something_in_it_is_forgotten(desk: Desk) -> None:
    propose(desk, "import", "AGENTS.md", "# How\n\n- Tea is in the cupboard\n- imported\n")
    desk.ws.forget("Tea is in the cupboard")
    (item,) = desk.ws.review()
    assert (item.actor, item.trust) == ("import", "web")
    desk.ws.decide(item.id, "accepted")
    assert desk.text("AGENTS.md") == "# How\n\n- imported\n"


def test_a_contradiction_needs_a_word(full: dict[str, str], cli: Cli) -> None:
    done = cli("review", "accept", full["contradiction"])
    assert done.code == 2
    assert "--keep-a" in done.err
    assert cli("review", "accept", full["contradiction"], "--keep-a", "--text", "x").code == 2
    assert cli("review", "accept", full["contradiction"], "--ours").code == 2
    assert cli("review", "accept", full["soul"], "--keep-a").code == 2


def test_a_conflict_and_its_two_facts_are_one_question(desk: Desk, cli: Cli) -> None:
    base = desk.put("# M\n\n- The deploy day is Friday\n")
    desk.put("# M\n\n- The deploy day is Monday\n")
    desk.late("# M\n\n- The deploy day is Sunday\n", base)
    (item,) = desk.ws.review()
    assert item.kind == "conflict"
    desk.ws.decide(item.id, "both")
    assert cli("review", "--json").json == []


def test_walking_asks_about_each_and_stops_when_told(
    full: dict[str, str], desk: Desk, cli: Cli
) -> None:
    order = [item.id for item in desk.ws.review()]
    answers = {
        full["conflict"]: "o", full["contradiction"]: "i", full["proposal"]: "a", full["soul"]: "r",
        full["import"]: "q",
    }  # fmt: skip
    told = "".join(f"{answers[name]}\n" for name in order)
    done = cli("review", "--walk", stdin=told.encode())
    assert done.code == 0
    left = {item.id for item in desk.ws.review()}
    stopped = order.index(full["import"])
    assert left == set(order[stopped:])
    assert f"1 of {len(order)}" in done.out


@pytest.mark.parametrize("told", ["", "s\n", "x\ns\nq\n"])
def test_walking_changes_nothing_unasked(
    full: dict[str, str], desk: Desk, cli: Cli, told: str
) -> None:
    before, commits = set(full.values()), desk.commits
    assert cli("review", "--walk", stdin=told.encode()).code == 0
    assert {item.id for item in desk.ws.review()} == before
    assert desk.commits == commits


def test_walking_an_empty_list_says_so(desk: Desk, cli: Cli) -> None:
    assert "nothing waits" in cli("review", "--walk").err
