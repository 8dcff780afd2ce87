"""What an engine is: text in, proposals out. No files, no git, no clock.

Two engines fulfil the protocol: `rules.RulesEngine` (offline, deterministic) and
`model.ModelEngine` (any OpenAI-compatible endpoint). Both only propose; the gates decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mnemofs.llm.message import Message as Message
from mnemofs.llm.message import Role as Role
from mnemofs.markdown.kinds import KINDS, StructuredKind

if TYPE_CHECKING:
    from mnemofs.llm.replies import Clean, Rejected

StructuredType = StructuredKind
STRUCTURED_TYPES = KINDS


@dataclass(frozen=True)
class ExtractionRequest:
    """A conversation to learn from, and what memory says already (Markdown; "" when absent)."""

    messages: tuple[Message, ...]
    today: date
    profile: str = ""
    memory: str = ""
    daily: str = ""


@dataclass(frozen=True)
class Extraction:
    """What one conversation adds.

    The `*_update` fields are whole new texts of a file (a model's way), `None` = leave it alone.
    The `*_entries` fields are single lines to add to it (the rules engine's way). An engine fills
    one kind per file, never both. `daily_entry` is a Markdown block to append to today's note.
    `structured` holds (type, key, content). `superseded` names standing lines of the given profile
    or memory, without bullet marker, that a new entry replaces; ignoring it loses nothing.
    """

    should_update: bool
    reason: str
    daily_entry: str | None = None
    memory_update: str | None = None
    profile_update: str | None = None
    structured: tuple[tuple[StructuredType, str, str], ...] = ()
    memory_entries: tuple[str, ...] = ()
    profile_entries: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()


@dataclass(frozen=True)
class DreamRequest:
    """Notes to consolidate as (path, text), newest first, and the memory file they may enter.

    `candidates` are entries to look at first as (path, text, score), best first. `room`: most
    characters that the memory file may have, 0 for no limit.
    """

    notes: tuple[tuple[str, str], ...]
    memory: str
    today: date
    topic: str | None = None
    candidates: tuple[tuple[str, str, float], ...] = ()
    room: int = 0


@dataclass(frozen=True)
class Dream:
    """What one consolidation proposes.

    Either `memory_content` is the whole new MEMORY.md (a model's way), or it is `None` and
    `promoted` are the lines to add to it (the rules engine's way). `rejected` says for each item
    that was looked at and left in the notes why: (text, reason). `superseded` names, for a promoted
    line, a standing line of the memory (without bullet marker) that it replaces: (old, new).
    `more_rejected` counts items that were turned down like these and are not listed.
    """

    should_update: bool
    reason: str
    memory_content: str | None = None
    promoted: tuple[str, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    superseded: tuple[tuple[str, str], ...] = ()
    more_rejected: int = 0


class Given(NamedTuple):
    """One structured entry as it stands. updated: None when it has no readable date."""

    key: str
    content: str
    updated: date | None = None


class Kept(NamedTuple):
    """One structured entry as it shall stand. merged_from: keys of the given entries that it takes
    the place of; () when it is one of them, as it was."""

    key: str
    content: str
    merged_from: tuple[str, ...] = ()


@dataclass(frozen=True)
class ConsolidateRequest:
    """The entries of one structured file that may be merged, in file order."""

    kind: StructuredType
    entries: tuple[Given, ...]
    today: date


@dataclass(frozen=True)
class Consolidated:
    """The entries that shall be left. What is neither among them nor cited was dropped."""

    should_update: bool
    entries: tuple[Kept, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class SoulRequest:
    """The agent's character file, and what it has learned since (Markdown; "" when absent)."""

    soul: str
    profile: str = ""
    memory: str = ""


@dataclass(frozen=True)
class Soul:
    """The whole new character file; None: it shall stay as it is."""

    text: str | None
    reason: str = ""


class Pair(NamedTuple):
    """Two statements about one thing, under an id of the caller's."""

    id: str
    a: str
    b: str


class Verdict(NamedTuple):
    """Whether the two statements of a pair cannot both be true."""

    id: str
    contradiction: bool
    reason: str = ""


@dataclass(frozen=True)
class JudgeRequest:
    """Pairs to judge. A difference of time or of scope is no contradiction."""

    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Judged:
    """Verdicts, at most one for each pair; a pair without one was not judged."""

    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class NudgeRequest:
    """The last messages of a running conversation, and the structured entries that stand already
    as (type, key, content)."""

    messages: tuple[Message, ...]
    known: tuple[tuple[StructuredType, str, str], ...] = ()


@dataclass(frozen=True)
class Nudge:
    """Structured entries that are new or changed, as (type, key, content)."""

    entries: tuple[tuple[StructuredType, str, str], ...] = ()


class Engine(Protocol):
    """A source of proposals.

    A reply that cannot be used is returned as `Rejected`. `ModelError` is raised only when there
    was no reply to read (endpoint down, key refused, rate limit that does not end).
    """

    @property
    def name(self) -> str:
        """The word "rules" or the model's name, for commit trailers and reports."""

    def extract(self, request: ExtractionRequest) -> Clean[Extraction] | Rejected:
        """What the conversation adds to memory."""

    def dream(self, request: DreamRequest) -> Clean[Dream] | Rejected:
        """What of the notes belongs into the memory file."""

    def consolidate(self, request: ConsolidateRequest) -> Clean[Consolidated] | Rejected:
        """Which entries say the same thing and can be one."""

    def soul(self, request: SoulRequest) -> Clean[Soul] | Rejected:
        """How the agent's character has grown. "unsupported" from an engine that cannot write."""

    def judge(self, request: JudgeRequest) -> Clean[Judged] | Rejected:
        """Which pairs contradict each other."""

    def nudge(self, request: NudgeRequest) -> Clean[Nudge] | Rejected:
        """The structured entries that a running conversation gives."""
