"""What somebody pruned, or a power failure tore, under a store that is in use."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs.clock import Clock
from mnemofs.errors import CorruptStore
from mnemofs.store.repository import Store
from tests.store.conftest import Workspace


def other(ws: Workspace) -> Workspace:
    """The same workspace as another process sees it: nothing is remembered."""
    store = Store.open(ws.root, agent="ada", clock=Clock(), durable=False)
    return Workspace(store, ws._git)


def loose(ws: Workspace, rev: str) -> Path:
    """The file of an object."""
    object_id = ws.git("rev-parse", rev).strip()
    return ws.root / ".git" / "objects" / object_id[:2] / object_id[2:]


def tear(path: Path, how: str) -> None:
    path.chmod(0o644)
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(b"" if how == "empty" else path.read_bytes()[:7])


@pytest.mark.parametrize(
    ("what", "how"),
    [
        (what, how)
        for what in ("HEAD", "HEAD^{tree}", "HEAD:memory", "HEAD~1")
        for how in ("gone", "empty", "half")
        if (what, how) != ("HEAD~1", "half")  # that is older damage, which git fsck finds
    ],
)
def test_a_branch_goes_back_to_the_last_whole_commit_and_no_text_is_lost(
    ws: Workspace, what: str, how: str
) -> None:
    ws.write("memory/a.md", b"- one\n")
    ws.write("memory/a.md", b"- one\n- two\n")
    ws.write("memory/b.md", b"- three\n")
    ws.by_hand("staged.txt", b"mine\n")
    ws.git("add", "staged.txt")
    last = ws.git("rev-parse", "HEAD~2").strip()
    tear(loose(ws, what), how)
    with other(ws).store as store:
        mnemofs = Workspace(store, ws._git)
        done = mnemofs.append("memory/a.md", b"- four\n")
        assert any("lost from .git" in warning for warning in done.warnings)
        assert mnemofs.append("memory/a.md", b"- five\n").warnings == ()
    assert ws.committed("memory/a.md") == b"- one\n- two\n- four\n- five\n"
    store = other(ws).store
    store.fold(quiet=0)
    assert ws.committed("memory/b.md") == b"- three\n"
    subprocess.run(["git", "-C", ws.root, "merge-base", "--is-ancestor", last, "HEAD"], check=True)
    assert ws.git("status", "--porcelain") == "A  staged.txt\n"
    ws.git("gc", "-q", "--prune=now")
    ws.git("fsck", "--strict", "--full")


@pytest.mark.parametrize("torn", [b"", bytes(41), b"0123456789\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_torn_branch_file_is_set_right_from_the_reflog(
    ws: Workspace, torn: bytes, packed: bool
) -> None:
    ws.write("memory/a.md", b"- one\n")
    if packed:
        ws.git("pack-refs", "--all")
    head = ws.head()
    (ws.root / ".git/refs/heads/main").write_bytes(torn)
    ws.by_hand("memory/a.md", b"- one\n- by hand\n")
    with other(ws).store as store:
        assert store.fold(quiet=0).commit
    assert ws.git("rev-parse", "HEAD~1").strip() == head
    assert ws.committed("memory/a.md") == b"- one\n- by hand\n"
    ws.sound()


def test_what_cannot_be_mended_is_said_and_nothing_is_moved(ws: Workspace, tmp_path: Path) -> None:
    ws.write("memory/a.md", b"- one\n")
    (ws.root / ".git/objects/info/alternates").write_text(f"{tmp_path}/away/objects\n")
    place, head = loose(ws, "HEAD"), ws.head()
    kept = place.read_bytes()
    tear(place, "gone")
    with other(ws).store as store, pytest.raises(CorruptStore) as refused:
        Workspace(store, ws._git).append("memory/a.md", b"- two\n")
    assert "git fsck" in refused.value.hint
    assert (ws.root / ".git/refs/heads/main").read_text().strip() == head
    place.write_bytes(kept)  # the disk is mounted again
    with other(ws).store as store:
        assert Workspace(store, ws._git).append("memory/a.md", b"- two\n").warnings == ()


def test_what_was_pruned_from_a_pack_is_stored_again(ws: Workspace) -> None:
    """Somebody takes a commit away for good, and the same text is written once more."""
    ws.write("memory/a.md", b"- not wanted\n")
    ws.git("gc", "-q")
    blob = ws.store.tree()["memory/a.md"]
    assert ws.store.blob(blob) == b"- not wanted\n"
    ws.git("reset", "-q", "--hard", "HEAD~1")
    ws.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    ws.git("gc", "-q", "--prune=now")
    ws.write("memory/a.md", b"- not wanted\n")
    ws.sound()


def test_a_pack_that_is_replaced_between_its_index_and_its_data_is_looked_for_again(
    ws: Workspace,
) -> None:
    ws.write("memory/a.md", b"- one\n")
    ws.git("gc", "-q")
    blob = ws.store.tree()["memory/a.md"]
    ws.store.close()
    assert not ws.store.objects.has("0" * 40)  # opens the index alone
    ws.git("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "--allow-empty", "-m", "x")
    ws.git("gc", "-q", "--prune=now")
    assert ws.store.blob(blob) == b"- one\n"


def test_pruning_while_writing_loses_no_text(ws: Workspace, git: Callable[..., str]) -> None:
    expected = b"# Memory\n"
    for number in range(25):
        expected += b"- %d\n" % number
        if number % 5 == 0:
            real = ws.store.parts.objects.has
            pruned = [False]

            def has(object_id: str, *, look_again: bool = True, pruned: list[bool] = pruned,
                    real: Callable[..., bool] = real) -> bool:  # fmt: skip
                found = real(object_id, look_again=look_again)
                if not pruned[0] and any((ws.root / ".git/mnemofs/intent").read_bytes()):
                    pruned[0] = True
                    ws.git("prune", "--expire=now")
                return found

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(ws.store.parts.objects, "has", has)
                ws.append("MEMORY.md", b"- %d\n" % number)
            assert pruned[0]
        else:
            ws.append("MEMORY.md", b"- %d\n" % number)
    assert ws.committed("MEMORY.md") == expected
    assert len(ws.git("log", "--format=%h").split()) >= 26
    ws.sound()
