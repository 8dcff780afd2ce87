"""Promotion without a model: what recurs in the notes, was asked for again and again, or was marked
as lasting, earns a place; a newer value takes the place of an older one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil

from mnemofs import secrets
from mnemofs.llm import rules_text
from mnemofs.llm.engine import Dream, DreamRequest
from mnemofs.llm.rules_corrections import denied, replaced
from mnemofs.llm.rules_habits import says_little, tells_of_a_day
from mnemofs.llm.rules_statements import bare, kind_of, lines, may_state, statements
from mnemofs.llm.rules_values import Setting, setting

MOST_PROMOTED = 20  # for each run, so that one night cannot fill the memory file
_MOST_REJECTED = 200
NEXT_RUN = "left for the next run"
_SECRET = "looks like a secret"
KNOWN = "known already"
_TASK_SAID = "a task, not knowledge"
_VETOED = "a question, a hypothesis, or meant for one occasion"
_EVENT = "an event"
_ONCE = "stands in one note only"
_LITTLE = "says too little"
_OUTDATED = "a newer note says otherwise"
_LATER = "the memory holds a later value"
# Every reason that this engine gives; none holds a word of memory.
REASONS = frozenset(
    {_SECRET, KNOWN, _TASK_SAID, _VETOED, _EVENT, _ONCE, _LITTLE, _OUTDATED, _LATER, NEXT_RUN}
)
_RECURS = 2  # notes
_LASTING = frozenset({"identity", "preference", "instruction", "decision", "correction"})
_MARK = re.compile(
    r"(?:\*\*|__)?(?:decision|decided|preference|lesson(?: learned)?|learned|important|remember"
    r"|rule|convention|fact|takeaway|entscheidung|vorliebe|lehre|wichtig|merke|regel|decisión|lección"
    r"|preferencia|importante|regla|décision|préférence|leçon|règle|à retenir|决定|偏好|教训|重要"
    r"|经验|规则|決定事項?|好み|教訓|ルール)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+")
_TASK = re.compile(r"\[[ xX]\]|(?:todo|to-do|tarea|à faire|待办)\b", re.IGNORECASE)
_REDACTED = "[redacted: "
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class _Item:
    """A line of a note: `text` what it says, `whole` as it stands there without list mark.

    age: notes from the newest; place: line number. mark: it names itself lasting. recalled: the
    score it was recalled with, 0 when it was not. stating: it may state something of a person.
    """

    text: str
    whole: str
    path: str
    age: int
    place: int
    gist: rules_text.Gist
    mark: bool
    task: bool
    secret: bool
    recalled: float
    stating: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """Items that say the same thing, and why that is not promoted ("" when it is)."""

    newest: _Item
    items: list[_Item]
    reason: str


def plan_dream(request: DreamRequest) -> Dream:
    """The lines to add to the memory file, best first, with a reason for every other.

    A line is promoted when the same thing stands in at least two notes, when it was recalled as
    often as a candidate is, or when it is marked or worded as a decision, preference, instruction,
    correction or fact of a person; the newest wording is taken. Lines that differ in a figure are
    never the same thing. Where lines give one thing different values, the newest counts, in the
    notes and against the memory. With a topic, lines about it come first.
    """
    memory = lines(request.memory)
    standing = _Standing([rules_text.gist(bare(line)) for line in memory])
    groups = []
    for items in _groups(list(_items(request))):
        newest = min(items, key=lambda item: (item.age, -item.place))
        groups.append(_Group(newest, items, _against(newest, items, standing)))
    groups, outdated = _settled(groups, memory)
    ready = [group for group in groups if not group.reason]
    ready.sort(key=lambda group: -_score(group, request))
    chosen = [group.newest.text for group in ready[:MOST_PROMOTED]]
    turned_down = [group for group in groups if group.reason]
    turned_down.sort(key=lambda group: (not _recalled(group.items), group.reason == _ONCE))
    rejected = [(group.newest.whole, NEXT_RUN) for group in ready[MOST_PROMOTED:]]
    rejected += [(_shown(group), group.reason) for group in turned_down[:_MOST_REJECTED]]
    left = len(groups) - len(chosen)
    return Dream(
        should_update=bool(chosen),
        reason=_summary(len(chosen), left, len(request.notes)),
        promoted=tuple(chosen),
        rejected=tuple(rejected),
        more_rejected=left - len(rejected),
        superseded=tuple(_superseded(chosen, memory, outdated)),
    )


class _Standing:
    """The lines of the memory file, to ask whether one says the same."""

    def __init__(self, gists: list[rules_text.Gist]) -> None:
        self._by_word: dict[str, list[rules_text.Gist]] = {}
        for one in gists:
            for word in one.words:
                self._by_word.setdefault(word, []).append(one)

    def knows(self, gist: rules_text.Gist) -> bool:
        """Whether a line covers the gist or is covered by it: such lines share a word."""
        seen: set[int] = set()
        for word in gist.words:
            for one in self._by_word.get(word, ()):
                if id(one) not in seen:
                    seen.add(id(one))
                    if rules_text.alike(one, gist):
                        return True
        return False


def _against(newest: _Item, group: list[_Item], standing: _Standing) -> str:
    """Why a group is not promoted, "" when it is."""
    if any(item.secret for item in group):
        return _SECRET
    recurs = len(group) >= _RECURS and len({item.path for item in group}) >= _RECURS
    recalled = _recalled(group)
    if not (recurs or recalled or newest.mark or newest.task or newest.stating):
        return KNOWN if standing.knows(newest.gist) else _ONCE
    if standing.knows(newest.gist):
        return KNOWN
    if newest.task:
        return _TASK_SAID
    kind, ruled_out = kind_of(newest.text)
    if ruled_out:
        return _VETOED
    if kind == "todo":
        return _TASK_SAID
    if newest.mark or recalled or kind in _LASTING:
        return ""
    if kind == "event" or (recurs and tells_of_a_day(newest.text)):
        return _EVENT
    if not recurs:
        return _ONCE
    return _LITTLE if says_little(newest.text) else ""


def _settled(
    groups: list[_Group], memory: list[str]
) -> tuple[list[_Group], Mapping[str, list[str]]]:
    """The groups after different values of one thing were weighed against each other, and the
    lines of the memory that a promoted text makes untrue.

    What qualifies is the thing: when an older value would be promoted, or the memory has one, the
    newest is, however often it was said.
    """
    held: dict[tuple[str, ...], list[tuple[str, Setting]]] = {}
    for line in memory:
        if found := setting(bare(line)):
            held.setdefault(found.key, []).append((line, found))
    rivals: dict[tuple[str, ...], list[tuple[int, Setting]]] = {key: [] for key in held}
    for number, group in enumerate(groups):
        if group.reason in ("", KNOWN) and (found := _setting(group.newest)):
            rivals.setdefault(found.key, []).append((number, found))
    # Of the many lines that stand in one note only, those matter that may set one of these things.
    about = rules_text.gist(" ".join(word for key in rivals for word in key)).words
    for number, group in enumerate(groups):
        said = group.newest
        if group.reason != _ONCE or (about.isdisjoint(said.gist.words) and not said.stating):
            continue
        found = _setting(said)
        if found and found.key in rivals:
            rivals[found.key].append((number, found))
    outdated: dict[str, list[str]] = {}
    for key, those in rivals.items():
        standing = held.get(key, ())
        if len(those) + len(standing) < 2 or not those:
            continue
        those.sort(key=lambda one: (groups[one[0]].newest.age, -groups[one[0]].newest.place))
        number, newest = those[0]
        group = groups[number]
        wanted = not group.reason
        for other, value in those[1:]:
            if value.value != newest.value and groups[other].reason != KNOWN:
                wanted = wanted or not groups[other].reason
                groups[other] = replace(groups[other], reason=_OUTDATED)
        differing = [line for line, value in standing if value.value != newest.value]
        if group.reason == KNOWN or not (differing or wanted):
            continue
        if any(_later(line, group.newest) for line in differing):
            groups[number] = replace(group, reason=_LATER)
        elif group.reason == "" or not kind_of(group.newest.text)[1]:
            groups[number] = replace(group, reason="")
            outdated[group.newest.text] = differing
    return groups, outdated


def _setting(item: _Item) -> Setting | None:
    return setting(item.text, stating=item.stating)


def _later(line: str, item: _Item) -> bool:
    """Whether a line of the memory was written after the day of the item's note."""
    written, noted = _DAY.match(line), _DAY.search(item.path)
    return bool(written and noted and written[0] > noted[0])


def _superseded(
    chosen: list[str], memory: list[str], outdated: Mapping[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """(line of the memory, promoted text that takes its place), each line once."""
    gone: set[str] = set()
    for text in chosen:
        found = list(outdated.get(text, ()))
        for said in statements(text):
            if denied(said):
                found += replaced(said, memory)
        for line in found:
            if line not in gone and bare(line) != text:
                gone.add(line)
                yield line, text


def _recalled(items: list[_Item]) -> bool:
    return any(item.recalled for item in items)


def _score(group: _Group, request: DreamRequest) -> float:
    """Recurrence, then marks, then age; a topic and recall lift what they name."""
    newest = group.newest
    score = 2.0 * len({item.path for item in group.items}) + (1.0 if newest.mark else 0.0)
    score += 1.0 / (1 + newest.age)
    score += 4.0 * max(item.recalled for item in group.items)
    if request.topic and rules_text.terms(newest.text) & rules_text.terms(request.topic):
        score *= 3.0
    return score


def _items(request: DreamRequest) -> Iterator[_Item]:
    recalled = {_plain(text): score for _, text, score in request.candidates}
    seen: set[str] = set()
    for age, (path, text) in enumerate(request.notes):
        for item in _lines(path, text, age, recalled):
            seen.add(_plain(item.whole))
            yield item
    elsewhere = [one for one in request.candidates if _plain(one[1]) not in seen]
    for path, text, _ in elsewhere:
        yield from _lines(path, text, len(request.notes), recalled)


def _lines(path: str, text: str, age: int, recalled: Mapping[str, float]) -> Iterator[_Item]:
    own = rules_text.said(text)
    secret = {finding.line for finding in secrets.scan(own)}
    for number, line in enumerate(own.split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", "<!--", ">", "|", "---")):
            continue
        marked = _LIST_MARK.match(stripped)
        item = stripped[marked.end() :] if marked else stripped
        task = _TASK.match(item) is not None
        item = bare(item)
        if len(item) > rules_text.MAX_SENTENCE:
            continue
        mark = _MARK.match(item)
        said = mark["text"].strip("* ") if mark else item
        about = rules_text.gist(said)
        if about.words:
            score = recalled.get(_plain(item), 0.0) if recalled else 0.0
            hidden = number in secret or _REDACTED in line
            yield _Item(
                said,
                item,
                path,
                age,
                number,
                about,
                mark is not None,
                task,
                hidden,
                score,
                may_state(said),
            )


def _plain(text: str) -> str:
    return bare(text.strip()).casefold()


def _groups(items: list[_Item]) -> list[list[_Item]]:
    """Items that say the same thing: each is alike the first of its group.

    A line and one that it covers share the rarest word of the shorter one, and the longer one has
    few more words; so each group is listed under those of its rarest words that can be shared, and
    under its figures and whether it denies, which must be the same.
    """
    frequency = Counter(word for item in items for word in item.gist.words)
    groups: list[list[_Item]] = []
    heads: list[frozenset[str]] = []
    by_word: dict[tuple[str, frozenset[str], bool], list[int]] = {}
    same: dict[rules_text.Gist, int] = {}
    for item in items:
        gist = item.gist
        number = same.get(gist)
        if number is None:
            rarest = sorted(gist.words, key=lambda word: (frequency[word], word))
            rarest = rarest[: len(rarest) - ceil(rules_text.ALIKE * len(rarest)) + 1]
            keys = [(word, gist.figures, gist.denies) for word in rarest]
            number = _nearest(gist.words, heads, keys, by_word)
            if number is None:
                number = len(groups)
                groups.append([])
                heads.append(gist.words)
                for key in keys:
                    by_word.setdefault(key, []).append(number)
            same[gist] = number
        groups[number].append(item)
    return groups


def _nearest(
    words: frozenset[str],
    heads: list[frozenset[str]],
    keys: Iterable[tuple[str, frozenset[str], bool]],
    by_word: Mapping[tuple[str, frozenset[str], bool], list[int]],
) -> int | None:
    """The first group whose head covers the words or is covered by them, as `rules_text.alike`."""
    near = {number for key in keys for number in by_word.get(key, ())}
    size = len(words)
    for number in sorted(near):
        other = heads[number]
        least, most = rules_text.ALIKE * len(other), len(other) / rules_text.ALIKE
        if least <= size <= most and (other <= words or words <= other):
            return number
    return None


def _shown(group: _Group) -> str:
    if group.reason == _SECRET:
        return secrets.mask(group.newest.whole)[0]
    return group.newest.whole


def _summary(promoted: int, rejected: int, notes: int) -> str:
    where = f"{notes} note{'s' if notes != 1 else ''}"
    if not promoted:
        return f"nothing in {where} recurs or is marked as lasting"
    return f"{promoted} promoted from {where}, {rejected} left in the notes"
