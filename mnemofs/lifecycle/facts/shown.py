"""Facts put together for a reader: where they stand, who said so, and how far to trust them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time
from typing import TYPE_CHECKING, Final

from mnemofs.errors import MnemofsError, NotFound
from mnemofs.lifecycle.facts.book import FactBook, Origin, Row
from mnemofs.lifecycle.facts.feedback import BASE, Tally, age_in_days, decayed, rated
from mnemofs.lifecycle.facts.projection import Fact, Place
from mnemofs.lifecycle.identity import normal_id

if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemofs.store.past.history import Timeline
    from mnemofs.store.repository import Store

# An edit that is in no commit yet was made by hand.
BY_HAND: Final = Origin("", "", "person", "", "user")


def put_together(
    book: FactBook,
    rows: Sequence[Row],
    origins: Mapping[tuple[int, int], Origin],
    said: Mapping[str, Tally],
    *,
    scope: str,
    owner: str,
    now: datetime,
    half_life: float,
) -> list[Fact]:
    """The facts of some rows, each once, in the order of the rows. origins: by (file, line); said:
    feedback by id of a fact or of an entry."""
    used, recalled = book.used(), book.recalled()
    by_id: dict[str, list[Row]] = {}
    for row in rows:
        by_id.setdefault(row.id, []).append(row)
    found = []
    for identity, standing in by_id.items():
        first = standing[0]
        places = [(row, origins.get((row.file, row.line), BY_HAND)) for row in standing]
        tallies = [said[one] for one in _names(standing) if one in said]
        helpful = sum(one.helpful for one in tallies)
        unhelpful = sum(one.unhelpful for one in tallies)
        confirmed = [one.confirmed for one in tallies if one.confirmed]
        since = max(
            filter(None, (*(_stated(*place, now.tzinfo) for place in places), *confirmed)),
            default=None,
        )
        base = max(BASE.get(origin.trust, BASE["web"]) for _, origin in places)
        trust = rated(base, helpful, unhelpful)
        count, last = used.get(identity, (0, ""))
        count += sum(recalled.get(name, 0) for name in _names(standing)[1:])
        found.append(
            Fact(
                identity,
                first.subject,
                first.predicate,
                first.object,
                bool(first.negative),
                first.category,
                scope,
                owner,
                decayed(trust, age_in_days(since, now), half_life),
                base,
                since,
                helpful,
                unhelpful,
                count,
                _instant(last),
                tuple(_place(*place) for place in places),
            )
        )
    return found


def find_origins(
    store: Store, book: FactBook, rows: Iterable[Row], timeline: Timeline | None
) -> dict[tuple[int, int], Origin]:
    """Who wrote the lines of these rows, by (file, line): looked up once for each version of a
    file. A line that is in no commit yet is left out."""
    found: dict[tuple[int, int], Origin] = {}
    files: dict[int, list[Row]] = {}
    for row in rows:
        files.setdefault(row.file, []).append(row)
    for file, some in files.items():
        known = book.origins(file) or {}
        wanted = {row.line: row.last_line for row in some if row.line not in known}
        if wanted:
            fresh = _blamed(store, some[0].path, wanted, timeline)
            book.remember_origins(file, fresh)
            known |= fresh
        found |= {(file, line): origin for line, origin in known.items()}
    return found


def _blamed(
    store: Store, path: str, wanted: Mapping[int, int], timeline: Timeline | None
) -> dict[int, Origin]:
    """The origin of each entry of lines `line` to `last_line`: that of its newest line."""
    from mnemofs.store.past import history

    try:
        blame = history.blame(store, path, timeline=timeline)
        content = store.read(path).content or b""
    except (NotFound, MnemofsError):
        return {}
    texts = [line.rstrip("\r") for line in content.decode("utf-8", "replace").split("\n")]
    by_text = {line.text.rstrip("\r"): line for line in blame}
    found = {}
    for first, last in wanted.items():
        lines = []
        for number in range(first, min(last, len(texts)) + 1):
            text = texts[number - 1]
            same = blame[number - 1] if number <= len(blame) else None
            if same is None or same.text.rstrip("\r") != text:
                same = by_text.get(text)
            if same is not None and text.strip():
                lines.append(same)
            elif text.strip():
                lines = []  # partly in no commit yet
                break
        if lines:
            newest = max(lines, key=lambda line: line.time)
            found[first] = Origin(
                newest.commit,
                newest.time.isoformat(),
                newest.actor,
                newest.source,
                newest.trust,
            )
    return found


def _names(rows: Sequence[Row]) -> list[str]:
    """The ids that feedback on a fact may carry: its own, and those of its entries."""
    return list(dict.fromkeys((rows[0].id, *(normal_id(row.entry) for row in rows))))


def _stated(row: Row, origin: Origin, zone: tzinfo | None) -> datetime | None:
    """When a place states it: as it says itself, but never later than it was written."""
    written = _instant(origin.time)
    day, _, clock = row.day.partition(" ")
    if day:
        try:
            hour = time.fromisoformat(clock) if clock else time()
            said = datetime.combine(datetime.fromisoformat(day).date(), hour, zone)
        except ValueError:
            return written
        return min(said, written) if written else said
    return written


def _place(row: Row, origin: Origin) -> Place:
    return Place(
        row.path,
        row.line,
        row.last_line,
        row.statement,
        row.key,
        origin.commit,
        _instant(origin.time),
        origin.actor,
        origin.source,
        origin.trust,
    )


def _instant(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
