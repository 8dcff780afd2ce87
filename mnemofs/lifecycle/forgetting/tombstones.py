"""Tombstones: what was forgotten, as hashes, so that it does not come back by itself (OWN-07).

The tracked ledger holds one event for each forgotten statement: a salted, deliberately slow hash
of its words, which every clone can check and nobody can read. This machine also keeps a keyed hash
(HMAC, the key never leaves `.mnemofs`), which is fast; a statement that was forgotten elsewhere is
known here by the slow hash, and what was found clean is remembered as keyed hashes.

A statement may stand again once a person says it again: that lifts the tombstone by another event.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from mnemofs.lifecycle import statefile
from mnemofs.lifecycle.forgetting.matching import Run
from mnemofs.lifecycle.forgetting.passages import Passage, passage_of_text
from mnemofs.lifecycle.forgetting.statements import key, telling
from mnemofs.lifecycle.ledger import event, events, ledger_files, ledger_state
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.disk.files import read_file
from mnemofs.systems import NEW

KIND: Final = "tombstone"
LIFTED: Final = "tombstone-lifted"
_ROUNDS: Final = 2048
_FOLDER: Final = "forget"
_DIGEST: Final = 16
# A statement may be a few sentences long; more are only looked at as the whole passage.
_MOST_SENTENCES: Final = 4
_MOST_KEPT: Final = 200_000


@dataclass(frozen=True)
class Tombstone:
    """One forgotten statement. salt, rounds, digest: PBKDF2-SHA256 of its words.

    words: 0 when only the very statement is barred; otherwise everything that contains this run of
    so many words.
    """

    id: str
    time: str
    salt: str
    rounds: int
    digest: str
    words: int = 0


def read_tombstones(ledgers: Iterable[bytes]) -> tuple[Tombstone, ...]:
    """The tombstones that stand according to the ledger files, oldest first."""
    found: dict[str, Tombstone] = {}
    lifted: set[str] = set()
    for data in ledgers:
        if b"tombstone" not in data:
            continue
        for happened in events(data, KIND):
            with contextlib.suppress(KeyError, TypeError, ValueError):
                one = Tombstone(
                    str(happened["id"]),
                    str(happened["time"]),
                    str(happened["salt"]),
                    int(happened["rounds"]),
                    str(happened["digest"]),
                    int(happened.get("words", 0)),
                )
                if 0 < one.rounds <= 1_000_000 and bytes.fromhex(one.salt):
                    found[one.id] = one
        lifted.update(str(happened.get("tombstone")) for happened in events(data, LIFTED))
    standing = (one for one in found.values() if one.id not in lifted)
    return tuple(sorted(standing, key=lambda one: (one.time, one.id)))


class Tombstones:
    """The tombstones of one store, ready to be asked. A `Matcher`, and the gates' `Forgotten`."""

    def __init__(self, root: str, standing: Sequence[Tombstone]) -> None:
        self._folder = os.path.join(root, SIDECAR_DIR, _FOLDER)
        self.standing = tuple(standing)
        self._by_id = {one.id: one for one in standing}
        self._key = read_file(os.path.join(self._folder, "key")) or b""
        local = {name: digest for name, digest in self._load().items() if name in self._by_id}
        self._local: dict[bytes, str] = {bytes.fromhex(h): name for name, h in local.items()}
        self._foreign = [one for one in standing if one.id not in local]
        self._sizes = sorted({one.words for one in standing if one.words})
        self._groups: dict[tuple[str, int], dict[str, str]] = {}
        for one in self._foreign:
            self._groups.setdefault((one.salt, one.rounds), {})[one.digest] = one.id
        self._clean: set[bytes] | None = None
        self._learned: list[bytes] = []

    @classmethod
    def load(cls, root: str) -> Tombstones:
        """Those of the store whose work tree is `root`."""
        return cls(root, read_tombstones(data for _, data in ledger_files(root)))

    def __bool__(self) -> bool:
        return bool(self.standing)

    def __call__(self, line: str) -> bool:
        """Whether a line says something that was forgotten (the gates' `Forgotten`)."""
        return bool(self.runs(passage_of_text(line)))

    def runs(self, passage: Passage) -> Sequence[Run]:
        """See `forgetting.Matcher`. Runs that are not exact contain what is barred anywhere."""
        if not self.standing or not passage.words:
            return []
        found = []
        for first, last in _spans(passage):
            if self._find(key(passage.tokens[first:last])) is not None:
                found.append(Run(first, last, exact=True))
        for size in self._sizes:
            for first in range(len(passage.words) - size + 1):
                hit = self._find(key(passage.tokens[first : first + size]))
                if hit is not None and self._by_id[hit].words == size:
                    found.append(Run(first, first + size, exact=False))
        return found

    def hit_by(self, text: str) -> tuple[Tombstone, ...]:
        """The tombstones that bar some part of a text."""
        hits: dict[str, None] = {}
        for line in text.splitlines():
            passage = passage_of_text(line)
            for run in self.runs(passage):
                hit = self._find(key(passage.tokens[run.first : run.last]))
                if hit is not None:
                    hits[hit] = None
        return tuple(self._by_id[one] for one in hits)

    def bury(
        self, statements: Iterable[str], at: datetime, *, words: Mapping[str, int] | None = None
    ) -> list[dict[str, Any]]:
        """Events for the ledger that bar these statements (keys of `statements.key`); those that
        are barred already get none. words: how many words a run has that bars all around it."""
        salt = self.standing[-1].salt if self.standing else secrets.token_hex(16)
        made = []
        local = {name: h.hex() for h, name in self._local.items()}
        for statement in sorted(set(statements)):
            size = (words or {}).get(statement, 0)
            standing = self._find(statement)
            if standing is not None and self._by_id[standing].words == size:
                continue
            details: dict[str, Any] = {
                "salt": salt,
                "rounds": _ROUNDS,
                "digest": _slow(statement, salt, _ROUNDS),
            }
            if size:
                details["words"] = size
            happened = event(KIND, at, details)
            local[str(happened["id"])] = self._fast(statement).hex()
            made.append(happened)
        if made:
            self._save(local)
        return made

    def close(self) -> None:
        """Remember what was found clean, so that the next look is fast."""
        if not self._learned:
            return
        os.makedirs(self._folder, exist_ok=True)
        with open(self._clean_file(), "ab") as file:
            file.write(b"".join(self._learned))
        self._learned = []

    def _find(self, statement: str) -> str | None:
        fast = self._fast(statement)
        if (known := self._local.get(fast)) is not None:
            return known
        if not self._groups:
            return None
        if self._clean is None:
            self._clean = self._load_clean()
        short = fast[:_DIGEST]
        if short in self._clean:
            return None
        for (salt, rounds), digests in self._groups.items():
            hit = digests.get(_slow(statement, salt, rounds))
            if hit is not None:
                self._local[fast] = hit
                return hit
        self._clean.add(short)
        self._learned.append(short)
        return None

    def _fast(self, statement: str) -> bytes:
        if not self._key:
            self._key = secrets.token_bytes(32)
            os.makedirs(self._folder, exist_ok=True)
            place = os.path.join(self._folder, "key")
            try:
                descriptor = os.open(place, NEW, 0o600)
            except FileExistsError:
                self._key = read_file(place) or self._key
            else:
                with open(descriptor, "wb") as file:
                    file.write(self._key)
        return hmac.digest(self._key, statement.encode("utf-8", "surrogatepass"), "sha256")

    def _load(self) -> dict[str, str]:
        if not self._key:
            return {}
        return {
            name: digest
            for name, digest in statefile.load_table(self._local_file()).items()
            if isinstance(digest, str) and len(digest) == 64
        }

    def _save(self, local: Mapping[str, str]) -> None:
        statefile.save(self._local_file(), {**self._load(), **local})

    def _local_file(self) -> str:
        return os.path.join(self._folder, "local.json")

    def _clean_file(self) -> str:
        which = hashlib.sha256("".join(sorted(one.id for one in self._foreign)).encode())
        return os.path.join(self._folder, f"clean-{which.hexdigest()[:16]}")

    def _load_clean(self) -> set[bytes]:
        mine = self._clean_file()
        with contextlib.suppress(OSError):
            for name in os.listdir(self._folder):
                if name.startswith("clean-") and name != os.path.basename(mine):
                    os.unlink(os.path.join(self._folder, name))
        data = read_file(mine) or b""
        found = {data[at : at + _DIGEST] for at in range(0, len(data), _DIGEST)}
        return found if len(found) < _MOST_KEPT else set()


class LiveTombstones(Tombstones):
    """Those of a store while an engine thinks: what is forgotten meanwhile is barred at once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._seen: object = None
        self._renew()
        self._first = frozenset(self._by_id)

    @property
    def grown(self) -> bool:
        """Whether something was forgotten since this began."""
        self._renew()
        return not self._first.issuperset(self._by_id)

    def __bool__(self) -> bool:
        self._renew()
        return super().__bool__()

    def runs(self, passage: Passage) -> Sequence[Run]:
        """See `Tombstones.runs`."""
        self._renew()
        return super().runs(passage)

    def _renew(self) -> None:
        seen = ledger_state(self._root)
        if seen != self._seen:
            if self._seen is not None:
                self.close()
            super().__init__(
                self._root, read_tombstones(data for _, data in ledger_files(self._root))
            )
            self._seen = seen


def _spans(passage: Passage) -> Iterator[tuple[int, int]]:
    """Where statements may stand in a passage: up to a few sentences, and all of it."""
    ends = sorted(passage.ends)
    count = len(passage.words)
    for first in sorted(passage.starts | passage.labels):
        after = [last for last in ends if last > first]
        if first not in passage.starts:
            after = [last for last in after if telling(passage.tokens[first:last])]
        for last in after[:_MOST_SENTENCES]:
            yield first, last
        if count not in after[:_MOST_SENTENCES] and first in passage.starts:
            yield first, count


def _slow(statement: str, salt: str, rounds: int) -> str:
    return hashlib.pbkdf2_hmac(
        "sha256",
        statement.encode("utf-8", "surrogatepass"),
        bytes.fromhex(salt),
        rounds,
        dklen=_DIGEST,
    ).hex()
