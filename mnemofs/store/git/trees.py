"""Tree objects: looked up and changed without taking apart what stays the same.

A folder of 5 000 notes is 210 kB of tree; a commit that changes one note replaces one piece of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

FILE = 0o100644
EXECUTABLE = 0o100755
FOLDER = 0o040000
SYMLINK = 0o120000
GITLINK = 0o160000

Entry = tuple[int, str]  # mode, object id

_PIECE = re.compile(rb"[0-7]+ [^\0]+\0[\s\S]{20}")
_ROW = re.compile(rb"([0-7]+) ([^\0]+)\0([\s\S]{20})")
_FOLDER_PREFIX = b"40000 "


class Tree:
    """One folder of a commit. Immutable; `changed` returns another one.

    Names are `str` as stored, with surrogate escapes where they are not UTF-8.
    """

    __slots__ = ("_parts", "_raw", "_rows")

    def __init__(self, pieces: list[bytes] | None = None, raw: bytes | None = None) -> None:
        self._parts = pieces
        self._raw = raw
        self._rows: dict[bytes, int] | None = None

    @classmethod
    def parse(cls, raw: bytes) -> Tree:
        """The tree of an object's bytes."""
        return cls(raw=raw)

    def raw(self) -> bytes:
        """The object's bytes, in git's order."""
        if self._raw is None:
            self._raw = b"".join(self._pieces)
        return self._raw

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def _pieces(self) -> list[bytes]:
        if self._parts is None:
            self._parts = _PIECE.findall(self._raw or b"")
        return self._parts

    def get(self, name: str) -> Entry | None:
        """The entry called `name`, None when there is none."""
        row = self._index().get(name.encode("utf-8", "surrogateescape"))
        return None if row is None else _entry(self._pieces[row])

    def rows(self) -> list[tuple[bytes, bytes, bytes]]:
        """(mode, name, id) of every entry as stored: the mode in octal digits, the id raw."""
        return _ROW.findall(self.raw())

    def items(self) -> Iterator[tuple[str, int, str]]:
        """(name, mode, id) of every entry."""
        for piece in self._pieces:
            mode, _, rest = piece.partition(b" ")
            name = rest[:-21].decode("utf-8", "surrogateescape")
            yield name, int(mode, 8), rest[-20:].hex()

    def changed(self, changes: Mapping[str, Entry | None]) -> Tree:
        """This tree with entries set, or dropped where the value is None."""
        pieces = self._pieces.copy()
        kept_rows = self._index()
        inserted: list[bytes] = []
        dropped: list[int] = []
        for name, entry in changes.items():
            raw_name = name.encode("utf-8", "surrogateescape")
            row = kept_rows.get(raw_name)
            piece = None if entry is None else _piece(raw_name, *entry)
            if row is None:
                if piece is not None:
                    inserted.append(piece)
            elif piece is None:
                dropped.append(row)
            elif _is_folder(piece) == _is_folder(pieces[row]):
                pieces[row] = piece
            else:  # a file became a folder: it sorts elsewhere
                dropped.append(row)
                inserted.append(piece)
        for row in sorted(dropped, reverse=True):
            del pieces[row]
        for piece in inserted:
            pieces.insert(bisect_left(pieces, _key(piece), key=_key), piece)
        tree = Tree(pieces)
        if not inserted and not dropped:
            tree._rows = kept_rows
        return tree

    def _index(self) -> dict[bytes, int]:
        if self._rows is None:
            self._rows = {
                piece[piece.index(b" ") + 1 : -21]: row for row, piece in enumerate(self._pieces)
            }
        return self._rows


def _entry(piece: bytes) -> Entry:
    return int(piece[: piece.index(b" ")], 8), piece[-20:].hex()


def _piece(raw_name: bytes, mode: int, object_id: str) -> bytes:
    return b"%o %s\0%s" % (mode, raw_name, bytes.fromhex(object_id))


def _is_folder(piece: bytes) -> bool:
    return piece.startswith(_FOLDER_PREFIX)


def _key(piece: bytes) -> bytes:
    """Git sorts a folder as if its name ended in a slash."""
    name = piece[piece.index(b" ") + 1 : -21]
    return name + b"/" if _is_folder(piece) else name
