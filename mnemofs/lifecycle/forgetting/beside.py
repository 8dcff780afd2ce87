"""What a store keeps beside its files: proposals, sides of conflicts, conversations, recall, state.

None of it is in a commit of the branch, so a forget cleans it here, and again on every machine that
hears of the tombstones.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.forgetting.forgetting import Place, strip, strip_events, without_statement
from mnemofs.lifecycle.forgetting.matching import Matcher
from mnemofs.lifecycle.forgetting.unsaying import find_said, unsay
from mnemofs.lifecycle.recalls.unrecalling import unrecall
from mnemofs.lifecycle.reviewing.decisions import decisions_at
from mnemofs.lifecycle.reviewing.proposals import PREFIX, park
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.commit.kept import PREFIX as KEPT
from mnemofs.store.disk.files import read_file
from mnemofs.store.git.refmoves import all_refs, delete_ref
from mnemofs.store.model import Change, Edit

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.store.model import Actor, Trust
    from mnemofs.store.repository import Store

# Databases that are derived are rebuilt or scrubbed, not searched as text.
_DERIVED = ("index.db", "timeline.db", "facts.db", "recall.")
_OWN_STATE = "forget"


@dataclass(frozen=True)
class Beside:
    """Where it stands. proposals: (ref, the change without it); sides: refs of conflicts' sides
    that wait for a decision; state: (path, bytes without it)."""

    proposals: tuple[tuple[str, Change], ...] = ()
    sides: tuple[str, ...] = ()
    state: tuple[tuple[str, bytes], ...] = ()
    places: tuple[Place, ...] = ()


def look_beside(store: Store, matcher: Matcher, *, all_mentions: bool) -> Beside:
    """Find every place; nothing is changed."""
    places: list[Place] = []
    proposals = []
    for ref, change, found in _proposals(store, matcher, all_mentions):
        proposals.append((ref, change))
        places += found
    sides = []
    for ref, found in _sides(store, matcher, all_mentions):
        sides.append(ref)
        places += found
    state = []
    for path, content, found in _state(store.root, matcher, all_mentions):
        state.append((path, content))
        places += found
    places += find_said(store.root, matcher, all_mentions)
    return Beside(tuple(proposals), tuple(sides), tuple(state), tuple(places))


def erase_beside(
    store: Store, found: Beside, matcher: Matcher, clock: Clock, *, all_mentions: bool
) -> None:
    """Take out what was found; call it once the files do without it."""
    for ref, change in found.proposals:
        _repark(store, ref, change, clock)
    for ref in found.sides:
        delete_ref(store.layout, ref)
    unsay(store.root, matcher, all_mentions)
    unrecall(store.root, matcher)
    for path, content in found.state:
        _put(os.path.join(store.root, path), content)


def _proposals(
    store: Store, matcher: Matcher, all_mentions: bool
) -> Iterator[tuple[str, Change, list[Place]]]:
    """Parked proposals that hold it: (ref, the change without it, places)."""
    from mnemofs.store.git.walk import open_commits

    commits = open_commits(store.common_dir)
    for ref, commit_id in all_refs(store.layout, PREFIX).items():
        commit = commits.get(commit_id)
        edits, places = [], []
        for touch in commits.touches(commit):
            data = store.blob(touch.blob) if touch.blob else None
            content = data
            if data is not None and touch.path.endswith((".md", ".jsonl")):
                try:
                    done = strip(touch.path, data, matcher, all_mentions=all_mentions)
                except MnemofsError:
                    done = None
                if done is not None:
                    content = done.content
                    places += [
                        replace(place, path=f"{ref}:{place.path}", kind="proposal")
                        for place in done.places
                        if place.removed
                    ]
            edits.append(Edit(touch.path, None, content))
        said: list[tuple[bool, bool, str]] = []
        reason, source = (
            without_statement(text, matcher, all_mentions, said)
            for text in (commit.reason, commit.source)
        )
        places += [Place(ref, 0, 0, "proposal", *row) for row in said if row[1]]
        if places:
            actor, trust = cast("Actor", commit.actor), cast("Trust", commit.trust or "agent")
            change = Change(tuple(edits), actor, reason, source, trust, owner=commit.owner)
            yield ref, change, places


def _sides(store: Store, matcher: Matcher, all_mentions: bool) -> Iterator[tuple[str, list[Place]]]:
    """Kept sides of conflicts that hold it: (ref, places). Such a side goes as a whole."""
    from mnemofs.store.git.walk import open_commits

    commits = open_commits(store.common_dir)
    for ref, commit_id in all_refs(store.layout, KEPT).items():
        places = []
        for path, (_, blob) in commits.trees.files(commits.get(commit_id).tree):
            with contextlib.suppress(MnemofsError):
                done = strip(path, store.blob(blob), matcher, all_mentions=all_mentions)
                places += [
                    replace(place, path=f"{ref}:{place.path}", kind="proposal")
                    for place in done.places
                    if place.removed
                ]
        if places:
            yield ref, places


def _repark(store: Store, ref: str, change: Change, clock: Clock) -> None:
    """The proposal without the statement, on the present commit; none when it proposes nothing."""
    present = {edit.path: store.read(edit.path) for edit in change.edits}
    edits = tuple(
        replace(edit, base=present[edit.path].blob)
        for edit in change.edits
        if edit.content != present[edit.path].content
    )
    delete_ref(store.layout, ref)
    if edits and ref.removeprefix(PREFIX) not in decisions_at(store.root).by_item:
        park(store, replace(change, edits=edits), clock.now())


def _state(
    root: str, matcher: Matcher, all_mentions: bool
) -> Iterator[tuple[str, bytes, list[Place]]]:
    """State files below `.mnemofs` that hold it: (path, bytes without it, places)."""
    top = os.path.join(root, SIDECAR_DIR)
    for folder, folders, names in os.walk(top):
        if folder == top and _OWN_STATE in folders:
            folders.remove(_OWN_STATE)
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
            if name.startswith(_DERIVED) or os.path.islink(os.path.join(root, path)):
                continue
            data = read_file(os.path.join(root, path))
            if not data:
                continue
            content, places = _without(path, data, matcher, all_mentions)
            if content != data:
                yield path, content, places


def _without(
    path: str, data: bytes, matcher: Matcher, all_mentions: bool
) -> tuple[bytes, list[Place]]:
    try:
        if path.endswith(".json"):
            value: Any = json.loads(data)
            found: list[tuple[bool, bool, str]] = []
            cleaned = without_statement(value, matcher, all_mentions, found)
            places = [Place(path, 1, 1, "state", *row) for row in found if row[1]]
            return (json.dumps(cleaned).encode() if cleaned != value else data), places
        if path.endswith(".jsonl"):
            done = strip_events(path, data, matcher, all_mentions=all_mentions)
        elif path.endswith((".md", ".txt")):
            done = strip(f"{path}.md", data, matcher, all_mentions=all_mentions)
        else:
            return data, []
    except (ValueError, RecursionError, MnemofsError):
        return data, []
    places = [replace(place, path=path, kind="state") for place in done.places if place.removed]
    return done.content or b"", places


def _put(path: str, content: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{os.getpid()}-{hash(name) & 0xFFFF:x}")
    with open(temporary, "wb") as file:
        file.write(content)
    os.replace(temporary, path)
