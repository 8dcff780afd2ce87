"""A correction wins in every language, and takes nothing along that somebody else said."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from mnemofs.llm import rules_text
from mnemofs.llm.engine import Extraction, ExtractionRequest, Message
from mnemofs.llm.replies import Clean
from mnemofs.llm.rules import RulesEngine


def rows(others: bool) -> list[list[str]]:
    file = Path(__file__).with_name("corrections.tsv")
    lines = (line for line in file.read_text(encoding="utf-8").splitlines() if line[:1] != "#")
    read = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [row[1:] for row in read if (row[0] == "other") is others]


def extract(*said: str, standing: str = "") -> Extraction:
    messages = tuple(Message("user", text) for text in said)
    found = RulesEngine().extract(ExtractionRequest(messages, date(2026, 5, 1), standing, ""))
    assert isinstance(found, Clean)
    return found.value


def kept(found: Extraction) -> list[str]:
    keyed = [content for _, _, content in found.structured]
    return [*found.profile_entries, *found.memory_entries, *keyed]


def line_of(statement: str) -> str:
    texts = kept(extract(statement)) or [statement.rstrip(".。")]
    return f"2026-04-01 08:00 (c0): {texts[0]}"


@pytest.mark.parametrize(("statement", "correction", "old", "new"), rows(others=False))
def test_a_correction_replaces_what_it_denies(
    statement: str, correction: str, old: str, new: str
) -> None:
    line = line_of(statement)
    found = extract(correction, standing=f"- {line}\n")
    assert any(new in text for text in kept(found))
    assert found.superseded == (line,)
    within = kept(extract(statement, correction))
    assert any(new in text for text in within)
    assert not any(old in text and new not in text for text in within)


@pytest.mark.parametrize(("statement", "correction"), [row[:2] for row in rows(others=True)])
def test_a_correction_leaves_what_is_said_of_another_alone(statement: str, correction: str) -> None:
    assert extract(correction, standing=f"- {line_of(statement)}\n").superseded == ()
    alone = kept(extract(statement))
    assert set(alone) <= set(kept(extract(statement, correction)))


def test_a_foreign_word_between_characters_is_a_word_of_its_own() -> None:
    assert rules_text.words("用Jenkins做") == ("用", "jenkins", "做")
    assert rules_text.words("版本3.2用v2") == ("版", "本", "3.2", "用", "v2")
