"""What people do to the files becomes history without their help, and nothing else does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import pytest

from mnemofs.errors import NotAWorkspace, PermissionRefused
from tests.store.conftest import Workspace


def test_hand_edits_become_one_commit_of_a_person(ws: Workspace) -> None:
    ws.write("memory/2026-05-01.md", b"- old\n")
    ws.write("gone.md", b"- gone\n")
    ws.by_hand("memory/2026-05-01.md", b"- old\n- by hand\n")
    ws.by_hand("structured/user.md", b"## tea\noolong\n")
    (ws.root / "gone.md").unlink()
    assert ws.store.dirty() == ("gone.md", "memory/2026-05-01.md", "structured/user.md")
    done = ws.store.fold()
    assert done.commit == ws.head()
    assert sorted(done.paths) == ["gone.md", "memory/2026-05-01.md", "structured/user.md"]
    assert ws.actor() == "person"
    assert ws.store.dirty() == ()
    ws.sound()
    assert ws.store.fold().commit is None


def test_a_hand_edit_during_a_write_is_a_commit_of_its_own_before_it(ws: Workspace) -> None:
    seen = ws.store.read("MEMORY.md")
    ws.by_hand("MEMORY.md", b"# Memory\n- by hand\n")
    done = ws.append("MEMORY.md", b"- by agent\n")
    assert seen.blob is not None
    assert ws.committed("MEMORY.md") == b"# Memory\n- by hand\n- by agent\n"
    assert ws.committed("MEMORY.md", "HEAD~1") == b"# Memory\n- by hand\n"
    assert done.folded == ws.git("rev-parse", "HEAD~1").strip()
    assert (ws.actor("HEAD~1"), ws.actor()) == ("person", "tool")
    ws.sound()


def test_a_write_folds_only_the_files_it_touches(ws: Workspace) -> None:
    ws.by_hand("other.md", b"mine\n")
    done = ws.append("MEMORY.md", b"- x\n")
    assert done.folded is None
    assert ws.store.dirty() == ("other.md",)


def test_only_named_paths_are_folded_when_asked(ws: Workspace) -> None:
    ws.by_hand("one.md", b"1\n")
    ws.by_hand("two.md", b"2\n")
    assert ws.store.fold(["one.md"]).paths == ("one.md",)
    ws.git("add", "two.md")
    assert ws.store.fold().commit is None
    assert ws.store.fold(["two.md"]).paths == ("two.md",)
    ws.sound()


def test_a_file_that_is_not_ours_is_left_alone(ws: Workspace) -> None:
    for path in (".obsidian/x.md", ".trash/y.md", "owners/u/z.md", "photo.png", "a.md~", "#b.md#"):
        ws.by_hand(path, b"not ours\n")
    assert ws.store.dirty() == ()
    assert ws.store.fold().commit is None
    ws.by_hand("memory/2026-05-01.md", b"ours\n")
    assert ws.store.fold().paths == ("memory/2026-05-01.md",)


def test_WAT_05_a_hidden_parent_folder_excludes_nothing(
    tmp_path: os.PathLike[str], git: Callable[..., str]
) -> None:
    from pathlib import Path

    from mnemofs.clock import Clock
    from mnemofs.store.repository import Store

    root = Path(tmp_path) / ".agents" / "ws"
    with Store.init(root, agent="a", clock=Clock(), files={"MEMORY.md": b"m"}) as store:
        (root / "memory").mkdir()
        (root / "memory" / "x.md").write_text("x")
        assert store.fold().paths == ("memory/x.md",)


def test_WAT_04_our_own_writes_are_never_folded_again(ws: Workspace) -> None:
    for number in range(5):
        ws.append("MEMORY.md", b"- %d\n" % number)
        assert ws.store.fold(quiet=0).commit is None
        assert ws.store.dirty() == ()


def test_a_half_written_file_is_waited_for(ws: Workspace) -> None:
    ws.write("notes.md", b"old\n")

    def slowly() -> None:
        with open(ws.root / "notes.md", "wb", buffering=0) as file:
            for piece in (b"first half\n", b"second half\n", b"the end\n"):
                time.sleep(0.15)
                file.write(piece)

    writer = threading.Thread(target=slowly)
    writer.start()
    time.sleep(0.2)
    done = ws.store.fold()
    writer.join()
    assert done.commit is not None
    assert ws.committed("notes.md") == b"first half\nsecond half\nthe end\n"
    assert ws.committed("notes.md", "HEAD~1") == b"old\n"


def test_an_emptied_file_waits_longer(ws: Workspace) -> None:
    ws.write("big.md", b"long\n" * 400)
    ws.by_hand("big.md", b"")
    began = time.monotonic()

    def refill() -> None:
        ws.by_hand("big.md", b"new\n" * 400)

    threading.Timer(0.8, refill).start()
    ws.store.fold()
    assert 0.8 < time.monotonic() - began < 6
    assert ws.committed("big.md") == b"new\n" * 400
    assert ws.committed("big.md", "HEAD~1") == b"long\n" * 400


def test_an_editor_that_saves_by_rename_never_looks_like_a_deletion(ws: Workspace) -> None:
    ws.write("note.md", b"alpha1\n")
    os.rename(ws.root / "note.md", ws.root / "note.md~")  # Emacs: the old file moves away first

    def save() -> None:
        ws.by_hand("note.md", b"beta2\n")

    threading.Timer(0.15, save).start()
    ws.store.fold()
    log = ws.git("log", "--format=%s", "-2").splitlines()
    assert log[0] == "by hand: edited note.md"
    assert ws.committed("note.md") == b"beta2\n"


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_a_sudden_absence_of_everything_is_not_believed(ws: Workspace, count: int) -> None:
    for number in range(count - 1):
        ws.by_hand(f"memory/{number}.md", b"x\n")
    ws.store.fold()
    before = ws.head()
    for path in list(ws.store.scan()):
        (ws.root / path).unlink()
    done = ws.store.fold()
    assert done.commit is None
    assert any("missing" in warning for warning in done.warnings)
    assert ws.head() == before
    assert len(ws.store.dirty()) == count
    meant = ws.store.fold(mass_delete=True)
    assert len(meant.paths) == count


def test_deleting_most_of_many_files_is_not_believed_but_edits_are_kept(ws: Workspace) -> None:
    for number in range(30):
        ws.by_hand(f"memory/{number:02d}.md", b"x\n")
    ws.store.fold()
    for number in range(25):
        (ws.root / f"memory/{number:02d}.md").unlink()
    ws.by_hand("memory/29.md", b"edited\n")
    done = ws.store.fold()
    assert done.paths == ("memory/29.md",)
    assert any("25 of 31" in warning for warning in done.warnings)


def test_a_few_deletions_are_believed(ws: Workspace) -> None:
    for number in range(30):
        ws.by_hand(f"memory/{number:02d}.md", b"x\n")
    ws.store.fold()
    for number in range(9):
        (ws.root / f"memory/{number:02d}.md").unlink()
    assert len(ws.store.fold().paths) == 9
    ws.sound()


def test_a_folder_that_is_gone_is_no_deletion(ws: Workspace) -> None:
    ws.store.fold()
    os.rename(ws.root, ws.root.parent / "elsewhere")
    with pytest.raises((NotAWorkspace, OSError)):
        ws.store.fold()
    os.rename(ws.root.parent / "elsewhere", ws.root)
    ws.sound()


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "outside"])
def test_a_file_that_became_something_else_is_not_taken_for_deleted(
    ws: Workspace, kind: str
) -> None:
    ws.write("memory/a.md", b"a\n")
    target = ws.root / "memory/a.md"
    target.unlink()
    if kind == "link":
        target.symlink_to(ws.root / "MEMORY.md")
    elif kind == "outside":
        target.symlink_to("/etc/hostname")
    elif kind == "fifo":
        os.mkfifo(target)
    else:
        target.mkdir()
    done = ws.store.fold()
    assert done.commit is None
    assert ws.committed("memory/a.md") == b"a\n"


def as_nobody(work: Callable[[], None]) -> None:
    """Run in a child that has no rights beyond its own, and fail when it fails."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if os.geteuid() == 0:
                os.setresuid(65534, 65534, 65534)
            work()
            status = 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def for_nobody(ws: Workspace) -> None:
    """Give the whole workspace to the user that `as_nobody` becomes."""
    if os.geteuid() == 0:
        top = ws.root
        while top != top.parent and top.name != "tmp":
            os.chmod(top, 0o777)
            top = top.parent
        for folder, _, files in os.walk(ws.root):
            os.chown(folder, 65534, 65534)
            for name in files:
                os.chown(os.path.join(folder, name), 65534, 65534)


def test_an_unreadable_file_or_folder_is_present_but_unknown(ws: Workspace) -> None:
    ws.write("memory/a.md", b"a\n")
    ws.write("closed/b.md", b"b\n")
    ws.by_hand("new.md", b"new\n")
    for_nobody(ws)
    ws.by_hand("memory/a.md", b"changed\n")
    os.chmod(ws.root / "memory/a.md", 0)
    os.chmod(ws.root / "closed", 0)

    def work() -> None:
        done = ws.store.fold()
        assert done.paths == ("new.md",), done
        assert any("memory/a.md" in warning for warning in done.warnings), done
        assert any("closed" in warning for warning in done.warnings), done
        with pytest.raises(PermissionRefused):
            ws.write("memory/a.md", b"over it\n")

    as_nobody(work)
    os.chmod(ws.root / "closed", 0o755)
    assert ws.git("-c", "safe.directory=*", "ls-tree", "-r", "--name-only", "HEAD").split() == [
        "MEMORY.md",
        "closed/b.md",
        "memory/a.md",
        "new.md",
    ]


def test_CON_05_a_read_only_folder_is_refused_and_later_nothing_is_doubled(ws: Workspace) -> None:
    ws.write("memory/a.md", b"- one\n")
    for_nobody(ws)
    os.chmod(ws.root / "memory", 0o555)

    def work() -> None:
        before = ws.store.head()
        with pytest.raises(PermissionRefused) as caught:
            ws.append("memory/a.md", b"- two\n")
        assert caught.value.path == "memory/a.md"
        assert (ws.root / "memory/a.md").read_bytes() == b"- one\n"
        with pytest.raises(PermissionRefused):
            ws.write("memory/new.md", b"- new\n")
        with pytest.raises(PermissionRefused):
            ws.write("memory/a.md", None)
        assert ws.store.head() == before
        assert ws.store.dirty() == ()
        os.chmod(ws.root / "memory", 0o755)
        ws.append("memory/a.md", b"- two\n")
        assert (ws.root / "memory/a.md").read_bytes() == b"- one\n- two\n"

    as_nobody(work)


def test_CON_05_a_read_only_repository_is_refused(ws: Workspace) -> None:
    for_nobody(ws)
    os.chmod(ws.root / ".git/objects", 0o555)

    def work() -> None:
        with pytest.raises(PermissionRefused):
            ws.append("MEMORY.md", b"- two\n")
        assert (ws.root / "MEMORY.md").read_bytes() == b"# Memory\n"

    as_nobody(work)


def test_changes_made_while_nobody_watched_are_found(ws: Workspace) -> None:
    ws.write("b.md", b"oldtok\n")
    ws.write("c.md", b"before\n")
    stamp = os.stat(ws.root / "c.md")
    ws.by_hand("a.md", b"newtok\n")
    (ws.root / "b.md").unlink()
    ws.by_hand("c.md", b"after!\n")  # same size, and an editor that keeps the time
    os.utime(ws.root / "c.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert ws.store.dirty() == ("a.md", "b.md", "c.md")


def test_a_sparse_checkout_deletes_nothing(ws: Workspace) -> None:
    ws.write("memory/a.md", b"a\n")
    ws.write("keep/b.md", b"b\n")
    ws.git("sparse-checkout", "set", "--no-cone", "/keep/", "/MEMORY.md")
    assert not (ws.root / "memory/a.md").exists()
    assert ws.store.dirty() == ()
    assert ws.store.fold().commit is None


def test_a_checkout_of_another_branch_is_not_mistaken_for_hand_edits(ws: Workspace) -> None:
    ws.git("checkout", "-q", "-b", "other")
    for number in range(20):
        ws.by_hand(f"memory/{number}.md", b"other\n")
    ws.store.fold()
    for _ in range(3):
        ws.git("checkout", "-q", "main")
        assert ws.store.fold(quiet=0).commit is None
        ws.git("checkout", "-q", "other")
        assert ws.store.fold(quiet=0).commit is None


def test_work_of_git_that_reverted_ours_is_set_right(ws: Workspace) -> None:
    """git commits an index it read before our change: the work tree still holds the truth."""
    stale = (ws.root / ".git/index").read_bytes()
    ws.append("MEMORY.md", b"- ours\n")
    (ws.root / ".git/index").write_bytes(stale)
    ws.git("-c", "user.name=u", "-c", "user.email=u@example.invalid", "commit", "-qm", "theirs")
    assert ws.committed("MEMORY.md") == b"# Memory\n"
    ws.store.fold()
    assert ws.committed("MEMORY.md") == b"# Memory\n- ours\n"
    ws.sound()


@pytest.mark.parametrize("path", ["MEMORY.md", "new.md"])
def test_an_index_that_git_put_back_is_brought_up_to_head(ws: Workspace, path: str) -> None:
    stale = (ws.root / ".git/index").read_bytes()
    ws.append(path, b"- ours\n")
    (ws.root / ".git/index").write_bytes(stale)
    assert ws.git("status", "--porcelain") != ""
    before = ws.head()
    assert ws.store.fold().commit is None
    assert ws.head() == before
    ws.sound()


def test_a_file_taken_out_of_git_to_be_ignored_stays_out_of_the_index(ws: Workspace) -> None:
    ws.write("private.md", b"mine\n")
    ws.by_hand(".gitignore", b"private.md\n")
    ws.git("rm", "-q", "--cached", "private.md")
    ws.store.fold()
    assert "D  private.md" in ws.git("status", "--porcelain")


def test_named_paths_that_are_no_memory_are_passed_over(ws: Workspace) -> None:
    ws.by_hand("one.md", b"1\n")
    ws.by_hand("picture.png", b"1\n")
    (ws.root / "link.md").symlink_to("/etc/hostname")
    done = ws.store.fold(["one.md", "picture.png", "../x.md", ".git/config", "link.md", "none.md"])
    assert done.paths == ("one.md",)
    assert len(done.warnings) == 3


def test_a_link_or_a_repository_that_hides_nothing_of_ours_is_no_news(
    ws: Workspace, git: Callable[..., str]
) -> None:
    (ws.root / "bin").symlink_to("/usr/bin")
    (ws.root / "code").mkdir()
    git(ws.root / "code", "init", "-q")
    assert ws.store.fold().warnings == ()
