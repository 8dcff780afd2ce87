"""Random concurrent edits of memory files: what the merge loses, and what it asks a person about.

    python benchmarks/merge.py [--merges 8000] [--seed 1] [--git 400]

Two machines each change the same file a few times: entries edited, deleted, moved, added, sections
added, renamed, deleted, code blocks, the same entry added on both. Every merge is checked against
what the two sides did: a text is lost when it stands in neither the merged file nor a conflict
record; doubled when it stands more often than in either side; invented when no side wrote it; back
when one side deleted it and the other never touched it. `git merge-file` runs on a sample of the
same triples for the ratio.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from mnemofs.markdown.merge import Merged, merge

WORDS = re.findall(
    r"\w+",
    """tea coffee Oslo Lima deploy release budget invoice Ada Bo Chen flight hotel python rust
database index backup laptop garden piano lesson doctor meeting report draft review sprint server
cluster ticket customer contract holiday recipe bicycle river market window camera""",
)


@dataclass
class Section:
    title: str
    entries: list[str] = field(default_factory=list)


class World:
    """Makes files and changes; every text it makes holds a number of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.serial = 0

    def words(self, count: int) -> str:
        return " ".join(self.random.choice(WORDS) for _ in range(count))

    def number(self) -> int:
        self.serial += 1
        return self.serial

    def entry(self, *, timed: bool) -> str:
        kind = self.random.random()
        body = f"{self.words(self.random.randint(3, 9))} n{self.number()}"
        if timed:
            return f"- {self.random.randint(0, 23):02d}:{self.random.randint(0, 59):02d} {body}"
        if kind < 0.08:
            return f"```sh\n# {self.words(2)}\nrun n{self.number()}\n```"
        if kind < 0.18:
            return f"{body}.\nMore of it: {self.words(4)} n{self.number()}."
        if kind < 0.26:
            return f"- {body}\n  with {self.words(3)} n{self.number()}"
        if kind < 0.34:
            return f"- {body}\n  - nested {self.words(3)} n{self.number()}"
        return f"- {body}"

    def section(self, *, timed: bool, size: int) -> Section:
        title = f"{self.random.choice(WORDS).title()} n{self.number()}"
        return Section(title, [self.entry(timed=timed) for _ in range(size)])

    def memory(self) -> list[Section]:
        count = self.random.randint(3, 7)
        return [self.section(timed=False, size=self.random.randint(2, 7)) for _ in range(count)]

    def note(self) -> list[Section]:
        note = [Section("", [self.entry(timed=True) for _ in range(self.random.randint(2, 8))])]
        if self.random.random() < 0.4:
            note.append(self.section(timed=False, size=self.random.randint(1, 4)))
        return note

    def edited(self, entry: str) -> str:
        lines = entry.split("\n")
        at = min(self.random.randrange(len(lines)), len(lines) - 1)
        if entry.startswith("```"):
            at = len(lines) - 2
        words = lines[at].split(" ")
        words.insert(
            self.random.randint(2, len(words)) if len(words) > 2 else len(words),
            f"{self.random.choice(WORDS)}-n{self.number()}",
        )
        lines[at] = " ".join(words)
        return "\n".join(lines)

    def change(self, file: list[Section], *, timed: bool) -> list[Section]:
        """A copy with one to four changes, as one machine would make them between two syncs."""
        new = [Section(section.title, list(section.entries)) for section in file]
        if timed:  # a note grows on every machine
            new[0].entries.append(self.entry(timed=True))
        for _ in range(self.random.randint(1, 4)):
            self.change_once(new, timed=timed)
        return new

    def change_once(self, file: list[Section], *, timed: bool) -> None:
        what = self.random.random()
        full = [section for section in file if section.entries]
        if timed and what < 0.5:
            file[0].entries.append(self.entry(timed=True))
        elif what < 0.35 and full:
            section = self.random.choice(full)
            at = self.random.randrange(len(section.entries))
            section.entries[at] = self.edited(section.entries[at])
        elif what < 0.5:
            section = self.random.choice(file)
            at = self.random.randint(0, len(section.entries))
            section.entries.insert(at, self.entry(timed=False))
        elif what < 0.65:
            self.random.choice(file).entries.append(self.entry(timed=False))
        elif what < 0.77 and full:
            section = self.random.choice(full)
            section.entries.pop(self.random.randrange(len(section.entries)))
        elif what < 0.87 and full:
            section = self.random.choice(full)
            entry = section.entries.pop(self.random.randrange(len(section.entries)))
            home = self.random.choice(file)
            home.entries.insert(self.random.randint(0, len(home.entries)), entry)
        elif what < 0.94:
            section = self.section(timed=False, size=self.random.randint(0, 3))
            file.insert(self.random.randint(1, len(file)), section)
        elif what < 0.97:
            section = self.random.choice(file)
            if section.title:
                section.title += f" v{self.number()}"
        elif len(file) > 2:
            file.pop(self.random.randrange(1, len(file)))


def rendered(file: Iterable[Section], title: str) -> bytes:
    parts = [title]
    for section in file:
        if section.title:
            parts.append(f"## {section.title}")
        if section.entries:
            parts.append(_joined(section.entries))
    return ("\n\n".join(parts) + "\n").encode()


def _joined(entries: list[str]) -> str:
    text = entries[0]
    for before, entry in pairwise(entries):
        text += "\n" if before[:2] == entry[:2] == "- " else "\n\n"
        text += entry
    return text


@dataclass(frozen=True)
class Case:
    path: str
    base: bytes
    ours: bytes
    theirs: bytes


def case(world: World) -> Case:
    timed = world.random.random() < 0.5
    file = world.note() if timed else world.memory()
    title = "# 2026-05-01" if timed else "# Memory"
    ours, theirs = world.change(file, timed=timed), world.change(file, timed=timed)
    if world.random.random() < 0.1:
        same = world.entry(timed=timed)
        ours[0].entries.append(same)
        theirs[0].entries.append(same)
    path = "memory/2026-05-01.md" if timed else "MEMORY.md"
    return Case(path, *(rendered(side, title) for side in (file, ours, theirs)))


def blocks(data: bytes) -> Counter[str]:
    """The texts of a file by a reading of its own: headings, bullets with their continuation,
    paragraphs, code."""
    found: Counter[str] = Counter()
    current: list[str] = []
    fenced = False
    for line in [*data.decode().split("\n"), ""]:
        if fenced:
            current.append(line)
            fenced = line != "```"
            continue
        starts = line.startswith(("- ", "  - ", "#", "```"))
        if (starts or not line) and current:
            found["\n".join(current)] += 1
            current = []
        if line:
            current.append(line)
        fenced = line.startswith("```")
    return found


@dataclass
class Faults:
    lost: int = 0
    doubled: int = 0
    invented: int = 0
    back: int = 0
    marked: int = 0
    asymmetric: int = 0
    restless: int = 0

    def total(self) -> int:
        return sum(vars(self).values())


def check(one: Case, done: Merged, swapped: Merged, faults: Faults) -> None:
    base, ours, theirs = blocks(one.base), blocks(one.ours), blocks(one.theirs)
    merged = blocks(done.content)
    recorded = b"\n".join(c.ours + b"\n" + c.theirs for c in done.conflicts).decode()
    for text in ours.keys() | theirs.keys():
        wanted = text not in base or (text in ours and text in theirs)
        if wanted and text not in merged and text not in recorded:
            faults.lost += 1
    for text, count in merged.items():
        faults.doubled += count > max(ours[text], theirs[text], 1)
        faults.invented += text not in ours and text not in theirs and text not in base
        deleted = text in base and (text not in ours or text not in theirs)
        faults.back += deleted and not done.conflicts
    faults.marked += bool(re.search(rb"^(<{7}|={7}|>{7})", done.content, re.MULTILINE))
    faults.asymmetric += done.content != swapped.content
    again = [
        merge(side, done.content, side, path=one.path).content for side in (one.ours, one.theirs)
    ]
    once_more = merge(one.base, done.content, done.content, path=one.path).content
    faults.restless += any(text != done.content for text in (*again, once_more))


def git_conflicts(cases: Iterable[Case]) -> tuple[int, int, float]:
    """How many of the cases `git merge-file` leaves with markers; seconds for all."""
    found = count = 0
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for one in cases:
            for name, data in zip(names, (one.ours, one.base, one.theirs), strict=True):
                name.write_bytes(data)
            command = ["git", "merge-file", "-p", "-q", *map(str, names)]
            found += subprocess.run(command, capture_output=True, check=False).returncode > 0
            count += 1
    return found, count, time.perf_counter() - begin


def run(merges: int, seed: int, git: int) -> Faults:
    world = World(seed)
    cases = [case(world) for _ in range(merges)]
    faults = Faults()
    spent: list[float] = []
    flagged: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for one in cases:
        begin = time.process_time()
        done = merge(one.base, one.ours, one.theirs, path=one.path)
        spent.append(time.process_time() - begin)
        swapped = merge(one.base, one.theirs, one.ours, path=one.path)
        check(one, done, swapped, faults)
        flagged[one.path] += bool(done.conflicts)
        kinds.update(conflict.kind for conflict in done.conflicts)
    size = statistics.median(len(one.ours) for one in cases)
    print(f"{merges} merges of generated files (median {size:.0f} bytes), seed {seed}")
    print("faults: " + ", ".join(f"{name} {count}" for name, count in vars(faults).items()))
    for path in flagged:
        of = sum(one.path == path for one in cases)
        print(f"  {path}: {flagged[path]} of {of} flagged ({flagged[path] / of:.1%})")
    share = flagged.total() / merges
    print(f"flagged for a person: {share:.1%} ({dict(kinds)})")
    slow = sorted(spent)
    print(
        f"CPU per merge: median {slow[len(slow) // 2] * 1000:.2f} ms, "
        f"p95 {slow[len(slow) * 95 // 100] * 1000:.2f} ms"
    )
    if git and shutil.which("git"):
        found, count, seconds = git_conflicts(cases[:git])
        print(
            f"git merge-file: {found} of {count} end in conflict markers ({found / count:.1%}), "
            f"{seconds / count * 1000:.1f} ms each as a process"
        )
        if found:
            print(f"ratio of files a person must look at: {share / (found / count):.2f}")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--merges", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--git", type=int, default=400, help="cases also given to git merge-file")
    options = parser.parse_args()
    faults = run(options.merges, options.seed, options.git)
    raise SystemExit(1 if faults.total() else 0)


if __name__ == "__main__":
    main()
