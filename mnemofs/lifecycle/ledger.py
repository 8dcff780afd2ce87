"""The ledger: one JSON object for each event that is neither prose nor derivable, one file a month.

`ledger/YYYY-MM.jsonl` is tracked and only ever appended to, so that two machines merge it by union.
Every event has `id`, `time` (ISO 8601 with zone) and `kind`; the other keys are the kind's own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Set
from datetime import datetime
from typing import Any

from mnemofs.errors import NotFound, UnsafeName
from mnemofs.names import open_regular

FOLDER = "ledger"


def ledger_path(at: datetime) -> str:
    """The repository path of the month's ledger."""
    return f"{FOLDER}/{at:%Y-%m}.jsonl"


def ledger_files(root: str, *, newest_first: bool = False) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of the ledger files on disk, by month; what is no plain file is none.

    Raises PermissionRefused: an unread ledger is not an empty one.
    """
    try:
        names = sorted(os.listdir(os.path.join(root, FOLDER)), reverse=newest_first)
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        if name.endswith(".jsonl"):
            path = f"{FOLDER}/{name}"
            try:
                data = open_regular(root, path)
            except (NotFound, UnsafeName):  # SEC-02: a link, a folder, a pipe
                continue
            yield path, data


def ledger_state(root: str) -> tuple[tuple[str, int, int, int], ...]:
    """Another value whenever a file of the ledger on disk is another: they are replaced whole."""
    found = []
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for name in os.listdir(os.path.join(root, FOLDER)):
            seen = os.lstat(os.path.join(root, FOLDER, name))
            found.append((name, seen.st_ino, seen.st_mtime_ns, seen.st_size))
    return tuple(sorted(found))


def event(kind: str, at: datetime, details: Mapping[str, Any]) -> dict[str, Any]:
    """An event; its id is a hash of all that it says."""
    body = {"kind": kind, "time": at.isoformat(timespec="seconds"), **details}
    digest = hashlib.sha256(_line(body).encode()).hexdigest()
    return {"id": digest[:16], **body}


def append_event(data: bytes | None, happened: Mapping[str, Any]) -> bytes:
    """The ledger's bytes with the event at the end; one that stands there is not added twice."""
    line = _line(happened).encode()
    present = data or b""
    if line in present.split(b"\n"):
        return present
    gap = b"\n" if present and not present.endswith(b"\n") else b""
    return present + gap + line + b"\n"


def events(data: bytes | None, kind: str) -> Iterator[dict[str, Any]]:
    """Events of one kind, oldest first as they stand; lines that are no events are passed over."""
    for line in (data or b"").split(b"\n"):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and found.get("kind") == kind:
            yield found


def without_entries(data: bytes | None, ids: Set[str]) -> bytes | None:
    """The ledger without these entry ids, in lists and as keys.

    An id is a hash that everybody can compute: where a statement was forgotten, it would tell
    whoever guesses the statement that it stood here (I7).
    """
    if data is None or not any(one.encode() in data for one in ids):
        return data
    out = []
    for line in data.split(b"\n"):
        if any(one.encode() in line for one in ids):
            with contextlib.suppress(ValueError, RecursionError):
                line = _line(_pruned(json.loads(line), ids)).encode()
        out.append(line)
    return b"\n".join(out)


def _pruned(value: Any, ids: Set[str]) -> Any:
    if isinstance(value, dict):
        return {
            name: _pruned(inner, ids)
            for name, inner in value.items()
            if name not in ids and not _is_one(inner, ids)
        }
    if isinstance(value, list):
        return [_pruned(inner, ids) for inner in value if not _is_one(inner, ids)]
    return value


def _is_one(value: Any, ids: Set[str]) -> bool:
    return isinstance(value, str) and value in ids


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
