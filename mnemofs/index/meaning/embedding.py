"""Embedding what waits for it: in short steps that may be interrupted, by one process at a time."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from mnemofs.errors import EmbedderError, MnemofsError
from mnemofs.filelocks import only_one
from mnemofs.index.meaning import ivf
from mnemofs.index.meaning.embedders import RateLimited
from mnemofs.index.meaning.vectors import activate, current, pack, store, usable
from mnemofs.index.rows import inverted
from mnemofs.index.rows.blobs import blob_id
from mnemofs.index.rows.projection import embed_texts, vec_hash
from mnemofs.index.rows.writing import active_embedder

if TYPE_CHECKING:
    from mnemofs.index.meaning.embedders import Embedder
    from mnemofs.index.sidecar import Index

# Chunks embedded and written at a time: a fraction of a second of work that a crash can lose; fewer
# for one who waits for an answer.
_BATCH = 64
_SMALL_BATCH = 8
_ENOUGH_TO_MEASURE = 40
# Times in a row that an endpoint may ask us to wait.
_MOST_WAITS = 8
# Seconds until one who waits for another process's embedding looks again.
_LOOK_AGAIN = 0.3
# Texts after which the inverted lists are looked at, in a long run.
_TEND_EVERY = 4096
# Vectors of an earlier model that are deleted in one transaction.
_DROPPED = 20_000


@dataclass(frozen=True)
class Embedded:
    """What embedding came to.

    done: chunks that got a vector. pending: chunks that still wait. refused: (path, reason) of
    texts whose vector was unusable. error: why it stopped early, if it did. retry_after: seconds
    that the embedder asked us to wait. elsewhere: another process is at it, so this one left it.
    """

    done: int = 0
    pending: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    error: str = ""
    retry_after: float = 0.0
    elsewhere: bool = False


class Backlog(NamedTuple):
    """How far a store is with its vectors: `pending` of `total` chunks wait for one of `model`.

    at_work: some process is making them now.
    """

    pending: int
    total: int
    model: str
    at_work: bool

    def __str__(self) -> str:
        if not self.pending:
            return f"all {self.total} texts have a vector of {self.model}"
        if self.at_work:
            going = "; another process is making them"
        else:
            going = "; every search makes some, `mnemofs index` makes all"
        return f"{self.pending} of {self.total} texts have no vector of {self.model} yet{going}"


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
    waiting = pending(index)
    while True:
        with only_one(index.embedding_lock) as mine:
            if mine:
                return _run(index, embedder, waiting, limit, seconds, progress)
        left = pending(index)
        if seconds is not None or not left:
            return Embedded(pending=left, elsewhere=True)
        if progress is not None:
            progress(max(waiting - left, 0), waiting)
        time.sleep(_LOOK_AGAIN)


def _run(
    index: Index,
    embedder: Embedder,
    waiting: int,
    limit: int | None,
    seconds: float | None,
    progress: Callable[[int, int], None] | None,
) -> Embedded:
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    done, last, waits = 0, -1, 0
    refused: list[tuple[str, str]] = []
    error, retry_after = "", 0.0
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
            if seconds is None and done // _TEND_EVERY != (done + made) // _TEND_EVERY:
                ivf.tend(index)
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
    # A busy file is no fault of the texts; the next run tidies up.
    with contextlib.suppress(apsw.BusyError):
        if not left and not error:
            _settle(index, embedder)
        if done or seconds is None:
            ivf.tend(index, train_too=seconds is None)
    return Embedded(done, left, tuple(refused), error, retry_after)


def backlog(index: Index) -> Backlog | None:
    """How far the vectors of the index's embedder are, None without one."""
    embedder = index.embedder  # another thread may take it away
    if embedder is None:
        return None
    with only_one(index.embedding_lock) as mine:
        at_work = not mine
    return Backlog(pending(index), _chunks(index), embedder.id, at_work)


def pending(index: Index) -> int:
    """Chunks without a vector of the index's embedder; all of them after a change of model."""
    embedder = index.embedder
    if embedder is None:
        return 0
    if current(index, embedder) is None:
        return _chunks(index)
    rows = index.query("select count(*) from chunk where vec is null")
    return int(rows[0][0]) if rows else 0


def _chunks(index: Index) -> int:
    rows = index.query("select value from meta where key = 'chunks'")
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


def _settle(index: Index, embedder: Embedder) -> None:
    """Everything is embedded: what an earlier model left goes, and the scale is measured."""
    found = current(index, embedder)
    if found is None:
        return
    number = found[0]
    models = dict(index.query("select id, ceiling from embedder"))
    if len(models) > 1:
        _drop_others(index, number)
    if models.get(number) is None and embedder.ceiling <= embedder.floor:
        scale = _measure(index, number)
        if scale is not None:
            with index.writing_lock, index.transaction() as connection:
                connection.execute(
                    "update embedder set floor = ?, ceiling = ? where id = ?", (*scale, number)
                )


def _drop_others(index: Index, number: int) -> None:
    """Deletes all vectors of other models, in steps that let other writers in between."""
    while True:
        with index.writing_lock, index.transaction() as connection:
            if active_embedder(connection) != number:
                return
            connection.execute(
                "delete from vector where id in"
                " (select id from vector where embedder <> ? limit ?)",
                (number, _DROPPED),
            )
            if connection.changes() < _DROPPED:
                inverted.drop_others(connection, number)
                connection.execute("delete from embedder where id <> ?", (number,))
                return


def _measure(index: Index, number: int) -> tuple[float, float] | None:
    """Floor and ceiling from pairs of unlike texts: their mean cosine, five deviations above it."""
    import numpy as np

    rows = index.query(
        "select q8 from vector where embedder = ? order by hash limit 400", (number,)
    )
    if len(rows) < _ENOUGH_TO_MEASURE:
        return None
    sample = np.frombuffer(b"".join(row[0] for row in rows), np.int8).reshape(len(rows), -1)
    unit = sample.astype(np.float32) / 127
    cosines = (unit @ unit.T)[np.triu_indices(len(rows), 1)]
    floor, spread = float(cosines.mean()), float(cosines.std())
    return max(floor, 0.0), min(max(floor, 0.0) + 5 * max(spread, 0.02), 1.0)
