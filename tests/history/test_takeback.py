"""Restore and undo: the past comes back as a new commit, and nothing later is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.errors import EditRefused, NotFound
from mnemofs.store.model import Change, Committed
from mnemofs.store.past import history
from mnemofs.store.past.takeback import reverse
from tests.history.repo import Repo, on_branch


def undo(repo: Repo, commit: str | None = None) -> tuple[Committed, str]:
    repo.tick()
    change, undone = history.undo(repo.store, commit)
    return repo.store.commit(change), undone


def restore(repo: Repo, path: str, rev: str | None = None) -> Committed:
    repo.tick()
    edit = history.restore(repo.store, path, rev)
    return repo.store.commit(Change((edit,), "person", "restore"))


def head(repo: Repo) -> str:
    return repo.git("rev-parse", "HEAD").strip()


def clean(repo: Repo) -> None:
    assert repo.git("status", "--porcelain") == ""
    repo.git("fsck", "--strict")


def test_restore_makes_a_new_commit(repo: Repo) -> None:
    first = repo.text("MEMORY.md")
    old = head(repo)
    repo.commit({"MEMORY.md": b"- other\n"})
    done = restore(repo, "MEMORY.md", old)
    assert repo.text("MEMORY.md") == first
    assert done.commit == head(repo) and done.paths == ("MEMORY.md",)
    assert repo.git("rev-list", "--count", "HEAD").strip() == "3"
    assert restore(repo, "MEMORY.md", old).commit is None
    clean(repo)


def test_restore_brings_back_a_deleted_file(repo: Repo) -> None:
    repo.commit({"memory/2026-05-01.md": b"- kept?\n"})
    repo.commit({"memory/2026-05-01.md": None})
    restore(repo, "memory/2026-05-01.md")
    assert repo.text("memory/2026-05-01.md") == b"- kept?\n"
    clean(repo)


@pytest.mark.parametrize("moment", ["2026-05-01 12:01", "2026-05-01 12:01:30", "2026-05-01T12:01Z"])
def test_restore_understands_dates(repo: Repo, moment: str) -> None:
    repo.commit({"MEMORY.md": b"one\n"})
    repo.commit({"MEMORY.md": b"two\n"})
    restore(repo, "MEMORY.md", moment)
    assert repo.text("MEMORY.md") == b"one\n"


def test_restore_without_a_revision_goes_before_the_last_change_of_that_file(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"one\n"})
    repo.commit({"MEMORY.md": b"two\n"})
    repo.commit({"PROFILE.md": b"p\n"})
    restore(repo, "MEMORY.md")
    assert repo.text("MEMORY.md") == b"one\n"
    with pytest.raises(NotFound):
        history.restore(repo.store, "PROFILE.md")
    with pytest.raises(NotFound):
        history.restore(repo.store, "never.md")


def test_restore_keeps_a_hand_edit_in_history(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"two\n"})
    edit = history.restore(repo.store, "MEMORY.md", "HEAD~1")
    (repo.root / "MEMORY.md").write_bytes(b"two\nby hand\n")
    done = repo.store.commit(Change((edit,), "person", "restore"))
    assert done.folded is not None
    assert b"by hand" in repo.git("show", f"{done.folded}:MEMORY.md").encode()
    assert b"by hand" in (repo.text("MEMORY.md") or b"")


def test_a_folder_goes_back_as_a_whole(repo: Repo) -> None:
    repo.commit({"memory/a.md": b"a\n", "memory/b.md": b"b\n"})
    old = head(repo)
    repo.commit({"memory/a.md": b"changed\n", "memory/b.md": None, "memory/c.md": b"c\n"})
    with pytest.raises(EditRefused):
        history.restore(repo.store, "memory", old)
    done = repo.store.commit(history.restore_change(repo.store, "memory/", old))
    assert sorted(done.paths) == ["memory/a.md", "memory/b.md", "memory/c.md"]
    assert [repo.text(f"memory/{name}.md") for name in "abc"] == [b"a\n", b"b\n", None]
    undo(repo)
    assert [repo.text(f"memory/{name}.md") for name in "abc"] == [b"changed\n", None, b"c\n"]
    clean(repo)


def test_undo_steps_back_one_change_at_a_time(repo: Repo) -> None:
    texts = [repo.text("MEMORY.md")]
    for number in range(3):
        repo.commit({"MEMORY.md": b"- %d\n" % number}, f"change {number}")
        texts.append(repo.text("MEMORY.md"))
    for number in (2, 1, 0):
        done, undone = undo(repo)
        assert repo.text("MEMORY.md") == texts[number]
        assert repo.git("log", "-1", "--format=%s", undone).strip() == f"change {number}"
        assert repo.git("log", "-1", "--format=%s").strip() == f"undo: change {number}"
        assert done.conflicts == ()
    with pytest.raises(EditRefused, match="nothing left"):
        history.undo(repo.store)
    clean(repo)


def test_undoing_an_undo_is_a_redo_and_can_be_undone_again(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"new\n"}, "change")
    old = b"# Memory\n\n- first\n"
    steps = [("undo: change", old), ("redo: change", b"new\n"), ("undo: change", old)]
    commit: str | None = None
    for reason, text in steps:
        undo(repo, commit)
        commit = "HEAD"
        assert repo.text("MEMORY.md") == text
        assert repo.git("log", "-1", "--format=%s").strip() == reason


def test_after_a_redo_the_change_can_be_undone_without_naming_it(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"new\n"}, "change")
    undo(repo)
    undo(repo, "HEAD")
    _, undone = undo(repo)
    assert repo.git("log", "-1", "--format=%s", undone).strip() == "change"
    assert repo.text("MEMORY.md") == b"# Memory\n\n- first\n"


def test_undo_of_an_older_change_leaves_what_came_later(repo: Repo) -> None:
    note = "memory/2026-05-01.md"
    repo.commit({note: b"# 2026-05-01\n\n- a\n"})
    repo.commit({note: b"# 2026-05-01\n\n- a\n- b\n"})
    target = head(repo)
    repo.commit({note: b"# 2026-05-01\n\n- a\n- b\n- c\n"})
    done, undone = undo(repo, target)
    assert undone == target
    assert repo.text(note) == b"# 2026-05-01\n\n- a\n- c\n"
    assert done.conflicts == () and done.merged == ()


def test_undo_of_a_notes_first_entry_keeps_the_note(repo: Repo) -> None:
    note = "memory/2026-05-01.md"
    repo.commit({note: b"# 2026-05-01\n\n- a\n"})
    target = head(repo)
    repo.commit({note: b"# 2026-05-01\n\n- a\n- b\n"})
    undo(repo, target)
    assert repo.text(note) == b"# 2026-05-01\n\n- b\n"


def test_undo_of_a_deletion_and_of_a_creation(repo: Repo) -> None:
    repo.commit({"a.md": b"a\n"}, "create")
    repo.commit({"a.md": None}, "delete")
    undo(repo)
    assert repo.text("a.md") == b"a\n"
    undo(repo, "HEAD~2")
    assert repo.text("a.md") is None


def test_undo_of_lines_that_were_edited_since_loses_neither_text(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"# Memory\n\n- lives in Rome\n"})
    repo.commit({"MEMORY.md": b"# Memory\n\n- lives in Oslo\n"})
    target = head(repo)
    repo.commit({"MEMORY.md": b"# Memory\n\n- lives in Bergen\n"})
    done, _ = undo(repo, target)
    text = repo.text("MEMORY.md") or b""
    assert b"Bergen" in text and b"<<<<" not in text
    assert done.conflicts or b"Rome" in text


def test_undo_sees_a_hand_edit_that_is_not_committed_yet(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"# Memory\n\n- first\n- second\n"})
    (repo.root / "MEMORY.md").write_bytes(b"# Memory\n\n- first\n- second\n- by hand\n")
    undo(repo)
    assert repo.text("MEMORY.md") == b"# Memory\n\n- first\n- by hand\n"
    clean(repo)


def test_undo_of_a_dream_takes_back_all_it_wrote_together(repo: Repo) -> None:
    ledger = "ledger/2026-05.jsonl"
    repo.commit({ledger: b'{"kind": "feedback"}\n', "DREAMS.md": b"# Dreams\n"})
    before = {path: repo.text(path) for path in ("MEMORY.md", "DREAMS.md", ledger)}
    repo.commit(
        {
            "MEMORY.md": b"# Memory\n\n- first\n- promoted\n",
            "DREAMS.md": b"# Dreams\n\n## 2026-05-01\n\nA dream.\n",
            ledger: b'{"kind": "feedback"}\n{"kind": "dream", "cursor": "abc"}\n',
        },
        "dream: 1 entry promoted",
        actor="dream",
    )
    dream = head(repo)
    repo.commit(
        {ledger: (repo.text(ledger) or b"") + b'{"kind": "recall"}\n'}, "recall", actor="tool"
    )
    done, _ = undo(repo, dream)
    assert sorted(done.paths) == ["DREAMS.md", "MEMORY.md", ledger]
    assert done.conflicts == ()
    assert repo.text("MEMORY.md") == before["MEMORY.md"]
    assert repo.text("DREAMS.md") == before["DREAMS.md"]
    assert repo.text(ledger) == b'{"kind": "feedback"}\n{"kind": "recall"}\n'


def test_what_is_undone_already_is_not_undone_twice(repo: Repo) -> None:
    repo.commit({"MEMORY.md": b"# Memory\n\n- first\n- second\n"})
    target = head(repo)
    undo(repo, target)
    with pytest.raises(EditRefused, match="left to undo"):
        history.undo(repo.store, target)


def test_merges_and_the_first_commit_cannot_be_undone(repo: Repo) -> None:
    root = head(repo)
    with on_branch(repo, "side"):
        repo.by_hand({"side.md": b"s\n"})
    repo.by_hand({"MEMORY.md": b"m\n"})
    repo.git("merge", "-q", "--no-edit", "side")
    with pytest.raises(EditRefused, match="merge of two histories"):
        history.undo(repo.store, "HEAD")
    with pytest.raises(EditRefused, match="merge of two histories") as refused:
        history.undo(repo.store)
    assert "mnemofs undo COMMIT" in refused.value.hint
    with pytest.raises(EditRefused, match="first commit"):
        history.undo(repo.store, root)
    with pytest.raises(NotFound):
        history.undo(repo.store, "nope")
    undo(repo, "HEAD^2")
    assert repo.text("side.md") is None and repo.text("MEMORY.md") == b"m\n"


def test_undo_leaves_files_that_are_no_memory_and_says_so(repo: Repo) -> None:
    repo.by_hand({"MEMORY.md": b"m\n", "script.py": b"print()\n"})
    undo(repo)
    assert repo.text("script.py") == b"print()\n"
    assert "1 files that are no memory" in repo.git("log", "-1", "--format=%b")
    repo.by_hand({"other.py": b"1\n"})
    with pytest.raises(EditRefused):
        history.undo(repo.store)


def test_an_unborn_branch_has_nothing_to_undo(repo: Repo) -> None:
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    with pytest.raises(EditRefused, match="nothing left"):
        history.undo(repo.store)


WORDS = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=8).map(b"".join)


@given(WORDS, WORDS)
def test_reversing_at_once_gives_the_text_before(before: bytes, after: bytes) -> None:
    assert reverse(before, after, after) == before


@given(
    st.lists(st.integers(0, 99), unique=True, max_size=10),
    st.lists(st.integers(100, 199), unique=True, max_size=6),
    st.lists(st.integers(200, 299), unique=True, max_size=6),
    st.data(),
)
def test_reversing_keeps_every_later_line_and_drops_every_undone_one(
    base: list[int], added: list[int], later: list[int], data: st.DataObject
) -> None:
    def mixed(lines: list[int], fresh: list[int]) -> list[int]:
        out = list(lines)
        for number in fresh:
            out.insert(data.draw(st.integers(0, len(out))), number)
        return out

    def text(lines: list[int]) -> bytes:
        return b"".join(b"%d\n" % number for number in lines)

    after = mixed(base, added)
    present = mixed(after, later)
    result = reverse(text(base), text(after), text(present))
    if result is not None:
        assert result == text([number for number in present if number not in added])
