"""Where new text goes so that it can neither glue to old text nor fall into something left open."""

from __future__ import annotations

from mnemofs.markdown.document import Document
from mnemofs.markdown.htmlblocks import html_closing
from mnemofs.markdown.lines import with_ending
from mnemofs.markdown.scanner import FENCE, HEADING, HTML, ITEM, MORE, Block

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


def closing_line(document: Document) -> str:
    """The line that closes a fence or HTML which runs into the end of the file, or nothing."""
    if not document.blocks or document.blocks[-1].closed:
        return ""
    block = document.blocks[-1]
    opening = document.lines[block.start].strip(" \t")
    if block.kind == FENCE:
        return opening[: len(opening) - len(opening.lstrip(opening[0]))]
    return html_closing(opening)


def balanced(block: str) -> str:
    """New text with its last fence or HTML closed, so that it cannot swallow what comes next."""
    closing = closing_line(Document.fragment(block))
    return f"{block}\n{closing}" if closing else block


def is_item(text: str) -> bool:
    """Does this text begin with a list item?"""
    blocks = Document.fragment(text).blocks
    return bool(blocks) and blocks[0].kind == ITEM


def place(document: Document, begin: int, end: int, block: str, *, tight: bool = False) -> str:
    """The document's text with `block` as the last content of the span; see `insertion`."""
    at, inserted = insertion(document, begin, end, block, tight=tight)
    return document.text[:at] + inserted + document.text[at:]


def insertion(
    document: Document, begin: int, end: int, block: str, *, tight: bool = False
) -> tuple[int, str]:
    """Where to put what, so that `block` becomes the last content of the span.

    `block` has no blank lines at its ends. It follows a blank line, except that a list item joins
    the list that the span ends with, and that `tight` asks for the very next line. Blank lines at
    the end of the span stay behind it; at the end of the file a line end is made sure of.
    """
    text, eol = document.text, document.eol
    block = with_ending(block, eol)
    at = content_end(text, begin, end)
    if not text[:at].strip(_BLANK):
        unfinished = text and text[-1] not in "\r\n"
        return len(text), (eol if unfinished else "") + block + eol
    after = apart(document, at, block) if at < len(text) else eol
    closing = ""
    if not text[at:].strip(_BLANK) and (line := closing_line(document)):
        closing = eol + line
    gap = eol if tight else eol * 2
    if not tight and is_item(block):
        gap = _list_gap(document, document.blocks_in(begin, at)) or gap
    return at, closing + gap + block + after


def apart(document: Document, at: int, block: str) -> str:
    """What keeps `block`, coming to stand before the line end at `at`, out of the very next line:
    text would become part of an underlined heading there (MD-07), and HTML that only a blank line
    ends would swallow any heading (MD-09)."""
    line_end = "\r\n" if document.text.startswith("\r\n", at) else document.text[at : at + 1]
    following = at + len(line_end)
    if not line_end or document.text[following : following + 1] in ("", "\r", "\n"):
        return ""
    return document.eol if underlined(document, following) or _goes_on(block) else ""


def _goes_on(block: str) -> bool:
    """Whether a text ends in HTML that goes on until a blank line."""
    parsed = Document.fragment(block)
    if not parsed.blocks or parsed.blocks[-1].kind != HTML:
        return False
    return not html_closing(parsed.lines[parsed.blocks[-1].start].strip(" \t"))


def below_text(document: Document, at: int) -> str:
    """What keeps text that comes to stand at `at`, a line's start, apart from the line above it;
    nothing when that one is blank."""
    above = document.text[:at].removesuffix("\n").removesuffix("\r").rstrip(" \t")
    return document.eol if above and above[-1] not in "\r\n" else ""


def underlined(document: Document, at: int) -> bool:
    """Whether a heading stands at `at` that is a line of text over one of `=` or `-` (setext)."""
    starting = (document.blocks[index] for index in document.blocks_in(at, at + 1))
    return any(block.kind == HEADING and block.end - block.start > 1 for block in starting)


def _list_gap(document: Document, span: range) -> str | None:
    """What separates the items of the list that the span ends with; None when it ends with none.

    A list that a person spaced out stays spaced out, any other grows without blank lines.
    """
    blocks = document.blocks
    items: list[Block] = []
    for index in reversed(span):
        if blocks[index].kind not in (ITEM, MORE):
            break
        if not blocks[index].depth:
            items.append(blocks[index])
        if len(items) == 2:
            spaced = not document.lines[items[0].start - 1].strip()
            return document.eol * 2 if spaced else document.eol
    return document.eol if items else None
