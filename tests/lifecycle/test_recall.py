"""Which entries entered which prompt: noted in passing, counted per store, forgotten on demand."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemofs.index.rows.blobs import blob_id
from mnemofs.lifecycle.identity import entry_id
from mnemofs.lifecycle.recalls.book import (
    Counted,
    Injected,
    RecallBook,
    Shown,
    new_prompt,
    query_hash,
    recall_event,
    recall_totals,
)
from mnemofs.lifecycle.recalls.spool import SPOOL
from mnemofs.names import SIDECAR_DIR

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
LINE = "- 2026-05-01 (tool): We deploy on Fridays"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    (folder / "memory").mkdir(parents=True)
    (folder / "structured").mkdir()
    (folder / "MEMORY.md").write_text(f"# Memory\n\n{LINE}\n- Lunch is at noon\n")
    (folder / "structured/user.md").write_text("## style\nUses tabs\n\n## drink\nTea\n")
    return folder


def hit(text: str = LINE, path: str = "MEMORY.md", line: int = 3) -> Injected:
    return Injected(path, line, "Memory", text, "search", 0.5, "words 0.5")


def record(book: RecallBook, *entries: Injected, **given: object) -> None:
    options: dict[str, object] = {"query": "when?", "owner": "", "at": NOW, "prompt": new_prompt()}
    book.record(entries, **{**options, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- We deploy on Fridays", "* we deploy  on fridays."),
        ("- 2026-05-01 09:30 (chat): We deploy on Fridays", "We **deploy** on Fridays"),
        ("- [x] buy milk", "buy milk"),
        ("１２", "12"),
    ],
)
def test_an_entry_is_the_same_wherever_and_however_it_stands(one: str, other: str) -> None:
    assert entry_id(one) == entry_id(other)
    assert len(entry_id(one)) == 12 and int(entry_id(one), 16) >= 0
    assert entry_id(one) != entry_id(f"{one} not")


def test_recalls_are_counted_with_their_questions(root: Path) -> None:
    book = RecallBook(root)
    for number in range(40):
        record(book, hit(), query=f"question {number % 35}", at=NOW + timedelta(minutes=number))
    (one,) = book.counts()
    assert (one.entry, one.path, one.heading) == (entry_id(LINE), "MEMORY.md", "Memory")
    assert one.text == LINE
    assert (one.recalls, one.today) == (40, 40)
    assert len(one.queries) == 32 and one.queries[-1] == query_hash("question 4")
    assert (one.first, one.last) == (NOW, NOW + timedelta(minutes=39))


def test_what_every_prompt_holds_is_shown_but_not_counted(root: Path) -> None:
    book = RecallBook(root)
    content = (root / "MEMORY.md").read_bytes()
    structured = (root / "structured/user.md").read_bytes()
    files = [
        Shown("MEMORY.md", blob_id(content)),
        Shown("structured/user.md", blob_id(structured), without=("drink",)),
    ]
    record(book, files=files, omitted=["structured/user.md: drink"])
    assert book.counts() == ()
    (prompt,) = book.prompts(5)
    assert [(one.path, one.text, one.why) for one in prompt.entries] == [
        ("MEMORY.md", LINE, "always-on"),
        ("MEMORY.md", "- Lunch is at noon", "always-on"),
        ("structured/user.md", "Uses tabs", "always-on"),
    ]
    assert prompt.omitted == ("structured/user.md: drink",)


def test_a_file_that_was_read_counts(root: Path) -> None:
    book = RecallBook(root)
    content = (root / "MEMORY.md").read_bytes()
    record(book, query="", files=[Shown("MEMORY.md", blob_id(content), why="read")])
    assert {(one.text, one.recalls, one.queries) for one in book.counts()} == {
        (LINE, 1, ()),
        ("- Lunch is at noon", 1, ()),
    }


@pytest.mark.parametrize(
    ("path", "text", "line", "entries"),
    [
        ("memory/2026-05-01.md", "- one\n- two", 3, ["one", "two"]),
        ("memory/2026-05-01.md", "one", 0, ["one"]),
        ("structured/project.md", "Go and Vue", 2, ["Go and Vue"]),
        ("memories/tea.md", "Green, no sugar", 4, ["Green, no sugar\n\nIn the morning black"]),
    ],
)
def test_a_hit_counts_for_the_entries_it_is_made_of(
    root: Path, path: str, text: str, line: int, entries: list[str]
) -> None:
    (root / "memories").mkdir()
    (root / "memory/2026-05-01.md").write_text("# Day\n\n- one\n- two\n- three\n")
    (root / "structured/project.md").write_text("## stack\nGo and Vue\n")
    (root / "memories/tea.md").write_text(
        "---\nkey: tea\n---\nGreen, no sugar\n\nIn the morning black\n"
    )
    book = RecallBook(root)
    record(book, hit(text, path, line))
    assert {one.entry for one in book.counts()} == {entry_id(entry) for entry in entries}


def test_a_line_that_moves_keeps_its_counts_and_one_that_goes_loses_them(root: Path) -> None:
    book = RecallBook(root)
    record(book, hit())
    record(book, hit("- Lunch is at noon", line=4), at=NOW + timedelta(minutes=1))
    (root / "MEMORY.md").write_text(
        f"# Memory\n\n## Decisions\n\n- Tea\n{LINE.replace('05-01', '05-02')}\n"
    )
    (one,) = book.counts()
    assert (one.recalls, one.heading) == (1, "Memory > Decisions")
    gone, moved = (prompt.entries[0] for prompt in book.prompts(2))
    assert (moved.line, gone.text) == (6, "")


def test_settling_begins_a_new_day_and_loses_nothing_that_came_meanwhile(root: Path) -> None:
    book = RecallBook(root)
    record(book, hit())
    record(book, hit())
    counted = book.counts()
    record(book, hit())
    assert [one.today for one in book.settle(NOW, counted)] == [3]
    (one,) = book.counts()
    assert (one.recalls, one.today) == (3, 1)
    book.settle(NOW)
    assert [(one.recalls, one.today) for one in book.counts()] == [(3, 0)]


def test_old_prompts_go_and_unused_counts_much_later(root: Path) -> None:
    book = RecallBook(root, keep_days=10)
    record(book, hit())
    record(book, hit("- Lunch is at noon", line=4), at=NOW + timedelta(days=9))
    book.settle(NOW + timedelta(days=11))
    assert len(book.prompts(10)) == 1 and len(book.counts()) == 2
    book.settle(NOW + timedelta(days=61))
    assert [one.text for one in book.counts()] == ["- Lunch is at noon"]


def test_the_book_is_bounded_where_no_dream_ever_settles(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemofs.lifecycle.recalls.book._MOST_PROMPTS", 5)
    monkeypatch.setattr("mnemofs.lifecycle.recalls.book._MOST_ENTRIES", 3)
    book = RecallBook(root, keep_days=10)
    for number in range(8):
        (root / f"memory/{number}.md").write_text(f"- fact {number}\n")
        at = NOW + timedelta(hours=number)
        record(book, hit(f"- fact {number}", f"memory/{number}.md", 1), at=at)
    assert len(book.prompts(99)) == 5
    assert [one.text for one in book.counts()] == ["- fact 7", "- fact 6", "- fact 5"]
    record(book, hit(), at=NOW + timedelta(days=20))
    assert len(book.prompts(99)) == 1


def test_W_2_a_persons_question_is_kept_in_words_only_in_their_own_store(root: Path) -> None:
    shared, own = RecallBook(root), RecallBook(root.parent / "own", owner="user:1")
    (root.parent / "own").mkdir()
    for book in (shared, own):
        record(book, query="where is zebra1?", owner="user:1")
        book.absorb()
    kept = b"".join(path.read_bytes() for path in (root / ".mnemofs").iterdir())
    assert b"zebra1" not in kept and b"user:1" not in kept
    (prompt,) = shared.prompts(5, "user:1")
    assert (prompt.query, prompt.query_hash) == ("", query_hash("where is zebra1?"))
    assert own.prompts(5, "user:1")[0].query == "where is zebra1?"
    assert shared.prompts(5, "user:2") == () and shared.prompts(5, "") == ()


@pytest.mark.parametrize(
    "secret", ["ghp_" + "a1B2" * 9, "sk-" + "Zz09" * 10, "postgres://u:pw9word@h/db"]
)
def test_SEC_07_a_secret_in_a_question_is_masked(root: Path, secret: str) -> None:
    book = RecallBook(root)
    record(book, query=f"is {secret} still valid?")
    assert secret.encode() not in (root / ".mnemofs" / SPOOL).read_bytes()
    assert secret not in book.prompts(1)[0].query
    assert "still valid?" in book.prompts(1)[0].query


def test_a_forgotten_statement_leaves_the_book(root: Path) -> None:
    book = RecallBook(root)
    record(book, hit(), query="does the quokka deploy?", omitted=["MEMORY.md: Quokka days", "x"])
    record(book, hit("- quokka lunch", "memory/a.md", 0), query="lunch?")
    record(book, hit(), query="lunch?")
    assert book.forget(lambda text: "quokka" in text.casefold()) == 2
    for path in (root / ".mnemofs").iterdir():
        assert b"uokka" not in path.read_bytes()
    (one,) = book.counts()
    assert one.queries == (query_hash("lunch?"),)
    assert [prompt.omitted for prompt in book.prompts(9) if prompt.omitted] == [("x",)]


def test_a_person_who_leaves_leaves_the_shared_book(root: Path) -> None:
    book = RecallBook(root)
    record(book, hit(), owner="user:1")
    record(book, hit(), owner="user:2")
    book.forget_owner("user:1")
    assert [len(book.prompts(9, owner)) for owner in ("user:1", "user:2")] == [0, 1]
    assert book.counts()[0].recalls == 2


@pytest.mark.parametrize(
    "text", ['say "hi" \\ there', "tab\there\nline", "日本語 🧠", "\udcff", "\0\x1f\u2028"]
)
def test_odd_questions_and_texts_are_noted_too(root: Path, text: str) -> None:
    book = RecallBook(root)
    record(book, hit(text), query=text, omitted=[text])
    (prompt,) = book.prompts(1)
    assert prompt.query_hash == query_hash(text)
    assert prompt.query == text.encode("utf-8", "replace").decode()


def test_nothing_that_goes_wrong_stops_a_reader(root: Path, tmp_path: Path) -> None:
    (root / ".mnemofs").write_text("a file where the folder should be")
    book = RecallBook(root)
    record(book, hit())
    assert (book.counts(), book.prompts(1), book.settle(NOW)) == ((), (), ())
    gone = RecallBook(tmp_path / "not" / "there")
    assert gone.counts() == () and gone.forget(bool) == 0


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b""])
def test_a_damaged_book_is_begun_anew(root: Path, damage: bytes) -> None:
    book = RecallBook(root)
    record(book, hit())
    book.absorb()
    for path in (root / ".mnemofs").glob("recall.db*"):
        path.unlink()
    (root / ".mnemofs/recall.db").write_bytes(damage)
    (root / ".mnemofs" / SPOOL).write_bytes(b"{broken\n[]\n\xff\xfe\n")
    record(book, hit())
    assert [one.recalls for one in book.counts()] == [1]


def test_a_book_of_another_form_is_begun_anew(root: Path) -> None:
    (root / ".mnemofs").mkdir(exist_ok=True)
    with sqlite3.connect(root / ".mnemofs/recall.db") as db:
        db.executescript("create table entry(id, since); pragma user_version=1")
    book = RecallBook(root)
    record(book, hit())
    assert [one.recalls for one in book.counts()] == [1]
    assert len(book.prompts(1)) == 1


def test_a_process_that_died_while_counting_does_not_count_twice(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = RecallBook(root)
    record(book, hit())
    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", lambda _path: None)
        assert book.counts()[0].recalls == 1
    record(book, hit())
    book.counts()
    assert book.counts()[0].recalls == 2


def test_many_may_note_and_count_at_once(root: Path) -> None:
    def note() -> None:
        for _ in range(40):
            record(RecallBook(root), hit())
            RecallBook(root).absorb()

    threads = [threading.Thread(target=note) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert RecallBook(root).counts()[0].recalls == 160


def test_the_spool_is_drained_before_it_grows_large(root: Path) -> None:
    book = RecallBook(root)
    for _ in range(200):
        record(book, hit("- " + "x" * 4000, "memory/gone.md", 0))
    assert (root / ".mnemofs" / SPOOL).stat().st_size < 600 << 10


def test_the_ledger_gets_totals_and_adds_them_up(root: Path) -> None:
    def counted(entry: str, today: int, questions: int) -> Counted:
        queries = tuple(str(number) for number in range(questions))
        return Counted(entry, "a.md", "", "text", 9, today, queries, NOW, NOW)

    event = recall_event([counted("aa", 2, 1), counted("bb", 5, 3), counted("cc", 0, 1)], NOW)
    assert event is not None
    assert (event["kind"], event["entries"]) == ("recall", {"bb": [5, 3], "aa": [2, 1]})
    assert recall_event([counted("cc", 0, 1)], NOW) is None
    other = json.dumps({"kind": "recall", "entries": {"aa": [1, 4], "zz": "?", "yy": [1]}})
    ledgers = [json.dumps(event).encode(), other.encode(), b"garbage\n"]
    assert recall_totals(ledgers) == {"bb": (5, 3), "aa": (3, 4)}


@pytest.mark.parametrize("years", [1, 10, 900])
def test_a_clock_that_was_wrong_for_a_moment_takes_nothing_with_it(root: Path, years: int) -> None:
    book = RecallBook(root)
    lunch = hit("- Lunch is at noon", line=4)
    record(book, hit(), lunch)
    assert len(book.counts()) == 2
    record(book, hit(), at=NOW + timedelta(days=365 * years))
    record(book, hit())
    assert {one.recalls for one in book.counts()} == {3, 1}
    book.settle(NOW)
    assert [prompt.at for prompt in book.prompts(10)] == [NOW, NOW]
    assert all(one.last <= NOW for one in book.counts())


@pytest.mark.parametrize("at", ["NaN", "Infinity", "-Infinity", "1e999", "-5", "1e14", "null"])
@pytest.mark.parametrize("score", ["0.5", "null", "[]"])
def test_a_forged_line_stops_nobody(root: Path, at: str, score: str) -> None:
    book = RecallBook(root)
    record(book, hit())
    entry = f'["MEMORY.md",3,"","We deploy on Fridays","search",{score},""]'
    line = (
        f'{{"prompt":"x","at":{at},"hash":"h","query":"","owner":"","files":[],'
        f'"entries":[{entry}],"omitted":[]}}\n'
    )
    with (root / SIDECAR_DIR / SPOOL).open("a") as spool:
        spool.write(line)
    assert len(book.counts()) == 1 and len(book.prompts(5)) == 1


def test_a_huge_prompt_is_noted_within_bounds_and_beside_the_others(root: Path) -> None:
    book = RecallBook(root)
    record(book, hit())
    huge = "x " * 500_000
    record(book, *[hit(huge)] * 2000, query=huge, omitted=[huge] * 500)
    assert len(book.prompts(10)) == 2 and book.counts()[0].recalls >= 1
