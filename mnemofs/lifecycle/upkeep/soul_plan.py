"""What a proposed SOUL.md may say: texts in, a ruling out. Pure.

SOUL.md is the agent's character and enters every prompt of everybody: nothing about one person, no
fact, no secret and no word of the machinery may come to stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mnemofs.characters import CJK
from mnemofs.lifecycle.gates import Bounds, Ruling, check_rewrite, entries
from mnemofs.llm.rules_statements import languages_of
from mnemofs.llm.rules_text import gist
from mnemofs.markdown.lines import split_lines

PATH = "SOUL.md"
MIN_CHARS = 50
MAX_WORDS = 500
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CJK = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]{{5,}}")
_COPIED_RUN = 8  # CJK characters in a row that are no coincidence
_COPIED_WORDS = 3
_NAME = re.compile(r"(?<![.!?:\n] )(?<![\n#>*-] )(?<!^)\b[A-ZÀ-Þ][^\W\d_]{2,}\b")
_FIRST = re.compile(r"(?m)^[ \t]*(?:[-*+] )?([A-ZÀ-Þ][^\W\d_]{2,})\b")
_GERMAN_NAME = re.compile(
    r"\b(?:heiß(?:e|t)|[Nn]ame ist|namens|bei|aus|nach|von|mit) ([A-ZÄÖÜ][^\W\d_]{2,})\b"
)
_FACTS = (
    (re.compile(r"\d"), "a figure"),
    (re.compile(r"https?://|www\.|\S@\S+\.\w|(?<!\w)[~.]{0,2}/\w+/\w|\w\.(?:com|org|io|md)\b"), "an"
     " address"),
    (re.compile(r"`[^`]+`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*"), "an identifier"),
)  # fmt: skip
_PLACEHOLDER = re.compile(
    r"\{\{|\}\}|\$\{|<[a-z][a-z _-]{0,20}>|\[(?:your|insert|the|name|agent|todo)\b[^\]]*\]"
    r"|\b(?:TODO|TBD|FIXME|XXX)\b|lorem ipsum",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"```|~~~|\bas an ai\b|\b(?:language|ai) model\b|\bhere(?:'s| is) (?:the|your|an?) (?:updated"
    r"|new|revised|complete)|^(?:sure|certainly|of course|okay)\b[,!.]|should_update|soul_content"
    r"|</?(?:soul|profile|memory|memory-context|system|user|assistant|think)\b"
    r"|^\s*(?:user|assistant|system)\s*[:：]"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your |every )*(?:previous|prior|above|other"
    r"|earlier) |\b(?:system|hidden) prompt\b|\bjailbreak|\bdeveloper mode\b"
    r"|\b(?:updated?|revised) (?:SOUL|file|version)\b|以下是(?:更新|修改)"
    r"|作为(?:一个)?(?:AI|人工智能|语言模型)"
    r"|(?:AI|言語モデル)として|hier ist die (?:neue|aktualisierte)|als (?:KI|Sprachmodell)\b"
    r"|aquí (?:está|tienes) |como modelo de lenguaje"
    r"|voici (?:le|la|une) (?:nouvelle|version|fichier)"
    r"|en tant qu['’](?:IA|assistant IA)",
    re.IGNORECASE | re.MULTILINE,
)


def plan_soul(old: str, new: str, evidence: Iterable[str], bounds: Bounds) -> Ruling:
    """The ruling on a new SOUL.md. evidence: the texts that it was made from (\\n line ends)."""
    text = new.strip() + "\n"
    ruling = check_rewrite(PATH, old, text, bounds)
    if ruling.status not in ("accepted", "parked"):
        return ruling
    reason = objection(old, ruling.text, list(evidence))
    if ruling.masked:
        reason = "it holds a secret"
    return Ruling("refused", "", f"the new {PATH} was refused: {reason}") if reason else ruling


def objection(old: str, new: str, evidence: list[str]) -> str:
    """Why a new text cannot be a character, "" when it can. What stands in `old` may stay."""
    if len(new.strip()) <= MIN_CHARS:
        return f"it has no more than {MIN_CHARS} characters"
    if word_count(new) > max(MAX_WORDS, word_count(old)):
        return f"it has more than {MAX_WORDS} words"
    kept = {line.strip() for line in split_lines(old)}
    added = [line.strip() for line in split_lines(new) if line.strip() not in kept]
    known = set(_WORD.findall(old))
    german = languages_of(new)[:1] == ("de",)  # every noun has a capital there
    pattern = _GERMAN_NAME if german else _NAME
    names = {name for text in evidence for name in pattern.findall(text)} - known
    firsts = {name for text in evidence for name in _FIRST.findall(text)} - known
    entries_of = [entry for text in evidence for entry in entries(text)]
    sayings = [gist(entry).words for entry in entries_of]
    runs = {
        run[at : at + _COPIED_RUN]
        for text in evidence
        for run in _CJK_RUN.findall(text)
        for at in range(max(1, len(run) - _COPIED_RUN + 1))
    }
    for line in added:
        inside = set() if german else firsts.intersection(_NAME.findall(line))
        reason = _against(line, old, names | inside, sayings, runs)
        if reason:
            return reason
    return ""


def word_count(text: str) -> int:
    """Words; two Chinese or Japanese characters count as one."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + (cjk + 1) // 2


def _against(
    line: str, old: str, names: set[str], sayings: list[frozenset[str]], runs: set[str]
) -> str:
    if _PLACEHOLDER.search(line):
        return "it holds a placeholder"
    if _FRAME.search(line):
        return "it speaks to the reader or of the machinery"
    for pattern, what in _FACTS:
        found = pattern.search(line)
        if found and found[0] not in old:
            return f"it holds {what}; facts belong into the other files"
    if names.intersection(_WORD.findall(line)):
        return "it holds a name from memory"
    said = gist(line).words
    copied = any(len(words) >= _COPIED_WORDS and words <= said for words in sayings)
    if copied or any(run in line and run not in old for run in runs if len(run) == _COPIED_RUN):
        return "it repeats what the other files say"
    return ""
