"""What is tried when nothing matched: names written another way, words written nearly so."""

from __future__ import annotations

import pytest

from .conftest import Store, WordEmbedder, ask, found

NOTES = {
    "a.md": "- booked flight LH1372 to Lisbon\n- KST-2291 was closed\n- run pre-commit first\n",
    "b.md": "- bisect blames 9f3ce21ab for it\n- Grüße an Familie Öztürk\n- el último día\n",
    "c.md": "- Сервер перезагружается ночью\n- die Kündigung liegt bei\n- tok12 is a name\n",
}


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("LH 1372", "booked flight LH1372 to Lisbon"),
        ("lh-1372", "booked flight LH1372 to Lisbon"),
        ("kst2291", "KST-2291 was closed"),
        ("precommit", "run pre-commit first"),
        ("pre-comit", "run pre-commit first"),
        ("9f3ce21", "bisect blames 9f3ce21ab for it"),
        ("Oeztuerk", "Grüße an Familie Öztürk"),
        ("Özttürk", "Grüße an Familie Öztürk"),
        ("últmo", "el último día"),
        ("Kündigng", "die Kündigung liegt bei"),
        ("перезагружаеется", "Сервер перезагружается ночью"),
    ],
)
def test_SRC_what_is_written_another_way_is_found_and_said(
    store: Store, asked: str, text: str, mode: str
) -> None:
    index = store(NOTES, embedder=WordEmbedder())
    result = ask(index, asked, mode=mode)  # type: ignore[arg-type]
    assert [hit.text for hit in result.hits] == [f"- {text}"]
    assert "searched for" in result.warnings[0]


@pytest.mark.parametrize("asked", ["tok1", "tok13", "9f3ce22", "9f3ce2", "2292", "LH 1373", "kst"])
def test_a_name_is_never_taken_for_another(store: Store, asked: str) -> None:
    index = store(NOTES)
    assert all(asked in hit.text.lower() for hit in ask(index, asked).hits)


def test_what_stands_as_asked_is_not_looked_for_in_another_writing(store: Store) -> None:
    index = store({"a.md": "the notebook\n", "b.md": "a note, a book\n"})
    assert found(index, "note book") == ["a note, a book"]
    assert found(index, "notebook") == ["the notebook"]
