"""Log and blame of one file in a long history, against git, in the same run.

    python benchmarks/history.py [--commits 10000] [--files 200] [--packed]

The history is made on the spot (`git fast-import`, then unpacked into loose objects unless
--packed): every tenth commit edits MEMORY.md, the others edit one of the notes, one entry each.
The timeline is built once, which is what the first figure says; "warm" asks an open table again,
"fresh" opens it first as a new process would. Figures are the best of several rounds.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import TypeVar

from mnemofs.clock import Clock
from mnemofs.index.timelines.timeline import Timeline
from mnemofs.store.past import history
from mnemofs.store.repository import Store

T = TypeVar("T")
MEMORY = "MEMORY.md"
NOTE = "memory/2026-01-02.md"


def build(root: str, commits: int, files: int, *, packed: bool) -> None:
    """A repository with that many commits of one edit each."""
    rng = random.Random(7)
    notes = [f"memory/2026-{1 + k // 28:02d}-{1 + k % 28:02d}.md" for k in range(files - 1)]
    texts = {name: [f"- entry {k} of {name}" for k in range(20)] for name in notes}
    texts[MEMORY] = [f"- entry {k}" for k in range(120)]
    stream: list[bytes] = []

    def commit(number: int, names: list[str]) -> None:
        message = (
            f"change {number}\n\nMnemofs-Actor: extractor\nMnemofs-Source: c{number}\n"
            "Mnemofs-Trust: agent\n"
        ).encode()
        stream.append(
            b"commit refs/heads/main\ncommitter mnemofs ada <ada@mnemofs.invalid> %d +0200\n"
            b"data %d\n%s" % (1_700_000_000 + number * 60, len(message), message)
        )
        for name in names:
            data = ("\n".join(texts[name]) + "\n").encode()
            stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(data), data))

    commit(1, [MEMORY, *notes])
    for number in range(2, commits + 1):
        name = MEMORY if number % 10 == 0 else rng.choice(notes)
        lines, kind = texts[name], rng.random()
        if kind < 0.6 or len(lines) < 10:
            lines.append(f"- fact {number}: {rng.random()}")
        elif kind < 0.85:
            lines[rng.randrange(len(lines))] = f"- edited {number}"
        else:
            del lines[rng.randrange(len(lines))]
        commit(number, [name])
    git = ["git", "-C", root]
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    subprocess.run([*git, "fast-import", "--quiet"], input=b"".join(stream), check=True)
    if packed:
        subprocess.run([*git, "gc", "-q"], check=True)
    else:
        folder = os.path.join(root, ".git", "objects", "pack")
        for name in os.listdir(folder):
            moved = os.path.join(root, ".git", name)
            os.rename(os.path.join(folder, name), moved)
            if name.endswith(".pack"):
                with open(moved, "rb") as pack:
                    subprocess.run([*git, "unpack-objects", "-q"], stdin=pack, check=True)
            os.unlink(moved)
    subprocess.run([*git, "checkout", "-qf", "main"], check=True)


def timed(work: Callable[[], T], rounds: int) -> tuple[float, T]:
    """Best wall time in ms, and the result."""
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        result = work()
        best = min(best, (time.perf_counter() - began) * 1000)
    return best, result


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--packed", action="store_true", help="git gc instead of loose objects")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "ws")
        build(root, options.commits, options.files, packed=options.packed)
        measure(root, options.commits, options.rounds)


def measure(root: str, commits: int, rounds: int) -> None:
    """Print one line per operation: ours, git's, and the ratio."""
    store = Store.open(root, agent="bench", clock=Clock())
    timeline = Timeline(store)

    def git(*args: str) -> Callable[[], str]:
        command = ["git", "-C", root, *args]
        return lambda: subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def ask(path: str, limit: int | None = None) -> list[history.CommitInfo]:
        return history.log(store, path=path, limit=limit, timeline=timeline)

    def fresh(work: Callable[[Timeline], T]) -> Callable[[], T]:
        def run() -> T:
            with Timeline(store) as opened:
                return work(opened)

        return run

    build_ms, _ = timed(timeline.refresh, 1)
    size = os.path.getsize(os.path.join(root, ".mnemofs", "timeline.db")) / 2**20
    kind = "loose" if not os.listdir(os.path.join(root, ".git/objects/pack")) else "packed"
    print(f"{commits} commits, {kind} objects")
    print(f"timeline built in {build_ms / commits:.2f} ms per commit, {size:.1f} MiB\n")
    log_all, commits_found = timed(lambda: ask(MEMORY), rounds)
    git_log, listed = timed(git("log", "--format=%H", "--", MEMORY), rounds)
    assert [info.id for info in commits_found] == listed.split()
    rows = [
        (f"log of {MEMORY}, {len(commits_found)} commits, warm", log_all, git_log),
        (f"log -n 30 of {MEMORY}, fresh", timed(fresh(lambda one: history.log(
            store, path=MEMORY, limit=30, timeline=one)), rounds)[0],
         timed(git("log", "-n", "30", "--", MEMORY), rounds)[0]),
        ("log of a note, warm", timed(lambda: ask(NOTE), rounds)[0],
         timed(git("log", "--", NOTE), rounds)[0]),
    ]  # fmt: skip
    first_ms, lines = timed(lambda: history.blame(store, MEMORY, timeline=timeline), 1)
    blame_ms, _ = timed(lambda: history.blame(store, MEMORY, timeline=timeline), rounds)
    git_blame, shown = timed(git("blame", "-l", "-s", "--root", MEMORY), rounds)
    same = sum(
        line.commit == row.split()[0] for line, row in zip(lines, shown.splitlines(), strict=True)
    )
    rows += [
        (f"blame of {MEMORY}, {len(lines)} lines, the first ever", first_ms, git_blame),
        ("blame, warm", blame_ms, git_blame),
        ("blame, fresh", timed(fresh(lambda one: history.blame(
            store, MEMORY, timeline=one)), rounds)[0], git_blame),
        ("blame without the timeline", timed(lambda: history.blame(store, MEMORY), 1)[0],
         git_blame),
        (f"log -n 10 of {MEMORY} without the timeline",
         timed(lambda: history.log(store, path=MEMORY, limit=10), rounds)[0],
         timed(git("log", "-n", "10", "--", MEMORY), rounds)[0]),
    ]  # fmt: skip
    for label, ours, gits in rows:
        print(f"{label:52} {ours:8.2f} ms   git {gits:8.2f} ms   {ours / gits:6.3f}x")
    print(f"\nblame names the commit that git names for {same} of {len(lines)} lines")
    timeline.close()
    store.close()


if __name__ == "__main__":
    main()
