"""Requests to the memory itself are told apart from talk about remembering."""

from __future__ import annotations

import time

import pytest

from mnemofs.lifecycle.requests import (
    asks_to_forget,
    asks_to_remember,
    is_incomplete,
    is_source_work,
)

REMEMBER = [
    "Please remember that our release day is Friday, and I prefer short answers.",
    "Remember: the staging database is read-only",
    "remember I'm allergic to peanuts",
    "Thanks! And remember that I work from Oslo now.",
    "Can you remember that my sister is called Mila?",
    "I want you to remember my shoe size, 43",
    "Don't forget that the demo is on Monday.",
    "never forget: tabs, not spaces",
    "Keep in mind that I am vegetarian",
    "Make a note of this: invoices go to Bea",
    "Please save this to your memory: I use fish shell",
    "Add to memory that Piet left the team",
    "I moved to Bergen. Remember that!",
    "My husband is Tomasz. Remember that Tomasz works nights in even weeks.",
    "请记住我喜欢乌龙茶",
    "记住：周五发布",
    "帮我记一下，会议改到三点",
    "把这个记下来",
    "记得我不吃辣",
    "保存到记忆：我住在奥斯陆",
    "別忘了我對花生過敏",
    "金曜日がリリース日だと覚えておいてください",
    "私はベジタリアンです。覚えておいて",
    "これをメモしておいて",
    "Merk dir bitte, dass ich in Bremen wohne.",
    "Bitte merke dir: keine Meetings vor zehn",
    "Vergiss nicht, dass ich Vegetarierin bin",
    "Notiere bitte: Rechnung bis Freitag",
    "Recuerda que vivo en Lima",
    "Por favor, recuerda que soy alérgica al marisco",
    "No olvides que el viernes es el lanzamiento",
    "Anota esto: el servidor es hermes",
    "Souviens-toi que je préfère le thé",
    "Retiens que je travaille à Lyon",
    "N'oublie pas que je suis végétarien",
    "Note bien : réunion lundi",
    "It's important that you remember my allergy",
    "Recuérdalo: soy alérgico",
    "Quiero que recuerdes que me llamo Bo",
    "¿Puedes recordar que soy alérgico?",
    "Guarda esto en tu memoria",
    "Peux-tu retenir que je m'appelle Bo ?",
    "Je veux que tu te souviennes que je suis Bo",
    "Speichere das in deinem Gedächtnis",
    "Kannst du dir merken, dass ich Bo heiße?",
    'My dog is "Rex". Remember that!',
    "Remember `fish` is my shell",
]
NO_REMEMBER = [
    "Do you remember what we decided?",
    "do you still remember my name",
    "Don't remember this, it is only for today.",
    "Please don't save this to memory",
    "I can't remember the command",
    "I remember that we had a problem there",
    "I don't remember",
    "She remembers everything",
    "What did we decide on the database?",
    "Does the login page need a remember me checkbox?",
    "你还记得我们的约定吗？",
    "你记得我叫什么吗",
    "不要记住这个",
    "我不记得了",
    "别记住这段话",
    "覚えていますか？",
    "これは覚えないで",
    "Erinnerst du dich an den Namen?",
    "Merk dir das nicht",
    "¿Recuerdas mi nombre?",
    "No recuerdo la contraseña",
    "No recuerdes esto",
    "Te souviens-tu de mon nom ?",
    "Ne retiens pas ça",
    "Don't forget to eat",
    "Remember when we shipped on a Sunday?",
    'He said "remember the milk" and left',
    'Translate "remember that I love you" into German',
    "> Remember that I am vegetarian\nWhat did she mean?",
    "```\n# remember: rotate the key\n```\nWhat does this do?",
    "~~~\nremember: x\n~~~",
    "What is `remember: true` for?",
    "remember() returns None",
    "“请记住我”这个按钮坏了",
    "他说“记住牛奶”然后走了",
    "记得吃饭",
    "「覚えておいて」という歌が好き",
    "Er sagte: „Merk dir das“ und ging",
    "Vergiss nicht, Milch zu kaufen",
    "Schreib mir ein Gedicht über Oslo: kurz bitte",
    "Speichere die Datei unter test.py",
    'Dijo "recuerda la leche" y se fue',
    "Guarda el archivo como test.py",
    "Il a dit « souviens-toi du lait »",
    "N'enregistre pas cela",
    "Enregistre le fichier sous test.py",
    "Note le film sur dix",
    "",
    "ok",
]
FORGET = [
    "Please forget everything about the quokka project",
    "Forget what I said about Oslo.",
    "forget my old address",
    "Delete everything you remember about Piet",
    "Remove that from your memory, please",
    "Wipe your memory of the old project",
    "忘掉我之前说的地址",
    "请忘记那个项目",
    "删除关于小李的记忆",
    "私の住所を忘れてください",
    "Vergiss bitte alles über das alte Projekt",
    "Olvida lo que dije de Lima",
    "Oublie mon ancienne adresse",
]
NO_FORGET = [
    "Don't forget the milk",
    "never forget that tabs win",
    "I always forget my keys",
    "I forget the name of that command",
    "Vergiss nicht, dass ich Vegetarierin bin",
    "不要忘记我住在奥斯陆",
    "我忘了密码",
    "No olvides que el viernes es el lanzamiento",
    "N'oublie pas que je suis végétarien",
    "忘れないで",
    "Please delete the old branch",
    "what do you know about memory allocation?",
]


@pytest.mark.parametrize("text", REMEMBER)
def test_a_request_to_remember_is_heard(text: str) -> None:
    assert asks_to_remember(text)


@pytest.mark.parametrize("text", NO_REMEMBER)
def test_talk_about_remembering_is_no_request(text: str) -> None:
    assert not asks_to_remember(text)


@pytest.mark.parametrize("text", FORGET)
def test_a_request_to_forget_is_heard(text: str) -> None:
    assert asks_to_forget(text)


@pytest.mark.parametrize("text", NO_FORGET)
def test_talk_about_forgetting_is_no_request(text: str) -> None:
    assert not asks_to_forget(text)


@pytest.mark.parametrize(
    "text", ["看一下这段代码的问题", "please review and fix this bug", "排查日志，分析原因"]
)
def test_one_off_source_work_is_recognised(text: str) -> None:
    assert is_source_work(text)


@pytest.mark.parametrize("text", ["我喜欢简洁的代码", "We review every Friday", "I live in Oslo"])
def test_durable_talk_about_code_is_no_one_off(text: str) -> None:
    assert not is_source_work(text)


@pytest.mark.parametrize(
    "text", ["【证据不足】", "Failed to generate a response.", "code: ERROR_FALLBACK"]
)
def test_an_answer_that_gave_up_is_incomplete(text: str) -> None:
    assert is_incomplete(text)


@pytest.mark.parametrize(
    "piece", ["remember ", "save to ", "don't ", "记得", "a" * 50 + " ", "forget\n"]
)
def test_long_texts_are_judged_quickly(piece: str) -> None:
    started = time.perf_counter()
    asks_to_remember(piece * 20_000)
    asks_to_forget(piece * 20_000)
    assert time.perf_counter() - started < 1
