"""What no sync may do by itself, as types: each stops before anything is changed. Pure.

A guard that stops is a `GuardRefused` of its own class (exit code 3) whose message says in plain
words what was about to happen, and whose hint says how it may happen all the same, if it may.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

from mnemofs import names
from mnemofs.errors import GuardRefused
from mnemofs.store.git.trees import FOLDER, GITLINK, SYMLINK, Entry

Files = Mapping[str, Entry]

_GIT_ALIAS = re.compile(r"\.git|git~\d+|\.git[ .]+")
_MASS = 3
_FOLDERS = ("memory", "structured", "memories")
_SHOWN = 5


class UnrelatedHistory(GuardRefused):
    """The remote holds another memory: no commit is common to both."""

    code = "unrelated_history"


class RewrittenRemote(GuardRefused):
    """The remote no longer holds what it held at the last sync."""

    code = "rewritten_remote"


class MassDeletion(GuardRefused):
    """A pull would take away most of the memory, or all of a part of it."""

    code = "mass_deletion"


class UnsafeTree(GuardRefused):
    """The remote holds names or links that could leave the folder, enter `.git` or collide."""

    code = "unsafe_tree"


class PurgedHistory(GuardRefused):
    """A history holds commits that were purged, and would bring back what had to go."""

    code = "purged_history"


class SecretFound(GuardRefused):
    """A push would send a secret to the remote."""

    code = "secret"


class ChangedHere(GuardRefused):
    """A file that is no memory file differs from every commit, and a pull would write over it."""

    code = "changed_here"


def check_related(common: Iterable[str], remote: str, *, shallow: bool) -> None:
    """Raise UnrelatedHistory when there is no common commit."""
    if any(True for _ in common):
        return
    if shallow:
        raise UnrelatedHistory(
            f"this is a shallow clone, in which no commit common with {remote} can be found",
            hint="run `git fetch --unshallow` once",
        )
    raise UnrelatedHistory(
        f"{remote} holds a history that has nothing in common with this memory; "
        "nothing was changed",
        hint="to use that memory: `mnemofs init --from URL FOLDER`; to share this one: give it an"
        " empty repository with `mnemofs remote add`",
    )


def check_arriving(theirs: Files, ours: Files, read: Callable[[str], bytes]) -> None:
    """Raise UnsafeTree for anything dangerous in `theirs` that is not in `ours` already.

    read: the bytes of a blob (a link's target).
    """
    fresh = sorted(path for path, entry in theirs.items() if ours.get(path) != entry)
    faults = []
    for path in fresh:
        fault = (None if path in ours else _name_fault(path)) or _kind_fault(
            path, theirs[path], read
        )
        if fault:
            faults.append((path, fault))
    if not faults and any(path not in ours for path in fresh):
        twins = names.collisions(theirs)
        faults = [
            (path, f"cannot stand beside {better} on every disk")
            for path, better in sorted(twins.items())
            if not (path in ours and better in ours)
        ]
    if faults:
        path, fault = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise UnsafeTree(
            f"the remote holds {_shown(path)}, which {fault}{more}; nothing was changed",
            hint="rename or remove it in another clone and push that",
        )


def check_deletions(
    ours: Files, merged: Files, read: Callable[[str], bytes], *, allowed: bool
) -> tuple[str, ...]:
    """The memory files that `merged` deletes or empties, sorted.

    A file that only moved does not count. Raises MassDeletion when it is a quarter of the memory
    (three files or more), a whole folder, or MEMORY.md with anything else, unless it is `allowed`.
    """
    memory = {path: entry[1] for path, entry in ours.items() if names.is_memory(path)}
    kept = {entry[1] for entry in merged.values()}
    lost = []
    for path, blob in memory.items():
        entry = merged.get(path)
        if entry is not None and entry[1] == blob:
            continue
        gone = blob not in kept if entry is None else not read(entry[1]).strip()
        if gone and read(blob).strip():
            lost.append(path)
    lost.sort()
    if allowed or not lost or not _is_mass(lost, memory):
        return tuple(lost)
    listed = ", ".join(_shown(path) for path in lost[:_SHOWN])
    more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    raise MassDeletion(
        f"the remote deletes {len(lost)} of {len(memory)} memory files ({listed}{more}); "
        "nothing was changed",
        hint="if that is meant: `mnemofs sync --allow-deletions`",
    )


def _is_mass(lost: list[str], memory: Mapping[str, str]) -> bool:
    if len(lost) == len(memory) or (len(lost) >= _MASS and len(lost) * 4 >= len(memory)):
        return True
    if "MEMORY.md" in lost and len(lost) > 1:
        return True
    gone = set(lost)
    for folder in _FOLDERS:
        inside = {path for path in memory if path.startswith(folder + "/")}
        if len(inside) > 1 and inside <= gone:
            return True
    return False


def _name_fault(path: str) -> str | None:
    for segment in path.split("/"):
        if fault := _segment_fault(segment):
            return fault
    if path.partition("/")[0].casefold() == names.OWNERS_DIR:
        return "lies where people's own memories are kept"
    return None


def _kind_fault(path: str, entry: Entry, read: Callable[[str], bytes]) -> str | None:
    mode = entry[0]
    if mode == GITLINK:
        return "is another repository (a submodule), which a memory cannot hold"
    if mode == SYMLINK:
        return _link_fault(path, read(entry[1]))
    if mode & 0o170000 not in (0o100000, FOLDER):
        return "is of a kind that git does not know"
    return None


def _segment_fault(segment: str) -> str | None:
    if segment in ("", ".", ".."):
        return "could leave the folder"
    if "\\" in segment or any(unicodedata.category(char) == "Cc" for char in segment):
        return "holds a backslash or control character"
    # What disks make of a name: HFS+ drops invisible characters, NTFS what follows a colon and
    # dots and spaces at the end; both ignore case.
    plain = "".join(char for char in segment if unicodedata.category(char) != "Cf")
    plain = plain.partition(":")[0].rstrip(" .").casefold()
    if _GIT_ALIAS.fullmatch(plain):
        return "reaches into .git"
    if plain == names.SIDECAR_DIR:
        return "reaches into the folder of the search index"
    return None


def _link_fault(path: str, target: bytes) -> str | None:
    text = target.decode("utf-8", "surrogateescape")
    parts = text.split("/")
    up = 0
    while parts and parts[0] in ("..", "."):
        up += parts.pop(0) == ".."
    depth = path.count("/")
    if not text or text.startswith("/") or "\\" in text or "\0" in text or ".." in parts:
        return "is a link that could lead out of the folder"
    if up > depth:
        return "is a link that leads out of the folder"
    where = [*path.split("/")[: depth - up], *(part for part in parts if part not in ("", "."))]
    if any(_segment_fault(part) for part in where) or (
        where and where[0].casefold() == names.OWNERS_DIR
    ):
        return "is a link into a place that is not shared"
    return None


def _shown(path: str) -> str:
    return path if path.isprintable() else ascii(path)
