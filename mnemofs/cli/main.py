"""The entry point: runs one command line and turns errors into one sentence.

`search` and `context`, which hooks call at every prompt, are run without the command-line library
when their arguments are plain; all else goes to `root`.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from mnemofs.cli.output import fail
from mnemofs.systems import WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    arguments = sys.argv[1:]
    _show_everything()
    if not _is_quick(arguments):
        sys.exit(run(arguments))
    # A hook lives for some milliseconds: collecting garbage and taking everything apart at the end
    # would be a tenth of them. It only reads, and what it prints is flushed here.
    gc.disable()
    code = run(arguments)
    code = _flushed(code)
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code. Never raises for anything a user can cause."""
    as_json = "--json" in arguments
    try:
        if _is_quick(arguments):
            from mnemofs.cli import quick

            code = quick.run(arguments)
            if code is not None:
                return code
        from mnemofs.cli import root

        return root.run(arguments, as_json=as_json)
    except BrokenPipeError:
        return _unread()
    except KeyboardInterrupt:
        fail("stopped", as_json=as_json)
        return 130
    except Exception as error:
        return _report(error, as_json)


def _show_everything() -> None:
    """A character that the terminal's (or a pipe's) encoding has not, a Chinese word in a German
    one, is shown by its number: nothing fails because of it."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _is_quick(arguments: list[str]) -> bool:
    return bool(arguments) and arguments[0] in ("search", "context")


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        return _unread()
    return code


def _unread() -> int:
    # The reader of our output has gone (`| head`): not our fault, and nothing to say.
    os.dup2(os.open(os.devnull, WRITE), sys.stdout.fileno())
    return 0


def _report(error: Exception, as_json: bool) -> int:
    from mnemofs.errors import MnemofsError

    if isinstance(error, MnemofsError):
        fail(error.message, code=error.code, hint=error.hint, as_json=as_json, more=error.as_dict())
        return error.exit_code
    if os.environ.get("MNEMOFS_DEBUG"):
        raise error
    fail(
        f"internal error ({type(error).__name__}); your files are as they were committed last",
        code="internal",
        hint="run again with MNEMOFS_DEBUG=1 to see where, and report it",
        as_json=as_json,
    )
    return 1
