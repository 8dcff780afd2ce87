"""The offline engine: what it keeps, where it puts it, and what it leaves alone."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.llm.engine import Extraction, ExtractionRequest, Message, Role
from mnemofs.llm.replies import Clean
from mnemofs.llm.rules import RulesEngine
from mnemofs.llm.rules_statements import statements
from mnemofs.secrets import scan

TODAY = date(2026, 5, 1)


def extract(*said: str | tuple[Role, str], profile: str = "", memory: str = "") -> Extraction:
    messages = [Message("user", turn) if isinstance(turn, str) else Message(*turn) for turn in said]
    found = RulesEngine().extract(ExtractionRequest(tuple(messages), TODAY, profile, memory))
    assert isinstance(found, Clean)
    return found.value


def lasting(found: Extraction) -> list[str]:
    keyed = [content for _, _, content in found.structured]
    return [*found.profile_entries, *found.memory_entries, *keyed]


@dataclass(frozen=True)
class Utterance:
    language: str
    label: str
    wanted: tuple[str, ...]
    text: str


def labelled(half: str) -> list[Utterance]:
    file = Path(__file__).with_name(f"utterances_{half}.tsv")
    rows = csv.reader(
        (line for line in file.read_text(encoding="utf-8").splitlines() if line[:1] != "#"),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
    return [
        Utterance(
            language,
            label,
            tuple(word.strip() for word in words.split("&") if word.strip()),
            text.replace("\\n", "\n"),
        )
        for language, label, words, text in rows
    ]


def figures(utterances: Iterable[Utterance]) -> tuple[float, float]:
    """(precision, recall) of lasting entries: right is one that holds a wanted word."""
    kept = right = wanted = found = 0
    for utterance in utterances:
        entries = [entry.lower() for entry in lasting(extract(utterance.text))]
        words = [word.lower() for word in utterance.wanted if utterance.label == "durable"]
        kept += len(entries)
        right += sum(any(word in entry for word in words) for entry in entries)
        wanted += len(words)
        found += sum(any(word in entry for entry in entries) for word in words)
    return right / max(kept, 1), found / max(wanted, 1)


def test_the_labelled_set_is_what_it_claims_to_be() -> None:
    everything = labelled("dev") + labelled("heldout") + labelled("second")
    assert len({utterance.text for utterance in everything}) == len(everything) >= 150
    assert {utterance.language for utterance in everything} == {"en", "zh", "ja", "de", "es", "fr"}
    traps = {utterance.label for utterance in everything} - {"durable", "daily"}
    assert traps >= {"question", "hypothetical", "quote", "code", "one-off", "other", "secret"}
    assert len(labelled("heldout")) >= 120


@pytest.mark.parametrize(("half", "least"), [("heldout", 0.7), ("second", 0.8)])
def test_precision_and_recall_on_what_was_held_out(half: str, least: float) -> None:
    precision, recall = figures(labelled(half))
    assert precision >= 0.93, precision
    assert recall >= least, recall


@pytest.mark.parametrize("language", ["en", "zh", "ja", "de", "es", "fr"])
def test_precision_in_each_language_on_what_was_held_out(language: str) -> None:
    precision, recall = figures(
        utterance
        for utterance in labelled("heldout") + labelled("second")
        if utterance.language == language
    )
    assert precision >= 0.9 and recall >= 0.6, (precision, recall)


@pytest.mark.parametrize("language", ["en", "zh", "ja", "de", "es", "fr"])
def test_precision_and_recall_in_each_language(language: str) -> None:
    precision, recall = figures(
        utterance for utterance in labelled("dev") if utterance.language == language
    )
    assert precision >= 0.95 and recall >= 0.9, (precision, recall)


def test_no_trap_holds_a_secret_afterwards() -> None:
    for utterance in labelled("dev") + labelled("heldout"):
        found = extract(utterance.text)
        assert not scan(" ".join([*lasting(found), found.daily_entry or ""]))
        if utterance.label == "secret":
            # Masked, and what else was said is kept.
            kept = [*lasting(found), *(found.daily_entry or "").split("\n")]
            assert all("[redacted: " in text for text in kept if text), utterance.text


def test_statements_go_where_their_reader_looks() -> None:
    found = extract(
        "I live in Oslo. I prefer short answers. Never use emojis when you write to me.",
        "We decided to use Postgres for the shop.",
        "The project's code name is Kestrel. The docs live in the team wiki.",
        "I have to call the dentist tomorrow. We shipped version 2.1 today.",
    )
    assert found.profile_entries == (
        "I live in Oslo",
        "I prefer short answers",
        "Never use emojis when you write to me",
    )
    assert found.memory_entries == ("We decided to use Postgres for the shop",)
    assert found.structured == (
        ("project", "code_name", "The project's code name is Kestrel"),
        ("reference", "docs", "The docs live in the team wiki"),
    )
    assert found.daily_entry == (
        "- [ ] I have to call the dentist tomorrow\n- We shipped version 2.1 today"
    )
    assert found.reason == "6 lasting statements and 2 tasks or events"
    assert found.memory_update is None and found.profile_update is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Please remember that Rex needs his pills at eight.", "Rex needs his pills at eight"),
        ("Remember: the gate code changes on Mondays", "the gate code changes on Mondays"),
        ("Can you remember that we keep ADRs in docs?", "we keep ADRs in docs"),
        ("请记住：会议室在三楼", "会议室在三楼"),
        ("会議室は三階だと覚えておいて", "会議室は三階"),
        ("Merk dir bitte, dass der Konferenzraum im dritten Stock ist.", "dritten Stock"),
        ("Recuerda que la sala está en la tercera planta.", "la sala está en la tercera planta"),
        ("Souviens-toi que la salle est au troisième étage.", "la salle est au troisième étage"),
    ],
)
def test_an_explicit_wish_is_kept_without_the_asking(said: str, kept: str) -> None:
    (entry,) = lasting(extract(said))
    assert kept in entry and len(entry) <= len(said)


@pytest.mark.parametrize(
    "said",
    [
        "Do you remember my dog's name?",
        "I don't remember where I live in that dream.",
        "I can't remember the name.",
        "Remember what I told you about Rex?",
        "Don't remember this: I live in Oslo.",
        "你还记得我叫什么吗？",
        "私の名前を覚えていますか？",
        "Erinnerst du dich an meinen Hund?",
        "¿Recuerdas a mi perro?",
        "Tu te souviens de mon chien ?",
    ],
)
def test_asking_about_memory_is_not_asking_to_remember(said: str) -> None:
    assert not extract(said).should_update


def test_a_bare_wish_points_at_the_sentence_beside_it() -> None:
    assert lasting(extract("The boiler is in the cellar. Please remember that.")) == [
        "The boiler is in the cellar"
    ]
    assert lasting(
        extract("Please remember:\n- the gate code changes on Mondays\n- Rex is deaf")
    ) == [
        "the gate code changes on Mondays",
        "Rex is deaf",
    ]
    assert lasting(extract("ボイラーは地下にあるよ。覚えておいてね。")) == [
        "ボイラーは地下にあるよ"
    ]


def test_only_the_user_is_believed() -> None:
    assert not extract(("assistant", "I prefer short answers."), "ok").should_update


def test_what_was_pasted_is_not_what_was_said() -> None:
    pasted = "Look:\n```\nI live in Madrid\n```\n> I live in Rome\n<doc>I live in Paris</doc>\n"
    assert not extract(pasted + 'She wrote "I live in Vienna now".').should_update
    assert lasting(extract(pasted + "I live in Oslo.")) == ["I live in Oslo"]


@pytest.mark.parametrize(
    ("before", "said", "old"),
    [
        ("I live in Berlin", "Actually I moved to Oslo.", "I live in Berlin"),
        ("2026-04-01 10:00 (chat c1): I live in Berlin", "We moved to Oslo.", None),
        ("We use MySQL for the shop", "We switched from MySQL to Postgres.", None),
        ("I drink coffee in the morning", "I don't drink coffee anymore.", None),
        ("I work at Initech", "I no longer work at Initech.", None),
        ("The standup is on Wednesday", "The standup is on Thursday, not on Wednesday.", None),
        ("我住在上海", "我搬到了杭州。", None),
        ("前端用 yarn", "前端从 yarn 换成了 pnpm。", None),
        ("Ich wohne in Leipzig", "Wir sind nach Graz gezogen.", None),
        ("Vivo en Sevilla", "Nos mudamos a Valencia.", None),
        ("J'habite à Nantes", "Nous avons déménagé à Grenoble.", None),
        ("大阪に住んでいます", "札幌に引っ越しました。", None),
    ],
)
def test_a_correction_states_the_new_value_and_names_the_old_line(
    before: str, said: str, old: str | None
) -> None:
    found = extract(said, profile=f"# Profile\n\n- {before}\n- My dog is called Rex\n")
    assert len(lasting(found)) == 1
    assert found.superseded == (old or before,)


def test_a_correction_leaves_other_lines_alone() -> None:
    memory = "- The MySQL dump of 2024 is kept in S3\n- My sister lives in Berlin\n"
    found = extract("We switched from MySQL to Postgres. I moved to Oslo.", memory=memory)
    assert found.superseded == () and len(lasting(found)) == 2


def test_a_later_sentence_of_the_same_talk_corrects_an_earlier_one() -> None:
    assert lasting(extract("I live in Berlin.", "Sorry, I moved to Oslo.")) == ["I moved to Oslo"]


def test_what_is_known_is_not_said_again() -> None:
    assert not extract(
        "I live in Oslo.", profile="- 2026-04-01 10:00 (c1): I live in Oslo\n"
    ).should_update
    assert not extract(
        "I prefer short answers!", "i prefer short answers", memory="- I prefer short answers\n"
    ).should_update
    twice = extract("I prefer short answers.", "As I said: I prefer short answers.")
    assert len(lasting(twice)) == 1


def test_a_different_figure_is_a_different_statement() -> None:
    found = extract("Our budget is 400 euros for paint.", "Our budget is 500 euros for tools.")
    assert len(lasting(found)) >= 1 and "500" in " ".join(lasting(found))


@pytest.mark.parametrize(
    "said",
    [
        "password: hunter22x",
        "my password is swordfish",
        "Remember my PIN is 4821.",
        "パスワードは neko2025! です。覚えておいて。",
        "I use ghp_" + "a1" * 18 + " for the bot.",
        "Our database is postgres://app:s3cret@db/prod.",
    ],
)
def test_SEC_07_a_sentence_with_a_secret_is_left_out(said: str) -> None:
    assert not extract(said).should_update
    found = extract(said, "I live in Oslo.")
    assert lasting(found) == ["I live in Oslo"]


def test_that_a_secret_exists_may_be_kept() -> None:
    assert lasting(extract("Remember that my API key lives in 1Password.")) == [
        "my API key lives in 1Password"
    ]


def test_entries_are_single_lines_of_the_users_words() -> None:
    said = "By the way, I prefer\nshort   answers!!  Please always use metric units in recipes."
    for entry in lasting(extract(said)):
        assert "\n" not in entry and entry == entry.strip()
        assert all(word in said for word in entry.split())


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_message_is_read_without_an_exception(text: str) -> None:
    for statement in statements(text):
        assert statement.text.strip() and "\n" not in statement.text


@given(st.lists(st.sampled_from([u.text for u in labelled("dev")]), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_the_same_talk_twice_teaches_nothing_new(texts: list[str]) -> None:
    found = extract(*texts)
    known = "".join(f"- {entry}\n" for entry in lasting(found))
    again = extract(*texts, profile=known, memory=known)
    assert not [entry for entry in lasting(again) if f"- {entry}\n" in known]


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "I like ",
            "a ",
            "remember ",
            "I prefer tea. ",
            "my ",
            "the ",
            "if you ",
            "，",
            "我",
            "は",
        ),
        *("「", '"a ', "```", "<a>", ".a ", "- ", "we use the our my ", "i'm not ", "je ", "ich "),
    ],
)
def test_SEC_08_hostile_messages_cost_little(unit: str) -> None:
    started = time.process_time()
    extract((unit * 100_000)[:100_000])
    line = (unit * 400)[:390]
    extract(". ".join([line] * 40))
    assert time.process_time() - started < 4


CORRECTIONS = [
    (
        "My brother lives in Rotterdam, so he takes the train",
        "My brother lives in Utrecht, not Rotterdam",
    ),
    (
        "We decided to store the bookings in MongoDB, mostly because Piet knows it",
        "We decided to store the bookings in PostgreSQL instead of MongoDB",
    ),
    (
        "We decided to go live on 22 May, with the Hooge line first",
        "We decided to go live on 12 June instead of 22 May",
    ),
]


@pytest.mark.parametrize(("before", "after"), CORRECTIONS)
def test_a_correction_names_the_line_it_makes_untrue(before: str, after: str) -> None:
    other = "- 2026-05-01 10:00 (c0): We keep ten years of archives in MongoDB in Rotterdam"
    line = f"2026-05-01 10:00 (c0): {before}"
    request = ExtractionRequest(
        (Message("user", after),), date(2026, 5, 2), memory=f"# Memory\n\n{other}\n- {line}\n"
    )
    found = RulesEngine().extract(request)
    assert isinstance(found, Clean) and found.value.superseded == (line,)


@pytest.mark.parametrize(
    ("kept", "secret"),
    [
        ("releases are pushed by the bot", "its token is ghp_" + "a1B2" * 9),
        ("the staging server is called heron", "password: Xk29fLm2Qp"),
    ],
)
def test_SEC_07_what_else_is_said_beside_a_secret_is_kept(kept: str, secret: str) -> None:
    found = extract(f"Remember that {kept}, {secret}")
    text = " ".join([*lasting(found), found.daily_entry or ""])
    assert kept in text and "[redacted: " in text and not scan(text)
