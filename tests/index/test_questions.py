"""What a question is compared with: its vector brought to where answers lie."""

from __future__ import annotations

import numpy as np
import pytest

from mnemofs.index.meaning import questions
from mnemofs.index.meaning.question_map import LEARNT, RANK
from mnemofs.index.meaning.questions import statement
from mnemofs.index.meaning.sentence_encoder import SentenceEncoder

# (question, its answer, what looks more like it): each in a language of its own.
ASKED = [
    ("How much rent do I owe?", "The flat costs 900 a month.", "How do I pay my bills?"),
    ("Wann ist mein Urlaub?", "Im Juli zwei Wochen auf Rügen.", "Wann ist mein Termin?"),
    ("¿Cuándo es mi boda?", "Se casa el 3 de mayo en Cádiz.", "¿Cuándo es mi examen?"),
    ("我的医生是谁?", "每月去孙大夫那里复诊。", "我的老师是谁?"),
    ("歯医者はいつですか?", "木曜の午後に奥歯を治す。", "美容院はいつですか?"),
]


def _units(texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
    vectors = SentenceEncoder().embed(texts)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize(("question", "answer", "alike"), ASKED)
def test_a_question_comes_nearer_to_its_answer_than_to_the_next_question(
    question: str, answer: str, alike: str
) -> None:
    asked, said, other = _units([question, answer, alike])
    moved = statement(SentenceEncoder.id, asked)
    assert np.linalg.norm(moved) == pytest.approx(1, abs=1e-5)
    before = float(asked @ said - asked @ other)
    assert float(moved @ said - moved @ other) > before


def test_the_vector_of_a_model_without_a_map_is_left_alone() -> None:
    unit = np.eye(1, 8, dtype=np.float32)[0]
    assert statement("unknown/1", unit) is unit


def test_a_question_of_which_nothing_is_left_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = np.eye(1, 8, dtype=np.float32)[0]
    away = (unit[:, None], -unit[None, :])
    monkeypatch.setattr(questions, "_map", lambda _embedder: away)
    assert statement("any/1", unit) is unit


def test_the_map_is_as_wide_as_its_model() -> None:
    for embedder, (_read, _written, scale) in LEARNT.items():
        assert embedder == SentenceEncoder.id
        assert scale > 0
        found = questions._map(embedder)
        assert found is not None
        assert found[0].shape == (SentenceEncoder.dims, RANK)
        assert found[1].shape == (RANK, SentenceEncoder.dims)
