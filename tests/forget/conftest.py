"""The workspace and command line of the surface tests, and everything of a store as bytes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fake_model import fake_model
from tests.surface.conftest import cli, process, root, ws

__all__ = ["cli", "everything", "fake_model", "objects", "process", "root", "ws"]

Everything = Callable[[Path], bytes]


def all_objects(folder: Path) -> bytes:
    """All objects of a repository, reachable or not, inflated."""
    command = ["git", "cat-file", "--batch-all-objects", "--batch"]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=True).stdout


@pytest.fixture
def objects() -> Everything:
    """All objects as one text."""
    return all_objects


@pytest.fixture
def everything() -> Everything:
    """Every file of a workspace, `.git` and sidecar included, and every object."""

    def read(folder: Path) -> bytes:
        files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        names = [str(path.relative_to(folder)).encode() for path in folder.rglob("*")]
        return b"\n".join([all_objects(folder), *files, *names])

    return read
