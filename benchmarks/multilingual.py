"""Questions asked in other words than the notes use, in several languages, through `search()`.

    python benchmarks/multilingual.py [--held | --guesthouse | --clinic | --household] [--apart]

Each set is of another domain and was written before it was ever scored. Each language's notes are a
store of their own; then all of them share one store, where most notes have rivals in four
languages, and some questions are asked in another language than the note's. A lane alone: `words`
is lexical mode, `vectors` ranks by cosine of the question's own vector, `asked` by that of the
vector that search compares.
The map of `mnemofs/index/meaning/questions.py` has learnt from these questions, too: `--apart`
learns it anew without the set that is asked (a minute) and is the figure to believe.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from multilingual_sets import SETS, Notes

from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index

# (language, a part of the text)
Answer = tuple[str, str]
# A question -> (language, text) of what is found, best first.
Ask = Callable[[str], list[tuple[str, str]]]


def build(
    folder: Path, notes: Notes, languages: Sequence[str], embedder: SentenceEncoder
) -> tuple[Index, dict[str, str]]:
    """An index of the notes in these languages, and the language of each path."""
    spoken = {}
    for path, text, language in notes.written(languages):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        spoken[path] = language
    index = Index(folder, embedder=embedder)
    index.refresh()
    index.embed_pending()
    return index, spoken


def lanes(index: Index, spoken: dict[str, str]) -> dict[str, Ask]:
    """Each way of asking."""
    import numpy as np

    from mnemofs.index.meaning.questions import statement

    place = [ScopedIndex(index)]

    def asked(question: str, *, lexical: bool) -> list[tuple[str, str]]:
        mode = "lexical" if lexical else "hybrid"
        hits = search(place, question, limit=10, mode=mode, fresh=False).hits  # type: ignore[arg-type]
        return [(spoken[hit.path], hit.text) for hit in hits]

    pieces: dict[int, tuple[str, str]] = {}
    for chunk, path, first, last in index.query(
        "select c.id, f.path, c.first, c.last from chunk c join file f on f.id = c.file"
    ):
        lines = (Path(index.root) / path).read_text(encoding="utf-8").split("\n")
        pieces[chunk] = (spoken[path], "\n".join(lines[first - 1 : last]))

    def nearest(question: str, *, moved: bool) -> list[tuple[str, str]]:
        assert index.embedder is not None
        vector = index.embedder.embed([question])[0]
        unit = (vector / np.linalg.norm(vector)).astype(np.float32)
        lane = index.vector_lane()
        if moved:
            unit = lane.distinctive(statement(index.embedder.id, unit))
        ids, cosines = lane.cosines(unit)
        return [pieces[chunk] for chunk in ids[np.argsort(-cosines)[:10]].tolist()]

    return {
        "words": lambda question: asked(question, lexical=True),
        "vectors": lambda question: nearest(question, moved=False),
        "asked": lambda question: nearest(question, moved=True),
        "hybrid": lambda question: asked(question, lexical=False),
    }


def score(ask: Ask, questions: Sequence[tuple[str, Answer]]) -> tuple[float, float, float, float]:
    """hit@1, hit@5, MRR and the mean length of the list."""
    ranks, length = [], 0
    for question, (language, answer) in questions:
        found = ask(question)
        length += len(found)
        right = [place for place, hit in enumerate(found, 1) if hit[0] == language]
        ranks.append(next((place for place in right if answer in found[place - 1][1]), 0))
    count = len(ranks)
    return (
        sum(rank == 1 for rank in ranks) / count,
        sum(0 < rank <= 5 for rank in ranks) / count,
        sum(1 / rank for rank in ranks if rank) / count,
        length / count,
    )


def short_words(index: Index, notes: Notes) -> tuple[float, int]:
    """Recall by exact substring of every one- and two-character Chinese and Japanese word."""
    right = total = 0
    texts = [answer for language in ("zh", "ja") for _question, answer in notes.questions(language)]
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
        hits = search([ScopedIndex(index)], piece, limit=400, mode="lexical", fresh=False).hits
        wanted = [text for text in texts if piece in text]
        right += sum(any(text in hit.text for hit in hits) for text in wanted)
        total += len(wanted)
    return right / total, total


def main() -> None:
    """Prints one table."""
    parser = argparse.ArgumentParser(description="retrieval in several languages")
    which = parser.add_mutually_exclusive_group()
    for name in SETS:
        which.add_argument(f"--{name}", dest="set", action="store_const", const=name)
    parser.add_argument("--apart", action="store_true", help="by a map that never saw this set")
    parser.set_defaults(set="first")
    options = parser.parse_args()
    embedder = SentenceEncoder()
    if options.apart:
        import question_map

        question_map.use(question_map.fit(question_map.groups(embedder, options.set)))
    notes = SETS[options.set]
    print("| store | questions | n | lane | hit@1 | hit@5 | MRR | hits |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        stores = [(one, (one,)) for one in notes.languages] + [("all", notes.languages)]
        for name, languages in stores:
            index, spoken = build(Path(temporary) / name, notes, languages, embedder)
            asked: dict[str, list[tuple[str, Answer]]] = {
                one: [(text, (one, answer)) for text, answer in notes.questions(one)]
                for one in languages
            }
            if name == "all" and notes.cross():
                asked["cross"] = [(text, (one, answer)) for text, one, answer in notes.cross()]
            for group, questions in asked.items():
                for lane, ask in lanes(index, spoken).items():
                    figures = " | ".join(f"{figure:.2f}" for figure in score(ask, questions))
                    print(f"| {name} | {group} | {len(questions)} | {lane} | {figures} |")
        recall, total = short_words(index, notes)
        print(f"\nCJK words of one and two characters: recall {recall:.3f} of {total}")


if __name__ == "__main__":
    main()
