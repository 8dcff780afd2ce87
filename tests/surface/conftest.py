"""A workspace and a command line to drive it with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace


@dataclass(frozen=True)
class Outcome:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the workspace is."""
    return tmp_path / "ws"


@pytest.fixture
def ws(root: Path) -> Iterator[Workspace]:
    """A new workspace without vectors (they are tested where they matter)."""
    with Workspace.init(root, agent="ada", timezone="UTC") as workspace:
        yield workspace


@pytest.fixture
def cli(root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cli:
    """Runs `mnemofs …` in this process, in the workspace's folder."""
    from mnemofs.cli.main import run

    def call(*arguments: str, stdin: bytes = b"", at: Path | None = None) -> Outcome:
        import io

        where = at or root
        where.mkdir(exist_ok=True)
        monkeypatch.chdir(where)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        code = run(list(arguments))
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def process(root: Path) -> Cli:
    """Runs `python -m mnemofs …` as a process of its own."""

    def call(*arguments: str, stdin: bytes = b"", at: Path | None = None) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "mnemofs", *arguments],
            cwd=at or root,
            input=stdin,
            capture_output=True,
            timeout=100,
            check=False,
        )
        out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        return Outcome(done.returncode, out, err)

    return call
