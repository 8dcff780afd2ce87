"""Dreams: from recent notes into MEMORY.md, once, in one commit, with a page to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs.errors import ModelError
from mnemofs.lifecycle.dreams.material import notes_to_read
from mnemofs.lifecycle.learning.turnbook import TurnBook
from mnemofs.lifecycle.ledger import append_event, event, events, ledger_path
from mnemofs.llm.engine import Dream
from mnemofs.llm.replies import Clean, Rejected
from mnemofs.llm.rules import RulesEngine
from tests.fake_model import FakeModel
from tests.lifecycle.conftest import Memory, Scripted, model

Make = Callable[..., Memory]
TENTH = datetime(2026, 5, 10, 3, 0, tzinfo=UTC)
OLD = "# Memory\n\n" + "".join(
    f"- {text}\n"
    for text in (
        "Release day is Friday",
        "The staging database runs on hermes",
        "Invoices go to Bea in accounting",
        "Piet looks after the ferry timetable",
    )
)
FILES = {
    "MEMORY.md": OLD,
    "memory/2026-05-08.md": "# 2026-05-08\n\n- Prefers oolong tea\n- met Bo\n",
    "memory/2026-05-10.md": "# 2026-05-10\n\n- Prefers oolong tea in the morning\n",
}
NEW = OLD + "- Prefers oolong tea\n"


def wish(text: str | None = NEW, **more: Any) -> Dream:
    return Dream(True, more.pop("reason", "tea came up twice"), text, **more)


def test_a_dream_is_one_commit_with_a_page_and_a_cursor(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    before = ws.commits
    engine = Scripted([wish(rejected=(("met Bo", "seen on one day only"),))])
    report = ws.dream(engine)
    assert report.status == "updated"
    assert ws.commits == before + 1
    assert report.commit == ws.head
    assert sorted(ws.changed()) == ["DREAMS.md", "MEMORY.md", "ledger/2026-05.jsonl"]
    assert ws.read("MEMORY.md") == NEW
    message = ws.git("log", "-1", "--format=%B")
    assert message.startswith("dream: 1 entry promoted from 2 notes\n")
    assert "Mnemofs-Actor: dream" in message
    assert "oolong" not in message
    diary = ws.read("DREAMS.md")
    assert diary.startswith("# Dreams\n")
    assert "## 2026-05-10 03:00 Dream\n" in diary
    assert "Read 2 notes (2026-05-08 to 2026-05-10)." in diary
    assert (
        "- Prefers oolong tea ([2026-05-10](memory/2026-05-10.md), "
        "[2026-05-08](memory/2026-05-08.md))" in diary
    )
    assert "- met Bo (seen on one day only)" in diary
    (happened,) = events((ws.root / "ledger/2026-05.jsonl").read_bytes(), "dream")
    assert happened["notes"] == {
        path: ws.git("rev-parse", f"HEAD:{path}").strip() for path in FILES if "memory/" in path
    }
    assert "oolong" not in ws.read("ledger/2026-05.jsonl")
    assert report.promoted == ("Prefers oolong tea",)
    assert "+- Prefers oolong tea" in report.diff
    assert ws.git("status", "--porcelain") == ""


def test_LLM_11_a_second_dream_without_new_notes_asks_nobody(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    engine = Scripted([wish()])
    ws.dream(engine)
    head = ws.head
    for _ in range(3):
        ws.now += timedelta(hours=1)
        report = ws.dream(engine)
        assert report.status == "skipped"
        assert "no note has changed" in report.reason
    assert len(engine.requests) == 1
    assert ws.head == head
    ws.write("memory/2026-05-10.md", FILES["memory/2026-05-10.md"] + "- tea again\n")
    ws.dream(engine)
    assert len(engine.requests) == 2


def test_LLM_11_the_cursor_holds_in_another_clone_and_after_the_month_ends(
    memory: Make, tmp_path: Path
) -> None:
    ws = memory({**FILES, "memory/2026-05-31.md": "# 2026-05-31\n\n- tea\n"}, now=TENTH)
    ws.now = datetime(2026, 5, 31, 3, tzinfo=UTC)
    ws.dream(Scripted([wish()]))
    ws.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = memory(folder="clone", now=datetime(2026, 6, 3, 3, tzinfo=UTC))
    engine = Scripted([wish()])
    assert clone.dream(engine).status == "skipped"
    assert engine.requests == []


def test_a_dream_undone_is_dreamed_again(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    engine = Scripted([wish()])
    ws.dream(engine)
    ws.git("-c", "user.name=a", "-c", "user.email=a@b", "revert", "--no-edit", "HEAD")
    assert ws.dream(engine).status == "updated"
    assert ws.read("MEMORY.md") == NEW


def test_nothing_to_promote_is_no_commit_and_is_not_asked_again(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    head = ws.head
    engine = Scripted([Dream(False, "nothing recurs")])
    report = ws.dream(engine)
    assert (report.status, report.reason, report.commit) == ("unchanged", "nothing recurs", None)
    assert ws.dream(engine).status == "skipped"
    assert len(engine.requests) == 1
    assert ws.head == head


def test_a_rules_dream_adds_its_lines(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    promoted = ("Prefers oolong tea", "Release day is Friday")
    report = ws.dream(Scripted([wish(None, promoted=promoted)]))
    assert report.status == "updated"
    assert report.promoted == ("Prefers oolong tea",)
    text = ws.read("MEMORY.md")
    assert text.startswith(OLD)
    assert "- 2026-05-10 03:00 (dream): Prefers oolong tea\n" in text
    assert text.count("Release day") == 1


def test_a_full_memory_takes_no_more_and_the_page_says_why(memory: Make) -> None:
    ws = memory(FILES, now=TENTH, sizes={"memory_max_chars": len(OLD) + 10})
    report = ws.dream(Scripted([wish(None, promoted=("Prefers oolong tea",))]))
    assert report.status == "unchanged"
    assert report.rejected[0][0] == "Prefers oolong tea"
    assert "full" in report.rejected[0][1]
    assert ws.read("MEMORY.md") == OLD


@pytest.mark.parametrize(
    "text", ["unchanged", "(no change)", "  ", "- Release day is Friday\n[rest of file]"]
)
def test_LLM_05_a_placeholder_is_refused(memory: Make, text: str) -> None:
    ws = memory(FILES, now=TENTH)
    head = ws.head
    report = ws.dream(Scripted([wish(text)]))
    assert report.status == "refused"
    assert (ws.head, ws.read("MEMORY.md")) == (head, OLD)


def test_LLM_05_a_placeholder_over_http_is_refused(memory: Make, fake_model: FakeModel) -> None:
    ws = memory(FILES, now=TENTH)
    fake_model.say({"should_update": True, "reason": "-", "memory_content": "unchanged"})
    head = ws.head
    assert ws.dream(model(fake_model)).status == "refused"
    assert (ws.head, ws.read("MEMORY.md")) == (head, OLD)
    fake_model.say({"should_update": True, "reason": "tea", "memory_content": NEW})
    assert ws.dream(model(fake_model)).status == "updated"


def test_LLM_09_a_dream_that_drops_too_much_is_parked(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    head = ws.head
    engine = Scripted([wish("# Memory\n\n- Prefers oolong tea\n- Release day is Friday\n")])
    report = ws.dream(engine)
    assert report.status == "parked"
    assert "3 of 4 entries" in report.reason
    assert (ws.head, ws.read("MEMORY.md")) == (head, OLD)
    assert ws.git("show", f"{report.proposals[0]}:MEMORY.md").endswith("- Release day is Friday\n")
    assert report.removed
    assert ws.dream(engine).status == "skipped"


@pytest.mark.parametrize(
    "fault", [Rejected("truncated", "Cut."), Rejected("not_json", "Prose."), ModelError("down")]
)
def test_a_failed_model_writes_nothing_and_is_asked_again(memory: Make, fault: Any) -> None:
    ws = memory(FILES, now=TENTH)
    head = ws.head
    report = ws.dream(Scripted([fault]))
    assert report.status == "failed"
    assert report.code
    assert ws.head == head
    assert ws.dream(Scripted([wish()])).status == "updated"


@pytest.mark.parametrize(
    "answer",
    [
        RuntimeError("private"),
        OSError(28, "full"),
        None,
        wish(),
        Clean("text"),
        Clean(wish(["a"])),
        Clean(wish(None, promoted=("a \ud800",))),
        Clean(wish(None, promoted="text")),
        Clean(wish(None, promoted=(5,))),
        Clean(wish(None, rejected=(("one",),))),
        Clean(wish(None, superseded=5)),
        Clean(wish(None, reason=None)),
    ],
    ids=range(12),
)
def test_an_engine_of_a_host_may_do_anything(memory: Make, answer: Any) -> None:
    class Hostile(Scripted):
        def dream(self, request: Any) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    ws = memory(FILES, now=TENTH)
    head = ws.head
    report = ws.dream(Hostile())
    assert (report.status, report.code, ws.head) == ("failed", "model", head)
    assert "private" not in report.reason and "hostile" not in report.reason
    assert ws.dream(Scripted([wish()])).status == "updated"


def test_a_run_that_cannot_be_remembered_says_so_and_stands(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    (ws.root / ".mnemofs/dreams.json").mkdir(parents=True)
    report = ws.dream(Scripted([wish()]))
    assert report.status == "updated" and ws.read("MEMORY.md") == NEW
    assert any("will not be remembered" in text for text in report.warnings)
    assert [path.name for path in (ws.root / ".mnemofs").glob(".dreams*")] == []


def test_a_dry_run_shows_the_plan_and_changes_nothing(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    head = ws.head
    report = ws.dream(Scripted([wish()]), dry_run=True)
    assert (report.status, report.commit, report.dry_run) == ("updated", None, True)
    assert report.diff.startswith("--- a/MEMORY.md\n+++ b/MEMORY.md\n")
    assert "+- Prefers oolong tea\n" in report.diff
    assert report.promoted == ("Prefers oolong tea",)
    assert (ws.head, ws.git("status", "--porcelain")) == (head, "")
    assert ws.dream(Scripted([wish()])).status == "updated"


def test_DAY_08_seven_days_and_only_real_notes(memory: Make) -> None:
    names = [f"memory/2026-05-{day:02d}.md" for day in range(3, 11)]
    names += ["memory/2026-02-30.md", "memory/2026-13-01.md", "memory/notes.md"]
    names += ["memory/2027-01-01.md", "memory/2026-05-09.md.bak", "memory/dreams/2026-05.md"]
    ws = memory({"MEMORY.md": OLD}, now=TENTH)
    for name in names:
        file = ws.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"- said in {name}\n")
    ws.store.fold(quiet=0)
    engine = Scripted([Dream(False, "nothing")])
    report = ws.dream(engine)
    want = [f"memory/2026-05-{day:02d}.md" for day in range(10, 3, -1)]
    assert [path for path, _ in engine.requests[0].notes] == want
    assert list(report.notes) == want
    assert notes_to_read(names, TENTH.date(), 1) == ["memory/2026-05-10.md"]


def test_DAY_09_a_dream_reads_nothing_that_dreams_wrote(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    ws.dream(Scripted([wish()]))
    page = ws.read("DREAMS.md").partition("\n## ")[2]
    note = f"# 2026-05-10\n\n## {page}\n- candidate y (score=0.85, recalls=3)\n\n- tea again\n"
    ws.write("memory/2026-05-10.md", note)
    engine = Scripted([wish(NEW + "- tea again\n- `x` (score=0.85, recalls=3)\n")])
    assert ws.dream(engine).status == "updated"
    prompt = dict(engine.requests[0].notes)["memory/2026-05-10.md"]
    assert "tea again" in prompt
    assert "mnemofs:dream" not in prompt
    assert "Promoted" not in prompt
    assert "score" not in prompt
    assert "score=" not in ws.read("MEMORY.md")
    assert ws.read("MEMORY.md") == NEW + "- tea again\n"


def _quoted(page: str, sign: str) -> str:
    return "".join(f"{sign}{line}\n" if line else "\n" for line in page.split("\n"))


@pytest.mark.parametrize(
    "copied",
    [
        lambda page: page,
        lambda page: _quoted(page, "> "),
        lambda page: _quoted(page, "- "),
        lambda page: _quoted(page, "    "),
        lambda page: _quoted(page, "> 1. "),
        lambda page: page.replace("\n", "\r\n"),
        lambda page: page.replace("## ", "#### "),
        lambda page: "\n".join(line for line in page.split("\n") if "<!--" not in line),
        lambda page: page[page.index("Promoted to") :],
        lambda page: "\n".join(line for line in page.split("\n") if line.startswith("- ")),
        lambda page: page[: page.index("<!-- /mnemofs")],
    ],
    ids="page quoted listed indented deep crlf smaller unmarked lists bullets cut".split(),
)
def test_DAY_09_a_copied_diary_is_no_material(memory: Make, copied: Callable[[str], str]) -> None:
    ws = memory(FILES, now=TENTH)
    ws.dream(Scripted([wish(rejected=(("met Bo", "one day only"),))]))
    diary = ws.read("DREAMS.md")
    page = copied(diary[diary.index("## 2026") :])
    other = memory(
        {
            "memory/2026-05-08.md": f"# 2026-05-08\n\n{page}\n\n## Mine\n\n- Bo has a dog\n",
            "memory/2026-05-09.md": f"# 2026-05-09\n\n- Ada lives in Graz\n\n{page}\n",
        },
        now=TENTH,
        folder="other",
    )
    engine = Scripted([wish(None)])
    other.dream(engine)
    shown = "".join(text for _, text in engine.requests[0].notes)
    assert "oolong" not in shown and "Promoted" not in shown and "Read 2" not in shown
    assert "- Bo has a dog" in shown and "- Ada lives in Graz" in shown


@pytest.mark.parametrize(
    "line",
    [
        "- We water plants (score=0.85)",
        "- We water plants (score: 0.85, recalls: 4)",
        "- We water plants (Score 0.9)",
        "- We water plants (recalled 3 times, score 0.62)",
        "### memory/x.md#plants (score=0.85, recalls=4)\n\nWe water plants",
        "> - We water plants score = .5",
    ],
)
def test_DAY_09_scored_candidates_are_no_material(memory: Make, line: str) -> None:
    notes = {f"memory/2026-05-0{day}.md": f"- Score was 3:1\n\n{line}\n" for day in (8, 9)}
    engine = Scripted([wish(None)])
    memory(notes, now=TENTH).dream(engine)
    assert all(text.strip() == "- Score was 3:1" for _, text in engine.requests[0].notes)


def test_sections_a_person_edited_stay(memory: Make) -> None:
    mine = "## Rules\n\nTabs.\n\n<!-- user-edited: 2026-05-01 -->\n"
    ws = memory({**FILES, "MEMORY.md": f"{OLD}\n{mine}"}, now=TENTH)
    report = ws.dream(Scripted([wish(NEW + "\n## Rules\n\nSpaces.\n")]))
    assert report.status == "updated"
    assert mine.strip() in ws.read("MEMORY.md")
    assert "Spaces." not in ws.read("MEMORY.md")
    assert "Prefers oolong tea" in ws.read("MEMORY.md")
    assert any("edited by hand" in warning for warning in report.warnings)


def test_CON_02_a_hand_edit_during_a_dream_survives(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)

    def by_hand() -> None:
        (ws.root / "MEMORY.md").write_text(OLD.replace("# Memory\n", "# Memory\n\n- by hand\n"))
        with (ws.root / "memory/2026-05-10.md").open("a") as note:
            note.write("- by hand too\n")

    ws.dream(Scripted([wish()], before=by_hand))
    text = ws.read("MEMORY.md")
    assert text.count("- by hand") == 1
    assert text.count("- Prefers oolong tea") == 1
    assert "by hand too" in ws.read("memory/2026-05-10.md")
    assert ws.dream(Scripted([Dream(False, "n")])).status == "unchanged"


def test_a_topic_looks_again_and_moves_no_cursor(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    engine = Scripted([wish(), Dream(False, "n")])
    report = ws.dream(engine, topic="  morning\ntea ")
    assert report.status == "updated"
    assert engine.requests[0].topic == "morning tea"
    assert "Looked for: morning tea." in ws.read("DREAMS.md")
    assert "tea" not in ws.git("log", "-1", "--format=%B")
    assert ws.dream(engine).status == "unchanged"
    assert ws.dream(engine, topic="tea").status == "unchanged"
    assert len(engine.requests) == 3


def test_SEC_02_a_linked_note_is_never_read(memory: Make, tmp_path: Path) -> None:
    ws = memory(FILES, now=TENTH)
    secret = tmp_path / "secret.md"
    secret.write_text("- the outside secret\n")
    (ws.root / "memory/2026-05-09.md").symlink_to(secret)
    engine = Scripted([Dream(False, "n")])
    report = ws.dream(engine)
    assert "outside secret" not in str(engine.requests)
    assert any("2026-05-09" in warning for warning in report.warnings)


def test_SEC_07_secrets_in_notes_reach_neither_model_nor_memory(memory: Make) -> None:
    token = "ghp_" + "a1B2" * 9
    ws = memory(FILES, now=TENTH)
    ws.write("memory/2026-05-09.md", f"- deploy with {token}\n")
    rejected = ((f"deploy with {token}", "once"),)
    engine = Scripted([wish(NEW + f"- deploy with {token}\n", rejected=rejected)])
    report = ws.dream(engine)
    assert token not in str(engine.requests)
    assert token not in ws.read("MEMORY.md") + ws.read("DREAMS.md") + str(report.as_dict())
    assert report.masked == 1
    assert "deploy with [redacted" in ws.read("MEMORY.md")
    assert token in ws.read("memory/2026-05-09.md")


def test_what_was_forgotten_is_not_promoted(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    report = ws.dream(
        Scripted([wish(NEW + "- the quokka plan\n")]), forgotten=lambda line: "quokka" in line
    )
    assert report.status == "updated"
    assert ws.read("MEMORY.md") == NEW


@pytest.mark.parametrize(
    ("files", "settings", "word"),
    [
        ({"MEMORY.md": OLD}, {}, "no notes"),
        ({"MEMORY.md": OLD, "memory/2026-04-01.md": "- old\n"}, {}, "no notes"),
        ({"MEMORY.md": OLD, "memory/2026-05-10.md": "\n"}, {}, "no notes"),
        (FILES, {"enabled": False}, "switched off"),
    ],
)
def test_a_dream_that_cannot_be_says_why(
    memory: Make, files: dict[str, str], settings: dict[str, Any], word: str
) -> None:
    ws = memory(files, now=TENTH, dreams=settings)
    engine = Scripted([wish()])
    report = ws.dream(engine)
    assert report.status == "skipped"
    assert word in report.reason
    assert engine.requests == []


@pytest.mark.parametrize("link", [True, False])
def test_TXT_02_SEC_02_a_diary_that_takes_no_page_costs_the_page_only(
    memory: Make, tmp_path: Path, link: bool
) -> None:
    ws = memory(FILES, now=TENTH)
    mine = tmp_path / "mine.md"
    mine.write_bytes("# Mine\n".encode("utf-16"))
    if link:
        (ws.root / "DREAMS.md").symlink_to(mine)
    else:
        ws.write("DREAMS.md", mine.read_bytes())
    report = ws.dream(Scripted([wish()]))
    assert report.status == "updated" and ws.read("MEMORY.md") == NEW
    assert any("no page was written" in text for text in report.warnings)
    assert (ws.root / "DREAMS.md").read_bytes() == mine.read_bytes() == "# Mine\n".encode("utf-16")


def test_a_memory_that_was_full_for_everything_says_so(memory: Make) -> None:
    ws = memory(FILES, now=TENTH, sizes={"memory_max_chars": len(OLD) + 5})
    report = ws.dream(Scripted([wish(None, promoted=("Prefers oolong tea",))]))
    assert (report.status, report.promoted) == ("unchanged", ())
    assert report.reason.startswith("MEMORY.md is full")


def test_SEC_07_a_secret_that_is_turned_down_is_told_once(memory: Make) -> None:
    line = "- The token is ghp_" + "a1B2" * 9
    ws = memory({"memory/2026-05-08.md": line, "memory/2026-05-09.md": line}, now=TENTH)
    report = ws.dream(RulesEngine())
    assert [why for _, why in report.rejected] == ["looks like a secret"]


def test_two_dreams_at_once_are_one(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    with TurnBook(ws.root).claim("dream"):
        assert "another dream" in ws.dream(Scripted([wish()])).reason


def test_pages_follow_one_another(memory: Make) -> None:
    ws = memory(FILES, now=TENTH)
    ws.dream(Scripted([wish()]))
    ws.now += timedelta(days=1)
    ws.write("memory/2026-05-11.md", "- green tea\n")
    ws.dream(Scripted([wish(NEW + "- Drinks green tea\n")]))
    diary = ws.read("DREAMS.md")
    assert diary.count("# Dreams\n") == 1
    assert diary.index("2026-05-10 03:00 Dream") < diary.index("2026-05-11 03:00 Dream")
    assert "\n\n## 2026-05-11" in diary


def test_a_report_has_its_stable_shape(memory: Make) -> None:
    shape = memory(FILES, now=TENTH).dream(Scripted([wish()])).as_dict()
    assert list(shape)[:3] == ["status", "reason", "commit"]
    json.dumps(shape)


def test_the_ledger_is_one_line_for_each_event_and_none_twice() -> None:
    first = event("dream", TENTH, {"mode": "all", "note": "é\n"})
    second = event("dream", TENTH, {"mode": "focused"})
    data = append_event(append_event(None, first), second)
    assert data.count(b"\n") == 2
    assert append_event(data, first) == data
    assert append_event(b'{"cut', second).startswith(b'{"cut\n{')
    assert [found["id"] for found in events(b"junk\n[]\n" + data, "dream")] == [
        first["id"], second["id"],
    ]  # fmt: skip
    assert ledger_path(TENTH) == "ledger/2026-05.jsonl"
