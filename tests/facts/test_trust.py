"""How far facts are trusted: by who said them, by feedback, and by age."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.errors import NotFound, UsageError
from mnemofs.lifecycle.facts.feedback import (
    Feedback,
    checked_kind,
    decayed,
    feedback_event,
    rated,
    read_feedback,
    tally,
)
from mnemofs.lifecycle.ledger import append_event
from tests.facts.conftest import Cli, Desk, one

MEMORY = "# Memory\n\n## Facts\n\n"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "trust"), [(0, 1.0), (30, 0.7071), (60, 0.5), (120, 0.25), (-10, 1.0)]
)
def test_OWN_09_trust_halves_every_sixty_days(days: float, trust: float) -> None:
    assert decayed(1.0, days, 60) == pytest.approx(trust, abs=1e-4)


@given(
    st.floats(-1, 3, allow_nan=False), st.floats(-1e4, 1e5), st.sampled_from([0, 1, 30, 60, 365])
)
def test_OWN_09_trust_stays_within_bounds(trust: float, days: float, half_life: int) -> None:
    assert 0.0 <= decayed(trust, days, half_life) <= 1.0


@given(st.integers(0, 30), st.integers(0, 30))
def test_feedback_moves_trust_within_bounds(helpful: int, unhelpful: int) -> None:
    assert 0.0 <= rated(0.5, helpful, unhelpful) <= 1.0
    assert rated(0.5, 1, 0) == pytest.approx(0.6)
    assert rated(0.5, 0, 1) == pytest.approx(0.3)


def test_OWN_09_facts_of_each_age_as_they_are_listed(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    for _ in range(2):
        desk.ws.fact_feedback(one(desk.ws.facts()).id, "HELPFUL")  # 0.8 + 0.1 + 0.1
    written = desk.now
    for days, trust in ((0, 1.0), (30, 0.7071), (60, 0.5), (120, 0.25), (-10, 1.0)):
        desk.now = written + timedelta(days=days)
        assert one(desk.ws.facts()).trust == pytest.approx(trust, abs=1e-4)


def test_W_21_neither_rebuilding_nor_recalling_makes_a_fact_younger(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    start = one(desk.ws.facts()).trust
    for _ in range(4):
        desk.tick(days=30)
        desk.ws.rebuild_facts(rebuild=True)
        desk.ws.fact_probe("Rome")
        desk.put(desk.text() + f"- key {desk.now:%j}: value\n")  # other lines may be written
    assert desk.ws.facts(entity="Rome")[0].trust == pytest.approx(start * 0.25, abs=1e-3)
    (desk.root / ".mnemofs" / "facts.db").unlink()
    assert desk.ws.facts(entity="Rome")[0].trust == pytest.approx(start * 0.25, abs=1e-3)


def test_the_half_life_is_a_setting(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    settings = desk.root / "mnemofs.toml"
    settings.write_text(settings.read_text() + "\n[facts]\ntrust_half_life_days = 10\n")
    desk.tick(days=10)
    with type(desk.ws).open(desk.root, clock=desk.ws.clock) as ws:
        assert one(ws.facts()).trust == pytest.approx(0.4, abs=1e-3)


def test_the_source_decides_the_base(desk: Desk) -> None:
    desk.ws.remember("I live in Rome", actor="person")
    desk.ws.remember("I work at Acme", actor="tool")
    desk.ws.remember("I speak French", actor="import")
    trust = {fact.predicate: fact.trust for fact in desk.ws.facts()}
    assert trust["lives in"] > trust["works at"] > trust["speaks"] > 0


def test_an_entry_is_as_old_as_it_says(desk: Desk) -> None:
    old = "## city\nRome\n> Source: chat | Updated: 2026-03-02\n"
    desk.put(old, "structured/user.md")
    assert one(desk.ws.facts()).trust == pytest.approx(0.4, abs=0.01)  # sixty days
    desk.put(f"{MEMORY}- 2026-03-02 (chat): I work at Acme\n- 2031-01-01 (x): I speak French\n")
    trust = {fact.predicate: fact.trust for fact in desk.ws.facts()}
    assert trust["works at"] == pytest.approx(0.4, abs=0.01)
    assert trust["speaks"] == pytest.approx(0.8, abs=0.01)  # no later than it was written


@pytest.mark.parametrize("kind", ["HELPFUL", "unhelpful", " Confirmed "])
def test_feedback_is_one_commit_that_names_no_text(desk: Desk, kind: str) -> None:
    desk.put(f"{MEMORY}- I live in Quokkaville\n")
    fact = one(desk.ws.facts())
    before, commits = fact.trust, desk.commits
    done = desk.ws.fact_feedback(fact.id[:6], kind, actor="person")
    assert desk.commits == commits + 1
    assert done.path.startswith("ledger/")
    shown = desk.git("show", done.commit or "")
    assert "uokka" not in shown
    assert fact.id in shown
    after = one(desk.ws.facts())
    assert (after.trust > before) == (kind.strip().upper() != "UNHELPFUL")
    assert after.helpful + after.unhelpful == 1


def test_two_of_the_same_at_the_same_time_count_twice(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    name = one(desk.ws.facts()).id
    desk.ws.fact_feedback(name, "UNHELPFUL")
    desk.ws.fact_feedback(name, "UNHELPFUL")
    assert one(desk.ws.facts()).trust == pytest.approx(0.4, abs=1e-4)


def test_an_event_that_came_twice_counts_once() -> None:
    event = feedback_event("abc", "HELPFUL", NOON, "", nonce="1")
    other = feedback_event("abc", "UNHELPFUL", NOON + timedelta(days=1), "user:1", nonce="2")
    ledger = append_event(append_event(None, event), other)
    said = [*read_feedback(ledger), *read_feedback(append_event(b"", event))]
    assert tally(said)["abc"][:2] == (1, 1)
    assert tally(reversed(said)) == tally(said)


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[1]",
        "nonsense",
        json.dumps({"kind": "feedback"}),
        json.dumps({"kind": "feedback", "id": "1", "fact": "a", "feedback": "GREAT", "time": "x"}),
        json.dumps(
            {
                "kind": "feedback",
                "id": "1",
                "fact": "a",
                "feedback": "HELPFUL",
                "time": "2026-05-01",
            }
        ),
    ],
)
def test_an_event_that_makes_no_sense_is_passed_over(line: str) -> None:
    assert list(read_feedback(line.encode() + b"\n")) == []


def test_confirming_begins_the_age_anew(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    desk.tick(days=120)
    fact = one(desk.ws.facts())
    assert fact.trust == pytest.approx(0.2, abs=0.01)
    desk.ws.fact_feedback(fact.id, "HELPFUL")
    assert one(desk.ws.facts()).trust == pytest.approx(0.225, abs=0.01)
    desk.ws.fact_feedback(fact.id, "CONFIRMED")
    assert one(desk.ws.facts()).trust == pytest.approx(1.0, abs=0.01)
    latest = Feedback("1", "a", "CONFIRMED", NOON)
    assert tally([latest])["a"].confirmed == NOON


def test_recalls_that_the_ledger_counted_are_uses(desk: Desk) -> None:
    from mnemofs.lifecycle.identity import entry_id
    from mnemofs.lifecycle.ledger import event

    desk.put(f"{MEMORY}- 2026-04-01 (chat): I live in Rome\n- I like tea\n")
    for month, recalls in (("04", 3), ("05", 4)):
        happened = event(
            "recall", NOON, {"entries": {entry_id("I live in Rome"): [recalls, 2], "x": "bad"}}
        )
        place = desk.root / "ledger" / f"2026-{month}.jsonl"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(append_event(None, happened))
    desk.ws.fact_probe("Rome")
    assert {fact.object: fact.uses for fact in desk.ws.facts()} == {"Rome": 8, "tea": 0}


def test_what_is_no_feedback_is_refused(desk: Desk, cli: Cli) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    with pytest.raises(UsageError):
        desk.ws.fact_feedback(one(desk.ws.facts()).id, "GREAT")
    with pytest.raises(NotFound):
        desk.ws.fact_feedback("0123456789ab", "HELPFUL")
    with pytest.raises(UsageError):
        checked_kind("")
    assert cli("facts", "feedback", one(desk.ws.facts()).id, "great").code == 2
