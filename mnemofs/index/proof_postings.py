"""The arrays of a large store's words against the full-text index they were made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import apsw

# So many terms that differ are named.
_NAMED = 3


def compare(connection: apsw.Connection) -> list[str]:
    """Sentences about what differs; none when there are no arrays. Inside one snapshot."""
    rows: list[Any] = connection.execute(
        "select id, upto, lengths from posted where ready = 1"
    ).fetchall()
    if not rows:
        return []
    import numpy as np

    segment, upto, lengths = rows[0]
    found = []
    alive = connection.execute("select count(*) from gone where chunk in (select id from chunk)")
    count = next(alive)[0]
    if count:
        found.append(f"{count} texts are taken for deleted in the arrays of words")
    kept = np.frombuffer(lengths, np.uint32)
    if len(kept) != upto + 1:
        return [*found, "the arrays of words do not have the lengths of all texts"]
    gone = {row[0] for row in connection.execute("select chunk from gone")}
    counted = np.zeros(upto + 1, np.uint32)
    wrong = _wrong_terms(connection, segment, gone, counted)
    there = counted > 0
    if not np.array_equal(counted[there], kept[there]):
        found.append("lengths of texts are wrong in the arrays of words")
    if wrong:
        named = ", ".join(repr(term) for term in wrong[:_NAMED])
        more = ", ..." if len(wrong) > _NAMED else ""
        found.append(f"{len(wrong)} words have other texts in their arrays: {named}{more}")
    return found


def _wrong_terms(
    connection: apsw.Connection, segment: int, gone: set[int], lengths: Any
) -> list[str]:
    import numpy as np

    from mnemofs.index.packed import unpack
    from mnemofs.index.posting_build import FEW, gather

    dead = np.array(sorted(gone), np.int64)
    wrong = []
    held = dict(
        connection.execute("select term, packed from posting where segment = ?", (segment,))
    )
    for one in gather(connection, len(lengths) - 1, lengths, few=1):
        packed = held.pop(one.term, b"")
        if not packed and len(one.chunks) < FEW:
            continue
        wanted = [one.chunks, np.minimum(one.own, 255), np.minimum(one.near, 255)]
        if not _same(packed, wanted, dead, unpack):
            wrong.append(one.term)
    nothing = [np.empty(0, np.int64)] * 3
    wrong += [term for term, packed in held.items() if not _same(packed, nothing, dead, unpack)]
    return wrong


def _same(packed: bytes, wanted: list[Any], dead: Any, unpack: Any) -> bool:
    import numpy as np

    try:
        columns = unpack(packed)
        stay = np.isin(columns[0], dead, invert=True)
        return all(
            np.array_equal(column[stay], other)
            for column, other in zip(columns, wanted, strict=True)
        )
    except (ValueError, IndexError):
        return False
