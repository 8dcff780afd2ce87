"""Reading many files of one folder: the way to each is not walked anew."""

from __future__ import annotations

import os
import stat

from mnemofs.names import open_regular
from mnemofs.store.disk.files import read_all
from mnemofs.systems import FOLDER, NO_LINK, NO_WAIT, READ

_FILE = READ | NO_LINK | NO_WAIT


class Opener:
    """`open_regular` for one root, by a descriptor of the folder that was read from last."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._folder: str | None = None
        self._descriptor = -1

    def __enter__(self) -> Opener:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._leave()

    def read(self, path: str) -> bytes:
        """The bytes of a regular file. Raises what `open_regular` raises."""
        if os.open in os.supports_dir_fd:
            folder, _, name = path.rpartition("/")
            try:
                if folder != self._folder:
                    self._enter(folder)
                descriptor = os.open(name, _FILE, dir_fd=self._descriptor)
            except OSError:
                return open_regular(self._root, path)  # it knows what is wrong
            try:
                status = os.fstat(descriptor)
                if stat.S_ISREG(status.st_mode):
                    return read_all(descriptor, status.st_size)
            finally:
                os.close(descriptor)
        return open_regular(self._root, path)

    def _enter(self, folder: str) -> None:
        self._leave()
        descriptor = os.open(self._root, READ | FOLDER)
        for part in folder.split("/") if folder else ():
            try:
                inner = os.open(part, READ | FOLDER | NO_LINK, dir_fd=descriptor)
            finally:
                os.close(descriptor)
            descriptor = inner
        self._folder, self._descriptor = folder, descriptor

    def _leave(self) -> None:
        if self._folder is not None:
            os.close(self._descriptor)
            self._folder = None
