"""How fast notes are cut into chunks, against the reference Markdown parser on the same notes.

    python benchmarks/chunks.py [--notes 2000] [--folder PATH]

Without --folder the notes are generated (headings, bullets, prose, code, tables). Prints notes and
megabytes per CPU second for the line scanner alone, for whole chunks, and for markdown-it-py's
block pass (`MarkdownIt("commonmark").disable("inline").parse`), and the ratio.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mnemofs.errors import UnreadableText
from mnemofs.markdown.chunks import chunk
from mnemofs.markdown.document import Document

WORDS = ("tea", "release", "budget", "flight", "python", "index", "garden", "doctor", "server")


def generated(count: int) -> list[bytes]:
    dice = random.Random(1)

    def words(number: int) -> str:
        return " ".join(dice.choice(WORDS) for _ in range(number))

    notes = []
    for _ in range(count):
        parts = ["# 2026-05-01\n"]
        for _ in range(dice.randint(2, 4)):
            parts.append(f"\n## {words(2).title()}\n\n{words(40)}\n{words(30)}.\n\n")
            parts += [f"- 09:{dice.randint(10, 59)} {words(9)}\n" for _ in range(4)]
        parts.append(f"\n```sh\nmake {words(1)}\n```\n\n| a | b |\n|---|---|\n| 1 | {words(2)} |\n")
        notes.append("".join(parts).encode())
    return notes


def readable(folder: Path) -> list[bytes]:
    notes = []
    for path in sorted(folder.rglob("*.md")):
        data = path.read_bytes()
        try:
            Document.parse(data)
        except UnreadableText:
            continue
        notes.append(data)
    return notes


def measured(name: str, notes: Sequence[bytes], work: Callable[[bytes], object]) -> float:
    begin = time.process_time()
    for note in notes:
        work(note)
    spent = time.process_time() - begin
    megabytes = sum(map(len, notes)) / 1e6
    print(f"{name:28} {len(notes) / spent:9.0f} notes/s {megabytes / spent:8.1f} MB/s")
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--notes", type=int, default=2000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    notes = readable(options.folder) if options.folder else generated(options.notes)
    if not notes:
        raise SystemExit("no notes found")
    pieces = sum(len(chunk(note, "memory/2026-05-01.md")) for note in notes)
    size = sum(map(len, notes)) / len(notes)
    print(
        f"{len(notes)} notes of {size:.0f} bytes on average, {pieces / len(notes):.1f} chunks each"
    )
    scanned = measured("line scanner", notes, Document.parse)
    measured("chunks", notes, lambda note: chunk(note, "memory/2026-05-01.md"))

    from markdown_it import MarkdownIt

    reference = MarkdownIt("commonmark").disable("inline")
    parsed = measured("markdown-it-py, blocks only", notes, lambda n: reference.parse(n.decode()))
    print(f"the scanner needs {scanned / parsed:.2f} of the reference parser's time")


if __name__ == "__main__":
    main()
