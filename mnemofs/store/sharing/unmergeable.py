"""What a merge changes besides the bytes of plain files: links, kinds and the executable bit.

The commit's machinery writes plain files only. These follow right after the commit; until then,
and if we die in between, git shows them as changed in the work tree, and no memory is in them.
"""

from __future__ import annotations

import os
import stat

from mnemofs.store.commit.parts import Parts
from mnemofs.store.commit.publish import Target
from mnemofs.store.commit.worktree import Found, check_place, composed
from mnemofs.store.disk.durable import create
from mnemofs.store.disk.files import unlink_quietly, write_all
from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.trees import EXECUTABLE, SYMLINK, Entry
from mnemofs.store.sharing.guards import ChangedHere


class Unmanaged:
    """The steps of one merge that come after its commit. Needs the write lock."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._links: list[tuple[str, Entry | None]] = []
        self._modes: list[tuple[str, bool]] = []

    def target(self, path: str, old: Entry | None, new: Entry | None) -> Target:
        """The entry's part of the commit; the disk is changed by `place`.

        Raises ChangedHere when something else stands there, UnsafeName for an unsafe place.
        """
        folder = path.rpartition("/")[0]
        if folder:
            check_place(self._parts.layout.root, folder)
        found = self._found(path)
        if (found is None) != (old is None) or (
            found is not None and old is not None and blob_id(found.content) != old[1]
        ):
            raise ChangedHere(
                f"{path} is not as the last commit has it, and the remote changed it too; "
                "nothing was changed",
                hint="commit it with git or move it away, then sync again",
                path=path,
            )
        self._links.append((path, new))
        return Target(composed(path), path, path, old, new, None, None, found, False)

    def mode(self, disk: str, entry: Entry) -> None:
        """Note the executable bit a plain file shall have."""
        if self._parts.config.flag("core.filemode", True):
            self._modes.append((disk, entry[0] == EXECUTABLE))

    def place(self) -> None:
        """Bring the disk up to the commit."""
        root = self._parts.layout.root
        for path, entry in self._links:
            place = os.path.join(root, path)
            if entry is None:
                unlink_quietly(place)
                continue
            temp = os.path.join(self._parts.temp_dir, "link")
            unlink_quietly(temp)
            content = self._parts.objects.read_kind(entry[1], "blob")
            if entry[0] == SYMLINK:
                os.symlink(content, os.fsencode(temp))
            else:
                descriptor = create(temp)
                try:
                    write_all(descriptor, content)
                finally:
                    os.close(descriptor)
                self._modes.append((path, entry[0] == EXECUTABLE))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.replace(temp, place)
        for path, executable in self._modes:
            place = os.path.join(root, path)
            now = stat.S_IMODE(os.lstat(place).st_mode)
            wanted = now | (now & 0o444) >> 2 if executable else now & ~0o111
            if wanted != now:
                os.chmod(place, wanted)

    def _found(self, path: str) -> Found | None:
        place = os.path.join(self._parts.layout.root, path)
        try:
            status = os.lstat(place)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISLNK(status.st_mode):
            return Found(os.fsencode(os.readlink(place)), status)
        if stat.S_ISREG(status.st_mode):
            with open(place, "rb") as file:
                return Found(self._parts.stored(path, file.read(), None), status)
        return Found(b"\0", status)


def later_only(old: Entry | None, new: Entry | None) -> bool:
    """Whether a change from one to the other is no matter of plain files."""
    return any(entry is not None and entry[0] & 0o170000 != 0o100000 for entry in (old, new))
