"""Dreaming: what recurs, is recalled or holds in daily notes moves into MEMORY.md, in one commit.

Works on one store: the workspace's notes, or one person's own. Notes are read and never rewritten;
what earlier dreams wrote is not material. Undoing the commit undoes the dream: memory, diary,
archive and cursor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from mnemofs.errors import (
    MnemofsError,
    ModelError,
    PermissionRefused,
    StoreError,
    UnreadableText,
    UnsafeName,
)
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.dreams.archive import Archive, plan_archive, with_pages, without_pages
from mnemofs.lifecycle.dreams.cursor import FOCUSED, KIND, LocalState
from mnemofs.lifecycle.dreams.diary import DIARY, append_page, new_page
from mnemofs.lifecycle.dreams.inputs import MEMORY, Inputs, fresh_recall
from mnemofs.lifecycle.dreams.material import Material
from mnemofs.lifecycle.dreams.plan import DreamPlan, Ground, dream_event, plan_dream, taken_out
from mnemofs.lifecycle.dreams.report import DreamReport
from mnemofs.lifecycle.gates import Bounds, entries, mask_new
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.learning.extraction import RunStatus, fault_status, kept_for_review
from mnemofs.lifecycle.learning.turnbook import TurnBook
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.llm.engine import Dream, DreamRequest, Engine
from mnemofs.llm.replies import Clean, Rejected
from mnemofs.llm.rules_dream import NEXT_RUN
from mnemofs.markdown.entries import normalise
from mnemofs.markdown.markers import marker_line
from mnemofs.store.commit.writing import operation_words
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.lifecycle.marks import Forgotten
    from mnemofs.lifecycle.recalls.book import Counted
    from mnemofs.sections import Config
    from mnemofs.store.repository import Store

__all__ = ["DreamReport", "dream"]


def dream(
    store: Store,
    engine: Engine,
    *,
    config: Config,
    clock: Clock,
    topic: str | None = None,
    dry_run: bool = False,
    trigger: str = "manual",
    forgotten: Forgotten | None = None,
) -> DreamReport:
    """Consolidate the recent notes of `store` into its MEMORY.md.

    topic: look for this above all; such a dream reads notes that were read before, too. dry_run:
    ask the engine, show what would change, write nothing. trigger: what started it, for the record.
    Raises what the store raises; no fault of an engine or a model is raised.
    """
    topic = " ".join(topic.split()) if topic else ""
    with TurnBook(store.root).claim("dream") as mine:
        run = _Dream(store, engine, config, clock, topic, dry_run, trigger, forgotten, clock.now())
        if not mine:
            return run.report("skipped", "another dream is running")
        report = run.run()
        return replace(report, started=run.started, finished=clock.now())


@dataclass(frozen=True)
class _Dream:
    store: Store
    engine: Engine
    config: Config
    clock: Clock
    topic: str
    dry_run: bool
    trigger: str
    forgotten: Forgotten | None
    started: datetime

    def run(self) -> DreamReport:
        inputs = Inputs(self.store, self.config, self.started)
        local = inputs.local()
        report, local = self._run(inputs, local)
        if not self.dry_run:
            local = local.ran(self.started, report.status, report.reason, report.mode)
            try:
                local.save(self.store.root)
            except StoreError as error:  # what was committed is committed all the same
                said = f"this run will not be remembered: {error.message}"
                report = replace(report, warnings=(*report.warnings, said))
        return report

    def report(self, status: RunStatus, reason: str, **more: Any) -> DreamReport:
        """A report with what is known from the beginning."""
        more.setdefault("topic", self.topic)
        return DreamReport(
            status,
            reason,
            mode="focused" if self.topic else "all",
            trigger=self.trigger,
            dry_run=self.dry_run,
            **more,
        )

    def _run(self, inputs: Inputs, local: LocalState) -> tuple[DreamReport, LocalState]:
        settings = self.config.dreaming
        hindrance = self._hindrance()
        if hindrance:
            return self.report("skipped", hindrance), local
        cursor = inputs.cursor(local)
        material, fresh = inputs.material(cursor)
        memory = Draft.of(self.store.read(MEMORY))
        known = inputs.known()
        standing = frozenset(map(normalise, entries(memory.text)))
        counts = inputs.counts()
        ranking = inputs.ranking(counts, material, fresh, known | standing, local)
        warnings = (*inputs.warnings, *_said_of(material))
        recalled = any(one.evidence.way == "recalled" for one in ranking.candidates)
        if not material.notes and not recalled:
            reason = f"no notes in the last {settings.day_range} days"
            return self.report("skipped", reason, warnings=warnings), local
        if not (self.topic or fresh or fresh_recall(ranking.candidates, local)):
            reason = "no note has changed since the last dream"  # LLM-11
            return self.report("skipped", reason, warnings=warnings), local
        if marker_line(memory.snapshot.content or b"") is not None:  # SYN-07
            reason = f"{MEMORY} holds conflict markers; remove them and run this again"
            return self.report("skipped", reason, warnings=warnings), local
        ground = Ground(
            material.notes,
            [note for note in material.notes if note in fresh],
            ranking.candidates,
            known,
            taken_out(cursor.promoted, memory.text, material.notes),
            settings.max_candidates,
        )
        shown: dict[str, Any] = {
            "notes": tuple(note.path for note in material.notes),
            "candidates": len(ground.candidates),
            "left": material.left,
            "warnings": warnings,
        }
        found = self._asked(self._request(ground, memory))
        if not isinstance(found, Dream):
            status, code, reason = fault_status(found)
            return self.report(status, reason, code=code, **shown), local
        bounds = Bounds(
            max_chars=self.config.files.memory_max_chars,
            max_lost=settings.max_lost_entries,
            forgotten=self.forgotten,
        )
        plan = plan_dream(memory, ground, found, bounds, self.started)
        postponed = _postponed(found, ground)
        return self._carry_out(plan, ground, material, postponed, counts, local, shown)

    def _hindrance(self) -> str:
        if not self.config.dreaming.enabled:
            return "dreaming is switched off"
        if self.topic and not self.config.dreaming.focused_enabled:
            return "dreams about a topic are switched off ([dreaming] focused_enabled)"
        operation = self.store.head().operation
        if operation:
            return f"{operation_words(operation)}; run this again afterwards"
        return ""

    def _asked(self, request: DreamRequest) -> Dream | Rejected | ModelError:
        """What the engine proposes, or what went wrong; a host's own engine may do anything."""
        try:
            found = self.engine.dream(request)
        except ModelError as error:
            return error
        except MnemofsError:  # it says what and where by itself
            raise
        except Exception as error:
            return ModelError(f"the engine {self.engine.name} failed ({type(error).__name__})")
        if isinstance(found, Rejected):
            return found
        if isinstance(found, Clean) and _is_sound(found.value):
            return found.value
        return ModelError(f"the engine {self.engine.name} gave no proposal that can be read")

    def _request(self, ground: Ground, memory: Draft) -> DreamRequest:
        notes = tuple((note.path, mask_new(note.text)[0]) for note in ground.notes)
        candidates = tuple(
            (one.evidence.paths[0], mask_new(one.evidence.text)[0], one.score)
            for one in ground.candidates
            if one.evidence.way == "recalled"
        )
        today, room = self.started.date(), self.config.files.memory_max_chars
        return DreamRequest(notes, memory.text, today, self.topic or None, candidates, room)

    def _carry_out(
        self,
        plan: DreamPlan,
        ground: Ground,
        material: Material,
        postponed: frozenset[str],
        counts: tuple[Counted, ...],
        local: LocalState,
        shown: dict[str, Any],
    ) -> tuple[DreamReport, LocalState]:
        done: dict[str, Any] = {}
        in_vain = plan.status in ("unchanged", "parked")
        warnings = (*shown.pop("warnings"), *plan.warnings)
        if self.dry_run:
            pass
        elif plan.status == "updated":
            change, archive, said = self._change(plan, ground, material, postponed, counts)
            committed = self.store.commit(change)
            done = {
                "commit": committed.commit,
                "id": change.source,
                "paths": committed.paths,
                "conflicts": len(committed.conflicts),
                "archived": len(archive.pages),
            }
            warnings += (*said, *committed.warnings)
        elif plan.status == "parked":
            plan, done, said = self._park(plan)
            warnings += said
        if not self.dry_run and plan.status in ("updated", "unchanged"):
            weighed = [(one.evidence.entry, one.evidence.recalls) for one in plan.turned_down]
            local = local.turned_down(weighed)
            if not self.topic:
                self._settle(counts)
        if in_vain and not self.dry_run and not self.topic:
            local = _read_in_vain(local, material)
        report = self.report(
            plan.status,
            plan.reason,
            promoted=tuple(one.text for one in plan.promoted),
            sources=tuple(one.notes for one in plan.promoted),
            removed=plan.removed,
            rejected=plan.rejected,
            more_rejected=plan.more,
            diff=plan.diff,
            masked=plan.masked,
            warnings=warnings,
            **shown,
            **done,
        )
        return report, local

    def _park(self, plan: DreamPlan) -> tuple[DreamPlan, dict[str, Any], tuple[str, ...]]:
        edit = plan.memory.edit()
        if edit is None:
            return plan, {}, ()
        ref = park(self.store, Change((edit,), "dream", f"proposal: {plan.reason}"), self.started)
        if ref is None:
            reason = f"{plan.reason}, and that was rejected in review before"
            return replace(plan, status="refused", reason=reason), {}, ()
        return plan, {"proposals": (ref,)}, (kept_for_review(ref),)

    def _change(
        self,
        plan: DreamPlan,
        ground: Ground,
        material: Material,
        postponed: frozenset[str],
        counts: tuple[Counted, ...],
    ) -> tuple[Change, Archive, tuple[str, ...]]:
        """The one commit of a dream, what it archives, and what is to be said of it."""
        waiting = Material((), (*material.left, *postponed))
        details = dream_event(
            plan,
            ground,
            mode=FOCUSED if self.topic else "all",
            trigger=self.trigger,
            engine=self.engine.name,
            postponed=postponed,
            rest=waiting.rest,
        )
        happened = event(KIND, self.started, details)
        ledger = Draft.of(self.store.read(ledger_path(self.started)))
        ledger = ledger.stepped(partial(append_event, happened=happened))
        if counts and not self.topic:
            from mnemofs.lifecycle.recalls.book import recall_event

            if (totals := recall_event(counts, self.started)) is not None:
                ledger = ledger.stepped(partial(append_event, happened=totals))
        drafts = [plan.memory, ledger]
        archive = Archive()
        diary, warnings = self._diary()
        if diary is not None:
            told = plan.told(ground, self.topic)
            paths = [note.path for note in ground.notes]
            page = new_page(told, paths, self.started, happened["id"])
            diary = diary.stepped(partial(append_page, page=page))
            months, archive, warnings = self._archive(diary)
            diary = diary.stepped(partial(without_pages, moved=archive.pages))
            drafts += [diary, *months]
        edits = tuple(edit for draft in drafts if (edit := draft.edit()))
        change = Change(edits, "dream", f"dream: {plan.reason}", source=happened["id"])
        return change, archive, warnings

    def _diary(self) -> tuple[Draft | None, tuple[str, ...]]:
        """The diary as it stands; None, with a warning, when it takes no page."""
        try:
            diary = Draft.of(self.store.read(DIARY))
        except (UnsafeName, PermissionRefused) as error:  # SEC-02
            return None, (f"no page was written: {error.message}",)
        if not diary.readable:  # TXT-02
            return None, (f"no page was written: {DIARY} is not UTF-8 text",)
        return diary, ()

    def _archive(self, diary: Draft) -> tuple[list[Draft], Archive, tuple[str, ...]]:
        """What leaves the diary: the files it goes to, the pages, and warnings."""
        settings = self.config.dreaming
        if not settings.archive_enabled:
            return [], Archive(), ()
        archive = plan_archive(
            diary.text,
            self.started.date(),
            settings.archive_keep_days,
            settings.diary_max_chars,
        )
        drafts, warnings = [], []
        for path, texts in archive.moves:
            try:
                month = Draft.of(self.store.read(path))
                month = month.stepped(partial(with_pages, path=path, moved=texts))
            except (UnsafeName, PermissionRefused, UnreadableText) as error:
                archive = archive.without(path)  # W-26: nothing is cut that is not archived
                warnings.append(f"pages stay in {DIARY}: {error.message}")
            else:
                drafts.append(month)
        return drafts, archive, tuple(warnings)

    def _settle(self, counts: tuple[Counted, ...]) -> None:
        """Begin a new day of recalls: what was counted is committed or was weighed (W-11)."""
        if counts:
            from mnemofs.lifecycle.recalls.book import RecallBook

            book = RecallBook(self.store.root, keep_days=self.config.recall.keep_days)
            book.settle(self.started, counts)


def _is_sound(proposal: object) -> bool:
    """Whether it is a proposal, of texts that can be written."""
    if not isinstance(proposal, Dream):
        return False
    try:
        pairs = (*proposal.rejected, *proposal.superseded)
        lines = (*proposal.promoted, *(text for pair in pairs for text in pair))
        "\n".join((proposal.reason, proposal.memory_content or "", *lines)).encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return isinstance(proposal.promoted, tuple) and all(len(pair) == 2 for pair in pairs)


def _postponed(proposal: Dream, ground: Ground) -> frozenset[str]:
    """Notes of which something is left for the next run, so that it reads them again."""
    waiting = {normalise(text) for text, why in proposal.rejected if why == NEXT_RUN}
    if not waiting:
        return frozenset()
    return frozenset(note.path for note in ground.notes if waiting & note.normals)


def _read_in_vain(local: LocalState, material: Material) -> LocalState:
    read = {**local.read, **{note.path: note.blob for note in material.notes}}
    rest = material.rest
    return replace(local, read=read, rest=rest.isoformat() if rest else "")


def _said_of(material: Material) -> tuple[str, ...]:
    said = [f"{path} is too long for one dream; only its end was read" for path in material.cut]
    if material.left:
        number = count(len(material.left), "note")
        said.append(f"{number} had no room in this run and will be read by the next")
    return tuple(said)
