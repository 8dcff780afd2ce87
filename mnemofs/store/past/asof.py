"""A store as it was at one commit: read like the present one, written by nobody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from mnemofs import names
from mnemofs.errors import GuardRefused, NotFound
from mnemofs.store.disk.filestat import FileStat
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.trees import FILE
from mnemofs.store.model import Change, Committed, Head, Snapshot
from mnemofs.store.repository import Store

if TYPE_CHECKING:
    from mnemofs.store.commit.maintenance import Maintained
    from mnemofs.store.disk.scan import Survey

_TIP = re.compile(r"(?:HEAD|@)(?=[~^]|$)")


class PastStore(Store):
    """`present` at `commit`. The files on disk, and what was committed since, play no part.

    HEAD is that commit, so that log, blame and diff end there.
    """

    def __init__(self, present: Store, commit: str) -> None:
        vars(self).update(vars(present))  # the same repository, opened once
        self.present = present
        self.at = commit

    def head(self) -> Head:
        """The commit this store stands at; never in the middle of anything."""
        return Head(self.present.head().ref, self.at, None)

    def read(self, path: str) -> Snapshot:
        """The file as the commit has it. Raises UnsafeName."""
        try:
            content = self.read_at(path, self.at)
        except NotFound:
            return Snapshot(names.check_path(path, suffix=""), None, None)
        return Snapshot(names.check_path(path, suffix=""), blob_id(content), content)

    def resolve(self, rev: str) -> str:
        """As in the present, but HEAD is the commit. Raises NotFound."""
        return super().resolve(_TIP.sub(self.at, rev.strip(), count=1))

    def scan(self) -> dict[str, FileStat]:
        """The commit's files; of the stat fields only size and mode mean anything."""
        return {
            path: FileStat(len(self.blob(blob)), 0, 0, 0, FILE, path)
            for path, blob in self.tree(self.at).items()
        }

    def tree(self, rev: str = "HEAD") -> dict[str, str]:
        """See `Store.tree`; HEAD is the commit."""
        return super().tree(self.at if rev == "HEAD" else rev)

    def dirty(self) -> tuple[str, ...]:
        """Nothing: nobody edits the past."""
        return ()

    def commit(self, change: Change) -> Committed:
        """Raises GuardRefused."""
        self._refuse()

    def fold(
        self,
        paths: Iterable[str] | None = None,
        *,
        quiet: float = 0.0,
        mass_delete: bool = False,
        seen: Survey | None = None,
    ) -> Committed:
        """Raises GuardRefused."""
        self._refuse()

    def maintain(self) -> Maintained:
        """Raises GuardRefused."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise read_only(self.at)


def read_only(when: str) -> GuardRefused:
    """The refusal to change the memory of an earlier time."""
    return GuardRefused(
        f"this is the memory as of {when[:12]}, which nobody can change",
        hint="`mnemofs restore PATH WHEN` brings a file back into the present",
    )
