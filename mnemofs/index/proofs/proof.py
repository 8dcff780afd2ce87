"""Does the index say what the files say? Proven by deriving everything again and comparing.

Nothing of the index is believed: the folder is walked here, the bytes are hashed and cut into
chunks anew, a second full-text index is made of them, and the two are compared word by word.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import unicodedata
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from mnemofs import names
from mnemofs.errors import EmbedderError, UnreadableText
from mnemofs.index.meaning.vectors import activate
from mnemofs.index.proofs import proof_postings, proof_vectors
from mnemofs.index.proofs.proof_words import Words
from mnemofs.index.rows import borrowed, sqlitefile
from mnemofs.index.rows.database import value
from mnemofs.index.rows.projection import Row, project
from mnemofs.index.rows.writing import FACTS, facts_of
from mnemofs.systems import NO_LINK, READ

if TYPE_CHECKING:
    from mnemofs.index.sidecar import Index

_LARGEST = 32 * 1024 * 1024
# Tries when files change while they are looked at.
_ATTEMPTS = 3
_FIELDS = (*FACTS.split(", "), "row_hash", "vec_hash")


class Difference(NamedTuple):
    """Something the index says that the files do not, or the other way round.

    kind: file, chunk, words, vector, lists, counter, database or place. path, line: where in the
    memory, "" and 0 when it is nowhere there.
    """

    kind: str
    path: str
    line: int
    detail: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.line else f"{self.path}: " if self.path else ""
        return f"{place}{self.detail}"


class Proof(NamedTuple):
    """What was compared, and what differs. words: tokens. checked: vectors that were made anew."""

    files: int = 0
    chunks: int = 0
    words: int = 0
    vectors: int = 0
    checked: int = 0
    differences: tuple[Difference, ...] = ()

    @property
    def can_be_mended(self) -> bool:
        """Whether an index made anew would differ in fewer places."""
        return any(difference.kind != "place" for difference in self.differences)

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        rows = [difference._asdict() for difference in self.differences]
        return {**self._asdict(), "differences": rows}


def prove(index: Index, *, progress: Callable[[int, int], None] | None = None) -> Proof:
    """Compares the index with the files, after bringing it up to them as any search does.

    What differs then is a fault of the index, unless the file was written to meanwhile: then it is
    looked at again. Raises IndexUnavailable when the index cannot be opened, NotAWorkspace when
    the folder is gone.
    """
    for attempt in range(_ATTEMPTS):
        freshness = index.refresh()
        before = index.generation()
        place = index.place
        if not place:
            text = (
                "the index lives in memory and is made anew each time: see what stands in its way"
                f" in {os.path.join(index.root, names.SIDECAR_DIR)}"
            )
            return Proof(differences=(Difference("place", "", 0, text),))
        proof = _compare(index, place, progress)
        still = index.refresh()
        quiet = not still.changed and not still.removed and index.generation() == before
        if not proof.differences or (quiet and freshness.complete) or attempt == _ATTEMPTS - 1:
            return proof
    raise AssertionError("unreachable")


def _compare(index: Index, place: str, progress: Callable[[int, int], None] | None) -> Proof:
    try:
        connection = apsw.Connection(place, flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error as error:
        return Proof(differences=(_broken(error),))
    try:
        connection.set_busy_timeout(5000)
        return _Comparison(index, connection, progress).run()
    except (apsw.Error, UnicodeDecodeError) as error:
        return Proof(differences=(_broken(error),))
    finally:
        connection.close(True)


def _broken(error: Exception) -> Difference:
    text = str(error).rpartition(": ")[2]
    return Difference("database", "", 0, f"the file is damaged ({text})")


def remake(index: Index, proof: Proof) -> None:
    """Makes the index anew from the files. Vectors that the proof found no fault in are kept."""
    place = index.place
    aside = f"{place}.old"
    keep = not {"vector", "database"} & {difference.kind for difference in proof.differences}
    with index.writing_lock:
        index.query("pragma wal_checkpoint(truncate)")
        index.close()
        os.replace(place, aside)
        sqlitefile.delete(place)
        try:
            index.refresh()
            if keep and index.embedder is not None:
                with contextlib.suppress(EmbedderError):
                    number = activate(index, index.embedder)
                    with index.transaction() as connection:
                        borrowed.take(connection, number, (aside, ""))
        finally:
            sqlitefile.delete(aside)


class _Comparison:
    """One snapshot of the index against the files."""

    def __init__(
        self,
        index: Index,
        connection: apsw.Connection,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._index = index
        self._connection = connection
        self._progress = progress
        self._found: list[Difference] = []
        self._words = Words(connection)

    def run(self) -> Proof:
        """All comparisons, cheapest first."""
        self._connection.execute("begin")
        for (text,) in self._connection.execute("pragma quick_check(5)").fetchall():
            if text != "ok":
                self._add("database", "", 0, f"the file is damaged ({text})")
        fault = _integrity(self._index)
        if fault:
            self._add("words", "", 0, f"the full-text index is inconsistent ({fault})")
        files = self._files()
        chunks = int(value(self._connection, "select count(*) from chunk"))
        self._counters(chunks)
        words = self._words.compare()
        for kind, path, line, detail in self._words.differences:
            self._add(kind, path, line, detail)
        for detail in proof_postings.compare(self._connection):
            self._add("words", "", 0, detail)
        found = proof_vectors.compare(self._index, self._connection)
        vectors, checked = found.vectors, found.checked
        for kind, path, line, detail in found.differences:
            self._add(kind, path, line, detail)
        return Proof(files, chunks, words, vectors, checked, tuple(self._found))

    def _add(self, kind: str, path: str, line: int, detail: str) -> None:
        self._found.append(Difference(kind, path, line, detail))

    def _files(self) -> int:
        known: dict[str, tuple[int, str | None, str]] = {
            row[0]: row[1:]
            for row in self._connection.execute("select path, id, blob, problem from file")
        }
        present = _walk(self._index.root)
        for number, (path, disk) in enumerate(sorted(present.items()), 1):
            self._file(path, disk, known.pop(path, None))
            if self._progress is not None:
                self._progress(number, len(present))
        for path, (file, _blob, _problem) in sorted(known.items()):
            if not _unknown(self._index.root, path):
                self._add("file", path, 0, "is indexed, but is not there")
                self._words.pass_over(file)
        for chunk, file in self._connection.execute(
            "select id, file from chunk where file not in (select id from file)"
        ):
            self._add("chunk", "", 0, f"row {chunk} belongs to no file")
            self._words.pass_over(file)
        return len(present)

    def _file(self, path: str, disk: str, known: tuple[int, str | None, str] | None) -> None:
        try:
            data = _read(self._index.root, disk)
        except FileNotFoundError:
            return  # gone since the walk; the next attempt sees it
        except PermissionError:
            if known is not None:
                self._words.pass_over(known[0])
            return
        blob, rows = _derive(path, data)
        if known is None:
            self._add("file", path, 0, "is not indexed")
            return
        file, indexed, _problem = known
        if indexed != blob:
            self._add("file", path, 0, f"holds {_short(blob)}, {_short(indexed)} is indexed")
        self._rows(path, file, rows)

    def _rows(self, path: str, file: int, rows: tuple[Row, ...]) -> None:
        held: dict[int, Any] = {}
        for held_row in self._connection.execute(
            f"select id, {', '.join(_FIELDS)} from chunk where file = ?", (file,)
        ):
            if held_row[1] in held:
                self._add("chunk", path, held_row[2], "is indexed twice")
                self._words.expect(held_row[0], path, held_row[2], None)
            held[held_row[1]] = held_row
        for row in rows:
            old = held.pop(row.ordinal, None)
            if old is None:
                self._add("chunk", path, row.first, "is not indexed")
                continue
            wrong = [
                name
                for name, mine, theirs in zip(
                    _FIELDS, (*facts_of(row), row.row_hash, row.vec_hash), old[1:], strict=True
                )
                if mine != theirs
            ]
            if wrong:
                self._add("chunk", path, row.first, f"is indexed with another {', '.join(wrong)}")
            self._words.expect(old[0], path, row.first, row)
        for old in held.values():
            self._add("chunk", path, old[2], "is indexed, but there is no such text")
            self._words.expect(old[0], path, old[2], None)

    def _counters(self, chunks: int) -> None:
        counted = value(self._connection, "select value from meta where key = 'chunks'")
        if counted != chunks:
            self._add("counter", "", 0, f"{counted} chunks are counted, there are {chunks}")


def _derive(path: str, data: bytes | None) -> tuple[str | None, tuple[Row, ...]]:
    """(blob id, rows) of a file's bytes; None is one that is too large or cannot be read."""
    if data is None:
        return None, ()
    blob = hashlib.new("sha1", b"blob %d\0%b" % (len(data), data), usedforsecurity=False)
    try:
        return blob.hexdigest(), project(path, data)
    except UnreadableText:
        return blob.hexdigest(), ()


def _read(root: str, disk: str) -> bytes | None:
    descriptor = os.open(os.path.join(root, disk), READ | NO_LINK)
    with open(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size > _LARGEST:
            return None
        return file.read()


def _walk(root: str) -> dict[str, str]:
    """{repository path: path on disk} of the memory files: no hidden folder, no other repository,
    no link, no second spelling of a name (TXT-09, TXT-10)."""
    found: dict[str, str] = {}
    for disk in _markdown(root):
        path = unicodedata.normalize("NFC", disk)
        other = found.get(path)
        if other is None or (other != path and (disk == path or disk < other)):
            found[path] = disk
    for twin in names.collisions(found):
        del found[twin]
    return found


def _markdown(root: str) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        prefix = os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        prefix = "" if prefix == "./" else prefix
        if prefix and ".git" in (*folders, *files):
            folders.clear()
            continue
        folders[:] = [
            name
            for name in folders
            if not names.skip_dir(name) and (prefix or name.casefold() != names.OWNERS_DIR)
        ]
        for name in files:
            path = prefix + name
            plain = os.path.isfile(os.path.join(root, path))
            if path.endswith(".md") and plain and not os.path.islink(os.path.join(root, path)):
                try:
                    path.encode()
                except UnicodeEncodeError:
                    continue  # its name is not UTF-8
                if names.is_memory(path):
                    yield path


def _unknown(root: str, path: str) -> bool:
    """Whether a folder on the way cannot be looked into, so that nothing can be said of `path`."""
    folder = os.path.dirname(os.path.join(root, path))
    return os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK)


def _integrity(index: Index) -> str:
    """What SQLite says against the full-text index, "" when nothing or when it is busy."""
    try:
        with index.writing_lock, index.transaction(wait=False, silent=True) as connection:
            connection.execute("insert into fts(fts, rank) values('integrity-check', 0)")
    except apsw.BusyError:
        return ""
    except apsw.Error as error:
        return str(error).rpartition(": ")[2]
    return ""


def _short(blob: str | None) -> str:
    return blob[:10] if blob else "nothing that can be read"
