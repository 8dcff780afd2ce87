"""The archive of the diary: old pages move from DREAMS.md to memory/dreams/YYYY-MM.md. Pure.

Nothing is cut that does not stand in the archive of the same commit (W-26). The archive is plain
Markdown however old it gets: git packs it anyway, and only text can be searched, forgotten, purged
and looked at by everything that keeps memory safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from mnemofs.lifecycle.dreams.diary import Page, pages
from mnemofs.lifecycle.marks import has_user_edited
from mnemofs.markdown.document import Document
from mnemofs.markdown.edits import append
from mnemofs.markdown.lines import with_ending
from mnemofs.markdown.placing import content_end

# Above its limit the diary is brought down to this share of it, so that not every dream archives.
_ROOM = 0.8


class Archive(NamedTuple):
    """Pages that leave the diary, by the path of their month's file, oldest first."""

    moves: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def pages(self) -> tuple[str, ...]:
        """The texts of all of them."""
        return tuple(text for _, texts in self.moves for text in texts)

    def without(self, path: str) -> Archive:
        """The same, but what would go to `path` stays."""
        return Archive(tuple(move for move in self.moves if move[0] != path))


def archive_path(day: date) -> str:
    """Where the pages of that day's month go."""
    return f"memory/dreams/{day:%Y-%m}.md"


def plan_archive(text: str, today: date, keep_days: int, max_chars: int) -> Archive:
    """What of a diary moves: pages older than `keep_days`, and more while it is over `max_chars`.

    The newest page stays, and so do sections without a real date and pages that a person marked as
    edited. 0 for either limit means none.
    """
    document = Document.of_text(text)
    found = pages(document)
    newest = max(found, key=lambda page: page.title, default=None)
    movable = [page for page in found if page is not newest and not has_user_edited(page.text)]
    movable.sort(key=lambda page: page.title[:16])
    first = today - timedelta(days=keep_days)
    moved = [page for page in movable if keep_days and page.day < first]
    size = len(text) - sum(page.end - page.start for page in moved)
    if max_chars and size > max_chars:
        for page in movable[len(moved) :]:
            if size <= max_chars * _ROOM:
                break
            moved.append(page)
            size -= page.end - page.start
    return Archive(_by_month(moved))


def without_pages(data: bytes | None, moved: Sequence[str]) -> bytes | None:
    """The diary without these pages; one that was changed meanwhile stays."""
    if data is None or not moved:
        return data
    document = Document.parse(data)
    gone = set(moved)
    text = document.text
    for page in reversed(pages(document)):
        if page.text in gone:
            text = text[: page.start] + text[page.end :]
    if text != document.text:
        text = text[: content_end(text, 0, len(text))] + document.eol
    return document.encode(text)


def with_pages(data: bytes | None, path: str, moved: Sequence[str]) -> bytes:
    """A month's file with these pages; one that stands there already is not added twice."""
    if data is None or not data.strip():
        data = f"# Dreams of {path[-10:-3]}\n".encode()
    for text in moved:
        standing = with_ending(Document.parse(data).text, "\n")
        if text not in standing:
            data = append(data, text)
    return data


def _by_month(moved: Sequence[Page]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    months: dict[str, list[str]] = {}
    for page in moved:
        months.setdefault(archive_path(page.day), []).append(page.text)
    return tuple((path, tuple(texts)) for path, texts in months.items())
