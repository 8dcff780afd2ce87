"""Facts: reading a memory for the first time, following an edit, and answering a question.

    python benchmarks/facts.py [--entries 400]

Half of the entries stand in MEMORY.md (a few hundred are what its budget holds), the others in the
four structured files. CPU time of one process, best of five where it can be repeated. The ratio is
what following one new line costs of reading everything anew.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from mnemofs import Workspace
from mnemofs.lifecycle.facts.recalled import recall_lines

LINES: tuple[Callable[[int], str], ...] = (
    lambda n: f"- **setting {n}**: value {n}",
    lambda n: f"- Anna{n} lives in City{n % 97}",
    lambda n: f"- The port of service {n} is {n + 1000}",
    lambda n: f"- I like thing {n}. I do not like other thing {n}.",
    lambda n: f"- 2026-05-01 09:30 (chat): remark {n}, which states nothing plain, as most do",
)


def build(root: Path, entries: int) -> None:
    """A memory of so many entries."""
    memory = (LINES[number % len(LINES)](number) for number in range(entries // 2))
    (root / "MEMORY.md").write_text("# Memory\n\n## Facts\n\n" + "\n".join(memory) + "\n")
    (root / "structured").mkdir(exist_ok=True)
    for kind in ("user", "project", "reference", "feedback"):
        text = "".join(
            f"## {kind}_key_{n}\nvalue {n} of {kind}\n> Source: chat | Updated: 2026-05-01\n\n"
            for n in range(entries // 8)
        )
        (root / "structured" / f"{kind}.md").write_text(text)


def cpu(what: Callable[[], object], rounds: int = 1) -> float:
    """Milliseconds of CPU, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        what()
        best = min(best, time.process_time() - begin)
    return best * 1000


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=400)
    entries = parser.parse_args().entries
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MNEMOFS_HOME"] = os.path.join(folder, "home")
        root = Path(folder) / "ws"
        with Workspace.init(root, agent="ada", timezone="UTC") as ws:
            build(root, entries)
            ws.log()  # commits what was written by hand
            first = cpu(ws.rebuild_facts)
            known = ws.rebuild_facts().facts
            anew = cpu(lambda: ws.rebuild_facts(rebuild=True))
            idle = cpu(ws.rebuild_facts, 5)
            with open(root / "MEMORY.md", "a", encoding="utf-8") as file:
                file.write("- Zoe works at Acme\n")
            edit = cpu(ws.rebuild_facts)
            ws.facts("where does Anna7 live?")
            ask = cpu(lambda: ws.facts("where does Anna7 live?"), 5)
            line = cpu(lambda: recall_lines(str(root), "where does Anna7 live?"), 5)
            pairs = cpu(ws.contradictions, 5)
    print(f"{entries} entries, {known} facts; CPU ms")
    print(f"  first time {first:8.1f}    all anew {anew:8.1f}    nothing changed {idle:6.2f}")
    print(f"  one new line {edit:6.2f}    ratio to all anew {edit / anew:.3f}")
    print(f"  question {ask:6.2f}    lines for a prompt {line:6.2f}    contradictions {pairs:6.2f}")


if __name__ == "__main__":
    main()
