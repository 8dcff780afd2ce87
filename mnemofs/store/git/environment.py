"""What a git that we start is told about where it works: this repository, whatever was set outside.

A git hook, `git rebase --exec` and some editors set variables that would lead it to another one.
"""

from __future__ import annotations

import os

from mnemofs.store.git.layout import Layout

_FOREIGN = (
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
)


def environment(layout: Layout, **more: str) -> dict[str, str]:
    """The variables for a git that works in `layout`; `more` are added."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return {**kept, "GIT_DIR": layout.git_dir, "GIT_WORK_TREE": layout.root, **more}
