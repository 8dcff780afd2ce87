"""What a push would send, looked at before it goes: no purged commit, no secret (SEC-07)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemofs.store.sharing.guards import PurgedHistory, SecretFound

if TYPE_CHECKING:
    from mnemofs.store.git.walk import Commits

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in a commit, without its value."""

    commit: str
    path: str
    line: int
    kind: str


def check_purged(history: Iterable[str], purged: frozenset[str], where: str) -> None:
    """Raise PurgedHistory when a commit of `history` is one of the purged.

    where: whose history it is, for the message ("origin", "this clone").
    """
    found = sum(1 for commit in history if commit in purged)
    if found:
        raise PurgedHistory(
            f"the history of {where} holds {found} purged commit{'' if found == 1 else 's'}, "
            "and would bring back what was erased; nothing was changed",
            hint="`mnemofs purge --help` says how such a clone rejoins without losing its own work",
        )


def check_secrets(commits: Commits, outgoing: Sequence[str]) -> None:
    """Raise SecretFound when one of the outgoing commits brings in a secret.

    outgoing: commits that the remote has not got.
    """
    leaks = list(find_leaks(commits, outgoing))
    if not leaks:
        return
    places = dict.fromkeys(
        f"{leak.path}:{leak.line} ({leak.kind}, commit {leak.commit[:10]})" for leak in leaks
    )
    listed = "; ".join(list(places)[:_SHOWN])
    more = f"; and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    raise SecretFound(
        f"the push would send what looks like a secret: {listed}{more}; nothing was sent",
        hint="erase it from history with `mnemofs purge`, or, if it is none,"
        " `mnemofs sync --allow-secrets`",
    )


def find_leaks(commits: Commits, outgoing: Sequence[str]) -> Iterator[Leak]:
    """Secrets in lines that these commits added; what stood there before is not told again."""
    from mnemofs.secrets import scan

    seen: set[str] = set()
    for one in outgoing:
        commit = commits.get(one)
        for touch in commits.touches(commit):
            if touch.blob is None or touch.taken or touch.blob in seen:
                continue
            seen.add(touch.blob)
            text = _text(commits, touch.blob)
            if text is None:
                continue
            old: set[str] = set()
            for parent in commits.parents(commit):
                entry = commits.trees.file(commits.get(parent).tree, touch.path)
                old.update(_lines(_text(commits, entry[1]) or "") if entry else ())
            added = [
                (number, line) for number, line in enumerate(_lines(text), 1) if line not in old
            ]
            for finding in scan("\n".join(line for _, line in added)):
                yield Leak(one, touch.path, added[finding.line - 1][0], finding.kind)
        for finding in scan(f"{commit.reason}\n{commit.body}"):
            yield Leak(one, "commit message", finding.line, finding.kind)


def _lines(text: str) -> list[str]:
    """Lines without their ends."""
    return [line.rstrip("\r") for line in text.split("\n")]


def _text(commits: Commits, blob: str) -> str | None:
    data = commits.objects.read_kind(blob, "blob")
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8", "replace")
