"""What search costs: first index, one changed file, a query, a cold process. CPU, not wall.

    python benchmarks/search_speed.py [--notes 3000] [--hybrid]

Times are CPU of the asking thread; the arithmetic is kept on it (OPENBLAS_NUM_THREADS=1).

Notes are made of words drawn from a Zipf distribution over an invented vocabulary, about 3.5 chunks
each, which is unkind to OR queries: real text has topics. `--hybrid` puts random directions in
place of embedding every chunk (the arithmetic of a query is the same). The yardstick tells how fast
this machine was at that moment.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from mnemofs.index.meaning.embedders import Embedder
from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.search import Mode, ScopedIndex, search
from mnemofs.index.sidecar import Index

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_SYLLABLES = ("ka", "lo", "mi", "ten", "ra", "su", "bel", "do", "vin", "gar", "pe", "ost", "ulm")


def vocabulary(size: int, rng: random.Random) -> list[str]:
    """`size` distinct invented words, most frequent first."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4)))] = None
    return list(words)


def write_notes(folder: Path, count: int, rng: random.Random) -> list[str]:
    """`count` notes below `folder`; the vocabulary they are written in."""
    words = vocabulary(20_000, rng)
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    for number in range(count):
        lines = [f"# Note {number}", ""]
        for _ in range(rng.choice((3, 3, 4, 4))):
            picked = rng.choices(words, cum_weights=weights, k=rng.randint(15, 45))
            lines.append("- " + " ".join(picked))
        file = folder / "memories" / f"{number // 500:03d}" / f"note-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return words


def questions(words: Sequence[str], count: int, rng: random.Random) -> list[str]:
    """Five or six words, common and rare ones, as people ask."""
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    return [
        " ".join(rng.choices(words, cum_weights=weights, k=rng.randint(4, 7))) for _ in range(count)
    ]


def cpu(run: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    start = time.thread_time()
    run()
    return 1e3 * (time.thread_time() - start)


def walk(folder: str) -> None:
    """Lists a folder and looks at every file: the least that a full scan can cost."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                walk(entry.path)
            else:
                entry.stat(follow_symlinks=False)


def percentiles(values: Sequence[float]) -> str:
    """p50 and p95 in milliseconds."""
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"p50 {p50:.2f} ms, p95 {p95:.2f} ms"


def random_vectors(index: Index, embedder: Embedder) -> None:
    """A random direction for every chunk."""
    import numpy as np

    from mnemofs.index.meaning import vectors

    rng = np.random.default_rng(1)
    number = vectors.activate(index, embedder)
    hashes = [row[0] for row in index.query("select distinct vec_hash from chunk")]
    made = rng.standard_normal((len(hashes), embedder.dims)).astype(np.float32)
    packed = vectors.pack(made, vectors.usable(made))
    vectors.store(index, number, dict(zip(hashes, packed, strict=True)))


def naive(root: Path, asked: Sequence[str]) -> list[float]:
    """The yardstick: one FTS5 column in memory, all words by OR, ten best. CPU ms a query."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table f using fts5(t, tokenize = 'porter unicode61')")
    for file in sorted(root.rglob("*.md")):
        lines = [(line,) for line in file.read_text(encoding="utf-8").split("\n") if line]
        database.executemany("insert into f values(?)", lines)
    sql = "select rowid from f where f match ? order by rank limit 10"

    def run(query: str) -> list[object]:
        return database.execute(sql, (" OR ".join(query.split()),)).fetchall()

    return [cpu(partial(run, query)) for query in asked]


def cold(root: Path, mode: Mode) -> tuple[float, float]:
    """Best wall seconds of (bare interpreter, one search in a new process)."""
    code = (
        "import sys; from mnemofs.index.search import ScopedIndex, search;"
        "from mnemofs.index.sidecar import Index;"
        + (
            "from mnemofs.index.meaning.sentence_encoder import SentenceEncoder;"
            "e=SentenceEncoder();"
            if mode == "hybrid"
            else "e=None;"
        )
        + f"r=search([ScopedIndex(Index(sys.argv[1],embedder=e))],'loka miten',mode='{mode}')"
    )
    best = []
    for command in (["pass"], [code, str(root)]):
        walls = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", *command], check=True)
            walls.append(time.perf_counter() - start)
        best.append(min(walls))
    return best[0], best[1]


def _size(index: Index) -> int:
    """Bytes of the sidecar, with everything in it that still stood in its log."""
    index.query("pragma wal_checkpoint(truncate)")
    return (Path(index.root) / ".mnemofs" / "index.db").stat().st_size


def main() -> None:
    """Prints one figure a line."""
    parser = argparse.ArgumentParser(description="what mnemofs search costs")
    parser.add_argument("--notes", type=int, default=3000)
    parser.add_argument("--hybrid", action="store_true")
    parser.add_argument("--queries", type=int, default=300)
    options = parser.parse_args()
    rng = random.Random(20261130)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        words = write_notes(root, options.notes, rng)
        time.sleep(0.2)
        index = Index(root)
        print(f"first lexical index of {options.notes} notes: {cpu(index.refresh):.0f} ms")
        chunks = index.query("select count(*) from chunk")[0][0]
        size = _size(index)
        print(f"chunks: {chunks}, index file: {size / chunks:.0f} bytes a chunk")
        print(f"scan, nothing changed: {cpu(index.refresh):.1f} ms")
        again = Index(root)
        print(f"scan, nothing changed, new process: {cpu(again.refresh):.1f} ms")
        target = root / "memories" / "000" / "note-1.md"
        spent = []
        for turn in range(20):
            target.write_text(target.read_text() + f"- novelty{turn} alpha beta\n")
            spent.append(cpu(lambda: again.refresh(["memories/000/note-1.md"])))
        print(f"one file by hint: {percentiles(spent)}")
        spent, walks = [], []
        for turn in range(10):
            target.write_text(target.read_text() + f"- surprise{turn} alpha beta\n")
            query = f"surprise{turn}"
            place = [ScopedIndex(again)]
            spent.append(cpu(partial(search, place, query, mode="lexical")))
            walks.append(cpu(partial(walk, str(root / "memories"))))
        ratio = sorted(spent)[5] / sorted(walks)[5]
        print(f"looking at all files, nothing else: {percentiles(walks)}")
        print(
            f"one changed file, found by a full scan and query: {percentiles(spent)}; {ratio:.2f} x"
        )
        modes: list[Mode] = ["lexical"]
        if options.hybrid:
            again.embedder = SentenceEncoder()
            random_vectors(again, again.embedder)
            modes.append("hybrid")
        asked = questions(words, options.queries, rng)
        plain = naive(root, asked)
        print(f"yardstick, one column in memory: {percentiles(plain)}")
        place = [ScopedIndex(again)]
        spent = [cpu(partial(search, place, q, mode="lexical", fresh=False)) for q in asked]
        ratio = sum(spent) / sum(plain)
        print(f"lexical query by FTS5 alone: {percentiles(spent)}; {ratio:.2f} x yardstick")
        from mnemofs.index.words import posting_build  # loads numpy: nothing before needs it

        tended = cpu(partial(posting_build.tend, again))
        size = _size(index)
        print(f"postings made: {tended:.0f} ms; index file: {size / chunks:.0f} bytes a chunk")
        for mode in modes:
            place = [ScopedIndex(again)]
            search(place, asked[0], mode=mode, fresh=False)
            spent = [cpu(partial(search, place, q, mode=mode, fresh=False)) for q in asked]
            ratio = sum(spent) / sum(plain)
            print(f"{mode} query, {chunks} chunks: {percentiles(spent)}; {ratio:.2f} x yardstick")
        for mode in modes:
            bare, ours = cold(root, mode)
            print(f"cold {mode} process: {ours * 1e3:.0f} ms wall; bare python {bare * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
