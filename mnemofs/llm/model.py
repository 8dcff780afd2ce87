"""The engine that asks a language model: prompts out, checked proposals back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, cast

from mnemofs.llm.engine import (
    STRUCTURED_TYPES,
    Dream,
    DreamRequest,
    Extraction,
    ExtractionRequest,
    Message,
    StructuredType,
)
from mnemofs.llm.placeholders import says_nothing
from mnemofs.llm.replies import Clean, Fields, Rejected, Reply, is_unicode, parse

_EXTRACTION = Fields(
    "should_update",
    {
        "should_update": "flag",
        "reason": "text",
        "daily_entry": "text",
        "memory_update": "document",
        "profile_update": "document",
        "structured_entries": "list",
    },
)
_DREAM = Fields(
    "should_update",
    {"should_update": "flag", "reason": "text", "memory_content": "document"},
)
_VARIABLE = re.compile(r"\{\{(\w+)\}\}")
_FRAME = re.compile(r"</(profile|memory|today|conversation|notes)\b", re.IGNORECASE)
_MESSAGE_LIMIT = 2000
_MAX_MESSAGES = 30
_MAX_REASON = 500
_MAX_KEY = 80


class Completer(Protocol):
    """What the engine needs of a client."""

    @property
    def model(self) -> str:
        """The model's name."""

    def complete(self, system: str, user: str) -> Reply:
        """One completion. Raises ModelError."""


@dataclass(frozen=True)
class ModelEngine:
    """Proposals from a model behind `client`. Every fault of the reply is a named `Rejected`."""

    client: Completer

    @property
    def name(self) -> str:
        return self.client.model

    def extract(self, request: ExtractionRequest) -> Clean[Extraction] | Rejected:
        """What the conversation adds, as whole new texts and entries. Raises ModelError."""
        user = fill(
            "extract-user",
            {
                "today": request.today.isoformat(),
                "profile": request.profile.strip() or "(empty)",
                "memory": request.memory.strip() or "(empty)",
                "daily": request.daily.strip() or "(empty)",
                "transcript": _unframed(transcript(request.messages)),
            },
        )
        found = parse(self.client.complete(fill("extract-system", {}), user), _EXTRACTION)
        if isinstance(found, Rejected):
            return found
        value = found.value
        structured = _structured(value["structured_entries"])
        texts = [_text(value[name]) for name in ("daily_entry", "memory_update", "profile_update")]
        if value["should_update"] and not structured and not any(texts):
            return Rejected("blank", "The reply holds only entries that cannot be used.")
        return Clean(
            Extraction(
                should_update=bool(value["should_update"]),
                reason=_reason(value["reason"]),
                daily_entry=texts[0],
                memory_update=texts[1],
                profile_update=texts[2],
                structured=structured,
            )
        )

    def dream(self, request: DreamRequest) -> Clean[Dream] | Rejected:
        """The whole new MEMORY.md from recent notes. Raises ModelError."""
        user = fill(
            "dream-user",
            {
                "today": request.today.isoformat(),
                "focus": _focus(request),
                "memory": request.memory.strip() or "(empty)",
                "notes": "\n\n".join(
                    f"### {path}\n\n{text.strip()}" for path, text in request.notes
                ),
            },
        )
        found = parse(self.client.complete(fill("dream-system", {}), user), _DREAM)
        if isinstance(found, Rejected):
            return found
        value = found.value
        return Clean(
            Dream(
                should_update=bool(value["should_update"]),
                reason=_reason(value["reason"]),
                memory_content=_text(value["memory_content"]),
            )
        )


def transcript(messages: Sequence[Message]) -> str:
    """The last messages as prompt text: long ones cut, blank ones left out."""
    said = [message for message in messages if message.text.strip()][-_MAX_MESSAGES:]
    parts = []
    for message in said:
        text = message.text.strip()
        if len(text) > _MESSAGE_LIMIT:
            text = text[:_MESSAGE_LIMIT].rstrip() + " [cut]"
        parts.append(f"{message.role.capitalize()}: {text}")
    return "\n\n".join(parts)


def fill(name: str, values: Mapping[str, str]) -> str:
    """A prompt with its {{variables}} filled in, in one pass: a value is never a template."""
    return _VARIABLE.sub(lambda match: values[match[1]], _prompt(name))


@cache
def _prompt(name: str) -> str:
    from importlib import resources

    file = resources.files("mnemofs.llm").joinpath("prompts", f"{name}.md")
    return file.read_text(encoding="utf-8").strip()


def _unframed(text: str) -> str:
    """Text that cannot close the frame it stands in."""
    return _FRAME.sub(r"<\\/\1", text)


def _focus(request: DreamRequest) -> str:
    parts = []
    if request.topic:
        parts.append(fill("dream-topic", {"topic": request.topic}))
    if request.candidates:
        listed = [
            f"### {name} (score={score:.2f})\n{preview.strip()}"
            for name, preview, score in request.candidates
        ]
        parts.append(fill("dream-candidates", {"candidates": "\n\n".join(listed)}))
    return "\n\n".join(parts)


def _structured(given: object) -> tuple[tuple[StructuredType, str, str], ...]:
    """The usable entries: one of unknown type, or with a blank or non-text part, is dropped."""
    found: list[tuple[StructuredType, str, str]] = []
    for item in given if isinstance(given, list) else ():
        if not isinstance(item, dict):
            continue
        kind, key, content = item.get("type"), item.get("key"), item.get("content")
        if not (isinstance(kind, str) and isinstance(key, str) and isinstance(content, str)):
            continue
        kind, key, content = kind.strip().lower(), " ".join(key.split()), content.strip()
        named = kind in STRUCTURED_TYPES and 0 < len(key) <= _MAX_KEY and is_unicode(key)
        if named and content and is_unicode(content) and not says_nothing(content):
            found.append((cast("StructuredType", kind), key, content))
    return tuple(found)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _reason(value: object) -> str:
    """The model's reason on one line, cut at 500 characters."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= _MAX_REASON else text[:_MAX_REASON].rstrip() + "..."
