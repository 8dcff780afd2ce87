"""Taking a piece of the past back: restore a file as it was, undo one commit.

Both make a new commit; nothing is ever rewound, so each can itself be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemofs.errors import EditRefused, NotFound
from mnemofs.names import is_memory
from mnemofs.store.git.treediff import TreeReader, clean_path
from mnemofs.store.git.trees import FOLDER, Entry
from mnemofs.store.git.walk import Commits, open_commits
from mnemofs.store.model import Actor, Change, CommitInfo, Edit
from mnemofs.store.past.blame import RESTORE, UNDO, brought_back
from mnemofs.store.past.linediff import align, changes, split_lines

if TYPE_CHECKING:
    from mnemofs.store.repository import Store


def restore(store: Store, path: str, rev: str | None = None) -> Edit:
    """The edit that gives a file the bytes it had in `rev`, also when it was deleted since.

    rev: None is the state before the latest commit that changed the file. Raises NotFound when
    there is no such state, and EditRefused for a folder.
    """
    name = clean_path(path)
    at = _before_last_change(store, name) if rev is None else store.resolve(rev)
    tree = open_commits(store.common_dir).get(at).tree
    entry = TreeReader(store.objects).find(tree, name)
    if entry is None:
        raise NotFound(
            f"{name} does not exist in {at[:12]}",
            hint=f"`mnemofs log {name}` lists the commits that changed it",
            path=name,
            revision=at,
        )
    if entry[0] == FOLDER:
        raise EditRefused(f"{name} is a folder", hint="restore its files", path=name)
    return _restored(store, name, entry)


def restore_change(
    store: Store, path: str, rev: str | None = None, *, actor: Actor = "person"
) -> Change:
    """The change that gives a file, or every memory file of a folder, its state in `rev`.

    rev: None is the state before the latest commit that changed the file. In a folder, files that
    did not exist then are deleted; "" is the whole store. Raises NotFound when `rev` has neither.
    """
    name = clean_path(path)
    commit_id = _before_last_change(store, name) if rev is None else store.resolve(rev)
    trees = TreeReader(store.objects)
    entry = trees.find(open_commits(store.common_dir).get(commit_id).tree, name)
    if entry is None or entry[0] != FOLDER:
        edits: tuple[Edit, ...] = (restore(store, path, commit_id),)
    else:
        prefix = f"{name}/" if name else ""
        wanted = {file: at for file, at in trees.files(entry[1], prefix) if is_memory(file)}
        present = {file for file in store.scan() if file.startswith(prefix)}
        edits = tuple(
            _restored(store, file, wanted.get(file)) for file in sorted(present | wanted.keys())
        )
    return Change(
        edits=edits,
        actor=actor,
        reason=f"restore: {name or 'everything'} as of {commit_id[:12]}",
        source=RESTORE + commit_id,
        trust="user" if actor == "person" else "agent",
    )


def undo(
    store: Store, commit: str | None = None, *, actor: Actor = "person", source: str = ""
) -> tuple[Change, str]:
    """The change that takes one commit back and leaves what came after it, and that commit's id.

    commit: a revision; None is the latest commit that still stands, so that repeated calls go
    further back. To redo, undo the undo by naming it. source: where the wish came from. Where
    later edits touched the very lines, both texts are merged when the change is committed. Raises
    EditRefused when nothing is left to undo, and for a merge or the first commit, which have no
    single state before them.
    """
    commits = open_commits(store.common_dir)
    if commit is None:
        target = _latest_standing(store, commits)
    else:
        target = commits.get(store.resolve(commit))
    parents = commits.parents(target)
    if len(parents) != 1:
        raise _refused(target, merge=len(parents) > 1, named=commit is not None)
    touched = commits.trees.changed(commits.get(parents[0]).tree, target.tree)
    ours = [row for row in touched if is_memory(row[0])]
    edits = [edit for row in ours if (edit := _inverse(store, *row)) is not None]
    if not edits:
        raise EditRefused(f"nothing of {target.id[:12]} is left to undo", revision=target.id)
    left = len(touched) - len(ours)
    change = Change(
        edits=tuple(edits),
        actor=actor,
        reason=_reason(target),
        source=f"{UNDO}{target.id} {source}".rstrip(),
        trust="user" if actor == "person" else "agent",
        body=f"Left as they are: {left} files that are no memory files." if left else "",
        owner=target.owner,
    )
    return change, target.id


def reverse(before: bytes, after: bytes, present: bytes) -> bytes | None:
    """`present`, which grew from `after`, without the change from `before` to `after`.

    Works when every line that the change added still stands together and every line next to which
    it removed some does; None when later edits touched those, so that a merge has to decide.
    """
    old, new, now = split_lines(before), split_lines(after), split_lines(present)
    place: dict[int, int] = {}
    for block in align(new, now):
        place.update((block.old + k, block.new + k) for k in range(block.size))
    result: list[bytes] = []
    cursor = 0
    for hunk in changes(old, new):
        start = _stands_at(place, hunk.new_start, hunk.new_end, len(new), len(now))
        if start is None or start < cursor:
            return None
        result += now[cursor:start] + old[hunk.old_start : hunk.old_end]
        cursor = start + hunk.new_end - hunk.new_start
    return b"".join(result + now[cursor:])


def _stands_at(place: dict[int, int], start: int, end: int, size: int, size_now: int) -> int | None:
    """Where the lines start..end of the changed text stand now; None when they were touched."""
    if start < end:
        at = place.get(start)
        if at is None or any(place.get(k) != at + k - start for k in range(start, end)):
            return None
        return at
    if start == 0:
        before: int | None = 0
    else:
        above = place.get(start - 1)
        before = None if above is None else above + 1
    below = size_now if start == size else place.get(start)
    # Lines were removed here: they go back below their old neighbour, or above the next one.
    return below if before is None else before


def _latest_standing(store: Store, commits: Commits) -> CommitInfo:
    """The newest commit on our line of history that no undo has taken back."""
    taken_back: set[str] = set()
    tip = store.head().commit
    while tip is not None:
        commit = commits.get(tip)
        parents = commits.parents(commit)
        if commit.id in taken_back:
            pass  # an undo that was undone takes nothing back any more
        elif commit.source.startswith(UNDO):
            taken_back.add(brought_back(commit.source, UNDO))
        elif parents:
            return commit
        tip = parents[0] if parents else None
    raise EditRefused("there is nothing left to undo")


def _reason(target: CommitInfo) -> str:
    """`undo: what`; the inverse of an undo reads `redo: what`, and so on."""
    verb, colon, what = target.reason.partition(": ")
    if target.source.startswith(UNDO) and colon and verb in ("undo", "redo"):
        return f"{'redo' if verb == 'undo' else 'undo'}: {what}"
    return f"undo: {target.reason}"


def _refused(commit: CommitInfo, *, merge: bool, named: bool) -> EditRefused:
    if merge:
        what, hint = "is a merge of two histories", "undo the single commits that it brought in"
    else:
        what, hint = "is the first commit", "delete the files that you do not want"
    which = f"{commit.id[:12]} ({commit.reason})"
    if not named:
        which, hint = f"the latest commit, {which},", "name an earlier one: `mnemofs undo COMMIT`"
    return EditRefused(f"{which} {what} and cannot be undone", hint=hint, revision=commit.id)


def _inverse(store: Store, path: str, before: Entry | None, after: Entry | None) -> Edit | None:
    """The edit that takes one file's change back; None when it is back already."""
    present = store.read(path)
    old = _bytes(store, before)
    new = _bytes(store, after)
    if present.content == old:
        return None
    if present.content == new:
        return Edit(path, present.blob, old)
    if new is not None and present.content is not None:
        reversed_ = reverse(_title(new) if old is None else old, new, present.content)
        if reversed_ is not None:
            if reversed_ == present.content:
                return None
            return Edit(path, present.blob, reversed_)
    return Edit(path, after[1] if after else None, old)


def _title(note: bytes) -> bytes:
    """What stays of a note whose creation is undone after others wrote into it: its first title."""
    lines = split_lines(note)
    if not lines or not lines[0].startswith(b"# "):
        return b""
    blank = next((k for k, line in enumerate(lines) if k and line.strip()), len(lines))
    return b"".join(lines[:blank])


def _restored(store: Store, path: str, entry: Entry | None) -> Edit:
    return Edit(path, store.read(path).blob, _bytes(store, entry))


def _bytes(store: Store, entry: Entry | None) -> bytes | None:
    return store.objects.read_kind(entry[1], "blob") if entry else None


def _before_last_change(store: Store, name: str) -> str:
    """The commit before the latest one that changed a file."""
    commits = open_commits(store.common_dir)
    for commit in commits.newest_first(store.head().commit):
        if commits.touches_below(commit, name):
            parents = commits.parents(commit)
            if not parents:
                break
            return parents[0]
    raise NotFound(f"there is no earlier version of {name}", path=name)
