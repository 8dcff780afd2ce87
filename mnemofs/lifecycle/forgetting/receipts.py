"""Receipts: what a forget or a purge removed, by kind and place, and never the content (I7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mnemofs.lifecycle.forgetting.forgetting import Place
from mnemofs.lifecycle.labels import count

ReceiptStatus = Literal["deleted", "unchanged", "dry-run"]
_HOW = "`mnemofs forget --purge` (or `mnemofs purge`) erases it from history too"
_REMOTE = "remote {}: what was pushed there stays there (`mnemofs purge --push` replaces it)"
_NOUNS = {
    "bullet": "bullet",
    "pair": "key: value line",
    "paragraph": "paragraph",
    "sentence": "sentence",
    "structured entry": "structured entry",
    "memory": "keyed memory",
    "event": "ledger event",
    "code": "line of code",
    "html": "line of HTML",
    "table row": "table row",
    "quotation": "quotation",
    "comment": "comment",
    "heading": "heading",
    "front matter": "front matter line",
    "line": "line",
    "file name": "file",
    "proposal": "proposal",
    "state": "state file",
    "conversation": "conversation message",
    "file": "file",
    "commit": "commit",
    "repository": "repository",
}


@dataclass(frozen=True)
class Receipt:
    """What was forgotten.

    removed: how many of each kind. places: how many in each path. mentions: places that mention it
    inside something else and stay. tombstones: statements that are barred from coming back.
    history: whether older commits still hold it. remotes: copies elsewhere that may hold it.
    unreached: sentences about what could not be reached. found: of a dry run, the places with
    their text, for a person's eyes only.
    """

    status: ReceiptStatus
    commit: str | None = None
    removed: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    mentions: tuple[Place, ...] = ()
    tombstones: int = 0
    history: bool = False
    remotes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    owner: str = ""
    purged: Mapping[str, Any] | None = None
    found: tuple[Place, ...] = ()

    @property
    def total(self) -> int:
        """How many places it was removed from."""
        return sum(self.removed.values())

    @property
    def sentence(self) -> str:
        """The receipt for a person."""
        if self.owner and "repository" in self.removed:
            return self._of_person()
        parts = []
        if self.purged is not None and not self.places:
            parts.append(str(self.purged.get("sentence", "")))
        elif self.status == "unchanged":
            parts.append("nothing in the present memory says that")
        else:
            verb = "would forget" if self.status == "dry-run" else "forgot"
            kinds = ", ".join(count(n, _NOUNS.get(k, k)) for k, n in self.removed.items())
            where = ", ".join(
                path if number == 1 else f"{path} ({number})"
                for path, number in self.places.items()
            )
            parts.append(f"{verb} {kinds or 'nothing'}" + (f" in {where}" if where else ""))
        if self.commit:
            parts[0] += f"; commit {self.commit[:10]}"
        if self.mentions:
            stay = (
                "place mentions it and stays"
                if len(self.mentions) == 1
                else ("places mention it and stay")
            )
            parts.append(f"{len(self.mentions)} {stay}")
        if self.purged is None and self.status == "deleted":
            if self.history:
                parts.append(f"history still holds it: {_HOW}")
            if self.remotes:
                names = ", ".join(self.remotes)
                parts.append(f"so may every copy that was pulled or pushed ({names})")
        if self.purged is not None and self.places:
            parts.append(str(self.purged.get("sentence", "")))
        return ". ".join(part[:1].upper() + part[1:] for part in parts) + "."

    def _of_person(self) -> str:
        what = ", ".join(
            count(number, _NOUNS.get(kind, kind))
            for kind, number in self.removed.items()
            if kind != "repository"
        )
        verb = "would delete" if self.status == "dry-run" else "deleted"
        text = f"{verb} the private memory of {self.owner}: {what}, with all of its history"
        if self.remotes:
            text += f". Copies that were pushed are not reached: {', '.join(self.remotes)}"
        return text[:1].upper() + text[1:] + "."

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "path": next(iter(self.places), "") if len(self.places) == 1 else "",
            "commit": self.commit,
            "owner": self.owner,
            "removed": {"total": self.total, **dict(self.removed)},
            "places": dict(self.places),
            "mentions": [
                {"path": place.path, "line": place.line, "kind": place.kind}
                for place in self.mentions
            ],
            "tombstones": self.tombstones,
            "history": {
                "holds_it": self.history and self.purged is None,
                "how_to_erase": _HOW if self.history and self.purged is None else "",
            },
            "unreached": [*(_REMOTE.format(name) for name in self.remotes), *self.unreached],
            "purge": None if self.purged is None else dict(self.purged),
            "receipt": self.sentence,
            "warnings": list(self.warnings),
        }


def by_kind(places: Iterable[Place]) -> dict[str, int]:
    """How many places of each kind."""
    return dict(Counter(place.kind for place in places))


def by_path(places: Iterable[Place]) -> dict[str, int]:
    """How many places in each path."""
    return dict(Counter(place.path for place in places))
