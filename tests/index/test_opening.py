"""Many files are read as each of them would be by itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemofs import names
from mnemofs.errors import MnemofsError
from mnemofs.index.rows.opening import Opener

from .conftest import write


def outcome(read: object, *arguments: object) -> object:
    """The bytes, or what was raised."""
    try:
        return read(*arguments)  # type: ignore[operator]
    except MnemofsError as error:
        return type(error), error.message


def test_SEC_02_all_it_does_not_read_is_refused_in_the_same_words(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    write(root, {"a.md": "top\n", "x/b.md": "", "x/y/c.md": "deep\n", "big.md": b"z" * 100_000})
    write(tmp_path, {"secret/s.md": "secret\n"})
    (root / "link.md").symlink_to(tmp_path / "secret/s.md")
    (root / "way").symlink_to(tmp_path / "secret")
    (root / "x/folder.md").mkdir()
    os.mkfifo(root / "x/pipe.md")
    paths = ("a.md", "x/b.md", "x/y/c.md", "big.md", "link.md", "way/s.md", "x/folder.md")
    paths += ("x/pipe.md", "none.md", "x/none.md", "none/a.md", "a.md/b.md", "x/b.md", "a.md")
    with Opener(str(root)) as opener:
        for path in paths:
            assert outcome(opener.read, path) == outcome(names.open_regular, root, path)
    assert outcome(names.open_regular, root, "link.md") != b"secret\n"


def test_it_holds_one_folder_and_lets_go_of_it(tmp_path: Path) -> None:
    write(tmp_path, {f"f{n}/g/a.md": "x\n" for n in range(30)})
    before = len(os.listdir("/proc/self/fd"))
    with Opener(str(tmp_path)) as opener:
        for number in range(30):
            assert opener.read(f"f{number}/g/a.md") == b"x\n"
        assert len(os.listdir("/proc/self/fd")) == before + 1
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_descriptors_of_folders_it_reads_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"x/a.md": "x\n"})
    monkeypatch.setattr(os, "supports_dir_fd", set())
    with Opener(str(tmp_path)) as opener:
        assert opener.read("x/a.md") == b"x\n"
