"""Locks that die with their process: who has one, who waits, and how Windows is asked."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mnemofs.filelocks import exclusive, is_held, only_one

_HOLDER = """
import sys
from mnemofs.filelocks import only_one
with only_one(sys.argv[1]) as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def test_one_of_two_processes_has_it_until_it_is_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    assert not is_held(path)
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        assert is_held(path)
        with only_one(path) as mine:
            assert not mine
        other.kill()
    assert not is_held(path)
    with only_one(path) as mine, only_one(path) as twice:
        assert mine
        assert not twice


def test_looking_keeps_nobody_out_who_looks(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    with path.open() as file:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_SH)
        assert not is_held(str(path))


def test_those_who_wait_come_one_after_the_other(tmp_path: Path) -> None:
    path, inside, most = str(tmp_path / "lock"), [], []

    def work() -> None:
        for _ in range(20):
            with exclusive(path):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.0005)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(most) == 80
    assert max(most) == 1


def test_where_nothing_can_be_written_nobody_is_kept_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with only_one(str(tmp_path / "file" / "lock")) as mine:
        assert mine
    with only_one("") as mine:
        assert mine
    with pytest.raises(OSError), exclusive(str(tmp_path / "file" / "lock")):
        pass


_WINDOWS = """
import errno, os, sys, types
held, asked = set(), []
def locking(descriptor, mode, count):
    asked.append((mode, count, os.lseek(descriptor, 0, os.SEEK_CUR)))
    status = os.fstat(descriptor)
    if (status.st_dev, status.st_ino) in held:
        raise OSError(int(sys.argv[2]), "locked")
    held.add((status.st_dev, status.st_ino))
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
os.O_BINARY, sys.platform = 0, "win32"
from mnemofs import filelocks
descriptor = os.open(sys.argv[1], os.O_RDWR)
os.lseek(descriptor, 3, os.SEEK_SET)
print(filelocks.try_lock(descriptor), os.lseek(descriptor, 0, os.SEEK_CUR), asked)
try:
    print(filelocks.try_lock(descriptor), filelocks.is_held(sys.argv[1]))
except OSError as error:
    print("refused", error.errno)
"""


@pytest.mark.parametrize(
    ("number", "second"),
    [(errno.EACCES, "False True"), (errno.EINVAL, f"refused {errno.EINVAL}")],
)
def test_windows_is_asked_for_one_byte_far_behind_the_text(
    tmp_path: Path, number: int, second: str
) -> None:
    """`msvcrt` is played: what we ask of it and how its answers are read."""
    path = tmp_path / "lock"
    path.write_text("kept")
    done = subprocess.run(
        [sys.executable, "-c", _WINDOWS, str(path), str(number)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.stdout.splitlines() == [f"True 3 [(2, 1, {1 << 30})]", second]
    assert path.read_text() == "kept"
