from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.history.repo import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Iterator[Repo]:
    """A store with one file, MEMORY.md."""
    made = Repo(tmp_path / "ws", {"MEMORY.md": b"# Memory\n\n- first\n"})
    yield made
    made.store.close()
