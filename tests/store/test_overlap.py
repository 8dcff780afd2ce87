"""Edits computed from bytes that are no longer there: nothing of either side is lost."""

from __future__ import annotations

import threading
import time

import pytest

from mnemofs.errors import EditRefused
from mnemofs.store.model import Actor, Change, Edit
from tests.store.conftest import Workspace

BASE = b"# Memory\n\n## Tea\n\n- oolong\n\n## Work\n\n- desk\n"


@pytest.fixture
def moved(ws: Workspace) -> tuple[Workspace, str]:
    """A workspace whose MEMORY.md a slow writer has read, and the blob it read."""
    ws.write("MEMORY.md", BASE)
    blob = ws.store.read("MEMORY.md").blob
    assert blob is not None
    return ws, blob


def test_CON_02_a_hand_edit_while_a_model_thinks_survives(moved: tuple[Workspace, str]) -> None:
    ws, blob = moved
    ws.by_hand("MEMORY.md", BASE + b"- by hand\n")
    proposal = BASE.replace(b"- oolong\n", b"- oolong\n- sencha\n")
    done = ws.store.commit(Change((Edit("MEMORY.md", blob, proposal),), "extractor", "turn"))
    text = (ws.root / "MEMORY.md").read_bytes()
    assert text.count(b"- by hand") == 1
    assert text.count(b"- sencha") == 1
    assert text.count(b"- oolong") == 1
    assert done.merged == ("MEMORY.md",)
    assert done.folded is not None
    assert f"Mnemofs-Base: {blob[:12]} MEMORY.md" in ws.git("log", "-1", "--format=%B")
    ws.sound()


def test_CON_02_the_base_may_be_bytes_no_commit_ever_held(ws: Workspace) -> None:
    ws.write("MEMORY.md", BASE)
    ws.by_hand("MEMORY.md", BASE + b"- first by hand\n")
    seen = ws.store.read("MEMORY.md")
    ws.by_hand("MEMORY.md", BASE + b"- first by hand\n- second by hand\n")
    proposal = (seen.content or b"").replace(b"- desk\n", b"- desk\n- lamp\n")
    ws.store.commit(Change((Edit("MEMORY.md", seen.blob, proposal),), "dream", "dream"))
    text = (ws.root / "MEMORY.md").read_bytes()
    for line in (b"- first by hand\n", b"- second by hand\n", b"- lamp\n", b"- desk\n"):
        assert text.count(line) == 1, text


def test_a_contradiction_keeps_both_texts_and_says_so(ws: Workspace) -> None:
    said = b"# Memory\n\n- drinks a pot of oolong tea every morning at seven\n"
    ws.write("MEMORY.md", said)
    blob = ws.store.read("MEMORY.md").blob
    ws.write("MEMORY.md", said.replace(b"oolong", b"assam"))
    change = Change((Edit("MEMORY.md", blob, said.replace(b"oolong", b"sencha")),), "dream", "d")
    done = ws.store.commit(change)
    text = (ws.root / "MEMORY.md").read_bytes()
    assert b"assam" in text
    assert b"sencha" in text
    assert b"<<<<" not in text
    assert len(done.conflicts) == 1
    assert "Mnemofs-Conflict: MEMORY.md" in ws.git("log", "-1", "--format=%B")


@pytest.mark.parametrize(("actor", "city"), [("dream", b"Lima"), ("tool", b"Oslo")])
def test_a_machine_on_its_own_does_not_outvote_a_hand(
    ws: Workspace, actor: Actor, city: bytes
) -> None:
    ws.write("PROFILE.md", b"city: Rome\n")
    blob = ws.store.read("PROFILE.md").blob
    ws.by_hand("PROFILE.md", b"city: Lima\n")
    done = ws.store.commit(Change((Edit("PROFILE.md", blob, b"city: Oslo\n"),), actor, "d"))
    assert (ws.root / "PROFILE.md").read_bytes() == b"city: " + city + b"\n"
    assert [conflict.kind for conflict in done.conflicts] == ["value"]


@pytest.mark.parametrize("odd", ["# hi\n".encode("utf-16"), b"caf\xe9\n"])
def test_TXT_02_bytes_that_are_no_text_are_never_merged_over(ws: Workspace, odd: bytes) -> None:
    ws.write("note.md", b"plain\n")
    blob = ws.store.read("note.md").blob
    ws.by_hand("note.md", odd)
    done = ws.store.commit(Change((Edit("note.md", blob, b"plain\nmore\n"),), "tool", "t"))
    assert (ws.root / "note.md").read_bytes() == odd
    assert [conflict.kind for conflict in done.conflicts] == ["unreadable"]
    assert done.commit is None


def test_a_replay_meets_the_present_bytes(moved: tuple[Workspace, str]) -> None:
    ws, blob = moved
    ws.write("MEMORY.md", b"short\n")
    edit = Edit("MEMORY.md", blob, BASE + b"- x\n", lambda now: (now or b"") + b"- x\n")
    done = ws.store.commit(Change((edit,), "tool", "append"))
    assert (ws.root / "MEMORY.md").read_bytes() == b"short\n- x\n"
    assert done.merged == ("MEMORY.md",)
    assert done.conflicts == ()


def test_a_replay_that_refuses_changes_nothing(moved: tuple[Workspace, str]) -> None:
    ws, blob = moved
    ws.write("MEMORY.md", b"short\n")
    before = ws.head()

    def refuse(_: bytes | None) -> bytes:
        raise EditRefused("the text is not there any more")

    with pytest.raises(EditRefused):
        ws.store.commit(Change((Edit("MEMORY.md", blob, b"x", refuse),), "tool", "replace"))
    assert ws.head() == before
    assert ws.store.dirty() == ()


def test_deleting_what_somebody_just_changed_keeps_their_text(moved: tuple[Workspace, str]) -> None:
    ws, blob = moved
    ws.write("MEMORY.md", BASE + b"- new\n")
    done = ws.store.commit(Change((Edit("MEMORY.md", blob, None),), "tool", "rm"))
    assert done.commit is None
    assert [conflict.kind for conflict in done.conflicts] == ["edit/delete"]
    assert (ws.root / "MEMORY.md").read_bytes() == BASE + b"- new\n"


def test_changing_what_somebody_just_deleted_keeps_the_change(moved: tuple[Workspace, str]) -> None:
    ws, blob = moved
    (ws.root / "MEMORY.md").unlink()
    ws.by_hand("stays.md", b"x")
    change = Change((Edit("MEMORY.md", blob, BASE + b"- new\n"),), "dream", "dream")
    done = ws.store.commit(change)
    assert (ws.root / "MEMORY.md").read_bytes() == BASE + b"- new\n"
    assert [conflict.kind for conflict in done.conflicts] == ["edit/delete"]
    assert done.folded is not None


def test_deleting_what_is_gone_already_is_nothing(moved: tuple[Workspace, str]) -> None:
    ws, blob = moved
    ws.write("MEMORY.md", None)
    assert ws.store.commit(Change((Edit("MEMORY.md", blob, None),), "tool", "rm")).commit is None


def test_two_who_create_the_same_file_are_both_kept(ws: Workspace) -> None:
    ws.write("note.md", b"- mine\n")
    ws.store.commit(Change((Edit("note.md", None, b"- yours\n"),), "tool", "create"))
    text = (ws.root / "note.md").read_bytes()
    assert b"- mine\n" in text
    assert b"- yours\n" in text


def test_a_user_who_commits_the_same_file_with_git_loses_nothing(
    moved: tuple[Workspace, str],
) -> None:
    ws, blob = moved
    ws.by_hand("MEMORY.md", BASE + b"- by git\n")
    identity = ("-c", "user.name=u", "-c", "user.email=u@example.invalid")
    ws.git(*identity, "commit", "-qam", "mine")
    change = Change((Edit("MEMORY.md", blob, BASE.replace(b"desk", b"chair")),), "dream", "d")
    ws.store.commit(change)
    text = ws.committed("MEMORY.md")
    assert b"- by git\n" in text
    assert b"- chair\n" in text
    ws.sound()


@pytest.mark.parametrize("how", ["append", "replace"])
def test_a_hand_that_writes_all_the_time_is_never_overwritten(ws: Workspace, how: str) -> None:
    """Edits land in any instant of the protocol: in place, and by rename."""
    ws.write("busy.md", b"")
    stop = threading.Event()
    written: list[bytes] = []

    def hand() -> None:
        number = 0
        while not stop.is_set():
            line = b"- hand %d\n" % number
            if how == "append":
                with open(ws.root / "busy.md", "ab") as file:
                    file.write(line)
                written.append(line)
            number += 1
            time.sleep(0.4)

    def replacing_hand() -> None:
        number = 0
        while not stop.is_set():
            ws.by_hand(f"extra-{number}.md", b"- hand %d\n" % number)
            number += 1
            time.sleep(0.05)

    thread = threading.Thread(target=hand if how == "append" else replacing_hand)
    thread.start()
    ours = []
    end = time.monotonic() + 3
    number = 0
    while time.monotonic() < end:
        line = b"- ours %d\n" % number
        ws.append("busy.md", line)
        ours.append(line)
        number += 1
    stop.set()
    thread.join()
    ws.store.fold()
    text = ws.committed("busy.md")
    assert [line for line in ours + written if text.count(line) != 1] == []
    ws.sound()


def test_a_write_in_the_last_instant_before_the_rename_is_taken_back(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemofs.store.commit import worktree

    ws.write("MEMORY.md", BASE)
    place = worktree.Placement.place

    def meddle(self: worktree.Placement) -> set[str]:
        # After the last look at the file, before its rename.
        with open(ws.root / "MEMORY.md", "ab") as file:
            file.write(b"- last instant\n")
        monkeypatch.setattr(worktree.Placement, "place", place)
        return place(self)

    monkeypatch.setattr(worktree.Placement, "place", meddle)
    seen = ws.store.read("MEMORY.md")
    text = (seen.content or b"").replace(b"oolong", b"sencha")
    ws.store.commit(Change((Edit("MEMORY.md", seen.blob, text),), "tool", "edit"))
    final = ws.committed("MEMORY.md")
    assert b"- last instant\n" in final
    assert b"sencha" in final
    assert b"oolong" not in final
    assert ws.actor() == "person"
    ws.sound()


@pytest.mark.parametrize("same_file", [True, False])
def test_a_branch_that_moves_in_the_middle_of_a_write_is_built_upon(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, same_file: bool
) -> None:
    from mnemofs.store.disk.locks import GitLock

    ws.write("MEMORY.md", BASE)
    take = GitLock.take
    path = "MEMORY.md" if same_file else "other.md"

    def meddle(self: GitLock, *args: object) -> None:
        monkeypatch.setattr(GitLock, "take", take)
        identity = ("-c", "user.name=u", "-c", "user.email=u@example.invalid")
        with open(ws.root / path, "ab") as file:
            file.write(b"- by git\n")
        ws.git("add", path)
        ws.git(*identity, "commit", "-qm", "theirs")
        take(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(GitLock, "take", meddle)
    seen = ws.store.read("MEMORY.md")
    text = (seen.content or b"").replace(b"oolong", b"sencha")
    ws.store.commit(Change((Edit("MEMORY.md", seen.blob, text),), "tool", "edit"))
    assert b"sencha" in ws.committed("MEMORY.md")
    assert b"oolong" not in ws.committed("MEMORY.md")
    assert ws.committed(path).count(b"- by git\n") == 1
    assert "theirs" in ws.git("log", "--format=%s")
    ws.sound()
