"""The vector lane: the chunks nearest to a question, by cosine.

All vectors are compared, from a cache that follows the table by id, since ids only grow; in a large
store those of the nearest inverted lists, and what is not in any list yet.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from mnemofs.index.meaning import ivf
from mnemofs.index.meaning.vectors import current

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.sidecar import Index

# Floor and ceiling of the cosines of a model that nobody has measured yet.
_UNMEASURED = (0.2, 0.8)
# How much of what all chunks of a large store share is taken out of a question, and the number of
# chunks at which it is half of that: the mean of a few says more about each than about all.
_SHARED = 0.8
_SHARED_FROM = 200
# So many vectors tell the mean of all.
_SAMPLED = 4096
# More vectors than this are not looked up one by one.
_LOOKED_UP = 4000


class VectorLane:
    """Nearest neighbours over the present chunks of one index.

    Guarded by the index's reading lock.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._generation = -1
        self._lists: ivf.Partition | None = None
        self._mean: tuple[NDArray[np.float32], int] | None = None
        self._forget(0, 0)

    def cosines(
        self,
        question: NDArray[np.float32],
        *,
        nearest: int | None = None,
        also: Collection[int] = (),
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(chunk ids ascending, cosine of each with the unit vector `question`).

        nearest: how many of the best vectors; None: all that were compared. also: chunks whose
        cosine is wanted whether they are near or not. Both arrays are empty when there are no
        vectors of this embedder and size.
        """
        import numpy as np

        with self._index.reading_lock:
            self._follow()
            if self._dims != len(question):
                return np.empty(0, np.int64), np.empty(0, np.float32)
            scaled = question / np.float32(127)
            found = dict(self._named(also, scaled))
            if nearest is None or nearest > 0:
                vectors, scores = self._compared(scaled)
                if nearest is not None and nearest + self._dead < len(vectors):
                    best = np.argpartition(-scores, nearest + self._dead - 1)
                    best = best[: nearest + self._dead]
                    vectors, scores = vectors[best], scores[best]
                found |= self._chunks_of(vectors, scores)
        chunks = np.fromiter(found, np.int64, len(found))
        order = np.argsort(chunks)
        return chunks[order], np.fromiter(found.values(), np.float32, len(found))[order]

    def distinctive(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """The unit vector of what a question asks beyond what the whole store is about.

        Who talks about dance all the time is no nearer to one of the chunks for asking about it:
        the part of the question along the mean of all vectors is made smaller.
        """
        import numpy as np

        with self._index.reading_lock:
            self._follow()
            if self._dims != len(question):
                return question
            if self._mean is None:
                self._mean = self._mean_direction()
            mean, count = self._mean
        share = _SHARED * count / (count + _SHARED_FROM)
        rest = question - share * (mean @ question) * mean
        size = np.linalg.norm(rest)
        return (rest / size).astype(np.float32) if size > 0 else question

    def _mean_direction(self) -> tuple[NDArray[np.float32], int]:
        """The unit vector of the mean, and how many vectors it is of."""
        import numpy as np

        count = len(self._vectors)
        mean = np.zeros(self._dims, np.float32)
        if count:
            sample = self._pool[: count : 1 + count // _SAMPLED]
            mean += count / np.float32(127) * sample.mean(0, dtype=np.float32)
        if self._lists is not None:
            filed = self._lists.upto
            mean += filed * self._directions.mean(0)
            count += filed
        size = np.linalg.norm(mean)
        return (mean / size if size > 0 else mean), count

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

    def _compared(
        self, question: NDArray[np.float32]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        import numpy as np

        count = len(self._vectors)
        scores = ivf.dot(self._pool[:count], question)
        if self._lists is None:
            return self._vectors, scores
        filed, more = ivf.probe(self._index, self._lists.id, self._directions, question)
        if not len(filed) and not self._followed():
            # Another process put new lists in place of these just now.
            return self._compared(question)
        return np.concatenate([self._vectors, filed]), np.concatenate([scores, more])

    def _named(self, chunks: Collection[int], question: NDArray[np.float32]) -> Any:
        import numpy as np

        if not chunks:
            return ()
        rows = self._index.query(
            # Chunk by chunk: left to itself SQLite goes through all vectors of the embedder.
            "select c.id, v.q8 from chunk c cross join vector v on v.id = c.vec"
            f" where c.id in ({','.join(map(str, chunks))}) and +v.embedder = ?",
            (self._embedder,),
        )
        packed = np.frombuffer(b"".join(row[1] for row in rows), np.int8)
        scores = ivf.dot(packed.reshape(len(rows), -1), question) if rows else packed
        return zip((row[0] for row in rows), scores.tolist(), strict=True)

    def _chunks_of(
        self, vectors: NDArray[np.int64], scores: NDArray[np.float32]
    ) -> dict[int, float]:
        """A vector belongs to every chunk with its text, and to none when it was deleted."""
        likeness = dict(zip(vectors.tolist(), scores.tolist(), strict=True))
        if len(likeness) > _LOOKED_UP:
            wanted = "vec > 0"
        else:
            wanted = f"vec in ({','.join(map(str, likeness))})"
        rows = self._index.query(f"select id, vec from chunk where {wanted}")
        return {chunk: likeness[vec] for chunk, vec in rows if vec in likeness}

    def _forget(self, embedder: int, dims: int) -> None:
        import numpy as np

        self._embedder = embedder
        self._dims = dims
        self._dead = 0
        self._directions = np.empty((0, dims), np.float32)
        self._vectors = np.empty(0, np.int64)
        self._pool = np.empty((0, dims), np.int8)
        self._mean = None

    def _followed(self) -> bool:
        """Whether the cache is of the present generation; if not, it is afterwards."""
        before = self._generation
        self._follow()
        return before == self._generation

    def _follow(self) -> None:
        generation = self._index.generation()
        if generation == self._generation:
            return
        embedder = self._index.embedder
        found = None if embedder is None else current(self._index, embedder)
        if found is None:
            self._forget(0, 0)
            return
        number, dims = found
        lists = ivf.partition(self._index, number)
        if number != self._embedder or lists != self._lists:
            same = lists and self._lists and lists.id == self._lists.id
            directions = self._directions if same else None
            self._forget(number, dims)
            if lists:
                if directions is None:
                    directions = ivf.centroids(self._index, lists.id, dims)
                self._directions = directions
            self._lists = lists
        self._take_newer(number, dims)
        self._mean = None
        live = self._live()
        if len(self._vectors) > 2 * live + 1000:
            self._vectors, self._pool = self._vectors[:0], self._pool[:0]
            self._take_newer(number, dims)
        self._dead = len(self._vectors) - live
        self._generation = generation

    def _live(self) -> int:
        if self._lists is not None:
            return ivf.beyond(self._index, self._embedder, self._lists.upto)
        return ivf.count(self._index, self._embedder)

    def _take_newer(self, embedder: int, dims: int) -> None:
        import numpy as np

        known = len(self._vectors)
        newest = int(self._vectors[-1]) if known else self._lists.upto if self._lists else 0
        fresh = self._index.query(
            "select id, q8 from vector where id > ? and +embedder = ? order by id",
            (newest, embedder),
        )
        if not fresh:
            return
        total = known + len(fresh)
        packed = np.frombuffer(b"".join(row[1] for row in fresh), np.int8).reshape(-1, dims)
        if not known:
            self._pool = packed
        else:
            if total > len(self._pool):
                room = np.empty((total + total // 4, dims), np.int8)
                room[:known] = self._pool[:known]
                self._pool = room
            self._pool[known:total] = packed
        self._vectors = np.concatenate([self._vectors, [row[0] for row in fresh]])
