"""A workspace per test, and the few things every test of the store does with it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.store.disk.lingering import Lingering
from mnemofs.store.model import Actor, Change, Committed, Edit
from mnemofs.store.repository import Store


class Workspace:
    """A store and short words for what tests do with it."""

    def __init__(self, store: Store, git: Callable[..., str]) -> None:
        self.store = store
        self.root = Path(store.root)
        self._git = git

    def git(self, *words: str) -> str:
        """What git says in the workspace."""
        return self._git(self.root, *words)

    def write(
        self, path: str, content: bytes | None, *, actor: Actor = "tool", reason: str = "write"
    ) -> Committed:
        """Commit one file as it was read just now."""
        seen = self.store.read(path)
        return self.store.commit(Change((Edit(path, seen.blob, content),), actor, reason))

    def append(self, path: str, line: bytes) -> Committed:
        """Append through a replay, as the Markdown layer does."""

        def replay(present: bytes | None) -> bytes:
            return (present or b"") + line

        seen = self.store.read(path)
        edit = Edit(path, seen.blob, replay(seen.content), replay)
        return self.store.commit(Change((edit,), "tool", "append"))

    def by_hand(self, path: str, content: bytes) -> None:
        """Write a file as an editor would."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def head(self) -> str:
        """The commit git has as HEAD."""
        return self.git("rev-parse", "HEAD").strip()

    def committed(self, path: str, rev: str = "HEAD") -> bytes:
        """The bytes git has at a revision."""
        words = ["git", "-C", str(self.root), "cat-file", "blob", f"{rev}:{path}"]
        return subprocess.run(words, capture_output=True, check=True).stdout

    def actor(self, rev: str = "HEAD") -> str:
        """Who a commit speaks for."""
        form = "--format=%(trailers:key=Mnemofs-Actor,valueonly,separator=)"
        return self.git("log", "-1", form, rev).strip()

    def sound(self) -> None:
        """git finds nothing to complain about, and nothing left to commit."""
        words = ["git", "-C", str(self.root), "fsck", "--strict", "--full"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "missing" not in done.stdout
        assert self.git("status", "--porcelain") == ""


def frozen() -> datetime:
    """An instant for commits whose id has to be the same every time."""
    return datetime(2026, 5, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path, git: Callable[..., str]) -> Iterator[Workspace]:
    """A new workspace with MEMORY.md. Not synced to the disk: no test pulls the plug."""
    files = {"MEMORY.md": b"# Memory\n"}
    with Store.init(
        tmp_path / "ws", agent="ada", clock=Clock(), files=files, durable=False
    ) as store:
        yield Workspace(store, git)


@pytest.fixture
def adopt(git: Callable[..., str]) -> Iterator[Callable[[Path], Workspace]]:
    """Opens a repository that a test made with git."""
    opened: list[Store] = []

    def open_it(root: Path) -> Workspace:
        store = Store.open(root, agent="ada", clock=Clock(), durable=False)
        opened.append(store)
        return Workspace(store, git)

    yield open_it
    for store in opened:
        store.close()


def litter(root: Path) -> list[str]:
    """What lies among the temporary files and is no old version that is looked at once more."""
    tmp = root / ".git/mnemofs/tmp"
    return [name for name in os.listdir(tmp) if not Lingering(str(tmp)).adopt(name)]
