"""What was forgotten and came in from elsewhere (a pull, a merge, an import) goes again (OWN-07).

Only files that changed since the last look are looked at. A statement stays when a person wrote it
after it had been forgotten: that lets it stand again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.forgetting import replay_of, strip
from mnemofs.lifecycle.forgetting.matching import Run
from mnemofs.lifecycle.forgetting.passages import Passage
from mnemofs.lifecycle.forgetting.tombstones import LIFTED, Tombstone, Tombstones
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.disk.files import read_file
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

_MARKER: Final = os.path.join(SIDECAR_DIR, "forget", "swept")


@dataclass(frozen=True)
class Swept:
    """removed: how many places went again; lifted: how many tombstones a person has overruled."""

    commit: str | None = None
    removed: int = 0
    lifted: int = 0
    paths: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should hear of it."""
        if not self.removed:
            return ()
        places = count(self.removed, "place")
        return (f"{places} that had been forgotten came back from elsewhere and went again",)


def sweep(store: Store, *, most: int | None = None) -> Swept:
    """Take out of the committed files what came back since the last look.

    most: leave it to a later call when more files than this have changed. Raises what the store
    raises for a write.
    """
    head = store.head()
    stones = Tombstones.load(store.root)
    if not stones or head.commit is None or head.operation is not None:
        return Swept()
    marker = os.path.join(store.root, _MARKER)
    state = f"{head.commit} {' '.join(stone.id for stone in stones.standing)}"
    before = (read_file(marker) or b"").decode("ascii", "replace")
    if before == state:
        return Swept()
    paths = _changed(store, before, head.commit, stones)
    if most is not None and len(paths) > most:
        return Swept()
    done = _sweep(store, paths, stones)
    stones.close()
    _note(marker, done, state, store)
    return done


@dataclass(frozen=True)
class _Barred:
    """Tombstones, except on lines that a person wrote later."""

    stones: Tombstones
    allowed: frozenset[int]

    def runs(self, passage: Passage) -> Sequence[Run]:
        lines = range(passage.line, passage.last_line + 1)
        return [] if not self.allowed.isdisjoint(lines) else self.stones.runs(passage)


def _sweep(store: Store, paths: Iterable[str], stones: Tombstones) -> Swept:
    drafts = []
    removed = 0
    lifted: dict[str, Tombstone] = {}
    dirty = set(store.dirty())
    for path in paths:
        if path in dirty:
            continue  # a person is at it; what they write is theirs
        content = None
        with contextlib.suppress(MnemofsError):
            content = store.read(path).content
        if content is None:
            continue
        try:
            found = strip(path, content, stones, all_mentions=True).places
            if not found:
                continue
            lines = {line for one in found for line in range(one.line, one.last_line + 1)}
            allowed, overruled = _allowed(store, path, content, lines, stones)
            lifted.update((stone.id, stone) for stone in overruled)
            matcher = _Barred(stones, allowed)
            left = [p for p in strip(path, content, matcher, all_mentions=True).places if p.removed]
        except MnemofsError:
            continue  # not UTF-8: nothing of it is shown to anybody either
        if left:
            removed += len(left)
            step = replay_of(path, matcher, all_mentions=True)
            drafts.append(Draft.of(store.read(path)).stepped(step))
    if lifted:
        now = store.clock.now()
        ledger = Draft.of(store.read(ledger_path(now)))
        for stone in lifted:
            happened = event(LIFTED, now, {"tombstone": stone})
            ledger = ledger.stepped(partial(append_event, happened=happened))
        drafts.append(ledger)
    edits = tuple(edit for draft in drafts if (edit := draft.edit()))
    if not edits:
        return Swept()
    reason = f"forget again: {count(removed, 'place')}" if removed else "remembered again by hand"
    done = store.commit(Change(edits, "forget", reason, trust="user"))
    return Swept(done.commit, removed, len(lifted), done.paths)


def _allowed(
    store: Store, path: str, content: bytes, lines: set[int], stones: Tombstones
) -> tuple[frozenset[int], list[Tombstone]]:
    """Lines that a person wrote after what they say was forgotten, and the tombstones overruled."""
    from datetime import datetime

    from mnemofs.store.past import history

    text = content.decode("utf-8", "replace").split("\n")
    allowed: set[int] = set()
    overruled: list[Tombstone] = []
    for row in history.blame(store, path):
        if row.line not in lines or row.actor != "person":
            continue
        hits = stones.hit_by(text[row.line - 1])
        if hits and all(datetime.fromisoformat(one.time) < row.time for one in hits):
            allowed.add(row.line)
            overruled += hits
    return frozenset(allowed), overruled


def _changed(store: Store, before: str, head: str, stones: Tombstones) -> list[str]:
    """Markdown files that differ from the last look; all of them when tombstones are new."""
    from mnemofs.store.git.walk import open_commits

    commits = open_commits(store.common_dir)
    last, _, known = before.partition(" ")
    tree = None
    if {stone.id for stone in stones.standing} <= set(known.split()):
        with contextlib.suppress(MnemofsError):
            tree = commits.get(last).tree
    rows = commits.trees.changed(tree, commits.get(head).tree)
    return [path for path, _, after in rows if after is not None and path.endswith(".md")]


def _note(marker: str, done: Swept, state: str, store: Store) -> None:
    if done.commit is not None:
        standing = " ".join(stone.id for stone in Tombstones.load(store.root).standing)
        state = f"{done.commit} {standing}"
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(marker), exist_ok=True)
        with open(f"{marker}.{os.getpid()}", "w", encoding="ascii") as file:
            file.write(state)
        os.replace(f"{marker}.{os.getpid()}", marker)
