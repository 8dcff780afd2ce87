"""Secrets: found in files and history, shown masked, and kept out by every automatic writer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import Workspace
from tests.fake_model import FakeModel
from tests.surface.conftest import Cli

Git = Callable[..., str]
Everything = Callable[[Path], bytes]
SECRETS = {
    "github": "ghp_" + "a1B2" * 9,
    "openai": "sk-" + "Ab3d" * 10,
    "aws": "AKIA" + "QX7Z" * 4,
    "pem": "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEow1b" * 8 + "\n-----END RSA PRIVATE KEY-----",
    "url": "postgres://ada:pw9xK-secret@db.example.org/main",
}
PARTS = {**SECRETS, "pem": "MIIEow1b" * 8, "url": "pw9xK-secret"}


def test_a_clean_memory_has_none(ws: Workspace, cli: Cli) -> None:
    ws.remember("The commit is 6f0e7c3a8d9b4f7e6f0e7c3a8d9b4f7e6f0e7c3a")
    done = cli("scan", "--history", "--json")
    assert done.code == 0 and done.json == []


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_found_by_path_and_line_and_never_shown(
    ws: Workspace, root: Path, cli: Cli, kind: str
) -> None:
    (root / "notes.md").write_text(f"# Notes\n\nfirst\nuse {SECRETS[kind]} for it\n")
    done = cli("scan", "--json")
    assert done.code == 3
    assert [(leak["path"], leak["line"], leak["commit"]) for leak in done.json] == [
        ("notes.md", 4, None)
    ]
    shown = cli("scan")
    assert shown.code == 3 and "notes.md:4" in shown.out
    for text in (done.out, shown.out, shown.err):
        assert PARTS[kind] not in text


def test_history_names_the_commit_that_brought_it_in(
    ws: Workspace, root: Path, cli: Cli, git: Git
) -> None:
    git(root, "config", "user.name", "a")
    git(root, "config", "user.email", "a@b")
    ws.write("a.md", f"one\n{SECRETS['github']}\n".encode(), actor="person")
    first = git(root, "rev-parse", "HEAD").strip()
    ws.write("a.md", f"zero\none\n{SECRETS['github']}\nmore\n".encode(), actor="person")
    ws.rm("a.md")
    git(root, "commit", "-q", "--allow-empty", "-m", f"uses {SECRETS['aws']}")
    message = git(root, "rev-parse", "HEAD").strip()
    assert cli("scan").code == 0
    done = cli("scan", "--history", "--json")
    assert done.code == 3
    found = [(leak["path"], leak["line"], leak["commit"]) for leak in done.json]
    assert found == [("a.md", 2, first), ("", 1, message)]
    assert SECRETS["github"] not in done.out and SECRETS["aws"] not in done.out


def test_a_found_secret_is_purged_and_then_not_found(ws: Workspace, cli: Cli) -> None:
    ws.write("a.md", f"key {SECRETS['openai']}\n".encode(), actor="person")
    assert cli("scan", "--history").code == 3
    assert cli("purge", "--yes", stdin=SECRETS["openai"].encode()).code == 0
    assert cli("scan", "--history").code == 0


@pytest.mark.parametrize("kind", SECRETS)
def test_SEC_07_a_secret_echoed_by_a_model_reaches_nothing(
    ws: Workspace,
    root: Path,
    cli: Cli,
    fake_model: FakeModel,
    everything: Everything,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    kind: str,
) -> None:
    secret = SECRETS[kind]
    fake_model.always(
        json.dumps(
            {
                "should_update": True,
                "reason": f"the person gave {secret}",
                "daily_entry": f"- Uses {secret} for the build\n- Lunch is at noon",
                "memory_update": f"# Memory\n\n- The build uses {secret}\n",
                "profile_update": None,
                "structured_entries": [
                    {"type": "project", "key": f"key {secret}", "content": f"It is {secret}"}
                ],
            }
        )
    )
    monkeypatch.setenv("MNEMOFS_MODEL_BASE_URL", fake_model.url)
    monkeypatch.setenv("MNEMOFS_MODEL_NAME", "stub")
    talk = tmp_path / "talk.json"
    said = [
        {"role": "user", "content": f"For the build we use {secret}, please remember that"},
        {"role": "assistant", "content": f"I will use {secret}."},
    ]
    talk.write_text(json.dumps(said))
    for more in ((), ("--json",)):
        done = cli("extract", str(talk), "--engine", "llm", "--force", *more)
        assert PARTS[kind] not in done.out + done.err
    with Workspace.open(root) as again:
        again.search("build lunch", mode="lexical")
    assert PARTS[kind].encode() not in everything(root)
    assert all(PARTS[kind] not in request.prompt for request in fake_model.requests)


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("actor", ["tool", "api", "import"])
def test_SEC_07_writers_that_are_no_person_mask(
    ws: Workspace, root: Path, everything: Everything, kind: str, actor: str
) -> None:
    secret, by = SECRETS[kind], actor
    ws.remember(f"build uses {secret}", source=f"chat {secret}", actor=by)  # type: ignore[arg-type]
    ws.remember(f"x {secret}", kind="project", key=f"k {secret}", actor=by)  # type: ignore[arg-type]
    ws.note(f"note {secret}", actor=by)  # type: ignore[arg-type]
    ws.write("w.md", f"whole {secret}\n".encode(), actor=by)  # type: ignore[arg-type]
    ws.edit("w.md", "whole", f"part {secret}", actor=by)  # type: ignore[arg-type]
    ws.search("build", mode="lexical")
    assert PARTS[kind].encode() not in everything(root)


def test_SEC_07_the_same_text_of_a_person_is_kept_and_warned_about(ws: Workspace) -> None:
    done = ws.note(f"note {SECRETS['github']}", actor="person")
    assert done.warnings and SECRETS["github"] not in " ".join(done.warnings)
