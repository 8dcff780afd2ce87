"""Differences for people and for `git apply`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemofs.errors import NotFound
from mnemofs.store.git.objects import blob_id
from mnemofs.store.past import history
from mnemofs.store.past.diffing import FileDiff, FileSide, diff_file, quoted
from tests.history.repo import Repo

LINES = st.sampled_from(
    [
        "# Head",
        "## Sub ##",
        "- a",
        "- b",
        "",
        "```",
        "tea: green",
        "a\u2028b",
        "x\r",
        "é",
        "\0",
        "\\",
    ]
)
TEXT = st.lists(LINES, max_size=25).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "".join(f"{line}\n" for line in lines)])
).map(str.encode)  # fmt: skip


def side(content: bytes) -> FileSide:
    return FileSide(content, blob_id(content))


def replayed(hunks: FileDiff, old: bytes) -> bytes:
    """`old` with the numbered lines of a diff applied, as a person would read them."""
    lines = old.decode().split("\n")
    out: list[str] = []
    at = 0
    for hunk in hunks.hunks:
        first = min((line.old_line for line in hunk.lines if line.old_line), default=None)
        start = first - 1 if first else hunk.old_start
        out += lines[at:start]
        at = start
        for line in hunk.lines:
            if line.kind != "+":
                assert lines[at].removesuffix("\r") == line.text
                at += 1
            if line.kind != "-":
                out.append(line.text)
    return "\n".join(line.removesuffix("\r") for line in out + lines[at:]).encode()


@given(TEXT, TEXT)
@settings(max_examples=150)
def test_the_numbered_lines_lead_from_old_to_new(old: bytes, new: bytes) -> None:
    diff = diff_file("a.md", side(old), side(new))
    wanted = new.replace(b"\r\n", b"\n").replace(b"\r", b"")
    assert replayed(diff, old).rstrip(b"\n") == wanted.rstrip(b"\n")
    assert diff.added == sum(line.kind == "+" for hunk in diff.hunks for line in hunk.lines)
    for hunk in diff.hunks:
        kinds = [line.kind for line in hunk.lines]
        assert hunk.old_count == len(kinds) - kinds.count("+")
        assert hunk.new_count == len(kinds) - kinds.count("-")


@given(st.lists(st.tuples(TEXT | st.none(), TEXT | st.none()), min_size=1, max_size=12))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_git_applies_the_patches(
    repo: Repo, pairs: list[tuple[bytes | None, bytes | None]]
) -> None:
    names = ["plain.md", "with space.md", 'quo"te.md', "back\\slash.md", "é/日本.md", "tab\t.md"]
    patch = b""
    wanted: dict[Path, bytes | None] = {}
    for number, (old, new) in enumerate(pairs):
        path = f"{number}/{names[number % len(names)]}"
        place = repo.root / path
        if place.exists():
            place.unlink()
        if old is None and new is None:
            continue
        if old is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(old)
        if old != new:
            patch += diff_file(
                path, side(old) if old is not None else None, side(new) if new is not None else None
            ).patch
        wanted[place] = new
    if patch:
        repo.git("apply", "--whitespace=nowarn", "-p1", "-", stdin=patch)
    for place, content in wanted.items():
        assert (place.read_bytes() if place.exists() else None) == content


def test_a_diff_names_the_section_and_the_words(repo: Repo) -> None:
    text = "# Me\n\n## City\n\nlives in Rome\n\n## Tea\n\n```\n# no heading\n```\n\ngreen tea\n"
    repo.commit({"PROFILE.md": text.encode()})
    new = text.replace("Rome", "Oslo").replace("green", "black")
    repo.commit({"PROFILE.md": new.encode()})
    (file,) = history.diff(repo.store, "HEAD~1", "HEAD")
    assert (file.path, file.status, file.added, file.removed) == ("PROFILE.md", "modified", 2, 2)
    assert [hunk.heading for hunk in file.hunks] == [("Me", "City"), ("Me", "Tea")]
    marked = {
        (line.kind, line.text[start:end])
        for hunk in file.hunks
        for line in hunk.lines
        for start, end in line.spans
    }
    assert marked == {("-", "Rome"), ("+", "Oslo"), ("-", "green"), ("+", "black")}
    assert "@@ -2,7 +2,7 @@ City" in file.unified


def test_setext_headings_count_as_sections() -> None:
    old, new = b"Title\n=====\n\nPart\n----\n\n- a\n", b"Title\n=====\n\nPart\n----\n\n- b\n"
    assert diff_file("a.md", side(old), side(new)).hunks[0].heading == ("Title", "Part")


def test_every_kind_of_change_between_two_commits(repo: Repo) -> None:
    repo.commit({"gone.md": b"x\n", "kept.md": b"y\n", "memory/a.md": b"1\n"})
    first = repo.git("rev-parse", "HEAD").strip()
    repo.commit({"gone.md": None, "new.md": b"z\n", "memory/a.md": b"2\n"})
    found = history.diff(repo.store, first, "HEAD")
    assert [(file.path, file.status) for file in found] == [
        ("gone.md", "deleted"),
        ("memory/a.md", "modified"),
        ("new.md", "added"),
    ]
    assert history.diff(repo.store, "HEAD", "HEAD") == []
    assert [file.path for file in history.diff(repo.store, first, "HEAD", path="memory")] == [
        "memory/a.md"
    ]
    assert [file.path for file in history.show(repo.store, "HEAD", path="new.md")] == ["new.md"]
    assert history.show(repo.store, "HEAD") == found
    with pytest.raises(NotFound):
        history.diff(repo.store, "nope", "HEAD")


def test_the_first_commit_shows_everything_as_added(repo: Repo) -> None:
    root = repo.git("rev-list", "--max-parents=0", "HEAD").strip()
    assert {file.status for file in history.show(repo.store, root)} == {"added"}


def test_the_work_tree_against_a_revision(repo: Repo) -> None:
    repo.commit({"memory/a.md": b"1\n", "memory/b.md": b"1\n"})
    repo.commit({"memory/c.md": b"1\n"})
    assert history.diff(repo.store) == []
    (repo.root / "memory/a.md").write_bytes(b"2\n")
    (repo.root / "memory/b.md").unlink()
    (repo.root / "memory/new.md").write_bytes(b"n\n")
    assert [(file.path, file.status) for file in history.diff(repo.store)] == [
        ("memory/a.md", "modified"),
        ("memory/b.md", "deleted"),
        ("memory/new.md", "added"),
    ]
    assert [file.path for file in history.diff(repo.store, "HEAD~1")] == [
        "memory/a.md",
        "memory/b.md",
        "memory/c.md",
        "memory/new.md",
    ]
    patch = b"".join(file.patch for file in history.diff(repo.store))
    repo.git("stash", "-q", "-u")
    repo.git("apply", "-", stdin=patch)
    assert repo.text("memory/a.md") == b"2\n" and repo.text("memory/new.md") == b"n\n"


@pytest.mark.parametrize("data", [b"caf\xe9\n", b"\xff\xfea\0b\0", bytes(range(256))])
def test_what_is_no_text_is_said_so(repo: Repo, data: bytes) -> None:
    repo.by_hand({"odd.md": data})
    (file,) = history.show(repo.store, "HEAD", path="odd.md")
    assert file.note == f"not UTF-8 text, {len(data)} bytes"
    assert file.hunks == ()
    assert "Binary files /dev/null and b/odd.md differ" in file.unified


def test_a_changed_mode_is_shown(repo: Repo) -> None:
    (repo.root / "MEMORY.md").chmod(0o755)
    repo.by_hand({})
    (file,) = history.show(repo.store)
    assert "old mode 100644\nnew mode 100755\n" in file.unified
    assert (file.added, file.removed) == (0, 0)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b.md", "a b.md"),
        ("é.md", "é.md"),
        ('q"q', '"q\\"q"'),
        ("t\tt", '"t\\tt"'),
        ("\udce9", '"\\351"'),
        ("\x01", '"\\001"'),
    ],
)
def test_names_are_quoted_like_git_does(name: str, shown: str) -> None:
    assert quoted(name) == shown
