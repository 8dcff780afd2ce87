"""What one side of a conversation said. Apart from `engine` because hosts wait while it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

Role = Literal["user", "assistant"]


@dataclass(frozen=True)
class Message:
    """One thing that one side said. Tool output and system text are not messages."""

    role: Role
    text: str
    time: datetime | None = None
