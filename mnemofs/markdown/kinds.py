"""The kinds of structured entry: one file of `structured/` each. Their only home."""

from __future__ import annotations

from typing import Literal

StructuredKind = Literal["user", "feedback", "project", "reference"]
KINDS: tuple[StructuredKind, ...] = ("user", "feedback", "project", "reference")


def structured_path(kind: str) -> str:
    """The repository path of the entries of a kind."""
    return f"structured/{kind}.md"
