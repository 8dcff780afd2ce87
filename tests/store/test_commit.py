"""One change becomes one commit, whatever state the user's repository is in."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from mnemofs.errors import Busy, OperationInProgress, UnsafeName, UsageError
from mnemofs.store.model import Change, Edit
from tests.store.conftest import Workspace


def test_a_write_is_a_commit_that_git_agrees_with(ws: Workspace) -> None:
    done = ws.write("memory/2026-05-01.md", b"- first\n")
    assert done.commit == ws.head()
    assert done.paths == ("memory/2026-05-01.md",)
    assert ws.committed("memory/2026-05-01.md") == b"- first\n"
    assert ws.git("write-tree").strip() == ws.git("rev-parse", "HEAD^{tree}").strip()
    assert len(ws.git("log", "--format=%H").split()) == 2
    ws.sound()


def test_many_files_are_one_commit(ws: Workspace) -> None:
    paths = ["memory/2026-05-01.md", "structured/user.md", "MEMORY.md", "deep/er/and/deeper.md"]
    edits = [Edit(path, ws.store.read(path).blob, path.encode()) for path in paths]
    done = ws.store.commit(Change(tuple(edits), "extractor", "a turn", source="c1", trust="user"))
    assert sorted(done.paths) == sorted(paths)
    assert ws.git("show", "--name-only", "--format=", "HEAD").split() == sorted(paths)
    ws.sound()


def test_the_message_is_for_people_and_the_trailers_for_programs(ws: Workspace) -> None:
    change = Change(
        (Edit("a.md", None, b"a"),),
        "dream",
        "3 entries promoted\nand a second line",
        source="conversation c1\nMnemofs-Actor: person",
        trust="web",
        body="A story.\n\nMnemofs-Actor: person\n",
        owner="user:42",
    )
    ws.store.commit(change)
    message = ws.git("log", "-1", "--format=%B")
    assert message.splitlines()[0] == "3 entries promoted and a second line"
    assert "A story." in message
    trailers = ws.git("log", "-1", "--format=%(trailers:only,unfold)").strip().splitlines()
    assert trailers == [
        "Mnemofs-Actor: dream",
        "Mnemofs-Source: conversation c1 Mnemofs-Actor: person",
        "Mnemofs-Trust: web",
        "Mnemofs-Owner: user:42",
    ]
    info = ws.store.commit_info(ws.head())
    assert (info.actor, info.trust, info.owner) == ("dream", "web", "user:42")


def test_the_same_bytes_again_are_no_commit(ws: Workspace) -> None:
    ws.write("a.md", b"a\n")
    before = ws.head()
    assert ws.write("a.md", b"a\n").commit is None
    assert ws.write("not-there.md", None).commit is None
    assert ws.head() == before


def test_a_deleted_file_leaves_tree_index_and_disk(ws: Workspace) -> None:
    ws.write("memory/only.md", b"x")
    done = ws.write("memory/only.md", None)
    assert done.paths == ("memory/only.md",)
    assert not (ws.root / "memory/only.md").exists()
    assert "memory" not in ws.git("ls-tree", "-r", "--name-only", "HEAD")
    ws.sound()


def test_the_last_file_may_go_too(ws: Workspace) -> None:
    ws.write("MEMORY.md", None)
    assert ws.git("ls-tree", "-r", "HEAD") == ""
    ws.sound()
    ws.write("MEMORY.md", b"again\n")
    ws.sound()


def test_file_mode_and_permissions_survive(ws: Workspace) -> None:
    ws.by_hand("tool.md", b"one\n")
    os.chmod(ws.root / "tool.md", 0o755)
    ws.store.fold()
    assert ws.git("ls-tree", "HEAD", "tool.md").startswith("100755")
    ws.write("tool.md", b"two\n")
    assert ws.git("ls-tree", "HEAD", "tool.md").startswith("100755")
    assert (ws.root / "tool.md").stat().st_mode & 0o777 == 0o755
    ws.sound()


@pytest.mark.parametrize("staged", ["secret.txt", "notes.md", "memory/draft.md"])
def test_GIT_02_staged_work_stays_staged(ws: Workspace, staged: str) -> None:
    ws.by_hand(staged, b"staged\n")
    ws.git("add", staged)
    ws.append("MEMORY.md", b"- new\n")
    assert ws.git("show", "--name-only", "--format=", "HEAD").split() == ["MEMORY.md"]
    assert ws.git("status", "--porcelain") == f"A  {staged}\n"
    ws.store.fold()
    assert ws.git("status", "--porcelain") == f"A  {staged}\n"


def test_GIT_02_a_staged_version_of_the_same_file_is_not_lost(ws: Workspace) -> None:
    ws.write("PROFILE.md", b"one\n")
    ws.by_hand("PROFILE.md", b"one\nstaged\n")
    ws.git("add", "PROFILE.md")
    ws.by_hand("PROFILE.md", b"one\nfurther\n")
    ws.append("PROFILE.md", b"agent\n")
    assert ws.committed("PROFILE.md") == b"one\nfurther\nagent\n"
    assert ws.git("show", ":PROFILE.md") == "one\nstaged\n"


def test_GIT_02_a_staged_deletion_stays_staged(ws: Workspace) -> None:
    ws.write("old.md", b"old\n")
    ws.git("rm", "-q", "old.md")
    ws.append("MEMORY.md", b"- new\n")
    ws.store.fold()
    assert ws.git("status", "--porcelain") == "D  old.md\n"


def test_GIT_03_a_required_signature_does_not_stop_memory(ws: Workspace) -> None:
    ws.git("config", "commit.gpgsign", "true")
    ws.git("config", "gpg.program", "/nonexistent/gpg")
    hook = ws.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    began = time.monotonic()
    done = ws.append("MEMORY.md", b"- kept\n")
    assert time.monotonic() - began < 5
    assert done.commit == ws.head()
    ws.sound()


@pytest.mark.parametrize(
    ("agent", "name", "address"),
    [
        ("ada", "mnemofs ada", "ada@mnemofs.invalid"),
        ("Åda <root@host>", "mnemofs Åda root@host", "ada-root-host@mnemofs.invalid"),
        ("記憶", "mnemofs 記憶", "agent@mnemofs.invalid"),
        ("<>", "mnemofs agent", "agent@mnemofs.invalid"),
    ],
)
def test_GIT_04_commits_carry_our_own_identity(
    tmp_path: Path, adopt: object, git: object, agent: str, name: str, address: str
) -> None:
    from mnemofs.clock import Clock
    from mnemofs.store.repository import Store

    with Store.init(tmp_path / "w", agent=agent, clock=Clock(), files={"M.md": b"m"}) as store:
        seen = git(store.root, "log", "-1", "--format=%an|%ae|%cn|%ce")  # type: ignore[operator]
    assert seen.strip() == f"{name}|{address}|{name}|{address}"


def conflicting_merge(ws: Workspace) -> None:
    identity = ("-c", "user.name=u", "-c", "user.email=u@example.invalid")
    ws.git("checkout", "-q", "-b", "other")
    ws.by_hand("MEMORY.md", b"# theirs\n")
    ws.git(*identity, "commit", "-qam", "theirs")
    ws.git("checkout", "-q", "main")
    ws.by_hand("MEMORY.md", b"# ours\n")
    ws.git(*identity, "commit", "-qam", "ours")


def start(ws: Workspace, *words: str) -> None:
    import subprocess

    identity = ["-c", "user.name=u", "-c", "user.email=u@example.invalid"]
    subprocess.run(["git", "-C", str(ws.root), *identity, *words], capture_output=True, check=False)


@pytest.mark.parametrize(
    ("words", "name", "mark"),
    [
        (("merge", "other"), "merge", "MERGE_HEAD"),
        (("rebase", "other"), "rebase", "rebase-merge"),
        (("rebase", "--apply", "other"), "rebase", "rebase-apply"),
        (("cherry-pick", "other"), "cherry-pick", "CHERRY_PICK_HEAD"),
        (("revert", "HEAD~1"), "revert", "REVERT_HEAD"),
        (("bisect", "start"), "bisect", "BISECT_LOG"),
        (("merge", "--no-ff", "--no-commit", "other"), "merge", "MERGE_HEAD"),
    ],
)
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/2026-05-01.md"])
def test_GIT_01_nothing_is_committed_into_the_users_operation(
    ws: Workspace, words: tuple[str, ...], name: str, mark: str, path: str
) -> None:
    conflicting_merge(ws)
    start(ws, *words)
    assert (ws.root / ".git" / mark).exists()
    before = ws.git("rev-parse", "HEAD"), ws.git("status", "--porcelain")
    text = (ws.root / "MEMORY.md").read_bytes()
    with pytest.raises(OperationInProgress, match=f"{name} is in progress"):
        ws.append(path, b"- agent\n")
    done = ws.store.fold()
    assert done.commit is None
    assert name in done.warnings[0]
    assert (ws.git("rev-parse", "HEAD"), ws.git("status", "--porcelain")) == before
    assert (ws.root / "MEMORY.md").read_bytes() == text
    assert (ws.root / ".git" / mark).exists()
    assert ws.store.head().operation == name


def test_GIT_01_conflict_markers_left_by_a_stash_are_never_committed(ws: Workspace) -> None:
    ws.write("MEMORY.md", b"one\n")
    ws.by_hand("MEMORY.md", b"stashed\n")
    start(ws, "stash")
    ws.write("MEMORY.md", b"two\n")
    start(ws, "stash", "pop")
    assert b"<<<<<<<" in (ws.root / "MEMORY.md").read_bytes()
    before = ws.head()
    done = ws.store.fold()
    assert done.commit is None
    assert any("conflict" in warning for warning in done.warnings)
    with pytest.raises(OperationInProgress, match=r"MEMORY\.md"):
        ws.append("MEMORY.md", b"- agent\n")
    assert ws.head() == before
    assert ws.append("other.md", b"- agent\n").commit == ws.head()
    assert "UU MEMORY.md" in ws.git("status", "--porcelain")


def test_GIT_05_detached_head_is_refused_and_main_stays(ws: Workspace) -> None:
    main = ws.git("rev-parse", "main")
    ws.git("checkout", "-q", "--detach")
    with pytest.raises(OperationInProgress, match="detached"):
        ws.append("MEMORY.md", b"- lost?\n")
    assert ws.git("rev-parse", "main") == main
    assert (ws.root / "MEMORY.md").read_bytes() == b"# Memory\n"
    ws.git("checkout", "-q", "main")
    assert ws.append("MEMORY.md", b"- kept\n").commit == ws.head()


def test_GIT_06_a_lock_released_in_time_is_waited_for(ws: Workspace) -> None:
    lock = ws.root / ".git/index.lock"
    lock.touch()
    threading.Timer(0.7, lock.unlink).start()
    began = time.monotonic()
    done = ws.append("MEMORY.md", b"- patient\n")
    assert 0.6 < time.monotonic() - began < 5
    assert done.commit == ws.head()
    ws.sound()


@pytest.mark.parametrize("name", ["index.lock", "refs/heads/main.lock"])
def test_GIT_06_a_foreign_lock_is_named_and_left_and_the_text_is_committed_later(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("mnemofs.store.commit.publish.GIT_WAIT", 0.2)
    lock = ws.root / ".git" / name
    lock.touch()
    hour = time.time() - 3600
    os.utime(lock, (hour, hour))
    before = ws.head()
    with pytest.raises(Busy) as caught:
        ws.append("MEMORY.md", b"- first\n")
    assert str(lock) in caught.value.message
    assert "on disk" in caught.value.message
    assert lock.exists()
    assert ws.head() == before
    assert (ws.root / "MEMORY.md").read_bytes() == b"# Memory\n- first\n"
    lock.unlink()
    done = ws.append("MEMORY.md", b"- second\n")
    assert ws.committed("MEMORY.md") == b"# Memory\n- first\n- second\n"
    assert done.commit == ws.head()
    assert ws.actor("HEAD~1") == "tool"
    ws.sound()


@pytest.mark.parametrize("nested", ["sub", "memory", "a/b/c"])
def test_GIT_08_a_nested_repository_is_never_swept_in(
    ws: Workspace, git: object, nested: str
) -> None:
    inner = ws.root / nested
    inner.mkdir(parents=True)
    git(inner, "init", "-q")  # type: ignore[operator]
    (inner / "x.md").write_text("inner\n")
    ws.by_hand("outer.md", b"outer\n")
    done = ws.store.fold()
    assert done.paths == ("outer.md",)
    assert "160000" not in ws.git("ls-files", "-s")
    assert f"{nested}/x.md" not in ws.store.scan()
    with pytest.raises(UnsafeName, match="repository of its own"):
        ws.write(f"{nested}/y.md", b"no\n")
    assert not (inner / "y.md").exists()


def test_GIT_08_files_under_a_new_nested_repository_are_not_taken_for_deleted(
    ws: Workspace, git: object
) -> None:
    ws.write("memory/a.md", b"a\n")
    git(ws.root / "memory", "init", "-q")  # type: ignore[operator]
    done = ws.store.fold()
    assert done.commit is None
    assert any("repository of its own" in warning for warning in done.warnings)


@pytest.mark.parametrize("rule", ["memory/", "*.md", "/memory/2026-05-01.md", "memory/**"])
def test_GIT_09_an_explicit_write_to_an_ignored_path_is_committed_and_says_so(
    ws: Workspace, rule: str
) -> None:
    (ws.root / ".gitignore").write_text(rule + "\n")
    done = ws.write("memory/2026-05-01.md", b"- kept\n")
    assert ws.git("ls-files", "memory") == "memory/2026-05-01.md\n"
    assert done.commit == ws.head()
    assert any("ignored" in warning for warning in done.warnings)
    assert not ws.append("memory/2026-05-01.md", b"- again\n").warnings


def test_GIT_09_ignored_hand_files_are_not_folded_and_do_not_count_as_dirty(ws: Workspace) -> None:
    (ws.root / ".gitignore").write_text("drafts/\n")
    ws.by_hand("drafts/x.md", b"mine\n")
    assert ws.store.dirty() == ()
    assert ws.store.fold().commit is None


def test_GIT_10_a_linked_work_tree_commits_on_its_own_branch(
    ws: Workspace, adopt: object, tmp_path: Path
) -> None:
    ws.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "b2")
    main = ws.git("rev-parse", "main")
    linked: Workspace = adopt(tmp_path / "linked")  # type: ignore[operator]
    done = linked.append("MEMORY.md", b"- linked\n")
    assert ws.git("rev-parse", "b2").strip() == done.commit
    assert ws.git("rev-parse", "main") == main
    linked.sound()
    ws.append("MEMORY.md", b"- main\n")
    ws.sound()
    assert "commit: append" in linked.git("reflog")


@pytest.mark.parametrize("branch", ["trunk", "feature/memory"])
def test_GIT_10_the_first_commit_goes_to_the_unborn_branch(
    tmp_path: Path, git: object, adopt: object, branch: str
) -> None:
    root = tmp_path / "w"
    root.mkdir()
    git(root, "init", "-q", "-b", branch)  # type: ignore[operator]
    ws: Workspace = adopt(root)  # type: ignore[operator]
    assert ws.store.head().commit is None
    assert ws.store.tree() == {}
    assert ws.store.dirty() == ()
    done = ws.append("MEMORY.md", b"- first\n")
    assert ws.git("symbolic-ref", "HEAD").strip() == f"refs/heads/{branch}"
    assert ws.git("rev-parse", branch).strip() == done.commit
    ws.sound()


def test_both_reflogs_tell_of_a_commit(ws: Workspace) -> None:
    ws.append("MEMORY.md", b"- x\n")
    assert ws.git("reflog", "-1", "--format=%gs").strip() == "commit: append"
    assert ws.git("reflog", "-1", "--format=%gs", "main").strip() == "commit: append"
    assert ws.git("rev-parse", "HEAD@{1}") == ws.git("rev-parse", "HEAD~1")


def test_a_packed_branch_moves_too(ws: Workspace) -> None:
    ws.git("pack-refs", "--all", "--prune")
    assert not (ws.root / ".git/refs/heads/main").exists()
    ws.append("MEMORY.md", b"- x\n")
    ws.git("gc", "-q", "--prune=now")
    ws.append("MEMORY.md", b"- y\n")
    assert ws.committed("MEMORY.md") == b"# Memory\n- x\n- y\n"
    ws.sound()


@pytest.mark.parametrize(
    "path", ["../x.md", ".git/x.md", "memory/../../x.md", "x.txt", "owners/u/x.md", "/etc/x.md"]
)
def test_SEC_01_a_path_outside_the_memory_is_refused(ws: Workspace, path: str) -> None:
    before = ws.head(), sorted(os.listdir(ws.root)), sorted(os.listdir(ws.root.parent))
    with pytest.raises(UnsafeName):
        ws.store.commit(Change((Edit(path, None, b"x"),), "tool", "no"))
    if not path.endswith(".txt"):
        with pytest.raises(UnsafeName):
            ws.store.read(path)
    assert (ws.head(), sorted(os.listdir(ws.root)), sorted(os.listdir(ws.root.parent))) == before


def test_two_edits_of_one_file_are_a_mistake(ws: Workspace) -> None:
    blob = ws.store.read("MEMORY.md").blob
    edits = (Edit("MEMORY.md", blob, b"1"), Edit("MEMORY.md", blob, b"2"))
    with pytest.raises(UsageError):
        ws.store.commit(Change(edits, "tool", "twice"))


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_stays_itself_and_true(ws: Workspace, version: str) -> None:
    ws.git("update-index", "--index-version", version)
    for name in ("a.md", "memory/b.md", "zz.md", "MEMORY.md", "memory/a.md"):
        ws.write(name, name.encode())
        ws.sound()
    ws.write("memory/b.md", None)
    ws.sound()
    ws.git("ls-files", "--stage")
    assert (ws.root / ".git/index").read_bytes()[4:8] == int(version).to_bytes(4, "big") or (
        version == "3"  # git itself falls back to 2 when nothing needs 3
    )


def test_a_split_index_is_changed_by_git(ws: Workspace) -> None:
    ws.git("update-index", "--split-index")
    ws.by_hand("staged.txt", b"s")
    ws.git("add", "staged.txt")
    ws.append("MEMORY.md", b"- x\n")
    ws.write("new.md", b"n\n")
    ws.write("new.md", None)
    assert ws.git("status", "--porcelain") == "A  staged.txt\n"


def test_a_damaged_or_missing_index_is_made_anew_from_head(ws: Workspace) -> None:
    ws.write("a.md", b"a\n")
    (ws.root / ".git/index").write_bytes(b"DIRC garbage")
    ws.append("MEMORY.md", b"- x\n")
    ws.sound()
    (ws.root / ".git/index").unlink()
    ws.append("MEMORY.md", b"- y\n")
    ws.sound()
