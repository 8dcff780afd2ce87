"""What a model's reply is worth: a clean object, or a named reason."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.llm.replies import Clean, Fields, Rejected, Reply, parse

FIELDS = Fields(
    "should_update",
    {
        "should_update": "flag",
        "reason": "text",
        "daily_entry": "text",
        "memory_update": "document",
        "structured_entries": "list",
    },
)
GOOD: dict[str, Any] = {"should_update": True, "reason": "t", "daily_entry": "- Prefers oolong"}
TEXT = json.dumps(GOOD)


def read(content: str | None, **more: Any) -> Clean[dict[str, object]] | Rejected:
    return parse(Reply(content, **more), FIELDS)


def value(content: str) -> dict[str, object]:
    found = read(content)
    assert isinstance(found, Clean), found
    return found.value


def code(content: str | None, **more: Any) -> str:
    found = read(content, **more)
    assert isinstance(found, Rejected), found
    assert found.detail.endswith(".") and "oolong" not in found.detail
    return found.code


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "Sure!\n```json\n{}\n```\nDone.",
        "```{}```",
        "````json\n{}\n````",
        "~~~\n{}\n~~~",
        "Result: {} (that is all)",
        "I use {{braces}} and [brackets] and {{more: of them}}.\n\n{}",
        '"quoted" {}',
        "\ufeff{}",
        "[1] first note\n{}\n[2] second note",
    ],
)
def test_LLM_01_an_object_is_found_in_any_frame(frame: str) -> None:
    text = frame.replace("{{", "\0").replace("}}", "\1").replace("{}", TEXT)
    assert value(text.replace("\0", "{").replace("\1", "}"))["daily_entry"] == "- Prefers oolong"


@pytest.mark.parametrize(
    "reply",
    [
        '{"should_update": true, "daily_entry": "- Prefers oolong",}',
        "```json5\n{should_update: true, daily_entry: '- Prefers oolong', // short\n}\n```",
        "{'should_update': True, 'daily_entry': '- Prefers oolong', 'memory_update': None}",
        '{\n  /* the "flag" */ "should_update": true,\n  "daily_entry": "- Prefers oolong"\n}',
        '{"shouldUpdate": true, "dailyEntry": "- Prefers oolong", "memoryUpdate": null}',
        '{"Should-Update": true, " daily entry ": "- Prefers oolong"}',
        json.dumps(TEXT),
        "{{" + TEXT[1:-1] + "}}",
        json.dumps({**GOOD, "daily_entry": "```markdown\n- Prefers oolong\n```"}),
    ],
)
def test_LLM_01_small_slips_of_spelling_lose_nothing(reply: str) -> None:
    entry = value(reply)["daily_entry"]
    assert isinstance(entry, str) and entry.strip() == "- Prefers oolong"


@pytest.mark.parametrize(
    "text",
    ["// not a comment, 'nor', quotes: None", "a: [1,] {x: True,}", 'it\'s "so"', "C:\\new\\names"],
)
def test_LLM_01_slips_elsewhere_leave_a_text_alone(text: str) -> None:
    reply = json.dumps({**GOOD, "daily_entry": f"- {text}"})
    assert value(reply[:-1] + ",}")["daily_entry"] == f"- {text}"


@pytest.mark.parametrize("end", range(14, len(TEXT) - 1, 9))
def test_LLM_06_a_slip_does_not_excuse_a_cut(end: int) -> None:
    slipped = TEXT.replace("true", "True").replace('"reason"', "reason")[:end]
    assert isinstance(read(slipped), Rejected)


def test_LLM_10_line_breaks_escaped_twice_are_line_breaks() -> None:
    document = "# M\n\n## A\n- one\n- prints \\n at the end"
    reply = json.dumps({**GOOD, "memory_update": document.replace("\n", "\\n")})
    assert value(reply)["memory_update"] == document
    kept = "- splits at \\n and at \\r"
    assert value(json.dumps({**GOOD, "daily_entry": kept}))["daily_entry"] == kept


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200))
@settings(max_examples=150, deadline=None)
def test_LLM_02_a_text_arrives_to_the_character(text: str) -> None:
    entry = "x" + text + "x"
    for ascii_only in (True, False):
        reply = json.dumps({**GOOD, "daily_entry": entry}, ensure_ascii=ascii_only)
        for frame in ("{}", "```json\n{}\n```", "<think>hm</think>{}"):
            assert value(frame.replace("{}", reply))["daily_entry"] == entry


def test_LLM_02_fences_inside_a_string_are_text() -> None:
    document = "# M\n\n```sh\nmake test\n```\n"
    reply = json.dumps({**GOOD, "memory_update": document})
    assert value(f"```json\n{reply}\n```")["memory_update"] == document


@pytest.mark.parametrize(
    "thought",
    [
        '<think>maybe {"should_update":false}</think>',
        '<THINK>maybe {"should_update":false}</Think>',
        '<thinking effort="high">{"should_update":true,"daily_entry":"maybe"}</thinking>',
        '<think>a <think>b</think> {"should_update":false}</think>',
        'no opening tag {"should_update":false}</think>',
        '[THINK]{"should_update":false}[/THINK]',
        '◁think▷{"should_update":false}◁/think▷',
        '<|channel|>analysis<|message|>{"should_update":false}<|end|><|channel|>final<|message|>',
        '<reasoning>{ unbalanced " </reasoning>',
        '<seed:think>{"should_update":false}</seed:think>',
        '<|begin_of_thought|>{"should_update":false}<|end_of_thought|>',
        '<|START_THINKING|>{"should_update":false}<|END_THINKING|>',
        '<｜begin▁of▁thinking｜>{"should_update":false}<｜end▁of▁thinking｜>',
        '<details type="reasoning" done="true"><summary>2 s</summary>{"a":1</details>',
        '<unused94>thought\n{"should_update":false}<unused95>',
        '<思考>{"should_update":false}</思考>',
    ],
)
def test_LLM_03_a_draft_inside_a_think_block_is_not_the_answer(thought: str) -> None:
    assert value(f"{thought}\n{TEXT}")["daily_entry"] == "- Prefers oolong"


@pytest.mark.parametrize(
    "open_tag",
    ["<seed:think>", "<|begin_of_thought|>", "<|START_THINKING|>", '<details type="reasoning">'],
)
def test_LLM_03_no_answer_after_the_reasoning_is_none(open_tag: str) -> None:
    end = {"<d": "</details>", "<s": "</seed:think>"}.get(open_tag[:2], "")
    end = end or open_tag.lower().replace("begin", "end").replace("start", "end")
    assert isinstance(read(f"{open_tag}{TEXT}{end}\nSaved."), Rejected)
    assert value(f"{TEXT}\n{open_tag}{TEXT.replace('oolong', 'tea')}{end}") == value(TEXT)


@pytest.mark.parametrize("field", ["daily_entry", "memory_update"])
@pytest.mark.parametrize("text", ["<think>so</think>\n# M\n- x", " <reasoning>never closed - x"])
def test_LLM_03_reasoning_inside_a_field_is_no_memory(field: str, text: str) -> None:
    assert code(json.dumps({"should_update": True, field: text})) == "reasoning_only"


def test_LLM_03_an_unclosed_think_block_holds_no_answer() -> None:
    assert code(f"<think>so: {TEXT}") == "reasoning_only"
    assert code(f"<Thinking>\n```json\n{TEXT}\n```") == "reasoning_only"
    assert value(f"{TEXT}\n<think>was that right?")["should_update"] is True


def test_LLM_03_a_tag_inside_a_json_string_is_text() -> None:
    entry = "Writes <think> tags by hand</think>"
    assert value(json.dumps({**GOOD, "daily_entry": entry}))["daily_entry"] == entry


def test_the_last_object_with_the_asked_field_counts() -> None:
    first = json.dumps({**GOOD, "daily_entry": "first"})
    assert value(f'{first}\n{TEXT}\n{{"note": 1}}')["daily_entry"] == "- Prefers oolong"


@pytest.mark.parametrize(
    "content",
    [
        '{"outer": {"should_update": true, "daily_entry": "x"}}',
        '[{"should_update": true, "daily_entry": "x"}]',
        "{broken: " + TEXT + "}",
    ],
)
def test_an_object_inside_another_is_not_the_answer(content: str) -> None:
    assert code(content) in {"missing_field", "not_json"}


@pytest.mark.parametrize("blank", ["", " \n\t", None, "\u3000"])
def test_LLM_04_an_update_without_content_is_blank(blank: str | None) -> None:
    reply = {"should_update": True, "daily_entry": blank, "memory_update": blank}
    assert code(json.dumps(reply)) == "blank"
    assert code(json.dumps({**reply, "structured_entries": []})) == "blank"


@pytest.mark.parametrize(
    "word",
    [
        *("unchanged", "**Unchanged**", '"no change"', "No changes needed.", "same as before"),
        *("...", "…", "[rest of file]", "<unchanged>", "(existing content)", "N/A", "None"),
        *(
            "# Memory\n\nunchanged",
            "无变化",
            "无变化。",
            "保持不变",
            "変更なし",
            "特になし",
            "同上",
        ),
        *("unverändert", "Keine Änderungen", "sin cambios", "Sin cambios.", "inchangé"),
        *("aucun changement", "без изменений", "변경 없음", "sem alterações", "nessuna modifica"),
        *(
            "(保持不变 / unchanged)",
            "変更なし（unchanged）",
            "（内容同上，无需更新）",
            "No changes. ✅",
        ),
        *("MEMORY.md unchanged", "no changes to MEMORY.md", "No updates to the profile", "As-is"),
        *("<same as input>", "{{memory}}", "${existing_memory}", "string | null", "👍"),
        *(
            "[MEMORY.md content remains the same]",
            "<the complete new MEMORY.md>",
            "保持现有内容不变",
        ),
        *(
            "与原文件一致",
            "没有值得记录的内容",
            "変更不要",
            "新しい情報はありません",
            "nichts zu ändern",
        ),
        *("sin cambios en el perfil", "aucune mise à jour nécessaire", "No new information."),
    ],
)
def test_LLM_05_a_word_for_no_change_is_not_the_file(word: str) -> None:
    reply = {"should_update": True, "memory_update": word}
    assert code(json.dumps(reply)) == "placeholder"
    kept = value(json.dumps({**GOOD, "memory_update": word}))
    assert kept["memory_update"] is None and kept["daily_entry"] == "- Prefers oolong"


@pytest.mark.parametrize(
    "line",
    [
        *("...", "- ...", "[...]", "(unchanged)", "<!-- rest of file unchanged -->", "*unchanged*"),
        *("[rest of document remains the same]", "... existing content ...", "> …"),
        *("Other sections remain unchanged.", "其余内容不变", "（以下省略）", "以下同じ", "中略"),
        *("// ... existing code ...", "(existing entries preserved)", "[snip]", "... 10 more"),
        *("(12 more entries)", "## Projects (unchanged)", "[no changes to this section]", "etc."),
        *(
            "{{existing_memory}}",
            "/* existing content */",
            "// unchanged",
            "<existing>",
            "（前略）",
        ),
        *("All other content remains as in the original file.", "[remaining 8 sections unchanged]"),
        *("（保留原有条目）", "[既存の内容]", "[contenu existant]", "[resto del contenido]"),
        *("Rest: unverändert", "El resto sin cambios", "Le reste est inchangé"),
    ],
)
def test_LLM_05_a_document_that_leaves_text_out_is_refused(line: str) -> None:
    reply = {"should_update": True, "memory_update": f"# Memory\n\n- One fact\n{line}\n"}
    assert code(json.dumps(reply)) == "placeholder"


@pytest.mark.parametrize(
    "line",
    [
        *("- Status: unchanged", "He said ... and left.", "- Rest", "## Existing notes", "---"),
        *("- [ ] update existing content", "[Existing content](https://x.y)", "## TODO"),
        *("- Deploys: Friday (no change)", "- Budget (unchanged): 4k", "[draft]", "- etcd"),
        *(
            "The same desk as before is used.",
            "- 其他同事都在上海",
            "- Prefers no changes on Fridays",
        ),
        *("- Keep existing notes", "(none)", "***", "**Current information**", "- unchanged"),
        *("```py\ndef f(): ...\n...\n```", "~~~\n(unchanged)\n~~~", "- Prefers the rest cure"),
        *(
            "- 省略号的用法",
            "- Der Rest der Familie lebt in Graz",
            "<!-- user-edited: 2026-05-01 -->",
        ),
    ],
)
def test_honest_lines_are_not_taken_for_placeholders(line: str) -> None:
    document = f"# Memory\n\n- One fact\n{line}\n"
    reply = {"should_update": True, "memory_update": document}
    assert value(json.dumps(reply))["memory_update"] == document


@pytest.mark.parametrize(
    "reason",
    ["length", "max_tokens", "LENGTH", "model_length", "insufficient_system_resource", "error"],
)
def test_LLM_06_a_cut_reply_is_refused_even_if_it_parses(reason: str) -> None:
    assert code(TEXT, finish_reason=reason) == "truncated"


@pytest.mark.parametrize("end", range(12, len(TEXT) - 1, 7))
def test_LLM_06_json_that_stops_in_the_middle_is_cut_whatever_the_reason_says(end: int) -> None:
    assert code(TEXT[:end], finish_reason="stop") == "truncated"
    assert code(f"```json\n{TEXT[:end]}") == "truncated"


def test_LLM_07_what_is_no_answer_has_a_name() -> None:
    assert code(None, choices=0) == "no_choices"
    assert code(None, tool_calls=1, finish_reason="tool_calls") == "tool_call"
    assert code(TEXT, tool_calls=2) == "tool_call"
    assert code(None) == "empty"
    assert code("  \n") == "empty"
    assert code("I will now save the facts.") == "not_json"
    assert code(None, refusal="I can't help with that") == "refused"
    assert code("{}", finish_reason="content_filter") == "refused"


def test_LLM_08_reasoning_is_never_the_answer() -> None:
    assert code("", reasoning="The user likes tea so I should store it.") == "reasoning_only"
    assert code(None, reasoning=TEXT) == "reasoning_only"
    assert code("<think>store tea</think>  ") == "reasoning_only"


@pytest.mark.parametrize("switch", ["false", "true", 1, 0, None, [], {}, 1.0])
def test_LLM_10_only_a_truth_value_switches(switch: object) -> None:
    assert code(json.dumps({**GOOD, "should_update": switch})) == "wrong_type"


@pytest.mark.parametrize("field", ["daily_entry", "memory_update"])
@pytest.mark.parametrize("wrong", [["a", "b"], {"t": 1}, 7, 1.5, True])
def test_LLM_10_text_of_another_type_is_refused(field: str, wrong: object) -> None:
    assert code(json.dumps({**GOOD, field: wrong})) == "wrong_type"


def test_LLM_10_lists_of_another_type_are_refused_and_empty_ones_are_nothing() -> None:
    assert code(json.dumps({**GOOD, "structured_entries": {"a": 1}})) == "wrong_type"
    for nothing in (None, [], {}, "", False):
        assert not value(json.dumps({**GOOD, "structured_entries": nothing}))["structured_entries"]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("daily_entry", "- " + "and so on, " * 10_000),
        ("memory_update", "# M\n\n" + "- the same line again\n" * 20_000),
    ],
)
def test_LLM_10_a_model_that_runs_in_circles_fills_no_file(field: str, text: str) -> None:
    assert code(json.dumps({**GOOD, field: text})) == "oversized"


def test_lone_surrogates_cannot_be_stored_and_are_refused() -> None:
    assert code('{"should_update": true, "daily_entry": "\\ud800"}') == "wrong_type"


def test_switched_off_nothing_else_counts() -> None:
    reply = {"should_update": False, "reason": " small talk ", "daily_entry": ["x"], "more": 1}
    found = value(json.dumps(reply))
    assert found == dict.fromkeys(FIELDS.kinds) | {"should_update": False, "reason": "small talk"}


def test_raw_line_breaks_in_a_string_are_accepted() -> None:
    assert value('{"should_update": true, "daily_entry": "a\nb"}')["daily_entry"] == "a\nb"


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"a":',
        "[",
        '["',
        '{"a": "',
        "<think ",
        "<think>",
        "<",
        '{"a":1} ',
        "{a",
        "{a'",
        "[a,",
        '{x "',
        '{"a":1,}',
    ],
)
def test_SEC_08_hostile_replies_cost_little(unit: str) -> None:
    started = time.process_time()
    assert isinstance(read(unit * (100_000 // len(unit))), Rejected)
    assert time.process_time() - started < 4


@given(st.text(max_size=300), st.integers(0, 300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_without_an_exception(text: str, place: int) -> None:
    read(text[:place] + TEXT + text[place:])
    read(text)
