"""Carrying out a forget: one commit, tombstones, and what the store keeps beside its files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from mnemofs.errors import GuardRefused, MnemofsError, NotFound
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.beside import Beside, erase_beside, look_beside
from mnemofs.lifecycle.forgetting.forgetting import (
    ForgetPlan,
    Place,
    plan_forget,
    replay_of,
)
from mnemofs.lifecycle.forgetting.matching import EntryAndSayings, Matcher, Sayings
from mnemofs.lifecycle.forgetting.receipts import Receipt, by_kind, by_path
from mnemofs.lifecycle.forgetting.statements import key
from mnemofs.lifecycle.forgetting.tombstones import Tombstones
from mnemofs.lifecycle.identity import entry_id
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.ledger import append_event, ledger_files, ledger_path, without_entries
from mnemofs.lifecycle.recalls.book import RecallBook
from mnemofs.names import OWNERS_DIR, SIDECAR_DIR, encode_owner, open_regular
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.store.model import Actor
    from mnemofs.store.repository import Store

_GONE = "deleted"


@dataclass(frozen=True)
class Found:
    """Everything one forget is about: files of the work tree, and what is kept beside them."""

    plan: ForgetPlan
    beside: Beside
    warnings: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[Place, ...]:
        """All places that go."""
        return self.plan.removed + self.beside.places


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
    return Found(plan, look_beside(store, matcher, all_mentions=all_mentions), tuple(warnings))


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
    erase_beside(store, found.beside, matcher, clock, all_mentions=all_mentions)
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
