"""What a part of the lifecycle keeps for this machine: one JSON value in a file of `.mnemofs`.

Losing such a file costs work done twice, never a memory: what cannot be read counts as absent.
"""

from __future__ import annotations

import json
import os
from typing import Any

from mnemofs.store.disk.durable import sync_folders
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.disk.files import read_file, unlink_quietly


def load(path: str) -> Any:
    """The value, None when there is none or it cannot be read."""
    try:
        return json.loads(read_file(path) or b"null")
    except (OSError, ValueError, RecursionError):
        return None


def load_table(path: str) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    found = load(path)
    return found if isinstance(found, dict) else {}


def save(path: str, value: Any, *, sync: bool = False) -> None:
    """Write it in one step; with `sync` it is on the disk when this returns.

    Raises StorageFull, PermissionRefused or StoreError; what stood there before stands then.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.{os.urandom(2).hex()}")
    with storage_errors(path):
        os.makedirs(folder, exist_ok=True)
        try:
            with open(temporary, "w", encoding="utf-8", errors="replace") as file:
                json.dump(value, file, ensure_ascii=False)
                if sync:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            unlink_quietly(temporary)
            raise
        if sync:
            sync_folders([folder])
