"""Whatever a model answers over HTTP, memory stays whole: the LLM cases of the bank."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.fake_model import Answer, FakeModel
from tests.lifecycle.conftest import Memory, Scripted, model, say

Make = Callable[..., Memory]
FILES = {
    "MEMORY.md": "# Memory\n\n"
    + "".join(f"- Fact number {n} of the ferry line\n" for n in range(10)),
    "PROFILE.md": "# Profile\n\n- Likes oolong\n",
}
GOOD = {
    "should_update": True,
    "reason": "t",
    "daily_entry": "- Prefers oolong",
    "memory_update": "",
    "profile_update": "",
}
TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "reply",
    [
        f"Sure!\n```json\n{TEXT}\n```\nDone.",
        f"```\n{TEXT}\n```",
        f"~~~json\n{TEXT}\n~~~",
        f"\n\n  {TEXT}  \n",
        f"Here you go: {TEXT} Let me know!",
        json.dumps(GOOD, indent=2),
        json.dumps({**GOOD, "memory_update": None, "structured_entries": []}),
        f"<think>{{}}</think>```json\n{TEXT}\n```",
    ],
)
def test_LLM_01_json_in_a_frame_of_chatter(memory: Make, fake_model: FakeModel, reply: str) -> None:
    ws = memory(FILES)
    blobs = [ws.git("rev-parse", f"HEAD:{name}") for name in FILES]
    before = ws.commits
    fake_model.say(reply)
    assert ws.extract(model(fake_model)).status == "updated"
    assert ws.commits == before + 1
    assert ws.changed() == ["memory/2026-05-01.md"]
    assert ws.read("memory/2026-05-01.md").split("\n").count("- Prefers oolong") == 1
    assert [ws.git("rev-parse", f"HEAD:{name}") for name in FILES] == blobs


@pytest.mark.parametrize(
    ("text", "blob"),
    [
        ("# M\n\n```sh\nmake test\n```\n", "3d4d552459360234d73a01c760e188921c127cd1"),
        ('# M\n\n````\n```json\n{"should_update": false}\n```\n````\n', None),
        ("# M\n\n~~~\n```\n~~~\n\n`{`\n", None),
    ],
)
def test_LLM_02_a_fence_inside_a_json_string(
    memory: Make, fake_model: FakeModel, text: str, blob: str | None
) -> None:
    ws = memory()
    fake_model.say(
        f"```json\n{json.dumps({**GOOD, 'daily_entry': '', 'memory_update': text})}\n```"
    )
    assert ws.extract(model(fake_model)).status == "updated"
    assert ws.read("MEMORY.md") == text
    assert blob is None or ws.git("rev-parse", "HEAD:MEMORY.md").strip() == blob


@pytest.mark.parametrize(
    "thought",
    [
        '<think>maybe {"should_update":false}</think>\n',
        '<thinking>maybe {"should_update":true,"daily_entry":"- maybe"}</thinking>\n',
        'maybe {"should_update":false}\n</think>\n',
    ],
)
def test_LLM_03_a_think_block_with_a_draft(
    memory: Make, fake_model: FakeModel, thought: str
) -> None:
    ws = memory(FILES)
    fake_model.say(thought + json.dumps({**GOOD, "daily_entry": "- Moved to Oslo"}))
    assert ws.extract(model(fake_model)).status == "updated"
    assert "- Moved to Oslo" in ws.read("memory/2026-05-01.md")
    files = "".join(ws.read(path) for path in ws.git("ls-files").split())
    assert "think" not in files
    assert "maybe" not in files


def unharmed(ws: Memory, fake_model: FakeModel, *replies: Any) -> list[Any]:
    """Runs one extraction for each reply: none changes anything; a good one right after does."""
    head, tree = ws.head, ws.git("status", "--porcelain")
    engine = model(fake_model)
    reports = []
    for reply in replies:
        fake_model.say(reply)
        report = ws.extract(engine)
        assert (report.commit, ws.head, ws.git("status", "--porcelain")) == (None, head, tree)
        assert report.status != "updated"
        reports.append(report)
    fake_model.say(GOOD)
    assert ws.extract(engine).status == "updated"
    assert fake_model.chats >= len(replies) + 1
    return reports


@pytest.mark.parametrize(
    "fields",
    [
        {"daily_entry": "", "memory_update": " \n\t", "profile_update": ""},
        {"daily_entry": "\n", "memory_update": None, "profile_update": "  "},
        {"daily_entry": None, "memory_update": None, "profile_update": None},
        {"daily_entry": "", "structured_entries": []},
        {},
    ],
)
def test_LLM_04_an_update_without_content(
    memory: Make, fake_model: FakeModel, fields: dict[str, Any]
) -> None:
    ws = memory(FILES)
    (report,) = unharmed(ws, fake_model, {"should_update": True, "reason": "r", **fields})
    assert report.status == "skipped"
    assert "blank" in report.reason


@pytest.mark.parametrize(
    "word", ["unchanged", "No changes.", "(same)", "None", "无变化", "`unchanged`"]
)
def test_LLM_05_a_placeholder_instead_of_the_file(
    memory: Make, fake_model: FakeModel, word: str
) -> None:
    ws = memory(FILES)
    reply = {"should_update": True, "reason": "-", "memory_update": word, "daily_entry": ""}
    (report,) = unharmed(ws, fake_model, reply)
    assert report.status == "refused"
    assert "unchanged" not in ws.read("MEMORY.md")


@pytest.mark.parametrize(
    "content",
    [
        '{"should_update":true,"memory_update":"# Memory\\n\\n## Proj',
        TEXT,
        f"```json\n{TEXT}\n```",
        "",
    ],
)
@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_LLM_06_a_reply_cut_at_the_token_limit(
    memory: Make, fake_model: FakeModel, content: str, finish: str
) -> None:
    ws = memory(FILES)
    (report,) = unharmed(ws, fake_model, Answer(content, finish_reason=finish))
    assert report.status == "failed"
    assert "truncated" in report.reason or "cut" in report.reason
    assert report.code == "truncated"


def test_LLM_06_a_cut_reply_that_claims_to_be_complete(memory: Make, fake_model: FakeModel) -> None:
    (report,) = unharmed(memory(FILES), fake_model, TEXT[:60])
    assert report.status == "failed"


CALL = [{"id": "t", "type": "function", "function": {"name": "save", "arguments": "{}"}}]


def test_LLM_07_something_else_than_text(memory: Make, fake_model: FakeModel) -> None:
    reports = unharmed(
        memory(FILES),
        fake_model,
        Answer(choices=False),
        Answer(None, tool_calls=CALL, finish_reason="tool_calls"),
        "I will now save the facts.",
        Answer("", finish_reason="content_filter"),
        Answer(raw=b'{"choices": null}'),
        Answer(raw=b"<html>bad gateway</html>"),
        Answer(raw=b"{}"),
        Answer(None),
        "",
        "[]",
        "null",
        Answer(status=500),
        Answer(drop="before"),
    )
    for report in reports:
        assert report.status == "failed", report.reason
        assert report.code
        assert "Traceback" not in report.reason


def test_LLM_08_an_answer_only_in_the_reasoning(memory: Make, fake_model: FakeModel) -> None:
    ws = memory(FILES)
    thought = "The user likes tea so I should store it."
    reports = unharmed(
        ws,
        fake_model,
        Answer("", reasoning_content=thought),
        Answer(None, reasoning_content=f"{thought} {TEXT}"),
        f"<think>{thought} {TEXT}</think>",
        f"<think>{thought}",
    )
    assert {report.status for report in reports} == {"failed"}
    assert "should store" not in ws.everything()


@pytest.mark.parametrize(
    "reply",
    [
        {"should_update": "false", "memory_update": ["a", "b"], "daily_entry": {"t": 1}},
        {"should_update": True, "memory_update": ["a", "b"]},
        {"should_update": True, "daily_entry": {"t": 1}},
        {"should_update": "true", "daily_entry": "- x"},
        {"should_update": 1, "daily_entry": "- x"},
        {"should_update": None, "daily_entry": "- x"},
        {"should_update": True, "profile_update": 17},
        {"should_update": True, "structured_entries": {"type": "user"}},
        {"daily_entry": "- x"},
        [{"should_update": True, "daily_entry": "- x"}, 3],
    ],
)
def test_LLM_10_wrong_types(memory: Make, fake_model: FakeModel, reply: Any) -> None:
    ws = memory(FILES)
    (report,) = unharmed(ws, fake_model, json.dumps(reply))
    assert report.status in ("failed", "skipped")
    for text in ("['a', 'b']", "{'t': 1}", "- x"):
        assert text not in ws.everything()


@pytest.mark.parametrize(
    "entries",
    [
        [{"type": "project", "key": f"k{number}", "content": "set"} for number in range(500)],
        [{"type": "project", "key": "k", "content": "word " * 5000}],
    ],
)
def test_LLM_10_a_flood_of_entries_is_none(
    memory: Make, fake_model: FakeModel, entries: list[dict[str, str]]
) -> None:
    made = memory()
    fake_model.say({"should_update": True, "reason": "r", "structured_entries": entries})
    before = made.head
    assert made.extract(model(fake_model)).code == "blank"
    assert made.head == before


def test_the_prompt_holds_what_the_model_needs_and_no_secret(
    memory: Make, fake_model: FakeModel
) -> None:
    ws = memory(FILES)
    token = "ghp_" + "a1B2" * 9
    said = [("user", f"my token is {token} and I moved to Oslo"), ("assistant", "Noted.")] * 2
    fake_model.say({"should_update": False, "reason": "small talk"})
    assert ws.extract(model(fake_model), said).status == "unchanged"
    prompt = fake_model.requests[0].prompt
    assert token not in prompt
    for text in ("moved to Oslo", "Fact number 9", "Likes oolong", "2026-05-01"):
        assert text in prompt


@pytest.mark.parametrize("by_hand", ["append", "edit", "delete line", "new section"])
def test_CON_02_a_person_edits_while_the_model_thinks(
    memory: Make, fake_model: FakeModel, by_hand: str
) -> None:
    ws = memory(FILES)
    old = ws.read("MEMORY.md")
    new = {
        "append": old + "- by hand\n",
        "edit": old.replace("Fact number 2 ", "Fact by hand "),
        "delete line": old.replace("- Fact number 2 of the ferry line\n", ""),
        "new section": old + "\n## By hand\n\n- by hand\n",
    }[by_hand]

    def thinking(_: object) -> Answer:
        timer = threading.Timer(0.2, lambda: (ws.root / "MEMORY.md").write_text(new))
        timer.start()
        update = old.replace("Fact number 7 ", "Fact by the model ")
        reply = {**GOOD, "daily_entry": "", "memory_update": update}
        return Answer(json.dumps(reply), delay=0.6)

    fake_model.say(thinking)
    assert ws.extract(model(fake_model)).status == "updated"
    text = ws.read("MEMORY.md")
    assert text.count("Fact by the model") == 1
    assert text.count("by hand") == (0 if by_hand == "delete line" else 1)
    assert ("Fact number 2 " in text) == (by_hand in ("append", "new section"))
    assert "<<<<" not in text
    assert ws.git("status", "--porcelain") == ""
    assert ws.git("show", "HEAD:MEMORY.md") == text


def test_CON_02_both_change_one_line_and_neither_is_lost(memory: Make) -> None:
    ws = memory({"MEMORY.md": "# Memory\n\n- city: Rome\n- tea\n"})
    engine = Scripted(
        [say(memory_update="# Memory\n\n- city: Oslo\n- tea\n")],
        before=lambda: ws.write("MEMORY.md", "# Memory\n\n- city: Lima\n- tea\n"),
    )
    ws.extract(engine)
    history = ws.git("log", "-p", "--format=")
    assert "Oslo" in history
    assert "Lima" in history
    assert "Lima" in ws.read("MEMORY.md")
    assert "<<<<" not in ws.read("MEMORY.md")
