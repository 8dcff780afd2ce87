"""A file as a tree of nodes, the units of a merge.

Sections hold blocks and sections; list items hold items; tables hold rows; front matter holds
fields. A node's `text` is its own lines only, so that every line of a file is in exactly one node
or in the blank `gap` before one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

from mnemofs.markdown.document import Document, plain_title
from mnemofs.markdown.entries import MARKER, stamped
from mnemofs.markdown.frontmatter import continues_value, key_of
from mnemofs.markdown.keyvalues import parse_line
from mnemofs.markdown.lines import structural_lines
from mnemofs.markdown.scanner import HEADING, ITEM, MORE, PARAGRAPH, Block

ROOT: Final = "root"
SECTION: Final = "section"
FRONT: Final = "front"
FIELD: Final = "field"
PAIR: Final = "pair"
TABLE: Final = "table"
ROW: Final = "row"
VALUE: Final = "value"  # all that stands under a heading: of a structured entry, or unchanged
LINE: Final = "line"

NAMED: Final = frozenset([FIELD, PAIR, VALUE])  # one value for each name
_VERBATIM: Final = frozenset(["fence", "indented", "html", "comment", VALUE])
_MAX_PAIR_WORDS: Final = 12
_MARK: Final = re.compile(r"[ \t]*([-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_WORD: Final = re.compile(r"[a-z0-9_]+|[^\s\x00-\x7f]")
_TABLE_LINE: Final = re.compile(r"\[{1,2}[^\[\]]+\]{1,2}[ \t]*(?:#.*)?$")
_SETTING: Final = re.compile(r"((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:[ \t]*\.[ \t]*[\w-]+)*)[ \t]*=")


ConflictKind = Literal["edit/edit", "edit/delete", "value", "rename/rename", "unreadable"]
BASE, A, B = 0, 1, 2


class Lineage:
    """One entry through the merge: `forms` are its nodes in base, a and b, None where absent."""

    __slots__ = ("alive", "children", "conflict", "forms", "parent", "texts")

    def __init__(self) -> None:
        self.forms: list[Node | None] = [None, None, None]
        self.alive = False
        self.texts: list[str] = []
        self.conflict: tuple[ConflictKind, str, str] | None = None
        self.parent: Lineage | None = None
        self.children: list[Lineage] = []

    @property
    def any_node(self) -> Node:
        """A node that stands for its kind: that of a, else b, else base."""
        node = self.forms[A] or self.forms[B] or self.forms[BASE]
        if node is None:
            raise LookupError("a lineage without forms")
        return node


UNMATCHED: Final = Lineage()


class Node:
    """One unit in one version of the file. `key` is equal for texts that mean the same."""

    __slots__ = (
        "_words",
        "before",
        "blocks",
        "closed",
        "closing",
        "front",
        "gap",
        "key",
        "kind",
        "level",
        "line",
        "name",
        "parent",
        "sections",
        "text",
    )

    def __init__(
        self, kind: str, text: str = "", key: str = "", name: str = "", level: int = 0
    ) -> None:
        self.kind = kind
        self.text = text
        self.key = key
        self.name = name
        self.level = level
        self.gap = ""
        self.blocks: list[Node] = []
        self.sections: list[Node] = []
        self.front: Node | None = None  # of the root
        self.closing = ""  # of front matter: the line that ends it
        self.closed = True  # False: an open fence or comment that would swallow what follows
        self.parent: Node | None = None
        self.before: Node | None = None  # the node above it in the file
        self.line = UNMATCHED
        self._words: frozenset[str] | None = None

    @property
    def words(self) -> frozenset[str]:
        """The words of a statement without its date and source: what an edit has in common."""
        if self._words is None:
            marker = MARKER.match(self.text)
            body = self.text[marker.end() :] if marker else self.text
            self._words = frozenset(_WORD.findall(stamped(body).statement.lower()))
        return self._words


class Tree:
    """A parsed version: all nodes in the order of the file, the root first, and the blank lines
    after the last one."""

    __slots__ = ("_end", "_last", "lines", "nodes", "root", "tail")

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines  # with their ends, the last one included
        self.root = Node(ROOT)
        self.nodes = [self.root]
        self.tail = ""
        self._end = 0
        self._last: Node | None = None

    def add(self, parent: Node, node: Node, start: int, end: int) -> Node:
        """Append a node for the lines from `start` to `end`, which it takes as its text."""
        lines = self.lines
        node.text = lines[start] if end - start == 1 else "".join(lines[start:end])
        if self._end < start:
            node.gap = "".join(lines[self._end : start])
        self.nodes.append(node)
        node.parent = parent
        node.before = self._last
        self._last = node
        self._end = end
        if node.kind == FRONT:
            parent.front = node
        elif node.kind == SECTION:
            parent.sections.append(node)
        else:
            parent.blocks.append(node)
        return node

    def close(self, node: Node, end: int) -> str:
        """End a node that others stand in: the lines up to `end` that are in none of them."""
        begin, self._end = self._end, end
        self._last = node
        return "".join(self.lines[begin:end])

    def finish(self) -> Tree:
        """Take what is left as blank."""
        self.tail = "".join(self.lines[self._end :])
        return self


def with_ends(text: str) -> list[str]:
    """Structural lines, the last one ended as well."""
    lines = structural_lines(text)
    if lines and lines[-1][-1] not in "\r\n":
        lines[-1] += "\n"
    return lines


def parse(texts: Sequence[str], path: str) -> list[Tree]:
    """The trees of all versions of a file of any kind: Markdown, settings, or plain lines."""
    if path.endswith(".toml"):
        return [_settings(text) for text in texts]
    if not path.endswith(".md"):
        return [_lines(text) for text in texts]
    documents = [Document.of_text(text) for text in texts]
    if path.startswith("structured/"):
        bodies = [_bodies(document, 2) for document in documents]
    else:
        bodies = _shared([_bodies(document, 6) for document in documents])
    keys: dict[str, str] = {}
    is_note = path.startswith("memory/")
    return [
        _markdown(document, whole, keys, is_note=is_note)
        for document, whole in zip(documents, bodies, strict=True)
    ]


def _bodies(document: Document, level: int) -> dict[int, tuple[int, str]]:
    """What stands under each heading (of level 2, or of any up to 6), up to the next one of these
    levels, by block index: the index of the block behind it, and the text with its heading."""
    blocks, lines = document.blocks, document.lines
    found: dict[int, tuple[int, str]] = {}
    heads = [i for i, block in enumerate(blocks) if block.kind == HEADING and block.level <= level]
    heads.append(len(blocks))
    for head, after in pairwise(heads):
        if after > head + 1 and (level > 2 or blocks[head].level == 2):
            text = "\n".join(lines[blocks[head].start : blocks[after - 1].end])
            found[head] = (after, text)
    return found


def _shared(bodies: Sequence[dict[int, tuple[int, str]]]) -> list[dict[int, tuple[int, str]]]:
    """Only the bodies that stand once in each version: nothing happened there, each is one node."""
    counts: dict[str, list[int]] = {}
    for version, found in enumerate(bodies):
        for _, text in found.values():
            counts.setdefault(text, [0] * len(bodies))[version] += 1
    once = [1] * len(bodies)
    return [
        {head: body for head, body in found.items() if counts[body[1]] == once} for found in bodies
    ]


def _lines(text: str) -> Tree:
    tree = Tree(with_ends(text))
    for index, line in enumerate(tree.lines):
        if line.strip():
            tree.add(tree.root, Node(LINE, key=line.strip()), index, index + 1)
    return tree.finish()


def _settings(text: str) -> Tree:
    """TOML by key: tables are sections, `key = value` is one node with all of its lines."""
    tree = Tree(with_ends(text))
    lines = tree.lines
    home = tree.root
    index = 0
    while index < len(lines):
        line = lines[index].strip()
        start, index = index, index + 1
        if not line:
            continue
        setting = _SETTING.match(line)
        if _TABLE_LINE.match(line):
            home = tree.add(tree.root, Node(SECTION, key=line, name=line, level=1), start, index)
        elif setting:
            while index < len(lines) and _is_open("".join(lines[start:index])):
                index += 1
            value = "".join(lines[start:index]).strip()
            tree.add(home, Node(FIELD, key=value, name=setting[1]), start, index)
        else:
            tree.add(home, Node(LINE, key=line), start, index)
    return tree.finish()


def _is_open(value: str) -> bool:
    """Does a TOML value go on in the next line? Brackets in strings are rare enough to count."""
    if len(value) > 20_000:
        return False
    quotes = value.count('"""') % 2 or value.count("'''") % 2
    return bool(quotes) or value.count("[") > value.count("]")


def _markdown(
    document: Document, whole: Mapping[int, tuple[int, str]], keys: dict[str, str], *, is_note: bool
) -> Tree:
    """The tree of a document. `whole`: bodies that are one node. `keys` remembers the keys of list
    items, which the versions mostly share."""
    text = document.text
    tree = Tree([f"{line}\n" for line in document.lines] if "\r" not in text else with_ends(text))
    if document.front:
        _front(tree, document.lines[: document.front.lines])
    open_sections = [tree.root]
    open_items: list[Node] = []
    blocks = document.blocks
    index = 0
    while index < len(blocks):
        block = blocks[index]
        index += 1
        kind, start, end, depth = block[:4]
        if kind == HEADING:
            node = _heading(tree, open_sections, block)
            open_items = []
            if index - 1 in whole:
                after = whole[index - 1][0]
                _value(tree, document, node, blocks[index:after])
                index = after
            continue
        if kind in (ITEM, MORE):
            del open_items[depth:]
            parent = open_items[-1] if open_items else open_sections[-1]
            node = tree.add(parent, Node(kind, key=_key(document, block, keys)), start, end)
            if kind == ITEM:
                open_items.append(node)
        else:
            open_items = []
            if kind == PARAGRAPH and _composed(tree, document, open_sections[-1], block, is_note):
                continue
            node = tree.add(
                open_sections[-1], Node(kind, key=_key(document, block, keys)), start, end
            )
        node.closed = block.closed
    return tree.finish()


def _front(tree: Tree, lines: Sequence[str]) -> None:
    node = tree.add(tree.root, Node(FRONT, key="front"), 0, 1)
    last = len(lines) - 1
    index = 1
    while index < last:
        line = lines[index]
        start, index = index, index + 1
        if not line.strip():
            continue
        key = key_of(line)
        if key is None:
            tree.add(node, Node(LINE, key=line.strip()), start, index)
            continue
        while index < last and continues_value(lines[index]):
            index += 1
        value = "\n".join(part.rstrip() for part in lines[start:index])
        tree.add(node, Node(FIELD, key=value, name=key), start, index)
    node.closing = tree.close(node, len(lines))


def _heading(tree: Tree, open_sections: list[Node], block: Block) -> Node:
    while len(open_sections) > 1 and open_sections[-1].level >= block.level:
        open_sections.pop()
    title = plain_title(block.title)
    node = Node(SECTION, key=f"{block.level} {title}", name=title.casefold(), level=block.level)
    tree.add(open_sections[-1], node, block.start, block.end)
    open_sections.append(node)
    return node


def _value(tree: Tree, document: Document, section: Node, blocks: Sequence[Block]) -> None:
    """All that stands under a heading as one node."""
    start, end = blocks[0].start, blocks[-1].end
    key = "\n".join(line.rstrip() for line in document.lines[start:end])
    node = tree.add(section, Node(VALUE, key=key, name=VALUE), start, end)
    node.closed = blocks[-1].closed


def _composed(tree: Tree, document: Document, home: Node, block: Block, is_note: bool) -> bool:
    """A paragraph that is a table or (not in notes) `key: value` lines, as several nodes."""
    lines = document.lines
    if not is_note and ":" in lines[block.start]:
        pairs = [parse_line(line) for line in lines[block.start : block.end]]
        if all(pair and len(pair[1].split()) <= _MAX_PAIR_WORDS for pair in pairs):
            for index, pair in enumerate(pairs, block.start):
                if pair:
                    node = Node(PAIR, key=f"{pair[0]}: {pair[1]}", name=pair[0])
                    tree.add(home, node, index, index + 1)
            return True
    if "|" not in lines[block.start] or block.end - block.start < 2:
        return False
    delimiter = lines[block.start + 1]
    if delimiter.strip("|-: \t") or "-" not in delimiter or "|" not in delimiter:
        return False
    head = lines[block.start]
    table = tree.add(home, Node(TABLE, key=_cells(head)), block.start, block.start + 2)
    for index in range(block.start + 2, block.end):
        tree.add(table, Node(ROW, key=_cells(lines[index])), index, index + 1)
    return True


def _cells(row: str) -> str:
    return " | ".join(cell.strip() for cell in row.strip().strip("|").split("|"))


def _key(document: Document, block: Block, keys: dict[str, str]) -> str:
    if block.kind != ITEM or block.end - block.start > 1:
        return _new_key(document, block)
    line = document.lines[block.start]
    key = keys.get(line)
    if key is None:
        key = keys[line] = _new_key(document, block)
    return key


def _new_key(document: Document, block: Block) -> str:
    """Equal for two blocks that say the same, whatever their indent, marker and line ends."""
    lines: Sequence[str] = document.lines[block.start : block.end]
    if block.kind in _VERBATIM:
        return block.kind + "\n".join(line.rstrip() for line in lines)
    if block.kind == ITEM:
        marker = _MARK.match(lines[0])
        style = "-" if marker is None or marker[1] in "-*+" else "1."
        rest = lines[0][marker.end() :].strip() if marker else lines[0]
        return "\n".join([f"{style} {rest}", *(line.strip() for line in lines[1:])])
    return "\n".join(line.strip() for line in lines)
