"""A command that goes on by itself when this process has ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

# The first process ends at once and is waited for; its child belongs to nobody here, so that it
# leaves no zombie, gives way to everything else, and outlives the terminal.
_CODE = """
import os, sys
if os.fork():
    os._exit(0)
os.setsid()
os.nice(10)
sys.argv[0] = "mnemofs"
from mnemofs.cli.main import main
main()
"""


def start(arguments: Sequence[str], *, folder: str) -> None:
    """Runs `mnemofs ARGUMENTS` in `folder`, silently, at low priority; returns at once."""
    subprocess.run(
        [sys.executable, "-c", _CODE, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
