"""Whatever becomes of index.db: a search answers from the files, and doctor says what to do."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from mnemofs import Workspace

from .conftest import Cli

NOTES = [f"- statement {number} about {word}" for number, word in enumerate("abcdefgh" * 40)]


def sql(statement: str) -> Callable[[Path], None]:
    def spoil(place: Path) -> None:
        connection = apsw.Connection(str(place))
        connection.execute(statement).fetchall()
        connection.close()

    return spoil


def bent(text: bytes, other: bytes) -> Callable[[Path], None]:
    """Bytes on the disk that SQLite does not notice."""

    def spoil(place: Path) -> None:
        data = place.read_bytes()
        assert text in data
        place.write_bytes(data.replace(text, other))

    return spoil


def filled(root: Path) -> Path:
    with Workspace.init(root, agent="ada", timezone="UTC") as made:
        (root / "memory").mkdir()
        (root / "memory/2026-05-01.md").write_text("\n".join(NOTES) + "\n- the port is 3917\n")
        made.search("port", mode="lexical")
    place = root / ".mnemofs/index.db"
    sql("pragma wal_checkpoint(truncate)")(place)
    return place


@pytest.mark.parametrize(
    "spoil",
    [
        sql("drop table fts"),
        sql("drop table chunk"),
        sql("alter table chunk drop column names"),
        sql("pragma user_version=99"),
        bent(b"memory/2026", b"memory/\xff\xfe26"),
        bent(b"names text", b"namen text"),
        lambda place: place.write_bytes(b"no database at all" * 99),
        lambda place: os.truncate(place, place.stat().st_size // 2),
        lambda place: os.truncate(place, 0),
    ],
)
def test_a_damaged_index_is_made_anew_at_the_next_search(
    cli: Cli, root: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(filled(root))
    told = cli("search", "--lexical", "3917")
    assert told.code == 0
    assert "the port is 3917" in told.out
    assert cli("doctor", "--index", "--json").json["ok"]


def test_no_flipped_bytes_make_doctor_fail_or_repair_impossible(cli: Cli, root: Path) -> None:
    place = filled(root)
    cli("index")
    sql("pragma wal_checkpoint(truncate)")(place)
    good = place.read_bytes()
    chance = random.Random(4)
    for number in range(12):
        bad = bytearray(good)
        for _ in range(chance.choice([1, 5, 40, 400])):
            bad[chance.randrange(100, len(bad))] = chance.randrange(256)
        copy = root.parent / f"copy{number}"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("index.db*"))
        (copy / ".mnemofs/index.db").write_bytes(bad)
        told = cli("doctor", "--index", "--json", at=copy)
        assert told.json.keys() == {"ok", "stores"}, told
        assert cli("doctor", "--index", "--repair", at=copy).code == 0
        assert "the port is 3917" in cli("search", "--lexical", "3917", at=copy).out


@pytest.mark.parametrize("way", ["folder", "link", "file"])
def test_an_index_without_a_place_says_where_to_look(cli: Cli, root: Path, way: str) -> None:
    place = filled(root)
    shutil.rmtree(place.parent)
    if way == "file":
        place.parent.write_text("in the way")
    else:
        place.parent.mkdir()
        place.mkdir() if way == "folder" else place.symlink_to("/nonexistent/index.db")
    told = cli("search", "--lexical", "3917")
    assert "the port is 3917" in told.out
    assert str(place.parent) in told.err
    for more in ((), ("--repair",)):
        told = cli("doctor", "--index", *more)
        assert told.code == 1
        assert str(place.parent) in told.out
        assert "--repair" not in told.out  # it would not help


@pytest.mark.parametrize("look", [("status",), ("doctor",), ("doctor", "--index"), ("index",)])
def test_WAT_02_an_edit_that_doctor_or_status_saw_first_is_committed_by_the_next_search(
    cli: Cli, root: Path, look: tuple[str, ...]
) -> None:
    filled(root)
    cli("search", "--lexical", "port")
    old = Path(root / "MEMORY.md").read_text()
    Path(root / "MEMORY.md").write_text(old + "- typed by hand\n")
    cli(*look)
    os.utime(root / "MEMORY.md", (1, 1))  # it has been quiet for long
    assert "typed by hand" in cli("search", "--lexical", "typed").out
    assert cli("log", "-n", "1", "--json").json[0]["reason"] == "by hand: edited MEMORY.md"
    assert cli("status", "--json").json["dirty"] == []
