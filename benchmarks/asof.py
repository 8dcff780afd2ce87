"""What the memory of an earlier time costs: the first query on a revision, the next, a date.

    python benchmarks/asof.py [--notes 3000] [--commits 10000] [--hybrid]

Notes as in search_speed.py, in a real repository; then as many commits as asked for, each of which
changes one note. "near" is a revision a tenth of the way back (most files are as they are now),
"far" the first one. With --hybrid every text has its vector after the first query (random ones, as
in search_speed.py): embedding what no index has a vector of is not part of the figures. CPU, not
wall; each ratio is to the present measured in the same run.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from search_speed import questions, random_vectors, write_notes

from mnemofs import Workspace
from mnemofs.index.sidecar import Index


def build(root: Path, notes: int, commits: int, rng: random.Random) -> list[str]:
    """A workspace of that many notes and commits; the vocabulary."""
    Workspace.init(root, agent="bench", timezone="UTC").close()
    words = write_notes(root, notes, rng)
    git = ["git", "-C", os.fspath(root)]
    who = ["-c", "user.name=b", "-c", "user.email=b@b.invalid"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, *who, "commit", "-qm", "notes"], check=True)
    head = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    start = int(time.time()) + 60  # later than the first two, whatever the machine's clock says
    stream = []
    for number in range(commits):
        note = rng.randrange(notes)
        name = f"memories/{note // 500:03d}/note-{note}.md"
        lines = [f"# Note {note}", ""]
        lines += ["- " + " ".join(rng.choices(words, k=30)) for _ in range(3)]
        data = ("\n".join(lines) + "\n").encode()
        stream.append(
            b"commit refs/heads/main\ncommitter b <b@b.invalid> %d +0000\ndata 6\nchange\n%s"
            b"M 100644 inline %s\ndata %d\n%s\n"
            % (
                start + number * 60,
                b"from %s\n" % head.encode() if number == 0 else b"",
                name.encode(),
                len(data),
                data,
            )
        )
    subprocess.run([*git, "fast-import", "--quiet", "--force"], input=b"".join(stream), check=True)
    subprocess.run([*git, "checkout", "-qf", "main"], check=True)
    return words


def own_index(root: Path, when: str) -> float:
    """Milliseconds of a lexical index of that revision, checked out."""
    with tempfile.TemporaryDirectory() as folder:
        command = f"git -C '{root}' archive {when} | tar -xm -C '{folder}'"
        subprocess.run(command, shell=True, check=True)
        return cpu(Index(folder).refresh)


def cpu(run: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    start = time.process_time()
    run()
    return 1e3 * (time.process_time() - start)


def median(values: list[float]) -> float:
    """The middle one."""
    return sorted(values)[len(values) // 2]


def main() -> None:
    """Prints one figure a line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--notes", type=int, default=3000)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--hybrid", action="store_true")
    options = parser.parse_args()
    rng = random.Random(20261130)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "ws"
        words = build(root, options.notes, options.commits, rng)
        asked = questions(words, options.queries, rng)
        time.sleep(0.2)
        lexical = cpu(Index(root).refresh)
        print(f"{options.notes} notes, {options.commits} commits")
        print(f"one lexical index of the present: {lexical:.0f} ms")
        mode = "hybrid" if options.hybrid else "lexical"
        with Workspace.open(root) as ws:
            if options.hybrid:
                scope = ws._scopes[0]
                scope.fresh(semantic=True)
                embedder = ws._embedders.get()
                assert embedder is not None
                random_vectors(scope.index, embedder)
            timeline = cpu(lambda: ws._timeline(ws._scopes[0]).refresh())
            print(f"history table, once: {timeline:.0f} ms")
            ws.search(asked[0], mode=mode)
            present = median([cpu(lambda q=q: ws.search(q, mode=mode)) for q in asked])
            print(f"{mode} search of the present: {present:.2f} ms")
            back = options.commits // 10
            for label, when in (("near", f"HEAD~{back}"), ("far", f"HEAD~{options.commits}")):
                view = ws.at(when)
                first = cpu(lambda view=view: view.search(asked[0], mode=mode))
                if options.hybrid:
                    random_vectors(view._scopes[0].index, embedder)
                own = own_index(root, view.revisions["TEAM"])
                moment = view.moment.isoformat()
                look = median([cpu(lambda moment=moment: ws.at(moment)) for _ in range(9)])
                ready = median([cpu(lambda q=q, v=view: v.search(q, mode=mode)) for q in asked])
                by_date = median(
                    [cpu(lambda q=q, m=moment: ws.at(m).search(q, mode=mode)) for q in asked]
                )
                print(
                    f"{label}: first query {first:.0f} ms ({first / own:.2f} of an index),"
                    f" next {ready:.2f} ms ({ready / present:.2f}x),"
                    f" by date {by_date:.2f} ms ({by_date / present:.2f}x),"
                    f" finding the date {look:.2f} ms"
                )
            files = (root / ".mnemofs/asof").iterdir()
            size = sum(file.stat().st_size for file in files) / 2**20
            whole = (root / ".mnemofs/index.db").stat().st_size / 2**20
            print(f"kept on disk: {size:.1f} MiB for 2 revisions; index.db {whole:.1f} MiB")
        with Workspace.open(root) as ws:
            again = cpu(lambda: ws.at(f"HEAD~{back}").search(asked[1], mode=mode))
            print(f"first query of another process on a revision kept: {again:.1f} ms")
        shutil.rmtree(root / ".mnemofs")
        with Workspace.open(root) as ws:
            alone = cpu(lambda: ws.at("HEAD").search(asked[0], mode="lexical"))
            share = alone / own_index(root, "HEAD")
            print(f"a revision without any index of the present: {alone:.0f} ms ({share:.2f})")


if __name__ == "__main__":
    main()
