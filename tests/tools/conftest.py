"""A workspace, its tools, and a way to change a file while a write is on its way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.store.model import Change, Committed
from mnemofs.store.repository import Store
from mnemofs.tools import Toolset


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the workspace is."""
    return tmp_path / "ws"


@pytest.fixture
def ws(root: Path) -> Iterator[Workspace]:
    """A new workspace."""
    with Workspace.init(root, agent="ada", timezone="UTC") as workspace:
        yield workspace


@pytest.fixture
def ask(ws: Workspace) -> Callable[..., Any]:
    """Calls a tool by its arguments and reads the JSON that it answers."""
    tools = Toolset(ws, conversation="chat-1")

    def call(name: str, **arguments: Any) -> Any:
        return json.loads(tools.call(name, {"agentId": "7", **arguments}))

    return call


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Does something once, between what the next write has read and its commit."""

    def arrange(happens: Callable[[], object]) -> None:
        commit = Store.commit

        def later(store: Store, change: Change) -> Committed:
            monkeypatch.setattr(Store, "commit", commit)
            happens()
            return commit(store, change)

        monkeypatch.setattr(Store, "commit", later)

    return arrange
