"""The multilingual sets in one shape: the notes of some languages, and what is asked about them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from types import ModuleType

import multilingual_clinic
import multilingual_data
import multilingual_guesthouse
import multilingual_held
import multilingual_household

PER_NOTE = 5


class Notes:
    """One set. A question is (text, a part of the piece of text that answers it)."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._flat = hasattr(module, "FACTS")
        self.languages: tuple[str, ...] = tuple(module.FACTS if self._flat else module.NOTES)

    def files(self, languages: Sequence[str]) -> list[tuple[str, str]]:
        """(path, text) of each note of these languages, for one store."""
        return [(path, text) for path, text, _language in self.written(languages)]

    def written(self, languages: Sequence[str]) -> list[tuple[str, str, str]]:
        """(path, text, language) of each note; flat facts are daily notes of five bullets."""
        return self._daily(languages) if self._flat else self._named(languages)

    def questions(self, language: str) -> list[tuple[str, str]]:
        """What is asked in `language` about notes in it."""
        if self._flat:
            return [(question, fact) for fact, question in self._module.FACTS[language]]
        asked: list[tuple[str, str]] = self._module.QUESTIONS[language]
        return asked

    def cross(self) -> list[tuple[str, str, str]]:
        """(question, language of its answer, answer) asked in another language than the note."""
        if not self._flat:
            return []
        return [
            (question, language, self._module.FACTS[language][number][0])
            for _asked_in, question, language, number in self._module.CROSS
        ]

    def _daily(self, languages: Sequence[str]) -> list[tuple[str, str, str]]:
        notes = []
        day = date(2026, 1, 1)
        for language in languages:
            facts = [fact for fact, _question in self._module.FACTS[language]]
            random.Random(1).shuffle(facts)
            for start in range(0, len(facts), PER_NOTE):
                bullets = "".join(f"- {fact}\n" for fact in facts[start : start + PER_NOTE])
                notes.append((f"memory/{day.isoformat()}.md", f"# {day}\n\n{bullets}", language))
                day += timedelta(days=1)
        return notes

    def _named(self, languages: Sequence[str]) -> list[tuple[str, str, str]]:
        """Under their own names; those of a second language would be the same files."""
        notes = []
        for number, language in enumerate(languages):
            for path, text in self._module.NOTES[language]:
                if number and path.startswith("memory/"):
                    day = date.fromisoformat(path[7:17]) + timedelta(days=number)
                    path = f"memory/{day}.md"
                elif number:
                    path = f"{path.removesuffix('.md')}-{language}.md"
                notes.append((path, text, language))
        return notes


SETS = {
    "first": Notes(multilingual_data),
    "held": Notes(multilingual_held),
    "guesthouse": Notes(multilingual_guesthouse),
    "clinic": Notes(multilingual_clinic),
    "household": Notes(multilingual_household),
}
