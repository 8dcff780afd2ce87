"""Where a prompt takes from, and what it was given: small values for the other parts."""

from __future__ import annotations

from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Source(Record):
    """A store a prompt may draw on. scope: TEAM, PERSONAL or GLOBAL; owner: "" unless personal.

    read: the bytes of one of its files, None when there is none.
    """

    scope: str
    owner: str
    read: Callable[[str], bytes | None]


class Given(Record):
    """Something that stands in the prompt, and why: "always-on", "structured" or "search".

    Either a file (`content` set), as far as `limit` characters of it go and less the structured
    entries in `without`; or one entry with its line (0 = unknown), its key or heading, its text,
    and what its score is made of.
    """

    scope: str
    path: str
    why: str
    content: bytes | None = None
    limit: int = 0
    without: tuple[str, ...] = ()
    line: int = 0
    heading: str = ""
    text: str = ""
    score: float = 0.0
    parts: str = ""
