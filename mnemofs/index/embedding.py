"""Embedding what waits for it: in short steps that may be interrupted, by one process at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from mnemofs.errors import EmbedderError, MnemofsError
from mnemofs.index.blobs import blob_id
from mnemofs.index.database import value
from mnemofs.index.embedders import RateLimited
from mnemofs.index.projection import embed_texts, vec_hash
from mnemofs.index.vectors import activate, current, pack, store, usable
from mnemofs.index.writing import active_embedder

if TYPE_CHECKING:
    from mnemofs.index.embedders import Embedder
    from mnemofs.index.sidecar import Index

# Chunks embedded and written at a time: a fraction of a second of work that a crash can lose; fewer
# for one who waits for an answer.
_BATCH = 64
_SMALL_BATCH = 8
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
    if current(index, embedder) is None:
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
