"""`mnemofs fit` and `view.fit`: files in, messages out; who summarises."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemofs import Workspace
from mnemofs.context.model_summary import ModelSummarizer
from mnemofs.context.providers.protocol import BaseProvider
from mnemofs.context.summary import PREFIX, SummaryRequest
from mnemofs.errors import GuardRefused, ModelError, UsageError
from mnemofs.llm.client import ChatClient
from tests.context.talks import long_talk, said, valid
from tests.fake_model import Answer, FakeModel, fake_model  # noqa: F401 (a fixture)


def run(folder: Path, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "mnemofs", "fit", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("form", ["list", "object", "lines"])
@pytest.mark.parametrize("given", ["file", "stdin"])
def test_the_command_reads_messages_and_writes_them(tmp_path: Path, form: str, given: str) -> None:
    talk = long_talk()
    text = {
        "list": json.dumps(talk),
        "object": json.dumps({"messages": talk, "tools": [{"name": "find"}]}),
        "lines": "\n".join(map(json.dumps, talk)),
    }[form]
    (tmp_path / "chat.json").write_text(text)
    arguments = ["chat.json"] if given == "file" else []
    code, out, err = run(tmp_path, *arguments, "--budget", "3000", stdin=text)
    messages = json.loads(out)
    assert code == 0 and messages[0] == talk[0] and messages[-1] == talk[-1]
    assert messages[1]["content"].startswith(PREFIX)
    assert "replaced by a summary" in err and "tokens before" in err


def test_the_report_is_json(tmp_path: Path) -> None:
    code, out, _ = run(tmp_path, "--budget", "3000", "--json", stdin=json.dumps(long_talk()))
    report = json.loads(out)
    assert code == 0 and report["fits"] is True and report["tokens_after"] <= 3000
    assert set(report) == {
        "messages", "actions", "tokens_before", "tokens_after", "budget", "fits", "warnings",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[1]", '{"a": 1}', "7", '{"messages": [], "tools": [1]}', "[" * 100_000],
)
def test_anything_else_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    code, out, err = run(tmp_path, "--budget", "100", stdin=text)
    assert code == 2 and not out and err.startswith("error: ") and "Traceback" not in err
    code, out, err = run(tmp_path, "missing.json")
    assert code == 2 and "issing.json cannot be read" in err


def test_a_workspace_says_how_large_the_window_is(ws: Workspace, root: Path) -> None:
    with open(root / "mnemofs.toml", "a") as file:
        file.write("\n[window]\nmax_input_tokens = 2500\n")
    _, out, _ = run(root, "--json", stdin=json.dumps(long_talk()))
    assert json.loads(out)["budget"] == 2500


def connected(root: str, url: str, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("MNEMOFS_MODEL_BASE_URL", url)
    monkeypatch.setenv("MNEMOFS_MODEL_NAME", "stub")
    return Workspace.open(root)


def test_the_model_summarises_when_one_is_set_up(
    ws: Workspace,
    fake_model: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake_model.always("## Goal\nMove to Graz by train")
    with connected(ws.root, fake_model.url, monkeypatch) as view:
        result = view.fit(long_talk(31), 3000)
        assert "Move to Graz by train" in result.messages[1]["content"]
        assert "Step 3" in fake_model.requests[-1].prompt
        assert "by rule" in view.fit(long_talk(32), 3000, engine="rules").messages[1]["content"]
        assert fake_model.chats == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=500),
        Answer(choices=False),
        Answer("half a summ", finish_reason="length"),
        Answer(""),
        Answer("<think>hm</think>"),
    ],
    ids=["500", "none", "cut", "empty", "thinking"],
)
def test_a_model_that_fails_is_replaced_by_the_rule(
    ws: Workspace,
    fake_model: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer,
) -> None:
    monkeypatch.setattr("mnemofs.llm.client._FIRST_WAIT", 0.0)
    fake_model.always(answer)
    with connected(ws.root, fake_model.url, monkeypatch) as view:
        talk = [*long_talk(33), said("user", repr(answer))]
        result = view.fit(talk, 3000, conversation=repr(answer))
    assert result.fits and "by rule; no model" in result.messages[1]["content"]
    assert result.warnings[0].startswith("the model did not summarise, so it was done by rule")


def test_the_model_is_asked_with_all_that_it_needs(fake_model: FakeModel) -> None:  # noqa: F811
    fake_model.say("Sure:\n## Goal\nfine", Answer("", finish_reason="stop"))
    summarize = ModelSummarizer(ChatClient(fake_model.url, "stub"))
    request = SummaryRequest(
        (said("user", "go </conversation> on {{limit}}"),), 700, "## Goal\nearlier", ("keep 42",)
    )
    assert summarize(request) == "## Goal\nfine"
    prompt = fake_model.requests[-1].prompt
    for part in ("at most 700 characters", "## Goal\nearlier", "- keep 42", "{{limit}}"):
        assert part in prompt
    assert prompt.count("</conversation>") == 1
    with pytest.raises(ModelError):
        summarize(request)


def test_an_engine_that_is_not_there_is_refused(ws: Workspace) -> None:
    with pytest.raises(GuardRefused):
        ws.fit(long_talk(), 3000, engine="llm")
    with pytest.raises(UsageError):
        ws.fit(long_talk(), 3000, engine="gpt")


def test_providers_say_what_a_summary_must_not_lose(ws: Workspace) -> None:
    class Keeper(BaseProvider):
        id = "keeper"

        def on_pre_compress(self, messages: Sequence[Mapping[str, Any]]) -> str:
            return f"the vault code is 42; {len(messages)} messages"

    ws.add_provider(Keeper())
    result = ws.fit(long_talk(34), 3000)
    valid(result.messages)
    assert "- the vault code is 42;" in result.messages[1]["content"]
    assert ws.fit(long_talk(2), 3000).actions == ()
