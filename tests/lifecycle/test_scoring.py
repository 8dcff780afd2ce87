"""Scored emergence: gates, formula and order of candidates."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.lifecycle.dreams.scoring import Evidence, hindrance, rank
from mnemofs.sections import DreamingConfig

NOW = datetime(2026, 5, 10, 3, tzinfo=UTC)
DEFAULT = DreamingConfig()


def seen(name: str = "a", **given: Any) -> Evidence:
    """An entry that passes every gate."""
    values: dict[str, Any] = {
        "entry": name,
        "way": "recalled",
        "text": f"the text of {name}",
        "paths": ("memory/2026-05-10.md",),
        "heading": "",
        "recalls": 4,
        "today": 2,
        "queries": 3,
        "first": NOW - timedelta(days=3),
        "last": NOW - timedelta(hours=1),
        **given,
    }
    return Evidence(**values)


def test_the_score_is_the_weighted_sum_of_the_contract() -> None:
    strong = seen("a", recalls=8, queries=4, today=8, last=NOW)
    other = seen(
        "b",
        recalls=4,
        queries=2,
        today=1,
        last=NOW - timedelta(days=7, hours=5),
        paths=("memory/2026-04-25.md",),
    )
    first, second = rank([other, strong], DEFAULT, NOW).candidates
    assert first.evidence.entry == "a"
    assert first.score == pytest.approx(1.0)
    assert second.frequency == pytest.approx(0.5)
    assert second.recency == pytest.approx(math.exp(-0.693))
    assert second.diversity == pytest.approx(0.5)
    assert second.freshness == pytest.approx(0.5)
    assert second.velocity == pytest.approx(0.25)
    want = 0.30 * 0.5 + 0.25 * math.exp(-0.693) + 0.20 * 0.5 + 0.15 * 0.5 + 0.10 * 0.25
    assert second.score == pytest.approx(want)


@pytest.mark.parametrize(
    ("path", "fresh"),
    [
        ("memory/2026-05-10.md", 1.0),
        ("memory/2026-05-04.md", 0.8),
        ("memory/2026-04-10.md", 0.0),
        ("memory/2025-01-01.md", 0.0),
        ("projects/ferry.md", 0.5),
        ("memory/2026-02-30.md", 0.5),
    ],
)
def test_freshness_is_the_age_of_the_note(path: str, fresh: float) -> None:
    (found,) = rank([seen(paths=(path,))], DEFAULT.replace(score_threshold=0.0), NOW).candidates
    assert found.freshness == pytest.approx(fresh)


@pytest.mark.parametrize(
    ("change", "config", "word"),
    [
        ({"recalls": 2}, {}, "recalled 2 times, 3 are needed"),
        ({"recalls": 0, "queries": 0}, {}, "recalled"),
        ({"queries": 1}, {}, "1 question only"),
        ({"first": NOW - timedelta(days=31)}, {}, "first seen 31 days ago"),
        ({"recalls": 9}, {"min_recall_count": 10}, "10 are needed"),
        ({"queries": 3}, {"min_unique_queries": 4}, "3 questions only"),
        ({"way": "recurring"}, {}, "one note only"),
    ],
)
def test_a_gate_says_which_one_it_was(
    change: dict[str, Any], config: dict[str, Any], word: str
) -> None:
    settings = DEFAULT.replace(**config)
    reason = hindrance(seen(**change), settings, NOW)
    assert reason and word in reason
    ranking = rank([seen(**change)], settings, NOW)
    assert ranking.candidates == ()
    assert ranking.others[0][1] == reason


def test_no_age_limit_when_it_is_0() -> None:
    old = seen(first=NOW - timedelta(days=400))
    assert hindrance(old, DEFAULT.replace(max_age_days=0), NOW) is None


def test_what_recurs_needs_no_recall_but_two_notes() -> None:
    paths = ("memory/2026-05-10.md", "memory/2026-05-08.md")
    one = seen("r", way="recurring", recalls=2, queries=2, today=1, paths=paths)
    assert rank([one], DEFAULT, NOW).candidates[0].evidence == one


def test_the_most_of_one_way_does_not_weigh_on_the_other() -> None:
    paths = ("memory/2026-05-10.md", "memory/2026-05-08.md")
    recurring = seen("r", way="recurring", recalls=2, queries=2, today=2, paths=paths)
    often = seen("o", recalls=500, queries=32, today=100)
    found = {one.evidence.entry: one for one in rank([recurring, often], DEFAULT, NOW).candidates}
    assert found["r"].frequency == found["o"].frequency == 1.0


def test_below_the_threshold_and_over_the_number_is_said() -> None:
    many = [seen(f"e{n:03}", recalls=3 + n) for n in range(20)]
    ranking = rank(many, DEFAULT.replace(max_candidates=2, score_threshold=0.85), NOW)
    assert len(ranking.candidates) == 2
    assert ranking.candidates[0].evidence.entry == "e019"
    reasons = [why for _, why in ranking.others]
    assert any("0.85 is needed" in why for why in reasons)
    assert any("more than 2" in why for why in reasons)
    assert len(ranking.others) == 18


@given(
    st.lists(
        st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 32), st.integers(0, 400)),
        max_size=25,
    )
)
def test_scores_stay_between_0_and_1_and_every_entry_is_accounted_for(
    rows: list[tuple[int, int, int, int]],
) -> None:
    evidence = [
        seen(
            f"e{number}",
            recalls=recalls,
            today=today,
            queries=queries,
            last=NOW - timedelta(hours=hours),
            first=NOW - timedelta(hours=hours),
        )
        for number, (recalls, today, queries, hours) in enumerate(rows)
    ]
    ranking = rank(evidence, DEFAULT, NOW)
    assert len(ranking.candidates) + len(ranking.others) == len(rows)
    scores = [one.score for one in ranking.candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(DEFAULT.score_threshold <= score <= 1.0 + 1e-9 for score in scores)
    assert rank(reversed(evidence), DEFAULT, NOW).candidates == ranking.candidates
