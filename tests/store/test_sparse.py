"""A sparse checkout: what git left out of the work tree is not deleted, and is not written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemofs.errors import PermissionRefused
from tests.store.conftest import Workspace


@pytest.fixture(params=["cone", "sparse index", "patterns", "one file"])
def sparse(ws: Workspace, request: pytest.FixtureRequest) -> Workspace:
    """A workspace in which `memory/` is in history and not on the disk."""
    for path in ("memory/a.md", "memory/deep/b.md", "notes/y.md"):
        ws.write(path, b"- one\n")
    if request.param == "one file":
        for path in ("memory/a.md", "memory/deep/b.md"):
            ws.git("update-index", "--skip-worktree", path)
            (ws.root / path).unlink()
    elif request.param == "patterns":
        ws.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/")
    else:
        index = ["--sparse-index"] if request.param == "sparse index" else []
        ws.git("sparse-checkout", "set", "--cone", *index, "notes")
    assert not (ws.root / "memory/a.md").exists()
    return ws


def test_what_is_left_out_is_no_deletion(sparse: Workspace) -> None:
    head = sparse.head()
    assert sparse.store.fold(quiet=0).commit is None
    assert sparse.store.fold(["memory/a.md"], quiet=0).commit is None
    assert sparse.store.dirty() == ()
    assert sparse.head() == head
    sparse.append("notes/y.md", b"- two\n")
    assert sparse.committed("memory/deep/b.md") == b"- one\n"
    assert sparse.committed("notes/y.md") == b"- one\n- two\n"
    sparse.sound()


@pytest.mark.parametrize("path", ["memory/a.md", "memory/deep/b.md"])
def test_what_is_left_out_is_not_written_over(sparse: Workspace, path: str) -> None:
    head = sparse.head()
    with pytest.raises(PermissionRefused, match="sparse checkout") as refused:
        sparse.append(path, b"- two\n")
    assert "sparse-checkout" in refused.value.hint
    assert sparse.head() == head
    assert not Path(sparse.root, path).exists()
    sparse.git("sparse-checkout", "disable")
    sparse.git("update-index", "--no-skip-worktree", path)
    sparse.git("checkout", "--", path)
    sparse.append(path, b"- two\n")
    assert sparse.committed(path) == b"- one\n- two\n"
