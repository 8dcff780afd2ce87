"""The nouns of the store: what callers ask for and what they get back.

Paths are repository paths: `str`, POSIX, relative, NFC. Blob and commit ids are 40 lower-case hex
digits. File content is `bytes` and times are aware `datetime`s. `None` means absent, never "error".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from mnemofs.markdown.merge import Conflict

Actor = Literal[
    "person",
    "extractor",
    "dream",
    "consolidator",
    "soul",
    "tool",
    "api",
    "import",
    "sync",
    "forget",
]
Trust = Literal["user", "agent", "web"]
# They work on their own: what a person or a tool wrote meanwhile counts as newer.
UNATTENDED = frozenset({"extractor", "dream", "consolidator", "soul"})


@dataclass(frozen=True, slots=True)
class Edit:
    """New bytes for one path, and the bytes they were computed from.

    `base` is the blob id that the caller read (`Snapshot.blob`), `None` when the file was absent.
    `content` is the whole new file, `None` deletes it. When the file moved on since `base`, the
    pure function `replay` is applied to the present bytes if there is one (appends, upserts,
    find-replace); otherwise the two sides are merged. Nothing is ever written over an edit.
    """

    path: str
    base: str | None
    content: bytes | None
    replay: Callable[[bytes | None], bytes | None] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Edits that belong together and become one commit.

    `reason` is one line a person can read in `git log`; `body` may be longer. `source` names where
    the text came from (a conversation, a tool, a url). None of them may hold memory text.
    """

    edits: tuple[Edit, ...]
    actor: Actor
    reason: str
    source: str = ""
    trust: Trust = "agent"
    body: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Committed:
    """What a write or a fold did.

    commit     the new commit, `None` when the present bytes were already what was asked for
    paths      paths that the commit changed
    merged     those of them whose file had moved on, so that two texts were combined
    conflicts  places where both texts were kept because they contradict each other
    folded     the commit that first took in hand edits of the same paths, if there were any
    warnings   sentences for a person; nothing in them is memory text
    clean      of a fold of everything: no hand edit is left that is in no commit
    """

    commit: str | None
    paths: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    folded: str | None = None
    warnings: tuple[str, ...] = ()
    clean: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One file as it stands in the work tree. Both are `None` when there is no such file."""

    path: str
    blob: str | None
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Head:
    """Where the branch stands.

    ref        "refs/heads/main", `None` when HEAD is detached
    commit     the tip, `None` on an unborn branch
    operation  what the user is in the middle of: "merge", "rebase", "cherry-pick", "revert",
               "bisect", "detached"; `None` when memory may be committed
    """

    ref: str | None
    commit: str | None
    operation: str | None


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """One commit, read. A commit without our trailers was made by a person with git.

    `time` is the committer's, with the offset they had. `paths` is filled only by readers that
    compared trees. `conflicts` names the places (`path#heading`) where the commit kept two texts.
    """

    id: str
    tree: str
    parents: tuple[str, ...]
    time: datetime
    author: str
    actor: str
    reason: str
    body: str
    source: str
    trust: str
    owner: str
    paths: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
