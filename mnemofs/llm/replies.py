"""One reading of a model's reply: a clean JSON value, or a named reason why not.

Everything that a model can do instead of answering has a name here, so that a caller never guesses:
only `Clean` may become a proposal, a `Rejected` changes nothing and starts no cooldown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

Code = Literal[
    "no_choices",
    "tool_call",
    "truncated",
    "filtered",
    "reasoning_only",
    "empty",
    "not_json",
    "missing_field",
    "wrong_type",
    "blank",
    "placeholder",
]


@dataclass(frozen=True)
class Clean(Generic[T]):
    """A reply that is complete, well-formed and of the right types."""

    value: T


@dataclass(frozen=True)
class Rejected:
    """A reply that must not change anything. `detail` is one sentence without memory text."""

    code: Code
    detail: str
