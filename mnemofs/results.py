"""What the façade's methods return: frozen, small, and with a stable JSON form (DESIGN §12)."""

from __future__ import annotations

from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    WriteStatus = Literal[
        "created", "replaced", "appended", "deleted", "unchanged", "refused", "queued"
    ]


class WriteResult(Record):
    """One write. commit: the commit that holds it, None when nothing changed.

    conflicts: how many places kept two texts because the file had moved on meanwhile.
    replacements: of an edit, how often the text was replaced.
    """

    status: WriteStatus
    path: str
    commit: str | None = None
    owner: str = ""
    conflicts: int = 0
    warnings: tuple[str, ...] = ()
    replacements: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "path": self.path,
            "commit": self.commit,
            "owner": self.owner,
            "conflicts": self.conflicts,
            **({"replacements": self.replacements} if self.replacements else {}),
            "warnings": list(self.warnings),
        }


class FileEntry(Record):
    """A memory file as listed. scope: TEAM, PERSONAL or GLOBAL; size in bytes."""

    path: str
    size: int
    scope: str
    owner: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {"path": self.path, "size": self.size, "scope": self.scope, "owner": self.owner}


class Context(Record):
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
