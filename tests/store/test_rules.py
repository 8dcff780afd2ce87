"""Ignore rules, attributes, line endings and settings, compared with what git itself says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemofs.clock import Clock
from mnemofs.errors import UnsupportedRepository
from mnemofs.store.git.config import GitConfig
from mnemofs.store.git.ignore import Ignore, escape
from mnemofs.store.git.objects import blob_id
from mnemofs.store.repository import Store
from tests.store.conftest import Workspace

SLOW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PATHS = [
    "a.md",
    "b.md",
    "memory/a.md",
    "memory/b.md",
    "memory/deep/a.md",
    "x/memory/a.md",
    "x/y.md",
    "#hash.md",
    "!bang.md",
    "sp ace.md",
    "a*.md",
    "[ab].md",
    "memory/deep/er/z.md",
    "build/x.md",
]
PIECES = [
    "*",
    "**",
    "?",
    "a",
    "b.md",
    "a.md",
    "memory",
    "deep",
    "[ab]",
    "[!a]",
    "*.md",
    "x",
    "y*",
    "build",
    "\\#hash.md",
    "\\!bang.md",
    "sp ace.md",
    "[[:alpha:]]*",
    "er",
]
patterns = st.builds(
    lambda parts, lead, trail, negate: negate + lead + "/".join(parts) + trail,
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
    st.sampled_from(["", "/"]),
    st.sampled_from(["", "/", "  "]),
    st.sampled_from(["", "", "", "!"]),
)


@given(top=st.lists(patterns, max_size=4), inner=st.lists(patterns, max_size=2))
@SLOW
def test_GIT_09_ignore_rules_mean_what_they_mean_to_git(
    tmp_path: Path, top: list[str], inner: list[str]
) -> None:
    root = tmp_path / "w"
    if not root.exists():
        root.mkdir()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        (root / "memory").mkdir()
    (root / ".gitignore").write_text("\n".join(["# comment", "", *top]) + "\n")
    (root / "memory/.gitignore").write_text("\r\n".join(inner) + "\r\n")
    asked = "\0".join(PATHS).encode()
    words = ["git", "-C", str(root), "check-ignore", "--no-index", "-z", "--stdin"]
    done = subprocess.run(words, input=asked, capture_output=True, check=False)
    theirs = {path.decode() for path in done.stdout.split(b"\0") if path}
    ours = Ignore(str(root), str(root / ".git"), GitConfig(str(root / ".git")))
    assert {path for path in PATHS if ours.ignored(path)} == theirs, (top, inner)


@pytest.mark.parametrize("name", ["plain", "sp ace", "st*r", "br[a]cket", "#hash", "!bang", "a\\b"])
def test_our_own_exclusions_match_exactly_one_folder(tmp_path: Path, name: str) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".git/info").mkdir(exist_ok=True)
    (tmp_path / ".git/info/exclude").write_text(escape(name) + "\n")
    words = ["git", "-C", str(tmp_path), "check-ignore", "-q", f"{name}/x.md"]
    assert subprocess.run(words, check=False).returncode == 0
    words[-1] = f"other-{name}/x.md"
    assert subprocess.run(words, check=False).returncode == 1


EOLS = [b"a\r\nb\r\n", b"a\nb\n", b"a\r\nb\n", b"", b"a", b"x\0\r\n", b"lone\rcr\r\n", b"\r\n"]
ATTRIBUTES = [
    "*.md text",
    "*.md text=auto",
    "*.md -text",
    "*.md eol=lf",
    "*.md eol=crlf",
    "* binary",
    "memory/*.md text eol=crlf",
    "*.md !text",
    "*.md crlf",
    "*.md -crlf",
    "* text=auto eol=lf",
    "[attr]note text eol=lf",
    "*.md note",
    "sub/ text",
]


@given(
    autocrlf=st.sampled_from(["", "true", "input", "false"]),
    attributes=st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
    inner=st.lists(st.sampled_from(ATTRIBUTES), max_size=1),
    content=st.sampled_from(EOLS),
    before=st.sampled_from([None, *EOLS]),
)
@SLOW
def test_GIT_07_blobs_are_what_git_would_have_stored(
    tmp_path_factory: pytest.TempPathFactory,
    autocrlf: str,
    attributes: list[str],
    inner: list[str],
    content: bytes,
    before: bytes | None,
) -> None:
    root = tmp_path_factory.mktemp("eol")
    run = ["git", "-C", str(root), "-c", "core.safecrlf=false"]
    subprocess.run([*run, "init", "-q"], check=True)
    path = "memory/a.md"
    (root / "memory").mkdir()
    if before is not None:
        (root / path).write_bytes(before)
        subprocess.run([*run, "add", path], check=True)
        subprocess.run(
            [*run, "-c", "user.name=u", "-c", "user.email=u@x", "commit", "-qm", "x"], check=True
        )
    if autocrlf:
        subprocess.run([*run, "config", "core.autocrlf", autocrlf], check=True)
    (root / ".gitattributes").write_text("\n".join(attributes) + "\n")
    (root / "memory/.gitattributes").write_text("\n".join(inner) + "\n")
    (root / path).write_bytes(content)
    words = [*run, "hash-object", "--path", path, "--stdin"]
    with Store.open(root, agent="a", clock=Clock(), durable=False) as store:
        seen = store.read(path)
        subprocess.run([*run, "add", path], check=True, capture_output=True)
        staged = subprocess.run(
            [*run, "ls-files", "-s", path], check=True, capture_output=True, text=True
        ).stdout.split()[1]
        assert seen.content == content
        assert seen.blob == staged, (words, autocrlf, attributes, inner, content, before)


@pytest.mark.parametrize("setting", ["input", "true"])
def test_GIT_07_a_crlf_file_is_one_commit_and_then_clean(ws: Workspace, setting: str) -> None:
    ws.git("config", "core.autocrlf", setting)
    ws.by_hand("MEMORY.md", b"a\r\nb\r\n")
    for _ in range(3):
        ws.store.fold()
    assert ws.git("rev-list", "--count", "HEAD").strip() == "2"
    blob = ws.git("rev-parse", "HEAD:MEMORY.md").strip()
    assert blob == "422c2b7ab3b3c668038da977e4e93a5fc623169c"
    assert (ws.root / "MEMORY.md").read_bytes() == b"a\r\nb\r\n"
    assert ws.git("status", "--porcelain") == ""
    assert ws.store.dirty() == ()


def test_GIT_07_edits_of_a_converted_file_keep_its_line_ends(ws: Workspace) -> None:
    ws.git("config", "core.autocrlf", "true")
    ws.by_hand("MEMORY.md", b"a\r\nb\r\nc\r\n")
    seen = ws.store.read("MEMORY.md")
    ws.by_hand("MEMORY.md", b"a\r\nb\r\nc\r\nby hand\r\n")
    from mnemofs.store.model import Change, Edit

    edit = Edit("MEMORY.md", seen.blob, b"first\r\na\r\nb\r\nc\r\n")
    ws.store.commit(Change((edit,), "tool", "edit"))
    text = (ws.root / "MEMORY.md").read_bytes()
    assert text.count(b"\n") == text.count(b"\r\n")
    assert b"by hand\r\n" in text
    assert b"first\r\n" in text
    assert b"\r" not in ws.committed("MEMORY.md")
    ws.sound()


@pytest.mark.parametrize(
    "line", ["*.md filter=lfs", "*.md ident", "*.md working-tree-encoding=UTF-16"]
)
def test_a_filter_we_would_have_to_run_is_refused_with_its_name(ws: Workspace, line: str) -> None:
    (ws.root / ".gitattributes").write_text(line + "\n")
    before = ws.head()
    with pytest.raises(UnsupportedRepository, match=line.split()[1].split("=")[0]):
        ws.append("MEMORY.md", b"- x\n")
    assert ws.head() == before
    assert (ws.root / "MEMORY.md").read_bytes() == b"# Memory\n"


def test_attributes_changed_meanwhile_count(ws: Workspace) -> None:
    ws.write("a.md", b"a\r\n")
    assert ws.committed("a.md") == b"a\r\n"
    (ws.root / ".gitattributes").write_text("*.md text eol=crlf\n")
    ws.write("b.md", b"b\r\n")
    assert ws.committed("b.md") == b"b\n"


CONFIGS = [
    "[core]\n\tautocrlf = true ; comment\n",
    '[core] autocrlf=input\n[core "x"]\n autocrlf = no\n',
    '[core]\n\texcludesfile = "~/a \\"quoted\\" # name" # tail\n',
    "[core]\n\texcludesfile = one \\\n two\n",
    "[CORE]\n\tAutoCRLF\n",
    '[remote "o"]\n\turl = https://example.invalid/x ;c\n\tpromisor = true\n',
    "[include]\n\tpath = inc\n",
    '[includeIf "gitdir:**/.git"]\n\tpath = inc\n',
    '[includeIf "gitdir:/nowhere/"]\n\tpath = inc\n',
    "[core]\n\tautocrlf = true\n[include]\n\tpath = inc\n[core]\n\teol = lf\n",
    "garbage\n[core]\n\teol = \\t\\n\\\\x\n",
]


@pytest.mark.parametrize("text", CONFIGS)
def test_settings_are_read_as_git_reads_them(tmp_path: Path, text: str) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".git/inc").write_text("[core]\n\tautocrlf = input\n\tpager = from include\n")
    config = tmp_path / ".git/config"
    config.write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    plain = text if "garbage" not in text else text.removeprefix("garbage\n")
    with config.open("a") as file:
        file.write(plain)
    ours = GitConfig(str(tmp_path / ".git"), str(tmp_path / ".git"))
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "config", "--list", "-z", "--includes"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    theirs = {
        row.partition("\n")[0]: row.partition("\n")[2] if "\n" in row else "true"
        for row in listed.split("\0")
        if row
    }
    for name, value in theirs.items():
        assert ours.get(name) == value, name


def test_the_users_own_files_are_read(
    tmp_path: Path, clean_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (clean_world / ".gitconfig").write_text("[core]\n\tautocrlf = input\n")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    config = GitConfig(str(tmp_path / ".git"))
    assert config.get("core.autocrlf") == "input"
    assert config.current()
    (clean_world / ".gitconfig").write_text("[core]\n\tautocrlf = false\n\teol = lf\n")
    assert not config.current()
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.autocrlf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert GitConfig(str(tmp_path / ".git")).get("core.autocrlf") == "true"


def test_init_pins_line_ends_only_where_git_would_convert(
    tmp_path: Path, clean_world: Path, git: Callable[..., str]
) -> None:
    with Store.init(tmp_path / "plain", agent="a", clock=Clock(), files={"M.md": b"m\n"}):
        pass
    assert not (tmp_path / "plain/.gitattributes").exists()
    (clean_world / ".gitconfig").write_text("[core]\n\tautocrlf = true\n")
    with Store.init(tmp_path / "conv", agent="a", clock=Clock(), files={"M.md": b"m\n"}) as store:
        assert (tmp_path / "conv/.gitattributes").read_bytes().startswith(b"*.md text eol=lf\n")
        assert git(store.root, "status", "--porcelain") == ""
        assert store.read("M.md").blob == blob_id(b"m\n")


def test_nothing_of_the_users_settings_is_written(ws: Workspace) -> None:
    before = (ws.root / ".git/config").read_bytes()
    ws.append("MEMORY.md", b"- x\n")
    ws.store.fold()
    assert (ws.root / ".git/config").read_bytes() == before
    assert os.listdir(os.environ["HOME"]) == []
