"""What a large store costs: 100 000 chunks, or a million. CPU, not wall.

    python benchmarks/index_scale.py [--chunks 100000] [--locomo FILE] [--folder KEPT] [--exact]
                                     [--chinese [--dictionary FILE]] [--words]

Texts are halves of real sentences put together (docstrings of Python's standard library, and the
turns of LoCoMo when its file is given). Their vectors are mixtures of the embedded model's vectors
of 60 000 such texts with some noise, so that they cluster as real ones do. Questions are LoCoMo's,
else sentences that are in no note. Recall is of the 20 nearest vectors against comparing all.
--exact compares all whatever the size. --folder keeps the store and the embedded base for the next
run. --chinese: Chinese and Japanese instead (`chinese_text`). --words: nothing of vectors.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from chinese_text import Writer

from mnemofs.index.meaning import ivf, vectors
from mnemofs.index.meaning.encoder_cache import quiet_numpy
from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.search import Mode, ScopedIndex, search
from mnemofs.index.sidecar import Index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PER_NOTE = 40
_BASE = 60_000
_NEAREST = 20


def sentences(locomo: Path | None) -> tuple[list[str], list[str]]:
    """(sentences for notes, questions)."""
    found: dict[str, None] = {}
    for file in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if not {"site-packages", "test", "tests"} & set(file.parts):
            try:
                module = ast.parse(file.read_text("utf-8"))
            except (SyntaxError, UnicodeDecodeError):
                continue
            for node in ast.walk(module):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                    for part in re.split(r"(?<=[.!?])\s+|\n\s*\n", ast.get_docstring(node) or ""):
                        text = " ".join(part.split())
                        if 25 < len(text) < 400:
                            found[text] = None
    texts = list(found)
    random.Random(7).shuffle(texts)
    if locomo is None:
        return texts[300:], texts[:300]
    asked = []
    for talk in json.loads(locomo.read_text("utf-8")):
        for session in talk["conversation"].values():
            if isinstance(session, list):
                texts += [f"{turn['speaker']}: {turn['text']}" for turn in session]
        asked += [row["question"] for row in talk["qa"]]
    return texts, asked


def spliced(texts: Sequence[str], dice: random.Random) -> str:
    """The first half of one sentence and the second of another."""
    one, other = dice.choice(texts).split(), dice.choice(texts).split()
    return " ".join((*one[: len(one) // 2 + 1], *other[len(other) // 2 :]))


def write_notes(folder: Path, count: int, line: Callable[[], str]) -> None:
    """Notes of forty bullets below `folder`, `count` bullets in all."""
    for number in range(0, count, _PER_NOTE):
        lines = [f"- {line()} {number + n}\n" for n in range(_PER_NOTE)]
        file = folder / "memories" / f"{number // 40_000:03d}" / f"note-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(lines), encoding="utf-8")


def embedded(texts: Sequence[str], cache: Path) -> NDArray[np.float32]:
    """Unit vectors of `texts`, kept in a file."""
    import numpy as np

    if not cache.exists():
        encoder = SentenceEncoder()
        steps = range(0, len(texts), 256)
        rows = np.concatenate([encoder.embed(texts[start : start + 256]) for start in steps])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        np.save(cache, rows)
    made: NDArray[np.float32] = np.load(cache)
    return made


def give_vectors(index: Index, base: NDArray[np.float32]) -> None:
    """A mixture of two base vectors and noise for every chunk."""
    import numpy as np

    assert index.embedder is not None
    dice = np.random.default_rng(1)
    number = vectors.activate(index, index.embedder)
    last = 0
    while True:
        rows = index.query(
            "select id, vec_hash from chunk where vec is null and id > ? order by id limit 20000",
            (last,),
        )
        if not rows:
            return
        last = rows[-1][0]
        shape = (len(rows), base.shape[1])
        share = dice.uniform(0, 0.5, (len(rows), 1)).astype(np.float32)
        one, other = (base[dice.integers(len(base), size=len(rows))] for _ in range(2))
        noise = dice.standard_normal(shape).astype(np.float32) * np.float32(0.25 / shape[1] ** 0.5)
        made = (1 - share) * one + share * other + noise
        packed = vectors.pack(made, vectors.usable(made))
        vectors.store(index, number, dict(zip((row[1] for row in rows), packed, strict=True)))


def exact(index: Index, asked: NDArray[np.float32]) -> list[set[int]]:
    """The ids of the nearest vectors of each question, by comparing all."""
    import numpy as np

    best_ids = np.zeros((len(asked), 0), np.int64)
    best = np.zeros((len(asked), 0), np.float32)
    for ids, packed in _all_vectors(index):
        scores = np.concatenate([best, asked @ packed.astype(np.float32).T], axis=1)
        every = np.concatenate([best_ids, np.broadcast_to(ids, (len(asked), len(ids)))], axis=1)
        place = np.argpartition(-scores, _NEAREST - 1, axis=1)[:, :_NEAREST]
        best = np.take_along_axis(scores, place, 1)
        best_ids = np.take_along_axis(every, place, 1)
    return [set(row.tolist()) for row in best_ids]


def _all_vectors(index: Index) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int8]]]:
    import numpy as np

    last = 0
    while True:
        rows = index.query(
            "select id, q8 from vector where id > ? order by id limit 20000", (last,)
        )
        if not rows:
            return
        last = rows[-1][0]
        packed = np.frombuffer(b"".join(row[1] for row in rows), np.int8)
        yield np.array([row[0] for row in rows]), packed.reshape(len(rows), -1)


def recall(index: Index, asked: NDArray[np.float32]) -> tuple[float, float]:
    """(share of the exact nearest that the lane finds, CPU ms a question at p95)."""
    truth = exact(index, asked)
    found, spent = 0, []
    for question, wanted in zip(asked, truth, strict=True):
        start = time.process_time()
        chunks, _cosines = index.vector_lane().cosines(question, nearest=_NEAREST)
        spent.append(1e3 * (time.process_time() - start))
        rows = index.query(
            f"select distinct vec from chunk where id in ({','.join(map(str, chunks))})"
        )
        found += len(wanted & {row[0] for row in rows})
    return found / (_NEAREST * len(asked)), sorted(spent)[int(0.95 * len(spent))]


def timed(index: Index, asked: Sequence[str], mode: Mode) -> str:
    """p50 and p95 of a query, CPU ms."""
    place = [ScopedIndex(index)]
    spent = []
    for query in asked:
        start = time.process_time()
        search(place, query, mode=mode, fresh=False)
        spent.append(1e3 * (time.process_time() - start))
    spent = sorted(spent[5:])
    return f"p50 {spent[len(spent) // 2]:.1f} ms, p95 {spent[int(0.95 * len(spent))]:.1f} ms"


_COLD = """
import resource, sys
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.sidecar import Index
index = Index(sys.argv[1], embedder=SentenceEncoder())
search([ScopedIndex(index)], sys.argv[2], fresh=False)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def cold(root: Path, query: str) -> tuple[float, str]:
    """(best wall ms, MiB of memory at most) of one search in a new process."""
    walls, size = [], ""
    for _ in range(5):
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _COLD, str(root), query],
            capture_output=True,
            text=True,
            check=True,
        )
        walls.append(1e3 * (time.perf_counter() - start))
        size = done.stdout.strip()
    return min(walls), size


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Prints one figure a line."""
    line, asked = _written(options)
    questions = asked["questions"]
    root = folder / f"{'chinese' if options.chinese else 'store'}-{options.chunks}"
    if not root.exists():
        write_notes(root, options.chunks, line)
        time.sleep(0.2)
    index = Index(root)
    start = time.process_time()
    index.refresh()
    chunks = index.query("select count(*) from chunk")[0][0]
    print(f"chunks: {chunks}; first lexical index: {time.process_time() - start:.1f} s")
    from mnemofs.index.words import (
        posting_build,  # loads numpy, which has to be told something first
    )

    start = time.process_time()
    posting_build.tend(index)
    print(f"postings: made in {time.process_time() - start:.1f} s")
    lexical_size = _size(index)
    print(f"index: {lexical_size / chunks:.0f} bytes a chunk by words")
    for kind, some in asked.items():
        print(f"lexical, {kind}: {timed(index, some, 'lexical')}")
    if options.words:
        return
    base = embedded([line() for _ in range(_BASE)], folder / f"base-{root.name.split('-')[0]}.npy")
    index.embedder = SentenceEncoder()
    start = time.process_time()
    give_vectors(index, base)
    print(f"vectors stored: {time.process_time() - start:.1f} s")
    if options.exact:
        ivf.EXACT_UP_TO = sys.maxsize
    start = time.process_time()
    ivf.tend(index)
    lists = index.query("select count(distinct list) from block")[0][0]
    print(f"inverted lists: {lists}; made in {time.process_time() - start:.1f} s")
    print(f"index: {_size(index) / chunks:.0f} bytes a chunk in all")
    rows = index.embedder.embed(questions)
    share, spent = recall(index, rows / (rows**2).sum(axis=1, keepdims=True) ** 0.5)
    print(f"vectors alone: recall@{_NEAREST} {share:.3f}, p95 {spent:.1f} ms")
    for kind, some in asked.items():
        print(f"hybrid, {kind}: {timed(index, some, 'hybrid')}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    wall, memory = cold(root, questions[0])
    print(f"cold hybrid search without a scan: {wall:.0f} ms wall, {memory} MiB")
    print(f"this process at its largest: {peak} MiB")


def _written(options: argparse.Namespace) -> tuple[Callable[[], str], dict[str, list[str]]]:
    """(what writes a line, questions by kind)."""
    dice, count = random.Random(20261130), options.queries
    if options.chinese:
        writer = Writer(dice, options.dictionary)
        other = Writer(random.Random(20261130), options.dictionary)  # the same words
        kinds = {
            "questions": other.question,
            "one character": other.character,
            "two characters": other.short,
            "mixed": other.mixed,
        }
        return writer.line, {kind: [ask() for _ in range(count)] for kind, ask in kinds.items()}
    texts, asked = sentences(options.locomo)
    random.Random(3).shuffle(asked)
    return partial(spliced, texts, dice), {"questions": asked[:count]}


def _size(index: Index) -> int:
    """Bytes of the sidecar, with everything in it that still stood in its log."""
    index.query("pragma wal_checkpoint(truncate)")
    return (Path(index.root) / ".mnemofs" / "index.db").stat().st_size


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--chinese", action="store_true")
    parser.add_argument("--dictionary", type=Path)
    parser.add_argument("--words", action="store_true")
    options = parser.parse_args()
    quiet_numpy()
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
        measure(options.folder, options)
        return
    with tempfile.TemporaryDirectory() as temporary:
        measure(Path(temporary), options)


if __name__ == "__main__":
    main()
