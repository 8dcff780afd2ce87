"""Conflicts that merges recorded, read back from history: both texts, who wrote them, and when.

A merge of two histories is planned again from its parents, an edit over newer text from the side
that was kept (`store.kept`); the trailers of the commit say which contradictions count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemofs.errors import CorruptStore
from mnemofs.lifecycle.reviewing.disputes import Dispute, Side
from mnemofs.store.commit import kept
from mnemofs.store.git.ancestry import divergence, merge_bases
from mnemofs.store.git.messages import conflict_place
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.treediff import TreeReader
from mnemofs.store.git.walk import Commits, trailer_values
from mnemofs.store.model import UNATTENDED
from mnemofs.store.sharing.treemerge import beside, plan_merge

if TYPE_CHECKING:
    from mnemofs.markdown.merge import Conflict
    from mnemofs.store.git.trees import Entry
    from mnemofs.store.model import CommitInfo
    from mnemofs.store.repository import Store


def disputes_of(store: Store, commits: Commits, commit: CommitInfo) -> tuple[Dispute, ...]:
    """The contradictions that a commit recorded, as far as both texts are still to be had."""
    several = len(commits.parents(commit)) > 1
    try:
        found = list((_joined if several else _overtaken)(store, commits, commit))
    except CorruptStore:  # a shallow clone, or a text that was purged
        return ()
    return tuple(replace(one, among=len({each.id for each in found})) for one in found)


def _joined(store: Store, commits: Commits, commit: CommitInfo) -> Iterable[Dispute]:
    """Of a merge of two histories."""
    ours, theirs = (commits.get(one) for one in commits.parents(commit)[:2])
    bases = merge_bases(commits, (ours.id,), (theirs.id,))
    base = commits.get(bases[0]).tree if bases else None
    changed = [
        {path: (before, after) for path, before, after in commits.trees.changed(base, side.tree)}
        for side in (ours, theirs)
    ]
    named = {place.partition("#")[0] for place in commit.conflicts}
    files: list[dict[str, Entry]] = [{}, {}, {}]
    for path in changed[0].keys() | changed[1].keys():
        before = (changed[0].get(path) or changed[1][path])[0]
        sides = [side[path][1] if path in side else before for side in changed]
        # Texts that merged well need no second merge; files that came, went or moved cost nothing.
        if path in named or path.partition("#")[0] in named or None in (before, *sides):
            for where, entry in zip(files, (before, *sides), strict=True):
                if entry is not None:
                    where[path] = entry
    plan = plan_merge(files[0], files[1], files[2], store.blob)
    alone = divergence(commits, ours.id, theirs.id)
    for conflict in plan.conflicts:
        if conflict_place(conflict) not in commit.conflicts:
            continue
        last = [_last(commits, side, conflict.path) for side in (alone.ours, alone.theirs)]
        stamps = [one.time.timestamp() if one else 0.0 for one in last]
        yield _dispute(
            store,
            commits.trees,
            commit,
            conflict,
            "ours" if stamps[0] > stamps[1] else "theirs",
            (_speaker(last[0] or ours), _speaker(last[1] or theirs)),
            whole=_are_files(conflict, files[1], files[2]),
        )


def _overtaken(store: Store, commits: Commits, commit: CommitInfo) -> Iterable[Dispute]:
    """Of one edit that met newer text."""
    from mnemofs.markdown.merge import Conflict, merge

    parents = commits.parents(commit)
    before = commits.get(parents[0]) if parents else None
    raw = commits.objects.read_kind(commit.id, "commit").partition(b"\n\n")[2]
    sides = trailer_values(raw.decode("utf-8", "replace"), "kept")
    newer: Side = "theirs" if commit.actor in UNATTENDED else "ours"
    for path in _paths(commit, commits.trees, before):
        entry = commits.trees.file(before.tree, path) if before else None
        theirs = store.blob(entry[1]) if entry else None
        side = kept.read(store.objects, store.layout, sides[0], path) if sides else None
        found: tuple[Conflict, ...] = ()
        if side is None:
            continue  # forgotten, or never sent here
        ours = side.ours
        if ours is not None and theirs is not None:
            found = merge(side.base or b"", ours, theirs, path=path, newer=newer).conflicts
        else:
            found = (Conflict(path, "", ours or b"", theirs or b"", "edit/delete"),)
        whole = {ours or b"", theirs or b""}
        last = _last_before(commits, before, path)
        for conflict in found:
            if conflict_place(conflict) in commit.conflicts:
                yield _dispute(
                    store,
                    commits.trees,
                    commit,
                    conflict,
                    newer,
                    (_speaker(commit), _speaker(last) if last else ""),
                    whole={conflict.ours, conflict.theirs} == whole,
                )


def _dispute(
    store: Store,
    trees: TreeReader,
    commit: CommitInfo,
    conflict: Conflict,
    newer: Side,
    actors: tuple[str, str],
    *,
    whole: bool,
) -> Dispute:
    entry = trees.file(commit.tree, conflict.path)
    aside = ""
    if whole and conflict.ours and conflict.theirs:
        names = (beside(conflict.path, blob_id(one)) for one in (conflict.ours, conflict.theirs))
        aside = next((name for name in names if trees.file(commit.tree, name)), "")
    return Dispute(
        commit=commit.id,
        time=commit.time,
        path=conflict.path,
        heading=conflict.heading,
        kind=conflict.kind,
        ours=conflict.ours,
        theirs=conflict.theirs,
        merged=store.blob(entry[1]) if entry else None,
        newer=newer,
        whole=whole,
        aside=aside,
        actors=actors,
    )


def _are_files(conflict: Conflict, ours: dict[str, Entry], theirs: dict[str, Entry]) -> bool:
    if conflict.heading:
        return False
    entries = [side.get(conflict.path) for side in (ours, theirs)]
    ids = [entry[1] if entry else None for entry in entries]
    return ids == [blob_id(text) if text else None for text in (conflict.ours, conflict.theirs)]


def _paths(commit: CommitInfo, trees: TreeReader, before: CommitInfo | None) -> list[str]:
    """The files that the trailers name; a name may itself hold the sign that ends it."""
    found: dict[str, None] = {}
    for place in commit.conflicts:
        parts = place.split("#")
        for end in range(len(parts), 0, -1):
            path = "#".join(parts[:end])
            if any(one and trees.file(one.tree, path) for one in (commit, before)):
                found[path] = None
                break
    return list(found)


def _last(commits: Commits, side: Iterable[str], path: str) -> CommitInfo | None:
    """The newest of some commits, newest first, that changed a file."""
    infos = (commits.get(one) for one in side)
    return next((info for info in infos if commits.touches_below(info, path)), None)


def _last_before(commits: Commits, tip: CommitInfo | None, path: str) -> CommitInfo | None:
    origin = commits.origin(tip.id, path) if tip else None
    return commits.get(origin[0]) if origin else None


def _speaker(commit: CommitInfo) -> str:
    return f"{commit.actor} {commit.source}".strip()
