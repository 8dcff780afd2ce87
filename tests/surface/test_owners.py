"""People are kept apart by repository (cases OWN-01, OWN-02, OWN-03, SRC-03, SRC-07)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemofs import MnemofsError, Workspace
from tests.surface.conftest import Cli

Git = Callable[..., str]


@pytest.mark.parametrize("key", ["user:../../x", "api:..", "feishu:/abs", "user:.git", "a:con"])
def test_OWN_01_a_hostile_key_writes_nothing_outside_its_folder(
    ws: Workspace, root: Path, key: str
) -> None:
    before = {path for path in root.parent.rglob("*") if ".git" not in path.parts}
    ws.for_owner(key).remember("mine")
    new = {path for path in root.parent.rglob("*") if ".git" not in path.parts} - before
    assert new
    for path in new:
        assert (root / "owners") in (path, *path.parents)
    assert ws.owners() == [key]


@pytest.mark.parametrize("key", ["user:a\0b", "user:", "user: ", "nobody", ":x", " ", " system"])
def test_OWN_01_an_impossible_key_is_refused(ws: Workspace, root: Path, key: str) -> None:
    with pytest.raises(MnemofsError):
        ws.for_owner(key).remember("mine")
    assert not (root / "owners").exists()


@pytest.mark.parametrize("key", ["", " "])
def test_OWN_01_a_key_that_a_script_left_empty_is_not_everybody(
    ws: Workspace, cli: Cli, key: str
) -> None:
    for arguments in (
        ("remember", "something private"),
        ("search", "private"),
        ("context",),
        ("tools", "call", "remember", "--args", '{"content": "something private"}'),
    ):
        done = cli(*arguments, "--owner", key)
        assert done.code == 2 and "owner" in done.err and "empty" in done.err
    assert "private" not in (ws.read("MEMORY.md").content or b"").decode()


@pytest.mark.parametrize(
    "keys", [("user:Alice", "user:alice"), ("api:a/b", "api:a-b", "api:a b", "api:a_b")]
)
def test_OWN_02_OWN_03_owners_with_similar_keys_read_only_their_own(
    ws: Workspace, root: Path, keys: tuple[str, ...]
) -> None:
    for number, key in enumerate(keys):
        ws.for_owner(key).remember(f"zebra{number}")
    for number, key in enumerate(keys):
        view = ws.for_owner(key)
        text = (view.read("MEMORY.md").content or b"").decode()
        assert f"zebra{number}" in text and text.count("zebra") == 1
        hits = view.search("zebra0 zebra1 zebra2 zebra3", mode="lexical").hits
        assert [hit.owner for hit in hits if "zebra" in hit.text] == [key]
    folders = [path.name.casefold() for path in (root / "owners").iterdir()]
    assert len(set(folders)) == len(keys)
    assert ws.owners() == sorted(keys)


def test_a_persons_memory_is_a_repository_of_its_own(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    cli("remember", "private thing", "--owner", "user:42")
    assert git(root, "status", "--porcelain") == ""
    assert "owners" not in git(root, "ls-tree", "-r", "HEAD")
    own = root / "owners" / "user=3a42"
    assert "private thing" in git(own, "show", "HEAD:MEMORY.md")
    git(own, "fsck", "--strict")
    assert git(own, "status", "--porcelain") == ""
    assert cli("status", "--json", at=own).json["workspace"] == str(root)


def test_SRC_03_query_text_cannot_reach_another_owner(ws: Workspace) -> None:
    ws.remember("needle of the team")
    ws.for_owner("user:a").remember("needle of a")
    ws.for_owner("user:b").remember("needle of b")
    for query in ('owner_key:"user:b" OR needle', "needle OR 1", "NOT zzz", "owner:user:b needle"):
        hits = ws.for_owner("user:a").search(query, mode="lexical").hits
        assert all("of b" not in hit.text for hit in hits)
        assert {hit.owner for hit in hits} <= {"", "user:a"}
    assert all(hit.owner == "" for hit in ws.search("needle", mode="lexical").hits)


def test_SRC_07_many_memories_of_one_person_do_not_hide_anothers(ws: Workspace) -> None:
    lines = "".join(f"- kiwi number {number}\n" for number in range(200)).encode()
    ws.for_owner("user:b").write("MEMORY.md", lines)
    ws.for_owner("user:a").remember("kiwi of a")
    hits = ws.for_owner("user:a").search("kiwi", limit=10, mode="lexical").hits
    assert [hit.text for hit in hits if "kiwi" in hit.text] == [hits[0].text]


def test_context_shows_a_person_theirs_and_the_teams(ws: Workspace) -> None:
    ws.remember("team fact")
    ws.for_owner("user:a").remember("walrus to a")
    ws.for_owner("user:a").remember("answers in verse", kind="user", key="style")
    mine, theirs = ws.for_owner("user:a").context(), ws.for_owner("user:b").context()
    assert "team fact" in mine.system and "team fact" in theirs.system
    assert "walrus to a" in mine.prefetch and "answers in verse" in mine.prefetch
    assert "walrus" not in mine.system and "verse" not in mine.system
    assert theirs.prefetch == "" and mine.system == theirs.system


def test_isolation_can_be_switched_off(ws: Workspace, root: Path) -> None:
    with (root / "mnemofs.toml").open("a") as file:
        file.write("\n[owners]\nisolation = false\n")
    with Workspace.open(root) as shared:
        shared.for_owner("user:a").remember("shared by choice")
        assert "shared by choice" in (root / "MEMORY.md").read_text()
    assert not (root / "owners").exists()
