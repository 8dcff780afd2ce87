"""Every object of a repository, reachable or not, once: for looking into all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from mnemofs.errors import CorruptStore
from mnemofs.store.git.chains import ChainReader
from mnemofs.store.git.environment import environment
from mnemofs.store.git.layout import Layout, program
from mnemofs.store.git.packs import Pack

_HEX = re.compile(r"[0-9a-f]{38}")
_BUFFER = 1 << 20


class Loaded(NamedTuple):
    """One object with its bytes."""

    id: str
    kind: str
    content: bytes


def every_object(layout: Layout) -> Iterator[Loaded]:
    """All objects, loose and packed, in no order. Raises CorruptStore.

    With git, which is several times faster at it; else by our own reader.
    """
    git = program("git")
    if git is None:
        yield from _read_all(layout)
        return
    import subprocess

    command = [git, "cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer"]
    with subprocess.Popen(
        command,
        cwd=layout.root,
        env=environment(layout, GIT_NO_REPLACE_OBJECTS="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=_BUFFER,
    ) as process:
        assert process.stdout is not None
        out = process.stdout
        try:
            while head := out.readline():
                fields = head.split()
                if len(fields) != 3:
                    raise _damaged(layout)
                size = int(fields[2])
                content = out.read(size + 1)
                if len(content) != size + 1:
                    raise _damaged(layout)
                yield Loaded(fields[0].decode("ascii"), fields[1].decode("ascii"), content[:-1])
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0:
            raise _damaged(layout)


def _read_all(layout: Layout) -> Iterator[Loaded]:
    reader = ChainReader(layout.common_dir)
    seen: set[str] = set()
    try:
        for object_id in (*_loose(reader.directory), *_packed(reader.directory)):
            if object_id not in seen:
                seen.add(object_id)
                yield Loaded(object_id, *reader.read(object_id))
    finally:
        reader.close()


def _loose(directory: str) -> Iterator[str]:
    for byte in range(256):
        try:
            names = os.listdir(os.path.join(directory, f"{byte:02x}"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        yield from (f"{byte:02x}{name}" for name in names if _HEX.fullmatch(name))


def _packed(directory: str) -> Iterator[str]:
    folder = os.path.join(directory, "pack")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    for name in names:
        if name.endswith(".pack") and f"{name[:-5]}.idx" in names:
            pack = Pack(os.path.join(folder, name))
            try:
                yield from pack.starting_with(bytes(20), "")
            finally:
                pack.close()


def _damaged(layout: Layout) -> CorruptStore:
    return CorruptStore(
        f"the objects of {layout.root} cannot all be read",
        hint="run `git fsck` there",
        path=layout.root,
    )
