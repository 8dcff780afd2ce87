"""Where new text goes so that it can neither glue to old text nor fall into something left open."""

from __future__ import annotations

from mnemofs.markdown.document import Document
from mnemofs.markdown.lines import with_ending
from mnemofs.markdown.scanner import COMMENT, FENCE, ITEM, MORE, Block

_BLANK = " \t\r\n"


def trimmed(text: str) -> str:
    """`text` without blank lines at either end and without its final line end."""
    first = len(text) - len(text.lstrip(_BLANK))
    begin = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    return text[begin : content_end(text, begin, len(text))]


def content_end(text: str, begin: int, end: int) -> int:
    """Offset of the end of the last line in the span that is not blank (`begin` if all are)."""
    kept = begin + len(text[begin:end].rstrip(_BLANK))
    if kept == begin:
        return begin
    while kept < end and text[kept] in " \t":
        kept += 1
    return kept


def last_block(document: Document, begin: int, end: int) -> Block | None:
    """The last block that starts inside the span."""
    found = None
    for block in document.blocks:
        if document.offsets[block.start] >= end:
            break
        if document.offsets[block.start] >= begin:
            found = block
    return found


def closing_line(document: Document) -> str:
    """The line that closes a fence or comment which runs into the end of the file, or nothing."""
    if not document.blocks or document.blocks[-1].closed:
        return ""
    block = document.blocks[-1]
    if block.kind == FENCE:
        opening = document.lines[block.start].strip(" \t")
        return opening[: len(opening) - len(opening.lstrip(opening[0]))]
    return "-->" if block.kind == COMMENT else ""


def balanced(block: str) -> str:
    """New text with its last fence or comment closed, so that it cannot swallow what comes next."""
    closing = closing_line(Document.of_text(block))
    return f"{block}\n{closing}" if closing else block


def is_item(text: str) -> bool:
    """Does this text begin with a list item?"""
    blocks = Document.of_text(text).blocks
    return bool(blocks) and blocks[0].kind == ITEM


def list_gap(document: Document, block: Block | None) -> str | None:
    """What separates the items of the list that `block` ends; None when it ends no list.

    A list that a person spaced out stays spaced out, any other grows without blank lines.
    """
    if block is None or block.kind not in (ITEM, MORE):
        return None
    items = [other for other in document.blocks if other.kind == ITEM and not other.depth]
    at = [index for index, other in enumerate(items) if other.start <= block.start]
    if len(at) < 2:
        return document.eol
    last, before = items[at[-1]], items[at[-2]]
    between = document.lines[before.end : last.start]
    spaced = bool(between) and not any(line.strip() for line in between)
    return document.eol * 2 if spaced else document.eol


def place(document: Document, begin: int, end: int, block: str, *, tight: bool = False) -> str:
    """The document's text with `block` as the last content of the span, blank lines kept behind it.

    `block` has no blank lines at its ends. It follows a blank line, except that a list item joins
    the list that the span ends with, and that `tight` asks for the very next line.
    """
    text, eol = document.text, document.eol
    block = with_ending(block, eol)
    at = content_end(text, begin, end)
    closing = ""
    if not text[at:].strip(_BLANK) and (line := closing_line(document)):
        closing = eol + line
    if not text[:at].strip(_BLANK):
        glue = eol if text and text[-1] not in "\r\n" else ""
        return text + glue + block + eol
    gap = eol if tight else eol * 2
    if not tight and is_item(block):
        gap = list_gap(document, last_block(document, begin, at)) or gap
    return text[:at] + closing + gap + block + (text[at:] or eol)
