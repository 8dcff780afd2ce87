"""A forget on one machine reaches the other with the next sync, whatever that one keeps beside its
files and whatever its clock says (OWN-06, OWN-07)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock

Git = Callable[..., str]
Everything = Callable[[Path], bytes]
SAID = "My pet is a quokka called Ludo"
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Pair:
    """Two clones of one memory, each with a clock that is moved by hand."""

    def __init__(self, folder: Path, git: Git) -> None:
        self.times = [NOW, NOW]
        self.roots = [folder / "one", folder / "two"]
        git(folder, "init", "-q", "--bare", "-b", "main", "bare.git")
        self.one = Workspace.init(self.roots[0], timezone="UTC", clock=self._clock(0))
        self.one.remember("The office is in Leeds")
        self.one.remember(SAID)
        self.one.add_remote(str(folder / "bare.git"))
        self.one.sync()
        url = str(folder / "bare.git")
        self.two = Workspace.clone(url, self.roots[1], timezone="UTC", clock=self._clock(1))

    def _clock(self, number: int) -> Clock:
        return Clock(UTC, lambda: self.times[number])

    def meet(self) -> None:
        for place in (self.one, self.two, self.one):
            place.sync()

    def by_hand(self, number: int, old: str, new: str) -> None:
        file = self.roots[number] / "MEMORY.md"
        file.write_text(file.read_text().replace(old, new))
        (self.one, self.two)[number]._scopes[0].store.fold(quiet=0)


@pytest.fixture
def pair(tmp_path: Path, git: Git) -> Pair:
    return Pair(tmp_path, git)


def test_the_conversations_of_the_other_machine_lose_it_too(pair: Pair) -> None:
    pair.two.turn_end(
        "c1",
        [
            {"role": "user", "content": f"Good morning. {SAID}. The fjord is cold."},
            {"role": "assistant", "content": "How nice."},
            {"role": "user", "content": "Which day is it today, please?"},
            {"role": "assistant", "content": "Friday."},
        ],
    )
    pair.two.facts()
    assert pair.two.search_sessions("quokka")
    assert pair.one.forget(SAID).status == "deleted"
    pair.meet()
    assert not pair.two.search_sessions("quokka") and pair.two.search_sessions("fjord")
    assert not pair.two.search("quokka", mode="lexical").hits
    kept = [path for path in (pair.roots[1] / ".mnemofs").rglob("*") if path.is_file()]
    holding = [path.name for path in kept if b"quokka" in path.read_bytes().lower()]
    assert holding == []


def test_a_proposal_that_waits_on_the_other_machine_loses_it_too(
    pair: Pair, everything: Everything
) -> None:
    from mnemofs.lifecycle.reviewing.proposals import park
    from mnemofs.store.model import Change, Edit

    store = pair.two._scopes[0].store
    text = f"# Memory\n\n- {SAID}\n- Lunch is at noon\n".encode()
    park(store, Change((Edit("x.md", None, text),), "extractor", "proposal: a new file"), NOW)
    pair.one.forget(SAID)
    pair.meet()
    (waiting,) = pair.two.review()
    draft = pair.two.review_draft(waiting.id)
    assert b"noon" in draft and b"quokka" not in draft


@pytest.mark.parametrize("ahead", [timedelta(days=3), timedelta(days=-3)])
def test_an_edit_that_knew_nothing_of_the_forget_does_not_bring_it_back(
    pair: Pair, ahead: timedelta
) -> None:
    pair.one.forget(SAID)
    pair.times[1] += ahead
    pair.by_hand(1, f"- {NOW:%Y-%m-%d %H:%M}: {SAID}", f"* {SAID}.")
    pair.by_hand(1, SAID, SAID.upper())
    pair.meet()
    for place, root in zip((pair.one, pair.two), pair.roots, strict=True):
        assert not place.search("quokka", mode="lexical").hits
        assert "quokka" not in (root / "MEMORY.md").read_text().lower()
        assert "Leeds" in (root / "MEMORY.md").read_text()


@pytest.mark.parametrize("back", [timedelta(), timedelta(days=4)])
def test_writing_it_by_hand_again_counts_on_both_machines_with_any_clock(
    pair: Pair, back: timedelta
) -> None:
    pair.one.forget(SAID)
    pair.meet()
    pair.times = [NOW - back, NOW - back]
    pair.by_hand(1, "- ", f"- {SAID}\n- ")
    pair.meet()
    for place in (pair.one, pair.two):
        assert place.search("quokka", mode="lexical").hits


def test_the_other_clone_rejoins_after_a_forget_that_purged(pair: Pair, git: Git) -> None:
    pair.one.note("- The quokka, Ludo, was at the vet's.")
    pair.meet()
    pair.two.note("- Work of the second machine")
    pair.one.note("- Another remark on the quokka: it is fine")
    pair.one.forget("quokka", all_mentions=True, purge=True)
    pair.one.purge(["quokka"], push=True)
    assert pair.two.rejoin(texts=["quokka"]).status == "deleted"
    pair.meet()
    for root in pair.roots:
        assert git(root, "log", "--all", "-S", "quokka", "--oneline") == ""
    assert pair.one.search("second machine", mode="lexical").hits
