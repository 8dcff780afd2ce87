"""What a provider of memory is, beside the workspace itself.

Everything but `id` has a default in `BaseProvider`. Any method may fail, hang or return nonsense:
the manager keeps that from everybody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Turn(NamedTuple):
    """One finished turn of a conversation. owner: "" when nobody in particular spoke."""

    owner: str
    conversation: str
    user: str
    assistant: str


class MemoryWrite(NamedTuple):
    """Something that was written. target: the file; action: "remember", "forget", …"""

    owner: str
    target: str
    action: str
    content: str


class Provider(Protocol):
    """A source of memory and a listener to what happens.

    id: unique, also in `[providers] disabled`. order: its place in a prompt, small first; the
    workspace itself stands before all. label: how a prompt names it.
    """

    @property
    def id(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def label(self) -> str: ...

    def available(self) -> bool:
        """Whether it can be asked at all. Asked before every call; must not use the network."""

    def system_block(self) -> str:
        """Text for the system prompt; the same bytes as long as nothing changes."""

    def prefetch(self, query: str, owner: str) -> Sequence[str]:
        """Statements that fit the question, best first. Runs in a thread, under a deadline."""

    def sync_turn(self, turn: Turn) -> None:
        """Learn from a turn; must return at once (queue what takes long)."""

    def on_session_end(self, conversation: str) -> None:
        """A conversation is over."""

    def on_pre_compress(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """What a summary of these messages should not lose."""

    def on_memory_write(self, write: MemoryWrite) -> None:
        """Something was written to this memory."""

    def warnings(self) -> Sequence[str]:
        """What went wrong in the background since this was asked last."""

    def flush(self, seconds: float) -> bool:
        """Whether everything that was queued was sent (or failed) within `seconds`."""

    def close(self) -> None:
        """Finish what is queued, within a moment, and release everything."""


class BaseProvider:
    """A provider that does nothing; a plugin overrides what it can do."""

    id: str = ""
    order: int = 100

    @property
    def label(self) -> str:
        """Its id, unless it has a nicer name."""
        return self.id

    def available(self) -> bool:
        """True."""
        return True

    def system_block(self) -> str:
        """Nothing."""
        return ""

    def prefetch(self, query: str, owner: str) -> Sequence[str]:
        """Nothing."""
        return ()

    def sync_turn(self, turn: Turn) -> None:
        """Not interested."""

    def on_session_end(self, conversation: str) -> None:
        """Not interested."""

    def on_pre_compress(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Nothing."""
        return ""

    def on_memory_write(self, write: MemoryWrite) -> None:
        """Not interested."""

    def warnings(self) -> Sequence[str]:
        """None."""
        return ()

    def flush(self, seconds: float) -> bool:
        """True: nothing is queued."""
        return True

    def close(self) -> None:
        """Nothing to release."""
