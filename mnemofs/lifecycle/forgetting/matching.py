"""What is looked for when something is forgotten: statements, or one entry by its place. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from mnemofs.lifecycle.forgetting.passages import Passage, passage_of_text
from mnemofs.lifecycle.forgetting.statements import is_cjk, occurrences, telling, tokens

_RUN: Final = re.compile(r"[^\W_]+")
_BROKEN: Final = re.compile(
    r"[^\W_](?:[*`\\~]+|__)[^\W_]|[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f]"
)
_CJK: Final = r"[\u3005-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
_BORDER: Final = re.compile(f"(?={_CJK})|(?<={_CJK})")


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
            Run(at, at + len(some), _begins(passage, at, some) and at + len(some) in passage.ends)
            for some in self.wanted
            for at in occurrences(passage.tokens, some)
        ]

    def may_say(self, text: str) -> bool:
        """Whether a text can say any of it at all: cheap, and never wrong when it says no."""
        if _BROKEN.search(text):
            return True  # a word may be decorated in its middle
        plain = folded(text)
        present: set[str] | None = None
        for some in self.wanted:
            asked = [part for word in some for part in _RUN.findall(word)]
            if not all(part in plain for part in asked):
                continue
            if present is None:
                present = set(_RUN.findall(plain))
            if all(part in present or is_cjk(part[0]) for part in asked):
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


def _begins(passage: Passage, at: int, statement: Sequence[str]) -> bool:
    return at in passage.starts or (at in passage.labels and telling(statement))


def folded(text: str) -> str:
    """A text in the form that words are compared in."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold()
    return _BORDER.sub(" ", unicodedata.normalize("NFKC", text))


def _statement_tokens(text: str) -> tuple[str, ...]:
    passage = passage_of_text(text.strip())
    return passage.tokens or tokens(text)
