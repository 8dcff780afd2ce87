"""extract, dream, watch and demo as a user meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from mnemofs import Workspace
from tests.fake_model import FakeModel, fake_model  # noqa: F401 (a fixture)
from tests.surface.conftest import Cli

Git = Callable[..., str]

TALK = [
    {"role": "user", "content": "Please remember that our release day is Friday."},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "We decided to move from MySQL to PostgreSQL."},
    {"role": "assistant", "content": "Fine, PostgreSQL then."},
]


def chat(root: Path, messages: list[dict[str, str]], name: str = "chat.json") -> str:
    path = root.parent / name
    path.write_text(json.dumps(messages), encoding="utf-8")
    return str(path)


def test_a_conversation_becomes_one_commit_and_only_once(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    first = cli("extract", chat(root, TALK), "--json").json
    assert first["status"] == "updated" and first["commit"]
    assert git(root, "rev-list", "--count", "HEAD").strip() == "2"
    newest = cli("log", "--json").json[0]
    assert newest["actor"] == "extractor" and newest["source"]
    assert "Friday" not in git(root, "log", "--format=%B")
    found = cli("search", "release day", "--lexical", "--json").json["hits"]
    assert "release day is Friday" in found[0]["text"]
    assert cli("extract", chat(root, TALK), "--json").json["status"] == "unchanged"


def test_several_old_conversations_in_one_go(ws: Workspace, cli: Cli, root: Path) -> None:
    other = [{"role": "user", "content": "I'm allergic to peanuts."}, *TALK[1:]]
    reports = cli("extract", chat(root, TALK), chat(root, other, "b.json"), "--json").json
    assert [report["status"] for report in reports] == ["updated", "updated"]


def test_a_file_that_is_no_conversation_fails_with_one_sentence(
    ws: Workspace, cli: Cli, root: Path
) -> None:
    path = root.parent / "x.json"
    path.write_text("not a conversation")
    done = cli("extract", str(path), "--json")
    assert done.code == 1 and done.json["error"]["code"] == "transcript"


def test_a_model_over_http_proposes_and_a_commit_follows(
    ws: Workspace,
    cli: Cli,
    root: Path,
    fake_model: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MNEMOFS_MODEL_BASE_URL", fake_model.url)
    monkeypatch.setenv("MNEMOFS_MODEL_NAME", "test-model")
    fake_model.say(json.dumps({"should_update": True, "daily_entry": "- Likes oolong"}))
    done = cli("extract", chat(root, TALK), "--engine", "llm", "--json").json
    assert done["status"] == "updated" and fake_model.chats == 1
    (day,) = (root / "memory").iterdir()
    assert "- Likes oolong" in day.read_text()


def test_without_an_endpoint_the_model_engine_says_what_to_set(
    ws: Workspace, cli: Cli, root: Path
) -> None:
    done = cli("extract", chat(root, TALK), "--engine", "llm", "--json")
    assert done.code == 3 and "MNEMOFS_MODEL_BASE_URL" in done.json["error"]["hint"]


def test_a_dream_is_one_commit_that_undo_takes_back(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    day = ws.clock.today()
    for back in (1, 2):
        past = day - timedelta(days=back)
        ws.write(f"memory/{past}.md", f"# {past}\n\n- the tide feed was late again\n".encode())
    before = (root / "MEMORY.md").read_bytes()
    planned = cli("dream", "--dry-run", "--json").json
    assert planned["commit"] is None and (root / "MEMORY.md").read_bytes() == before
    done = cli("dream", "--json").json
    assert done["status"] == "updated"
    assert "tide feed was late again" in (root / "MEMORY.md").read_text()
    assert (root / "DREAMS.md").exists()
    assert cli("dream", "--json").json["commit"] is None
    assert cli("undo").code == 0
    assert (root / "MEMORY.md").read_bytes() == before


def test_watch_commits_what_is_typed_and_stops_when_told(
    ws: Workspace, root: Path, git: Git
) -> None:
    watcher = subprocess.Popen(
        [sys.executable, "-m", "mnemofs", "watch", "--json"], cwd=root, stdout=subprocess.PIPE
    )
    try:
        time.sleep(2)
        (root / "PROFILE.md").write_text("- plays the zither\n")
        assert watcher.stdout is not None
        said = json.loads(watcher.stdout.readline())
        assert said["paths"] == ["PROFILE.md"]
        assert "zither" in git(root, "show", f"{said['commit']}:PROFILE.md")
    finally:
        watcher.send_signal(signal.SIGINT)
        assert watcher.wait(20) == 0


def test_the_demo_runs_offline_and_leaves_a_sound_memory(
    process: Cli, tmp_path: Path, git: Git
) -> None:
    started = time.monotonic()
    done = process("demo", "tour", at=tmp_path)
    assert done.code == 0, done.err
    assert time.monotonic() - started < 60
    tour = tmp_path / "tour"
    git(tour, "fsck", "--strict")
    assert git(tour, "status", "--porcelain") == ""
    for word in ("[redacted", "person", "hazelnuts", "PostgreSQL", "Undone"):
        assert word in done.out
    assert "ghp_" not in git(tour, "log", "--all", "-p")
    again = process("demo", "tour", at=tmp_path)
    assert again.code == 2 and "not empty" in again.err
    assert os.listdir(tmp_path) == ["tour"]
