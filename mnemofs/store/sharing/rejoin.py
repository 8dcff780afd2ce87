"""An old clone comes back after a purge elsewhere, with its own new work.

The purged history is fetched and laid beside the clone's own: the same commit, before and after,
shows what was taken out. That text is checked against the purge list and purged here as well.
Because a purge gives the same ids everywhere, what was common is common again afterwards, and the
clone's own commits stand on the new history: an ordinary sync does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mnemofs.errors import GuardRefused, NotFound
from mnemofs.store.erasure.needles import MARK
from mnemofs.store.erasure.purgelist import Purge, purges
from mnemofs.store.git.refmoves import all_refs
from mnemofs.store.git.trees import FOLDER
from mnemofs.store.git.walk import Commits, open_commits
from mnemofs.store.sharing.remote import Upstream, set_ref, upstream
from mnemofs.store.sharing.transport import connect

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

_MOST_MARKS: Final = 8
_MOST_PAIRS: Final = 5000
_STAMPS: Final = re.compile(rb"^(?:author|committer) .*$", re.M)


def fetch(store: Store, remote: str | None = None) -> tuple[Upstream, str]:
    """Fetch the branch this memory syncs with; where it is, and its tip. Raises NotFound (no
    remote, or nothing there) and RemoteError."""
    where = upstream(store.parts, remote)
    if where is None:
        raise NotFound(
            "this memory has no remote to rejoin",
            hint="give it one with `mnemofs remote add URL`",
        )
    link = connect(store.parts, where.remote)
    tip = link.list_branches().branches.get(where.branch)
    if tip is None:
        raise NotFound(f"{where.remote.name} has no branch {where.branch}")
    if not store.parts.objects.has(tip):
        link.fetch(where.branch, tip)
    with store.parts.write_lock:
        set_ref(store.layout, where.tracking, tip)
    return where, tip


def missed(store: Store, tip: str) -> tuple[Purge, ...]:
    """The purges on the list of `tip` that this clone's own branches have not had yet."""
    listed = [one for one in purges(store, tip) if one.frontier]
    held = _reachable(open_commits(store.common_dir), _own_tips(store, tip))
    return tuple(one for one in listed if not held.isdisjoint(one.frontier))


def what_was_purged(
    store: Store, tip: str, since: Sequence[Purge], given: Iterable[str] = ()
) -> tuple[str, ...]:
    """The texts that these purges took out. given: what a person says they were.

    Raises GuardRefused when they cannot be found by comparing the two histories.
    """
    wanted = {(one.time, digest) for one in since for digest in one.digests}
    found: dict[str, None] = {}
    left = set(wanted)

    def test(text: str) -> None:
        for one in since:
            for digest in one.matching(text):
                left.discard((one.time, digest))
                found[text] = None

    for text in given:
        test(text.strip("\r\n"))
    tried: set[str] = set()
    commits = open_commits(store.common_dir)
    for old, new in _pairs(commits, _own_tips(store, tip), tip, since):
        if not left:
            break
        for text in _differences(commits, old, new):
            if text not in tried:
                tried.add(text)
                test(text)
    if left:
        raise GuardRefused(
            "what was purged cannot be told from the two histories; nothing was changed",
            hint="say it: `mnemofs purge --rejoin --secret-from -`",
        )
    return tuple(found)


def _own_tips(store: Store, tip: str) -> list[str]:
    return [value for value in all_refs(store.layout).values() if value != tip]


def _reachable(commits: Commits, tips: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    stack = [tip for tip in tips if commits.knows(tip)]
    while stack:
        one = stack.pop()
        if one not in seen:
            seen.add(one)
            stack += commits.parents(commits.get(one))
    return seen


def _pairs(
    commits: Commits, tips: Sequence[str], tip: str, since: Sequence[Purge]
) -> Iterator[tuple[str, str]]:
    """The same commit before and after, oldest first: from the list, then by who and when."""
    ours, theirs = _reachable(commits, tips), _reachable(commits, [tip])
    below: dict[str, list[str]] = {}
    for one in theirs:
        for parent in commits.get(one).parents:
            below.setdefault(parent, []).append(one)
    children: dict[str, list[str]] = {}
    for one in ours:
        for parent in commits.get(one).parents:
            children.setdefault(parent, []).append(one)
    queue: list[tuple[str, str]] = []
    for purge in since:
        for old, new in purge.frontier.items():
            if old in ours:
                queue += [(old, new)] if new in theirs else _alike(commits, old, theirs)
    seen = set(queue)
    for old, new in queue:  # grows
        yield old, new
        if len(seen) > _MOST_PAIRS:
            return
        for child in children.get(old, ()):
            for pair in _alike(commits, child, below.get(new, ())):
                if pair not in seen:
                    seen.add(pair)
                    queue.append(pair)


def _alike(commits: Commits, old: str, candidates: Iterable[str]) -> list[tuple[str, str]]:
    """Commits by the same people at the same time as `old`."""
    stamps = _STAMPS.findall(commits.objects.read_kind(old, "commit"))[:2]
    return [
        (old, one)
        for one in candidates
        if _STAMPS.findall(commits.objects.read_kind(one, "commit"))[:2] == stamps
    ]


def _differences(commits: Commits, old: str, new: str) -> Iterator[str]:
    """Texts that stand in one commit where the other has the mark."""
    objects = commits.objects
    before = objects.read_kind(old, "commit").partition(b"\n\n")[2]
    yield from cut_out(before, objects.read_kind(new, "commit").partition(b"\n\n")[2])
    stack = [(commits.get(old).tree, commits.get(new).tree)]
    while stack:
        one, other = stack.pop()
        if one == other:
            continue
        rows = {name: (mode, object_id) for name, mode, object_id in objects.tree(one).items()}
        others = {name: (mode, object_id) for name, mode, object_id in objects.tree(other).items()}
        for name in rows.keys() - others.keys():
            for twin in others.keys() - rows.keys():
                yield from _between(name, twin)
        for name in rows.keys() & others.keys():
            (mode, mine), (_, its) = rows[name], others[name]
            if mine == its:
                continue
            if mode == FOLDER:
                stack.append((mine, its))
            else:
                yield from cut_out(objects.read_kind(mine, "blob"), objects.read_kind(its, "blob"))


def cut_out(before: bytes, after: bytes) -> Iterator[str]:
    """What stands in `before` where `after` has the mark, each text once or more."""
    mark = MARK.encode()
    if before == after or mark not in after:
        return
    old, new = before.split(b"\n"), after.split(b"\n")
    rows = zip(old, new, strict=True) if len(old) == len(new) else [(before, after)]
    for mine, its in rows:
        if mine != its and 0 < its.count(mark) <= _MOST_MARKS:
            shape = b"(.+?)".join(re.escape(piece) for piece in its.split(mark))
            match = re.fullmatch(shape, mine, re.S)
            if match:
                yield from (text.decode("utf-8", "surrogateescape") for text in match.groups())


def _between(name: str, twin: str) -> Iterator[str]:
    """A file name without its head and tail in another one."""
    head, _, tail = twin.partition("purged")
    if name.startswith(head) and name.endswith(tail) and len(name) > len(head) + len(tail):
        yield name[len(head) : len(name) - len(tail)]
