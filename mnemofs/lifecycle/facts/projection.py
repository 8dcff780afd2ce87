"""Facts: what the entries of a file state, as subject, predicate and object. Pure.

Read are `structured/*.md`, MEMORY.md and PROFILE.md: bullets `- **key**: value`, `key: value` lines
and bullets, structured entries, and sentences whose meaning is plain (`facts_said`). A fact is a
projection: the entry is the truth, and the fact goes when the entry goes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from mnemofs.errors import UnreadableText
from mnemofs.lifecycle.facts.said import (
    ALWAYS,
    MANY,
    USER,
    Said,
    of_pair,
    of_sentence,
    sentences,
)
from mnemofs.lifecycle.facts.values import plain, size_of, tokens_of
from mnemofs.lifecycle.facts.words import PLAIN_HEADINGS
from mnemofs.markdown.entries import (
    MARKER,
    Entry,
    all_entries,
    item_text,
    parse_structured,
    stamped,
)

FILES: Final = ("MEMORY.md", "PROFILE.md")
FOLDER: Final = "structured"
_CATEGORIES: Final = ("user", "project", "reference", "feedback")
_BOLD_KEY: Final = re.compile(
    r"\*\*(?P<key>[^*\n]{1,60}?)(?:[:：]\*\*|\*\*[ \t]*[:：])[ \t]*(?P<value>\S.*)$"
)
_PLAIN_KEY: Final = re.compile(
    r"(?P<key>[^\W\d][\w .'-]{0,39}?)(?::[ \t]+|：[ \t]*)(?P<value>\S.*)$"
)
_NOT_A_KEY: Final = re.compile(
    r"^https?$|^\d+$|[我你请帮]|ください|\b(?:i|ich|je|yo|we|please|bitte|por favor|for|from|this"
    r"|that|wrote|said|says|asked|sagte?|schrieb|dit|écrit|dijo|escribió|für|para|pour|remember|note"
    r"|translate)\b",
    re.IGNORECASE,
)
# What somebody said, or a sentence: its key is no name of a value.
_NOT_A_VALUE: Final = re.compile(
    r"[\"'“„«「『‘]|(?:i|i'm|i've|we|my|ich|wir|mein\w*|je|j'\w+|nous|mon|ma|yo|mi|vivo|always|never"
    r"|please)\b|[我请]|私",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(rb"(?m)^# +(.*?)[ \t]*\r?$")
_PAST: Final = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:until|former|old|archive\w*|past|previous|history|examples?|drafts?"
    r"|früher|alt|bis|antes|anterior|ancien|avant|passé)\b|以前|过去|历史|例",
    re.IGNORECASE,
)

# A title with one of these is the file's own.
_WHOLE: Final = frozenset(
    ("memory", "profile", "gedächtnis", "profil", "memoria", "perfil", "mémoire")
)


class Projected(NamedTuple):
    """A fact where it stands. id: see `fact_id`. statement: the words that state it, as written in
    the file (a part of lines `line` to `last_line`, 1-based). entry: the entry's normal form. day:
    "2026-05-01" or "2026-05-01 09:30" when the entry says when, else "". key: of a structured
    entry."""

    id: str
    said: Said
    statement: str
    section: tuple[str, ...]
    line: int
    last_line: int
    entry: str
    day: str = ""
    source: str = ""
    key: str = ""


class Stated(NamedTuple):
    """An entry to read facts from. when: date and source, of a structured entry. titles: the
    headings above it, without the title of the file. mark: a hash of all that its facts depend on
    but its lines; twins in a file have different ones."""

    entry: Entry
    when: tuple[str, str]
    titles: tuple[str, ...]
    mark: str


@dataclass(frozen=True)
class Place:
    """Where a fact stands, and what is known of who wrote it there. commit: "" for a hand edit
    that is in no commit yet."""

    path: str
    line: int
    last_line: int
    statement: str
    key: str = ""
    commit: str = ""
    time: datetime | None = None
    actor: str = ""
    source: str = ""
    trust: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "path": self.path,
            "line": self.line,
            "last_line": self.last_line,
            "statement": self.statement,
            "commit": self.commit,
            "time": self.time.isoformat() if self.time else None,
            "actor": self.actor,
            "source": self.source,
            "trust": self.trust,
        }


@dataclass(frozen=True)
class Fact:
    """One fact as a reader sees it.

    trust: from 0 to 1, now; base: before feedback and age. since: when it was last stated or
    confirmed. scope, owner: whose memory it is from. places: everywhere it stands.
    """

    id: str
    subject: str
    predicate: str
    object: str
    negative: bool
    category: str
    scope: str
    owner: str
    trust: float
    base: float
    since: datetime | None
    helpful: int
    unhelpful: int
    uses: int
    last_used: datetime | None
    places: tuple[Place, ...]

    @property
    def text(self) -> str:
        """`subject predicate object` on one line."""
        return triple(self.subject, self.predicate, self.object, self.negative)

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        first = self.places[0]
        return {
            "id": self.id,
            "subject": self.subject,
            "predicate": self.predicate,
            "object": self.object,
            "negative": self.negative,
            "category": self.category,
            "scope": self.scope,
            "owner": self.owner,
            "trust": round(self.trust, 4),
            "base": self.base,
            "since": self.since.isoformat() if self.since else None,
            "feedback": {"helpful": self.helpful, "unhelpful": self.unhelpful},
            "uses": self.uses,
            "last_used": self.last_used.isoformat() if self.last_used else None,
            "path": first.path,
            "line": first.line,
            "commit": first.commit,
            "places": [place.as_dict() for place in self.places],
        }


_SIBILANT = ("ches", "shes", "sses", "xes", "oes")


def triple(subject: str, predicate: str, value: str, negative: bool) -> str:
    """A fact as one line of text."""
    if not negative:
        return f"{subject} {predicate} {value}"
    verb, gap, rest = predicate.partition(" ")
    if verb == "is":
        return f"{subject} is not{gap}{rest} {value}"
    if not (verb.isascii() and verb.endswith("s")):
        return f"{subject} not {predicate} {value}"
    # Most predicates are English verbs, whatever language the entry is in.
    plain = "have" if verb == "has" else verb[:-2] if verb.endswith(_SIBILANT) else verb[:-1]
    return f"{subject} does not {plain}{gap}{rest} {value}"


def category_of(path: str) -> str:
    """What kind of memory a file holds (mateclaw-contract §7)."""
    name = path.rsplit("/", 1)[-1].casefold()
    if name == "profile.md":
        return "user_pref"
    found = next((one for one in _CATEGORIES if one in name), "general")
    return "user_pref" if found == "user" else found


def fact_id(label: str, said: Said) -> str:
    """12 hex digits: the same wherever in a store the fact stands, on every machine. label: the
    store (`facts_book.store_label`)."""
    parts = (
        label,
        " ".join(sorted(tokens_of(said.subject.replace("_", " ")))) or said.subject.casefold(),
        said.predicate.casefold(),
        " ".join(sorted(tokens_of(said.object))) or said.object.casefold(),
        "not" if said.negative else "",
    )
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()


def pair_of(statement: str) -> tuple[str, str] | None:
    """Key and value of a line that is a pair; a bold key may be anything."""
    match = _BOLD_KEY.match(statement)
    if match is None:
        match = _PLAIN_KEY.match(statement)
        if match is None or _NOT_A_KEY.search(match["key"]) or len(match["key"].split()) > 3:
            return None
        if _NOT_A_VALUE.match(match["value"]):
            return None
    return match["key"].strip(), match["value"].strip()


def project(path: str, data: bytes, label: str) -> tuple[Projected, ...]:
    """The facts of one file in order; none of a file that is no text."""
    return tuple(
        fact for one in stated_entries(path, data) for fact in project_entry(path, one, label)
    )


def stated_entries(path: str, data: bytes) -> tuple[Stated, ...]:
    """The entries of a file that facts are read from; none of a file that is no text."""
    try:
        entries = all_entries(data, path)
    except UnreadableText:
        return ()
    dates = {}
    if path.startswith(f"{FOLDER}/"):
        dates = {
            one.key: (one.updated.isoformat() if one.updated else "", one.source)
            for one in parse_structured(data)
        }
    found = []
    twins: dict[bytes, int] = {}
    whole = {one.decode("utf-8", "replace") for one in _TITLE.findall(data)}
    for entry in entries:
        when = dates.get(entry.key, ("", "")) if entry.kind == "structured" else ("", "")
        titles = entry.section[1:] if whole == {*entry.section[:1]} else entry.section
        parts = (entry.kind, entry.key, *entry.section, f"{len(titles)}", entry.text, *when)
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        twins[text] = number = twins.get(text, -1) + 1
        mark = hashlib.blake2b(b"%d\0%s" % (number, text), digest_size=8).hexdigest()
        found.append(Stated(entry, when, titles, mark))
    return tuple(found)


def project_entry(path: str, stated: Stated, label: str) -> Iterator[Projected]:
    """The facts of one entry in order."""
    entry = stated.entry
    structured = entry.kind == "structured"
    of_one = _structured(path, entry, stated.when) if structured else _of_entry(path, entry)
    for said, statement, stamp in of_one:
        limit = _heading_limit(said, stated.titles, path)
        if limit:
            said = said._replace(limit=f"{limit} {said.limit}".strip())
        yield Projected(
            fact_id(label, said),
            said,
            statement,
            entry.section,
            entry.line,
            entry.last_line,
            entry.normal,
            stamp[0],
            stamp[1],
            entry.key if structured else "",
        )


_Found = tuple[Said, str, tuple[str, str]]


def _of_entry(path: str, entry: Entry) -> Iterator[_Found]:
    about = USER if category_of(path) == "user_pref" or path == "MEMORY.md" else ""
    if entry.kind == "pair":
        value = entry.text.partition(":")[2].strip()
        yield from _given(of_pair(entry.key, value, about=about), entry.text.strip(), ("", ""))
    elif entry.kind in ("bullet", "paragraph"):
        text = item_text(entry.text.split("\n"))
        stamp = stamped(text)
        when = (" ".join(filter(None, (stamp.day, stamp.time))), stamp.source)
        statement = " ".join(stamp.statement.split())
        pair = pair_of(statement)
        if pair is not None:
            yield from _given(of_pair(*pair, about=about), statement, when)
            return
        for sentence in sentences(statement):
            yield from _given(of_sentence(sentence), sentence, when)


def _structured(path: str, entry: Entry, when: tuple[str, str]) -> Iterator[_Found]:
    """`key has <first line>`, and the pairs and sentences of its own lines."""
    about = USER if category_of(path) == "user_pref" else ""
    lines = [line.strip() for line in entry.text.split("\n") if line.strip()]
    first = next((plain(_unmarked(line)) for line in lines), "")
    if first:
        said = of_pair(entry.key, first, about=about)
        if said is not None:
            if category_of(path) != "user_pref" and len(_words(entry.key)) < 2:
                said = said._replace(limit=path)  # "status" of what?
            # Many words are a description: nothing to compare.
            single = ALWAYS if len(lines) == 1 and size_of(first) <= 6 else MANY
            said = said._replace(predicate="has", single=min(said.single, single))
            yield said, first, when
    for line in lines if len(lines) > 1 else ():
        statement = stamped(_unmarked(line)).statement
        pair = pair_of(statement) if MARKER.match(line) else None
        if pair is not None:
            yield from _given(of_pair(*pair, about=about), statement, when)


def _given(said: Said | None, statement: str, when: tuple[str, str]) -> Iterable[_Found]:
    return [(said, statement, when)] if said is not None else []


def _words(key: str) -> list[str]:
    return key.replace("_", " ").replace("-", " ").split()


def _unmarked(line: str) -> str:
    marker = MARKER.match(line)
    return line[marker.end() :] if marker else line


def _heading_limit(said: Said, section: tuple[str, ...], path: str) -> str:
    """What the headings above say about when or where: nothing for "Facts" and its kin, and for a
    statement that names its subject itself, unless they speak of another time."""
    if path.startswith("structured/"):
        return ""
    limits = []
    for title in section:
        words = " ".join(plain(title).casefold().split())
        whole = words in PLAIN_HEADINGS or not _WHOLE.isdisjoint(words.split())
        if _PAST.search(words) or (said.predicate == "is" and not whole):
            limits.append(" ".join(sorted(tokens_of(words))) or words)
    return " ".join(limits)
