"""What is looked for when something is forgotten: statements, or one entry by its place. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from mnemofs.lifecycle.passages import Passage, passage_of_text
from mnemofs.lifecycle.statements import occurrences, tokens
from mnemofs.markdown.lines import decode


class Run(NamedTuple):
    """Words `first` to `last` (exclusive) of a passage. exact: they are a statement there."""

    first: int
    last: int
    exact: bool


class Matcher(Protocol):
    """What is looked for."""

    def runs(self, passage: Passage) -> Sequence[Run]:
        """The runs of the passage that fit."""


@dataclass(frozen=True)
class Sayings:
    """Looks for statements given as runs of words."""

    wanted: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Sayings:
        """texts: the statements as a person writes them; one of several paragraphs or items is
        looked for in each of its parts and as a whole."""
        found: dict[tuple[str, ...], None] = {}
        for text in texts:
            if some := _statement_tokens(text):
                found[some] = None
        return cls(tuple(found))

    def runs(self, passage: Passage) -> Sequence[Run]:
        """See `Matcher`."""
        return [
            Run(at, at + len(some), at in passage.starts and at + len(some) in passage.ends)
            for some in self.wanted
            for at in occurrences(passage.tokens, some)
        ]

    def may_stand_in(self, data: bytes) -> bool:
        """Whether any of them can be in a file at all: cheap, and never wrong when it says no."""
        folded: str | None = None
        for some in self.wanted:
            word = max((word for word in some if word.isalnum()), key=len, default="")
            if not word:
                return True
            if word.isascii() and data.isascii():
                if word.encode() in data.lower():
                    return True
                continue
            if folded is None:
                folded = key_text(data)
            if word in folded:
                return True
        return False


@dataclass(frozen=True)
class Entry:
    """Looks for one entry by its place: a line of it, or its key."""

    line: int = 0
    key: str = ""

    def runs(self, passage: Passage) -> Sequence[Run]:
        """See `Matcher`."""
        if passage.line <= self.line <= passage.last_line and passage.words:
            return [Run(0, len(passage.words), exact=True)]
        return []


@dataclass(frozen=True)
class EntryAndSayings:
    """One entry by its place, and what it says wherever else that stands."""

    path: str
    entry: Entry
    sayings: Sayings

    @property
    def wanted(self) -> tuple[tuple[str, ...], ...]:
        """The statements."""
        return self.sayings.wanted

    def runs(self, passage: Passage) -> Sequence[Run]:
        """See `Matcher`; the entry itself is found by `strip`, which knows the path."""
        return self.sayings.runs(passage)


def key_text(data: bytes) -> str:
    """The text of a file in the form that words are compared in. Raises UnreadableText."""
    return unicodedata.normalize(
        "NFKC", unicodedata.normalize("NFKC", decode(data).text).casefold()
    )


def _statement_tokens(text: str) -> tuple[str, ...]:
    passage = passage_of_text(text.strip())
    return passage.tokens or tokens(text)
