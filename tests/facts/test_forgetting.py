"""A fact that is forgotten is gone everywhere, stays gone, and the answer says what is left."""

from __future__ import annotations

import pytest

from mnemofs.errors import NotFound
from mnemofs.lifecycle.facts.book import FactBook, scrub
from mnemofs.store.model import Change, Edit
from tests.facts.conftest import Cli, Desk, one, texts

MEMORY = "# Memory\n\n## Facts\n\n- Tea is in the cupboard\n"

WAYS = {
    "statement": ("MEMORY.md", f"{MEMORY}- I live in Quokkatown\n"),
    "one of two sentences": ("MEMORY.md", f"{MEMORY}- I like tea. I live in Quokkatown.\n"),
    "bold pair": ("MEMORY.md", f"{MEMORY}- **city**: Quokkatown\n"),
    "plain pair": ("PROFILE.md", "name: Ada\ncity: Quokkatown\n"),
    "structured": (
        "structured/user.md",
        "## name\nAda\n> Source: x | Updated: 2026-05-01\n\n## home_city\nQuokkatown\n"
        "> Source: x | Updated: 2026-05-01\n",
    ),
    "Chinese": ("MEMORY.md", f"{MEMORY}- 我住在Quokka城\n"),
}


@pytest.mark.parametrize("way", WAYS)
def test_OWN_06_forgetting_a_fact_removes_it_everywhere(desk: Desk, way: str, cli: Cli) -> None:
    path, text = WAYS[way]
    desk.put(text, path)
    if way == "statement":
        desk.ws.note("I live in Quokkatown")
    fact = next(fact for fact in desk.ws.facts() if "uokka" in fact.text)
    others = [line for line in text.splitlines() if "uokka" not in line and "home_city" not in line]
    commits = desk.commits
    receipt = desk.ws.forget_fact(fact.id)
    assert desk.commits == commits + 1
    assert receipt.status == "deleted"
    assert receipt.total == (2 if way == "statement" else 1)
    assert "uokka" not in receipt.sentence
    for look in range(2):
        assert not [one for one in desk.ws.facts() if "uokka" in one.text]
        assert desk.ws.facts("quokkatown quokka") == []
        assert desk.ws.search("Quokkatown", mode="lexical").hits == ()
        assert "uokka" not in desk.ws.fact_probe("Quokkatown")
        with pytest.raises(NotFound):
            desk.ws.fact(fact.id)
        if not look:
            desk.ws.rebuild_facts(rebuild=True)
            desk.ws.prepare(rebuild=True)
    for place in desk.root.rglob("*"):
        if place.is_file() and ".git" not in place.parts:
            assert b"uokka" not in place.read_bytes(), place
    left = desk.text(path)
    assert all(line in left for line in others if line.strip())
    assert cli("facts", "show", fact.id).code == 1


def test_OWN_07_a_forgotten_fact_does_not_come_back_from_a_note(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Quokkatown\n")
    fact = next(fact for fact in desk.ws.facts() if "uokka" in fact.text)
    desk.ws.forget_fact(fact.id)
    for day in (1, 2, 3):  # as a pull brings them: nobody wrote them here
        note = f"# 2026-05-0{day}\n\n- I live in Quokkatown\n".encode()
        edit = Edit(f"memory/2026-05-0{day}.md", None, note)
        desk.store.commit(Change((edit,), "sync", "pulled"))
    desk.tick(days=2)
    desk.ws.dream()
    (desk.root / ".mnemofs" / "facts.db").unlink(missing_ok=True)
    assert "uokka" not in desk.text()
    assert desk.ws.facts("Quokkatown") == []
    before = desk.store.read("MEMORY.md")
    content = (before.content or b"") + b"- I live in Quokkatown\n"
    desk.store.commit(Change((Edit("MEMORY.md", before.blob, content),), "sync", "pulled"))
    assert desk.ws.facts("Quokkatown") == []


def test_OWN_08_the_receipt_says_that_history_holds_it_and_how_to_erase_it(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Quokkatown\n")
    fact = next(fact for fact in desk.ws.facts() if "uokka" in fact.text)
    receipt = desk.ws.forget_fact(fact.id)
    assert "History still holds it" in receipt.sentence
    assert "purge" in receipt.sentence
    assert desk.git("log", "--all", "--oneline", "-S", "Quokkatown")


def test_OWN_08_a_purge_of_a_fact_leaves_nothing_in_history(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Quokkatown\n")
    desk.ws.facts()
    fact = next(fact for fact in desk.ws.facts() if "uokka" in fact.text)
    receipt = desk.ws.forget_fact(fact.id, purge=True)
    assert receipt.purged is not None
    assert desk.git("log", "--all", "--oneline", "-S", "Quokkatown") == ""
    for place in desk.root.rglob("*"):
        if place.is_file():
            assert b"Quokkatown" not in place.read_bytes(), place


def test_a_fact_that_is_said_in_two_ways_goes_with_both(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Quokkatown\n\n## Other\n\n- We live in Quokkatown!\n")
    fact = one([fact for fact in desk.ws.facts() if "uokka" in fact.text])
    assert len(fact.places) == 2
    receipt = desk.ws.forget_fact(fact.id)
    assert receipt.total == 2
    assert "uokka" not in desk.text()


def test_a_change_of_the_file_leaves_nothing_in_free_pages(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Quokkatown\n")
    desk.ws.facts()
    desk.put(f"{MEMORY}- I live in Rome\n")
    scrub(str(desk.root))
    place = desk.root / ".mnemofs" / "facts.db"
    assert b"Quokka" not in place.read_bytes()
    with FactBook(desk.root) as book:
        assert "Rome" in [row.object for row in book.rows()]


def test_a_busy_table_is_deleted_rather_than_left(desk: Desk) -> None:
    import sqlite3

    desk.put(f"{MEMORY}- I live in Quokkatown\n")
    desk.ws.facts()
    place = desk.root / ".mnemofs" / "facts.db"
    with sqlite3.connect(place, isolation_level=None) as db:
        db.execute("begin immediate")
        (desk.root / "MEMORY.md").write_text(MEMORY)
        scrub(str(desk.root))
        assert not place.exists()
        db.execute("rollback")
    assert not [text for text in texts(desk.ws.facts()) if "uokka" in text]
