"""What people decided about things that waited for them: events in the ledger.

An event names the item by its id, never its text. It travels with the memory, so that what was
decided on one machine is not asked on another; undoing the commit takes the decision back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal

from mnemofs.lifecycle.ledger import event, events, ledger_files

KIND: Final = "decision"

# accepted, rejected, edited: of a proposal. ours, theirs, both, edited: of a conflict. keep_a,
# keep_b, merge, ignored, edited: of a contradiction.
Verdict = Literal[
    "accepted",
    "rejected",
    "edited",
    "ours",
    "theirs",
    "both",
    "keep_a",
    "keep_b",
    "merge",
    "ignored",
]
# What a person does not want to be asked about again, whatever happens meanwhile.
_FOR_GOOD: Final = frozenset({"rejected", "ignored"})


@dataclass(frozen=True)
class Decision:
    """signature: of a rejected text, see `proposals.signature`; "" otherwise.

    commit, among: of a conflict, the merge it is from and how many that left.
    """

    item: str
    verdict: str
    time: datetime
    signature: str = ""
    commit: str = ""
    among: int = 0


@dataclass(frozen=True)
class Decisions:
    """The latest decision about each item."""

    by_item: Mapping[str, Decision] = field(default_factory=lambda: MappingProxyType({}))

    def settled(self, item: str, since: datetime) -> Decision | None:
        """The decision about an item that has waited since then; None when it still waits.

        What comes up again after it was decided waits again, unless it was rejected or ignored.
        """
        found = self.by_item.get(item)
        if found is None or (found.verdict not in _FOR_GOOD and found.time < since):
            return None
        return found

    def all_settled(self, commit: str) -> bool:
        """Whether everything that a merge left open was decided."""
        found = [one for one in self.by_item.values() if commit and one.commit == commit]
        return bool(found) and len(found) >= max(one.among for one in found)

    def rejected(self, signature: str) -> bool:
        """Whether a text of this signature was rejected."""
        return any(
            one.verdict == "rejected" and one.signature == signature
            for one in self.by_item.values()
        )


def read_decisions(ledgers: Iterable[bytes]) -> Decisions:
    """The decisions in some ledger files; events that make no sense are passed over."""
    found: dict[str, Decision] = {}
    for data in ledgers:
        if f'"{KIND}"'.encode() not in data:
            continue
        for happened in events(data, KIND):
            decision = _decision(happened)
            if decision is None:
                continue
            earlier = found.get(decision.item)
            if earlier is None or earlier.time <= decision.time:
                found[decision.item] = decision
    return Decisions(found)


def decisions_at(root: str) -> Decisions:
    """The decisions in the ledger of the store at `root`, as it is on disk."""
    return read_decisions(data for _, data in ledger_files(root))


def decision_event(
    decision: Decision, about: str, at: datetime, *, paths: Sequence[str]
) -> dict[str, Any]:
    """The event of a decision. about: the kind of the item."""
    details: dict[str, Any] = {
        "item": decision.item,
        "about": about,
        "verdict": decision.verdict,
        "paths": list(paths),
    }
    if decision.signature:
        details["signature"] = decision.signature
    if decision.commit:
        details |= {"commit": decision.commit, "among": decision.among}
    return event(KIND, at, details)


def _decision(happened: Mapping[str, Any]) -> Decision | None:
    try:
        time = datetime.fromisoformat(str(happened["time"]))
        item, verdict = str(happened["item"]), str(happened["verdict"])
        among = int(happened.get("among", 0))
    except (KeyError, TypeError, ValueError):
        return None
    if time.tzinfo is None:
        return None
    signature, commit = (str(happened.get(name, "")) for name in ("signature", "commit"))
    return Decision(item, verdict, time, signature, commit, among)
