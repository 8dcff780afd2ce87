"""When a hand edit is finished: the watcher's decision, pure, with the time as an argument.

An event is only a hint that a path may differ from HEAD. A path is folded when it has been quiet
and its size and mtime were seen equal twice; everything that became quiet together is one commit.
Times are seconds of any steady clock. Numbers from git-lab §10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

QUIET = 0.3
QUIET_WHILE_WRITING = 2.0  # last event was `modified` without `closed`: a slow writer
DEADLINE = 5.0  # after the first hint, quiet or not, once the file holds still
GIVE_UP = 20.0  # a file that never holds still is folded all the same
STABLE_GAP = 0.1  # between the two looks at size and mtime
EMPTY_GRACE = 2.0  # an emptied file is usually about to be filled
EMPTY_FROM = 1024  # bytes it held before
BURST = 200  # more paths than this are one external change and not cut in two


@dataclass(frozen=True)
class Look:
    """One look at a file: None for both when it does not exist."""

    size: int | None
    mtime_ns: int | None
    at: float


@dataclass(frozen=True)
class Pending:
    """A path that may have changed.

    first, last: times of its first and latest hint. writing: the latest event says that somebody
    still has it open for writing. look: the earliest look with the present size and mtime.
    """

    first: float
    last: float
    writing: bool = False
    look: Look | None = None


@dataclass(frozen=True)
class FoldPlan:
    """What to do now: fold `ready`, else look again in `wait` seconds (None: nothing is pending).

    full: nothing else is in motion, so everything can be folded and not only these.
    """

    ready: tuple[str, ...] = ()
    full: bool = False
    wait: float | None = None


def hinted(pending: Pending | None, now: float, *, writing: bool) -> Pending:
    """The state of a path after one more event. writing: it was `modified`, not `closed`."""
    if pending is None:
        return Pending(first=now, last=now, writing=writing)
    return replace(pending, last=now, writing=writing)


def looked(pending: Pending, look: Look) -> Pending:
    """The state after a look at the file; a different size or mtime counts as an event."""
    seen = pending.look
    if seen is None:
        return replace(pending, look=look)
    if (seen.size, seen.mtime_ns) == (look.size, look.mtime_ns):
        return pending
    return replace(pending, look=look, last=max(pending.last, look.at))


def plan_fold(
    pending: Mapping[str, Pending], sizes_at_head: Mapping[str, int], now: float
) -> FoldPlan:
    """Which of the pending paths to fold now.

    sizes_at_head: bytes of those paths in HEAD, where known. All ready paths are folded together
    as soon as nothing else is still in motion, or when one of them has waited DEADLINE.
    """
    if not pending:
        return FoldPlan()
    ready: list[str] = []
    wait = DEADLINE
    overdue = False
    for path, item in pending.items():
        due = _due(item, sizes_at_head.get(path, 0))
        if now >= due:
            ready.append(path)
            overdue = overdue or now >= item.first + DEADLINE
        else:
            wait = min(wait, due - now)
    full = len(ready) == len(pending)
    if overdue and len(pending) > BURST:
        overdue = now >= _oldest(pending) + GIVE_UP
    if full or (ready and overdue):
        return FoldPlan(tuple(sorted(ready)), full=full)
    return FoldPlan(wait=max(wait, 0.01))


def _due(item: Pending, size_at_head: int) -> float:
    """When the path may be folded if nothing more happens to it."""
    quiet = QUIET_WHILE_WRITING if item.writing else QUIET
    emptied = item.look is not None and item.look.size == 0 and size_at_head > EMPTY_FROM
    if emptied:
        quiet += EMPTY_GRACE
    quiet_at = item.last + quiet
    deadline = item.first + DEADLINE + (EMPTY_GRACE if emptied else 0.0)
    give_up = item.first + GIVE_UP
    stable_at = item.look.at + STABLE_GAP if item.look else give_up
    return min(max(min(quiet_at, deadline), stable_at), give_up)


def _oldest(pending: Mapping[str, Pending]) -> float:
    return min(item.first for item in pending.values())
