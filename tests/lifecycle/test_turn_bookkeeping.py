"""The start and the end of a turn, as a host sees them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.clock import Clock
from mnemofs.errors import GuardRefused, ModelError
from mnemofs.lifecycle.learning.conversations import Conversations
from mnemofs.llm.engine import Nudge
from mnemofs.llm.replies import Clean, Rejected
from mnemofs.view.whole import View
from tests.lifecycle.conftest import Scripted, say

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
Said = list[dict[str, Any]]


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def ws(tmp_path: Path, hands: Hands) -> Iterator[Workspace]:
    clock = Clock(UTC, lambda: hands.now)
    with Workspace.init(tmp_path / "ws", agent="ada", timezone="UTC", clock=clock) as workspace:
        yield workspace


class Talker(Scripted):
    """An engine that also nudges."""

    nudges: list[Any]

    def nudge(self, request: Any) -> Any:
        self.requests.append(request)
        outcome = self.nudges.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome if isinstance(outcome, Rejected) else Clean(Nudge(outcome))


def engine(*outcomes: Any, nudges: tuple[Any, ...] = ()) -> Talker:
    made = Talker(list(outcomes) or [say(daily_entry="- Moved to Oslo")])
    made.nudges = list(nudges) or [()] * 50
    return made


def talk(*texts: str) -> Said:
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]


OSLO = talk("I moved to Oslo last week", "How is it?", "It is cold but lovely", "Good to hear.")


def commits(root: str) -> int:
    done = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=root, capture_output=True, check=True
    )
    return int(done.stdout)


def everything(root: str | Path) -> bytes:
    """All objects and all files, sidecar included."""
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout
    files = [path.read_bytes() for path in Path(root).rglob("*") if path.is_file()]
    return b"\n".join([objects, *files])


def note_of(view: View) -> str:
    return (Path(view._writer().root) / "memory" / "2026-05-01.md").read_text()


def test_a_turn_is_kept_learned_from_and_accounted_for(ws: Workspace) -> None:
    view = ws.for_owner("user:1")
    view.turn_start("c1", "I moved to Oslo last week", channel="web")
    report = view.turn_end("c1", OSLO, engine=engine())
    assert report.status == "updated" and report.commit
    assert "- Moved to Oslo" in note_of(view)
    (outcome,) = view.turn_status().outcomes
    assert (outcome.status, outcome.made) == ("updated", report.commit)


def test_only_what_is_new_may_be_handed_over_each_time(ws: Workspace) -> None:
    view, asked = ws.for_owner("user:1"), engine()
    first = view.turn_end("c1", OSLO[:2], engine=asked)
    assert first.status == "skipped" and "2 messages" in first.reason
    assert view.turn_end("c1", OSLO[2:], engine=asked).status == "updated"
    assert [message.text for message in asked.requests[0].messages] == [
        one["content"] for one in OSLO
    ]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"state": "stopped"}, "stopped"),
        ({"state": "error"}, "error"),
        ({"trigger": "cron"}, "cron"),
        ({"trigger": "Schedule"}, "cron"),
        ({"messages": OSLO[:3]}, "3 messages"),
        ({"messages": [*OSLO[:2], {"role": "user", "content": "thanks"}, OSLO[3]]}, "6 characters"),
        ({"messages": [*OSLO[:3], {"role": "assistant", "content": "未确认"}]}, "uncertain"),
        (
            {"messages": [*OSLO[:3], {**OSLO[3], "metadata": '{"finishReason": "max_tokens"}'}]},
            "max_tokens",
        ),
    ],
)
def test_a_skipped_turn_says_why_asks_nobody_and_starts_no_cooldown(
    ws: Workspace, change: dict[str, Any], word: str
) -> None:
    asked = engine()
    before = commits(ws.root)
    given = {"messages": OSLO, **change}
    report = ws.turn_end("c1", given.pop("messages"), engine=asked, **given)
    assert report.status == "skipped" and word in report.reason
    assert asked.requests == [] and commits(ws.root) == before
    noted = ws.turn_status().outcomes
    assert "cron" in report.reason or word in noted[0].reason
    assert ws.turn_end("c2", OSLO, engine=asked).status == "updated"


def test_the_cooldown_holds_for_one_owner_through_a_restart(ws: Workspace, hands: Hands) -> None:
    assert ws.for_owner("user:1").turn_end("c1", OSLO, engine=engine()).status == "updated"
    again = talk("Now I live in Bergen", "Nice", "I like rain a lot", "Good.")
    with Workspace.open(ws.root, clock=ws.clock) as other:
        report = other.for_owner("user:1").turn_end("c2", again, engine=engine())
        assert report.status == "skipped" and "cooldown" in report.reason
        assert other.for_owner("user:2").turn_end("c3", again, engine=engine()).status == "updated"
        hands.wait(minutes=5, seconds=1)
        rain = engine(say(daily_entry="- Likes rain"))
        assert other.for_owner("user:1").turn_end("c2", again, engine=rain).status == "updated"


@pytest.mark.parametrize(
    "text",
    [
        "Remember: tea",
        "请记住我喝茶",
        "覚えておいて：お茶",
        "Merk dir: Tee",
        "Recuerda que té",
        "Retiens: thé",
    ],
)
def test_an_explicit_request_overrides_count_length_and_cooldown(ws: Workspace, text: str) -> None:
    ws.turn_end("c1", OSLO, engine=engine())
    asked = engine(say(daily_entry="- Drinks tea"))
    assert ws.turn_end("c2", talk(text, "ok"), engine=asked).status == "updated"


@pytest.mark.parametrize(
    "text", ["Do you remember me?", "Don't remember it", "你还记得吗", "Te souviens-tu ?"]
)
def test_W_30_a_question_or_a_negation_overrides_nothing(ws: Workspace, text: str) -> None:
    asked = engine()
    assert ws.turn_end("c2", talk(text, "ok"), engine=asked).status == "skipped"
    assert asked.requests == []


@pytest.mark.parametrize(
    "fault",
    [
        Rejected("truncated", "cut"),
        Rejected("blank", "nothing"),
        Rejected("not_json", "prose"),
        ModelError("the endpoint is down"),
    ],
)
def test_W_25_a_failed_run_starts_no_cooldown(ws: Workspace, fault: Any) -> None:
    asked = engine(fault, say(daily_entry="- Moved to Oslo"))
    assert ws.turn_end("c1", OSLO, engine=asked).status in ("failed", "skipped")
    assert ws.turn_end("c1", OSLO, engine=asked).status == "updated"


OWNERS = ["user:1", "api:a/b", "feishu:ou_7"]


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("how", ["extract", "turn_end", "spool", "renamed", "start"])
def test_W_01_a_persons_conversation_never_reaches_shared_memory(
    ws: Workspace, owner: str, how: str
) -> None:
    ws.for_owner(owner).turn_end("private", OSLO, engine=engine())
    before = commits(ws.root)
    with pytest.raises(GuardRefused, match="a person's"):
        if how == "extract":
            ws.extract(OSLO, conversation="private", engine=engine(), force=True, trigger="import")
        elif how == "turn_end":
            ws.turn_end("private", OSLO[:1], engine=engine())
        elif how == "spool":
            ws.spool(OSLO, conversation="private")
        elif how == "start":
            ws.turn_start("private", "hello")
        else:
            ws.extract(OSLO, conversation="another name", engine=engine(), force=True)
    assert commits(ws.root) == before
    team = everything(ws.root).replace(everything(Path(ws.root) / "owners"), b"")
    assert b"lovely" not in team.split(b"owners", 1)[0]


def surfaces(view: View) -> str:
    """Everything a view says of conversations."""
    with Conversations(view._writer().root) as book:
        found = [
            *book.recent(50, now=NOON + timedelta(days=1)),
            *book.search("zebra1", 50, now=NOON + timedelta(days=1)),
            *book.messages("private"),
        ]
    return repr([found, view.turn_status().as_dict(), view.drain(hurry=True).as_dict()])


def test_OWN_04_05_conversations_outcomes_and_spool_are_each_owners_own(ws: Workspace) -> None:
    one, two = ws.for_owner("user:1"), ws.for_owner("user:2")
    said = talk("My horse is called zebra1", "Nice", "zebra1 is brown and fast", "ok")
    one.turn_end("private", said, engine=engine(say(daily_entry="- zebra1", reason="zebra1")))
    one.turn_end("waiting", said, background=True)
    for other in (two, ws):
        assert "zebra1" not in surfaces(other) and "private" not in surfaces(other)
    assert b"zebra1" not in everything(two._writer().root)
    assert "zebra1" in surfaces(one)


def test_two_owners_may_have_conversations_of_one_name(ws: Workspace) -> None:
    one, two = ws.for_owner("tg:1"), ws.for_owner("tg:2")
    for view, text in ((one, "- likes tea"), (two, "- likes rum")):
        view.turn_end("main", OSLO, engine=engine(say(daily_entry=text)))
    assert "tea" in note_of(one) and "rum" in note_of(two)
    assert "rum" not in note_of(one) and "tea" not in note_of(two)


def test_without_isolation_everything_is_shared_and_nothing_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMOFS_OWNERS_ISOLATION", "false")
    with Workspace.init(tmp_path / "w", timezone="UTC") as ws:
        ws.for_owner("user:1").turn_end("c1", OSLO, engine=engine())
        assert ws.turn_end("c1", OSLO, engine=engine()).status == "unchanged"


SECRETS = ("ghp_" + "aB3dE6gH9j" * 3 + "aB3dE6", "sk-" + "Ab3Ef6Gh9K" * 4, "AKIAIOSFODNN7EXAMPL3")


@pytest.mark.parametrize("background", [False, True])
@pytest.mark.parametrize("secret", SECRETS)
def test_SEC_07_a_secret_in_a_turn_is_nowhere(ws: Workspace, secret: str, background: bool) -> None:
    said = talk(f"Remember my key {secret}", "ok", f"{secret} is the key I mean", "Fine.")
    view = ws.for_owner("user:1")
    asked = engine(say(daily_entry=f"- key {secret}"), nudges=([("user", "key", secret)],))
    view.turn_start("c1", f"Remember my key {secret}")
    view.turn_end("c1", said, background=background, engine=asked)
    if background:
        assert secret.encode() not in everything(ws.root)
        assert view.drain(engine=asked).done == 1
    assert secret.encode() not in everything(ws.root)
    assert secret.encode() not in everything(view._writer().root)
    assert all(secret not in repr(request) for request in asked.requests)


def test_LLM_11_a_job_is_neither_kept_nor_learned_from(ws: Workspace) -> None:
    ws.turn_start("job", "Report of the night", trigger="cron")
    ws.turn_end("job", OSLO, trigger="cron", engine=engine())
    with Conversations(ws.root) as book:
        assert book.recent(9, now=NOON + timedelta(days=1)) == ()
    assert ws.turn_end("job", OSLO, trigger="cron", background=True).status == "skipped"


def test_a_running_turn_is_not_found_until_it_ends(ws: Workspace, hands: Hands) -> None:
    ws.turn_start("c1", "I like tea very much")
    with Conversations(ws.root) as book:
        assert book.search("tea", 5, now=hands.now) == ()
    ws.turn_end("c1", talk("I like tea very much", "So do I"), engine=engine())
    with Conversations(ws.root) as book:
        assert len(book.search("tea", 5, now=hands.now)) == 1
        assert len(book.messages("c1")) == 2
