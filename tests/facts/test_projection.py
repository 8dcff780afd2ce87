"""What files state, as facts: read with care, found again, followed as the files change."""

from __future__ import annotations

import os
import sqlite3
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemofs.lifecycle.facts.book import FactBook
from mnemofs.lifecycle.facts.projection import project
from tests.facts.conftest import Desk, one, texts

MEMORY = "# Memory\n\n## Facts\n\n"


def read(text: str, path: str = "MEMORY.md") -> list[tuple[str, str, str]]:
    said = [fact.said for fact in project(path, text.encode(), "shared")]
    return [
        (one.subject, ("not " if one.negative else "") + one.predicate, one.object) for one in said
    ]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("- **deploy_day**: Friday", ("deploy_day", "is", "Friday")),
        ("- **deploy day:** Friday", ("deploy day", "is", "Friday")),
        ("* **城市**：上海", ("城市", "is", "上海")),
        ("- editor: Vim", ("editor", "is", "Vim")),
        ("timezone: Europe/Rome", ("timezone", "is", "Europe/Rome")),
        ("- 2026-05-01 09:30 (chat): I live in Rome", ("user", "lives in", "Rome")),
        ("- Anna works at Acme.", ("Anna", "works at", "Acme")),
        ("- The deploy day is Friday", ("deploy day", "is", "Friday")),
        ("- I don't like tea", ("user", "not likes", "tea")),
        ("- Ich wohne in Hamburg", ("user", "lives in", "Hamburg")),
        ("- Mi cumpleaños es el 5 de mayo", ("cumpleaños", "is", "el 5 de mayo")),
        ("- J'habite à Lyon", ("user", "lives in", "Lyon")),
        ("- 我住在上海", ("user", "lives in", "上海")),
        ("- 私は東京に住んでいます", ("user", "lives in", "東京")),
        ("I prefer short answers.", ("user", "prefers", "short answers")),
        ("- Prefers short answers", ("user", "prefers", "short answers")),
        ("- The user lives in Rome", ("user", "lives in", "Rome")),
        ("- My name is Ada and I run a bakery", ("name", "is", "Ada")),
        ("- Tom doesn't speak Dutch", ("Tom", "not speaks", "Dutch")),
        ("- We've moved from Rome to Paris", ("user", "lives in", "Paris")),
        ("- Mein Geburtstag ist der 3. März", ("Geburtstag", "is", "der 3. März")),
        ("- Je n'aime pas le thé", ("user", "not likes", "le thé")),
        ("- Ya no vivo en Madrid", ("user", "not lives in", "Madrid")),
        ("- 我们一家已经从北京搬到成都了", ("user", "lives in", "成都")),
        ("- コーヒーが嫌いです", ("user", "not likes", "コーヒー")),
        ("- Status: draft", ("Status", "is", "draft")),
    ],
)
def test_each_form_of_entry_gives_its_fact(line: str, fact: tuple[str, str, str]) -> None:
    assert read(f"{MEMORY}{line}\n") == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "- Do you live in Rome?",
        "- If I live in Rome, call me",
        "- Maybe I live in Rome",
        "- I used to live in Rome",
        "- I will move to Rome next year",
        "- It is blue",
        "- Use tabs",
        "- Answer in English",
        "- Wohnst du in Hamburg?",
        "- Vielleicht wohne ich in Köln",
        "- ¿Vives en Madrid?",
        "- Antes vivía en Madrid",
        "- Autrefois j'habitais à Lyon",
        "- 你住在上海吗？",
        "- 如果我住在上海，请告诉我",
        "- 東京に住んでいますか？",
        "- https://example.org/a: b",
        "- Always use tabs",
        "- Please proofread: I live in Rome",
        '- The customer wrote: "I live in Rome"',
        "- In the story, the hero says he lives in Rome",
        "- I've published two books",
        "- I have to deploy on Friday",
        "- I like this song",
        "- We are done",
        "- Last month we moved the server",
        "- 我的生日是哪天",
        "- 请用中文回答",
        "- The wifi password is Tr0mpete99",
        "- **api_key**: Tr0mpete99",
        "- 密码是 Tr0mpete99",
        "## I live in Rome",
        "<!-- I live in Rome -->",
        "```\nI live in Rome\n```",
        "> I live in Rome",
    ],
)
def test_what_states_nothing_plain_gives_no_fact(line: str) -> None:
    assert read(f"{MEMORY}{line}\n") == []


def test_a_structured_entry_is_a_fact_under_its_key() -> None:
    text = (
        "## answer_style\nPrefers short answers\n> Source: chat | Updated: 2026-05-01\n\n"
        "## team\nThree people:\n- **lead**: Linda\n- **intern**: Bo\n"
    )
    assert read(text, "structured/project.md") == [
        ("answer_style", "has", "Prefers short answers"),
        ("team", "has", "Three people:"),
        ("lead", "is", "Linda"),
        ("intern", "is", "Bo"),
    ]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\x00", b"---\n", "﻿- a: b\r\n".encode()])
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    project("MEMORY.md", data, "shared")


def test_sentences_of_one_entry_are_facts_of_their_own(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome. I like tea. Dr. Young is my dentist.\n")
    assert {"user lives in Rome", "user likes tea"} <= set(texts(desk.ws.facts()))


def test_the_id_survives_moving_rebuilding_and_another_machine(desk: Desk, make: object) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n- The deploy day is Friday\n")
    before = {fact.text: fact.id for fact in desk.ws.facts()}
    desk.put(
        "# Memory\n\n## Other\n\n- The deploy day is **Friday**.\n\ntext\n\n- i live in rome\n"
    )
    after = {fact.text.casefold(): fact.id for fact in desk.ws.facts()}
    assert after["user lives in rome"] == before["user lives in Rome"]
    assert after["deploy day is friday"] == before["deploy day is Friday"]
    desk.ws.rebuild_facts(rebuild=True)
    assert {fact.text.casefold(): fact.id for fact in desk.ws.facts()} == after
    other: Desk = make("elsewhere")  # type: ignore[operator]
    other.put(f"{MEMORY}- I live in Rome\n")
    assert one(other.ws.facts()).id == before["user lives in Rome"]
    assert one(desk.ws.for_owner("user:1").facts(entity="Rome")).id == one(other.ws.facts()).id


def test_a_hand_edit_is_known_at_the_next_look(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    assert texts(desk.ws.facts()) == ["user lives in Rome"]
    (desk.root / "MEMORY.md").write_text(f"{MEMORY}- I live in Paris\n")
    fact = one(desk.ws.facts())
    assert (fact.text, fact.places[0].commit, fact.places[0].actor) == (
        "user lives in Paris", "", "person",
    )  # fmt: skip
    (desk.root / "MEMORY.md").unlink()
    assert desk.ws.facts() == []


def test_only_a_file_that_changed_is_read_again(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    desk.put("city: Rome\n", "PROFILE.md")
    desk.ws.remember("Friday", kind="project", key="deploy_day", actor="person")
    first = desk.ws.rebuild_facts()
    assert {"MEMORY.md", "PROFILE.md", "structured/project.md"} <= set(first.read)
    assert desk.ws.rebuild_facts().as_dict()["status"] == "unchanged"
    (desk.root / "PROFILE.md").write_text("city: Oslo\n")
    assert desk.ws.rebuild_facts().read == ("PROFILE.md",)
    assert len(desk.ws.rebuild_facts(rebuild=True).read) == len(first.read)


@pytest.mark.parametrize(
    "line",
    [
        '"I live in Rome," said Anna',
        "\u201eIch wohne in Rom\u201c, sagte Anna",
        "\u00ab J'habite \u00e0 Lyon \u00bb, dit Anna",
        "\u300c\u6771\u4eac\u306b\u4f4f\u3093\u3067\u3044\u307e\u3059\u300d\u3068\u7530\u4e2d\u306f\u8a00\u3063\u305f",
        "\u201c\u6211\u4f4f\u5728\u4e0a\u6d77\uff0c\u201d\u4ed6\u8bf4",
    ],
)
def test_what_somebody_else_says_of_themselves_is_no_fact_of_the_user(line: str) -> None:
    assert read(f"- {line}\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "Anna works at Acme and lives in Rome",
        "Anna arbeitet bei Acme und wohnt in Rom",
        "Anna trabaja en Acme y vive en Roma",
        "Anna travaille chez Acme et habite \u00e0 Rome",
    ],
)
def test_a_second_clause_is_no_part_of_the_first_ones_value(line: str) -> None:
    assert read(f"- {line}\n") == [("Anna", "works at", "Acme")]
    assert read("- Anna works at Johnson and Johnson\n")[0][2] == "Johnson and Johnson"


@pytest.mark.parametrize("damage", ["gone", "garbage", "folder", "old", "cut"])
def test_a_table_that_is_gone_or_damaged_is_made_anew(desk: Desk, damage: str) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    before = texts(desk.ws.facts())
    place = desk.root / ".mnemofs" / "facts.db"
    for suffix in ("-wal", "-shm"):
        Path(f"{place}{suffix}").unlink(missing_ok=True)
    if damage == "garbage":
        place.write_bytes(b"SQLite format 3\0" + os.urandom(5000))
    elif damage == "cut":
        place.write_bytes(place.read_bytes()[:3000])
    elif damage == "old":
        with sqlite3.connect(place) as db:
            db.execute("pragma user_version = 99")
            db.execute("drop table fact")
    else:
        place.unlink()
        if damage == "folder":
            place.mkdir()
    assert texts(desk.ws.facts()) == before


@pytest.mark.parametrize(
    "change",
    [
        "drop table recalled",
        "drop index fact_slot",
        "alter table fact rename column entry to kept",
        "alter table feedback add column more text",
        "drop table fact; create view fact as select * from file",
        "create table other(x); create trigger t after insert on file begin delete from fact; end",
    ],
)
def test_a_table_of_another_form_under_the_same_version_is_made_anew(
    desk: Desk, change: str
) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    before = texts(desk.ws.facts())
    with sqlite3.connect(desk.root / ".mnemofs" / "facts.db") as db:
        db.executescript(change)
    assert texts(desk.ws.facts()) == before
    assert desk.ws.fact_feedback(one(desk.ws.facts()).id, "HELPFUL").commit
    assert one(desk.ws.facts()).helpful == 1


def test_a_table_that_another_process_holds_does_not_stop_a_reader(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    desk.ws.facts()
    with sqlite3.connect(desk.root / ".mnemofs" / "facts.db", isolation_level=None) as db:
        db.execute("begin immediate")
        (desk.root / "MEMORY.md").write_text(f"{MEMORY}- I live in Paris\n")
        assert texts(desk.ws.facts()) == ["user lives in Paris"]
        db.execute("rollback")


def test_many_readers_at_once_see_the_same(desk: Desk) -> None:
    desk.put(MEMORY + "".join(f"- **key {n}**: value {n}\n" for n in range(60)))
    seen: list[int] = []

    def look() -> None:
        with FactBook(desk.root) as book:
            book.refresh()
            seen.append(len(book.rows()))

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [60] * 6


QUESTIONS = [
    ("Where do I live at the moment, could you tell me please?", "user lives in Rome"),
    ("when is the deploy day again", "deploy day is Friday"),
    ("Welche Farbe hat mein Fahrrad?", "Fahrrad is ein rotes Modell"),
    ("我住在哪里？", "user lives in 上海"),
    ("京", "user works at 東京電力"),
    ("¿Cuál es la contraseña del presupuesto?", "presupuesto is 10000 euros"),
    ("what do you know about C++?", "user uses C++"),
]


@pytest.mark.parametrize(("question", "text"), QUESTIONS)
def test_W_22_a_whole_message_finds_its_fact(desk: Desk, question: str, text: str) -> None:
    lines = [
        "I live in Rome", "The deploy day is Friday", "Mein Fahrrad ist ein rotes Modell",
        "我住在上海", "私は東京電力で働いています", "El presupuesto es 10000 euros", "I use C++",
        "I drink tea",
    ]  # fmt: skip
    (desk.root / "MEMORY.md").write_text(MEMORY + "".join(f"- {line}\n" for line in lines))
    found = desk.ws.facts(question)
    assert text in texts(found)[:2]
    assert "user drinks tea" not in texts(found)


@pytest.mark.parametrize("query", ["'", '"', "*", "%", "NEAR(", "a OR b", "\x00", "😀", "the", ""])
def test_a_query_is_data(desk: Desk, query: str) -> None:
    (desk.root / "MEMORY.md").write_text(f"{MEMORY}- I live in Rome\n")
    desk.ws.facts(query)
    desk.ws.facts(entity=query)
    desk.ws.fact_probe(query)


def test_a_part_of_a_word_is_enough_when_it_is_typed(desk: Desk) -> None:
    (desk.root / "MEMORY.md").write_text(f"{MEMORY}- I live in Quokkatown\n- I like tea\n")
    assert texts(desk.ws.facts("quokka")) == ["user lives in Quokkatown"]
    assert texts(desk.ws.facts("katown")) == ["user lives in Quokkatown"]
    assert desk.ws.facts("what about quokka then, or something else altogether?") == []
    assert desk.ws.facts("ow") == []


def test_an_entity_is_found_by_all_of_its_words(desk: Desk) -> None:
    (desk.root / "MEMORY.md").write_text(
        f"{MEMORY}- Anna Berg lives in Lyon\n- Anna Holm lives in Nice\n- Bo works at Berg\n"
    )
    assert texts(desk.ws.facts(entity="anna berg")) == ["Anna Berg lives in Lyon"]
    assert len(desk.ws.facts(entity="Anna")) == 2
    assert desk.ws.facts(entity="Carl") == []


def test_a_probe_gives_lines_with_trust_and_counts_the_use(desk: Desk) -> None:
    desk.put(f"{MEMORY}- Anna Berg lives in Lyon\n")
    assert desk.ws.fact_probe("Anna") == "- Anna Berg lives in Lyon (trust=0.80)"
    desk.ws.fact_probe("Lyon")
    fact = one(desk.ws.facts())
    assert (fact.uses, fact.last_used) == (2, desk.now)
    desk.ws.rebuild_facts(rebuild=True)
    assert one(desk.ws.facts()).uses == 2


def test_a_fact_says_where_it_stands_and_who_said_so(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n")
    desk.tick()
    desk.ws.remember("Prefers Rome in spring", actor="tool", source="chat 7")
    fact = one(desk.ws.facts("live"))
    place = fact.places[0]
    assert (place.path, place.line, place.actor, place.trust) == ("MEMORY.md", 5, "person", "user")
    assert desk.git("show", "-s", "--format=%s", place.commit).startswith("write:")
    said = one(desk.ws.facts("prefers"))
    assert (said.places[0].source, said.places[0].trust) == ("chat 7", "agent")
    assert said.category == "general"


def test_facts_can_be_switched_off(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n- I live in Paris\n")
    settings = desk.root / "mnemofs.toml"
    settings.write_text(settings.read_text() + "\n[facts]\nenabled = false\n")
    with type(desk.ws).open(desk.root, clock=desk.ws.clock) as off:
        assert off.facts() == []
        assert off.contradictions() == ()
        assert off.rebuild_facts().facts == 0


EDITS = [
    lambda lines: [*lines, "- I like newthing"],
    lambda lines: ["- Anna works at Initech", *lines],
    lambda lines: lines[::-1],
    lambda lines: lines[2:],
    lambda lines: [*lines, lines[0]],
    lambda lines: [lines[0], *lines],
    lambda lines: [line.replace("Rome", "Oslo") for line in lines],
    lambda lines: ["## Until 2024", "", *lines],
    lambda lines: [],
]


@pytest.mark.parametrize("edit", range(len(EDITS)))
def test_following_an_edit_comes_to_the_same_as_reading_all_anew(tmp_path: Path, edit: int) -> None:
    lines = [
        "- I live in Rome", "- **port**: 80", "text about Rome", "- I live in Rome",
        "- Bo works at Acme. Bo speaks Dutch.", "- 2026-05-01 (x): I like tea",
    ]  # fmt: skip
    memory = tmp_path / "MEMORY.md"
    memory.write_text("\n".join(lines) + "\n")
    with FactBook(tmp_path) as book:
        book.refresh()
        memory.write_text("\n".join(EDITS[edit](list(lines))) + "\n")
        os.utime(memory, ns=(1, 1))
        book.refresh()
        followed = [row[:-1] for row in book.rows()]
        words = {word: len(book.rows_of(word)) for word in ("rome", "oslo", "port", "acme", "tea")}
        book.refresh(rebuild=True)
        assert sorted(followed) == sorted(row[:-1] for row in book.rows())
        for word, number in words.items():
            assert len(book.rows_of(word)) == number


def test_where_no_table_can_be_kept_facts_are_read_from_the_files(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- I live in Rome\n")
    (tmp_path / ".mnemofs").write_text("in the way")
    with FactBook(tmp_path) as book:
        assert book.refresh().facts == 1
        book.use([book.rows()[0].id], one_day())
        assert book.rows()[0].object == "Rome"


def one_day() -> datetime:
    return datetime(2026, 5, 1, tzinfo=UTC)
