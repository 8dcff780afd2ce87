"""The nudge: structured entries out of a conversation that goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.errors import ModelError
from mnemofs.lifecycle.learning.nudge import is_time
from mnemofs.llm.engine import NudgeRequest
from mnemofs.llm.replies import Rejected
from tests.fake_model import FakeModel, fake_model  # noqa: F401 (a fixture)
from tests.lifecycle.conftest import say
from tests.lifecycle.test_turn_bookkeeping import Hands, Said, engine, talk

QUIET = say(daily_entry=None, memory_update=None, structured=())


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def ws(tmp_path: Path, hands: Hands) -> Iterator[Workspace]:
    clock = Clock(UTC, lambda: hands.now)
    with Workspace.init(tmp_path / "ws", agent="ada", timezone="UTC", clock=clock) as workspace:
        yield workspace


def chat(length: int, begin: int = 0) -> Said:
    return talk(*(f"This is message number {number}" for number in range(length)))[begin:]


def asks(talker: Any) -> list[NudgeRequest]:
    return [request for request in talker.requests if isinstance(request, NudgeRequest)]


@pytest.mark.parametrize(
    ("messages", "nudged", "interval", "cooling", "time"),
    [
        (6, 0, 6, None, True),
        (5, 0, 6, None, False),
        (7, 0, 6, None, True),
        (12, 6, 6, None, True),
        (11, 6, 6, None, False),
        (8, 20, 6, None, True),
        (3, 0, 2, None, False),
        (60, 0, 0, None, False),
        (6, 0, 6, timedelta(minutes=1), False),
    ],
)
def test_it_is_time_every_few_messages(
    messages: int, nudged: int, interval: int, cooling: timedelta | None, time: bool
) -> None:
    assert is_time(messages, nudged, interval, cooling) is time


def test_an_entry_is_kept_under_its_key_with_its_source(ws: Workspace) -> None:
    view = ws.for_owner("user:1")
    talker = engine(QUIET, nudges=([("user", "home_town", "Lives in Oslo")],))
    report = view.turn_end("c1", chat(6), engine=talker)
    assert report.nudge is not None and report.nudge.status == "updated"
    text = (Path(view._writer().root) / "structured" / "user.md").read_text()
    assert "## home_town\nLives in Oslo\n> Source: nudge | Updated: 2026-05-01" in text
    assert not (Path(ws.root) / "structured" / "user.md").exists()
    assert [one.kind for one in view.turn_status().outcomes] == ["nudge", "extract"]


def test_it_has_its_own_cooldown_and_counts_from_the_last_one(ws: Workspace, hands: Hands) -> None:
    talker = engine(QUIET)
    for end in range(2, 32, 2):
        ws.turn_end("c1", chat(end, end - 2), engine=talker)
    assert len(asks(talker)) == 1
    hands.wait(minutes=11)
    ws.turn_end("c1", chat(32, 30), engine=talker)
    assert len(asks(talker)) == 2 and len(asks(talker)[1].messages) == 20
    hands.wait(minutes=11)
    ws.turn_end("c1", chat(34, 32), engine=talker)
    assert len(asks(talker)) == 2


@pytest.mark.parametrize(
    "fault", [Rejected("not_json", "prose"), Rejected("truncated", "cut"), ModelError("down")]
)
def test_W_25_a_nudge_that_failed_is_made_again_at_the_next_turn(ws: Workspace, fault: Any) -> None:
    talker = engine(QUIET, nudges=(fault, [("feedback", "style", "Short answers")]))
    first = ws.turn_end("c1", chat(6), engine=talker)
    assert first.nudge is not None and first.nudge.status == "failed"
    second = ws.turn_end("c1", chat(8), engine=talker)
    assert second.nudge is not None and second.nudge.status == "updated"


def test_the_engine_is_told_what_stands_and_each_message_is_bounded(ws: Workspace) -> None:
    ws.remember("Likes tea", kind="user", key="drink")
    talker = engine(QUIET)
    ws.turn_end("c1", [*chat(6)[:5], {"role": "assistant", "content": "x" * 9000}], engine=talker)
    (request,) = asks(talker)
    assert ("user", "drink", "Likes tea") in request.known
    assert len(request.messages[-1].text) < 1600


@pytest.mark.parametrize(
    "entry",
    [
        ("user", "", "text"),
        ("user", "key", "   "),
        ("user", "key", "unchanged"),
        ("user", "a\n## b", "TODO"),
        ("user", "drink", "Likes tea"),
    ],
)
def test_an_entry_without_sense_or_news_changes_nothing(
    ws: Workspace, entry: tuple[str, str, str]
) -> None:
    ws.remember("Likes tea", kind="user", key="drink")
    before = (Path(ws.root) / "structured" / "user.md").read_bytes()
    report = ws.turn_end("c1", chat(6), engine=engine(QUIET, nudges=([entry],)))
    assert report.nudge is not None and report.nudge.status == "unchanged"
    assert (Path(ws.root) / "structured" / "user.md").read_bytes() == before


def test_what_was_forgotten_does_not_come_back_by_a_nudge(ws: Workspace) -> None:
    ws.remember("The quokka is called Fritz")
    ws.forget("The quokka is called Fritz")
    talker = engine(QUIET, nudges=([("user", "pet", "The quokka is called Fritz")],))
    report = ws.turn_end("c1", chat(6), engine=talker)
    assert report.nudge is not None and report.nudge.status == "unchanged"


@pytest.mark.parametrize(
    ("settings", "given"),
    [
        ({"MNEMOFS_EXTRACTION_NUDGE_ENABLED": "false"}, {}),
        ({"MNEMOFS_EXTRACTION_NUDGE_TURN_INTERVAL": "0"}, {}),
        ({"MNEMOFS_EXTRACTION_ENABLED": "false"}, {}),
        ({}, {"trigger": "cron"}),
        ({}, {"state": "stopped"}),
    ],
)
def test_where_there_is_no_nudge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], given: dict[str, str]
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with Workspace.init(tmp_path / "w", timezone="UTC") as ws:
        talker = engine(QUIET)
        ws.turn_end("c1", chat(6), engine=talker, **given)
        assert asks(talker) == []


def test_an_imported_conversation_is_not_nudged(ws: Workspace) -> None:
    talker = engine(QUIET)
    ws.extract(chat(12), conversation="c1", trigger="import", engine=talker)
    assert asks(talker) == []


def test_a_real_model_and_the_rules_nudge_too(
    ws: Workspace,
    fake_model: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    hands: Hands,
) -> None:
    from tests.lifecycle.conftest import model

    fake_model.say({"should_update": False, "reason": "-"})
    fake_model.say('[{"type": "project", "key": "code_name", "content": "It is called Heron"}]')
    report = ws.turn_end("c1", chat(6), engine=model(fake_model))
    assert report.nudge is not None and report.nudge.status == "updated"
    assert "Heron" in (Path(ws.root) / "structured" / "project.md").read_text()
    hands.wait(hours=1)
    said = talk(*["My favourite editor is Helix.", "ok", "tell me more about it", "fine"] * 2)
    report = ws.turn_end("c2", said, engine="rules")
    assert report.nudge is not None and report.nudge.status in ("updated", "unchanged")
    whole = "".join(path.read_text() for path in Path(ws.root).rglob("*.md"))
    assert whole.lower().count("favourite editor is helix") == 1
