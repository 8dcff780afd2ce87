"""One sentence through every writer there is, then forgotten: no byte of it stays (OWN-06)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.lifecycle.reviewing.proposals import park
from mnemofs.llm.engine import (
    Consolidated,
    ConsolidateRequest,
    Dream,
    DreamRequest,
    Extraction,
    ExtractionRequest,
    Judged,
    JudgeRequest,
    Kept,
    Nudge,
    NudgeRequest,
    Soul,
    SoulRequest,
    Verdict,
)
from mnemofs.llm.replies import Clean
from mnemofs.store.model import Change, Edit
from mnemofs.tools import Toolset
from mnemofs.view import View

SECTIONS = "\n\n".join(f"## Part {n}\n\n- line {n} about {w}" for n, w in enumerate("abcdefgh"))


class Gossip:
    """An engine that says it wherever a reply has room for words."""

    name = "gossip"

    def __init__(self, said: str) -> None:
        self.said = said

    def extract(self, request: ExtractionRequest) -> Clean[Extraction]:
        structured = (("project", "mascot", self.said), ("user", "drink", "Tea is nice"))
        return Clean(
            Extraction(
                True,
                f"because {self.said}",
                daily_entry=f"- {self.said}\n- tea",
                memory_entries=(self.said,),
                structured=structured,
            )
        )

    def dream(self, request: DreamRequest) -> Clean[Dream]:
        doubts = ((f"Perhaps {self.said}", f"unsure whether {self.said}"), (self.said, "known"))
        return Clean(
            Dream(True, f"said twice: {self.said}", promoted=(self.said,), rejected=doubts)
        )

    def consolidate(self, request: ConsolidateRequest) -> Clean[Consolidated]:
        first, *others = request.entries
        kept = Kept(first.key, self.said, (first.key,))
        entries = (kept, *(Kept(one.key, one.content) for one in others))
        return Clean(Consolidated(True, entries, f"merged: {self.said}"))

    def soul(self, request: SoulRequest) -> Clean[Soul]:
        text = f"# Soul\n\nI am kind and calm. {self.said}. I answer in short sentences.\n"
        return Clean(Soul(text, f"grown, since {self.said}"))

    def judge(self, request: JudgeRequest) -> Clean[Judged]:
        found = (Verdict(pair.id, True, f"as {self.said}") for pair in request.pairs)
        return Clean(Judged(tuple(found)))

    def nudge(self, request: NudgeRequest) -> Clean[Nudge]:
        return Clean(Nudge((("project", "pet", self.said),)))


class Shrinking(Gossip):
    """Its dreams wait for a person."""

    def dream(self, request: DreamRequest) -> Clean[Dream]:
        return Clean(Dream(True, f"all but {self.said}", memory_content=f"# M\n\n- {self.said}\n"))


class Broken(Gossip):
    def extract(self, request: ExtractionRequest) -> Clean[Extraction]:
        raise RuntimeError(self.said)


class House:
    """A workspace in which time goes by."""

    def __init__(self, root: Path) -> None:
        self.root, self.now = root, datetime(2026, 5, 1, 12, tzinfo=UTC)
        Workspace.init(root, agent="ada", timezone="UTC").close()
        self.ws = Workspace.open(root, clock=Clock(UTC, lambda: self.now))

    def wait(self, hours: float = 1) -> None:
        self.now += timedelta(hours=hours)


@pytest.fixture
def house(root: Path) -> Iterator[House]:
    made = House(root)
    yield made
    made.ws.close()


def talk(said: str) -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": f"You should know: {said}. And remember that lunch is at noon"},
        {"role": "assistant", "content": f"Noted, {said}."},
        {"role": "user", "content": "Good, keep it in mind for the next time that we talk"},
        {"role": "assistant", "content": f"I will keep in mind that {said}"},
    ]


def plant(house: House, view: View, said: str) -> None:
    """Say it in every way that leaves something on disk."""
    gossip, tools = Gossip(said), Toolset(view)
    view.note(said)
    house.wait(20)
    view.note("Something new happens")
    house.wait(20)
    view.dream(engine=gossip)
    view.write("MEMORY.md", f"# M\n\n{SECTIONS}\n")
    view.note("More happens")
    view.dream(engine=Shrinking(said))
    view.evolve_soul(now=True, engine=gossip)
    view.card_seen()
    view.turn_start("c1", talk(said)[0]["content"], title=said)
    view.turn_end("c1", talk(said), title=said, engine=gossip)
    for number, letter in enumerate("abcdefghi"):
        view.remember(f"fact {number} is about {letter * 5}", kind="user", key=f"k{number}")
        house.wait()
    tools.call("remember", {"agentId": "1", "content": said})
    tools.call(
        "remember_structured", {"agentId": "1", "type": "user", "key": "pet", "content": said}
    )
    view.write("memories/mascot.md", f"---\nkey: mascot\nnote: {said}\n---\n\n{said}\n")
    view.write("a.md", f"# T\n\n{said}\n\n```\n{said}\n```\n\n> {said}\n\n<!-- {said} -->\n")
    view.write("a.md", f"**{said}**", merge="append")
    view.write("a.md", f"## Pets\n\n- Mascot: {said}\n- [x] {said}", merge="replace_section")
    view.write("PROFILE.md", {"mascot": said}, merge="upsert_kv")
    view.rebuild_facts()
    for fact in view.facts(said)[:2]:
        view.fact_feedback(fact.id, "HELPFUL")
    view.search(said, mode="lexical")
    view.context(query=f"who: {said}?")
    tools.call("search_workspace_memory", {"agentId": "1", "query": said})
    tools.call("read_workspace_memory_file", {"agentId": "1", "filename": "MEMORY.md"})
    view.consolidate(engine=gossip)
    store = view._require_own().store
    base = store.read("MEMORY.md").blob
    edit = Edit("MEMORY.md", base, f"# M\n\n- {said}\n- kept\n".encode())
    park(store, Change((edit,), "extractor", f"proposal: seen that {said}"), house.now)
    view.spool(talk(said), conversation="c2", title=said)
    for _ in range(5):
        house.wait(2)
        view.drain(engine=Broken(said), hurry=True)
    view.spool(talk(said), conversation="c3")
    view.turn_end("c4", talk(said), engine=Broken(said))


def holding(root: Path, word: str) -> list[str]:
    """Files and names outside of the history that hold a word, in whatever encoding."""
    forms = {word.casefold().encode(code) for code in ("utf-8", "utf-16-le")}
    forms.add(ascii(word.casefold())[1:-1].encode())
    found = []
    for path in root.rglob("*"):
        if ".git" in path.parts:
            continue
        text = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        if any(form in (text.lower() if word.isascii() else text) for form in forms):
            found.append(str(path.relative_to(root)))
    return found


SAYINGS = [
    ("the quokka is our mascot", "quokka"),
    ("袋鼠是我们公司的吉祥物", "袋鼠"),
    ("カンガルーは私たちの大切なマスコットです", "カンガルー"),
    ("das ängstliche quokka wohnt bei uns", "ängstliche"),
]
CASES = [
    *((said, word, "statement", "") for said, word in SAYINGS),
    (*SAYINGS[0], "statement", "user:al"),
    (*SAYINGS[0], "mentions", ""),
    (*SAYINGS[1], "purge", ""),
    (*SAYINGS[3], "purge", "user:al"),
]


@pytest.mark.parametrize(("said", "word", "way", "owner"), CASES)
def test_OWN_06_nothing_of_a_forgotten_sentence_is_left(
    house: House, everything: Callable[[Path], bytes], said: str, word: str, way: str, owner: str
) -> None:
    view = house.ws.for_owner(owner) if owner else house.ws
    plant(house, view, said)
    assert len(holding(house.root, word)) > 10
    if way == "mentions":
        view.forget(word, all_mentions=True)
    else:
        view.forget(said, purge=way == "purge")
    assert holding(house.root, word) == []
    if way == "purge":
        assert word.encode() not in everything(house.root if not owner else _person(house.root))
    shown = [view.facts(word), view.search(word, mode="lexical").hits, view.search_sessions(word)]
    assert shown == [[], (), ()]
    assert word not in f"{view.review()}{view.card()}{view.sessions(50)}{view.dreams()}"
    house.wait(10)
    view.drain(engine=Gossip(said), hurry=True)  # OWN-07: what waited does not bring it back
    view.retry_parked()
    view.drain(engine=Gossip(said), hurry=True)
    house.wait(24)
    view.dream(engine=Gossip(said))
    view.consolidate(engine=Gossip(said))
    view.evolve_soul(now=True, engine=Gossip(said))
    assert holding(house.root, word) == []


def _person(root: Path) -> Path:
    (only,) = (root / "owners").iterdir()
    return only
