"""Every way mnemofs can refuse or fail, as one tree.

A message is one sentence that says what happened and where; `hint` says what to do next. Neither
ever quotes memory text: messages end up in logs. Surfaces map `code` to a status and `exit_code`
to the process: 1 failed, 2 usage, 3 refused by a guard.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class MnemofsError(Exception):
    """Base of all errors that a person may see without a traceback."""

    code: ClassVar[str] = "failed"
    exit_code: ClassVar[int] = 1

    def __init__(
        self, message: str, *, hint: str = "", path: str | None = None, revision: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.revision = revision

    def as_dict(self) -> dict[str, str]:
        """The `error` object of `--json`: code, message, hint, and path/revision when known."""
        known = {"code": self.code, "message": self.message, "hint": self.hint}
        if self.path is not None:
            known["path"] = self.path
        if self.revision is not None:
            known["revision"] = self.revision
        return known


class UsageError(MnemofsError):
    """The request itself makes no sense (a bad date, an unknown kind, an empty text)."""

    code = "usage"
    exit_code = 2


class ConfigError(MnemofsError):
    """A settings file or variable that cannot be read or holds an impossible value."""

    code = "config"


class UnsafeName(MnemofsError):
    """A path or owner key that could leave the workspace, enter `.git`, or collide."""

    code = "unsafe_name"
    exit_code = 3


class NotFound(MnemofsError):
    """A file, revision, entry or owner that does not exist."""

    code = "not_found"


class UnreadableText(MnemofsError):
    """Bytes that are not UTF-8 text. The file is kept as it is."""

    code = "unreadable"


class EditRefused(MnemofsError):
    """An edit that cannot be applied as asked; the file is unchanged."""

    code = "edit_refused"


class AmbiguousSection(EditRefused):
    """Two places fit the edit and choosing one would be a guess."""

    code = "ambiguous"


class StoreError(MnemofsError):
    """The git repository behind a workspace could not do what was asked."""

    code = "store"


class NotAWorkspace(StoreError):
    """The folder is no mnemofs workspace."""

    code = "not_a_workspace"


class UnsupportedRepository(StoreError):
    """A git repository that mnemofs does not write to (bare, sha256, partial, someone else's)."""

    code = "unsupported_repository"
    exit_code = 3


class Busy(StoreError):
    """A lock was not released in time; nothing was changed by this call unless it says so."""

    code = "busy"


class OperationInProgress(StoreError):
    """A merge, rebase, bisect or detached HEAD of the user's: memory is not committed into it."""

    code = "operation_in_progress"
    exit_code = 3


class StorageFull(StoreError):
    """No space left (or a quota reached) while writing."""

    code = "storage_full"


class PermissionRefused(StoreError):
    """The operating system does not let us read or write a path."""

    code = "permission"


class CorruptStore(StoreError):
    """An object, ref or index of the repository that cannot be read."""

    code = "corrupt"


class GuardRefused(MnemofsError):
    """A guard stopped a change that could lose memory; nothing was changed."""

    code = "refused"
    exit_code = 3


class RemoteError(MnemofsError):
    """The other copy of the memory could not be reached, or refused what was asked.

    What is committed here stays committed and goes with the next sync.
    """

    code = "remote"


class IndexUnavailable(MnemofsError):
    """The search sidecar cannot be opened or built. Memory itself is not affected."""

    code = "index"


class EmbedderError(MnemofsError):
    """Vectors could not be made; search goes on lexically."""

    code = "embedder"


class ModelError(MnemofsError):
    """The language model's endpoint did not give a usable answer at all."""

    code = "model"


class TranscriptError(MnemofsError):
    """A conversation file that is in no format we know."""

    code = "transcript"


class ProviderError(MnemofsError):
    """Another provider of memory (Mem0, a plugin) failed. This memory is not affected."""

    code = "provider"
