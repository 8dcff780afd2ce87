"""`git gc` as we run it: with settings of ours, no hooks, nothing asked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

from mnemofs.store.git.environment import environment
from mnemofs.store.git.layout import Layout

FAILURES = (subprocess.SubprocessError, OSError)
_TIMEOUT = 3600


def git_gc(layout: Layout, git: str, settings: Mapping[str, str], *words: str) -> None:
    """Runs it in a repository. Raises one of FAILURES when it fails."""
    settings = {**settings, "core.hooksPath": os.devnull}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    subprocess.run(
        [git, *options, "gc", "--quiet", *words],
        cwd=layout.root,
        env=environment(layout),
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=_TIMEOUT,
    )
