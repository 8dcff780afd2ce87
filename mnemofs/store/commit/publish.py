"""The commit itself: from bytes in memory to a branch that moved (git-lab, "commit protocol").

Order, under the write lock: temporary files and objects; one parallel sync; objects in place; the
intent; files in place; a sync of the folders; git's locks; the tip compared once more; the index;
the branch. Whatever
dies in between leaves old bytes, or new bytes that the intent finishes.

The index is renamed before the ref, unlike in git: a `git commit` that reads HEAD after our move
has then read an index that holds our change, so it cannot silently commit the old one. (git reads
its index before it locks it; with the ref first, 4 of 1 000 commits were reverted that way.)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemofs.errors import Busy, OperationInProgress
from mnemofs.store.commit.indexfile import IndexFile
from mnemofs.store.commit.intent import Intent, IntentRow
from mnemofs.store.commit.worktree import Found, Placement
from mnemofs.store.disk.durable import sync_folders
from mnemofs.store.disk.failures import in_words
from mnemofs.store.disk.files import write_all
from mnemofs.store.disk.locks import GIT_WAIT, GitLock
from mnemofs.store.git.index import NO_STAT, StatData, stat_data
from mnemofs.store.git.messages import commit_object, git_time
from mnemofs.store.git.pending import Pending
from mnemofs.store.git.refs import append_reflogs, read_head, ref_path
from mnemofs.store.git.treebuild import rebuild
from mnemofs.store.git.trees import Entry
from mnemofs.store.model import Head

if TYPE_CHECKING:
    from mnemofs.store.commit.parts import Parts

_MAX_MOVES = 50


@dataclass(frozen=True, slots=True)
class Target:
    """One file of a commit.

    path     repository path; `tracked` is its spelling in trees and index, `disk` on the disk
    head     what HEAD holds, and what the new bytes were computed over
    entry    what the commit shall hold; None deletes the path
    stored   the new blob's bytes (after line-ending conversion)
    content  bytes to write to the work tree; ignored unless `write`
    before   the file as it was read
    write    False when the work tree holds the new bytes already (a fold)
    """

    path: str
    tracked: str
    disk: str
    head: Entry | None
    entry: Entry | None
    stored: bytes | None
    content: bytes | None
    before: Found | None
    write: bool


@dataclass(frozen=True, slots=True)
class Published:
    """The commit, and what others wrote in the instant between our read and our rename.

    overtaken: (path, the blob they wrote over, their bytes).
    """

    commit: str
    overtaken: tuple[tuple[str, str | None, bytes], ...]


class OvertakenError(Exception):
    """A file or the branch changed under us. The work tree is as it was; compute again.

    kept: targets whose new bytes somebody already built upon, so they could not be put back.
    """

    def __init__(self, kept: tuple[Target, ...] = ()) -> None:
        super().__init__()
        self.kept = kept


class Publisher:
    """Makes commits for one store. Every call needs the write lock."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._index = IndexFile(parts)

    def publish(
        self,
        head: Head,
        targets: Sequence[Target],
        text: str,
        *,
        wait: float | None = None,
        resume: bool = False,
        merging: str | None = None,
        moving_to: str | None = None,
    ) -> Published:
        """Commit `targets` on top of `head` with the message `text`.

        merging: the second parent of the commit. moving_to: no new commit; the branch moves to
        this one, whose tree is HEAD's with `targets`. Both are computed over `head` as it is, so
        any other tip raises OvertakenError. wait: seconds for a lock of git's (default: GIT_WAIT).
        resume: leave the note for the next write when git does not let go, even though no file was
        written.

        Raises OvertakenError, Busy (the message says whether the bytes are on disk), StorageFull,
        PermissionRefused, OperationInProgress (a path has an unresolved conflict).
        """
        self._parts.check_stored(head.commit)
        return _Run(
            self._parts,
            self._index,
            head,
            targets,
            text,
            (GIT_WAIT if wait is None else wait, resume),
            (merging, moving_to),
        ).publish()

    def refresh_index(
        self,
        head: Head,
        paths: Iterable[str],
        *,
        wait: float | None = None,
        lost: Mapping[str, str] | None = None,
    ) -> None:
        """Make index entries (spelled as tracked) say what HEAD says. Raises Busy.

        lost: blobs of commits that are no more; who finds them staged would think a person did it.
        """
        parts, lost = self._parts, lost or {}
        layout = parts.layout
        lock = GitLock(layout.index, os.path.join(layout.state_dir, "index.private"))
        tree = parts.tree_of(head.commit)
        entries = {path: parts.objects.entry(tree, path) for path in paths}
        descriptor = lock.prepare()
        try:
            try:
                lock.take(GIT_WAIT if wait is None else wait)
                data = self._index.changed(
                    head.commit,
                    {path: (entry, NO_STAT) if entry else None for path, entry in entries.items()},
                    {p: {e[1] if e else "", lost.get(p, "")} for p, e in entries.items()},
                )
                write_all(descriptor, data)
            finally:
                os.close(descriptor)  # before it is renamed
            lock.publish()
            self._index.published()
        except OperationInProgress:
            pass  # the user resolves a conflict in it; nothing of ours is missing there
        except OSError as error:
            raise in_words(error, layout.index) from error
        finally:
            lock.release()


class _Run:
    def __init__(
        self,
        parts: Parts,
        index: IndexFile,
        head: Head,
        targets: Sequence[Target],
        text: str,
        waiting: tuple[float, bool],
        joining: tuple[str | None, str | None],
    ) -> None:
        assert head.ref is not None
        layout = parts.layout
        self._parts = parts
        self._index = index
        self._head = head
        self._targets = targets
        self._text = text
        self._wait, self._resume = waiting
        self._merging, self._moving_to = joining
        self._ref = head.ref
        self._placement = Placement(layout.root, parts.temp_dir, parts.lingering)
        self._intent = Intent(layout)
        self._ref_file = ref_path(layout, head.ref)
        self._ref_lock = GitLock(self._ref_file, os.path.join(layout.shared_dir, "ref.private"))
        self._index_lock = GitLock(layout.index, os.path.join(layout.state_dir, "index.private"))
        self._writes = any(target.write for target in targets)
        self._rows = [_row(target) for target in targets]
        self._when = parts.clock.now()
        self._pendings: list[Pending] = []

    def publish(self) -> Published:
        try:
            commit = self._write_aside()
            self._take_git_locks(commit)
        except OvertakenError:
            raise OvertakenError(self._back_out()) from None
        except Busy:
            raise
        except OSError as error:
            self._back_out()
            raise in_words(error, self._named()) from error
        except BaseException:
            self._back_out()
            raise
        return self._finish()

    def _write_aside(self) -> str:
        """Everything on disk and synced, the new files in place, git's view unchanged."""
        pending = self._pending()
        try:
            for target in self._targets:
                if target.write:
                    blob = target.head[1] if target.head else None
                    descriptor = self._placement.stage(
                        target.disk, target.before, target.content, blob
                    )
                    if descriptor is not None:
                        pending.sync_also(descriptor)
        except BaseException:
            pending.discard()
            raise
        commit = self._store(pending)
        if self._writes:
            if not self._placement.unchanged():
                raise OvertakenError
            pending.folders |= self._placement.place() | self._placement.folders()
        pending.settle()
        return commit

    def _store(self, pending: Pending) -> str:
        """The commit with all its objects in place, and the note that it is on its way."""
        try:
            commit = self._build(pending)
            pending.place()
            # Only now, when all it speaks of is stored: an older note may be what we are finishing.
            self._intent.write(self._ref, commit, self._rows)
        except BaseException:
            pending.discard()
            raise
        return commit

    def _build(self, pending: Pending) -> str:
        parts, head = self._parts, self._head
        for target in self._targets:
            if target.stored is not None:
                pending.add("blob", target.stored)
        commit = self._moving_to
        if commit is None:
            changes = {t.tracked: t.entry for t in self._targets}
            tree = rebuild(parts.objects, pending, parts.tree_of(head.commit), changes)
            raw = commit_object(
                tree or pending.add("tree", b""),
                tuple(parent for parent in (head.commit, self._merging) if parent),
                parts.identity,
                self._when,
                self._text,
            )
            commit = pending.add("commit", raw)
        os.makedirs(os.path.dirname(self._ref_file), exist_ok=True)
        pending.sync_also(self._ref_lock.prepare(f"{commit}\n".encode()))
        return commit

    def _take_git_locks(self, commit: str) -> None:
        self._index_fd = self._index_lock.prepare()
        try:
            self._index_lock.take(self._wait, self._holds)
            if not all(self._still_as_read(target) for target in self._targets if not target.write):
                raise OvertakenError
            self._commit_id = self._take_ref(commit)
            data = self._index.changed(
                self._head.commit,
                {t.tracked: (t.entry, self._stat(t)) if t.entry else None for t in self._targets},
                {t.tracked: {e[1] for e in (t.head, t.entry) if e} for t in self._targets},
            )
            write_all(self._index_fd, data)
            subject = self._text.partition("\n")[0]
            append_reflogs(
                self._parts.layout,
                self._parts.config.get("core.logallrefupdates"),
                self._ref,
                (self._head.commit, self._commit_id),
                f"{self._parts.identity} {git_time(self._when)}",
                f"commit: {subject}",
            )
        except Busy:
            # The bytes stay on disk and the intent with them: the next write commits both (GIT-06).
            self._release()
            self._placement.keep()
            if not self._writes and not self._resume:
                self._forget_intent()
            raise
        finally:
            os.close(self._index_fd)

    def _take_ref(self, commit: str) -> str:
        """Hold the branch with HEAD where we built upon it; the commit to move it to."""
        for _ in range(_MAX_MOVES):
            self._ref_lock.take(self._wait, self._holds)
            now = read_head(self._parts.layout)
            if now == self._head:
                return commit
            self._ref_lock.release()
            joins = self._merging or self._moving_to
            if joins or now.ref != self._ref or now.operation is not None:
                raise OvertakenError
            tree = self._parts.tree_of(now.commit)
            for target in self._targets:
                if self._parts.objects.entry(tree, target.tracked) != target.head:
                    raise OvertakenError
            # Somebody committed other files: the same change on the new tip.
            self._head = now
            pending = self._pending()
            commit = self._store(pending)
            pending.settle()
        raise Busy(f"{self._ref} moves all the time; {self._holds()}", path=self._ref_file)

    def _finish(self) -> Published:
        path = self._named()
        try:
            self._index_lock.publish()
            self._ref_lock.publish()
        except OSError as error:  # the intent stays: the next write completes the commit
            self._release()
            self._placement.keep()
            raise in_words(error, path, self._holds()) from error
        self._index.published()
        try:
            for pending in self._pendings:
                pending.confirm()
            if self._parts.durable:
                sync_folders(self._ref_folders())
        except OSError as error:
            raise in_words(error, path, "it is committed, but the disk does not confirm") from error
        finally:
            overtaken = tuple(self._placement.overtaken())
            self._placement.keep()
            self._forget_intent()
        return Published(self._commit_id, overtaken)

    def _ref_folders(self) -> list[str]:
        """The folder of the branch; with a first commit those above it may be new as well."""
        folder = os.path.dirname(self._ref_file)
        folders = [folder]
        while self._head.commit is None and folder != self._parts.layout.common_dir:
            folder = os.path.dirname(folder)
            folders.append(folder)
        return folders

    def _forget_intent(self) -> None:
        try:
            self._intent.clear()
        except OSError:
            pass  # it is found again by the next write, which sees that nothing is left to do

    def _back_out(self) -> tuple[Target, ...]:
        """Put the work tree back; the targets that somebody has built upon already."""
        self._release()
        built_upon = self._placement.undo()
        if not self._resume:
            self._forget_intent()
        return tuple(target for target in self._targets if target.disk in built_upon)

    def _release(self) -> None:
        self._index_lock.release()
        self._ref_lock.release()

    def _holds(self) -> str:
        if not self._writes:
            return "nothing was changed"
        return "the new text is on disk and will be committed by the next write"

    def _named(self) -> str:
        return self._targets[0].path if self._targets else self._parts.layout.root

    def _pending(self) -> Pending:
        made = Pending(self._parts.objects, self._parts.temp_dir, self._parts.durable)
        self._pendings.append(made)
        return made

    def _still_as_read(self, target: Target) -> bool:
        try:
            now = os.lstat(os.path.join(self._parts.layout.root, target.disk))
        except (FileNotFoundError, NotADirectoryError):
            return target.before is None
        return target.before is not None and target.before.same_file(now)

    def _stat(self, target: Target) -> StatData:
        if target.write:
            placed = self._placement.status(target.disk)
            return stat_data(placed) if placed is not None else NO_STAT
        return stat_data(target.before.status) if target.before is not None else NO_STAT


def _row(target: Target) -> IntentRow:
    return IntentRow(target.disk, target.tracked, target.head[1] if target.head else None)
