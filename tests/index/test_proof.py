"""The proof that the index says what the files say finds every way in which it does not."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable

import apsw
import pytest

from mnemofs.index.meaning import ivf
from mnemofs.index.proofs.proof import Proof, prove
from mnemofs.index.sidecar import Index

from .conftest import Store, WordEmbedder, home, write

NOTES: dict[str, str | bytes] = {
    f"memory/2026-05-{day:02}.md": f"# Day {day}\n- tea at {day}:00\n- bought item{day}\n\nLong.\n"
    for day in range(1, 25)
}
NOTES |= {
    "MEMORY.md": "# Facts\n\n## Stack\n- Python 3.11 and C++\n- 我们使用 PostgreSQL 数据库\n",
    "memories/k.md": "---\ntags: [red, green]\n---\nThe e-mail is a@b.example\n",
    "bom.md": b"\xef\xbb\xbfwindows\r\ntext\r\n",
    "empty.md": "",
    "latin.md": b"caf\xe9 not utf-8",
}


def spoil(index: Index, sql: str) -> None:
    """Changes the database behind everybody's back."""
    connection = apsw.Connection(index.place)
    connection.set_busy_timeout(5000)
    connection.execute(sql).fetchall()
    connection.close(True)


def aged(store: Store) -> Index:
    """An index whose files are old enough that their stat is believed."""
    index = store(NOTES, embedder=WordEmbedder())
    time.sleep(0.12)
    index.refresh()
    return index


def kinds(proof: Proof) -> set[str]:
    """The kinds of what differs."""
    return {difference.kind for difference in proof.differences}


def test_a_true_index_is_proven_and_counted(store: Store) -> None:
    index = store(NOTES, embedder=WordEmbedder())
    proof = prove(index)
    assert proof.differences == ()
    assert proof.files == len(NOTES)
    assert proof.chunks == index.query("select count(*) from chunk")[0][0] > 70
    assert proof.words > 500
    assert (proof.vectors, proof.checked) == (index.query("select count(*) from vector")[0][0],) * 2


def test_it_stays_true_through_a_life_of_edits(store: Store) -> None:
    index = store(NOTES, embedder=WordEmbedder())
    for turn in range(6):
        write(index.root, {f"memory/2026-05-{turn + 1:02}.md": f"- changed {turn}\n- twice\n"})
        (home(index) / f"memory/2026-05-{turn + 12:02}.md").unlink()
        (home(index) / f"memory/2026-05-{turn + 18:02}.md").rename(home(index) / f"m{turn}.md")
        index.refresh()
        if turn % 2:
            index.embed_pending()
    assert prove(index).differences == ()


def test_what_changed_a_moment_ago_is_no_fault(store: Store) -> None:
    index = store(NOTES)
    write(index.root, {"new.md": "- brandnew\n", "MEMORY.md": "- other\n"})
    (home(index) / "bom.md").unlink()
    assert prove(index).differences == ()


_FAULTS = {
    "a file forgotten": (
        "delete from chunk where file = (select id from file where path = 'MEMORY.md');"
        " delete from file where path = 'MEMORY.md'",
        # The next look at the folder mends a missing file; what it leaves behind is found.
        {"words", "counter"},
    ),
    "a blob id swapped": (
        "update file set blob = (select blob from file where path = 'bom.md')"
        " where path = 'MEMORY.md'",
        {"file"},
    ),
    "all blob ids rotated": ("update file set blob = substr(blob, 2) || '0'", {"file"}),
    "a chunk deleted": ("delete from chunk where id = 5", {"chunk", "words", "counter"}),
    "half of the chunks deleted": (
        "delete from chunk where id % 2",
        {"chunk", "words", "counter", "vector"},
    ),
    "a chunk with its words deleted": (
        "delete from fts where rowid = 5; delete from chunk where id = 5;"
        " update meta set value = value - 1 where key = 'chunks'",
        {"chunk", "vector"},
    ),
    "a chunk moved to another file": (
        "update chunk set file = (select id from file where path = 'empty.md'), ordinal = 0"
        " where id = 5",
        {"chunk"},
    ),
    "a ghost chunk": (
        "insert into chunk(file, ordinal, first, last, date, author, names, timed, asks, size,"
        " language, heading, whole, row_hash, vec_hash) select file, 90, 9, 9, date, author, names,"
        " timed, asks, size, language, heading, whole, x'00', x'01' from chunk where id = 3",
        {"chunk", "counter"},
    ),
    "a chunk of no file": (
        "insert into chunk(file, ordinal, first, last, date, author, names, timed, asks, size,"
        " language, heading, whole, row_hash, vec_hash) select 9999, ordinal, 9, 9, date, author,"
        " names, timed, asks, size, language, heading, whole, x'00', x'01' from chunk where id = 3",
        {"chunk", "counter"},
    ),
    "lines shifted": ("update chunk set first = first + 1, last = last + 1", {"chunk"}),
    "a heading changed": ("update chunk set heading = 'Lies' where id = 7", {"chunk"}),
    "a date changed": ("update chunk set date = '1999-01-01' where id = 9", {"chunk"}),
    "a text hash changed": (
        "update chunk set row_hash = x'1234', vec_hash = x'5678' where id = 4",
        {"chunk", "vector"},
    ),
    "words of one text deleted": ("delete from fts where rowid = 6", {"words"}),
    "all words deleted": ("insert into fts(fts) values('delete-all')", {"words"}),
    "words of another text": (
        "delete from fts where rowid = 6;"
        " insert into fts(rowid, body, ctx, head, sym) values(6, 'never said', '', '', '')",
        {"words"},
    ),
    "words in another column": (
        "delete from fts where rowid = 6;"
        " insert into fts(rowid, body, ctx, head, sym) values(6, '', 'tea at 2 00', '', '')",
        {"words"},
    ),
    "words of a ghost": (
        "insert into fts(rowid, body, ctx, head, sym) values(900, 'ghost', '', '', '')",
        {"words"},
    ),
    "chunks miscounted": ("update meta set value = 3 where key = 'chunks'", {"counter"}),
    "a vector of no text": (
        "insert into vector(embedder, hash, q8) select embedder, x'abcd', q8 from vector limit 1",
        {"vector"},
    ),
    "a vector lost": ("delete from vector where id = 3", {"vector"}),
    "a vector of zeros": ("update vector set q8 = zeroblob(64) where id = 3", {"vector"}),
    "a short vector": ("update vector set q8 = substr(q8, 1, 32) where id = 3", {"vector"}),
    "a vector of another text": (
        "update vector set q8 = (select q8 from vector where id = 4) where id = 3",
        {"vector"},
    ),
    "a vector out of scale": (
        "update vector set q8 = zeroblob(63) || x'7f' || '' where id = 3;"
        " update vector set q8 = cast(substr(q8, 1, 62) || x'0101' as blob) where id = 3",
        {"vector"},
    ),
    "a vector of an unknown model": ("update vector set embedder = 77 where id = 3", {"vector"}),
    "a link to the wrong vector": ("update chunk set vec = 3 where id = 8", {"vector"}),
    "a text that waits for nothing": ("update chunk set vec = null where id = 8", {"vector"}),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_every_kind_of_lie_is_found(store: Store, fault: str) -> None:
    index = aged(store)
    sql, expected = _FAULTS[fault]
    spoil(index, sql)
    proof = prove(index)
    assert expected <= kinds(proof)


@pytest.mark.parametrize("number", range(0, 70, 9))
def test_a_difference_names_the_line(store: Store, number: int) -> None:
    index = store(NOTES)
    rows = index.query(
        "select c.id, f.path, c.first from chunk c join file f on f.id = c.file order by c.id"
    )
    chunk, path, line = rows[number]
    spoil(index, f"delete from fts where rowid = {chunk}")
    (found,) = prove(index).differences
    assert (found.kind, found.path, found.line) == ("words", path, line)
    assert str(found).startswith(f"{path}:{line}: ")


def test_private_text_is_not_in_what_it_says(store: Store) -> None:
    index = store({"a.md": "quokka secret\n", "b.md": "numbat plain\n"})
    spoil(
        index,
        "delete from fts; insert into fts(rowid, body, ctx, head, sym)"
        " values(1, 'quokka wombat', '', '', ''), (5, 'numbat', '', '', '')",
    )
    text = repr(prove(index))
    assert "words" in text
    assert not any(word in text for word in ("quokka", "numbat", "wombat", "secret"))


_LISTS: dict[str, Callable[[Index], str]] = {
    "a block lost": lambda _: "delete from block where id = 1",
    "a place lost": lambda _: "delete from place where vector = 5",
    "a vector filed twice": lambda _: (
        "insert into block(partition, list, ids, q8)"
        " select partition, list, ids, q8 from block limit 1"
    ),
    "a block of another": lambda _: "update block set q8 = zeroblob(length(q8)) where id = 1",
    "a ghost in a list": lambda _: (
        f"update block set ids = cast(x'{array('q', [12345]).tobytes().hex()}'"
        " || substr(ids, 9) as blob) where id = 1"
    ),
    "lists of nothing": lambda _: "update block set partition = 99 where id = 1",
}


@pytest.mark.parametrize("fault", _LISTS)
def test_lies_of_the_inverted_lists_are_found(
    store: Store, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(ivf, "EXACT_UP_TO", 40)
    index = store(NOTES, embedder=WordEmbedder())
    assert prove(index).differences == ()
    spoil(index, _LISTS[fault](index))
    assert "lists" in kinds(prove(index))


def test_a_truncated_file_under_an_open_index_is_found_or_built_again(store: Store) -> None:
    index = store(NOTES, embedder=WordEmbedder())
    spoil(index, "pragma wal_checkpoint(truncate)")
    size = os.path.getsize(index.place)
    with open(index.place, "r+b") as file:
        file.truncate(size // 2)
    proof = prove(index)
    assert proof.differences == () or "database" in kinds(proof)
    assert index.query("select count(*) from chunk")[0][0] > 70


def test_garbage_inside_the_file_is_found_or_built_again(store: Store) -> None:
    index = store(NOTES)
    spoil(index, "pragma wal_checkpoint(truncate)")
    index.close()
    with open(index.place, "r+b") as file:
        for offset in range(8192, os.path.getsize(index.place) - 4096, 3 * 4096):
            file.seek(offset)
            file.write(os.urandom(4096))
    again = Index(index.root)
    proof = prove(again)
    rebuilt = any("built again" in text for text in again.take_warnings())
    assert rebuilt or proof.differences or prove(again).differences == ()


def test_an_index_that_cannot_be_kept_is_said(store: Store) -> None:
    index = Index(store(NOTES).root, path=":memory:")
    (found,) = prove(index).differences
    assert (found.kind, "memory" in found.detail) == ("place", True)
