"""From a model's reply to a person's decision, end to end."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.fake_model import FakeModel, Seen, fake_model  # noqa: F401 (a fixture)
from tests.review.conftest import BASE, Desk, Outcome

Cli = Callable[..., Outcome]
TWELVE = "# Memory\n" + "".join(
    f"\n## Topic {n}\n\n"
    + "".join(f"- statement {n}.{k} about thing {n * 7 + k}\n" for k in range(9))
    for n in range(12)
)
ONE = "# Memory\n\n## Topic 1\n\n- all of it in one line, which is short enough to be a wipe\n"


@pytest.fixture
def model(fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> FakeModel:  # noqa: F811
    """The model that `extract --engine llm` asks."""
    monkeypatch.setenv("MNEMOFS_MODEL_BASE_URL", fake_model.url)
    monkeypatch.setenv("MNEMOFS_MODEL_NAME", "stub")
    return fake_model


def talk(*said: str) -> bytes:
    turns = []
    for text in said:
        turns += [{"role": "user", "content": text}, {"role": "assistant", "content": "Done."}]
    return json.dumps(turns).encode()


def extract(cli: Cli, *said: str) -> dict[str, object]:
    outcome = cli("extract", "-", "--engine", "llm", "--force", "--json", stdin=talk(*said))
    assert outcome.code in (0, 3), outcome
    report: dict[str, object] = outcome.json
    return report


def rewrite(text: str) -> str:
    return json.dumps({"should_update": True, "reason": "t", "memory_update": text})


def test_LLM_09_a_wipe_waits_and_is_seen_by_one_command(
    desk: Desk, cli: Cli, model: FakeModel
) -> None:
    desk.put(TWELVE)
    model.always(rewrite(ONE))
    report = extract(cli, "I had a nice day in the garden", "What do you think of it?")
    assert report["status"] == "parked"
    assert desk.text().count("\n## ") == 12
    (item,) = cli("review", "--json").json
    assert "would lose" in item["what"]
    assert "in one line" in cli("review", "show", item["id"]).out
    assert any(item["id"] in text for text in report["warnings"])  # type: ignore[attr-defined]
    # What a person turns down is not parked again, and the run says so.
    assert cli("review", "reject", item["id"]).code == 0
    again = extract(cli, "It rained in the garden", "Will it stop?")
    assert again["status"] == "refused"
    assert "rejected" in str(again["reason"])
    assert cli("review", "--json").json == []
    assert desk.text() == TWELVE


def test_LLM_09_after_a_request_to_forget_the_same_shrink_is_allowed(
    desk: Desk, cli: Cli, model: FakeModel
) -> None:
    desk.put(TWELVE)
    model.always(rewrite(ONE))
    report = extract(cli, "Please forget everything about the other topics", "Is it done?")
    assert report["status"] == "updated"
    assert desk.text().count("\n## ") == 1
    assert cli("review", "--json").json == []
    assert cli("undo").code == 0
    assert desk.text() == TWELVE


def test_CON_02_a_value_changed_by_hand_meanwhile_is_not_outvoted_and_the_other_not_lost(
    desk: Desk, cli: Cli, model: FakeModel
) -> None:
    def thinking(_: Seen) -> str:
        (desk.root / "MEMORY.md").write_text(BASE.replace("Rome", "Oslo"))
        return rewrite(BASE.replace("Rome", "Lima"))

    model.say(thinking)
    report = extract(cli, "I live in Lima now", "Do you know?")
    assert desk.text() == BASE.replace("Rome", "Oslo")
    assert report["conflicts"] == 1
    assert report["status"] == "parked"
    (item,) = cli("review", "--json").json
    assert item["kind"] == "proposal"
    assert "+city: Lima" in cli("review", "show", item["id"]).out
    assert cli("review", "accept", item["id"]).code == 0
    assert "city: Lima" in desk.text()


def test_the_same_with_other_news_in_the_reply_is_a_conflict(
    desk: Desk, cli: Cli, model: FakeModel
) -> None:
    def thinking(_: Seen) -> str:
        (desk.root / "MEMORY.md").write_text(BASE.replace("Rome", "Oslo") + "\n- by hand\n")
        return rewrite(BASE.replace("Rome", "Lima") + "\n- Sails at the weekend\n")

    model.say(thinking)
    report = extract(cli, "I live in Lima now and sail", "Do you know?")
    assert (report["status"], report["conflicts"]) == ("updated", 1)
    for line in ("city: Oslo", "- by hand", "- Sails at the weekend"):
        assert line in desk.text()
    (item,) = cli("review", "--json").json
    shown = cli("review", "show", item["id"], "--json").json
    assert (shown["ours"], shown["theirs"]) == ("city: Lima\n", "city: Oslo\n")
    assert shown["newer"] == "theirs"
    told = desk.ws.context().system
    assert f"city: Oslo [an older text differs: mnemofs review show {item['id']}]" in told
