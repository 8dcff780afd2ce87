"""The order of a merged file, and its text with the blank lines that each side gave it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mnemofs.markdown.mergenodes import (
    BASE,
    FIELD,
    FRONT,
    LINE,
    PAIR,
    ROW,
    SECTION,
    VALUE,
    Lineage,
    Node,
)
from mnemofs.markdown.mergeresolve import flag_deleted
from mnemofs.markdown.scanner import COMMENT, FENCE, ITEM, MORE

_WHEN: Final = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?(?:\[[ xX]\][ \t]+)?[*_`\[(]{0,3}"
    r"(?:([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])[T ,]{0,2})?(?:([0-9]{1,2}):([0-9]{2})(?![0-9])"
    r"(?:[ ]?([AaPp])[Mm]\b)?)?"
)
_TIGHT: Final = frozenset([FIELD, VALUE, ROW, LINE])  # never a blank line before one of our making

_TITLE_LENGTH: Final = 200

Emitted = tuple[Lineage, tuple[str, ...]]


def place(lines: Sequence[Lineage], root: Lineage) -> None:
    """Give each living lineage its parent, and let a parent live while a child does."""
    for line in lines:
        if line is not root and line.alive:
            line.parent = _parent(line, root)
    for line in lines:
        if line.alive and line is not root and _was_moved(line):
            _break_cycle(line, root)
    work = [line for line in lines if line.alive and line is not root]
    for line in work:
        above = line.parent
        if above is None:
            continue
        if not above.alive:
            above.alive = True
            above.parent = _parent(above, root)
            _break_cycle(above, root)
            if above.conflict is None and line.conflict is None:
                flag_deleted(above)
            work.append(above)
        above.children.append(line)


def _parent(line: Lineage, root: Lineage) -> Lineage:
    """Where it stands: where the side that moved it put it, else where it was."""
    base, a, b = (
        form.parent.line if form is not None and form.parent is not None else None
        for form in line.forms
    )
    if a is None or b is None:
        return a or b or base or root
    return b if a is base else a


def _was_moved(line: Lineage) -> bool:
    base = line.forms[BASE]
    return base is not None and base.parent is not None and base.parent.line is not line.parent


def _break_cycle(line: Lineage, root: Lineage) -> None:
    """Both sides may have put one section under the other; then the first stays at the top."""
    seen = {id(line)}
    above = line.parent
    while above is not None and above is not root:
        if id(above) in seen:
            line.parent = root
            return
        seen.add(id(above))
        above = above.parent


def order(parent: Lineage) -> list[Lineage]:
    """The children in merged order: front matter, blocks, sections."""
    if len(parent.children) < 2:
        return parent.children
    alive = set(parent.children)
    found = [child for child in parent.children if child.any_node.kind == FRONT]
    for sections in (False, True):
        base, a, b = (
            []
            if form is None
            else [n.line for n in (form.sections if sections else form.blocks) if n.line in alive]
            for form in parent.forms
        )
        found += _weave(base, a, b)
    if len(found) < len(alive):  # both sides moved it, and in a ring
        placed = set(found)
        found += [child for child in parent.children if child not in placed]
    return found


def _weave(base: list[Lineage], a: list[Lineage], b: list[Lineage]) -> list[Lineage]:
    """One order of two: what both have in the order of the side that changed it, and what only one
    has behind what it stood behind there, by time when all of it is timed, else by its text."""
    if a == b or not b:
        return a
    if not a:
        return b
    in_a, in_b = set(a), set(b)
    spine = [line for line in a if line in in_b]
    common_b = [line for line in b if line in in_a]
    if spine != common_b:
        common = set(spine)
        stood = [line for line in base if line in common]
        known = set(stood)
        if [line for line in spine if line in known] == stood:
            spine = common_b
    if len(spine) == len(a) == len(b):
        return spine
    runs_a, runs_b = _runs(a, in_b), _runs(b, in_a)
    woven = _merge_runs(runs_a.get(None, []), runs_b.get(None, []))
    for line in spine:
        woven.append(line)
        if line in runs_a or line in runs_b:
            woven += _merge_runs(runs_a.get(line, []), runs_b.get(line, []))
    return woven


def _runs(lines: Sequence[Lineage], shared: set[Lineage]) -> dict[Lineage | None, list[Lineage]]:
    """What only this side has, by the shared line that it follows (None: the top)."""
    runs: dict[Lineage | None, list[Lineage]] = {}
    at: Lineage | None = None
    for line in lines:
        if line in shared:
            at = line
        else:
            runs.setdefault(at, []).append(line)
    return runs


def _merge_runs(a: list[Lineage], b: list[Lineage]) -> list[Lineage]:
    if not a or not b:
        return a + b
    if b[0].texts < a[0].texts:  # not by side: machines that merge in another order agree, too
        a, b = b, a
    timed_a, timed_b = _by_time(a), _by_time(b)
    if not timed_a or not timed_b:
        return a + b
    merged: list[Lineage] = []
    while timed_a and timed_b:
        merged += (timed_b if timed_b[0][0] < timed_a[0][0] else timed_a).pop(0)[1]
    for _, group in (*timed_a, *timed_b):
        merged += group
    return merged


def _by_time(run: Sequence[Lineage]) -> list[tuple[str, list[Lineage]]]:
    """Groups that each begin with a timed line, with their times never falling; [] if untimed."""
    groups: list[tuple[str, list[Lineage]]] = []
    for line in run:
        when = when_of(line.texts[0])
        if when:
            groups.append((max(when, groups[-1][0]) if groups else when, [line]))
        elif not groups:
            return []
        else:
            groups[-1][1].append(line)
    return groups


def when_of(text: str) -> str:
    """The date and time that a block begins with, as a sortable string, or ""."""
    match = _WHEN.match(text)
    if not match or not (match[1] or match[2]):
        return ""
    hour = int(match[2] or 0)
    if match[4]:
        hour = hour % 12 + (12 if match[4] in "Pp" else 0)
    return f"{match[1] or ''} {hour:02d}:{match[3] or '00'}"


class Writer:
    """Puts a merged tree into text; `flagged` are the lineages with a conflict, with their path."""

    def __init__(self, eol: str) -> None:
        self.parts: list[str] = []
        self.flagged: list[Emitted] = []
        self._eol = eol
        self._last: Lineage | None = None
        self._open: Node | None = None

    def write(self, line: Lineage, path: tuple[str, ...] = ()) -> None:
        """This lineage and all below it."""
        node = line.any_node
        if node.kind == SECTION:
            path = (*path, _title(node))
        if line.conflict:
            self.flagged.append((line, path))
        if line.texts != [""]:  # the root
            self._put(line)
        for child in order(line):
            self.write(child, path)
        if node.kind == FRONT:
            self.parts.append(node.closing)
            self._last = line

    def _put(self, line: Lineage) -> None:
        self._close_open()
        node = line.any_node
        if self._last is not None or self._native(line):
            self.parts.append(self._gap(line))
        elif self.parts:
            self.parts.append(self._eol)
        for index, text in enumerate(line.texts):
            if index and node.kind not in (ITEM, MORE, LINE):
                self.parts.append(self._eol)
            self.parts.append(text)
        self._last = line
        written = next((n for n in line.forms[1:] if n and n.text == line.texts[-1]), node)
        self._open = None if written.closed else written

    def _close_open(self) -> None:
        """An open fence or comment that is no longer the last thing would swallow the rest."""
        if self._open is None:
            return
        if self._open.kind == FENCE:
            opening = self._open.text.lstrip(" \t")
            self.parts.append(opening[: len(opening) - len(opening.lstrip(opening[0]))] + self._eol)
        elif self._open.kind == COMMENT:
            self.parts.append("-->" + self._eol)
        self._open = None

    def _native(self, line: Lineage) -> list[Node]:
        """The forms that stood right behind what was written last, base first."""
        return [form for form in line.forms if form is not None and _before(form) is self._last]

    def _gap(self, line: Lineage) -> str:
        native = self._native(line)
        if not native:
            return self._default_gap(line)
        gaps = [form.gap for form in native]
        if native[0] is line.forms[BASE]:
            return next((gap for gap in gaps[1:] if gap != gaps[0]), gaps[0])
        return gaps[0]

    def _default_gap(self, line: Lineage) -> str:
        """Blank lines between neighbours that no version had: none inside a list or a group."""
        node = line.any_node
        last = self._last.any_node if self._last is not None else None
        if last is None or node.kind in _TIGHT or (node.kind == last.kind == PAIR):
            return ""
        if node.kind in (ITEM, MORE) and last.kind in (ITEM, MORE):
            above = node.before
            spaced = node.gap and above is not None and above.kind in (ITEM, MORE)
            return self._eol if spaced else ""
        return self._eol


def _before(form: Node) -> Lineage | None:
    return form.before.line if form.before is not None else None


def _title(node: Node) -> str:
    return (node.key.partition(" ")[2] or node.key)[:_TITLE_LENGTH]
