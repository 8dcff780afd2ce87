"""kill -9 at random moments of writes: what is lost, what stays locked, what is half written.

    python benchmarks/kill.py [--kills 200]

A child overwrites, appends to and deletes files as fast as it can and reports each acknowledged
commit. It is killed after a random time, then a new one goes on. After every kill the files must
be whole (an old or a new version), and the next write must go through without waiting.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mnemofs.clock import Clock
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store

SIZE = 8192


def page(name: str, number: int) -> bytes:
    """8 kB that say what they are in every line, ended by their own digest."""
    line = f"{name} {number}\n".encode()
    body = line * (SIZE // len(line))
    return body + hashlib.sha1(body).hexdigest().encode() + b"\n"


def whole(data: bytes) -> bool:
    """Whether bytes are one version of a page."""
    body, digest = data[:-41], data[-41:-1].decode()
    return hashlib.sha1(body).hexdigest() == digest


def child(root: str, start: int) -> None:
    """Write until killed; one line on stdout for each acknowledged commit."""
    number = start
    with Store.open(root, agent="kill", clock=Clock()) as store:
        while True:
            number += 1
            names = [f"memory/a{number % 5}.md", f"memory/b{number % 3}.md"]
            edits = [Edit(p, store.read(p).blob, page(p, number)) for p in names]
            gone = f"memory/c{number % 4}.md"
            seen = store.read(gone)
            edits.append(Edit(gone, seen.blob, None if seen.blob else page(gone, number)))
            done = store.commit(Change(tuple(edits), "tool", f"write {number}"))
            sys.stdout.write(f"{number} {done.commit}\n")
            sys.stdout.flush()


def run(kills: int) -> bool:
    """Kill `kills` times; whether nothing went wrong."""
    base = tempfile.mkdtemp(prefix="mnemofs-bench-")
    root = os.path.join(base, "ws")
    Store.init(root, agent="bench", clock=Clock(), files={"MEMORY.md": b"# M\n"}).close()
    acked: list[str] = []
    torn = blocked = strangers = left_locks = 0
    slowest = 0.0
    number = 0
    for round_number in range(kills):
        process = subprocess.Popen(
            [sys.executable, __file__, "--child", root, "--start", str(number)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(random.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
        process.wait()
        for line in (first + rest).splitlines():
            words = line.split()
            if len(words) == 2 and len(words[1]) == 40:
                number = int(words[0])
                acked.append(words[1])
        number += 10
        for folder, _, files in os.walk(os.path.join(root, "memory")):
            for name in files:
                with open(os.path.join(folder, name), "rb") as file:
                    torn += not whole(file.read())
                strangers += not name.endswith(".md")
        left_locks += sum(
            os.path.exists(os.path.join(root, ".git", lock))
            for lock in ("index.lock", "refs/heads/main.lock")
        )
        began = time.time()
        try:
            with Store.open(root, agent="after", clock=Clock()) as store:
                seen = store.read("after.md")
                text = (seen.content or b"") + b"- %d\n" % round_number
                done = store.commit(Change((Edit("after.md", seen.blob, text),), "tool", "after"))
                acked.append(str(done.commit))
        except Exception as error:
            blocked += 1
            print(f"  blocked: {error}", file=sys.stderr)
        slowest = max(slowest, time.time() - began)
    with Store.open(root, agent="bench", clock=Clock()) as store:
        hand_edits = store.fold(quiet=0).commit is not None

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", "-C", root, *words], capture_output=True, text=True, check=False
        )

    reachable = set(git("rev-list", "HEAD").stdout.split())
    lost = sum(commit not in reachable for commit in acked)
    fsck = git("fsck", "--strict", "--full")
    clean = fsck.returncode == 0 and "missing" not in fsck.stdout
    status = git("status", "--porcelain").stdout
    actors = git("log", "--format=%(trailers:key=Mnemofs-Actor,valueonly,separator=)").stdout
    print(
        f"{kills} kills, {len(acked)} acknowledged, {lost} lost, {torn} torn files, "
        f"{strangers} stray files, {left_locks} locks left behind, {blocked} blocked, "
        f"slowest next write {slowest * 1000:.0f} ms, "
        f"{actors.split().count('person')} commits blamed on a person, "
        f"{'a' if hand_edits else 'no'} fold at the end, fsck {'clean' if clean else fsck.stderr}, "
        f"status {'clean' if not status else repr(status[:300])}"
    )
    shutil.rmtree(base, ignore_errors=True)
    return not (lost or torn or strangers or blocked or status) and clean


def main() -> None:
    """Run, or be the child."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--child")
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.start)
    sys.exit(0 if run(options.kills) else 1)


if __name__ == "__main__":
    main()
