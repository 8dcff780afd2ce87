"""What a snapshot holds: the files of a memory that mean the same in another one."""

from __future__ import annotations

import re
from typing import Final

from mnemofs.clock import note_day
from mnemofs.errors import UnsafeName
from mnemofs.names import WELL_KNOWN, check_path

MANIFEST: Final = "manifest.json"
# They tell an agent what to do: from elsewhere they wait for a person.
INSTRUCTIONS: Final = frozenset({"AGENTS.md", "SOUL.md"})
_DIARY: Final = re.compile(r"memory/dreams/\d{4}-(?:0[1-9]|1[0-2])\.md", re.ASCII)
_STRUCTURED: Final = re.compile(r"structured/[^/]+\.md")


def belongs(path: str) -> bool:
    """Whether a repository path is part of a snapshot: always-on files, the diary and its archive,
    notes of real days, structured entries, keyed memories."""
    if path in WELL_KNOWN or note_day(path) is not None:
        return True
    if _DIARY.fullmatch(path) or _STRUCTURED.fullmatch(path):
        return True
    return path.startswith("memories/") and path.endswith(".md")


def as_path(name: str) -> str | None:
    """The repository path that an archive's entry means; None when it is no part of a snapshot.

    Names that could leave the memory or that not every system can hold are none (ZIP-01).
    """
    try:
        path = check_path(name)
    except UnsafeName:
        return None
    return path if belongs(path) else None


def printable(name: str) -> str:
    """A name from an archive as it may be shown: nothing in it moves a cursor or hides."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name[:200])
    return shown + ("…" if len(name) > 200 else "")
