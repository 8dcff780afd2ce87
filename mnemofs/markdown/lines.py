"""The one home of line ends: what a line is, how lines are numbered, how text becomes bytes again.

Two notions, never mixed. *Numbered* lines end at `\\n` only, exactly like `grep -n` and every
editor that jumps to `path:line`. *Structural* lines end at `\\n`, `\\r\\n` or a lone `\\r`, which
is what CommonMark calls a line. U+2028, U+0085, form feed and vertical tab end neither (TXT-08).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mnemofs.errors import UnreadableText

BOM = "\ufeff"
_STRUCTURAL = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_ANY_END = re.compile(r"\r\n|\n|\r")
_FLATTENED = re.compile(r"[\s\x1c-\x1f\x85\u2028\u2029]+")


class Decoded(NamedTuple):
    """Text of a file without its byte order mark, and whether the mark was there."""

    text: str
    bom: bool


def decode(data: bytes) -> Decoded:
    """Read UTF-8 with or without a byte order mark.

    Raises UnreadableText for anything else, UTF-16 without a mark included: it decodes as UTF-8
    full of NULs, and would be mojibake everywhere (TXT-02). A stray NUL is text (TXT-07).
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableText(
            f"the text is not UTF-8 (byte {error.start})",
            hint="save the file as UTF-8; until then it is kept as it is and left out",
        ) from None
    if "\0" in text and _looks_like_utf16(data):
        raise UnreadableText(
            "the text looks like UTF-16, not UTF-8",
            hint="save the file as UTF-8; until then it is kept as it is and left out",
        )
    if text.startswith(BOM):
        return Decoded(text[1:], True)
    return Decoded(text, False)


def encode(text: str, *, bom: bool) -> bytes:
    """The inverse of `decode`."""
    return (BOM + text if bom else text).encode("utf-8")


def _looks_like_utf16(data: bytes) -> bool:
    if len(data) < 8 or len(data) % 2:
        return False
    even, odd = data[0::2].count(0), data[1::2].count(0)
    half = len(data) // 2
    few, many = sorted((even, odd))
    return few * 20 <= half and many * 10 >= half * 6


def split_lines(text: str) -> list[str]:
    """Numbered lines with their ends; joined they give `text` again. No line after a final end."""
    parts = text.split("\n")
    last = parts.pop()
    lines = [part + "\n" for part in parts]
    if last:
        lines.append(last)
    return lines


def structural_lines(text: str) -> list[str]:
    """Structural lines with their ends; joined they give `text` again."""
    if "\r" not in text:
        return split_lines(text)
    return _STRUCTURAL.findall(text)


def bare(line: str) -> str:
    """A structural line without its end."""
    if line.endswith("\r\n"):
        return line[:-2]
    if line.endswith(("\n", "\r")):
        return line[:-1]
    return line


def main_ending(text: str) -> str:
    """The line end that this text uses most: `\\n`, `\\r\\n` or `\\r` (`\\n` when it has none)."""
    crlf = text.count("\r\n")
    if not crlf and "\r" not in text:
        return "\n"
    newlines = text.count("\n") - crlf
    returns = text.count("\r") - crlf
    if crlf >= newlines and crlf >= returns:
        return "\r\n"
    return "\n" if newlines >= returns else "\r"


def is_uniform(text: str) -> bool:
    """True when every line end of the text is the same one."""
    crlf = text.count("\r\n")
    kinds = (crlf, text.count("\n") - crlf, text.count("\r") - crlf)
    return sum(1 for count in kinds if count) <= 1


def with_ending(text: str, ending: str) -> str:
    """The text with each of its line ends replaced by `ending`."""
    if ending == "\n" and "\r" not in text:
        return text
    return _ANY_END.sub(lambda _: ending, text)


def flatten(text: str) -> str:
    """Any text as one line: every run of white space, line ends of all kinds included, is a space.

    What goes into a bullet or a value must not be able to start a line of its own (MD-12).
    """
    return _FLATTENED.sub(" ", text).strip()
