"""When a hand edit counts as finished; the clock is an argument, nobody sleeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.store.watching.debounce import (
    BURST,
    DEADLINE,
    EMPTY_GRACE,
    GIVE_UP,
    QUIET,
    QUIET_WHILE_WRITING,
    STABLE_GAP,
    Look,
    Pending,
    hinted,
    looked,
    plan_fold,
)


def after(events: list[tuple[float, str]], *, look_at: float, size: int = 10) -> Pending:
    """A path after events (time, "modified" / "closed"), looked at once, stable since."""
    pending: Pending | None = None
    for at, kind in events:
        pending = hinted(pending, at, writing=kind == "modified")
    assert pending is not None
    return looked(pending, Look(size, 1, look_at))


@pytest.mark.parametrize(
    ("events", "not_yet", "ready"),
    [
        ([(0.0, "closed")], QUIET - 0.01, QUIET),
        ([(0.0, "modified"), (0.1, "closed")], 0.39, 0.4),
        ([(0.0, "modified")], QUIET_WHILE_WRITING - 0.01, QUIET_WHILE_WRITING),
        ([(0.0, "modified"), (0.35, "modified")], 2.34, 2.35),
        ([(0.2 * k, "closed") for k in range(40)], DEADLINE - 0.01, DEADLINE),
        ([(1.0 * k, "modified") for k in range(8)], DEADLINE - 0.01, DEADLINE),
    ],
    ids=["closed", "saved", "open", "slow writer", "autosave", "long writer"],
)
def test_a_path_waits_for_quiet_but_not_for_ever(
    events: list[tuple[float, str]], not_yet: float, ready: float
) -> None:
    for now, expected in ((not_yet, ()), (ready, ("a.md",))):
        seen = [event for event in events if event[0] <= now]
        pending = {"a.md": after(seen, look_at=0.0)}
        assert plan_fold(pending, {}, now + 1e-9).ready == expected


def test_a_file_must_look_the_same_twice() -> None:
    pending = after([(0.0, "closed")], look_at=0.35)
    assert plan_fold({"a.md": pending}, {}, 0.4).ready == ()
    assert plan_fold({"a.md": pending}, {}, 0.35 + STABLE_GAP).ready == ("a.md",)
    grown = looked(pending, Look(11, 2, 0.44))
    assert plan_fold({"a.md": grown}, {}, 0.46).ready == ()


def test_a_path_nobody_looked_at_is_not_folded() -> None:
    assert plan_fold({"a.md": Pending(first=0.0, last=0.0)}, {}, 4.0).ready == ()


def test_a_file_that_never_holds_still_is_folded_in_the_end() -> None:
    pending = hinted(None, 0.0, writing=True)
    now = 0.0
    while now < GIVE_UP + 1:
        pending = looked(
            hinted(pending, now, writing=True), Look(int(now * 100), int(now * 1e9), now)
        )
        if plan_fold({"a.md": pending}, {}, now).ready:
            break
        now += 0.05
    assert GIVE_UP <= now < GIVE_UP + 0.1


@pytest.mark.parametrize(("before", "waits"), [(4000, True), (500, False), (0, False)])
def test_an_emptied_file_gets_time_to_be_filled(before: int, waits: bool) -> None:
    pending = {"a.md": after([(0.0, "closed")], look_at=0.0, size=0)}
    assert (plan_fold(pending, {"a.md": before}, QUIET).ready == ()) is waits
    assert plan_fold(pending, {"a.md": before}, QUIET + EMPTY_GRACE).ready == ("a.md",)


def test_what_became_quiet_together_is_one_commit() -> None:
    done = after([(0.0, "closed")], look_at=0.0)
    open_still = after([(0.2, "modified")], look_at=0.2)
    both = {"a.md": done, "b.md": open_still}
    assert plan_fold(both, {}, 1.0).ready == ()
    assert plan_fold(both, {}, 2.2).ready == ("a.md", "b.md")


def test_a_finished_file_does_not_wait_for_another_beyond_the_deadline() -> None:
    done = after([(0.0, "closed")], look_at=0.0)
    busy = after([(4.9, "modified")], look_at=4.9)
    plan = plan_fold({"a.md": done, "b.md": busy}, {}, DEADLINE)
    assert plan.ready == ("a.md",)
    assert not plan.full


@pytest.mark.parametrize("count", [1, BURST, BURST + 1, 10_000])
def test_many_paths_at_rest_are_one_change(count: int) -> None:
    item = after([(0.0, "closed")], look_at=0.0)
    plan = plan_fold({f"{k}.md": item for k in range(count)}, {}, QUIET)
    assert plan.full
    assert len(plan.ready) == count


def test_a_burst_that_is_still_going_on_is_not_cut_in_two() -> None:
    paths = {f"{k}.md": after([(0.0, "closed")], look_at=0.0) for k in range(BURST + 10)}
    paths["last.md"] = after([(6.0, "modified")], look_at=6.0)
    assert plan_fold(paths, {}, 6.1).ready == ()
    assert plan_fold(paths, {}, 8.0).full


def test_nothing_pending_needs_no_wake_up() -> None:
    assert plan_fold({}, {}, 5.0).wait is None


@given(
    st.lists(st.tuples(st.floats(0, 30), st.booleans(), st.integers(0, 3)), min_size=1, max_size=30)
)
def test_every_hint_leads_to_a_fold_in_bounded_time(
    events: list[tuple[float, bool, int]],
) -> None:
    """Waking only when told to, from the last event on, the path is folded within the bound."""
    pending: Pending | None = None
    for at, writing, size in sorted(events):
        pending = looked(hinted(pending, at, writing=writing), Look(size, size, at))
    assert pending is not None
    now = last = max(at for at, _, _ in events)
    for _ in range(50):
        plan = plan_fold({"a.md": pending}, {"a.md": 5000}, now)
        if plan.ready:
            break
        assert plan.wait is not None and plan.wait > 0
        now += plan.wait
        pending = looked(pending, Look(pending.look.size, pending.look.mtime_ns, now))  # type: ignore[union-attr]
    assert now <= last + QUIET_WHILE_WRITING + EMPTY_GRACE + 0.1
