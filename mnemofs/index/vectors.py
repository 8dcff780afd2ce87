"""The vector lane: int8 vectors in an ordinary table, exact search over them in memory.

The truth is `vector`, keyed by (embedder, hash of the embedded text): an edit, a move or a restore
never embeds the same text twice. The matrix is a cache that follows the table by chunk id. numpy
does the arithmetic; it reads the rows as fast as a `vec0` table would answer and needs no loadable
extension (EMB-04).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from mnemofs.errors import EmbedderError, MnemofsError
from mnemofs.index.blobs import blob_id
from mnemofs.index.database import value
from mnemofs.index.embedders import RateLimited
from mnemofs.index.projection import embed_texts, vec_hash
from mnemofs.index.writing import active_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.embedders import Embedder
    from mnemofs.index.sidecar import Index

# Chunks embedded and written at a time: a fraction of a second of work that a crash can lose; fewer
# for one who waits for an answer.
_BATCH = 64
_SMALL_BATCH = 8
# Floor and ceiling of the cosines of a model that nobody has measured yet.
_UNMEASURED = (0.2, 0.8)
_ENOUGH_TO_MEASURE = 40
# Times in a row that an endpoint may ask us to wait.
_MOST_WAITS = 8


@dataclass(frozen=True)
class Embedded:
    """What embedding came to.

    done: chunks that got a vector. pending: chunks that still wait. refused: (path, reason) of
    texts whose vector was unusable. error: why it stopped early, if it did. retry_after: seconds
    that the embedder asked us to wait.
    """

    done: int = 0
    pending: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    error: str = ""
    retry_after: float = 0.0


def pack(vectors: NDArray[np.float32], good: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The `good` rows as int8 directions, 127 = 1.0; zero for the others."""
    import numpy as np

    clean = np.where(good[:, None], vectors, 1)
    norms = np.linalg.norm(clean, axis=1, keepdims=True)
    return np.where(good[:, None], np.rint(clean / norms * 127), 0).astype(np.int8)


def usable(vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which rows have a direction: finite and not zero (EMB-03)."""
    import numpy as np

    finite = np.isfinite(vectors)
    size = np.abs(np.where(finite, vectors, 0)).max(axis=1)
    good: NDArray[np.bool_] = finite.all(axis=1) & (size > 1e-12)
    return good


def embed_pending(
    index: Index,
    *,
    limit: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Embedded:
    """See `Index.embed_pending`."""
    embedder = index.embedder
    if embedder is None:
        return Embedded()
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    done, last, waits = 0, -1, 0
    refused: list[tuple[str, str]] = []
    error, retry_after = "", 0.0
    waiting = pending(index)
    while limit is None or done < limit:
        room = _BATCH if seconds is None else _SMALL_BATCH
        if limit is not None:
            room = min(room, limit - done)
        try:
            activate(index, embedder)
            rows = _waiting(index, last, room)
            if not rows:
                break
            made, bad = _embed(index, embedder, rows)
        except RateLimited as fault:
            waits += 1
            if waits > _MOST_WAITS or time.monotonic() + fault.retry_after > deadline:
                error, retry_after = fault.message, fault.retry_after
                break
            time.sleep(fault.retry_after)
            continue
        except EmbedderError as fault:
            error = fault.message
            break
        except apsw.BusyError:
            error = "another process is writing to the search index"
            break
        last, waits = rows[-1][0], 0
        done += made
        refused += bad
        if progress is not None:
            progress(min(done + len(refused), waiting), waiting)
        if time.monotonic() >= deadline:
            break
    left = pending(index)
    if done and not left:
        _settle(index)
    return Embedded(done, left, tuple(refused), error, retry_after)


def pending(index: Index) -> int:
    """Chunks without a vector of the index's embedder; all of them after a change of model."""
    embedder = index.embedder
    if embedder is None:
        return 0
    if _current(index, embedder) is None:
        return int(
            index.query("select coalesce((select value from meta where key = 'chunks'), 0)")[0][0]
        )
    rows = index.query("select count(*) from chunk where vec is null")
    return int(rows[0][0]) if rows else 0


def _waiting(index: Index, after: int, limit: int) -> list[Any]:
    """(chunk, ordinal, hash, path, blob) of the next chunks without a vector."""
    return index.query(
        "select c.id, c.ordinal, c.vec_hash, f.path, f.blob from chunk c"
        " join file f on f.id = c.file where c.vec is null and c.id > ? order by c.id limit ?",
        (after, limit),
    )


class VectorLane:
    """Exact cosine search over the present chunks of one index.

    Vector ids only grow, so the cache follows the table by reading what is newer than its last.
    Guarded by the index's reading lock.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._generation = -1
        self._forget(0, 0)

    def cosines(self, question: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[np.float32]]:
        """(chunk ids ascending, cosine of each with the unit vector `question`); both empty when
        there are no vectors of this embedder and size."""
        import numpy as np

        with self._index.reading_lock:
            self._follow()
            if not len(self._chunks) or self._pool.shape[1] != len(question):
                return np.empty(0, np.int64), np.empty(0, np.float32)
            scores = self._pool[: len(self._vectors)] @ (question / np.float32(127))
            return self._chunks, scores[self._rows]

    def calibration(self) -> tuple[float, float]:
        """(floor, ceiling) of this embedder's cosines: its own, else as measured in this store."""
        embedder = self._index.embedder
        if embedder is not None and embedder.ceiling > embedder.floor:
            return embedder.floor, embedder.ceiling
        rows = self._index.query(
            "select floor, ceiling from embedder where ceiling is not null and id ="
            " (select value from meta where key = 'embedder')"
        )
        return (rows[0][0], rows[0][1]) if rows else _UNMEASURED

    def _forget(self, embedder: int, dims: int) -> None:
        import numpy as np

        self._embedder = embedder
        self._vectors = np.empty(0, np.int64)
        self._chunks = np.empty(0, np.int64)
        self._rows = np.empty(0, np.int64)
        self._pool = np.empty((0, dims), np.float32)

    def _follow(self) -> None:
        import numpy as np

        generation = self._index.generation()
        if generation == self._generation:
            return
        current = None
        if self._index.embedder is not None:
            current = _current(self._index, self._index.embedder)
        if current is None:
            self._forget(0, 0)
            return
        number, dims = current
        links = self._index.query("select id, vec from chunk where vec > 0 order by id")
        if number != self._embedder or len(self._vectors) > 2 * len(links) + 1000:
            self._forget(number, dims)
        self._take_newer(number, dims)
        pairs = np.array(links, dtype=np.int64).reshape(-1, 2)
        rows = np.searchsorted(self._vectors, pairs[:, 1])
        rows[rows == len(self._vectors)] = 0
        there = self._vectors[rows] == pairs[:, 1] if len(self._vectors) else rows < 0
        self._chunks, self._rows = pairs[there, 0], rows[there]
        self._generation = generation

    def _take_newer(self, embedder: int, dims: int) -> None:
        import numpy as np

        count = len(self._vectors)
        newest = int(self._vectors[-1]) if count else 0
        fresh = self._index.query(
            "select id, q8 from vector where embedder = ? and id > ? order by id",
            (embedder, newest),
        )
        if not fresh:
            return
        total = count + len(fresh)
        if total > len(self._pool):
            room = np.empty((total + total // 4, dims), np.float32)
            room[:count] = self._pool[:count]
            self._pool = room
        packed = np.frombuffer(b"".join(row[1] for row in fresh), np.int8)
        self._pool[count:total] = packed.reshape(-1, dims)
        self._vectors = np.concatenate([self._vectors, [row[0] for row in fresh]])


def _current(index: Index, embedder: Embedder) -> tuple[int, int] | None:
    """(id, dims) of the embedder in use, when that is the one whose vectors are linked."""
    rows = index.query(
        "select e.id, e.dims from meta m join embedder e on e.id = m.value"
        " where m.key = 'embedder' and e.name = ?",
        (embedder.id,),
    )
    if not rows or (embedder.dims and embedder.dims != rows[0][1]):
        return None
    return rows[0][0], rows[0][1]


def activate(index: Index, embedder: Embedder) -> int:
    """Makes `embedder` the one whose vectors count; its number. Chunks whose text it has embedded
    before are linked at once, the others wait."""
    if not embedder.dims:
        embedder.embed(["."])  # an endpoint tells its size with its first answer
    current = _current(index, embedder)
    if current is not None:
        return current[0]
    with index.writing_lock, index.transaction() as connection:
        connection.execute(
            "insert or ignore into embedder(name, dims) values(?, ?)", (embedder.id, embedder.dims)
        )
        number = int(
            value(
                connection,
                "select id from embedder where name = ? and dims = ?",
                (embedder.id, embedder.dims),
            )
        )
        connection.execute("update meta set value = ? where key = 'embedder'", (number,))
        connection.execute(
            "update chunk set vec ="
            " (select v.id from vector v where v.embedder = ? and v.hash = chunk.vec_hash)",
            (number,),
        )
    return number


def _embed(
    index: Index, embedder: Embedder, rows: Sequence[Any]
) -> tuple[int, list[tuple[str, str]]]:
    """Embeds the chunks of `rows` whose file still says what was indexed; (done, refused)."""
    texts = _texts(index, rows)
    if not texts:
        return 0, []
    vectors = embedder.embed(list(texts.values()))
    good = usable(vectors)
    packed = pack(vectors, good)
    number = activate(index, embedder)
    made = dict(zip(texts, packed, strict=True))
    bad = {key for position, key in enumerate(texts) if not good[position]}
    store(index, number, {key: None if key in bad else row for key, row in made.items()})
    done = sum(row[2] in texts and row[2] not in bad for row in rows)
    return done, [(row[3], "its vector is zero or not a number") for row in rows if row[2] in bad]


def store(index: Index, embedder: int, made: Mapping[bytes, NDArray[np.int8] | None]) -> None:
    """Writes packed vectors by the hash of their text and links the chunks that wait for them.

    None: no usable vector. Such a text does not wait for one; it is found lexically (EMB-03).
    """
    with index.writing_lock, index.transaction() as connection:
        connection.executemany(
            "insert or ignore into vector(embedder, hash, q8) select ?, ?, ?"
            " where exists (select 1 from chunk where vec_hash = ?)",
            [(embedder, key, row.tobytes(), key) for key, row in made.items() if row is not None],
        )
        connection.executemany(
            "update chunk set vec = coalesce("
            "(select id from vector where embedder = ? and hash = ?), 0)"
            " where vec_hash = ? and vec is null",
            [(embedder, key, key) for key in made],
        )


def _texts(index: Index, rows: Sequence[Any]) -> dict[bytes, str]:
    texts: dict[bytes, str] = {}
    files: dict[str, list[str]] = {}
    for _id, ordinal, key, path, blob in rows:
        if path not in files:
            files[path] = _present_texts(index, path, blob)
        if ordinal < len(files[path]) and vec_hash(files[path][ordinal]) == key:
            texts[key] = files[path][ordinal]
    return texts


def _present_texts(index: Index, path: str, blob: str) -> list[str]:
    try:
        data = index.read(path)
    except MnemofsError:
        return []
    return embed_texts(path, data) if blob_id(data) == blob else []


def _settle(index: Index) -> None:
    """Everything is embedded: what an earlier model left goes, and the scale is measured."""
    with index.writing_lock, index.transaction() as connection:
        number = active_embedder(connection)
        connection.execute("delete from vector where embedder <> ?", (number,))
        connection.execute("delete from embedder where id <> ?", (number,))
        measured = value(connection, "select ceiling from embedder where id = ?", (number,))
        if measured is None:
            scale = _measure(connection, number)
            if scale is not None:
                connection.execute(
                    "update embedder set floor = ?, ceiling = ? where id = ?", (*scale, number)
                )


def _measure(connection: apsw.Connection, number: int) -> tuple[float, float] | None:
    """Floor and ceiling from pairs of unlike texts: their mean cosine, five deviations above it."""
    import numpy as np

    rows: list[Any] = connection.execute(
        "select q8 from vector where embedder = ? order by hash limit 400", (number,)
    ).fetchall()
    if len(rows) < _ENOUGH_TO_MEASURE:
        return None
    sample = np.frombuffer(b"".join(row[0] for row in rows), np.int8).reshape(len(rows), -1)
    unit = sample.astype(np.float32) / 127
    cosines = (unit @ unit.T)[np.triu_indices(len(rows), 1)]
    floor, spread = float(cosines.mean()), float(cosines.std())
    return max(floor, 0.0), min(max(floor, 0.0) + 5 * max(spread, 0.02), 1.0)
