"""How two lines of history lie to each other: common ancestors, and what each has alone.

Commits are walked newest first and only as far as the question needs. Clocks of different machines
disagree, so ancestry itself never relies on them; they only decide how early a walk may stop.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from mnemofs.store.git.walk import Commits

_OURS, _THEIRS, _BOTH = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Divergence:
    """Commits reachable from one side only, newest first. `ours` is what a push would add."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]


def divergence(commits: Commits, ours: str | None, theirs: str | None) -> Divergence:
    """What each of two tips has that the other has not; None has nothing.

    When a clock ran backwards a commit of both sides may be listed as one side's.
    """
    if ours == theirs:
        return Divergence((), ())
    marks, _ = _paint(commits, _some(ours), _some(theirs))
    order = sorted(marks, key=lambda one: (-commits.get(one).time.timestamp(), one))
    return Divergence(
        tuple(one for one in order if marks[one] == _OURS),
        tuple(one for one in order if marks[one] == _THEIRS),
    )


def merge_bases(commits: Commits, ours: Iterable[str], theirs: Iterable[str]) -> tuple[str, ...]:
    """The best common ancestors of two sets of commits, sorted; several after a criss-cross."""
    _, met = _paint(commits, set(ours), set(theirs))
    return tuple(
        sorted(
            one
            for one in met
            if not any(other != one and is_ancestor(commits, one, other) for other in met)
        )
    )


def is_ancestor(commits: Commits, old: str, new: str) -> bool:
    """Whether `old` is `new` or stands in its history."""
    return old == new or _paint(commits, {old}, {new})[0][old] == _BOTH


def _paint(commits: Commits, ours: set[str], theirs: set[str]) -> tuple[dict[str, int], set[str]]:
    """Marks by the side a commit is reached from, and the commits where both sides met.

    Goes on while a commit in the queue is reached from one side only: every path from a tip to a
    best common ancestor consists of such commits, so none is missed whatever the clocks say.
    """
    marks: dict[str, int] = {}
    met: set[str] = set()
    queue: list[tuple[float, str]] = []
    waiting: set[str] = set()  # queued and reached from one side only
    done: dict[str, int] = {}
    oldest = float("inf")  # of the commits of one side

    def mark(one: str, side: int) -> None:
        before = marks.get(one, 0)
        if before | side == before:
            return
        marks[one] = before | side
        if marks[one] == _BOTH:
            waiting.discard(one)
            if side != _BOTH:
                met.add(one)
        else:
            waiting.add(one)
        heapq.heappush(queue, (-commits.get(one).time.timestamp(), one))

    for tips, side in ((ours, _OURS), (theirs, _THEIRS)):
        for tip in sorted(tips):
            mark(tip, side)
    while queue and (waiting or -queue[0][0] >= oldest):
        negative, one = heapq.heappop(queue)
        waiting.discard(one)
        side = marks[one]
        if done.get(one) == side:
            continue
        done[one] = side
        if side != _BOTH:
            oldest = min(oldest, -negative)
        for parent in commits.parents(commits.get(one)):
            mark(parent, side)
    return marks, met


def _some(tip: str | None) -> set[str]:
    return set() if tip is None else {tip}
