"""Bytes, encodings, line ends, front matter: the TXT cases, on the pure side."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import UnreadableText
from mnemofs.markdown import lines
from mnemofs.markdown.chunks import chunk
from mnemofs.markdown.document import Document
from mnemofs.markdown.edits import append, append_daily, remember, replace_section, upsert_kv
from mnemofs.markdown.entries import StructuredEntry, all_entries, put_structured
from tests.markdown.samples import ANY_TEXT, DAY, NOON, line_of

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("front", ["tags: [x]", "tags:\n- x", "# c\ntags: ['x']\nb: 2"])
def test_TXT_01_a_byte_order_mark_does_not_hide_front_matter(eol: str, front: str) -> None:
    text = f"---\n{front}\n---\n# A\nneedle\n".replace("\n", eol)
    document = Document.parse(BOM + text.encode())
    assert document.front and document.front.fields["tags"] == ("x",)
    assert [section.title for section in document.sections] == ["A"]
    for changed in (
        append(BOM + text.encode(), "more"),
        append_daily(BOM + text.encode(), "- more", DAY),
        remember(BOM + text.encode(), "more", at=NOON, source="tool"),
    ):
        assert changed.startswith(BOM + text.encode()[: len(text.encode()) - 2])
        assert changed.count(BOM) == 1
        assert changed.decode("utf-8-sig").replace(eol, "\n").split("\n").count("---") == 2


@pytest.mark.parametrize(
    "data",
    [
        "# hi\nneedle".encode("utf-16"),
        "# hi\nneedle".encode("utf-16-le"),
        "# hi\nneedle".encode("utf-16-be"),
        b"\xff\xfe" + "# hi\nneedle".encode("utf-16-le"),
        "# hi\nneedle".encode("utf-32"),
        "# Überschrift\nnädel".encode("latin-1"),
        "# 标题\n内容".encode("gb18030"),
        b"ok\n\x80\xffbroken\n",
        "half \ud800 pair".encode("utf-8", "surrogatepass"),
    ],
)
def test_TXT_02_bytes_that_are_not_utf8_are_reported_and_never_edited(data: bytes) -> None:
    for use in (
        Document.parse,
        lambda raw: chunk(raw, "memory/2026-05-01.md"),
        lambda raw: append(raw, "x"),
        lambda raw: append_daily(raw, "x", DAY),
        lambda raw: replace_section(raw, "## a\nb"),
        lambda raw: upsert_kv(raw, "a: b"),
        lambda raw: put_structured(raw, StructuredEntry("k", "v")),
        lambda raw: all_entries(raw, "MEMORY.md"),
    ):
        with pytest.raises(UnreadableText) as refused:
            use(data)
        assert "needle" not in str(refused.value)


@pytest.mark.parametrize(
    "front",
    [
        "title: Q3: plan\nowner: ada",
        'title: "unclosed\nowner: ada',
        "title: a\ntitle: b",
        "title: a\nnot a key at all",
        "title: @home\nowner: ada",
        "tags: [a, b\nowner: ada",
    ],
)
def test_TXT_03_broken_front_matter_stays_byte_for_byte_and_is_named(front: str) -> None:
    head = f"---\n{front}\n---\n"
    data = (head + "needle\n").encode()
    document = Document.parse(data)
    assert document.front is not None
    assert document.text[document.body_start :] == "needle\n"
    assert document.sections == ()
    for changed in (
        append(data, "- more"),
        append_daily(data, "- more", DAY),
        remember(data, "more", at=NOON, source="tool"),
        replace_section(data, "## New\n\nx\n").content,
        put_structured(data, StructuredEntry("k", "v")),
    ):
        assert changed.startswith(head.encode())
        assert changed.count(b"---\n") == 2
    assert any("needle" in piece.text for piece in chunk(data, "n.md"))


def test_TXT_03_a_second_colon_is_a_warning_that_quotes_nothing() -> None:
    document = Document.parse(b"---\ntitle: Q3: plan\nowner: ada\n---\nneedle\n")
    assert document.front is not None
    assert document.front.fields == {"title": "Q3: plan", "owner": "ada"}
    assert document.warnings == ("front matter line 2 holds a second `: ` outside quotes",)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_TXT_04_edits_of_the_body_leave_comments_order_and_quotes_of_front_matter(eol: str) -> None:
    head = '---\n# mine\nb: "2"\na: 1\n---\n'.replace("\n", eol)
    data = (head + f"x{eol}{eol}## S{eol}s{eol}").encode()
    for changed in (
        append(data, "y"),
        append_daily(data, "- y", DAY),
        replace_section(data, "## S\nt").content,
        upsert_kv(data, "new: 1").content,
        remember(data, "y", at=NOON, source="tool"),
        put_structured(data, StructuredEntry("S", "v")),
    ):
        assert changed.startswith(head.encode())
        assert changed != data


def test_TXT_05_values_are_the_authors_own_strings() -> None:
    text = b"wake: 12:30\nsmoker: no\npy: 1.10\ncode: 017\n"
    changed = upsert_kv(text, "tz: UTC")
    assert changed.content == text + b"tz: UTC\n"
    entries = {entry.key: entry.text for entry in all_entries(text, "PROFILE.md")}
    assert entries["code"] == "code: 017" and entries["wake"] == "wake: 12:30"
    front = Document.parse(b"---\n" + text + b"---\n").front
    assert front and front.fields == {
        "wake": "12:30",
        "smoker": "no",
        "py": "1.10",
        "code": "017",
    }


@pytest.mark.parametrize(
    "text",
    [
        "---\nJust a rule, then text.\n\n## S\ns\n",
        "---\n\nJust a rule\n\n## S\ns\n\n---\n\nmore\n",
        "---\nProse without end\n## S\ns\n---\n",
        "----\n\n## S\ns\n",
        "\n---\na: 1\n---\n\n## S\ns\n",
        "***\n\n## S\ns\n",
        "---\n- a list\n---\n\n## S\ns\n",
    ],
)
def test_TXT_06_a_leading_rule_is_body(text: str) -> None:
    document = Document.of_text(text)
    assert document.front is None
    assert "S" in [section.title for section in document.sections]
    assert document.encode(document.text) == text.encode()


@pytest.mark.parametrize("closer", ["---", "...", "---  "])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_front_matter_ends_at_either_yaml_marker(closer: str, eol: str) -> None:
    document = Document.of_text(f"---\ntitle: Ada\n{closer}\n# T\n".replace("\n", eol))
    assert document.front and document.front.fields == {"title": "Ada"}
    assert [section.line for section in document.sections] == [4]


def test_front_matter_reads_simple_lists_scalars_and_blocks() -> None:
    text = (
        '---\nid: 7\ntags: [a, "b, c", \'d\']\nmore:\n  - x\n  - "y z"\nnote: |\n  one\n  two\n'
        "quoted: 'it''s'\nempty:\n\"odd key\": v # said\nurl: http://x/y#z\n---\n"
    )
    front = Document.of_text(text).front
    assert front and front.warnings == ()
    assert front.fields == {
        "id": "7",
        "tags": ("a", "b, c", "d"),
        "more": ("x", "y z"),
        "note": "one\ntwo",
        "quoted": "it's",
        "empty": "",
        "odd key": "v",
        "url": "http://x/y#z",
    }


def test_TXT_07_a_nul_is_text() -> None:
    data = b"alpha\0beta\ngamma needle\n"
    pieces = chunk(data, "n.md")
    assert [p.line_start for p in pieces if "needle" in p.text] == [2]
    assert any("\0" in p.text for p in pieces)
    assert append(data, "more").startswith(data)


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x0c", "\x0b", "\x85", "\x1c", "\x1e"])
def test_TXT_08_only_newlines_count_as_lines(odd: str) -> None:
    data = f"a{odd}b\nc\x0cd\nneedle\n".encode()
    assert line_of(data, "needle") == 3
    long = f"# T{odd}t\n\n{'word ' * 30}{odd}\n{'more ' * 30}\n\n- x{odd}y\n- needle\n".encode()
    assert line_of(long, "needle") == long.decode().split("\n").index("- needle") + 1
    assert len(Document.parse(long).sections) == 1


def test_a_lone_carriage_return_ends_a_line_of_structure_but_is_not_counted() -> None:
    document = Document.parse(b"# A\rtext\r## B\rx\ny\n")
    assert [(s.title, s.line) for s in document.sections] == [("A", 1), ("B", 1)]
    changed = replace_section(b"# A\rtext\r## B\rx\r", "## B\ny\n").content
    assert changed == b"# A\rtext\r## B\ry\r"


@settings(max_examples=200, deadline=None)
@given(ANY_TEXT)
def test_lines_of_both_kinds_join_to_the_text(text: str) -> None:
    assert "".join(lines.split_lines(text)) == text
    assert "".join(lines.structural_lines(text)) == text
    assert len(lines.split_lines(text)) == text.count("\n") + (
        not text.endswith("\n") and text > ""
    )
    document = Document.of_text(text)
    assert document.encode(document.text) == text.encode()
    assert len(document.offsets) == len(document.lines) + 1
    numbers = [text.count("\n", 0, at) + 1 for at in document.offsets[:-1]]
    assert list(document.numbers) == numbers


@settings(max_examples=200, deadline=None)
@given(ANY_TEXT, st.booleans())
def test_every_edit_leaves_all_other_bytes(text: str, mark: bool) -> None:
    data = (BOM if mark else b"") + text.encode()
    changed = append(data, "a new line")
    assert changed.startswith(data) and b"a new line" in changed[len(data) :]
    bullet = remember(data, "fresh", at=NOON, source="tool")
    added = bullet.decode().replace("\ufeff", "", mark)
    kept = [line for line in lines.structural_lines(text) if line.strip()]
    for line in kept:
        assert lines.bare(line) in added
