"""LoCoMo turn retrieval through the shipped `search()`: no language model, no network.

    python benchmarks/locomo.py --data locomo10.json [--mode hybrid] [--split 3]

Each conversation becomes a workspace of daily notes, one bullet a turn; a hit counts for the turn
whose line it covers. The data is not part of this repository: `data/locomo10.json` of
snap-research/LoCoMo. With `--eval-script` the published script's own scoring is used instead of
the one below; both give the same figures.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from mnemofs.index.meaning.embedders import Embedder
from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.search import Mode, ScopedIndex, search
from mnemofs.index.sidecar import Index

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
COLUMNS = ("recall@5", "recall@10", "recall@20", "any@10", "all@10", "mrr", "ndcg@10", "words@1000")
DEPTH = 50
Searcher = Callable[[str, int], list[str]]


@dataclass(frozen=True)
class Turn:
    """One thing said. id: as in the data ("D3:11"); day: ISO."""

    id: str
    session: int
    day: str
    speaker: str
    text: str


@dataclass(frozen=True)
class Question:
    """gold: ids of the turns that answer it."""

    text: str
    category: int
    gold: frozenset[str]


@dataclass(frozen=True)
class Conversation:
    """Turns in order, and what is asked about them."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def load(path: str) -> list[Conversation]:
    """The conversations of a LoCoMo file; questions without evidence are left out."""
    return [_conversation(item) for item in json.loads(Path(path).read_text(encoding="utf-8"))]


def _conversation(item: dict[str, Any]) -> Conversation:
    talk = item["conversation"]
    turns = []
    for number in sorted(int(m[1]) for key in talk if (m := re.fullmatch(r"session_(\d+)", key))):
        when = talk[f"session_{number}_date_time"].split(" on ")[1].strip()
        day = datetime.strptime(when, "%d %B, %Y").date().isoformat()  # noqa: DTZ007
        for turn in talk[f"session_{number}"]:
            text = turn["text"]
            if turn.get("blip_caption"):
                text += f" [image: {turn['blip_caption']}]"
            turns.append(Turn(turn["dia_id"], number, day, turn["speaker"], text))
    known = {turn.id for turn in turns}
    questions = []
    for asked in item["qa"]:
        # The data has joined and misspelt ids: "D8:6; D9:17", "D:11:26", "D30:05".
        pairs = re.findall(r"D:?(\d+):(\d+)", " ".join(asked.get("evidence", [])))
        gold = frozenset(f"D{int(a)}:{int(b)}" for a, b in pairs) & known
        if gold:
            questions.append(Question(asked["question"], asked["category"], gold))
    return Conversation(item.get("sample_id", "?"), tuple(turns), tuple(questions))


def build(
    turns: Sequence[Turn], folder: Path, *, embedder: Embedder | None, split: int, mode: Mode
) -> Searcher:
    """Writes the turns as daily notes (of `split` stores, day by day) and returns their search."""
    notes: dict[str, list[Turn]] = {}
    for turn in turns:
        notes.setdefault(turn.day, []).append(turn)
    lines: dict[tuple[str, str], list[str]] = {}
    places = [
        ScopedIndex(Index(folder / f"store{n}", embedder=embedder), f"STORE{n}")
        for n in range(split)
    ]
    for number, (day, said) in enumerate(sorted(notes.items())):
        place = places[number % split]
        text = f"# {day}\n\n"
        lines[place.scope, f"memory/{day}.md"] = ["", ""]
        for turn in said:
            text += f"- {turn.speaker}: {' '.join(turn.text.split())}\n"
            lines[place.scope, f"memory/{day}.md"].append(turn.id)
        file = Path(place.index.root) / "memory" / f"{day}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for place in places:
        place.index.refresh()
        place.index.embed_pending()

    def run(question: str, k: int) -> list[str]:
        result = search(places, question, limit=k, mode=mode, fresh=False)
        found: dict[str, None] = {}
        for hit in result.hits:
            for line in range(hit.line_start, hit.line_end + 1):
                turn = lines[hit.scope, hit.path][line - 1]
                if turn:
                    found[turn] = None
        return list(found)

    return run


def score(ranked: Sequence[str], gold: frozenset[str], words: dict[str, int]) -> dict[str, float]:
    """The metrics of one question; `words` counts a turn's words as an agent would pay them."""
    covered = [len(gold & set(ranked[:k])) / len(gold) for k in range(len(ranked) + 1)]
    row = {f"recall@{k}": covered[min(k, len(ranked))] for k in (5, 10, 20)}
    row |= {"any@10": float(row["recall@10"] > 0), "all@10": float(row["recall@10"] == 1)}
    ranks = [rank for rank, turn in enumerate(ranked, 1) if turn in gold]
    row["mrr"] = 1 / ranks[0] if ranks else 0.0
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), 10) + 1))
    row["ndcg@10"] = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 10) / ideal
    spent, fits = 0, 0
    for turn in ranked:
        spent += words[turn]
        if spent > 1000:
            break
        fits += 1
    row["words@1000"] = covered[fits]
    return row


def evaluate(
    conversations: Sequence[Conversation], build_one: Callable[[Conversation], Searcher]
) -> tuple[dict[str, dict[str, float]], list[float]]:
    """Macro means by category and over all but the adversarial one; CPU milliseconds a query."""
    rows: dict[int, list[dict[str, float]]] = {}
    spent = []
    for conversation in conversations:
        run = build_one(conversation)
        # A turn is paid with its date and speaker, as the published script does.
        words = {t.id: len(f"{t.day} | {t.speaker}: {t.text}".split()) for t in conversation.turns}
        for question in conversation.questions:
            start = time.process_time()
            ranked = run(question.text, DEPTH)
            spent.append(1e3 * (time.process_time() - start))
            rows.setdefault(question.category, []).append(score(ranked, question.gold, words))
    table = {CATEGORIES[category]: _mean(rows[category]) for category in sorted(rows)}
    table["all"] = _mean([row for category in rows if category != 5 for row in rows[category]])
    return table, sorted(spent)


def _mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    means = {key: sum(row[key] for row in rows) / len(rows) for key in rows[0]}
    return {"n": float(len(rows)), **means}


def _published(script: str, data: str, options: argparse.Namespace, folder: Path) -> None:
    spec = importlib.util.spec_from_file_location("locomo_eval", script)
    assert spec is not None and spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules["locomo_eval"] = module
    spec.loader.exec_module(module)
    built = 0

    def factory(chunks: Sequence[Any]) -> Searcher:
        nonlocal built
        built += 1
        turns = [Turn(c.id, c.session, c.date, c.speaker, _said(c)) for c in chunks]
        return build(
            turns,
            folder / str(built),
            embedder=_embedder(options.mode),
            split=options.split,
            mode=options.mode,
        )

    print(module.table(module.evaluate(module.load(data), factory)))


def _said(chunk: Any) -> str:
    text: str = chunk.text.removeprefix(f"{chunk.date} | {chunk.speaker}: ")
    return text


def _embedder(mode: Mode) -> Embedder | None:
    return SentenceEncoder() if mode == "hybrid" else None


def main() -> None:
    """Prints one table."""
    parser = argparse.ArgumentParser(description="LoCoMo turn retrieval through mnemofs")
    parser.add_argument("--data", required=True, help="a LoCoMo JSON file")
    parser.add_argument("--eval-script", help="score with the published script instead")
    parser.add_argument("--mode", choices=("hybrid", "lexical"), default="hybrid")
    parser.add_argument("--split", type=int, default=1, help="spread the notes over stores")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if options.eval_script:
            _published(options.eval_script, options.data, options, folder)
            return
        table, spent = evaluate(
            load(options.data),
            lambda conversation: build(
                conversation.turns,
                folder / conversation.id,
                embedder=_embedder(options.mode),
                split=options.split,
                mode=options.mode,
            ),
        )
    print(f"{options.mode}, {options.split} store(s), {options.data}\n")
    print(f"| category | n | {' | '.join(COLUMNS)} |\n{'|---' * (len(COLUMNS) + 2)}|")
    for name, row in table.items():
        print(f"| {name} | {row['n']:.0f} | " + " | ".join(f"{row[c]:.3f}" for c in COLUMNS) + " |")
    p50, p95 = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
    print(f"\nCPU a query: p50 {p50:.1f} ms, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
