"""What somebody meets who has just made a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemofs import Workspace

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
