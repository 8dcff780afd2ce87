"""What operating systems do each in its own way: opening a file, its mode, ending a program.

PROGRAM is the ending of a program's file name. The flags are for `os.open`, whose descriptors no
child inherits: on Windows they keep newlines as they are, and what a system does not have is 0.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

if sys.platform == "win32":
    PROGRAM = ".exe"
    _BYTES = os.O_BINARY
    NO_LINK = NO_WAIT = FOLDER = 0

    def set_mode(descriptor: int, mode: int) -> None:
        """Give an open file its permissions, which Windows keeps by folder."""

    def changed_ns(status: os.stat_result) -> int:
        """When a file was last written to, whatever its modification time was set to."""
        return status.st_mtime_ns  # the other one is when it was made

    def allow_removal(path: str) -> bool:
        """Make a read-only file one that can be deleted; whether that was what kept it."""
        if os.stat(path).st_mode & 0o200:
            return False
        os.chmod(path, 0o600)
        return True

    def end_session(process: subprocess.Popen[bytes]) -> None:
        """Kill a program that leads a session of its own, and what it started."""
        from subprocess import DEVNULL, call

        call(["taskkill", "/F", "/T", "/PID", str(process.pid)], stdout=DEVNULL, stderr=DEVNULL)
        process.kill()

else:
    PROGRAM = ""
    _BYTES = 0
    NO_LINK, NO_WAIT, FOLDER = os.O_NOFOLLOW, os.O_NONBLOCK, os.O_DIRECTORY
    set_mode = os.fchmod

    def changed_ns(status: os.stat_result) -> int:
        """When a file was last written to, whatever its modification time was set to."""
        return status.st_ctime_ns

    def allow_removal(path: str) -> bool:
        """Make a read-only file one that can be deleted; whether that was what kept it."""
        return False

    def end_session(process: subprocess.Popen[bytes]) -> None:
        """Kill a program that leads a session of its own, and what it started."""
        import signal

        os.killpg(process.pid, signal.SIGKILL)


READ = os.O_RDONLY | _BYTES
WRITE = os.O_WRONLY | os.O_CREAT | _BYTES
APPEND = WRITE | os.O_APPEND
UPDATE = os.O_RDWR | _BYTES
NEW = UPDATE | os.O_CREAT | os.O_EXCL
