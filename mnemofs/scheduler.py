"""The scheduler: the jobs of all workspaces of this machine, each at its time, by one process.

scheduler = Scheduler(workspace_roots)
scheduler.tick()                  # what is due now, once
scheduler.run(stop)               # until `stop` is set

Per workspace one process holds the lease; others stand by and take over when it dies. A job that
fails is tried again, a few times; it never holds up another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs import config as settings
from mnemofs import names
from mnemofs.clock import Clock, utc_now
from mnemofs.errors import MnemofsError, NotAWorkspace
from mnemofs.lifecycle.learning.spool import Spool
from mnemofs.lifecycle.upkeep.schedule import Due, Last, Plan, Rule, plan_runs
from mnemofs.lifecycle.upkeep.schedule_book import Lease, RunBook
from mnemofs.opening import is_workspace
from mnemofs.workspace import Workspace

if TYPE_CHECKING:
    import threading

    from mnemofs.sections import Config
    from mnemofs.view import View

# Turns are learned from soon after they were spooled, and a lease is taken over soon.
_POLL = timedelta(seconds=30)
LEARN = "learn"


class Ran(NamedTuple):
    """One job that was run. store: "" for the workspace's own."""

    workspace: str
    store: str
    job: str
    status: str
    reason: str
    commit: str = ""
    missed: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {**self._asdict(), "commit": self.commit or None}


class Tick(NamedTuple):
    """What came of one look. next: when something is due again, None for never. standby: workspaces
    whose jobs another process runs. troubles: workspaces that could not be looked at, and why."""

    ran: tuple[Ran, ...]
    next: datetime | None
    standby: tuple[str, ...]
    troubles: tuple[str, ...]


@dataclass(frozen=True)
class StoreState:
    """How the jobs of one store stand."""

    store: str
    lasts: dict[str, Last]
    plan: Plan
    waiting: int
    parked: int


@dataclass(frozen=True)
class State:
    """How the jobs of one workspace stand. holder: {pid, since} of the process that runs them."""

    workspace: str
    timezone: str
    holder: dict[str, Any] | None
    stores: tuple[StoreState, ...]

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "workspace": self.workspace,
            "timezone": self.timezone,
            "running": self.holder is not None,
            "holder": self.holder,
            "stores": [
                {
                    "owner": one.store,
                    "waiting": one.waiting,
                    "parked": one.parked,
                    "jobs": [
                        {"job": job, "next": _iso(upcoming), "last": _last(one.lasts.get(job))}
                        for job, upcoming in one.plan.next.items()
                    ],
                }
                for one in self.stores
            ],
        }


class Scheduler:
    """Runs what is due. roots: asked at every look, so that a new workspace is noticed.

    now: the present instant, replaced in tests.
    """

    def __init__(
        self, roots: Callable[[], Sequence[str]], *, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._roots = roots
        self._now = now
        self._leases: dict[str, Lease] = {}

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Give all leases back."""
        for lease in self._leases.values():
            lease.release()
        self._leases.clear()

    def tick(self, heard: Callable[[Ran], None] | None = None) -> Tick:
        """Run everything that is due now, one job after the other; `heard` hears of each."""
        ran: list[Ran] = []
        standby: list[str] = []
        troubles: list[str] = []
        upcoming: list[datetime] = []
        roots = list(dict.fromkeys(map(os.path.realpath, self._roots())))
        for gone in self._leases.keys() - set(roots):
            self._leases.pop(gone).release()
        for root in roots:
            try:
                if not self._mine(root):
                    standby.append(root)
                    continue
                for done in self._workspace(root, upcoming, troubles):
                    ran.append(done)
                    if heard is not None:
                        heard(done)
            except (MnemofsError, OSError) as error:
                troubles.append(f"{root}: {_words(error)}")
        return Tick(tuple(ran), min(upcoming, default=None), tuple(standby), tuple(troubles))

    def run(
        self,
        stop: threading.Event,
        *,
        heard: Callable[[Ran], None] | None = None,
        problem: Callable[[str], None] | None = None,
    ) -> None:
        """Look again and again until `stop` is set; a job that runs then is finished first.
        `problem` hears once of each workspace that cannot be looked at."""
        known: set[str] = set()
        while not stop.is_set():
            tick = self.tick(heard)
            for trouble in tick.troubles:
                if trouble not in known and problem is not None:
                    problem(trouble)
            known = set(tick.troubles)
            pause = min(_POLL, max(timedelta(seconds=1), (tick.next or _FAR) - self._now()))
            stop.wait(pause.total_seconds())

    def _mine(self, root: str) -> bool:
        if not is_workspace(root):
            raise NotAWorkspace("there is no memory any more")
        lease = self._leases.get(root)
        if lease is not None:
            return True
        lease = Lease(root)
        if not lease.take(self._now()):
            return False
        self._leases[root] = lease
        for store in _store_roots(root):
            RunBook(store).recover(self._now())
        return True

    def _workspace(self, root: str, upcoming: list[datetime], troubles: list[str]) -> Iterator[Ran]:
        with _open(root, self._now) as workspace:
            for owner in ("", *workspace.owners()):
                try:
                    yield from self._store(workspace, owner, upcoming, troubles)
                except (MnemofsError, OSError) as error:
                    troubles.append(f"{root} {owner}".rstrip() + f": {_words(error)}")

    def _store(
        self, workspace: Workspace, owner: str, upcoming: list[datetime], troubles: list[str]
    ) -> Iterator[Ran]:
        root = _root_of(workspace, owner)
        book, rules = RunBook(root), rules_of(workspace.config, owner)
        now = self._now()
        book.know([rule.job for rule in rules], now)
        plan = plan_runs(now, book.lasts(), rules, workspace.clock.zone)
        upcoming += filter(None, plan.next.values())
        spooled = _may_learn(root, now)
        if not plan.due and not spooled:
            return
        view = workspace.for_owner(owner) if owner else workspace
        try:
            if spooled:
                yield from self._learn(view, workspace.root, owner, troubles)
            for due in plan.due:
                yield self._job(view, book, workspace.root, owner, due)
        finally:
            if view is not workspace:
                view.close()

    @staticmethod
    def _learn(view: View, root: str, owner: str, troubles: list[str]) -> Iterator[Ran]:
        try:
            done = view.drain()
        except MnemofsError as error:
            troubles.append(f"{root} {owner}".rstrip() + f": {error.message}")
            return
        if done.done:
            commit = next((one.commit for one in done.reports if one.commit), None)
            yield Ran(root, owner, LEARN, done.status, done.reason, commit or "")

    def _job(self, view: View, book: RunBook, root: str, owner: str, due: Due) -> Ran:
        book.start(due, self._now())
        try:
            status, reason, commit = _JOBS[due.job](view)
        except MnemofsError as error:
            status, reason, commit = "failed", error.message, ""
        except Exception as error:  # one job's fault is no other's
            status, reason, commit = "failed", f"unexpected {type(error).__name__}", ""
        book.finish(due.job, status, reason, commit, self._now())
        return Ran(root, owner, due.job, status, reason, commit, due.missed)


def rules_of(config: Config, owner: str) -> tuple[Rule, ...]:
    """The rules for one store of a workspace, in the order in which jobs of one moment run."""
    rules = []
    if config.dreaming.enabled:
        rules.append(Rule("dream", config.dreaming.schedule))
    if config.consolidation.enabled and not owner:  # it goes over the owners itself
        rules.append(Rule("consolidate", config.consolidation.schedule))
    if config.soul.update_interval > 0 and not owner:  # after the dream of the same moment
        rules.append(Rule("soul", config.dreaming.schedule))
    if config.facts.enabled:
        rules.append(Rule("facts", config.facts.schedule))
    if config.embedder.kind != "none":
        rules.append(Rule("index", config.embedder.schedule))
    return tuple(rules)


def state_of(root: str, *, now: Callable[[], datetime] = utc_now) -> State:
    """How the jobs of a workspace stand; nothing is changed. Raises what opening it raises."""
    with _open(root, now) as workspace:
        stores = []
        for owner in ("", *workspace.owners()):
            place = _root_of(workspace, owner)
            lasts, spool = RunBook(place).lasts(), Spool(place)
            rules = rules_of(workspace.config, owner)
            plan = plan_runs(now(), lasts, rules, workspace.clock.zone)
            waiting, parked = len(spool.ids()), len(spool.parked())
            stores.append(StoreState(owner, lasts, plan, waiting, parked))
        zone = workspace.config.agent.timezone
        return State(workspace.root, zone, Lease(root).holder(), tuple(stores))


def _dream(view: View) -> tuple[str, str, str]:
    report = view.dream(trigger="schedule")
    return report.status, report.reason, report.commit or ""


def _consolidate(view: View) -> tuple[str, str, str]:
    report = view.consolidate()
    return report.status, report.summary(), report.commit or ""


def _soul(view: View) -> tuple[str, str, str]:
    report = view.evolve_soul()
    return report.status, report.reason, report.commit or ""


def _facts(view: View) -> tuple[str, str, str]:
    report = view.rebuild_facts()
    return "unchanged" if not report.read else "updated", f"{report.facts} facts", ""


def _index(view: View) -> tuple[str, str, str]:
    left, warnings = view.prepare()
    if left:
        reason = "; ".join((f"{left} texts have no vector yet", *warnings[:1]))
        return "failed", reason, ""
    return "unchanged", "search is up to date", ""


_JOBS: dict[str, Callable[[View], tuple[str, str, str]]] = {
    "dream": _dream,
    "consolidate": _consolidate,
    "soul": _soul,
    "facts": _facts,
    "index": _index,
}


def _open(root: str, now: Callable[[], datetime]) -> Workspace:
    """The workspace, whose repository is opened when a job needs it."""
    config = settings.load(root)
    return Workspace(root, config, Clock(config.zone(), now))


def _may_learn(root: str, now: datetime) -> bool:
    """Whether turns wait that may be looked at now."""
    spool = Spool(root)
    ids = spool.ids()
    after = spool.trouble(ids[0]).after if ids else None
    return bool(ids) and (after is None or after <= now)


def _root_of(workspace: Workspace, owner: str) -> str:
    if not owner:
        return workspace.root
    return names.inside(workspace.root, f"{names.OWNERS_DIR}/{names.encode_owner(owner)}")


def _store_roots(root: str) -> list[str]:
    with _open(root, utc_now) as workspace:
        return [_root_of(workspace, owner) for owner in ("", *workspace.owners())]


def _words(error: MnemofsError | OSError) -> str:
    if isinstance(error, MnemofsError):
        return error.message
    return (error.strerror or type(error).__name__).lower()


def _last(last: Last | None) -> dict[str, Any] | None:
    if last is None or last.slot is None:
        return None
    return {
        "slot": _iso(last.slot),
        "started": _iso(last.started),
        "finished": _iso(last.finished),
        "status": last.status,
        "tries": last.tries,
        "reason": last.reason,
        "commit": last.commit or None,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None


_FAR = datetime.max.replace(tzinfo=utc_now().tzinfo)
