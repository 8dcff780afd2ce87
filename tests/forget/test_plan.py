"""The plan of a forget: what goes, what is only mentioned, and that everything else stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.lifecycle.forgetting.forgetting import plan_forget, strip
from mnemofs.lifecycle.forgetting.matching import Entry, Sayings
from mnemofs.lifecycle.forgetting.passages import passage_of_text

SAID = "Ada likes green tea"


def forgotten(text: str, said: str = SAID, path: str = "MEMORY.md", mentions: bool = False) -> str:
    done = strip(path, text.encode(), Sayings.of([said]), all_mentions=mentions)
    return "" if done.content is None else done.content.decode()


@pytest.mark.parametrize(
    "line",
    [
        "- Ada likes green tea",
        "* ada likes GREEN tea.",
        "1. Ada likes green tea",
        "- [x] Ada **likes** green tea",
        "- 2026-05-01 09:30 (tool): Ada likes green tea",
        "- **2026-05-01** (chat): Ada likes green tea.",
        "- 10:30 Ada likes green tea",
        "Ada likes green tea.",
        "> Ada likes green tea",
        "| Ada | likes | green | tea |",
        "<!-- Ada likes green tea -->",
        "    Ada likes green tea",
    ],
)
def test_a_line_that_says_it_goes_and_its_neighbours_stay(line: str) -> None:
    text = f"# Title\n\n- before\n\n{line}\n\n- after\n"
    assert forgotten(text) == "# Title\n\n- before\n\n\n- after\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- She is nice. Ada likes green tea. Bye.\n", "- She is nice. Bye.\n"),
        ("- Ada likes green tea. Bye.\n", "- Bye.\n"),
        ("- She is nice. Ada likes green tea\n", "- She is nice.\n"),
        ("one\nAda likes green tea\nthree\n", "one\nthree\n"),
        ("- Ada likes\n  green tea\n- x\n", "- x\n"),
        ("- Ada likes green tea\n  and more\n", "- \n  and more\n"),
        ("- Ada likes green tea\n  - child\n", "  - child\n"),
        ("```\nAda likes green tea\nother\n```\n", "```\nother\n```\n"),
        ("a\r\n\r\n- Ada likes green tea\r\n- b\r\n", "a\r\n\r\n- b\r\n"),
        ("\ufeff- Ada likes green tea\n- b", "\ufeff- b"),
        ("- b\n- Ada likes green tea", "- b\n"),
        ("note: Ada likes green tea\ntz: UTC\n", "tz: UTC\n"),
        ("- **drink**: Ada likes green tea\n- x\n", "- x\n"),
        ("- Tea. Also: Ada likes green tea\n", "- Tea.\n"),
        ("drink: Ada likes green tea. With milk.\n", "drink: With milk.\n"),
    ],
)
def test_only_the_statement_goes(text: str, left: str) -> None:
    assert forgotten(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "- Ada likes green tea with milk\n",
        "- Perhaps Ada likes green tea\n",
        "- Ada likes\n\n- green tea\n",
        "## Ada likes green tea\n\nbody\n",
        "| Ada likes green tea | daily |\n",
    ],
)
def test_something_longer_is_a_mention_and_stays(text: str) -> None:
    assert forgotten(text) == text


def test_mentions_are_listed_with_path_and_line() -> None:
    files = {"a.md": b"x\n- Ada likes green tea\n", "b.md": b"\n\n- If Ada likes green tea, fine\n"}
    plan = plan_forget(files, Sayings.of([SAID]))
    assert [(p.path, p.line) for p in plan.removed] == [("a.md", 2)]
    assert [(p.path, p.line) for p in plan.mentions] == [("b.md", 3)]
    assert plan.contents == {"a.md": b"x\n"}


def test_all_mentions_takes_the_sentence_around_it_and_no_more() -> None:
    text = "# Quokka\n\nShe has a quokka. Rome is big.\n\n- quokka food\n- quokkas\n"
    assert forgotten(text, "quokka", mentions=True) == (
        "# [forgotten]\n\nRome is big.\n\n- quokkas\n"
    )


@pytest.mark.parametrize(
    ("text", "said", "left"),
    [
        ("- 我喜欢喝茶\n- 我喜欢喝茶和咖啡\n", "我喜欢喝茶", "- 我喜欢喝茶和咖啡\n"),
        ("- 我住在柏林。我喜欢喝茶。再见。\n", "我喜欢喝茶", "- 我住在柏林。再见。\n"),
        ("- お茶が好きです\n", "お茶が好きです。", ""),
        ("- 차를 좋아해요\n- 차를 좋아해요 정말\n", "차를 좋아해요", "- 차를 좋아해요 정말\n"),
    ],
)
def test_chinese_japanese_korean(text: str, said: str, left: str) -> None:
    assert forgotten(text, said) == left


STRUCTURED = (
    "# User\n\n## tea\nAda likes green tea\n> Source: a | Updated: 2026-01-01\n\n"
    "## mixed\nIt rains. Ada likes green tea.\n> Source: a | Updated: 2026-01-01\n"
)


def test_a_structured_entry_goes_whole_or_loses_its_sentence() -> None:
    assert forgotten(STRUCTURED, path="structured/user.md") == (
        "# User\n\n## mixed\nIt rains.\n> Source: a | Updated: 2026-01-01\n"
    )


def test_a_keyed_memory_is_deleted_when_it_says_nothing_else() -> None:
    file = "---\nkey: tea\n---\n\nAda likes green tea.\n"
    assert strip("memories/tea.md", file.encode(), Sayings.of([SAID])).content is None
    more = file + "\nMore.\n"
    assert forgotten(more, path="memories/tea.md") == "---\nkey: tea\n---\n\n\nMore.\n"


def test_an_entry_is_found_by_line_and_by_key() -> None:
    by_key = strip("structured/user.md", STRUCTURED.encode(), Entry(key="mixed"))
    assert by_key.content is not None and b"mixed" not in by_key.content
    by_line = strip("MEMORY.md", b"- a\n- b\n  more\n- c\n", Entry(line=3))
    assert by_line.content == b"- a\n- c\n"


def test_ledger_values_are_taken_out_and_other_lines_keep_their_bytes() -> None:
    lines = [
        b'{"id": "1", "kind": "x",  "time": "t"}',
        b'{"id":"2","kind":"y","text":"Ada likes green tea","time":"t"}',
        b"not json",
    ]
    done = strip("ledger/2026-05.jsonl", b"\n".join(lines), Sayings.of([SAID]))
    assert done.content is not None
    kept = done.content.split(b"\n")
    assert kept[0] == lines[0] and kept[2] == lines[2] and b"tea" not in kept[1]
    assert [place.line for place in done.places] == [2]


def test_settings_and_unreadable_files_are_left() -> None:
    files = {
        "mnemofs.toml": b'name = "Ada likes green tea"\n',
        "x.md": b"\xff\xfe Ada likes green tea",
    }
    plan = plan_forget(files, Sayings.of([SAID]))
    assert plan.contents == {} and plan.unreadable == ("x.md",)


BLOCKS = st.sampled_from(
    [
        "- a bullet",
        "- 2026-05-01 10:00 (x): dated",
        "  - nested",
        "  continued",
        "A paragraph. With two sentences.",
        "wrapped line that goes on",
        "## Heading",
        "key: value",
        "> quoted",
        "```",
        "code",
        "| a | b |",
        "<!-- note -->",
        "",
        "我住在柏林。",
    ]
)
SAYINGS = st.sampled_from(
    ["- SAID", "SAID.", "- 2026-05-01 10:00 (x): SAID", "> SAID", "  - said", "<!-- SAID -->"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(BLOCKS, SAYINGS), max_size=14), st.sampled_from(["\n", "\r\n"]))
def test_every_other_line_keeps_its_bytes_and_twice_is_once(lines: list[str], end: str) -> None:
    said = "Zebra quokka seven"
    lines = [line.replace("SAID", said).replace("said", said.upper()) for line in lines]
    text = "".join(line + end for line in lines)
    matcher = Sayings.of([said])
    done = strip("MEMORY.md", text.encode(), matcher)
    assert done.content is not None
    left = done.content.decode().split(end)
    kept = [line for line in text.split(end) if "zebra" not in line.lower()]
    stay = [line for line in left if "zebra" not in line.lower()]
    emptied = {"-", ">", "<!-- -->", "<!--  -->"}
    assert [line for line in stay if line.strip() not in emptied] == [
        line for line in kept if line.strip() not in emptied
    ]
    assert strip("MEMORY.md", done.content, matcher).content == done.content
    gone = strip("MEMORY.md", text.encode(), matcher, all_mentions=True).content
    assert gone is not None and b"zebra" not in gone.lower()


DRESSED = st.sampled_from(
    [
        "Ada likes tea",
        "**Ada** likes `tea`",
        "ad**a** likes tea",
        "[Ada](http://x/y) likes tea!",
        "我喜欢tea。",
        "我 喜 欢 tea",
        "ＡＤＡ likes tea",
        "a\u00adda likes tea",
        "C++ is fun",
        "c++, is fun",
        "don't go",
    ]
)


@given(st.lists(st.one_of(DRESSED, BLOCKS), max_size=4), DRESSED)
def test_the_quick_look_never_hides_a_place(parts: list[str], said: str) -> None:
    matcher = Sayings.of([said])
    text = " ".join(parts)
    if matcher.runs(passage_of_text(text)):
        assert matcher.may_say(text)
