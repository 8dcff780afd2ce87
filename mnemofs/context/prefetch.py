"""What is recalled for one turn: this person's own memory, and what fits the question.

Pure: texts and search hits in, framed text out. Every recalled line carries its date, because a
reader that sees dates answers better than one that does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mnemofs.context.frame import escape, recalled
from mnemofs.context.prompt import Block, MemoryFile, within


class Recalled(NamedTuple):
    """A search hit as the prompt needs it. date: "2026-05-01" or ""."""

    path: str
    line: int
    text: str
    date: str
    scope: str


def prefetch(
    personal: Sequence[MemoryFile],
    structured: Block,
    hits: Sequence[Recalled],
    *,
    owner: str,
    limit: int,
) -> Block:
    """The recalled block, ≤ `limit` characters (0 = none) besides the frame; "" when empty.

    personal: the owner's own always-on files, in order. hits: best first. Personal memory is
    admitted before hits; a hit that does not fit is named by path and line.
    """
    sections: list[str] = []
    names: list[str] = []
    omitted: list[str] = []
    room = limit or None

    def admit(text: str) -> bool:
        nonlocal room
        if room is not None and len(text) > room:
            return False
        if room is not None:
            room -= len(text) + 2
        return True

    for file in personal:
        if not file.text.strip():
            continue
        kept, lost = within(file.text.strip(), file.limit)
        text = f"[{owner}: {file.name}]\n{escape(kept).strip()}"
        if admit(text):
            sections.append(text)
            names.append(file.name)
            omitted += [f"{file.name}: {name}" for name in lost]
        else:
            omitted.append(f"{file.name}: whole file")
    if structured.text:
        if admit(structured.text):
            sections.append(structured.text)
            names += structured.files
            omitted += structured.omitted
        else:
            omitted.append("structured entries: whole block")
    lines = []
    for hit in hits:
        where = f"{hit.path}:{hit.line}"
        text = " ".join(escape(hit.text).split())
        line = f"- {hit.date + ' ' if hit.date else ''}({where}) {text}"
        if admit(line):
            lines.append(line)
            names.append(hit.path)
        else:
            omitted.append(where)
    if lines:
        sections.append("Related to the question, best first:\n" + "\n".join(lines))
    return Block(recalled(sections), tuple(dict.fromkeys(names)), tuple(omitted))
