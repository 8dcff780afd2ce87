"""Who summarises old messages: the model that is set up, or a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemofs.errors import UsageError

if TYPE_CHECKING:
    from mnemofs.context.summary import Summarize
    from mnemofs.sections import ModelConfig

ENGINES = ("rules", "llm")


def summarizer(model: ModelConfig, engine: str = "") -> Summarize | None:
    """Asks the model for engine "llm", and for "" when one is set up; None is by rule.

    Raises UsageError for another engine, GuardRefused for "llm" without a model.
    """
    if engine not in ("", *ENGINES):
        raise UsageError(f"there is no engine {engine!r}", hint="use rules or llm")
    if engine == "rules" or not (engine or (model.base_url and model.name)):
        return None
    from mnemofs.context.model_summary import ModelSummarizer
    from mnemofs.llm.client import client_of

    return ModelSummarizer(client_of(model))
