"""Bringing `.git/index` up to a commit of ours without taking away what a user has staged."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mnemofs.errors import CorruptStore, OperationInProgress, UnsupportedRepository
from mnemofs.store.disk.files import unlink_quietly
from mnemofs.store.git.environment import environment
from mnemofs.store.git.index import NO_STAT, GitIndex, NeedsGit, StatData
from mnemofs.store.git.layout import program
from mnemofs.store.git.trees import Entry

if TYPE_CHECKING:
    from mnemofs.store.commit.parts import Parts

_HISTORY = 64

Changes = Mapping[str, tuple[Entry, StatData] | None]


class IndexFile:
    """The index of one work tree. Needs the write lock and git's `index.lock`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._path = parts.layout.index
        self._known: tuple[tuple[int, int, int, int] | None, GitIndex] | None = None
        self._made: GitIndex | None = None

    def changed(
        self, head: str | None, changes: Changes, replaceable: Mapping[str, set[str]]
    ) -> bytes:
        """The new bytes of the index, for a commit on top of `head`.

        replaceable: staged ids that hold nothing of the user's (HEAD's blob, the new one).
        Something else that is staged stays staged, unless history holds it at that path: then the
        entry is a leftover of git's, who read its index before we changed it.
        Raises OperationInProgress for a path with an unresolved conflict, UnsupportedRepository
        for an index that only git can change when git is not installed.
        """
        try:
            index = self._load(head)
            if index.is_foreign():
                raise NeedsGit
        except NeedsGit:
            return self._by_git(changes)
        staged, unmerged = index.standing(changes)
        if unmerged:
            path = min(unmerged)
            raise OperationInProgress(
                f"{path} has an unresolved merge conflict; nothing was changed",
                hint="resolve it and `git add` the file, or `git checkout HEAD -- FILE`",
                path=path,
            )
        kept = {
            path
            for path, object_id in staged.items()
            if object_id not in replaceable[path] and not self._in_history(head, path, object_id)
        }
        made = index.changed({p: value for p, value in changes.items() if p not in kept})
        self._made = made
        return made.data

    def published(self) -> None:
        """The bytes of `changed` are in place: they need no reading next time."""
        self._known = None if self._made is None else (self._stamp(), self._made)
        self._made = None

    def _load(self, head: str | None) -> GitIndex:
        stamp = self._stamp()
        if self._known is not None and stamp is not None and self._known[0] == stamp:
            return self._known[1]
        try:
            with open(self._path, "rb", buffering=0) as file:
                return GitIndex(file.readall())
        except FileNotFoundError:
            pass
        except CorruptStore:
            # Torn by power loss: git could not use it either. Kept aside, made anew from HEAD.
            os.replace(self._path, os.path.join(self._parts.layout.state_dir, "index.damaged"))
        tree = self._parts.tree_of(head)
        if tree is None:
            return GitIndex(None)
        rows: Changes = {
            path: ((mode, object_id), NO_STAT)
            for path, mode, object_id in self._parts.objects.walk(tree)
        }
        return GitIndex(None).changed(rows)

    def _stamp(self) -> tuple[int, int, int, int] | None:
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size

    def _in_history(self, head: str | None, path: str, staged: str) -> bool:
        commit = head
        for _ in range(_HISTORY):
            if commit is None:
                return False
            entry = self._parts.objects.entry(self._parts.tree_of(commit), path)
            if entry is not None and entry[1] == staged:
                return True
            commit = self._parts.first_parent(commit)
        return False

    def _by_git(self, changes: Changes) -> bytes:
        """A split or sparse index: git changes a copy of it."""
        import shutil
        import subprocess

        git = program("git")
        if git is None:
            raise UnsupportedRepository(
                f"the index of {self._parts.layout.root} is split or sparse, "
                "which needs the git program",
                hint="install git, or run `git update-index --no-split-index` once",
            )
        copy = os.path.join(self._parts.layout.git_dir, "mnemofs", "index.copy")
        shutil.copyfile(self._path, copy)
        rows = [
            b"0 %s\t%s\0" % (b"0" * 40, path.encode("utf-8", "surrogateescape"))
            if value is None
            else b"%o %s\t%s\0"
            % (value[0][0], value[0][1].encode(), path.encode("utf-8", "surrogateescape"))
            for path, value in changes.items()
        ]
        try:
            subprocess.run(
                [git, "update-index", "-z", "--index-info"],
                input=b"".join(rows),
                env=environment(self._parts.layout, GIT_INDEX_FILE=copy),
                cwd=self._parts.layout.root,
                check=True,
                capture_output=True,
                timeout=60,
            )
            with open(copy, "rb") as file:
                return file.read()
        except (subprocess.SubprocessError, OSError) as error:
            raise CorruptStore(
                f"git could not change the index of {self._parts.layout.root}",
                hint="run `git status` there",
            ) from error
        finally:
            unlink_quietly(copy)
