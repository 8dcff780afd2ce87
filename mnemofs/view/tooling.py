"""What agents' tools ask beyond reading and writing: files as they are listed, structured entries,
earlier conversations; and the note that something was read.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from mnemofs import names
from mnemofs.errors import MnemofsError, NotFound
from mnemofs.view.prompting import Prompting

if TYPE_CHECKING:
    from mnemofs.index.hits import Hit
    from mnemofs.lifecycle.learning.conversations import Match, Session
    from mnemofs.scopes import Scope


class FileInfo(NamedTuple):
    """A memory file. size in bytes; changed: when it was last written on this machine; in_prompt:
    whether every prompt holds it; mine: whether it is in the store that the reader writes to;
    blob: of its bytes, "" where nobody looked."""

    path: str
    size: int
    scope: str
    owner: str
    changed: datetime
    in_prompt: bool
    mine: bool
    blob: str = ""


class KeptEntry(NamedTuple):
    """A structured entry and where it is kept."""

    kind: str
    key: str
    content: str
    updated: date | None
    scope: str
    owner: str


class Kept(NamedTuple):
    """Structured entries, and which files could not be read."""

    entries: tuple[KeptEntry, ...]
    warnings: tuple[str, ...]


class Tooling(Prompting):
    """Files, structured entries, conversations."""

    def files(self, prefix: str = "") -> list[FileInfo]:
        """Memory files whose path starts with `prefix`: those of every prompt in their order, then
        the others by name; of one name the reader's own first."""
        always = self.config.files.always_on
        found = [
            self._described(scope, path, stat.size, stat.mtime_ns / 1e9)
            for scope in self._scopes
            for path, stat in scope.store.scan().items()
            if path.endswith(".md") and path.startswith(prefix)
        ]
        order = {name: place for place, name in enumerate(always)}
        last = len(order)
        found.sort(key=lambda f: (order.get(f.path, last) if f.in_prompt else last, f.path))
        return found

    def file(self, path: str) -> tuple[FileInfo, bytes]:
        """A file with its bytes, the reader's own before a shared one. Raises NotFound."""
        for found in self.copies(path):
            return found
        raise NotFound(f"there is no file {path}", hint="see `mnemofs ls`", path=path)

    def copies(self, path: str) -> Iterator[tuple[FileInfo, bytes]]:
        """The file of this name in each store that has one, the reader's own first."""
        path = names.check_path(path)
        for scope in self._scopes:
            snapshot = scope.store.read(path)
            if snapshot.content is None:
                continue
            try:
                changed = os.stat(os.path.join(scope.root, snapshot.path)).st_mtime
            except OSError:  # spelled otherwise on disk, or gone by now
                changed = self.clock.now().timestamp()
            info = self._described(scope, snapshot.path, len(snapshot.content), changed)
            yield info._replace(blob=snapshot.blob or ""), snapshot.content

    def structured(self, kind: str | None = None, keyword: str = "") -> Kept:
        """Structured entries of every store this reader may see, the reader's own first.

        keyword: only those whose key or text holds it, upper and lower case apart. Raises
        UsageError for an unknown kind.
        """
        from mnemofs.index.terms.text import fold
        from mnemofs.markdown.entries import parse_structured
        from mnemofs.markdown.kinds import KINDS, check_kind, structured_path

        kinds = KINDS if kind is None else (check_kind(kind),)
        wanted = fold(keyword.strip())
        found: list[KeptEntry] = []
        warnings = []
        for scope in self._scopes:
            for one in kinds:
                path = structured_path(one)
                try:
                    entries = parse_structured(scope.read(path) or b"")
                except MnemofsError as error:  # a file that cannot be read hides no other
                    where = path if scope.name == "TEAM" else f"{scope.name}/{path}"
                    warnings.append(f"{where} was left out: {error.message}")
                    continue
                found += [
                    KeptEntry(one, entry.key, entry.content, entry.updated, scope.name, scope.owner)
                    for entry in entries
                    if wanted in fold(f"{entry.key}\n{entry.content}\n{entry.source}")
                ]
        return Kept(tuple(found), tuple(warnings))

    def sessions(self, limit: int = 10, *, without: Collection[str] = ()) -> Sequence[Session]:
        """This reader's own latest conversations, newest first; nobody else's (W-3)."""
        from mnemofs.lifecycle.learning.conversations import Conversations

        own = self._own()
        if own is None:
            return ()
        with Conversations(own.root) as kept:
            return kept.recent(limit, without=without, now=self.clock.now())

    def search_sessions(
        self, query: str, limit: int = 10, *, without: Collection[str] = ()
    ) -> Sequence[Match]:
        """What was said in this reader's own conversations, best match first."""
        from mnemofs.lifecycle.learning.conversations import Conversations

        own = self._own()
        if own is None:
            return ()
        with Conversations(own.root) as kept:
            return kept.search(query, limit, without=without, now=self.clock.now())

    def mark_read(self, info: FileInfo) -> None:
        """Count that a whole file was read: dreams weigh what is used."""
        from mnemofs.lifecycle.recalls.book import Shown

        self._record("", {}, {info.scope: [Shown(info.path, info.blob, why="read")]}, ())

    def mark_found(self, query: str, hits: Iterable[Hit]) -> None:
        """Count that these hits were shown for a question."""
        self.note_hits(hits, query=query)

    def _described(self, scope: Scope, path: str, size: int, changed: float) -> FileInfo:
        from mnemofs.context.assemble import PERSONAL_FILES

        shown = PERSONAL_FILES if scope.name == "PERSONAL" else self.config.files.always_on
        moment = datetime.fromtimestamp(changed, self.clock.zone)
        mine = scope is self._own()
        return FileInfo(path, size, scope.name, scope.owner, moment, path in shown, mine)
