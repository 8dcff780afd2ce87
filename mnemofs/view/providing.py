"""Other providers of memory: asked for a prompt, told of turns."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from mnemofs.names import SIDECAR_DIR
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.context.providers.manager import Manager, Pending
    from mnemofs.context.providers.protocol import Provider


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


def begin_recall(view: ViewBase, query: str) -> Pending:
    """Ask the providers; they answer while we search."""
    return manager_of(view).begin(query, view.owner)


def sections(view: ViewBase, pending: Pending) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What they said, framed, without what was forgotten here (OWN-07); and warnings."""
    recall = pending.result()
    return recall.sections(_forgotten(view) if recall.statements else None), recall.warnings


def _forgotten(view: ViewBase) -> Callable[[str], bool] | None:
    stores = [scope for scope in view._scopes if scope.has_tombstones()]
    if not stores:
        return None
    from mnemofs.lifecycle.tombstones import Tombstones

    stones = [Tombstones.load(scope.root) for scope in stores]
    return lambda text: any(stone(text) for stone in stones)
