"""One repository as a memory: read files, commit changes, fold hand edits, look back.

The work tree is the truth and HEAD follows it. A `Store` may be shared by threads; several
processes and git itself may work on the same repository at the same time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mnemofs import names
from mnemofs.clock import Clock
from mnemofs.errors import NotFound
from mnemofs.store.commit.creation import create_repository, first_files
from mnemofs.store.commit.folding import Folder
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import Publisher
from mnemofs.store.commit.recovery import Recovery
from mnemofs.store.commit.worktree import composed, read, spelling
from mnemofs.store.commit.writing import QUIET, Writer
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.disk.filestat import FileStat
from mnemofs.store.git.config import GitConfig
from mnemofs.store.git.layout import Layout, check_supported, find
from mnemofs.store.git.objects import Objects, blob_id
from mnemofs.store.git.refs import read_head
from mnemofs.store.model import Change, CommitInfo, Committed, Edit, Head, Snapshot

if TYPE_CHECKING:
    from types import TracebackType

    from mnemofs.store.commit.maintenance import Maintained
    from mnemofs.store.disk.scan import Survey


class Store:
    """One repository. Make it with `init` or `open`; close it, or use it in a `with`.

    root      absolute path of the work tree
    git_dir   HEAD and index of this work tree; common_dir: objects and branches
    objects   the object database, for readers of history
    warnings  what `init` wants a person to know
    """

    def __init__(
        self,
        layout: Layout,
        config: GitConfig,
        *,
        agent: str,
        clock: Clock,
        durable: bool = True,
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.root = layout.root
        self.git_dir = layout.git_dir
        self.common_dir = layout.common_dir
        self.agent = agent
        self.clock = clock
        self.warnings = warnings
        self._layout = layout
        self._parts = Parts(layout, config, agent, clock, durable)
        publisher = Publisher(self._parts)
        recovery = Recovery(self._parts, publisher)
        self._writer = Writer(self._parts, publisher, recovery)
        self._folder = Folder(self._parts, publisher, recovery)

    @classmethod
    def init(
        cls,
        root: str | os.PathLike[str],
        *,
        agent: str,
        clock: Clock,
        files: Mapping[str, bytes],
        durable: bool = True,
    ) -> Store:
        """Make a repository at `root` (or take over the one there) and commit `files`.

        A file that exists already is kept as it is. `warnings` of the result says when the folder
        lies inside another repository. Raises what `open` raises.
        """
        layout, warnings = create_repository(os.path.abspath(os.fspath(root)))
        config = GitConfig(layout.common_dir, layout.git_dir)
        check_supported(layout, config)
        store = cls(layout, config, agent=agent, clock=clock, durable=durable, warnings=warnings)
        store.fold()
        fresh = first_files(layout, files)
        edits = tuple(Edit(path, None, content) for path, content in fresh.items())
        change = Change(edits, "tool", "Create the memory of " + agent)
        with storage_errors(store.root):
            store._writer.commit(change, any_file=True)
        return store

    @classmethod
    def open(
        cls, root: str | os.PathLike[str], *, agent: str, clock: Clock, durable: bool = True
    ) -> Store:
        """Open the repository whose work tree is `root`. Reads only; imports no dulwich.

        durable: sync every commit to the disk before it is acknowledged.
        Raises NotAWorkspace, and UnsupportedRepository for bare, sha256, partial, reftable and
        unknown kinds and for another user's repository.
        """
        layout = find(os.fspath(root))
        config = GitConfig(layout.common_dir, layout.git_dir)
        check_supported(layout, config)
        return cls(layout, config, agent=agent, clock=clock, durable=durable)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def layout(self) -> Layout:
        """Where its parts are."""
        return self._layout

    @property
    def parts(self) -> Parts:
        """What the rooms of this store share, for the other modules of the store."""
        return self._parts

    def close(self) -> None:
        """Release pack files. The store may be used again; it opens them anew."""
        self._parts.objects.close()

    @property
    def objects(self) -> Objects:
        """The object database."""
        return self._parts.objects

    def head(self) -> Head:
        """Branch, tip and the operation the user is in the middle of."""
        return read_head(self._layout)

    def read(self, path: str) -> Snapshot:
        """The file as it stands in the work tree; its `blob` is what an `Edit` names as base.

        Found under another spelling of the same name too (TXT-09, TXT-10). Raises UnsafeName
        (outside, a link, not a plain file) and PermissionRefused.
        """
        path = names.check_path(path, suffix="")
        disk = path
        found = read(self.root, disk)
        if found is None:
            disk = spelling(self.root, path)
            found = read(self.root, disk) if disk != path else None
        if found is None:
            return Snapshot(path, None, None)
        blob = self._remembered(disk, found.content)
        return Snapshot(composed(disk), blob, found.content)

    def base(self, path: str, content: bytes) -> str:
        """What an `Edit` names as base that was made from these bytes of the file, wherever they
        stand or stood; they are remembered for the merge."""
        path = names.check_path(path, suffix="")
        return self._remembered(spelling(self.root, path), content)

    def _remembered(self, disk: str, content: bytes) -> str:
        stored = content
        if b"\r\n" in stored:
            self._parts.refresh()
            head = self._parts.objects.entry(self._parts.tree_of(self.head().commit), disk)
            stored = self._parts.stored(disk, stored, head[1] if head else None)
        blob = blob_id(stored)
        self._parts.remember(blob, stored)
        return blob

    def read_at(self, path: str, rev: str) -> bytes:
        """The file as a revision has it. Raises NotFound (revision, or file in it)."""
        path = names.check_path(path, suffix="")
        commit = self.resolve(rev)
        tree = self._parts.tree_of(commit)
        entry = self._parts.objects.entry(tree, path)
        if entry is None:
            row = self._parts.comparer.tracked(tree).get(path)
            entry = (row[1], row[2]) if row else None
        if entry is None or entry[0] & 0o170000 != 0o100000:
            raise NotFound(
                f"there is no file {path} in {rev}",
                hint=f"`mnemofs log {path}` shows when it existed",
                path=path,
                revision=rev,
            )
        return self.blob(entry[1])

    def tree(self, rev: str = "HEAD") -> dict[str, str]:
        """Our files in a revision: {path: blob id}. Empty before the first commit."""
        if rev == "HEAD" and self.head().commit is None:
            return {}
        tracked = self._parts.comparer.tracked(self._parts.tree_of(self.resolve(rev)))
        return {path: row[2] for path, row in tracked.items()}

    def blob(self, blob: str) -> bytes:
        """The bytes of a blob. Raises CorruptStore when it is missing."""
        return self._parts.objects.read_kind(blob, "blob")

    def resolve(self, rev: str) -> str:
        """The commit id of a revision: HEAD, HEAD~2, a ref, a short id, a date or time.

        "2026-05-01" is the last commit of that day in the workspace zone. Raises NotFound.
        """
        from mnemofs.store.commit.revisions import resolve

        return resolve(self._parts, rev)

    def commit_info(self, commit: str) -> CommitInfo:
        """One commit by its full id. Raises CorruptStore."""
        from mnemofs.store.commit.revisions import read_commit

        return read_commit(self._parts, commit)

    def scan(self) -> dict[str, FileStat]:
        """Our files on disk with their stat fields. Raises NotAWorkspace when the root is gone."""
        from mnemofs.store.disk.scan import scan

        return scan(self.root)

    def commit(self, change: Change) -> Committed:
        """Write the edits of `change` to the work tree and commit them as one commit.

        When this returns, the commit is on the branch and on the disk. Hand edits of the same
        files are committed first; a file that moved on since `Edit.base` is merged or replayed,
        never overwritten. A path git ignores is committed all the same, with a warning.

        Raises OperationInProgress (merge, rebase, detached HEAD...), UnsafeName, Busy, StorageFull,
        PermissionRefused; nothing is changed then, except that Busy may leave the new text on disk
        for the next write to commit: its message says so.
        """
        with storage_errors(self.root):
            return self._writer.commit(change)

    def fold(
        self,
        paths: Iterable[str] | None = None,
        *,
        quiet: float = QUIET,
        mass_delete: bool = False,
        seen: Survey | None = None,
    ) -> Committed:
        """Commit what people did to the files by hand, as one commit of actor `person`.

        paths: only these, also when the user has staged them; None: everything except staged
        files, ignored untracked ones and unresolved conflicts. quiet: seconds a file has to be at
        rest (half-written files are waited for). mass_delete: commit deletions even when (nearly)
        everything is gone. seen: what a walk through the folder found a moment ago, to spare
        another one. While a merge or the like is in progress nothing is folded; a warning says so.
        """
        with storage_errors(self.root):
            self._writer.take_late(quiet)
            return self._folder.fold(paths, quiet, mass_delete, seen)

    def dirty(self) -> tuple[str, ...]:
        """Our files whose bytes differ from HEAD, sorted; staged ones are among them."""
        return self._folder.dirty()

    def maintain(self) -> Maintained:
        """Pack loose objects when there are many. Never called by a write."""
        from mnemofs.store.commit.maintenance import maintain

        return maintain(self._parts)
