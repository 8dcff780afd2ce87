"""Writing memory: each method is one commit, acknowledged when it is durable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mnemofs import names
from mnemofs.clock import note_path
from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.markdown.kinds import check_kind, structured_path
from mnemofs.results import WriteResult
from mnemofs.view.admission import admit, admit_edited, admit_given, masked, naming
from mnemofs.view.base import ViewBase
from mnemofs.view.providing import tell_written

if TYPE_CHECKING:
    from mnemofs.markdown.strategies import Joined, Strategy
    from mnemofs.results import WriteStatus
    from mnemofs.scopes import Scope
    from mnemofs.store.model import Actor, Change, Committed, Edit, Snapshot, Trust

_TRUST: dict[str, Trust] = {"person": "user", "tool": "agent", "api": "agent", "import": "web"}
_LONGEST_ORIGIN = 80
_HEX = frozenset("0123456789abcdef")


class Writing(ViewBase):
    """Remember, note, write, edit, delete, restore and undo."""

    def remember(
        self,
        text: str,
        *,
        kind: str | None = None,
        key: str | None = None,
        source: str = "",
        said_by: str = "",
        actor: Actor = "tool",
    ) -> WriteResult:
        """Keep one statement: a dated line in MEMORY.md, or the entry `key` of
        structured/<kind>.md.

        A line that stands already is not added twice; an entry of the same key is replaced.
        said_by: the origin that the text itself names; by default `source`, else the actor.
        Raises UsageError for an empty text or an unknown kind.
        """
        from mnemofs.markdown import edits, entries

        source, _ = masked(source)
        said_by = masked(" ".join(said_by.split()))[0][:_LONGEST_ORIGIN] or source or actor
        text, warnings = admit(text, actor)
        if kind is None:
            now = self.clock.now()

            def add(data: bytes | None) -> bytes:
                return edits.remember(data, text, at=now, source=said_by)

            reason = "remember: 1 memory"
            return self._apply("MEMORY.md", add, reason, actor, source, warnings, said=True)
        check_kind(kind)
        if not key or not key.strip():
            raise UsageError("an entry needs a key", hint="give one such as answer_style")
        key, more = admit(key, actor)
        warnings = tuple(dict.fromkeys(warnings + more))
        entry = entries.StructuredEntry(key.strip(), text, said_by, self.clock.today())

        def put(data: bytes | None) -> bytes:
            return entries.put_structured(data, entry)

        path, reason = structured_path(kind), f"remember: 1 {kind} entry"
        return self._apply(path, put, reason, actor, source, warnings, said=True)

    def forget_structured(
        self, kind: str, key: str, *, source: str = "", actor: Actor = "tool"
    ) -> WriteResult:
        """Take the entry `key` out of structured/<kind>.md; "unchanged" when there is none.

        Only this entry goes, and it may be written again: `forget` takes a statement out of every
        place and bars it. Raises UsageError for an unknown kind.
        """
        from mnemofs.markdown.entries import drop_structured

        check_kind(kind)
        path = structured_path(kind)

        def drop(data: bytes | None) -> bytes | None:
            return None if data is None else drop_structured(data, key)

        if self._own() is None:
            return WriteResult("unchanged", path, owner=self.owner)
        done = self._apply(path, drop, f"forget: 1 {kind} entry", actor, source, ())
        return done if done.commit is None else done.replace(status="deleted")

    def note(self, text: str, *, source: str = "", actor: Actor = "tool") -> WriteResult:
        """Add a block to today's note; a plain line becomes a list item."""
        from mnemofs.markdown import edits

        text, warnings = admit(text, actor)
        block = text if "\n" in text or text[0] in "-*+#>|`0123456789" else f"- {text}"
        day = self.clock.today()

        def add(data: bytes | None) -> bytes:
            return edits.append_daily(data, block, day)

        reason = "note: 1 entry"
        return self._apply(note_path(day), add, reason, actor, source, warnings, said=True)

    def write(
        self,
        path: str,
        content: bytes | str | Mapping[str, str],
        *,
        merge: Strategy = "overwrite",
        base: str | bytes | None = None,
        source: str = "",
        actor: Actor = "tool",
    ) -> WriteResult:
        """Write to a file. merge says how `content` joins what stands there:

        overwrite: as the whole file. base: what it was made from (the text or its blob id), so that
        edits made since are merged; without it, it replaces what stands there now. append: behind.
        replace_section: in place of the section that its first heading names, added when there is
        none. upsert_kv: its `key: value` lines, or a mapping, in place of those of the same keys.

        The status is what happened in the end: a file that moved on meanwhile is edited as it is
        then. Raises UsageError, and EditRefused for headings that stand twice.
        """
        from mnemofs.markdown import strategies

        path = names.check_path(path)
        if merge not in strategies.STRATEGIES:
            known = ", ".join(strategies.STRATEGIES)
            raise UsageError(f"{merge!r} is no way to write", hint=f"use one of {known}")
        pairs = not isinstance(content, bytes | str)
        if pairs and merge != "upsert_kv":
            raise UsageError("keys with values are written by the strategy upsert_kv")
        if base is not None and merge != "overwrite":
            raise UsageError(f"{merge} needs no base: it edits the file as it stands")
        if isinstance(base, str) and (len(base) != 40 or set(base) - _HEX):
            raise UsageError(
                f"{base!r} names no version of a file", hint="`mnemofs cat --json` says its blob"
            )
        given, warnings = admit_given(content, actor)
        last: list[Joined] = []

        def join(data: bytes | None) -> bytes | None:
            last[:] = [strategies.join(merge, data, given)]
            return last[0].content

        reason = f"write: {path}" if merge == "overwrite" else f"write: {path} ({merge})"
        if merge == "overwrite":
            from mnemofs.store.model import Edit

            scope = self._writer()
            before = scope.store.read(path)
            if isinstance(base, bytes):
                base = scope.store.base(path, base)
            edit = Edit(before.path, base or before.blob, join(before.content))
            return self._commit(scope, before, edit, reason, actor, source, warnings)
        done = self._apply(path, join, reason, actor, source, warnings)
        status = last[0].status if done.commit else "unchanged"
        return done.replace(status=status, warnings=(*last[0].warnings, *done.warnings))

    def edit(
        self,
        path: str,
        old: str,
        new: str,
        *,
        replace_all: bool = False,
        source: str = "",
        actor: Actor = "tool",
    ) -> WriteResult:
        """Replace a text that stands exactly once (or every one, with replace_all).

        Raises NotFound for the file and EditRefused when the text is absent, stands more than
        once, or would not change.
        """
        from mnemofs.markdown import edits

        path = names.check_path(path)
        text, warnings = admit_given(new, actor)
        new = str(text)
        found = [0]
        more: list[str] = []

        def swap(data: bytes | None) -> bytes:
            if data is None:
                raise NotFound(f"there is no file {path}", path=path)
            content, found[0] = edits.find_replace(data, old, new, replace_all=replace_all)
            content, more[:] = admit_edited(content, data, actor)
            return content

        done = self._apply(path, swap, f"edit: {path}", actor, source, warnings)
        said = tuple(dict.fromkeys((*more, *done.warnings)))
        return done.replace(replacements=found[0], warnings=said)

    def rm(self, path: str, *, source: str = "", actor: Actor = "tool") -> WriteResult:
        """Delete a file; history keeps it. Raises NotFound."""
        from mnemofs.store.model import Edit

        path = names.check_path(path)
        scope = self._writer()
        before = scope.store.read(path)
        if before.content is None:
            raise NotFound(f"there is no file {path}", hint="see `mnemofs ls`", path=path)
        edit = Edit(before.path, before.blob, None)
        return self._commit(scope, before, edit, f"delete: {before.path}", actor, source, ())

    def restore(
        self,
        path: str,
        rev: str | None = None,
        *,
        actor: Actor = "tool",
        force: bool = False,
    ) -> WriteResult:
        """A file as it was at `rev` (default: before its last change), as a new commit.

        A folder is restored whole. Raises NotFound when there was no such thing then, and
        GuardRefused when that would bring back what was forgotten, unless `force`.
        """
        from mnemofs.store.past import takeback

        path = names.check_path(path, suffix="")
        scope = self._require_own()
        scope.fold()
        before = scope.store.read(path) if path.endswith(".md") else None
        # The source names the commit, so that blame and trust follow a line through a restore.
        change = takeback.restore_change(scope.store, path, rev, actor=actor)
        change, came = self._returning(scope, change, force)
        done = scope.store.commit(change)
        warnings = (*came, *done.warnings, *scope.written(done))
        status: WriteStatus = "replaced" if done.commit else "unchanged"
        if done.commit and before is not None and before.content is None:
            status = "created"
        return WriteResult(status, path, done.commit, self.owner, len(done.conflicts), warnings)

    def undo(
        self,
        commit: str | None = None,
        *,
        source: str = "",
        actor: Actor = "tool",
        force: bool = False,
    ) -> tuple[Committed, str]:
        """Take back one commit (default: the last change); what was done, and of which commit.

        Raises GuardRefused when that would bring back what was forgotten, unless `force`.
        """
        from mnemofs.store.past import takeback

        scope = self._require_own()
        scope.fold()
        change, about = takeback.undo(scope.store, commit, actor=actor, source=source)
        change, _ = self._returning(scope, change, force)
        done = scope.store.commit(change)
        scope.written(done)
        return done, about

    def _apply(
        self,
        path: str,
        change: Callable[[bytes | None], bytes | None],
        reason: str,
        actor: Actor,
        source: str,
        warnings: tuple[str, ...],
        said: bool = False,
    ) -> WriteResult:
        from mnemofs.store.model import Edit

        change = naming(path, change)
        lifts = actor == "person" or (said and actor == "tool")
        scope = self._writer()
        before = scope.store.read(path)
        edit = Edit(before.path, before.blob, change(before.content), replay=change)
        return self._commit(scope, before, edit, reason, actor, source, warnings, lifts=lifts)

    def _commit(
        self,
        scope: Scope,
        before: Snapshot,
        edit: Edit,
        reason: str,
        actor: Actor,
        source: str,
        warnings: tuple[str, ...],
        lifts: bool | None = None,
    ) -> WriteResult:
        from mnemofs.store.model import Change

        trust = _TRUST.get(actor, "agent")
        source, _ = masked(source)
        change = Change((edit,), actor, reason, source, trust, owner=self.owner)
        change, came = self._returning(scope, change, actor == "person" if lifts is None else lifts)
        done = scope.store.commit(change)
        warnings = (*warnings, *came, *done.warnings, *scope.written(done))
        if done.commit:
            warnings += tell_written(self, edit, before.content, reason)
        status = _status(before, edit.content, done)
        conflicts = len(done.conflicts)
        # As it is spelled there, which may not be how it was asked for (TXT-10).
        same = names.collision_key(edit.path)
        path = next((one for one in done.paths if names.collision_key(one) == same), edit.path)
        return WriteResult(status, path, done.commit, self.owner, conflicts, warnings)

    def _returning(
        self, scope: Scope, change: Change, lifts: bool
    ) -> tuple[Change, tuple[str, ...]]:
        """The change, with what lets forgotten text stand again if it may, and a sentence."""
        if not scope.has_tombstones():
            return change, ()
        from dataclasses import replace

        from mnemofs.lifecycle.forgetting.returning import coming_back, lifting

        stones = coming_back(scope.store, change.edits)
        if not stones:
            return change, ()
        days = ", ".join(sorted({stone.time[:10] for stone in stones}))
        if not lifts:
            raise GuardRefused(
                f"this would bring back what was forgotten ({days}); nothing was changed",
                hint="leave it out, say it again with `mnemofs remember`, or use --force where "
                "there is one",
            )
        ledger = lifting(scope.store, stones, self.clock.now())
        others = tuple(edit for edit in change.edits if ledger is None or edit.path != ledger.path)
        if ledger is not None:
            change = replace(change, edits=(*others, ledger))
        return change, (f"this had been forgotten ({days}) and may stand again",)


def _status(before: Snapshot, after: bytes | None, done: Committed) -> WriteStatus:
    if done.commit is None:
        return "unchanged"
    if after is None:
        return "deleted"
    if before.content is None:
        return "created"
    return "appended" if after.startswith(before.content.rstrip(b"\r\n")) else "replaced"
