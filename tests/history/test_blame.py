"""Where each line came from: like git, and through what git does not follow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import NotFound
from mnemofs.index.timelines.timeline import Timeline
from mnemofs.store.past import history
from mnemofs.store.past.blame import Version, attribute
from tests.history.repo import Repo, on_branch
from tests.history.test_log import make_history


def blame(repo: Repo, path: str, rev: str = "HEAD") -> list[history.BlameLine]:
    """The blame, which must be the same read from objects and from the table."""
    plain = history.blame(repo.store, path, rev)
    with Timeline(repo.store) as timeline:
        assert timeline.refresh()
        assert timeline.lineage(repo.store.resolve(rev)) is not None
        assert history.blame(repo.store, path, rev, timeline=timeline) == plain
    return plain


def told(repo: Repo, path: str) -> list[tuple[str, str, str]]:
    return [(line.text, line.actor, line.trust) for line in blame(repo, path)]


def git_blame(repo: Repo, path: str, rev: str = "HEAD") -> list[str]:
    shown = repo.git("blame", "-l", "-s", "--root", "--no-abbrev", rev, "--", path)
    return re.findall(r"^\^?([0-9a-f]{40})", shown, re.MULTILINE)


def test_each_line_names_who_wrote_it_why_and_how_far_to_trust_it(repo: Repo) -> None:
    repo.commit(
        {"MEMORY.md": b"# Memory\n\n- first\n- from chat\n"},
        actor="extractor",
        source="conversation c1",
        owner="user:7",
    )
    repo.commit(
        {"MEMORY.md": b"# Memory\n\n- from a page\n- first\n- from chat\n"},
        actor="tool",
        source="https://example.org",
        trust="web",
    )
    lines = blame(repo, "MEMORY.md")
    assert [(line.line, line.text) for line in lines] == [
        (1, "# Memory"),
        (2, ""),
        (3, "- from a page"),
        (4, "- first"),
        (5, "- from chat"),
    ]
    assert [line.trust for line in lines] == ["agent", "agent", "web", "agent", "agent"]
    page, chat = lines[2], lines[4]
    assert (page.actor, page.source, page.author) == ("tool", "https://example.org", "mnemofs ada")
    assert (chat.actor, chat.source, chat.owner) == ("extractor", "conversation c1", "user:7")
    assert page.time == repo.now
    assert page.commit == repo.git("rev-parse", "HEAD").strip()


def test_a_line_that_a_dream_moves_keeps_its_author(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"# A\n\n- web fact\n\n# B\n\n- b\n"}, trust="web", actor="tool")
    repo.commit(
        {"MEMORY.md": b"# A\n\n- web fact\n- new\n\n# B\n\n- b, shortened\n"}, actor="dream"
    )
    assert told(repo, "MEMORY.md")[2] == ("- web fact", "tool", "web")
    assert told(repo, "MEMORY.md")[3] == ("- new", "dream", "agent")


def test_a_person_who_edits_by_hand_is_named(repo: Repo) -> None:
    (repo.root / "MEMORY.md").write_bytes(b"# Memory\n\n- first\n- by hand\n")
    repo.store.fold(quiet=0)
    assert told(repo, "MEMORY.md")[3] == ("- by hand", "person", "user")


@pytest.mark.parametrize("seed", range(6))
def test_merged_histories_are_blamed_like_git_blames_them(repo: Repo, seed: int) -> None:
    make_history(repo, 200 + seed, 40)
    same = total = 0
    for path in repo.store.tree():
        if path == "mnemofs.toml":
            continue
        ours, gits = blame(repo, path), git_blame(repo, path)
        assert [line.text for line in ours] == (repo.text(path) or b"").decode().splitlines()
        assert len(ours) == len(gits)
        total += len(gits)
        same += sum(line.commit == git for line, git in zip(ours, gits, strict=True))
    # Where one line stands several times, two alignments can both be right.
    assert same >= 0.9 * total


def test_both_sides_of_a_merge_keep_their_lines(repo: Repo) -> None:
    base = b"# Memory\n\n- a\n- b\n- c\n- d\n- e\n"
    repo.commit({"MEMORY.md": base}, actor="tool")
    with on_branch(repo, "laptop"):
        repo.commit({"MEMORY.md": base.replace(b"- a\n", b"- laptop\n- a\n")}, trust="web")
    repo.commit({"MEMORY.md": base + b"- desk\n"}, actor="extractor", trust="user")
    repo.git("merge", "-q", "--no-edit", "laptop")
    lines = {line.text: line for line in blame(repo, "MEMORY.md")}
    assert (lines["- laptop"].actor, lines["- laptop"].trust) == ("tool", "web")
    assert (lines["- desk"].actor, lines["- desk"].trust) == ("extractor", "user")
    assert [line.commit for line in blame(repo, "MEMORY.md")] == git_blame(repo, "MEMORY.md")


def test_undo_and_restore_do_not_launder_trust(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"# Memory\n\n- first\n- from the web\n"}, trust="web")
    repo.commit({"MEMORY.md": b"# Memory\n\n- first\n"}, "dream: dropped", actor="dream")
    change, _ = history.undo(repo.store)
    assert repo.store.commit(change).commit
    assert told(repo, "MEMORY.md")[3] == ("- from the web", "tool", "web")
    repo.commit({"MEMORY.md": None})
    repo.store.commit(history.restore_change(repo.store, "MEMORY.md", "HEAD~1"))
    assert told(repo, "MEMORY.md")[3] == ("- from the web", "tool", "web")


def test_a_source_that_only_looks_like_an_undo_is_harmless(repo: Repo) -> None:
    blob = repo.git("rev-parse", "HEAD:MEMORY.md").strip()
    ids = ["f" * 40, "0" * 40, "x", "", "é", blob]
    for source in [mark + one for mark in ("undo:", "restore:") for one in ids]:
        repo.commit({"MEMORY.md": source.encode() + b"\n"}, source=source)
        assert told(repo, "MEMORY.md") == [(source, "tool", "agent")]


def test_a_file_that_was_moved_keeps_its_authors(repo: Repo) -> None:
    repo.commit({"memory/2026-05-01.md": b"- told\n"}, actor="extractor", trust="web")
    repo.commit({"memory/2026-05-01.md": None, "memory/2026/05-01.md": b"- told\n"}, actor="tool")
    assert told(repo, "memory/2026/05-01.md") == [("- told", "extractor", "web")]


def test_blame_can_look_at_the_past(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"- one\n"})
    repo.commit({"MEMORY.md": b"- one\n- two\n"})
    repo.commit({"MEMORY.md": None})
    assert [line.text for line in blame(repo, "MEMORY.md", "HEAD~1")] == ["- one", "- two"]
    assert [line.text for line in blame(repo, "MEMORY.md", "HEAD~2")] == ["- one"]
    for path, rev in (("MEMORY.md", "HEAD"), ("no.md", "HEAD"), ("memory", "HEAD")):
        with pytest.raises(NotFound):
            history.blame(repo.store, path, rev)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        ("a\u2028b\nc\x0cd\n".encode(), ["a\u2028b", "c\x0cd"]),
        (b"\xff\xfe\n", ["��"]),
        ("\ufeff# T\n".encode(), ["\ufeff# T"]),
        (b"a\0b\n", ["a\0b"]),
    ],
)
def test_TXT_08_lines_end_at_line_feeds_only(repo: Repo, data: bytes, lines: list[str]) -> None:
    repo.by_hand({"odd.md": data})
    assert [line.text for line in blame(repo, "odd.md")] == lines


TEXTS = st.lists(
    st.lists(st.sampled_from([b"a", b"b", b"c", b"", b"d"]), max_size=8).map(b"\n".join),
    min_size=1,
    max_size=7,
)


@given(TEXTS, st.data())
@settings(max_examples=200)
def test_every_line_is_given_to_a_version_that_has_it(
    texts: list[bytes], data: st.DataObject
) -> None:
    versions = []
    for at in range(len(texts)):
        parents = data.draw(st.lists(st.integers(0, at - 1), unique=True, max_size=2)) if at else []
        versions.append(Version(str(at), str(at), tuple(parents)))
    owners = attribute(versions, lambda blob: texts[int(blob)])
    lines = texts[-1].split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    assert len(owners) == len(lines)
    for line, owner in zip(lines, owners, strict=True):
        assert line in texts[int(owner)].split(b"\n")
    # Starting from any version whose lines are known already gives the same.
    at = data.draw(st.integers(0, len(texts) - 1))
    before = tuple(attribute(versions[: at + 1], lambda blob: texts[int(blob)]))
    versions[at] = Version(str(at), str(at), (), before)
    assert attribute(versions, lambda blob: texts[int(blob)]) == owners


def test_the_next_blame_starts_from_the_last_one(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_WORTH_REMEMBERING", 3)
    lines = [b"# Memory\n"]
    with Timeline(repo.store) as timeline:
        for number in range(20):
            lines.insert(1 + number * 7 % len(lines), b"- %d\n" % number)
            repo.commit({"MEMORY.md": b"".join(lines)}, source=f"c{number}")
            plain = history.blame(repo.store, "MEMORY.md")
            assert history.blame(repo.store, "MEMORY.md", timeline=timeline) == plain
            if number > 3:
                assert timeline.attributed("MEMORY.md") is not None
        past = history.blame(repo.store, "MEMORY.md", "HEAD~9")
        assert history.blame(repo.store, "MEMORY.md", "HEAD~9", timeline=timeline) == past
        repo.git("reset", "-q", "--hard", "HEAD~2")
        repo.commit({"MEMORY.md": b"".join(lines[:5])})
        plain = history.blame(repo.store, "MEMORY.md")
        assert history.blame(repo.store, "MEMORY.md", timeline=timeline) == plain
