"""The difference of two versions of one file, for people and for `git apply`.

Both views come from the same hunks: numbered lines with the words that changed and the section
they stand in, and a unified patch that git accepts byte for byte.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mnemofs.errors import UnreadableText
from mnemofs.markdown.document import Document, Section
from mnemofs.markdown.lines import decode
from mnemofs.store.past.linediff import Hunk, Span, changes, highlight, pair_lines, split_lines

CONTEXT = 3

_NO_NEWLINE = b"\\ No newline at end of file\n"
_ESCAPES = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f"}
_ESCAPES |= {"\r": "\\r", '"': '\\"', "\\": "\\\\"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk: kind " " kept, "-" removed, "+" added.

    text: without its line end. old_line, new_line: 1-based, None on the side where it does not
    stand. spans: the characters of `text` that differ from the line it replaced or became.
    """

    kind: Literal[" ", "-", "+"]
    text: str
    old_line: int | None
    new_line: int | None
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """A run of changes with its context. heading: the section it stands in, outermost first."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: tuple[str, ...]
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class FileSide:
    """A file on one side of a diff: its bytes, blob id and git mode."""

    content: bytes
    blob: str
    mode: int = 0o100644


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What happened to one file.

    status: added, modified or deleted. added, removed: counts of lines. note: why there are no
    lines to show ("not UTF-8 text ..."), "" otherwise. patch: git's format, ready for `git apply`
    unless `note` is set.
    """

    path: str
    status: Literal["added", "modified", "deleted"]
    old_blob: str | None
    new_blob: str | None
    added: int
    removed: int
    hunks: tuple[DiffHunk, ...]
    note: str
    patch: bytes

    @property
    def unified(self) -> str:
        """The patch as text."""
        return self.patch.decode("utf-8", "replace")


def diff_file(path: str, old: FileSide | None, new: FileSide | None) -> FileDiff:
    """Compare two sides of a file, None where it does not exist (not both)."""
    status: Literal["added", "modified", "deleted"] = (
        "added" if old is None else "deleted" if new is None else "modified"
    )
    before, after = old.content if old else b"", new.content if new else b""
    note = "" if _readable(before) and _readable(after) else _note(old, new)
    header = _header(path, old, new)
    hunks: tuple[DiffHunk, ...] = ()
    if note:
        names = _side_name("a", path, old), _side_name("b", path, new)
        patch = header + f"Binary files {names[0]} and {names[1]} differ\n".encode()
    else:
        old_lines, new_lines = split_lines(before), split_lines(after)
        groups = _grouped(changes(old_lines, new_lines), len(old_lines))
        outlines = _Outline(before), _Outline(after)
        hunks = tuple(_hunk(group, old_lines, new_lines, outlines) for group in groups)
        patch = header
        if hunks:
            patch += f"--- {_side_name('a', path, old, tab=True)}\n".encode()
            patch += f"+++ {_side_name('b', path, new, tab=True)}\n".encode()
            patch += b"".join(_patch_hunk(hunk, old_lines, new_lines) for hunk in hunks)
    lines = [line.kind for hunk in hunks for line in hunk.lines]
    return FileDiff(
        path=path,
        status=status,
        old_blob=old.blob if old else None,
        new_blob=new.blob if new else None,
        added=lines.count("+"),
        removed=lines.count("-"),
        hunks=hunks,
        note=note,
        patch=patch,
    )


class _Outline:
    """Which section each line of a readable text stands in."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._sections: tuple[Section, ...] | None = None

    def section(self, line: int) -> tuple[str, ...]:
        """The headings above and at a line (1-based), outermost first."""
        if self._sections is None:
            self._sections = Document.parse(self._data).sections
        at = bisect_right(self._sections, line, key=lambda section: section.line)
        return self._sections[at - 1].path if at else ()


def _grouped(hunks: Sequence[Hunk], old_size: int) -> list[list[Hunk]]:
    """Changes whose contexts touch belong to one hunk."""
    groups: list[list[Hunk]] = []
    for hunk in hunks:
        if groups and hunk.old_start - groups[-1][-1].old_end <= 2 * CONTEXT:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
    return groups


def _hunk(
    group: Sequence[Hunk],
    old: Sequence[bytes],
    new: Sequence[bytes],
    outlines: tuple[_Outline, _Outline],
) -> DiffHunk:
    first, last = group[0], group[-1]
    lead = min(CONTEXT, first.old_start)
    trail = min(CONTEXT, len(old) - last.old_end)
    old_at, new_at = first.old_start - lead, first.new_start - lead
    start = old_at, new_at
    lines: list[DiffLine] = []

    def keep(until: int) -> None:
        nonlocal old_at, new_at
        while old_at < until:
            lines.append(DiffLine(" ", _shown(old[old_at]), old_at + 1, new_at + 1))
            old_at += 1
            new_at += 1

    for change in group:
        keep(change.old_start)
        lines += _replaced(change, old, new)
        old_at, new_at = change.old_end, change.new_end
    keep(last.old_end + trail)
    if first.new_start < first.new_end:
        heading = outlines[1].section(first.new_start + 1)
    else:
        heading = outlines[0].section(first.old_start + 1)
    return DiffHunk(
        old_start=start[0] + (old_at > start[0]),
        old_count=old_at - start[0],
        new_start=start[1] + (new_at > start[1]),
        new_count=new_at - start[1],
        heading=heading,
        lines=tuple(lines),
    )


def _replaced(change: Hunk, old: Sequence[bytes], new: Sequence[bytes]) -> list[DiffLine]:
    gone = [_shown(line) for line in old[change.old_start : change.old_end]]
    come = [_shown(line) for line in new[change.new_start : change.new_end]]
    spans: dict[tuple[str, int], tuple[Span, ...]] = {}
    for i, j in pair_lines(gone, come):
        spans["-", i], spans["+", j] = highlight(gone[i], come[j])
    lines = [
        DiffLine("-", text, change.old_start + i + 1, None, spans.get(("-", i), ()))
        for i, text in enumerate(gone)
    ]
    lines += [
        DiffLine("+", text, None, change.new_start + j + 1, spans.get(("+", j), ()))
        for j, text in enumerate(come)
    ]
    return lines


def _patch_hunk(hunk: DiffHunk, old: Sequence[bytes], new: Sequence[bytes]) -> bytes:
    title = f" {hunk.heading[-1]}"[:80].replace("\r", " ") if hunk.heading else ""
    head = f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@{title}\n"
    parts = [head.encode("utf-8", "replace")]
    for line in hunk.lines:
        raw = old[line.old_line - 1] if line.old_line else new[(line.new_line or 1) - 1]
        parts.append(line.kind.encode() + raw)
        if not raw.endswith(b"\n"):
            parts.append(b"\n" + _NO_NEWLINE)
    return b"".join(parts)


def _header(path: str, old: FileSide | None, new: FileSide | None) -> bytes:
    lines = [f"diff --git {quoted('a/' + path)} {quoted('b/' + path)}"]
    if old is None and new is not None:
        lines.append(f"new file mode {new.mode:06o}")
    elif new is None and old is not None:
        lines.append(f"deleted file mode {old.mode:06o}")
    elif old and new and old.mode != new.mode:
        lines += [f"old mode {old.mode:06o}", f"new mode {new.mode:06o}"]
    ids = [side.blob if side else "0" * 40 for side in (old, new)]
    if ids[0] != ids[1]:
        mode = f" {old.mode:06o}" if old and new and old.mode == new.mode else ""
        lines.append(f"index {ids[0]}..{ids[1]}{mode}")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def quoted(name: str) -> str:
    """A file name as git writes it into a patch: in C quotes when it has special characters."""
    if all(char.isprintable() and char not in '"\\' for char in name):
        return name
    raw = ""
    for char in name:
        if char in _ESCAPES:
            raw += _ESCAPES[char]
        elif char.isprintable():
            raw += char
        else:
            raw += "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))
    return f'"{raw}"'


def _side_name(side: str, path: str, file: FileSide | None, *, tab: bool = False) -> str:
    if file is None:
        return "/dev/null"
    # A name with a space is ended by a tab, else `git apply` takes what follows for a date.
    return quoted(f"{side}/{path}") + ("\t" if tab and " " in path else "")


def _readable(content: bytes) -> bool:
    try:
        decode(content)
    except UnreadableText:
        return False
    return True


def _note(old: FileSide | None, new: FileSide | None) -> str:
    sizes = [f"{len(side.content)} bytes" for side in (old, new) if side]
    return f"not UTF-8 text, {' -> '.join(sizes)}"


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")
