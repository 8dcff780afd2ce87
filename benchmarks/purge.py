"""Purging a text that came in with the first of many commits, and proving that it is gone.

    python benchmarks/purge.py [--commits 10000] [--files 200] [--loose] [--no-git]

The history is that of `benchmarks/history.py`: every commit edits one entry of one file. The text
stands in a note of the first commit, so every later commit gets a new id. Packed by default, as
maintenance leaves a store; --loose keeps one file for each object (then the time is mostly the
disk's, which has to delete them). Afterwards plain git looks for it in every object, and grep in
every file; `git fsck --full --strict` has to find nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from benchmarks.history import build
from mnemofs.clock import Clock
from mnemofs.store.erasure import purge
from mnemofs.store.repository import Store

SECRET = "- entry 7 of memory/2026-01-05.md"


def hits(root: str) -> tuple[int, int]:
    """(objects, files) that hold the text, by git and grep."""
    objects = subprocess.run(
        "git cat-file --batch-all-objects --batch --buffer | grep -ac -- "
        f"'{SECRET}' ; git log --all -S '{SECRET}' --format=%h | wc -l",
        shell=True,
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    files = subprocess.run(
        ["grep", "-rlaF", "--", SECRET, root], capture_output=True, text=True, check=False
    ).stdout.split()
    return sum(map(int, objects)), len(files)


def main() -> None:
    """Run and print."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--commits", type=int, default=10_000)
    options.add_argument("--files", type=int, default=200)
    options.add_argument("--loose", action="store_true")
    options.add_argument("--no-git", action="store_true")
    chosen = options.parse_args()
    if chosen.no_git:
        from mnemofs.store.git import everyobject

        everyobject.program = purge.program = lambda _name: None  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as root:
        build(root, chosen.commits, chosen.files, packed=not chosen.loose)
        with Store.open(root, agent="bench", clock=Clock(UTC)) as store:
            before = hits(root)
            steps: list[tuple[str, float]] = []
            started, cpu = time.perf_counter(), _cpu()

            def step(name: str, _count: int) -> None:
                if not steps or steps[-1][0] != name:
                    steps.append((name, time.perf_counter() - started))

            done = purge.purge(store, [SECRET], progress=step)
            seconds, spent = time.perf_counter() - started, _cpu() - cpu
        after = hits(root)
        fsck = subprocess.run(
            ["git", "-C", root, "fsck", "--full", "--strict"], capture_output=True, check=False
        )
    ends = [at for _, at in steps[1:]] + [seconds]
    print(f"{done.objects} objects, {done.commits} commits got a new id")
    for (name, at), end in zip(steps, ends, strict=True):
        print(f"  {name:<10} {end - at:6.1f} s")
    print(f"purge        {seconds:6.1f} s   ({spent:.1f} s CPU, children included)")
    print(f"hits before  {before[0]} in objects, {before[1]} files")
    print(f"hits after   {after[0]} in objects, {after[1]} files; ours says {len(done.hits)}")
    print(f"git fsck     {fsck.returncode}")


def _cpu() -> float:
    mine = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + others.ru_utime + others.ru_stime


if __name__ == "__main__":
    main()
