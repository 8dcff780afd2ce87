"""The object database, read: loose objects, packs, alternates, and a cache of trees.

Nothing here imports dulwich. Writing is in `durable`, which makes objects last in one go.
"""

from __future__ import annotations

import os
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import sha1

from mnemofs.errors import CorruptStore
from mnemofs.store.disk.files import read_file
from mnemofs.store.git.packs import Pack, apply_delta, kind_name
from mnemofs.store.git.trees import FOLDER, Entry, Tree

_TREE_CACHE_BYTES = 8 << 20
_MAX_DELTA_DEPTH = 4096
_HINT = (
    "the next write goes back to the last whole commit, if it is the newest that are damaged;"
    " else run `git fsck` in the workspace"
)


def hash_object(kind: str, content: bytes) -> str:
    """The id of an object (40 hex)."""
    digest = sha1(b"%s %d\0" % (kind.encode(), len(content)), usedforsecurity=False)
    digest.update(content)
    return digest.hexdigest()


def blob_id(content: bytes) -> str:
    """The id of a blob with these bytes."""
    return hash_object("blob", content)


EMPTY_TREE = hash_object("tree", b"")


def lacks(object_id: str) -> CorruptStore:
    """The error for an object that should be stored and is not."""
    return CorruptStore(
        f"the repository lacks object {object_id[:12]}",
        hint=_HINT,
        revision=object_id,
    )


class Objects:
    """All objects of one repository, safe to use from threads.

    common_dir: the directory that holds `objects/`. Directories named by `objects/info/alternates`
    are read too.
    """

    def __init__(self, common_dir: str) -> None:
        self.directory = os.path.join(common_dir, "objects")
        self._directories = _with_alternates(self.directory)
        self._packs: list[Pack] | None = None
        self._trees: OrderedDict[str, Tree] = OrderedDict()
        self._cached_bytes = 0
        self._lock = threading.RLock()

    @property
    def borrows(self) -> bool:
        """Whether some of its objects are in another repository."""
        return len(self._directories) > 1

    def close(self) -> None:
        """Release the pack files; the next read opens them again."""
        with self._lock:
            for pack in self._packs or ():
                pack.close()
            self._packs = None

    def read(self, object_id: str) -> tuple[str, bytes]:
        """(kind, content). Raises CorruptStore when the object is missing or damaged."""
        found = self._loose(object_id) or self._packed(object_id) or self._loose(object_id)
        if found is None:
            raise lacks(object_id)
        return found

    def read_kind(self, object_id: str, kind: str) -> bytes:
        """The content of an object that must be a `kind`. Raises CorruptStore."""
        found, content = self.read(object_id)
        if found != kind:
            raise CorruptStore(f"object {object_id[:12]} is a {found}, not a {kind}")
        return content

    def has(self, object_id: str, *, look_again: bool = True) -> bool:
        """Whether the object is stored here.

        look_again: False does without looking for packs that came since; a wrong "no" then only
        costs a second copy.
        """
        if any(_has_bytes(_loose_path(place, object_id)) for place in self._directories):
            return True
        raw_id = bytes.fromhex(object_id)
        found = self._locate(raw_id, look_again)
        if found is not None and not os.path.exists(found[0].path):
            with self._lock:  # somebody repacked, and may have pruned it
                self._refresh_packs()
            found = self._locate(raw_id, False)
        return found is not None

    def tree(self, tree_id: str) -> Tree:
        """One tree; cached."""
        if tree_id == EMPTY_TREE:
            return Tree(raw=b"")
        with self._lock:
            known = self._trees.get(tree_id)
            if known is not None:
                self._trees.move_to_end(tree_id)
                return known
        tree = Tree.parse(self.read_kind(tree_id, "tree"))
        self.remember_tree(tree_id, tree)
        return tree

    def remember_tree(self, tree_id: str, tree: Tree) -> None:
        """Cache a tree that was just read or made."""
        with self._lock:
            if tree_id not in self._trees:
                self._trees[tree_id] = tree
                self._cached_bytes += len(tree.raw())
            while self._cached_bytes > _TREE_CACHE_BYTES and len(self._trees) > 1:
                self._cached_bytes -= len(self._trees.popitem(last=False)[1].raw())

    def entry(self, tree_id: str | None, path: str) -> Entry | None:
        """What stands at a path below a tree (as spelled there), None when nothing does."""
        if tree_id is None:
            return None
        *folders, name = path.split("/")
        for folder in folders:
            found = self.tree(tree_id).get(folder)
            if found is None or found[0] != FOLDER:
                return None
            tree_id = found[1]
        return self.tree(tree_id).get(name)

    def walk(self, tree_id: str, prefix: str = "") -> Iterator[tuple[str, int, str]]:
        """(path, mode, id) of everything below a tree except the trees themselves."""
        for name, mode, object_id in self.tree(tree_id).items():
            if mode == FOLDER:
                yield from self.walk(object_id, f"{prefix}{name}/")
            else:
                yield prefix + name, mode, object_id

    def starting_with(self, prefix: str) -> set[str]:
        """Ids (hex) that begin with `prefix` (at least two digits)."""
        found: set[str] = set()
        for place in self._directories:
            try:
                names = os.listdir(os.path.join(place, prefix[:2]))
            except (FileNotFoundError, NotADirectoryError):
                continue
            whole = (prefix[:2] + name for name in names if len(name) == 38)
            found.update(name for name in whole if name.startswith(prefix))
        low = bytes.fromhex(prefix.ljust(40, "0"))
        with self._lock:
            for pack in self._open_packs():
                found.update(pack.starting_with(low, prefix))
        return found

    def loose_count(self) -> int:
        """How many objects are stored one to a file."""
        count = 0
        for byte in range(256):
            try:
                count += len(os.listdir(os.path.join(self.directory, f"{byte:02x}")))
            except (FileNotFoundError, NotADirectoryError):
                continue
        return count

    def _loose(self, object_id: str) -> tuple[str, bytes] | None:
        for place in self._directories:
            packed = read_file(_loose_path(place, object_id))
            if not packed:  # power loss leaves empty files where nobody synced
                continue
            try:
                raw = zlib.decompress(packed)
            except zlib.error:
                raise CorruptStore(
                    f"object {object_id[:12]} is damaged",
                    hint=_HINT,
                    revision=object_id,
                ) from None
            header, _, content = raw.partition(b"\0")
            return header.split(b" ", 1)[0].decode("ascii", "replace"), content
        return None

    def _packed(self, object_id: str) -> tuple[str, bytes] | None:
        with self._lock:
            raw_id = bytes.fromhex(object_id)
            place = self._locate(raw_id)
            try:
                return self._unpack(*place) if place else None
            except FileNotFoundError:  # repacked between the look at the index and this one
                self._refresh_packs()
                place = self._locate(raw_id)
                return self._unpack(*place) if place else None

    def _locate(self, raw_id: bytes, look_again: bool = True) -> tuple[Pack, int] | None:
        with self._lock:
            for fresh in (False, True) if look_again else (False,):
                if fresh and not self._refresh_packs():
                    return None
                for pack in self._open_packs():
                    offset = pack.find(raw_id)
                    if offset is not None:
                        return pack, offset
        return None

    def _unpack(self, pack: Pack, offset: int) -> tuple[str, bytes]:
        deltas: list[bytes] = []
        for _ in range(_MAX_DELTA_DEPTH):
            base, kind, content = pack.read(offset)
            if base is None:
                for delta in reversed(deltas):
                    content = apply_delta(content, delta)
                return kind_name(kind), content
            deltas.append(content)
            if isinstance(base, int):
                offset = base
                continue
            local = pack.find(base)
            if local is not None:
                offset = local
                continue
            name, content = self.read(base.hex())
            for delta in reversed(deltas):
                content = apply_delta(content, delta)
            return name, content
        raise CorruptStore("a pack holds an endless chain of deltas", hint="run `git fsck`")

    def _open_packs(self) -> list[Pack]:
        if self._packs is None:
            self._packs = []
            self._refresh_packs()
        return self._packs

    def _refresh_packs(self) -> bool:
        """Look for packs again (somebody repacked); whether the list changed."""
        known = {pack.path: pack for pack in self._packs or ()}
        present: dict[str, Pack] = {}
        for place in self._directories:
            folder = os.path.join(place, "pack")
            try:
                names = sorted(os.listdir(folder))
            except (FileNotFoundError, NotADirectoryError):
                continue
            stems = {name[:-4] for name in names if name.endswith(".idx")}
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".pack") and name[:-5] in stems:
                    try:
                        present[path] = known.get(path) or Pack(path)
                    except FileNotFoundError:
                        continue
        changed = present.keys() != known.keys()
        for path, pack in known.items():
            if path not in present:
                pack.close()
        self._packs = list(present.values())
        return changed


def _has_bytes(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except OSError:
        return False


def _loose_path(directory: str, object_id: str) -> str:
    return f"{directory}/{object_id[:2]}/{object_id[2:]}"


def _with_alternates(directory: str) -> list[str]:
    found, queue = [directory], [directory]
    while queue:
        place = queue.pop()
        try:
            with open(os.path.join(place, "info", "alternates"), encoding="utf-8") as file:
                lines = file.read().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            continue
        for line in lines:
            if line and not line.startswith("#"):
                other = os.path.normpath(os.path.join(place, line))
                if other not in found:
                    found.append(other)
                    queue.append(other)
    return found
