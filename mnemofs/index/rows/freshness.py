"""What has changed since the index last looked: decided from `stat` alone wherever that is safe."""

from __future__ import annotations

from mnemofs.names import collisions
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mnemofs.store.disk.filestat import FileStat

# A file changed within this time before we looked may change again under the same time stamp, so
# its bytes are compared until the stamp has aged. Whole seconds betray a disk that counts in them.
_RACY_NS = 100_000_000
_RACY_COARSE_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000


class Known:
    """A file as the index remembers it; made by thousands.

    blob: None when its bytes could not be read. stat: (size, mtime_ns, ino, ctime_ns) as of
    `seen_ns`. problem: why it cannot be searched, "" when it can.
    """

    __slots__ = ("blob", "problem", "seen_ns", "stat")

    def __init__(
        self, blob: str | None, seen_ns: int, problem: str, stat: tuple[int, int, int, int]
    ) -> None:
        self.blob = blob
        self.seen_ns = seen_ns
        self.problem = problem
        self.stat = stat


class Plan(Record):
    """check: read and compare the bytes. absent: known, but not among the files found."""

    check: tuple[str, ...]
    absent: tuple[str, ...]


class Freshness(Record):
    """What a refresh did.

    changed, removed: paths whose rows were written or dropped. pending: chunks without a vector
    (0 when no embedder is in use). skipped: (path, reason) of files that cannot be searched.
    complete: False when another process holds the index and newer files may be missing.
    """

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    pending: int = 0
    skipped: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    warnings: tuple[str, ...] = ()


def plan_index(known: Mapping[str, Known], present: Mapping[str, FileStat]) -> Plan:
    """Which files to read and which are gone. Pure.

    A file is taken as unchanged only when its stat is the one remembered and was already old when
    the file was read. A file that could not be read is tried again each time.
    """
    check = []
    for path, stat in present.items():
        old = known.get(path)
        if (
            old is None
            or old.stat != stat[:4]
            or old.blob is None
            # The first test spares ten thousand calls.
            or (old.seen_ns - stat.ctime_ns < _RACY_COARSE_NS and is_racy(stat, old.seen_ns))
        ):
            check.append(path)
    return Plan(tuple(check), tuple(path for path in known if path not in present))


def is_racy(stat: FileStat, seen_ns: int) -> bool:
    """Whether a file of this stat, read at `seen_ns`, may have changed since without a trace."""
    # The time of change cannot be set by a program, unlike that of modification.
    coarse = stat.ctime_ns % _SECOND_NS == 0
    return seen_ns - stat.ctime_ns < (_RACY_COARSE_NS if coarse else _RACY_NS)


def unused_spellings(paths: Collection[str]) -> dict[str, str]:
    """Paths that are another file's name in other letters: {path: the one that counts} (TXT-10)."""
    if all(map(str.isascii, paths)) and len({path.lower() for path in paths}) == len(paths):
        return {}
    return collisions(paths)
