"""Raw conversations: kept once, found again, bounded, without secrets, and forgettable."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.lifecycle.learning.alignment import align
from mnemofs.lifecycle.learning.conversations import Conversations, Outcome
from mnemofs.llm.engine import Message

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def said(*texts: str) -> tuple[Message, ...]:
    """Turns of user and assistant in alternation."""
    return tuple(
        Message("user" if place % 2 == 0 else "assistant", text) for place, text in enumerate(texts)
    )


def kept(book: Conversations, name: str = "c1") -> list[str]:
    return [message.text for message in book.messages(name)]


@pytest.fixture
def book(tmp_path: Path) -> Conversations:
    return Conversations(tmp_path)


def test_the_whole_conversation_each_time_is_kept_once(book: Conversations) -> None:
    everything = said("I moved to Oslo", "Nice", "It is cold", "I see")
    for end in (2, 2, 4, 4):
        before = book.record("c1", everything[:end], at=NOON)
        assert before.messages == ()
    assert kept(book) == ["I moved to Oslo", "Nice", "It is cold", "I see"]


def test_only_what_was_added_each_time_comes_to_the_same(book: Conversations) -> None:
    book.record("c1", said("I moved to Oslo", "Nice"), at=NOON)
    before = book.record("c1", said("It is cold", "I see"), at=NOON)
    assert [message.text for message in before.messages] == ["I moved to Oslo", "Nice"]
    before = book.record("c1", said("It is cold", "I see"), at=NOON)
    assert [message.text for message in before.messages] == ["I moved to Oslo", "Nice"]
    assert kept(book) == ["I moved to Oslo", "Nice", "It is cold", "I see"]
    book.record("c1", said("I moved to Oslo", "Nice"), at=NOON)
    assert len(kept(book)) == 4


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.data())
def test_windows_in_any_size_never_lose_a_message(letters: list[str], data: st.DataObject) -> None:
    everything = [f"{place}{letter}" for place, letter in enumerate(letters)]
    stored: list[str] = []
    at = 0
    while at < len(everything):
        begin = data.draw(st.integers(0, at))
        end = data.draw(st.integers(at + 1, len(everything)))
        present = everything[begin:end]
        start = align(stored, present)
        assert stored[start : start + len(present)] == present[: len(stored) - start]
        stored = stored[:start] + present
        at = end
    assert stored == everything


def test_an_edited_conversation_is_replaced_from_the_first_change(book: Conversations) -> None:
    book.record("c1", said("a1", "b1", "a2", "b2"), at=NOON)
    book.record("c1", said("a1", "b1", "a2 again", "b3"), at=NOON)
    assert kept(book) == ["a1", "b1", "a2 again", "b3"]


def test_two_talks_that_begin_alike_are_not_an_edit(book: Conversations) -> None:
    book.record("c1", said("hi", "hello", "q1", "answer one"), at=NOON)
    book.record("c1", said("hi", "welcome back"), at=NOON)
    assert kept(book) == ["hi", "hello", "q1", "answer one", "hi", "welcome back"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("oslo", True),
        ("OSLO", True),
        ("moving", True),
        ("cold oslo", True),
        ("龙", True),
        ("乌龙", True),
        ("乌龙茶", True),
        ("龙乌", False),
        ("お茶", True),
        ("C++", True),
        ("C#", False),
        ("don't", True),
        ("100%", True),
        ('" OR body:*', False),
        ("NEAR(", False),
        ("", False),
        ("   ", False),
        ("café", True),
        ("\ud800", False),
    ],
)
def test_a_query_is_data_in_every_script(book: Conversations, query: str, found: bool) -> None:
    text = "I moved to Oslo, it is cold; 我喜欢乌龙茶 and お茶, C++, don't ask, 100% Café"
    book.record("c1", said(text, "ok"), at=NOON)
    assert bool(book.search(query, 5)) is found


def test_a_snippet_is_one_line_around_the_match(book: Conversations) -> None:
    book.record("c1", said("word\n" * 200 + "the quokka sleeps\n" + "tail " * 200), at=NOON)
    (match,) = book.search("quokka", 5)
    assert len(match.snippet) <= 200 and "\n" not in match.snippet
    assert 40 < match.snippet.index("quokka") < 90
    assert match.snippet.startswith("…") and match.snippet.endswith("…")


def test_messages_with_all_words_come_before_those_with_some(book: Conversations) -> None:
    book.record("c1", said("tea in Oslo"), at=NOON)
    book.record("c2", said("tea at home"), at=NOON)
    assert [match.conversation for match in book.search("oslo tea", 5)] == ["c1"]
    assert {match.conversation for match in book.search("tea harbour", 5)} == {"c1", "c2"}
    assert [m.conversation for m in book.search("tea", 5, without=("c1",))] == ["c2"]


def test_a_running_turn_is_no_answer_until_it_ends_or_was_cut_off(book: Conversations) -> None:
    book.record("c1", said("tea", "ok"), at=NOON)
    book.begin("c1", at=NOON)
    soon, later = NOON + timedelta(minutes=1), NOON + timedelta(hours=1)
    assert book.recent(5, now=soon) == () and book.search("tea", 5, now=soon) == ()
    assert len(book.recent(5, now=later)) == 1
    book.end("c1")
    (session,) = book.recent(5, now=soon)
    assert (session.conversation, session.messages, session.title) == ("c1", 2, "tea")


def test_a_conversation_is_called_after_the_first_thing_said(book: Conversations) -> None:
    book.begin("c1", at=NOON)
    book.record("c1", said("  Tea\n or coffee? ", "Tea", "x"), at=NOON)
    book.end("c1")
    book.record("c1", said("Tea\n or coffee?", "Tea", "x", "y"), at=NOON)
    assert book.recent(1)[0].title == "Tea or coffee?"
    book.record("c1", said("z"), at=NOON, title="Drinks")
    assert book.recent(1)[0].title == "Drinks"


SECRETS = (
    "ghp_" + "aB3dE6gH9j" * 3 + "aB3dE6",
    "sk-" + "Ab3Ef6Gh9K" * 4,
    "AKIA" + "IOSFODNN7EXAMPL3"[:16],
    "postgres://u:pw9zz@h/db",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_SEC_07_a_secret_never_reaches_the_disk(tmp_path: Path, secret: str) -> None:
    value = "pw9zz" if "pw9zz" in secret else secret
    with Conversations(tmp_path) as book:
        book.record("c1", said(f"my key is {secret}", f"you said {secret}"), at=NOON)
        assert all("redacted" in text for text in kept(book))
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or value.encode() not in path.read_bytes()


def test_old_and_surplus_conversations_go_whole(tmp_path: Path) -> None:
    with Conversations(tmp_path, keep_days=10, keep_messages=6) as book:
        for day in range(6):
            book.record(f"c{day}", said("tea", "ok"), at=NOON + timedelta(days=day))
        assert [one.conversation for one in book.recent(9)] == ["c5", "c4", "c3"]
        book.record("late", said("tea", "ok"), at=NOON + timedelta(days=14))
        assert {one.conversation for one in book.recent(9)} == {"late", "c5", "c4"}
        assert len(book.search("tea", 9)) == 3


def test_a_long_conversation_outlives_the_bound(tmp_path: Path) -> None:
    with Conversations(tmp_path, keep_messages=3) as book:
        book.record("c1", said("a", "b", "c", "d", "e"), at=NOON)
        assert len(kept(book)) == 5


def test_what_is_rewritten_leaves_no_trace_and_does_not_come_back(tmp_path: Path) -> None:
    talk = said("The quokka is called Fritz", "Noted", "More?", "No")
    with Conversations(tmp_path) as book:
        book.record("c1", talk[:2], at=NOON)
        book.note(Outcome(NOON, "c1", "extract", "updated", "kept that the quokka is Fritz"))
        assert book.rewrite(lambda text: "" if "quokka" in text else text) == 2
        assert book.search("quokka", 5) == () and kept(book) == ["Noted"]
        book.record("c1", talk, at=NOON)
        assert kept(book) == ["Noted", "More?", "No"]
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"quokka" not in path.read_bytes().lower()


def test_reading_makes_no_file_and_a_damaged_one_is_begun_anew(tmp_path: Path) -> None:
    book = Conversations(tmp_path)
    assert book.recent(3) == book.search("x", 3) == book.messages("c1") == book.outcomes(3) == ()
    assert not list(tmp_path.iterdir())
    file = tmp_path / ".mnemofs" / "conversations.db"
    file.parent.mkdir()
    file.write_bytes(b"this is no database at all, but long enough to look at" * 40)
    book.record("c1", said("tea"), at=NOON)
    assert kept(book) == ["tea"]


def test_outcomes_are_bounded_and_newest_first(book: Conversations) -> None:
    for number in range(510):
        book.note(Outcome(NOON, f"c{number}", "extract", "skipped", "short"))
    found = book.outcomes(1000)
    assert len(found) == 500 and found[0].conversation == "c509"
