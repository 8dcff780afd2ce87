"""What becomes of each entry: which text stands, and what a person has to be told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, Literal

from mnemofs.markdown.entries import updated_of
from mnemofs.markdown.lines import structural_lines
from mnemofs.markdown.mergenodes import (
    BASE,
    FIELD,
    FRONT,
    LINE,
    NAMED,
    PAIR,
    ROOT,
    ROW,
    SECTION,
    TABLE,
    VALUE,
    A,
    B,
    ConflictKind,
    Lineage,
    Node,
)

Side = Literal["a", "b"]

_TICKING: Final = frozenset(
    ["updated", "modified", "version", "revision", "updated_at", "last_updated", "last_modified"]
)
_ITSELF: Final = frozenset([ROOT, FRONT])  # holds others, says nothing
_BY_LINES: Final = frozenset(
    ["item", "paragraph", "more", "quote", "indented", "html", "comment", "fence"]
)
_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?")
_FLOW_LIST: Final = re.compile(r"([^:\n]+:[ \t]*)\[([^\[\]{}\n]*)\]([ \t]*)\n?")
_MAX_LINES: Final = 2000
_WRAPPED: Final = 50  # prose is wrapped at more characters than this


def resolve(line: Lineage, newer: Side | None) -> None:
    """Set `alive`, `texts` and `conflict` of a lineage from its three forms.

    An entry that one side left alone is what the other side made of it, deletion included. A side
    that changed an entry wins over one that deleted it, with a conflict. A conflict is the kind and
    the texts of a and b.
    """
    base, a, b = line.forms
    if base is None or (a is not None and b is not None):
        if a is not None and b is not None:
            _resolve_both(line, base, a, b, newer)
        else:
            line.texts = [(a or b or line.any_node).text]
        line.alive = True
        return
    kept = a if a is not None else b
    if kept is None:
        line.texts = [base.text]
        return
    line.texts = [kept.text]
    if kept.key != base.key and kept.kind not in _ITSELF:
        line.alive = True
        flag_deleted(line)


def flag_deleted(line: Lineage) -> None:
    """One side deleted what the other changed or added to: it stays, and a person is told."""
    a, b = line.forms[A], line.forms[B]
    line.conflict = ("edit/delete", a.text if a else "", b.text if b else "")


def _resolve_both(line: Lineage, base: Node | None, a: Node, b: Node, newer: Side | None) -> None:
    if base is not None and base.key in (a.key, b.key):
        if a.key != base.key:
            line.texts = [a.text]
        elif b.key != base.key:
            line.texts = [b.text]
        else:
            line.texts = [a.text if a.text != base.text else b.text]
        return
    if a.key == b.key or a.kind in _ITSELF:
        line.texts = [a.text]
        return
    if a.kind in NAMED and a.kind == b.kind:
        _resolve_value(line, base, a, b, newer)
        return
    if base is not None and a.kind == b.kind and a.kind in _BY_LINES:
        merged = merge_lines(base.text, a.text, b.text, split=_are_statements(a, b))
        if merged:
            line.texts = [merged[0]]
            if merged[1]:
                line.conflict = ("edit/edit", a.text, b.text)
            return
    kind: ConflictKind = "rename/rename" if a.kind == SECTION else "edit/edit"
    line.conflict = (kind, a.text, b.text)
    winner = _winner(a, b, newer)
    if a.kind == TABLE:
        line.texts = [winner]
    elif a.kind == SECTION:
        line.texts = [b.text if winner == a.text else a.text, winner]
    else:
        line.texts = sorted((a.text, b.text))


def _resolve_value(line: Lineage, base: Node | None, a: Node, b: Node, newer: Side | None) -> None:
    """Two values of one thing: one stands, the other is in the conflict record."""
    if a.kind == VALUE:
        days = [_updated(node) for node in (a, b)]
        if _content(a) == _content(b):
            line.texts = [a.text if days[0] >= days[1] else b.text]
            return
        if days[0] != days[1]:
            newer = "a" if days[0] > days[1] else "b"
    elif a.kind == FIELD:
        if a.name.lower() in _TICKING and (later := _later(a.text, b.text)):
            line.texts = [later]
            return
        if merged := _merge_flow_lists(base.text if base else "", a.text, b.text):
            line.texts = [merged]
            return
    line.texts = [_winner(a, b, newer)]
    line.conflict = ("value", a.text, b.text)


def _winner(a: Node, b: Node, newer: Side | None) -> str:
    """The text that stands where only one can: the later side's, else the greater one."""
    if newer is None:
        return max(a.text, b.text)
    return a.text if newer == "a" else b.text


def _updated(node: Node) -> date:
    last = node.text.rstrip().rpartition("\n")[2]
    meta = updated_of(last)
    return meta[1] if meta and meta[1] else date.min


def _content(node: Node) -> str:
    head, _, last = node.key.rpartition("\n")
    return head if updated_of(last) else node.key


def _later(one: str, other: str) -> str | None:
    """The text with the greater number or moment, when both have one."""
    values = [text.partition(":")[2].strip().strip("\"'") for text in (one, other)]
    if all(value.isdecimal() and len(value) < 16 for value in values):
        return one if int(values[0]) >= int(values[1]) else other
    if all(_MOMENT.fullmatch(value) for value in values):
        return one if values[0] >= values[1] else other
    return None


def _merge_flow_lists(base: str, a: str, b: str) -> str | None:
    """`tags: [x, y]` changed on both sides: what neither removed, then what either added."""
    found = [_FLOW_LIST.fullmatch(text) for text in (a, b)]
    if found[0] is None or found[1] is None:
        return None
    before = _FLOW_LIST.fullmatch(base)
    old = _items(before[2]) if before else []
    first, second = _items(found[0][2]), _items(found[1][2])
    kept = [item for item in old if item in first and item in second]
    kept += sorted({*first, *second}.difference(old))
    end = a[len(a.rstrip("\r\n")) :]
    return f"{found[0][1]}[{', '.join(kept)}]{end}"


def _items(inner: str) -> list[str]:
    return [item.strip() for item in inner.split(",") if item.strip()]


def _are_statements(a: Node, b: Node) -> bool:
    """Lines so short that each was ended on purpose may stand apart, unlike wrapped prose."""
    return a.kind in ("paragraph", "more", "quote") and all(
        len(line) < _WRAPPED for node in (a, b) for line in structural_lines(node.text)
    )


def merge_lines(base: str, a: str, b: str, *, split: bool) -> tuple[str, bool] | None:
    """Merge one block line by line: text and whether a person should look, or None.

    Lines that both sides add at one place are all kept, without a conflict. Where both changed the
    same lines: with `split` both versions of these lines stand, else None.
    """
    lines = [structural_lines(text) for text in (base, a, b)]
    if max(map(len, lines)) > _MAX_LINES:
        return None
    from merge3 import Merge3

    merged: list[str] = []
    conflict = False
    sources = {"unchanged": lines[0], "a": lines[1], "same": lines[1], "b": lines[2]}
    for region in Merge3(lines[0], lines[1], lines[2]).merge_regions():
        kind, begin, end = region[0], region[1], region[2]
        if len(region) == 3:
            merged += sources[kind][begin:end]
        else:
            a_begin, a_end, b_begin, b_end = region[3:]
            if begin != end and not split:
                return None
            if begin == 0 and end == len(lines[0]):
                return None  # nothing in common: two texts, not one
            conflict = conflict or begin != end
            first, second = lines[1][a_begin:a_end], lines[2][b_begin:b_end]
            if set(first) <= set(second):  # it was merged before: in the order of then
                first, second = second, first
            merged += first + _not_in(second, first)
    return "".join(merged), conflict


def _not_in(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    known = set(others)
    return [line for line in lines if line not in known]


def drop_copies(lines: Sequence[Lineage]) -> None:
    """Where a text would stand more often than in either side, it stands once less.

    Both sides may have added the same statement at two places, or one moved what the other copied.
    Short texts may well be meant twice; they are left alone.
    """
    standing: dict[str, list[Lineage]] = {}
    for line in lines:
        if line.alive and _may_be_a_copy(line.any_node):
            for form in line.forms[1:]:
                if form is not None and form.text in line.texts:
                    seen = standing.setdefault(form.key, [])
                    if not seen or seen[-1] is not line:
                        seen.append(line)
    doubtful = {key: seen for key, seen in standing.items() if len(seen) > 1}
    if not doubtful:
        return
    allowed = {key: [0, 0] for key in doubtful}
    for line in lines:
        for side in (A, B):
            form = line.forms[side]
            if form is not None and form.key in allowed:
                allowed[form.key][side - 1] += 1
    for key, seen in doubtful.items():
        surplus = len(seen) - max(allowed[key])
        if surplus > 0:
            single = [line for line in seen if len(line.texts) == 1]
            for line in sorted(single, key=_worth)[:surplus]:
                line.alive = _holds_others(line)


def _holds_others(line: Lineage) -> bool:
    return any(child.line.alive for form in line.forms[1:] if form for child in form.blocks)


def _may_be_a_copy(node: Node) -> bool:
    return node.kind not in (SECTION, FRONT, ROOT, FIELD, PAIR, ROW, LINE) and len(node.key) >= 20


def _worth(line: Lineage) -> tuple[bool, bool]:
    """What goes first when a copy must go: an addition of b, then one of a, then what stood."""
    return line.forms[BASE] is not None, line.forms[A] is not None
