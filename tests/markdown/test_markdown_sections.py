"""Sections: what is one, what replacing one does, what it never does. The MD cases 01 to 09, 14."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import AmbiguousSection, EditRefused
from mnemofs.markdown.budget import fit
from mnemofs.markdown.document import Document
from mnemofs.markdown.edits import append, read_section, replace_section
from tests.markdown.samples import ANY_TEXT

HIDING = [
    ("```sh", "```"),
    ("~~~", "~~~~"),
    ("````", "````"),
    ("   ```", "  ```"),
    ("<!--", "-->"),
    ("<pre>", "</pre>"),
    ("<?php", "?>"),
    ("<script>", "</script>"),
]


def titles(data: bytes) -> list[str]:
    return [section.title for section in Document.parse(data).sections]


@pytest.mark.parametrize(("opening", "closing"), HIDING)
@pytest.mark.parametrize("hidden", ["## install", "# install", "## Setup", "Title\n---", "## Next"])
def test_MD_01_a_heading_inside_code_or_html_does_not_end_a_section(
    opening: str, closing: str, hidden: str
) -> None:
    data = f"# N\n\n## Setup\n\n{opening}\n{hidden}\nmake\n{closing}\n\n## Next\nkeep\n".encode()
    assert titles(data) == ["N", "Setup", "Next"]
    done = replace_section(data, "## Setup\n\ndone\n")
    assert done.content == b"# N\n\n## Setup\n\ndone\n\n## Next\nkeep\n"
    assert done.status == "replaced"


@pytest.mark.parametrize("fence", ["`", "~"])
@pytest.mark.parametrize("outer", [4, 5, 9])
def test_MD_02_a_shorter_or_other_fence_does_not_close_a_longer_one(fence: str, outer: int) -> None:
    other = "~" if fence == "`" else "`"
    inside = f"{fence * 3}\n## no\n{fence * 3}\n{other * 12}\n## neither\n{fence * (outer - 1)}"
    data = f"## A\n{fence * outer}\n{inside}\n{fence * outer}\n## B\nb\n".encode()
    assert titles(data) == ["A", "B"]
    assert replace_section(data, "## A\nx\n").content == b"## A\nx\n## B\nb\n"


@pytest.mark.parametrize(("parent", "child"), [(1, 2), (2, 3), (2, 6), (3, 4), (1, 6)])
def test_MD_03_subsections_belong_to_their_parent(parent: int, child: int) -> None:
    up, down = "#" * parent, "#" * child
    data = f"{up} P\ntop\n{down} Q\nold\n{up} R\nr\n".encode()
    done = replace_section(data, f"{up} P\nnew\n{down} S\ns\n")
    assert done.content == f"{up} P\nnew\n{down} S\ns\n{up} R\nr\n".encode()
    inner = replace_section(data, f"{down} Q\nfresh\n")
    assert inner.content == f"{up} P\ntop\n{down} Q\nfresh\n{up} R\nr\n".encode()


@pytest.mark.parametrize(
    ("standing", "asked"),
    [
        ("## Open items #urgent", "## Open items"),
        ("## Open items", "## open items"),
        ("## **Open items**", "## Open items"),
        ("## [Open items](todo.md)", "## Open items"),
        ("### Open items", "## Open items"),
        ("## Open items:", "## Open items"),
        ("## Open item", "## Open items"),
        ("## 📌 Open items", "## Open items"),
        ("## Open items (2026)", "## Open items"),
        ("Open items #x\n---", "## Open items"),
    ],
)
def test_MD_04_a_near_miss_is_added_and_says_so(standing: str, asked: str) -> None:
    data = f"{standing}\n- old\n".encode()
    done = replace_section(data, f"{asked}\n- new\n")
    assert done.status == "created"
    assert done.content == data + f"\n{asked}\n- new\n".encode()
    assert len(done.warnings) == 1 and "line 1" in done.warnings[0]


def test_MD_04_an_unrelated_heading_is_no_near_miss() -> None:
    done = replace_section(b"## Food\n- old\n", "## Open items\n- new\n")
    assert done.status == "created" and done.warnings == ()


@pytest.mark.parametrize(
    "data",
    [
        "## Todo\n- a\n## Done\n- z\n## Todo\n- b\n",
        "# X\n## Todo\n- a\n# Y\n## Todo\n- b\n\n- z\n",
        "Todo\n---\n- a\n\n- z\n\n## Todo ##\n- b\n",
        "##   Todo\n- a\n## Todo\t\n- b\n- z\n",
    ],
)
def test_MD_05_twin_headings_are_refused(data: str) -> None:
    with pytest.raises(AmbiguousSection) as refused:
        replace_section(data.encode(), "## Todo\n- c\n")
    assert refused.value.hint
    with pytest.raises(AmbiguousSection):
        read_section(data.encode(), "Todo", 2)


def test_MD_05_a_text_with_a_second_section_of_the_file_would_make_twins() -> None:
    data = b"## A\na\n## B\nb\n"
    with pytest.raises(AmbiguousSection):
        replace_section(data, "## A\nx\n## B\ny\n")
    done = replace_section(data, "## A\nx\n## C\ny\n")
    assert done.content == b"## A\nx\n## C\ny\n## B\nb\n"


def test_MD_06_hashes_at_the_end_are_text_unless_they_stand_apart() -> None:
    data = b"## C#\nx\n## F##\ny\n## Done ##\nz\n## #\nw\n## a # b\nv\n"
    assert titles(data) == ["C#", "F##", "Done", "", "a # b"]
    assert replace_section(data, "## C#\nq\n").content == data.replace(b"x", b"q")
    assert replace_section(data, "## Done\nq\n").content == data.replace(
        b"## Done ##\nz", b"## Done\nq"
    )


@pytest.mark.parametrize("underline", ["----", "-", "---------- ", "  ---"])
def test_MD_07_a_setext_heading_is_replaced_not_twinned(underline: str) -> None:
    data = f"# M\n\nPlan\n{underline}\nold\n\nNext\n----\nkeep\n".encode()
    assert titles(data) == ["M", "Plan", "Next"]
    done = replace_section(data, "## Plan\nnew\n")
    assert done.content == b"# M\n\n## Plan\nnew\n\nNext\n----\nkeep\n"
    setext = replace_section(data, "Plan\n---\nnew\n")
    assert setext.content == b"# M\n\nPlan\n---\nnew\n\nNext\n----\nkeep\n"


def test_MD_07_setext_of_level_one_and_of_two_lines() -> None:
    data = b"Top\n===\n\nA title of\ntwo lines\n---\nold\n\nlast\n===\nz\n"
    assert titles(data) == ["Top", "A title of two lines", "last"]
    done = replace_section(data, "## A title of two lines\nnew")
    assert done.content == b"Top\n===\n\n## A title of two lines\nnew\n\nlast\n===\nz\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_MD_08_front_matter_is_no_heading(eol: str) -> None:
    head = "---\ntitle: Ada\nrole: dev\n---\n".replace("\n", eol)
    data = (head + "\n# Real\n\n## S\ns\n".replace("\n", eol)).encode()
    assert titles(data) == ["Real", "S"]
    for changed in (
        append(data, "more"),
        replace_section(data, "## S\nt").content,
        fit(data.decode(), 62).text.encode(),
    ):
        assert changed.startswith(head.encode())
        assert changed.count(b"title: Ada") == 1


@pytest.mark.parametrize(
    "comment",
    ["<!--\n## hidden\n-->", "<!-- managed\n\n## hidden\n\n- x\n\n-->", "  <!--\n## hidden\n--> t"],
)
def test_MD_09_a_heading_inside_a_comment_is_hidden(comment: str) -> None:
    data = f"{comment}\n## shown\nx\n".encode()
    assert titles(data) == ["shown"]
    assert replace_section(data, "## shown\nz\n").content == data.replace(b"x\n", b"z\n")[
        : len(data)
    ] or comment.count("x")
    made = replace_section(data, "## hidden\ny\n")
    assert made.status == "created"
    assert made.content == data + b"\n## hidden\ny\n"


def test_MD_09_an_open_comment_or_fence_is_closed_before_a_new_section() -> None:
    made = replace_section(b"text\n\n<!-- open\n## hidden\n", "## hidden\ny\n")
    assert titles(made.content) == ["hidden"]
    made = replace_section(b"text\n\n~~~~sh\n## hidden\n", "## hidden\ny\n")
    assert made.content == b"text\n\n~~~~sh\n## hidden\n~~~~\n\n## hidden\ny\n"


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, st.integers(0, 9), st.booleans(), st.booleans())
def test_MD_14_a_section_written_back_changes_nothing(
    text: str, pick: int, mark: bool, stripped: bool
) -> None:
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    document = Document.parse(data)
    for section in document.sections[pick : pick + 1]:
        same = document.find(section.title, section.level)
        if len(same) > 1:
            continue
        read = read_section(data, section.title, section.level)
        assert read is not None
        try:
            done = replace_section(data, read.strip("\r\n") if stripped else read)
        except AmbiguousSection:
            continue
        for _ in range(5):
            assert (done.content, done.status) == (data, "unchanged")
            done = replace_section(done.content, read)


def test_MD_14_line_ends_of_the_text_written_back_do_not_matter() -> None:
    data = b"# A\r\n\r\n## B\r\nb\r\n\r\n## C\r\nc"
    for title in ("B", "C"):
        read = read_section(data, title)
        assert read is not None
        assert replace_section(data, read.replace("\r\n", "\n")).content == data


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, st.integers(0, 9))
def test_replacing_a_section_leaves_every_byte_outside_it(text: str, pick: int) -> None:
    document = Document.of_text(text)
    for section in document.sections[pick : pick + 1]:
        if len(document.find(section.title, section.level)) > 1 or not section.title:
            continue
        new = f"{'#' * section.level} {section.title}"
        if [s.title for s in Document.of_text(new).sections] != [section.title]:
            continue
        done = replace_section(text.encode(), f"{new}\nfresh text\n")
        assert done.content.startswith(text[: section.start].encode())
        assert done.content.endswith(text[section.tree_end :].encode())
        assert b"fresh text" in done.content


def test_a_text_without_a_heading_names_no_section() -> None:
    with pytest.raises(EditRefused):
        replace_section(b"## A\na\n", "just text")
    assert replace_section(None, "## A\na").content == b"## A\na\n"


def test_sections_know_their_path_and_lines() -> None:
    sections = Document.of_text("intro\n\n# A\na\n\n### B\nb\n## C\nc\n# D").sections
    assert [(s.path, s.line, s.last_line) for s in sections] == [
        (("A",), 3, 9),
        (("A", "B"), 6, 7),
        (("A", "C"), 8, 9),
        (("D",), 10, 10),
    ]
