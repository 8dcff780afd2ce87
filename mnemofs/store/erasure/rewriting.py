"""History without a text: every blob, tree, commit and tag that holds it, made anew, once.

Pure with regard to the repository: it reads all objects and writes one pack; no ref moves. The
same history and the same text give the same new ids on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from mnemofs.errors import CorruptStore
from mnemofs.store.erasure.needles import Needles, free_name
from mnemofs.store.git.everyobject import Loaded
from mnemofs.store.git.objects import EMPTY_TREE
from mnemofs.store.git.packwriter import PackWriter, Written

_PIECE: Final = re.compile(rb"[0-7]+ [^\0]+\0[\s\S]{20}")
_FOLDER: Final = b"40000 "
_NAMED_ID: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_EMPTY: Final = bytes.fromhex(EMPTY_TREE)
_SIGNATURES: Final = (b"gpgsig", b"gpgsig-sha256", b"mergetag")

# A row of a tree as stored: `mode name`, a zero byte, the raw id.
Piece = bytes


@dataclass
class Rewriter:
    """Takes in objects (`take`), then rewrites from any root (`rewritten`).

    shallow: commits whose parents were never fetched. changed: {old id: new id} of what differs.
    """

    needles: Needles
    writer: PackWriter
    shallow: frozenset[str] = frozenset()
    changed: dict[str, str] = field(default_factory=dict)
    objects: int = 0
    _trees: dict[bytes, list[Piece]] = field(default_factory=dict)
    _commits: dict[str, bytes] = field(default_factory=dict)
    _tags: dict[str, bytes] = field(default_factory=dict)
    _pieces: dict[Piece, Piece] = field(default_factory=dict)
    _new_pieces: dict[Piece, Piece] = field(default_factory=dict)
    _renamed: set[Piece] = field(default_factory=set)
    _blobs: dict[bytes, bytes] = field(default_factory=dict)
    _new_trees: dict[bytes, bytes | None] = field(default_factory=dict)
    _done: dict[str, str] = field(default_factory=dict)
    _latest: dict[bytes, Written] = field(default_factory=dict)

    def take(self, loaded: Iterable[Loaded], step: Callable[[int], None] | None = None) -> None:
        """Read all objects: blobs are rewritten at once, the rest is kept until it is asked for."""
        keep = self._pieces.setdefault
        for one in loaded:
            self.objects += 1
            if step is not None and not self.objects % 1000:
                step(self.objects)
            if one.kind == "blob":
                if self.needles.found(one.content):
                    new = self.writer.add("blob", self.needles.replaced(one.content))
                    self._blobs[bytes.fromhex(one.id)] = bytes.fromhex(new.id)
                    self.changed[one.id] = new.id
            elif one.kind == "tree":
                # Most rows of a tree stand in many others: each is kept once.
                found = _PIECE.findall(one.content)
                self._trees[bytes.fromhex(one.id)] = list(map(keep, found, found))
            elif one.kind == "commit":
                self._commits[one.id] = one.content
            else:
                self._tags[one.id] = one.content

    def rewritten(self, object_id: str) -> str:
        """The id of the object that takes the place of this one; the same when nothing changes."""
        if object_id in self._commits:
            return self._commit(object_id)
        if object_id in self._tags:
            return self._tag(object_id)
        raw = bytes.fromhex(object_id)
        if raw in self._trees:
            new = self._tree(raw, b"")
            return object_id if new is None else new.hex()
        return self._blobs[raw].hex() if raw in self._blobs else object_id

    @property
    def blobs(self) -> int:
        """How many blobs hold the text."""
        return len(self._blobs)

    @property
    def commits(self) -> int:
        """How many commits got a new id."""
        return sum(old != new for old, new in self._done.items())

    def tree_of(self, commit: str) -> str:
        """The tree of a commit that was taken in."""
        return self._commits[commit][5:45].decode("ascii")

    def notes(self, object_id: str) -> str:
        """As `rewritten`, for a commit below `refs/notes`, whose files are named after commits."""
        order = self._order(object_id)
        for one in order:
            raw = self._commits[one]
            pieces = dict(self._notes_of(bytes.fromhex(raw[5:45].decode()), b""))
            moved: dict[bytes, bytes] = {}
            for name, piece in pieces.items():
                new_name = self._done.get(name.decode("ascii", "replace"), "").encode() or name
                mode, _, blob = _parted(piece)
                moved[new_name] = _piece(mode, new_name, self._blobs.get(blob, blob))
            tree: bytes | None = None
            if any(moved.get(name, b"")[-20:] != piece[-20:] for name, piece in pieces.items()):
                content = b"".join(moved[name] for name in sorted(moved))
                tree = bytes.fromhex(self.writer.add("tree", content).id)
            self._finish_commit(one, tree)
        return self._done[object_id]

    def frontier(self) -> dict[str, str]:
        """{old id: new id} of the commits that changed although none of their parents did."""
        found = {}
        for old, new in self._done.items():
            parents = _parents(self._commits[old])
            if old != new and all(self._done.get(one, one) == one for one in parents):
                found[old] = new
        return found

    def _notes_of(self, tree: bytes, prefix: bytes) -> Iterable[tuple[bytes, Piece]]:
        for piece in self._trees.get(tree, ()):
            _, name, child = _parted(piece)
            if piece.startswith(_FOLDER):
                yield from self._notes_of(child, prefix + name)
            else:
                yield prefix + name, piece

    def _commit(self, tip: str) -> str:
        for one in self._order(tip):
            self._finish_commit(one, self._tree(bytes.fromhex(self.tree_of(one)), b""))
        return self._done[tip]

    def _order(self, tip: str) -> list[str]:
        """Commits that are not done yet, parents first."""
        order: list[str] = []
        seen: set[str] = set()
        stack = [(tip, False)]
        while stack:
            one, ready = stack.pop()
            if ready:
                order.append(one)
                continue
            if one in self._done or one in seen:
                continue
            seen.add(one)
            raw = self._commits.get(one)
            if raw is None:
                raise CorruptStore(f"the repository lacks commit {one[:12]}", hint="run `git fsck`")
            stack.append((one, True))
            if one not in self.shallow:
                stack += [(parent, False) for parent in reversed(_parents(raw))]
        return order

    def _finish_commit(self, old: str, tree: bytes | None) -> None:
        raw = self._commits[old]
        head, _, text = raw.partition(b"\n\n")
        lines = head.split(b"\n")
        changed = tree is not None
        if tree is not None:
            lines[0] = b"tree " + tree.hex().encode()
        for index in range(1, len(lines)):
            if not lines[index].startswith(b"parent "):
                break
            parent = lines[index][7:].decode("ascii")
            new = self._done.get(parent, parent)
            if new != parent:
                lines[index] = b"parent " + new.encode()
                changed = True
        head = b"\n".join(lines)
        said = _without_text(head, self.needles), self.needles.replaced(text)
        if said != (head, text):
            (head, text), changed = said, True
        named = _NAMED_ID.sub(self._renumbered, text)
        if named != text:  # an undo names the commit that it takes back
            text, changed = named, True
        if not changed:
            self._done[old] = old
            return
        new = self.writer.add("commit", _unsigned(head) + b"\n\n" + text).id
        self._done[old] = self.changed[old] = new

    def _renumbered(self, match: re.Match[bytes]) -> bytes:
        named = match[0].decode("ascii")
        return self._done.get(named, named).encode()

    def _tree(self, old: bytes, path: bytes) -> bytes | None:
        """The raw id of the tree that takes the place of `old`, None when it stays."""
        known = self._new_trees.get(old, old)
        if known is None or known != old:
            return known
        pieces = self._trees.get(old)
        if pieces is None:
            if old == _EMPTY:
                return None
            raise CorruptStore(f"the repository lacks tree {old.hex()[:12]}", hint="run `git fsck`")
        # Most rows were met before, in an earlier version of the same folder.
        out: list[Piece | None] = list(map(self._new_pieces.get, pieces))
        while None in out:
            at = out.index(None)
            out[at] = self._new_pieces[pieces[at]] = self._remade(pieces[at], path)
        made = [piece for piece in out if piece is not None]
        result: bytes | None = None
        if made != pieces:
            if self._renamed and not self._renamed.isdisjoint(pieces):
                made = _distinct(made, [piece in self._renamed for piece in pieces])
            written = self.writer.add("tree", b"".join(made), self._latest.get(path))
            self._latest[path] = written
            result = bytes.fromhex(written.id)
            self.changed[old.hex()] = written.id
        self._new_trees[old] = result
        return result

    def _remade(self, piece: Piece, path: bytes) -> Piece:
        """A row with the new id of what it names, and without the text in its name."""
        mode, name, child = _parted(piece)
        if piece.startswith(_FOLDER):
            new = self._tree(child, path + name + b"/")
        else:
            new = self._blobs.get(child)
        if self.needles.in_name(name):
            self._renamed.add(piece)
            return _piece(mode, self.needles.renamed(name), new or child)
        return piece if new is None else _piece(mode, name, new)

    def _tag(self, old: str) -> str:
        raw = self._tags[old]
        head, _, text = raw.partition(b"\n\n")
        first, _, rest = head.partition(b"\n")
        target = first[7:].decode("ascii")
        new = self.rewritten(target)
        text = _NAMED_ID.sub(self._renumbered, self.needles.replaced(text))
        content = b"object " + new.encode() + b"\n" + _without_text(rest, self.needles)
        content += b"\n\n" + text
        if content == raw:
            return old
        content = content.partition(b"-----BEGIN PGP SIGNATURE-----")[0]
        self.changed[old] = self.writer.add("tag", content).id
        return self.changed[old]


def _parents(raw: bytes) -> list[str]:
    found, at = [], raw.index(b"\n") + 1
    while raw.startswith(b"parent ", at):
        found.append(raw[at + 7 : at + 47].decode("ascii"))
        at += 48
    return found


def _unsigned(head: bytes) -> bytes:
    """Headers without signatures, which no longer fit."""
    out, dropping = [], False
    for line in head.split(b"\n"):
        if line.startswith(b" "):
            if not dropping:
                out.append(line)
            continue
        dropping = line.partition(b" ")[0] in _SIGNATURES
        if not dropping:
            out.append(line)
    return b"\n".join(out)


def _parted(piece: Piece) -> tuple[bytes, bytes, bytes]:
    mode, _, rest = piece.partition(b" ")
    return mode, rest[:-21], rest[-20:]


def _piece(mode: bytes, name: bytes, child: bytes) -> Piece:
    return b"%s %s\0%s" % (mode, name, child)


def _order_key(piece: Piece) -> bytes:
    name = _parted(piece)[1]
    return name + b"/" if piece.startswith(_FOLDER) else name


def _distinct(pieces: list[Piece], renamed: list[bool]) -> list[Piece]:
    """Rows in git's order; a new name that another file has already gets a number."""
    taken = {_parted(piece)[1] for piece, new in zip(pieces, renamed, strict=True) if not new}
    out = []
    for piece, new in zip(pieces, renamed, strict=True):
        mode, name, child = _parted(piece)
        if new:
            name = free_name(name, taken)
            taken.add(name)
        out.append(_piece(mode, name, child))
    return sorted(out, key=_order_key)


def holds(needles: Needles, kind: str, content: bytes) -> bool:
    """Whether an object holds the text, apart from the ids and times in it."""
    if kind == "blob":
        return needles.found(content)
    if kind == "tree":
        return needles.in_name(content) and any(
            needles.in_name(_parted(piece)[1]) for piece in _PIECE.findall(content)
        )
    head, _, text = content.partition(b"\n\n")
    return needles.found(text) or _without_text(head, needles) != head


def _without_text(head: bytes, needles: Needles) -> bytes:
    """The header of a commit or tag without the text: ids and times stay what they are."""
    if not needles.found(head):
        return head
    lines = head.split(b"\n")
    for index, line in enumerate(lines):
        name = line.partition(b" ")[0]
        if name in (b"tree", b"parent", b"object", b"type"):
            continue
        who, angle, when = line.rpartition(b">")
        if angle and name in (b"author", b"committer", b"tagger"):
            lines[index] = needles.replaced(who) + angle + when
        else:
            lines[index] = needles.replaced(line)
    return b"\n".join(lines)
