"""Learns what a question's vector lacks to lie where its answers lie, for
`mnemofs/index/meaning/questions.py`.

    python benchmarks/question_map.py [--data locomo10.json] [--without SET]

A bilinear map in the manner of a two-tower model (softmax over the notes of one store, see `fit`)
from the statements and questions of `question_pairs.tsv` and of the multilingual sets, and of
LoCoMo when its file is given, cut to the few directions that carry it. Prints the module that holds
the constant. `--without` leaves out a set, so that it can be judged by a map that never saw it;
`benchmarks/multilingual.py --apart` does so for the set it asks.
"""

from __future__ import annotations

import argparse
import base64
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from multilingual_sets import SETS
from numpy.typing import NDArray

from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.rows.projection import embed_texts

Matrix = NDArray[np.float32]

PAIRS = Path(__file__).with_name("question_pairs.tsv")
# Directions kept; so few carry all of the gain, and 32 no more.
RANK = 16
# The softmax's temperature, the weight of the map's squared size, steps and length of one.
TEMPERATURE = 0.06
SIZE = 0.02
STEPS = 80
RATE = 2.0
MOMENTUM = 0.8
# A LoCoMo question counts so much: there are more of them than of all others, in one language.
LOCOMO = 0.1


class Group(NamedTuple):
    """One store: unit vectors of questions and notes, and what part each note is of each answer
    (rows sum to 1). weight: of each question."""

    questions: Matrix
    notes: Matrix
    answers: Matrix
    weight: float = 1.0


def fit(groups: Sequence[Group]) -> Matrix:
    """The map A (size, size) for which q (1 + A), made a unit, is nearest to the answers: least
    mean cross-entropy of the softmax over a store's notes, plus SIZE times its squared size."""
    size = groups[0].questions.shape[1]
    found = np.zeros((size, size), np.float32)
    step = np.zeros_like(found)
    total = sum(len(group.questions) * group.weight for group in groups)
    for _ in range(STEPS):
        slope = 2 * SIZE * found
        for questions, notes, answers, weight in groups:
            moved = questions + questions @ found
            length = np.linalg.norm(moved, axis=1, keepdims=True)
            moved /= length
            share = np.exp((moved @ notes.T - 1) / TEMPERATURE)
            share /= share.sum(axis=1, keepdims=True)
            pull = (share - answers) @ notes * (weight / TEMPERATURE / total)
            pull -= moved * (moved * pull).sum(axis=1, keepdims=True)
            slope += questions.T @ (pull / length)
        step = MOMENTUM * step - RATE * slope
        found += step
    return found


def cut(found: Matrix) -> tuple[NDArray[np.int8], NDArray[np.int8], float]:
    """F and T of `mnemofs.index.meaning.questions`, (RANK, size) each with 127 as the largest
    number, and the scale of their product."""
    left, strength, right = np.linalg.svd(found)
    root = np.sqrt(strength[:RANK])[:, None]
    parts = (root * left[:, :RANK].T, root * right[:RANK])
    largest = [float(np.abs(part).max()) / 127 for part in parts]
    first, second = (
        np.rint(part / size).astype(np.int8) for part, size in zip(parts, largest, strict=True)
    )
    return first, second, largest[0] * largest[1]


def groups(encoder: SentenceEncoder, without: str = "", data: str = "") -> list[Group]:
    """What there is to learn from, less one set."""
    found = [_group(encoder, *pairs) for pairs in _pairs()]
    for name, notes in SETS.items():
        if name != without:
            for language in notes.languages:
                texts = [
                    piece
                    for path, text in notes.files([language])
                    for piece in embed_texts(path, text.encode())
                ]
                asked = notes.questions(language)
                answers = [[texts.index(_of(answer, texts))] for _question, answer in asked]
                found.append(_group(encoder, [q for q, _answer in asked], texts, answers))
    return found + (_locomo(encoder, data) if data else [])


def _of(answer: str, texts: Sequence[str]) -> str:
    return next(text for text in texts if answer in text)


def _pairs() -> Iterator[tuple[list[str], list[str], list[list[int]]]]:
    by_language: dict[str, list[tuple[str, str]]] = {}
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        language, statement, question = line.split("\t")
        by_language.setdefault(language, []).append((question, statement))
    for pairs in by_language.values():
        asked, said = zip(*pairs, strict=True)
        yield list(asked), list(said), [[place] for place in range(len(pairs))]


def _locomo(encoder: SentenceEncoder, data: str) -> list[Group]:
    import locomo

    found = []
    for talk in locomo.load(data):
        days: dict[str, list[locomo.Turn]] = {}
        for turn in talk.turns:
            days.setdefault(turn.day, []).append(turn)
        turns: dict[str, int] = {}
        texts: list[str] = []
        for day, said in days.items():
            lines = [f"- {turn.speaker}: {' '.join(turn.text.split())}\n" for turn in said]
            texts += embed_texts(f"memory/{day}.md", f"# {day}\n\n{''.join(lines)}".encode())
            turns |= {turn.id: len(turns) + place for place, turn in enumerate(said)}
        if len(turns) != len(texts):
            continue  # a turn too long for one piece: what answers could not be told
        asked = [question for question in talk.questions if question.category != 5]
        answers = [[turns[turn] for turn in question.gold] for question in asked]
        group = _group(encoder, [question.text for question in asked], texts, answers)
        found.append(group._replace(weight=LOCOMO))
    return found


def _group(
    encoder: SentenceEncoder,
    questions: Sequence[str],
    notes: Sequence[str],
    answers: Sequence[Sequence[int]],
) -> Group:
    right = np.zeros((len(questions), len(notes)), np.float32)
    for row, places in zip(right, answers, strict=True):
        row[list(places)] = 1 / len(places)
    return Group(_units(encoder, questions), _units(encoder, notes), right)


def _units(encoder: SentenceEncoder, texts: Sequence[str]) -> Matrix:
    vectors = encoder.embed(texts)
    units: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def use(found: Matrix) -> None:
    """Makes `found` the map of this process in place of the one that is shipped."""
    from mnemofs.index.meaning import questions

    first, second, scale = cut(found)
    moved = first.T.astype(np.float32) * np.float32(scale), second.astype(np.float32)
    questions._map = lambda _embedder: moved  # type: ignore[assignment]


_MODULE = '''"""What `questions` knows of a model; by `benchmarks/question_map.py`."""

from __future__ import annotations

RANK = {rank}
# Embedder id -> F and T as int8, RANK rows each, and the scale of their product.
LEARNT = {{
    "{id}": (
{first}
{second}
        {scale:.6g},
    ),
}}
'''


def module_text(encoder_id: str, found: Matrix) -> str:
    """The module that holds the map."""
    first, second, scale = cut(found)
    rows = (_rows(first), _rows(second))
    return _MODULE.format(rank=RANK, id=encoder_id, first=rows[0], second=rows[1], scale=scale)


def _rows(part: NDArray[np.int8]) -> str:
    packed = base64.b64encode(part.tobytes()).decode()
    rows = "\n".join(f'            "{row}"' for row in textwrap.wrap(packed, 84))
    return f"        (\n{rows}\n        ),"


def main() -> None:
    """Prints the module."""
    parser = argparse.ArgumentParser(description="what a question lacks to lie near its answers")
    parser.add_argument("--data", default="", help="a LoCoMo JSON file to learn from, too")
    parser.add_argument("--without", default="", choices=("", *SETS), help="a set to leave out")
    options = parser.parse_args()
    encoder = SentenceEncoder()
    found = fit(groups(encoder, options.without, options.data))
    print(module_text(encoder.id, found), end="")


if __name__ == "__main__":
    main()
