"""Structured entries, bullets, and the list of all entries that gates count."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import EditRefused
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import (
    StructuredEntry,
    all_entries,
    bullets,
    drop_structured,
    normalise,
    parse_structured,
    put_structured,
    stamped,
)
from tests.markdown.samples import ANY_TEXT

DAY = date(2026, 5, 1)


def entry(key: str, content: str = "text") -> StructuredEntry:
    return StructuredEntry(key, content, "agent", DAY)


def test_an_entry_is_written_in_the_form_that_other_tools_read() -> None:
    data = put_structured(None, entry("answer_style", "Prefers short answers"))
    assert data == (
        b"## answer_style\nPrefers short answers\n> Source: agent | Updated: 2026-05-01\n"
    )
    both = put_structured(data, entry("tone", "Dry"))
    assert both == data + b"\n## tone\nDry\n> Source: agent | Updated: 2026-05-01\n"
    assert put_structured(both, entry("tone", "Dry")) == both
    assert parse_structured(both) == (
        entry("answer_style", "Prefers short answers"),
        entry("tone", "Dry"),
    )


@pytest.mark.parametrize("other", ["foobar", "foo bar", "Foo", "foo-", "fo", "xfoo"])
def test_keys_match_exactly_never_by_prefix(other: str) -> None:
    data = put_structured(put_structured(None, entry("foo", "1")), entry(other, "2"))
    data = put_structured(data, entry("foo", "3"))
    assert {e.key: e.content for e in parse_structured(data)} == {"foo": "3", other: "2"}
    assert [e.key for e in parse_structured(drop_structured(data, "foo"))] == [other]
    assert b"### foo" not in data


def test_replacing_and_dropping_leave_all_other_bytes() -> None:
    head = "\ufeff# Title\r\n\r\nnote\r\n\r\n## a\r\nA\r\n\r\n\r\n"
    tail = "## c\r\nC\r\n> Source: x | Updated: 2026-01-01"
    data = (head + "## b\r\nB\r\n\r\n" + tail).encode()
    done = put_structured(data, entry("b", "new\nlines"))
    assert (
        done
        == (
            head + "## b\r\nnew\r\nlines\r\n> Source: agent | Updated: 2026-05-01\r\n\r\n" + tail
        ).encode()
    )
    assert drop_structured(data, "b") == (head + tail).encode()
    assert drop_structured(data, "absent") == data
    assert drop_structured(data, "c") == (head + "## b\r\nB\r\n").encode()


def test_of_twin_keys_the_last_is_read_and_written_and_both_are_dropped() -> None:
    data = b"## k\nold\n\n## z\nz\n\n## k\nnewer\n"
    assert [e.content for e in parse_structured(data)] == ["newer", "z"]
    done = put_structured(data, entry("k", "newest"))
    assert done.startswith(b"## k\nold\n\n## z\nz\n\n## k\nnewest\n")
    assert drop_structured(done, "k") == b"## z\nz\n"


@pytest.mark.parametrize(
    "content",
    [
        "line\n## forged\nmore",
        "# one\n### three\n###### six",
        "> Source: evil | Updated: 2030-01-01",
        "text\n> quoted",
        "Title\n---\n---\n===\n",
        "```sh\n## in code\n```\n## out",
        "\\## kept as it is\n\\\\> too",
        "   ## indented\n    ## code",
        "- item\n  ## in item\n  > q",
        "a\n\n---\n\nb",
        "~~~\nnever closed\n## x",
        "<!-- open\n## x",
        "| a |\n|---|\n| 1 |",
    ],
)
def test_MD_12_a_content_cannot_forge_or_hide_anything(content: str) -> None:
    data = put_structured(put_structured(None, entry("k", content)), entry("after", "z"))
    found = {e.key: e for e in parse_structured(data)}
    assert list(found) == ["k", "after"]
    assert found["k"].source == "agent" and found["k"].updated == DAY
    assert found["k"].content.startswith(content.strip("\n"))
    assert [s.title for s in Document.parse(data).sections] == ["k", "after"]


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_any_content_comes_back_as_it_was(standing: str, content: str) -> None:
    try:
        data = put_structured(standing.encode(), entry("a key", content))
    except EditRefused:
        assert not content.strip()
        return
    found = {e.key: e for e in parse_structured(data)}["a key"]
    expected = content.replace("\r\n", "\n").replace("\r", "\n").strip(" \t\n")
    got = found.content.strip(" \t\n")
    assert got.split("\n")[: expected.count("\n") + 1] == expected.split("\n")
    assert found.updated == DAY
    keys = [e.key for e in parse_structured(standing.encode()) if e.key != "a key"]
    assert [e.key for e in parse_structured(data) if e.key != "a key"] == keys
    assert put_structured(data, entry("a key", found.content)) == data


@pytest.mark.parametrize("key", ["", "  ", "ends #", "#", "# #"])
def test_a_key_that_a_heading_cannot_hold_is_refused(key: str) -> None:
    with pytest.raises(EditRefused):
        put_structured(None, entry(key))


@pytest.mark.parametrize("key", ["C#", "a `b` c", "naïve", "代号", "x: y", "1. one", "a\nb"])
def test_other_keys_are_kept(key: str) -> None:
    assert parse_structured(put_structured(None, entry(key)))[0].key == key.replace("\n", " ")


def test_an_entry_without_a_readable_date_has_none() -> None:
    text = b"## a\nA\n> Source: x | Updated: 2026-02-30\n\n## b\nB\n"
    assert [(e.source, e.updated) for e in parse_structured(text)] == [("x", None), ("", None)]


def test_bullets_are_list_items_with_their_continuation() -> None:
    data = (
        b"# T\n- 2026-05-01 09:30 (tool): one\n  more\n  * [x] nested\n\n## U\n"
        b"```\n- code\n```\n<!--\n- hidden\n-->\n3. three\n> - quoted\n"
    )
    found = bullets(data)
    assert [(b.text, b.line, b.last_line, b.section, b.depth) for b in found] == [
        ("2026-05-01 09:30 (tool): one more", 2, 3, ("T",), 0),
        ("nested", 4, 4, ("T",), 1),
        ("three", 13, 13, ("T", "U"), 0),
    ]
    assert found[0].statement == "one more"


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("2026-05-01 09:30 (tool): x", ("2026-05-01", "09:30", "tool", "x")),
        ("2026-05-01 9:30 x", ("2026-05-01", "09:30", "", "x")),
        ("**2026-05-01**: x", ("2026-05-01", "", "", "x")),
        ("[2026-05-01] x", ("2026-05-01", "", "", "x")),
        ("2026-05-01 x", ("2026-05-01", "", "", "x")),
        ("2026-05-01-x", ("", "", "", "2026-05-01-x")),
        ("no date", ("", "", "", "no date")),
    ],
)
def test_a_statement_is_told_from_its_date_and_source(
    text: str, stamp: tuple[str, str, str, str]
) -> None:
    found = stamped(text)
    assert (found.day, found.time, found.source, found.statement) == stamp


def test_all_entries_gives_every_entry_once() -> None:
    data = (
        b"---\na: 1\n---\n# T\n\nrole: dev\ntz: UTC\n\nSome prose\nof two lines.\n\n- one\n"
        b"  - two\n\n```\ncode\n```\n\n> quote\n\n---\n\n<!-- c -->\n"
    )
    found = all_entries(data, "MEMORY.md")
    assert [(e.kind, e.key, e.normal, e.line, e.last_line) for e in found] == [
        ("pair", "role", "role: dev", 6, 6),
        ("pair", "tz", "tz: utc", 7, 7),
        ("paragraph", "", "some prose of two lines", 9, 10),
        ("bullet", "", "one", 12, 12),
        ("bullet", "", "two", 13, 13),
        ("code", "", "code", 15, 17),
        ("quote", "", "> quote", 19, 19),
    ]


def test_all_entries_of_structured_and_keyed_files() -> None:
    data = put_structured(put_structured(None, entry("a", "A\n### sub")), entry("b", "B"))
    assert [(e.kind, e.key, e.normal) for e in all_entries(data, "structured/user.md")] == [
        ("structured", "a", "a ### sub"),
        ("structured", "b", "b"),
    ]
    memory = b"---\nkey: the key\n---\nbody\n\n- more\n"
    (one,) = all_entries(memory, "memories/x.md")
    assert (one.kind, one.key, one.normal, one.line) == ("memory", "the key", "body - more", 4)
    assert all_entries(b"", "memories/x.md") == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- Prefers tea.", "* prefers  TEA"),
        ("- 2026-05-01 09:30 (tool): Prefers tea", "- Prefers **tea**"),
        ("1. [x] done", "- [ ] done"),
        ("- ｗｉｄｅ", "- wide"),
    ],
)
def test_the_same_statement_in_another_dress_is_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)
    assert normalise("- Rome 2025") != normalise("- Rome 2026")


@settings(max_examples=150, deadline=None)
@given(ANY_TEXT, st.sampled_from(["MEMORY.md", "structured/user.md", "memories/a.md"]))
def test_entries_point_at_lines_that_exist(text: str, path: str) -> None:
    last = text.count("\n") + 1
    for found in all_entries(text.encode(), path):
        assert 1 <= found.line <= found.last_line <= last
