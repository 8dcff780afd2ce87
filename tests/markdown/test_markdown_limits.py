"""SEC-08: no input of 100 kB takes longer than a blink, whatever it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from mnemofs.errors import EditRefused
from mnemofs.markdown.budget import fit
from mnemofs.markdown.chunks import chunk
from mnemofs.markdown.edits import (
    append_daily,
    remember,
    replace_section,
    upsert_kv,
)
from mnemofs.markdown.entries import StructuredEntry, all_entries, bullets, put_structured
from tests.markdown.samples import DAY, NOON

SIZE = 100_000
HOSTILE = {
    "backticks": "`" * SIZE,
    "backtick lines": "```\n" * (SIZE // 4),
    "comment and spaces": "<!--" + " " * SIZE,
    "brackets": "[" * SIZE,
    "definitions": "[a]: b\n" * (SIZE // 7),
    "open definition": "[" + "a" * SIZE + "]:",
    "nested bullets": "- " * (SIZE // 2),
    "nested bullets and blank lines": "- " * 200 + "\n" * SIZE,
    "nested bullets and text": "- " * 5000 + "\nx" * (SIZE // 2),
    "nested quotes": "> " * (SIZE // 2),
    "quotes and lazy lines": "> " * 5000 + "\nx" * (SIZE // 2),
    "stairs": "".join(" " * (2 * (n % 300)) + "- x\n" for n in range(SIZE // 300)),
    "key and spaces": "a:" + " " * SIZE,
    "keys": "a: b\n" * (SIZE // 5),
    "front matter": "---\n" + "a: b\n" * (SIZE // 5) + "---\n",
    "front matter flow": "---\na: [" + "x," * (SIZE // 2) + "]\n---\n",
    "rules": "---\n" * (SIZE // 4),
    "dashes": "-" * SIZE,
    "spaced dashes": "- - " * (SIZE // 4),
    "hashes": "#" * SIZE,
    "spaced hashes": "# " * (SIZE // 2),
    "other headings": "".join(f"# h{n}\n" for n in range(SIZE // 8)),
    "sections": "".join(f"## h{n}\n- {n}\n" for n in range(SIZE // 16)),
    "deep headings": "".join("#" * (n % 6 + 1) + " h\n" for n in range(SIZE // 6)),
    "heading of spaces": "# a" + " " * SIZE + "b",
    "underlines": "a\n===\n" * (SIZE // 6),
    "long setext": "a\n" * (SIZE // 2) + "===",
    "spaces": " " * SIZE,
    "blank lines": "\n" * SIZE,
    "returns": "\r" * SIZE,
    "tabs": "\t" * SIZE,
    "tags": "<a" + " b='c'" * (SIZE // 6),
    "tag names": "<" + "a" * SIZE,
    "attributes": "<a " + "a" * SIZE,
    "pipes": "|" * SIZE,
    "table": "|a|\n" + "|-" * (SIZE // 2) + "\n",
    "spaced pipes": "| a\n|" + " " * SIZE + "x",
    "one word": "x" * SIZE,
    "words": "word " * (SIZE // 5),
    "one script": "记" * (SIZE // 3),
    "sentences": "A. " * (SIZE // 3),
    "emphasis": "**" * (SIZE // 2),
    "parentheses": "- 2026-05-01 (" * (SIZE // 14),
    "same bullets": "- a\n" * (SIZE // 4),
    "bullets": "".join(f"- entry {n}\n" for n in range(SIZE // 12)),
    "backslashes": "\\" * SIZE,
    "nul": "\0" * SIZE,
    "separators": "\u2028" * (SIZE // 3),
    "heading of brackets": "# " + "[" * SIZE,
    "dates": "# 2026-05-01 " + "2026-" * (SIZE // 5),
}
HOSTILE_VALUES = sorted(HOSTILE)


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    try:
        work()
    except EditRefused:
        pass
    return time.process_time() - begin


@pytest.mark.parametrize("name", HOSTILE_VALUES)
def test_SEC_08_reading_editing_and_chunking_are_linear(name: str) -> None:
    text = HOSTILE[name]
    data = text.encode()
    spent = {
        "chunk": _timed(lambda: chunk(data, "MEMORY.md")),
        "entries": _timed(lambda: (all_entries(data, "MEMORY.md"), bullets(data))),
        "append": _timed(lambda: append_daily(data, "- x", DAY)),
        "day": _timed(lambda: append_daily(data, text.replace("- ", "- new ") + "\n- y", DAY)),
        "remember": _timed(lambda: remember(data, "x", at=NOON, source="t")),
        "value": _timed(lambda: remember(None, text, at=NOON, source=text)),
        "new section": _timed(lambda: replace_section(b"## New\nx\n", "## New\n" + text)),
        "pairs": _timed(lambda: upsert_kv(data, "zz: 1")),
        "structured": _timed(lambda: put_structured(None, StructuredEntry("k", text))),
        "fit": _timed(lambda: fit(text, 4000)),
    }
    slow = {what: round(seconds, 2) for what, seconds in spent.items() if seconds > 1.0}
    assert not slow, slow
