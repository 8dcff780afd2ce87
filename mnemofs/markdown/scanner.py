"""One pass over the lines of a Markdown file: which top-level block does each line belong to?

The block rules of CommonMark 0.31 (containers, lazy continuation, what may interrupt what), cut
down to what memory needs: top-level blocks, and list items at any depth as blocks of their own.
Time is linear in the size of the text, and memory in the number of blocks: nesting is capped, no
pattern here can backtrack (SEC-08). markdown-it-py is the oracle in the property tests; it is some
ten times slower and is never imported here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from mnemofs.markdown.htmlblocks import BLANK_LINE, COMMENT_END, html_start
from mnemofs.markdown.linesyntax import (
    ORDERED,
    REFERENCE,
    heading_title,
    is_rule,
    item_marker,
    skip_spaces,
    untab,
)

HEADING: Final = "heading"
PARAGRAPH: Final = "paragraph"
ITEM: Final = "item"
MORE: Final = "more"  # a later block of a list item that has nested items before it
FENCE: Final = "fence"
INDENTED: Final = "indented"
COMMENT: Final = "comment"
HTML: Final = "html"
QUOTE: Final = "quote"
RULE: Final = "rule"


class Block(NamedTuple):
    """Lines `start` to `end` (0-based, end exclusive, no blank line at either border).

    `depth` counts the list items around it (an outermost item has 0). `level` and `title` are set
    for headings. `closed` is False when a fence or an HTML block runs into the end of the file.
    """

    kind: str
    start: int
    end: int
    depth: int = 0
    level: int = 0
    title: str = ""
    closed: bool = True


_new = tuple.__new__  # what making a `Block` comes down to, in half the time

MAX_NESTING: Final = 64
_QUOTED: Final = -1  # a block quote on the container stack; an item is its content indent (>= 2)

# What the innermost open block is.
_NOTHING, _TEXT, _IN_FENCE, _IN_HTML, _IN_CODE = range(5)

_DIGITS: Final = frozenset("0123456789")
# A line whose first character is none of these can only be, or continue, a paragraph.
_SPECIAL: Final = frozenset(["", *"#>-+*0123456789 \t`~<=_"])
_BULLETS: Final = frozenset(["- ", "* ", "+ "])

_ATX: Final = re.compile(r"#{1,6}(?=[ \t]|$)")
_FENCE: Final = re.compile(r"(`{3,})[^`]*$|(~{3,})")


def scan(lines: Sequence[str], start: int = 0) -> list[Block]:
    """The blocks of `lines` (structural lines without their ends) from line `start` on."""
    return _Scanner(lines).run(start)


class _Scanner:
    """State of the pass. The block that grows is `kind`, `begin`, `depth`, `level`, `title`."""

    __slots__ = (
        "begin",
        "blank_item",
        "blocks",
        "depth",
        "ending",
        "fence",
        "kind",
        "last",
        "leaf",
        "level",
        "lines",
        "owner",
        "stack",
        "title",
    )

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.kind = ""
        self.begin = self.depth = self.level = 0
        self.title = ""
        self.last = -1  # the last line of the growing block
        self.owner = 0  # how many list items hold it
        self.stack: list[int] = []
        self.leaf = _NOTHING
        self.fence = ("", 0)
        self.ending = BLANK_LINE
        self.blank_item = -1  # line of a list item that has no text yet

    def run(self, start: int) -> list[Block]:
        lines = self.lines
        for number in range(start, len(lines)):
            line = lines[number]
            if not self.stack:
                if self.leaf == _IN_FENCE:
                    if self.fence[0] not in line[:4]:
                        if line.strip(" \t"):
                            self.last = number
                        continue
                elif self.leaf <= _TEXT:
                    if not line:
                        self.leaf = _NOTHING
                        continue
                    if line[0] not in _SPECIAL:
                        if self.leaf == _NOTHING:
                            self._begin(PARAGRAPH, number)
                            self.leaf = _TEXT
                        self.last = number
                        continue
            if (self.leaf <= _TEXT or self.stack) and self._simple_start(number, line):
                continue
            self._line(number, line)
        runs_on = self.leaf == _IN_FENCE or (
            self.leaf == _IN_HTML and self.ending is not BLANK_LINE
        )
        self._finish(closed=not runs_on)
        return self.blocks

    def _simple_start(self, number: int, line: str) -> bool:
        """A bullet or ATX heading at the very margin ends whatever is open; most lines are such."""
        if line[:2] in _BULLETS:
            after = line[2:3]
            if after in _SPECIAL and (after not in _DIGITS or ORDERED.match(line, 2)):
                return False
            self._begin(ITEM, number)
            self.owner = 1
            self.stack = [2]
            self.leaf = _TEXT
            return True
        mark = _ATX.match(line)
        if not mark:
            return False
        self._begin(HEADING, number)
        self.level = mark.end()
        self.title = heading_title(line[mark.end() :])
        self.stack.clear()
        self.leaf = _NOTHING
        return True

    def _finish(self, *, closed: bool = True) -> None:
        if self.kind:
            block = self.kind, self.begin, self.last + 1, self.depth, self.level, self.title, closed
            self.blocks.append(_new(Block, block))

    def _begin(self, kind: str, number: int, depth: int = 0) -> None:
        """End the growing block and start one of `kind` on this line."""
        if self.kind:  # `_finish`, written out: this happens once for most lines
            block = self.kind, self.begin, self.last + 1, self.depth, self.level, self.title, True
            self.blocks.append(_new(Block, block))
        self.kind = kind
        self.begin = self.last = number
        self.depth = self.owner = depth
        self.level = 0
        self.title = ""

    def _leaf(self, kind: str, number: int) -> None:
        """A leaf block begins on this line, inside the containers that are open now."""
        if not self.stack:
            self._begin(kind, number)
        elif _QUOTED not in self.stack and len(self.stack) != self.owner:
            self._begin(MORE, number, len(self.stack))
        self.last = number

    def _line(self, number: int, line: str) -> None:
        if "\t" in line:
            line = untab(line)
        size = len(line)
        spot = skip_spaces(line, 0)
        if spot == size:
            if _QUOTED in self.stack:
                self._close(self.stack.index(_QUOTED))
            else:
                self._blank(number)
            return
        matched, pos, spot = self._match_containers(line, spot)
        full = matched == len(self.stack)
        if spot == size:  # only quote markers
            if not full:
                self._close(matched)
            self._blank(number)
            self.last = number
            return
        if self.leaf > _TEXT:
            if full and self._continues(line, pos, spot):
                self.last = number
                return
            self.leaf = _NOTHING
        self._open_blocks(number, line, matched, pos, spot)

    def _match_containers(self, line: str, spot: int) -> tuple[int, int, int]:
        """How many open containers this line continues, and where its own content starts."""
        pos = matched = 0
        size = len(line)
        for need in self.stack:
            if need == _QUOTED:
                if spot - pos > 3 or line[spot : spot + 1] != ">":
                    break
                pos = spot + 1
                if line[pos : pos + 1] == " ":
                    pos += 1
                spot = skip_spaces(line, pos)
            elif spot - pos >= need:
                pos += need
            elif spot < size:
                break
            matched += 1
        return matched, pos, spot

    def _close(self, keep: int) -> None:
        """Close all containers but the outermost `keep`, and the leaf with them."""
        if keep < len(self.stack):
            del self.stack[keep:]
            self.leaf = _NOTHING

    def _blank(self, number: int) -> None:
        if self.leaf == _TEXT or (self.leaf == _IN_HTML and self.ending is BLANK_LINE):
            self.leaf = _NOTHING
        elif self.leaf == _NOTHING and self.stack and self.blank_item == number - 1:
            self.stack.pop()

    def _continues(self, line: str, pos: int, spot: int) -> bool:
        """Does this line belong to the open fence, HTML block or indented code? Ends it if so."""
        if self.leaf == _IN_FENCE:
            mark, length = self.fence
            tail = line[spot:].rstrip(" \t")
            if spot - pos < 4 and len(tail) >= length and not tail.strip(mark):
                self.leaf = _NOTHING
            return True
        if self.leaf == _IN_HTML:
            if self.ending.search(line, spot):
                self.leaf = _NOTHING
            return True
        return spot - pos >= 4

    def _open_blocks(self, number: int, line: str, matched: int, pos: int, spot: int) -> None:
        """Open the containers that start on this line, then the leaf that they hold."""
        size = len(line)
        in_text = self.leaf == _TEXT  # an open paragraph, which this line may continue
        full = matched == len(self.stack)
        while True:
            indent = spot - pos
            first = line[spot]
            if indent >= 4:
                if in_text:
                    break
                self._close(matched)
                self._leaf(INDENTED, number)
                self.leaf = _IN_CODE
                return
            if first not in _SPECIAL:
                break
            nestable = len(self.stack) < MAX_NESTING
            if first == ">" and nestable:
                self._close(matched)
                self._leaf(QUOTE, number)
                self.stack.append(_QUOTED)
                pos = spot + 1
                if line[pos : pos + 1] == " ":
                    pos += 1
                spot = skip_spaces(line, pos)
            elif self._leaf_starts(number, line, matched, spot, in_text=in_text, full=full):
                return
            elif nestable and (item := item_marker(line, spot, strict=in_text and full)):
                self._close(matched)
                width, content = item
                if _QUOTED not in self.stack:
                    if self.kind != ITEM or self.begin != number:  # `- - a` is one block
                        self._begin(ITEM, number, len(self.stack))
                    self.owner = len(self.stack) + 1
                self.stack.append(indent + width)
                pos, spot = spot + width, content
                if spot == size:
                    self.blank_item = number
            else:
                break
            matched = len(self.stack)
            in_text, full = False, True
            self.leaf = _NOTHING
            self.last = number
            if spot == size:
                return
        if not in_text:
            self._close(matched)
            self._leaf(PARAGRAPH, number)
            self.leaf = _TEXT
        self.last = number

    def _leaf_starts(
        self, number: int, line: str, matched: int, spot: int, *, in_text: bool, full: bool
    ) -> bool:
        """Open (or complete) the heading, fence, HTML block or rule that begins at `spot`."""
        first = line[spot]
        if first == "#":
            mark = _ATX.match(line, spot)
            if not mark:
                return False
            self._close(matched)
            self._leaf(HEADING, number)
            if not self.stack:
                self.level = mark.end() - mark.start()
                self.title = heading_title(line[mark.end() :])
            self.leaf = _NOTHING
            return True
        if first in "`~":
            mark = _FENCE.match(line, spot)
            if not mark:
                return False
            self._close(matched)
            self._leaf(FENCE, number)
            self.fence = (first, len(mark[1] or mark[2]))
            self.leaf = _IN_FENCE
            return True
        if first == "<":
            html = html_start(line[spot:], in_text=in_text)
            if not html:
                return False
            self._close(matched)
            self._leaf(COMMENT if html is COMMENT_END else HTML, number)
            self.ending = html
            self.leaf = _NOTHING if self.ending.search(line, spot) else _IN_HTML
            return True
        underlines = in_text and full and first in "=-"
        if (
            underlines
            and not line[spot:].rstrip(" \t").strip(first)
            and self._setext(number, first)
        ):
            return True
        if first in "-*_" and is_rule(line, spot, first):
            self._close(matched)
            self._leaf(RULE, number)
            self.leaf = _NOTHING
            return True
        return False

    def _setext(self, number: int, underline: str) -> bool:
        """Turn the open paragraph into a heading; link definitions on its top stay a paragraph."""
        if self.stack:
            self.leaf = _NOTHING
            self.last = number
            return True
        begin = self._first_line_of_title(self.begin, number)
        if begin == number:
            return False
        if begin > self.begin:
            self.last = begin - 1
            self._begin(HEADING, begin)
        self.kind = HEADING
        self.level = 1 if underline == "=" else 2
        self.title = " ".join(part.strip(" \t") for part in self.lines[begin:number])
        self.leaf = _NOTHING
        self.last = number
        return True

    def _first_line_of_title(self, begin: int, end: int) -> int:
        while (
            begin < end
            and self.lines[begin].lstrip(" ").startswith("[")
            and REFERENCE.match(self.lines[begin])
        ):
            begin += 1
        return begin
