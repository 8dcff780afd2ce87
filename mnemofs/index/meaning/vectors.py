"""The vectors of the texts: int8 in an ordinary table, keyed by (embedder, hash of the text).

An edit, a move or a restore never embeds the same text twice. numpy does the arithmetic and needs
no loadable extension (EMB-04).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mnemofs.index.rows.database import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mnemofs.index.meaning.embedders import Embedder
    from mnemofs.index.sidecar import Index


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


def current(index: Index, embedder: Embedder) -> tuple[int, int] | None:
    """(number, dims) of the embedder in use, when that is the one whose vectors are linked."""
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
    found = current(index, embedder)
    if found is not None:
        return found[0]
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
