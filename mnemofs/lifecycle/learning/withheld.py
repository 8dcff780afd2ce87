"""What of a conversation no engine ever sees: secrets, and what a person asked not to keep.

A request not to keep something is understood in English, Chinese, Japanese, German, Spanish and
French. Only one about memory counts: "don't remember this", "off the record"; "don't store
tokens in cookies" is a statement like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mnemofs.lifecycle.gates import mask_new
from mnemofs.llm.message import Message

LEFT_OUT = "[left out: not to be kept]"
_THIS = r"(?:this|that|it|these|those|what i|anything|my)\b"
_REQUEST = re.compile(
    "|".join(
        (
            r"\boff the record\b|\bkeep (?:this|that|it) out of (?:(?:your|the) )?memory\b",
            r"(?<!i )(?<!we )(?<!they )\b(?:do not|don't|don’t|dont|never|no need to"
            r"|needn't|you don't (?:have|need) to) (?:ever )?(?:remember|memori[sz]e)\b(?! to\b)",
            rf"(?:^|[,;:–—-]|\bplease|\band|\bbut)\s*(?:please )?(?:do not|don't|don’t|dont|never)"
            rf" (?:save|store|record|note|log|write down) (?:that i |{_THIS})",
            r"\b(?:do not|don't|don’t|dont|never) (?:add|save|store|put|commit|write|keep)\b"
            r"[^.!?\n]{0,60}\b(?:to|in|into) (?:(?:your|the|long[- ]term) )*memory\b",
            r"\b(?:merke?|merken sie|behalte?|behalten sie)\b(?: (?:dir|euch|sich))?"
            r"[^.!?\n,:]{0,30}\bnichts?\b",
            r"\b(?:speichere?|notiere?) (?:(?:das|dies|es|dir|mir|bitte) )+nicht\b",
            r"\bno (?:lo |la |te )?(?:recuerdes|guardes|anotes|apuntes|memorices)\b",
            r"\bn(?:e |['’])(?:(?:le|la|l['’]) ?)?(?:retiens|retenez|notez?|mémorisez?|gardez?"
            r"|enregistrez?) (?:pas|rien)\b",
            r"(?:不要|别|別|请勿|請勿|不用|不必)(?:再|帮我|幫我|把[^。！？\n]{1,30})?"
            r"(?:记住|記住|记下|記下|记录|記錄|(?:保存|写入|寫入|存入)(?:到|进)?(?:记忆|記憶))",
            r"(?:覚え|憶え|記憶し|メモし|記録し)(?:ないで|なくて(?:いい|よい|良い))",
        )
    ),
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:i|we|they|he|she|you|why) (?:do not|don't|don’t|dont) remember\b", re.I)
# A request that names nothing itself means what was said before it.
_POINTS_BACK = re.compile(
    r"[^:：]*\b(?:this|that|it|what i (?:just )?said|das|dies|es|esto|eso|lo|ça|cela|pas|rien)\b"
    r"(?: (?:nichts?|recuerdes|guardes|anotes|apuntes|memorices|either|please|bitte))*[^\w:：]*$"
    r"|[^:：]{0,12}(?:这个|这|那个|那|它|これ|それ|今の|刚才说的|我刚才说的)[^:：]{0,12}$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?=\w)[^.!?。！？\n]*)*[.!?。！？]*\s*")
_LONGEST = 20_000  # characters of a message; no engine reads on, more than that was pasted
_SPARE = 4096  # a secret that begins before that end is seen whole
_STEMS = (
    "record", "memor", "remember", "save", "store", "keep", "note", "log", "write", "merk",
    "behalt", "speicher", "notier", "no ", "ne ", "n'", "n’", "记", "記", "保存", "写入", "寫入",
    "存入", "覚え", "憶え", "メモ",
)  # fmt: skip


def masked_messages(messages: Sequence[Message]) -> tuple[tuple[Message, ...], int]:
    """The messages as an engine sees them: without what a person asked not to keep, and without
    secrets; how many those were."""
    spoken = [place for place, message in enumerate(messages) if message.role == "user"]
    wanted = dict(
        zip(spoken, without_unwanted([messages[place].text for place in spoken]), strict=True)
    )
    # Masked before it is cut: half a secret would pass.
    texts = [
        mask_new(wanted.get(place, message.text)[: _LONGEST + _SPARE])
        for place, message in enumerate(messages)
    ]
    seen = (
        replace(one, text=text[:_LONGEST]) for one, (text, _) in zip(messages, texts, strict=True)
    )
    return tuple(seen), sum(number for _, number in texts)


def without_unwanted(texts: list[str]) -> list[str]:
    """What a person said, message by message, without what they asked not to keep."""
    said = [_SENTENCE.findall(text[: _LONGEST + _SPARE]) or [text] for text in texts]
    found = [(one, place) for one, parts in enumerate(said) for place in _requests(parts)]
    out = set(found)
    for one, place in found:
        if _POINTS_BACK.match(said[one][place].strip()):
            if place:
                out.add((one, place - 1))
            elif one:
                out |= {(one - 1, number) for number in range(len(said[one - 1]))}
        elif said[one][place].rstrip().endswith((":", "：")):
            out.add((one, place + 1))
    kept = list(texts)
    for one in {one for one, _ in out}:
        parts = [
            LEFT_OUT + " " if (one, place) in out else part for place, part in enumerate(said[one])
        ]
        kept[one] = "".join(parts).strip()
    return kept


def _requests(parts: list[str]) -> list[int]:
    found = []
    for place, part in enumerate(parts):
        lowered = part.lower()
        if any(stem in lowered for stem in _STEMS):
            asked = _REQUEST.search(part)
            if asked and not _NOT.search(part) and not part.rstrip().endswith(("?", "？")):
                found.append(place)
    return found
