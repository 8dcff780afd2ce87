"""Paths and owner keys that come from outside (cases SEC-01/02/03, OWN-01/02/03, TXT-09/10)."""

from __future__ import annotations

import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs import names
from mnemofs.errors import NotFound, UnsafeName

TRAVERSALS = [
    "../x.md",
    "memory/../../x.md",
    "..%2fx.md",
    "%2e%2e/x.md",
    "..%252fx.md",
    "%25252e%25252e/x.md",
    "memory%2f..%2f..%2fx.md",
    "memory%5c..%5cx.md",
    "a%00.md",
    "/etc/x.md",
    "//srv/share/x.md",
    "C:\\x.md",
    "c:x.md",
    "\\\\h\\s\\x.md",
    "memory\\..\\..\\x.md",
    "memory\\x.md",
    "x.md\0.txt",
    "memory//x.md",
    "memory//x.md/..",
    "./x.md",
    "memory/./x.md",
    "x.txt",
    "x.md/",
    "x",
    "",
    "   ",
    "a\nb.md",
    "a\u202eb.md",
    "con.md",
    "memory/NUL.md",
    "structured/con .md",
    "lpt1.notes.md",
    "folder./x.md",
    "folder /x.md",
    "x?.md",
    "a" * 256 + ".md",
]


@pytest.mark.parametrize("raw", TRAVERSALS)
def test_SEC_01_a_path_that_could_leave_the_workspace_is_refused(raw: str) -> None:
    with pytest.raises(UnsafeName) as caught:
        names.check_path(raw)
    assert caught.value.exit_code == 3
    assert caught.value.message and caught.value.hint


@pytest.mark.parametrize(
    "raw",
    [
        "structured/v1..v2.md",
        "100%.md",
        "a%20b.md",
        "memory/2026-05-01.md",
        "Ünïcode/日記.md",
        "...x.md",
    ],
)
def test_SEC_01_odd_but_harmless_names_are_allowed(raw: str) -> None:
    assert names.check_path(raw) == raw


@pytest.mark.parametrize(
    "raw",
    [
        ".git/x.md",
        ".GIT/x.md",
        ".Git/hooks/x.md",
        "git~1/x.md",
        "GIT~2/x.md",
        ".git./x.md",
        ".git /x.md",
        ".git. ./x.md",
        ".g\u200cit/x.md",
        ".\u2060git/x.md",
        ".git::$INDEX_ALLOCATION/x.md",
        "memory/.git/x.md",
        ".mnemofs/x.md",
        ".Mnemofs/x.md",
        "owners/user=3a1/MEMORY.md",
        "Owners/x.md",
    ],
)
def test_SEC_03_git_the_sidecar_and_other_owners_cannot_be_written(raw: str) -> None:
    with pytest.raises(UnsafeName):
        names.check_path(raw)


@pytest.mark.parametrize(
    "raw", [".gitignore.md", "git.md", "digit~1.md", "gitx/x.md", "a.git/x.md"]
)
def test_SEC_03_names_that_only_resemble_git_are_allowed(raw: str) -> None:
    assert names.check_path(raw) == raw


@given(st.text(max_size=40))
def test_SEC_01_whatever_is_accepted_stays_inside(raw: str) -> None:
    try:
        path = names.check_path(raw)
    except UnsafeName:
        return
    assert path.endswith(".md") and "\\" not in path
    assert os.path.normpath(os.path.join("/ws", path)) == "/ws/" + path
    assert names.check_path(path) == path
    assert names.is_memory(path)


def test_SEC_02_a_symlink_on_the_way_is_refused(tmp_path: os.PathLike[str]) -> None:
    root = os.path.join(tmp_path, "ws")
    outside = os.path.join(tmp_path, "outside")
    os.makedirs(os.path.join(root, "memory"))
    os.makedirs(outside)
    with open(os.path.join(outside, "secret.md"), "w") as file:
        file.write("secret")
    os.symlink(os.path.join(outside, "secret.md"), os.path.join(root, "memory", "2026-05-01.md"))
    os.symlink(outside, os.path.join(root, "memory2"))
    for path in ("memory/2026-05-01.md", "memory2/secret.md", "memory2/new.md"):
        with pytest.raises(UnsafeName):
            names.open_regular(root, path)
        with pytest.raises(UnsafeName):
            names.inside(root, path)


def test_SEC_02_only_plain_files_are_opened(tmp_path: os.PathLike[str]) -> None:
    root = os.fspath(tmp_path)
    os.mkfifo(os.path.join(root, "pipe.md"))
    os.mkdir(os.path.join(root, "folder.md"))
    for path in ("pipe.md", "folder.md"):
        with pytest.raises(UnsafeName):
            names.open_regular(root, path)
    with pytest.raises(NotFound):
        names.open_regular(root, "absent.md")


@pytest.mark.parametrize(
    "raw", ["user:../../x", "api:..", "feishu:/abs", "user:.git", "api:~", "user:con"]
)
def test_OWN_01_a_hostile_id_stays_one_harmless_folder_name(raw: str) -> None:
    folder = names.encode_owner(names.owner_key(raw))
    assert "/" not in folder and "\\" not in folder and "." not in folder
    assert names.decode_owner(folder) == raw


@pytest.mark.parametrize(
    "raw",
    [
        "user:a\0b",
        "user:",
        ":x",
        "",
        "alice",
        "user: a",
        "user:a ",
        "user:a\u202eb",
        "user:a\nb",
        "User:x",
        "system",
    ],
)
def test_OWN_01_an_empty_or_invisible_id_is_refused(raw: str) -> None:
    with pytest.raises(UnsafeName):
        names.owner_key(raw)


def test_OWN_02_owners_that_differ_by_case_differ_on_every_disk() -> None:
    keys = ["user:Alice", "user:alice", "user:ALICE", "user:aLice"]
    folders = {names.encode_owner(key).casefold() for key in keys}
    assert len(folders) == len(keys)


def test_OWN_03_owners_that_would_slug_alike_stay_apart() -> None:
    keys = ["api:a/b", "api:a-b", "api:a b", "api:a_b", "api:a=2fb", "api:a:b", "api:a.b"]
    folders = [names.encode_owner(names.owner_key(key)) for key in keys]
    assert len({folder.casefold() for folder in folders}) == len(keys)
    assert [names.decode_owner(folder) for folder in folders] == keys


def test_OWN_03_long_keys_are_hashed_and_stay_apart() -> None:
    one, two = "api:" + "é" * 300, "api:" + "é" * 299 + "e"
    assert names.encode_owner(one) != names.encode_owner(two)
    assert len(names.encode_owner(one)) <= 180
    assert names.decode_owner(names.encode_owner(one)) is None


@given(st.text(min_size=1, max_size=60))
def test_OWN_03_encoding_is_reversible_and_survives_case_folding(ident: str) -> None:
    try:
        key = names.owner_key("api:" + ident)
    except UnsafeName:
        return
    folder = names.encode_owner(key)
    assert folder.isascii() and folder == folder.casefold()
    if len(folder) < 160:
        assert names.decode_owner(folder) == key


def test_TXT_09_both_spellings_of_an_accent_are_one_path() -> None:
    composed = "structured/caf\u00e9.md"
    assert names.check_path(unicodedata.normalize("NFD", composed)) == composed
    on_disk = unicodedata.normalize("NFD", composed)
    assert names.settle(composed, [on_disk]) == on_disk


def test_TXT_10_the_well_known_spelling_wins() -> None:
    there = ["memory.md", "MEMORY.md", "Memory/2026-05-01.md", "memory/2026-05-01.md", "notes.md"]
    assert names.collisions(there) == {
        "memory.md": "MEMORY.md",
        "Memory/2026-05-01.md": "memory/2026-05-01.md",
    }
    assert names.settle("Memory.md", there) == "MEMORY.md"
    assert names.settle("memory.md", []) == "MEMORY.md"
    assert names.settle("Notes.md", there) == "notes.md"
    assert names.settle("new.md", there) == "new.md"
    assert names.settle("MEMORY/2026-05-03.md", []) == "memory/2026-05-03.md"
    assert names.settle("Structured/User.md", there) == "structured/User.md"
    assert names.settle("Memory/2026-05-01.md", there[2:3]) == "Memory/2026-05-01.md"


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("MEMORY.md", True),
        ("memory/2026-05-01.md", True),
        ("deep/er/notes.md", True),
        ("ledger/2026-05.jsonl", True),
        ("mnemofs.toml", True),
        (".obsidian/x.md", False),
        (".trash/y.md", False),
        ("memory/.hidden/x.md", False),
        ("owners/user=3a1/MEMORY.md", False),
        ("sub/mnemofs.toml", False),
        ("x.txt", False),
        (".#MEMORY.md", False),
        ("._MEMORY.md", False),
        ("#MEMORY.md#", False),
        ("memory/2026-05-01.md.bak", False),
        ("MEMORY.md~", False),
        ("node_modules/x/README.md", False),
    ],
)
def test_WAT_05_what_is_ours(path: str, ours: bool) -> None:
    assert names.is_memory(path) is ours


@pytest.mark.parametrize(
    "path", ["memory/می\u200cروم.md", "क्\u200dष.md", "👩\u200d👩\u200d👧.md", "👩\u200d⚕️/x.md"]
)
def test_joiners_that_belong_to_a_word_or_picture_are_part_of_a_name(path: str) -> None:
    assert names.check_path(path) == unicodedata.normalize("NFC", path)
    bare = path.replace("\u200c", "").replace("\u200d", "")
    assert names.collisions([path, bare]) != {}  # who reads them takes them for one


@pytest.mark.parametrize(
    "path",
    ["a\u200cb.md", "ا\u200c.md", "\u200dا.md", "x\u200d👧.md", "ا\u200c\u200dب.md", "ا\u200bب.md"],
)
def test_joiners_that_join_nothing_are_refused(path: str) -> None:
    with pytest.raises(UnsafeName, match="invisible"):
        names.check_path(path)
