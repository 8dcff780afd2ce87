"""Contradictions: found with care, settled in one commit, and not asked about again."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path

import pytest

from mnemofs.errors import EditRefused, NotFound, UsageError
from mnemofs.lifecycle.facts.book import Row
from mnemofs.lifecycle.facts.contradictions import find, pair_id
from mnemofs.lifecycle.facts.edits import with_statement, without_fact
from mnemofs.lifecycle.facts.projection import category_of, project
from mnemofs.lifecycle.facts.values import same_value, value_key
from tests.facts.conftest import Cli, Desk, texts

MEMORY = "# Memory\n\n## Facts\n\n"
HERE = Path(__file__).parent


def rows(text: str, path: str = "MEMORY.md") -> list[Row]:
    """What the table holds for a file."""
    found = []
    for one in project(path, text.encode(), "shared"):
        said = one.said
        found.append(
            Row(
                one.id, said.subject, said.predicate, said.object, one.statement,
                " > ".join(one.section), one.line, one.last_line, one.entry, one.day, one.source,
                one.key, said.slot, said.value, said.single, said.limit, int(said.negative),
                category_of(path), path, 1,
            )
        )  # fmt: skip
    return found


def labelled(name: str) -> list[tuple[str, bool, str, str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    parts = [line.split("\t") for line in lines]
    return [(language, wanted == "1", first, second) for language, wanted, first, second in parts]


def contradict(first: str, second: str) -> bool:
    if not first.startswith("*") and ": " in first and first.partition(":")[0].islower():
        return bool(find(rows(f"# Memory\n\n{first}\n{second}\n")))
    return bool(find(rows(f"{MEMORY}- {first}\n- {second}\n")))


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs_heldout.tsv"])
def test_nine_of_ten_that_are_found_are_contradictions(name: str) -> None:
    right = wrong = missed = 0
    for _, wanted, first, second in labelled(name):
        found = contradict(first, second)
        assert contradict(second, first) == found
        right += found and wanted
        wrong += found and not wanted
        missed += wanted and not found
    assert right / (right + wrong) >= 0.9
    assert right / (right + missed) >= 0.8


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "zh", "ja"])
def test_each_language_has_its_share(language: str) -> None:
    pairs = [pair for pair in labelled("pairs.tsv") if pair[0] == language]
    assert sum(wanted for _, wanted, _, _ in pairs) >= 8
    wrong = [pair for pair in pairs if contradict(pair[2], pair[3]) and not pair[1]]
    assert not wrong


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Berlin", "berlin."), ("10,000 €", "10000 euros"), ("3pm", "15:00"), ("9:00", "09:00"),
        ("May 5", "2026-05-05"), ("Fridays", "Freitag"), ("10k", "10 000"), ("周五", "星期五"),
        ("the Postgres", "PostgreSQL"), ("light-mode", "light mode"), ("5月3日", "2026-05-03"),
        ("Berlin", "Berlin, Germany"), ("上海", "上海市"), ("ＵＴＣ", "utc"), ("two", "2"),
    ],
)  # fmt: skip
def test_spellings_of_one_value_are_no_difference(first: str, second: str) -> None:
    assert same_value(value_key(first), value_key(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [("Rome", "Paris"), ("3.1", "3.2"), ("C++", "C#"), ("15:00", "15:30"), ("10", "100")],
)
def test_different_values_are_different(first: str, second: str) -> None:
    assert not same_value(value_key(first), value_key(second))


@pytest.mark.parametrize(
    "text",
    [
        "# M\n\n## Atlas\n\n- **budget**: 10\n\n## Borealis\n\n- **budget**: 20\n",
        "# M\n\n## Until 2024\n\n- I live in Rome\n\n## Facts\n\n- I live in Paris\n",
        "# M\n\n## Anna\n\n- **city**: Rome\n\n## Facts\n\n- **city**: Paris\n",
        "# M\n\n- **city**: Rome (until May)\n- **city**: Paris\n",
        "# M\n\n- 2023: lives in Rome\n- 2025: lives in Paris\n",
        "# M\n\n- **city**: Rome\n- **city**: Rome\n",
        "".join(f"- **port {n}**: {n}\n" for n in range(9)),
        "".join(f"- **owner**: Person {n}\n" for n in range(9)),
    ],
)
def test_time_place_and_lists_are_set_aside(text: str) -> None:
    assert find(rows(text)) == ()


def test_the_title_of_a_file_limits_nothing() -> None:
    both = rows("# Ada's things\n\n- **city**: Rome\n") + rows("city: Oslo\n", "PROFILE.md")
    assert len(find(both)) == 1
    old = rows("# Until 2024\n\n## A\n\n- **city**: Rome\n# Now\n\n- **city**: Oslo\n")
    assert find(old) == ()


def test_the_pair_has_one_name_whichever_way_round() -> None:
    assert pair_id("a", "b") == pair_id("b", "a")
    (one,) = find(rows(f"{MEMORY}- I live in Rome\n- I live in Paris\n"))
    (other,) = find(rows(f"{MEMORY}- I live in Paris\n\ntext\n\n- I live in Rome\n"))
    assert (one.id, one.a.facts, one.b.facts) == (other.id, other.a.facts, other.b.facts)


@pytest.fixture
def torn(desk: Desk) -> Desk:
    """Rome stands in two files, Paris in one."""
    desk.put(f"{MEMORY}- Tea is here\n- I live in Rome\n- I live in Paris\n- Coffee is out\n")
    desk.put("name: Ada\n\nI live in Rome.\n", "PROFILE.md")
    return desk


def sides(desk: Desk) -> tuple[str, str, str, str]:
    """Id of the contradiction, the letters of Rome and Paris, and their order."""
    (item,) = desk.ws.contradictions()
    rome = "A" if "Rome" in item.found.a.text else "B"
    return item.found.id, rome, "B" if rome == "A" else "A", item.found.description


@pytest.mark.parametrize("kept", ["Rome", "Paris"])
def test_W_23_keeping_one_side_takes_the_other_out_of_every_file(torn: Desk, kept: str) -> None:
    name, rome, paris, _ = sides(torn)
    before, commits = torn.text(), torn.commits
    done = torn.ws.resolve(name, f"KEEP_{rome if kept == 'Rome' else paris}")
    assert torn.commits == commits + 1
    lost = "Paris" if kept == "Rome" else "Rome"
    whole = torn.text() + torn.text("PROFILE.md")
    assert lost not in whole
    assert kept in whole
    assert torn.text() == before.replace(f"- I live in {lost}\n", "")
    assert "name: Ada" in torn.text("PROFILE.md")
    assert torn.ws.contradictions() == ()
    assert texts(torn.ws.facts(entity="user")) == [f"user lives in {kept}"]
    assert done.done.commit
    torn.ws.undo()
    assert torn.text() == before
    assert len(torn.ws.contradictions()) == 1


@pytest.mark.parametrize("text", [None, "I live in Rome and work in Paris"])
def test_W_23_merging_puts_one_text_in_the_place_of_both(torn: Desk, text: str | None) -> None:
    name, *_ = sides(torn)
    commits = torn.commits
    torn.ws.resolve(name, "merge", text=text)
    assert torn.commits == commits + 1
    whole = torn.text() + torn.text("PROFILE.md")
    if text:
        assert whole.count(text) == 1
    else:
        assert "Rome / Paris" in whole or "Paris / Rome" in whole
    assert whole.count("live in") == 1
    assert "- Tea is here\n" in whole
    assert torn.ws.contradictions() == ()


def test_W_23_ignoring_changes_no_file_and_is_remembered(torn: Desk, cli: Cli) -> None:
    name, *_ = sides(torn)
    before = torn.text()
    torn.ws.resolve(name, "IGNORE")
    assert torn.text() == before
    assert torn.ws.contradictions() == ()
    torn.tick(days=3)
    torn.put(before.replace("- I live in Rome\n", "") + "- I live in Rome\n")  # moved
    torn.ws.rebuild_facts(rebuild=True)
    assert cli("contradictions", "--json").json == []
    torn.put(torn.text().replace("Paris", "Madrid"))
    assert len(torn.ws.contradictions()) == 1  # another value is another question


def test_what_is_written_anew_after_a_decision_is_asked_anew(torn: Desk) -> None:
    name, rome, *_ = sides(torn)
    torn.ws.resolve(name, f"KEEP_{rome}")
    torn.tick(days=2)
    torn.ws.remember("I live in Paris", actor="person")
    assert [item.found.id for item in torn.ws.contradictions()] == [name]


def test_a_decision_travels_with_the_memory(torn: Desk, tmp_path: Path) -> None:
    name, *_ = sides(torn)
    torn.ws.resolve(name, "IGNORE")
    torn.git("clone", "-q", str(torn.root), str(tmp_path / "copy"))
    with type(torn.ws).open(tmp_path / "copy", clock=torn.ws.clock) as copy:
        assert copy.contradictions() == ()
        assert len(copy.facts(entity="user")) == 2


def test_structured_entries_and_pairs_are_settled_too(desk: Desk) -> None:
    desk.ws.remember("Friday", kind="project", key="deploy_day", actor="person")
    desk.put(f"{MEMORY}- **deploy_day**: Monday\n- **other**: x\n")
    (item,) = desk.ws.contradictions()
    monday = "A" if "Monday" in item.found.a.text else "B"
    desk.ws.resolve(item.found.id, f"KEEP_{monday}")
    assert "Friday" not in desk.text("structured/project.md")
    desk.ws.undo()
    desk.ws.resolve(item.found.id, "MERGE", text="Monday, Friday before holidays")
    whole = desk.text() + desk.text("structured/project.md")
    assert whole.count("before holidays") == 1
    assert "- **other**: x\n" in desk.text()


def test_facts_that_say_the_same_are_one_side(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n- I live in Paris\n")
    desk.put("city: Rome\nname: Ada\n", "PROFILE.md")
    (item,) = desk.ws.contradictions()
    paris = "A" if "Paris" in item.found.a.text else "B"
    desk.ws.resolve(item.found.id, f"KEEP_{paris}")
    assert desk.text() == f"{MEMORY}- I live in Paris\n"
    assert desk.text("PROFILE.md") == "name: Ada\n"


def test_a_denial_is_settled_but_merged_only_with_a_text(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I like coffee\n- I don't like coffee\n")
    (item,) = desk.ws.contradictions()
    assert item.waiting.what == "one statement denies the other; both stand"
    with pytest.raises(UsageError):
        desk.ws.resolve(item.found.id, "MERGE")
    desk.ws.resolve(item.found.id, "MERGE", text="I like decaf only")
    assert desk.text() == f"{MEMORY}- I like decaf only\n"


@pytest.mark.parametrize("text", ["I live in Rome", "I live in Paris", "I live in Rome."])
def test_merging_into_what_one_side_says_keeps_it(torn: Desk, text: str) -> None:
    name, *_ = sides(torn)
    torn.ws.resolve(name, "MERGE", text=text)
    whole = torn.text() + torn.text("PROFILE.md")
    assert whole.count("live in") == 1
    assert text in whole
    assert torn.ws.contradictions() == ()


@pytest.mark.parametrize(
    ("lines", "text", "after"),
    [
        ("- **city**: Rome\n- **city**: Paris\n", "Rome and Paris", "- **city**: Rome and Paris\n"),
        ("- **city**: Rome\n- **city**: Paris\n", "**home**: both", "- **home**: both\n"),
        ("city: Rome\ncity: Paris\n", "both", "city: both\n"),
        ("city: Rome\ncity: Paris\n", "city: Paris", "city: Paris\n"),
        ("- I like tea. I live in Rome.\n- I live in Paris\n", "I live in Oslo.", None),
        ("- I live in\n  Rome\n- I live in Paris\n", "I live in Oslo", "- I live in Oslo\n"),
        ("## I live in Rome\n\n- I live in Rome\n- I live in Paris\n", "x y", None),
    ],
)
def test_a_merge_keeps_keys_other_sentences_and_headings(
    desk: Desk, lines: str, text: str, after: str | None
) -> None:
    desk.put(f"# M\n\n{lines}")
    (item,) = desk.ws.contradictions()
    desk.ws.resolve(item.found.id, "MERGE", text=text)
    if after:
        assert desk.text() == f"# M\n\n{after}"
    assert "I like tea." in desk.text() or "I like tea" not in lines
    assert "## I live in Rome\n" in desk.text() or "##" not in lines
    assert text.rstrip(".") in desk.text()
    assert desk.ws.contradictions() == ()


def test_a_hand_edit_meanwhile_decides_for_itself(torn: Desk) -> None:
    name, rome, *_ = sides(torn)
    (torn.root / "MEMORY.md").write_text(MEMORY)
    with pytest.raises((NotFound, EditRefused)):
        torn.ws.resolve(name, f"KEEP_{rome}")
    assert torn.text() == MEMORY


@pytest.mark.parametrize("resolution", ["", "KEEP", "keep_c", "accept"])
def test_a_word_that_settles_nothing_is_refused(torn: Desk, resolution: str) -> None:
    name, *_ = sides(torn)
    with pytest.raises(UsageError):
        torn.ws.resolve(name, resolution)
    with pytest.raises(NotFound):
        torn.ws.resolve("0123456789", "KEEP_A")
    assert torn.ws.resolve(name[:5], "keep-a").verdict == "keep_a"


def test_three_values_are_settled_pair_by_pair(desk: Desk) -> None:
    desk.put(f"{MEMORY}- I live in Rome\n- I live in Paris\n- I live in Oslo\n")
    assert len(desk.ws.contradictions()) == 3
    item = desk.ws.contradictions()[0].found
    desk.ws.resolve(item.id, "KEEP_A")
    assert len(desk.ws.contradictions()) == 1
    assert "[" in desk.ws.fact_list_contradictions()


def test_the_command_line_lists_and_settles(torn: Desk, cli: Cli) -> None:
    (item,) = cli("contradictions", "--json").json
    assert {item["fact_a"]["object"], item["fact_b"]["object"]} == {"Rome", "Paris"}
    shown = cli("contradictions").out
    assert "I live in Rome" in shown
    assert item["id"] in shown
    assert cli("contradictions", "resolve", item["id"], "keep-a", "--text", "x").code == 2
    done = cli("contradictions", "resolve", item["id"], "KEEP-B", "--json").json
    assert (done["status"], done["kind"]) == ("keep_b", "contradiction")
    assert item["fact_a"]["object"] not in torn.text()
    assert "nothing contradicts" in cli("contradictions").err


FORMS = (
    "- {x}", "* {x}.", "- 2026-05-01 09:30 (chat): {x}", "\n{x}\n", "- {x}. {y}.", "1. {x}",
    "- [ ] {x}", "\n> {x}\n", "\n```\n{x}\n```\n", "\n## {x}\n", "  - {x}", "- **Key {x}**: v",
    "\n<!-- {x} -->\n", "- _{x}_", '- "{x}"',
)  # fmt: skip


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("seed", range(40))
def test_taking_a_fact_out_leaves_every_other_one(seed: int, eol: str) -> None:
    chance = random.Random(seed)
    said = [text for _, _, *both in labelled("pairs.tsv") for text in both]
    lines = [
        chance.choice(FORMS).format(x=chance.choice(said), y=chance.choice(said))
        for _ in range(chance.randint(2, 9))
    ]
    data = ("# M\n\n" + "\n\n".join(lines) + "\n").replace("\n", eol).encode()
    facts = {one.id: one for one in project("MEMORY.md", data, "shared")}
    for name, fact in facts.items():
        out = without_fact(data, "MEMORY.md", "shared", name)
        left = {one.id for one in project("MEMORY.md", out or b"", "shared")}
        assert name not in left
        assert left >= facts.keys() - {name}
        merged = with_statement(
            data, "MEMORY.md", "shared", name, "zebra text", date(2026, 5, 1), gone=(name,)
        )
        assert (merged or b"").count(b"zebra text") == 1
        for line in data.split(eol.encode()):
            if fact.statement.encode() not in line:
                assert line in (out or b"")
                assert line in (merged or b"")
