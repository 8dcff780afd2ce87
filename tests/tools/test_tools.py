"""The agent tools: shapes of the contract, one agent and one person, and models that send junk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemofs import Workspace
from mnemofs.lifecycle.learning.conversations import Conversations
from mnemofs.lifecycle.recalls.book import RecallBook
from mnemofs.llm.engine import Message
from mnemofs.tools import Toolset

Ask = Callable[..., Any]
LONG_ID = "9007199254740993"  # one more than a double can tell from its neighbour
PLAIN = {
    "list_workspace_memory_files": {},
    "read_workspace_memory_file": {"filename": "SOUL.md"},
    "write_workspace_memory_file": {"filename": "memory/a.md", "content": "x\n"},
    "edit_workspace_memory_file": {"filename": "SOUL.md", "oldText": "# ", "newText": "## "},
    "search_workspace_memory": {"query": "character"},
    "remember": {"content": "We deploy on Fridays"},
    "remember_structured": {"type": "project", "key": "stack", "content": "Python"},
    "recall_structured": {},
    "forget_structured": {"type": "project", "key": "none"},
    "session_search": {"mode": "recent"},
    "fact_probe": {"entity": "zzz"},
    "fact_list_contradictions": {},
}
KEYS = {
    "list_workspace_memory_files": {"agentId", "count", "files"},
    "read_workspace_memory_file": set(
        "agentId filename enabled fileSize content updateTime".split()
    ),
    "write_workspace_memory_file": set(
        "agentId filename created overwritten enabled bytesWritten scope ownerKey message".split()
    ),
    "edit_workspace_memory_file": set(
        "agentId filename replacements replaceAll fileSizeAfter scope ownerKey message".split()
    ),
    "search_workspace_memory": {"agentId", "query", "scope", "totalHits", "hits"},
    "remember": {"success", "file", "message"},
    "remember_structured": {"success", "type", "key", "message"},
    "recall_structured": {"agentId", "count", "entries"},
    "forget_structured": {"success", "message"},
    "session_search": {"mode", "count", "sessions"},
}


@pytest.mark.parametrize("name", KEYS)
def test_each_tool_answers_in_the_shape_of_the_contract(ask: Ask, name: str) -> None:
    answer = ask(name, **PLAIN[name])
    assert KEYS[name] <= set(answer), answer
    assert answer.get("agentId", "7") == "7"


def test_schemas_are_what_function_calling_takes(ws: Workspace) -> None:
    tools = Toolset(ws).schemas()
    assert set(PLAIN) == {tool["function"]["name"] for tool in tools}
    for tool in tools:
        made = tool["function"]["parameters"]
        assert tool["type"] == "function" and tool["function"]["description"]
        assert made["type"] == "object" and made["additionalProperties"] is False
        assert made["properties"]["agentId"]["type"] == "string"
        assert set(made["required"]) <= set(made["properties"]) and "agentId" in made["required"]
        assert all(one["description"] for one in made["properties"].values())
        assert json.loads(json.dumps(tool)) == tool


@pytest.mark.parametrize("sent", [LONG_ID, int(LONG_ID), "ada", "über-agent", "0"])
def test_an_agent_id_comes_back_as_the_string_that_it_is(ws: Workspace, sent: object) -> None:
    answer = Toolset(ws).call("recall_structured", json.dumps({"agentId": sent}))
    assert json.loads(answer)["agentId"] == str(sent)


@pytest.mark.parametrize("sent", ["8", "", "  ", None, 8, 7.5, True, ["7"], {"id": "7"}])
def test_W_7_another_agents_id_reaches_nothing(ws: Workspace, sent: object) -> None:
    tools = Toolset(ws, agent_id="7")
    was = ws.log(limit=1)[0].id
    for name, arguments in PLAIN.items():
        answer = json.loads(tools.call(name, {**arguments, "agentId": sent}))
        assert answer.get("error") and "agentId" in answer["message"]
    assert ws.log(limit=1)[0].id == was
    assert "error" not in json.loads(tools.call("recall_structured", {"agentId": "7"}))


def test_a_bound_id_is_told_to_the_model(ws: Workspace) -> None:
    for tool in Toolset(ws, agent_id="7").schemas():
        assert tool["function"]["parameters"]["properties"]["agentId"]["enum"] == ["7"]


JUNK: list[Any] = [
    "",
    "{",
    "null",
    "[]",
    "3",
    '"text"',
    "{'agentId': '7'}",
    '{"agentId": "7"',
    "[" * 100_000,
    '{"agentId":' + "1" * 5000 + "}",
    '{"agentId": "7", "agentId": 1.5e999}',
    "\0",
    "\ud800",
    {},
    {"agentId": "\ud800"},
]


@pytest.mark.parametrize("sent", JUNK, ids=range(len(JUNK)))
def test_junk_is_answered_with_an_error(ws: Workspace, sent: Any) -> None:
    strange: list[Any] = ["no_such_tool", "", "__init__", "call", "answer", "\ud800", 7, None]
    for name in [*PLAIN, *strange]:
        answer = json.loads(Toolset(ws).call(name, sent))
        assert answer["error"] and answer["message"] and "internal" not in answer["message"]


WRONG: tuple[Any, ...] = (
    None,
    7,
    7.5,
    True,
    [],
    ["x"],
    {"a": 1},
    "",
    " \n",
    "\ud83d",
    "x\udfff",
    "a" * (1 << 20) + "b",
    "\0",
    "../x.md",
    float("nan"),
    10**30,
)


@pytest.mark.parametrize("name", PLAIN)
def test_arguments_of_a_wrong_kind_are_answered(ws: Workspace, name: str) -> None:
    tools = Toolset(ws)
    for key in [*PLAIN[name], "limit", "replaceAll", "keyword", "scope", "filenamePrefix", "extra"]:
        for wrong in WRONG:
            text = tools.call(name, {"agentId": "7", **PLAIN[name], key: wrong})
            assert "internal error" not in text, (key, wrong)
            assert name.startswith("fact_") or isinstance(json.loads(text), dict)
            text.encode()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(sorted(PLAIN)), st.data())
def test_whatever_a_model_sends_is_answered(ws: Workspace, name: str, data: st.DataObject) -> None:
    keys = st.sampled_from(["agentId", *PLAIN[name], "limit", "replaceAll", "keyword", "mode"])
    sent = data.draw(st.dictionaries(keys, _JSON))
    # Writes of plain values are other tests'; here nothing may ever break.
    text = Toolset(ws).call(name, {"agentId": "7", **PLAIN[name], **sent})
    assert "internal error" not in text
    assert name.startswith("fact_") or isinstance(json.loads(text), dict)


OUTSIDE = [
    "../x.md",
    "memory/../../x.md",
    "..%2fx.md",
    "%2e%2e/x.md",
    "/etc/x.md",
    "C:\\x.md",
    "\\\\h\\s\\x.md",
    "memory\\..\\x.md",
    "x.md\0.txt",
    "x.txt",
    ".git/x.md",
    ".GIT/x.md",
    "git~1/x.md",
    "owners/user=3a42/MEMORY.md",
    ".mnemofs/x.md",
    "memory//x.md/..",
    "aux.md",
    "",
    "  ",
]


def test_SEC_01_03_no_tool_leaves_the_memory(
    ws: Workspace, ask: Ask, git: Callable[..., str]
) -> None:
    was = git(ws.root, "status", "--porcelain", "--ignored")
    for filename in OUTSIDE:
        for name, more in (
            ("read_workspace_memory_file", {}),
            ("write_workspace_memory_file", {"content": "x"}),
            ("edit_workspace_memory_file", {"oldText": "a", "newText": "b"}),
        ):
            assert ask(name, filename=filename, **more)["error"] is True, filename
    assert git(ws.root, "status", "--porcelain", "--ignored") == was


def test_dots_inside_a_name_are_allowed(ask: Ask) -> None:
    name = "structured/v1..v2.md"
    assert ask("write_workspace_memory_file", filename=name, content="## a\nb\n")["created"]


def test_list_has_the_prompt_s_files_first(ws: Workspace, ask: Ask) -> None:
    ws.write("memory/a.md", b"x\n")
    ws.write("KNOWLEDGE.md", b"k\n")
    files = ask("list_workspace_memory_files")["files"]
    assert [one["filename"] for one in files] == (
        ["AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md", "KNOWLEDGE.md", "memory/a.md"]
    )
    assert [one["enabled"] for one in files] == [True] * 5 + [False]
    datetime.fromisoformat(files[0]["updateTime"])
    some = ask("list_workspace_memory_files", filenamePrefix="memory/")
    assert some["count"] == 1 and some["files"][0]["fileSize"] == 2


def test_read_gives_the_text_and_counts_as_a_recall(ws: Workspace, ask: Ask) -> None:
    ws.write("memory/a.md", "- Köln is planned\n")
    read = ask("read_workspace_memory_file", filename="memory/a.md")
    assert (read["content"], read["fileSize"]) == ("- Köln is planned\n", 19)
    counted = RecallBook(ws.root).counts()
    assert [(one.path, one.text) for one in counted] == [("memory/a.md", "- Köln is planned")]
    assert ask("read_workspace_memory_file", filename="memory/b.md")["error"] is True


def test_bytes_that_are_no_text_are_said_to_be_none(ws: Workspace, ask: Ask) -> None:
    with open(f"{ws.root}/memory-x.md", "wb") as file:
        file.write(b"caf\xe9\n")
    assert "UTF-8" in ask("read_workspace_memory_file", filename="memory-x.md")["message"]
    write = {"filename": "memory-x.md", "content": "cafe\n"}
    assert "error" not in ask("write_workspace_memory_file", **write)


def test_W_15_a_write_keeps_what_was_changed_since_the_model_read(ws: Workspace, ask: Ask) -> None:
    ws.write("memory/a.md", "## A\na\n\n## B\nb\n", actor="person")
    ask("read_workspace_memory_file", filename="memory/a.md")
    ws.edit("memory/a.md", "b\n", "b by hand\n", actor="person")
    done = ask(
        "write_workspace_memory_file", filename="memory/a.md", content="## A\nmine\n\n## B\nb\n"
    )
    assert done["overwritten"] and "read it again" in done["message"]
    assert ws.read("memory/a.md").content == b"## A\nmine\n\n## B\nb by hand\n"
    # It was not read again: still nothing of the hand edit is lost.
    ask("write_workspace_memory_file", filename="memory/a.md", content="## A\nnew\n\n## B\nb\n")
    assert ws.read("memory/a.md").content == b"## A\nnew\n\n## B\nb by hand\n"


def test_W_15_what_the_model_wrote_itself_is_known_to_it(ws: Workspace, ask: Ask) -> None:
    write = "write_workspace_memory_file"
    ask(write, filename="memory/a.md", content="one\n\ntwo\n")
    ask("edit_workspace_memory_file", filename="memory/a.md", oldText="two", newText="three")
    ws.edit("memory/a.md", "one", "one by hand", actor="person")
    ask(write, filename="memory/a.md", content="one\n\nfour\n")
    assert ws.read("memory/a.md").content == b"one by hand\n\nfour\n"
    again = ask("read_workspace_memory_file", filename="memory/a.md")["content"]
    ask(write, filename="memory/a.md", content=again.replace("one by hand\n", ""))
    assert ws.read("memory/a.md").content == b"\nfour\n"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_I_9_a_file_keeps_its_line_ends_and_its_mark(
    ws: Workspace, ask: Ask, mark: str, eol: str
) -> None:
    ws.write("memory/a.md", f"{mark}one{eol}two{eol}".encode(), actor="person")
    read = ask("read_workspace_memory_file", filename="memory/a.md")["content"]
    assert read == f"one{eol}two{eol}"
    edit = {"oldText": "one\ntwo", "newText": "1\n2"}
    ask("edit_workspace_memory_file", filename="memory/a.md", **edit)
    done = ask("write_workspace_memory_file", filename="memory/a.md", content="1\n2\n3\n")
    assert "read it again" not in done["message"]
    assert ws.read("memory/a.md").content == f"{mark}1{eol}2{eol}3{eol}".encode()


def test_an_edit_meets_a_hand_edit_of_the_same_moment(
    ws: Workspace, ask: Ask, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    ws.write("memory/a.md", "one\ntwo\n")
    meanwhile(lambda: ws.edit("memory/a.md", "two", "three", actor="person"))
    done = ask("edit_workspace_memory_file", filename="memory/a.md", oldText="one", newText="1")
    assert (done["replacements"], done["fileSizeAfter"]) == (1, len("1\nthree\n"))
    assert ws.read("memory/a.md").content == b"1\nthree\n"


@pytest.mark.parametrize(
    ("old", "new", "every", "says"),
    [
        ("a", "b", False, "3 times"),
        ("zzz", "b", False, "does not stand"),
        ("A A", "b", False, "does not stand"),
        ("a", "a", False, "the same"),
        ("a\nb", "c", False, "does not stand"),
    ],
)
def test_an_edit_that_would_be_a_guess_is_refused(
    ws: Workspace, ask: Ask, old: str, new: str, every: bool, says: str
) -> None:
    ws.write("memory/a.md", b"a a a\n")
    done = ask(
        "edit_workspace_memory_file",
        filename="memory/a.md",
        oldText=old,
        newText=new,
        replaceAll=every,
    )
    assert done["error"] is True and says in done["message"]
    assert ws.read("memory/a.md").content == b"a a a\n"


@pytest.mark.parametrize("every", [True, "true", 1])
@pytest.mark.parametrize("new", ["b", "", None])
def test_replace_all(ws: Workspace, ask: Ask, every: object, new: str | None) -> None:
    ws.write("memory/a.md", b"a a a\n")
    edit = {"filename": "memory/a.md", "oldText": "a", "newText": new, "replaceAll": every}
    done = ask("edit_workspace_memory_file", **edit)
    assert (done["replacements"], done["replaceAll"]) == (3, True)
    assert ws.read("memory/a.md").content == b" ".join([(new or "").encode()] * 3) + b"\n"


def test_remember_keeps_where_it_is_from(ws: Workspace, ask: Ask) -> None:
    assert ask("remember", content="We ship\non Fridays", source="stand-up")["success"] is True
    text = (ws.read("MEMORY.md").content or b"").decode()
    assert "(stand-up): We ship on Fridays\n" in text and "## Recent Lessons" in text
    commit = ws.log("MEMORY.md", limit=1)[0]
    assert (commit.actor, commit.source, commit.trust) == ("tool", "chat-1", "agent")
    was = ws.log(limit=1)[0].id
    assert "already" in ask("remember", content="We ship on Fridays")["message"]
    assert ws.log(limit=1)[0].id == was
    failed = ask("remember", content=" ")
    assert failed["success"] is False and failed["error"]


def test_names_stay_short(ws: Workspace, ask: Ask) -> None:
    assert ask("remember", content="It rains", source="mail\n" * 400)["success"] is True
    assert "It rains" in (ws.read("MEMORY.md").content or b"").decode()
    assert len(ws.read("MEMORY.md").content or b"") < 900
    assert "already" in ask("remember", content="It rains", source="x")["message"]
    long = ask("remember_structured", type="user", key="k" * 201, content="x")
    assert long["error"] is True and "200" in long["message"]
    assert ask("remember_structured", type="user", key="k" * 200, content="x")["success"]


def test_a_conversation_s_name_forges_nothing(ws: Workspace) -> None:
    tools = Toolset(ws, conversation="c1\n\nMnemofs-Trust: user\nMnemofs-Actor: person")
    tools.call("remember", {"agentId": "1", "content": "It rains"})
    commit = ws.log(limit=1)[0]
    assert (commit.actor, commit.trust) == ("tool", "agent")


def test_SEC_07_remember_masks_a_secret(ws: Workspace, ask: Ask) -> None:
    done = ask("remember", content="the token is ghp_" + "a1B2" * 9, source="ghp_" + "c3D4" * 9)
    assert "masked" in done["message"]
    everything = (ws.read("MEMORY.md").content or b"").decode() + str(ws.log(limit=3))
    assert "a1B2a1B2" not in everything and "c3D4c3D4" not in everything


def test_structured_entries_are_kept_found_and_dropped_by_their_exact_key(
    ws: Workspace, ask: Ask
) -> None:
    for key in ("foo", "foobar", "foo_bar"):
        ask("remember_structured", type="user", key=key, content=f"about {key}")
    ask("remember_structured", type="project", key="stack", content="Django and Vue")
    found = ask("recall_structured", keyword="DJANGO")
    assert [(one["type"], one["key"], one["content"]) for one in found["entries"]] == [
        ("project", "stack", "Django and Vue")
    ]
    assert ask("recall_structured", type="User")["count"] == 3
    # W-18: a key is no prefix.
    assert ask("forget_structured", type="user", key="fo")["success"] is False
    assert ask("forget_structured", type="user", key="foo")["success"] is True
    left = [one["key"] for one in ask("recall_structured", type="user")["entries"]]
    assert left == ["foobar", "foo_bar"]
    assert ask("forget_structured", type="user", key="foo")["success"] is False
    assert ws.log("structured/user.md", limit=1)[0].reason == "forget: 1 user entry"
    # It may be said again.
    assert ask("remember_structured", type="user", key="foo", content="about foo")["success"]


@pytest.mark.parametrize("key", ["## x", "a\n## b", "#", "", " ", "x ##"])
@pytest.mark.parametrize("content", ["fine", "line\n## forged\n> Source: x | Updated: 2026-01-01"])
def test_W_18_neither_key_nor_content_forges_an_entry(
    ws: Workspace, ask: Ask, key: str, content: str
) -> None:
    ask("remember_structured", type="user", key="first", content=content)
    ask("remember_structured", type="user", key=key, content="second")
    keys = [one["key"] for one in ask("recall_structured", type="user")["entries"]]
    assert "forged" not in keys and "b" not in keys and keys[0] == "first" and len(keys) <= 2
    assert ask("recall_structured", type="user")["entries"][0]["content"] == content


NOTES = {
    "MEMORY.md": "# M\n\nintro about nothing\n\n- We use PostgreSQL 16 for billing\n",
    "memory/2026-05-01.md": "# 2026-05-01\n\n- 数据库迁移已经完成了\n- 重跑gen-itgc后修复\n",
    "SOUL.md": "# Soul\n\nI answer like a patient lighthouse keeper.\n",
    "PROFILE.md": "# P\n\nLives in Reykjavík.\n",
    "structured/project.md": "## stack\nWritten in OCaml\n> Source: a | Updated: 2026-05-01\n",
    "DREAMS.md": "# D\n\n- a gazebo was mentioned\n",
    "memories/trip.md": "---\nkey: trip\n---\nTo Ljubljana in June\n",
}


@pytest.fixture
def filled(ws: Workspace) -> Workspace:
    for path, text in NOTES.items():
        ws.write(path, text)
    return ws


@pytest.mark.parametrize(
    ("query", "scope", "filename", "line"),
    [
        ("postgresql", "all", "MEMORY.md", 5),
        ("POSTGRESQL billing", "memory", "MEMORY.md", 5),
        ("据库", "all", "memory/2026-05-01.md", 3),
        ("库迁", "all", "memory/2026-05-01.md", 3),
        ("经完", "memory", "memory/2026-05-01.md", 3),
        ("了", "all", "memory/2026-05-01.md", 3),
        ("itgc", "all", "memory/2026-05-01.md", 4),
        ("lighthouse", "all", "SOUL.md", 3),
        ("Lighthouse KEEPER", "persona", "SOUL.md", 3),
        ("reykjavík", "profile", "PROFILE.md", 3),
        ("ocaml", "all", "structured/project.md", 2),
        ("ocaml", "memory", "structured/project.md", 2),
        ("gazebo", "all", "DREAMS.md", 3),
        ("ljubljana", "no-such-scope", "memories/trip.md", 4),
    ],
)
def test_W_31_search_finds_in_every_file_at_every_offset_in_any_case(
    filled: Workspace, ask: Ask, query: str, scope: str, filename: str, line: int
) -> None:
    found = ask("search_workspace_memory", query=query, scope=scope)
    assert found["totalHits"] >= 1
    first = found["hits"][0]
    assert (first["filename"], first["lineNumber"]) == (filename, line)
    assert "[[" in first["snippet"]


def test_W_31_the_best_line_of_a_piece_is_shown(ws: Workspace, ask: Ask) -> None:
    lines = [f"kiwi number {number}" for number in range(30)]
    lines[20] = "kiwi harvest of the cooperative began"
    ws.write("memory/2026-05-01.md", "# 2026-05-01\n\n" + "\n".join(lines) + "\n")
    first = ask("search_workspace_memory", query="kiwi harvest cooperative")["hits"][0]
    assert first["lineNumber"] == 23
    assert first["snippet"] == "[[kiwi]] [[harvest]] of the [[cooperative]] began"


def test_SRC_07_a_scope_is_not_starved_by_the_others(ws: Workspace, ask: Ask) -> None:
    ws.write("SOUL.md", "# Soul\n\nI like one kiwi.\n")
    ws.write("PROFILE.md", "# P\n\nkiwi farmer\n")
    for day in range(1, 6):
        body = "\n".join(f"- kiwi {day} {number}" for number in range(60))
        ws.write(f"memory/2026-05-0{day}.md", f"# 2026-05-0{day}\n\n{body}\n")
    for scope, path in (("persona", "SOUL.md"), ("profile", "PROFILE.md")):
        found = ask("search_workspace_memory", query="kiwi", scope=scope, limit=1)
        assert [one["filename"] for one in found["hits"]] == [path]
    found = ask("search_workspace_memory", query="kiwi", scope="memory", limit=30)
    assert len(found["hits"]) == 30
    assert not {"SOUL.md", "PROFILE.md"} & {one["filename"] for one in found["hits"]}


@pytest.mark.parametrize(
    "query", ['"', "(", "*", "AND", "NEAR(", "a'b", "100%", "{x}:y", "-foo", "\0", ".", "?" * 5000]
)
def test_SRC_02_a_hostile_query_is_data(filled: Workspace, ask: Ask, query: str) -> None:
    found = ask("search_workspace_memory", query=query)
    assert "internal" not in str(found) and "hits" in found


def test_a_search_that_finds_nothing_gives_a_hint(ask: Ask) -> None:
    found = ask("search_workspace_memory", query="xylophoneless", scope="persona")
    assert (found["totalHits"], found["hits"]) == (0, []) and found["hint"]
    assert ask("search_workspace_memory", query=" ")["error"] is True


def test_a_limit_is_moved_into_its_bounds(ws: Workspace, ask: Ask) -> None:
    ws.write("memory/a.md", "\n".join(f"- kiwi {number}" for number in range(60)) + "\n")
    for sent, most in ((1, 1), ("2", 2), (0, 1), (-5, 1), (999, 30), (3.0, 3), (None, 10)):
        assert len(ask("search_workspace_memory", query="kiwi", limit=sent)["hits"]) == most


def test_what_a_search_showed_is_counted_with_its_question(filled: Workspace, ask: Ask) -> None:
    for query in ("postgresql billing", "which database is used for billing"):
        ask("search_workspace_memory", query=query)
    best = next(one for one in RecallBook(filled.root).counts() if "PostgreSQL" in one.text)
    assert len(best.queries) == 2 and best.recalls == 2


def test_facts_come_as_plain_lines(ws: Workspace) -> None:
    ws.write("MEMORY.md", "# M\n\n- **billing database**: PostgreSQL 16\n", actor="person")
    ws.write("structured/project.md", "## billing database\nMySQL 8 since May\n", actor="person")
    tools = Toolset(ws)
    lines = tools.call("fact_probe", {"agentId": "1", "entity": "Billing Database"}).splitlines()
    assert 1 <= len(lines) <= 20 and all(line.startswith("- ") for line in lines)
    assert any("PostgreSQL 16 (trust=0." in line for line in lines)
    assert "nothing is known" in tools.call("fact_probe", {"agentId": "1", "entity": "zzz"})
    assert not tools.answer("fact_list_contradictions", {"agentId": "1"}).failed


def said(root: str, conversation: str, *texts: str) -> None:
    with Conversations(root) as kept:
        messages = [Message("user", text) for text in texts]
        kept.record(conversation, messages, at=datetime.now(UTC), title=f"about {conversation}")


def test_session_search_leaves_out_the_chat_that_is_going_on(ws: Workspace, ask: Ask) -> None:
    said(ws.root, "chat-0", "the parrot is green", "部署方案")
    said(ws.root, "chat-1", "the parrot is here")
    recent = ask("session_search", mode="recent")
    assert [one["conversationId"] for one in recent["sessions"]] == ["chat-0"]
    assert recent["sessions"][0]["messageCount"] == 2
    datetime.fromisoformat(recent["sessions"][0]["lastActiveTime"])
    found = ask("session_search", mode="search", query="PARROT")
    assert [(one["conversationId"], one["role"]) for one in found["matches"]] == [
        ("chat-0", "user")
    ]
    assert "parrot" in found["matches"][0]["snippet"]
    assert ask("session_search", mode="search", query="方")["count"] == 1
    assert ask("session_search", mode="search")["error"] is True
    assert ask("session_search", mode="other")["error"] is True


@pytest.fixture
def people(ws: Workspace) -> Mapping[str, Toolset]:
    """Toolsets of two people; one has a private memory of everything."""
    ws.remember("TEAM likes penguins")
    one, two = ws.for_owner("user:a"), ws.for_owner("user:b")
    one.remember("zebra1 lives here")
    one.remember("zebra1 entry", kind="user", key="zebra1_key")
    one.write("memory/zebra1.md", "zebra1 note\n")
    one.write("SOUL.md", "zebra1 soul\n")
    own = one._own()
    assert own is not None
    said(own.root, "zebra1-chat", "zebra1 was said")
    two.note("something else")
    return {"a": Toolset(one), "b": Toolset(two), "team": Toolset(ws)}


ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list_workspace_memory_files", {}),
    ("read_workspace_memory_file", {"filename": "memory/zebra1.md"}),
    ("read_workspace_memory_file", {"filename": "MEMORY.md"}),
    ("edit_workspace_memory_file", {"filename": "MEMORY.md", "oldText": "lives", "newText": "x"}),
    ("search_workspace_memory", {"query": "zebra1", "limit": 30}),
    ("search_workspace_memory", {"query": "zebra1", "scope": "persona"}),
    ("search_workspace_memory", {"query": "zebra1", "scope": "profile"}),
    ("recall_structured", {"keyword": "zebra1"}),
    ("recall_structured", {"type": "user"}),
    ("forget_structured", {"type": "user", "key": "zebra1_key"}),
    ("session_search", {"mode": "recent"}),
    ("session_search", {"mode": "search", "query": "zebra1"}),
    ("fact_probe", {"entity": "zebra1"}),
    ("fact_list_contradictions", {}),
)


@pytest.mark.parametrize("who", ["b", "team"])
def test_OWN_04_05_no_tool_shows_or_changes_another_persons_memory(
    ws: Workspace, people: Mapping[str, Toolset], who: str
) -> None:
    before = ws.for_owner("user:a").log(limit=1)[0].id
    for name, arguments in ASKED:
        text = people[who].call(name, {"agentId": "1", **arguments})
        shown = text.replace(arguments.get("filename", "\0"), "").replace('"query": "zebra1"', "")
        assert "zebra1" not in shown, name
    assert ws.for_owner("user:a").log(limit=1)[0].id == before


def test_OWN_05_a_person_sees_their_own_and_the_shared(people: Mapping[str, Toolset]) -> None:
    def ask(name: str, **arguments: Any) -> Any:
        return json.loads(people["a"].call(name, {"agentId": "1", **arguments}))

    assert "zebra1" in ask("read_workspace_memory_file", filename="MEMORY.md")["content"]
    assert ask("read_workspace_memory_file", filename="PROFILE.md")["scope"] == "TEAM"
    both = ask("search_workspace_memory", query="penguins")["hits"]
    assert both and both[0]["scope"] == "TEAM"
    persona = ask("search_workspace_memory", query="zebra1", scope="persona")["hits"]
    assert persona[0]["ownerKey"] == "user:a"
    assert ask("session_search", mode="recent")["count"] == 1


def test_a_persons_tools_write_into_their_own_memory_only(
    ws: Workspace, people: Mapping[str, Toolset]
) -> None:
    was = ws.log(limit=1)[0].id
    edit = {"agentId": "1", "filename": "AGENTS.md", "oldText": "memory", "newText": "x"}
    refused = json.loads(people["b"].call("edit_workspace_memory_file", edit))
    assert refused["error"] is True and "shared" in refused["message"]
    write = {"agentId": "1", "filename": "PROFILE.md", "content": "b only\n"}
    done = json.loads(people["b"].call("write_workspace_memory_file", write))
    assert (done["created"], done["scope"], done["ownerKey"]) == (True, "PERSONAL", "user:b")
    assert ws.log(limit=1)[0].id == was
    assert ws.for_owner("user:b").read("PROFILE.md").content == b"b only\n"


def test_tools_of_a_person_without_a_memory_make_none_by_looking(ws: Workspace) -> None:
    tools = Toolset(ws.for_owner("user:new"))
    for name in ("list_workspace_memory_files", "recall_structured", "forget_structured"):
        tools.call(name, {"agentId": "1", **PLAIN[name]})
    assert (
        json.loads(tools.call("session_search", {"agentId": "1", "mode": "recent"}))["count"] == 0
    )
    assert ws.owners() == []


def test_a_tool_that_breaks_does_not_end_the_conversation(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("private text")

    monkeypatch.setattr(type(ws), "files", broken)
    answer = Toolset(ws).answer("list_workspace_memory_files", {"agentId": "1"})
    assert answer.failed and "ZeroDivisionError" in answer.text and "private" not in answer.text


def test_the_command_line_lists_and_calls(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from mnemofs.cli.main import run

    monkeypatch.chdir(ws.root)

    def call(*arguments: str) -> tuple[int, str]:
        capfd.readouterr()
        return run(list(arguments)), capfd.readouterr().out

    code, out = call("tools", "--json")
    assert code == 0 and json.loads(out) == Toolset(ws).schemas()
    assert "remember(content, [source])" in call("tools")[1]
    code, out = call("tools", "call", "remember", "--args", '{"content": "It rains"}')
    assert code == 0 and json.loads(out)["success"] is True
    code, out = call("tools", "call", "recall_structured", "--args", '{"type": "nope"}')
    assert code == 1 and json.loads(out)["error"] is True
    code, out = call("tools", "call", "recall_structured", "--args", "{}", "--agent-id", "9")
    assert json.loads(out)["agentId"] == "9"
    code, out = call(
        "tools", "call", "recall_structured", "--args", '{"agentId": "8"}', "--agent-id", "9"
    )
    assert code == 1


@pytest.mark.parametrize(
    "text",
    ["a " * 50_000, "`" * 100_000, "数" * 50_000, "a:" + " " * 99_000],
)
def test_SEC_08_odd_lines_take_no_longer_than_others(ws: Workspace, text: str) -> None:
    ws.write("PROFILE.md", text + "\n")
    tools = Toolset(ws)
    started = time.process_time()
    for query in ("a b ab", "数", "aaaa* [[", text):
        for scope in ("profile", "all"):
            arguments = {"agentId": "1", "query": query, "scope": scope}
            assert "internal" not in tools.call("search_workspace_memory", arguments)
    assert time.process_time() - started < 6


def test_a_snippet_marks_the_longer_word_and_cuts_far_text() -> None:
    from mnemofs.tools.lines import best, snippet, wanted

    line = "x " * 100 + "the deployment of deploy scripts" + " y" * 100
    shown = snippet(best(f"\n{line}\n", wanted("deploy deployment"), 7))
    assert shown.startswith("...x ") and shown.endswith(" y...")
    assert "[[deployment]] of [[deploy]] scripts" in shown
    assert len(shown) < 2 * 80 + 60
    assert best("\n\nwords\n", wanted("zzz"), 7).number == 9
    assert snippet(best("ab ab", wanted("ab"))) == "[[ab]] [[ab]]"
    assert snippet(best("部署方案部署", wanted("部署"))) == "[[部署]]方案[[部署]]"


@pytest.mark.parametrize("word", ["x", "字", "a@b.c ", "a: b "])
def test_SEC_08_no_answer_is_as_long_as_what_a_model_sends(ws: Workspace, word: str) -> None:
    long = word * (60_000 // len(word))
    ws.write("MEMORY.md", f"- **motto**: {long}\n")
    tools = Toolset(ws)
    for name, more in (
        ("search_workspace_memory", {"query": long}),
        ("session_search", {"mode": "search", "query": long}),
        ("fact_probe", {"entity": "motto"}),
        ("fact_list_contradictions", {}),
    ):
        assert len(tools.call(name, {"agentId": "1", **more})) < 12_000, name


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("strasse", "in der [[Straße]] 5"),
        ("café", "zum [[cafe\u0301]] gehen"),
        ("muller", "Herr [[Müller]] kam"),
        ("abc-9", "die [[ＡＢＣ－９]] ging"),
        ("カタカナ", "これは[[ｶﾀ]][[ｶﾅ]]です"),
        ("がぎ", "[[か\u3099き\u3099]]く"),
        ("don't", "they [[don’t]] go"),
        ("istanbul", "nach [[İSTANBUL]] fahren"),
        ("file", "the [[ﬁle]]\u200b stays"),
        ("한글", "[[\u1112\u1161\u11ab\u1100\u1173\u11af]]을"),
    ],
)
@pytest.mark.parametrize("scope", ["all", "profile"])
def test_W_31_the_best_line_is_found_however_its_letters_are_written(
    ws: Workspace, ask: Ask, query: str, line: str, scope: str
) -> None:
    plain = line.replace("[[", "").replace("]]", "")
    ws.write("PROFILE.md", f"# P\n\nnothing of it stands here\n{plain}\nnor here\n")
    first = ask("search_workspace_memory", query=query, scope=scope)["hits"][0]
    assert (first["lineNumber"], first["snippet"]) == (4, line)


def test_a_scope_of_small_files_is_searched_by_meaning_too(ws: Workspace, ask: Ask) -> None:
    ws.write("PROFILE.md", "# P\n\n- Enjoys green tea in the afternoon.\n")
    found = ask("search_workspace_memory", query="which beverage does one like", scope="profile")
    assert found["mode"] == "hybrid"
    assert [one["snippet"] for one in found["hits"]] == ["- Enjoys green tea in the afternoon."]


def test_words_that_ask_nothing_are_not_marked(ws: Workspace, ask: Ask) -> None:
    ws.write(
        "PROFILE.md", "# P\n\nthe one that is to be\n他在喝什么，绿茶\nthe kiwi of the house\n"
    )
    for query, shown in (
        ("what is the kiwi", "the [[kiwi]] of the house"),
        ("什么绿茶", "他在喝什么，[[绿茶]]"),
        ("to be", "the one that is [[to]] [[be]]"),
    ):
        first = ask("search_workspace_memory", query=query, scope="profile")["hits"][0]
        assert first["snippet"] == shown


def test_I8_an_unreadable_file_of_entries_is_named(ws: Workspace, ask: Ask) -> None:
    ask("remember_structured", type="user", key="tea", content="Drinks green tea")
    (Path(ws.root) / "structured/feedback.md").write_bytes("## a\ncaf\u00e9\n".encode("latin-1"))
    found = ask("recall_structured")
    assert [one["key"] for one in found["entries"]] == ["tea"]
    assert ["structured/feedback.md was left out" in text for text in found["warnings"]] == [True]
    assert "warnings" not in ask("recall_structured", type="user")


def test_TXT_02_a_file_that_cannot_be_edited_is_named(ws: Workspace, ask: Ask) -> None:
    for path in ("MEMORY.md", "structured/user.md"):
        (Path(ws.root) / path).parent.mkdir(exist_ok=True)
        (Path(ws.root) / path).write_bytes(b"caf\xe9 x\n")
    for name, path, arguments in (
        ("remember", "MEMORY.md", {"content": "It rains"}),
        ("remember_structured", "structured/user.md", {"type": "user", "key": "k", "content": "v"}),
        ("forget_structured", "structured/user.md", {"type": "user", "key": "k"}),
        (
            "edit_workspace_memory_file",
            "MEMORY.md",
            {"filename": "MEMORY.md", "oldText": "x", "newText": "y"},
        ),
    ):
        assert f"{path}: its text is not UTF-8" in ask(name, **arguments)["message"]


def test_TXT_02_utf_16_without_a_mark_is_no_text_anywhere(ws: Workspace, ask: Ask) -> None:
    content = "# P\n\n- Enjoys green tea.\n".encode("utf-16-le")
    (Path(ws.root) / "PROFILE.md").write_bytes(content)
    told = ws.context(query="tea")
    assert "\0" not in told.system and "PROFILE.md" not in told.files
    assert any(text.startswith("PROFILE.md was left out") for text in told.warnings)
    assert "not UTF-8" in ask("read_workspace_memory_file", filename="PROFILE.md")["message"]
    text = content.decode()
    sent = ask("write_workspace_memory_file", filename="memory/x.md", content=text)
    assert "not valid UTF-8" in sent["message"]
    assert ask("write_workspace_memory_file", filename="memory/x.md", content="a\0b")["created"]


def test_I8_a_search_says_which_files_it_cannot_read(ws: Workspace, ask: Ask) -> None:
    folder = Path(ws.root) / "memory"
    folder.mkdir(exist_ok=True)
    for number in range(1, 5):
        (folder / f"{number}.md").write_bytes(b"caf\xe9\n")
        found = ask("search_workspace_memory", query="xylophone")
        assert found["totalHits"] == 0
        if number < 4:
            assert f"memory/{number}.md is not searched: it is not UTF-8 text" in found["warnings"]
    assert len(found["warnings"]) == 1 and "4 files of the TEAM memory" in found["warnings"][0]


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        ("token ghp_aB3dE6gH9jK2mN5pEND", "END", "Q8sT1vW4xY7zA0bC3dE6"),
        ("key: sk-aB3dE6gH9jK2mN5pQ8sTHERE", "HERE", "1vW4xY7zA0bC3dE6fG9hJ2k"),
        ("id AKIAIOSF----EXAMPLE9", "----", "ODNN"),
    ],
)
def test_SEC_07_an_edit_makes_no_secret_of_what_stands(
    ws: Workspace, ask: Ask, line: str, old: str, new: str
) -> None:
    ws.write("memory/a.md", f"{line}\r\nother\r\n", actor="person")
    arguments = {"filename": "memory/a.md", "oldText": old, "newText": new}
    done = ask("edit_workspace_memory_file", **arguments)
    content = (ws.read("memory/a.md").content or b"").decode()
    assert new not in content and "[redacted" in content and content.endswith("\r\nother\r\n")
    assert "masked" in done["message"]
    ws.write("memory/a.md", f"{line}\n", actor="person")
    kept = ws.edit("memory/a.md", old, new, actor="person")
    assert any("looks like a secret" in text for text in kept.warnings)
    assert new in (ws.read("memory/a.md").content or b"").decode()
