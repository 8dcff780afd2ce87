"""Commits as history needs them: parsed once, walked newest first, with what each one touched.

A commit of ours says in trailers who it speaks for; any other commit is a person's. A merge
touches a path only when its result differs from all parents: what the sides did is told by their
own commits, so nothing is listed twice (the rule of `git diff-tree -c`).
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from mnemofs.errors import CorruptStore
from mnemofs.store.git.chains import ChainReader
from mnemofs.store.git.layout import shallow_commits
from mnemofs.store.git.objects import Objects
from mnemofs.store.git.treediff import TreeReader
from mnemofs.store.git.trees import FOLDER
from mnemofs.store.model import CommitInfo

_TRAILER = re.compile(r"Mnemofs-([A-Za-z]+): *(.*)")
_STAMP = re.compile(r"(.*?) ?<([^<>]*)> (-?\d+) ([+-])(\d\d)(\d\d)")
_TRUST_ORDER = ("web", "agent", "user")


@dataclass(frozen=True, slots=True)
class Touch:
    """A file that differs between a commit and its first parent.

    blob: its id afterwards, None when deleted. taken: a merge took it over from another parent,
    so the change belongs to that side and not to the merge.
    """

    path: str
    blob: str | None
    taken: bool = False


def parse_commit(commit_id: str, raw: bytes) -> CommitInfo:
    """Parse a raw commit object. Raises CorruptStore when it names no tree."""
    head, _, message = raw.partition(b"\n\n")
    headers: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        headers.setdefault(name, []).append(value)
    if b"tree" not in headers:
        raise CorruptStore(f"commit {commit_id[:12]} names no tree", revision=commit_id)
    encoding = headers.get(b"encoding", [b"utf-8"])[0].decode("ascii", "replace")
    time, _ = _stamp(_text(headers.get(b"committer", [b""])[0], encoding))
    _, author = _stamp(_text(headers.get(b"author", [b""])[0], encoding))
    text = _text(message, encoding)
    reason, body, trailers = split_message(text)
    ours = "actor" in trailers
    return CommitInfo(
        id=commit_id,
        tree=headers[b"tree"][0].decode("ascii"),
        parents=tuple(parent.decode("ascii") for parent in headers.get(b"parent", ())),
        time=time,
        author=author,
        reason=reason,
        body=body,
        actor=trailers.get("actor", "person"),
        source=trailers.get("source", ""),
        trust=trailers.get("trust", "agent" if ours else "user"),
        owner=trailers.get("owner", ""),
        conflicts=trailer_values(text, "conflict") if "conflict" in trailers else (),
    )


def split_message(message: str) -> tuple[str, str, dict[str, str]]:
    """A commit message as (first line, body, our trailers by lower-case name).

    Trailers count only in the last paragraph, so that text quoted in the body cannot pose as one.
    A trust given twice is the lower one.
    """
    paragraphs = re.split(r"\n[ \t]*\n", message.strip("\n"))
    trailers: dict[str, str] = {}
    if len(paragraphs) > 1:
        for line in paragraphs[-1].split("\n"):
            match = _TRAILER.fullmatch(line.rstrip())
            if match:
                name, value = match[1].lower(), match[2].strip()
                if name == "trust":
                    value = lowest_trust(value, trailers.get("trust", "user"))
                trailers[name] = value
    if trailers:
        paragraphs.pop()
    reason, _, rest = "\n\n".join(paragraphs).partition("\n")
    return reason.strip(), rest.strip("\n"), trailers


def trailer_values(message: str, name: str) -> tuple[str, ...]:
    """All values of one of our trailers (its lower-case name), in order, each once."""
    last = re.split(r"\n[ \t]*\n", message.strip("\n"))[-1]
    matches = (_TRAILER.fullmatch(line.rstrip()) for line in last.split("\n"))
    found = (match[2].strip() for match in matches if match and match[1].lower() == name)
    return tuple(dict.fromkeys(found))


def lowest_trust(one: str, other: str) -> str:
    """The lower of two trust values; an unknown one counts as the lowest."""
    known = [value if value in _TRUST_ORDER else "web" for value in (one, other)]
    return min(known, key=_TRUST_ORDER.index)


class Commits:
    """The commit graph of a repository, parsed on demand and remembered.

    shallow: commits whose parents were never fetched; they count as roots.
    """

    def __init__(self, objects: Objects, shallow: frozenset[str] = frozenset()) -> None:
        self.objects = objects
        self.trees = TreeReader(objects)
        self._shallow = shallow
        self._known: dict[str, CommitInfo] = {}
        self._origins: dict[tuple[str, str], tuple[str, str]] = {}

    def get(self, commit_id: str) -> CommitInfo:
        """The commit. Raises CorruptStore when it is missing or no commit."""
        commit = self._known.get(commit_id)
        if commit is None:
            commit = parse_commit(commit_id, self.objects.read_kind(commit_id, "commit"))
            self._known[commit_id] = commit
        return commit

    def parents(self, commit: CommitInfo) -> tuple[str, ...]:
        """Its parents; none at the edge of a shallow clone."""
        return () if commit.id in self._shallow else commit.parents

    def newest_first(
        self, tip: str | None, known: Callable[[str], bool] = lambda _: False
    ) -> Iterator[CommitInfo]:
        """Every commit reachable from `tip` once, newest first by time, children before parents
        as far as clocks allow. Does not enter commits that are `known`.
        """
        if tip is None or known(tip):
            return
        seen = {tip}
        order = 0
        first = self.get(tip)
        queue = [(-first.time.timestamp(), order, first)]
        while queue:
            commit = heapq.heappop(queue)[2]
            yield commit
            for parent_id in self.parents(commit):
                if parent_id not in seen and not known(parent_id):
                    seen.add(parent_id)
                    order += 1
                    parent = self.get(parent_id)
                    heapq.heappush(queue, (-parent.time.timestamp(), order, parent))

    def touches(self, commit: CommitInfo) -> list[Touch]:
        """What differs from the first parent, sorted by path."""
        parents = [self.get(parent).tree for parent in self.parents(commit)]
        first = parents[0] if parents else None
        found = []
        for path, _, after in self.trees.changed(first, commit.tree):
            taken = any(self.trees.find(tree, path) == after for tree in parents[1:])
            found.append(Touch(path, after[1] if after else None, taken))
        return found

    def touches_below(self, commit: CommitInfo, path: str) -> bool:
        """Whether the commit itself changed `path` (a file or a folder) against all its parents."""
        entry = self.trees.find(commit.tree, path)
        parents = [self.get(parent).tree for parent in self.parents(commit)]
        befores = [self.trees.find(tree, path) for tree in parents] or [None]
        if entry in befores:
            return False
        if len(befores) == 1 or not any(one and one[0] == FOLDER for one in (entry, *befores)):
            return True
        # A merged folder differs from each side as a whole: only its files can tell.
        return any(
            not touch.taken and touch.path.startswith(path + "/") for touch in self.touches(commit)
        )

    def origin(self, commit_id: str, path: str) -> tuple[str, str] | None:
        """(commit, blob) that brought the bytes `path` has in `commit_id`; None when absent there.

        Follows the first parent that has the same bytes.
        """
        commit = self.get(commit_id)
        blob = self._blob(commit, path)
        if blob is None:
            return None
        passed: list[str] = []
        while (commit.id, path) not in self._origins:
            passed.append(commit.id)
            for parent_id in self.parents(commit):
                parent = self.get(parent_id)
                if parent.tree == commit.tree or self._blob(parent, path) == blob:
                    commit = parent
                    break
            else:
                self._origins[commit.id, path] = commit.id, blob
        origin = self._origins[commit.id, path]
        self._origins.update(((one, path), origin) for one in passed)
        return origin

    def knows(self, commit_id: str) -> bool:
        """Whether there is such a commit here."""
        if commit_id in self._known:
            return True
        return self.objects.has(commit_id) and self.objects.read(commit_id)[0] == "commit"

    def _blob(self, commit: CommitInfo, path: str) -> str | None:
        entry = self.trees.file(commit.tree, path)
        return entry[1] if entry else None


def open_commits(common_dir: str) -> Commits:
    """The commit graph of a repository, by the git directory that its work trees share."""
    return Commits(ChainReader(common_dir), shallow_commits(common_dir))


def _text(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return raw.decode("utf-8", "replace")


def _stamp(line: str) -> tuple[datetime, str]:
    """The (time, name) of an author or committer line; the epoch when it makes no sense."""
    match = _STAMP.fullmatch(line)
    if match is None:
        return datetime.fromtimestamp(0, UTC), line.partition(" <")[0]
    name, _, seconds, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    try:
        zone = timezone(-offset if sign == "-" else offset)
        return datetime.fromtimestamp(int(seconds), zone), name
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC), name
