"""Judging pairs without a model: a plain comparison of values."""

from __future__ import annotations

from mnemofs.llm import values
from mnemofs.llm.engine import Judged, JudgeRequest, Verdict


def plan_judgement(request: JudgeRequest) -> Judged:
    """A verdict for every pair."""
    return Judged(
        tuple(
            Verdict(pair.id, True, "another value for the same thing")
            if values.contradict(pair.a, pair.b)
            else Verdict(pair.id, False, "both can be true")
            for pair in request.pairs
        )
    )
