"""What tables do for ASCII is what the patterns do."""

from __future__ import annotations

import re
from string import printable

from hypothesis import given
from hypothesis import strategies as st

from mnemofs.index.terms import text

_ASCII = st.text(st.sampled_from(printable + "\0\x1c\x1f\x7f"), max_size=40)
_LIKELY = st.lists(
    st.sampled_from(["v1.2", "1,000", "C++", "a_b", "__x__", "x", "3.", ".5", " ", "\t", "-", "#a"])
).map("".join)


@given(_ASCII | _LIKELY)
def test_words_and_letters_are_those_of_the_patterns(raw: str) -> None:
    folded = text.fold(raw)
    assert text.words(folded) == re.findall(r"[^\W_]+", folded)
    assert text.letters(folded) == re.findall(r"[^\W\d_]+", folded)
    assert text.has_digit(folded) == (re.search("[0-9]", folded) is not None)


@given(_ASCII | _LIKELY)
def test_symbols_are_those_of_the_patterns(raw: str) -> None:
    folded = text.fold(raw)
    assert text._runs(folded) == text._run(folded).findall(folded)
    plain = text._SYMBOL.search(folded) or text._DOTTED.search(folded)
    assert text._has_symbol(folded) == (plain is not None)
    # The same words among letters that no table knows.
    assert text.symbol_tokens(folded) == text.symbol_tokens(f"{folded} é")
