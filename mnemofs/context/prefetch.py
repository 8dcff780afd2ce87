"""What is recalled for one turn: this person's own memory, and what fits the question.

Pure: texts and search hits in, framed text out. Every recalled line carries its date, because a
reader that sees dates answers better than one that does not.
"""

from __future__ import annotations

from mnemofs.context.frame import RELATED, flat, recalled
from mnemofs.context.prompt import Block, Room
from mnemofs.markdown.comments import without_comments
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Recalled(Record):
    """A search hit as the prompt needs it.

    date: "2026-05-01" or "". parts: what its score is made of, "words 0.4 note 0.1".
    """

    path: str
    line: int
    text: str
    date: str
    scope: str
    heading: str = ""
    score: float = 0.0
    parts: str = ""


def asked_part(
    relevant: Block, hits: Sequence[Recalled], external: Sequence[str], *, limit: int
) -> Block:
    """What fits the question: structured entries, hits (best first), and what other providers said
    (escaped sections); ≤ `limit` characters (0 = no end). `keys` are the hits that are shown."""
    room = Room(limit)
    omitted = list(relevant.omitted)
    parts: list[str] = []
    names: list[str] = []
    if relevant.text:
        if room.take(relevant.text):
            parts.append(relevant.text)
            names += relevant.files
        else:
            omitted.append("structured entries that fit the question: no room for the whole block")
    head = f"## {RELATED}, best first\n\n"
    lines: list[str] = []
    keys: list[int] = []
    for index, hit in enumerate(hits):
        where = f"{hit.path}:{hit.line}"
        said = flat(without_comments(hit.text))
        line = f"- {hit.date + ' ' if hit.date else ''}({flat(where)}) {said}"
        if room.take(line if lines else head + line):
            lines.append(line)
            keys.append(index)
            names.append(hit.path)
        else:
            omitted.append(f"{where}: no room")
    if lines:
        parts.append(head + "\n".join(lines))
    for section in external:
        if room.take(section):
            parts.append(section)
        else:
            omitted.append(f"{section.partition(' Recall')[0].strip('[')}: no room")
    files = tuple(dict.fromkeys(names))
    return Block("\n\n".join(parts), files, tuple(omitted), keys=tuple(keys))


def prefetch(own: Block, asked: Block) -> Block:
    """Both parts in their frame; "" when there is nothing."""
    return Block(
        recalled([block.text for block in (own, asked) if block.text]),
        tuple(dict.fromkeys(own.files + asked.files)),
        own.omitted + asked.omitted,
        own.whole,
    )
