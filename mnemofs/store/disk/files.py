"""Small file operations without buffering: a commit does dozens of them."""

from __future__ import annotations

import errno
import os

from mnemofs.systems import READ, allow_removal


def unlink_quietly(path: str) -> None:
    """Remove a file that may be gone already, or that git made read-only."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except PermissionError:
        if not allow_removal(path):
            raise
        os.unlink(path)


def read_file(path: str) -> bytes | None:
    """All bytes of a file, None when there is none (or a folder on the way is none)."""
    try:
        descriptor = os.open(path, READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return read_all(descriptor)
    finally:
        os.close(descriptor)


def read_all(descriptor: int, expected: int = 4096) -> bytes:
    """Everything from an open file; `expected` bytes are read at first."""
    content = os.read(descriptor, expected + 1)
    if len(content) <= expected:
        return content
    pieces = [content]
    while content:
        content = os.read(descriptor, 1 << 20)
        pieces.append(content)
    return b"".join(pieces)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of `content`; a short write is the disk being full."""
    view = memoryview(content)
    while view:
        written = os.write(descriptor, view)
        if written == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        view = view[written:]
