"""A model's arguments: whatever it sends ends as typed values or as one sentence. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from mnemofs.errors import UsageError
from mnemofs.tools.schemas import AGENT, Param, Tool

MAX_TEXT: Final = 1 << 20
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0", ""})

Values = dict[str, str | int | bool | None]


def parse(tool: Tool, given: str | Mapping[str, Any]) -> tuple[str, Values]:
    """The agent id that was sent, and the other arguments by name, defaults filled in.

    Numbers and booleans may come as strings; what the tool does not know is passed over. Raises
    UsageError naming the argument, never its value.
    """
    found = _object(given)
    agent = str(_value(AGENT, found.get(AGENT.name)))
    return agent, {param.name: _value(param, found.get(param.name)) for param in tool.params}


def _object(given: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except (ValueError, RecursionError):
            raise UsageError("the arguments are not valid JSON") from None
    if not isinstance(given, Mapping):
        raise UsageError("the arguments must be one JSON object")
    return given


def _value(param: Param, raw: Any) -> str | int | bool | None:
    if raw is None:
        if param.required and param.default is None:
            raise UsageError(f"{param.name} is required")
        return param.default
    if param.type == "boolean":
        return _boolean(param, raw)
    if param.type == "integer":
        return _integer(param, raw)
    return _text(param, raw)


def _text(param: Param, given: Any) -> str | None:
    # An id may come as a number; one of 64 bits is exact in Python, a float is not.
    if param is AGENT and isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str):
        raise UsageError(f"{param.name} must be a string")
    raw: str = given
    try:
        size = len(raw.encode())
    except UnicodeEncodeError:
        raise UsageError(f"{param.name} is not valid Unicode text") from None
    if size > MAX_TEXT:
        raise UsageError(f"{param.name} is longer than 1 MiB")
    if param.longest and len(raw) > param.longest:
        raise UsageError(f"{param.name} is longer than {param.longest} characters")
    if not raw.strip() and not param.blank:
        if param.required:
            raise UsageError(f"{param.name} must not be empty")
        return None if param.default is None else str(param.default)
    if param.choices:
        raw = raw.strip().lower()
        if raw not in param.choices:
            raise UsageError(f"{param.name} must be one of {', '.join(param.choices)}")
    return raw


def _integer(param: Param, raw: Any) -> int:
    if isinstance(raw, str):
        try:
            raw = int(raw)
        except ValueError:
            raise UsageError(f"{param.name} must be a whole number") from None
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise UsageError(f"{param.name} must be a whole number")
    return min(max(raw, param.least), param.most)


def _boolean(param: Param, raw: Any) -> bool:
    if isinstance(raw, str) and raw.strip().lower() in _TRUE | _FALSE:
        return raw.strip().lower() in _TRUE
    if isinstance(raw, bool) or raw in (0, 1):
        return bool(raw)
    raise UsageError(f"{param.name} must be true or false")
