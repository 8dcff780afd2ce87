"""Chunks: small, self-contained, complete, with lines as grep counts them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings

from mnemofs.markdown.chunks import MAX_CHARS, MAX_WORDS, Chunk, chunk
from tests.markdown.samples import ANY_TEXT


def texts(text: str, path: str = "MEMORY.md") -> list[str]:
    return [piece.text for piece in chunk(text.encode(), path)]


def kinds(text: str) -> list[str]:
    return [piece.kind for piece in chunk(text.encode(), "MEMORY.md")]


def test_each_block_is_a_chunk_under_its_heading_path() -> None:
    text = (
        "intro\n\n# A\n\n- one\n  more\n  - nested\n- two\n\n## B\n\nA paragraph that is wrapped "
        "like prose usually is,\nover two lines.\n\n```sh\nmake\n```\n\n> quote\n\n<!-- c -->\n\n"
        "role: dev\ntz: UTC\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    found = chunk(text.encode(), "MEMORY.md")
    assert [(c.ordinal, c.heading, c.line_start, c.line_end, c.kind) for c in found] == [
        (0, (), 1, 1, "paragraph"),
        (1, ("A",), 5, 7, "item"),
        (2, ("A",), 8, 8, "item"),
        (3, ("A", "B"), 12, 13, "paragraph"),
        (4, ("A", "B"), 15, 17, "code"),
        (5, ("A", "B"), 19, 19, "quote"),
        (6, ("A", "B"), 21, 21, "comment"),
        (7, ("A", "B"), 23, 24, "pairs"),
        (8, ("A", "B"), 26, 28, "table"),
    ]
    lines = text.split("\n")
    for piece in found:
        assert piece.text == "\n".join(lines[piece.line_start - 1 : piece.line_end])


def test_a_heading_with_nothing_under_it_can_be_found() -> None:
    assert texts("# A\n## B\ntext\n## Use Postgres 15\n## C\n### D\n") == [
        "text",
        "## Use Postgres 15",
        "### D",
    ]


@pytest.mark.parametrize(
    ("text", "path", "day", "author"),
    [
        ("- x", "memory/2026-05-01.md", date(2026, 5, 1), ""),
        ("- x", "memory/2026-02-30.md", None, ""),
        ("- 2026-04-02 09:00 (tool): x", "memory/2026-05-01.md", date(2026, 4, 2), "tool"),
        ("## 2026-03-03 21:00 Dreaming\n\nx", "DREAMS.md", date(2026, 3, 3), ""),
        ("## k\nx\n> Source: nudge | Updated: 2026-02-02", "structured/user.md",
         date(2026, 2, 2), "nudge"),
        ("---\nupdated: 2026-01-05T10:00:00Z\nsource: api\n---\nx", "memories/a.md",
         date(2026, 1, 5), "api"),
        ("**Caroline**: I went to a support group yesterday.", "MEMORY.md", None, "Caroline"),
        ("Caroline: I went to a support group yesterday.", "MEMORY.md", None, "Caroline"),
        ("role: dev", "PROFILE.md", None, ""),
    ],
)  # fmt: skip
def test_date_and_author_come_from_the_nearest_place(
    text: str, path: str, day: date | None, author: str
) -> None:
    last = chunk(text.encode(), path)[-1]
    assert (last.date, last.author) == (day, author)


@pytest.mark.parametrize("under", ["---", "> Source: a | Updated: 2026-02-02", "\u2028", "***\n"])
def test_a_heading_over_nothing_to_read_can_be_found_as_well(under: str) -> None:
    assert texts(f"# A\n\nx\n\n## Use Postgres 15\n{under}\n") == ["x", "## Use Postgres 15"]


def test_the_line_of_source_and_date_is_no_chunk() -> None:
    assert texts("## k\nx\n> Source: a | Updated: 2026-02-02\n") == ["x"]


def long_words(count: int) -> str:
    return " ".join(f"word{n}" for n in range(count))


@pytest.mark.parametrize(
    "text",
    [
        long_words(1000),
        ". ".join(long_words(9) for _ in range(100)),
        "\n".join(long_words(14) for _ in range(60)),
        "- head\n" + "\n".join(f"  - {long_words(20)} {n}" for n in range(40)),
        "- " + long_words(700),
        "```\n" + "\n".join(f"line {n} of code" for n in range(400)) + "\n```",
        "| a | b |\n|---|---|\n" + "\n".join(f"| {n} | some words |" for n in range(300)),
        "> " + "\n> ".join(long_words(15) for _ in range(50)),
        "记忆" * 900,
        "这是一个很长的句子。" * 200,
        "x" * 9000,
        "\n".join(f"key{n}: {long_words(6)}" for n in range(80)),
    ],
)
def test_long_pieces_are_cut_and_nothing_is_lost(text: str) -> None:
    found = chunk(text.encode(), "MEMORY.md")
    assert len(found) > 1
    for piece in found:
        assert len(piece.text.split()) <= MAX_WORDS and len(piece.text) <= MAX_CHARS
    assert "".join("".join(c.text.split()) for c in found) == "".join(text.split())


def test_short_items_are_never_joined_and_short_nesting_is_never_split() -> None:
    text = "- a\n- b\n  - c\n\n    more c\n  - d\n1. e\n2. f\n"
    assert texts(text) == ["- a", "- b\n  - c\n\n    more c\n  - d", "1. e", "2. f"]


def complete(text: str, found: tuple[Chunk, ...]) -> bool:
    shown = {line for piece in found for line in piece.text.split("\n")}
    shown |= {title for piece in found for title in piece.heading}
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return all(
        line in shown
        or line.startswith("#")
        or not line.strip(" -=*_\t.\u2028\x0c")
        or any(line.strip() in title for title in shown)
        for line in lines
    )


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_every_line_of_text_is_in_a_chunk_and_lines_are_right(text: str) -> None:
    data = text.encode()
    found = chunk(data, "MEMORY.md")
    assert [piece.ordinal for piece in found] == list(range(len(found)))
    assert complete(text, found)
    lines = text.split("\n")
    for piece in found:
        stands = "\n".join(lines[piece.line_start - 1 : piece.line_end])
        assert piece.text in stands.replace("\r\n", "\n").replace("\r", "\n")
        assert piece.text.strip()
