"""After a purge: the old clone comes back with its own work, the remote is replaced on demand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.errors import GuardRefused, NotFound
from mnemofs.store.sharing.rejoin import cut_out
from tests.surface.conftest import Cli

Git = Callable[..., str]
Everything = Callable[[Path], bytes]
SECRET = "Zx9-quokka-7781"


@pytest.fixture
def clone(ws: Workspace, root: Path, tmp_path: Path, git: Git, cli: Cli) -> Path:
    """A second clone of a memory that holds the secret, both with a remote between them."""
    ws.remember("before")
    ws.remember(f"the key is {SECRET}, they say")
    ws.note("a note")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "bare.git")
    assert cli("remote", "add", str(tmp_path / "bare.git")).code == 0
    assert cli("sync").code == 0
    other = tmp_path / "other"
    assert cli("init", "--from", str(tmp_path / "bare.git"), str(other)).code == 0
    return other


def purge(cli: Cli, *more: str) -> None:
    done = cli("purge", "--yes", "--json", *more, stdin=SECRET.encode())
    assert done.code == 0 and done.json["purge"]["verified"], done.out


def test_the_receipt_names_what_was_not_reached(ws: Workspace, cli: Cli, clone: Path) -> None:
    done = cli("purge", "--yes", "--json", stdin=SECRET.encode())
    unreached = " ".join(done.json["unreached"])
    assert "origin" in unreached and "--rejoin" in unreached and "backups" in unreached


def test_a_sync_with_the_old_history_is_refused_on_both_sides(
    ws: Workspace, cli: Cli, clone: Path, git: Git, tmp_path: Path, root: Path
) -> None:
    purge(cli)
    refused = cli("sync")
    assert refused.code == 3 and SECRET not in (root / "MEMORY.md").read_text()
    purge(cli, "--push")
    assert cli("sync").code in (0, 3)
    assert cli("sync", at=clone).code == 3


def test_an_old_clone_rejoins_with_its_own_work(
    ws: Workspace,
    root: Path,
    cli: Cli,
    clone: Path,
    git: Git,
    everything: Everything,
    tmp_path: Path,
) -> None:
    for number in range(3):
        assert cli("remember", f"own work {number}", at=clone).code == 0
    assert cli("note", "own note", at=clone).code == 0
    purge(cli, "--push")
    assert cli("remember", "new work here").code == 0
    assert cli("sync").code == 0
    assert cli("sync", at=clone).code == 3
    done = cli("purge", "--rejoin", "--yes", "--json", at=clone)
    assert done.code == 0 and done.json["purge"]["verified"], done.out + done.err
    assert SECRET.encode() not in everything(clone)
    assert cli("sync", at=clone).code == 0
    assert cli("sync").code == 0
    assert git(root, "rev-parse", "HEAD") == git(clone, "rev-parse", "HEAD")
    text = (clone / "MEMORY.md").read_text()
    for line in ("before", "own work 0", "own work 1", "own work 2", "new work here"):
        assert text.count(line + "\n") == 1
    assert "own note" in next((clone / "memory").glob("*.md")).read_text()
    assert SECRET.encode() not in everything(root)
    for place in (root, clone):
        assert git(place, "fsck", "--full", "--strict") == ""
        assert git(place, "status", "--porcelain") == ""
    again = cli("purge", "--rejoin", "--yes", "--json", at=clone)
    assert again.code == 0 and again.json["status"] == "unchanged"


def test_own_work_that_quotes_the_secret_comes_back_without_it(
    ws: Workspace, cli: Cli, clone: Path, everything: Everything
) -> None:
    assert cli("note", f"careful with {SECRET} please", at=clone).code == 0
    purge(cli, "--push")
    assert cli("purge", "--rejoin", "--yes", at=clone).code == 0
    assert SECRET.encode() not in everything(clone)
    assert "careful with [purged] please" in next((clone / "memory").glob("*.md")).read_text()


def test_two_purges_that_were_missed_are_followed_at_once(
    ws: Workspace, cli: Cli, clone: Path, everything: Everything
) -> None:
    assert cli("remember", "own work", at=clone).code == 0
    ws.remember("another thing: gizmo-4411 is here")
    for place in (None, clone, None):
        assert cli("sync", at=place).code == 0
    purge(cli)
    done = cli("purge", "--yes", "--push", stdin=b"gizmo-4411")
    assert done.code == 0 and "warning" not in done.err
    # The first purge was not pushed by itself: both arrive together.
    refused = cli("sync", at=clone)
    assert refused.code == 3
    done = cli("purge", "--rejoin", "--yes", at=clone)
    assert done.code == 0, done.err
    left = everything(clone)
    assert SECRET.encode() not in left and b"gizmo-4411" not in left
    assert cli("sync", at=clone).code == 0
    assert "own work" in (clone / "MEMORY.md").read_text()


def test_a_remote_that_has_moved_on_is_not_replaced(
    ws: Workspace, cli: Cli, clone: Path, git: Git, tmp_path: Path
) -> None:
    assert cli("remember", "own work", at=clone).code == 0
    assert cli("sync", at=clone).code == 0
    there = git(tmp_path / "bare.git", "rev-parse", "main")
    done = cli("purge", "--yes", "--push", stdin=SECRET.encode())
    assert done.code == 0 and "not replaced" in done.err
    assert git(tmp_path / "bare.git", "rev-parse", "main") == there


def test_the_text_can_be_said_when_it_cannot_be_found(
    ws: Workspace, root: Path, cli: Cli, clone: Path, everything: Everything
) -> None:
    purge(cli, "--push")
    wrong = cli("purge", "--rejoin", "--yes", "--secret-from", "-", at=clone, stdin=b"not that one")
    assert wrong.code == 0  # found all the same
    assert SECRET.encode() not in everything(clone)


def test_rejoin_without_a_remote_is_not_found(ws: Workspace) -> None:
    with pytest.raises(NotFound):
        ws.rejoin()


def test_what_cannot_be_told_is_refused(
    ws: Workspace, cli: Cli, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    purge(cli, "--push")
    monkeypatch.setattr("mnemofs.store.sharing.rejoin.cut_out", lambda *_: iter(()))
    with Workspace.open(clone) as other, pytest.raises(GuardRefused):
        other.rejoin()
    assert SECRET in (clone / "MEMORY.md").read_text()
    with Workspace.open(clone) as other:
        assert other.rejoin(texts=[SECRET]).status == "deleted"


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (b"the key is K1 here", b"the key is [purged] here", ["K1"]),
        (b"a K1 b K1 c", b"a [purged] b [purged] c", ["K1", "K1"]),
        (b"x\nK1\ny", b"x\n[purged]\ny", ["K1"]),
        (b"x K1\nline2 y", b"x [purged] y", ["K1\nline2"]),
        (b"same", b"same", []),
        (b"was [purged] before", b"was [purged] before", []),
    ],
)
def test_what_stands_where_the_mark_is_now(before: bytes, after: bytes, found: list[str]) -> None:
    assert list(cut_out(before, after)) == found
