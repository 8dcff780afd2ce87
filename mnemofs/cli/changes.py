"""Printing a difference: by section, with the words that changed, or as a patch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mnemofs.cli.output import coloured, say, style

if TYPE_CHECKING:
    from mnemofs.store.past.diffing import DiffLine, FileDiff

_LINE_STYLE = {"+": ("green",), "-": ("red",), " ": ()}


def print_file(file: FileDiff) -> None:
    """One file's changes: coloured by section at a terminal, else a patch that git applies."""
    if not coloured():
        say(file.unified.rstrip("\n"))
        return
    say(style(f"{file.path}  {file.status}  +{file.added} -{file.removed}", "bold"))
    if file.note:
        say(style(f"  {file.note}", "dim"))
    for hunk in file.hunks:
        where = " › ".join(hunk.heading) or "top of the file"
        say(style(f"  {where}, line {hunk.new_start}", "cyan"))
        print_lines(hunk.lines)


def print_lines(lines: Iterable[DiffLine]) -> None:
    """Lines with their sign, the words that changed in bold."""
    for line in lines:
        say(f"  {_marked(line)}")


def file_dict(file: FileDiff) -> dict[str, Any]:
    """The stable JSON form of one file's changes."""
    return {
        "path": file.path,
        "status": file.status,
        "added": file.added,
        "removed": file.removed,
        "note": file.note,
        "patch": file.unified,
        "hunks": [
            {
                "heading": list(hunk.heading),
                "old_start": hunk.old_start,
                "new_start": hunk.new_start,
                "lines": [
                    {
                        "kind": line.kind,
                        "text": line.text,
                        "spans": [list(span) for span in line.spans],
                    }
                    for line in hunk.lines
                ],
            }
            for hunk in file.hunks
        ],
    }


def _marked(line: DiffLine) -> str:
    styles = _LINE_STYLE[line.kind]
    text, at = style(line.kind, *styles) + " ", 0
    for span in line.spans:
        start, end = span
        text += style(line.text[at:start], *styles) + style(line.text[start:end], "bold", *styles)
        at = end
    return text + style(line.text[at:], *styles)
