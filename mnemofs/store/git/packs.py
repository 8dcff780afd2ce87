"""Reading git packs without dulwich: an index lookup, an inflate, and deltas applied.

Written from git's pack format (gitformat-pack): index versions 1 and 2, offset and reference
deltas. Importing dulwich costs 50 ms of CPU, several times what a whole commit costs here.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator

from mnemofs.errors import CorruptStore
from mnemofs.systems import READ

_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFFSET_DELTA = 6
_REFERENCE_DELTA = 7
_INDEX_MAGIC = b"\xfftOc"
_LONG_OFFSET = 0x80000000


class Pack:
    """One pack file and its index, mapped into memory. Safe to use from several threads.

    path: the `.pack` file. Raises FileNotFoundError when either file is gone (a repack) and
    CorruptStore when the index is of no known form.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._index = _mapped(path[: -len(".pack")] + ".idx")
        self._data: mmap.mmap | None = None
        if self._index[:4] == _INDEX_MAGIC:
            version = struct.unpack_from(">I", self._index, 4)[0]
            if version != 2:
                raise CorruptStore(f"pack index version {version} is not known", path=path)
            self._fanout, self._stride, self._ids = 8, 20, 8 + 1024
        else:
            self._fanout, self._stride, self._ids = 0, 24, 1024 + 4
        self.count: int = struct.unpack_from(">I", self._index, self._fanout + 1020)[0]

    def close(self) -> None:
        """Release the maps."""
        self._index.close()
        if self._data is not None:
            self._data.close()

    def find(self, raw_id: bytes) -> int | None:
        """The offset of an object (20 raw bytes), None when the pack does not hold it."""
        row = self._row(raw_id)
        if row >= self.count or self._id(row) != raw_id:
            return None
        if self._stride == 24:
            return int(struct.unpack_from(">I", self._index, 1024 + 24 * row)[0])
        offsets = self._ids + 24 * self.count
        offset = int(struct.unpack_from(">I", self._index, offsets + 4 * row)[0])
        if offset & _LONG_OFFSET:
            wide = offsets + 4 * self.count + 8 * (offset & ~_LONG_OFFSET)
            offset = int(struct.unpack_from(">Q", self._index, wide)[0])
        return offset

    def starting_with(self, low: bytes, prefix: str) -> Iterator[str]:
        """Ids (hex) that begin with `prefix`; `low` is the prefix padded with zeros to 20 bytes."""
        row = self._row(low)
        while row < self.count:
            found = self._id(row).hex()
            if not found.startswith(prefix):
                return
            yield found
            row += 1

    def read(self, offset: int) -> tuple[int | bytes | None, int, bytes]:
        """One entry: (base, kind, bytes).

        base: None for a whole object, an offset or a raw id for a delta whose instructions are the
        bytes; kind: the entry's type number.
        """
        if self._data is None:
            self._data = _mapped(self.path)
        data = self._data
        position = offset
        byte = data[position]
        kind, size, shift = (byte >> 4) & 7, byte & 15, 4
        while byte & 0x80:
            position += 1
            byte = data[position]
            size |= (byte & 0x7F) << shift
            shift += 7
        position += 1
        base: int | bytes | None = None
        if kind == _OFFSET_DELTA:
            byte = data[position]
            back = byte & 0x7F
            while byte & 0x80:
                position += 1
                byte = data[position]
                back = ((back + 1) << 7) | (byte & 0x7F)
            position += 1
            base = offset - back
        elif kind == _REFERENCE_DELTA:
            base = data[position : position + 20]
            position += 20
        content = _inflate(data, position, size)
        return base, kind, content

    def _row(self, raw_id: bytes) -> int:
        first = raw_id[0]
        start = self._fan(first - 1) if first else 0
        return bisect_left(_Ids(self), raw_id, start, self._fan(first))

    def _fan(self, byte: int) -> int:
        return int(struct.unpack_from(">I", self._index, self._fanout + 4 * byte)[0])

    def _id(self, row: int) -> bytes:
        start = self._ids + self._stride * row
        return self._index[start : start + 20]


class _Ids:
    """The sorted ids of a pack as a sequence, for bisect."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack

    def __len__(self) -> int:
        return self._pack.count

    def __getitem__(self, row: int) -> bytes:
        return self._pack._id(row)


def kind_name(kind: int) -> str:
    """The object kind of a pack entry's type number."""
    return _KINDS[kind]


def apply_delta(base: bytes, delta: bytes) -> bytes:
    """The object that `delta` describes over `base` (gitformat-pack, deltified form)."""
    position, _ = _varint(delta, 0)
    position, size = _varint(delta, position)
    out = []
    end = len(delta)
    while position < end:
        instruction = delta[position]
        position += 1
        if instruction & 0x80:
            offset = length = 0
            for bit in range(4):
                if instruction & (1 << bit):
                    offset |= delta[position] << (8 * bit)
                    position += 1
            for bit in range(3):
                if instruction & (0x10 << bit):
                    length |= delta[position] << (8 * bit)
                    position += 1
            length = length or 0x10000
            out.append(base[offset : offset + length])
        else:
            out.append(delta[position : position + instruction])
            position += instruction
    result = b"".join(out)
    if len(result) != size:
        raise CorruptStore("a delta in a pack does not fit its base", hint="run `git fsck`")
    return result


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return position, value


def _inflate(data: mmap.mmap, position: int, size: int) -> bytes:
    decompressor = zlib.decompressobj()
    out = b""
    # Deflated data may be longer than its content by a few bytes per block; feed it in pieces.
    step = size + 64
    while not decompressor.eof and position < len(data):
        out += decompressor.decompress(data[position : position + step])
        position += step
    if len(out) != size:
        raise CorruptStore("an object in a pack is damaged", hint="run `git fsck`")
    return out


def _mapped(path: str) -> mmap.mmap:
    descriptor = os.open(path, READ)
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)
