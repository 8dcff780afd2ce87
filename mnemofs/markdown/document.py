"""A Markdown file as text plus spans. Nothing is ever rendered back from a tree: an edit replaces a
span of `text`, and every byte outside it stays what it was (I9)."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from mnemofs.markdown import frontmatter
from mnemofs.markdown.frontmatter import FrontMatter
from mnemofs.markdown.lines import bare, decode, encode, main_ending, structural_lines
from mnemofs.markdown.scanner import HEADING, Block, scan


class Section(NamedTuple):
    """A heading and what it holds. Offsets are characters of `Document.text`, ends exclusive.

    `start`: the heading; `body`: right after it; `end`: the next heading of any level; `tree_end`:
    the next heading of the same or a higher level, so subsections belong to their parent (MD-03).
    `line` and `last_line` are 1-based numbered lines of the heading and of the last line of the
    tree. `path` names the ancestors and ends with `title`.
    """

    level: int
    title: str
    path: tuple[str, ...]
    start: int
    body: int
    end: int
    tree_end: int
    line: int
    last_line: int


@dataclass(frozen=True)
class Document:
    """A parsed file. `eol` is the line end to write; `lines` are structural lines without ends."""

    text: str
    bom: bool
    eol: str
    lines: tuple[str, ...]
    front: FrontMatter | None
    blocks: tuple[Block, ...]

    @classmethod
    def parse(cls, data: bytes) -> Document:
        """Raises UnreadableText when `data` is not UTF-8; any other bytes are a document."""
        text, bom = decode(data)
        return cls.of_text(text, bom=bom)

    @classmethod
    def fragment(cls, text: str) -> Document:
        """Text that will stand inside a file, so that a rule on its top is no front matter."""
        return cls.of_text(text, whole=False)

    @classmethod
    def of_text(cls, text: str, *, bom: bool = False, whole: bool = True) -> Document:
        """A file (or, not `whole`, a part of one) that is decoded already."""
        if "\r" in text:
            lines = [bare(line) for line in structural_lines(text)]
        else:
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
        front = frontmatter.find(lines) if whole else None
        blocks = scan(lines, front.lines if front else 0)
        return cls(text, bom, main_ending(text), tuple(lines), front, tuple(blocks))

    def encode(self, text: str) -> bytes:
        """`text` as the bytes of this file: with its byte order mark, if it has one."""
        return encode(text, bom=self.bom)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each structural line starts in `text`, and one more: the length of `text`."""
        if "\r" in self.text:
            ends = (len(line) for line in structural_lines(self.text))
        else:
            ends = (len(line) + 1 for line in self.lines)
        starts = [0, *accumulate(ends)]
        starts[-1] = len(self.text)
        return tuple(starts)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The 1-based numbered line of each structural line (they differ after a lone `\\r`)."""
        if self.text.count("\r") == self.text.count("\r\n"):
            return tuple(range(1, len(self.lines) + 1))
        counts = accumulate(
            (line.endswith("\n") for line in structural_lines(self.text)), initial=0
        )
        return tuple(1 + count for count in counts)[: len(self.lines)]

    @cached_property
    def body_start(self) -> int:
        """Offset of the first character after the front matter."""
        return self.offsets[self.front.lines] if self.front else 0

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Every top-level heading in order; text before the first one belongs to none."""
        headings = [block for block in self.blocks if block.kind == HEADING]
        starts = [block.start for block in headings]
        starts.append(len(self.lines))
        tree_ends = [len(self.lines)] * len(headings)
        open_ones: list[int] = []
        paths: list[tuple[str, ...]] = []
        for index, block in enumerate(headings):
            while open_ones and headings[open_ones[-1]].level >= block.level:
                tree_ends[open_ones.pop()] = starts[index]
            above = paths[open_ones[-1]] if open_ones else ()
            paths.append((*above, block.title))
            open_ones.append(index)
        return tuple(
            Section(
                block.level,
                block.title,
                paths[index],
                self.offsets[block.start],
                self.offsets[block.end],
                self.offsets[starts[index + 1]],
                self.offsets[tree_ends[index]],
                self.numbers[block.start],
                self.numbers[tree_ends[index] - 1],
            )
            for index, block in enumerate(headings)
        )

    def section_text(self, section: Section) -> str:
        """The section with its heading and its subsections, as it stands in the file."""
        return self.text[section.start : section.tree_end]

    def find(self, title: str, level: int | None = None) -> tuple[Section, ...]:
        """Sections with this title (white space and Unicode form apart), at `level` if given."""
        found = self._by_title.get(plain_title(title), ())
        return tuple(one for one in found if level is None or one.level == level)

    @cached_property
    def _by_title(self) -> dict[str, list[Section]]:
        titles: dict[str, list[Section]] = {}
        for section in self.sections:
            titles.setdefault(plain_title(section.title), []).append(section)
        return titles

    def blocks_in(self, begin: int, end: int) -> range:
        """The indices of the blocks that start inside a span of `text`."""
        starts = self._block_starts
        return range(bisect_left(starts, begin), bisect_left(starts, end))

    @cached_property
    def _block_starts(self) -> list[int]:
        return [self.offsets[block.start] for block in self.blocks]

    def block_text(self, block: Block) -> str:
        """The lines of a block without the end of its last line."""
        begin = self.offsets[block.start]
        return self.text[begin : self.offsets[block.end - 1] + len(self.lines[block.end - 1])]

    def in_sections(self) -> Iterator[tuple[tuple[str, ...], Block]]:
        """Every block with the heading path that it stands under; headings under themselves."""
        path: tuple[str, ...] = ()
        levels: list[int] = []
        for block in self.blocks:
            if block.kind == HEADING:
                while levels and levels[-1] >= block.level:
                    levels.pop()
                path = (*path[: len(levels)], block.title)
                levels.append(block.level)
            yield path, block

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the form of this file."""
        return self.front.warnings if self.front else ()


def plain_title(title: str) -> str:
    """A heading's title for comparing: one space between words, Unicode form C."""
    return unicodedata.normalize("NFC", " ".join(title.split()))
