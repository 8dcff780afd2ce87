"""Two writers on one repository: how many acknowledged commits survive.

    python benchmarks/concurrency.py [--commits 500] [--pairs us-us,us-git,git-git]

Each writer commits its own files as fast as it can. A commit counts as acknowledged when the call
returned (for git: `git add F` and `git commit` both exited 0). At the end every acknowledged text
must be in HEAD, `git fsck --strict` must be clean, and so must `git status`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from multiprocessing.queues import Queue

from mnemofs.clock import Clock
from mnemofs.errors import MnemofsError
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store

GIT = ["git", "-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "gc.auto=0"]


def us(root: str, name: str, commits: int, acked: Queue[tuple[str, int, int]]) -> None:
    """Writes with mnemofs."""
    failed = 0
    with Store.open(root, agent=name, clock=Clock()) as store:
        for number in range(commits):
            path = f"memory/{name}-{number % 50:02d}.md"
            while True:
                seen = store.read(path)
                text = (seen.content or b"") + b"- %s %d\n" % (name.encode(), number)
                try:
                    store.commit(Change((Edit(path, seen.blob, text),), "tool", f"{name} {number}"))
                    break
                except MnemofsError as error:
                    print(f"  {name}: {error}", file=sys.stderr)
                    failed += 1
            acked.put((path, number, failed))


def git(root: str, name: str, commits: int, acked: Queue[tuple[str, int, int]]) -> None:
    """Writes with the git program, trying again when a lock is taken."""
    failed = 0
    for number in range(commits):
        path = f"memory/{name}-{number % 50:02d}.md"
        os.makedirs(os.path.join(root, "memory"), exist_ok=True)
        with open(os.path.join(root, path), "a", encoding="utf-8") as file:
            file.write(f"- {name} {number}\n")
        for words in (["add", path], ["commit", "-qm", f"{name} {number}"]):
            for _ in range(2000):
                done = subprocess.run(
                    [*GIT, "-C", root, *words], capture_output=True, text=True, check=False
                )
                if done.returncode == 0:
                    acked.put((path, number, failed))
                    break
                if "nothing to commit" in done.stdout or "nothing added" in done.stdout:
                    break
                failed += 1
                time.sleep(0.002)


def run(pair: str, commits: int) -> bool:
    """One pair; whether nothing was lost."""
    base = tempfile.mkdtemp(prefix="mnemofs-bench-")
    root = os.path.join(base, "ws")
    Store.init(root, agent="bench", clock=Clock(), files={"MEMORY.md": b"# M\n"}).close()
    queue: Queue[tuple[str, int, int]] = multiprocessing.Queue()
    kinds = {"us": us, "git": git}
    workers = [
        multiprocessing.Process(target=kinds[kind], args=(root, f"{kind}{index}", commits, queue))
        for index, kind in enumerate(pair.split("-"))
    ]
    began = time.time()
    for worker in workers:
        worker.start()
    acked: dict[tuple[str, int], int] = {}
    while any(worker.is_alive() for worker in workers) or not queue.empty():
        try:
            path, number, failed = queue.get(timeout=0.5)
        except Exception:
            continue
        acked[path, number] = failed
    seconds = time.time() - began
    reverted = int(
        subprocess.run(
            ["sh", "-c", f"git -C {root} log --format= --numstat -- memory | awk '$2>0' | wc -l"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    with Store.open(root, agent="bench", clock=Clock()) as store:
        folded = store.fold(quiet=0).commit is not None
    shown: dict[str, str] = {}
    lost = 0
    for path, number in acked:
        if path not in shown:
            shown[path] = subprocess.run(
                ["git", "-C", root, "show", f"HEAD:{path}"],
                capture_output=True,
                text=True,
                check=False,
            ).stdout
        name = os.path.basename(path).split("-")[0]
        lost += f"- {name} {number}\n" not in shown[path]
    fsck = subprocess.run(
        ["git", "-C", root, "fsck", "--strict", "--full"],
        capture_output=True,
        text=True,
        check=False,
    )
    clean = fsck.returncode == 0 and "missing" not in fsck.stdout
    status = subprocess.run(
        ["git", "-C", root, "status", "--porcelain"], capture_output=True, text=True, check=True
    ).stdout
    print(
        f"{pair:8s} {len(acked)} acknowledged, {lost} lost, {reverted} commits that revert lines, "
        f"{'a' if folded else 'no'} fold at the end, "
        f"fsck {'clean' if clean else 'NOT CLEAN'}, "
        f"status {'clean' if not status else repr(status[:300])}, {seconds:.1f} s"
    )
    shutil.rmtree(base, ignore_errors=True)
    return lost == 0 and clean and not status


def main() -> None:
    """Run the pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=500)
    parser.add_argument("--pairs", default="us-us,us-git")
    options = parser.parse_args()
    results = [run(pair, options.commits) for pair in options.pairs.split(",")]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
