"""Other providers of memory: asked for a prompt, told of turns."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from mnemofs.names import SIDECAR_DIR
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.context.providers.manager import Manager
    from mnemofs.context.providers.protocol import Provider
    from mnemofs.store.model import Edit


class Providing(ViewBase):
    """Add providers, and hand turns to them."""

    def add_provider(self, provider: Provider) -> None:
        """Let this provider, too, recall for the prompts of this workspace and hear of turns.

        It stays as long as the workspace is open. Raises UsageError for an id that is taken.
        """
        manager_of(self).add(provider)

    def sync_turn(
        self, user: str, assistant: str, *, conversation: str = "", wait: float = 0.0
    ) -> tuple[str, ...]:
        """Hand a finished turn of this reader's to all providers; warnings.

        Nothing happens without providers. wait: seconds to let what is queued be sent, for a
        process that ends soon.
        """
        if not asks_others(self):
            return ()
        from mnemofs.context.providers.protocol import Turn

        manager = manager_of(self)
        warnings = manager.sync_turn(Turn(self.owner, conversation, user, assistant))
        return warnings + (manager.flush(wait) if wait > 0 else ())

    def end_session(self, conversation: str) -> tuple[str, ...]:
        """Tell all providers that a conversation is over; warnings."""
        return manager_of(self).session_ended(conversation) if asks_others(self) else ()


def tell_written(view: ViewBase, edit: Edit, before: bytes | None, reason: str) -> tuple[str, ...]:
    """Tell the providers what was just written (the new lines only); warnings."""
    if not asks_others(view):
        return ()
    from mnemofs.context.providers.protocol import MemoryWrite

    known = set((before or b"").split(b"\n"))
    new = b"\n".join(line for line in (edit.content or b"").split(b"\n") if line not in known)
    action = reason.partition(":")[0]
    content = new.decode("utf-8", "replace").strip()
    return manager_of(view).memory_written(MemoryWrite(view.owner, edit.path, action, content))


def asks_others(view: ViewBase) -> bool:
    """Whether there is any provider beside the workspace."""
    if view.config.mem0.base_url:
        return True
    known = "mnemofs.context.providers.registry" in sys.modules
    return known and bool(manager_of(view))


def manager_of(view: ViewBase) -> Manager:
    """The manager that all views of this workspace share."""
    from mnemofs.context.providers import registry

    team = next((scope.root for scope in view._scopes if scope.name == "TEAM"), None)
    state = os.path.join(team, SIDECAR_DIR) if team else None
    return registry.manager_of(view._embedders, view.config, state)


class Asked:
    """A question to all providers of a view, under way while the workspace itself is searched."""

    def __init__(self, view: ViewBase, query: str) -> None:
        self._view = view
        self._pending = manager_of(view).begin(query, view.owner)

    def recalled(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What they said, framed, without what was forgotten here (OWN-07); and warnings."""
        recall = self._pending.result()
        forgotten = _forgotten(self._view) if recall.statements else None
        return recall.sections(forgotten), recall.warnings

    def system_blocks(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What they add to the system prompt, the same every time; and warnings."""
        return manager_of(self._view).system_blocks()


def _forgotten(view: ViewBase) -> Callable[[str], bool] | None:
    stores = [scope for scope in view._scopes if scope.has_tombstones()]
    if not stores:
        return None
    from mnemofs.lifecycle.forgetting.tombstones import Tombstones

    stones = [Tombstones.load(scope.root) for scope in stores]
    return lambda text: any(stone(text) for stone in stones)
