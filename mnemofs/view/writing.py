"""Writing memory: each method is one commit, acknowledged when it is durable."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mnemofs import names
from mnemofs.clock import note_path
from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.results import WriteResult, WriteStatus
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.scopes import Scope
    from mnemofs.store.model import Actor, Change, Committed, Edit, Snapshot, Trust

KINDS = ("user", "feedback", "project", "reference")
_TRUST: dict[str, Trust] = {"person": "user", "tool": "agent", "api": "agent", "import": "web"}
# Writers that run unattended and for long: every detector is worth its loading time there.
_DEEP = frozenset({"api", "import"})
_SECRET_KEPT = "the text holds something that looks like a secret; it will stay in history"
_SECRET_MASKED = "something that looked like a secret was masked before writing"


class Writing(ViewBase):
    """Remember, note, write, edit, delete, restore and undo."""

    def remember(
        self,
        text: str,
        *,
        kind: str | None = None,
        key: str | None = None,
        source: str = "",
        actor: Actor = "tool",
    ) -> WriteResult:
        """Keep one statement: a dated line in MEMORY.md, or the entry `key` of
        structured/<kind>.md.

        A line that stands already is not added twice; an entry of the same key is replaced.
        Raises UsageError for an empty text or an unknown kind.
        """
        from mnemofs.markdown import edits, entries

        source, _ = _masked(source)
        text, warnings = self._admit(text, actor)
        if kind is None:
            now = self.clock.now()
            said_by = source or actor

            def add(data: bytes | None) -> bytes:
                return edits.remember(data, text, at=now, source=said_by)

            reason = "remember: 1 memory"
            return self._apply("MEMORY.md", add, reason, actor, source, warnings, said=True)
        if kind not in KINDS:
            raise UsageError(
                f"{kind!r} is no kind of memory", hint=f"use one of {', '.join(KINDS)}"
            )
        if not key or not key.strip():
            raise UsageError("an entry needs a key", hint="give one such as answer_style")
        key, more = self._admit(key, actor)
        warnings = tuple(dict.fromkeys(warnings + more))
        entry = entries.StructuredEntry(key.strip(), text, source or actor, self.clock.today())

        def put(data: bytes | None) -> bytes:
            return entries.put_structured(data, entry)

        path = f"structured/{kind}.md"
        reason = f"remember: 1 {kind} entry"
        return self._apply(path, put, reason, actor, source, warnings, said=True)

    def note(self, text: str, *, source: str = "", actor: Actor = "tool") -> WriteResult:
        """Add a block to today's note; a plain line becomes a list item."""
        from mnemofs.markdown import edits

        text, warnings = self._admit(text, actor)
        block = text if "\n" in text or text[0] in "-*+#>|`0123456789" else f"- {text}"
        day = self.clock.today()

        def add(data: bytes | None) -> bytes:
            return edits.append_daily(data, block, day)

        reason = "note: 1 entry"
        return self._apply(note_path(day), add, reason, actor, source, warnings, said=True)

    def write(
        self,
        path: str,
        content: bytes,
        *,
        base: str | None = None,
        source: str = "",
        actor: Actor = "tool",
    ) -> WriteResult:
        """Write a whole file. base: the blob id the content was made from, so that edits made
        since are merged; without it the content replaces what stands there now."""
        from mnemofs.store.model import Edit

        path = names.check_path(path)
        content, warnings = self._admit_bytes(content, actor)
        scope = self._writer()
        before = scope.store.read(path)
        edit = Edit(before.path, base or before.blob, content)
        return self._commit(scope, before, edit, f"write: {before.path}", actor, source, warnings)

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
        new, warnings = self._admit(new, actor) if new.strip() else (new, ())

        def swap(data: bytes | None) -> bytes:
            if data is None:
                raise NotFound(f"there is no file {path}", path=path)
            return edits.find_replace(data, old, new, replace_all=replace_all)[0]

        return self._apply(path, swap, f"edit: {path}", actor, source, warnings)

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
        from mnemofs.store import takeback

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
        from mnemofs.store import takeback

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
        change: Callable[[bytes | None], bytes],
        reason: str,
        actor: Actor,
        source: str,
        warnings: tuple[str, ...],
        said: bool = False,
    ) -> WriteResult:
        from mnemofs.store.model import Edit

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
        source, _ = _masked(source)
        change = Change((edit,), actor, reason, source, trust, owner=self.owner)
        change, came = self._returning(scope, change, actor == "person" if lifts is None else lifts)
        done = scope.store.commit(change)
        warnings = (*warnings, *came, *done.warnings, *scope.written(done))
        status = _status(before, edit.content, done)
        conflicts = len(done.conflicts)
        return WriteResult(status, edit.path, done.commit, self.owner, conflicts, warnings)

    def _returning(
        self, scope: Scope, change: Change, lifts: bool
    ) -> tuple[Change, tuple[str, ...]]:
        """The change, with what lets forgotten text stand again if it may, and a sentence."""
        if not scope.has_tombstones():
            return change, ()
        from dataclasses import replace

        from mnemofs.lifecycle.returning import coming_back, lifting

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

    def _admit(self, text: str, actor: Actor) -> tuple[str, tuple[str, ...]]:
        if not text.strip():
            raise UsageError("there is nothing to write: the text is empty")
        if "\ud800" <= max(text) <= "\udfff" or any("\ud800" <= char <= "\udfff" for char in text):
            raise UsageError("the text is not valid UTF-8", hint="save it as UTF-8 and try again")
        masked, count = _masked(text, deep=actor in _DEEP)
        if not count:
            return text.strip("\n"), ()
        if actor == "person":
            return text.strip("\n"), (_SECRET_KEPT,)
        return masked.strip("\n"), (_SECRET_MASKED,)

    def _admit_bytes(self, content: bytes, actor: Actor) -> tuple[bytes, tuple[str, ...]]:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            raise UsageError(
                "the content is not valid UTF-8", hint="save it as UTF-8 and try again"
            ) from None
        masked, count = _masked(text, deep=actor in _DEEP)
        if not count:
            return content, ()
        return (content, (_SECRET_KEPT,)) if actor == "person" else (
            masked.encode(), (_SECRET_MASKED,)
        )  # fmt: skip


def _masked(text: str, *, deep: bool = False) -> tuple[str, int]:
    from mnemofs.secrets import mask

    masked, findings = mask(text, deep=deep)
    return masked, len(findings)


def _status(before: Snapshot, after: bytes | None, done: Committed) -> WriteStatus:
    if done.commit is None:
        return "unchanged"
    if after is None:
        return "deleted"
    if before.content is None:
        return "created"
    return "appended" if after.startswith(before.content.rstrip(b"\r\n")) else "replaced"
