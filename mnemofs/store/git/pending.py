"""Objects of one write, safe on the disk before anything points at them.

Everything one commit needs is written to temporary files, synced together in parallel (four files
cost about one), renamed into place, and the folders are synced likewise. Only then may a ref move.
"""

from __future__ import annotations

import os
import time
import zlib
from hashlib import sha1

from mnemofs.store.disk.durable import MAX_OPEN, create, sync_all, sync_folders
from mnemofs.store.disk.files import unlink_quietly, write_all
from mnemofs.store.git.objects import Objects
from mnemofs.systems import READ

_COMPRESSION = 1  # git's own level for loose objects
_SMALL = 8192  # bytes; beyond the smaller window, but texts repeat nearby
_YOUNG = 60.0  # seconds
_FOLDER_TRIES = 5


class Pending:
    """Objects of one write, on their way to the disk. Needs the write lock.

    temp_dir: on the same file system as the objects; what a dead process leaves there is litter.
    """

    def __init__(self, objects: Objects, temp_dir: str, durable: bool) -> None:
        self._objects = objects
        self._temp_dir = temp_dir
        self._durable = durable
        self._waiting: list[tuple[str, str]] = []  # temp, final
        self._known: set[str] = set()
        self._made: list[tuple[str, str, bytes]] = []  # id, kind, content
        self._open: list[int] = []
        self.folders: set[str] = set()

    def add(self, kind: str, content: bytes) -> str:
        """Write an object to a temporary file (unless it is stored already); its id."""
        header = b"%s %d\0" % (kind.encode(), len(content))
        digest = sha1(header, usedforsecurity=False)
        digest.update(content)
        object_id = digest.hexdigest()
        folder = os.path.join(self._objects.directory, object_id[:2])
        if object_id in self._known:
            return object_id
        self._made.append((object_id, kind, content))
        if self._objects.has(object_id, look_again=False):
            self._sync_if_young(os.path.join(folder, object_id[2:]))
            return object_id
        temp = os.path.join(self._temp_dir, f"object-{object_id}")
        packed = _packed(header, content)
        descriptor = create(temp, 0o444)
        self._waiting.append((temp, os.path.join(folder, object_id[2:])))
        self._known.add(object_id)
        try:
            write_all(descriptor, packed)
        finally:
            self.sync_also(descriptor)
        return object_id

    def _sync_if_young(self, path: str) -> None:
        """git itself may have written this object a moment ago, and it does not sync them."""
        try:
            if os.stat(path).st_mtime < time.time() - _YOUNG:
                return
            descriptor = os.open(path, READ)
        except FileNotFoundError:
            return  # packed, or borrowed
        self.folders.add(os.path.dirname(path))
        self.sync_also(descriptor)

    def sync_also(self, descriptor: int) -> None:
        """Have a file (closed here) synced with the rest."""
        self._open.append(descriptor)
        if len(self._open) >= MAX_OPEN:
            self._sync()

    def place(self) -> None:
        """Sync everything added and rename the objects into place.

        The folders are synced by `settle`, after the caller's own renames (who adds to `folders`).
        """
        self._sync()
        for temp, final in self._waiting:
            folder = os.path.dirname(final)
            for _ in range(_FOLDER_TRIES):  # git's prune removes the ones that are empty
                try:
                    os.replace(temp, final)
                    break
                except FileNotFoundError:
                    os.makedirs(folder, exist_ok=True)
                    self.folders.add(os.path.dirname(folder))
            else:
                os.replace(temp, final)
            self.folders.add(folder)
        self._waiting = []

    def settle(self) -> None:
        """Sync the folders that received something: after this nothing can be missing."""
        folders, self.folders = self.folders, set()
        if self._durable:
            sync_folders(folders)

    def confirm(self) -> None:
        """Store again what somebody pruned (`git gc --prune=now`) before a ref led to it."""
        lost = [one for one in self._made if not self._objects.has(one[0])]
        self._known.clear()
        self._made = []
        for _, kind, content in lost:
            self.add(kind, content)
        if lost:
            self.place()
            self.settle()

    def discard(self) -> None:
        """Forget what was not placed."""
        for temp, _ in self._waiting:
            unlink_quietly(temp)
        self._waiting = []
        self._close()

    def _sync(self) -> None:
        try:
            if self._durable:
                sync_all(self._open)
        finally:
            self._close()

    def _close(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
        self._open = []


def _packed(header: bytes, content: bytes) -> bytes:
    """A loose object's bytes. A window as small as the text: clearing the usual one takes longer
    than all else about a small object."""
    small = len(content) <= _SMALL
    compressor = (
        zlib.compressobj(_COMPRESSION, zlib.DEFLATED, 12, 5)
        if small
        else zlib.compressobj(_COMPRESSION)
    )
    return compressor.compress(header) + compressor.compress(content) + compressor.flush()
