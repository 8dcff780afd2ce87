"""One night's dream over seven notes of 20 kB each, in CPU time.

    python benchmarks/dream.py [--rounds 7] [--kilobytes 20]

Twice: with an engine that answers at once what it was told (all that a dream costs besides its
model), and with the rules engine (everything). Each round dreams in a fresh workspace with an index
in place; the commit, diary, ledger and index update are in the figure. The first round loads
modules and is told apart. Beside it stands a fixed piece of Python, to tell a busy machine.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.llm.engine import Dream, DreamRequest
from mnemofs.llm.replies import Clean
from mnemofs.llm.rules import RulesEngine

NOW = datetime(2026, 5, 10, 3, tzinfo=UTC)
WHO = ("Bea", "Piet", "Jonas", "Ines", "Marta", "Tomas", "Lena", "Omar", "Yuki", "Carla")
DID = ("prefers", "moved", "decided to use", "met", "called about", "reviewed", "asked for")
WHAT = (
    *("the ferry timetable", "the staging database", "oolong tea", "the invoice run"),
    *("a rollback plan", "the release notes", "the VPN gateway", "Postgres for the shop"),
)
WHEN = ("in the morning", "after lunch", "on hermes", "before the review", "despite the delay")


class Scripted(RulesEngine):
    """Answers at once with the memory and two more lines."""

    def dream(self, request: DreamRequest) -> Clean[Dream]:
        """The whole new memory."""
        new = f"{request.memory.rstrip()}\n- Bea prefers oolong tea\n- The VPN breaks\n"
        return Clean(Dream(True, "two lines", new))


def note(day: int, size: int, chance: random.Random) -> str:
    """A note of about `size` characters: talks with bullets, some paragraphs."""
    parts = [f"# 2026-05-{day:02}\n\n- The VPN drops every evening around six\n"]
    parts.append(f"- Decision: the {chance.choice(WHO)} rule of day {day} holds\n")
    while sum(map(len, parts)) < size:
        parts.append(f"\n## {chance.randint(7, 19):02}:00 Talk with {chance.choice(WHO)}\n\n")
        for _ in range(chance.randint(3, 8)):
            said = f"{chance.choice(WHO)} {chance.choice(DID)} {chance.choice(WHAT)}"
            parts.append(f"- {said} {chance.choice(WHEN)}, item {chance.randint(1, 400)}\n")
        if chance.random() < 0.2:
            parts.append(f"\nThe day went to {chance.choice(WHAT)} and {chance.choice(WHAT)}.\n")
    return "".join(parts)[:size]


def night(engine: RulesEngine, size: int) -> float:
    """CPU milliseconds of one dream in a workspace of its own."""
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock(UTC, lambda: NOW)
        with Workspace.init(folder, agent="bench", timezone="UTC", clock=clock) as workspace:
            for day in range(4, 11):
                path = Path(folder) / "memory" / f"2026-05-{day:02}.md"
                path.parent.mkdir(exist_ok=True)
                path.write_text(note(day, size, chance))
            workspace.review()  # commits the notes as a person's
            workspace.search("tea", mode="lexical")
            started = time.process_time()
            report = workspace.dream(engine=engine)
            spent = time.process_time() - started
        assert report.status == "updated" and len(report.notes) == 7, report
    return 1000 * spent


def fixed() -> float:
    """CPU milliseconds of a fixed piece of Python."""
    started = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number * number % 7
    return 1000 * (time.process_time() - started)


def main() -> None:
    """Measure both engines, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kilobytes", type=int, default=20)
    options = parser.parse_args()
    os.environ["MNEMOFS_HOME"] = tempfile.mkdtemp()
    print(f"7 notes of {options.kilobytes} kB, CPU ms, median of {options.rounds} rounds")
    for name, engine in (("besides the model", Scripted()), ("rules engine, all", RulesEngine())):
        first = night(engine, 1000 * options.kilobytes)
        times = [night(engine, 1000 * options.kilobytes) for _ in range(options.rounds)]
        print(f"{name:<20} {statistics.median(times):7.0f}   (first, with loading: {first:.0f})")
    print(f"{'a million steps':<20} {statistics.median(fixed() for _ in range(5)):7.0f}")


if __name__ == "__main__":
    main()
