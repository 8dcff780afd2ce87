"""Machines that share one bare repository, over git and over dulwich."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.view import View
from mnemofs.view.sharing import SyncReport

Git = Callable[..., str]


class Machine:
    """A workspace on one machine, and short words for what tests do with it."""

    def __init__(self, root: Path, git: Git, workspace: Workspace) -> None:
        self.root = root
        self.ws = workspace
        self._git = git

    def git(self, *words: str) -> str:
        """What git says in the workspace, without the line end."""
        return self._git(self.root, *words).rstrip("\n")

    def sync(self, **rules: Any) -> SyncReport:
        """Sync, as the command does."""
        return self.ws.sync(**rules)

    def write(self, path: str, text: str | bytes) -> None:
        """Write a file as an agent does: committed at once."""
        self.ws.write(path, text.encode() if isinstance(text, str) else text)

    def by_hand(self, path: str, text: str | bytes) -> None:
        """Write a file as an editor does."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)

    def text(self, path: str) -> str:
        """A file as it is on disk."""
        return (self.root / path).read_text(encoding="utf-8")

    def head(self) -> str:
        """The commit of the branch."""
        return self.git("rev-parse", "HEAD")

    def tree(self) -> str:
        """The tree of the branch."""
        return self.git("rev-parse", "HEAD^{tree}")

    def sound(self) -> None:
        """git finds nothing to complain about, and nothing left to commit."""
        words = ["git", "-C", str(self.root), "fsck", "--strict", "--full"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "missing" not in done.stdout
        assert self.git("status", "--porcelain") == ""


@pytest.fixture(params=["git", "dulwich"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With which program the network is used; as if git were not installed for "dulwich"."""
    if request.param == "dulwich":
        monkeypatch.setattr("mnemofs.store.sharing.transport.program", lambda _: None)
    return str(request.param)


@pytest.fixture
def hub(tmp_path: Path, git: Git) -> Path:
    """An empty bare repository."""
    path = tmp_path / "hub.git"
    path.mkdir()
    git(path, "init", "-q", "--bare", "-b", "main")
    return path


@pytest.fixture
def machine(tmp_path: Path, git: Git) -> Iterator[Callable[..., Machine]]:
    """Makes machines: a new memory, or a copy of the one at `url`."""
    opened: list[Workspace] = []

    def make(name: str, url: Path | str | None = None, agent: str = "ada") -> Machine:
        root = tmp_path / name
        if url is None:
            workspace = Workspace.init(root, agent=agent, timezone="UTC")
        else:
            workspace = Workspace.clone(str(url), root, timezone="UTC")
        opened.append(workspace)
        return Machine(root, git, workspace)

    yield make
    for workspace in opened:
        workspace.close()


@pytest.fixture
def two(hub: Path, machine: Callable[..., Machine]) -> tuple[Machine, Machine]:
    """Two machines that share a memory and agree."""
    a = machine("a")
    a.ws.add_remote(str(hub))
    a.sync()
    return a, machine("b", hub)


@pytest.fixture
def pushed(tmp_path: Path, hub: Path, git: Git) -> Callable[..., str]:
    """Commits files to the hub with plain git, as another program would; the commit.

    files: {path: text or None to delete}. do: called with the clone before the commit. onto: False
    starts a new history and forces it.
    """
    number = iter(range(100))

    def push(
        files: dict[str, str | bytes | None] | None = None,
        *,
        do: Callable[[Path], None] | None = None,
        onto: bool = True,
    ) -> str:
        clone = tmp_path / f"other{next(number)}"
        if onto:
            git(tmp_path, "clone", "-q", str(hub), str(clone))
        else:
            git(tmp_path, "init", "-q", "-b", "main", str(clone))
            git(clone, "remote", "add", "origin", str(hub))
        git(clone, "config", "user.name", "Bo")
        git(clone, "config", "user.email", "bo@example.invalid")
        for path, text in (files or {}).items():
            target = clone / path
            if text is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        if do is not None:
            do(clone)
        git(clone, "add", "-A")
        git(clone, "commit", "-q", "--allow-empty", "-m", "by git")
        git(clone, "push", "-q", *([] if onto else ["--force"]), "origin", "HEAD:main")
        return git(clone, "rev-parse", "HEAD").strip()

    return push


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


@pytest.fixture
def cli(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    """Runs `mnemofs …` in this process, in a folder."""
    from mnemofs.cli.main import run

    def call(at: Path, *arguments: str) -> Outcome:
        monkeypatch.chdir(at)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        capfd.readouterr()
        code = run(list(arguments))
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call


def own_text(view: View, path: str) -> str:
    """A file of a person's memory."""
    return (view.read(path).content or b"").decode()
