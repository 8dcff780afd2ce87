"""Why something was in a prompt: what was given, for which question, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from datetime import datetime

    from mnemofs.lifecycle.recalls.book import Injected, Prompt

# How far back a text is looked for.
_LOOKED_AT = 500


@dataclass(frozen=True)
class GivenEntry:
    """An entry that a prompt held. why: "always-on", "structured", "search" or "read".

    line: where it stands now; text "": it has been changed or removed since.
    """

    scope: str
    path: str
    line: int
    heading: str
    text: str
    why: str
    score: float
    parts: str

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form; parts as numbers by name."""
        words = self.parts.split()
        parts = {name: float(value) for name, value in zip(words[::2], words[1::2], strict=False)}
        return {**self.__dict__, "parts": parts}


@dataclass(frozen=True)
class GivenPrompt:
    """One prompt. query: "" when there was none, or when only its hash may be kept."""

    id: str
    at: datetime
    query: str
    query_hash: str
    entries: tuple[GivenEntry, ...]
    omitted: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.id,
            "time": self.at.isoformat(timespec="seconds"),
            "query": self.query,
            "query_hash": self.query_hash,
            "entries": [entry.as_dict() for entry in self.entries],
            "omitted": list(self.omitted),
        }


class Recalling(ViewBase):
    """Look at what prompts were made of."""

    def why_in_context(self, text: str = "", *, limit: int = 1) -> tuple[GivenPrompt, ...]:
        """The latest prompts of this reader, newest first, and what each was given.

        text: only prompts that held, or left out, an entry that contains it; then only these
        entries are named. A person's prompts are seen by that person only.
        """
        wanted = " ".join(text.casefold().split())
        found = []
        for prompt in self._prompts(_LOOKED_AT if wanted else limit):
            if wanted:
                prompt = _only(prompt, wanted)
                if not (prompt.entries or prompt.omitted):
                    continue
            found.append(prompt)
            if len(found) == limit:
                break
        return tuple(found)

    def _prompts(self, limit: int) -> Sequence[GivenPrompt]:
        from mnemofs.lifecycle.recalls.book import RecallBook

        by_id: dict[str, list[tuple[str, Prompt]]] = {}
        for index, scope in enumerate(self._scopes):
            book = RecallBook(scope.root, owner=scope.owner, keep_days=self.config.recall.keep_days)
            some = (
                book.prompts(limit, self.owner)
                if index == 0
                else book.prompts(limit, ids=list(by_id))
                if by_id
                else ()
            )
            for prompt in some:
                by_id.setdefault(prompt.id, []).append((scope.name, prompt))
        return [self._joined(parts) for parts in by_id.values()]

    def _joined(self, parts: Sequence[tuple[str, Prompt]]) -> GivenPrompt:
        first = parts[0][1]
        entries = [
            _entry(scope, one) for scope, prompt in reversed(parts) for one in prompt.entries
        ]
        return GivenPrompt(
            first.id,
            self.clock.local(first.at),
            first.query,
            first.query_hash,
            tuple(entries),
            tuple(text for _, prompt in parts for text in prompt.omitted),
        )


def _entry(scope: str, one: Injected) -> GivenEntry:
    return GivenEntry(
        scope, one.path, one.line, one.heading, one.text, one.why, one.score, one.parts
    )


def _only(prompt: GivenPrompt, wanted: str) -> GivenPrompt:
    def says(text: str) -> bool:
        return wanted in " ".join(text.casefold().split())

    return GivenPrompt(
        prompt.id,
        prompt.at,
        prompt.query,
        prompt.query_hash,
        tuple(one for one in prompt.entries if says(f"{one.heading} {one.text} {one.path}")),
        tuple(text for text in prompt.omitted if says(text)),
    )
