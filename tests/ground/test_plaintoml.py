"""The quick reader of settings says what tomllib says, or nothing."""

from __future__ import annotations

import os
import tomllib

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs import config, plaintoml

PIECES = st.sampled_from(
    (
        *("[agent]", "[a.b]", "[[x]]", "name", "=", " = ", '"text"', '"a \\" b"', "'lit'", "# n"),
        *("1", "01", "0", "-1", "+1", "1_000", "1.5", "true", "False", "\n", "\t", " ", "\r\n"),
        *("[1, 2]", "{a=1}", '"""', "a.b", '"k"', "2026-05-01", "\u2028", "\x7f", "\x00", "é", "]"),
    )
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_read_quickly_is_what_tomllib_reads(text: str) -> None:
    quick = plaintoml.parse(text)
    if quick is not None:
        assert quick == tomllib.loads(text)


@given(st.text(max_size=40))
def test_values_of_any_text_agree(text: str) -> None:
    written = f'[agent]\nname = "{text}"\n'
    quick = plaintoml.parse(written)
    if quick is not None:
        assert quick == tomllib.loads(written)


def test_what_init_writes_is_read_quickly() -> None:
    text = config.settings_text("ada", "Europe/Berlin", owner="user:七")
    assert plaintoml.parse(text) == tomllib.loads(text)
    assert plaintoml.parse("[search]\nlimit = 7 # seven\n") is None


@pytest.mark.parametrize("shared", ["", "/data/of mine", " "])
def test_the_home_of_memories_is_where_platformdirs_puts_it(
    monkeypatch: pytest.MonkeyPatch, shared: str
) -> None:
    monkeypatch.delenv("MNEMOFS_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", shared)
    assert os.path.normpath(config.home()) == platformdirs.user_data_dir("mnemofs", appauthor=False)
