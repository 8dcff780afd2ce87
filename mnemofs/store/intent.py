"""The note a write leaves before it touches anything, so that the next one can finish it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mnemofs.store.layout import Layout
from mnemofs.store.locks import unlink_quietly


class IntentRow(NamedTuple):
    """One file of an interrupted write: its spellings, and the blob that stood there before."""

    disk: str
    tracked: str
    before: str | None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An interrupted write: the commit object was, or was about to be, stored."""

    ref: str
    commit: str
    rows: tuple[IntentRow, ...]


class Intent:
    """The intent file of one work tree. Needs the write lock."""

    def __init__(self, layout: Layout) -> None:
        self._path = os.path.join(layout.state_dir, "intent")

    def write(self, ref: str, commit: str, rows: Sequence[IntentRow]) -> None:
        """Note what is about to happen; replaces an earlier note atomically."""
        text = json.dumps({"ref": ref, "commit": commit, "files": rows})
        temp = self._path + ".new"
        with open(temp, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.rename(temp, self._path)

    def exists(self) -> bool:
        """Whether a write was interrupted."""
        return os.path.exists(self._path)

    def read(self) -> Unfinished | None:
        """The note; None when there is none or it cannot be understood."""
        try:
            with open(self._path, encoding="utf-8", errors="surrogateescape") as file:
                data = json.load(file)
            rows = tuple(IntentRow(*row) for row in data["files"])
            return Unfinished(data["ref"], data["commit"], rows)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def clear(self) -> None:
        """The write is finished, or undone."""
        unlink_quietly(self._path)
