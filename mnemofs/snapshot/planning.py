"""What taking a snapshot in would do. Pure over the archive's files and what stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.errors import GuardRefused, MnemofsError, UnreadableText
from mnemofs.markdown.lines import decode
from mnemofs.names import collision_key
from mnemofs.snapshot.archive import Entry
from mnemofs.snapshot.contents import INSTRUCTIONS, MANIFEST, as_path, printable

if TYPE_CHECKING:
    from mnemofs.store.model import Snapshot


class Cleaned(NamedTuple):
    """A file's new bytes as they may be written (None: nothing of it may), and why they differ."""

    content: bytes | None
    warnings: tuple[str, ...] = ()


class Incoming(NamedTuple):
    """One file that changes. old, base: what stands (None: nothing) and its blob id. waits: it is
    not written but proposed."""

    path: str
    old: bytes | None
    base: str | None
    new: bytes
    waits: bool = False

    def compared(self) -> dict[str, Any]:
        """Sizes in bytes and SHA-256 of both sides; those of no file are 0 and ""."""
        return {
            "filename": self.path,
            "oldSize": len(self.old or b""),
            "newSize": len(self.new),
            "oldHash": "" if self.old is None else _sha256(self.old),
            "newHash": _sha256(self.new),
        }


class Skipped(NamedTuple):
    """An entry that changes nothing, and the reason."""

    name: str
    reason: str


@dataclass(frozen=True)
class ImportPlan:
    """What an import does: nothing but this. owner: whose memory it is about. trusted: whether a
    person vouches for the archive."""

    files: tuple[Incoming, ...]
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    owner: str = ""
    trusted: bool = False

    @property
    def written(self) -> tuple[Incoming, ...]:
        """The files that are written, as one commit."""
        return tuple(file for file in self.files if not file.waits)

    @property
    def waiting(self) -> tuple[Incoming, ...]:
        """The files that become proposals."""
        return tuple(file for file in self.files if file.waits)

    @cached_property
    def token(self) -> str:
        """Names this very plan: equal for the same files over the same memory only."""
        said = [[file.compared(), file.old is None, file.waits] for file in self.files]
        return _sha256(json.dumps([self.owner, said], sort_keys=True).encode())[:32]

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "willCreate": [file.path for file in self.written if file.old is None],
            "willUpdate": [file.compared() for file in self.written if file.old is not None],
            "willReview": [file.compared() for file in self.waiting],
            "willSkip": [{"filename": one.name, "reason": one.reason} for one in self.skipped],
            "token": self.token,
            "owner": self.owner,
            "warnings": list(self.warnings),
        }


def plan_import(
    entries: Iterable[Entry],
    read: Callable[[str], Snapshot],
    clean: Callable[[str, bytes, bytes | None], Cleaned],
    *,
    owner: str = "",
    trust: bool = False,
) -> ImportPlan:
    """Sort an archive's entries into files to create, to update, to propose, and to leave out.

    clean(path, new, old): what of a file may be written. trust: instructions are written like any
    other file. Raises GuardRefused when the archive is another person's memory, or has two entries
    for one file.
    """
    entries = tuple(entries)
    _check_owner(entries, owner)
    files: dict[str, Incoming] = {}
    skipped: list[Skipped] = []
    warnings: list[str] = []
    for entry, path in _named(entries):
        found: Incoming | str = entry.problem
        if entry.name == MANIFEST:
            found = "manifest entry"
        elif path is None:
            found = "not in whitelist"
        elif entry.content is not None:
            found, more = _incoming(path, entry.content, read, clean)
            warnings += more
        if isinstance(found, str):
            skipped.append(Skipped(printable(entry.name), found))
            continue
        _refuse_second(files, found.path)
        waits = not trust and found.path in INSTRUCTIONS
        files[collision_key(found.path)] = found._replace(waits=waits)
    _refuse_files_as_folders(files)
    ordered = sorted(files.values(), key=lambda file: file.path)
    return ImportPlan(tuple(ordered), tuple(skipped), tuple(warnings), owner, trust)


def _named(entries: Sequence[Entry]) -> Iterable[tuple[Entry, str | None]]:
    """Each entry with the path it means; two for one path are refused, whatever they hold."""
    seen: dict[str, str] = {}
    for entry in entries:
        path = as_path(entry.name)
        if path is not None or entry.name == MANIFEST:
            _refuse_second(seen, path or MANIFEST)
            seen[collision_key(path or MANIFEST)] = ""
        yield entry, path


def _refuse_second(seen: dict[str, Any], path: str) -> None:
    if collision_key(path) in seen:
        raise GuardRefused(
            f"the archive has two entries for {path}; nothing was changed",
            hint="make it again with one of them",
        )


def _refuse_files_as_folders(files: Mapping[str, Incoming]) -> None:
    for key, file in files.items():
        for cut in (at for at, char in enumerate(key) if char == "/"):
            if key[:cut] in files:
                raise GuardRefused(
                    f"the archive has {files[key[:cut]].path} as a file and, for {file.path}, as "
                    "a folder; nothing was changed",
                    hint="make it again without one of them",
                )


def _incoming(
    path: str,
    content: bytes,
    read: Callable[[str], Snapshot],
    clean: Callable[[str, bytes, bytes | None], Cleaned],
) -> tuple[Incoming | str, tuple[str, ...]]:
    """The change of one file, or why there is none; and what was changed in it."""
    try:
        decode(content)
    except UnreadableText:
        return "not UTF-8 text", ()
    try:
        present = read(path)
    except MnemofsError as error:
        return f"cannot be written: {error.message}", ()
    if content == present.content:
        return "unchanged", ()
    cleaned = clean(path, content, present.content)
    if cleaned.content is None:
        return "forgotten", cleaned.warnings
    if cleaned.content == present.content:
        return "unchanged", cleaned.warnings
    return Incoming(present.path, present.content, present.blob, cleaned.content), cleaned.warnings


def _check_owner(entries: Sequence[Entry], owner: str) -> None:
    """A person's snapshot goes back to that person; one that names nobody goes anywhere."""
    for entry in entries:
        if entry.name != MANIFEST or not entry.content:
            continue
        try:
            said = json.loads(entry.content)
        except (ValueError, RecursionError):
            continue
        of = said.get("owner") if isinstance(said, dict) else None
        if isinstance(of, str) and of and of != owner:
            raise GuardRefused(
                f"this is the private memory of {printable(of)}; nothing was changed",
                hint=f"take it in with --owner {printable(of)}",
            )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
