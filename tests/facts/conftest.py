"""A workspace with a clock that a test moves, and its command line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemofs.lifecycle.facts.projection import Fact
from tests.review.conftest import Desk, Outcome, cli, make

__all__ = ["Cli", "Desk", "Outcome", "cli", "desk", "make", "one", "texts"]

Cli = Callable[..., Outcome]


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """A new workspace."""
    return make()


def texts(facts: list[Fact]) -> list[str]:
    """The facts as lines."""
    return [fact.text for fact in facts]


def one(facts: list[Fact]) -> Fact:
    """The only fact."""
    (fact,) = facts
    return fact
