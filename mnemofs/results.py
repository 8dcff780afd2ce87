"""What the façade's methods return: frozen, small, and with a stable JSON form (DESIGN §12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

WriteStatus = Literal[
    "created", "replaced", "appended", "deleted", "unchanged", "refused", "queued"
]


@dataclass(frozen=True)
class WriteResult:
    """One write. commit: the commit that holds it, None when nothing changed.

    conflicts: how many places kept two texts because the file had moved on meanwhile.
    """

    status: WriteStatus
    path: str
    commit: str | None = None
    owner: str = ""
    conflicts: int = 0
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "path": self.path,
            "commit": self.commit,
            "owner": self.owner,
            "conflicts": self.conflicts,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True)
class FileEntry:
    """A memory file as listed. scope: TEAM, PERSONAL or GLOBAL; size in bytes."""

    path: str
    size: int
    scope: str
    owner: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {"path": self.path, "size": self.size, "scope": self.scope, "owner": self.owner}


@dataclass(frozen=True)
class Context:
    """What an agent is told. system: cacheable; prefetch: for this person and this question."""

    system: str
    prefetch: str
    files: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "system": self.system,
            "prefetch": self.prefetch,
            "files": list(self.files),
            "omitted": list(self.omitted),
            "warnings": list(self.warnings),
        }


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
    warnings: tuple[str, ...] = field(default=())

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
