"""What is asked of each operating system: flags of open, and the end of what a program started."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from mnemofs import systems

_WINDOWS = """
import os, subprocess, sys, types
sys.modules["msvcrt"] = types.SimpleNamespace(locking=None, LK_NBLCK=2)
os.O_BINARY, sys.platform = 1 << 15, "win32"
for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC", "fchmod", "killpg", "nice"):
    delattr(os, name)
from mnemofs import systems
flags = [systems.READ, systems.WRITE, systems.APPEND, systems.UPDATE, systems.NEW]
print(all(flag & os.O_BINARY for flag in flags), systems.NO_LINK | systems.NO_WAIT | systems.FOLDER)
import mnemofs.cli.main, mnemofs.store.sharing.sync, mnemofs.store.erasure.purge, mnemofs.workspace
"""


def test_on_windows_newlines_stay_and_nothing_else_is_asked_for() -> None:
    """Played: what Windows lacks is taken away before anything of ours is loaded."""
    done = subprocess.run(
        [sys.executable, "-c", _WINDOWS],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.stderr == ""
    assert done.stdout == "True 0\n"


def test_a_new_file_is_never_one_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    try:
        os.close(os.open(tmp_path / "link", systems.NEW))
    except FileExistsError:
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "alive"
    script = f"while sleep 0.05; do date >> {note}; done & sleep 60"
    with subprocess.Popen(["sh", "-c", script], start_new_session=True) as process:
        while not note.exists():
            time.sleep(0.01)
        systems.end_session(process)
    time.sleep(0.2)
    size = note.stat().st_size
    time.sleep(0.3)
    assert note.stat().st_size == size
