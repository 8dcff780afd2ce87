"""Taking in what people did to the files: one commit of actor `person` (git-lab §3, §10).

The work tree is the truth and HEAD follows it. What is left alone: files the user has staged as
they stand (GIT-02), untracked files git ignores (GIT-09), half-written files, conflicts that wait
to be resolved, and a sudden absence of everything.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mnemofs import names
from mnemofs.errors import Busy, CorruptStore, MnemofsError, OperationInProgress
from mnemofs.store.commit.differences import Comparison, Difference
from mnemofs.store.commit.inspection import Inspected, inspect, unrest
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import OvertakenError, Publisher
from mnemofs.store.commit.recovery import Recovery
from mnemofs.store.commit.stepback import step_back
from mnemofs.store.commit.writing import PATIENCE, operation_words, publish_hand_edits
from mnemofs.store.disk.scan import Survey
from mnemofs.store.git.ignore import Ignore
from mnemofs.store.git.refs import read_head
from mnemofs.store.model import Committed, Head

_GIT_PATIENCE = 1.0
_LOCK_PATIENCE = 5.0
_MASS = 10
_MAX_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class _Plan:
    """left: differences that stay as they are, though nobody would call them committed."""

    paths: tuple[str, ...]
    warnings: tuple[str, ...]
    outdated: tuple[str, ...] = ()
    left: bool = True


class Folder:
    """Folds hand edits of one store. Takes the write lock itself."""

    def __init__(self, parts: Parts, publisher: Publisher, recovery: Recovery) -> None:
        self._parts = parts
        self._publisher = publisher
        self._recovery = recovery

    def dirty(self) -> tuple[str, ...]:
        """Our files whose bytes differ from HEAD, sorted. Ignored untracked files do not count."""
        self._parts.refresh()
        head = read_head(self._parts.layout)
        comparison = self._parts.comparer.compare(self._parts.tree_of(head.commit))
        return tuple(sorted(_edited(comparison, self._ignored(comparison.differences))))

    def fold(
        self,
        paths: Iterable[str] | None,
        quiet: float,
        mass_delete: bool,
        seen: Survey | None = None,
    ) -> Committed:
        """See `Store.fold`."""
        chosen = None if paths is None else list(paths)
        try:
            return self._fold(chosen, quiet, mass_delete, seen)
        except CorruptStore as damage:
            with self._parts.write_lock.within(_LOCK_PATIENCE):
                mended = step_back(self._parts, self._publisher, damage)
            done = self._fold(chosen, quiet, mass_delete, None)
            return replace(done, warnings=mended + done.warnings)

    def _fold(
        self, chosen: list[str] | None, quiet: float, mass_delete: bool, seen: Survey | None
    ) -> Committed:
        self._parts.refresh()
        recovered: tuple[str, ...] = ()
        if self._recovery.needed:
            with self._parts.write_lock.within(_LOCK_PATIENCE):
                recovered = self._recovery.run()
        patience = time.monotonic() + PATIENCE + quiet
        for _ in range(_MAX_ATTEMPTS):
            head = read_head(self._parts.layout)
            if head.operation is not None:
                words = f"hand edits are not committed: {operation_words(head.operation)}"
                return Committed(None, warnings=(*recovered, words))
            plan = self._plan(head, chosen, mass_delete, seen)
            seen = None  # another attempt looks again
            warnings = recovered + plan.warnings
            if not plan.paths:
                self._mend_index(head, plan.outdated)
                return Committed(None, warnings=warnings, clean=not plan.left)
            self._wait_for_rest(head, plan.paths, quiet, patience)
            try:
                with self._parts.write_lock.within(_LOCK_PATIENCE):
                    self._recovery.run()
                    rows = self._look(head, plan.paths)
                    if rows is None:
                        continue
                    if not rows:
                        return Committed(None, warnings=warnings, clean=not plan.left)
                    commit = publish_hand_edits(
                        self._parts, self._publisher, head, rows, wait=_GIT_PATIENCE
                    )
            except OvertakenError:
                continue
            except (Busy, OperationInProgress) as error:
                return Committed(
                    None, warnings=(*warnings, f"hand edits are not committed yet: {error.message}")
                )
            changed = tuple(row.path for row in rows)
            return Committed(commit, changed, warnings=warnings, clean=not plan.left)
        return Committed(
            None, warnings=(*recovered, "hand edits are not committed yet: files keep changing")
        )

    def _plan(
        self, head: Head, chosen: Sequence[str] | None, mass_delete: bool, seen: Survey | None
    ) -> _Plan:
        """Which files to take in, and a sentence for each kind that is left alone. Pure reading."""
        tree = self._parts.tree_of(head.commit)
        if chosen is not None:
            return self._plan_chosen(tree, chosen)
        comparison = self._parts.comparer.compare(tree, seen)
        outdated = self._outdated(comparison)
        if not comparison.differences and not comparison.unknown:
            return _Plan((), (), outdated, left=False)
        fresh = any(row.head is None for row in comparison.differences)
        tracked = set(self._parts.comparer.tracked(tree)) if fresh else set()
        ignored = self._ignored(comparison.differences)
        plan = plan_fold(comparison, ignored, tracked, mass_delete)
        left = _edited(comparison, ignored).difference(plan.paths)
        return _Plan(plan.paths, plan.warnings, outdated, bool(left))

    def _plan_chosen(self, tree: str | None, chosen: Sequence[str]) -> _Plan:
        paths: list[str] = []
        warnings: list[str] = []
        for asked in chosen:
            try:
                path = names.check_path(asked, suffix="")
                row = inspect(self._parts, tree, path) if names.is_memory(path) else None
            except MnemofsError as error:
                warnings.append(f"not committed: {error.message}")
                continue
            if row is not None and row.foreign:
                paths.append(row.path)
        return _Plan(tuple(dict.fromkeys(paths)), tuple(warnings))

    def _outdated(self, comparison: Comparison) -> tuple[str, ...]:
        """Index entries to set right; what was taken out of it to be ignored stays out."""
        rows = [row for row in comparison.outdated if row[1] not in comparison.unmerged]
        if not rows:
            return ()
        layout = self._parts.layout
        ignore = Ignore(layout.root, layout.common_dir, self._parts.config)
        return tuple(tracked for path, tracked in rows if not ignore.ignored(path))

    def _mend_index(self, head: Head, outdated: Sequence[str]) -> None:
        """Bring entries up to HEAD that git overwrote with what it had read before our commit."""
        if not outdated:
            return
        try:
            with self._parts.write_lock.within(_LOCK_PATIENCE):
                self._recovery.run()
                if read_head(self._parts.layout) == head:
                    self._publisher.refresh_index(head, outdated, wait=0.0)
        except Busy:
            pass  # git is at it; a later fold looks again

    def _ignored(self, rows: Sequence[Difference]) -> set[str]:
        fresh = [row for row in rows if row.head is None and row.disk is not None]
        if not fresh:
            return set()
        ignore = Ignore(self._parts.layout.root, self._parts.layout.common_dir, self._parts.config)
        return {row.path for row in fresh if row.disk and ignore.ignored(row.disk)}

    def _wait_for_rest(
        self, head: Head, paths: Sequence[str], quiet: float, patience: float
    ) -> None:
        """Sleep, outside the lock, until the files are quiet or patience ends."""
        tree = self._parts.tree_of(head.commit)
        waits = dict.fromkeys(paths, 0.0)
        while waits and time.monotonic() < patience:
            for path in list(waits):
                try:
                    seen = inspect(self._parts, tree, path)
                except MnemofsError:
                    del waits[path]  # passed over later, with the reason
                    continue
                waits[path] = unrest(self._parts, seen, quiet)
                if waits[path] <= 0:
                    del waits[path]
            if waits:
                time.sleep(min(max(waits.values()) + 0.005, 0.1))

    def _look(self, head: Head, paths: Sequence[str]) -> list[Inspected] | None:
        """The files as they are now, under the lock; None when HEAD moved meanwhile."""
        if read_head(self._parts.layout) != head:
            return None
        tree = self._parts.tree_of(head.commit)
        rows = []
        for path in paths:
            try:
                row = inspect(self._parts, tree, path)
            except MnemofsError:
                continue  # it became a link or unreadable: present, unknown
            if row.foreign:
                rows.append(row)
        return rows


def _edited(comparison: Comparison, ignored: set[str]) -> set[str]:
    """Our files whose bytes differ from HEAD's."""
    return {
        row.path
        for row in comparison.differences
        if row.path not in ignored and (row.head is None or row.head[1] != row.blob)
    }


def plan_fold(
    comparison: Comparison, ignored: set[str], tracked: set[str], mass_delete: bool
) -> _Plan:
    """Choose what a fold of everything takes in.

    tracked: our paths in HEAD, needed when there are new files. mass_delete: deletions are meant,
    however many there are.
    """
    warnings = [
        f"{path} was passed over: {why}" for path, why in sorted(comparison.unknown.items())
    ]
    changed: list[str] = []
    deleted: list[str] = []
    present = {names.collision_key(path): path for path in tracked}
    for row in sorted(comparison.differences, key=lambda row: row.path):
        if row.tracked in comparison.unmerged or row.path in comparison.unmerged:
            warnings.append(f"{row.path} is not committed: its merge conflict is unresolved")
        elif row.staged or row.path in ignored:
            continue
        elif row.blob is None:
            deleted.append(row.path)
        elif row.head is None and (reason := _unfit(row.path, present)):
            warnings.append(f"{row.path} is not committed: {reason}")
        else:
            changed.append(row.path)
    if deleted and not mass_delete and _suspicious(len(deleted), comparison):
        warnings.append(
            f"{len(deleted)} of {comparison.tracked} memory files are missing; "
            "their deletion is not committed until you say so"
        )
        deleted = []
    return _Plan(tuple(changed + deleted), tuple(warnings))


def _unfit(path: str, present: dict[str, str]) -> str | None:
    """Why a new file cannot become part of the memory, None when it can."""
    twin = present.get(names.collision_key(path))
    if twin is not None and twin != path:
        return f"its name differs from {twin} only in case or accents"  # TXT-10
    present[names.collision_key(path)] = path
    return names.fault(path)


def _suspicious(deleted: int, comparison: Comparison) -> bool:
    """An emptied tree, or most of a large one gone at once."""
    if comparison.present == 0:
        return True
    return deleted >= _MASS and deleted * 2 > comparison.tracked
