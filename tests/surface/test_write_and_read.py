"""The everyday commands, through the command line, looked at with git."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mnemofs import Workspace
from tests.surface.conftest import Cli

Git = Callable[..., str]


def test_init_makes_a_repository_that_explains_itself(cli: Cli, root: Path, git: Git) -> None:
    made = cli("init", ".", "--agent", "ada", "--timezone", "Europe/Berlin", "--json")
    assert made.code == 0 and made.json["status"] == "created"
    assert git(root, "ls-files").split() == [
        "AGENTS.md", "MEMORY.md", "PROFILE.md", "SOUL.md", "mnemofs.toml",
    ]  # fmt: skip
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "symbolic-ref", "--short", "HEAD") == "main\n"
    again = cli("init", ".", "--json")
    assert again.json["status"] == "unchanged" and git(root, "rev-list", "--count", "HEAD") == "1\n"


def test_init_keeps_what_is_there(cli: Cli, root: Path, git: Git) -> None:
    root.mkdir()
    (root / "MEMORY.md").write_text("- mine\n")
    (root / "notes.md").write_text("also mine\n")
    assert cli("init", ".").code == 0
    assert (root / "MEMORY.md").read_text() == "- mine\n"
    assert "notes.md" in git(root, "ls-files")


def test_init_inside_a_project_leaves_its_ignore_file_alone(
    cli: Cli, tmp_path: Path, git: Git
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "-q")
    (project / ".gitignore").write_text("build/\n")
    made = cli("init", "memory", at=project)
    assert made.code == 0
    assert (project / ".gitignore").read_text() == "build/\n"
    assert "memory" not in git(project, "status", "--porcelain")


def test_a_memory_is_in_a_commit_and_found_in_the_same_call(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    done = cli("remember", "We deploy on Fridays", "--json").json
    assert (done["status"], done["path"]) == ("appended", "MEMORY.md")
    assert "We deploy on Fridays" in git(root, "show", f"{done['commit']}:MEMORY.md")
    found = cli("search", "deploy", "--lexical", "--json").json
    assert found["mode"] == "lexical"
    assert "We deploy on Fridays" in found["hits"][0]["text"]
    assert cli("remember", "We deploy on Fridays", "--json").json["status"] == "unchanged"


def test_a_keyed_entry_is_replaced_by_its_key(ws: Workspace, cli: Cli, root: Path) -> None:
    for text in ("Prefers short answers", "Prefers long answers"):
        assert cli("remember", text, "--kind", "user", "--key", "style").code == 0
    content = (root / "structured" / "user.md").read_text()
    assert content.count("## style") == 1
    assert "long answers" in content and "short answers" not in content


@pytest.mark.parametrize("text", ["- buy milk", "-5 degrees", "--- rule ---", "# 7 things", "你好"])
def test_text_that_looks_like_an_option_is_text(
    ws: Workspace, cli: Cli, root: Path, text: str
) -> None:
    assert cli("note", text).code == 0
    (day,) = (root / "memory").iterdir()
    assert text in day.read_text("utf-8")


def test_write_edit_cat_rm_and_restore(ws: Workspace, cli: Cli, root: Path, git: Git) -> None:
    made = cli("write", "notes/plan.md", "-", "--json", stdin=b"# Plan\n\nold\n").json
    assert made == {
        "status": "created",
        "path": "notes/plan.md",
        "commit": git(root, "rev-parse", "HEAD").strip(),
        "owner": "",
        "conflicts": 0,
        "warnings": [],
    }
    assert cli("edit", "notes/plan.md", "--old", "old", "--new", "new").code == 0
    assert cli("cat", "notes/plan.md").out == "# Plan\n\nnew\n"
    assert cli("cat", "notes/plan.md", "--at", "HEAD~1").out == "# Plan\n\nold\n"
    assert cli("rm", "notes/plan.md", "--json").json["status"] == "deleted"
    hits = cli("search", "plan", "--lexical", "--json").json["hits"]
    assert "notes/plan.md" not in {hit["path"] for hit in hits}
    assert cli("restore", "notes/plan.md", "--json").json["status"] == "created"
    assert (root / "notes" / "plan.md").read_text() == "# Plan\n\nnew\n"


def test_a_write_from_an_old_version_merges_what_came_since(
    ws: Workspace, cli: Cli, root: Path
) -> None:
    cli("write", "plan.md", "-", stdin=b"# A\n\n- one\n\n# B\n\n- two\n")
    base = cli("cat", "plan.md", "--json").json["blob"]
    cli("edit", "plan.md", "--old", "- two", "--new", "- two, changed")
    done = cli("write", "plan.md", "--base", base, stdin=b"# A\n\n- one, changed\n\n# B\n\n- two\n")
    assert done.code == 0
    assert (root / "plan.md").read_text() == "# A\n\n- one, changed\n\n# B\n\n- two, changed\n"


def test_a_hand_edit_is_committed_as_a_persons_and_found(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    with (root / "PROFILE.md").open("a") as file:
        file.write("\n- plays the zither\n")
    time.sleep(0.4)
    found = cli("search", "zither", "--lexical", "--json").json
    assert found["hits"][0]["path"] == "PROFILE.md"
    assert cli("log", "PROFILE.md", "--json").json[0]["actor"] == "person"
    assert git(root, "status", "--porcelain") == ""


def test_a_hand_edit_still_being_typed_is_found_and_committed_later(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    (root / "PROFILE.md").write_text("- plays the zither\n")
    assert cli("search", "zither", "--lexical", "--json").json["hits"]
    time.sleep(0.5)
    cli("search", "anything", "--lexical")
    assert git(root, "status", "--porcelain") == ""


def test_undo_takes_back_and_undo_of_undo_brings_back(ws: Workspace, cli: Cli, root: Path) -> None:
    cli("remember", "first fact")
    commit = cli("remember", "second fact", "--json").json["commit"]
    undone = cli("undo", "--json").json
    assert undone["undone"] == commit
    assert "second fact" not in (root / "MEMORY.md").read_text()
    assert "first fact" in (root / "MEMORY.md").read_text()
    cli("undo", undone["commit"])
    assert "second fact" in (root / "MEMORY.md").read_text()


def test_log_diff_and_blame_tell_one_story(ws: Workspace, cli: Cli) -> None:
    cli("remember", "We deploy on Fridays", "--source", "chat 7")
    newest = cli("log", "--json").json[0]
    assert {"commit", "time", "actor", "reason", "source", "trust", "paths"} <= newest.keys()
    assert (newest["actor"], newest["source"], newest["paths"]) == ("tool", "chat 7", ["MEMORY.md"])
    (changed,) = cli("diff", newest["commit"], "--json").json
    assert "+- " in changed["patch"] and "We deploy on Fridays" in changed["patch"]
    lines = cli("blame", "MEMORY.md", "--json").json
    line = next(line for line in lines if "We deploy on Fridays" in line["text"])
    assert line["commit"] == newest["commit"] and line["source"] == "chat 7"


def test_CON_01_simultaneous_writers_lose_nothing(
    ws: Workspace, process: Cli, root: Path, git: Git
) -> None:
    results: list[str | None] = []

    def append(number: int) -> None:
        results.append(ws.note(f"- n{number:02}").commit)

    others = threading.Thread(
        target=lambda: [process("note", f"- n{number}") for number in range(21, 26)]
    )
    others.start()
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(append, range(1, 21)))
    others.join()
    (day,) = (root / "memory").iterdir()
    lines = [line for line in day.read_text().split("\n") if line.startswith("- n")]
    assert sorted(lines) == [f"- n{number:02}" for number in range(1, 26)]
    for commit in results:
        git(root, "merge-base", "--is-ancestor", str(commit), "HEAD")
    git(root, "fsck", "--strict")
    assert git(root, "status", "--porcelain") == ""


def test_CON_01_threads_share_one_workspace_for_everything(
    ws: Workspace, root: Path, git: Git
) -> None:
    def busy(number: int) -> None:
        assert ws.note(f"- n{number:02}").commit
        assert ws.write(f"d{number % 5}/f{number}.md", b"- a piece of text\n").commit
        assert ws.search("piece", mode="lexical").hits
        assert ws.context(query="piece").system
        assert ws.log(limit=2) and ws.status().branch == "main"

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(busy, range(16)))
    finally:
        sys.setswitchinterval(interval)
    assert git(root, "status", "--porcelain") == ""
    assert len(list(root.glob("d*/f*.md"))) == 16
    git(root, "fsck", "--strict")


def test_a_secret_is_masked_for_a_tool_and_never_reaches_an_object(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    done = cli("remember", f"the token of the bot is {secret}", "--json").json
    assert done["warnings"] and done["commit"]
    objects = git(root, "cat-file", "--batch-all-objects", "--batch-check").split("\n")
    for line in filter(None, objects):
        assert secret not in git(root, "cat-file", "-p", line.split()[0])
    assert secret not in (root / "MEMORY.md").read_text()
    assert secret.encode() not in b"".join(
        path.read_bytes() for path in (root / ".mnemofs").rglob("*") if path.is_file()
    )


@pytest.mark.parametrize("verb", ["cat", "rm", "write", "edit"])
@pytest.mark.parametrize(
    "path",
    ["../x.md", "memory/../../x.md", "..%2fx.md", "/etc/x.md", "C:\\x.md", "memory\\..\\x.md",
     ".git/x.md", ".GIT/x.md", "git~1/x.md", ".git /x.md", "x.txt", "owners/x/y.md"],
)  # fmt: skip
def test_SEC_01_SEC_03_hostile_paths_are_refused_by_every_verb(
    ws: Workspace, cli: Cli, root: Path, git: Git, verb: str, path: str
) -> None:
    more = {"write": ["evil"], "edit": ["--old", "a", "--new", "b"]}.get(verb, [])
    before = git(root, "rev-parse", "HEAD")
    files = sorted(os.fspath(item) for item in root.parent.rglob("*.md"))
    done = cli(verb, path, *more, "--json")
    assert done.code == 3 and done.json["error"]["code"] == "unsafe_name"
    assert git(root, "rev-parse", "HEAD") == before
    assert sorted(os.fspath(item) for item in root.parent.rglob("*.md")) == files


def test_SEC_02_nothing_behind_a_symlink_is_shown_or_written(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("xyzzy secret\n")
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory" / "2026-05-01.md").symlink_to(outside / "secret.md")
    (root / "memory2").symlink_to(outside)
    (root / "PROFILE.md").unlink()
    (root / "PROFILE.md").symlink_to(outside / "secret.md")
    time.sleep(0.4)
    printed = ""
    for command in (
        ["search", "xyzzy"], ["context", "-q", "xyzzy"], ["ls"], ["status"], ["dream"],
        ["cat", "memory/2026-05-01.md"], ["cat", "memory2/secret.md"], ["cat", "PROFILE.md"],
        ["write", "memory/2026-05-01.md", "gone"], ["write", "memory2/new.md", "x"], ["diff"],
    ):  # fmt: skip
        done = cli(*command)
        printed += done.out + done.err
    assert "xyzzy secret" not in printed
    assert (outside / "secret.md").read_text() == "xyzzy secret\n"
    assert [path.name for path in outside.iterdir()] == ["secret.md"]
    assert "xyzzy" not in git(root, "log", "--all", "-p")


def test_a_script_can_rely_on_codes_and_errors(cli: Cli, ws: Workspace, tmp_path: Path) -> None:
    assert cli("cat", "absent.md").code == 1
    wrong = cli("serch", "x", "--json")
    assert wrong.code == 2 and "search" in wrong.json["error"]["message"]
    empty = tmp_path / "empty"
    empty.mkdir()
    nowhere = cli("status", "--json", at=empty)
    assert nowhere.code == 1
    assert nowhere.json["error"].keys() >= {"code", "message", "hint"}
    assert nowhere.json["error"]["code"] == "not_a_workspace"
    text = cli("cat", "absent.md")
    assert text.out == "" and text.err.count("\n") <= 2 and "Traceback" not in text.err
    # Names stand in messages as they are spelled.
    (tmp_path / "u16").write_bytes(b"\xff\xfe")
    assert cli("fit", "u16", at=tmp_path).err.startswith("error: u16 cannot be read")
    nothing = cli("ls", "nope")
    assert (nothing.code, nothing.out) == (0, "") and "no files" in nothing.err


def test_status_and_doctor_say_how_things_are(ws: Workspace, cli: Cli, root: Path) -> None:
    state = cli("status", "--json").json
    keys = {"workspace", "agent", "branch", "head", "dirty", "index", "sync", "warnings"}
    assert keys <= set(state)
    assert state["branch"] == "main" and state["dirty"] == [] and state["index"]["fresh"] is True
    assert cli("doctor").code == 0
    (root / "broken.md").write_bytes(b"\xff\xfeh\0i\0")
    assert any("broken.md" in text for text in cli("status", "--json").json["warnings"])
    (root / ".git" / "MERGE_HEAD").write_text("0" * 40 + "\n")
    assert cli("doctor").code == 1


def test_a_damaged_index_is_rebuilt_and_said(ws: Workspace, cli: Cli, root: Path) -> None:
    cli("remember", "We deploy on Fridays")
    (root / ".mnemofs" / "index.db").write_bytes(b"not a database" * 500)
    for suffix in ("-wal", "-shm"):
        (root / ".mnemofs" / f"index.db{suffix}").unlink(missing_ok=True)
    assert cli("search", "deploy", "--lexical", "--json").json["hits"]
