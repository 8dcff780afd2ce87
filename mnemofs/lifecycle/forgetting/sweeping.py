"""What was forgotten and came in from elsewhere (a pull, a merge, an import) goes again (OWN-07).

Only files that changed since the last look are looked at. A statement stays when a person wrote it
after it had been forgotten: that lets it stand again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.beside import erase_beside, look_beside
from mnemofs.lifecycle.forgetting.forgetting import replay_of, strip
from mnemofs.lifecycle.forgetting.matching import Run
from mnemofs.lifecycle.forgetting.passages import Passage
from mnemofs.lifecycle.forgetting.tombstones import LIFTED, Tombstone, Tombstones
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.ledger import FOLDER as LEDGER
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.disk.files import read_file
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

_MARKER: Final = os.path.join(SIDECAR_DIR, "forget", "swept")
_BESIDE: Final = os.path.join(SIDECAR_DIR, "forget", "swept-beside")


@dataclass(frozen=True)
class Swept:
    """removed: how many places went again; lifted: how many tombstones a person has overruled;
    news: whether tombstones were new to this machine, whose databases then hold old words."""

    commit: str | None = None
    removed: int = 0
    lifted: int = 0
    paths: tuple[str, ...] = ()
    news: bool = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should hear of it."""
        if not self.removed:
            return ()
        places = count(self.removed, "place")
        return (f"{places} that had been forgotten came back from elsewhere and went again",)


def sweep(store: Store, *, most: int | None = None) -> Swept:
    """Take out of the committed files what came back since the last look; and where tombstones are
    new to this machine, out of what it keeps beside its files (conversations, proposals, state).

    most: leave it to a later call when more files than this have changed, and everything beside
    them. Raises what the store raises for a write.
    """
    head = store.head()
    stones = Tombstones.load(store.root)
    if not stones or head.commit is None or head.operation is not None:
        return Swept()
    state = f"{head.commit} {_names(stones)}"
    before = _noted(store, _MARKER)
    done = Swept()
    if before != state:
        paths = _changed(store, before, head.commit, stones)
        if most is not None and len(paths) > most:
            return Swept()
        done = _sweep(store, paths, stones)
        stones.close()
        _note(store, _MARKER, f"{done.commit} {_names(_standing(store))}" if done.commit else state)
    if most is None:
        done = replace(done, news=_sweep_beside(store))
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
    """Lines that a person wrote after what they say was forgotten, and the tombstones overruled.

    After: the commit has the tombstone in its ledger. What somebody wrote on a machine that had not
    heard of it overrules nothing, whatever its clock said.
    """
    from mnemofs.store.past import history

    text = content.decode("utf-8", "replace").split("\n")
    allowed: set[int] = set()
    overruled: list[Tombstone] = []
    ledgers: dict[str, bytes] = {}
    for row in history.blame(store, path):
        if row.line not in lines or row.actor != "person":
            continue
        hits = stones.hit_by(text[row.line - 1])
        if hits and row.commit not in ledgers:
            ledgers[row.commit] = _ledger_at(store, row.commit)
        if hits and all(one.id.encode() in ledgers[row.commit] for one in hits):
            allowed.add(row.line)
            overruled += hits
    return frozenset(allowed), overruled


def _ledger_at(store: Store, commit: str) -> bytes:
    from mnemofs.store.git.walk import open_commits

    commits = open_commits(store.common_dir)
    folder = commits.trees.find(commits.get(commit).tree, LEDGER)
    files = commits.trees.files(folder[1]) if folder else ()
    return b"".join(store.blob(blob) for _, (_, blob) in files)


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


def _sweep_beside(store: Store) -> bool:
    """Clean what stands beside the files where tombstones are new; whether any were. An erasure
    that was cut off after its commit is finished so, too."""
    stones = _standing(store)
    if set(_names(stones).split()) <= set(_noted(store, _BESIDE).split()):
        return False
    found = look_beside(store, stones, all_mentions=True)
    erase_beside(store, found, stones, store.clock, all_mentions=True)
    stones.close()
    _note(store, _BESIDE, _names(stones))
    return True


def _standing(store: Store) -> Tombstones:
    return Tombstones.load(store.root)


def _names(stones: Tombstones) -> str:
    return " ".join(stone.id for stone in stones.standing)


def _noted(store: Store, marker: str) -> str:
    return (read_file(os.path.join(store.root, marker)) or b"").decode("ascii", "replace")


def _note(store: Store, marker: str, state: str) -> None:
    path = os.path.join(store.root, marker)
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(f"{path}.{os.getpid()}", "w", encoding="ascii") as file:
            file.write(state)
        os.replace(f"{path}.{os.getpid()}", path)
