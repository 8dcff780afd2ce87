"""What FTS5 knows about a row beyond its own score, for weighing it with counts of another index.

Both are FTS5 auxiliary functions: they are called in a full-text query, once for each row of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

# body, ctx, head, sym: the neighbours' words count less than a chunk's own.
NEAR = 0.4
WEIGHTS = f"1.0, {NEAR}, 1.0, 1.0"
BM25 = f"bm25(fts, {WEIGHTS})"
_NEIGHBOURS = 1
_COLUMNS = 4
_BITS = 16
_MOST = (1 << _BITS) - 1


def register(connection: apsw.Connection) -> None:
    """Makes `tally(fts)` and `totals(fts)` known to a connection."""
    connection.register_fts5_function("tally", _tally)
    connection.register_fts5_function("totals", _totals)


def tallied(number: int) -> tuple[int, int, int]:
    """(occurrences in the chunk itself, in its neighbours, length of the row in tokens)."""
    return number & _MOST, number >> _BITS & _MOST, number >> 2 * _BITS


def _tally(api: apsw.FTS5ExtensionApi, /, *_more: object) -> int:
    found = [len(api.phrase_column_offsets(0, column)) for column in range(_COLUMNS)]
    near = found.pop(_NEIGHBOURS)
    return min(sum(found), _MOST) | min(near, _MOST) << _BITS | api.column_size(-1) << 2 * _BITS


def _totals(api: apsw.FTS5ExtensionApi, /, *_more: object) -> float:
    """The mean length of all rows."""
    return api.column_total_size(-1) / max(api.row_count, 1)
