"""What a hook pays: whole processes of `mnemofs` against a bare `python -c pass`, in CPU time.

    python benchmarks/startup.py [--files 1000] [--runs 15]

CPU = user + system time of the process, which a busy machine does not distort as it does wall time.
Figures of both are taken in turn, in the same run; the ratio of the medians is what counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from mnemofs import Workspace


def cpu_ms(command: list[str], folder: Path) -> float:
    """CPU milliseconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def build(root: Path, files: int) -> None:
    """A workspace of `files` small notes, indexed."""
    with Workspace.init(root, agent="bench", timezone="UTC"):
        pass
    for number in range(files - 4):
        path = root / "memory" / str(2020 + number // 365) / f"note-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"# Note {number}\n\n- met person {number % 97} about topic {number % 31}\n"
        )
    with Workspace.open(root) as workspace:
        workspace._scopes[0].store.fold(quiet=0)
        workspace.search("topic", mode="lexical")


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    tool = shutil.which("mnemofs", path=os.path.dirname(sys.executable)) or "mnemofs"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MNEMOFS_HOME"] = os.path.join(folder, "home")
        # An installed package has its byte code; a checkout must be allowed to keep it.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        root = Path(folder) / "ws"
        build(root, options.files)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "mnemofs context": [tool, "context"],
            "mnemofs context -q": [tool, "context", "-q", "topic 7"],
            "mnemofs search --lexical": [tool, "search", "--lexical", "topic 7"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                times[name].append(cpu_ms(command, root))
    bare = statistics.median(times["python -c pass"])
    print(f"{options.files} files, {options.runs} runs, CPU ms (median) and ratio to bare Python")
    for name, values in times.items():
        middle = statistics.median(values)
        print(f"{name:26} {middle:7.1f} ms  {middle / bare:5.2f}x")


if __name__ == "__main__":
    main()
