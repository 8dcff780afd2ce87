"""A workspace and ZIP files of every kind."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from mnemofs import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the workspace is."""
    return tmp_path / "ws"


@pytest.fixture
def ws(root: Path) -> Iterator[Workspace]:
    """A new workspace."""
    with Workspace.init(root, agent="ada", timezone="UTC") as workspace:
        yield workspace


@pytest.fixture
def state(ws: Workspace, git: Callable[..., str]) -> Callable[[], tuple[str, str]]:
    """Everything an import could change: the files, every ref, and who else has a memory here."""

    def look() -> tuple[str, str]:
        files = git(ws.root, "status", "--porcelain", "--ignored") + str(sorted(ws.owners()))
        return files, git(ws.root, "for-each-ref")

    return look


def archive(
    files: Mapping[str, bytes | str] | Iterable[tuple[str | zipfile.ZipInfo, bytes | str]],
    method: int = zipfile.ZIP_DEFLATED,
    comment: bytes = b"",
) -> bytes:
    """A ZIP file as the standard library writes it."""
    pairs = files.items() if isinstance(files, Mapping) else files
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        made.comment = comment
        for name, content in pairs:
            made.writestr(name, content)
    return buffer.getvalue()


def link(name: str, target: str, kind: int = stat.S_IFLNK) -> zipfile.ZipInfo:
    """The entry of something that is no plain file."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o777) << 16
    return info


def raw(
    entries: Iterable[tuple[bytes, bytes]],
    *,
    flags: int = 0,
    method: int = 8,
    size: int | None = None,
    crc: int | None = None,
    local_name: bytes | None = None,
    count: int | None = None,
    gap: bytes = b"",
    share: bool = False,
) -> bytes:
    """A ZIP file that may lie: each entry is (name, content); the rest overrides what is true."""
    body = directory = b""
    entries = list(entries)
    first = 0
    for number, (name, content) in enumerate(entries):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(content) + packer.flush() if method == 8 else content
        shown = (
            zlib.crc32(content) if crc is None else crc,
            len(packed),
            len(content) if size is None else size,
        )
        offset = first if share and number else len(body)
        named = name if local_name is None else local_name
        if not share or not number:
            body += struct.pack(
                "<4s5H3L2H", b"PK\3\4", 20, flags, method, 0, 33, *shown, len(named), 0
            )
            body += named + packed + gap
        directory += struct.pack(
            "<4s6H3L5H2L",
            b"PK\1\2",
            20,
            20,
            flags,
            method,
            0,
            33,
            *shown,
            len(name),
            0,
            0,
            0,
            0,
            0,
            offset,
        )
        directory += name
    number = len(entries) if count is None else count
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, number, number, len(directory), len(body), 0)
    return body + directory + end
