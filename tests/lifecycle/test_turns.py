"""When a conversation is looked at, and what of it is new."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.lifecycle.learning.alignment import fingerprints, unseen_from
from mnemofs.lifecycle.learning.transcripts import Transcript
from mnemofs.lifecycle.learning.turnbook import TurnBook
from mnemofs.lifecycle.learning.turns import Turn, hindrance
from mnemofs.llm.engine import Message
from mnemofs.sections import ExtractionConfig

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CONFIG = ExtractionConfig()
TALK = (
    ("user", "I moved to Oslo last week"),
    ("assistant", "How do you like it?"),
    ("user", "It is cold but lovely"),
    ("assistant", "Good to hear."),
)


def turn(*said: tuple[str, str], finish: str = "", trigger: str = "") -> Turn:
    messages = tuple(Message(role, text) for role, text in said)  # type: ignore[arg-type]
    return Turn(Transcript(messages, "c1", finish=finish), messages, trigger)


def with_last(text: str) -> tuple[tuple[str, str], ...]:
    return (*TALK[:2], ("user", text), TALK[3])


def test_an_ordinary_turn_passes_every_gate() -> None:
    assert hindrance(turn(*TALK), CONFIG, None) is None


@pytest.mark.parametrize(
    ("given_turn", "config", "cooling", "word"),
    [
        (turn(*TALK), CONFIG.replace(enabled=False), None, "switched off"),
        (turn(*TALK, trigger="cron"), CONFIG, None, "cron"),
        (turn(*TALK, trigger="System"), CONFIG, None, "system"),
        (turn(*TALK[:3]), CONFIG, None, "3 messages"),
        (turn(*with_last("thanks")), CONFIG, None, "6 characters"),
        (turn(*TALK), CONFIG, timedelta(minutes=4, seconds=1), "5 more minutes"),
        (turn(*TALK, finish="length"), CONFIG, None, "incomplete (length)"),
        (turn(*TALK[:3], ("assistant", "[证据不足]")), CONFIG, None, "uncertain"),
        (turn(*with_last("please debug this error"), trigger="web"), CONFIG, None, None),
        (turn(("user", "hi"), *with_last("看一下这段代码的问题吧")[1:]), CONFIG, None, "one-off"),
        (turn(*[("assistant", "Hello there")] * 4), CONFIG, None, "no message of a person"),
    ],
)
def test_each_gate_says_why(
    given_turn: Turn, config: ExtractionConfig, cooling: timedelta | None, word: str | None
) -> None:
    reason = hindrance(given_turn, config, cooling)
    assert reason is None if word is None else reason is not None and word in reason


def test_gates_speak_in_order() -> None:
    everything = turn(("user", "hm"), finish="length", trigger="cron")
    assert "cron" in (hindrance(everything, CONFIG, timedelta(minutes=1)) or "")
    short = turn(("user", "hm"), finish="length")
    assert "1 message," in (hindrance(short, CONFIG, timedelta(minutes=1)) or "")
    one = CONFIG.replace(min_messages=1)
    assert "2 characters" in (hindrance(short, one, timedelta(minutes=1)) or "")
    any_length = one.replace(min_user_chars=0)
    assert "cooldown" in (hindrance(short, any_length, timedelta(minutes=1)) or "")
    assert "incomplete" in (hindrance(short, any_length, None) or "")


@pytest.mark.parametrize(
    "text", ["Remember: tea", "记住：乌龙茶", "覚えておいて：お茶", "Merk dir: Tee"]
)
def test_an_explicit_request_overrides_count_length_and_cooldown(text: str) -> None:
    asked = turn(("user", text), finish="length")
    assert hindrance(asked, CONFIG, timedelta(minutes=4)) is None


@pytest.mark.parametrize("trigger", ["cron", "system", "dream"])
def test_LLM_11_not_even_an_explicit_request_opens_a_machines_conversation(trigger: str) -> None:
    asked = turn(("user", "Remember that the report is ready"), *TALK, trigger=trigger)
    assert hindrance(asked, CONFIG, None) is not None
    assert hindrance(asked, CONFIG.replace(skip_cron=False), None) is None


def test_a_request_to_remember_that_was_looked_at_before_opens_nothing_again() -> None:
    asked = turn(("user", "Remember: tea"), ("assistant", "Noted."))
    assert hindrance(replace(asked, new=asked.new[1:]), CONFIG, None) is not None


SAID = st.lists(st.sampled_from("abcde"), max_size=12)


@given(SAID, SAID)
def test_a_grown_conversation_goes_on_after_what_was_seen(seen: list[str], more: list[str]) -> None:
    assert unseen_from(seen, seen + more) == len(seen)


@given(st.lists(st.integers(), unique=True, min_size=1, max_size=20), st.data())
def test_a_sliding_window_goes_on_after_its_overlap(
    numbers: list[int], data: st.DataObject
) -> None:
    everything = [str(number) for number in numbers]
    seen_to = data.draw(st.integers(1, len(everything)))
    start = data.draw(st.integers(0, seen_to))
    window = everything[start:]
    assert window[unseen_from(everything[:seen_to], window) :] == everything[seen_to:]


@given(SAID, SAID)
def test_nothing_new_is_ever_skipped_beyond_what_was_seen(
    seen: list[str], present: list[str]
) -> None:
    skipped = present[: unseen_from(seen, present)]
    assert skipped in (seen[: len(skipped)], seen[len(seen) - len(skipped) :])


def test_an_edited_message_is_new_with_all_that_follows() -> None:
    assert unseen_from(["a", "b", "c"], ["a", "x", "c", "d"]) == 1


def test_the_same_text_of_another_speaker_is_another_message() -> None:
    mine, yours = fingerprints([Message("user", "yes"), Message("assistant", "yes")])
    assert mine != yours


def test_the_cooldown_survives_a_restart_and_ends(tmp_path: Path) -> None:
    assert TurnBook(tmp_path).cooling(NOW, 5) is None
    TurnBook(tmp_path).start_cooldown(NOW)
    book = TurnBook(tmp_path)
    assert book.cooling(NOW + timedelta(minutes=2), 5) == timedelta(minutes=3)
    assert book.cooling(NOW + timedelta(minutes=5), 5) is None
    assert book.cooling(NOW, 0) is None
    assert book.cooling(NOW - timedelta(days=1), 5) is None


def test_cooldowns_of_owners_are_their_own(tmp_path: Path) -> None:
    TurnBook(tmp_path, "user:ada").start_cooldown(NOW)
    assert TurnBook(tmp_path, "user:ada").cooling(NOW, 5)
    assert TurnBook(tmp_path, "user:Ada").cooling(NOW, 5) is None
    assert TurnBook(tmp_path).cooling(NOW, 5) is None


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b'{"updated": 7, "seen": "x"}', b"\xff\x00"])
def test_damaged_books_count_as_empty(tmp_path: Path, junk: bytes) -> None:
    book = TurnBook(tmp_path)
    book.start_cooldown(NOW)
    book.mark_seen("c1", ("aa",))
    for file in (tmp_path / ".mnemofs" / "turns" / "team").glob("*.json"):
        file.write_bytes(junk)
    assert book.cooling(NOW, 5) is None
    assert book.seen("c1") == ()


@pytest.mark.parametrize(
    "name", ["c1", "../../etc/passwd", "a/b", "会话", "x" * 5000, "\ud800", ""]
)
def test_any_conversation_name_has_a_book_inside_the_folder(tmp_path: Path, name: str) -> None:
    book = TurnBook(tmp_path)
    book.mark_seen(name, ("aa", "bb"))
    assert TurnBook(tmp_path).seen(name) == ("aa", "bb")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(".mnemofs/turns/team/c-" in path.as_posix() for path in files)


def test_books_of_old_conversations_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemofs.lifecycle.learning.turnbook._MAX_CONVERSATIONS", 5)
    book = TurnBook(tmp_path)
    for number in range(9):
        book.mark_seen(f"c{number}", ("aa",))
    kept = [number for number in range(9) if book.seen(f"c{number}")]
    assert len(kept) == 5
    assert 8 in kept


HOLD = """
import sys
from mnemofs.lifecycle.learning.turnbook import TurnBook
with TurnBook(sys.argv[1], "user:ada").claim() as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def test_a_run_in_another_process_is_noticed_and_ends_with_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with TurnBook(tmp_path, "user:ada").claim() as mine:
            assert not mine
        with TurnBook(tmp_path, "user:bob").claim() as bobs:
            assert bobs
        other.kill()
        other.wait(20)
    with TurnBook(tmp_path, "user:ada").claim() as mine:
        assert mine


def test_two_runs_in_one_process_are_told_apart(tmp_path: Path) -> None:
    with TurnBook(tmp_path).claim() as first, TurnBook(tmp_path).claim() as second:
        assert [first, second] == [True, False]
    with TurnBook(tmp_path).claim() as again, TurnBook(tmp_path).claim("dream") as dream:
        assert again
        assert dream
