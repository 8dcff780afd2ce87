"""What is forgotten while an engine thinks does not come back with its answer (OWN-07, CON-02)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.llm.engine import (
    Dream,
    DreamRequest,
    Extraction,
    ExtractionRequest,
)
from mnemofs.llm.replies import Clean

SAID = "My pet is a quokka called Ludo"
MEMORY = "# Memory\n\n- The office is in Leeds\n- Lunch is at noon\n- Tea is oolong\n"
TALK = [
    {"role": "user", "content": f"Hello there. {SAID}. How nice."},
    {"role": "assistant", "content": "Indeed."},
    {"role": "user", "content": "What else is there to be done?"},
    {"role": "assistant", "content": "Nothing."},
]


@dataclass
class Slow:
    """An engine that read everything before, and answers after, a person forgot something."""

    meanwhile: Callable[[], object]
    whole: bool = True
    name: str = "slow"

    def extract(self, request: ExtractionRequest) -> Clean[Extraction]:
        self.meanwhile()
        text = f"{MEMORY}- {SAID}\n" if self.whole else None
        return Clean(
            Extraction(
                True,
                "r",
                daily_entry=f"- {SAID}",
                memory_update=text,
                structured=(("user", "pet", SAID),),
                profile_entries=(SAID,),
            )
        )

    def dream(self, request: DreamRequest) -> Clean[Dream]:
        self.meanwhile()
        text = f"{MEMORY}- {SAID}\n" if self.whole else None
        return Clean(Dream(True, "r", text, promoted=(SAID,), rejected=((SAID, "no"),)))


def where(root: Path) -> list[str]:
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return [path.name for path in files if b"quokka" in path.read_bytes().lower()]


def forgetting(root: Path) -> Callable[[], object]:
    def forget() -> object:
        with Workspace.open(root) as other:
            return other.forget("quokka", all_mentions=True)

    return forget


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("act", ["extract", "turn", "dream"])
def test_a_forget_while_the_engine_thinks_holds(
    ws: Workspace, root: Path, act: str, whole: bool
) -> None:
    ws.write("MEMORY.md", MEMORY.encode())
    ws.note(f"- {SAID}")
    engine: Any = Slow(forgetting(root), whole)
    if act == "extract":
        ws.extract(TALK, engine=engine, force=True)
    elif act == "turn":
        ws.turn_end("c1", TALK, engine=engine)
    else:
        ws.dream(engine=engine)
    assert where(root) == []
    assert not ws.search("quokka", mode="lexical").hits
    assert "Leeds" in (root / "MEMORY.md").read_text()


def test_a_proposal_that_is_parked_after_the_forget_does_not_hold_it(
    ws: Workspace, root: Path
) -> None:
    ws.write("MEMORY.md", MEMORY.encode())
    ws.note(f"- {SAID}")

    class Shrinks(Slow):
        def dream(self, request: DreamRequest) -> Clean[Dream]:
            self.meanwhile()
            return Clean(Dream(True, "r", f"# Memory\n\n- {SAID}\n- Something new\n"))

    shrinks: Any = Shrinks(forgetting(root))
    report = ws.dream(engine=shrinks)
    assert report.status == "parked"
    (waiting,) = ws.review()
    assert b"quokka" not in ws.review_draft(waiting.id)
