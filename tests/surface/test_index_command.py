"""`mnemofs index` and `mnemofs doctor --index`, as a person uses them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import apsw
import pytest

from mnemofs.filelocks import only_one

from .conftest import Cli


def spoil(root: Path, sql: str) -> None:
    connection = apsw.Connection(str(root / ".mnemofs/index.db"))
    connection.execute(sql).fetchall()
    connection.close()


def test_doctor_proves_the_index_of_every_store_and_repairs_it(cli: Cli, root: Path) -> None:
    cli("init", ".")
    cli("remember", "tea at noon")
    cli("remember", "likes blue", "--owner", "user:1")
    cli("index")
    told = cli("doctor", "--index")
    assert told.code == 0
    assert told.out.count("says what the files say") == 2
    (owner,) = (root / "owners").iterdir()
    spoil(root, "delete from fts where rowid = (select max(id) from chunk)")
    spoil(owner, "update chunk set first = 99, last = 99")
    told = cli("doctor", "--index")
    assert told.code == 1
    assert "the TEAM memory: 1 difference" in told.out
    assert "user:1's memory: 1 difference" in told.out
    assert "--repair" in told.out
    found = json.loads(cli("doctor", "--index", "--json").out)
    assert not found["ok"]
    assert [len(store["differences"]) for store in found["stores"]] == [1, 1]
    assert found["stores"][1]["differences"][0]["path"] == "MEMORY.md"
    vectors = found["stores"][0]["vectors"]
    repaired = cli("doctor", "--index", "--repair", "--json")
    assert repaired.code == 0
    stores = json.loads(repaired.out)["stores"]
    assert [(store["repaired"], store["differences"]) for store in stores] == [(True, [])] * 2
    assert stores[0]["vectors"] == vectors > 0  # they need not be made again
    assert "repaired" in cli("doctor", "--index", "--json").out
    assert cli("doctor", "--repair").code == 2


def test_indexing_goes_on_in_the_background_and_ends(cli: Cli, root: Path) -> None:
    cli("init", ".")
    (root / "memory").mkdir(exist_ok=True)
    for number in range(40):
        (root / f"memory/n{number}.md").write_text(f"- statement number {number}\n")
    status = json.loads(cli("status", "--json").out)
    assert status["index"]["vectors"]["pending"] >= 40
    started = time.monotonic()
    told = json.loads(cli("index", "--background", "--json").out)
    assert told["status"] == "started"
    assert time.monotonic() - started < 5
    for _ in range(300):
        vectors = json.loads(cli("status", "--json").out)["index"]["vectors"]
        if not vectors["pending"] and not vectors["at_work"]:
            break
        time.sleep(0.1)
    assert (vectors["pending"], vectors["at_work"]) == (0, False)
    assert vectors["total"] >= 40


@pytest.mark.parametrize("command", [("status",), ("doctor",), ("search", "number 7 statement")])
def test_what_has_no_vector_yet_is_said_with_the_model(
    cli: Cli, root: Path, command: tuple[str, ...]
) -> None:
    cli("init", ".")
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory/n.md").write_text("- statement number 7\n")
    (root / ".mnemofs").mkdir(exist_ok=True)
    with only_one(str(root / ".mnemofs/index.db.embedding")):
        told = cli(*command)
    assert told.code == 0
    text = told.out + told.err
    assert "without a vector" in text or "no vector" in text
