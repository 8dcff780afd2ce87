"""What of a file an agent is shown: no comments, and within a limit the newest and the rules.

Nothing is parsed while the file fits: hooks ask this at every prompt.
"""

from __future__ import annotations

from mnemofs.markdown.comments import without_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mnemofs.markdown.document import Document

# Dated entries that stay even where undated text leaves little room.
_NEWEST = 5


def shown(text: str, limit: int) -> tuple[str, tuple[str, ...]]:
    """At most `limit` characters (0 = all) of a file, and the names of what was left out.

    Dated list items go first, the oldest before the others; if that is not enough, what is left is
    cut at a section (`budget.fit`).
    """
    text = without_comments(text).strip()
    if limit <= 0 or len(text) <= limit:
        return text, ()
    from mnemofs.markdown.budget import fit
    from mnemofs.markdown.document import Document

    text, left = _without_oldest(Document.of_text(text), limit)
    kept = fit(text, limit)
    return kept.text.strip(), (*left, *kept.omitted)


def _without_oldest(document: Document, limit: int) -> tuple[str, tuple[str, ...]]:
    from mnemofs.markdown.entries import item_text, stamped
    from mnemofs.markdown.scanner import ITEM, MORE

    dated: list[tuple[str, str, int, int, int]] = []
    blocks = document.blocks
    for index, block in enumerate(blocks):
        if block.kind != ITEM or block.depth:
            continue
        stamp = stamped(item_text(document.lines[block.start : block.end]))
        if not stamp.day:
            continue
        last = index + 1
        while last < len(blocks) and (blocks[last].depth or blocks[last].kind == MORE):
            last += 1
        begin = document.offsets[block.start]
        dated.append((stamp.day, stamp.time, index, begin, document.offsets[blocks[last - 1].end]))
    gone: list[tuple[int, int]] = []
    too_long = len(document.text) - limit
    days: list[str] = []
    for day, _, _, begin, end in sorted(dated)[: len(dated) - _NEWEST]:
        if too_long <= 0:
            break
        gone.append((begin, end))
        days.append(day)
        too_long -= end - begin
    if not gone:
        return document.text, ()
    pieces, at = [], 0
    for begin, end in sorted(gone):
        pieces.append(document.text[at:begin])
        at = end
    pieces.append(document.text[at:])
    noun = "entry" if len(gone) == 1 else "entries"
    return "".join(pieces), (f"{len(gone)} older {noun} up to {days[-1]}",)
