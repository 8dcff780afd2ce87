"""Printing: one shape for people, one for scripts.

Colour only at a terminal and never with NO_COLOR; results on stdout, everything else on stderr.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def coloured(stream: Any = None) -> bool:
    """Whether `stream` (default stdout) is a terminal that wants colour."""
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def style(text: str, *names: str, stream: Any = None) -> str:
    """`text` in the named styles where colour is wanted."""
    if not names or not coloured(stream):
        return text
    return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"


def say(text: str = "") -> None:
    """One line (or block) of result."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Something worth knowing that is not the result, on stderr."""
    sys.stderr.write(style(text, "dim", stream=sys.stderr) + "\n")


def warn(warnings: Iterable[str]) -> None:
    """Each warning on a line of its own, on stderr."""
    for text in warnings:
        sys.stderr.write(style("warning: ", "yellow", stream=sys.stderr) + text + "\n")


def print_json(value: Any, *, line: bool = False) -> None:
    """`value` as JSON on stdout, on one line for a stream of them; text stays readable where that
    is UTF-8. Lone surrogates are escaped, and so is everything beyond ASCII in another encoding:
    JSON is never in one."""
    import json

    indent = None if line else 2
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_plain)
    say(text if _can_show(text) else json.dumps(value, indent=indent, default=_plain))


def say_json(text: str) -> None:
    """JSON that is text already, escaped where `print_json` would."""
    if not _can_show(text):
        import json

        text = json.dumps(json.loads(text))
    say(text)


def _can_show(text: str) -> bool:
    encoding = (sys.stdout.encoding or "utf-8").lower()
    try:
        text.encode("utf-8" if encoding in ("utf-8", "utf8") else "ascii")
    except UnicodeEncodeError:
        return False
    return True


def fail(
    message: str,
    *,
    code: str = "failed",
    hint: str = "",
    as_json: bool = False,
    more: Mapping[str, str] | None = None,
) -> None:
    """An error: one sentence on stderr, or the `error` object on stdout with --json."""
    if as_json:
        print_json({"error": {"code": code, "message": message, "hint": hint, **(more or {})}})
        return
    # The name of a file keeps its spelling.
    word = message.partition(" ")[0]
    text = word[:1].upper() + message[1:] if word.isalpha() else message
    if not text.endswith(("?", "!")):
        text = text.rstrip(".") + "."
    sys.stderr.write(style("error: ", "red", "bold", stream=sys.stderr) + text + "\n")
    if hint:
        sys.stderr.write(f"  {hint}\n")


class Progress:
    """A bar with count, rate and time left on stderr; shown only at a terminal.

    Call it with (done, total). quiet: never show it.
    """

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self.done = 0
        self._what = what
        # Not a matter of colour: a bar moves, and a file or a log cannot show that.
        self._quiet = quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` are through."""
        self.done = done
        if self._quiet:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn(f"  {self._what}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}/s"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(self._what, total=total, rate="-")
        speed = self._bar.tasks[0].speed
        rate = f"{speed:.0f}" if speed else "-"
        self._bar.update(self._task, completed=done, total=total, rate=rate)


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`, `3 entries` (plural given where it is not noun + s)."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def size(number: int) -> str:
    """Bytes in B, KiB or MiB."""
    if number < 1024:
        return f"{number} B"
    return f"{number / 1024:.1f} KiB" if number < 1024**2 else f"{number / 1024**2:.1f} MiB"


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")
