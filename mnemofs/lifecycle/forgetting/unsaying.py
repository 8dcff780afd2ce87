"""Forgetting in raw conversations: sentences that say it go from what was said, the rest stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.forgetting.forgetting import GONE, SAID, strip
from mnemofs.lifecycle.forgetting.matching import EntryAndSayings, Sayings
from mnemofs.lifecycle.forgetting.tombstones import Tombstones
from mnemofs.lifecycle.learning.conversations import Conversations

if TYPE_CHECKING:
    from mnemofs.lifecycle.forgetting.forgetting import Place, Stripped
    from mnemofs.lifecycle.forgetting.matching import Matcher

_CLAUSE = re.compile(r"[^,;:.!?，；：、。！？\n]+")
_WHERE = ".mnemofs/conversations.db"


def find_said(root: str, matcher: Matcher, all_mentions: bool) -> Iterator[Place]:
    """The places in the store's conversations that a forget removes."""
    with Conversations(root) as book:
        for _, text in book.texts():
            done = _stripped(text, matcher, all_mentions)
            for place in done.places if done else ():
                if place.removed:
                    yield replace(place, path=_WHERE, kind="conversation")


def unsay(root: str, matcher: Matcher, all_mentions: bool) -> None:
    """Take the statement out of the store's conversations."""
    if isinstance(matcher, Tombstones):
        with Conversations(root) as book:
            book.rewrite(Unsaid(matcher))
        return

    def clean(text: str) -> str:
        done = _stripped(text, matcher, all_mentions)
        return text if done is None else (done.content or b"").decode()

    with Conversations(root) as book:
        book.rewrite(clean)


def purge_said(root: str, texts: Sequence[str]) -> None:
    """Erase these texts from the store's conversations as `store.purge` does from files."""
    from mnemofs.store.erasure.needles import Needles

    needles = Needles(texts)
    with Conversations(root) as book:
        book.rewrite(lambda text: needles.replaced(text.encode()).decode("utf-8", "replace"))


class Unsaid:
    """Takes out of a message what was forgotten for good, before it is kept: whole sentences, and
    clauses between commas, since nobody talks in entries."""

    def __init__(self, stones: Tombstones) -> None:
        self._stones = stones

    def __call__(self, text: str) -> str:
        if not self._stones:
            return text
        done = _stripped(text, self._stones, True)
        if done is not None:
            text = (done.content or b"").decode()
        return _CLAUSE.sub(lambda match: GONE if self._stones(match[0]) else match[0], text)


def _stripped(text: str, matcher: Matcher, all_mentions: bool) -> Stripped | None:
    """The text without what is looked for; None when nothing of it stands there."""
    if isinstance(matcher, EntryAndSayings):
        matcher = matcher.sayings
    if isinstance(matcher, Sayings) and not matcher.may_say(text):
        return None
    try:
        done = strip(SAID, text.encode("utf-8", "replace"), matcher, all_mentions=all_mentions)
    except MnemofsError:
        return None
    return done if done.places else None
