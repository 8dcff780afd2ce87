"""What the rules engine knows of a language: which sentences state something lasting.

A grammar is data: patterns that are matched at the start of a clause, after fillers are dropped.
One module for each language holds them (`rules_en`, `rules_de`, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mnemofs.llm.rules_attributes import is_value

Kind = Literal[
    "instruction", "correction", "decision", "todo", "event", "identity", "preference", "project",
    "reference", "fact",
]  # fmt: skip

# Said of one person, not of work: such statements belong into the profile.
PERSONAL: frozenset[Kind] = frozenset({"identity", "preference", "instruction"})


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One case-insensitive pattern from alternatives; never matches when there are none."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)", re.IGNORECASE)


@dataclass(frozen=True)
class Grammar:
    """The patterns of one language.

    `remember`: a request to keep something, group `what` is the thing (empty: the sentence beside
    it). `keep_out`: nothing of this message is to be kept. `filler`: dropped from the front.
    `lead`: skipped in front of a statement, but part of it ("after three years in Vienna").
    `clause`: where a sentence may be cut. `kinds`: tried in order at the start of each clause.
    `corrections`: searched in the whole sentence; group `old` names what no longer holds.
    `polite`: a request to remember in the form of a question. `first_person`: said of the speaker.
    `speaker`, `told` and `fleeting` read what no pattern foresaw: who speaks of themselves, how a
    set-up is described, and what makes either a matter of the moment.
    `subject`: group `subject` is what a statement is about.
    `attributes`: things that a person has one of, so that a new value replaces the old line; what
    is a value says `rules_attributes`.
    The vetoes are searched in the whole sentence: `question`, `hypothetical`, `one_off` and
    `reported` stop everything, `passing` (moods, faults, "today") stops what is not a task, an
    event, a decision or an explicit request.
    """

    language: str
    remember: re.Pattern[str]
    keep_out: re.Pattern[str]
    filler: re.Pattern[str]
    lead: re.Pattern[str]
    clause: re.Pattern[str]
    kinds: tuple[tuple[Kind, re.Pattern[str]], ...]
    corrections: re.Pattern[str]
    question: re.Pattern[str]
    hypothetical: re.Pattern[str]
    one_off: re.Pattern[str]
    reported: re.Pattern[str]
    passing: re.Pattern[str]
    polite: re.Pattern[str]
    first_person: re.Pattern[str]
    speaker: re.Pattern[str]
    told: re.Pattern[str]
    fleeting: re.Pattern[str]
    attributes: tuple[tuple[str, re.Pattern[str]], ...]
    subject: re.Pattern[str]

    def vetoed(self, sentence: str) -> bool:
        """Whether the sentence says something else than how things are."""
        return any(
            pattern.search(sentence)
            for pattern in (self.question, self.hypothetical, self.one_off, self.reported)
        )

    def classify(self, sentence: str) -> Kind | None:
        """The kind of statement that the sentence makes, None when it makes none."""
        passing = self.passing.search(sentence) is not None
        whole = self.unfilled(sentence)
        if not passing and self.corrections.search(whole):
            return "correction"
        clauses = [part for part in (whole, *self.clause.split(whole)) if part]
        clauses = [self._led(self.unfilled(part)) for part in clauses]
        for kind, pattern in self.kinds:
            if passing and kind not in ("todo", "event", "decision", "instruction"):
                continue
            if any(pattern.match(part) for part in clauses):
                return kind
        return None if passing else self._leaning(whole)

    def _leaning(self, text: str) -> Kind | None:
        """A plain statement of the speaker, or of how things are set up, that nothing speaks
        against; this reads what no pattern foresaw."""
        if not 8 <= len(text) <= 240 or self.fleeting.search(text):
            return None
        if self.speaker.search(text):
            return "identity" if self.first_person.search(text) else "project"
        return "project" if self.told.match(text) else None

    def unfilled(self, text: str) -> str:
        """The text without greetings, "by the way" and the like in front."""
        while (match := self.filler.match(text)) and match.end():
            text = text[match.end() :]
        return text.strip()

    def _led(self, text: str) -> str:
        match = self.lead.match(text)
        return text[match.end() :] if match else text

    def replaced(self, sentence: str) -> str:
        """The words that name what no longer holds, "" when the sentence names none."""
        for match in self.corrections.finditer(sentence):
            for name, value in match.groupdict().items():
                if name.startswith("old") and value:
                    return value.strip()
        return ""

    def attribute(self, sentence: str) -> str:
        """The name of the one-valued thing that the sentence gives a value, or ""."""
        for part in (sentence, *self.clause.split(sentence)):
            text = self.unfilled(part or "")
            for name, pattern in self.attributes:
                match = pattern.match(text)
                if match and is_value(name, match[0], text[match.end() :]):
                    return name
        return ""
