"""Operating-system errors in words: storage full, no permission (CON-04, CON-05)."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from mnemofs.errors import PermissionRefused, StorageFull, StoreError

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@contextmanager
def storage_errors(path: str) -> Iterator[None]:
    """Turn an OSError of the block into StorageFull, PermissionRefused or StoreError.

    path: what the message names when the error itself names no file.
    """
    try:
        yield
    except OSError as error:
        raise in_words(error, path) from error


def in_words(error: OSError, path: str, state: str = "the old bytes are intact") -> StoreError:
    """The error of ours that an OSError stands for. state: what is true of the text now."""
    if error.errno in _FULL:
        return StorageFull(
            f"there is no space left to write {path}; {state}",
            hint="free some space, then repeat the write",
            path=path,
        )
    reason = (error.strerror or type(error).__name__).lower()
    if error.errno in _REFUSED:
        return PermissionRefused(
            f"{path} cannot be written: {reason}; {state}",
            hint="check the owner and mode of the file and its folder",
            path=path,
        )
    return StoreError(f"{path} cannot be written: {reason}; {state}", path=path)
