"""`why-in-context`: what prompts were given, and why; whose they were; and forgetting them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.lifecycle.recalls.book import RecallBook
from tests.context.conftest import Time

Git = Callable[..., str]


def run(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mnemofs", *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def kept_of(root: Path) -> bytes:
    return b"".join(
        path.read_bytes()
        for path in root.rglob(".mnemofs/recall*")
        if "owners" not in path.relative_to(root).parts
    )


def test_a_prompt_is_explained(ws: Workspace, time: Time) -> None:
    ws.remember("Go and Vue", kind="project", key="tech_stack")
    ada = ws.for_owner("user:1")
    ada.remember("I like tea")
    ada.note("Bo brought cake")
    ada.context(query="earlier")
    time.pass_by(minutes=1)
    ada.context(query="which stack and who brought cake?")
    (prompt,) = ada.why_in_context()
    assert prompt.query == "which stack and who brought cake?"
    assert prompt.at == time.now
    found = {(one.why, one.scope, one.path, one.text.rpartition(": ")[2]) for one in prompt.entries}
    assert ("always-on", "PERSONAL", "MEMORY.md", "I like tea") in found
    assert ("structured", "TEAM", "structured/project.md", "Go and Vue") in found
    (cake,) = [one for one in prompt.entries if one.why == "search"]
    assert cake.path == "memory/2026-05-04.md" and "cake" in cake.text
    assert cake.score > 0 and cake.as_dict()["parts"]["words"] > 0
    assert [one.query for one in ada.why_in_context(limit=5)] == [prompt.query, "earlier"]


def test_why_was_this_in_and_why_was_that_left_out(ws: Workspace) -> None:
    for number in range(45):
        ws.remember(f"value {number}", kind="user", key=f"key_{number}")
    ws.remember("We deploy on Fridays")
    ws.context(query="deploy")
    ws.context(query="lunch")
    found = ws.why_in_context("on  FRIDAYS", limit=10)
    assert len(found) == 2
    assert {one.text.rpartition(": ")[2] for one in found[0].entries} == {"We deploy on Fridays"}
    (left, _) = ws.why_in_context("key_0", limit=10)
    assert (left.entries, left.omitted) == ((), ("structured/user.md: key_0",))
    assert ws.why_in_context("nobody said this", limit=10) == ()


def test_OWN_05_nobody_sees_what_anothers_prompts_were(ws: Workspace, root: Path) -> None:
    ws.remember("We deploy on Fridays")
    ada, bob = ws.for_owner("user:1"), ws.for_owner("user:2")
    ada.remember("zebra1 is mine")
    ada.context(query="how is zebra1 and when do we deploy?")
    bob.context(query="deploy?")
    for view in (bob, ws, ws.for_owner("user:3")):
        assert "zebra1" not in repr(view.why_in_context(limit=50))
    assert "zebra1" in repr(ada.why_in_context(limit=50))
    assert b"zebra1" not in kept_of(root)
    assert [one.today for one in RecallBook(root).counts()] == []
    assert RecallBook(root).prompts(5, "user:2")[0].query == ""


def test_a_context_of_the_past_is_not_noted(ws: Workspace) -> None:
    ws.note("Bo brought cake")
    ws.at("2999-01-01").context(query="who brought cake?")
    assert ws.why_in_context(limit=5) == ()


def test_recall_can_be_turned_off(ws: Workspace) -> None:
    ws.config = ws.config.replace(recall=ws.config.recall.replace(enabled=False))
    ws.note("Bo brought cake")
    ws.context(query="cake")
    assert ws.why_in_context() == ()


def test_noting_changes_nothing_that_git_sees(ws: Workspace, root: Path, git: Git) -> None:
    ws.note("Bo brought cake")
    ws.context(query="cake")
    assert len(ws.why_in_context()) == 1
    assert git(root, "status", "--porcelain") == ""


def test_the_command_shows_it_to_people_and_to_scripts(ws: Workspace, root: Path) -> None:
    ws.remember("We deploy on Fridays")
    ws.note("Bo brought cake")
    run(root, "context", "-q", "who brought the cake?")
    run(root, "search", "--lexical", "cake")
    text = run(root, "why-in-context", "--last", "2")
    assert '"who brought the cake?"' in text and '"cake"' in text
    assert "always-on  MEMORY.md  1 entry" in text
    assert "memory/" in text and "Bo brought cake  (words" in text
    (one,) = json.loads(run(root, "why-in-context", "Fridays", "--json"))
    assert one["query"] == "who brought the cake?"
    assert [entry["why"] for entry in one["entries"]] == ["always-on"]


@pytest.mark.parametrize("way", ["forget", "purge"])
@pytest.mark.parametrize("owner", ["", "user:1"])
def test_OWN_06_forget_reaches_the_book(ws: Workspace, root: Path, way: str, owner: str) -> None:
    view: Any = ws.for_owner(owner)
    view.note("the quokka runs the vault")
    view.context(query="the quokka runs the vault, doesn't it?")
    view.context(query="cake")
    view.forget("the quokka runs the vault", purge=way == "purge")
    home = Path(view._scopes[0].root)
    for path in (home / ".mnemofs").glob("recall*"):
        assert b"quokka" not in path.read_bytes()
    assert {one.query for one in view.why_in_context(limit=9)} == {"", "cake"}


def test_a_person_who_is_forgotten_leaves_no_prompt_behind(ws: Workspace, root: Path) -> None:
    ws.remember("We deploy on Fridays")
    ada = ws.for_owner("user:1")
    ada.remember("I like tea")
    ada.context(query="deploy")
    ada.forget_owner()
    assert RecallBook(root).prompts(9, "user:1") == ()
