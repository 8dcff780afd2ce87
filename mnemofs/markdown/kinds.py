"""The kinds of structured entry: one file of `structured/` each. Their only home."""

from __future__ import annotations

from typing import Literal

from mnemofs.errors import UsageError

StructuredKind = Literal["user", "feedback", "project", "reference"]
KINDS: tuple[StructuredKind, ...] = ("user", "feedback", "project", "reference")


def check_kind(kind: str) -> str:
    """The kind itself. Raises UsageError for one that is none."""
    if kind not in KINDS:
        raise UsageError(f"{kind!r} is no kind of memory", hint=f"use one of {', '.join(KINDS)}")
    return kind


def structured_path(kind: str) -> str:
    """The repository path of the entries of a kind."""
    return f"structured/{kind}.md"
