"""Forget and purge reach what was said word for word."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.lifecycle.learning.conversations import Conversations
from mnemofs.llm.engine import Message

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.init(tmp_path / "ws", agent="ada", timezone="UTC") as workspace:
        yield workspace


def talk(root: str, *texts: str, name: str = "c1") -> None:
    with Conversations(root) as book:
        book.record(name, [Message("user", text) for text in texts], at=NOON)


def kept(root: str) -> list[str]:
    with Conversations(root) as book:
        return [message.text for message in book.messages("c1")]


def holders(root: str, text: str) -> list[str]:
    """Sidecar files that hold it."""
    found = (Path(root) / ".mnemofs").rglob("*")
    return [path.name for path in found if path.is_file() and text.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("said", "statement", "left"),
    [
        ("The quokka is called Fritz.", "the quokka is called Fritz", []),
        ("Hello. The quokka is called Fritz. Bye.", "The quokka is called Fritz", ["Hello. Bye."]),
        ("- tea\n- my quokka is Fritz\n- milk\n", "My quokka is Fritz", ["- tea\n- milk\n"]),
        ("我喜欢乌龙茶。我住在奥斯陆。", "我喜欢乌龙茶", ["我住在奥斯陆。"]),
    ],
)
def test_OWN_06_a_forgotten_statement_goes_from_what_was_said(
    ws: Workspace, said: str, statement: str, left: list[str]
) -> None:
    talk(ws.root, said)
    ws.remember(statement)
    receipt = ws.forget(statement)
    assert receipt.removed["conversation"] >= 1
    assert kept(ws.root) == left
    word = "乌龙茶" if "乌龙茶" in said else "uokka"
    assert holders(ws.root, word) == []


def test_a_mention_stays_unless_all_mentions_are_meant(ws: Workspace) -> None:
    ws.remember("Fritz")
    talk(ws.root, "I saw Fritz at the zoo. It rained.")
    ws.forget("Fritz")
    assert kept(ws.root) == ["I saw Fritz at the zoo. It rained."]
    ws.forget("Fritz", all_mentions=True)
    assert kept(ws.root) == ["It rained."]


def test_OWN_07_what_was_forgotten_does_not_come_back_with_the_next_turn(ws: Workspace) -> None:
    said = {"role": "user", "content": "The quokka is called Fritz and I moved to Oslo."}
    ws.remember("The quokka is called Fritz and I moved to Oslo.")
    ws.forget("The quokka is called Fritz and I moved to Oslo.")
    ws.turn_end("c1", [said, {"role": "assistant", "content": "I see."}])
    assert "quokka" not in "".join(kept(ws.root))
    assert holders(ws.root, "uokka") == []


@pytest.mark.parametrize(
    "said",
    [
        "Well, the quokka is called Fritz, as I said",
        "Hello! The quokka is called Fritz. Bye",
        "- tea\n- The quokka is called Fritz\n",
    ],
)
def test_OWN_07_it_is_taken_out_of_what_is_said_later(ws: Workspace, said: str) -> None:
    ws.remember("The quokka is called Fritz")
    ws.forget("The quokka is called Fritz")
    ws.turn_end("c1", [{"role": "user", "content": said}, {"role": "assistant", "content": "ok"}])
    assert len(kept(ws.root)) == 2 and "quokka" not in "".join(kept(ws.root))
    assert holders(ws.root, "uokka") == []


def test_an_imported_conversation_is_not_kept_word_for_word(ws: Workspace) -> None:
    said = [{"role": "user", "content": "Remember: I like tea."}]
    assert ws.extract(said, conversation="c1").status == "updated"
    assert kept(ws.root) == []


def test_a_purge_leaves_none_of_it_in_what_was_said(ws: Workspace) -> None:
    ws.remember("The vault code is plum-7431")
    talk(ws.root, "the code is plum-7431, keep it", "and plum-7432 is another")
    receipt = ws.purge(["plum-7431"])
    assert receipt.purged is not None and receipt.purged["verified"], receipt.purged["hits"]
    assert kept(ws.root) == ["the code is [purged], keep it", "and plum-7432 is another"]
    assert holders(ws.root, "plum-7431") == []
