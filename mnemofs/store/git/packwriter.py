"""Writing one pack: whole objects, and objects as small differences from one written before.

From git's pack format (gitformat-pack): pack version 2, index version 2, offset deltas.
"""

from __future__ import annotations

import os
import struct
import zlib
from hashlib import sha1
from typing import Final, NamedTuple

from mnemofs.store.disk.durable import create, sync, sync_folders
from mnemofs.store.disk.files import unlink_quietly
from mnemofs.store.git.objects import hash_object

_KINDS: Final = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_OFFSET_DELTA: Final = 6
_COMPRESSION: Final = 1
_DEEPEST: Final = 40
_BUFFER: Final = 1 << 20
_LONG_OFFSET: Final = 0x80000000


class Written(NamedTuple):
    """An object of this pack: its id, place, bytes, and how long its chain of deltas is."""

    id: str
    offset: int
    content: bytes
    depth: int


class PackWriter:
    """One pack that is being written below `objects/pack`; nothing is seen of it until `finish`.

    temp_dir: where it grows, on the same file system.
    """

    def __init__(self, objects_dir: str, temp_dir: str) -> None:
        self._folder = os.path.join(objects_dir, "pack")
        self._temp = os.path.join(temp_dir, "purge.pack")
        self._descriptor = create(self._temp, 0o444)
        self._file = open(self._descriptor, "r+b", buffering=_BUFFER)  # noqa: SIM115
        self._file.write(b"PACK" + struct.pack(">II", 2, 0))
        self._offset = 12
        self._rows: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, kind: str, content: bytes, like: Written | None = None) -> Written:
        """Add an object. like: an object of this pack of the same kind that resembles it."""
        object_id = hash_object(kind, content)
        if object_id in self._rows:
            return Written(object_id, self._rows[object_id][0], content, 0)
        depth = 0
        packed = b""
        if like is not None and like.depth < _DEEPEST and like.id != object_id:
            delta = _delta(like.content, content)
            if len(delta) * 2 < len(content):
                depth = like.depth + 1
                packed = _head(_OFFSET_DELTA, len(delta)) + _back(self._offset - like.offset)
                packed += zlib.compress(delta, _COMPRESSION)
        if not packed:
            packed = _head(_KINDS[kind], len(content)) + zlib.compress(content, _COMPRESSION)
        self._file.write(packed)
        self._rows[object_id] = self._offset, zlib.crc32(packed)
        written = Written(object_id, self._offset, content, depth)
        self._offset += len(packed)
        return written

    def finish(self) -> str | None:
        """Put the pack in its place, durably; its file name, None when it is empty."""
        if not self._rows:
            self.discard()
            return None
        self._file.seek(8)
        self._file.write(struct.pack(">I", len(self._rows)))
        self._file.flush()
        self._file.seek(0)
        digest = sha1(usedforsecurity=False)
        while block := self._file.read(_BUFFER):
            digest.update(block)
        self._file.write(digest.digest())
        self._file.flush()
        sync(self._descriptor)
        self._file.close()
        name = os.path.join(self._folder, f"pack-{digest.hexdigest()}")
        temp = self._temp[: -len("pack")] + "idx"
        with open(create(temp, 0o444), "wb") as file:
            file.write(_index(self._rows, digest.digest()))
            file.flush()
            sync(file.fileno())
        os.makedirs(self._folder, exist_ok=True)
        os.replace(self._temp, name + ".pack")
        os.replace(temp, name + ".idx")  # the index last: with it the pack exists
        sync_folders([self._folder])
        return name + ".pack"

    def discard(self) -> None:
        """Forget everything written."""
        self._file.close()
        unlink_quietly(self._temp)


def _head(kind: int, size: int) -> bytes:
    byte, size = (kind << 4) | (size & 15), size >> 4
    out = bytearray()
    while size:
        out.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    out.append(byte)
    return bytes(out)


def _back(distance: int) -> bytes:
    out = [distance & 0x7F]
    distance >>= 7
    while distance:
        distance -= 1
        out.append(0x80 | (distance & 0x7F))
        distance >>= 7
    return bytes(reversed(out))


def _delta(base: bytes, content: bytes) -> bytes:
    """Instructions that make `content` of `base`: its common head, what is new, its common tail."""
    head = _common(base, content)
    most = min(len(base), len(content)) - head
    tail = _common(base[len(base) - most :][::-1], content[len(content) - most :][::-1])
    middle = content[head : len(content) - tail]
    out = [_varint(len(base)), _varint(len(content)), _copy(0, head)]
    out += (
        bytes([len(piece)]) + piece
        for piece in (middle[at : at + 127] for at in range(0, len(middle), 127))
    )
    out.append(_copy(len(base) - tail, tail))
    return b"".join(out)


def _common(one: bytes, other: bytes) -> int:
    """How many bytes two byte strings begin with in common."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _copy(offset: int, size: int) -> bytes:
    out = b""
    while size:
        step = min(size, 0xFFFF)
        place, length = offset.to_bytes(4, "little"), step.to_bytes(2, "little")
        flags, rest = 0x80, bytearray()
        for bit in range(4):
            if place[bit]:
                flags |= 1 << bit
                rest.append(place[bit])
        for bit in range(2):
            if length[bit]:
                flags |= 0x10 << bit
                rest.append(length[bit])
        out += bytes([flags]) + bytes(rest)
        offset, size = offset + step, size - step
    return out


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(0x80 | (number & 0x7F))
        number >>= 7
    out.append(number)
    return bytes(out)


def _index(rows: dict[str, tuple[int, int]], pack_digest: bytes) -> bytes:
    ids = sorted(rows)
    counts = [0] * 256
    for object_id in ids:
        counts[int(object_id[:2], 16)] += 1
    fanout, total = [], 0
    for count in counts:
        total += count
        fanout.append(total)
    wide: list[int] = []
    offsets = []
    for object_id in ids:
        offset = rows[object_id][0]
        if offset < _LONG_OFFSET:
            offsets.append(offset)
        else:
            offsets.append(_LONG_OFFSET | len(wide))
            wide.append(offset)
    body = b"".join(
        (
            b"\xfftOc" + struct.pack(">I", 2),
            struct.pack(">256I", *fanout),
            bytes.fromhex("".join(ids)),
            struct.pack(f">{len(ids)}I", *(rows[object_id][1] for object_id in ids)),
            struct.pack(f">{len(ids)}I", *offsets),
            struct.pack(f">{len(wide)}Q", *wide),
            pack_digest,
        )
    )
    return body + sha1(body, usedforsecurity=False).digest()
