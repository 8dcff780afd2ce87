"""A quarter in the life of a memory: three people, ninety days, a model that breaks often.

    python benchmarks/quarter.py [--days 90] [--talks 40] [--seed 1] [--broken 0.1]

Planted in the conversations: durable facts (said once, under a key, or recurring), corrections,
values that dispute each other, one-offs, secrets, and instructions inside fetched web pages. The
model is played over HTTP; it is gullible (it writes down secrets and whatever it is shown of the
web), and its broken replies are of every kind seen in the field.

Checked: no durable fact lost, no one-off promoted, corrections win, nothing of one person on any
surface of another's, no secret in any object or database, MEMORY.md within its budget every day,
every night can be taken back. Ends with 1 when one of these does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT.parent)]

from quarter_world import OWNERS, Planted, World, make  # noqa: E402

from mnemofs import Workspace  # noqa: E402
from mnemofs.clock import Clock  # noqa: E402
from mnemofs.store.past import takeback  # noqa: E402
from mnemofs.tools import Toolset  # noqa: E402
from mnemofs.view import View  # noqa: E402
from tests.fake_model import Answer, FakeModel, Seen  # noqa: E402

ZONE = ZoneInfo("Europe/Berlin")
START = date(2026, 1, 5)
_WORD = re.compile(r"ghp_[A-Za-z0-9]{36}|[A-Z][a-z]{6,}")
_LONG_TERM = ("MEMORY.md", "PROFILE.md", "structured/")


def words_in(world: World, text: str) -> set[str]:
    """The made-up words that stand in `text`."""
    return {word for word in _WORD.findall(text) if word in world.by_word}


class Model:
    """What the language model at the other end answers."""

    def __init__(self, world: World, seed: int, broken: float) -> None:
        self._world = world
        self._rng = random.Random(seed)
        self._broken = broken
        self.asked: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def __call__(self, seen: Seen) -> Answer:
        """One reply; broken in one case of ten."""
        prompt = seen.prompt
        if "<conversation>" in prompt:
            self.asked["extract"] += 1
            good, whole = self._extraction(prompt), "memory_update"
        elif "<notes>" in prompt:
            self.asked["dream"] += 1
            good, whole = self._dream(prompt), "memory_content"
        else:
            self.asked["other"] += 1
            return Answer('{"should_update": false, "reason": "nothing", "entries": []}')
        if self._rng.random() < self._broken:
            return self._break(good, whole)
        return Answer(json.dumps(good, ensure_ascii=False))

    def _extraction(self, prompt: str) -> dict[str, Any]:
        said = self._planted(_section(prompt, "conversation"))
        memory = _section(prompt, 'memory file="MEMORY.md"').strip()
        lines = [] if memory == "(empty)" else memory.split("\n")
        daily, entries = [], []
        before = list(lines)
        for one in said:
            line = f"- **{one.what}**: {one.word}"
            if one.kind in ("recurring", "once", "secret"):
                daily.append(f"- {one.what}: {one.word}")
            elif one.kind == "keyed":
                key = "fact_" + re.sub(r"\D", "", one.what)
                content = f"{one.what}: {one.word}"
                entries.append({"type": "project", "key": key, "content": content})
            elif any(one.word in standing for standing in lines):
                continue
            elif one.replaces and any(one.replaces in standing for standing in lines):
                lines = [line if one.replaces in standing else standing for standing in lines]
            else:
                lines.append(line)
        useful = bool(daily or entries or lines != before)
        return {
            "should_update": useful,
            "reason": "something was said" if useful else "nothing new",
            "daily_entry": "\n".join(["## Said", *daily]) if daily else None,
            "memory_update": "\n".join(lines) if lines != before else None,
            "profile_update": None,
            "structured_entries": entries or None,
        }

    def _dream(self, prompt: str) -> dict[str, Any]:
        notes = re.split(r"(?m)^### (?=memory/)", _section(prompt, "notes"))
        memory = _section(prompt, 'memory file="MEMORY.md"').strip()
        lines = [] if memory == "(empty)" else memory.split("\n")
        heard = Counter(word for note in notes for word in words_in(self._world, note))
        added = [
            f"- **{self._world.by_word[word].what}**: {word}"
            for word, times in heard.items()
            if times > 1 and word not in memory and self._world.by_word[word].kind == "recurring"
        ]
        return {
            "should_update": bool(added),
            "reason": "came up on several days" if added else "nothing recurs",
            "memory_content": "\n".join([*lines, *added]) if added else None,
        }

    def _planted(self, text: str) -> list[Planted]:
        found = dict.fromkeys(_WORD.findall(text))
        return [self._world.by_word[word] for word in found if word in self._world.by_word]

    def _break(self, good: dict[str, Any], whole: str) -> Answer:
        text = json.dumps(good, ensure_ascii=False)
        shrunk = {**good, "should_update": True, whole: "# Memory\n\n- nothing of note\n"}
        kinds: dict[str, Answer] = {
            "chatter": Answer(f"Sure! Here it is:\n```json\n{text}\n```\nAnything else?"),
            "fence in text": Answer(json.dumps({**good, "reason": "see ```json {} ```"})),
            "think": Answer(f'<think>{{"should_update": true}} hm</think>\n{text}'),
            "blank": Answer(json.dumps({**good, "should_update": True, whole: "  "})),
            "placeholder": Answer(
                json.dumps({**good, "should_update": True, whole: "(unchanged)"})
            ),
            "cut": Answer(text[: len(text) // 2], finish_reason="length"),
            "tool call": Answer(
                None, tool_calls=[{"id": "1", "type": "function", "function": {"name": "x"}}]
            ),
            "no choices": Answer(choices=False),
            "only reasoning": Answer("", reasoning_content=text),
            "shrink": Answer(json.dumps(shrunk)),
            "wrong types": Answer(json.dumps({**good, "should_update": "yes", whole: ["a", 1]})),
            "server error": Answer(status=500, raw=b"{}"),
        }
        kind = self._rng.choice(list(kinds))
        self.faults[kind] += 1
        return kinds[kind]


def _section(prompt: str, name: str) -> str:
    found = re.search(rf"<{re.escape(name)}>\n(.*?)\n</{name.split()[0]}>", prompt, re.S)
    return found.group(1) if found else ""


class Quarter:
    """One run: the days, the nights, and what is wrong with them."""

    def __init__(self, root: Path, world: World, model: Model) -> None:
        self.now = datetime.combine(START, datetime.min.time(), ZONE)
        self.world = world
        self.model = model
        self.root = root
        self.wrong: list[str] = []
        self.outcomes: Counter[str] = Counter()
        self.dreams: Counter[str] = Counter()
        self.spent: Counter[str] = Counter()
        clock = Clock(ZONE, lambda: self.now)
        self.ws = Workspace.init(root, agent="quarter", timezone=ZONE.key, clock=clock)
        self.views: dict[str, View] = {owner: self.ws.for_owner(owner) for owner in OWNERS}

    def run(self) -> None:
        """All days and nights, then the questions at the end."""
        for day in range(self.world.days):
            began = time.perf_counter()
            for talk in self.world.talks[day]:
                self.now = talk.at
                view = self.views[talk.owner]
                view.turn_end(talk.name, list(talk.messages), background=True)
                self._drain(view)
            self.spent["learning"] += time.perf_counter() - began
            began = time.perf_counter()
            self._night(day)
            self.spent["nights"] += time.perf_counter() - began
            self._within_budget(day)
        for view in self.views.values():
            for _ in range(8):
                self.now += timedelta(minutes=30)
                self._drain(view, hurry=True)
            status = view.turn_status()
            if status.waiting or status.parked:
                self.wrong.append(f"{view.owner}: {status.waiting} turns wait, {status.parked}")
        began = time.perf_counter()
        for owner in OWNERS:
            self._nothing_lost(owner)
            self._nothing_leaked(owner)
        self._nothing_secret()
        self.spent["checks"] += time.perf_counter() - began

    def _drain(self, view: View, *, hurry: bool = False) -> None:
        done = view.drain(hurry=hurry)
        self.outcomes.update(report.status for report in done.reports)

    def _night(self, day: int) -> None:
        midnight = datetime.combine(START + timedelta(days=day + 1), datetime.min.time(), ZONE)
        self.now = midnight + timedelta(hours=3)
        for owner, view in self.views.items():
            if not any(Path(view._scopes[0].root, "memory").glob("*.md")):
                continue
            for _ in range(3):
                before = _text(view, "MEMORY.md")
                report = view.dream()
                self.dreams[report.status] += 1
                if report.commit:
                    self._can_be_taken_back(view, owner, report.commit, before)
                if report.status not in ("failed", "refused"):
                    break
                self.now += timedelta(minutes=10)
        self.now = midnight + timedelta(hours=3, minutes=30)
        self.ws.consolidate(everyone=True)
        for owner, view in self.views.items():
            view.rebuild_facts()
            mine = [talk for talk in self.world.talks[day] if talk.owner == owner]
            view.context(query=str(mine[0].messages[0]["content"]))

    def _can_be_taken_back(self, view: View, owner: str, commit: str, before: str) -> None:
        change, _ = takeback.undo(view._scopes[0].store, commit)
        after = {edit.path: edit.content for edit in change.edits}
        if (after.get("MEMORY.md", before.encode()) or b"").decode() != before:
            self.wrong.append(f"the dream {commit[:10]} of {owner} cannot be taken back")

    def _within_budget(self, day: int) -> None:
        limit = self.ws.config.files.memory_max_chars
        for owner, view in self.views.items():
            size = len(_text(view, "MEMORY.md"))
            if size > limit:
                self.wrong.append(f"day {day}: MEMORY.md of {owner} has {size} characters")

    def _nothing_lost(self, owner: str) -> None:
        view = self.views[owner]
        kept = {
            entry.path: _text(view, entry.path)
            for entry in view.ls()
            if entry.owner == owner and entry.path.startswith(_LONG_TERM)
        }
        known = {word for text in kept.values() for word in words_in(self.world, text)}
        mine = [one for one in self.world.lasting() if one.owner == owner]
        for one in mine:
            if one.word not in known:
                self.wrong.append(f"lost: {one.kind} {one.word} of {owner}, day {one.day}")
            elif not any(one.word in hit.text for hit in view.search(one.word, limit=5).hits):
                self.wrong.append(f"not found: {one.kind} {one.word} of {owner}")
        asked = repr(view.contradictions())
        for one in self.world.planted:
            if one.owner == owner and one.kind == "disputed" and one.word not in asked:
                self.wrong.append(f"nobody is asked about {one.what} {one.word} of {owner}")
        current = {one.word for one in mine}
        for word in known:
            one = self.world.by_word[word]
            if one.kind in ("once", "web"):
                self.wrong.append(f"kept for good: {one.kind} {word} of {owner}")
            if one.owner == owner and one.kind in ("stated", "corrected") and word not in current:
                self.wrong.append(f"corrected, but still there: {word} of {owner}")

    def _nothing_leaked(self, owner: str) -> None:
        view = self.views[owner]
        foreign = [one for one in self.world.planted if one.owner != owner]
        strangers = {one.word for one in foreign}
        for name, listed in self._lists(view):
            if found := words_in(self.world, repr(listed)) & strangers:
                self.wrong.append(f"leak: {sorted(found)[:3]} in {name} of {owner}")
        for name, text in _everything(Path(view._scopes[0].root)):
            if found := words_in(self.world, text) & strangers:
                self.wrong.append(f"leak: {sorted(found)[:3]} in {name} of {owner}")
        for one in foreign[::4]:
            for name, text in self._surfaces(view, one):
                # A tool repeats what it was asked for.
                if one.word in text.replace(f"{one.what} {one.word}", ""):
                    self.wrong.append(f"leak: {one.word} of {one.owner} in {name} of {owner}")

    def _surfaces(self, view: View, one: Planted) -> Iterator[tuple[str, str]]:
        hits = view.search(f"{one.what} {one.word}", mode="lexical", limit=10).hits
        yield "search", "\n".join(hit.text for hit in hits)
        context = view.context(query=one.what)
        yield "context", context.system + context.prefetch
        tools = Toolset(view, agent_id="quarter")
        for name, asked in (
            ("session_search", {"mode": "search", "query": one.what}),
            ("search_workspace_memory", {"query": one.what}),
            ("fact_probe", {"entity": one.what}),
        ):
            yield name, tools.call(name, {"agentId": "quarter", **asked})

    def _lists(self, view: View) -> Iterator[tuple[str, object]]:
        yield "facts", view.facts(limit=10_000)
        yield "contradictions", view.contradictions()
        yield "card", view.card()
        yield "dreams", view.dreams(None)
        yield "candidates", view.candidates()
        yield "review", view.review()
        yield "why-in-context", view.why_in_context(limit=100)
        yield "turns", view.turn_status()
        yield "log", view.log(limit=None)

    def _nothing_secret(self) -> None:
        secrets = {one.word for one in self.world.planted if one.kind == "secret"}
        for name, text in _everything(self.root):
            found = words_in(self.world, text) & secrets
            if found:
                self.wrong.append(f"a secret stands in {name}")


def _text(view: View, path: str) -> str:
    return (view._scopes[0].read(path) or b"").decode()


def _everything(root: Path) -> Iterator[tuple[str, str]]:
    """Every file below `root` that may hold text, objects unpacked, people's stores left out."""
    import subprocess

    names = subprocess.run(
        ["git", "-C", str(root), "cat-file", "--batch-all-objects", "--batch-check"],
        capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    ids = "\n".join(line.split()[0] for line in names if line)
    objects = subprocess.run(
        ["git", "-C", str(root), "cat-file", "--batch"],
        input=ids.encode(), capture_output=True, check=True,
    ).stdout  # fmt: skip
    yield "git objects", objects.decode("utf-8", "replace")
    for folder, inside, files in os.walk(root):
        inside[:] = [name for name in inside if name not in (".git", "owners")]
        for name in files:
            path = os.path.join(folder, name)
            yield os.path.relpath(path, root), Path(path).read_text("utf-8", "replace")


def main() -> int:
    """Run, report, and say what does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--talks", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", type=float, default=0.1)
    options = parser.parse_args()
    world = make(options.seed, options.days, options.talks, START, ZONE)
    model = Model(world, options.seed, options.broken)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, FakeModel() as server:
        server.always(model)
        os.environ |= {
            "MNEMOFS_HOME": os.path.join(folder, "home"),
            "MNEMOFS_MODEL_BASE_URL": server.url,
            "MNEMOFS_MODEL_NAME": "scripted",
            "MNEMOFS_EXTRACTION_ENGINE": "llm",
            "MNEMOFS_DREAMING_ENGINE": "llm",
            "MNEMOFS_CONSOLIDATION_ENGINE": "llm",
            "OPENAI_API_KEY": "none",
        }
        quarter = Quarter(Path(folder, "ws"), world, model)
        quarter.run()
    kinds = Counter(one.kind for one in world.planted)
    print(f"{options.days} days, {sum(map(len, world.talks.values()))} conversations, planted:")
    print("  " + ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())))
    print(f"model: {dict(model.asked)}, broken replies: {sum(model.faults.values())}")
    print(f"learning: {dict(quarter.outcomes)}, dreams: {dict(quarter.dreams)}")
    print(f"seconds: { {name: round(value, 1) for name, value in quarter.spent.items()} }")
    print(f"all in {time.perf_counter() - began:.0f} s, {len(quarter.wrong)} faults")
    for fault in quarter.wrong[:40]:
        print(f"  {fault}")
    return 1 if quarter.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
