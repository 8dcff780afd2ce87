"""Git's index file: read as a stat cache, and changed entry by entry without disturbing the rest.

Versions 2, 3 and 4 are read and written here (gitformat-index). A user's staged entries stay as
they are. Extensions that cache something derived from the entries (TREE above all: a stale one
makes git commit old trees) are dropped; git rebuilds them.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha1

from mnemofs.errors import CorruptStore
from mnemofs.store.git.trees import Entry

_FIXED = struct.Struct(">10I20sH")
_SIZE = _FIXED.size  # 62
_EXTENDED = 0x4000
_ASSUME_VALID = 0x8000
_NAME_MASK = 0xFFF
_STAGE_MASK = 0x3000
_SPECIAL = _STAGE_MASK | _EXTENDED
_SKIP_WORKTREE = 0x4000  # in the second flag word
_INTENT_TO_ADD = 0x2000
_ANNOUNCED = _INTENT_TO_ADD >> 8
_KEPT_EXTENSIONS = frozenset({b"REUC"})
_CACHES = frozenset({b"TREE", b"UNTR", b"FSMN", b"EOIE", b"IEOT"})
_EMPTY = b"DIRC" + struct.pack(">II", 2, 0)
_MASK32 = 0xFFFFFFFF
# Bytes of two indexes that are compared at a time.
_WINDOW = 8192
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


# What the index knows of one path at stage 0, as the fixed part of its entry has it: ctime and its
# nanoseconds, mtime and its nanoseconds, device, inode, mode, user, group, size, raw id, flags.
# A bare tuple: a workspace of 10 000 notes makes 10 000 of them for every look at it.
IndexFields = tuple[int, int, int, int, int, int, int, int, int, int, bytes, int]


class NeedsGit(Exception):
    """The index has a form that only git itself changes (split, sparse, or unknown)."""


class GitIndex:
    """An index file's bytes with the place of every entry. Immutable; `changed` makes another."""

    def __init__(self, data: bytes | None, *, verify: bool = True) -> None:
        """data: the file, None when there is none. Raises CorruptStore and NeedsGit."""
        if data is None:
            data = _EMPTY + _digest(_EMPTY)
        if len(data) < 32 or data[:4] != b"DIRC":
            raise _corrupt()
        self.data = data
        self.version, self.count = struct.unpack_from(">II", data, 4)
        if self.version not in (2, 3, 4):
            raise NeedsGit
        self._unhashed = data[-20:] == bytes(20)  # index.skipHash
        if verify and not self._unhashed and _digest(data[:-20]) != data[-20:]:
            raise _corrupt()
        self._names: list[bytes] = []
        self._starts: list[int] = []  # one more than names: where the extensions begin
        self._find_entries()
        self.unmerged: frozenset[str] = frozenset()
        self.skipped: frozenset[str] = frozenset()

    @classmethod
    def after(cls, before: GitIndex, data: bytes) -> tuple[GitIndex, list[str]] | None:
        """An index that lists what `before` lists, and the paths whose entry is another one; None
        when more has changed than that. A commit of one file is such a change, and needs no second
        look at ten thousand entries. The trailing checksum is not verified.
        """
        end = before._starts[-1]
        if before.version == 4 or data[:12] != before.data[:12] or len(data) < end + 20:
            return None
        old, starts, names = before.data, before._starts, before._names
        paths: list[str] = []
        row = 0
        for window in range(12, end, _WINDOW):
            stop = min(window + _WINDOW, end)
            if data[window:stop] == old[window:stop]:
                continue
            row = max(row, bisect_right(starts, window) - 1)
            while row < len(names) and starts[row] < stop:
                start, finish = starts[row], starts[row + 1]
                if data[start:finish] != old[start:finish]:
                    rest = slice(start + _SIZE - 2, finish)  # flags and name
                    if data[rest] != old[rest] or data[start + 60] & (_SPECIAL >> 8):
                        return None
                    paths.append(names[row].decode("utf-8", "surrogateescape"))
                row += 1
        made = cls.__new__(cls)
        made.data, made.version, made.count = data, before.version, before.count
        made._unhashed, made._names, made._starts = data[-20:] == bytes(20), names, starts
        made.unmerged, made.skipped = before.unmerged, before.skipped
        return made, paths

    def fields(self, path: str) -> IndexFields:
        """The fixed part of the entry of a path that the index lists once."""
        row = bisect_left(self._names, path.encode("utf-8", "surrogateescape"))
        return _FIXED.unpack_from(self.data, self._starts[row])

    def entries(self) -> dict[str, IndexFields]:
        """Entries at stage 0 by path (surrogate escapes where not UTF-8).

        Fills `unmerged`, `skipped` (skip-worktree: absence on disk means nothing) and leaves out
        what `git add -N` announced, which has no content yet.
        """
        found: dict[str, IndexFields] = {}
        unmerged, skipped = set(), set()
        unpack, data, special = _FIXED.unpack_from, self.data, _SPECIAL
        for name, start in zip(self._names, self._starts, strict=False):
            entry: IndexFields = unpack(data, start)
            path = name.decode("utf-8", "surrogateescape")
            if entry[11] & special:
                if entry[11] & _STAGE_MASK:
                    unmerged.add(path)
                    continue
                extra = struct.unpack_from(">H", data, start + _SIZE)[0]
                if extra & _SKIP_WORKTREE:
                    skipped.add(path)
                if extra & _INTENT_TO_ADD:
                    continue
            found[path] = entry
        self.unmerged, self.skipped = frozenset(unmerged), frozenset(skipped)
        return found

    def skips(self, path: str) -> bool:
        """Whether the absence of a path from the disk means nothing, once `entries` were read: it
        is skipped itself, or a folder that a sparse index names as a whole."""
        if not self.skipped or path in self.skipped:
            return bool(self.skipped)
        return any(path[: at + 1] in self.skipped for at, char in enumerate(path) if char == "/")

    def standing(self, paths: Iterable[str]) -> tuple[dict[str, str], set[str]]:
        """Of some paths: the ids the index holds, and those whose conflict is unresolved.

        What `git add -N` announced has no content yet and is left out.
        """
        ids: dict[str, str] = {}
        unmerged: set[str] = set()
        for path in paths:
            for row in range(*self._rows(path.encode("utf-8", "surrogateescape"))):
                start = self._starts[row]
                flags = self.data[start + 60]
                if flags & (_STAGE_MASK >> 8):
                    unmerged.add(path)
                elif not (flags & (_EXTENDED >> 8) and self.data[start + 62] & _ANNOUNCED):
                    ids[path] = self.data[start + 40 : start + 60].hex()
        return ids, unmerged

    def is_foreign(self) -> bool:
        """Whether only git can change it: split, sparse, or with an extension unknown to us."""
        try:
            self._kept_extensions()
        except NeedsGit:
            return True
        return False

    def changed(self, changes: Mapping[str, tuple[Entry, StatData] | None]) -> GitIndex:
        """The index with entries set, or dropped where the value is None.

        All stages of a changed path become one entry at stage 0; entries in the way (a file where
        a folder is needed, or the reverse) are dropped. Raises NeedsGit.
        """
        extensions = self._kept_extensions()
        runs = self._plan(
            {path.encode("utf-8", "surrogateescape"): value for path, value in changes.items()}
        )
        out: list[bytes] = [b""]
        names: list[bytes] = []
        starts: list[int] = []
        size = 12
        copied = 0  # first old row that is not in `out` yet

        def add(name: bytes, encoded: bytes) -> None:
            nonlocal size
            starts.append(size)
            names.append(name)
            out.append(encoded)
            size += len(encoded)

        def copy(until: int) -> None:
            nonlocal copied, size
            if self.version == 4 and copied < until:
                before = self._names[copied - 1] if copied else b""
                last_name = names[-1] if names else b""
                if last_name != before:  # it was compressed against a name that is not there now
                    add(self._names[copied], self._again(copied, last_name))
                    copied += 1
            if copied < until:
                begin, end = self._starts[copied], self._starts[until]
                shift = size - begin
                rows = self._starts[copied:until]
                starts.extend([start + shift for start in rows] if shift else rows)
                names.extend(self._names[copied:until])
                out.append(self.data[begin:end])
                size += end - begin
                copied = until

        for first, last, fresh in runs:
            copy(first)
            for name, value in fresh:
                add(name, _encode(name, *value, self.version, names[-1] if names else b""))
            copied = last
        copy(self.count)
        starts.append(size)
        out[0] = b"DIRC" + struct.pack(">II", self.version, len(names))
        body = b"".join([*out, extensions])
        trailer = bytes(20) if self._unhashed else _digest(body)
        made = GitIndex.__new__(GitIndex)
        made.data, made.version, made.count = body + trailer, self.version, len(names)
        made._unhashed, made._names, made._starts = self._unhashed, names, starts
        made.unmerged = made.skipped = frozenset()
        return made

    def _plan(
        self, wanted: Mapping[bytes, tuple[Entry, StatData] | None]
    ) -> list[tuple[int, int, list[tuple[bytes, tuple[Entry, StatData]]]]]:
        """Runs of old rows, in order, and the entries that take the place of each."""
        replaced: dict[tuple[int, int], list[tuple[bytes, tuple[Entry, StatData]]]] = {}
        for name in sorted(wanted):
            value = wanted[name]
            rows = self._rows(name)
            replaced.setdefault(rows, [])
            if value is None:
                continue
            replaced[rows].append((name, value))
            parts = name.split(b"/")
            for depth in range(1, len(parts)):  # files where folders are needed
                above = self._rows(b"/".join(parts[:depth]))
                if above[0] < above[1]:
                    replaced.setdefault(above, [])
            for row in range(  # files below what is a file now
                bisect_left(self._names, name + b"/"), bisect_left(self._names, name + b"0")
            ):
                replaced.setdefault((row, row + 1), [])
        return sorted((first, last, fresh) for (first, last), fresh in replaced.items())

    def _rows(self, name: bytes) -> tuple[int, int]:
        first = bisect_left(self._names, name)
        last = first
        while last < self.count and self._names[last] == name:
            last += 1
        return first, last

    def _find_entries(self) -> None:
        data, position, limit = self.data, 12, len(self.data) - 20
        names, starts, version = self._names, self._starts, self.version
        previous = b""
        for _ in range(self.count):
            if position + _SIZE > limit:
                raise _corrupt()
            starts.append(position)
            high = data[position + 60]
            begin = position + (_SIZE + 2 if high & 0x40 else _SIZE)
            if version == 4:
                begin, strip = _varint(data, begin)
                finish = data.index(b"\0", begin)
                previous = previous[: len(previous) - strip] + data[begin:finish]
                names.append(previous)
                position = finish + 1
                continue
            length = ((high << 8) | data[position + 61]) & _NAME_MASK
            finish = begin + length if length < _NAME_MASK else data.index(b"\0", begin)
            names.append(data[begin:finish])
            position += (finish - position + 8) & ~7
        if position > limit:
            raise _corrupt()
        starts.append(position)

    def _kept_extensions(self) -> bytes:
        kept = []
        position, limit = self._starts[-1], len(self.data) - 20
        while position + 8 <= limit:
            signature = self.data[position : position + 4]
            length = struct.unpack_from(">I", self.data, position + 4)[0]
            following = position + 8 + length
            if signature in _KEPT_EXTENSIONS:
                kept.append(self.data[position:following])
            elif signature not in _CACHES and not signature[:1].isupper():
                raise NeedsGit  # "link" (split), "sdir" (sparse), or required and unknown
            position = following
        return b"".join(kept)

    def _again(self, row: int, previous: bytes) -> bytes:
        """A kept entry of version 4, compressed against another name than before."""
        start = self._starts[row]
        size = _SIZE + (2 if self.data[start + 60] & 0x40 else 0)
        return self.data[start : start + size] + _compressed(self._names[row], previous)


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


def _digest(data: bytes) -> bytes:
    return sha1(data, usedforsecurity=False).digest()


def _corrupt() -> CorruptStore:
    return CorruptStore(
        "the index of the repository is damaged",
        hint="move .git/index away; the next write makes a new one from HEAD",
    )
