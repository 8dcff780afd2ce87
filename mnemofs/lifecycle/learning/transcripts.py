"""Conversations in: what people and the assistant said, out of the files that hosts write.

Three forms are read: a JSON list of `{role, content}` (or an object that holds one under
`messages` and the like), the same objects one per line, and Claude Code's session log. Everything
a host puts around speech (tool traffic, hook output, queue operations, reminders, summaries) is
left out, because memory must never quote as "said" what was only injected.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from mnemofs.errors import NotFound, PermissionRefused, TranscriptError
from mnemofs.lifecycle.learning.speech import finish_of, instant, said_by_person, spoken
from mnemofs.llm.message import Message, Role

Format = Literal["messages", "lines", "claude-code"]
_ROLES: Mapping[str, Role] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant",
    "model": "assistant", "bot": "assistant", "gpt": "assistant",
}  # fmt: skip
_SILENT_ROLES = frozenset({"system", "developer", "tool", "function", "tool_result"})
# Items of a list of messages that are none, and say so.
_SILENT_TYPES = frozenset(
    {"reasoning", "function_call", "function_call_output", "custom_tool_call",
     "custom_tool_call_output", "web_search_call", "file_search_call", "item_reference"}
)  # fmt: skip
_IDS = ("conversation", "conversation_id", "conversationId", "session_id", "sessionId")
_OBJECT_IDS = (*_IDS, "uuid", "id")
_LISTS = (
    "messages", "chat_messages", "conversation", "conversations", "history", "turns", "contents",
    "input",
)  # fmt: skip
_TIMES = ("timestamp", "time", "created_at", "createdAt", "create_time", "date")
_SHOWN_FAULTS = 5


@dataclass(frozen=True)
class Transcript:
    """What was said, oldest first.

    conversation: the host's id of it, "" when the file names none. finish: how the newest
    assistant message ended, lower case, "" when unknown ("length", "interrupted", "error", ...).
    warnings: what could not be read, by line or message number, without its text.
    """

    messages: tuple[Message, ...]
    conversation: str = ""
    format: Format = "messages"
    finish: str = ""
    warnings: tuple[str, ...] = ()


def read(source: str | os.PathLike[str] | bytes, *, zone: tzinfo = UTC) -> Transcript:
    """The transcript in a file (a path) or in its bytes; times without zone are in `zone`.

    Raises NotFound or PermissionRefused for the file, TranscriptError (with a line number) when
    nothing in it has a known form.
    """
    if isinstance(source, bytes):
        return parse(source, zone=zone)
    name = os.fspath(source)
    try:
        with open(name, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise NotFound(f"there is no file {name}", path=name) from None
    except PermissionError:
        raise PermissionRefused(f"{name} cannot be read: no permission", path=name) from None
    except IsADirectoryError:
        raise TranscriptError(f"{name} is a folder, not a conversation", path=name) from None
    return parse(data, name=name, zone=zone)


def parse(data: bytes, *, name: str = "the transcript", zone: tzinfo = UTC) -> Transcript:
    """`read` for bytes; `name` is used in errors only."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _unknown(name, line, "is not UTF-8 text") from None
    if not text.strip():
        return Transcript((), warnings=(f"{name} is empty",))
    try:
        whole = json.loads(text)
    except ValueError as error:
        fault = error
    except RecursionError:
        raise _unknown(name, 1, "is nested too deeply") from None
    else:
        return _from_document(whole, name, zone)
    return _from_lines(text, name, zone, fault)


def from_messages(
    messages: Iterable[Mapping[str, Any]], *, conversation: str = "", zone: tzinfo = UTC
) -> Transcript:
    """The transcript of messages a host hands over in memory, as `{role, content, ...}` mappings.

    Raises TranscriptError when there are messages and not one of them has a known form.
    """
    name = "the message list"
    try:
        found = list(messages)
    except TypeError:
        raise _unknown(name, 1, "is no list") from None
    return _from_list(found, name, zone, conversation)


def _from_document(whole: Any, name: str, zone: tzinfo) -> Transcript:
    if isinstance(whole, list):
        if whole and all(_is_log_record(item) for item in whole):
            return _from_log(list(enumerate(whole, 1)), zone)
        return _from_list(whole, name, zone, "")
    if isinstance(whole, dict):
        for key in _LISTS:
            if isinstance(whole.get(key), list):
                return _from_list(whole[key], name, zone, _conversation_id(whole, _OBJECT_IDS))
        if _is_log_record(whole):
            return _from_log([(1, whole)], zone)
        if _role(whole) is not None:
            return _from_list([whole], name, zone, "")
    raise _unknown(name, 1, "holds no messages")


def _from_lines(text: str, name: str, zone: tzinfo, fault: ValueError) -> Transcript:
    records: list[tuple[int, Any]] = []
    any_json = False
    # Only \n ends a line: JSON strings may hold U+2028 and friends as they are.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        any_json = any_json or record is not None
        records.append((number, record))
    if any(_is_log_record(record) for _, record in records):
        return _from_log(records, zone)
    if not any(isinstance(record, dict) and _role(record) for _, record in records):
        # One broken document is at fault where its parser stopped; lines, where the first one is.
        stopped = fault.lineno if isinstance(fault, json.JSONDecodeError) else 1
        raise _unknown(name, records[0][0] if any_json else stopped, "is no conversation")
    return _from_items(records, zone, "", "lines", "line")


def _from_list(items: Sequence[Any], name: str, zone: tzinfo, conversation: str) -> Transcript:
    if items and not any(isinstance(item, Mapping) and _role(item) is not None for item in items):
        raise _unknown(name, 1, "holds no message with a role")
    return _from_items(list(enumerate(items, 1)), zone, conversation, "messages", "message")


def _from_items(
    items: Sequence[tuple[int, Any]], zone: tzinfo, conversation: str, form: Format, unit: str
) -> Transcript:
    messages: list[Message] = []
    faults: list[str] = []
    finish = ""
    for number, item in items:
        role = _role(item) if isinstance(item, Mapping) else None
        if role is None:
            if not (isinstance(item, Mapping) and str(item.get("type")) in _SILENT_TYPES):
                faults.append(f"{unit} {number}")
            continue
        conversation = conversation or _conversation_id(item)
        if role in _SILENT_ROLES:
            continue
        text = spoken(_content(item))
        if text is None:
            faults.append(f"{unit} {number}")
            continue
        speaker = _ROLES[role]
        if speaker == "user":
            text, interrupted = said_by_person(text)
            finish = "interrupted" if interrupted else finish
        else:
            finish = finish_of(item)
        if text.strip():
            messages.append(Message(speaker, text.strip(), _time(item, zone)))
    return Transcript(tuple(messages), conversation, form, finish, _named(faults))


def _from_log(records: Sequence[tuple[int, Any]], zone: tzinfo) -> Transcript:
    """A Claude Code session log; see `_log_speech` for what counts as said."""
    messages: list[Message] = []
    faults: list[str] = []
    conversation = finish = ""
    seen: set[str] = set()
    open_id = ""
    for number, record in records:
        if not isinstance(record, dict):
            faults.append(f"line {number}")
            continue
        conversation = conversation or _conversation_id(record)
        identity = record.get("uuid")
        if isinstance(identity, str):
            if identity in seen:  # a resumed session repeats lines of the one it continues
                continue
            seen.add(identity)
        if record.get("type") == "user" or _queued(record):
            open_id = ""
        for role, text, end in _log_speech(record, number, faults):
            finish = end if end is not None else finish
            if not text:
                continue
            message_id = _message_id(record) if role == "assistant" else ""
            spoken_at = _time(record, zone)
            if message_id and message_id == open_id and messages[-1].role == "assistant":
                messages[-1] = _joined(messages[-1], text)
            elif not (role == "user" and _queued(record) and _repeats(messages, text)):
                messages.append(Message(role, text, spoken_at))
            open_id = message_id
    return Transcript(tuple(messages), conversation, "claude-code", finish, _named(faults))


def _log_speech(
    record: Mapping[str, Any], number: int, faults: list[str]
) -> Iterator[tuple[Role, str, str | None]]:
    """(role, text or "", how it ended or None) of one log record; nothing for what is not speech.

    Left out: side chains (sub-agents), meta lines, compaction summaries, tool traffic, system
    lines, hook attachments, queue operations, API error notices.
    """
    if any(record.get(flag) is True for flag in ("isSidechain", "isMeta", "isCompactSummary")):
        return
    if record.get("isVisibleInTranscriptOnly") is True:
        return
    kind = record.get("type")
    if _queued(record):
        message: Any = {"role": "user", "content": record["attachment"].get("prompt")}
    elif kind in ("user", "assistant", "message"):
        message = record.get("message")
    else:
        message = record if kind is None else {"role": "system"}
    role = _role(message) if isinstance(message, Mapping) else None
    text = spoken(_content(message)) if role is not None else None
    if role is None or text is None:
        faults.append(f"line {number}")
        return
    if role in _SILENT_ROLES:
        return
    speaker = _ROLES[role]
    if speaker == "user":
        text, interrupted = said_by_person(text)
        # Beside a tool's answer stands only what the host wrote.
        tool_answer = record.get("toolUseResult") is not None
        yield speaker, "" if tool_answer else text, "interrupted" if interrupted else None
    elif record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
        yield speaker, "", "error"
    else:
        yield speaker, text.strip(), finish_of(message)


def _is_log_record(item: Any) -> bool:
    """Whether this is a line of a session log (of whatever kind) and not a plain message."""
    return (
        isinstance(item, Mapping)
        and isinstance(item.get("type"), str)
        and "role" not in item
        and any(key in item for key in ("sessionId", "uuid", "parentUuid", "leafUuid", "message"))
    )


def _queued(record: Mapping[str, Any]) -> bool:
    # What a person typed while the agent worked stands only in such an attachment.
    attachment = record.get("attachment")
    return (
        record.get("type") == "attachment"
        and isinstance(attachment, Mapping)
        and attachment.get("type") == "queued_command"
        and attachment.get("commandMode", "prompt") == "prompt"
    )


def _repeats(messages: Sequence[Message], text: str) -> bool:
    return bool(messages) and messages[-1].role == "user" and messages[-1].text == text


def _message_id(record: Mapping[str, Any]) -> str:
    message = record.get("message")
    found = message.get("id") if isinstance(message, Mapping) else None
    return found if isinstance(found, str) else ""


def _joined(earlier: Message, text: str) -> Message:
    # A streamed message comes block by block, or as ever longer copies of itself.
    if text.startswith(earlier.text):
        return Message(earlier.role, text, earlier.time)
    if earlier.text.endswith(text):
        return earlier
    return Message(earlier.role, f"{earlier.text}\n\n{text}", earlier.time)


def _role(item: Mapping[str, Any]) -> str | None:
    for key in ("role", "sender", "author", "from"):
        value = item.get(key)
        if isinstance(value, Mapping):
            value = value.get("role")
        if isinstance(value, str) and (value := value.lower()) in _ROLES.keys() | _SILENT_ROLES:
            return value
    return None


def _content(item: Mapping[str, Any]) -> Any:
    for key in ("content", "text", "message", "parts", "value"):
        if item.get(key):
            return item[key]
    return item.get("content", "")


def _conversation_id(item: Mapping[str, Any], keys: Sequence[str] = _IDS) -> str:
    for key in keys:
        value = item.get(key)
        if isinstance(value, str) and value.strip():
            return spoken(value.strip()) or ""
    return ""


def _time(item: Mapping[str, Any], zone: tzinfo) -> datetime | None:
    return next((found for key in _TIMES if (found := instant(item.get(key), zone))), None)


def _named(faults: Sequence[str]) -> tuple[str, ...]:
    if not faults:
        return ()
    shown = ", ".join(faults[:_SHOWN_FAULTS])
    more = f" and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else ""
    noun = "part" if len(faults) == 1 else "parts"
    return (f"left out {len(faults)} unreadable {noun} of the transcript: {shown}{more}",)


def _unknown(name: str, line: int, what: str) -> TranscriptError:
    return TranscriptError(
        f"{name} {what} (line {line})",
        hint="a conversation is a JSON list of {role, content}, one such object per line,"
        " or a Claude Code session log",
        path=name,
    )
