"""Git's index file: read as a stat cache, and changed entry by entry without disturbing the rest.

Versions 2, 3 and 4 are read and written here (gitformat-index). A user's staged entries stay as
they are. Extensions that cache something derived from the entries (TREE above all: a stale one
makes git commit old trees) are dropped; git rebuilds them.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha1
from typing import NamedTuple

from mnemofs.errors import CorruptStore
from mnemofs.store.trees import Entry

_FIXED = struct.Struct(">10I20sH")
_SIZE = _FIXED.size  # 62
_EXTENDED = 0x4000
_ASSUME_VALID = 0x8000
_NAME_MASK = 0xFFF
_STAGE_MASK = 0x3000
_SKIP_WORKTREE = 0x4000  # in the second flag word
_INTENT_TO_ADD = 0x2000
_KEPT_EXTENSIONS = frozenset({b"REUC"})
_CACHES = frozenset({b"TREE", b"UNTR", b"FSMN", b"EOIE", b"IEOT"})
_EMPTY = b"DIRC" + struct.pack(">II", 2, 0)
_MASK32 = 0xFFFFFFFF
_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class StatData:
    """The stat fields of an entry, cut to 32 bits as git does. All zero: always looked at again."""

    ctime: tuple[int, int]
    mtime: tuple[int, int]
    device: int
    inode: int
    user: int
    group: int
    size: int


NO_STAT = StatData((0, 0), (0, 0), 0, 0, 0, 0, 0)


class IndexEntry(NamedTuple):
    """What the index knows of one path at stage 0: the fields of its fixed part."""

    ctime: int
    ctime_part: int
    mtime: int
    mtime_part: int
    device: int
    inode: int
    mode: int
    user: int
    group: int
    size: int
    raw_id: bytes
    flags: int

    @property
    def mtime_ns(self) -> int:
        """When the file was written, in nanoseconds."""
        return self.mtime * _SECOND + self.mtime_part

    def matches(self, size: int, mtime_ns: int, inode: int, ctime_ns: int) -> bool:
        """Whether a file with these stat fields is the one that was hashed (if not racy)."""
        return (
            self.mtime * _SECOND + self.mtime_part == mtime_ns
            and self.ctime * _SECOND + self.ctime_part == ctime_ns
            and self.size == size & _MASK32
            and self.inode == inode & _MASK32
        )


class NeedsGit(Exception):
    """The index has a form that only git itself changes (split, sparse, or unknown)."""


class GitIndex:
    """The bytes of an index file, parsed on demand."""

    def __init__(self, data: bytes | None, *, verify: bool = True) -> None:
        """data: the file, None when there is none. Raises CorruptStore."""
        if data is None:
            data = _EMPTY
            data += sha1(data, usedforsecurity=False).digest()
        if len(data) < 32 or data[:4] != b"DIRC":
            raise _corrupt()
        self._data = data
        self.version, self.count = struct.unpack_from(">II", data, 4)
        if self.version not in (2, 3, 4):
            raise NeedsGit
        self._unhashed = data[-20:] == bytes(20)  # index.skipHash
        if (
            verify
            and not self._unhashed
            and sha1(data[:-20], usedforsecurity=False).digest() != data[-20:]
        ):
            raise _corrupt()
        self.unmerged: set[str] = set()
        self.skipped: set[str] = set()
        self.replaced: dict[str, str] = {}

    def entries(self) -> dict[str, IndexEntry]:
        """Entries at stage 0 by path (surrogate escapes where not UTF-8).

        Fills `unmerged`, `skipped` (skip-worktree: absence on disk means nothing) and leaves out
        what `git add -N` announced, which has no content yet.
        """
        found: dict[str, IndexEntry] = {}
        unpack, data, make = _FIXED.unpack_from, self._data, IndexEntry._make
        for name, start, _ in self._spans():
            entry = make(unpack(data, start))
            path = name.decode("utf-8", "surrogateescape")
            if entry.flags & (_STAGE_MASK | _EXTENDED):
                if entry.flags & _STAGE_MASK:
                    self.unmerged.add(path)
                    continue
                extra = struct.unpack_from(">H", data, start + _SIZE)[0]
                if extra & _SKIP_WORKTREE:
                    self.skipped.add(path)
                if extra & _INTENT_TO_ADD:
                    continue
            found[path] = entry
        return found

    def is_split(self) -> bool:
        """Whether entries live in another file or stand for whole folders."""
        try:
            self._kept_extensions(self._end_of_entries())
        except NeedsGit:
            return True
        return False

    def changed(self, changes: Mapping[str, tuple[Entry, StatData] | None]) -> bytes:
        """The index's bytes with entries set, or dropped where the value is None.

        Fills `replaced` with the ids that stood at changed paths, and `unmerged` with those of
        them that wait for a conflict to be resolved. Entries in the way (a file where a folder is
        needed) are dropped. Raises NeedsGit.
        """
        wanted = {path.encode("utf-8", "surrogateescape"): value for path, value in changes.items()}
        blocked = _blocked_by(wanted)
        order = sorted(name for name, value in wanted.items() if value is not None)
        out: list[bytes] = []
        kept_from: int | None = None
        previous = b""  # the name before, as written (version 4 compresses against it)
        stale = False  # the next kept entry of version 4 has to be encoded anew
        position = 0
        end = count = 0

        def flush(upto: int) -> None:
            nonlocal kept_from
            if kept_from is not None:
                out.append(self._data[kept_from:upto])
                kept_from = None

        def insert(name: bytes) -> None:
            nonlocal previous, stale, count
            value = wanted[name]
            assert value is not None
            out.append(_encode(name, *value, self.version, previous))
            previous = name
            stale = True
            count += 1

        for name, start, end in self._spans():
            while position < len(order) and order[position] < name:
                flush(start)
                insert(order[position])
                position += 1
            if name in wanted or name in blocked or _inside_any(name, wanted):
                flush(start)
                stale = True
                if name in wanted:
                    self._note(name, start)
                if position < len(order) and order[position] == name:
                    insert(name)
                    position += 1
                continue
            if stale and self.version == 4:
                flush(start)
                out.append(self._reencoded(start, end, name, previous))
                stale = False
            else:
                if kept_from is None:
                    kept_from = start
                stale = False
            previous = name
            count += 1
        tail = end or 12
        flush(tail)
        for name in order[position:]:
            insert(name)
        body = b"".join(
            [b"DIRC", struct.pack(">II", self.version, count), *out, self._kept_extensions(tail)]
        )
        return body + (bytes(20) if self._unhashed else sha1(body, usedforsecurity=False).digest())

    def _note(self, name: bytes, start: int) -> None:
        path = name.decode("utf-8", "surrogateescape")
        if self._data[start + 60] & (_STAGE_MASK >> 8):
            self.unmerged.add(path)
        else:
            self.replaced[path] = self._data[start + 40 : start + 60].hex()

    def _spans(self) -> Iterator[tuple[bytes, int, int]]:
        """(name, first byte, byte after) of every entry in order."""
        data, position, limit = self._data, 12, len(self._data) - 20
        previous = b""
        for _ in range(self.count):
            start = position
            if start + _SIZE > limit:
                raise _corrupt()
            high = data[start + 60]
            length = ((high << 8) | data[start + 61]) & _NAME_MASK
            begin = start + (_SIZE + 2 if high & 0x40 else _SIZE)
            if self.version == 4:
                begin, strip = _varint(data, begin)
                finish = data.index(b"\0", begin)
                name = previous[: len(previous) - strip] + data[begin:finish]
                position = finish + 1
                previous = name
            else:
                if length == _NAME_MASK:
                    length = data.index(b"\0", begin) - begin
                finish = begin + length
                name = data[begin:finish]
                position = start + ((finish - start + 8) & ~7)
            yield name, start, position

    def _end_of_entries(self) -> int:
        return max((end for _, _, end in self._spans()), default=12)

    def _kept_extensions(self, position: int) -> bytes:
        kept = []
        limit = len(self._data) - 20
        while position + 8 <= limit:
            signature = self._data[position : position + 4]
            length = struct.unpack_from(">I", self._data, position + 4)[0]
            following = position + 8 + length
            if signature in _KEPT_EXTENSIONS:
                kept.append(self._data[position:following])
            elif signature not in _CACHES and not signature[:1].isupper():
                raise NeedsGit  # "link" (split), "sdir" (sparse), or required and unknown
            position = following
        return b"".join(kept)

    def _reencoded(self, start: int, end: int, name: bytes, previous: bytes) -> bytes:
        flags = struct.unpack_from(">H", self._data, start + 60)[0]
        fixed = self._data[start : start + _SIZE + (2 if flags & _EXTENDED else 0)]
        return fixed + _compressed(name, previous)


def stat_data(found: os.stat_result) -> StatData:
    """The fields of a stat as git keeps them."""
    return StatData(
        divmod(found.st_ctime_ns, _SECOND),
        divmod(found.st_mtime_ns, _SECOND),
        found.st_dev,
        found.st_ino,
        found.st_uid,
        found.st_gid,
        found.st_size,
    )


def _encode(name: bytes, entry: Entry, stat: StatData, version: int, previous: bytes) -> bytes:
    mode, object_id = entry
    fixed = _FIXED.pack(
        *(
            value & _MASK32
            for value in (
                *stat.ctime,
                *stat.mtime,
                stat.device,
                stat.inode,
                mode,
                stat.user,
                stat.group,
                stat.size,
            )
        ),
        bytes.fromhex(object_id),
        min(len(name), _NAME_MASK),
    )
    if version == 4:
        return fixed + _compressed(name, previous)
    padding = 8 - (_SIZE + len(name)) % 8
    return fixed + name + bytes(padding)


def _compressed(name: bytes, previous: bytes) -> bytes:
    common = 0
    for one, two in zip(name, previous, strict=False):
        if one != two:
            break
        common += 1
    strip = len(previous) - common
    encoded = [strip & 0x7F]
    while strip := strip >> 7:
        strip -= 1
        encoded.append(0x80 | (strip & 0x7F))
    return bytes(reversed(encoded)) + name[common:] + b"\0"


def _varint(data: bytes, position: int) -> tuple[int, int]:
    byte = data[position]
    position += 1
    value = byte & 0x7F
    while byte & 0x80:
        byte = data[position]
        position += 1
        value = ((value + 1) << 7) | (byte & 0x7F)
    return position, value


def _blocked_by(wanted: Mapping[bytes, object]) -> set[bytes]:
    """Names that would be a file where a wanted path needs a folder."""
    blocked: set[bytes] = set()
    for name, value in wanted.items():
        if value is not None:
            parts = name.split(b"/")
            blocked.update(b"/".join(parts[:depth]) for depth in range(1, len(parts)))
    return blocked


def _inside_any(name: bytes, wanted: Mapping[bytes, object]) -> bool:
    """Whether `name` lies below a wanted path, which is a file now."""
    position = name.rfind(b"/")
    while position > 0:
        if wanted.get(name[:position]) is not None:
            return True
        position = name.rfind(b"/", 0, position)
    return False


def _corrupt() -> CorruptStore:
    return CorruptStore(
        "the index of the repository is damaged",
        hint="move .git/index away; the next write makes a new one from HEAD",
    )
