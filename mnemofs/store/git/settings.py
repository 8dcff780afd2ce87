"""Sections of a repository's own `.git/config`, added and removed as text.

Everything a person wrote there keeps its bytes; git's own lock is taken, so that a `git config` at
the same moment loses nothing. Values never pass through a command line: a URL may hold a token.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping

from mnemofs.errors import Busy
from mnemofs.store.disk.durable import sync
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.disk.files import read_file, unlink_quietly
from mnemofs.systems import NEW, set_mode

_HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9.-]+)(?:\s+\"((?:[^\"\\]|\\.)*)\")?\s*\]")


def replace_section(common_dir: str, name: str, label: str, values: Mapping[str, str]) -> None:
    """Make `[name "label"]` of the configuration hold exactly `values`; without any it goes.

    Raises Busy when git holds the file, and what a full or closed disk raises.
    """
    path = os.path.join(common_dir, "config")
    with storage_errors(path):
        try:
            descriptor = os.open(path + ".lock", NEW, 0o666)
        except FileExistsError:
            raise Busy(
                f"{path}.lock is held by another program",
                hint="wait for that git command; if none is running, delete the lock file",
                path=path,
            ) from None
        try:
            with open(descriptor, "wb") as lock:
                if os.path.exists(path):
                    set_mode(lock.fileno(), stat.S_IMODE(os.stat(path).st_mode))
                text = (read_file(path) or b"").decode("utf-8", "surrogateescape")
                made = _section(_without(text, name.lower(), label), name, label, values)
                lock.write(made.encode("utf-8", "surrogateescape"))
                lock.flush()
                sync(lock.fileno())
            os.replace(path + ".lock", path)
        except BaseException:
            unlink_quietly(path + ".lock")
            raise


def _section(text: str, name: str, label: str, values: Mapping[str, str]) -> str:
    if not values:
        return text
    start = "" if not text or text.endswith("\n") else "\n"
    lines = "".join(f"\t{key} = {_quoted(value)}\n" for key, value in values.items())
    return f'{text}{start}[{name} "{_escaped(label)}"]\n{lines}'


def _without(text: str, name: str, label: str) -> str:
    kept: list[str] = []
    dropping = continued = False
    for line in text.splitlines(keepends=True):
        header = None if continued else _HEADER.match(line)
        if header:
            found = header[2]
            plain = None if found is None else re.sub(r"\\(.)", r"\1", found)
            dropping = header[1].lower() == name and plain == label
        if not dropping:
            kept.append(line)
        body = line.rstrip("\r\n")
        continued = (len(body) - len(body.rstrip("\\"))) % 2 == 1
    return "".join(kept)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(value: str) -> str:
    if re.fullmatch(r"[^\s\"\\#;]+", value):
        return value
    return f'"{_escaped(value)}"'
