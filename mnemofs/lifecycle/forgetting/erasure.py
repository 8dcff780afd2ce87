"""Carrying out a forget: one commit, tombstones, proposals, and what else this store keeps."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from mnemofs.errors import GuardRefused, MnemofsError, NotFound
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.forgetting import (
    ForgetPlan,
    Place,
    plan_forget,
    replay_of,
    strip,
    strip_events,
    without_statement,
)
from mnemofs.lifecycle.forgetting.matching import EntryAndSayings, Matcher, Sayings
from mnemofs.lifecycle.forgetting.receipts import Receipt, by_kind, by_path
from mnemofs.lifecycle.forgetting.statements import key
from mnemofs.lifecycle.forgetting.tombstones import Tombstones
from mnemofs.lifecycle.forgetting.unsaying import find_said, unsay
from mnemofs.lifecycle.identity import entry_id
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.ledger import append_event, ledger_files, ledger_path, without_entries
from mnemofs.lifecycle.recalls.book import RecallBook
from mnemofs.lifecycle.recalls.unrecalling import unrecall
from mnemofs.lifecycle.reviewing.decisions import decisions_at
from mnemofs.lifecycle.reviewing.proposals import PREFIX, park
from mnemofs.names import OWNERS_DIR, SIDECAR_DIR, encode_owner, open_regular
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
_GONE = "deleted"


@dataclass(frozen=True)
class Found:
    """Everything one forget is about: files of the work tree, proposals, sides of conflicts that
    wait for a decision (refs), state files."""

    plan: ForgetPlan
    proposals: tuple[tuple[str, Change], ...] = ()
    sides: tuple[str, ...] = ()
    state: tuple[tuple[str, bytes], ...] = ()
    places: tuple[Place, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[Place, ...]:
        """All places that go."""
        return self.plan.removed + self.places


def look(store: Store, matcher: Matcher, *, all_mentions: bool = False) -> Found:
    """Find every place of the store; nothing is changed."""
    warnings = []
    files: dict[str, bytes] = {}
    for path, stat in store.scan().items():
        try:
            files[path] = open_regular(store.root, stat.disk)
        except NotFound:
            continue
        except MnemofsError as error:
            warnings.append(f"{path} was not searched: {error.message}")
    plan = plan_forget(files, matcher, all_mentions=all_mentions)
    warnings += (f"{path} was not searched: it is not UTF-8 text" for path in plan.unreadable)
    places: list[Place] = []
    proposals = []
    state = []
    for ref, change, found in _proposals(store, matcher, all_mentions):
        proposals.append((ref, change))
        places += found
    sides = []
    for ref, found in _sides(store, matcher, all_mentions):
        sides.append(ref)
        places += found
    for path, content, found in _state(store.root, matcher, all_mentions):
        state.append((path, content))
        places += found
    places += find_said(store.root, matcher, all_mentions)
    return Found(plan, tuple(proposals), tuple(sides), tuple(state), tuple(places), tuple(warnings))


def erase(
    store: Store,
    matcher: Sayings | EntryAndSayings,
    found: Found,
    *,
    clock: Clock,
    all_mentions: bool = False,
    actor: Actor = "forget",
    source: str = "",
    bar: Sequence[tuple[str, ...]] = (),
) -> Receipt:
    """Remove what was found, as one commit of actor `forget`, and bar it from coming back.

    bar: runs of words that bar everything around them (with all_mentions). The commit message
    names counts and files, never text.
    """
    now = clock.now()
    tombstones = Tombstones.load(store.root)
    sayings = {key(words) for words in matcher.wanted}
    sizes = {key(words): len(words) for words in bar}
    buried = (
        tombstones.bury({*found.plan.statements, *sayings, *sizes}, now, words=sizes)
        if found.removed
        else []
    )
    drafts = []
    home = ledger_path(now)
    ids = {entry_id(text) for one in found.removed for text in (one.text, one.raw) if text}
    traces = {
        path for path, data in ledger_files(store.root) if any(one.encode() in data for one in ids)
    }
    for path in {*found.plan.contents, *traces, *([home] if buried else [])}:
        draft = Draft.of(store.read(path))
        if path in found.plan.contents:
            draft = draft.stepped(replay_of(path, matcher, all_mentions=all_mentions))
            if found.plan.contents[path] is None:
                draft = replace(draft, content=None, steps=None)
        if path in traces:
            draft = draft.stepped(partial(without_entries, ids=ids))
        if path == home:
            for happened in buried:
                draft = draft.stepped(partial(append_event, happened=happened))
        drafts.append(draft)
    edits = tuple(edit for draft in drafts if (edit := draft.edit()))
    removed = found.removed
    commit: str | None = None
    warnings = found.warnings
    if edits:
        places = by_path(_unnamed(found.plan.removed))
        reason = f"forget: {count(len(removed), 'place')}"
        if places:
            reason += f" in {', '.join(list(places)[:5])}" + (" …" if len(places) > 5 else "")
        done = store.commit(Change(edits, actor, reason, source=source, trust="user"))
        commit = done.commit
        warnings += done.warnings
    for ref, change in found.proposals:
        _repark(store, ref, change, clock)
    for ref in found.sides:
        delete_ref(store.layout, ref)
    unsay(store.root, matcher, all_mentions)
    unrecall(store.root, matcher)
    for path, content in found.state:
        _put(os.path.join(store.root, path), content)
    return Receipt(
        "deleted" if removed else "unchanged",
        commit,
        by_kind(removed),
        by_path(_unnamed(removed)),
        found.plan.mentions,
        len(buried),
        history=bool(found.plan.removed),
        remotes=remotes(store),
        warnings=warnings,
    )


def _unnamed(places: Sequence[Place]) -> list[Place]:
    """The places, without the names of files that say it themselves: a receipt holds no content."""
    telling = {place.path for place in places if place.kind == "file name"}
    return [
        replace(place, path=f"{place.path.rpartition('/')[0]}/…")
        if place.path in telling
        else place
        for place in places
    ]


def remotes(store: Store) -> tuple[str, ...]:
    """Names of the remotes the store knows."""
    from mnemofs.store.git.config import GitConfig

    config = GitConfig(store.common_dir, store.git_dir)
    names = {name.split(".", 2)[1] for name, _ in config.names("remote") if name.count(".") >= 2}
    return tuple(sorted(names))


def census(store: Store, owner: str) -> Receipt:
    """What deleting a person's repository would delete."""
    from mnemofs.store.git.walk import open_commits

    commits = sum(1 for _ in open_commits(store.common_dir).newest_first(store.head().commit))
    removed = {"repository": 1, "file": len(store.scan()), "commit": commits}
    return Receipt("dry-run", removed=removed, owner=owner, remotes=remotes(store))


def delete_repository(root: str, owner: str, team: str | None) -> None:
    """Delete the repository of a person, and what the workspace at `team` keeps about them.

    It is moved aside in one step first: whoever comes in between finds either all of it or none.
    """
    import shutil
    import tempfile

    from mnemofs.store.disk.locks import WriteLock

    parent = os.path.dirname(root)
    if os.path.basename(parent) != OWNERS_DIR:
        raise GuardRefused(f"{root} is not a person's repository; nothing was deleted")
    aside = os.path.join(team or os.path.dirname(parent), SIDECAR_DIR, _GONE)
    os.makedirs(aside, exist_ok=True)
    with WriteLock(os.path.join(root, ".git", "mnemofs", "lock")):
        os.rename(root, os.path.join(tempfile.mkdtemp(dir=aside), "repository"))
    shutil.rmtree(aside)  # and what an earlier call could not finish
    if team is not None:
        turns = os.path.join(team, SIDECAR_DIR, "turns", encode_owner(owner))
        shutil.rmtree(turns, ignore_errors=True)
        RecallBook(team, keep_days=0).forget_owner(owner)


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
