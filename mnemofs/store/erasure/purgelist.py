"""The purge list: commits that must never come back, kept in the tracked ledger.

One event of kind `purge` for each purge: the oldest commits that were made anew (every commit that
held the text descends from one of them), the tips of that time, and a salted slow hash of the text
itself, by which a clone that rejoins knows that it found the same text. Never the text.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mnemofs.store.disk.files import read_file

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

KIND: Final = "purge"
_ROUNDS: Final = 20_000
_ID: Final = re.compile(r"[0-9a-f]{40}")
_MONTH: Final = re.compile(r"\d{4}-\d\d\.jsonl")


@dataclass(frozen=True)
class Purge:
    """One purge. frontier: {old commit: the one in its place}; tips: what refs pointed at."""

    time: str
    frontier: Mapping[str, str]
    tips: tuple[str, ...]
    salt: str
    digests: tuple[str, ...]
    rounds: int = _ROUNDS

    def matching(self, text: str) -> tuple[str, ...]:
        """Its digest of a text that it purged; empty for any other text."""
        digest = _digest(text, self.salt, self.rounds)
        return (digest,) if digest in self.digests else ()

    def as_event(self) -> dict[str, Any]:
        """Its line in the ledger, without the id."""
        return {
            "kind": KIND,
            "time": self.time,
            "commits": dict(self.frontier),
            "tips": list(self.tips),
            "salt": self.salt,
            "rounds": self.rounds,
            "digests": list(self.digests),
        }


def new_purge(
    time: str, frontier: Mapping[str, str], tips: Iterable[str], texts: Sequence[str]
) -> Purge:
    """The record of a purge of these texts."""
    salt = secrets.token_hex(16)
    digests = tuple(sorted(_digest(text, salt, _ROUNDS) for text in texts))
    return Purge(time, dict(frontier), tuple(sorted(set(tips))), salt, digests)


def purged(store: Store, rev: str | None = None) -> frozenset[str]:
    """Ids of commits that no history may hold again. rev: read the list of that revision instead
    of the work tree's (a remote's, to learn that one's own history has to be left behind)."""
    found: set[str] = set()
    for one in purges(store, rev):
        found.update(one.frontier)
        found.update(one.tips)
    return frozenset(found)


def purges(store: Store, rev: str | None = None) -> tuple[Purge, ...]:
    """All purges on record, oldest first."""
    found: dict[tuple[str, str], Purge] = {}
    for data in _of_work_tree(store.root) if rev is None else _of_revision(store, rev):
        for one in parse(data):
            found[one.time, one.salt] = one
    return tuple(found[name] for name in sorted(found))


def parse(data: bytes) -> Iterator[Purge]:
    """The purges in a ledger file; lines that are none are passed over."""
    for line in data.split(b"\n"):
        if b'"purge"' not in line:
            continue
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            value = json.loads(line)
            if value["kind"] == KIND:
                frontier = {
                    str(old): str(new)
                    for old, new in value["commits"].items()
                    if _ID.fullmatch(str(old)) and _ID.fullmatch(str(new))
                }
                tips = tuple(str(tip) for tip in value["tips"] if _ID.fullmatch(str(tip)))
                yield Purge(
                    str(value["time"]),
                    frontier,
                    tips,
                    str(value["salt"]),
                    tuple(map(str, value["digests"])),
                    min(int(value["rounds"]), 10 * _ROUNDS),
                )


def _of_work_tree(root: str) -> Iterator[bytes]:
    folder = os.path.join(root, "ledger")
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        path = os.path.join(folder, name)
        if _MONTH.fullmatch(name) and not os.path.islink(path):
            yield read_file(path) or b""


def _of_revision(store: Store, rev: str) -> Iterator[bytes]:
    from mnemofs.store.git.trees import FOLDER
    from mnemofs.store.git.walk import open_commits

    commits = open_commits(store.common_dir)
    tree = commits.get(store.resolve(rev)).tree
    entry = commits.objects.entry(tree, "ledger")
    if entry is None or entry[0] != FOLDER:
        return
    for name, _, blob in commits.objects.tree(entry[1]).items():
        if _MONTH.fullmatch(name):
            yield commits.objects.read_kind(blob, "blob")


def _digest(text: str, salt: str, rounds: int) -> str:
    return hashlib.pbkdf2_hmac(
        "sha256", text.encode("utf-8", "surrogatepass"), bytes.fromhex(salt), rounds, dklen=16
    ).hex()
