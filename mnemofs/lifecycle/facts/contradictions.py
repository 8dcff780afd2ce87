"""Contradictions: two facts of one store that cannot both be true. Pure over rows of facts.

Found with care rather than in number, since a person is asked about each: the same thing with two
values at one time, or one fact that denies the other. Values that differ only in spelling, or of
which one says more, facts under different limits ("until May", "in project X"), and things that
one can have many of are none.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from mnemofs.characters import CJK
from mnemofs.lifecycle.facts.projection import triple
from mnemofs.lifecycle.facts.said import ALWAYS, MANY, USER, kind_of
from mnemofs.lifecycle.facts.values import same_value

if TYPE_CHECKING:
    from mnemofs.lifecycle.facts.book import Row

_CJK: Final = re.compile(f"[{CJK}]")
# So many values for one thing are a list and no dispute.
_MOST_VALUES: Final = 6


class Where(NamedTuple):
    """Where one of the facts stands: `statement` in lines `line` to `last_line`; key: of a
    structured entry; file: its row in the table."""

    fact: str
    path: str
    line: int
    last_line: int
    statement: str
    key: str
    file: int


class Side(NamedTuple):
    """One of the two claims, by all facts that make it. text: the first of them as a line."""

    subject: str
    object: str
    text: str
    section: str
    places: tuple[Where, ...]

    @property
    def facts(self) -> tuple[str, ...]:
        """The ids of the facts."""
        return tuple(dict.fromkeys(one.fact for one in self.places))

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        first = self.places[0]
        return {
            "id": first.fact,
            "text": self.text,
            "object": self.object,
            "statement": first.statement,
            "path": first.path,
            "line": first.line,
            "places": [
                {"fact": one.fact, "path": one.path, "line": one.line} for one in self.places
            ],
        }


class Contradiction(NamedTuple):
    """a, b: in an order that does not change while both stand. kind: "value" (two values for one
    thing) or "denial" (one denies the other)."""

    id: str
    a: Side
    b: Side
    kind: Literal["value", "denial"]

    @property
    def description(self) -> str:
        """One line for a person."""
        return f"{self.a.text} / {self.b.text}"

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.id,
            "kind": self.kind,
            "description": self.description,
            "fact_a": self.a.as_dict(),
            "fact_b": self.b.as_dict(),
        }


def pair_id(one: str, other: str) -> str:
    """The id of a contradiction between two claims, whichever way round."""
    return hashlib.sha256("\0".join(sorted((one, other))).encode()).hexdigest()[:10]


def find(
    rows: Iterable[Row], *, judged: Mapping[str, bool] | None = None
) -> tuple[Contradiction, ...]:
    """The contradictions among some facts, by subject. judged: what a model said of pairs; those
    that it found compatible are left out."""
    by_slot: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        claims = by_slot.setdefault(row.slot, {})
        claims.setdefault(f"{row.slot}\0{row.value}\0{row.negative}\0{row.lim}", []).append(row)
    found: dict[str, Contradiction] = {}
    for slot, claims in by_slot.items():
        if not slot or len(claims) < 2:
            continue
        ones = {name: _first(some) for name, some in claims.items()}
        positive = {row.value for row in ones.values() if not row.negative}
        if len(positive) > _MOST_VALUES:
            continue
        for first, second in combinations(sorted(ones), 2):
            kind = conflict(ones[first], ones[second])
            name = pair_id(first, second)
            if kind is None or (judged or {}).get(name) is False:
                continue
            sides = _side(claims[first]), _side(claims[second])
            found[name] = Contradiction(name, *sides, kind)
    return tuple(sorted(found.values(), key=lambda one: (one.a.subject.casefold(), one.id)))


def conflict(one: Row, other: Row) -> Literal["value", "denial"] | None:
    """Whether two facts about the same thing exclude each other, and how."""
    if one.slot != other.slot or one.lim != other.lim:
        return None
    if one.negative != other.negative:
        return "denial" if one.value == other.value else None
    if one.negative or MANY in (one.single, other.single):
        return None
    kinds = {kind_of(row.object, row.value) for row in (one, other)}
    if {one.single, other.single} != {ALWAYS} and kinds != {"figure"}:
        return None
    if len(kinds) > 1 and not one.slot.startswith(f"{USER}|"):
        return None  # "the deadline is tight"
    if bool(_CJK.search(one.value)) != bool(_CJK.search(other.value)):
        return None  # it may be the same name in two scripts
    return None if same_value(one.value, other.value) else "value"


def _first(rows: list[Row]) -> Row:
    """The fact that speaks for a claim: the one that leaves least room for others."""
    return max(rows, key=lambda row: row.single)


def _side(rows: list[Row]) -> Side:
    first = _first(rows)
    ordered = sorted(rows, key=lambda row: (row is not first, row.path, row.line))
    return Side(
        first.subject,
        first.object,
        triple(first.subject, first.predicate, first.object, bool(first.negative)),
        first.section,
        tuple(
            Where(row.id, row.path, row.line, row.last_line, row.statement, row.key, row.file)
            for row in ordered
        ),
    )
