"""From a change to a commit: what stands there now, what the edit becomes over it, who said so."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mnemofs import names
from mnemofs.errors import (
    Busy,
    CorruptStore,
    MnemofsError,
    OperationInProgress,
    UnsafeName,
    UsageError,
)
from mnemofs.store.commit import kept
from mnemofs.store.commit.inspection import Inspected, inspect, unrest
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import OvertakenError, Publisher, Target
from mnemofs.store.commit.recovery import Recovery
from mnemofs.store.commit.stepback import step_back
from mnemofs.store.git.ignore import Ignore
from mnemofs.store.git.messages import MergedFrom, hand_edit_reason, message
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.refs import read_head
from mnemofs.store.git.trees import FILE
from mnemofs.store.model import UNATTENDED, Actor, Change, Committed, Edit, Head

if TYPE_CHECKING:
    from mnemofs.markdown.merge import Conflict

Overtaken = tuple[tuple[str, str | None, bytes], ...]


QUIET = 0.3
PATIENCE = 5.0
_MAX_ATTEMPTS = 50

_SAY = {
    "merge": "a merge is in progress",
    "rebase": "a rebase is in progress",
    "cherry-pick": "a cherry-pick is in progress",
    "revert": "a revert is in progress",
    "bisect": "a bisect is in progress",
    "detached": "HEAD is detached: no branch would hold the commit",
}


class _NotAtRestError(Exception):
    """A foreign change is so fresh that it may be half written."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class _Computed:
    row: Inspected
    content: bytes | None
    merged: MergedFrom | None
    conflicts: tuple[Conflict, ...]


class Writer:
    """Applies changes to one store. Takes the write lock itself."""

    def __init__(self, parts: Parts, publisher: Publisher, recovery: Recovery) -> None:
        self._parts = parts
        self._publisher = publisher
        self._recovery = recovery

    def commit(self, change: Change, *, any_file: bool = False) -> Committed:
        """Apply `change` to the files as they stand now and commit it. See `Store.commit`.

        any_file: also take paths that are no memory files (`init` writes `.gitattributes`).
        """
        done = self._commit(change, any_file)
        self.take_late(QUIET)
        return done

    def take_late(self, quiet: float) -> None:
        """What somebody wrote into a version that was replaced while they had it open becomes an
        edit of theirs, once it rests for `quiet` seconds."""
        for late in self._parts.lingering.late(quiet):
            try:
                self.take_back((late,))
            except MnemofsError:
                return  # it stays where it is, and is looked at again

    def _commit(self, change: Change, any_file: bool) -> Committed:
        edits = _checked(change.edits, any_file)
        if not edits:
            return Committed(None)
        self._parts.refresh()
        carried: dict[str, Edit] = {}
        patience = time.monotonic() + PATIENCE
        folded: str | None = None
        mended: tuple[str, ...] = ()
        attempts = 0
        while attempts < _MAX_ATTEMPTS:
            try:
                with self._parts.write_lock:
                    warnings = self._recovery.run()
                    impatient = time.monotonic() > patience
                    head, rows = self._inspect(edits)
                    fold = self._fold_first(head, rows, impatient)
                    if fold is not None:
                        folded = fold
                        head, rows = self._inspect(edits)
                    done, overtaken = self._apply(change, edits, carried, head, rows)
            except _NotAtRestError as fresh:
                time.sleep(min(fresh.seconds + 0.005, 0.1))
                continue
            except CorruptStore as damage:
                if mended:
                    raise
                with self._parts.write_lock:
                    mended = step_back(self._parts, self._publisher, damage)
                continue
            except OvertakenError as error:
                attempts += 1
                for target in error.kept:
                    base = target.head[1] if target.head else None
                    carried[target.path] = Edit(target.path, base, target.content)
                continue
            self.take_back(overtaken)
            return Committed(
                done.commit,
                done.paths,
                done.merged,
                done.conflicts,
                folded,
                mended + warnings + done.warnings,
            )
        raise Busy(
            f"{edits[0].path} is changed by others all the time; nothing was written",
            hint="try again",
            path=edits[0].path,
        )

    def _inspect(self, edits: Sequence[Edit]) -> tuple[Head, list[Inspected]]:
        head = read_head(self._parts.layout)
        self._refuse_during_operation(head)
        tree = self._parts.tree_of(head.commit)
        rows = [inspect(self._parts, tree, edit.path) for edit in edits]
        if len({row.disk for row in rows}) < len(rows):
            raise UsageError("two edits of one change name the same file")
        return head, rows

    def _fold_first(self, head: Head, rows: Sequence[Inspected], impatient: bool) -> str | None:
        """Commit what a person did to the same files, so that the edit meets it in history."""
        foreign = [row for row in rows if row.foreign]
        if not foreign:
            return None
        fresh = max(unrest(self._parts, row, QUIET) for row in foreign)
        if fresh and not impatient:
            raise _NotAtRestError(fresh)
        return publish_hand_edits(self._parts, self._publisher, head, foreign)

    def _apply(
        self,
        change: Change,
        edits: Sequence[Edit],
        carried: dict[str, Edit],
        head: Head,
        rows: Sequence[Inspected],
    ) -> tuple[Committed, Overtaken]:
        pairs = [(carried.get(row.path, edit), row) for edit, row in zip(edits, rows, strict=True)]
        computed = [self._compute(edit, row, change.actor) for edit, row in pairs]
        conflicts = tuple(conflict for item in computed for conflict in item.conflicts)
        merged = [item.merged for item in computed if item.merged is not None]
        targets = [self._target(item) for item in computed if item.content != item.row.content]
        targets = [target for target in targets if target.entry != target.head]
        if not targets:
            return Committed(None, (), (), conflicts), ()
        disputed = [edit for (edit, _), item in zip(pairs, computed, strict=True) if item.conflicts]
        text = message(change, merged, conflicts, self._keep(disputed))
        published = self._publisher.publish(head, targets, text)
        done = Committed(
            published.commit,
            tuple(target.path for target in targets),
            tuple(item.path for item in merged),
            conflicts,
            None,
            self._ignored(targets),
        )
        return done, published.overtaken

    def _compute(self, edit: Edit, row: Inspected, actor: Actor) -> _Computed:
        if edit.base == row.blob:
            return _Computed(row, edit.content, None, ())
        moved = MergedFrom(row.path, edit.base)
        if edit.replay is not None:
            return _Computed(row, edit.replay(row.content), moved, ())
        content, conflicts = self._merge(edit, row, actor)
        return _Computed(row, content, moved, conflicts)

    def _merge(
        self, edit: Edit, row: Inspected, actor: Actor
    ) -> tuple[bytes | None, tuple[Conflict, ...]]:
        """The edit over a file that moved on: nothing of either side is lost (I2).

        Where only one value can stand it is the edit's, as the later one, except that a machine
        at work on its own never outvotes what was written while it was thinking.
        """
        from mnemofs.markdown.merge import Conflict, merge

        if edit.content == row.content:
            return row.content, ()
        if edit.content is None or row.stored is None or row.content is None:
            # One side deleted what the other changed: the text stays, and the contradiction shows.
            kept = edit.content if row.content is None else row.content
            sides = edit.content or b"", row.content or b""
            return kept, (Conflict(row.path, "", *sides, kind="edit/delete"),)
        head = row.head[1] if row.head else None
        base = b"" if edit.base is None else self._parts.recall(edit.base)
        ours = self._parts.stored(row.disk, edit.content, head)
        newer: Literal["ours", "theirs"] = "theirs" if actor in UNATTENDED else "ours"
        merged = merge(base or b"", ours, row.stored, path=row.path, newer=newer)
        if any(conflict.kind == "unreadable" for conflict in merged.conflicts):
            return row.content, tuple(merged.conflicts)  # TXT-02: bytes we cannot read stay
        content = merged.content
        if row.stored != row.content:  # the file on disk has CRLF where git stores LF
            content = content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        return content, tuple(merged.conflicts)

    def _keep(self, edits: Sequence[Edit]) -> str:
        """What these edits said, kept for a person to decide; the commit that holds it."""
        sides = {
            edit.path: kept.Side(self._parts.recall(edit.base) if edit.base else None, edit.content)
            for edit in edits
            if edit.content is not None or edit.base is not None
        }
        return kept.keep(self._parts, sides, self._parts.clock.now()) if sides else ""

    def _target(self, item: _Computed) -> Target:
        row = item.row
        stored = None
        entry = None
        if item.content is not None:
            head_blob = row.head[1] if row.head else None
            stored = self._parts.stored(row.disk, item.content, head_blob)
            mode = row.entry[0] if row.entry else row.head[0] if row.head else FILE
            entry = (mode, blob_id(stored))
        return Target(
            row.path, row.tracked, row.disk, row.head, entry, stored, item.content, row.found, True
        )

    def _ignored(self, targets: Sequence[Target]) -> tuple[str, ...]:
        fresh = [target for target in targets if target.head is None and target.entry is not None]
        if not fresh:
            return ()
        parts = self._parts
        ignore = Ignore(parts.layout.root, parts.layout.common_dir, parts.config)
        return tuple(
            f"{target.path} is ignored by git's rules here; it was committed all the same"
            for target in fresh
            if ignore.ignored(target.disk)
        )

    def take_back(self, overtaken: Overtaken) -> None:
        """Bytes somebody wrote in the instant before our rename become an edit of theirs."""
        for path, base, content in overtaken:
            reason = hand_edit_reason([path], [])
            edit = Edit(path, base, content)
            self._commit(Change((edit,), "person", reason, trust="user"), True)

    def _refuse_during_operation(self, head: Head) -> None:
        if head.operation is not None or head.ref is None:
            reason = _SAY.get(head.operation or "detached", f"{head.operation} is in progress")
            raise OperationInProgress(
                f"{reason} in {self._parts.layout.root}; nothing was changed",
                hint="finish or abort it with git (or check out a branch), then write again",
                path=self._parts.layout.root,
            )


def publish_hand_edits(
    parts: Parts,
    publisher: Publisher,
    head: Head,
    rows: Sequence[Inspected],
    *,
    wait: float | None = None,
) -> str:
    """Commit files as a person left them on disk; the commit. Needs the write lock."""
    targets = [
        Target(
            row.path, row.tracked, row.disk, row.head, row.entry, row.stored, None, row.found, False
        )
        for row in rows
    ]
    changed = [row.path for row in rows if row.entry is not None]
    deleted = [row.path for row in rows if row.entry is None]
    change = Change((), "person", hand_edit_reason(changed, deleted), trust="user")
    return publisher.publish(head, targets, message(change), wait=wait).commit


def operation_words(operation: str) -> str:
    """An operation in progress, as a clause for a message."""
    return _SAY.get(operation, f"{operation} is in progress")


def _checked(edits: Sequence[Edit], any_file: bool) -> list[Edit]:
    checked = []
    for edit in edits:
        path = edit.path if any_file else names.check_path(edit.path, suffix="")
        if not any_file and not names.is_memory(path):
            raise UnsafeName(
                f"{path} is not a memory file",
                hint="memory files end in .md and lie outside hidden folders",
                path=path,
            )
        checked.append(Edit(path, edit.base, edit.content, edit.replay))
    return checked
