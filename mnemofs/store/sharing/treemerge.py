"""Three-way merge of whole trees, planned: paths and blob ids in, a tree out. Pure.

A tree is {path: (mode, blob id)}. Sides that did not change decide nothing; text changed on both
is merged by `markdown.merge`; what cannot be merged stands twice, the second under `name~<short
id>`. Nothing that one side wrote is ever dropped, and both machines plan the same tree whichever
side they call theirs. A rename is a deletion and an addition, except when the bytes prove it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from mnemofs import names
from mnemofs.errors import UnreadableText
from mnemofs.markdown.lines import decode
from mnemofs.markdown.merge import Conflict, merge
from mnemofs.markdown.mergenodes import ConflictKind
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.trees import FILE, Entry

Files = Mapping[str, Entry]
Newer = Literal["ours", "theirs"] | None

_T = TypeVar("_T")
_EMPTY_BLOB = blob_id(b"")
_NAME_BYTES = 255


@dataclass(frozen=True, slots=True)
class MergePlan:
    """What the merged tree holds.

    files      the whole tree
    blobs      {id: bytes} of blobs that neither side has
    merged     paths whose text was put together from both sides
    conflicts  contradictions; both texts stand wherever both can
    """

    files: dict[str, Entry]
    blobs: dict[str, bytes]
    merged: tuple[str, ...]
    conflicts: tuple[Conflict, ...]


def plan_merge(
    base: Files,
    ours: Files,
    theirs: Files,
    read: Callable[[str], bytes],
    *,
    newer: Callable[[str], Newer] = lambda _: None,
) -> MergePlan:
    """Both sides' changes to `base` in one tree.

    read: the bytes of a blob. newer: which side changed a path last, asked where only one of two
    values can be shown; it must answer alike on both machines.
    """
    if ours == theirs or theirs == base:
        return MergePlan(dict(ours), {}, (), ())
    if ours == base:
        return MergePlan(dict(theirs), {}, (), ())
    return _Merge(dict(base), dict(ours), dict(theirs), read, newer).run()


def beside(path: str, object_id: str, taken: Iterable[str] = ()) -> str:
    """A free name next to `path` for a second text: `notes/a.md` becomes `notes/a~1a2b3c4.md`."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    busy = set(taken)
    for digits in (7, 12, 40):
        tail = f"~{object_id[:digits]}{dot}{ending}"
        room = _NAME_BYTES - len(tail.encode("utf-8", "surrogateescape"))
        kept = stem.encode("utf-8", "surrogateescape")[:room].decode("utf-8", "ignore")
        made = f"{folder}{slash}{kept}{tail}"
        if made not in busy:
            break
    return made


@dataclass
class _Merge:
    base: dict[str, Entry]
    ours: dict[str, Entry]
    theirs: dict[str, Entry]
    read: Callable[[str], bytes]
    newer: Callable[[str], Newer]
    files: dict[str, Entry] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    aside: list[tuple[str, Entry]] = field(default_factory=list)

    def run(self) -> MergePlan:
        self._settle_spellings()
        self._follow_renames()
        for path in sorted(self.ours.keys() | self.theirs.keys()):
            self._path(path, self.base.get(path), self.ours.get(path), self.theirs.get(path))
        self._make_room_for_folders()
        for path, entry in sorted(self.aside):
            if self.files.get(beside(path, entry[1])) != entry:
                self.files[beside(path, entry[1], self.files)] = entry
        used = {object_id for _, object_id in self.files.values()}
        return MergePlan(
            self.files,
            {made: data for made, data in self.blobs.items() if made in used},
            tuple(self.merged),
            tuple(self.conflicts),
        )

    def _settle_spellings(self) -> None:
        """One name for files that a case-insensitive disk takes for one, where each side has only
        one of the spellings: `memory.md` here and `MEMORY.md` there are one file (TXT-10)."""
        sides = (self.base, self.ours, self.theirs)
        paths = set().union(*sides)
        moved = {path for path in paths if any(path not in side for side in sides)}
        if not moved:
            return
        keys = {names.collision_key(path) for path in moved}
        groups: dict[str, list[str]] = {}
        for path in paths:
            if (key := names.collision_key(path)) in keys:
                groups.setdefault(key, []).append(path)
        for group in groups.values():
            here = [[path for path in group if path in side] for side in sides]
            if len(group) < 2 or any(len(found) > 1 for found in here):
                continue
            before, mine, other = (found[0] if found else None for found in here)
            renamed = {path for path in (mine, other) if path and path != before}
            chosen = renamed.pop() if len(renamed) == 1 else _canonical(group)
            for side, found in zip(sides, here, strict=True):
                if found and found[0] != chosen:
                    side[chosen] = side.pop(found[0])

    def _follow_renames(self) -> None:
        """A file that one side moved unchanged takes the other side's edit along."""
        moves = [_renames(self.base, side) for side in (self.ours, self.theirs)]
        for old in sorted(moves[0].keys() | moves[1].keys()):
            mine, other = moves[0].get(old), moves[1].get(old)
            if mine and other:
                if mine != other:
                    place = min(mine, other)
                    self._flag(place, self.ours[mine], self.theirs[other], "rename/rename")
                continue
            new, rest = (mine, self.theirs) if mine else (other, self.ours)
            assert new is not None
            if new in rest:
                continue
            if old not in rest:
                self._flag(new, self.ours.get(new), self.theirs.get(new), "edit/delete")
            elif rest[old] != self.base[old]:
                self.base[new] = self.base.pop(old)
                rest[new] = rest.pop(old)

    def _path(
        self, path: str, base: Entry | None, ours: Entry | None, theirs: Entry | None
    ) -> None:
        if ours == theirs or theirs == base:
            kept = ours
        elif ours == base:
            kept = theirs
        elif ours is None or theirs is None:
            kept = ours or theirs
            self._flag(path, ours, theirs, "edit/delete")
        else:
            kept = self._both(path, base, ours, theirs)
        if kept is not None:
            self.files[path] = kept

    def _both(self, path: str, base: Entry | None, ours: Entry, theirs: Entry) -> Entry:
        """What stands at a path that both sides changed."""
        if not all(_is_file(entry) for entry in (ours, theirs)):
            return self._keep_both(path, ours, theirs, "edit/edit")
        if base is not None and not _is_file(base):
            base = None
        mode = _pick(base and base[0], ours[0], theirs[0])
        if mode is None:
            mode = FILE
        object_id = _pick(base and base[1], ours[1], theirs[1])
        if object_id is not None:
            return mode, object_id
        texts = [self.read(entry[1]) if entry else b"" for entry in (base, ours, theirs)]
        content = self._text(path, *texts)
        if content is None:
            return self._keep_both(path, (mode, ours[1]), (mode, theirs[1]), "unreadable")
        object_id = blob_id(content)
        if object_id not in (ours[1], theirs[1]):
            self.blobs[object_id] = content
            self.merged.append(path)
        return mode, object_id

    def _text(self, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
        """The merged text; None when the two cannot be put into one file."""
        try:
            for text in (ours, theirs):
                decode(text)
        except UnreadableText:
            return None
        if not names.is_memory(path):
            return _merge_lines(base, ours, theirs)
        done = merge(base, ours, theirs, path=path, newer=self.newer(path))
        if path == names.SETTINGS and not _is_toml(done.content):
            chosen = self.newer(path) or ("ours" if ours > theirs else "theirs")
            self.conflicts.append(Conflict(path, "", ours, theirs, "value"))
            return ours if chosen == "ours" else theirs
        self.conflicts += done.conflicts
        return done.content

    def _keep_both(self, path: str, ours: Entry, theirs: Entry, kind: ConflictKind) -> Entry:
        first, second = sorted((ours, theirs), key=lambda entry: (not _is_file(entry), entry[1]))
        self.aside.append((path, second))
        self._flag(path, ours, theirs, kind)
        return first

    def _make_room_for_folders(self) -> None:
        """Where one side has a file and the other a folder, the file steps aside."""
        folders = set()
        for path in self.files:
            while "/" in path:
                path = path.rpartition("/")[0]
                if path in folders:
                    break
                folders.add(path)
        for path in sorted(folders & self.files.keys()):
            entry = self.files.pop(path)
            self.aside.append((path, entry))
            self._flag(path, self.ours.get(path), self.theirs.get(path), "rename/rename")

    def _flag(
        self, path: str, ours: Entry | None, theirs: Entry | None, kind: ConflictKind
    ) -> None:
        texts = [self.read(side[1]) if side and _is_file(side) else b"" for side in (ours, theirs)]
        self.conflicts.append(Conflict(path, "", texts[0], texts[1], kind))


def _renames(base: Files, side: Files) -> dict[str, str]:
    """{old: new} of files that moved without any change: gone at one place, come at another, and
    no other file like them."""
    gone = _by_id((path, entry) for path, entry in base.items() if path not in side)
    come = _by_id((path, entry) for path, entry in side.items() if path not in base)
    return {
        old[0]: come[key][0]
        for key, old in gone.items()
        if len(old) == 1 and len(come.get(key, ())) == 1 and key != _EMPTY_BLOB
    }


def _by_id(entries: Iterable[tuple[str, Entry]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, entry in entries:
        if _is_file(entry):
            found.setdefault(entry[1], []).append(path)
    return found


def _pick(base: _T | None, ours: _T, theirs: _T) -> _T | None:
    """The side that changed it, None when both did."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else None


def _merge_lines(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """A file that a program reads, merged by line; None when both changed the same place, because
    two texts in one file would break it."""
    from merge3 import Merge3

    if any(b"\0" in text for text in (base, ours, theirs)):
        return None
    lines = [text.splitlines(keepends=True) for text in (base, *sorted((ours, theirs)))]
    merged: list[bytes] = []
    for region in Merge3(lines[0], lines[1], lines[2]).merge_regions():
        kind, start, end = region[0], region[1], region[2]
        if kind == "conflict":
            return None
        source = {"unchanged": 0, "same": 1, "a": 1, "b": 2}[kind]
        merged += lines[source][start:end]
    return b"".join(merged)


def _canonical(group: list[str]) -> str:
    losers = names.collisions(group)
    return next(path for path in group if path not in losers)


def _is_file(entry: Entry) -> bool:
    return entry[0] & 0o170000 == 0o100000


def _is_toml(content: bytes) -> bool:
    import tomllib

    try:
        tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return False
    return True
