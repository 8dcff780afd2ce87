"""Only what people and the assistant said comes out of a conversation file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.errors import NotFound, TranscriptError
from mnemofs.lifecycle.learning.speech import injected_cut
from mnemofs.lifecycle.learning.transcripts import Transcript, from_messages, parse, read

SESSION_LOG = Path(__file__).parent.parent / "data" / "session_log.jsonl"


def said(transcript: Transcript) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in transcript.messages]


def log_line(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": role,
        "uuid": more.pop("uuid", f"u{id(content)}"),
        "sessionId": "s1",
        "timestamp": "2026-05-01T08:00:00Z",
        "message": {"role": role, "content": content, **more.pop("message", {})},
        **more,
    }


def jsonl(*records: Any) -> bytes:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()


def test_session_log_yields_only_what_was_said() -> None:
    transcript = read(SESSION_LOG)
    assert said(transcript) == [
        ("user", "Please remember that our release day is Friday."),
        ("assistant", "Noted, Friday it is.\n\nI will write it down."),
        ("assistant", "Done."),
        ("user", "Also, I moved to Oslo."),
        ("user", "部署方案改一下：先灰度再全量"),
        ("assistant", "好的，先灰度再全量。"),
    ]
    assert "injected" not in str(transcript.messages)
    assert transcript.conversation == "5a0d"
    assert transcript.format == "claude-code"
    assert transcript.finish == ""
    assert transcript.warnings == ()
    assert transcript.messages[0].time == datetime(2026, 5, 1, 8, 0, 0, 200000, UTC)


def test_a_session_log_being_written_loses_only_its_half_line() -> None:
    data = SESSION_LOG.read_bytes()
    cut = data[: len(data) - 40]
    transcript = parse(cut)
    assert len(transcript.messages) == 5
    assert (
        transcript.warnings
        == ("1 part of the transcript could not be read and were left out: line 26",)
        or "line 26" in transcript.warnings[0]
    )


@pytest.mark.parametrize(
    "content",
    [
        "Prefers oolong",
        ["Prefers oolong"],
        [{"type": "text", "text": "Prefers oolong"}],
        [{"type": "input_text", "text": "Prefers oolong"}],
        [{"text": "Prefers oolong"}],
        [{"type": "image", "source": {}}, {"type": "text", "text": "Prefers oolong"}],
        {"content_type": "text", "parts": ["Prefers oolong"]},
        {"text": "Prefers oolong"},
        [
            {"type": "text", "text": "Prefers oolong"},
            {"type": "tool_result", "tool_use_id": "t", "content": "not said"},
        ],
    ],
)
@pytest.mark.parametrize("shape", ["list", "object", "lines"])
def test_every_simple_shape_of_a_message_is_read(content: Any, shape: str) -> None:
    messages = [{"role": "user", "content": content}, {"role": "assistant", "content": "Noted."}]
    data = {
        "list": jsonl(messages),
        "object": jsonl({"id": "c7", "messages": messages}),
        "lines": jsonl(*messages) + b"\n",
    }[shape]
    transcript = parse(data)
    assert said(transcript) == [("user", "Prefers oolong"), ("assistant", "Noted.")]
    assert transcript.conversation == ("c7" if shape == "object" else "")


def test_roles_of_other_exports_are_understood_and_silent_ones_left_out() -> None:
    transcript = from_messages(
        [
            {"role": "system", "content": "You are helpful"},
            {"sender": "human", "text": "I live in Oslo"},
            {"role": "tool", "content": "42"},
            {"author": {"role": "assistant"}, "content": {"parts": ["Nice city"]}},
            {"role": "developer", "content": "be brief"},
        ],
        conversation="c1",
    )
    assert said(transcript) == [("user", "I live in Oslo"), ("assistant", "Nice city")]
    assert transcript.conversation == "c1"
    assert transcript.warnings == ()


@pytest.mark.parametrize(
    ("stamp", "want"),
    [
        ("2026-05-01T08:00:00Z", datetime(2026, 5, 1, 8, tzinfo=UTC)),
        ("2026-05-01T08:00:00+02:00", datetime(2026, 5, 1, 6, tzinfo=UTC)),
        ("2026-05-01 08:00", datetime(2026, 5, 1, 0, tzinfo=UTC)),
        (1777622400, datetime(2026, 5, 1, 8, tzinfo=UTC)),
        (1777622400000, datetime(2026, 5, 1, 8, tzinfo=UTC)),
        ("yesterday", None),
        (True, None),
        (1e30, None),
        (None, None),
    ],
)
def test_times_are_kept_as_instants(stamp: Any, want: datetime | None) -> None:
    message = {"role": "user", "content": "hello", "timestamp": stamp}
    transcript = from_messages([message], zone=ZoneInfo("Asia/Shanghai"))
    assert transcript.messages[0].time == want


def test_bad_lines_are_counted_and_named() -> None:
    good = {"role": "user", "content": "I prefer tea"}
    lines = [json.dumps(good), "{half", json.dumps({"x": 1}), "17", json.dumps(good)]
    transcript = parse("\n".join(lines).encode())
    assert len(transcript.messages) == 2
    (warning,) = transcript.warnings
    assert "3 unreadable parts" in warning
    assert warning.endswith("line 2, line 3, line 4")


def test_many_bad_lines_are_named_briefly() -> None:
    data = jsonl({"role": "user", "content": "I prefer tea"}) + b"\nx" * 40
    (warning,) = parse(data).warnings
    assert "40 unreadable parts" in warning
    assert warning.endswith("line 6 and 35 more")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"Just some prose.\nMore of it.", 1),
        (b'{"a": 1}', 1),
        (b'[\n  {"role": "user",\n   "content": }\n]', 3),
        (b"[1, 2, 3]", 1),
        (b'"text"', 1),
        (b'\n\n{"a": 1}\n{"b": 2}\n', 3),
        (b"ok\nstill ok\n\xff\xfe\x00", 3),
        (b"[" * 200_000, 1),
        ("\ufeff# Notes\n".encode("utf-16-le"), 1),
    ],
)
def test_a_file_in_no_known_form_is_refused_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse(data, name="chat.json")
    assert f"(line {line})" in caught.value.message
    assert "chat.json" in caught.value.message
    assert "prose" not in caught.value.message
    assert caught.value.hint


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"gone\.json"):
        read(tmp_path / "gone.json")
    with pytest.raises(TranscriptError, match="folder"):
        read(tmp_path)


@pytest.mark.parametrize("data", [b"", b"\n \n", b"[]", b'{"messages": []}'])
def test_an_empty_conversation_is_no_error(data: bytes) -> None:
    assert parse(data).messages == ()


def test_bom_crlf_and_odd_line_breaks_do_not_disturb() -> None:
    first = json.dumps({"role": "user", "content": "a\u2028b"}, ensure_ascii=False)
    second = json.dumps({"role": "assistant", "content": "c\u0085d"}, ensure_ascii=False)
    transcript = parse(f"\ufeff{first}\r\n{second}\r\n".encode())
    assert said(transcript) == [("user", "a\u2028b"), ("assistant", "c\u0085d")]
    assert transcript.warnings == ()


def test_half_a_surrogate_pair_becomes_writable_text() -> None:
    transcript = parse(b'[{"role": "user", "content": "broken \\ud83d emoji \\ud83e\\udde0"}]')
    assert transcript.messages[0].text == "broken \ufffd emoji 🧠"
    transcript.messages[0].text.encode()


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("hi <system-reminder>x</system-reminder> there", "hi  there"),
        ("<system-reminder>a<system-reminder>b</system-reminder>c</system-reminder>d", "d"),
        ("<system-reminder>mentions <system-reminder> once</system-reminder>d", "d"),
        ("<command-name>/review</command-name><command-args>x</command-args>", ""),
        ('<ide_opened_file path="a.py">opened</ide_opened_file>go', "go"),
        ("<memory-context>\n- old fact\n</memory-context>\n\nhello", "\n\nhello"),
        ("<bash-input>ls</bash-input><bash-stdout>a</bash-stdout>", ""),
        ("<user-prompt-submit-hook>x</user-prompt-submit-hook>q", "q"),
        ("what does <system-reminder> do?", "what does <system-reminder> do?"),
        ("a < b and <b>bold</b>", "a < b and <b>bold</b>"),
        ("<commander>keep</commander>", "<commander>keep</commander>"),
    ],
)
def test_injected_blocks_are_cut_and_a_persons_own_tags_stay(text: str, want: str) -> None:
    assert injected_cut(text) == want


@pytest.mark.parametrize(
    "piece", ["<system-reminder>", "<system-reminder></system-reminder>", "<", "<a-hook>"]
)
def test_hostile_tags_are_read_in_reasonable_time(piece: str) -> None:
    start = datetime.now(UTC)
    injected_cut(piece * (200_000 // len(piece)))
    assert (datetime.now(UTC) - start).total_seconds() < 2


def test_streamed_copies_of_one_message_are_one_message() -> None:
    grow = [{"type": "text", "text": "Noted: Fri"}]
    full = [{"type": "text", "text": "Noted: Friday"}]
    other = [{"type": "text", "text": "Done."}]
    transcript = parse(
        jsonl(
            log_line("user", "Release day is Friday", uuid="a"),
            log_line("assistant", grow, uuid="b", message={"id": "m1"}),
            log_line("assistant", full, uuid="c", message={"id": "m1"}),
            log_line("assistant", full, uuid="d", message={"id": "m1"}),
            log_line("assistant", other, uuid="e", message={"id": "m2"}),
        )
    )
    assert said(transcript)[1:] == [("assistant", "Noted: Friday"), ("assistant", "Done.")]


def test_a_message_id_used_again_after_a_person_spoke_is_another_message() -> None:
    answer = [{"type": "text", "text": "Yes."}]
    transcript = parse(
        jsonl(
            log_line("user", "Is it Friday?", uuid="a"),
            log_line("assistant", answer, uuid="b", message={"id": "m"}),
            log_line("user", "Sure?", uuid="c"),
            log_line("assistant", answer, uuid="d", message={"id": "m"}),
        )
    )
    assert [role for role, _ in said(transcript)] == ["user", "assistant"] * 2


@pytest.mark.parametrize(
    ("last", "finish"),
    [
        (log_line("assistant", "done", message={"stop_reason": "end_turn"}), ""),
        (log_line("assistant", "cut", message={"stop_reason": "max_tokens"}), "max_tokens"),
        (log_line("assistant", "x", isApiErrorMessage=True), "error"),
        (log_line("assistant", "x", message={"model": "<synthetic>"}), "error"),
        (log_line("user", "[Request interrupted by user for tool use]"), "interrupted"),
        ({"role": "assistant", "content": "x", "finish_reason": "length"}, "length"),
        ({"role": "assistant", "content": "x", "finish_reason": "STOP"}, ""),
        ({"role": "assistant", "content": "x", "metadata": {"finishReason": "error"}}, "error"),
        (
            {"role": "assistant", "content": "x", "metadata": '{"finishReason":"stopped"}'},
            "stopped",
        ),
        (
            {
                "role": "assistant",
                "content": "x",
                "metadata": json.dumps(json.dumps({"finish_reason": "normal"})),
            },
            "",
        ),
        ({"role": "assistant", "content": "x", "metadata": "not json"}, ""),
    ],
)
def test_how_the_newest_answer_ended_is_kept(last: dict[str, Any], finish: str) -> None:
    first = {"role": "user", "content": "hello"} if "role" in last else log_line("user", "hello")
    assert parse(jsonl(first, last)).finish == finish


def test_an_interruption_notice_beside_real_words_is_cut_off() -> None:
    blocks = [{"type": "text", "text": "[Request interrupted by user]"}, "No, use tabs instead"]
    transcript = parse(jsonl(log_line("user", blocks)))
    assert said(transcript) == [("user", "No, use tabs instead")]
    assert transcript.finish == "interrupted"


def test_a_queued_prompt_that_is_also_a_line_counts_once() -> None:
    queued = {
        "type": "attachment",
        "uuid": "q",
        "attachment": {"type": "queued_command", "prompt": "use tabs", "commandMode": "prompt"},
    }
    told = {**queued, "uuid": "n"}
    told["attachment"] = {"type": "queued_command", "prompt": "x", "commandMode": "task"}
    transcript = parse(jsonl(log_line("user", "use tabs", uuid="l"), queued, told))
    assert said(transcript) == [("user", "use tabs")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "type", "message", "uuid", "text", "attachment", "x"]
            )
            | st.text(max_size=3),
            inner | st.sampled_from(["user", "assistant", "text", "attachment", "queued_command"]),
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, min_size=1, max_size=4))
def test_no_json_makes_the_reader_fall_over(records: list[Any]) -> None:
    try:
        transcript = parse(jsonl(*records))
    except TranscriptError:
        return
    for message in transcript.messages:
        assert message.role in ("user", "assistant")
        assert message.text.strip()
        message.text.encode()


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fall_over(data: bytes) -> None:
    try:
        parse(data)
    except TranscriptError as error:
        assert "(line " in error.message


@pytest.mark.parametrize(
    "given",
    [
        {"contents": [
            {"role": "user", "parts": [{"text": "hi"}]},
            {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "yo"}]},
        ]},
        {"input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
            {"type": "reasoning", "summary": [{"text": "hm"}]},
            {"type": "function_call_output", "output": "hm"},
            {"role": "assistant", "content": [{"type": "output_text", "text": "yo"}]},
        ]},
        {"conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "yo"}]},
        [{"type": ["odd"], "role": "user", "content": "hi"}, {"role": "ai", "text": "yo"}],
    ],
)  # fmt: skip
def test_wire_forms_of_other_endpoints_are_read(given: Any) -> None:
    found = parse(json.dumps(given).encode())
    assert [(one.role, one.text) for one in found.messages] == [("user", "hi"), ("assistant", "yo")]
    assert not found.warnings


def test_what_a_host_says_in_the_persons_name_is_no_speech() -> None:
    summary = (
        "This session is being continued from a previous conversation that ran out of context."
    )
    context = "<environment_context><cwd>/x</cwd></environment_context>\r\nI like tea\r\na lot"
    found = from_messages([{"role": "user", "content": text} for text in (summary, context)])
    assert [one.text for one in found.messages] == ["I like tea\na lot"]
