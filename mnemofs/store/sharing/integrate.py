"""Taking another history into ours: planned from objects alone, then one commit and a few files.

The branch moves forward to the other commit where that is all there is to do, else a merge commit
with two parents is made. Under the write lock nothing is computed: when the branch moved or a file
to be changed is not as HEAD has it, the hand edit is committed first and the merge planned again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemofs import names
from mnemofs.errors import Busy, OperationInProgress
from mnemofs.store.commit.differences import wanted_mode
from mnemofs.store.commit.folding import Folder
from mnemofs.store.commit.inspection import Inspected, inspect
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import OvertakenError, Publisher, Target
from mnemofs.store.commit.recovery import Recovery
from mnemofs.store.commit.worktree import check_place, composed, read
from mnemofs.store.commit.writing import Writer, operation_words
from mnemofs.store.git.ancestry import divergence, is_ancestor, merge_bases
from mnemofs.store.git.messages import message
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.refs import read_head
from mnemofs.store.git.trees import Entry
from mnemofs.store.git.walk import Commits
from mnemofs.store.model import Change, Head
from mnemofs.store.sharing.guards import ChangedHere, check_arriving, check_deletions, check_related
from mnemofs.store.sharing.treemerge import Files, MergePlan, Newer, plan_merge
from mnemofs.store.sharing.unmergeable import Unmanaged, later_only

if TYPE_CHECKING:
    from mnemofs.markdown.merge import Conflict

_MAX_ATTEMPTS = 20

Wanted = dict[str, Entry | None]  # what changes: {path: the new entry, None to delete it}


@dataclass(frozen=True, slots=True)
class Integrated:
    """What taking in a history did.

    before, commit: the branch's tip then and now; equal when nothing was missing
    joined   whether a merge commit was made
    paths    files that changed here; `merged` those put together from two texts
    """

    before: str | None
    commit: str | None
    joined: bool = False
    paths: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[str, ...] = ()


class Integrator:
    """Takes other histories into one store. Takes the write lock itself.

    allow_deletions: a mass deletion on the other side is meant.
    """

    def __init__(self, parts: Parts, *, allow_deletions: bool = False) -> None:
        self._parts = parts
        self._allow = allow_deletions
        self._publisher = Publisher(parts)
        self._recovery = Recovery(parts, self._publisher)
        self._writer = Writer(parts, self._publisher, self._recovery)
        self._folder = Folder(parts, self._publisher, self._recovery)

    def integrate(self, commits: Commits, theirs: str, source: str) -> Integrated:
        """Make the present branch hold everything that commit `theirs` holds.

        commits: the graph, in which `theirs` is. source: the remote's name, for the commit message
        and for sentences. Raises the errors of `guards` before anything is changed,
        OperationInProgress, Busy, and what writing raises.
        """
        warnings: tuple[str, ...] = ()
        for _ in range(_MAX_ATTEMPTS):
            head = self._head()
            if head.commit is not None and is_ancestor(commits, theirs, head.commit):
                return Integrated(head.commit, head.commit, warnings=warnings)
            joined, plan, ours = self._plan(commits, head.commit, theirs, source)
            deleted = check_deletions(ours, plan.files, self._reader(plan), allowed=self._allow)
            wanted = {
                path: plan.files.get(path)
                for path in ours.keys() | plan.files.keys()
                if ours.get(path) != plan.files.get(path)
            }
            self._commit_hand_edits(head, ours, wanted)
            try:
                with self._parts.write_lock:
                    warnings += self._recovery.run()
                    if read_head(self._parts.layout) != head:
                        continue
                    later = Unmanaged(self._parts)
                    targets = self._targets(head, ours, wanted, plan, later)
                    if targets is None:
                        continue
                    text = self._message(plan, wanted, source)
                    done = self._publisher.publish(
                        head,
                        targets,
                        text,
                        merging=theirs if joined else None,
                        moving_to=None if joined else theirs,
                    )
                    later.place()
                    self._tidy(wanted)
            except OvertakenError:
                continue
            self._writer.take_back(done.overtaken)
            return Integrated(
                head.commit,
                done.commit,
                joined,
                tuple(sorted(wanted)),
                plan.merged,
                deleted,
                plan.conflicts,
                warnings,
            )
        raise Busy(
            "the memory is changed by others all the time; nothing was taken over",
            hint="try again",
            path=self._parts.layout.root,
        )

    def _head(self) -> Head:
        head = read_head(self._parts.layout)
        if head.operation is not None or head.ref is None:
            raise OperationInProgress(
                f"{operation_words(head.operation or 'detached')} in {self._parts.layout.root}; "
                "nothing was changed",
                hint="finish or abort it with git (or check out a branch), then sync again",
                path=self._parts.layout.root,
            )
        return head

    def _plan(
        self, commits: Commits, ours: str | None, theirs: str, source: str
    ) -> tuple[bool, MergePlan, Files]:
        """(whether a merge commit is needed, the tree to reach, our tree)."""
        here, there = self._files(ours), self._files(theirs)
        check_arriving(there, here, self._blob)
        if ours is None:
            return False, MergePlan(dict(there), {}, (), ()), here
        bases = merge_bases(commits, (ours,), (theirs,))
        shallow = os.path.exists(self._parts.layout.shallow)
        check_related(bases, source, shallow=shallow)
        if bases == (ours,):
            return False, MergePlan(dict(there), {}, (), ()), here
        base = _CommonBase(self._parts, commits)
        files = base.files(bases)
        later = _Later(commits, ours, theirs)
        return True, plan_merge(files, here, there, base.read, newer=later.side), here

    def _files(self, commit: str | None) -> dict[str, Entry]:
        return files_of(self._parts, commit)

    def _blob(self, object_id: str) -> bytes:
        return self._parts.objects.read_kind(object_id, "blob")

    def _reader(self, plan: MergePlan) -> Callable[[str], bytes]:
        return lambda object_id: (
            plan.blobs[object_id] if object_id in plan.blobs else self._blob(object_id)
        )

    def _commit_hand_edits(self, head: Head, ours: Files, wanted: Wanted) -> None:
        """Commit what a person did to the memory files that are about to change."""
        tree = self._parts.tree_of(head.commit)
        foreign = []
        for path, entry in wanted.items():
            plain = not later_only(ours.get(path), entry)
            memory = plain and names.is_memory(composed(path))
            if memory and not self._makes_room(path, ours, wanted):
                row = self._look(tree, path, ours)
                if row.foreign and names.fault(row.path) is None:
                    foreign.append(row.path)
        if foreign:
            self._folder.fold(foreign, 0.0, False)

    def _targets(
        self, head: Head, ours: Files, wanted: Wanted, plan: MergePlan, later: Unmanaged
    ) -> list[Target] | None:
        """What is to be written, deletions first; None when a hand edit has to go in before.

        Raises ChangedHere for a changed file that is not ours to commit.
        """
        parts = self._parts
        tree = parts.tree_of(head.commit)
        merged = self._reader(plan)
        targets = []
        for path, entry in sorted(wanted.items(), key=lambda item: (item[1] is not None, item[0])):
            if later_only(ours.get(path), entry):
                targets.append(later.target(path, ours.get(path), entry))
                continue
            if self._makes_room(path, ours, wanted):
                row = Inspected(composed(path), path, path, None, None, None, None)
            else:
                row = self._look(tree, path, ours)
            if row.foreign and row.entry != entry:
                if names.is_memory(row.path) and names.fault(row.path) is None:
                    return None
                raise ChangedHere(
                    f"{path} was changed here and is in no commit, and the remote changed it too; "
                    "nothing was changed",
                    hint="commit it with git or move it away, then sync again",
                    path=path,
                )
            if entry is not None:
                later.mode(row.disk, entry)
            targets.append(_target(row, entry, None if entry is None else merged(entry[1])))
        return targets

    def _look(self, tree: str | None, path: str, ours: Files) -> Inspected:
        """The state of a path. One that is new here keeps the spelling it has in the merge."""
        if path in ours:
            return inspect(self._parts, tree, path)
        check_place(self._parts.layout.root, path)
        found = read(self._parts.layout.root, path, place_checked=True)
        if found is None:
            return Inspected(composed(path), path, path, None, None, None, None)
        stored = self._parts.stored(path, found.content, None)
        entry = (wanted_mode(found.status.st_mode, None, True), blob_id(stored))
        return Inspected(composed(path), path, path, None, found, stored, entry)

    def _makes_room(self, path: str, ours: Files, wanted: Wanted) -> bool:
        """Whether a folder stands where a file shall be, or a file where its folder shall be, and
        goes in the same commit."""
        if path in ours:
            return False
        above = path
        while above := above.rpartition("/")[0]:
            if above in ours and wanted.get(above, ours[above]) is None:
                return True
        return os.path.isdir(os.path.join(self._parts.layout.root, path)) and any(
            below.startswith(path + "/") for below in ours
        )

    def _message(self, plan: MergePlan, wanted: Wanted, source: str) -> str:
        what = f"sync: {_count(len(wanted), 'file')} from {source}"
        if plan.merged:
            what += f", {len(plan.merged)} merged"
        if plan.conflicts:
            what += f", {_count(len(plan.conflicts), 'contradiction')} kept in both forms"
        return message(Change((), "sync", what, source=source), (), plan.conflicts)

    def _tidy(self, wanted: Wanted) -> None:
        """Remove folders that the deletion of files left empty."""
        for path, entry in wanted.items():
            folder = path.rpartition("/")[0]
            while entry is None and folder:
                try:
                    os.rmdir(os.path.join(self._parts.layout.root, folder))
                except OSError:
                    break
                folder = folder.rpartition("/")[0]


def files_of(parts: Parts, commit: str | None) -> dict[str, Entry]:
    """{path as spelled in the tree: (mode, id)} of everything in a commit."""
    tree = parts.tree_of(commit)
    if tree is None:
        return {}
    return {path: (mode, object_id) for path, mode, object_id in parts.objects.walk(tree)}


class _CommonBase:
    """The tree two sides are compared with; several common ancestors are merged into one first."""

    def __init__(self, parts: Parts, commits: Commits) -> None:
        self._parts = parts
        self._commits = commits
        self._made: dict[str, bytes] = {}
        self._known: dict[tuple[str, ...], dict[str, Entry]] = {}

    def read(self, object_id: str) -> bytes:
        """A blob that is stored, or was made for a base."""
        made = self._made.get(object_id)
        return made if made is not None else self._parts.objects.read_kind(object_id, "blob")

    def files(self, bases: tuple[str, ...]) -> dict[str, Entry]:
        """The tree of some commits together, the same whoever asks: in order of their ids."""
        known = self._known.get(bases)
        if known is not None:
            return known
        files = files_of(self._parts, bases[0]) if bases else {}
        for number in range(1, len(bases)):
            common = merge_bases(self._commits, bases[:number], bases[number : number + 1])
            plan = plan_merge(
                self.files(common), files, files_of(self._parts, bases[number]), self.read
            )
            self._made.update(plan.blobs)
            files = plan.files
        self._known[bases] = files
        return files


class _Later:
    """Which of two histories changed a path last, by the clocks of those who committed."""

    def __init__(self, commits: Commits, ours: str, theirs: str) -> None:
        self._commits = commits
        self._sides = divergence(commits, ours, theirs)

    def side(self, path: str) -> Newer:
        """None when that cannot be told."""
        ours, theirs = (self._last(side, path) for side in (self._sides.ours, self._sides.theirs))
        if ours == theirs:
            return None
        return "ours" if ours > theirs else "theirs"

    def _last(self, side: Sequence[str], path: str) -> float:
        for one in side:
            commit = self._commits.get(one)
            if self._commits.touches_below(commit, composed(path)):
                return commit.time.timestamp()
        return 0.0


def _target(row: Inspected, entry: Entry | None, stored: bytes | None) -> Target:
    content = stored
    if stored is not None and row.stored is not None and row.stored != row.content:
        content = stored.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")  # GIT-07
    write = row.entry is None or entry is None or row.entry[1] != entry[1]
    return Target(
        row.path, row.tracked, row.disk, row.head, entry, stored, content, row.found, write
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
