"""Statements worth keeping, in one person's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from mnemofs import secrets
from mnemofs.llm import rules_text
from mnemofs.llm.rules_grammar import Grammar, Kind
from mnemofs.llm.rules_words import CUES, TELLING

_LATIN = ("en", "de", "es", "fr")
_ANY_CUE = frozenset().union(*(CUES[name] for name in _LATIN))
_LONGEST_MESSAGE = 20_000  # characters; what follows in a longer message was pasted
_MASKED = "[redacted: "
# Stricter than the scanner, which must not touch prose: here the sentence is only left out.
_NAMES_A_SECRET = re.compile(
    r"(?:password|passwd|passphrase|passcode|passwort|kennwort|contraseña|mot de passe|密码|密碼"
    r"|口令|パスワード|暗証番号"
    r"|\b(?:pin(?: code)?|api[ -]?key|token|secret key|geheimzahl|(?<!en )clave)\b)"
    r"[^.。]{0,40}?(?:\b(?:is|ist|lautet|es|est)\b|[:=：]|是|为|は)",
    re.IGNORECASE,
)
_MASKED_CLAUSE = re.compile(r"[^,;，；。]*\[redacted: [^\]]*\][^,;，；。]*")
# Said of a day: it belongs into that day's note, where dreaming sees when it recurs.
_OF_A_DAY = re.compile(
    r"\b(?:today|yesterday|tonight|last night|this (?:morning|afternoon|evening)|heute|gestern"
    r"|hoy|ayer|esta (?:mañana|tarde|noche)|aujourd'hui|hier|ce (?:matin|soir)|cet après-midi)\b"
    r"|今天|昨天|今早|今晚|昨晚|今日|昨日|今朝",
    re.IGNORECASE,
)
_LINE = re.compile(r"^\s{0,8}[-*+]\s+(?P<text>\S.*)$")
_STAMP = re.compile(
    r"^(?:\[[ xX]\]\s+)?(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d)?\s*(?:\([^)]{0,80}\))?:?\s+)?"
)
_TRAILING = " .。;；,，!！"


@dataclass(frozen=True)
class Statement:
    """One sentence to keep, in the speaker's words without a full stop.

    `attribute` names the one-valued thing it sets ("home"), `old` the words that no longer hold,
    `personal` that it is about the speaker; `explicit` that the speaker asked for it to be kept.
    """

    text: str
    kind: Kind
    language: str
    personal: bool
    attribute: str = ""
    old: str = ""
    explicit: bool = False


@cache
def grammar(language: str) -> Grammar:
    """The grammar of "en", "zh", "ja", "de", "es" or "fr"."""
    found = import_module(f"mnemofs.llm.rules_{language}").GRAMMAR
    assert isinstance(found, Grammar)
    return found


def statements(message: str) -> tuple[Statement, ...]:
    """The lasting statements, tasks and events of one message of the user, in order.

    Questions, hypotheses, quotations, code, wishes for one answer, other people's opinions and
    secrets are left out; what else a sentence with a secret says is kept, the secret masked.
    """
    own = rules_text.said(secrets.mask(message[:_LONGEST_MESSAGE])[0])
    languages = languages_of(own)
    if any(grammar(language).keep_out.search(own) for language in languages):
        return ()
    sentences = list(rules_text.sentences(own))
    found: dict[int, Statement] = {}
    asked: set[int] = set()  # sentences that a bare "remember that" points at
    for index, sentence in enumerate(sentences):
        if not _readable(sentence):
            continue
        statement, points = _read(sentence, languages)
        if statement is not None:
            found[index] = statement
        if points == "list":
            asked.update(range(index + 1, len(sentences)))
        elif points:
            asked.add(index - 1 if index else index + 1)
    for index in sorted(asked - found.keys()):
        if 0 <= index < len(sentences) and (kept := _asked_for(sentences[index], languages)):
            found[index] = kept
    return tuple(found[index] for index in sorted(found))


def _read(sentence: str, languages: Sequence[str]) -> tuple[Statement | None, str]:
    """(the statement, where a request to remember points when it holds nothing itself)."""
    for language in languages:
        rules = grammar(language)
        for text in (sentence, rules.unfilled(sentence)):
            match = rules.remember.match(text)
            if match is None:
                continue
            asks = re.search(r"[?？]\s*$", text) is not None
            if asks and not rules.polite.match(text):
                return None, ""
            payload = _payload(match)
            if payload:
                return _requested(payload.rstrip("?？"), sentence, rules), ""
            return None, "list" if text.rstrip().endswith((":", "：")) else "neighbour"
    if any(grammar(language).vetoed(sentence) for language in languages[:1]):
        return None, ""
    for language in languages:
        rules = grammar(language)
        if not rules.vetoed(sentence) and (kind := rules.classify(sentence)):
            return _statement(sentence, kind, rules), ""
    return None, ""


def _payload(match: re.Match[str]) -> str:
    for name, value in match.groupdict().items():
        if name.startswith("what") and value and len(value.strip(_TRAILING)) > 1:
            return value.strip()
    return ""


def _requested(payload: str, sentence: str, rules: Grammar) -> Statement | None:
    """What someone asked to remember: whatever it says, unless it is a question or a one-off."""
    text = rules.unfilled(payload)
    if any(veto.search(text) for veto in (rules.question, rules.hypothetical, rules.one_off)):
        return None
    if len(text) < 4 or len(rules_text.words(text)) < 2:
        return None
    kind = rules.classify(text) or rules.classify(sentence) or "fact"
    if kind in ("event", "fact"):
        kind = "event" if _OF_A_DAY.search(text) else "fact"
    return _statement(text, kind, rules, explicit=True)


def _asked_for(sentence: str, languages: Sequence[str]) -> Statement | None:
    return _requested(sentence, sentence, grammar(languages[0])) if _readable(sentence) else None


def _readable(sentence: str) -> bool:
    """Short enough to have been said, and more than a secret.

    Of a sentence with a masked secret something else must be left that says more.
    """
    rest = sentence
    if _MASKED in sentence:
        rest = _MASKED_CLAUSE.sub("", sentence)
        if len(rules_text.words(rest)) < 4:
            return False
    return len(sentence) <= rules_text.MAX_SENTENCE and not _NAMES_A_SECRET.search(rest)


def _statement(text: str, kind: Kind, rules: Grammar, *, explicit: bool = False) -> Statement:
    said = rules.unfilled(text).strip(_TRAILING)
    personal = kind in ("identity", "preference", "instruction") or (
        kind in ("correction", "fact") and rules.first_person.search(said) is not None
    )
    return Statement(
        text=said,
        kind=kind,
        language=rules.language,
        personal=personal,
        attribute=rules.attribute(said),
        old=rules.replaced(said),
        explicit=explicit,
    )


def topic(statement: Statement) -> str:
    """A key for what the statement is about, in snake_case, "" when that is not clear."""
    match = grammar(statement.language).subject.match(statement.text)
    found = rules_text.words(match["subject"]) if match else []
    key = "_".join(word for word in found if word.isalnum())[:60].strip("_")
    return key if len(found) <= 6 else ""


def lines(markdown: str) -> list[str]:
    """The list items of a memory file as they stand, without the list mark."""
    return [match["text"].rstrip() for line in markdown.split("\n") if (match := _LINE.match(line))]


def bare(line: str) -> str:
    """A list item without the date and source in front."""
    return line[_STAMP.match(line).end() :].strip(_TRAILING)  # type: ignore[union-attr]


def may_state(text: str) -> bool:
    """Whether a line could be a statement of a person at all: a quick look before `kind_of`."""
    if not text.isascii() and (rules_text.is_chinese(text) or rules_text.is_japanese(text)):
        return True
    found = rules_text.words(text)
    return not _ANY_CUE.isdisjoint(found) or (
        # Spanish leaves the pronoun out: the ending of the verb is the cue.
        any(word.endswith(("o", "mos")) for word in found[:2])
    )


def kind_of(text: str) -> tuple[Kind | None, bool]:
    """(what kind of statement a line is, whether it is ruled out as question, one-off, ...).

    A line of a note may be in telegram style: where one language shows at all, only those count
    that do, so that "met Bo on Friday" is not read as French.
    """
    languages = languages_of(text, shown=True)
    if any(grammar(language).vetoed(text) for language in languages[:1]):
        return None, True
    for language in languages:
        kind = grammar(language).classify(text)
        if kind:
            return kind, False
    return None, False


def languages_of(text: str, *, shown: bool = False) -> tuple[str, ...]:
    """The languages to read a text in, likeliest first. shown: only those whose words it has, if
    it has such words."""
    if rules_text.is_japanese(text):
        return ("ja",)
    if rules_text.is_chinese(text):
        return ("zh",)
    words = rules_text.words(text)
    scores = {name: sum(word in TELLING[name] for word in words) for name in _LATIN}
    best = max(scores.values())
    ranked = sorted(_LATIN, key=lambda name: -scores[name])
    least = max(best - 1, 1) if shown and best else best - 1
    return tuple(name for name in ranked if scores[name] >= least)
