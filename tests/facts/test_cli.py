"""Facts as a person at the command line meets them."""

from __future__ import annotations

from tests.facts.conftest import Cli, Desk, one

MEMORY = "# Memory\n\n## Facts\n\n- I live in Rome\n- The deploy day is Friday\n"
KEYS = {
    "id", "subject", "predicate", "object", "negative", "category", "scope", "owner", "trust",
    "base", "since", "feedback", "uses", "last_used", "path", "line", "commit", "places",
}  # fmt: skip


def test_facts_are_listed_shown_rated_and_forgotten(desk: Desk, cli: Cli) -> None:
    desk.put(MEMORY)
    listed = cli("facts", "list", "--json").json
    assert set(listed[0]) == KEYS
    assert {one["object"] for one in listed} == {"Rome", "Friday"}
    found = cli("facts", "list", "where", "do", "I", "live?", "--json").json
    assert [one["object"] for one in found] == ["Rome"]
    assert len(cli("facts", "list", "--entity", "deploy", "--json").json) == 1
    assert len(cli("facts", "list", "--limit", "1", "--json").json) == 1
    name = found[0]["id"]
    line = cli("facts", "list", "live").out
    assert name in line
    assert "MEMORY.md:5" in line
    shown = cli("facts", "show", name[:5]).out
    assert "user lives in Rome" in shown
    assert "person" in shown
    rated = cli("facts", "feedback", name, "helpful", "--json").json
    assert rated["fact"]["feedback"] == {"helpful": 1, "unhelpful": 0}
    assert "trust" in cli("facts", "feedback", name, "UNHELPFUL").out
    receipt = cli("facts", "forget", name, "--json").json
    assert (receipt["status"], receipt["removed"]["total"]) == ("deleted", 1)
    assert receipt["history"]["holds_it"]
    assert [fact.object for fact in desk.ws.facts()] == ["Friday"]
    assert cli("facts", "show", name, "--json").json["error"]["code"] == "not_found"


def test_the_options_may_stand_before_the_subcommand(desk: Desk, cli: Cli) -> None:
    desk.ws.for_owner("user:a").remember("I live in Oslo", actor="person")
    before = cli("facts", "--owner", "user:a", "--json", "list").json
    assert before == cli("facts", "list", "--owner", "user:a", "--json").json
    assert before[0]["owner"] == "user:a"


def test_no_facts_and_no_memory_are_said_plainly(desk: Desk, cli: Cli) -> None:
    assert "no facts" in cli("facts", "list").err
    assert "no facts" in cli("facts", "list", "zebra").err
    assert cli("facts", "--json").json == []
    assert cli("facts", "list", "--owner", "user:new", "--json").json == []
    assert cli("contradictions", "--owner", "user:new", "--json").json == []
    settings = desk.root / "mnemofs.toml"
    settings.write_text(settings.read_text() + "\n[facts]\nenabled = false\n")
    assert "switched off" in cli("facts", "list").err


def test_rebuilding_says_what_was_read(desk: Desk, cli: Cli) -> None:
    desk.put(MEMORY)
    first = cli("facts", "rebuild", "--json").json
    assert (first["status"], first["facts"]) == ("updated", 2)
    assert "MEMORY.md" in first["read"]
    assert cli("facts", "rebuild", "--json").json["status"] == "unchanged"
    assert "2 facts" in cli("facts", "rebuild", "--all").out


def test_an_ambiguous_beginning_asks_for_more(desk: Desk, cli: Cli) -> None:
    desk.put("# M\n\n" + "".join(f"- **key {number}**: v{number}\n" for number in range(120)))
    names = [fact.id for fact in desk.ws.facts(limit=0)]
    assert len(set(names)) == len(names) == 120
    assert cli("facts", "show", names[0][:3]).code == 1  # too short to be a name
    assert one([fact for fact in desk.ws.facts(limit=0) if fact.id == names[7]]).id == names[7]
