"""The gates: what of a proposal may be written. Pure; a model proposes, these decide (I5).

Texts are `str` with \\n line ends. A ruling never holds memory text outside `text`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.marks import (
    Forgotten,
    keep_front_matter,
    keep_user_edited,
    touches_user_edited,
    without_forged_marks,
    without_forgotten,
)
from mnemofs.llm.placeholders import elided, says_nothing, without_elisions
from mnemofs.markdown.budget import MARKER, fit
from mnemofs.markdown.document import Document
from mnemofs.markdown.entries import Entry, all_entries, item_text, normalise, stamped
from mnemofs.markdown.lines import flatten
from mnemofs.markdown.markers import marker_line
from mnemofs.markdown.placing import place
from mnemofs.secrets import scan as scan_secrets

# A loss below these waits for nobody: one entry is put back, a short paragraph is an edit.
_FEW_ENTRIES = 2
_FEW_CHARS = 200
_CARRIED = 0.5
# A word in more entries than this tells nothing about any one of them.
_COMMON = 64
# The section for what was added where only a person writes.
_MORE = "More"
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True)
class Ruling:
    """What the gates say about one text.

    status: "accepted" (write `text`), "unchanged" (nothing of it is new), "parked" (`text` waits
    for a person) or "refused". masked: secrets replaced. warnings: what was repaired or cut.
    """

    status: Literal["accepted", "unchanged", "parked", "refused"]
    text: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = ()
    masked: int = 0
    overflow: str = ""


@dataclass(frozen=True)
class Bounds:
    """How much a rewrite may change. max_chars: ceiling of the file, 0 for none.

    max_lost: share of the entries that may go. may_shrink: a person asked to forget something.
    moves_overflow: the caller keeps what is over the ceiling elsewhere, so that it is not lost.
    """

    max_chars: int = 0
    max_lost: float = 0.25
    may_shrink: bool = False
    moves_overflow: bool = False
    forgotten: Forgotten | None = None


def check_rewrite(name: str, old: str, new: str, bounds: Bounds) -> Ruling:
    """The ruling on replacing the whole text of file `name`."""
    if not new.strip():
        return Ruling("refused", reason=f"the new {name} is blank")  # LLM-04
    if says_nothing(new):  # LLM-05
        return Ruling("refused", reason=f"the new {name} is a placeholder")
    if elided(new) and not elided(old):
        return Ruling("refused", reason=f"the new {name} leaves text out instead of giving it")
    if _conflicted(new) and not _conflicted(old):  # SYN-07: nobody would be shown it any more
        return Ruling("refused", reason=f"the new {name} holds conflict markers")
    warnings: list[str] = []
    text = without_forged_marks(new, old)
    text, dropped = without_forgotten(text, old, bounds.forgotten)
    if dropped:
        warnings.append(f"{name}: left out {count(dropped, 'line')} that had been forgotten")
    text, masked = mask_new(text, old)
    proposed = keep_front_matter(old, text)
    text, restored = keep_user_edited(old, proposed)
    if restored:
        kept = count(len(restored), "section")
        warnings.append(f"{name}: kept {kept} as edited by hand")
        text = _with_the_new(old, proposed, text)
    whole = text
    if not bounds.may_shrink:
        whole, put_back = _with_the_few(old, text, bounds.max_lost)
        if put_back:
            warnings.append(f"{name}: kept {count(put_back, 'entry')} that was left out")
    text, overflow, omitted = _within(whole, bounds.max_chars)
    if touches_user_edited(old, text):
        reason = f"{name} would lose a section that was edited by hand"
        return Ruling("parked", whole, reason, tuple(warnings), masked)
    if text == old:
        return Ruling("unchanged", old, "nothing changes", tuple(warnings), masked)
    kept = whole if bounds.moves_overflow else text
    if overflow and not bounds.moves_overflow:
        standing = entries(old)
        lost = len(missing(standing, entries(text))) - len(missing(standing, entries(whole)))
        if lost > 0:
            reason = f"{name} has no room: {count(lost, 'entry')} would be cut"
            return Ruling("parked", whole, reason, tuple(warnings), masked)
    loss = None if bounds.may_shrink else shrinkage(old, kept, bounds.max_lost)
    if loss:  # LLM-09
        return Ruling("parked", whole, f"{name} would lose {loss}", tuple(warnings), masked)
    if overflow:
        place = "moved to the daily note" if bounds.moves_overflow else "left out"
        warnings.append(f"{name} is over its {bounds.max_chars} characters; {place}: {omitted}")
    return Ruling("accepted", text, "", tuple(warnings), masked, overflow)


def check_addition(name: str, standing: str, new: str, bounds: Bounds) -> Ruling:
    """The ruling on adding `new` to a file that says `standing`."""
    new = without_elisions(new)
    if not new.strip() or says_nothing(new):  # LLM-05
        return Ruling("refused", reason=f"the addition to {name} is empty or a placeholder")
    if _conflicted(new):  # SYN-07
        return Ruling("refused", reason=f"the addition to {name} holds conflict markers")
    text = without_forged_marks(new, standing)
    text, dropped = without_forgotten(text, standing, bounds.forgotten)
    warnings = (
        (f"{name}: left out {count(dropped, 'line')} that had been forgotten",) if dropped else ()
    )
    text, masked = mask_new(text, standing)
    if not text.strip():
        return Ruling(
            "refused", "", f"nothing of the addition to {name} may stay", warnings, masked
        )
    return Ruling("accepted", text, "", warnings, masked)


def _conflicted(text: str) -> bool:
    return marker_line(text.encode("utf-8", "replace")) is not None


def mask_new(text: str, standing: str = "") -> tuple[str, int]:
    """`text` with secrets masked, and how many.

    Lines that stand in the file already are a person's own and stay as they are (DESIGN §11).
    """
    findings = scan_secrets(text, deep=True)
    if not findings:
        return text, 0
    kept = set(standing.split("\n"))
    lines = text.split("\n")
    parts, position, masked = [], 0, 0
    for finding in findings:
        last = finding.line + text.count("\n", finding.start, finding.end)
        if kept and all(line in kept for line in lines[finding.line - 1 : last]):
            continue
        parts += [text[position : finding.start], f"[redacted: {finding.kind}]"]
        position = finding.end
        masked += 1
    return "".join([*parts, text[position:]]), masked


def shrinkage(old: str, new: str, max_lost: float) -> str | None:
    """What a rewrite would lose, as a phrase, when that is more than it may; else None.

    An entry is lost when neither its text nor half of its words stand together in one entry of
    the new text: merging and rewording carry entries over, dropping them does not.
    """
    before = entries(old)
    after = entries(new)
    lost = len(missing(before, after))
    if lost >= _FEW_ENTRIES and lost > max_lost * len(before):
        return f"{lost} of {count(len(before), 'entry')}"
    size, left = sum(map(len, before)), sum(map(len, after))
    if size >= _FEW_CHARS and left * 2 < size:
        return f"{100 - round(100 * left / size)} % of its text"
    return None


def _with_the_few(old: str, new: str, max_lost: float) -> tuple[str, int]:
    """`new` with the entries that a small file would lose beyond its share, and how many.

    Where one entry is most of the memory, a person asked about each would be asked all the time,
    and a model that wipes it would not be noticed (LLM-09).
    """
    found = {_plain(entry): entry.text for entry in all_entries(old.encode(), "") if entry.normal}
    lost = missing(found, entries(new))
    if not 0 < len(lost) < _FEW_ENTRIES or len(lost) <= max_lost * len(found):
        return new, 0
    for entry in lost:
        document = Document.of_text(new)
        new = place(document, 0, len(new), found[entry].rstrip("\n"))
    return new, len(lost)


def _with_the_new(old: str, proposed: str, restored: str) -> str:
    """`restored` with what the proposal added to sections that were put back as they stood: who
    writes at the end of a file means no section. For each entry that had to be put back one of
    the new ones is left out, the likest: it was to take that one's place."""
    found = {_plain(entry): entry.text for entry in all_entries(proposed.encode(), "")}
    there = {normalise(entry) for entry in found}
    standing = {normalise(entry) for entry in (*entries(old), *entries(restored))}
    gone = [entry for entry in entries(restored) if normalise(entry) not in there]
    fresh = {entry: words(entry) for entry in found if normalise(entry) not in standing}
    for said in map(words, gone):
        near = max(fresh, key=lambda entry: len(fresh[entry] & said), default=None)
        if near is not None:
            del fresh[near]
    for entry in fresh:
        document = Document.of_text(restored)
        home = document.find(_MORE, 2)
        if home:
            restored = place(document, home[-1].start, home[-1].tree_end, found[entry].strip("\n"))
        else:
            block = f"## {_MORE}\n\n" + found[entry].strip("\n")
            restored = place(document, 0, len(restored), block)
    return restored


def _plain(entry: Entry) -> str:
    return flatten(item_text(entry.text.split("\n")))


def entries(text: str) -> list[str]:
    """The memories in a Markdown text, each as one line without its list marker: list items,
    `key: value` lines, paragraphs, code. Headings, comments, rules and front matter are none."""
    return [_plain(entry) for entry in all_entries(text.encode(), "") if entry.normal]


def missing(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """Those of the entries `before` that no entry of `after` carries."""
    after = list(after)
    exact = {normalise(entry) for entry in after}
    reworded = [entry for entry in before if normalise(entry) not in exact]
    if not reworded:
        return []
    where: dict[str, list[int]] = {}
    for number, entry in enumerate(after):
        for word in words(entry):
            where.setdefault(word, []).append(number)
    lost = []
    for entry in reworded:
        telling = [word for word in words(entry) if len(where.get(word, ())) <= _COMMON]
        shared = Counter(number for word in telling for number in where.get(word, ()))
        best = max(shared.values(), default=0)
        if not telling or best < _CARRIED * len(telling):
            lost.append(entry)
    return lost


def carried_by(entry: str, normals: Iterable[str]) -> bool:
    """Whether one of the entries (normalised) says most of what `entry` says; as `missing`."""
    said = words(entry)
    needed = _CARRIED * len(said)
    for normal in normals:
        # Inside another word it may stand by chance, so what looks alike is looked at closely.
        if sum(word in normal for word in said) >= needed and len(said & words(normal)) >= needed:
            return bool(said)
    return False


def words(entry: str) -> frozenset[str]:
    """What an entry is made of: its words in lower case; CJK text by pairs of characters."""
    found: set[str] = set()
    for match in _WORD.finditer(normalise(entry)):
        word = match[0]
        if _CJK.search(word):
            found.update(word[place : place + 2] for place in range(max(1, len(word) - 1)))
        else:
            found.add(word)
    return frozenset(found)


def statement(entry: str) -> str:
    """An entry without the date and source in front of it."""
    return stamped(entry).statement


def _within(text: str, limit: int) -> tuple[str, str, str]:
    """What fits under the ceiling, what does not, and the names of its sections."""
    fitted = fit(text, limit)
    if fitted.text == text:
        return text, "", ""
    kept = fitted.text.removesuffix(MARKER) if fitted.text.endswith(MARKER) else ""
    return fitted.text, text[len(kept) :].strip("\n"), ", ".join(fitted.omitted) or "its end"
