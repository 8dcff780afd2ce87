"""What has changed since the index last looked: decided from `stat` alone wherever that is safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mnemofs.names import collisions

# A file written within this time before we looked may change again under the same time stamp
# (FAT counts in two seconds), so its bytes are compared until the stamp has aged.
RACY_NS = 2_000_000_000


class Known(NamedTuple):
    """A file as the index remembers it. blob: None when its bytes could not be used."""

    id: int
    blob: str | None
    size: int
    mtime_ns: int
    ino: int
    seen_ns: int
    problem: str


@dataclass(frozen=True)
class Stat:
    """What `stat` says of a file."""

    size: int
    mtime_ns: int
    ino: int


@dataclass(frozen=True)
class Plan:
    """check: read and compare the bytes. absent: known, but not among the files found."""

    check: tuple[str, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True)
class Freshness:
    """What a refresh did.

    changed, removed: paths whose rows were written or dropped. pending: chunks without a vector
    (0 when no embedder is in use). skipped: (path, reason) of files that cannot be searched.
    complete: False when another process holds the index and newer files may be missing.
    """

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    pending: int = 0
    skipped: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    warnings: tuple[str, ...] = ()


def plan_index(known: Mapping[str, Known], present: Mapping[str, Stat]) -> Plan:
    """Which files to read and which are gone. Pure.

    A file is taken as unchanged only when size, time and inode are those remembered and the time
    was already old when it was read. A file that could not be read is tried again each time.
    """
    check = []
    for path, stat in present.items():
        old = known.get(path)
        if (
            old is None
            or old.mtime_ns != stat.mtime_ns
            or old.size != stat.size
            or old.ino != stat.ino
            or old.seen_ns - old.mtime_ns < RACY_NS
            or old.blob is None
        ):
            check.append(path)
    return Plan(tuple(check), tuple(path for path in known if path not in present))


def unused_spellings(paths: Mapping[str, object]) -> dict[str, str]:
    """Paths that are another file's name in other letters: {path: the one that counts} (TXT-10)."""
    if all(map(str.isascii, paths)) and len({path.lower() for path in paths}) == len(paths):
        return {}
    return collisions(paths)
