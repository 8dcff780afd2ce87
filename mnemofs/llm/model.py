"""The engine that asks a language model: prompts out, checked proposals back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Protocol, cast

from mnemofs.llm.engine import (
    STRUCTURED_TYPES,
    Consolidated,
    ConsolidateRequest,
    Dream,
    DreamRequest,
    Extraction,
    ExtractionRequest,
    Judged,
    JudgeRequest,
    Kept,
    Message,
    Nudge,
    NudgeRequest,
    Soul,
    SoulRequest,
    StructuredType,
    Verdict,
)
from mnemofs.llm.placeholders import elided, says_nothing
from mnemofs.llm.replies import Clean, Fields, Rejected, Reply, document, is_unicode, parse

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
    {
        "should_update": "flag",
        "reason": "text",
        "memory_content": "document",
        "rejected": "list",
    },
)
_CONSOLIDATION = Fields(
    "should_update",
    {"should_update": "flag", "entries": "list", "reason": "text"},
)
_SOUL = Fields(
    "should_update",
    {"should_update": "flag", "soul_content": "document", "reason": "text"},
)
_JUDGEMENT = Fields("", {"verdicts": "list"}, bare="verdicts")
_NUDGE = Fields(
    "should_update",
    {"should_update": "flag", "entries": "list", "reason": "text"},
    bare="entries",
)
_VARIABLE = re.compile(r"\{\{(\w+)\}\}")
_FRAME = re.compile(
    r"</(profile|memory|today|conversation|notes|entries|soul|pairs)\b", re.IGNORECASE
)
_MESSAGE_LIMIT = 2000
_MAX_MESSAGES = 30
_MAX_REASON = 500
_MAX_KEY = 80
_MAX_CONTENT = 4000
_MAX_ENTRIES = 100  # of one conversation
_NO_LIMIT = 1_000_000  # characters: what a model is told where no limit is set


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
                "number": str(request.room or _NO_LIMIT),
                "notes": _unframed(
                    "\n\n".join(f"### {path}\n\n{text.strip()}" for path, text in request.notes)
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
                rejected=_turned_down(value["rejected"], request),
            )
        )

    def consolidate(self, request: ConsolidateRequest) -> Clean[Consolidated] | Rejected:
        """Which entries are one. Raises ModelError."""
        user = fill(
            "consolidate-user",
            {
                "today": request.today.isoformat(),
                "kind": request.kind,
                "number": str(len(request.entries)),
                "entries": _unframed("\n".join(_given(*entry) for entry in request.entries)),
            },
        )
        reply = self.client.complete(fill("consolidate-system", {}), user)
        found = parse(reply, _CONSOLIDATION)
        if isinstance(found, Rejected):
            return found
        reason = _reason(found.value["reason"])
        if not found.value["should_update"]:
            return Clean(Consolidated(False, (), reason))
        entries = _kept(found.value["entries"])
        if isinstance(entries, Rejected):
            return entries
        return Clean(Consolidated(True, entries, reason))

    def soul(self, request: SoulRequest) -> Clean[Soul] | Rejected:
        """The whole new SOUL.md, in a JSON object or as the file itself. Raises ModelError."""
        texts = {"soul": request.soul, "profile": request.profile, "memory": request.memory}
        shown = {name: _unframed(text.strip()) or "(empty)" for name, text in texts.items()}
        reply = self.client.complete(fill("soul-system", {}), fill("soul-user", shown))
        found = parse(reply, _SOUL)
        if isinstance(found, Clean):
            reason = _reason(found.value["reason"])
            return Clean(Soul(_text(found.value["soul_content"]), reason))
        if found.code != "not_json":
            return found
        file = document(reply)
        return file if isinstance(file, Rejected) else Clean(Soul(file.value))

    def judge(self, request: JudgeRequest) -> Clean[Judged] | Rejected:
        """A verdict for each pair that the model judged. Raises ModelError."""
        listed = [{"id": pair.id, "a": pair.a, "b": pair.b} for pair in request.pairs]
        lines = "\n".join(json.dumps(pair, ensure_ascii=False) for pair in listed)
        user = fill("judge-user", {"pairs": _unframed(lines)})
        found = parse(self.client.complete(fill("judge-system", {}), user), _JUDGEMENT)
        if isinstance(found, Rejected):
            return found
        verdicts = _verdicts(found.value["verdicts"], {pair.id for pair in request.pairs})
        if not verdicts:
            return Rejected("blank", "The reply holds no verdict that can be used.")
        return Clean(Judged(verdicts))

    def nudge(self, request: NudgeRequest) -> Clean[Nudge] | Rejected:
        """The usable entries that the model saw. Raises ModelError."""
        known = "\n".join(
            json.dumps({"type": kind, "key": key, "content": content}, ensure_ascii=False)
            for kind, key, content in request.known
        )
        user = fill(
            "nudge-user",
            {
                "known": _unframed(known) or "(none)",
                "transcript": _unframed(transcript(request.messages)),
            },
        )
        found = parse(self.client.complete(fill("nudge-system", {}), user), _NUDGE)
        if isinstance(found, Rejected):
            return found
        entries = _structured(found.value["entries"])
        if found.value["should_update"] and not entries:
            return Rejected("blank", "The reply holds only entries that cannot be used.")
        return Clean(Nudge(entries))


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
            f"{number}. {_unframed(preview.strip())} [{name}] (score={score:.2f})"
            for number, (name, preview, score) in enumerate(request.candidates, 1)
        ]
        parts.append(fill("dream-candidates", {"candidates": "\n".join(listed)}))
    return "\n\n".join(parts)


def _turned_down(given: object, request: DreamRequest) -> tuple[tuple[str, str], ...]:
    """The candidates that the model says it left, with its reasons; other items are dropped."""
    found: dict[int, str] = {}
    for item in given if isinstance(given, list) else ():
        number = item.get("candidate") if isinstance(item, dict) else None
        if isinstance(number, str) and number.strip().isdecimal():
            number = int(number)
        reason = item.get("reason") if isinstance(item, dict) else None
        if not isinstance(number, int) or not 0 < number <= len(request.candidates):
            continue
        if isinstance(reason, str) and is_unicode(reason) and reason.strip():
            found[number] = _reason(reason)
    return tuple((request.candidates[number - 1][1], why) for number, why in found.items())


def _structured(given: object) -> tuple[tuple[StructuredType, str, str], ...]:
    """The usable entries: one of unknown type, or with a blank, overlong or non-text part, is
    dropped, and all of a flood of them."""
    found: list[tuple[StructuredType, str, str]] = []
    for item in given if isinstance(given, list) else ():
        if not isinstance(item, dict):
            continue
        kind, key, content = item.get("type"), item.get("key"), item.get("content")
        if not (isinstance(kind, str) and isinstance(key, str) and isinstance(content, str)):
            continue
        kind, key, content = kind.strip().lower(), " ".join(key.split()), content.strip()
        named = kind in STRUCTURED_TYPES and 0 < len(key) <= _MAX_KEY and is_unicode(key)
        usable = 0 < len(content) <= _MAX_CONTENT and is_unicode(content)
        if named and usable and not says_nothing(content):
            found.append((cast("StructuredType", kind), key, content))
    return tuple(found) if len(found) <= _MAX_ENTRIES else ()


def _given(key: str, content: str, updated: date | None) -> str:
    entry = {"key": key, "content": content, "updated": updated.isoformat() if updated else None}
    return json.dumps(entry, ensure_ascii=False)


def _kept(given: object) -> tuple[Kept, ...] | Rejected:
    """All entries, or why not: a list that replaces a file is used whole or not at all."""
    found: list[Kept] = []
    for item in given if isinstance(given, list) else ():
        item = item if isinstance(item, dict) else {}
        key, content, sources = item.get("key"), item.get("content"), item.get("merged_from")
        sources = [sources] if isinstance(sources, str) else sources or []
        if not isinstance(key, str) or not isinstance(content, str):
            return Rejected("wrong_type", "An entry in the reply has no key or no content.")
        if not isinstance(sources, list) or not all(isinstance(one, str) for one in sources):
            return Rejected("wrong_type", 'The field "merged_from" should be an array of keys.')
        key, content = " ".join(key.split()), content.strip()
        if not all(map(is_unicode, (key, content, *sources))):
            return Rejected("wrong_type", "An entry in the reply holds broken Unicode.")
        if not key or not content:
            return Rejected("blank", "An entry in the reply is blank.")
        if says_nothing(content) or elided(content):
            return Rejected("placeholder", "An entry in the reply leaves its text out.")
        found.append(Kept(key, content, tuple(" ".join(one.split()) for one in sources)))
    return tuple(found)


def _verdicts(given: object, asked: set[str]) -> tuple[Verdict, ...]:
    """The usable verdicts, the first for each pair that was asked about."""
    found: dict[str, Verdict] = {}
    for item in given if isinstance(given, list) else ():
        if not isinstance(item, dict):
            continue
        name, ruled = item.get("id"), item.get("contradiction", item.get("isContradiction"))
        name = str(name) if isinstance(name, str | int) and not isinstance(name, bool) else ""
        if name in asked and isinstance(ruled, bool) and name not in found:
            found[name] = Verdict(name, ruled, _reason(item.get("reason")))
    return tuple(found.values())


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _reason(value: object) -> str:
    """The model's reason on one line, cut at 500 characters."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= _MAX_REASON else text[:_MAX_REASON].rstrip() + "..."
