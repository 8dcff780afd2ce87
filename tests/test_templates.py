"""What a new workspace starts with, and the conversations that `mnemofs demo` is built from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemofs.index.rows.database import VERSION

WORKSPACE = {"AGENTS.md": 3500, "SOUL.md": 1000, "PROFILE.md": 800, "MEMORY.md": 800}
GITHUB_TOKEN = re.compile(r"\bghp_[A-Za-z0-9]{36}\b")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
HAN = re.compile(r"[\u3400-\u9fff]")


def template(name: str) -> str:
    return files("mnemofs.templates").joinpath("workspace", name).read_text(encoding="utf-8")


def history() -> dict[str, Any]:
    text = files("mnemofs.templates").joinpath("demo", "history.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def session(conversation: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = [
        s for s in history()["sessions"] if s["conversation"] == conversation
    ]
    assert len(found) == 1, conversation
    return found[0]


def said(conversation: str) -> str:
    """Everything the user said in one conversation."""
    messages = session(conversation)["messages"]
    return "\n".join(m["content"] for m in messages if m["role"] == "user")


def day(conversation: str) -> date:
    return datetime.fromisoformat(session(conversation)["time"]).date()


def terms(text: str) -> set[str]:
    """Latin words cut to five letters (so that inflections meet), single Han characters."""
    words = {word[:5] for word in re.findall(r"[a-z0-9']+", text.casefold())}
    return words | set(HAN.findall(text))


def shipped(root: Traversable) -> Iterator[tuple[str, bytes]]:
    for item in root.iterdir():
        if item.is_dir():
            if item.name != "__pycache__":
                yield from shipped(item)
        else:
            yield item.name, item.read_bytes()


# ---- the files of a new workspace


@pytest.mark.parametrize("name", WORKSPACE)
def test_workspace_file_is_clean_utf8_within_its_size(name: str) -> None:
    raw = files("mnemofs.templates").joinpath("workspace", name).read_bytes()
    text = raw.decode("utf-8")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert "\r" not in text and "\t" not in text
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert len(text) <= WORKSPACE[name]
    assert [line for line in text.split("\n") if line != line.rstrip()] == []
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    assert text.count("```") % 2 == 0


def test_nothing_but_the_four_files_is_put_into_a_workspace() -> None:
    folder = files("mnemofs.templates").joinpath("workspace")
    assert {item.name for item in folder.iterdir()} == set(WORKSPACE)


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("PROFILE.md", ["About", "Preferences", "Working together"]),
        ("MEMORY.md", ["Facts", "Decisions", "Recent Lessons"]),
    ],
)
def test_skeletons_hold_headings_and_hints_but_no_memory(name: str, headings: list[str]) -> None:
    text = template(name)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == headings
    assert all("\n" not in comment for comment in COMMENT.findall(text))
    left = [line for line in COMMENT.sub("", text).split("\n") if line.strip()]
    assert all(line.startswith("#") for line in left)


@pytest.mark.parametrize(
    "needed",
    [
        "PROFILE.md",
        "MEMORY.md",
        "memory/YYYY-MM-DD.md",
        "structured/project.md",
        "DREAMS.md",
        "owners/",
        "mnemofs search",
        "--json",
        "mnemofs remember",
        "mnemofs note",
        "mnemofs edit",
        "mnemofs log",
        "mnemofs undo",
        "Never store passwords",
        "Read before you write",
        "Look here first",
        "Exit code",
        "don't work around it",
    ],
)
def test_agents_file_teaches(needed: str) -> None:
    assert needed in template("AGENTS.md")


def test_soul_speaks_in_the_first_person_and_announces_its_changes() -> None:
    text = template("SOUL.md")
    assert "I'm " in text
    assert "If I ever change it myself, I tell you" in text


# ---- the demo's conversations


def test_history_is_two_weeks_of_nine_to_twelve_conversations() -> None:
    sessions = history()["sessions"]
    assert 9 <= len(sessions) <= 12
    assert len({s["conversation"] for s in sessions}) == len(sessions)
    assert day(sessions[0]["conversation"]) == date(2026, 5, 4)
    assert day(sessions[-1]["conversation"]) == date(2026, 5, 17)


def test_times_ascend_and_carry_the_zone_of_the_user() -> None:
    told = history()
    zone = ZoneInfo(told["zone"])
    times = []
    for one in told["sessions"]:
        assert one["time"] == one["messages"][0]["time"]
        times += [datetime.fromisoformat(m["time"]) for m in one["messages"]]
        assert times[-1].date() == day(one["conversation"])
    for instant in times:
        assert instant.utcoffset() == instant.astimezone(zone).utcoffset()
    assert all(earlier < later for earlier, later in pairwise(times))
    assert times[0] < datetime.fromisoformat(told["hand_edit"]["time"]) < times[-1]


def test_each_conversation_alternates_and_ends_with_a_full_answer() -> None:
    for one in history()["sessions"]:
        messages = one["messages"]
        assert set(one) == {"conversation", "time", "title", "messages"}
        assert all(set(m) == {"role", "content", "time"} for m in messages)
        assert 6 <= len(messages) <= 16
        roles = [m["role"] for m in messages]
        assert roles == ["user", "assistant"] * (len(messages) // 2)
        assert all(m["content"] == m["content"].strip() != "" for m in messages)
        # An automatic run passes over a conversation whose newest user message is a mere "ok".
        assert len(messages[-2]["content"]) >= 10
        assert max(len(m["content"]) for m in messages) < 400


def test_expected_statements_were_really_said_by_the_user() -> None:
    expected = history()["expected"]
    for kind in ("remembered", "ignored"):
        assert len(expected[kind]) >= 10
        for item in expected[kind]:
            assert item["text"] in said(item["conversation"]), item
    kept = {item["text"] for item in expected["remembered"]}
    assert kept.isdisjoint(item["text"] for item in expected["ignored"])


def test_minds_change_a_date_moves_and_a_wrong_memory_is_corrected() -> None:
    replaced = history()["expected"]["replaced"]
    for change in replaced:
        was, now = change["was"], change["now"]
        assert was["text"] in said(was["conversation"])
        assert now["text"] in said(now["conversation"])
        assert day(was["conversation"]) < day(now["conversation"])
    hows = [change["how"] for change in replaced]
    assert hows.count("changed her mind") >= 2
    assert {"the date moved", "corrected"} <= set(hows)


def test_recurring_statements_return_on_several_days_and_twice_in_the_last_week() -> None:
    recurring = history()["expected"]["recurring"]
    for item in recurring:
        assert all(item["text"] in said(c) for c in item["conversations"])
        assert len({day(c) for c in item["conversations"]}) >= 2
    often = [
        item
        for item in recurring
        if sum(day(c) >= date(2026, 5, 11) for c in item["conversations"]) >= 2
    ]
    assert len(often) >= 2


def test_people_ask_to_remember_in_english_and_in_chinese() -> None:
    everything = "\n".join(said(s["conversation"]) for s in history()["sessions"])
    assert everything.count("emember that") >= 3
    assert "from now on" in everything.casefold()
    assert "记住" in everything and "部署方案" in everything
    assert "Do you remember when" in everything, "a question is no request to remember"


def test_exactly_one_secret_is_pasted_and_it_is_visibly_fake() -> None:
    (masked,) = history()["expected"]["masked"]
    found = GITHUB_TOKEN.findall(json.dumps(history()))
    assert GITHUB_TOKEN.findall(said(masked["conversation"])) == found
    assert len(found) == 1
    assert "NotARealToken" in found[0] and "FAKE" in found[0]


def test_one_conversation_only_asks_questions() -> None:
    (nothing,) = history()["expected"]["nothing"]
    messages = session(nothing["conversation"])["messages"]
    assert all(m["content"].endswith("?") for m in messages if m["role"] == "user")


def test_hand_edit_is_one_line_for_a_file_that_exists() -> None:
    edit = history()["hand_edit"]
    assert edit["path"] in WORKSPACE
    assert re.fullmatch(r"- [^\n]+\n", edit["append"])


def test_searches_share_no_word_with_what_they_find() -> None:
    told = history()
    messages = [m["content"] for s in told["sessions"] for m in s["messages"]]
    assert len(told["searches"]) == 5
    for search in told["searches"]:
        found = [text for text in messages if search["expect"] in text]
        assert found and search["why"]
        for text in found:
            sentence = next(
                s for s in re.split(r"(?<=[.!?。？])\s*", text) if search["expect"] in s
            )
            assert terms(search["query"]).isdisjoint(terms(sentence)), search
    queries = [search["query"] for search in told["searches"]]
    chinese = [q for q in queries if HAN.search(q)]
    assert 1 <= len(chinese) < len(queries)
    assert any(
        bool(HAN.search(search["query"])) != bool(HAN.search(search["expect"]))
        for search in told["searches"]
    )


def test_nothing_shipped_names_a_machine_or_an_account() -> None:
    machine = re.compile(r"/(?:home|root|tmp|work|Users|private|var)/|[A-Z]:\\|file://|localhost")
    address = re.compile(r"[\w.+-]+@[\w-]+\.\w+|\b\d{1,3}(?:\.\d{1,3}){3}\b")
    names = set()
    for name, raw in shipped(files("mnemofs.templates")):
        text = raw.decode("utf-8")
        names.add(name)
        assert not machine.search(text), name
        assert not address.search(text), name
    assert {*WORKSPACE, "history.json"} <= names


def test_the_agents_files_change_together_with_the_version_of_the_index() -> None:
    # What init wrote into them has no rows, so other words there give old files other rows.
    text = template("AGENTS.md") + template("SOUL.md")
    pinned = (sha256(text.encode()).hexdigest()[:16], VERSION)
    assert pinned == ("d369c201c293696a", 9)
