"""Promotion without a model."""

from __future__ import annotations

import random
import time
from datetime import date

import pytest

from mnemofs.llm.engine import Dream, DreamRequest
from mnemofs.llm.replies import Clean
from mnemofs.llm.rules import RulesEngine
from mnemofs.llm.rules_dream import MOST_PROMOTED


def dream(*notes: str, memory: str = "", topic: str | None = None) -> Dream:
    """A dream over notes, newest first."""
    dated = [(f"memory/2026-05-{20 - age:02d}.md", text) for age, text in enumerate(notes)]
    found = RulesEngine().dream(DreamRequest(tuple(dated), memory, date(2026, 5, 21), topic))
    assert isinstance(found, Clean)
    return found.value


def reasons(found: Dream) -> dict[str, str]:
    return dict(found.rejected)


def test_what_recurs_is_promoted_in_its_newest_wording() -> None:
    found = dream(
        "# 2026-05-20\n\n## 09:10 Standup\n- the VPN drops every evening around six\n- met Jonas\n",
        "- The vpn drops every evening, around six\n",
        "* VPN drops every evening around six.\n",
    )
    assert found.promoted == ("the VPN drops every evening around six",)
    assert found.should_update and found.memory_content is None
    assert reasons(found) == {"met Jonas": "stands in one note only"}


def test_twice_in_one_note_is_not_recurring() -> None:
    found = dream("- the VPN drops around six\n- The VPN drops around six\n")
    assert not found.should_update and len(found.rejected) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The nightly build takes 40 minutes", "The nightly build takes 55 minutes"),
        ("Staging runs on port 8443", "Staging runs on port 8444"),
        ("The cellar door is locked at night", "The cellar door is not locked at night"),
        ("订单服务在三号机房", "订单服务不在三号机房"),
    ],
)
def test_near_twins_that_differ_in_a_value_are_not_the_same(one: str, other: str) -> None:
    assert dream(f"- {one}\n", f"- {other}\n").promoted == ()


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Decision: Postgres for the shop", "Postgres for the shop"),
        ("**Lesson**: test the rollback first", "test the rollback first"),
        ("I prefer short answers", "I prefer short answers"),
        ("We decided to drop the embedded server", "We decided to drop the embedded server"),
        ("决定：订单服务用 Postgres", "订单服务用 Postgres"),
        ("Entscheidung: wir nehmen Postgres", "wir nehmen Postgres"),
        ("私は短い回答が好きです", "私は短い回答が好きです"),
    ],
)
def test_what_is_marked_or_worded_as_lasting_needs_no_second_note(line: str, kept: str) -> None:
    assert dream(f"# 2026-05-20\n\n- {line}\n").promoted == (kept,)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[ ] send the invoice by Friday", "a task, not knowledge"),
        ("TODO: renew the passport", "a task, not knowledge"),
        ("I have to pay the rent by Friday", "a task, not knowledge"),
        ("For this answer only, I prefer bullets", "one occasion"),
        ("Should we always use Postgres?", "one occasion"),
        ("the secret is hidden: password: hunter22x", "looks like a secret"),
    ],
)
def test_tasks_questions_one_offs_and_secrets_stay(line: str, reason: str) -> None:
    found = dream(f"- {line}\n", f"- {line}\n")
    assert found.promoted == ()
    assert [why for why in reasons(found).values() if reason in why]
    assert "hunter22x" not in str(found)


def test_what_memory_holds_is_known_already() -> None:
    memory = "# Memory\n\n- 2026-05-01 09:00 (c1): I prefer short answers\n"
    found = dream("- I prefer short answers\n", memory=memory)
    assert reasons(found) == {"I prefer short answers": "known already"}


def test_code_and_quotations_are_not_promoted() -> None:
    note = "```\n- I prefer tabs\n```\n> I prefer trains\n| I prefer | tables |\n"
    assert not dream(note, note).should_update


def test_a_topic_comes_first_and_the_number_is_bounded() -> None:
    lines = [f"- Decision: module {name} is owned by team {name}" for name in _names(60)]
    found = dream("\n".join(lines), topic="module quay")
    assert len(found.promoted) == MOST_PROMOTED
    assert "quay" in found.promoted[0]
    assert list(reasons(found).values()).count("left for the next run") == 60 - MOST_PROMOTED


def test_the_same_notes_give_the_same_dream() -> None:
    notes = ["- I prefer tea\n- the lift is slow", "- the lift is slow\n- we use uv"]
    assert dream(*notes) == dream(*notes)


def test_seven_big_notes_take_little_time() -> None:
    chance = random.Random(7)
    vocabulary = _names(900)
    notes = [
        "\n".join("- " + " ".join(chance.choices(vocabulary, k=14)) for _ in range(210))
        for _ in range(7)
    ]
    dream("- warm the patterns up")
    started = time.process_time()
    dream(*notes)
    assert time.process_time() - started < 2


def _names(count: int) -> list[str]:
    chance = random.Random(3)
    made = ["quay"]
    while len(made) < count:
        name = "".join(chance.choice("bdfgklmnprstv") + chance.choice("aeiou") for _ in range(4))
        if name not in made:
            made.append(name)
    return made
