"""What is kept of a store's scheduled runs, and who keeps a workspace's schedule.

`<store>/.mnemofs/schedule.json` holds the last run of each job; `schedule.lock` beside that of the
workspace belongs to the one process that runs the jobs, and dies with it.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import Any

from mnemofs.filelocks import is_held, try_lock
from mnemofs.lifecycle import statefile
from mnemofs.lifecycle.upkeep.schedule import Due, Last, believable
from mnemofs.names import SIDECAR_DIR
from mnemofs.systems import UPDATE

_NAME = "schedule.json"
_LOCK = "schedule.lock"
_MAX_REASON = 300


class RunBook:
    """The last runs of one store."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._path = os.path.join(os.fspath(root), SIDECAR_DIR, _NAME)

    def lasts(self) -> dict[str, Last]:
        """The last run of each job that was heard of; an unreadable one is as good as none."""
        found = {}
        for job, value in statefile.load_table(self._path).items():
            try:
                found[job] = Last(
                    _instant(value["since"]),
                    _instant(value["slot"]) if value["slot"] else None,
                    int(value["tries"]),
                    str(value["status"]),
                    _instant(value["started"]) if value["started"] else None,
                    _instant(value["finished"]) if value["finished"] else None,
                    str(value["reason"]),
                    str(value["commit"]),
                )
            except (KeyError, TypeError, ValueError):
                continue
        return found

    def know(self, jobs: list[str], now: datetime) -> None:
        """From now on these jobs are due; those that were heard of before stay as they are."""
        lasts = self.lasts()
        known = {job: believable(lasts.get(job) or Last(now), now) for job in jobs}
        if any(lasts.get(job) != last for job, last in known.items()):
            self._save({**lasts, **known})

    def recover(self, now: datetime) -> None:
        """Whoever ran jobs here is gone: what was running has failed. Needs the lease."""
        lasts = self.lasts()
        cut = {
            job: last._replace(status="failed", finished=now, reason="it was cut off")
            for job, last in lasts.items()
            if last.status == "running"
        }
        if cut:
            self._save({**lasts, **cut})

    def start(self, due: Due, now: datetime) -> None:
        """Before the run, so that one which takes the process down is not tried for ever."""
        lasts = self.lasts()
        last = lasts.get(due.job) or Last(now)
        started = last._replace(
            slot=due.slot, tries=due.attempt, status="running", started=now, finished=None
        )
        self._save({**lasts, due.job: started})

    def finish(self, job: str, status: str, reason: str, commit: str, now: datetime) -> None:
        """After it."""
        lasts = self.lasts()
        last = lasts.get(job) or Last(now)
        done = last._replace(
            status=status, reason=reason[:_MAX_REASON], commit=commit, finished=now
        )
        self._save({**lasts, job: done})

    def _save(self, lasts: dict[str, Last]) -> None:
        value = {
            job: {
                name: part.isoformat() if isinstance(part, datetime) else part
                for name, part in last._asdict().items()
            }
            for job, last in lasts.items()
        }
        statefile.save(self._path, value, sync=True)


class Lease:
    """The right to run one workspace's jobs."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._path = os.path.join(os.fspath(root), SIDECAR_DIR, _LOCK)
        self._descriptor: int | None = None

    def take(self, now: datetime) -> bool:
        """Whether it is ours from now on; False at once when another process has it."""
        if self._descriptor is not None:
            return True
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        descriptor = os.open(self._path, UPDATE | os.O_CREAT, 0o666)
        try:
            mine = try_lock(descriptor)
        except OSError:
            mine = False
        if not mine:
            os.close(descriptor)
            return False
        note = json.dumps({"pid": os.getpid(), "since": now.isoformat(timespec="seconds")})
        os.ftruncate(descriptor, 0)
        os.write(descriptor, note.encode())
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Somebody else may have it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def holder(self) -> dict[str, Any] | None:
        """{pid, since} of the process that has it, None when nobody has."""
        if not is_held(self._path):
            return None
        return statefile.load_table(self._path)


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError("a time without zone")
    return found
