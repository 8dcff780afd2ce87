"""What a person asks not to keep never reaches an engine, whatever that would do with it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from mnemofs.lifecycle.learning.withheld import LEFT_OUT, without_unwanted
from tests.fake_model import FakeModel
from tests.lifecycle.conftest import Memory, model

Make = Callable[..., Memory]


@pytest.mark.parametrize(
    ("said", "gone", "kept"),
    [
        (["Don't remember this: I live in Oslo. I like tea."], "Oslo", "tea"),
        (["I like tea. I earn 90k. Please don't save that."], "90k", "tea"),
        (["I like tea.", "I earn 90k", "Don't remember that please."], "90k", "tea"),
        (["Please don't save that I am vegan. I like tea."], "vegan", "tea"),
        (["Off the record: I hate my boss. I like tea."], "boss", "tea"),
        (["Don't add to your memory that I quit. I like tea."], "quit", "tea"),
        (["Don't remember this:\nmy code is blue\nI like tea"], "blue", "tea"),
        (["不要记住我住在上海。我喜欢茶"], "上海", "喜欢茶"),
        (["我喜欢茶", "我的工资是九万", "这个不用记住"], "九万", "喜欢茶"),
        (["Merk dir bitte nicht, dass ich in Wien wohne. Ich mag Tee."], "Wien", "Tee"),
        (["Ich mag Tee.", "Ich verdiene 90k.", "Merk dir das nicht."], "90k", "Tee"),
        (["No guardes que vivo en Lima. Me gusta el té."], "Lima", "té"),
        (["Me gusta el té.", "Gano 90k", "No lo recuerdes."], "90k", "té"),
        (["Ne retiens pas que j'habite à Lyon. J'aime le thé."], "Lyon", "thé"),
        (["私が京都に住んでいることは覚えないで。お茶が好き。"], "京都", "お茶"),
        (["お茶が好き", "給料は900万です", "それは覚えないで"], "900", "お茶"),
    ],
)
def test_LLM_11_a_model_never_sees_what_was_not_to_be_kept(
    memory: Make, fake_model: FakeModel, said: list[str], gone: str, kept: str
) -> None:
    made = memory(min_messages=1, min_user_chars=1)
    fake_model.say({"should_update": False, "reason": "nothing"})
    made.extract(model(fake_model), [("user", text) for text in said], force=True)
    prompt = fake_model.requests[-1].prompt.rpartition("<conversation>")[2]
    assert gone not in prompt and kept in prompt and LEFT_OUT in prompt


@pytest.mark.parametrize(
    "text",
    [
        *("I don't remember where I live", "Why don't you remember my name?", "No lo sé"),
        *("Don't store tokens in localStorage.", "Never store passwords in plain text."),
        *("Don't remember to close files in the wrong order", "Never save files with tabs."),
        *("I never remember names, so call me out.", "v1.2.3 is out. Don't log PII."),
        *("Merk dir: ich mag keine Pilze", "Don't keep it short, be detailed", "记住我不吃辣"),
        *("Don't forget that I am vegan", "覚えていません", "No olvides que soy zurdo"),
    ],
)
def test_other_words_with_not_in_them_stay(text: str) -> None:
    assert without_unwanted(["I like tea.", text]) == ["I like tea.", text]


@pytest.mark.parametrize("piece", ["don't remember ", "note ", "a.b", "不要把", "no need to ", "'"])
def test_SEC_08_long_messages_are_read_quickly(piece: str) -> None:
    started = time.process_time()
    without_unwanted([piece * (60_000 // len(piece))] * 3)
    assert time.process_time() - started < 2
