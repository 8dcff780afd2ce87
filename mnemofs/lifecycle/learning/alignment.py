"""Where messages that a host hands over belong in a conversation that is known already. Pure.

A host may hand over the whole conversation each time, a sliding window of it, or only what was
added; it may do so twice, and people edit and regenerate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemofs.digests import blake2b

if TYPE_CHECKING:
    from mnemofs.llm.engine import Message

# This many messages in a row are never the same by chance.
_TELLING = 4


def fingerprints(messages: Sequence[Message]) -> tuple[str, ...]:
    """A short hash for each message, by role and text."""
    return tuple(
        blake2b(
            f"{message.role}\0{message.text}".encode("utf-8", "surrogatepass"), digest_size=6
        ).hexdigest()
        for message in messages
    )


def align(stored: Sequence[str], present: Sequence[str]) -> int:
    """The index in `stored` at which `present` begins; its length when they have nothing in common.

    From there on, what stands in `stored` and is not in `present` was replaced by an edit, unless
    `present` ends inside of it.
    """
    common = _common(stored, present)
    if common in (len(stored), len(present)):
        return 0
    for overlap in range(min(len(stored), len(present)), common, -1):
        if tuple(stored[-overlap:]) == tuple(present[:overlap]):
            return len(stored) - overlap
    for start in range(len(stored) - len(present), 0, -1):
        if tuple(stored[start : start + len(present)]) == tuple(present):
            return start
    # One greeting in common makes no edited conversation of two.
    return 0 if common >= 2 or 2 * common >= len(stored) else len(stored)


def unseen_from(seen: Sequence[str], present: Sequence[str]) -> int:
    """The index in `present` where what was not seen before begins.

    A conversation that grew goes on after what was seen; one whose host hands over only a sliding
    window goes on after the longest overlap; one whose beginning came to light only now goes on
    behind what was seen of it; one that was edited is new from the first change.
    """
    common = _common(seen, present)
    if common == len(seen):
        return common
    for overlap in range(min(len(seen), len(present)), common, -1):
        if tuple(seen[-overlap:]) == tuple(present[:overlap]):
            return overlap
    if common < _TELLING <= len(seen):
        tail = tuple(seen[-max(_TELLING, min(len(seen), 20)) :])
        for end in range(len(present), len(tail) - 1, -1):
            if tuple(present[end - len(tail) : end]) == tail:
                return end
    return common


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    number = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        number += 1
    return number
