"""What counted entries say: read from the files of the store, never from a copy."""

from __future__ import annotations

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.identity import entry_id, normal_id
from mnemofs.lifecycle.recalls.spool import Injected, Shown
from mnemofs.markdown.entries import Entry, all_entries
from mnemofs.markdown.shown import shown as shown_text
from mnemofs.names import open_regular
from mnemofs.store.git.layout import find
from mnemofs.store.git.objects import Objects, blob_id


class Texts:
    """The entries of one store's files, each file parsed once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._data: dict[str, bytes | None] = {}
        self._by_path: dict[str, tuple[Entry, ...]] = {}
        self._by_id: dict[str, dict[str, Entry]] = {}

    def find(self, identity: str, path: str) -> Entry | None:
        """The entry as it stands in that file; None when it has gone."""
        if path not in self._by_id:
            self._by_id[path] = {normal_id(one.normal): one for one in self._entries(path)}
        return self._by_id[path].get(identity)

    def of_file(self, shown: Shown) -> tuple[Entry, ...]:
        """The entries that a file held when it was shown, as far as it was shown.

        Its bytes are looked for in the folder and in git; without them nothing is counted.
        """
        data = self._read(shown.path)
        if data is None or blob_id(data) != shown.blob:
            data = self._from_git(shown.blob)
        if data is None:
            return ()
        if shown.path.startswith("structured/"):
            left = set(shown.without)
            return tuple(one for one in entries_of(data, shown.path) if one.key not in left)
        try:
            text, _ = shown_text(data.decode("utf-8-sig"), shown.limit)
        except UnicodeDecodeError:
            return ()
        return entries_of(text.encode(), shown.path)

    def of_hit(self, hit: Injected) -> tuple[tuple[str, int], ...]:
        """(identity, line) of the entries that a hit is made of, the file's own where it still
        stands there."""
        lines = hit.text.split("\n")
        last = hit.line + len(lines) - 1
        data = self._read(hit.path)
        if data is not None and hit.line:
            there = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
            place = there[hit.line - 1 : last]
            if lines[0].strip() and lines[0].strip() in (place[0] if place else ""):
                found = [
                    (normal_id(entry.normal), entry.line)
                    for entry in self._entries(hit.path)
                    if entry.line <= last and entry.last_line >= hit.line
                ]
                if found:
                    return tuple(found)
        if hit.path.startswith("structured/"):
            return ((entry_id(hit.text), hit.line),)
        pieces = entries_of(hit.text.encode("utf-8", "replace"), "note.md")
        return tuple(
            (normal_id(piece.normal), hit.line + piece.line - 1 if hit.line else 0)
            for piece in pieces
        ) or ((entry_id(hit.text), hit.line),)

    def _entries(self, path: str) -> tuple[Entry, ...]:
        if path not in self._by_path:
            self._by_path[path] = entries_of(self._read(path) or b"", path)
        return self._by_path[path]

    def _read(self, path: str) -> bytes | None:
        if path not in self._data:
            try:
                self._data[path] = open_regular(self._root, path)
            except MnemofsError:
                self._data[path] = None
        return self._data[path]

    def _from_git(self, blob: str) -> bytes | None:
        try:
            objects = Objects(find(self._root).common_dir)
            try:
                return objects.read_kind(blob, "blob")
            finally:
                objects.close()
        except (MnemofsError, OSError, ValueError):
            return None


def entries_of(data: bytes, path: str) -> tuple[Entry, ...]:
    """The entries of a file; none when it is no text."""
    try:
        return all_entries(data, path)
    except MnemofsError:
        return ()
