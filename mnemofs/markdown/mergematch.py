"""Which nodes of three versions are one and the same: lineages.

Identity comes before order: an entry that one side moved and the other edited is still one entry.
In this order: sections by heading path, by name, by what stands in them (a rename); then blocks by
text at their place, by text anywhere (a move), by name (`key: value`), by likeness (an edit). New
blocks of both sides that say the same at the same place are one. No step is more than linear,
except likeness, which looks at a bounded number of candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from mnemofs.markdown.mergenodes import (
    BASE,
    FRONT,
    NAMED,
    SECTION,
    UNMATCHED,
    VALUE,
    A,
    B,
    Lineage,
    Node,
    Tree,
)
from mnemofs.markdown.scanner import ITEM

_K = TypeVar("_K", str, int)
LIKE: Final = 0.5  # share of words (Dice) above which one text is an edit of another
_RENAMED: Final = 0.6  # share of blocks above which a heading is a renamed one
_RETITLED: Final = 0.25  # the same for a title that is like the old one
_MOVED_KEY: Final = 12  # texts shorter than this are too common to be followed through a file
_CANDIDATES: Final = 400  # pairs of texts compared at one place


def match(base: Tree, a: Tree, b: Tree) -> list[Lineage]:
    """All lineages of three versions, the root first."""
    lines: list[Lineage] = []
    for node in base.nodes:
        node.line = Lineage()
        node.line.forms[BASE] = node
        lines.append(node.line)
    for side, tree in ((A, a), (B, b)):
        _match_sections(base.root, tree.root, side)
    _match_known_names(base, (a, b))
    for side, tree in ((A, a), (B, b)):
        for node in base.nodes:
            form = node.line.forms[side]
            if form is not None and (node.parent is None or node.kind in (SECTION, FRONT)):
                _match_same(node, form, side)
        _match_moved(base, tree, side)
        for node in tree.nodes:
            if node.line is UNMATCHED:
                node.line = Lineage()
                node.line.forms[side] = node
                lines.append(node.line)
    _match_rest(base.root.line)
    _match_known_edits(base, (a, b))
    return [line for line in lines if any(line.forms)]


def _join(base: Node, node: Node, side: int) -> None:
    base.line.forms[side] = node
    node.line = base.line


def _match_sections(base: Node, root: Node, side: int) -> None:
    _join(base, root, side)
    if base.front and root.front:
        _join(base.front, root.front, side)
    paths: dict[tuple[int, str], int] = {}
    old, new = _sections(base, paths), _sections(root, paths)
    _pair_up(old, new, side)
    old_left = [node for _, node in old if node.line.forms[side] is None]
    new_left = [node for _, node in new if node.line is UNMATCHED]
    if old_left and new_left:
        _pair_up([(n.name, n) for n in old_left], [(n.name, n) for n in new_left], side)
        _match_renamed(old_left, new_left, side)


def _sections(root: Node, paths: dict[tuple[int, str], int]) -> list[tuple[int, Node]]:
    """All sections in order, each with a number that stands for its path of names."""
    found: list[tuple[int, Node]] = []
    stack = [(0, node) for node in reversed(root.sections)]
    while stack:
        above, node = stack.pop()
        path = paths.setdefault((above, node.name), len(paths) + 1)
        found.append((path, node))
        stack.extend((path, child) for child in reversed(node.sections))
    return found


def _pair_up(old: Iterable[tuple[_K, Node]], new: Iterable[tuple[_K, Node]], side: int) -> None:
    """Join nodes with equal keys, the first with the first."""
    waiting: dict[_K, list[Node]] = {}
    for key, node in new:
        if node.line is UNMATCHED:
            waiting.setdefault(key, []).append(node)
    for nodes in waiting.values():
        nodes.reverse()
    for key, node in old:
        nodes_left = waiting.get(key)
        if nodes_left and node.line.forms[side] is None:
            _join(node, nodes_left.pop(), side)


def _match_renamed(old: Sequence[Node], new: Sequence[Node], side: int) -> None:
    """A heading that is gone and a new one over mostly the same blocks and headings are one
    heading; some of them are enough when the titles are alike."""
    homes: dict[str, list[Node]] = {}
    for node in new:
        if node.line is UNMATCHED:
            for part in _parts(node):
                homes.setdefault(part, []).append(node)
    for node in old:
        parts = _parts(node)
        if node.line.forms[side] is not None or not parts:
            continue
        shared: dict[Node, int] = {}
        for part in parts:
            for home in homes.get(part, ())[:8]:
                if home.line is UNMATCHED and _same_parent(node, home, side):
                    shared[home] = shared.get(home, 0) + 1
        if not shared:
            continue
        best = max(shared, key=lambda home: shared[home])
        share = shared[best] / max(len(parts), len(_parts(best)))
        if share > (_RETITLED if likeness(node, best) >= LIKE else _RENAMED):
            _join(node, best, side)


def _parts(section: Node) -> list[str]:
    """What stands directly below a heading."""
    return [*(node.key for node in section.blocks), *(f"#{node.name}" for node in section.sections)]


def _match_known_names(base: Tree, sides: tuple[Tree, Tree]) -> None:
    """A heading that one side was seen to rename has its new name on the other side, too: at its
    place, or elsewhere under a name that nothing else has."""
    for node in base.nodes:
        forms = node.line.forms
        for side, other in ((A, B), (B, A)):
            renamed = forms[other]
            if node.kind != SECTION or forms[side] is not None or renamed is None:
                continue
            if renamed.name == node.name:
                continue
            fresh = [
                n
                for n in sides[side - A].nodes
                if n.line is UNMATCHED and n.kind == SECTION and n.name == renamed.name
            ]
            near = [section for section in fresh if _same_parent(node, section, side)]
            if near or len(fresh) == 1:
                _join(node, (near or fresh)[0], side)


def _match_known_edits(base: Tree, sides: tuple[Tree, Tree]) -> None:
    """An entry that one side edited has its new text on the other side, moved elsewhere."""
    wanted: dict[tuple[int, str], Node] = {}
    for node in base.nodes:
        for side, other in ((A, B), (B, A)):
            edited = node.line.forms[other]
            if node.kind == SECTION or edited is None or node.line.forms[side] is not None:
                continue
            if edited.key != node.key and len(edited.key) >= _MOVED_KEY:
                wanted[side, edited.key] = node
    if not wanted:
        return
    for side, tree in zip((A, B), sides, strict=True):
        for form in tree.nodes:
            if _is_new(form) and (found := wanted.pop((side, form.key), None)):
                form.line.forms = [None, None, None]
                _join(found, form, side)


def _same_parent(node: Node, form: Node, side: int) -> bool:
    """Whether both stand under one heading, or `form` under new ones that were put in between."""
    above, home = node.parent, form.parent
    while home is not None and home.line is UNMATCHED:
        home = home.parent
    return above is not None and above.line.forms[side] is home


def _match_same(base: Node, form: Node, side: int) -> None:
    """Join the children that say the same, in order, and what is below them."""
    work = [(base, form)]
    while work:
        base, form = work.pop()
        old, new = base.blocks, form.blocks
        start = 0
        while start < len(old) and start < len(new) and old[start].key == new[start].key:
            start += 1
        end_old, end_new = len(old), len(new)
        while end_old > start and end_new > start and old[end_old - 1].key == new[end_new - 1].key:
            end_old -= 1
            end_new -= 1
        same = [*zip(old[:start], new[:start], strict=True)]
        same += zip(old[end_old:], new[end_new:], strict=True)
        for node, twin in same:
            if twin.line is UNMATCHED and node.line.forms[side] is None:
                _join(node, twin, side)
        if start < end_old and start < end_new:
            middle = old[start:end_old]
            _pair_up(
                ((node.key, node) for node in middle),
                ((node.key, node) for node in new[start:end_new]),
                side,
            )
        for node in old:
            twin_form = node.line.forms[side]
            if node.blocks and twin_form is not None and twin_form.blocks:
                work.append((node, twin_form))


def _match_moved(base: Tree, tree: Tree, side: int) -> None:
    """Join texts that left one place and stand at another, and what is below them."""
    left = [node for node in base.nodes if node.line.forms[side] is None]
    gone = [(key, node) for node in left if len(key := _traced(node)) >= _MOVED_KEY]
    if not gone:
        return
    came = [(key, node) for node in tree.nodes if node.line is UNMATCHED and (key := _traced(node))]
    if not came:
        return
    _pair_up(gone, came, side)
    for node in left:
        form = node.line.forms[side]
        if form is None and node.blocks:
            form = _new_home(node, side)
        if form is not None and node.blocks and form.blocks:
            _match_same(node, form, side)


def _traced(node: Node) -> str:
    """What a text is known by anywhere in a file: a short one (the head of a table, a list item)
    only together with all that stands below it."""
    if node.kind in (SECTION, VALUE):
        return ""
    if len(node.key) >= _MOVED_KEY or not node.blocks:
        return node.key
    return "\n".join([node.key, *map(_traced, node.blocks)])


def _new_home(node: Node, side: int) -> Node | None:
    """Where a table or list item went, by what was in it and stands under the same head now."""
    for child in node.blocks:
        form = child.line.forms[side]
        home = form.parent if form is not None else None
        if home is not None and home.line is UNMATCHED and home.key == node.key:
            _join(node, home, side)
            return home
    return None


def _match_rest(top: Lineage) -> None:
    """Edits, and additions that both sides made, from the top of the tree down."""
    work = [top]
    seen = {top}
    edited: set[Lineage] = set()
    while work:
        line = work.pop()
        base, a, b = line.forms
        if base is not None and line in edited:
            for side, form in ((A, a), (B, b)):
                if form is not None:
                    _match_same(base, form, side)
        if a is not None and b is not None:
            _unify(a.blocks, b.blocks, lambda node: node.key)
            _unify(a.sections, b.sections, lambda node: node.name)
            if a.front and b.front:
                _unify([a.front], [b.front], lambda node: node.kind)
        if base is not None:
            edited.update(_match_edited(line))
        if a is not None and b is not None:
            _unify(_unique(a.blocks), _unique(b.blocks), lambda node: node.kind + node.name)
        for form in line.forms:
            if form is None:
                continue
            if form.front:
                work.append(form.front.line)
            for node in (*form.blocks, *form.sections):
                if (node.blocks or node.sections) and node.line not in seen:
                    seen.add(node.line)
                    work.append(node.line)


def _is_new(node: Node) -> bool:
    forms = node.line.forms
    return forms[BASE] is None and (forms[A] is None or forms[B] is None)


def _unify(a: Sequence[Node], b: Sequence[Node], key: Callable[[Node], str]) -> None:
    """Make additions of both sides one lineage where their keys are equal."""
    fresh = [node for node in b if _is_new(node)]
    if not fresh:
        return
    waiting: dict[str, list[Node]] = {}
    for node in reversed(fresh):
        waiting.setdefault(key(node), []).append(node)
    for node in a:
        if _is_new(node) and (twins := waiting.get(key(node))):
            twin = twins.pop()
            line = node.line
            twin.line.forms = [None, None, None]
            line.forms[B] = twin
            twin.line = line


def _unique(nodes: Sequence[Node]) -> list[Node]:
    """Nodes that hold the only value of their key among their siblings."""
    names: dict[str, int] = {}
    for node in nodes:
        if node.kind in NAMED:
            names[node.name] = names.get(node.name, 0) + 1
    return [node for node in nodes if node.kind in NAMED and names[node.name] == 1]


def _match_edited(line: Lineage) -> list[Lineage]:
    """Pair blocks that are gone with new blocks of the same place that are like them."""
    base, a, b = line.forms
    gone = [node for node in base.blocks if None in node.line.forms] if base is not None else []
    if not gone:
        return []
    edited: list[Lineage] = []
    if a is not None and b is not None:
        both = [n for n in a.blocks if _in_both(n)]
        lost = [n for n in gone if n.line.forms[A] is None and n.line.forms[B] is None]
        for node, form in _likest(lost, both):
            _absorb(node.line, form.line)
            edited.append(node.line)
    for side, home in ((A, a), (B, b)):
        if home is None:
            continue
        new = [node for node in home.blocks if _is_new(node)]
        lost = [node for node in gone if node.line.forms[side] is None]
        for node, form in _likest(lost, new):
            form.line.forms = [None, None, None]
            _join(node, form, side)
            edited.append(node.line)
    return edited


def _in_both(node: Node) -> bool:
    forms = node.line.forms
    return forms[BASE] is None and forms[A] is not None and forms[B] is not None


def _absorb(line: Lineage, other: Lineage) -> None:
    """An edit that both sides made alike."""
    for side in (A, B):
        form = other.forms[side]
        line.forms[side] = form
        if form is not None:
            form.line = line
    other.forms = [None, None, None]


def _likest(old: Sequence[Node], new: Sequence[Node]) -> list[tuple[Node, Node]]:
    """The best pairs of a gone and a new block, each in at most one pair."""
    if not old or not new:
        return []
    narrow = len(old) * len(new) > _CANDIDATES
    found: list[tuple[float, int, int]] = []
    width = max(4, _CANDIDATES // max(1, len(old)))
    for i, node in enumerate(old):
        at = i * len(new) // len(old)
        span = range(max(0, at - width), min(len(new), at + width)) if narrow else range(len(new))
        for j in span:
            score = likeness(node, new[j])
            if score >= LIKE:
                found.append((-score, i, j))
    found.sort()
    pairs: list[tuple[Node, Node]] = []
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, i, j in found:
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairs.append((old[i], new[j]))
    return pairs


def likeness(node: Node, other: Node) -> float:
    """From 0 to 1: how much `other` looks like an edit of `node`."""
    if node.kind != other.kind:
        return 0.0
    if node.kind in NAMED:
        return 1.0 if node.name == other.name else 0.0
    if node.kind == ITEM and node.key.partition("\n")[0] == other.key.partition("\n")[0]:
        return 1.0  # only its further lines changed
    ours, theirs = node.words, other.words
    if not ours or not theirs:
        return 0.0
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))
