"""A file's bytes as git names them and as `grep -n` counts them."""

from __future__ import annotations

from mnemofs.digests import sha1


def blob_id(data: bytes) -> str:
    """The id git gives these bytes: sha1 of `blob <size>\\0` and the bytes, as lower hex."""
    digest = sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def split_lines(data: bytes) -> list[bytes]:
    """The lines of a file: `\\n` alone ends a line (TXT-08)."""
    return data.removeprefix(b"\xef\xbb\xbf").split(b"\n")


def lines_of(lines: list[bytes], first: int, last: int) -> str:
    """The text of lines `first` to `last`, from 1, both included."""
    raw = b"\n".join(lines[first - 1 : last])
    return raw.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\r")
