"""Inverted lists as rows: blocks of vectors that lie in one direction, side by side (IVF).

`partition` names the directions (k-means centroids) for one embedder, `block` holds up to some
dozens of vectors of one list, `place` says which block a vector is in. All of it is a second copy
of `vector`, made by `meaning.ivf` for large stores, and no vector is in it that is not there.
Here is what needs no arithmetic: a writer without numpy must be able to take vectors out.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable

import apsw

from mnemofs.index.rows.database import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def take_out(connection: apsw.Connection, vectors: Iterable[int]) -> None:
    """Removes deleted vectors from their lists, inside a transaction (EMB-05)."""
    if value(connection, "select 1 from partition") is None:
        return
    affected: dict[int, set[int]] = defaultdict(set)
    for vector in vectors:
        for (block,) in connection.execute("select block from place where vector = ?", (vector,)):
            affected[block].add(vector)
        connection.execute("delete from place where vector = ?", (vector,))
    for block, gone in affected.items():
        rows: list[Any] = connection.execute(
            "select ids, q8 from block where id = ?", (block,)
        ).fetchall()
        for ids, packed in rows:
            kept_ids, kept = without(ids, packed, gone)
            if kept_ids:
                connection.execute(
                    "update block set ids = ?, q8 = ? where id = ?", (kept_ids, kept, block)
                )
            else:
                connection.execute("delete from block where id = ?", (block,))


def without(ids: bytes, packed: bytes, gone: set[int]) -> tuple[bytes, bytes]:
    """A block's columns without some vectors: ids are int64, the vectors follow their order."""
    numbers = array("q", ids)
    width = len(packed) // len(numbers)
    stay = [slot for slot, vector in enumerate(numbers) if vector not in gone]
    return (
        array("q", (numbers[slot] for slot in stay)).tobytes(),
        b"".join(packed[slot * width : (slot + 1) * width] for slot in stay),
    )


def drop(connection: apsw.Connection, partition: int) -> None:
    """Deletes one partition with its blocks, inside a transaction; the vectors stay."""
    connection.execute(
        "delete from place where block in (select id from block where partition = ?)", (partition,)
    )
    connection.execute("delete from block where partition = ?", (partition,))
    connection.execute("delete from partition where id = ?", (partition,))


def drop_others(connection: apsw.Connection, embedder: int) -> None:
    """Deletes the partitions of all other embedders, inside a transaction."""
    rows: list[Any] = connection.execute(
        "select id from partition where embedder <> ?", (embedder,)
    ).fetchall()
    for (partition,) in rows:
        drop(connection, partition)
