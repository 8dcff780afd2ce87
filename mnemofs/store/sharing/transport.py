"""Reaching another copy: list its branches, fetch one, push to one. Nothing here merges or decides.

With the `git` program when it is installed (the user's credential helpers, ssh settings and proxies
are then in force), with dulwich otherwise. Neither ever asks a question, forces a ref or waits for
ever. Whatever goes wrong is a RemoteError of one sentence in which no token stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mnemofs.errors import RemoteError
from mnemofs.store.git.layout import program
from mnemofs.store.sharing.remote import Remote, redact, secrets_of

if TYPE_CHECKING:
    from mnemofs.store.commit.parts import Parts

TIMEOUT = 30.0  # seconds without any sign of life


@dataclass(frozen=True, slots=True)
class Listing:
    """The branches of a remote by short name, and the one its HEAD names (None: not told)."""

    branches: dict[str, str]
    head: str | None


class Transport(Protocol):
    """One way to one remote."""

    def list_branches(self) -> Listing:
        """What stands there now. Raises RemoteError."""

    def fetch(self, branch: str, tip: str) -> None:
        """Bring in all objects of a branch whose tip was listed. Raises RemoteError."""

    def push(self, commit: str, branch: str, expected: str | None) -> bool:
        """Move a branch there from `expected` (None: it does not exist) forward to `commit`.

        False when it was refused, be it because somebody else pushed or because of a rule there;
        listing again tells which. Raises RemoteError when nothing could be asked.
        """

    @property
    def refusal(self) -> str:
        """Why the last push was refused, in the remote's words; "" when unknown."""


def connect(parts: Parts, remote: Remote, *, timeout: float = TIMEOUT) -> Transport:
    """The way to a remote from a repository."""
    git = program("git")
    if git is not None:
        from mnemofs.store.sharing.network import GitTransport

        return GitTransport(git, parts, remote, timeout)
    from mnemofs.store.sharing.embedded import DulwichTransport

    return DulwichTransport(parts, remote, timeout)


def unreachable(remote: Remote, why: str) -> RemoteError:
    """The error for a remote that gave no answer. why: in anybody's words, tokens and all."""
    why = " ".join(redact(why, secrets_of(remote.url)).split()).rstrip(".")
    if len(why) > 200:
        why = why[:199] + "…"
    known = _known(why)
    reason, hint = known if known else (why or "no reason was given", _HINT)
    return RemoteError(f"{remote.name} ({remote.shown}) cannot be reached: {reason}", hint=hint)


_HINT = "what is committed here stays and goes with the next sync"
# What a person does next, by what git and dulwich say. The first sign that fits counts.
_SIGNS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        (
            "authentication failed",
            "could not read username",
            "could not read password",
            "terminal prompts disabled",
            "no valid credentials",
            "401",
            "403",
            "permission denied",
        ),
        "it refused the credentials",
        "give git a credential helper or an ssh key for it, or add the remote again with a new"
        " token",
    ),
    (
        ("host key verification failed",),
        "its host key is not known on this machine",
        "connect once with ssh to look at the key and accept it",
    ),
    (
        ("could not resolve", "name or service not known", "failed to resolve"),
        "its name cannot be resolved",
        "look at the network, or at the address: `mnemofs remote show`",
    ),
    (
        ("connection refused", "failed to connect", "couldn't connect"),
        "nothing answers there",
        _HINT,
    ),
    (
        (
            "repository not found",
            "does not appear to be a git repository",
            "does not exist",
            "not found",
            "no git repository",
        ),
        "there is no git repository at that address",
        "look at the address: `mnemofs remote show`; a new repository must be created there first",
    ),
)


def _known(why: str) -> tuple[str, str] | None:
    low = why.lower()
    for signs, reason, hint in _SIGNS:
        if any(sign in low for sign in signs):
            return reason, hint
    return None
