"""`Index`: one store's searchable present, kept true to the files at every read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import apsw

from mnemofs.errors import MnemofsError, NotFound, PermissionRefused, UnreadableText
from mnemofs.index.rows.blobs import blob_id
from mnemofs.index.rows.database import DAMAGED, Database
from mnemofs.index.rows.freshness import Freshness, Known, is_racy, plan_index
from mnemofs.index.rows.known import Compared, KnownFiles
from mnemofs.index.rows.writing import Reading, put, remove
from mnemofs.index.terms.text import TOKENIZER
from mnemofs.names import is_memory, open_regular
from mnemofs.store.disk.filestat import FileStat, stat_of
from mnemofs.store.disk.scan import Survey, survey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import RLock
    from typing import Any

    from mnemofs.index.meaning.embedders import Embedder
    from mnemofs.index.meaning.embedding import Backlog, Embedded
    from mnemofs.index.meaning.lane import VectorLane
    from mnemofs.index.rows.opening import Opener
    from mnemofs.index.words.postings import Postings

else:
    from _thread import RLock  # all that is needed of `threading`, without its millisecond

Progress = Callable[[int, int], None]

# Written at once: FTS5 merges a batch with those before, so many small ones cost a third more; a
# large one would keep others from writing for longer than they care to wait.
_BATCH_FILES = 1000
_BATCH_BYTES = 4_000_000
_COUNTS_KEPT = 20_000
# Beyond this a file is no note; reading it would stop everything else.
_MAX_BYTES = 32 * 1024 * 1024


class Index:
    """The search index of the store at `root`; safe to use from several threads and processes.

    The files are the truth and this is their shadow: it may be deleted at any time. `embedder`
    None means lexical search only; vectors made earlier stay for the next time.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        embedder: Embedder | None = None,
        path: str | None = None,
    ) -> None:
        """path: another place for the database than `<root>/.mnemofs/index.db`."""
        self.root = os.fspath(root)
        self.embedder = embedder
        self._database = Database(root, path=path)
        self._reading = RLock()
        self._writing = RLock()
        # What the last look at the whole folder found, for others who would walk through it too.
        self.surveyed: Survey | None = None
        self._known = KnownFiles(self)
        self._counts: tuple[int, dict[str, int]] = (-1, {})
        self._lane: VectorLane | None = None
        self._postings: Postings | None = None
        # Questions by words, since some preparations only pay for many.
        self.asked = 0

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the files."""
        with self._writing, self._reading:
            self._database.close()

    def refresh(
        self,
        hint_paths: Iterable[str] | None = None,
        *,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> Freshness:
        """Makes the index equal to the files and says what that took.

        hint_paths: look at these only (the write path: about a millisecond a file); None looks at
        all. wait=False gives up soon when another process is indexing (`complete` is then False).
        progress(done, total) counts files.
        """
        hints = None if hint_paths is None else tuple(dict.fromkeys(hint_paths))
        with self._writing:
            for _attempt in range(3):
                try:
                    return self._refresh(hints, wait, progress)
                except DAMAGED:
                    self._discard()
                except (apsw.FullError, apsw.ReadOnlyError, apsw.IOError) as error:
                    with self._reading:
                        self._database.fall_back_to_memory(str(error).rpartition(": ")[2])
            return Freshness(complete=False, warnings=self.take_warnings())

    def read(self, path: str) -> bytes:
        """The file's present bytes. Raises NotFound, UnsafeName, PermissionRefused."""
        return open_regular(self.root, self._disk(path))

    def query(self, sql: str, bindings: Any = ()) -> list[Any]:
        """The rows of a read-only statement; an empty list while a damaged file is replaced."""
        with self._reading:
            try:
                return self._database.reader().execute(sql, bindings).fetchall()
            except DAMAGED:
                self._discard()
                return []

    def embed_pending(
        self,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Embedded:
        """Makes vectors for chunks that have none, in short transactions; may be interrupted.

        Stops after `limit` chunks or `seconds`, whichever comes first. Never raises for the
        embedder's faults: they are in the result.
        """
        from mnemofs.index.meaning.embedding import embed_pending

        return embed_pending(self, limit=limit, seconds=seconds, progress=progress)

    def pending(self) -> int:
        """Chunks that wait for a vector of the present embedder."""
        if self.embedder is None:
            return 0
        from mnemofs.index.meaning.embedding import pending

        return pending(self)

    def backlog(self) -> Backlog | None:
        """How far the vectors are, None without an embedder."""
        from mnemofs.index.meaning.embedding import backlog

        return backlog(self)

    @property
    def embedding_lock(self) -> str:
        """The file whose lock says that a process is embedding; "" for an index in memory."""
        return self.place and f"{self.place}.embedding"

    def vector_lane(self) -> VectorLane:
        """Nearest neighbours over the present chunks; needs an embedder."""
        if self._lane is None:
            from mnemofs.index.meaning.lane import VectorLane

            self._lane = VectorLane(self)
        return self._lane

    def postings(self) -> Postings:
        """Arrays of a large store's words; loads numpy."""
        if self._postings is None:
            from mnemofs.index.meaning.encoder_cache import quiet_numpy

            quiet_numpy()
            from mnemofs.index.words.postings import Postings

            self._postings = Postings(self)
        return self._postings

    def transaction(self, *, wait: bool = True, silent: bool = False) -> Any:
        """The database's transaction, for the modules of this room."""
        return self._database.transaction(wait=wait, silent=silent)

    @property
    def place(self) -> str:
        """The database's file, "" when it is in memory."""
        return "" if self._database.in_memory else self._database.path

    def take_warnings(self) -> tuple[str, ...]:
        """What had to be done about the index file since last asked."""
        warnings, self._database.warnings = tuple(self._database.warnings), []
        return warnings

    @property
    def reading_lock(self) -> RLock:
        """Held while this process reads."""
        return self._reading

    @property
    def writing_lock(self) -> RLock:
        """Held while this process writes."""
        return self._writing

    def _discard(self) -> None:
        with self._reading:
            self._forget()
            self._database.discard("damaged")

    def _forget(self) -> None:
        """What is remembered is of another file: its counters may be the same by chance."""
        self._known.forget()
        self._counts, self._lane, self._postings = (-1, {}), None, None

    def _refresh(
        self, hints: tuple[str, ...] | None, wait: bool, progress: Progress | None
    ) -> Freshness:
        with self._reading:
            if self._database.refresh():
                self._forget()
        if hints is None:
            found = self.surveyed = survey(self.root)
            compared = self._known.compare(found)
        else:
            found, compared = self._look(hints)
        present, known = compared.present, compared.known
        plan = plan_index(known, present)
        gone = [path for path in plan.absent if found.hides(path) is None]
        changed: list[str] = []
        removed: list[str] = []
        complete = True
        transactions = 0
        try:
            done = 0
            for batch in self._readings(plan.check, present, known):
                with self.transaction(wait=wait) as connection:
                    changed += put(connection, batch)
                transactions += 1
                done += len(batch)
                if progress is not None:
                    progress(done, len(plan.check))
            if gone:
                with self.transaction(wait=wait) as connection:
                    removed += remove(connection, gone)
                transactions += 1
        except apsw.BusyError:
            complete = False
        if hints is None:
            self._known.settle(found, compared, plan, transactions)
        return Freshness(
            changed=tuple(changed),
            removed=tuple(removed),
            pending=self.pending(),
            skipped=self._skipped(found, compared.twins),
            complete=complete,
            warnings=self.take_warnings(),
        )

    def _skipped(self, found: Survey, twins: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        skipped: dict[str, str] = dict(
            self.query("select path, problem from file where problem <> ''")
        )
        skipped |= found.unknown
        for path, canonical in [*found.twins.items(), *twins.items()]:
            skipped[path] = f"another spelling of {canonical}, which is the one in use"
        return tuple(sorted(skipped.items()))

    def _look(self, hints: Sequence[str]) -> tuple[Survey, Compared]:
        found, compared = Survey(), Compared()
        for path in hints:
            if path.endswith(".md") and is_memory(path):
                disk = self._disk(path)
                try:
                    status = os.lstat(os.path.join(self.root, disk))
                except (FileNotFoundError, NotADirectoryError):
                    continue
                except OSError as error:
                    found.unknown[path] = error.strerror or "it cannot be looked at"
                    continue
                compared.present[path] = stat_of(status, disk)
        compared.known = self._known.of(hints)
        return found, compared

    def _disk(self, path: str) -> str:
        """The file's name as stored, which may be in another Unicode form (TXT-09)."""
        if path.isascii() or os.path.lexists(os.path.join(self.root, path)):
            return path
        rows = self.query("select disk from file where path = ?", (path,))
        if rows:
            return str(rows[0][0])
        from mnemofs.store.commit.worktree import spelling

        return spelling(self.root, path)

    def stem(self, word: str) -> str:
        """A word as FTS5 stores it, "" when it has nothing that can be."""
        return next(iter(self.tokens(word)), "")

    def tokens(self, text: str) -> list[str]:
        """The words of a text as FTS5 stores them."""
        with self._reading:
            name, *options = TOKENIZER.split()
            tokenizer = self._database.reader().fts5_tokenizer(name, options)
            tokens: Any = tokenizer(
                text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False
            )
            return [str(token[0]) for token in tokens]

    def vocabulary(self, first: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(stored word, chunks that hold it) for those that begin with `first`."""
        self.query("create virtual table if not exists temp.vocab using fts5vocab(main, fts, row)")
        return self.query(
            "select term, doc from vocab where term >= ? and term < ?"
            " and length(term) between ? and ?",
            (first, first + "\U0010ffff", shortest, longest),
        )

    def holders(self, prefix: str, stems: Sequence[str], limit: int) -> list[int]:
        """Chunks that hold a stored word which begins with `prefix` ("" for none) or is in
        `stems`."""
        self.query(
            "create virtual table if not exists temp.places using fts5vocab(main, fts, instance)"
        )
        marks = ",".join("?" * len(stems))
        rows = self.query(f"select distinct doc from places where term in ({marks})", tuple(stems))
        if prefix:
            rows += self.query(
                "select distinct doc from places where term >= ? and term < ? limit ?",
                (prefix, prefix + "\U0010ffff", limit),
            )
        return list(dict.fromkeys(row[0] for row in rows))[:limit]

    def term_counts(self) -> dict[str, int]:
        """How many chunks hold a term, as far as it was asked since the index last changed."""
        generation = self.generation()
        if self._counts[0] != generation or len(self._counts[1]) > _COUNTS_KEPT:
            self._counts = (generation, {})
        return self._counts[1]

    def generation(self) -> int:
        """Counts the transactions that changed the index, by whichever process."""
        rows = self.query("select value from meta where key = 'generation'")
        return int(rows[0][0]) if rows else -1

    def _readings(
        self, paths: Sequence[str], present: Mapping[str, FileStat], known: Mapping[str, Known]
    ) -> Iterator[list[Reading]]:
        if not paths:
            return
        from mnemofs.index.rows.opening import Opener

        batch: list[Reading] = []
        size = 0
        with Opener(self.root) as opener:
            for path in paths:
                reading = _read(opener, path, present[path], known.get(path))
                if reading is None:
                    continue
                batch.append(reading)
                size += reading.stat.size
                if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        if batch:
            yield batch


def _read(opener: Opener, path: str, stat: FileStat, old: Known | None) -> Reading | None:
    seen = time.time_ns()
    if stat.size > _MAX_BYTES:
        return Reading(path, stat, seen, None, (), "larger than 32 MiB")
    try:
        data = opener.read(stat.disk)
    except NotFound:
        return None
    except PermissionRefused as error:
        # Present but unknown: what was indexed is kept, hits are checked before they are shown.
        return _unless_known(old, Reading(path, stat, seen, None, None, error.message))
    except MnemofsError as error:
        return _unless_known(old, Reading(path, stat, seen, None, (), error.message))
    blob = blob_id(data)
    if old is not None and old.blob == blob:
        if old.stat == stat[:4] and is_racy(stat, seen):
            return None
        return Reading(path, stat, seen, blob, None, old.problem)
    from mnemofs.index.rows.projection import project

    try:
        return Reading(path, stat, seen, blob, project(path, data))
    except UnreadableText:
        return Reading(path, stat, seen, blob, (), "it is not UTF-8 text")


def _unless_known(old: Known | None, reading: Reading) -> Reading | None:
    """Nothing to write when the same problem is on record."""
    same = old is not None and old.blob is None and old.problem == reading.problem
    return None if same else reading
