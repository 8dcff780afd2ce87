"""A command that goes on by itself when this process has ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

# It gives way to everything else.
_CODE = """
import os, sys
if hasattr(os, "nice"):
    os.nice(10)
sys.argv[0] = "mnemofs"
from mnemofs.cli.main import main
main()
"""


def start(arguments: Sequence[str], *, folder: str) -> None:
    """Runs `mnemofs ARGUMENTS` in `folder`, silently, at low priority; returns at once.

    In a session of its own, so that it outlives the terminal.
    """
    subprocess.Popen(
        [sys.executable, "-c", _CODE, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
