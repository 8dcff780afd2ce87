"""A conversation that a host hands over, and what came of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mnemofs.digests import blake2b
from mnemofs.secrets import mask

if TYPE_CHECKING:
    from datetime import datetime

    from mnemofs.lifecycle.learning.extraction import ExtractionReport
    from mnemofs.lifecycle.learning.nudge import NudgeReport
    from mnemofs.lifecycle.learning.transcripts import Transcript

# The code of a report that says "later": nothing is wrong, and nothing was looked at.
BUSY = "busy"
_LONGEST_NAME = 200
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True)
class Heard:
    """A conversation as it was handed over when a turn of it ended.

    at: when that was, aware. trigger: "web", "channel", "cron", ...; "import" for an old one.
    prints: fingerprints of the messages if these are not the messages as they were said.
    """

    transcript: Transcript
    at: datetime
    conversation: str = ""
    trigger: str = ""
    channel: str = ""
    title: str = ""
    prints: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The conversation's name, as `safe_name`."""
        return safe_name(self.conversation) or name_of(self.transcript)


@dataclass(frozen=True)
class TurnReport:
    """What came of a turn. status, reason, commit are those of the extraction, or "queued" when it
    waits in the spool. nudge: None when it was not its time."""

    status: str
    reason: str
    conversation: str
    extraction: ExtractionReport | None = None
    nudge: NudgeReport | None = None
    warnings: tuple[str, ...] = ()

    @property
    def commit(self) -> str | None:
        """The commit of the extraction."""
        return self.extraction.commit if self.extraction else None

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "status": self.status,
            "reason": self.reason,
            "commit": self.commit,
            "conversation": self.conversation,
            "extraction": self.extraction.as_dict() if self.extraction else None,
            "nudge": self.nudge.as_dict() if self.nudge else None,
            "warnings": list(self.warnings),
        }


def name_of(transcript: Transcript) -> str:
    """The name of a conversation: the host's, or one that stays the same while it grows."""
    if name := safe_name(transcript.conversation):
        return name
    first = transcript.messages[:1]
    digest = blake2b("".join(message.text for message in first).encode(), digest_size=4)
    return f"chat-{digest.hexdigest()}"


def safe_name(name: str) -> str:
    """A host's name for a conversation as it may be kept: ordinary names stay as they are. Of one
    that is long, cannot be written or holds a secret (SEC-07), the rest and a digest of it all,
    which is an ordinary name."""
    kept = mask(_UNPRINTABLE.sub("?", name[: 20 * _LONGEST_NAME]))[0]
    if kept == name and len(name) <= _LONGEST_NAME:
        return name.strip()
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"{kept[: _LONGEST_NAME - len(digest) - 1]}-{digest}".strip()
