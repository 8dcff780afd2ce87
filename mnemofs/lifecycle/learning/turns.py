"""When a conversation is looked at, and why not. Pure; `turnbook` keeps what has to be kept.

What reads language is loaded by those who look: a host that spools a turn only asks `barred`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from mnemofs.lifecycle.labels import count, short_label
from mnemofs.lifecycle.learning.transcripts import Transcript
from mnemofs.llm.message import Message
from mnemofs.sections import ExtractionConfig

# Sources of conversations that nobody had: their text is our own or a job's (LLM-11).
MACHINE_TRIGGERS = frozenset({"cron", "system", "dream", "schedule", "hook-child"})
IMPORT = "import"


@dataclass(frozen=True)
class Turn:
    """A conversation at the end of a turn. new: its messages that were not looked at before."""

    transcript: Transcript
    new: tuple[Message, ...]
    trigger: str = ""

    def asks_to_remember(self) -> bool:
        """Whether the person asked to keep something in the new part."""
        from mnemofs.lifecycle.learning.requests import asks_to_remember

        return any(asks_to_remember(message.text) for message in self.new if message.role == "user")


def machine_made(trigger: str, config: ExtractionConfig) -> bool:
    """Whether nobody spoke in a conversation from this source."""
    return config.skip_cron and trigger.lower() in MACHINE_TRIGGERS  # LLM-11


def barred(turn: Turn, config: ExtractionConfig) -> str | None:
    """Why nothing may be learned from this turn whatever it says; None otherwise."""
    if not config.enabled:
        return "extraction is switched off"
    if machine_made(turn.trigger, config):
        return "cron/system source: nobody spoke"
    return None


def hindrance(turn: Turn, config: ExtractionConfig, cooling: timedelta | None) -> str | None:
    """Why this turn is not looked at, as a phrase for the report; None when it is.

    cooling: how long the owner's cooldown still lasts. An explicit request to remember overrides
    everything that `barred` does not name (mateclaw-contract §3.2). For an old conversation that
    is imported, neither the cooldown nor the state of its last answer matters.
    """
    if reason := barred(turn, config):
        return reason
    if turn.asks_to_remember():
        return None
    if turn.trigger == IMPORT:
        return _too_little(turn, config)
    return _too_little(turn, config) or _resting(cooling) or _not_worth_it(turn, config)


def _too_little(turn: Turn, config: ExtractionConfig) -> str | None:
    number = len(turn.transcript.messages)
    if number < config.min_messages:
        have = f"only {count(number, 'message')}" if number else "no message"
        return f"{have}, {config.min_messages} are needed"
    said = [message for message in turn.transcript.messages if message.role == "user"]
    if not said:
        return "no message of a person"
    length = len(said[-1].text)
    if length < config.min_user_chars:
        have = count(length, "character")
        return f"the newest message has only {have}, {config.min_user_chars} are needed"
    return None


def _resting(cooling: timedelta | None) -> str | None:
    if cooling is None:
        return None
    seconds = max(1, round(cooling.total_seconds()))
    return f"cooldown: {count(-(-seconds // 60), 'more minute')} since the last extraction"


def _not_worth_it(turn: Turn, config: ExtractionConfig) -> str | None:
    from mnemofs.lifecycle.learning.requests import is_incomplete, is_source_work

    if turn.transcript.finish:
        return f"the newest answer is incomplete ({short_label(turn.transcript.finish)})"
    answers = [message for message in turn.transcript.messages if message.role == "assistant"]
    if answers and is_incomplete(answers[-1].text):
        return "the newest answer is uncertain or failed"
    said = [message.text for message in turn.new if message.role == "user"]
    if said and is_source_work(said[-1]):
        others = [text for text in said[:-1] if len(text) >= config.min_user_chars]
        if all(is_source_work(text) for text in others):
            return "one-off work on code or logs"
    return None
