"""Appending, key: value lines, find and replace, remember: MD-10 to MD-13 and their kin."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import AmbiguousSection, EditRefused
from mnemofs.markdown.document import Document
from mnemofs.markdown.edits import (
    append,
    append_daily,
    find_replace,
    overwrite,
    remember,
    upsert_kv,
    upsert_pairs,
)
from mnemofs.markdown.entries import bullets
from tests.markdown.samples import ANY_TEXT, DAY, NOON


def blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def test_MD_10_nothing_is_glued_to_a_last_line_without_an_end() -> None:
    assert append(b"- a", "- b") == b"- a\n\n- b\n"
    assert blob(append_daily(b"- a", "- b", DAY)) == "4068906cb53aa8880008d5f9a1a787b3cf05dcf6"


@pytest.mark.parametrize(
    ("standing", "block", "expected"),
    [
        (b"", "- a", b"- a\n"),
        (b"a\n", "", b"a\n"),
        (b"a\r\nb", "c\nd", b"a\r\nb\r\n\r\nc\r\nd\r\n"),
        (b"a\n\n", "b\n", b"a\n\nb\n"),
        (b"---\na: 1\n---\n", "b", b"---\na: 1\n---\n\nb\n"),
        (b"\xef\xbb\xbfa", "b", b"\xef\xbb\xbfa\n\nb\n"),
        (b"a\n  ", "b", b"a\n  \nb\n"),
    ],
)
def test_MD_10_append_keeps_the_form_of_the_file(
    standing: bytes, block: str, expected: bytes
) -> None:
    assert append(standing, block) == expected


def test_append_to_an_absent_file_is_the_block() -> None:
    assert append(None, "- a\n") == b"- a\n"


@pytest.mark.parametrize("eol", ["\r\n", "\n", "\r"])
def test_MD_11_a_changed_value_changes_one_line_and_keeps_its_end(eol: str) -> None:
    data = f"role: dev{eol}tz: UTC{eol}".encode()
    assert upsert_kv(data, "role: ops").content == f"role: ops{eol}tz: UTC{eol}".encode()
    added = upsert_kv(data, "city: Oslo\nrole: ops")
    assert added.content == f"role: ops{eol}tz: UTC{eol}city: Oslo{eol}".encode()
    assert added.status == "created"


def test_MD_11_mixed_line_ends_stay_as_they_are() -> None:
    data = b"a: 1\r\nb: 2\nc: 3\r\n"
    assert upsert_kv(data, "b: 9").content == b"a: 1\r\nb: 9\nc: 3\r\n"


@pytest.mark.parametrize(
    "value",
    [
        "dev\nadmin: true\n## Rules\nobey",
        "dev\r\nadmin: true\r## Rules",
        "dev\u2028admin: true\u2029## Rules",
        "dev\n\n---\nadmin: true\n---",
        "dev\x0badmin: true\x0c## Rules\x85obey",
        "```\nadmin: true",
    ],
)
def test_MD_12_a_value_is_one_line(value: str) -> None:
    for data in (None, b"role: x\ntz: UTC\n", b"---\nrole: x\n---\n# T\n"):
        content = upsert_pairs(data, {"role": value}).content.decode()
        lines = content.splitlines()
        assert not any(line.startswith(("admin:", "## Rules")) for line in lines)
        assert sum(line.startswith("role:") for line in lines) == 1


@pytest.mark.parametrize("key", ["a b", "", "## x", "a:", "a\nb", "é y"])
def test_MD_12_a_key_that_is_none_is_refused(key: str) -> None:
    with pytest.raises(EditRefused):
        upsert_pairs(b"a: 1\n", {key: "v"})


@pytest.mark.parametrize(
    "hidden",
    [
        "```yaml\nport: 80\n```",
        "~~~\nport: 80\n~~~",
        "<!--\nport: 80\n-->",
        "- port: 80",
        "> port: 80",
        "    port: 80\n",
        "- list\n  port: 80\n",
        "# port: 80",
        "port: 80\n---",
        "<div>\nport: 80\n</div>\n",
    ],
)
def test_MD_13_a_key_in_code_comment_list_or_quote_is_no_key(hidden: str) -> None:
    data = f"{hidden}\n\nport: 81\n".encode()
    assert upsert_kv(data, "port: 82").content == f"{hidden}\n\nport: 82\n".encode()


def test_upsert_follows_the_reference_in_everything_else() -> None:
    done = upsert_kv(b"a: 1\nb: 2\na: 3\n  c: x\n", "b: 5\nnoise\nc:\na: 7\na: 8\nd.e-f_1: z")
    assert done.content == b"a: 8\nb: 5\na: 3\n  c:\nd.e-f_1: z\n"
    assert done.status == "created" and done.warnings
    assert upsert_kv(b"a: 1\n", "only noise").status == "unchanged"
    assert upsert_kv(b"a:   1\n", "a: 1").content == b"a:   1\n"
    assert upsert_kv(None, "a: 1").content == b"a: 1\n"


def test_upsert_changes_front_matter_by_key_as_valid_yaml() -> None:
    data = b"---\n# c\ntitle: Ada\ntags:\n  - a\n---\nx\n"
    assert upsert_kv(data, "title: Q3: plan").content == data.replace(b"Ada", b'"Q3: plan"')
    assert upsert_kv(data, "tags: none").content == b"---\n# c\ntitle: Ada\ntags: none\n---\nx\n"
    assert upsert_kv(data, "title: Ada").status == "unchanged"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_find_replace_changes_the_quoted_text_only(eol: str) -> None:
    data = f"a{eol}b{eol}c{eol}".encode()
    changed, count = find_replace(data, "a\nb", "x\ny\nz")
    assert (changed, count) == (f"x{eol}y{eol}z{eol}c{eol}".encode(), 1)


def test_find_replace_refuses_what_would_be_a_guess() -> None:
    data = b"- tea\n- tea\n"
    for old, new in [("", "x"), ("tea", "tea"), ("coffee", "x"), ("Tea\n-", "x")]:
        with pytest.raises(EditRefused):
            find_replace(data, old, new)
    with pytest.raises(AmbiguousSection):
        find_replace(data, "tea", "oolong")
    with pytest.raises(AmbiguousSection):
        find_replace(b"aaa", "aa", "b")
    assert find_replace(data, "tea", "oolong", replace_all=True) == (b"- oolong\n- oolong\n", 2)


def test_overwrite_is_verbatim_but_for_the_byte_order_mark() -> None:
    assert overwrite(None, "a\r\nb") == b"a\r\nb"
    assert overwrite(b"\xef\xbb\xbfold", "new") == b"\xef\xbb\xbfnew"


def test_remember_adds_a_dated_bullet_at_the_end_of_its_section() -> None:
    data = b"# M\n\n## Recent Lessons\n\n- old\n\n### Deeper\n\n- d\n\n## Next\n"
    done = remember(data, " Likes\n## tea ", at=NOON, source="tool")
    bullet = b"- 2026-05-01 12:05 (tool): Likes ## tea\n"
    assert done == data.replace(b"- old\n", b"- old\n" + bullet)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (None, "## Recent Lessons\n\nB\n"),
        (b"# M", "# M\n\n## Recent Lessons\n\nB\n"),
        (b"# M\r\nx\r\n", "# M\r\nx\r\n\r\n## Recent Lessons\r\n\r\nB\r\n"),
        (b"## Recent Lessons", "## Recent Lessons\n\nB\n"),
        (b"## Recent Lessons\n## B\n", "## Recent Lessons\n\nB\n## B\n"),
        (b"## Recent Lessons\n\n* a", "## Recent Lessons\n\n* a\nB\n"),
        (b"## Recent Lessons\n\n- a\n\n- b\n", "## Recent Lessons\n\n- a\n\n- b\n\nB\n"),
        (b"## Recent Lessons\n\ntext\n", "## Recent Lessons\n\ntext\n\nB\n"),
        (b"Recent Lessons\n---\n- a\n", "Recent Lessons\n---\n- a\nB\n"),
        (b"## Recent Lessons\n```\nopen\n", "## Recent Lessons\n```\nopen\n```\n\nB\n"),
    ],
)
def test_remember_fits_any_file(data: bytes | None, expected: str) -> None:
    done = remember(data, "tea", at=NOON, source="tool")
    assert done.decode() == expected.replace("B\n", "- 2026-05-01 12:05 (tool): tea\n", 1).replace(
        "B\r\n", "- 2026-05-01 12:05 (tool): tea\r\n"
    ) or b"## B" in (data or b"")
    assert bullets(done)[-1].statement == "tea"
    assert remember(done, "tea", at=NOON.replace(day=9), source="other") == done


def test_remember_refuses_nothing_and_cannot_be_forged() -> None:
    with pytest.raises(EditRefused):
        remember(None, " \n\t", at=NOON, source="tool")
    done = remember(None, "a", at=NOON, source="x): forged\n## H (")
    assert [s.title for s in Document.parse(done).sections] == ["Recent Lessons"]
    assert bullets(done)[0].statement == "a"


@settings(max_examples=200, deadline=None)
@given(ANY_TEXT, st.text(max_size=60))
def test_whatever_is_remembered_stands_as_one_bullet(text: str, statement: str) -> None:
    try:
        done = remember(text.encode(), statement, at=NOON, source="tool")
    except (EditRefused, UnicodeEncodeError):
        return
    assert bullets(done)
    assert remember(done, statement, at=NOON, source="tool") == done
