"""The always-on part of a prompt: whole files in their order, then structured entries.

Pure: texts in, text out, the same bytes for the same memory, so that a model's prompt cache holds.
Whatever did not fit is named in `omitted`.
"""

from __future__ import annotations

from mnemofs.context.frame import STRUCTURED, escape, file_block, flat
from mnemofs.markdown.comments import without_comments
from mnemofs.markdown.shown import shown
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemofs.markdown.structured_text import StructuredText

TITLES = {"user": "User Profile", "feedback": "Feedback"}
_FOOTER_ROOM = 120
_KEY_ROOM = 30
# Lines about an entry, wherever they stand in it; another quotation is part of what it says (W-18).
_META = ("> Source:", "> UserFeedback:", "> Forgotten:")


class MemoryFile(Record):
    """A file for the prompt. limit: its own ceiling in characters, 0 = none."""

    name: str
    text: str
    limit: int = 0


class Whole(Record):
    """A file as it was rendered: the text of it that is there, and the limit that it was given."""

    name: str
    text: str
    limit: int


class Block(Record):
    """Rendered text, the files that are in it, and what was left out (in words).

    whole: files shown as such. keys: which of the structured entries given are shown, by index.
    """

    text: str
    files: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    whole: tuple[Whole, ...] = ()
    keys: tuple[int, ...] = ()


def always_on(files: Sequence[MemoryFile], structured: Block, *, limit: int) -> Block:
    """Files in order and the structured block, ≤ `limit` characters: the system prompt from the
    shared ones, the first part of a turn's recall from a person's own.

    A file that does not fit is cut (`markdown.shown`); what was cut and files that find no room
    are named. limit 0 = no ceiling.
    """
    parts: list[str] = []
    whole: list[Whole] = []
    omitted: list[str] = []
    room = Room(limit)
    for file in files:
        placed = room.place(file, omitted)
        if placed is not None:
            parts.append(placed[0])
            whole.append(placed[1])
    files_shown = [one.name for one in whole]
    if structured.text and room.take(structured.text):
        parts.append(structured.text)
        files_shown += structured.files
        omitted += structured.omitted
    else:
        if structured.text:
            omitted.append("structured entries: no room for the whole block")
        structured = Block("")
    return Block(
        "\n\n".join(parts), tuple(files_shown), tuple(omitted), tuple(whole), structured.keys
    )


class Room:
    """How much of a budget is left, in characters; limit 0 = no end."""

    def __init__(self, limit: int) -> None:
        self.left: int | None = limit or None

    def take(self, text: str) -> bool:
        """Whether `text` fits; then its room (and that of a blank line) is gone."""
        if self.left is None:
            return True
        if len(text) > self.left:
            return False
        self.left -= len(text) + 2
        return True

    def place(self, file: MemoryFile, omitted: list[str]) -> tuple[str, Whole] | None:
        """A file under its frame line as far as it fits; names of what did not go to `omitted`."""
        limit = file.limit
        text, lost = shown(file.text, limit)
        if not text:
            return None
        block = file_block(file.name, text)
        if self.left is not None and len(block) > self.left:
            limit = self.left - (len(block) - len(text))
            text, lost = shown(file.text, limit) if limit > _FOOTER_ROOM else ("", ())
            # Escapes may have made it longer than planned.
            block = file_block(file.name, text)[: self.left]
        if not text:
            omitted.append(f"{file.name}: whole file")
            return None
        omitted += (f"{file.name}: {name}" for name in lost)
        self.take(block)
        return block, Whole(file.name, text, limit)


def structured_block(
    entries: Sequence[tuple[str, StructuredText]], *, limit: int, per_type: int
) -> Block:
    """Entries of the always-on types as bullets, newest kept first, in file order (CTX-03).

    entries: (type, entry) in file order. limit: characters of the whole block including headings
    and footer, 0 = none. per_type: most entries of one type, 0 = no limit. The footer says how
    many older ones were left out; they stay in the files.
    """
    lines = [f"- **{flat(entry.key)}**: {one_line(entry, limit)}" for _, entry in entries]
    newest_first = sorted(
        range(len(entries)), key=lambda i: (str(entries[i][1].updated or ""), i), reverse=True
    )
    counts: dict[str, int] = {}
    kept: set[int] = set()
    size = len(f"## {STRUCTURED}")
    for index in newest_first:
        kind = entries[index][0]
        if per_type and counts.get(kind, 0) >= per_type:
            continue
        longer = size + len(lines[index]) + 1
        if kind not in counts:
            longer += len(f"\n\n### {TITLES[kind]}")
        if limit and longer + len(_footer(len(entries) - len(kept) - 1)) > limit:
            break
        size = longer
        kept.add(index)
        counts[kind] = counts.get(kind, 0) + 1
    omitted = tuple(
        f"structured/{kind}.md: {entry.key}"
        for index, (kind, entry) in enumerate(entries)
        if index not in kept
    )
    if not kept:
        return Block("", (), omitted)
    shown_lines = [f"## {STRUCTURED}"]
    for kind, title in TITLES.items():
        of_kind = [lines[index] for index in sorted(kept) if entries[index][0] == kind]
        if of_kind:
            shown_lines += ["", f"### {title}", *of_kind]
    files = tuple(f"structured/{kind}.md" for kind in TITLES if kind in counts)
    text = "\n".join(shown_lines) + _footer(len(entries) - len(kept))
    return Block(text, files, omitted, keys=tuple(sorted(kept)))


def _footer(left: int) -> str:
    if not left:
        return ""
    return f"\n\n> {left} older {'entry' if left == 1 else 'entries'} left out here."


def one_line(entry: StructuredText, limit: int) -> str:
    """What an entry says on one line, no longer than a block of `limit` characters has room for."""
    lines = (line.strip() for line in without_comments(entry.content).split("\n"))
    text = escape(" ".join(line for line in lines if line and not line.startswith(_META)))
    # A long key is no reason to show nothing at all.
    room = limit - _FOOTER_ROOM - max(len(flat(entry.key)) - _KEY_ROOM, 0)
    return text[: room - 1] + "…" if limit and len(text) > room > 0 else text
