"""One memory written, committed durably and findable in the same call, against plain git.

    python benchmarks/remember.py [--rounds 60] [--files 300]

Ours: `Workspace.remember(...)` in process, then a search that must find it (the search is timed
apart). Git: the same line appended to the same kind of file, `git add F` and `git commit` as two
processes. Wall time, in turn, in one run; the ratio of the medians is what counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from mnemofs import Workspace

GIT = ["git", "-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "gc.auto=0"]


def build(root: Path, files: int) -> None:
    """A workspace with `files` notes, indexed."""
    with Workspace.init(root, agent="bench", timezone="UTC") as workspace:
        for number in range(files):
            path = root / "notes" / f"n{number:05}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"# Note {number}\n\n- met person {number % 97}\n")
        workspace._scopes[0].store.fold(quiet=0)
        workspace.search("person", mode="lexical")


def main() -> None:
    """Build two equal folders, write into them in turn, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--files", type=int, default=300)
    options = parser.parse_args()
    ours: list[float] = []
    found: list[float] = []
    theirs: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MNEMOFS_HOME"] = os.path.join(folder, "home")
        one, two = Path(folder) / "ours", Path(folder) / "git"
        build(one, options.files)
        build(two, options.files)
        with Workspace.open(one) as workspace:
            for number in range(options.rounds):
                started = time.perf_counter()
                done = workspace.remember(f"memory number {number} is zq{number}x")
                ours.append(time.perf_counter() - started)
                assert done.commit
                started = time.perf_counter()
                hits = workspace.search(f"zq{number}x", mode="lexical").hits
                found.append(time.perf_counter() - started)
                assert hits and f"zq{number}x" in hits[0].text
                with (two / "MEMORY.md").open("a") as file:
                    file.write(f"- memory number {number} is zq{number}x\n")
                started = time.perf_counter()
                subprocess.run([*GIT, "add", "MEMORY.md"], cwd=two, check=True)
                subprocess.run([*GIT, "commit", "-qm", "one"], cwd=two, check=True)
                theirs.append(time.perf_counter() - started)
    mine, git = statistics.median(ours), statistics.median(theirs)
    print(f"{options.files} files, {options.rounds} rounds, wall ms (median)")
    print(f"remember, durable and findable   {1000 * mine:7.2f}   {mine / git:.2f}x of git")
    print(f"git add + git commit             {1000 * git:7.2f}")
    print(f"the search that finds it         {1000 * statistics.median(found):7.2f}")


if __name__ == "__main__":
    main()
