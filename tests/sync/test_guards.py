"""What a sync refuses, and that nothing is changed when it does."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemofs.errors import GuardRefused
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.trees import FILE, GITLINK, SYMLINK
from mnemofs.store.sharing.guards import (
    MassDeletion,
    PurgedHistory,
    RewrittenRemote,
    SecretFound,
    UnrelatedHistory,
    UnsafeTree,
    check_arriving,
    check_deletions,
)
from tests.sync.conftest import Git, Machine, Outcome

Two = tuple[Machine, Machine]
WHO = ("-c", "user.name=Bo", "-c", "user.email=bo@example.invalid")
Cli = Callable[..., Outcome]
NOTES = {f"memory/2026-05-0{day}.md": f"# 2026-05-0{day}\n\n- {day}\n" for day in range(1, 6)}


def state(one: Machine) -> dict[str, Any]:
    """All that a refused sync must leave alone."""
    files = {
        os.path.relpath(os.path.join(folder, name), one.root): Path(folder, name).read_bytes()
        for folder, _, names in os.walk(one.root)
        if ".git" not in folder and ".mnemofs" not in folder
        for name in names
    }
    return {"files": files, "head": one.head(), "branch": one.git("symbolic-ref", "HEAD")}


def refused(one: Machine, cli: Cli, kind: type[GuardRefused], *options: str) -> Outcome:
    """Sync, once as a library and once as a command; nothing may have changed."""
    before = state(one)
    remote = one.git("ls-remote", "origin")
    with pytest.raises(kind):
        one.sync()
    done = cli(one.root, "sync", *options)
    assert done.code == 3
    assert "Traceback" not in done.err
    assert len([line for line in done.err.splitlines() if line.startswith("error: ")]) == 1
    assert state(one) == before
    assert one.git("ls-remote", "origin") == remote
    rescue = one.git("for-each-ref", "--format=%(objectname)", "refs/mnemofs/rescue").split()
    assert rescue == [before["head"]]
    assert one.ws.status().warnings[0].startswith("the last sync was refused")
    one.sound()
    return done


def test_SYN_04_a_rewritten_remote_stops_the_sync_again_and_again(
    way: str, two: Two, pushed: Callable[..., str], cli: Cli
) -> None:
    a, b = two
    for path, text in NOTES.items():
        a.write(path, text)
    a.sync()
    b.sync()
    pushed({"README.md": "# new\n"}, onto=False)
    b.write("memory/own.md", "- mine\n")
    done = refused(b, cli, RewrittenRemote)
    assert "rewritten" in done.err
    for _ in range(2):
        refused(b, cli, RewrittenRemote)
    assert {path for path in NOTES if (b.root / path).exists()} == set(NOTES)


def test_a_user_s_own_git_fetch_does_not_hide_the_rewriting(
    two: Two, pushed: Callable[..., str]
) -> None:
    _, b = two
    pushed({"README.md": "# new\n"}, onto=False)
    b.git("fetch", "-q", "origin")
    with pytest.raises(RewrittenRemote):
        b.sync()


def test_an_amended_remote_is_a_rewritten_one(
    two: Two, hub: Path, git: Git, tmp_path: Path, pushed: Callable[..., str]
) -> None:
    a, b = two
    pushed({"memory/x.md": "- one\n"})
    b.sync()
    git(hub, "update-ref", "refs/heads/main", a.head())
    with pytest.raises(RewrittenRemote):
        b.sync()
    assert b.text("memory/x.md") == "- one\n"


def test_a_branch_that_was_deleted_there_is_not_filled_anew(
    way: str, two: Two, hub: Path, git: Git
) -> None:
    a, _ = two
    git(hub, "update-ref", "-d", "refs/heads/main")
    with pytest.raises(RewrittenRemote, match="gone"):
        a.sync()
    assert git(hub, "for-each-ref") == ""
    a.ws.remove_remote()
    a.ws.add_remote(str(hub))
    assert a.sync().status == "pushed"


def test_a_remote_that_holds_another_memory_is_refused(
    way: str, machine: Callable[..., Machine], two: Two, hub: Path, cli: Cli
) -> None:
    c = machine("c", agent="eve")
    c.ws.add_remote(str(hub))
    done = refused(c, cli, UnrelatedHistory)
    assert "init --from" in done.err


@pytest.mark.parametrize("emptied", [False, True], ids=["deleted", "emptied"])
def test_SYN_05_a_remote_that_was_emptied_stops_the_sync_unless_it_is_meant(
    way: str, two: Two, pushed: Callable[..., str], cli: Cli, emptied: bool
) -> None:
    a, b = two
    for path, text in NOTES.items():
        a.write(path, text)
    a.sync()
    b.sync()
    pushed(dict.fromkeys((*NOTES, "MEMORY.md"), "\n" if emptied else None))
    b.write("PROFILE.md", "# Profile\n\n- own\n")
    done = refused(b, cli, MassDeletion)
    assert "--allow-deletions" in done.err
    meant = cli(b.root, "sync", "--allow-deletions", "--json")
    assert meant.code == 0, meant.out
    assert all((b.root / path).exists() == emptied for path in (*NOTES, "MEMORY.md"))
    assert b.text("PROFILE.md") == "# Profile\n\n- own\n"
    b.sound()


@pytest.mark.parametrize(
    ("ours", "gone", "stops"),
    [
        (40, 9, False),
        (40, 10, True),
        (6, 2, False),
        (6, 3, True),
        (1, 1, True),
        (2, 1, False),
    ],
)
def test_how_much_is_a_mass_deletion(ours: int, gone: int, stops: bool) -> None:
    files = {f"notes/{number}.md": (FILE, blob_id(b"%d\n" % number)) for number in range(ours)}
    texts = {blob_id(b"%d\n" % number): b"%d\n" % number for number in range(ours)}
    merged = dict(list(files.items())[gone:])
    if stops:
        with pytest.raises(MassDeletion):
            check_deletions(files, merged, texts.__getitem__, allowed=False)
    else:
        assert len(check_deletions(files, merged, texts.__getitem__, allowed=False)) == gone
    assert len(check_deletions(files, merged, texts.__getitem__, allowed=True)) == gone


def test_files_that_only_moved_are_no_deletions() -> None:
    files = {f"memory/{number}.md": (FILE, blob_id(b"%d\n" % number)) for number in range(9)}
    texts = {blob_id(b"%d\n" % number): b"%d\n" % number for number in range(9)}
    merged = {path.replace("memory/", "memory/2026/"): entry for path, entry in files.items()}
    assert check_deletions(files, merged, texts.__getitem__, allowed=False) == ()


@pytest.mark.parametrize("folder", ["memory", "structured", "memories"])
def test_a_whole_folder_is_a_mass_deletion(folder: str) -> None:
    texts = {blob_id(b"%d\n" % number): b"%d\n" % number for number in range(30)}
    ids = list(texts)
    files = {f"notes/{number}.md": (FILE, ids[number]) for number in range(28)}
    merged = dict(files)
    files |= {f"{folder}/a.md": (FILE, ids[28]), f"{folder}/b.md": (FILE, ids[29])}
    with pytest.raises(MassDeletion, match="2 of 30"):
        check_deletions(files, merged, texts.__getitem__, allowed=False)


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".GIT/x.md",
        "git~1/x.md",
        "GIT~2/x.md",
        ".git./x.md",
        ".git /x.md",
        ".g\u200cit/x.md",
        ".git::$INDEX_ALLOCATION/x.md",
        "memory/.git/hooks/post-checkout",
        "memory\\..\\x.md",
        "a/../../x.md",
        "owners/user=3a1/MEMORY.md",
        "Owners/x.md",
        ".mnemofs/index.db",
        "memory/a\nb.md",
    ],
)
def test_SEC_03_a_pulled_name_that_could_reach_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(UnsafeTree):
        check_arriving({path: (FILE, "0" * 40)}, {}, lambda _: b"")


@pytest.mark.parametrize(
    "path", [".gitignore.md", ".gitattributes", ".github/x.yml", "memory/.gitkeep", "git/x.md",
             "structured/v1..v2.md", "memory/what: why?.md", "owner/x.md", "aux.md"]
)  # fmt: skip
def test_a_pulled_name_that_only_looks_odd_is_taken(path: str) -> None:
    check_arriving({path: (FILE, "0" * 40)}, {}, lambda _: b"")


@pytest.mark.parametrize(
    ("path", "target", "safe"),
    [
        ("CLAUDE.md", "AGENTS.md", True),
        ("memory/x.md", "../MEMORY.md", True),
        ("memory/x.md", "2026-05-01.md", True),
        ("x.md", "/etc/passwd", False),
        ("x.md", "../x", False),
        ("memory/x.md", "../../x", False),
        ("x.md", "memory/../../x", False),
        ("x.md", ".git/config", False),
        ("memory/x.md", "../.git/hooks/pre-commit", False),
        ("x.md", "owners/user=3a1/MEMORY.md", False),
        ("x.md", "", False),
    ],
)
def test_SEC_02_a_pulled_link_must_stay_inside(path: str, target: str, safe: bool) -> None:
    tree = {path: (SYMLINK, "0" * 40)}
    if safe:
        check_arriving(tree, {}, lambda _: target.encode())
    else:
        with pytest.raises(UnsafeTree):
            check_arriving(tree, {}, lambda _: target.encode())


def test_a_link_out_of_the_folder_never_reaches_the_disk(
    way: str, two: Two, pushed: Callable[..., str], cli: Cli
) -> None:
    _, b = two

    def link(clone: Path) -> None:
        (clone / "memory").mkdir()
        (clone / "memory" / "2026-05-01.md").symlink_to("/etc/passwd")

    pushed(do=link)
    refused(b, cli, UnsafeTree)
    assert not os.path.lexists(b.root / "memory" / "2026-05-01.md")


def test_GIT_08_a_submodule_is_refused(
    two: Two, pushed: Callable[..., str], git: Git, cli: Cli
) -> None:
    _, b = two

    def submodule(clone: Path) -> None:
        git(clone, "init", "-q", "sub")
        git(clone / "sub", *WHO, "commit", "-q", "--allow-empty", "-m", "inner")

    pushed(do=submodule)
    refused(b, cli, UnsafeTree)
    check_arriving({"sub": (GITLINK, "1" * 40)}, {"sub": (GITLINK, "1" * 40)}, lambda _: b"")


def test_TXT_10_a_pulled_twin_is_refused_named_and_the_good_spelling_stays_in_use(
    two: Two, pushed: Callable[..., str], cli: Cli
) -> None:
    a, b = two
    a.write("memory/2026-05-01.md", "# 2026-05-01\n\n- good\n")
    a.sync()
    b.sync()
    pushed({"memory.md": "# bad\n", "Memory/2026-05-01.md": "# bad\n"})
    done = refused(b, cli, UnsafeTree)
    assert "memory.md" in done.err or "Memory/2026-05-01.md" in done.err
    status = cli(b.root, "status")
    assert "MEMORY.md" in status.err or "memory/2026-05-01.md" in status.err
    assert b.ws.context().system.count("# bad") == 0


def test_TXT_10_a_twin_that_plain_git_pulled_is_reported_and_not_used(
    two: Two, pushed: Callable[..., str], cli: Cli
) -> None:
    _, b = two
    pushed({"memory.md": "# bad\n", "Memory/2026-05-01.md": "# bad\n"})
    b.git("pull", "-q", "origin", "main")
    status = cli(b.root, "status")
    assert "memory.md is another spelling of MEMORY.md" in status.err
    assert b.ws.context().system.count("# bad") == 0
    b.write("memory/2026-05-02.md", "- x\n")
    b.sync()
    b.sound()


def test_TXT_10_two_machines_that_chose_two_spellings_get_one_file(two: Two) -> None:
    a, b = two
    a.write("notes/Plan.md", "# Plan\n\n- from a\n")
    b.write("notes/plan.md", "# Plan\n\n- from b\n")
    a.sync()
    b.sync()
    a.sync()
    assert a.tree() == b.tree()
    assert os.listdir(a.root / "notes") == os.listdir(b.root / "notes") == ["Plan.md"]
    assert "- from a\n" in b.text("notes/Plan.md")
    assert "- from b\n" in b.text("notes/Plan.md")
    b.sound()


SECRET = "ghp_" + "a1B2" * 9


def test_SEC_07_a_push_that_holds_a_secret_is_refused_and_names_the_line(
    way: str, two: Two, hub: Path, git: Git, cli: Cli
) -> None:
    _, b = two
    b.by_hand("memory/keys.md", f"# Keys\n\n- fine\n- token {SECRET}\n")
    done = cli(b.root, "sync")
    assert done.code == 3
    assert "memory/keys.md:4" in done.err
    assert "purge" in done.err
    assert SECRET not in done.err + done.out
    assert SECRET not in git(hub, "log", "-p", "--all")
    b.by_hand("memory/keys.md", "# Keys\n\n- fine\n")
    with pytest.raises(SecretFound):  # it still stands in the commit before
        b.sync()
    assert cli(b.root, "sync", "--allow-secrets").code == 0


def test_a_secret_that_the_remote_has_already_does_not_stop_later_pushes(
    two: Two, pushed: Callable[..., str]
) -> None:
    _, b = two
    pushed({"memory/keys.md": f"- token {SECRET}\n"})
    b.sync()
    b.write("memory/keys.md", f"- token {SECRET}\n- more\n")
    assert b.sync().status == "pushed"


def test_what_was_purged_cannot_come_back_by_an_old_clone(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    b.write("memory/old.md", "- old\n")
    gone = b.head()
    monkeypatch.setattr("mnemofs.store.sharing.sync.purged", lambda *_: frozenset({gone}))
    with pytest.raises(PurgedHistory, match="this clone"):
        b.sync()
    monkeypatch.undo()
    b.sync()
    monkeypatch.setattr("mnemofs.store.sharing.sync.purged", lambda *_: frozenset({gone}))
    with pytest.raises(PurgedHistory, match="origin"):
        a.sync()
    assert not (a.root / "memory/old.md").exists()


MARKED = "# Memory\n\n<<<<<<< HEAD\n- one\n=======\n- two\n>>>>>>> other\n"
FENCED = "# How to merge\n\n```\n<<<<<<< HEAD\n- one\n=======\n- two\n>>>>>>> other\n```\n"


def test_SYN_07_markers_that_arrive_are_flagged_and_not_shown_to_agents(
    two: Two, pushed: Callable[..., str], cli: Cli
) -> None:
    _, b = two
    today = f"memory/{b.ws.clock.today()}.md"
    b.write(today, "# Today\n\n- fine\n")
    b.sync()
    pushed({"MEMORY.md": MARKED, "PROFILE.md": FENCED, "memory/2026-05-01.md": MARKED})
    done = cli(b.root, "sync")
    assert done.code == 0
    assert "MEMORY.md holds conflict markers from line 3" in done.err
    assert "PROFILE.md" not in done.err
    status = cli(b.root, "status", "--json")
    assert sum("conflict markers" in text for text in status.json["warnings"]) == 2
    found = b.ws.context(query="two")
    assert "=======\n- two\n>>>>>>> other" in found.system  # the fenced example
    assert found.system.count("<<<<<<<") == 1
    assert "<<<<<<<" not in found.prefetch
    assert any("MEMORY.md" in text and "markers" in text for text in found.warnings)
    dream = b.ws.dream()
    assert dream.status == "skipped"
    assert "MEMORY.md holds conflict markers" in dream.reason
    assert b.text("MEMORY.md") == MARKED
    b.write("MEMORY.md", "# Memory\n\n- one\n- two\n")
    b.write(today, MARKED)
    assert any(today in text and "markers" in text for text in b.ws.dream().warnings)
    b.write(today, "# Today\n")
    b.write("memory/2026-05-01.md", "# 2026-05-01\n\n- one\n")
    assert not any("markers" in text for text in b.ws.status().warnings)
    assert "- two" in b.ws.context().system
