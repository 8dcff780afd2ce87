"""Folding hand edits into commits while they are made.

Hints come in (`hints`), `debounce.plan_fold` decides, `Store.fold` commits. Nothing is
remembered about who wrote what: bytes that equal HEAD are old news, so our own writes, a checkout
or a pull make no echo (WAT-04). Whatever the events miss is found by a full scan at the start,
after a flood, when HEAD moved, and every five minutes (WAT-02).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from mnemofs.errors import MnemofsError, NotFound
from mnemofs.store.disk.scan import scan
from mnemofs.store.watching.debounce import (
    QUIET,
    QUIET_WHILE_WRITING,
    Look,
    Pending,
    hinted,
    looked,
    plan_fold,
)
from mnemofs.store.watching.hints import (
    EventSource,
    Mailbox,
    changed_files,
    on_network,
    out_of_watches,
)

if TYPE_CHECKING:
    from mnemofs.store.disk.filestat import FileStat
    from mnemofs.store.model import Committed
    from mnemofs.store.repository import Store

_FULL_EVERY = 300.0
_POLL_EVERY = 5.0
_IDLE = 0.5  # how often HEAD and `stop` are looked at
_BUSY_WAIT = 0.2
_HEAD_SPACING = 2.0  # a busy agent moves HEAD many times a second
# A lock that stands longer is not waited for here: the store knows whose it is.
_LOCK_PATIENCE = 5.0
_RETRY_FIRST = 1.0
_RETRY_MOST = 30.0


class Watcher:
    """Watches one store until told to stop.

    on_fold: called after each commit of hand edits, in the watcher's thread. on_problem: called
    with a sentence when something could not be committed (once for each, until it changes); the
    watcher goes on and tries again. polling: True scans instead of listening, None decides by the
    file system.
    """

    def __init__(
        self,
        store: Store,
        on_fold: Callable[[Committed], None],
        *,
        on_problem: Callable[[str], None] | None = None,
        polling: bool | None = None,
    ) -> None:
        self._store = store
        self._root = os.path.abspath(store.root)
        self._on_fold = on_fold
        self._on_problem = on_problem
        self._polling = on_network(os.path.realpath(self._root)) if polling is None else polling
        self._mailbox = Mailbox()
        self._source: EventSource | None = None
        self._pending: dict[str, Pending] = {}
        self._sizes: dict[str, int] = {}
        self._seen: dict[str, FileStat] = {}
        self._head: str | None = None
        self._full_at = 0.0
        self._full_done = 0.0
        self._poll_at = 0.0
        self._locked_since: float | None = None
        self._retry_at = 0.0
        self._retry = _RETRY_FIRST
        self._told: tuple[str, ...] = ()

    @property
    def polling(self) -> bool:
        """Whether it scans because events cannot be had."""
        return self._polling

    def run(self, stop: threading.Event) -> None:
        """Watch until `stop` is set, at most half a second longer. Blocks."""
        try:
            self._head = self._store.head().commit
            self._listen()
            self._look_at_recent()
            while not stop.is_set():
                self._mailbox.wait(self._step(time.monotonic()))
        finally:
            self._deafen()

    def _step(self, now: float) -> float:
        """Do what is due and return how long to sleep."""
        self._collect(now)
        if now < self._retry_at or self._git_is_busy(now):
            return _BUSY_WAIT
        head = self._store.head().commit
        if head != self._head:  # somebody committed, pulled or switched: reconcile once
            self._head = head
            self._full_at = min(self._full_at, max(now + QUIET, self._full_done + _HEAD_SPACING))
        plan = plan_fold(self._pending, self._sizes, now)
        if plan.full or (now >= self._full_at and not self._pending):
            self._fold(None, now)
        elif plan.ready:
            self._fold(plan.ready, now)
        else:
            return min(_IDLE, plan.wait or _IDLE)
        return 0.0

    def _collect(self, now: float) -> None:
        hints = self._mailbox.take()
        if not self._polling and (hints.folders or now >= self._full_at):
            self._rejoin()
        for path in self._files_in(hints.folders - {""}):
            hints.files.setdefault(path, False)
        if self._polling and now >= self._poll_at:
            for path in self._poll():
                hints.files.setdefault(path, False)
            self._poll_at = now + _POLL_EVERY
        for path, writing in hints.files.items():
            self._pending[path] = hinted(self._pending.get(path), now, writing=writing)
        if hints.everything:
            self._full_at = min(self._full_at, now + QUIET)
        for path in self._pending:
            self._look(path, now)

    def _look(self, path: str, now: float) -> None:
        try:
            status = os.lstat(os.path.join(self._root, path))
            look = Look(status.st_size, status.st_mtime_ns, now)
        except OSError:
            look = Look(None, None, now)
        self._pending[path] = looked(self._pending[path], look)
        if look.size == 0 and path not in self._sizes:
            self._sizes[path] = self._size_at_head(path)

    def _fold(self, paths: tuple[str, ...] | None, now: float) -> None:
        """Commit everything, or only these while others are still being written to.

        What stays behind (git busy, a guard) is tried again, less and less often.
        """
        try:
            if paths is None:  # what was pending is known to be at rest
                done = self._store.fold(quiet=0.0 if self._pending else QUIET)
            else:  # only what a fold of everything would take too: nothing ignored (GIT-09)
                done = self._store.fold(set(paths).intersection(self._store.dirty()), quiet=0.0)
        except MnemofsError as problem:
            self._tell((problem.message,))
            self._retry_at = now + self._backed_off(_RETRY_MOST)
            return
        self._tell(done.warnings)
        for path in list(self._pending) if paths is None else paths:
            self._pending.pop(path, None)
            self._sizes.pop(path, None)
        if done.commit is None and done.warnings:
            self._full_at = now + self._backed_off(_FULL_EVERY)
            return
        self._retry = _RETRY_FIRST
        if paths is None:
            self._full_at, self._full_done = now + _FULL_EVERY, now
        if done.commit is not None:
            self._head = self._store.head().commit
            self._on_fold(done)

    def _backed_off(self, most: float) -> float:
        wait = self._retry
        self._retry = min(2 * self._retry, most)
        return wait

    def _tell(self, problems: tuple[str, ...]) -> None:
        fresh = [problem for problem in problems if problem not in self._told]
        self._told = problems
        if self._on_problem is not None:
            for problem in fresh:
                self._on_problem(problem)

    def _git_is_busy(self, now: float) -> bool:
        """Whether the user's git is at work: a lock, or a merge and the like in progress."""
        if self._store.head().operation is not None:
            self._full_at = min(self._full_at, now)  # reconcile when it is over
            return True
        if not os.path.exists(os.path.join(self._store.git_dir, "index.lock")):
            self._locked_since = None
            return False
        if self._locked_since is None:
            self._locked_since = now
        return now < self._locked_since + _LOCK_PATIENCE

    def _listen(self) -> None:
        if self._polling:
            self._seen = scan(self._root)
            return
        try:
            self._source = EventSource(self._root, self._mailbox)
        except OSError as error:
            if not out_of_watches(error):
                raise
            self._fall_back()

    def _fall_back(self) -> None:
        """No watch left on this system: scan instead."""
        self._deafen()
        self._polling = True
        self._seen = scan(self._root)

    def _deafen(self) -> None:
        if self._source is not None:
            self._source.stop()
            self._source = None

    def _rejoin(self) -> None:
        """Keep the watches in step with the folders; start over when they died (a remount)."""
        try:
            if self._source is not None and self._source.alive():
                self._source.follow()
                return
            self._deafen()
            if os.path.isdir(self._root):
                self._source = EventSource(self._root, self._mailbox)
        except OSError as error:
            if not out_of_watches(error):
                raise
            self._fall_back()

    def _look_at_recent(self) -> None:
        """At the start, a file that was written to a moment ago may be half a file."""
        recent = (time.time() - QUIET_WHILE_WRITING) * 1e9
        for path, status in scan(self._root).items():
            if status.mtime_ns >= recent:
                self._mailbox.file(path, writing=True)

    def _poll(self) -> Iterable[str]:
        try:
            present = scan(self._root)
        except MnemofsError:
            return ()
        changed = changed_files(self._seen, present)
        self._seen = present
        return changed

    def _files_in(self, folders: set[str]) -> Iterable[str]:
        """Files of folders that appeared: what was written before they were watched."""
        if not folders:
            return ()
        prefixes = tuple(f"{folder}/" for folder in folders)
        try:
            return [path for path in scan(self._root) if path.startswith(prefixes)]
        except MnemofsError:
            return ()

    def _size_at_head(self, path: str) -> int:
        try:
            return len(self._store.read_at(path, "HEAD"))
        except NotFound:
            return 0
