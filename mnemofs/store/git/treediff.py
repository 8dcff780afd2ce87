"""Which files differ between two commits, reading only the folders that differ.

Paths are in Unicode normal form C whatever the disk that committed them (TXT-09). Submodule links
are no files of ours and are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Iterator

from mnemofs.store.git.objects import Objects
from mnemofs.store.git.trees import FOLDER, GITLINK, Entry

_PIECE = re.compile(rb"[0-7]+ [^\0]+\0[\s\S]{20}")
_CACHED_FOLDERS = 512


class TreeReader:
    """Folders of the commits of one repository, each read once while it is in use."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._folders: OrderedDict[str, frozenset[bytes]] = OrderedDict()

    def find(self, tree_id: str | None, path: str) -> Entry | None:
        """(mode, id) of a file or folder below a tree; "" is the tree itself."""
        if tree_id is None:
            return None
        found: Entry | None = (FOLDER, tree_id)
        for name in path.split("/") if path else ():
            if found is None or found[0] != FOLDER:
                return None
            tree = self.objects.tree(found[1])
            found = tree.get(name)
            if found is None and not name.isascii():
                same = (row for row in tree.items() if composed(row[0]) == name)
                found = next(((mode, object_id) for _, mode, object_id in same), None)
        return None if found and found[0] == GITLINK else found

    def file(self, tree_id: str | None, path: str) -> Entry | None:
        """Like `find`, None for folders."""
        found = self.find(tree_id, path)
        return None if found and found[0] == FOLDER else found

    def files(self, tree_id: str | None, prefix: str = "") -> Iterator[tuple[str, Entry]]:
        """Every file below a tree with its (mode, id)."""
        if tree_id is None:
            return
        for path, mode, object_id in self.objects.walk(tree_id):
            if mode != GITLINK:
                yield prefix + composed(path), (mode, object_id)

    def changed(
        self, old: str | None, new: str | None
    ) -> list[tuple[str, Entry | None, Entry | None]]:
        """(path, before, after) of every file that differs between two trees, by path."""
        found: dict[str, tuple[Entry | None, Entry | None]] = {}
        self._compare(old, new, "", found)
        return [(path, *found[path]) for path in sorted(found)]

    def _compare(
        self,
        old: str | None,
        new: str | None,
        prefix: str,
        found: dict[str, tuple[Entry | None, Entry | None]],
    ) -> None:
        if old == new:
            return
        before, after = self._pieces(old), self._pieces(new)
        gone = _by_name(before - after)
        come = _by_name(after - before)
        for name in gone.keys() | come.keys():
            one, two = gone.get(name), come.get(name)
            folders = [side[1] if side and side[0] == FOLDER else None for side in (one, two)]
            if any(folders):
                self._compare(folders[0], folders[1], f"{prefix}{name}/", found)
            files = [
                side if side and side[0] not in (FOLDER, GITLINK) else None for side in (one, two)
            ]
            if any(files):
                found[prefix + name] = files[0], files[1]

    def _pieces(self, tree_id: str | None) -> frozenset[bytes]:
        if tree_id is None:
            return frozenset()
        known = self._folders.get(tree_id)
        if known is not None:
            self._folders.move_to_end(tree_id)
            return known
        pieces = frozenset(_PIECE.findall(self.objects.read_kind(tree_id, "tree")))
        self._folders[tree_id] = pieces
        if len(self._folders) > _CACHED_FOLDERS:
            self._folders.popitem(last=False)
        return pieces


def composed(name: str) -> str:
    """A name in Unicode normal form C."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def clean_path(path: str | None) -> str:
    """A path to look up in the past: NFC, without `./` and the slash at the end; "" for all."""
    parts = [part for part in composed(path or "").split("/") if part not in ("", ".")]
    return "/".join(parts)


def _by_name(pieces: frozenset[bytes]) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for piece in pieces:
        mode, _, rest = piece.partition(b" ")
        name = rest[:-21].decode("utf-8", "surrogateescape")
        entry = int(mode, 8), rest[-20:].hex()
        if composed(name) == name:
            entries[name] = entry  # where both spellings stand, the composed one is the file
        else:
            entries.setdefault(composed(name), entry)
    return entries
