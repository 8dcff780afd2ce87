"""What the rooms of a store share: where things are, objects, settings, conversion, clock."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict

from mnemofs.clock import Clock
from mnemofs.store.commit.differences import Comparer
from mnemofs.store.commit.worktree import read
from mnemofs.store.disk.lingering import Lingering
from mnemofs.store.disk.locks import WriteLock
from mnemofs.store.git.config import GitConfig
from mnemofs.store.git.eol import Conversion
from mnemofs.store.git.layout import Layout
from mnemofs.store.git.messages import identity
from mnemofs.store.git.objects import EMPTY_TREE, Objects, blob_id, lacks

_CACHED_COMMITS = 4096
_KEPT_BYTES = 4 << 20


class Parts:
    """One store's working parts, safe to use from threads."""

    def __init__(
        self, layout: Layout, config: GitConfig, agent: str, clock: Clock, durable: bool
    ) -> None:
        self.layout = layout
        self.clock = clock
        self.durable = durable
        self.identity = identity(agent)
        self.objects = Objects(layout.common_dir)
        self.temp_dir = os.path.join(layout.shared_dir, "tmp")
        self.lingering = Lingering(self.temp_dir)
        self.write_lock = WriteLock(os.path.join(layout.shared_dir, "lock"))
        self.comparer = Comparer(
            layout, self.objects, self.identify, lambda: self.config.flag("core.filemode", True)
        )
        self.config = config
        self._conversion: Conversion | None = None
        self._commits: OrderedDict[str, tuple[str, str | None]] = OrderedDict()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._kept_size = 0
        self._lock = threading.Lock()

    def refresh(self) -> None:
        """Look whether git's settings or attributes changed: once at the start of every call."""
        if not self.config.current():
            self.config = GitConfig(self.layout.common_dir, self.layout.git_dir)
            self._conversion = None
        if self._conversion is not None and not self._conversion.current():
            self._conversion = None
            self.comparer.forget()

    def stored(self, disk: str, content: bytes, head_blob: str | None) -> bytes:
        """The blob bytes git would make of work-tree bytes. Raises UnsupportedRepository."""
        conversion = self._conversion
        if conversion is None:
            conversion = Conversion(self.layout.root, self.layout.common_dir, self.config)
            self._conversion = conversion
        return conversion.clean(
            disk,
            content,
            lambda: self.objects.read_kind(head_blob, "blob") if head_blob else None,
        )

    def identify(self, disk: str, head_blob: str | None) -> str | None:
        """The blob id git would give the file at an on-disk path, None when it is gone."""
        found = read(self.layout.root, disk)
        return None if found is None else blob_id(self.stored(disk, found.content, head_blob))

    def tree_of(self, commit: str | None) -> str | None:
        """The tree of a commit."""
        return None if commit is None else self._commit(commit)[0]

    def first_parent(self, commit: str) -> str | None:
        """The first parent of a commit, None at a root."""
        return self._commit(commit)[1]

    def remember(self, blob: str, content: bytes) -> None:
        """Keep bytes a caller has read: they may be the base of a merge and in no commit yet."""
        with self._lock:
            if blob not in self._kept and len(content) <= _KEPT_BYTES:
                self._kept[blob] = content
                self._kept_size += len(content)
            while self._kept_size > _KEPT_BYTES:
                self._kept_size -= len(self._kept.popitem(last=False)[1])

    def forget(self) -> None:
        """Drop what is remembered of commits and bytes: history was made anew."""
        self.objects.close()
        self.comparer.forget()
        with self._lock:
            self._commits.clear()
            self._kept.clear()
            self._kept_size = 0

    def recall(self, blob: str) -> bytes | None:
        """The bytes of a blob: stored, or read lately; None when neither."""
        with self._lock:
            kept = self._kept.get(blob)
        if kept is not None:
            return kept
        return self.objects.read_kind(blob, "blob") if self.objects.has(blob) else None

    def check_stored(self, commit: str | None) -> None:
        """Raise CorruptStore when a commit that is to be built upon was pruned meanwhile, though it
        is remembered here."""
        if commit is None:
            return
        tree, parent = self._commit(commit)
        for needed in (commit, tree, parent):
            if needed is None or needed == EMPTY_TREE or self.objects.has(needed):
                continue
            if needed != parent or not os.path.exists(self.layout.shallow):
                raise lacks(needed)

    def _commit(self, commit: str) -> tuple[str, str | None]:
        known = self._commits.get(commit)
        if known is None:
            raw = self.objects.read_kind(commit, "commit")
            parent = raw[53:93].decode("ascii") if raw.startswith(b"parent ", 46) else None
            known = raw[5:45].decode("ascii"), parent
            with self._lock:
                self._commits[commit] = known
                while len(self._commits) > _CACHED_COMMITS:
                    self._commits.popitem(last=False)
        return known
