"""The manager of each open workspace: made when somebody first asks for it."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from mnemofs.context.providers.manager import Manager

if TYPE_CHECKING:
    from mnemofs.sections import Config

_managers: WeakKeyDictionary[object, Manager] = WeakKeyDictionary()
_lock = threading.Lock()


def manager_of(workspace: object, config: Config, state: str | None) -> Manager:
    """The manager that all views of an open workspace share, with Mem0 when it is configured.

    workspace: anything that lives as long as the workspace is open. state: see `Manager`.
    """
    with _lock:
        manager = _managers.get(workspace)
        if manager is None:
            manager = _managers[workspace] = Manager(config.providers, state=state)
            if config.mem0.base_url.strip():
                from mnemofs.context.providers.mem0 import Mem0

                key = os.environ.get(config.mem0.api_key_env, "") if config.mem0.api_key_env else ""
                manager.add(Mem0(config.mem0, agent=config.agent.name, api_key=key))
        return manager


def close_manager(workspace: object) -> None:
    """Let the providers of a workspace that is closed finish what they queued."""
    with _lock:
        manager = _managers.pop(workspace, None)
    if manager is not None:
        manager.close()
