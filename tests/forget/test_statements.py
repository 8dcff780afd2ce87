"""When two texts say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.lifecycle.forgetting.statements import tokens, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes tea", "ada LIKES tea."),
        ("Ada likes tea", "**Ada** _likes_ `tea`!"),
        ("Ada likes tea", "  Ada   likes\n tea "),
        ("Ada's blog", "[Ada\u2019s blog](https://example.org/a(b))"),
        ("Straße 7", "STRASSE 7"),
        ("café au lait", "cafe\u0301 au lait"),
        ("ｱﾀﾞは ＴＥＡ が好き", "アダは TEA が好き"),
        ("我喜欢喝茶", "我 喜欢 喝茶。"),
        ("彼は「茶」が好き", "彼は『茶』が好き！"),
        ("2020\u20132024", "2020-2024"),
        ("a \\*star\\*", "a *star*"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_dress_does_not_matter(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Writes C", "Writes C++"),
        ("Writes C", "Writes C#"),
        ("100 sure", "100% sure"),
        ("-5 degrees", "5 degrees"),
        ("it is 1.5", "it is 15"),
        ("don't", "dont"),
        ("answer_style", "answer style"),
        ("Ada likes tea", "Ada likes teas"),
        ("他喜欢茶", "她喜欢茶"),
        ("a/b", "ab"),
    ],
)
def test_what_carries_meaning_does(one: str, other: str) -> None:
    assert tokens(one) != tokens(other)


def test_sentences_end_at_full_stops_and_not_at_abbreviations() -> None:
    found = [
        w.token for w in words("Dr. Smith came, e.g. today. She (Ada) left! 他走了。好") if w.ends
    ]
    assert found == ["today", "left", "了"]


@given(st.text())
def test_words_lie_in_order_inside_the_text(text: str) -> None:
    at = 0
    for word in words(text):
        assert at <= word.start < word.end <= len(text)
        at = word.end


@given(st.text())
def test_tokens_are_a_fixed_point(text: str) -> None:
    some = tokens(text)
    assert bool(some) == bool(text.strip())
