"""What is forgotten or purged is gone from proposals, kept sides and indexes of the past, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.review.conftest import BASE, Desk

SECRET = "The vault opens with marzipan"


def everything(desk: Desk) -> bytes:
    """Every object of the repository and every file beside it."""
    command = ["git", "-C", str(desk.root), "cat-file", "--batch-all-objects", "--batch"]
    objects = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    files = [path.read_bytes() for path in Path(desk.root).rglob("*") if path.is_file()]
    return b"\n".join([objects, *files])


def test_a_forget_empties_the_indexes_of_the_past(desk: Desk) -> None:
    desk.put(BASE + f"\n- {SECRET}\n")
    desk.put(desk.text() + "- later\n")
    assert desk.ws.at("HEAD~1").search("marzipan", mode="lexical").hits
    desk.ws.forget(SECRET)
    assert not list((desk.root / ".mnemofs" / "asof").glob("*.db"))
    # History holds it still, and a look at that time says so: only a purge ends that.
    assert desk.ws.at("HEAD~1").search("marzipan", mode="lexical").hits


def test_a_purge_reaches_proposals_kept_sides_and_indexes_of_the_past(desk: Desk) -> None:
    rota = "# R\n\ncity: Rome\n\n- a\n"
    base = desk.put(rota, "memories/r.md")
    desk.put(rota.replace("Rome", "Oslo"), "memories/r.md")
    late = rota.replace("Rome", "marzipan").replace("- a", "- a\n- b")
    assert desk.late(late, base, "memories/r.md", actor="extractor") == 1
    desk.put(BASE + f"\n- {SECRET}\n")
    name = desk.propose(BASE + f"\n- {SECRET}\n- and more of it\n")
    desk.ws.at("HEAD").search("marzipan", mode="lexical")
    desk.ws.purge(["marzipan"])
    assert b"marzipan" not in everything(desk)
    assert desk.git("fsck", "--no-dangling", "--strict") == ""
    waiting = {one.id: one.kind for one in desk.ws.review()}
    assert waiting.get(name) in (None, "proposal")
    assert desk.ws.at("HEAD").search("city", mode="lexical").hits


def test_a_decided_proposal_is_not_brought_back_by_a_forget(desk: Desk) -> None:
    name = desk.propose(BASE + f"\n- {SECRET}\n- Sails at the weekend\n")
    desk.ws.decide(name, "accepted")
    desk.ws.forget(SECRET)
    assert desk.ws.review() == ()
    assert SECRET not in desk.text()
