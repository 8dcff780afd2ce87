"""ZIP files: written the same for the same files, read with suspicion.

Declared counts and sizes are only believed when they turn out true: the directory is walked within
its bounds, every entry is inflated with a ceiling, and what is around or between the entries is
refused (ZIP-02). The standard library's reader is lenient on purpose and is not used for reading.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from mnemofs.errors import GuardRefused, UsageError

MAX_ENTRIES: Final = 500
MAX_ENTRY: Final = 1 << 20
MAX_TOTAL: Final = 16 << 20
# What an entry takes in the file besides its content and, twice, its name.
_OVERHEAD: Final = 160
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_END: Final = struct.Struct("<4s4H2LH")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_LONGEST_COMMENT: Final = 0xFFFF
_ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
_UTF8: Final = 0x0800
_UNIX: Final = 3
_STORED, _DEFLATED = 0, 8


class Entry(NamedTuple):
    """One file of an archive. content: None when it cannot be used, and `problem` says why."""

    name: str
    content: bytes | None
    problem: str = ""


class _Header(NamedTuple):
    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    begin: int
    end: int


def write_archives(files: Mapping[str, bytes], manifest: bytes, name: str) -> list[bytes]:
    """Archives that hold `files` in order of name behind the manifest (called `name`): one, or as
    many as it takes for each to stay within what `read_archive` takes.

    The same arguments give the same bytes. Files over MAX_ENTRY are the caller's to leave out.
    """
    parts: list[dict[str, bytes]] = [{}]
    room = allowed = MAX_TOTAL - len(manifest) - 4 * _OVERHEAD
    for path in sorted(files):
        size = len(files[path]) + 2 * len(path.encode()) + _OVERHEAD
        if parts[-1] and (size > room or len(parts[-1]) >= MAX_ENTRIES - 1):
            parts.append({})
            room = allowed
        parts[-1][path] = files[path]
        room -= size
    return [_written({name: manifest, **part}) for part in parts]


def _written(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, _EPOCH)
            info.create_system = _UNIX
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(info, content)
    return buffer.getvalue()


def read_archive(data: bytes) -> tuple[Entry, ...]:
    """The files of an archive in its order, folders left out.

    Raises UsageError when it is no ZIP file or a damaged one, and GuardRefused when it is larger
    than a snapshot may be. Nothing is written anywhere, and an archive inside it stays closed.
    """
    if len(data) > MAX_TOTAL:
        raise _too_much("the file is larger than 16 MiB")
    entries: list[Entry] = []
    total = 0
    for header in _directory(data):
        problem = _problem(header)
        content = None
        if not problem:
            content = _inflated(data, header)
            total += len(content)
        else:
            total += min(header.size, MAX_TOTAL)
        if total > MAX_TOTAL:
            raise _too_much("its files are larger than 16 MiB together")
        if not header.name.endswith("/"):
            entries.append(Entry(header.name, content, problem))
    return tuple(entries)


def _directory(data: bytes) -> list[_Header]:
    end, count, begin = _end(data)
    headers: list[_Header] = []
    at = begin
    for _ in range(count):
        if at + _CENTRAL.size > end:
            raise _damaged("its directory is cut short")
        fields = _CENTRAL.unpack_from(data, at)
        if fields[0] != b"PK\x01\x02":
            raise _damaged("its directory cannot be read")
        after = at + _CENTRAL.size
        raw = data[after : after + fields[10]]
        at = after + sum(fields[10:13])
        headers.append(_header(data, begin, fields, raw))
    if at != end:
        raise _damaged("its directory does not hold what it says")
    _check_layout(headers)
    return headers


def _end(data: bytes) -> tuple[int, int, int]:
    """Where the directory ends, how many entries it has, and where it begins."""
    lowest = max(0, len(data) - _END.size - _LONGEST_COMMENT)
    at = data.rfind(b"PK\x05\x06", lowest)
    while at >= 0:
        if at + _END.size <= len(data):
            _, disk, first, here, count, size, begin, comment = _END.unpack_from(data, at)
            if at + _END.size + comment == len(data):
                break
        at = data.rfind(b"PK\x05\x06", lowest, at)
    else:
        raise _damaged("no end of a directory stands at its end")
    if (disk, first) != (0, 0) or here != count:
        raise _damaged("it is one part of several")
    if count == 0xFFFF or 0xFFFFFFFF in (size, begin):
        raise _too_much("it is a ZIP64 archive")
    if begin + size != at:
        raise _damaged("there is something before or between its parts")
    if count > MAX_ENTRIES:
        raise _too_much(f"it has {count} entries, and {MAX_ENTRIES} are allowed")
    return at, count, begin


def _header(data: bytes, directory: int, fields: tuple[int, ...], raw: bytes) -> _Header:
    flags, method, mode = fields[3], fields[4], fields[15] >> 16
    crc, packed, size, offset = *fields[7:10], fields[16]
    if offset + _LOCAL.size > directory:
        raise _damaged("an entry lies outside of it")
    local = _LOCAL.unpack_from(data, offset)
    begin = offset + _LOCAL.size + local[9] + local[10]
    named = data[offset + _LOCAL.size : offset + _LOCAL.size + local[9]]
    if local[0] != b"PK\x03\x04" or begin + packed > directory:
        raise _damaged("an entry is cut short")
    if named != raw or local[3] != method or (local[2] ^ flags) & _ENCRYPTED:
        raise _damaged("it says two things about one entry")
    return _Header(
        _name(raw, flags), flags, method, crc, packed, size, mode, offset, begin + packed
    )


def _check_layout(headers: Iterable[_Header]) -> None:
    """Entries that share bytes are how a small file becomes a huge one."""
    at = 0
    for number, header in enumerate(sorted(headers, key=lambda one: one.begin)):
        if header.begin < at or (not number and header.begin):
            raise _damaged("there is something before or between its parts")
        at = header.end


def _name(raw: bytes, flags: int) -> str:
    """UTF-8 where it is said or can be read as such, else the code page of old."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("utf-8", "backslashreplace") if flags & _UTF8 else raw.decode("cp437")


def _problem(header: _Header) -> str:
    if header.flags & _ENCRYPTED:
        return "encrypted"
    if header.method not in (_STORED, _DEFLATED):
        return "packed in a way that is not read here"
    kind = stat.S_IFMT(header.mode)
    if kind and not stat.S_ISREG(kind) and not (stat.S_ISDIR(kind) and header.name[-1:] == "/"):
        return "not a plain file"
    return ""


def _inflated(data: bytes, header: _Header) -> bytes:
    """The entry's content, at most MAX_ENTRY bytes of it; whatever the header says (ZIP-02)."""
    raw = memoryview(data)[header.end - header.packed : header.end]
    if header.method == _STORED:
        content, whole = bytes(raw[: MAX_ENTRY + 1]), True
    else:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(raw, MAX_ENTRY + 1)
        except zlib.error:
            raise _damaged("an entry cannot be unpacked") from None
        whole = inflater.eof and not inflater.unused_data
    if len(content) > MAX_ENTRY:
        raise _too_much("one of its files is larger than 1 MiB")
    if not whole or len(content) != header.size or zlib.crc32(content) != header.crc:
        raise _damaged("an entry is not what the archive says it is")
    return content


def _damaged(reason: str) -> UsageError:
    return UsageError(
        f"this is no usable ZIP file: {reason}; nothing was changed",
        hint="make one with `mnemofs export FILE.zip`",
    )


def _too_much(reason: str) -> GuardRefused:
    return GuardRefused(
        f"the archive is more than a snapshot may be: {reason}; nothing was changed",
        hint="a snapshot has at most 500 files of 1 MiB each and 16 MiB in all",
    )
