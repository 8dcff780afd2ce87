"""Forgetting in the recall book: what was asked, and what is counted of what has gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemofs.lifecycle.forgetting.passages import passage_of_text
from mnemofs.lifecycle.recalls.book import RecallBook

if TYPE_CHECKING:
    from mnemofs.lifecycle.forgetting.matching import Matcher


def unrecall(root: str, matcher: Matcher) -> None:
    """Drop what mentions the statement anywhere; call it once the files do without it."""
    _book(root).forget(lambda text: bool(matcher.runs(passage_of_text(text))))


def purge_recalled(root: str, texts: Sequence[str]) -> None:
    """Drop what holds one of these texts, in any encoding `store.purge` looks for."""
    from mnemofs.store.erasure.needles import Needles

    needles = Needles(texts)
    _book(root).forget(lambda text: bool(needles.found(text.encode("utf-8", "replace"))))


def _book(root: str) -> RecallBook:
    return RecallBook(root, keep_days=0)
