"""How a workspace is, at one glance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Status:
    """How a workspace is. dirty: files whose bytes are in no commit yet. sync: commits ahead of
    and behind the remote when they last met, and conflicts; remote: its name, "" without one."""

    workspace: str
    agent: str
    branch: str
    head: str | None
    operation: str | None
    timezone: str
    files: int
    owners: tuple[str, ...]
    dirty: tuple[str, ...]
    index: dict[str, Any]
    sync: dict[str, int]
    remote: str
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "workspace": self.workspace,
            "agent": self.agent,
            "branch": self.branch,
            "head": self.head,
            "operation": self.operation,
            "timezone": self.timezone,
            "files": self.files,
            "owners": list(self.owners),
            "dirty": list(self.dirty),
            "index": self.index,
            "sync": self.sync,
            "remote": self.remote,
            "warnings": list(self.warnings),
        }
