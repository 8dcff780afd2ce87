"""What somebody meets who has just made a memory."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.cli.output import Progress

from .conftest import Cli


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_init_wrote_for_the_agent_is_no_answer(ws: Workspace, root: Path, ends: str) -> None:
    ws.remember("We deploy on Fridays")
    guide = root / "AGENTS.md"
    guide.write_bytes(guide.read_bytes().replace(b"\n", ends.encode()))
    for question in ("when do we ship?", "Friday", "what is my favourite colour", "who are you"):
        assert {hit.path for hit in ws.search(question).hits} <= {"MEMORY.md"}, question
    assert ws.search("never store passwords", mode="lexical").hits == ()


@pytest.mark.parametrize("name", ["AGENTS.md", "SOUL.md"])
def test_what_a_person_wrote_into_the_agents_files_is_found(
    ws: Workspace, root: Path, name: str
) -> None:
    file = root / name
    text = file.read_text()
    file.write_text(text.replace("\n- ", "\n- Call me Captain Haddock.\n- ", 1))
    (hit, *_) = ws.search("Captain Haddock").hits
    assert (hit.path, hit.text) == (name, "- Call me Captain Haddock.")
    # A line of the template that somebody changed is theirs, the others still are not.
    file.write_text(text.replace(". ", ", said the heron. ", 1))
    found = ws.search("heron").hits
    assert [hit.path for hit in found] == [name]


def test_the_templates_words_copied_elsewhere_are_found(ws: Workspace, root: Path) -> None:
    line = next(line for line in (root / "AGENTS.md").read_text().split("\n") if "Friday" in line)
    (root / "memory").mkdir()
    (root / "memory/howto.md").write_text(line + "\n")
    assert [hit.path for hit in ws.search("Friday").hits] == ["memory/howto.md"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "cp1252", "utf-8"])
def test_a_terminal_of_another_encoding_shows_what_it_can(
    ws: Workspace, process: Cli, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    text = "Straße, 部署方案, 🥟"
    ws.remember(text)
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    for command in (("search", "--lexical", "方案"), ("search", "方案", "-n", "1"), ("context",)):
        assert process(*command).code == 0
        found = process(*command, "--json")
        assert found.code == 0
        assert text in json.dumps(found.json, ensure_ascii=False)  # JSON is UTF-8 everywhere
    asked = json.dumps({"query": "方案"})
    found = process("tools", "call", "search_workspace_memory", "--args", asked)
    assert found.json["totalHits"] == 1


@pytest.mark.parametrize("arguments", [(), ("remote",), ("schedule",)])
def test_a_command_that_lacks_its_command_shows_the_help(
    cli: Cli, arguments: tuple[str, ...]
) -> None:
    told = cli(*arguments)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("Usage: mnemofs")


def test_a_mistyped_command_is_answered_in_whole_sentences(cli: Cli) -> None:
    told = cli("serach", "x")
    assert told.code == 2
    assert told.err == (
        "error: There is no command 'serach'. Did you mean search?\n  see `mnemofs --help`\n"
    )


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "NO_COLOR"])
def test_a_bar_is_for_terminals_whatever_is_said_of_colour(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    monkeypatch.delenv("TERM", raising=False)
    for terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        with Progress("files") as progress:
            progress(1, 2)
        assert ("files" in capfd.readouterr().err) is terminal


@pytest.mark.parametrize(
    ("line", "at", "offered"),
    [
        ("mnemofs re", 1, {"remember", "restore", "review", "remote"}),
        ("mnemofs cat M", 2, {"MEMORY.md"}),
        ("mnemofs log -p P", 3, {"PROFILE.md"}),
        ("mnemofs remember --kind ", 3, {"user", "feedback", "project", "reference"}),
        ("mnemofs export ", 2, {""}),  # a file of the disk: the shell's own business
    ],
)
def test_tab_completes_commands_options_and_memory_files(
    ws: Workspace,
    process: Cli,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    at: int,
    offered: set[str],
) -> None:
    monkeypatch.setenv("_MNEMOFS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(at))
    told = process()
    assert (told.code, told.err) == (0, "")
    assert {row.partition(",")[2] for row in told.out.split()} == offered


@pytest.mark.parametrize("line", ["mnemofs nope ", "mnemofs cat "])
def test_tab_never_prints_an_error_into_the_line(
    tmp_path: Path, process: Cli, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("_MNEMOFS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", "2")
    assert (process(at=tmp_path).code, process(at=tmp_path).err) == (0, "")


def test_a_schedule_that_cannot_be_read_is_a_failure(cli: Cli, ws: Workspace, root: Path) -> None:
    (root / "mnemofs.toml").write_text('[dreaming]\nschedule = "every night"\n')
    told = cli("schedule", "status", "-w", str(root))
    assert told.code == 1
    assert "'every night' is not five cron fields" in told.err
    told = cli("doctor")
    assert told.code == 1
    assert "[dreaming] the schedule 'every night' is not five cron fields" in told.out
    assert "minute, hour, day of month" in told.out


def test_a_memory_cannot_be_made_of_a_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("mine")
    told = cli("init", str(tmp_path / "notes.md"))
    assert told.code == 2
    assert "notes.md is a file." in told.err
    assert (tmp_path / "notes.md").read_text() == "mine"
