"""Snapshots of one store: a ZIP file out of it, and one taken in."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mnemofs.errors import GuardRefused, MnemofsError, NotFound, PermissionRefused, UsageError
from mnemofs.systems import NEW
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from mnemofs.lifecycle.forgetting.tombstones import Tombstones
    from mnemofs.scopes import Scope
    from mnemofs.snapshot.planning import Cleaned, ImportPlan, Incoming, Skipped
    from mnemofs.store.model import Change, Snapshot

_VERSION = 1


class Exported(NamedTuple):
    """What was written. archives: (file, entries, bytes); omitted: memory files in none of them."""

    archives: tuple[tuple[str, int, int], ...]
    paths: tuple[str, ...]
    omitted: tuple[str, ...] = ()
    owner: str = ""
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": "created",
            "archives": [
                {"file": file, "entries": entries, "size": size}
                for file, entries, size in self.archives
            ],
            "files": list(self.paths),
            "omitted": list(self.omitted),
            "owner": self.owner,
            "warnings": list(self.warnings),
        }


class Imported(NamedTuple):
    """What an import did. status: "parked" when all that it brought waits for a person.

    waiting: ids of the proposals it made, for `review`.
    """

    status: Literal["updated", "unchanged", "parked"]
    commit: str | None
    paths: tuple[str, ...]
    skipped: tuple[Skipped, ...] = ()
    waiting: tuple[str, ...] = ()
    owner: str = ""
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "commit": self.commit,
            "applied": len(self.paths),
            "skipped": len(self.skipped),
            "files": list(self.paths),
            "willSkip": [{"filename": one.name, "reason": one.reason} for one in self.skipped],
            "waiting": list(self.waiting),
            "owner": self.owner,
            "warnings": list(self.warnings),
        }


class Exchanging(ViewBase):
    """Export and import."""

    def export(self, file: str | os.PathLike[str], *, force: bool = False) -> Exported:
        """Write this store's memory into the ZIP file `file`: always-on files, notes, the diary,
        structured entries and keyed memories; of nobody else's store.

        A memory with more files than an import takes is written as several archives, `NAME-2.zip`
        and so on; each is one on its own. The bytes depend on the files and the time only. Raises
        UsageError when a file stands there already, unless `force`.
        """
        from mnemofs.errors import UnreadableText
        from mnemofs.markdown.lines import decode
        from mnemofs.names import open_regular
        from mnemofs.snapshot import archive, contents

        scope = self._require_own()
        scope.fold()
        files: dict[str, bytes] = {}
        omitted: list[str] = []
        warnings: list[str] = []
        for path, stat in sorted(scope.store.scan().items()):
            if not path.endswith(".md"):
                continue
            if not contents.belongs(path):
                omitted.append(path)
            elif stat.size > archive.MAX_ENTRY:
                omitted.append(path)
                warnings.append(f"{path} was left out: it is larger than 1 MiB")
            else:
                try:
                    files[path] = content = open_regular(scope.root, stat.disk)
                    decode(content)
                except UnreadableText:
                    warnings.append(f"{path} is not UTF-8 text: an import will leave it out")
                except MnemofsError as error:
                    warnings.append(f"{path} was left out: {error.message}")
        made = archive.write_archives(files, self._manifest(), contents.MANIFEST)
        targets = _targets(os.path.abspath(os.path.expanduser(os.fspath(file))), len(made))
        for target in targets:
            if os.path.lexists(target) and not force:
                raise UsageError(f"{target} is there already", hint="--force replaces it")
        written = []
        for target, data in zip(targets, made, strict=True):
            _put(target, data)
            written.append((target, len(archive.read_archive(data)), len(data)))
        return Exported(tuple(written), tuple(files), tuple(omitted), self.owner, tuple(warnings))

    def import_preview(
        self, archive: str | os.PathLike[str] | bytes, *, trust: bool = False
    ) -> ImportPlan:
        """What `import_` would do with a ZIP file (its name or its bytes); nothing is changed.

        Raises UsageError for what is no ZIP file, GuardRefused for what is larger than a snapshot
        may be, or is another person's.
        """
        return self._plan_import(_read(archive), trust, self._own())

    def import_(
        self,
        archive: str | os.PathLike[str] | bytes | ImportPlan,
        *,
        trust: bool = False,
        token: str | None = None,
        source: str = "",
    ) -> Imported:
        """Take a snapshot in: what `import_preview` says and nothing else, as one commit or not at
        all.

        archive: a ZIP file (its name or its bytes), or the plan that a preview gave. token: of a
        preview elsewhere; another plan than that one is refused. trust: instructions to the agent
        (AGENTS.md, SOUL.md) are written, too; otherwise they become proposals. Secrets are masked,
        and what was forgotten is left out. Raises GuardRefused when a file is not as the plan has
        it any more, and what `import_preview` raises.
        """
        from mnemofs.lifecycle.forgetting.returning import coming_back
        from mnemofs.snapshot.planning import ImportPlan

        own = self._own()
        if own is not None:
            own.fold()
        if isinstance(archive, ImportPlan):
            plan = archive
        else:
            if not source and not isinstance(archive, bytes):
                source = os.path.basename(os.fspath(archive))
            plan = self._plan_import(_read(archive), trust, own)
        if plan.owner != self.owner or token not in (None, plan.token):
            raise GuardRefused(
                "the archive or the memory is not what the preview showed; nothing was changed",
                hint="look again with --dry-run",
            )
        if not plan.files:
            warnings = plan.warnings
            return Imported("unchanged", None, (), plan.skipped, (), self.owner, warnings)
        scope = self._writer()
        changes = self._changes(plan, source)
        if any(coming_back(scope.store, change.edits) for change in changes):
            raise GuardRefused("this would bring back what was forgotten; nothing was changed")
        return self._carry_out(scope, plan, changes)

    def _plan_import(self, data: bytes, trust: bool, scope: Scope | None) -> ImportPlan:
        from mnemofs.lifecycle.forgetting.tombstones import Tombstones
        from mnemofs.snapshot.archive import read_archive
        from mnemofs.snapshot.planning import plan_import
        from mnemofs.store.model import Snapshot

        def absent(path: str) -> Snapshot:
            return Snapshot(path, None, None)

        read: Callable[[str], Snapshot] = scope.store.read if scope else absent
        stones = Tombstones.load(scope.root) if scope else None
        try:
            plan = plan_import(
                read_archive(data), read, partial(_clean, stones), owner=self.owner, trust=trust
            )
        finally:
            if stones:
                stones.close()
        return _without_known(scope, plan) if scope else plan

    def _changes(self, plan: ImportPlan, source: str) -> tuple[Change, ...]:
        """The commit (without edits when all waits), then one proposal for each file that waits."""
        from mnemofs.lifecycle.labels import count, label
        from mnemofs.store.model import Change, Edit

        trusted: Literal["user", "web"] = "user" if plan.trusted else "web"
        source = label(source) if source else ""
        edits = tuple(
            Edit(file.path, file.base, file.new, replay=_as_shown(file)) for file in plan.written
        )
        reason = f"import: {count(len(edits), 'file')}"
        return (
            Change(edits, "import", reason, source, trusted, owner=self.owner),
            *(
                Change(
                    (Edit(file.path, file.base, file.new),),
                    "import",
                    f"proposal: {file.path} of an import",
                    source,
                    "web",
                    owner=self.owner,
                )
                for file in plan.waiting
            ),
        )

    def _carry_out(self, scope: Scope, plan: ImportPlan, changes: tuple[Change, ...]) -> Imported:
        from mnemofs.lifecycle.reviewing.proposals import PREFIX, park
        from mnemofs.store.git.refmoves import all_refs, delete_ref

        commit, *proposed = changes
        before = all_refs(scope.store.layout, PREFIX)
        now = self.clock.now()
        refs = [park(scope.store, change, now) for change in proposed]
        try:
            done = scope.store.commit(commit)
        except BaseException:
            for ref in refs:
                if ref is not None and ref not in before:
                    delete_ref(scope.store.layout, ref)
            raise
        warnings = [*plan.warnings, *done.warnings, *scope.written(done)]
        warnings += (
            f"{change.edits[0].path} was rejected before and does not wait again"
            for change, ref in zip(proposed, refs, strict=True)
            if ref is None
        )
        waiting = tuple(ref.removeprefix(PREFIX) for ref in refs if ref is not None)
        status: Literal["updated", "unchanged", "parked"]
        status = "updated" if done.commit else "parked" if waiting else "unchanged"
        paths, said = tuple(file.path for file in plan.written), tuple(warnings)
        return Imported(status, done.commit, paths, plan.skipped, waiting, self.owner, said)

    def _manifest(self) -> bytes:
        import json
        from datetime import UTC

        name = self.config.agent.name
        now = self.clock.now().astimezone(UTC).replace(tzinfo=None)
        manifest = {
            "version": _VERSION,
            "exportedAt": f"{now.isoformat(timespec='seconds')}Z",
            "agentId": name,
            "agentName": name,
            **({"owner": self.owner} if self.owner else {}),
        }
        return json.dumps(manifest, ensure_ascii=False, indent=2).encode() + b"\n"


def _without_known(scope: Scope, plan: ImportPlan) -> ImportPlan:
    """The plan without proposals that wait already or that a person has rejected."""
    from dataclasses import replace

    from mnemofs.lifecycle.reviewing.decisions import decisions_at
    from mnemofs.lifecycle.reviewing.proposals import PREFIX, proposal_id, signature
    from mnemofs.snapshot.planning import Skipped
    from mnemofs.store.git.refmoves import all_refs

    if not plan.waiting:
        return plan
    refs, decisions = all_refs(scope.store.layout, PREFIX), decisions_at(scope.root)
    known: dict[Incoming, str] = {}
    for file in plan.waiting:
        name = proposal_id({file.path: file.new})
        if decisions.rejected(signature({file.path: file.new})):
            known[file] = "was rejected before"
        elif PREFIX + name in refs and name not in decisions.by_item:
            known[file] = "waits for review already"
    skipped = tuple(Skipped(file.path, reason) for file, reason in known.items())
    files = tuple(file for file in plan.files if file not in known)
    return replace(plan, files=files, skipped=(*plan.skipped, *skipped))


def _as_shown(file: Incoming) -> Callable[[bytes | None], bytes | None]:
    """The file's new bytes, over those that the plan was made from and no others."""

    def replay(present: bytes | None) -> bytes | None:
        if present not in (file.old, file.new):
            raise GuardRefused(
                f"{file.path} was changed meanwhile; nothing was imported",
                hint="look again with --dry-run",
                path=file.path,
            )
        return file.new

    return replay


def _clean(stones: Tombstones | None, path: str, new: bytes, old: bytes | None) -> Cleaned:
    """A file without what was forgotten, its secrets masked (I7, SEC-07)."""
    from mnemofs.lifecycle.gates import mask_new
    from mnemofs.lifecycle.labels import count
    from mnemofs.snapshot.planning import Cleaned

    warnings = []
    if stones:
        from mnemofs.lifecycle.forgetting.forgetting import strip

        done = strip(path, new, stones, all_mentions=True)
        gone = sum(place.removed for place in done.places)
        if gone:
            warnings.append(f"{path}: left out {count(gone, 'place')} that had been forgotten")
        if done.content is None:
            return Cleaned(None, tuple(warnings))
        new = done.content
    text, masked = mask_new(new.decode(), (old or b"").decode("utf-8", "replace"))
    if masked:
        warnings.append(f"{path}: masked {count(masked, 'secret')}")
        new = text.encode()
    return Cleaned(new, tuple(warnings))


def _read(archive: str | os.PathLike[str] | bytes) -> bytes:
    """The archive's bytes, never many more than a snapshot may have."""
    if isinstance(archive, bytes):
        return archive
    from mnemofs.snapshot.archive import MAX_TOTAL

    name = os.path.expanduser(os.fspath(archive))
    try:
        with open(name, "rb") as file:
            return file.read(MAX_TOTAL + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"there is no file {name}") from None
    except PermissionError:
        raise PermissionRefused(f"{name} cannot be read: no permission") from None
    except IsADirectoryError:
        raise UsageError(f"{name} is a folder", hint="name a ZIP file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name!r} cannot be read ({type(error).__name__})") from None


def _targets(file: str, number: int) -> list[str]:
    stem, suffix = os.path.splitext(file)
    return [file, *(f"{stem}-{part}{suffix}" for part in range(2, number + 1))]


def _put(target: str, data: bytes) -> None:
    """Write the file whole or not at all, for its owner's eyes."""
    temporary = f"{target}.{os.getpid()}.tmp"
    try:
        with open(os.open(temporary, NEW, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary)
        raise UsageError(
            f"{target} cannot be written: {error.strerror}", hint="choose another place"
        ) from error
