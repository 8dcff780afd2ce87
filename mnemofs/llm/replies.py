"""One reading of a model's reply: a clean JSON object, or a named reason why not.

Everything that a model can do instead of answering has a name here, so that a caller never guesses:
only `Clean` may become a proposal, a `Rejected` changes nothing and starts no cooldown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from mnemofs.llm import lenient
from mnemofs.llm.placeholders import elided, says_nothing

T = TypeVar("T")

Code = Literal[
    "no_choices",
    "tool_call",
    "truncated",
    "refused",
    "reasoning_only",
    "empty",
    "not_json",
    "missing_field",
    "wrong_type",
    "blank",
    "placeholder",
    "oversized",
    "unsupported",
]
Kind = Literal["flag", "text", "document", "list"]


@dataclass(frozen=True)
class Reply:
    """What an endpoint answered, before anyone believed it. `choices` is how many there were."""

    content: str | None
    finish_reason: str | None = None
    tool_calls: int = 0
    reasoning: str | None = None
    refusal: str | None = None
    choices: int = 1


@dataclass(frozen=True)
class Clean(Generic[T]):
    """A reply that is complete, well-formed and of the right types."""

    value: T


@dataclass(frozen=True)
class Rejected:
    """A reply that must not change anything. `detail` is one sentence without memory text."""

    code: Code
    detail: str


@dataclass(frozen=True)
class Fields:
    """The object that was asked for: `switch` is its required flag, `kinds` names all fields.

    "text" and "document" are a string or null; a document replaces a whole file, so that elided
    text in it is refused. "list" is an array or null. Unknown fields are dropped; names may be
    spelled in other ways ("shouldUpdate").
    bare: the list field that a reply of nothing but an array stands for; an empty one turns the
    switch off. With no switch ("") the bare field is the required one.
    """

    switch: str
    kinds: Mapping[str, Kind]
    bare: str = ""


# Lengths beyond these are no answer to any of our prompts; they bound the time a reply can cost.
_MAX_CHARACTERS = 2_000_000
# A model that runs in circles fills a field; nothing that is worth keeping is as long.
_LONGEST: Mapping[Kind, int] = {"text": 20_000, "document": 200_000}
_MAX_FALSE_STARTS = 25
_FALSE_START = 50_000  # characters looked through in vain that count as one more of them

_CUT = frozenset(
    {"length", "max_tokens", "model_length", "max_output_tokens", "max_length", "token_limit",
     "incomplete", "error", "abort", "aborted", "cancelled", "timeout", "network_error",
     "insufficient_system_resource"}
)  # fmt: skip
_CALLS = frozenset({"tool_calls", "function_call", "tool_use", "malformed_function_call"})
_DECLINED = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content",
     "spii", "sensitive", "moderation", "guardrail_intervened"}
)  # fmt: skip
# What models put around their reasoning: <think>, <seed:think>, <|begin_of_thought|>,
# <|START_THINKING|>, ◁think▷, <details type="reasoning">, <unused94>.
_TAG = (
    r"<[|｜]?\s{0,4}(?P<end>/|end[_▁](?:of[_▁])?)?\s{0,4}(?:(?:start|begin)[_▁](?:of[_▁])?)?"
    r"(?:\w{1,20}:)?(?:think|thinking|antthinking|thoughts?|thought_process|reason|reasoning"
    r"|reflection|scratchpad|analysis|思考|思考过程|推理)(?:\s[^<>]{0,200})?[|｜]?>"
    r"|◁(?P<kimi_end>/?)think▷|<unused9(?:4|(?P<gemma_end>5))>"
    r"|<details\s[^<>]{0,80}type=[\"']?reasoning[^<>]{0,80}>|(?P<details_end></details>)"
)
_MARK = re.compile(rf"[{{\[]|{_TAG}|<\|channel\|>(?P<channel>\w+)", re.IGNORECASE)
_OPENING = re.compile(rf"\s*(?:{_TAG})", re.IGNORECASE)
_BRACKET_TAG = re.compile(r"\[(?P<end>/?)think\]", re.IGNORECASE)
_HEADING = re.compile(r"(?m)^ {0,3}#{1,2} +\S")
_OPEN_FENCE = re.compile(r"(?m)^ {0,3}(`{3,}|~{3,})[a-z]*\s*\Z")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_NOT_IN_NAME = re.compile(r"[\W_]+")
_WHOLE_FENCE = re.compile(r"\s*(`{3,}|~{3,})(?:markdown|md|text)?[ \t]*\n(.*\n)\1\s*", re.DOTALL)
# Line breaks that were escaped twice, where a line of Markdown begins.
_ESCAPED_BREAKS = re.compile(r"(?:\\n)+(?=[-*+] |#{1,6} |\d+\. )")
_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside strings lose nothing


def parse(reply: Reply, fields: Fields) -> Clean[dict[str, object]] | Rejected:
    """The last complete top-level JSON object outside think blocks that has the switch field.

    A clean value holds every field of `fields`: flags as bool, texts as str or None (blank and
    "unchanged"-like texts are None), lists as list. With the switch off, all others are None.
    """
    refusal = _refusal(reply)
    if refusal is not None:
        return refusal
    text = reply.content or ""
    if len(text) > _MAX_CHARACTERS:
        return Rejected("not_json", "The reply is far longer than any answer could be.")
    found = _read(_unquoted(text))
    needed = fields.switch or fields.bare
    objects = [_spelled(one, fields) for one in found.objects]
    asked = [value for value in objects if needed in value]
    if asked:
        return _checked(asked[-1], fields)
    if objects:
        return Rejected("missing_field", f'The JSON in the reply has no field "{needed}".')
    if found.arrays and fields.bare:
        items = found.arrays[-1]
        return _checked({fields.switch: bool(items), fields.bare: items}, fields)
    if found.unfinished:
        return Rejected("truncated", "The JSON in the reply stops in the middle.")
    if found.answer.strip():
        return Rejected("not_json", "The reply holds no JSON object, only prose.")
    return Rejected("reasoning_only", "The reply holds only reasoning, no answer.")


def document(reply: Reply) -> Clean[str] | Rejected:
    """A reply that is a Markdown file itself, from its first heading on, without think blocks.

    A fence around the whole file is taken off. Rejected without a heading: that is chatter.
    """
    refusal = _refusal(reply)
    if refusal is not None:
        return refusal
    answer = _read((reply.content or "")[:_MAX_CHARACTERS]).answer
    heading = _HEADING.search(answer)
    if heading is None:
        return Rejected("not_json", "The reply is neither a JSON object nor a Markdown file.")
    text = answer[heading.start() :].strip()
    fence = _OPEN_FENCE.search(answer[: heading.start()])
    if fence is not None:
        text = text.partition("\n" + fence[1])[0].strip()
    if says_nothing(text) or elided(text):
        return Rejected("placeholder", "The reply leaves text out instead of giving it.")
    if not is_unicode(text):
        return Rejected("wrong_type", "The reply holds broken Unicode.")
    return Clean(text)


def _refusal(reply: Reply) -> Rejected | None:
    reason = (reply.finish_reason or "").lower()
    if reply.choices == 0:
        return Rejected("no_choices", "The endpoint returned no choices.")
    if reason in _CUT:  # LLM-06: even when the JSON happens to parse
        return Rejected("truncated", f"The reply was cut off (finish_reason {reason}).")
    if reply.tool_calls or reason in _CALLS:
        return Rejected("tool_call", "The model called a tool instead of answering.")
    if reply.refusal or reason in _DECLINED:
        return Rejected("refused", "The model or its provider declined to answer.")
    if not (reply.content or "").strip():
        if (reply.reasoning or "").strip():  # LLM-08: reasoning is never an answer
            return Rejected("reasoning_only", "The reply holds only reasoning, no answer.")
        return Rejected("empty", "The reply is empty.")
    return None


@dataclass(frozen=True)
class _Found:
    objects: tuple[dict[str, object], ...]
    arrays: tuple[list[object], ...]  # those that hold nothing but objects
    answer: str  # the text outside think blocks
    unfinished: bool


def _read(text: str) -> _Found:
    """All complete top-level objects outside think blocks, in order."""
    objects: list[dict[str, object]] = []
    arrays: list[list[object]] = []
    answer: list[str] = []
    unfinished = thinking = False
    false_starts = position = 0
    while (mark := _next_mark(text, position)) is not None:
        start, end, kind = mark
        if not thinking:
            answer.append(text[position:start])
        position = end
        if kind == "open":
            thinking = True
        elif kind == "shut":  # ends reasoning, but says nothing of what stands before it
            thinking = False
        elif kind == "close":
            if not thinking:  # the opening tag stood in the prompt: all before was reasoning
                objects.clear()
                arrays.clear()
                answer.clear()
                unfinished = False
            thinking = False
        elif not thinking:
            value, position, closed = _decode(text, start)
            answer.append(text[start:position])
            if isinstance(value, dict):
                objects.append(value)
            elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
                arrays.append(value)
            elif value is None:
                unfinished = unfinished or (not closed and position == len(text))
                false_starts += 1
                false_starts += 0 if closed else (len(text) - start) // _FALSE_START
                if false_starts > _MAX_FALSE_STARTS:
                    break
    if not thinking:
        answer.append(text[position:])
    return _Found(tuple(objects), tuple(arrays), "".join(answer), unfinished)


def _next_mark(text: str, position: int) -> tuple[int, int, str] | None:
    match = _MARK.search(text, position)
    if match is None:
        return None
    if match[0] == "[":
        tag = _BRACKET_TAG.match(text, match.start())
        if tag is not None:
            return tag.start(), tag.end(), "close" if tag["end"] else "open"
    if match[0] in "[{":
        return match.start(), match.end(), "json"
    if match["details_end"] is not None:
        kind = "shut"
    elif match["channel"] is not None:
        kind = "close" if match["channel"].lower() == "final" else "open"
    else:
        ends = match["end"] or match["kimi_end"] or match["gemma_end"]
        kind = "close" if ends else "open"
    return match.start(), match.end(), kind


def _decode(text: str, start: int) -> tuple[object, int, bool]:
    """(value or None, where to read on, whether its closing bracket was found).

    A malformed object is stepped over as a whole: what stands inside it is not top-level; one that
    never closes takes the whole rest.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    else:
        return value, end, True
    opening, depth = text[start], 0
    if opening == "{" and text[start + 1 : start + 2] == "{":  # a template's {{ ... }}
        return None, start + 1, True
    for match in _STRING_OR_BRACKET.finditer(text, start):
        if match[0] == opening:
            depth += 1
        elif match[0] == _CLOSING[opening]:
            depth -= 1
            if depth == 0:
                try:
                    return lenient.loads(text[start : match.end()]), match.end(), True
                except (ValueError, RecursionError):
                    return None, match.end() if opening == "{" else start + 1, True
    if re.match(r'\{\s*"', text[start : start + 40]):  # an object that never closes
        return None, len(text), False
    return None, start + 1, False


def _unquoted(text: str) -> str:
    """The reply itself, when it came as a JSON string that holds it."""
    if text.lstrip().startswith('"'):
        try:
            inner = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return inner if isinstance(inner, str) else text
    return text


def _spelled(given: dict[str, object], fields: Fields) -> dict[str, object]:
    """The object with its fields under the names that were asked for."""
    names = {_NOT_IN_NAME.sub("", name).lower(): name for name in fields.kinds}
    found = {names.get(_NOT_IN_NAME.sub("", key).lower(), key): given[key] for key in given}
    return {**found, **{name: given[name] for name in fields.kinds if name in given}}


def _checked(value: dict[str, object], fields: Fields) -> Clean[dict[str, object]] | Rejected:
    switch = value[fields.switch] if fields.switch else True
    if not isinstance(switch, bool):  # LLM-10: the string "false" is not a truth value
        return _wrong(fields.switch, "true or false", switch)
    result: dict[str, object] = dict.fromkeys(fields.kinds)
    if fields.switch:
        result[fields.switch] = switch
    if not switch:
        reason = value.get("reason")
        if "reason" in fields.kinds and isinstance(reason, str) and is_unicode(reason):
            result["reason"] = reason.strip()
        return Clean(result)
    placeholder = False
    for name, kind in fields.kinds.items():
        if name == fields.switch:
            continue
        given = value.get(name)
        if given is None:
            continue
        if kind == "flag":
            if not isinstance(given, bool):
                return _wrong(name, "true or false", given)
            result[name] = given
        elif kind == "list":
            if not isinstance(given, list):
                if given:
                    return _wrong(name, "an array", given)
                continue
            result[name] = given
        else:
            if not isinstance(given, str):
                return _wrong(name, "text", given)
            if not is_unicode(given):
                return Rejected("wrong_type", f'The field "{name}" holds broken Unicode.')
            if _OPENING.match(given):  # LLM-03: a model that is held to JSON reasons inside of it
                return Rejected("reasoning_only", f'The field "{name}" holds reasoning.')
            given = _unwrapped(given)
            if len(given) > _LONGEST[kind]:
                return Rejected("oversized", f'The field "{name}" is too long to be an answer.')
            if not given.strip():
                continue
            if name != "reason" and says_nothing(given):  # LLM-05
                placeholder = True
                continue
            if kind == "document" and elided(given):
                return Rejected(
                    "placeholder", f'The field "{name}" leaves text out instead of giving it.'
                )
            result[name] = given
    if not any(_content(result, fields)):
        if placeholder:
            return Rejected("placeholder", "The reply says only that nothing changes.")
        return Rejected("blank", "The reply announces an update and gives none.")  # LLM-04
    return Clean(result)


def _unwrapped(text: str) -> str:
    """A text out of a fence around all of it, and with line breaks that were escaped twice."""
    fence = _WHOLE_FENCE.fullmatch(text)
    if fence is not None and fence[1] not in fence[2]:
        text = fence[2]
    if "\n" in text.strip():
        return text
    return _ESCAPED_BREAKS.sub(lambda match: "\n" * (len(match[0]) // 2), text)


def _content(result: Mapping[str, object], fields: Fields) -> Iterator[bool]:
    for name, kind in fields.kinds.items():
        if kind != "flag" and name != "reason":
            yield bool(result[name])


def _wrong(name: str, wanted: str, given: object) -> Rejected:
    names = {str: "text", bool: "a truth value", list: "an array", dict: "an object"}
    kind = "null" if given is None else names.get(type(given), "a number")
    return Rejected("wrong_type", f'The field "{name}" should be {wanted} and is {kind}.')


def is_unicode(text: str) -> bool:
    """False for lone surrogates, which JSON can spell and UTF-8 cannot store."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
