"""A clean world for every test: own home, own cache, no user's git settings, no real endpoint."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples in every run, so that a run says something about a change; new ones are looked
# for with `pytest -m hypothesis --hypothesis-profile=explore`.
settings.register_profile("explore", derandomize=False, deadline=None)
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")


@pytest.fixture(autouse=True)
def clean_world(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """HOME and MNEMOFS_HOME in a new folder; the model cache is shared by the whole run."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("MNEMOFS_", "GIT_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MNEMOFS_HOME", str(home / "mnemofs"))
    monkeypatch.setenv("MNEMOFS_CACHE", str(tmp_path_factory.getbasetemp().parent / "cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    yield home


@pytest.fixture
def git() -> Callable[..., str]:
    """Runs git in a folder and gives back what it prints; fails the test when git fails."""

    def run(folder: str | os.PathLike[str], *arguments: str) -> str:
        command = ["git", "-C", os.fspath(folder), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout

    return run
