"""Questions asked in other words than the notes use, in several languages, through `search()`.

    python benchmarks/multilingual.py [--held | --guesthouse]

`--held` asks the set of `multilingual_held`, which was not looked at while the ranking was tuned;
`--guesthouse` a third one, of another domain.
Each language's facts become daily notes of five bullets in a store of their own; then all of them
share one store, where every fact has rivals in four languages, and the questions of `CROSS` are
asked in another language than the fact's. A lane alone: `words` is lexical mode, `vectors` ranks by
cosine only.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

import multilingual_data
import multilingual_guesthouse
import multilingual_held

from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sentence_encoder import SentenceEncoder
from mnemofs.index.sidecar import Index

PER_NOTE = 5
FACTS = multilingual_data.FACTS
Fact = tuple[str, int]
Ask = Callable[[str], list[Fact]]


def build(
    folder: Path, languages: Sequence[str], embedder: SentenceEncoder
) -> tuple[Index, dict[tuple[str, int], Fact]]:
    """An index of these languages' facts, and which fact stands at which (path, line)."""
    where: dict[tuple[str, int], Fact] = {}
    day = date(2026, 1, 1)
    for language in languages:
        order = list(range(len(FACTS[language])))
        random.Random(1).shuffle(order)
        for start in range(0, len(order), PER_NOTE):
            path = f"memory/{day.isoformat()}.md"
            lines = [f"# {day.isoformat()}", ""]
            for number in order[start : start + PER_NOTE]:
                lines.append(f"- {FACTS[language][number][0]}")
                where[path, len(lines)] = (language, number)
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text("\n".join(lines) + "\n", encoding="utf-8")
            day += timedelta(days=1)
    index = Index(folder, embedder=embedder)
    index.refresh()
    index.embed_pending()
    return index, where


def lanes(index: Index, where: dict[tuple[str, int], Fact]) -> dict[str, Ask]:
    """Each way of asking: question -> facts, best first."""
    place = [ScopedIndex(index)]

    def asked(question: str, *, lexical: bool) -> list[Fact]:
        mode = "lexical" if lexical else "hybrid"
        hits = search(place, question, limit=10, mode=mode, fresh=False).hits  # type: ignore[arg-type]
        return [where[hit.path, hit.line_start] for hit in hits]

    def nearest(question: str) -> list[Fact]:
        import numpy as np

        assert index.embedder is not None
        vector = index.embedder.embed([question])[0]
        ids, cosines = index.vector_lane().cosines(vector / np.linalg.norm(vector))
        rows = index.query("select c.id, f.path, c.first from chunk c join file f on f.id = c.file")
        facts = {row[0]: where[row[1], row[2]] for row in rows}
        return [facts[chunk] for chunk in ids[np.argsort(-cosines)[:10]].tolist()]

    return {
        "words": lambda question: asked(question, lexical=True),
        "vectors": nearest,
        "hybrid": lambda question: asked(question, lexical=False),
    }


def score(ask: Ask, questions: Sequence[tuple[str, Fact]]) -> tuple[float, float, float, float]:
    """hit@1, hit@5, MRR and the mean length of the list."""
    ranks, length = [], 0
    for question, fact in questions:
        facts = ask(question)
        length += len(facts)
        ranks.append(facts.index(fact) + 1 if fact in facts else 0)
    count = len(ranks)
    return (
        sum(rank == 1 for rank in ranks) / count,
        sum(0 < rank <= 5 for rank in ranks) / count,
        sum(1 / rank for rank in ranks if rank) / count,
        length / count,
    )


def short_words(index: Index) -> tuple[float, int]:
    """Recall by exact substring of every one- and two-character Chinese and Japanese word."""
    right = total = 0
    texts = [fact for language in ("zh", "ja") for fact, _question in FACTS[language]]
    letters = [
        [char if char.isalpha() and ord(char) > 0x2E80 else " " for char in t] for t in texts
    ]
    pieces = {
        "".join(chars[at : at + size])
        for chars in letters
        for size in (1, 2)
        for at in range(len(chars) - size + 1)
    }
    for piece in sorted(piece for piece in pieces if " " not in piece):
        wanted = sum(piece in text for text in texts)
        hits = search([ScopedIndex(index)], piece, limit=400, mode="lexical", fresh=False).hits
        right += sum(piece in hit.text for hit in hits)
        total += wanted
    return right / total, total


def main() -> None:
    """Prints one table."""
    global FACTS
    parser = argparse.ArgumentParser(description="retrieval in several languages")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--held", action="store_true", help="the set kept aside")
    which.add_argument("--guesthouse", action="store_true", help="the third set")
    options = parser.parse_args()
    data = (
        multilingual_held
        if options.held
        else multilingual_guesthouse
        if options.guesthouse
        else multilingual_data
    )
    FACTS = data.FACTS
    embedder = SentenceEncoder()
    print("| store | questions | n | lane | hit@1 | hit@5 | MRR | hits |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        stores = [(language, [language]) for language in FACTS] + [("all", list(FACTS))]
        for name, languages in stores:
            index, where = build(Path(temporary) / name, languages, embedder)
            asked = {
                language: [
                    (question, (language, number))
                    for number, (_fact, question) in enumerate(FACTS[language])
                ]
                for language in languages
            }
            if name == "all":
                asked["cross"] = [(text, (language, n)) for _from, text, language, n in data.CROSS]
            for group, questions in asked.items():
                for lane, ask in lanes(index, where).items():
                    figures = " | ".join(f"{figure:.2f}" for figure in score(ask, questions))
                    print(f"| {name} | {group} | {len(questions)} | {lane} | {figures} |")
        recall, total = short_words(index)
        print(f"\nCJK words of one and two characters: recall {recall:.3f} of {total}")


if __name__ == "__main__":
    main()
