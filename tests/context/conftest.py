"""A workspace in UTC, with a clock that a test can set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock


class Time:
    """The present, until a test says otherwise."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)

    def pass_by(self, **spans: float) -> None:
        self.now += timedelta(**spans)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "ws"


@pytest.fixture
def ws(root: Path, time: Time) -> Iterator[Workspace]:
    with Workspace.init(root, agent="ada", timezone="UTC", clock=Clock(UTC, time)) as workspace:
        yield workspace
