"""A store and the real git beside it, with a clock that the test moves."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemofs.clock import Clock
from mnemofs.store.model import Actor, Change, Committed, Edit, Trust
from mnemofs.store.repository import Store

START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Mo",
    "GIT_AUTHOR_EMAIL": "mo@example.org",
    "GIT_COMMITTER_NAME": "Mo",
    "GIT_COMMITTER_EMAIL": "mo@example.org",
}


class Repo:
    """`store` on `root`; `now` is what its clock says."""

    def __init__(self, root: Path, files: Mapping[str, bytes] | None = None) -> None:
        self.root = root
        self.now = START
        self.clock = Clock(UTC, lambda: self.now)
        self.store = Store.init(
            root, agent="ada", clock=self.clock, files=files or {}, durable=False
        )

    def git(self, *args: str, stdin: bytes | None = None, check: bool = True) -> str:
        """Run git here, as Mo, at the clock's time; its output."""
        stamp = f"{int(self.now.timestamp())} +0000"
        done = subprocess.run(
            ["git", "-C", str(self.root), *args],
            input=stdin,
            capture_output=True,
            check=False,
            env={
                **os.environ,
                **_ENVIRONMENT,
                "GIT_AUTHOR_DATE": stamp,
                "GIT_COMMITTER_DATE": stamp,
            },
        )
        if check and done.returncode:
            raise AssertionError(f"git {args}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode("utf-8", "surrogateescape")

    def tick(self, **units: float) -> None:
        """Move the clock (one minute when nothing is said)."""
        self.now += timedelta(**units) if units else timedelta(minutes=1)

    def text(self, path: str) -> bytes | None:
        """A file's bytes on disk."""
        try:
            return (self.root / path).read_bytes()
        except FileNotFoundError:
            return None

    def commit(
        self,
        files: Mapping[str, bytes | None],
        reason: str = "change",
        *,
        actor: Actor = "tool",
        source: str = "",
        trust: Trust = "agent",
        owner: str = "",
    ) -> Committed:
        """Write files through the store, a minute later."""
        self.tick()
        edits = tuple(
            Edit(path, self.store.read(path).blob, content) for path, content in files.items()
        )
        return self.store.commit(
            Change(edits, actor, reason, source=source, trust=trust, owner=owner)
        )

    def by_hand(self, files: Mapping[str, bytes | None], reason: str = "by hand") -> str:
        """Write files and commit them with git, a minute later; the commit."""
        self.tick()
        for path, content in files.items():
            place = self.root / path
            if content is None:
                place.unlink()
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", reason)
        return self.git("rev-parse", "HEAD").strip()


@contextmanager
def on_branch(repo: Repo, name: str, start: str = "HEAD") -> Iterator[None]:
    """Work on another branch, then return to the one before."""
    before = repo.git("symbolic-ref", "--short", "HEAD").strip()
    repo.git("checkout", "-q", "-b", name, start)
    yield
    repo.git("checkout", "-q", before)
