"""Forgetting, planned: every place where a statement stands, and the files without it. Pure.

A place says the statement when its words begin and end where a sentence, a line or an entry does.
A place that merely contains the words inside something longer *mentions* it; it is listed, and
only taken out when everything that mentions it is to go. What the machine keeps on its own account
(conversations, the diary, the ledger, its state) loses the sentences that mention it in any case:
nobody wrote them there. Lines that say neither keep their bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mnemofs.errors import UnreadableText
from mnemofs.lifecycle.forgetting.matching import Entry, EntryAndSayings, Matcher, Run, Sayings
from mnemofs.lifecycle.forgetting.passages import (
    Group,
    Passage,
    Passages,
    passage_of_text,
    passages_of,
)
from mnemofs.lifecycle.forgetting.statements import key, telling, tokens
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import MARKER
from mnemofs.markdown.lines import decode

GONE: Final = "[forgotten]"
# The path under which a text is stripped that stands in a database of ours.
SAID: Final = ".mnemofs/said.md"
_BY_MACHINE: Final = (".mnemofs/", "ledger/", "DREAMS.md", "memory/dreams/")
_UNTOUCHED_KEYS: Final = frozenset({"id", "time", "kind"})


@dataclass(frozen=True)
class Place:
    """Where a statement stands. text: what stands there, for a person to look at, never kept; raw:
    the very characters of the statement."""

    path: str
    line: int
    last_line: int
    kind: str
    exact: bool
    removed: bool
    text: str = field(repr=False, default="")
    raw: str = field(repr=False, default="")


@dataclass(frozen=True)
class Stripped:
    """A file without what was found. content None: the file goes. statements: keys of what went."""

    content: bytes | None
    places: tuple[Place, ...]
    statements: frozenset[str] = field(repr=False, default=frozenset())


@dataclass(frozen=True)
class ForgetPlan:
    """places: everything found, in order of paths. contents: new bytes by path (None: delete).

    statements: the keys of all that goes, for tombstones. unreadable: files that are no text and
    could not be searched.
    """

    places: tuple[Place, ...] = ()
    contents: Mapping[str, bytes | None] = field(default_factory=dict, repr=False)
    statements: frozenset[str] = field(default=frozenset(), repr=False)
    unreadable: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[Place, ...]:
        """The places that go."""
        return tuple(place for place in self.places if place.removed)

    @property
    def mentions(self) -> tuple[Place, ...]:
        """The places that stay although they mention it."""
        return tuple(place for place in self.places if not place.removed)


def plan_forget(
    files: Mapping[str, bytes], matcher: Matcher, *, all_mentions: bool = False
) -> ForgetPlan:
    """What forgetting means for these files ({path: bytes}, the ledger among them)."""
    places: list[Place] = []
    contents: dict[str, bytes | None] = {}
    statements: set[str] = set()
    unreadable: list[str] = []
    may = matcher.may_say if isinstance(matcher, Sayings) else None
    for path in sorted(files):
        data = files[path]
        named = _in_name(path, matcher, all_mentions)
        try:
            if not named and may is not None and not may(decode(data).text):
                continue
            done = strip(path, data, matcher, all_mentions=all_mentions)
        except UnreadableText:
            unreadable.append(path)
            continue
        places += [*named, *sorted(done.places, key=lambda place: place.line)]
        statements |= done.statements
        if any(place.removed for place in named):
            contents[path] = None
        elif done.content != data:
            contents[path] = done.content
    return ForgetPlan(tuple(places), contents, frozenset(statements), tuple(unreadable))


def strip(path: str, data: bytes, matcher: Matcher, *, all_mentions: bool = False) -> Stripped:
    """One file without what is looked for. Raises UnreadableText."""
    if isinstance(matcher, EntryAndSayings):
        if path == matcher.path:
            return _strip_entry(path, data, matcher, all_mentions)
        matcher = matcher.sayings
    if path.endswith(".jsonl"):
        return strip_events(path, data, matcher, all_mentions=all_mentions)
    if not path.endswith(".md"):
        return _look_only(path, data, matcher)
    may_matter = matcher.may_say if isinstance(matcher, Sayings) else None
    return _Strip(path, passages_of(path, data, may_matter), matcher, all_mentions).run(data)


def _strip_entry(path: str, data: bytes, matcher: EntryAndSayings, all_mentions: bool) -> Stripped:
    first = strip(path, data, matcher.entry)
    here = {line for place in first.places for line in range(place.line, place.last_line + 1)}
    others = strip(path, data, matcher.sayings, all_mentions=all_mentions)
    places = tuple(place for place in others.places if place.line not in here)
    content = first.content
    if content is not None:
        content = strip(path, content, matcher.sayings, all_mentions=all_mentions).content
    return Stripped(content, first.places + places, first.statements | others.statements)


def replay_of(
    path: str, matcher: Matcher, *, all_mentions: bool
) -> Callable[[bytes | None], bytes | None]:
    """The same edit for whatever bytes the file has by the time it is written."""

    def again(data: bytes | None) -> bytes | None:
        return (
            data if data is None else strip(path, data, matcher, all_mentions=all_mentions).content
        )

    return again


@dataclass
class _Strip:
    path: str
    file: Passages
    matcher: Matcher
    all_mentions: bool
    places: list[Place] = field(default_factory=list)
    statements: set[str] = field(default_factory=set)

    def run(self, data: bytes) -> Stripped:
        passages = self.file.passages
        covered = [self._covered(passage) for passage in passages]
        cuts: list[tuple[int, int, str]] = []
        taken = self._whole_groups(covered)
        if any(self.file.groups[number].whole_file for number in taken):
            return Stripped(None, tuple(self.places), frozenset(self.statements))
        groups = [self.file.groups[number] for number in taken]
        cuts += [(group.start, group.end, "") for group in groups]
        for passage, words in zip(passages, covered, strict=True):
            if words and passage.group not in taken:
                cuts += _cuts(self.file.document.text, passage, words)
        text = self.file.document.text
        for start, end, instead in sorted(cuts, reverse=True):
            text = text[:start] + instead + text[end:]
        content = self.file.document.encode(text) if cuts else data
        return Stripped(content, tuple(self.places), frozenset(self.statements))

    def _covered(self, passage: Passage) -> set[int]:
        """Indices of the words that go; notes the places."""
        covered: set[int] = set()
        runs = sorted(self.matcher.runs(passage), key=lambda run: not run.exact)
        for run in runs:
            span = set(range(run.first, run.last))
            if span <= covered:
                continue
            goes = (run.exact and passage.removable) or self.all_mentions
            goes = goes or (self.path.startswith(_BY_MACHINE) and _tells(passage, run))
            if goes and passage.removable:
                span = set(range(*_extended(passage, run)))
            if goes:
                covered |= span | ({0} if run.first == 1 and passage.clock else set())
                self.statements.add(key(passage.tokens[min(span) : max(span) + 1]))
            self._note(passage, run, goes)
        return covered

    def _whole_groups(self, covered: Sequence[set[int]]) -> set[int]:
        taken = set()
        for number, group in enumerate(self.file.groups):
            members = [
                (passage, words)
                for passage, words in zip(self.file.passages, covered, strict=True)
                if passage.group == number and passage.kind != "heading" and passage.words
            ]
            wanted = isinstance(self.matcher, Entry) and self._names(group)
            if wanted:
                text = " ".join(key(passage.tokens) for passage, _ in members)
                self.statements.add(text)
                self.places = [self._place(group)]
            elif not members or any(len(words) < len(p.words) for p, words in members):
                continue
            taken.add(number)
        return taken

    def _names(self, group: Group) -> bool:
        assert isinstance(self.matcher, Entry)
        if self.matcher.key:
            return tokens(group.key) == tokens(self.matcher.key)
        return group.line <= self.matcher.line <= group.last_line

    def _place(self, group: Group) -> Place:
        text = self.file.document.text[group.start : group.end].strip()
        return Place(self.path, group.line, group.last_line, group.kind, True, True, text)

    def _note(self, passage: Passage, run: Run, removed: bool) -> None:
        document = self.file.document
        first, last = passage.words[run.first], passage.words[run.last - 1]
        line = passage.line + document.text.count("\n", passage.start, first.start)
        kind = passage.kind
        if passage.group >= 0 and kind != "heading":
            kind = self.file.groups[passage.group].kind
        if run.last - run.first < len(passage.words) and run.exact and kind != "heading":
            kind = "sentence"
        text = document.text[passage.start : passage.end].strip()
        until = line + document.text.count("\n", first.start, last.end)
        raw = document.text[first.start : last.end]
        self.places.append(Place(self.path, line, until, kind, run.exact, removed, text, raw))


def _tells(passage: Passage, run: Run) -> bool:
    return telling(passage.tokens[run.first : run.last])


def _extended(passage: Passage, run: Run) -> tuple[int, int]:
    """A mention, out to the borders of its sentence; a statement, with a label that would be left
    with nothing behind it."""
    if run.exact and (run.first in passage.starts or run.last < len(passage.words)):
        return run.first, run.last
    return (
        max(at for at in passage.whole_starts if at <= run.first),
        min(at for at in passage.whole_ends if at >= run.last),
    )


def _cuts(text: str, passage: Passage, covered: set[int]) -> list[tuple[int, int, str]]:
    """(start, end, instead) of what goes when these words do. Lines are never joined."""
    words = passage.words
    if not passage.removable:
        return [
            (words[first].start, words[last - 1].end, GONE if passage.kind == "heading" else "")
            for first, last in _runs(covered)
        ]
    if len(covered) == len(words):
        return [(passage.start, passage.end, "")]
    cuts = []
    for first, last in _runs(covered):
        start, end = words[first].start, words[last - 1].end
        before = words[first - 1].end if first else passage.start
        begins = "\n" in text[before:start] or not first
        following = text[end : words[last].start] if last < len(words) else text[end : passage.end]
        if "\n" not in following and "\r" not in following and last < len(words):
            cuts.append((start, words[last].start, ""))
        elif not begins:
            cuts.append((before, end, ""))
        elif not first and passage.kind == "bullet" and following.endswith((" ", "\t")):
            # The marker stays: it holds the indented lines that follow.
            marker = MARKER.match(text, passage.start)
            cuts.append((marker.end() if marker else start, end, ""))
        else:
            head = max(passage.start, text.rfind("\n", 0, start) + 1)
            tail = text.find("\n", end)
            cuts.append((head, tail + 1 if 0 <= tail < passage.end else passage.end, ""))
    return cuts


def _runs(covered: set[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for index in sorted(covered):
        if found and found[-1][1] == index:
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
    return found


def strip_events(
    path: str, data: bytes, matcher: Matcher, *, all_mentions: bool = False
) -> Stripped:
    """JSON lines with the statement taken out of every value that says it."""
    places: list[Place] = []
    statements: set[str] = set()
    out = []
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            happened = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            happened = None
        if not isinstance(happened, dict | list):
            out.append(line)
            continue
        found: list[tuple[bool, bool, str]] = []
        cleaned = without_statement(happened, matcher, all_mentions, found)
        for exact, removed, text in found:
            places.append(Place(path, number, number, "event", exact, removed, text))
            if removed:
                statements.add(key(tokens(text)))
        if cleaned != happened:
            text = json.dumps(cleaned, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            line = text.encode("utf-8", "surrogatepass")
        out.append(line)
    return Stripped(b"\n".join(out), tuple(places), frozenset(statements))


def without_statement(
    value: Any, matcher: Matcher, all_mentions: bool, found: list[tuple[bool, bool, str]]
) -> Any:
    """A JSON value of ours without the statement; `found` gets (exact, removed, text)."""
    if isinstance(value, dict):
        return {
            name: inner
            if name in _UNTOUCHED_KEYS
            else without_statement(inner, matcher, all_mentions, found)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [without_statement(inner, matcher, all_mentions, found) for inner in value]
    if not isinstance(value, str) or not value.strip():
        return value
    passage = passage_of_text(value)
    runs = matcher.runs(passage)
    if not runs:
        return value
    covered: set[int] = set()
    for run in runs:
        goes = run.exact or all_mentions or _tells(passage, run)
        found.append((run.exact, goes, value))
        if goes:
            covered |= set(range(*_extended(passage, run)))
    if len(covered) == len(passage.words):
        return GONE
    for start, end, _ in sorted(_cuts(value, passage, covered), reverse=True):
        value = value[:start] + value[end:]
    return value


def _look_only(path: str, data: bytes, matcher: Matcher) -> Stripped:
    """A file of settings: what it says is shown, nothing of it is changed."""
    document = Document.of_text(decode(data).text, whole=False)
    places = []
    for number, line in enumerate(document.lines, 1):
        passage = passage_of_text(line)
        places += [
            Place(path, number, number, "setting", False, False, line)
            for _ in matcher.runs(passage)[:1]
        ]
    return Stripped(data, tuple(places))


def _in_name(path: str, matcher: Matcher, all_mentions: bool) -> list[Place]:
    """A file whose name says it: a keyed memory goes with everything that mentions it."""
    if isinstance(matcher, Entry) or not path.endswith(".md"):
        return []
    name = path.removesuffix(".md").replace("/", " ").replace("-", " ").replace("_", " ")
    if not matcher.runs(passage_of_text(name)):
        return []
    goes = all_mentions and path.startswith("memories/")
    return [Place(path, 0, 0, "file name", False, goes, path)]
