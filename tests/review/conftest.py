"""A workspace, the command line, a second machine, and a clock that a test moves."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.store.model import Actor, Change, Edit
from mnemofs.store.repository import Store

BASE = """# Memory

## Facts

- Deploys happen on Fridays
- Tea is in the cupboard
- Coffee is out
- The cat is called Tom

## Place

city: Rome
"""


@dataclass
class Desk:
    """A workspace and what a test does with it."""

    ws: Workspace
    now: datetime

    @property
    def root(self) -> Path:
        return Path(self.ws.root)

    @property
    def store(self) -> Store:
        return self.ws._scopes[0].store

    def tick(self, **units: float) -> None:
        self.now += timedelta(**units) if units else timedelta(minutes=1)

    def text(self, path: str = "MEMORY.md") -> str:
        return (self.root / path).read_bytes().decode()

    def put(self, text: str, path: str = "MEMORY.md", *, actor: Actor = "person") -> str:
        """Write a whole file; the blob that it is then."""
        self.tick()
        self.ws.write(path, text.encode(), actor=actor)
        return self.store.read(path).blob or ""

    def late(self, text: str, base: str, path: str = "MEMORY.md", *, actor: Actor = "tool") -> int:
        """Write what was computed from an older version; how many places kept both."""
        self.tick()
        if actor == "tool":
            return self.ws.write(path, text.encode(), base=base, actor=actor).conflicts
        change = Change((Edit(path, base, text.encode()),), actor, "late", source="c7")
        done = self.store.commit(change)
        self.ws._scopes[0].written(done)
        return len(done.conflicts)

    def propose(self, text: str | None, path: str = "MEMORY.md", *, reason: str = "why") -> str:
        """Park a rewrite; its id, "" when it is not taken."""
        self.tick()
        content = None if text is None else text.encode()
        edit = Edit(path, self.store.read(path).blob, content)
        change = Change((edit,), "dream", f"proposal: {reason}", source="d1")
        ref = park(self.store, change, self.ws.clock.now())
        self.tick()
        return ref.rpartition("/")[2] if ref else ""

    def git(self, *args: str) -> str:
        done = subprocess.run(
            ["git", "-C", os.fspath(self.root), *args],
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        return done.stdout

    @property
    def commits(self) -> int:
        return int(self.git("rev-list", "--count", "HEAD"))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes desks: make("name")."""
    made: list[Desk] = []

    def new(name: str = "ws") -> Desk:
        desk = Desk.__new__(Desk)
        desk.now = datetime(2026, 5, 1, 12, tzinfo=UTC)
        clock = Clock(UTC, lambda: desk.now)
        desk.ws = Workspace.init(tmp_path / name, agent=name, timezone="UTC", clock=clock)
        made.append(desk)
        return desk

    yield new
    for desk in made:
        desk.ws.close()


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """A workspace whose MEMORY.md says BASE."""
    desk = make()
    desk.put(BASE)
    return desk


@dataclass(frozen=True)
class Outcome:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    """Runs `mnemofs …` in this process, in the folder of the first workspace."""
    from mnemofs.cli.main import run

    def call(*arguments: str, stdin: bytes = b"", colour: bool = False) -> Outcome:
        monkeypatch.chdir(tmp_path / "ws")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        monkeypatch.setenv("FORCE_COLOR", "1" if colour else "")
        capfd.readouterr()
        code = run(list(arguments))
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call
