"""Finishing what a dead process began: stale locks, half-done writes, litter (git-lab §8)."""

from __future__ import annotations

import os

from mnemofs.errors import StoreError, UnsafeName
from mnemofs.store.commit.inspection import Inspected, inspect
from mnemofs.store.commit.intent import Intent, Unfinished
from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import OvertakenError, Publisher, Target
from mnemofs.store.commit.worktree import BESIDE, composed
from mnemofs.store.disk.files import unlink_quietly
from mnemofs.store.disk.locks import clear_stale
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.refs import read_head, read_ref, ref_path
from mnemofs.store.git.trees import Entry

_SEARCHED = 1000
_EXCLUDED = ("/.mnemofs/", "/owners/")


class Recovery:
    """Run at the start of every write, under the write lock."""

    def __init__(self, parts: Parts, publisher: Publisher) -> None:
        self._parts = parts
        self._publisher = publisher
        self._intent = Intent(parts.layout)
        self._first = True

    @property
    def needed(self) -> bool:
        """Whether an interrupted write waits to be finished."""
        return self._intent.exists()

    def run(self) -> tuple[str, ...]:
        """Clean up after whoever died; sentences about what was done."""
        layout = self._parts.layout
        if self._first:
            self._prepare()
            private = os.path.join(layout.state_dir, "index.private")
            clear_stale(layout.index + ".lock", private)
        unfinished = self._intent.read()
        if unfinished is None:
            self._first = False
            return ()
        private = os.path.join(layout.shared_dir, "ref.private")
        clear_stale(ref_path(layout, unfinished.ref) + ".lock", private)
        clear_stale(layout.index + ".lock", os.path.join(layout.state_dir, "index.private"))
        for row in unfinished.rows:
            folder = os.path.dirname(os.path.join(layout.root, row.disk))
            unlink_quietly(os.path.join(folder, BESIDE))
        warnings = self._finish(unfinished)
        self._first = False
        return warnings

    def _finish(self, unfinished: Unfinished) -> tuple[str, ...]:
        head = read_head(self._parts.layout)
        if head.operation is not None:
            return ()  # the user's operation comes first; the note stays
        if head.ref != unfinished.ref or not self._parts.objects.has(unfinished.commit):
            # Another branch now, or it died before anything was touched.
            self._intent.clear()
            return ()
        tip = read_ref(self._parts.layout, unfinished.ref)
        if self._landed(tip, unfinished.commit):
            self._publisher.refresh_index(head, [row.tracked for row in unfinished.rows])
            self._intent.clear()
            return ()
        targets = self._targets(unfinished, tip)
        moving_to = self._whole(unfinished, tip, targets) if targets else None
        if not targets:
            self._publisher.refresh_index(head, [row.tracked for row in unfinished.rows])
            self._intent.clear()
            return ()
        try:
            text = self._text(unfinished.commit)
            self._publisher.publish(head, targets, text, resume=True, moving_to=moving_to)
        except OvertakenError:
            self._intent.clear()
            return ()  # somebody edits these files at this moment: it will be a hand edit
        return ("an interrupted write was completed",)

    def _targets(self, unfinished: Unfinished, tip: str | None) -> list[Target]:
        """What is left to commit, when any file of the write had reached the disk."""
        parts = self._parts
        wanted_tree = parts.tree_of(unfinished.commit)
        tree = parts.tree_of(tip)
        rows: list[tuple[Inspected, Entry | None, str | None]] = []
        for noted in unfinished.rows:
            try:
                seen = inspect(parts, tree, composed(noted.disk))
            except (UnsafeName, StoreError):
                continue
            rows.append((seen, parts.objects.entry(wanted_tree, noted.tracked), noted.before))
        landed = [
            row for row, wanted, before in rows if row.blob == _blob(wanted) and row.blob != before
        ]
        if not landed:
            return []
        targets = []
        for row, wanted, before in rows:
            if row.blob == _blob(wanted):
                if row.entry != row.head:
                    targets.append(_held(row))
            elif row.blob == before:
                targets.append(self._to_write(row, wanted))
        return targets

    def _whole(self, unfinished: Unfinished, tip: str | None, targets: list[Target]) -> str | None:
        """The interrupted commit itself, when it stands on `tip` and can be completed whole.

        So a merge keeps its parents, and a commit that was pulled stays the one it is. Otherwise
        its files become an ordinary commit, and the next sync joins what is left.
        """
        parts, commit = self._parts, unfinished.commit
        trees = parts.tree_of(tip), parts.tree_of(commit)
        if tip is None:
            return None
        from mnemofs.store.git.ancestry import is_ancestor
        from mnemofs.store.git.treediff import TreeReader
        from mnemofs.store.git.walk import Commits

        wanted = {target.path: target.entry for target in targets}
        changed = TreeReader(parts.objects).changed(*trees)
        if any(wanted.get(path, before) != after for path, before, after in changed):
            return None
        return commit if is_ancestor(Commits(parts.objects), tip, commit) else None

    def _to_write(self, row: Inspected, wanted: Entry | None) -> Target:
        stored = None
        if wanted is not None:
            stored = self._parts.objects.read_kind(wanted[1], "blob")
            wanted = (wanted[0], blob_id(stored))
        content = stored
        if stored is not None and row.stored != row.content:
            content = stored.replace(b"\n", b"\r\n")
        return Target(
            row.path, row.tracked, row.disk, row.head, wanted, stored, content, row.found, True
        )

    def _landed(self, tip: str | None, commit: str) -> bool:
        for _ in range(_SEARCHED):
            if tip is None or tip == commit:
                return tip == commit
            tip = self._parts.first_parent(tip)
        return False

    def _text(self, commit: str) -> str:
        raw = self._parts.objects.read_kind(commit, "commit")
        return raw.partition(b"\n\n")[2].decode("utf-8", "replace")

    def _prepare(self) -> None:
        """Our own folders, the exclusion of what is never committed, and no litter."""
        layout = self._parts.layout
        for folder in (layout.shared_dir, self._parts.temp_dir, layout.state_dir):
            os.makedirs(folder, exist_ok=True)
        for name in os.listdir(self._parts.temp_dir):
            if not self._parts.lingering.adopt(name):
                unlink_quietly(os.path.join(self._parts.temp_dir, name))
        exclude(layout.common_dir, _EXCLUDED)


def exclude(common_dir: str, patterns: tuple[str, ...]) -> bool:
    """Add patterns to a repository's `info/exclude`; whether any was missing."""
    path = os.path.join(common_dir, "info", "exclude")
    try:
        with open(path, "rb") as file:
            text = file.read()
    except FileNotFoundError:
        text = b""
    lines = set(text.split(b"\n"))
    missing = [pattern for pattern in patterns if pattern.encode() not in lines]
    if not missing:
        return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    start = "" if not text or text.endswith(b"\n") else "\n"
    with open(path, "ab") as file:
        file.write((start + "\n".join(missing) + "\n").encode())
    return True


def _held(row: Inspected) -> Target:
    return Target(
        row.path, row.tracked, row.disk, row.head, row.entry, row.stored, None, row.found, False
    )


def _blob(entry: Entry | None) -> str | None:
    return entry[1] if entry else None
