"""Proposals of one writer that nobody has decided yet, and when the last one was decided."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from mnemofs.lifecycle.reviewing.decisions import decisions_at
from mnemofs.lifecycle.reviewing.proposals import proposals
from mnemofs.store.git.walk import open_commits

if TYPE_CHECKING:
    from mnemofs.store.model import Actor
    from mnemofs.store.repository import Store


def pending(store: Store, actor: Actor, path: str) -> tuple[str, datetime | None]:
    """(id of the proposal of `actor` about `path` that still waits, "" for none; when the newest
    one that was decided was decided)."""
    decisions = decisions_at(store.root)
    waits, decided = "", None
    for proposal in proposals(store, open_commits(store.common_dir)):
        if proposal.info.actor != actor or all(file.path != path for file in proposal.files):
            continue
        settled = decisions.settled(proposal.id, proposal.info.time)
        if settled is None:
            waits = proposal.id
        elif decided is None or settled.time > decided:
            decided = settled.time
    return waits, decided
