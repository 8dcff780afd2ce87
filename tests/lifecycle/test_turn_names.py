"""What a host says about a turn beside its messages is as untrusted as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemofs.errors import TranscriptError
from mnemofs.lifecycle.learning.heard import safe_name
from mnemofs.workspace import Workspace

SECRETS = {
    "github": "ghp_" + "Ab1" * 12,
    "openai": "sk-" + "aB3dE5" * 8,
    "aws": "AKIA" + "QWERTYUIOPASDFGH",
    "url": "postgres://u:pw9xyzzy@h/db",
    "password": "password: hunter2Xyz!9",
    "slack": "xoxb-123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx",
    "chinese": "我的密码是 Tr0ub4dor&3x",
}
TELLING = {"url": "pw9xyzzy", "password": "hunter2Xyz", "chinese": "Tr0ub4dor"}


def talk(extra: str = "") -> list[dict[str, str]]:
    said = (f"I moved to Oslo for my work {extra}", "ok", "I prefer tea over coffee", "Noted.")
    return [
        {"role": ("user", "assistant")[number % 2], "content": text}
        for number, text in enumerate(said)
    ]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.init(tmp_path / "ws", agent="ada") as made:
        yield made


@pytest.mark.parametrize("kind", SECRETS)
def test_SEC_07_a_secret_in_what_a_host_says_of_a_turn_reaches_no_file(
    workspace: Workspace, kind: str
) -> None:
    secret = SECRETS[kind]
    view = workspace.for_owner("user:ann")
    said = {"title": f"title {secret}", "channel": secret}
    view.turn_start(f"first {secret}", f"please remember {secret}", **said)
    view.turn_end(f"first {secret}", talk(secret), **said)
    view.turn_end("stopped", talk(secret), state=secret)
    view.turn_end(f"second {secret}", talk(secret), background=True, state=secret, **said)

    def kept() -> bytes:
        files = [path for path in Path(workspace.root).rglob("*") if path.is_file()]
        return b"\n".join(path.read_bytes() + str(path).encode() for path in files)

    telling = TELLING.get(kind, secret).encode()
    assert telling not in kept()
    view.drain(hurry=True)
    view.close()
    assert telling not in kept()
    assert telling.decode() not in json.dumps(view.turn_status().as_dict(), ensure_ascii=False)


@pytest.mark.parametrize(
    "name", ["c\0d", "c\nd", "\ud800", "x" * 5000, "../../x", "a/b", "😀", "<b>", " c "]
)
def test_OWN_04_any_name_of_a_conversation_works_the_same_in_both_ways(
    workspace: Workspace, name: str
) -> None:
    view = workspace.for_owner("user:ann")
    view.turn_start(name, "Good morning, I moved to Oslo")
    assert view.turn_end(name, talk()).status == "updated"
    assert view.turn_end(name, talk(), background=True).status == "unchanged"
    assert workspace.for_owner("user:bob").turn_end(name, talk()).status == "updated"
    safe = safe_name(name)
    assert safe == safe_name(safe) and len(safe) <= 200 and safe.isprintable()


def test_different_names_stay_different_and_ordinary_ones_as_they_are() -> None:
    names = ["x" * 300, "x" * 301, "a\0", "a\1", "sk-" + "aB3dE5" * 8, "sk-" + "aB3dE6" * 8, "a?"]
    assert len({safe_name(name) for name in names}) == len(names)
    for name in ("c1", "0b0f1f9e-6f0e-4a5e-9f3b-1f2d3c4b5a69", "群聊 7", "feishu:oc_9/2026"):
        assert safe_name(name) == name


@pytest.mark.parametrize("given", [None, 7, ["user: hi"], [None]])
def test_messages_of_no_known_form_are_named_as_such(workspace: Workspace, given: object) -> None:
    with pytest.raises(TranscriptError):
        workspace.turn_end("c1", given)  # type: ignore[arg-type]


def test_an_empty_turn_says_that_nothing_was_said(workspace: Workspace) -> None:
    assert workspace.turn_end("c1", []).reason.startswith("no message")
