"""The note a write leaves before it touches anything, so that the next one can finish it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mnemofs.store.disk.files import read_file, write_all
from mnemofs.store.git.layout import Layout
from mnemofs.systems import WRITE


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
    """The intent file of one work tree, written over in place. Needs the write lock.

    One `write` call makes the note whole whatever kills us, and an emptied file costs the disk
    less than one that is made and removed with every commit.
    """

    def __init__(self, layout: Layout) -> None:
        self._path = os.path.join(layout.state_dir, "intent")

    def write(self, ref: str, commit: str, rows: Sequence[IntentRow]) -> None:
        """Note what is about to happen."""
        text = json.dumps({"ref": ref, "commit": commit, "files": rows})
        self._put(text.encode("utf-8", "surrogateescape"))

    def exists(self) -> bool:
        """Whether a write was interrupted."""
        try:
            return os.stat(self._path).st_size > 0
        except FileNotFoundError:
            return False

    def read(self) -> Unfinished | None:
        """The note; None when there is none or it cannot be understood."""
        content = read_file(self._path)
        if not content:
            return None
        try:
            data = json.loads(content.partition(b"\n")[0].decode("utf-8", "surrogateescape"))
            rows = tuple(IntentRow(*row) for row in data["files"])
            return Unfinished(data["ref"], data["commit"], rows)
        except (ValueError, KeyError, TypeError):
            return None

    def clear(self) -> None:
        """The write is finished, or undone."""
        self._put(b"")

    def _put(self, content: bytes) -> None:
        descriptor = os.open(self._path, WRITE, 0o666)
        try:
            if content:  # the first line counts, so an older, longer note cannot spoil it
                write_all(descriptor, content + b"\n")
            os.ftruncate(descriptor, len(content) + 1 if content else 0)
        finally:
            os.close(descriptor)
