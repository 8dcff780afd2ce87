"""What a search shows is true of the files at that moment."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mnemofs import names
from mnemofs.errors import PermissionRefused
from mnemofs.index import sidecar
from mnemofs.index.rows.blobs import blob_id
from mnemofs.index.rows.opening import Opener
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index

from .conftest import Store, ask, found, home, write


def rows(index: Index) -> int:
    count: int = index.query("select count(*) from chunk")[0][0]
    assert index.query("select value from meta where key = 'chunks'")[0][0] == count
    assert index.query("select count(*) from fts")[0][0] == count
    return count


def test_WAT_02_changes_made_while_nothing_ran_are_seen(store: Store) -> None:
    first = store({"b.md": "oldtok\n", "c.md": "stale words\n", "d.md": "untouched\n"})
    first.close()
    root = home(first)
    write(root, {"a.md": "newtok\n", "c.md": "fresh words\n"})
    (root / "b.md").unlink()
    index = Index(root)
    assert found(index, "newtok") == ["newtok"]
    assert found(index, "oldtok") == []
    assert found(index, "stale") == []
    assert found(index, "words") == ["fresh words"]
    assert index.refresh().pending == 0
    assert rows(index) == 3


@pytest.mark.parametrize("hint", ["MEMORY.md", "memory/2026-05-01.md"])
def test_WAT_03_indexing_one_path_keeps_the_rest(store: Store, hint: str) -> None:
    index = store(
        {"MEMORY.md": "- one\n- two\n", "memory/2026-05-01.md": "- tea\n", "memory/x.md": "- ink\n"}
    )
    before = rows(index)
    assert index.refresh([hint]).changed == ()
    write(index.root, {hint: "- rewritten\n- here\n"})
    assert index.refresh([hint]).changed == (hint,)
    assert found(index, "ink") == ["- ink"]
    assert rows(index) == before + (0 if hint == "MEMORY.md" else 1)


def test_SRC_08_a_deleted_note_is_no_hit(store: Store) -> None:
    index = store({"a.md": "jwt a\n", "b.md": "jwt b\n"})
    (home(index) / "a.md").unlink()
    assert [hit.path for hit in ask(index, "jwt", limit=1).hits] == ["b.md"]
    assert rows(index) == 1


def test_SRC_08_no_ghost_even_when_nobody_looked_for_changes(store: Store) -> None:
    index = store({"a.md": "jwt jwt a\n", "b.md": "jwt b\n", "c.md": "jwt c\n"})
    (home(index) / "a.md").unlink()
    write(index.root, {"b.md": "now about oolong and jwt\n"})
    hits = search([ScopedIndex(index)], "jwt", mode="lexical", fresh=False).hits
    assert {hit.text for hit in hits} == {"now about oolong and jwt", "jwt c"}


def test_a_memory_is_found_in_the_call_that_wrote_it(store: Store) -> None:
    index = store({f"memory/n{number}.md": f"- filler {number}\n" for number in range(50)})
    write(index.root, {"memory/n7.md": "- filler 7\n- zanzibar\n"})
    assert index.refresh(["memory/n7.md"]).changed == ("memory/n7.md",)
    hits = search([ScopedIndex(index)], "zanzibar", mode="lexical", fresh=False).hits
    assert [(hit.path, hit.line_start, hit.line_end) for hit in hits] == [("memory/n7.md", 2, 2)]


def test_an_edit_of_the_same_size_within_the_same_instant_is_seen(store: Store) -> None:
    index = store({"a.md": "first!\n"})
    for turn in range(5):
        word = f"word{turn}x"
        status = (home(index) / "a.md").stat()
        write(index.root, {"a.md": word + "\n"})
        os.utime(home(index) / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
        assert found(index, word) == [word]


def test_one_new_bullet_touches_one_row(store: Store) -> None:
    bullets = "".join(f"- bullet number {number}\n" for number in range(300))
    index = store({"MEMORY.md": bullets})
    before = dict(index.query("select row_hash, id from chunk"))
    write(index.root, {"MEMORY.md": "- brand new\n" + bullets})
    index.refresh(["MEMORY.md"])
    after = dict(index.query("select row_hash, id from chunk"))
    assert len(set(after.values()) - set(before.values())) == 2  # itself and its neighbour
    hit = ask(index, '"number 299"').hits[0]
    assert hit.line_start == 301


def test_nothing_changed_writes_nothing(store: Store) -> None:
    index = store({"a.md": "a\n", "b.md": "b\n"})
    time.sleep(0.15)
    index.refresh()
    before = index.generation()
    for _ in range(3):
        index.refresh()
    assert index.generation() == before


def test_TXT_02_a_UTF16_file_is_named_and_the_others_are_found(store: Store) -> None:
    data = "# hi\nneedle".encode("utf-16")
    index = store({"memory/2026-05-01.md": data, "b.md": "a needle here\n"})
    assert dict(index.refresh().skipped) == {"memory/2026-05-01.md": "it is not UTF-8 text"}
    assert found(index, "needle") == ["a needle here"]
    assert (home(index) / "memory/2026-05-01.md").read_bytes() == data
    write(index.root, {"memory/2026-05-01.md": "now a readable needle\n"})
    assert len(found(index, "needle")) == 2
    assert index.refresh().skipped == ()


def test_TXT_07_NUL_does_not_stop_the_index(store: Store) -> None:
    data = b"alpha\0beta\ngamma needle\n"
    index = store({"a.md": data})
    hits = ask(index, "needle").hits
    assert [(hit.line_start, hit.text) for hit in hits] == [(2, "gamma needle")]
    assert [hit.line_start for hit in ask(index, "beta").hits] == [1]
    assert (home(index) / "a.md").read_bytes() == data


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("a\u2028b\nc\x0cd\nneedle\n", 3),
        ("a\u0085b\x0b\x1c\x1d\nneedle", 2),
        ("a\r\nb\r\nneedle\r\n", 3),
        ("\ufeffa\n\n\nneedle\n", 4),
        ("one\rneedle\n", 1),
    ],
)
def test_TXT_08_lines_are_those_of_grep(store: Store, data: str, line: int) -> None:
    hit = ask(store({"a.md": data}), "needle").hits[0]
    assert hit.line_end == line


def test_TXT_09_a_decomposed_name_is_one_row(store: Store) -> None:
    index = store({"structured/cafe\u0301.md": "oolong\n"})
    assert [hit.path for hit in ask(index, "oolong").hits] == ["structured/caf\u00e9.md"]
    write(index.root, {"structured/cafe\u0301.md": "rooibos\n"})
    assert index.refresh(["structured/caf\u00e9.md"]).changed == ("structured/caf\u00e9.md",)
    assert found(index, "rooibos") == ["rooibos"]
    assert found(index, "oolong") == []
    assert len(os.listdir(home(index) / "structured")) == 1


def test_TXT_10_only_the_canonical_spelling_is_searched(store: Store) -> None:
    index = store({"MEMORY.md": "needle one\n", "memory.md": "needle two\n"})
    assert found(index, "needle") == ["needle one"]
    assert dict(index.refresh().skipped)["memory.md"].startswith("another spelling of MEMORY.md")
    (home(index) / "MEMORY.md").unlink()
    assert found(index, "needle") == ["needle two"]


def test_SEC_02_what_lies_behind_a_link_is_never_shown(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, {"secret.md": "the secret\n"})
    index = store({"a.md": "no secrets here\n"})
    (home(index) / "memory").mkdir()
    (home(index) / "memory/2026-05-01.md").symlink_to(outside / "secret.md")
    (home(index) / "memory2").symlink_to(outside)
    os.mkfifo(home(index) / "pipe.md")
    assert found(index, "secret") == ["no secrets here"]
    skipped = dict(index.refresh().skipped)
    assert "link" in skipped["memory/2026-05-01.md"]
    assert "plain file" in skipped["pipe.md"]


def test_SEC_02_a_file_replaced_by_a_link_is_no_hit(store: Store, tmp_path: Path) -> None:
    index = store({"a.md": "needle\n"})
    write(tmp_path, {"secret.md": "needle in secret\n"})
    (home(index) / "a.md").unlink()
    (home(index) / "a.md").symlink_to(tmp_path / "secret.md")
    assert search([ScopedIndex(index)], "needle", mode="lexical", fresh=False).hits == ()
    assert found(index, "needle") == []


def test_an_unreadable_file_is_unknown_not_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = store({"a.md": "needle a\n", "b.md": "needle b\n"})

    def refuse(root: Path, path: str) -> bytes:
        if path == "a.md":
            raise PermissionRefused("a.md cannot be read: no permission", path=path)
        return names.open_regular(root, path)

    with monkeypatch.context() as patch:
        patch.setattr(sidecar, "open_regular", refuse)
        patch.setattr(Opener, "read", lambda _self, path: refuse(home(index), path))
        os.utime(home(index) / "a.md", ns=(1, 1))
        result = ask(index, "needle")
        assert [hit.path for hit in result.hits] == ["b.md"]
        assert "a.md cannot be read: no permission" in result.warnings
        assert dict(index.refresh().skipped) == {"a.md": "a.md cannot be read: no permission"}
        assert rows(index) == 2
    assert len(found(index, "needle")) == 2
    assert index.refresh().skipped == ()


def test_a_folder_that_cannot_be_listed_is_unknown_not_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = store({"a.md": "needle a\n", "sub/b.md": "needle b\n"})
    scandir = os.scandir

    def refuse(folder: str) -> object:
        if os.fspath(folder).rstrip("/").endswith("sub"):
            raise PermissionError(13, "denied")
        return scandir(folder)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        assert index.refresh().removed == ()
        assert dict(index.refresh().skipped) == {"sub": "it cannot be listed"}
        assert len(found(index, "needle")) == 2


def test_only_markdown_of_ours_is_searched(store: Store) -> None:
    index = store(
        {
            "a.md": "needle a\n",
            "b.txt": "needle b\n",
            "ledger/2026-05.jsonl": '{"needle": 1}\n',
            "mnemofs.toml": "# needle\n",
            ".obsidian/x.md": "needle x\n",
            "owners/user=3a1/MEMORY.md": "needle of another\n",
            "sub/.git/config": "",
            "sub/c.md": "needle of another repository\n",
        }
    )
    assert found(index, "needle") == ["needle a"]
    index.refresh(["owners/user=3a1/MEMORY.md", ".obsidian/x.md", "ledger/2026-05.jsonl"])
    assert found(index, "needle") == ["needle a"]


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000,
        "<!--" + " " * 100_000,
        "[" * 50_000,
        "- " * 50_000,
        "a:" + " " * 100_000,
        "_" * 100_000,
        "x_" * 50_000,
        "%." * 50_000,
        "1." * 50_000,
        "😀" * 25_000,
        "部" * 33_000,
        "\u0e31" * 33_000,
    ],
    ids=lambda text: repr(text[:4]),
)
def test_SEC_08_hostile_texts_take_no_time(store: Store, text: str) -> None:
    start = time.process_time()
    index = store({"a.md": text + "\nneedle\n"})
    found(index, "needle")
    ask(index, text)
    assert time.process_time() - start < 2


def test_the_blob_id_is_the_one_git_gives(store: Store, git) -> None:  # type: ignore[no-untyped-def]
    index = store({"a.md": "é\r\n"})
    git(index.root, "init", "-q")
    named = git(index.root, "hash-object", "--no-filters", "a.md").strip()
    assert index.query("select blob from file") == [(named,)]
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
