"""Secrets in text: find them precisely, mask the value, keep the meaning.

Only shapes that are secrets by construction count (issued tokens, private keys, URLs with a
password, an assignment to a password-like name). Random-looking text alone never does: commit ids,
UUIDs and embedded images are what memories are made of. Automatic writers add the detectors of
detect-secrets (`deep=True`), which are imported only then.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from mnemofs import secret_shapes as shapes


@dataclass(frozen=True)
class Finding:
    """One secret value: `text[start:end]`, in characters; `line` counts from 1 by line feeds.

    Holds no part of the value, so that it can be reported.
    """

    kind: str
    start: int
    end: int
    line: int


def scan(text: str, *, deep: bool = False) -> tuple[Finding, ...]:
    """Every secret in the text, in order, without overlaps. Time is linear in its length."""
    spans = [*_tokens(text), *_private_keys(text), *_urls(text), *_headers(text)]
    spans += _assignments(text)
    if deep:
        spans += _detected(text)
    if not spans:
        return ()
    breaks = [match.start() for match in re.finditer("\n", text)]
    return tuple(
        Finding(kind, start, end, bisect_right(breaks, start) + 1)
        for kind, start, end in _without_overlaps(spans)
    )


def mask(text: str, *, deep: bool = False) -> tuple[str, tuple[Finding, ...]]:
    """The text with each secret's value replaced by "[redacted: <kind>]", and what was found.

    Positions refer to the given text. Masking twice changes nothing more.
    """
    findings = scan(text, deep=deep)
    parts = []
    position = 0
    for finding in findings:
        parts += [text[position : finding.start], f"[redacted: {finding.kind}]"]
        position = finding.end
    parts.append(text[position:])
    return "".join(parts), findings


_Span = tuple[str, int, int]
_MASKED = re.compile(r"\[redacted: [a-z ]{1,40}\]", re.IGNORECASE)


def _tokens(text: str) -> Iterator[_Span]:
    for kind, literals, shape in shapes.COMPILED:
        if any(literal in text for literal in literals):
            for match in shape.finditer(text):
                yield kind, match.start(), match.end()


def _private_keys(text: str) -> Iterator[_Span]:
    """PEM blocks over any number of lines; one that was cut off counts as far as key text goes."""
    ends = [match.span() for match in shapes.PEM_END.finditer(text)] if "-----END" in text else []
    begins = list(shapes.PEM_BEGIN.finditer(text))
    for index, begin in enumerate(begins):
        following = begins[index + 1].start() if index + 1 < len(begins) else len(text)
        place = bisect_right(ends, (begin.end(), 0))
        if place < len(ends) and ends[place][0] < following:
            start, stop = ends[place]
            if shapes.KEY_BYTES.search(text, begin.end(), start):
                yield "private key", begin.start(), stop
            continue
        body = shapes.PEM_BODY.match(text, begin.end(), following)
        if body and re.search(r"[A-Za-z0-9+/=]{40}", body[0]):
            yield "private key", begin.start(), begin.end() + len(body[0].rstrip())


def _urls(text: str) -> Iterator[_Span]:
    if "://" not in text:
        return
    for match in shapes.URL_PASSWORD.finditer(text):
        value = match["value"]
        if not shapes.stands_for_a_value(value) and value.lower() not in shapes.SAMPLE_PASSWORDS:
            yield "password", match.start("value"), match.end("value")
    if "curl" in text or "wget" in text or "http" in text:
        for match in shapes.COMMAND_PASSWORD.finditer(text):
            if not shapes.stands_for_a_value(match["value"]):
                yield "password", match.start("value"), match.end("value")


def _headers(text: str) -> Iterator[_Span]:
    for match in shapes.HEADER.finditer(text):
        value = match["value"].rstrip(".-/")
        # With its scheme in front even a value without digits is one, if it is base64.
        mixed = match["scheme"] is not None and not value.islower() and not value[1:].islower()
        if mixed or (len(value) >= 16 and shapes.strong(value)):
            yield "bearer token", match.start("value"), match.start("value") + len(value)


def _assignments(text: str) -> Iterator[_Span]:
    for match in shapes.PIN.finditer(text) if "pin" in text.lower() else ():
        yield "PIN", match.start("value"), match.end("value")
    position = 0
    for begin, stem in _stems(text):
        for start in range(max(position, begin), stem + 1):
            assigned = shapes.ASSIGNED.match(text, start)
            if assigned is not None:
                for span in _assigned(text, assigned):
                    yield span
                    position = assigned.end()
                break


def _stems(text: str) -> list[tuple[int, int]]:
    """Where a name of a secret could begin at the earliest and at the latest, in order."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters change length; positions would be wrong
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    lower = _MASKED.sub(lambda match: " " * len(match[0]), lower)  # "token" there is our own word
    found: list[tuple[int, int]] = []
    for stem, before in shapes.STEMS.items():
        place = lower.find(stem)
        while place >= 0:
            found.append((max(place - before, 0), place))
            place = lower.find(stem, place + 1)
    return sorted(found)


def _assigned(text: str, match: re.Match[str]) -> Iterator[_Span]:
    group = next(name for name in ("dq", "sq", "bq", "bare") if match[name] is not None)
    start, end = match.span(group)
    value = match[group]
    if group == "bare":
        value = value.rstrip(".,;:)]}|*")
        end = start + len(value)
    kind = next(kind for index, (kind, _) in enumerate(shapes.NAMES) if match[f"n{index}"])
    if shapes.plausible(value, kind, signed=bool(match["sign"]), alone=_alone(text, end, group)):
        yield kind, start, end


def _alone(text: str, end: int, group: str) -> bool:
    """Whether the value is all that is assigned: quoted, or the last word of its line or item."""
    return group != "bare" or re.match(r"[ \t.;,)|*]*(?:\r?\n|$)", text[end : end + 40]) is not None


def _detected(text: str) -> Iterator[_Span]:
    from importlib import import_module

    detectors = [
        (kind, getattr(import_module(f"detect_secrets.plugins.{module}"), name)())
        for kind, module, name in shapes.DETECTORS
    ]
    # A call for every line is dear; what none finds in the whole text stands in none of its lines.
    detectors = [(kind, one) for kind, one in detectors if any(one.analyze_string(text))]
    if not detectors:
        return
    position = 0
    for line in text.split("\n"):
        for kind, detector in detectors:
            for value in detector.analyze_string(line):
                start = line.find(value) if value else -1
                while start >= 0:
                    yield kind, position + start, position + start + len(value)
                    start = line.find(value, start + len(value))
        position += len(line) + 1


def _without_overlaps(spans: list[_Span]) -> list[_Span]:
    """In order; overlapping spans become one that is named after the first that was found."""
    merged: list[_Span] = []
    order = {id(span): index for index, span in enumerate(spans)}
    for span in sorted(spans, key=lambda item: (item[1], order[id(item)])):
        kind, start, end = span
        if merged and start < merged[-1][2]:
            last_kind, last_start, last_end = merged[-1]
            merged[-1] = (last_kind, last_start, max(last_end, end))
        else:
            merged.append((kind, start, end))
    return merged
