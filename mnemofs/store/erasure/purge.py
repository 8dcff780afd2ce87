"""Erasing a text from a repository and its history, and proving it (git-lab §7).

Under the write lock: the work tree is cleaned first; history is made anew beside the old one, in
one pack; every ref moves, each only if it still is what was read; git's index, reflogs and notes
of earlier states follow; then everything nobody refers to is pruned, and every object and file is
searched once more. Whatever dies on the way leaves the old history or the new one under each ref,
and the purge can simply be run again.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from mnemofs.errors import GuardRefused, OperationInProgress, StoreError
from mnemofs.store.commit.publish import Publisher
from mnemofs.store.commit.recovery import Recovery
from mnemofs.store.commit.writing import operation_words
from mnemofs.store.disk.files import read_file, unlink_quietly
from mnemofs.store.disk.locks import GitLock
from mnemofs.store.erasure import purgefiles
from mnemofs.store.erasure.needles import Needles
from mnemofs.store.erasure.purgelist import Purge, new_purge, parse
from mnemofs.store.erasure.rewriting import Rewriter, holds
from mnemofs.store.git.everyobject import every_object
from mnemofs.store.git.index import NO_STAT, GitIndex
from mnemofs.store.git.layout import Layout, program, shallow_commits
from mnemofs.store.git.packwriter import PackWriter
from mnemofs.store.git.refmoves import all_refs, forget_packed, move_refs
from mnemofs.store.git.refs import read_head

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

Progress = Callable[[str, int], None]
_ATTEMPTS: Final = 5
# A gc that outlived the purge which started it takes packs away under ours; it ends soon.
_GC_PAUSES: Final = (0.5, 2.0)
_STASH: Final = "refs/stash"
_LOG_LINE: Final = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) (.*)")

_SUBMODULES: Final = "has submodules", "remove them first with `git rm`, and delete {}"
# Places in the git directory (with an empty part in front: in the work tree), and what to do.
_OUT_OF_REACH: Final = (
    (("worktrees",), "has linked work trees", "remove them first with `git worktree remove`"),
    (("modules",), *_SUBMODULES),
    (("", ".gitmodules"), *_SUBMODULES),
    (
        ("objects", "info", "alternates"),
        "borrows objects from another repository",
        "make it whole first: `git repack -a -d`, then delete {}",
    ),
)


@dataclass(frozen=True)
class Purged:
    """What a purge did.

    objects: how many were looked at; holding: how many of them held the text (or an old tree or
    commit that did); commits: how many got a new id; files, renamed: of the work tree; refs: how
    many moved. hits: where it still stands afterwards ({place: kind}, empty when it is gone).
    record: for the purge list, None when no commit changed.
    """

    objects: int
    blobs: int
    commits: int
    files: int
    renamed: int
    refs: int
    hits: dict[str, str] = field(default_factory=dict)
    record: Purge | None = None
    dry_run: bool = False


def purge(
    store: Store, texts: Sequence[str], *, dry_run: bool = False, progress: Progress | None = None
) -> Purged:
    """Erase texts from every commit, ref and file of the store.

    dry_run: look only. progress(step, count) is told what is going on.
    Raises UsageError for a text too short to be told from others; GuardRefused for linked work
    trees, submodules, borrowed objects and replaced commits; OperationInProgress; Busy.
    """
    return _Purge(store, Needles(texts), progress or (lambda _step, _count: None)).run(dry_run)


def summed(passes: Sequence[Purged]) -> Purged:
    """Several purges in a row as one: what the last one found is what is left."""
    last = passes[-1]
    return replace(
        last,
        blobs=sum(one.blobs for one in passes),
        commits=max(one.commits for one in passes),
        files=sum(one.files for one in passes),
        renamed=sum(one.renamed for one in passes),
        refs=max(one.refs for one in passes),
        hits={place: kind for one in passes for place, kind in one.hits.items()},
    )


def pending(store: Store) -> Purge | None:
    """The record of a purge that moved refs and was interrupted before it was put on the list."""
    data = read_file(_note(store.layout))
    return next(iter(parse(data)), None) if data else None


def recorded(store: Store) -> None:
    """The purge list holds the record: the note of it is not needed any more."""
    unlink_quietly(_note(store.layout))


class _Purge:
    def __init__(self, store: Store, needles: Needles, progress: Progress) -> None:
        self._store = store
        self._parts = store.parts
        self._layout = store.layout
        self._needles = needles
        self._progress = progress

    def run(self, dry_run: bool) -> Purged:
        self._guard()
        if dry_run:
            return self._look()
        with self._parts.write_lock:
            Recovery(self._parts, Publisher(self._parts)).run()
            self._parts.lingering.clear()
            head = read_head(self._layout)
            if head.operation is not None:
                raise OperationInProgress(
                    f"{operation_words(head.operation)} in {self._layout.root}; "
                    "nothing was changed",
                    hint="finish or abort it with git first",
                )
            cleaned = purgefiles.clean_work_tree(self._layout, self._needles, self._tracked())
            for _ in range(_ATTEMPTS):
                done = self._rewrite(cleaned)
                if done is not None:
                    break
            else:
                raise StoreError(
                    "branches keep moving; the purge is not finished", hint="run it again"
                )
            self._progress("pruning", 0)
            self._prune()
        self._progress("verifying", 0)
        return self._verified(done, cleaned)

    def _guard(self) -> None:
        layout = self._layout
        for parts, what, hint in _OUT_OF_REACH:
            place = os.path.join(layout.common_dir if parts[0] else layout.root, *parts)
            if os.path.isfile(place) or (os.path.isdir(place) and os.listdir(place)):
                raise GuardRefused(
                    f"{layout.root} {what}, which a purge cannot reach; nothing was changed",
                    hint=hint.format(place),
                )
        if layout.git_dir != layout.common_dir:
            raise GuardRefused(
                f"{layout.root} is a linked work tree; nothing was changed",
                hint="run the purge in the main work tree",
            )
        refs = all_refs(layout)
        if any(self._needles.in_name(os.fsencode(name)) for name in refs):
            raise GuardRefused(
                "the name of a branch or tag holds the text; nothing was changed",
                hint="rename it with git first",
            )
        if any(name.startswith("refs/replace/") for name in refs):
            raise GuardRefused(
                f"{layout.root} has replaced commits (refs/replace); nothing was changed",
                hint="delete them with `git replace -d`",
            )

    def _look(self) -> Purged:
        holding = blobs = total = 0
        for one in every_object(self._layout):
            total += 1
            if holds(self._needles, one.kind, one.content):
                holding += 1
                blobs += one.kind == "blob"
        hits = purgefiles.search(self._layout, self._needles)
        files = sum(kind == "work tree" for kind in hits.values())
        if holding:
            hits[f"{holding} objects of history"] = "object"
        return Purged(total, blobs, 0, files, 0, 0, hits, dry_run=True)

    def _rewrite(self, cleaned: purgefiles.Cleaned) -> Purged | None:
        """New history under every ref; None when somebody moved one meanwhile."""
        layout = self._layout
        refs = all_refs(layout)
        writer = PackWriter(os.path.join(layout.common_dir, "objects"), self._parts.temp_dir)
        rewriter = Rewriter(self._needles, writer, shallow_commits(layout.common_dir))
        try:
            rewriter.take(every_object(layout), lambda count: self._progress("reading", count))
            self._progress("rewriting", len(refs))
            stash = self._stash_log(rewriter)
            moves: dict[str, tuple[str, str | None]] = {}
            for name in sorted(refs, key=lambda name: name.startswith("refs/notes/")):
                old = refs[name]
                remade = rewriter.notes if name.startswith("refs/notes/") else rewriter.rewritten
                new = remade(old)
                if name.startswith("refs/original/"):
                    moves[name] = old, None
                elif new != old:
                    moves[name] = old, new
            writer.finish()
        except BaseException:
            writer.discard()
            raise
        self._parts.objects.close()
        frontier = rewriter.frontier()
        record = None
        if frontier:
            record = self._noted(frontier, [old for old, _ in moves.values()])
        self._shallow_again(rewriter)
        with self._index_lock():
            overtaken = move_refs(layout, moves)
            if overtaken or all_refs(layout).keys() - refs.keys():
                return None
            forget_packed(layout, set(moves))
            self._index(rewriter)
            purgefiles.rest_of_git(layout, self._needles, stash)
        self._parts.forget()
        return Purged(
            rewriter.objects,
            rewriter.blobs,
            rewriter.commits,
            cleaned.changed,
            cleaned.renamed,
            len(moves),
            record=record,
        )

    def _noted(self, frontier: dict[str, str], tips: Sequence[str]) -> Purge:
        """The record of this purge, on disk before any ref moves; one interrupted purge joins."""
        before = pending(self._store)
        if before is not None:
            frontier = {**before.frontier, **frontier}
            tips = [*before.tips, *tips]
        time = self._parts.clock.now().isoformat(timespec="seconds")
        record = new_purge(time, frontier, tips, self._needles.texts)
        path = _note(self._layout)
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(json.dumps(record.as_event()) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)
        return record

    def _tracked(self) -> set[str]:
        data = read_file(self._layout.index)
        try:
            return set(GitIndex(data).entries()) if data else set()
        except Exception:  # an index that only git reads: then only text files are changed
            return set()

    def _shallow_again(self, rewriter: Rewriter) -> None:
        edges = shallow_commits(self._layout.common_dir)
        if edges & rewriter.changed.keys():
            both = sorted(edges | {rewriter.changed.get(edge, edge) for edge in edges})
            path = self._layout.shallow
            with open(path + ".lock", "x", encoding="ascii") as file:
                file.write("".join(f"{edge}\n" for edge in both))
            os.replace(path + ".lock", path)

    def _stash_log(self, rewriter: Rewriter) -> dict[str, bytes]:
        """The stash is a reflog: rewritten line by line, so that nothing stashed is lost."""
        data = read_file(os.path.join(self._layout.common_dir, "logs", _STASH))
        if not data:
            return {}
        lines = []
        last = b"0" * 40
        for line in data.splitlines():
            match = _LOG_LINE.fullmatch(line)
            if match:
                new = rewriter.rewritten(match[2].decode("ascii")).encode("ascii")
                lines.append(last + b" " + new + b" " + self._needles.replaced(match[3]) + b"\n")
                last = new
        return {_STASH: b"".join(lines)}

    def _index(self, rewriter: Rewriter) -> None:
        head = read_head(self._layout)
        fresh = b""
        if head.commit is not None:
            tree = self._parts.tree_of(head.commit)
            assert tree is not None
            rows = {
                path: ((mode, blob), NO_STAT) for path, mode, blob in self._parts.objects.walk(tree)
            }
            fresh = GitIndex(None).changed(rows).data
        purgefiles.clean_index(self._layout, rewriter.changed, self._needles, fresh)

    def _index_lock(self) -> _Held:
        private = os.path.join(self._layout.state_dir, "index.private")
        return _Held(GitLock(self._layout.index, private))

    def _prune(self) -> None:
        """Delete every object that nothing refers to."""
        layout = self._layout
        folder = os.path.join(layout.common_dir, "objects", "pack")
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if name.startswith("multi-pack-index") or name.endswith((".keep", ".bitmap")):
                unlink_quietly(os.path.join(folder, name))
        git = program("git")
        self._parts.objects.close()
        if git is None:
            self._repack()
        else:
            _git_gc(layout, git)
        self._parts.objects.close()

    def _repack(self) -> None:
        """Without git: one pack of everything that is referred to, then all others go."""
        from mnemofs.store.git.reachable import reachable

        layout = self._layout
        writer = PackWriter(os.path.join(layout.common_dir, "objects"), self._parts.temp_dir)
        try:
            for object_id in reachable(layout, self._parts.objects):
                writer.add(*self._parts.objects.read(object_id))
            kept = writer.finish()
        except BaseException:
            writer.discard()
            raise
        self._parts.objects.close()
        objects = os.path.join(layout.common_dir, "objects")
        stem = os.path.basename(kept).removesuffix(".pack") if kept else ""
        for folder in os.listdir(objects):
            inner = os.path.join(objects, folder)
            if folder == "pack" or len(folder) == 2:
                for name in os.listdir(inner):
                    if not stem or not name.startswith(stem):
                        unlink_quietly(os.path.join(inner, name))

    def _verified(self, done: Purged, cleaned: purgefiles.Cleaned) -> Purged:
        hits = dict(purgefiles.search(self._layout, self._needles))
        for path, why in cleaned.left.items():
            if path in hits:
                hits[path] = why
        for one in every_object(self._layout):
            if holds(self._needles, one.kind, one.content):
                hits[f"object {one.id}"] = "object"
        return replace(done, hits=hits)


class _Held:
    """`index.lock` for a while."""

    def __init__(self, lock: GitLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        os.close(self._lock.prepare())
        self._lock.take()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


def _note(layout: Layout) -> str:
    return os.path.join(layout.state_dir, "purging")


def _git_gc(layout: Layout, git: str) -> None:
    from mnemofs.store.git.gc import FAILURES, git_gc

    settings = {
        "gc.pruneExpire": "now",
        "gc.reflogExpire": "never",
        "gc.reflogExpireUnreachable": "never",
        "gc.cruftPacks": "false",
        "gc.writeCommitGraph": "false",
    }
    for pause in (*_GC_PAUSES, None):
        try:
            git_gc(layout, git, settings, "--prune=now", "--force")
            return
        except FAILURES as error:
            if pause is None:
                raise StoreError(
                    f"history is rewritten, but git gc failed in {layout.root}: old objects are "
                    "there yet",
                    hint="run `git gc --prune=now` there, then the purge again to verify",
                ) from error
            time.sleep(pause)
