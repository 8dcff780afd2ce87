"""The always-on part of a prompt: whole files in their order, then structured entries.

Pure: texts in, text out, the same bytes for the same memory, so that a model's prompt cache holds.
Whatever did not fit is named in `omitted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from mnemofs.context.frame import escape, file_block

if TYPE_CHECKING:
    from mnemofs.markdown.entries import StructuredEntry

TITLES = {"user": "User Profile", "feedback": "Feedback"}
_FOOTER_ROOM = 120


class MemoryFile(NamedTuple):
    """A file for the prompt. limit: its own ceiling in characters, 0 = none."""

    name: str
    text: str
    limit: int = 0


class Block(NamedTuple):
    """Rendered text, the files that are in it, and what was left out (in words)."""

    text: str
    files: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()


def always_on(files: Sequence[MemoryFile], structured: Block, *, limit: int) -> Block:
    """The system prompt from `files` in order and the structured block, ≤ `limit` characters.

    A file that does not fit as a whole is cut at a section boundary (`markdown.budget.fit`); the
    files behind it are left out and named. limit 0 = no ceiling.
    """
    parts: list[str] = []
    names: list[str] = []
    omitted: list[str] = []
    room = limit or None
    for file in files:
        if not file.text.strip():
            continue
        text, lost = within(file.text.strip(), file.limit)
        block = file_block(file.name, text)
        if room is not None and len(block) > room:
            head = len(block) - len(text)
            smaller, more = within(text, room - head) if room > head + _FOOTER_ROOM else ("", ())
            if not smaller.strip():
                omitted.append(f"{file.name}: whole file")
                continue
            block = file_block(file.name, smaller)[:room]
            lost += more
        parts.append(block)
        names.append(file.name)
        omitted += (f"{file.name}: {name}" for name in lost)
        if room is not None:
            room -= len(block) + 2
    if structured.text:
        if room is not None and len(structured.text) > room:
            omitted.append("structured entries: whole block")
        else:
            parts.append(structured.text)
            names += structured.files
            omitted += structured.omitted
    return Block("\n\n".join(parts), tuple(names), tuple(omitted))


def within(text: str, limit: int) -> tuple[str, tuple[str, ...]]:
    """At most `limit` characters of `text` (0 = all) and the names of what was cut."""
    if limit <= 0 or len(text) <= limit:
        return text, ()
    from mnemofs.markdown.budget import fit

    budgeted = fit(text, limit)
    return budgeted.text, budgeted.omitted


def structured_block(
    entries: Sequence[tuple[str, StructuredEntry]], *, limit: int, per_type: int
) -> Block:
    """Entries of the always-on types as bullets, newest kept first, in file order (CTX-03).

    entries: (type, entry) in file order. limit: characters of the whole block including headings
    and footer, 0 = none. per_type: most entries of one type, 0 = no limit. The footer says how
    many older ones were left out; they stay in the files.
    """
    ranked = sorted(
        range(len(entries)), key=lambda i: (entries[i][1].updated or date.min, i), reverse=True
    )
    counts: dict[str, int] = {}
    kept: set[int] = set()
    full = False
    for index in ranked:
        kind = entries[index][0]
        if full or (per_type and counts.get(kind, 0) >= per_type):
            continue
        trial = kept | {index}
        if limit and len(_render(entries, trial, limit)) > limit:
            full = True
            continue
        kept = trial
        counts[kind] = counts.get(kind, 0) + 1
    dropped = [i for i in range(len(entries)) if i not in kept]
    if not kept:
        return Block("", (), tuple(_named(entries, dropped)))
    kinds = dict.fromkeys(entries[i][0] for i in sorted(kept))
    files = tuple(f"structured/{kind}.md" for kind in kinds)
    return Block(_render(entries, kept, limit), files, tuple(_named(entries, dropped)))


def _render(entries: Sequence[tuple[str, StructuredEntry]], kept: set[int], limit: int) -> str:
    lines = ["## Structured Memory"]
    for kind, title in TITLES.items():
        of_kind = [entries[i][1] for i in sorted(kept) if entries[i][0] == kind]
        if of_kind:
            lines += ["", f"### {title}"]
            lines += [f"- **{entry.key}**: {_one_line(entry.content, limit)}" for entry in of_kind]
    left = len(entries) - len(kept)
    if left:
        lines += ["", f"> {left} older {'entry' if left == 1 else 'entries'} left out here."]
    return "\n".join(lines)


def _one_line(content: str, limit: int) -> str:
    text = escape(
        " ".join(
            line.strip()
            for line in content.split("\n")
            if line.strip() and not line.lstrip().startswith(">")
        )
    )
    room = limit - _FOOTER_ROOM
    return text[: room - 1] + "…" if limit and len(text) > room > 0 else text


def _named(entries: Sequence[tuple[str, StructuredEntry]], dropped: Sequence[int]) -> list[str]:
    return [f"structured/{entries[i][0]}.md: {entries[i][1].key}" for i in dropped]
