"""Which repositories are opened, made, refused; what opening costs; what a revision may be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mnemofs.clock import Clock
from mnemofs.errors import NotAWorkspace, NotFound, UnsupportedRepository
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store
from tests.store.conftest import Workspace

FILES = {"MEMORY.md": b"# Memory\n", "memory/2026-05-01.md": b"- a\n"}


def opened(root: Path) -> Store:
    return Store.open(root, agent="ada", clock=Clock())


def made(root: Path) -> Store:
    return Store.init(root, agent="ada", clock=Clock(), files=FILES)


def test_init_makes_a_repository_git_is_happy_with(tmp_path: Path, git: Callable[..., str]) -> None:
    with made(tmp_path / "new/deep/ws") as store:
        assert store.warnings == ()
        assert store.head().ref == "refs/heads/main"
        ws = Workspace(store, git)
        assert ws.git("ls-files").split() == sorted(FILES)
        assert ws.git("rev-list", "--count", "HEAD").strip() == "1"
        ws.by_hand(".mnemofs/index.db", b"x")
        ws.by_hand("owners/user=3a1/MEMORY.md", b"x")
        ws.sound()
        assert sorted(os.listdir(ws.root)) == [
            ".git",
            ".mnemofs",
            "MEMORY.md",
            "memory",
            "owners",
        ]


def test_init_again_changes_nothing(tmp_path: Path, git: Callable[..., str]) -> None:
    made(tmp_path).close()
    before = git(tmp_path, "rev-parse", "HEAD")
    made(tmp_path).close()
    assert git(tmp_path, "rev-parse", "HEAD") == before


def test_init_takes_over_what_is_there_and_overwrites_nothing(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    (tmp_path / "MEMORY.md").write_text("mine\n")
    (tmp_path / "other.md").write_text("other\n")
    (tmp_path / "code.py").write_text("pass\n")
    with made(tmp_path) as store:
        assert (tmp_path / "MEMORY.md").read_text() == "mine\n"
        assert sorted(store.tree()) == ["MEMORY.md", "memory/2026-05-01.md", "other.md"]
        assert Workspace(store, git).actor("HEAD~1") == "person"
    assert git(tmp_path, "status", "--porcelain") == "?? code.py\n"


def test_init_in_a_users_repository_keeps_branch_and_history(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    (tmp_path / "README.md").write_text("r\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "-c", "user.name=u", "-c", "user.email=u@x", "commit", "-qm", "first")
    with made(tmp_path) as store:
        assert store.head().ref == "refs/heads/trunk"
        assert git(tmp_path, "rev-list", "--count", "HEAD").strip() == "2"


@pytest.mark.parametrize("inner", ["ws", "a/b/ws", "sp ace/[x]", "memory"])
def test_init_inside_another_repository_hides_itself_there_and_says_so(
    tmp_path: Path, git: Callable[..., str], inner: str
) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "other" / inner).mkdir(parents=True)
    (tmp_path / "other" / inner / "x.txt").write_text("x")
    with made(tmp_path / inner) as store:
        assert len(store.warnings) == 1
        assert str(tmp_path) in store.warnings[0]
    assert (tmp_path / ".gitignore").read_text() == "*.log\n"
    assert git(tmp_path, "status", "--porcelain", "-uall") == (
        f"?? .gitignore\n?? {_quoted(f'other/{inner}/x.txt')}\n"
    )
    before = (tmp_path / ".git/info/exclude").read_bytes()
    made(tmp_path / inner).close()
    assert (tmp_path / ".git/info/exclude").read_bytes() == before


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path


def test_an_owners_repository_inside_a_workspace_needs_no_warning(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    made(tmp_path).close()
    with made(tmp_path / "owners/user=3a1") as inner:
        assert inner.warnings == ()
        Workspace(inner, git).sound()
    with opened(tmp_path) as outer:
        assert "owners" not in str(outer.scan())
        Workspace(outer, git).sound()


def test_an_owners_repository_stays_out_of_a_cloned_workspace(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    made(tmp_path / "one").close()
    git(tmp_path, "clone", "-q", str(tmp_path / "one"), str(tmp_path / "two"))
    with opened(tmp_path / "two") as store:
        ws = Workspace(store, git)
        ws.append("MEMORY.md", b"- x\n")
        ws.by_hand("owners/u/MEMORY.md", b"x")
        ws.by_hand(".mnemofs/index.db", b"x")
        ws.sound()


def change_config(*words: str) -> Callable[[Path, Callable[..., str]], None]:
    def change(root: Path, git: Callable[..., str]) -> None:
        git(root, "config", *words)

    return change


REFUSED = {
    "sha256": change_config("extensions.objectFormat", "sha256"),
    "reftable": change_config("extensions.refStorage", "reftable"),
    "partial clone": change_config("extensions.partialClone", "origin"),
    "partial": change_config("remote.origin.promisor", "true"),
    "unknownthing": change_config("extensions.unknownThing", "true"),
    "bare": change_config("core.bare", "true"),
    "work tree elsewhere": change_config("core.worktree", "/tmp"),
    "format version 7": change_config("core.repositoryformatversion", "7"),
}


@pytest.mark.parametrize("word", REFUSED)
def test_kinds_we_would_damage_are_refused_in_a_clear_sentence(
    tmp_path: Path, git: Callable[..., str], word: str
) -> None:
    made(tmp_path).close()
    if "Version" not in word and "format" not in word:
        git(tmp_path, "config", "core.repositoryformatversion", "1")
    REFUSED[word](tmp_path, git)
    with pytest.raises(UnsupportedRepository) as caught:
        opened(tmp_path)
    assert word in caught.value.message
    assert str(tmp_path) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("words", [("--object-format=sha256",), ("--bare",)])
def test_repositories_git_made_of_these_kinds_are_refused(
    tmp_path: Path, git: Callable[..., str], words: tuple[str, ...]
) -> None:
    git(tmp_path, "init", "-q", *words)
    with pytest.raises(UnsupportedRepository):
        opened(tmp_path)
    with pytest.raises(UnsupportedRepository):
        made(tmp_path)


def test_harmless_extensions_are_taken(tmp_path: Path, git: Callable[..., str]) -> None:
    made(tmp_path).close()
    git(tmp_path, "config", "core.repositoryformatversion", "1")
    for name in ("noop", "preciousObjects", "worktreeConfig"):
        git(tmp_path, "config", f"extensions.{name}", "true")
    git(tmp_path, "config", "extensions.objectFormat", "sha1")
    with opened(tmp_path) as store:
        Workspace(store, git).append("MEMORY.md", b"- x\n")


def test_a_split_index_without_git_is_refused_when_it_has_to_be_changed(
    tmp_path: Path, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path).close()
    git(tmp_path, "update-index", "--split-index")
    with opened(tmp_path) as store:
        with monkeypatch.context() as patch:
            patch.setenv("PATH", "")
            seen = store.read("MEMORY.md")
            edit = Edit("MEMORY.md", seen.blob, b"no\n")
            with pytest.raises(UnsupportedRepository, match="split"):
                store.commit(Change((edit,), "tool", "no"))
        assert (tmp_path / "MEMORY.md").read_bytes() == FILES["MEMORY.md"]
        Workspace(store, git).append("MEMORY.md", b"- x\n")


def test_another_users_repository_is_refused_unless_declared_safe(
    tmp_path: Path, clean_world: Path
) -> None:
    made(tmp_path).close()
    if os.geteuid() == 0:
        os.chown(tmp_path / ".git", 12345, 12345)
    else:
        pytest.MonkeyPatch().setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(UnsupportedRepository, match="another user"):
        opened(tmp_path)
    (clean_world / ".gitconfig").write_text(f"[safe]\n\tdirectory = {tmp_path}\n")
    opened(tmp_path).close()


@pytest.mark.parametrize("content", [None, "gitdir: /nowhere/at/all\n", "rubbish\n"])
def test_a_folder_without_a_repository_is_no_workspace(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / ".git").write_text(content)
    with pytest.raises(NotAWorkspace) as caught:
        opened(tmp_path)
    assert caught.value.hint or content == "rubbish\n"
    with pytest.raises(NotAWorkspace):
        opened(tmp_path / "not-there")


def test_a_repository_whose_git_directory_lies_elsewhere_works(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    git(root, "init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "gitdir"))
    with made(root) as store:
        ws = Workspace(store, git)
        ws.append("MEMORY.md", b"- x\n")
        ws.sound()


def history(tmp_path: Path) -> tuple[Store, list[str]]:
    """Seven commits, one each day at 22:30 UTC: the next day already in Tokyo."""
    now = [datetime(2026, 5, 1, 22, 30, tzinfo=UTC)]
    clock = Clock(ZoneInfo("Asia/Tokyo"), read=lambda: now[0])
    store = Store.init(tmp_path, agent="a", clock=clock, files={"MEMORY.md": b"0"})
    commits = [str(store.head().commit)]
    for number in range(1, 7):
        now[0] += timedelta(days=1)
        seen = store.read("MEMORY.md")
        edit = Edit("MEMORY.md", seen.blob, str(number).encode())
        commits.append(str(store.commit(Change((edit,), "tool", f"c{number}")).commit))
    return store, commits


@pytest.mark.parametrize(
    ("revision", "index"),
    [
        ("HEAD", 6),
        ("@", 6),
        ("HEAD~", 5),
        ("HEAD~2", 4),
        ("HEAD^", 5),
        ("HEAD^^", 4),
        ("HEAD~1^1~1", 3),
        ("main", 6),
        ("heads/main", 6),
        ("refs/heads/main", 6),
        ("main~6", 0),
        ("2026-05-02", 0),
        ("2026-05-03", 1),
        ("2026-05-03 07:29", 0),
        ("2026-05-03 07:30", 1),
        ("2026-05-02T22:30Z", 1),
        ("2099-01-01", 6),
        ("tag", 3),
        ("light", 2),
        ("tag~1", 2),
        ("HEAD^0", 6),
        ("HEAD~0", 6),
        ("feature/x", 4),
    ],
)
def test_a_revision_may_be_written_in_many_ways(
    tmp_path: Path, git: Callable[..., str], revision: str, index: int
) -> None:
    store, commits = history(tmp_path)
    identity = ("-c", "user.name=u", "-c", "user.email=u@x")
    git(tmp_path, *identity, "tag", "-a", "-m", "t", "tag", commits[3])
    git(tmp_path, "tag", "light", commits[2])
    git(tmp_path, "branch", "feature/x", commits[4])
    for packed in (False, True):
        if packed:
            git(tmp_path, "pack-refs", "--all")
            git(tmp_path, "gc", "-q")
        assert store.resolve(revision) == commits[index]
        assert store.read_at("MEMORY.md", revision) == str(index).encode()
    for length in (7, 12, 40):
        assert store.resolve(commits[index][:length]) == commits[index]
        assert store.resolve(commits[index][:length].upper()) == commits[index]
    store.close()


@pytest.mark.parametrize(
    "revision",
    [
        "",
        "nope",
        "HEAD~7",
        "HEAD^2",
        "2026-05-01",
        "2001-01-01 10:00",
        "0123456789",
        "../HEAD",
        "0" * 40,
        "refs/heads/none",
        "HEAD~x",
        "-rf",
        "a..b",
        "main\0",
    ],
)
def test_a_revision_that_is_none_is_named(tmp_path: Path, revision: str) -> None:
    store, _ = history(tmp_path)
    if revision == "":
        assert store.resolve(revision) == store.head().commit
        return
    with pytest.raises(NotFound) as caught:
        store.resolve(revision)
    assert caught.value.revision == revision
    with pytest.raises(NotFound):
        store.read_at("MEMORY.md", revision)
    with pytest.raises(NotFound):
        store.read_at("none.md", "HEAD")
    store.close()


def test_reading_opening_and_scanning_import_nothing_heavy(tmp_path: Path) -> None:
    made(tmp_path).close()
    script = """
import sys
from mnemofs.clock import Clock
from mnemofs.store.repository import Store
from mnemofs.store.disk.scan import scan
with Store.open(sys.argv[1], agent="a", clock=Clock()) as store:
    store.head(); store.read("MEMORY.md"); scan(store.root); store.dirty(); store.tree()
    store.read_at("MEMORY.md", "HEAD")
heavy = ["dulwich", "numpy", "asyncio", "logging", "subprocess", "tempfile", "email",
         "click", "rich", "pydantic", "httpx", "watchdog", "markdown_it", "shutil"]
print([name for name in heavy if name in sys.modules])
"""
    words = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_write_imports_no_dulwich_either(tmp_path: Path) -> None:
    made(tmp_path).close()
    script = """
import sys
from mnemofs.clock import Clock
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store
with Store.open(sys.argv[1], agent="a", clock=Clock()) as store:
    store.commit(Change((Edit("new.md", None, b"x"),), "tool", "t"))
print([name for name in ("dulwich", "asyncio", "subprocess") if name in sys.modules])
"""
    words = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("with_git", [True, False])
def test_maintenance_packs_and_loses_nothing(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, with_git: bool
) -> None:
    from mnemofs.store.commit.maintenance import maintain

    for number in range(30):
        ws.append("MEMORY.md", b"- %d\n" % number)
    ws.by_hand("staged.txt", b"staged\n")
    ws.git("add", "staged.txt")
    assert ws.store.maintain().status == "unneeded"
    with monkeypatch.context() as patch:
        if not with_git:
            patch.setenv("PATH", "")
        done = maintain(ws.store._parts, limit=10)
    assert done.status == ("git" if with_git else "packed")
    assert done.loose_after < done.loose_before
    assert ws.store.read_at("MEMORY.md", "HEAD~10").endswith(b"- 19\n")
    ws.append("MEMORY.md", b"- after\n")
    assert ws.git("show", ":staged.txt") == "staged\n"
    ws.git("fsck", "--strict")
