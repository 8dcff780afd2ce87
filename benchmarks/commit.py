"""One-file commit: CPU and wall time against `git add F && git commit`, in the same run.

    python benchmarks/commit.py [--sizes 10,1000,10000] [--rounds 15]

Each size is a workspace of that many notes in a few folders. CPU is user + system time, children
included; the ratio is what to look at. Wall is in process for mnemofs (durable: synced to disk)
and two processes for git.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable

from mnemofs.clock import Clock
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store

GIT = ["git", "-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "gc.auto=0"]


def cpu_ms() -> float:
    """User and system time of this process and its children."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total * 1000


def build(root: str, count: int) -> None:
    """A workspace of `count` notes, committed."""
    Store.init(root, agent="bench", clock=Clock(), files={"MEMORY.md": b"# Memory\n"}).close()
    for number in range(count - 1):
        folder = os.path.join(root, "memory", f"part-{number % 4}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"note-{number:05d}.md"), "w", encoding="utf-8") as file:
            file.write(f"# Note {number}\n\n- something that was said\n")
    subprocess.run([*GIT, "-C", root, "add", "-A"], check=True)
    subprocess.run([*GIT, "-C", root, "commit", "-qm", "fill"], check=True)
    time.sleep(0.1)


def measure(rounds: int, work: Callable[[int], None]) -> tuple[float, float]:
    """Median CPU and wall milliseconds of `work(round)`; one round more is thrown away."""
    cpu, wall = [], []
    for number in range(rounds + 1):
        began, used = time.perf_counter(), cpu_ms()
        work(number)
        cpu.append(cpu_ms() - used)
        wall.append((time.perf_counter() - began) * 1000)
    return statistics.median(cpu[1:]), statistics.median(wall[1:])


def compare(count: int, rounds: int) -> None:
    """Print one line for one size."""
    base = tempfile.mkdtemp(prefix="mnemofs-bench-")
    try:
        root = os.path.join(base, "ws")
        build(root, count)
        path = "memory/part-1/note-00001.md" if count > 4 else "MEMORY.md"

        def by_git(number: int) -> None:
            with open(os.path.join(root, path), "a", encoding="utf-8") as file:
                file.write(f"- git {number}\n")
            subprocess.run([*GIT, "-C", root, "add", path], check=True)
            subprocess.run([*GIT, "-C", root, "commit", "-qm", "one"], check=True)

        git_cpu, git_wall = measure(rounds, by_git)
        with Store.open(root, agent="bench", clock=Clock()) as store:

            def by_us(number: int) -> None:
                seen = store.read(path)
                text = (seen.content or b"") + b"- ours %d\n" % number
                store.commit(Change((Edit(path, seen.blob, text),), "tool", "one"))

            our_cpu, our_wall = measure(rounds, by_us)
            began = cpu_ms()
            store.fold()
            warm_fold = cpu_ms() - began
        with Store.open(root, agent="bench", clock=Clock()) as store:
            began = cpu_ms()
            store.fold()
            fold_cpu = cpu_ms() - began
        began = cpu_ms()
        subprocess.run(["git", "-C", root, "status", "--porcelain"], check=True)
        status_cpu = cpu_ms() - began
        print(
            f"{count:6d} files  CPU {our_cpu:6.2f} ms vs git {git_cpu:6.2f} ms = "
            f"{our_cpu / git_cpu:4.2f}x   wall {our_wall:6.2f} vs {git_wall:6.2f} ms = "
            f"{our_wall / git_wall:4.2f}x   fold of nothing {fold_cpu:5.1f} ms cold, "
            f"{warm_fold:5.1f} warm (git status {status_cpu:5.1f})"
        )
    finally:
        shutil.rmtree(base, ignore_errors=True)


def main() -> None:
    """Run for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10,1000,10000")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    print("mnemofs commit (in process, durable) vs `git add F && git commit -qm one`")
    for size in options.sizes.split(","):
        compare(int(size), options.rounds)


if __name__ == "__main__":
    main()
