"""The vectors against the texts they are of, and the inverted lists against the vectors."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.errors import EmbedderError, MnemofsError
from mnemofs.index.rows.database import value
from mnemofs.index.rows.projection import embed_texts, vec_hash

if TYPE_CHECKING:
    import apsw

    from mnemofs.index.sidecar import Index

# Texts embedded anew to see whether their vector is theirs: a fraction of a second.
_SAMPLE = 200
# An int8 direction has this length within rounding; and made anew it is the same up to that.
_LENGTH = 127.0
_LENGTH_OFF = 8.0
_SAME = 0.97
_ACTIVE = "(select value from meta where key = 'embedder')"
_FAULTS = (
    (
        "the vector of a text that is nowhere",
        "select v.id, null from vector v"
        " where not exists (select 1 from chunk c where c.vec_hash = v.hash)",
    ),
    (
        "its vector is of a model that nobody knows",
        "select v.id, v.hash from vector v where v.embedder not in (select id from embedder)",
    ),
    (
        "its vector has another size than its model's",
        "select v.id, v.hash from vector v join embedder e on e.id = v.embedder"
        " where length(v.q8) is not e.dims",
    ),
    (
        "its vector is zero",
        "select v.id, v.hash from vector v where v.q8 = zeroblob(length(v.q8))",
    ),
    (
        "it is linked to a vector that is not its own",
        "select c.id, c.vec_hash from chunk c left join vector v on v.id = c.vec where c.vec > 0"
        f" and (v.id is null or v.hash <> c.vec_hash or v.embedder <> {_ACTIVE})",
    ),
    (
        "it waits for a vector that is there",
        "select c.id, c.vec_hash from chunk c where coalesce(c.vec, 0) = 0 and exists"
        f" (select 1 from vector v where v.embedder = {_ACTIVE} and v.hash = c.vec_hash)",
    ),
)


class Found(NamedTuple):
    """vectors: how many there are. checked: how many were made anew and compared."""

    vectors: int
    checked: int
    differences: list[tuple[str, str, int, str]]


def compare(index: Index, connection: apsw.Connection) -> Found:
    """What is wrong with the vectors of the index that `connection` reads."""
    total = int(value(connection, "select count(*) from vector"))
    found: list[tuple[str, str, int, str]] = []
    for detail, sql in _FAULTS:
        rows: list[Any] = connection.execute(sql).fetchall()
        for _row, key in rows:
            found.append(("vector", *_place(connection, key), detail))
    found += _lengths(connection)
    found += [("lists", "", 0, detail) for detail in _lists(connection)]
    checked, wrong = _anew(index, connection)
    return Found(total, checked, found + wrong)


def _place(connection: apsw.Connection, key: bytes | None) -> tuple[str, int]:
    rows: list[Any] = connection.execute(
        "select f.path, c.first from chunk c join file f on f.id = c.file where c.vec_hash = ?"
        " order by f.path limit 1",
        (key,),
    ).fetchall()
    return rows[0] if rows else ("", 0)


def _bytes(column: str) -> str:
    """A column of bytes, which a damaged file may have anything in."""
    return f"coalesce(cast({column} as blob), x'')"


def _lengths(connection: apsw.Connection) -> list[tuple[str, str, int, str]]:
    """Vectors that are no directions; nothing is said of those that are zero."""
    found = []
    for key, packed in connection.execute(f"select hash, {_bytes('q8')} from vector"):
        length = sum(x * x for x in array("b", packed)) ** 0.5
        if length and abs(length - _LENGTH) > _LENGTH_OFF:
            place = _place(connection, key)
            found.append(("vector", *place, "its vector is damaged: no direction has that length"))
    return found


def _lists(connection: apsw.Connection) -> list[str]:
    """Faults of the inverted lists: each vector up to the mark once, as it is, and no other."""
    found = []
    places = set(connection.execute("select vector, block from place"))
    for number, embedder, upto in connection.execute(
        "select id, embedder, upto from partition"
    ).fetchall():
        seen: dict[int, int] = {}
        wrong = 0
        for block, ids, packed in connection.execute(
            f"select id, {_bytes('ids')}, {_bytes('q8')} from block where partition = ?",
            (number,),
        ):
            numbers = array("q", ids[: len(ids) // 8 * 8])
            width = len(packed) // max(len(numbers), 1)
            for slot, vector in enumerate(numbers):
                seen[vector] = seen.get(vector, 0) + 1
                own = value(connection, "select q8 from vector where id = ?", (vector,))
                wrong += own != packed[slot * width : (slot + 1) * width]
                wrong += (vector, block) not in places
        missing = 0
        for (vector,) in connection.execute(
            "select id from vector where embedder = ? and id <= ?", (embedder, upto)
        ):
            missing += vector not in seen
        twice = sum(times > 1 for times in seen.values())
        for count, text in (
            (missing, "vectors are in no inverted list"),
            (twice, "vectors are in an inverted list twice"),
            (wrong, "vectors in the inverted lists are not those of any text"),
        ):
            if count:
                found.append(f"{count} {text}")
    if value(connection, "select 1 from block where partition not in (select id from partition)"):
        found.append("there are inverted lists that nothing leads to")
    return found


def _anew(index: Index, connection: apsw.Connection) -> tuple[int, list[Any]]:
    """Embeds some texts again, chosen by their hash; (how many, those whose vector is another's).

    Without an embedder, or when it fails, none: that is said by other checks.
    """
    embedder = index.embedder
    active = value(connection, f"select name from embedder where id = {_ACTIVE}")
    if embedder is None or active != embedder.id:
        return 0, []
    texts: dict[bytes, tuple[str, str, int, bytes]] = {}
    rows: list[Any] = connection.execute(
        f"select f.path, c.ordinal, c.first, v.hash, {_bytes('v.q8')} from vector v"
        " join chunk c on c.vec_hash = v.hash join file f on f.id = c.file"
        f" where v.embedder = {_ACTIVE} group by v.id order by v.hash limit {_SAMPLE}"
    ).fetchall()
    for path, ordinal, first, key, packed in rows:
        text = _text(index, path, ordinal)
        if text is not None and vec_hash(text) == key:
            texts[key] = (text, path, first, packed)
    if not texts:
        return 0, []
    try:
        made = embedder.embed([row[0] for row in texts.values()])
    except EmbedderError:
        return 0, []
    wrong = []
    for fresh, (_, path, first, packed) in zip(made.tolist(), texts.values(), strict=True):
        kept = array("b", packed)
        norm = sum(x * x for x in fresh) ** 0.5 * sum(x * x for x in kept) ** 0.5
        same = sum(x * y for x, y in zip(fresh, kept, strict=False))
        if not norm or not same / norm > _SAME:
            wrong.append(("vector", path, first, "its vector is that of another text"))
    return len(texts), wrong


def _text(index: Index, path: str, ordinal: int) -> str | None:
    try:
        texts = embed_texts(path, index.read(path))
    except MnemofsError:
        return None
    return texts[ordinal] if ordinal < len(texts) else None
