"""Inverted lists for large stores: k-means directions, and only the nearest lists are read.

Up to EXACT_UP_TO vectors every one is compared. Above that the vectors are filed under some
hundreds or thousands of centroids, and a question reads the lists of the nearest ones; vectors that
were made since (the tail) are compared with it as before, so none is ever missed for being new.
`benchmarks/index_scale.py` measures what that finds against comparing all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.index.meaning.vectors import current
from mnemofs.index.rows import inverted
from mnemofs.index.rows.database import value

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.sidecar import Index

EXACT_UP_TO = 100_000
# The centroids no longer fit when the store is this many times what they were trained on.
_GROWN = 2.0
# New vectors that are compared one by one before they are filed.
TAIL = 8192
# Of each list, how many vectors teach its centroid, and how often.
_SAMPLE = 48
_ROUNDS = 7
# A block is filled up before another one is begun: what one read fetches, what one edit rewrites.
_BLOCK = 64
# Vectors filed in one transaction: a fraction of a second in which nobody else can write.
_FILED = 1 << 15
# Rows in a matrix product, so that what it makes stays in the processor's cache.
_ROWS = 512


class Partition(NamedTuple):
    """The lists in use. upto: all vectors up to this id are filed; trained: how many there were
    when the centroids were found."""

    id: int
    upto: int
    trained: int


def dot(packed: NDArray[np.int8], question: NDArray[np.float32]) -> NDArray[np.float32]:
    """The products of int8 rows with a vector. By parts: a whole matrix of float32 would not fit
    the cache and takes longer, besides four times the memory."""
    import numpy as np

    made = np.empty(len(packed), np.float32)
    part = np.empty((_ROWS, packed.shape[1]), np.float32)
    for start in range(0, len(packed), _ROWS):
        rows = packed[start : start + _ROWS]
        np.copyto(part[: len(rows)], rows, casting="unsafe")
        np.dot(part[: len(rows)], question, out=made[start : start + len(rows)])
    return made


def partition(index: Index, embedder: int) -> Partition | None:
    """The lists of an embedder, None while all its vectors are compared."""
    rows = index.query(
        "select id, upto, trained from partition where embedder = ? and ready = 1", (embedder,)
    )
    return Partition(*rows[0]) if rows else None


def centroids(index: Index, number: int, dims: int) -> NDArray[np.float32]:
    """The directions of a partition, unit rows by list number."""
    import numpy as np

    rows = index.query("select centroids from partition where id = ?", (number,))
    return np.frombuffer(rows[0][0] if rows else b"", np.float32).reshape(-1, dims)


def probe(
    index: Index,
    number: int,
    directions: NDArray[np.float32],
    question: NDArray[np.float32],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(vector ids, products with `question`) of the lists nearest to it."""
    import numpy as np

    count = min(probes(len(directions)), len(directions))
    if not count:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    nearest = np.argpartition(-(directions @ question), count - 1)[:count]
    rows = index.query(
        "select ids, q8 from block where partition = ?"
        f" and list in ({','.join(map(str, sorted(nearest.tolist())))})",
        (number,),
    )
    ids = np.frombuffer(b"".join(row[0] for row in rows), np.int64)
    packed = np.frombuffer(b"".join(row[1] for row in rows), np.int8)
    return ids, dot(packed.reshape(len(ids), -1), question)


def lists(count: int) -> int:
    """How many lists for so many vectors: a power of two near 1.5 times the square root."""
    return 1 << max(round(math.log2(1.5 * math.sqrt(max(count, 1)))), 0)


def probes(count: int) -> int:
    """How many of so many lists a question reads."""
    return max(round(1.4 * math.sqrt(count)), 1)


def tend(index: Index, *, train_too: bool = True) -> None:
    """Keeps the lists fit: made when the store has grown large, made anew when it has outgrown
    them, dropped when it is small again; new vectors are filed. Cheap when nothing is to do.

    train_too: False files new vectors and leaves training, which takes seconds, to others.
    The work goes in short transactions and may be interrupted: until new lists are ready, the old
    ones (or comparing all) answer. For one process at a time (`embedding`'s lock).
    """
    embedder_in_use = index.embedder
    found = None if embedder_in_use is None else current(index, embedder_in_use)
    if found is None:
        return
    embedder, dims = found
    total = count(index, embedder)
    ready = partition(index, embedder)
    if total <= EXACT_UP_TO:
        if ready is not None and total < EXACT_UP_TO // 2:
            with index.writing_lock, index.transaction() as connection:
                inverted.drop(connection, ready.id)
        return
    if train_too and (ready is None or total > _GROWN * ready.trained):
        draft = _draft(index, embedder, dims, total)
        _file(index, embedder, draft, centroids(index, draft, dims))
        with index.writing_lock, index.transaction() as connection:
            connection.execute("update partition set ready = 1 where id = ?", (draft,))
            if ready is not None:
                inverted.drop(connection, ready.id)
    elif ready is not None and beyond(index, embedder, ready.upto) > TAIL:
        _file(index, embedder, ready.id, centroids(index, ready.id, dims))


def count(index: Index, embedder: int) -> int:
    rows = index.query("select count(*) from vector where embedder = ?", (embedder,))
    return int(rows[0][0]) if rows else 0


def beyond(index: Index, embedder: int, upto: int) -> int:
    # The plus sign: by id, which is a handful of rows, not by embedder, which is all of them.
    rows = index.query(
        "select count(*) from vector where id > ? and +embedder = ?", (upto, embedder)
    )
    return int(rows[0][0]) if rows else 0


def _draft(index: Index, embedder: int, dims: int, total: int) -> int:
    """The number of a partition in the making: one that an interruption left, else a new one."""
    drafts = index.query(
        "select id, trained from partition where embedder = ? and ready = 0", (embedder,)
    )
    for number, trained in drafts:
        if total <= _GROWN * trained:
            return int(number)
    made = train(_sample(index, embedder, dims, _SAMPLE * lists(total)), lists(total))
    with index.writing_lock, index.transaction() as connection:
        for number, _trained in drafts:
            inverted.drop(connection, number)
        connection.execute(
            "insert into partition(embedder, trained, upto, ready, centroids)"
            " values(?, ?, 0, 0, ?)",
            (embedder, total, made.tobytes()),
        )
        return int(connection.last_insert_rowid())


def _sample(index: Index, embedder: int, dims: int, rows_wanted: int) -> NDArray[np.float32]:
    """Unit vectors, first in the order of their hashes, which is to say taken at random."""
    import numpy as np

    rows = index.query(
        "select q8 from vector where embedder = ? order by hash limit ?", (embedder, rows_wanted)
    )
    packed = np.frombuffer(b"".join(row[0] for row in rows), np.int8).reshape(-1, dims)
    made = packed.astype(np.float32)
    made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1)
    return made


def train(sample: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """`count` unit centroids by spherical k-means over unit rows; the same sample gives the same.

    A centroid that nothing is nearest to moves to a vector of the sample.
    """
    import numpy as np

    dice = np.random.default_rng(0)
    count = min(count, len(sample))
    made = sample[dice.choice(len(sample), count, replace=False)].copy()
    for _ in range(_ROUNDS):
        nearest = assign(sample, made)
        order = np.argsort(nearest, kind="stable")
        sizes = np.bincount(nearest, minlength=count)
        used = sizes > 0
        starts = (np.cumsum(sizes) - sizes)[used]
        made[used] = np.add.reduceat(sample[order], starts, axis=0)
        made[~used] = sample[dice.integers(len(sample), size=int((~used).sum()))]
        made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-6)
    return made


def assign(rows: NDArray[Any], directions: NDArray[np.float32]) -> NDArray[np.int64]:
    """The number of the nearest centroid for each row."""
    import numpy as np

    turned = np.ascontiguousarray(directions.T)
    made = np.empty(len(rows), np.int64)
    for start in range(0, len(rows), 4096):
        part = rows[start : start + 4096].astype(np.float32, copy=False)
        made[start : start + len(part)] = (part @ turned).argmax(axis=1)
    return made


def _file(index: Index, embedder: int, number: int, directions: NDArray[np.float32]) -> None:
    """Files every vector that is not yet in the lists of partition `number`."""
    import numpy as np

    dims = directions.shape[1]
    upto = int(index.query("select upto from partition where id = ?", (number,))[0][0])
    while True:
        rows = index.query(
            "select id, q8 from vector where id > ? and +embedder = ? order by id limit ?",
            (upto, embedder, _FILED),
        )
        if not rows:
            return
        ids = np.array([row[0] for row in rows], np.int64)
        packed = np.frombuffer(b"".join(row[1] for row in rows), np.int8).reshape(-1, dims)
        nearest = assign(packed, directions)
        first, upto = upto, int(ids[-1])
        with index.writing_lock, index.transaction() as connection:
            # Another process may have deleted some meanwhile.
            alive = connection.execute(
                "select id from vector where id > ? and id <= ?", (first, upto)
            ).fetchall()
            there = np.isin(ids, np.array(alive, np.int64).reshape(-1), assume_unique=True)
            _put(connection, number, nearest[there], ids[there], packed[there])
            connection.execute("update partition set upto = ? where id = ?", (upto, number))


def _put(
    connection: apsw.Connection,
    number: int,
    nearest: NDArray[np.int64],
    ids: NDArray[np.int64],
    packed: NDArray[np.int8],
) -> None:
    """Appends vectors to their lists, filling up the last block of each."""
    import numpy as np

    last: dict[int, tuple[int, int]] = {
        row[0]: row[1:]
        for row in connection.execute(
            "select list, max(id), length(ids) / 8 from block where partition = ? group by list",
            (number,),
        )
    }
    new = int(value(connection, "select coalesce(max(id), 0) from block")) + 1
    order = np.argsort(nearest, kind="stable")
    bounds = np.flatnonzero(np.diff(nearest[order])) + 1
    inserts: list[tuple[Any, ...]] = []
    updates: list[tuple[Any, ...]] = []
    places: list[tuple[int, int]] = []
    for group in np.split(order, bounds) if len(order) else []:
        which = int(nearest[group[0]])
        block, size = last.get(which, (0, _BLOCK))
        start = 0
        if size < _BLOCK:
            start = _BLOCK - size
            part = group[:start]
            updates.append((ids[part].tobytes(), packed[part].tobytes(), block))
            places += zip(ids[part].tolist(), [block] * len(part), strict=True)
        for begin in range(start, len(group), _BLOCK):
            part = group[begin : begin + _BLOCK]
            inserts.append((new, number, which, ids[part].tobytes(), packed[part].tobytes()))
            places += zip(ids[part].tolist(), [new] * len(part), strict=True)
            new += 1
    connection.executemany(
        "update block set ids = cast(ids || ? as blob), q8 = cast(q8 || ? as blob) where id = ?",
        updates,
    )
    connection.executemany(
        "insert into block(id, partition, list, ids, q8) values(?, ?, ?, ?, ?)", inserts
    )
    connection.executemany("insert into place(vector, block) values(?, ?)", places)
