"""A real store, a clock that stands still, and engines that say what a test tells them to."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

from mnemofs.clock import Clock
from mnemofs.lifecycle.dreams import dreaming
from mnemofs.lifecycle.dreams.dreaming import DreamReport
from mnemofs.lifecycle.learning import extraction
from mnemofs.lifecycle.learning.extraction import ExtractionReport
from mnemofs.lifecycle.learning.transcripts import Transcript, from_messages
from mnemofs.llm.client import ChatClient
from mnemofs.llm.engine import (
    Consolidated,
    ConsolidateRequest,
    Dream,
    DreamRequest,
    Extraction,
    ExtractionRequest,
    Soul,
    SoulRequest,
)
from mnemofs.llm.model import ModelEngine
from mnemofs.llm.replies import Clean, Rejected
from mnemofs.sections import Config, DreamingConfig, ExtractionConfig, FilesConfig
from mnemofs.store.repository import Store
from tests.fake_model import FakeModel, fake_model  # noqa: F401 (a fixture)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
STARTING_FILES = {"AGENTS.md": "# How to use this memory\n"}
TALK: tuple[tuple[str, str], ...] = (
    ("user", "Good morning, I moved to Oslo last week"),
    ("assistant", "How do you like it there?"),
    ("user", "It is cold, but I enjoy the fjord"),
    ("assistant", "Good to hear."),
)


@dataclass
class Scripted:
    """An engine that gives the queued outcomes in turn, the last one for ever after."""

    outcomes: list[Any] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)
    before: Callable[[], None] | None = None
    name: str = "scripted"

    def extract(self, request: ExtractionRequest) -> Clean[Extraction] | Rejected:
        return self._next(request)  # type: ignore[no-any-return]

    def dream(self, request: DreamRequest) -> Clean[Dream] | Rejected:
        return self._next(request)  # type: ignore[no-any-return]

    def consolidate(self, request: ConsolidateRequest) -> Clean[Consolidated] | Rejected:
        return self._next(request)  # type: ignore[no-any-return]

    def soul(self, request: SoulRequest) -> Clean[Soul] | Rejected:
        return self._next(request)  # type: ignore[no-any-return]

    def _next(self, request: Any) -> Any:
        self.requests.append(request)
        if self.before:
            self.before()
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome if isinstance(outcome, Rejected) else Clean(outcome)


@dataclass
class Memory:
    """A workspace for a test, with a clock that is moved by hand."""

    store: Store
    now: datetime
    config: Config

    @property
    def root(self) -> Path:
        return Path(self.store.root)

    @property
    def clock(self) -> Clock:
        return self.store.clock

    def git(self, *args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.root, capture_output=True, text=True, timeout=30, check=True
        )
        return done.stdout

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    @property
    def commits(self) -> int:
        return int(self.git("rev-list", "--count", "HEAD"))

    def changed(self) -> list[str]:
        """Paths of the newest commit."""
        return self.git("show", "--name-only", "--format=", "HEAD").split()

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def write(self, path: str, text: str | bytes) -> None:
        """A hand edit, committed as such."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.store.fold(quiet=0)

    def everything(self) -> str:
        """Every file, message and object of the repository and sidecar as one text."""
        objects = subprocess.run(
            "git cat-file --batch-all-objects --batch",
            shell=True,
            cwd=self.root,
            capture_output=True,
            timeout=30,
            check=True,
        ).stdout
        files = [path.read_bytes() for path in self.root.rglob("*") if path.is_file()]
        return b"\n".join([objects, *files]).decode("utf-8", "replace")

    def extract(
        self, engine: Any, said: Sequence[tuple[str, str]] | Transcript = TALK, **more: Any
    ) -> ExtractionReport:
        transcript = said if isinstance(said, Transcript) else talk(said)
        more.setdefault("conversation", "c1")
        return extraction.extract(
            self.store, engine, transcript, config=self.config, clock=self.clock, **more
        )

    def dream(self, engine: Any, **more: Any) -> DreamReport:
        return dreaming.dream(self.store, engine, config=self.config, clock=self.clock, **more)


def talk(said: Sequence[tuple[str, str]]) -> Transcript:
    return from_messages([{"role": role, "content": text} for role, text in said])


def say(**fields: Any) -> Extraction:
    """A proposal that wants to update."""
    return Extraction(True, fields.pop("reason", "t"), **fields)


def model(server: FakeModel) -> ModelEngine:
    """The real engine over real HTTP."""
    return ModelEngine(ChatClient(server.url, "stub"))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Callable[..., Memory]]:
    """Makes workspaces: memory(files, now=..., zone=..., **settings of extraction)."""
    with ExitStack() as stack:

        def make(
            files: Mapping[str, str] | None = None,
            *,
            now: datetime = NOON,
            zone: tzinfo = UTC,
            folder: str = "ws",
            dreams: Mapping[str, Any] | None = None,
            sizes: Mapping[str, Any] | None = None,
            **settings: Any,
        ) -> Memory:
            made = Memory.__new__(Memory)
            made.now = now
            config = Config(extraction=ExtractionConfig(**settings))
            made.config = config.replace(
                dreaming=DreamingConfig(**(dreams or {})),
                files=FilesConfig().replace(**(sizes or {})),
            )
            made.store = stack.enter_context(
                Store.init(
                    tmp_path / folder,
                    agent="ada",
                    clock=Clock(zone, lambda: made.now),
                    files={name: text.encode() for name, text in (files or STARTING_FILES).items()},
                    durable=False,
                )
            )
            return made

        yield make
