"""What was forgotten and comes back: found in new text, refused, or let in by a person's word."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from mnemofs.errors import UnreadableText
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.tombstones import LIFTED, Tombstone, Tombstones
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.markdown.lines import decode

if TYPE_CHECKING:
    from mnemofs.store.model import Edit
    from mnemofs.store.repository import Store


def coming_back(store: Store, edits: Iterable[Edit]) -> tuple[Tombstone, ...]:
    """The tombstones that bar text which these edits would add to the files as they stand."""
    tombstones = Tombstones.load(store.root)
    if not tombstones:
        return ()
    found: dict[str, Tombstone] = {}
    for edit in edits:
        if edit.path.endswith(".md"):
            text = _added(store.read(edit.path).content, edit.content)
            found.update((one.id, one) for one in tombstones.hit_by(text))
    tombstones.close()
    return tuple(found.values())


def lifting(store: Store, stones: Iterable[Tombstone], at: datetime) -> Edit | None:
    """The edit of the ledger that lets what these bar stand again."""
    draft = Draft.of(store.read(ledger_path(at)))
    for one in stones:
        happened = event(LIFTED, at, {"tombstone": one.id})
        draft = draft.stepped(partial(append_event, happened=happened))
    return draft.edit()


def _added(before: bytes | None, after: bytes | None) -> str:
    try:
        old = set(decode(before or b"").text.splitlines())
        return "\n".join(line for line in decode(after or b"").text.splitlines() if line not in old)
    except UnreadableText:
        return ""
