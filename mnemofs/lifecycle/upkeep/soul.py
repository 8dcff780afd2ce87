"""SOUL evolution: now and then the agent's character file is looked at in the light of memory.

A look is due after so many memory writes since the last one; they are counted in the history, so
that no restart, process or machine loses one. What comes of it is a proposal that a person accepts,
or with `[soul] apply = "direct"` a commit. A failed look does not count as one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import unified_diff
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mnemofs.errors import ModelError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.gates import Bounds, mask_new
from mnemofs.lifecycle.learning.extraction import RunStatus, fault_status, kept_for_review
from mnemofs.lifecycle.learning.turnbook import TurnBook
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.lifecycle.reviewing.pending import pending
from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.lifecycle.upkeep.counters import Upkeep
from mnemofs.lifecycle.upkeep.soul_plan import PATH, plan_soul
from mnemofs.llm.engine import SoulRequest
from mnemofs.llm.replies import Rejected
from mnemofs.markdown.markers import marker_line
from mnemofs.store.commit.writing import operation_words
from mnemofs.store.model import Change
from mnemofs.store.past import history

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.marks import Forgotten
    from mnemofs.llm.engine import Engine, Soul
    from mnemofs.llm.replies import Clean
    from mnemofs.sections import Config
    from mnemofs.store.model import CommitInfo
    from mnemofs.store.past.history import Timeline
    from mnemofs.store.repository import Store

_LOOK: Final = "soul"
_WRITERS: Final = frozenset({"person", "extractor", "dream", "tool", "api", "import"})
_FILES: Final = frozenset({"MEMORY.md", "PROFILE.md"})
_FOLDERS: Final = ("structured/", "memories/")


class SoulStatus(NamedTuple):
    """writes: memory writes since the last look. interval: how many make one due, 0 = never.

    proposal: the id of a proposal that waits, "" for none. looked: None for never.
    """

    writes: int
    interval: int
    proposal: str = ""
    looked: datetime | None = None

    @property
    def due(self) -> bool:
        """Whether the next look may happen by itself."""
        return 0 < self.interval <= self.writes and not self.proposal

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form. left: writes until the next look, None when it is switched off."""
        return {
            "writes": self.writes,
            "interval": self.interval,
            "left": max(0, self.interval - self.writes) if self.interval else None,
            "due": self.due,
            "proposal": self.proposal,
            "looked": self.looked.isoformat() if self.looked else None,
        }


@dataclass(frozen=True)
class SoulReport:
    """What came of one look; status as in `ExtractionReport`. counted: as it was before it."""

    status: RunStatus
    reason: str
    counted: SoulStatus = field(default_factory=lambda: SoulStatus(0, 0))
    commit: str | None = None
    paths: tuple[str, ...] = ()
    code: str = ""
    diff: str = ""
    conflicts: int = 0
    proposals: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "reason": self.reason,
            "commit": self.commit,
            "paths": list(self.paths),
            "code": self.code,
            "diff": self.diff,
            "conflicts": self.conflicts,
            "proposals": list(self.proposals),
            "warnings": list(self.warnings),
            "dry_run": self.dry_run,
            **self.counted.as_dict(),
        }


def status(store: Store, *, config: Config, timeline: Timeline | None = None) -> SoulStatus:
    """How many memory writes there were since the last look, and whether something waits."""
    waits, decided = pending(store, "soul", PATH)
    look = Upkeep(store.root).looked(_LOOK)
    since, last = look.at, look.seen
    if decided is not None and (since is None or decided > since):
        since, last = decided, ""
    if since is None:
        touched = history.log(store, path=PATH, limit=1, timeline=timeline)
        since, last = (touched[0].time, touched[0].id) if touched else (None, "")
    writes = _count(store, since, last, timeline)
    return SoulStatus(writes, config.soul.update_interval, waits, look.at)


def evolve(
    store: Store,
    engine: Engine | None,
    *,
    config: Config,
    clock: Clock,
    now: bool = False,
    dry_run: bool = False,
    forgotten: Forgotten | None = None,
    timeline: Timeline | None = None,
) -> SoulReport:
    """Look at SOUL.md when that is due, or `now`. engine: None when no model is set up.

    Raises what the store raises; no fault of an engine or a model is raised.
    """
    counted = status(store, config=config, timeline=timeline)
    reason = _hindrance(store, counted, engine, now=now)
    if reason or engine is None:
        return SoulReport("skipped", reason, counted, dry_run=dry_run)
    with TurnBook(store.root).claim(_LOOK) as mine:
        if not mine:
            return SoulReport("skipped", "another look is going on", counted, dry_run=dry_run)
        report = _Look(store, engine, config, clock, dry_run, forgotten).run()
    return replace(report, counted=counted, dry_run=dry_run)


def _hindrance(store: Store, counted: SoulStatus, engine: Engine | None, *, now: bool) -> str:
    if counted.proposal:
        return f"a proposal waits for a decision: mnemofs review show {counted.proposal}"
    if not now:
        if counted.interval <= 0:
            return "the character stays as it is: [soul] update_interval is 0"
        if not counted.due:
            return f"{counted.writes} of {counted.interval} memory writes since the last look"
    if engine is None:
        return "no language model is set up; the rules engine cannot write a character"
    operation = store.head().operation
    if operation:
        return f"{operation_words(operation)}; run this again afterwards"
    return ""


def _count(store: Store, since: datetime | None, last: str, timeline: Timeline | None) -> int:
    """Memory writes after a time; those up to the commit `last`, in the same second, left out."""
    start = since.replace(microsecond=0) if since else None
    number = 0
    for info in history.log(store, since=start, timeline=timeline):
        if info.id == last:
            break
        number += _is_write(info)
    return number


def _is_write(info: CommitInfo) -> bool:
    return info.actor in _WRITERS and any(
        path in _FILES or path.startswith(_FOLDERS) for path in info.paths
    )


@dataclass(frozen=True)
class _Look:
    store: Store
    engine: Engine
    config: Config
    clock: Clock
    dry_run: bool
    forgotten: Forgotten | None

    def run(self) -> SoulReport:
        at = self.clock.now()
        seen = self.store.head().commit or ""
        draft = Draft.of(self.store.read(PATH))
        if draft.content is None:
            return SoulReport("skipped", f"there is no {PATH} here")
        if not draft.readable or marker_line(draft.content) is not None:  # TXT-02, SYN-07
            return SoulReport("skipped", f"{PATH} cannot be read; look at it by hand")
        evidence = [Draft.of(self.store.read(path)).text for path in ("PROFILE.md", "MEMORY.md")]
        shown = [mask_new(text)[0] for text in (draft.text, *evidence)]
        found: Clean[Soul] | Rejected | ModelError
        try:
            found = self.engine.soul(SoulRequest(*shown))
        except ModelError as error:
            found = error
        if isinstance(found, Rejected) and found.code == "unsupported":
            return SoulReport("skipped", found.detail, code=found.code)
        if isinstance(found, Rejected | ModelError):
            outcome, code, reason = fault_status(found)
            return SoulReport(outcome, reason, code=code)
        if found.value.text is None:
            self._noted(at, seen)
            said = mask_new(found.value.reason)[0]
            return SoulReport("unchanged", said or "the character has not changed")
        bounds = Bounds(max_lost=self.config.dreaming.max_lost_entries, forgotten=self.forgotten)
        ruling = plan_soul(draft.text, found.value.text, evidence, bounds)
        if ruling.status == "refused":
            return SoulReport("refused", ruling.reason, warnings=ruling.warnings)
        if ruling.status == "unchanged":
            self._noted(at, seen)
            return SoulReport("unchanged", "the character has not changed")
        report = SoulReport(
            "parked", ruling.reason, diff=_diff(draft, ruling.text), warnings=ruling.warnings
        )
        return self._keep(report, draft.rewritten(ruling.text), ruling.status, at, seen)

    def _keep(
        self, report: SoulReport, draft: Draft, ruled: str, at: datetime, seen: str
    ) -> SoulReport:
        direct = self.config.soul.apply == "direct" and ruled == "accepted"
        what = "the character follows what was learned"
        if self.dry_run:
            outcome: RunStatus = "updated" if direct else "parked"
            return replace(report, status=outcome, reason=report.reason or what)
        edit = draft.edit()
        assert edit is not None
        if direct:
            happened = event("soul", at, {"engine": self.engine.name, "apply": "direct"})
            ledger = Draft.of(self.store.read(ledger_path(at)))
            noted = ledger.stepped(partial(append_event, happened=happened)).edit()
            edits = (edit, *([noted] if noted else ()))
            done = self.store.commit(Change(edits, "soul", f"soul: {what}", source=happened["id"]))
            self._noted(at, done.commit or seen)
            return replace(
                report,
                status="updated",
                reason=what,
                commit=done.commit,
                paths=tuple(path for path in done.paths if path.endswith(".md")),
                conflicts=len(done.conflicts),
                warnings=report.warnings + done.warnings,
            )
        reason = report.reason or what
        ref = park(self.store, Change((edit,), "soul", f"proposal: {reason}"), at)
        self._noted(at, seen)
        if ref is None:
            reason = "the same character was rejected in review before"
            return replace(report, status="refused", reason=reason)
        told = (*report.warnings, kept_for_review(ref))
        return replace(report, reason=reason, proposals=(ref,), warnings=told)

    def _noted(self, at: datetime, seen: str) -> None:
        if not self.dry_run:
            Upkeep(self.store.root).note(_LOOK, at, seen)


def _diff(draft: Draft, text: str) -> str:
    before, after = draft.text.splitlines(keepends=True), text.splitlines(keepends=True)
    lines = unified_diff(before, after, f"a/{PATH}", f"b/{PATH}", n=2)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
