"""What the index remembers of files, so that a look at ten thousand need not read all their rows.

A *look* is a folder's listing as it was when the rows of its files were found to be those of the
bytes, with the files marked as open that were not settled then. A *stray* is a path whose row came
or went since (triggers note it). What the disk still shows as in the look needs no second thought;
open files, strays and what differs are compared with their rows. Looks are written anew when many
files have come to differ from them; a store without looks is compared as a whole.
"""

from __future__ import annotations

import apsw

from mnemofs.index.rows.freshness import Known, unused_spellings
from mnemofs.names import collision_key
from mnemofs.store.disk.scan import STAT_BYTES, Listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from mnemofs.index.rows.freshness import Plan
    from mnemofs.index.sidecar import Index
    from mnemofs.store.disk.filestat import FileStat
    from mnemofs.store.disk.scan import Survey

# Files that may differ from the looks although their rows are right, before looks are renewed.
_STALE = 64
# Stands for an open file: none of ours has mode 0.
_OPEN = bytes(STAT_BYTES)
# Times that a database may turn out to be damaged while it is read.
_ATTEMPTS = 3
# As many paths as a statement asks for.
_ASKED = 500


class Compared:
    """The part of a survey that has to be compared with rows.

    present: files found. known: the rows of those, and of files that are gone. twins: paths that
    are another file's name in other letters, with that one; they count as gone. The rest is for
    `KnownFiles.settle`: written, how many transactions had changed rows before these were read;
    whole, whether these are all rows; strays; missing, paths that were looked for in vain.
    """

    __slots__ = ("known", "missing", "present", "strays", "twins", "whole", "written")

    def __init__(self, written: int = 0) -> None:
        self.present: dict[str, FileStat] = {}
        self.known: dict[str, Known] = {}
        self.twins: dict[str, str] = {}
        self.written = written
        self.whole = False
        self.strays: list[str] = []
        self.missing: list[str] = []


class KnownFiles:
    """The rows and looks of one index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lost = False

    def forget(self) -> None:
        """The database is another one: what was just read of it does not count."""
        self._lost = True

    def of(self, paths: Collection[str]) -> dict[str, Known]:
        """The rows of some files, by path."""
        known: dict[str, Known] = {}
        asked = list(paths)
        for start in range(0, len(asked), _ASKED):
            some = asked[start : start + _ASKED]
            known |= self._rows(f" where path in ({','.join('?' * len(some))})", some)
        return known

    def compare(self, found: Survey) -> Compared:
        """What of a whole folder has to be compared with rows."""
        for _attempt in range(_ATTEMPTS):
            self._lost = False
            compared = self._compare(found)
            if not self._lost:
                break
        return compared

    def settle(self, found: Survey, compared: Compared, plan: Plan, transactions: int) -> None:
        """Renews looks when many files differ from them whose rows are right.

        transactions: those of this process since the rows were read; when another process has
        written, too, nothing is noted.
        """
        open_files = {*plan.check, *compared.twins}
        stale = [path for path in compared.present if path not in open_files]
        stale += [path for path in compared.missing if path not in compared.known]
        if len(stale) <= _STALE:
            return
        folders = set(found.folders) if compared.whole else {_split(path)[0] for path in stale}
        open_names: dict[str, set[str]] = {}
        for path in open_files:
            folder, name = _split(path)
            open_names.setdefault(folder, set()).add(name)
        looks = [
            (folder, listing.names, _with_open(listing, open_names.get(folder)))
            for folder in folders
            if (listing := found.folders.get(folder)) is not None
        ]
        # A row whose file was not found and yet not removed stands in no look.
        strays = [path for path in plan.absent if compared.whole or _split(path)[0] in folders]
        try:
            with self._index.transaction(wait=False, silent=True) as connection:
                if self._written() != compared.written + transactions:
                    return
                run = connection.executemany
                run("delete from look where folder = ?", [(folder,) for folder in folders])
                run("insert into look values(?, ?, ?)", looks)
                cleared = [path for path in compared.strays if _split(path)[0] in folders]
                run("delete from stray where path = ?", [(path,) for path in cleared])
                run("insert or ignore into stray values(?)", [(path,) for path in strays])
        except apsw.Error:
            pass  # the next comparison is as thorough as this one

    def _compare(self, found: Survey) -> Compared:
        compared = Compared(self._written())
        looks: dict[str, Listing] = {}
        # One statement, so that both are of the same moment.
        for name, names, stats in self._index.query(
            "select folder, names, stats from look union all select path, null, null from stray"
        ):
            if names is None:
                compared.strays.append(name)
            else:
                looks[name] = Listing(names, stats)
        if not looks:
            compared.whole = True
            compared.present = {p: stat for p, stat in found.files.items() if p.endswith(".md")}
            compared.known = self._rows("", ())
        else:
            self._compare_with(looks, found, compared)
        self._set_twins_apart(found, compared)
        return compared

    def _compare_with(self, looks: dict[str, Listing], found: Survey, compared: Compared) -> None:
        strays: dict[str, set[str]] = {}
        for path in compared.strays:
            folder, name = _split(path)
            strays.setdefault(folder, set()).add(name)
        missing = compared.missing
        for folder, listing in found.folders.items():
            look = looks.pop(folder, None)
            wanted = strays.pop(folder, None)
            if look == listing and not wanted:
                continue
            differing, gone = _differing(look or Listing("", b""), listing, wanted or ())
            missing += [folder + name for name in gone]
            files = found.files_of(folder, differing)
            compared.present.update((p, stat) for p, stat in files.items() if p.endswith(".md"))
        for folder, look in looks.items():
            missing += [folder + name for name in look.names.split("/")]
        for folder, others in strays.items():
            missing += [folder + name for name in others]
        compared.known = self.of({*compared.present, *missing})

    def _set_twins_apart(self, found: Survey, compared: Compared) -> None:
        """A new file may be another spelling of one that is there, or take its place (TXT-10)."""
        new = {_split(path)[0] for path in compared.present if path not in compared.known}
        if not new:
            return
        alike = set(map(collision_key, new))
        compared.twins = unused_spellings(
            [
                folder + name
                for folder, listing in found.folders.items()
                if collision_key(folder) in alike
                for name in listing.names.split("/")
                if name.endswith(".md")
            ]
        )
        if compared.twins:
            compared.known |= self.of(compared.twins)
            for twin in compared.twins:
                compared.present.pop(twin, None)

    def _rows(self, where: str, bindings: Sequence[str]) -> dict[str, Known]:
        rows = self._index.query(
            f"select path, blob, seen, problem, size, mtime, ino, ctime from file{where}", bindings
        )
        return {row[0]: Known(row[1], row[2], row[3], row[4:]) for row in rows}

    def _written(self) -> int:
        """Counts the transactions that changed rows of `file`."""
        rows = self._index.query("select value from meta where key = 'files'")
        return int(rows[0][0]) if rows else 0


def _differing(
    look: Listing, listing: Listing, strays: Collection[str]
) -> tuple[list[int], Iterable[str]]:
    """(places in `listing` that are strays or not as in `look`, names that are elsewhere only)."""
    old, new = look.stats, listing.stats
    starts = range(0, len(new), STAT_BYTES)
    if look.names == listing.names and not strays:
        rows = [at for at in starts if new[at : at + STAT_BYTES] != old[at : at + STAT_BYTES]]
        return [at // STAT_BYTES for at in rows], ()
    places = dict(zip(look.names.split("/"), range(0, len(old), STAT_BYTES), strict=False))
    places.update(dict.fromkeys(strays, len(old)))
    rows = []
    for at, name in zip(starts, listing.names.split("/"), strict=False):
        place = places.pop(name, len(old))
        if new[at : at + STAT_BYTES] != old[place : place + STAT_BYTES]:
            rows.append(at)
    return [at // STAT_BYTES for at in rows], places


def _with_open(listing: Listing, names: Collection[str] | None) -> bytes:
    if not names:
        return listing.stats
    stats = bytearray(listing.stats)
    for place, name in enumerate(listing.names.split("/")):
        if name in names:
            stats[place * STAT_BYTES : (place + 1) * STAT_BYTES] = _OPEN
    return bytes(stats)


def _split(path: str) -> tuple[str, str]:
    """(folder as a survey names it, name)."""
    folder, slash, name = path.rpartition("/")
    return folder + slash, name
