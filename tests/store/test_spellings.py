"""One name, one file: composed and decomposed letters, upper and lower case, links out."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from mnemofs.errors import UnsafeName
from mnemofs.store.model import Change, Edit
from tests.store.conftest import Workspace

NAMES = ["structured/café.md", "naïve/été/x.md", "Ünïcode.md", "한글.md", "memory/é.md"]


def forms(path: str) -> tuple[str, str]:
    return unicodedata.normalize("NFC", path), unicodedata.normalize("NFD", path)


@pytest.mark.parametrize("path", NAMES)
@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
def test_TXT_09_both_spellings_are_one_file(ws: Workspace, path: str, on_disk: str) -> None:
    composed, decomposed = forms(path)
    ws.by_hand(composed if on_disk == "NFC" else decomposed, b"one\n")
    ws.store.fold()
    for spelling in (composed, decomposed):
        seen = ws.store.read(spelling)
        assert seen.content == b"one\n"
        assert seen.path == composed
        assert ws.store.read_at(spelling, "HEAD") == b"one\n"
    for number, spelling in enumerate((decomposed, composed)):
        done = ws.append(spelling, b"- %d\n" % number)
        assert done.paths == (composed,)
        assert len(list(ws.root.rglob("*.md"))) == 2
        ws.sound()
    assert ws.store.read(composed).content == b"one\n- 0\n- 1\n"
    assert [p for p in ws.store.scan() if p != "MEMORY.md"] == [composed]
    assert [p for p in ws.store.tree() if p != "MEMORY.md"] == [composed]
    assert len(ws.git("ls-files").split("\n")) == 3


@pytest.mark.parametrize("path", NAMES)
def test_TXT_09_a_new_file_is_created_composed(ws: Workspace, path: str) -> None:
    composed, decomposed = forms(path)
    ws.write(decomposed, b"new\n")
    found = [str(p.relative_to(ws.root)) for p in ws.root.rglob("*.md")]
    assert composed in found
    assert len(found) == 2


@pytest.mark.parametrize(
    ("there", "asked"),
    [
        ("MEMORY.md", "memory.md"),
        ("memory/2026-05-01.md", "Memory/2026-05-01.md"),
        ("structured/Straße.md", "structured/STRASSE.md"),
        ("notes/Plan.md", "Notes/plan.md"),
    ],
)
def test_TXT_10_writing_another_case_makes_no_second_file(
    ws: Workspace, there: str, asked: str
) -> None:
    ws.write(there, b"one\n")
    done = ws.append(asked, b"- two\n")
    assert done.paths == (there,)
    assert ws.committed(there) == b"one\n- two\n"
    assert ws.store.read(asked).content == b"one\n- two\n"
    assert not (ws.root / asked).exists() or os.path.samefile(ws.root / asked, ws.root / there)
    ws.sound()


def test_TXT_10_both_cases_from_a_pull_stay_two_files_and_no_third_is_made(ws: Workspace) -> None:
    for path in ("memory.md", "memory/2026-05-01.md", "Memory/2026-05-01.md"):
        ws.by_hand(path, path.encode())
    ws.git("add", "-A")
    ws.git("-c", "user.name=u", "-c", "user.email=u@example.invalid", "commit", "-qm", "pull")
    before = set(ws.store.scan())
    ws.append("MeMoRy.md", b"- x\n")
    ws.append("MEMORY/2026-05-01.md", b"- y\n")
    assert set(ws.store.scan()) == before
    assert ws.committed("MEMORY.md").endswith(b"- x\n")
    assert ws.committed("memory/2026-05-01.md").endswith(b"- y\n")
    ws.sound()


def test_TXT_10_a_new_hand_file_that_collides_is_reported_and_left(ws: Workspace) -> None:
    ws.by_hand("memory.md", b"twin\n")
    done = ws.store.fold()
    assert done.commit is None
    assert any("memory.md" in warning and "MEMORY.md" in warning for warning in done.warnings)
    assert (ws.root / "memory.md").read_bytes() == b"twin\n"


@pytest.mark.parametrize("name", ["what: a note.md", "aux.md", "trailing .md/x.md", "q?.md"])
def test_a_hand_file_no_other_system_could_hold_is_reported_and_left(
    ws: Workspace, name: str
) -> None:
    ws.by_hand(name, b"x\n")
    if name.startswith("trailing"):
        (ws.root / name).rename(ws.root / "trailing .md" / "y\u200c.md")
    done = ws.store.fold()
    assert done.commit is None
    assert done.warnings


def test_SEC_02_links_are_never_followed(ws: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("SECRET\n")
    (ws.root / "memory").mkdir()
    (ws.root / "memory/2026-05-01.md").symlink_to(outside / "secret.md")
    (ws.root / "memory2").symlink_to(outside)
    (ws.root / "loop").symlink_to(ws.root)
    assert set(ws.store.scan()) == {"MEMORY.md"}
    assert ws.store.fold().commit is None
    for path in ("memory/2026-05-01.md", "memory2/secret.md", "memory2/new.md", "loop/MEMORY.md"):
        with pytest.raises(UnsafeName):
            ws.store.read(path)
        with pytest.raises(UnsafeName):
            ws.store.commit(Change((Edit(path, None, b"x"),), "tool", "no"))
    assert (outside / "secret.md").read_text() == "SECRET\n"
    assert sorted(os.listdir(outside)) == ["secret.md"]
    assert "SECRET" not in ws.git("log", "-p", "--all")


def test_SEC_02_a_link_that_git_tracks_is_not_overwritten(ws: Workspace) -> None:
    (ws.root / "alias.md").symlink_to("MEMORY.md")
    ws.git("add", "-A")
    ws.git("-c", "user.name=u", "-c", "user.email=u@example.invalid", "commit", "-qm", "link")
    with pytest.raises(UnsafeName):
        ws.write("alias.md", b"x")
    assert ws.store.dirty() == ()
    (ws.root / "alias.md").unlink()
    (ws.root / "alias.md").write_text("a file now\n")
    assert ws.store.fold().paths == ("alias.md",)
    assert ws.git("ls-tree", "HEAD", "alias.md").startswith("100644")
    ws.sound()


def test_TXT_07_nul_and_odd_bytes_are_kept_as_they_are(ws: Workspace) -> None:
    for number, data in enumerate(
        [b"alpha\0beta\n", "﻿bom\n".encode(), "# hi\nneedle".encode("utf-16"), b"\xff\xfe\x00", b""]
    ):
        path = f"odd-{number}.md"
        ws.by_hand(path, data)
        ws.store.fold()
        assert ws.committed(path) == data
        assert ws.store.read(path).content == data
    ws.sound()
