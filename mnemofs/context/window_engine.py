"""Who summarises old messages: the model that is set up, or a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemofs.errors import GuardRefused, UsageError

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
    there = bool(model.base_url and model.name)
    if engine == "llm" and not there:
        raise GuardRefused(
            "no language model is set up for the engine llm",
            hint="set MNEMOFS_MODEL_BASE_URL and MNEMOFS_MODEL_NAME, or use --engine rules",
        )
    if engine == "rules" or not there:
        return None
    from mnemofs.context.model_summary import ModelSummarizer
    from mnemofs.llm.client import ChatClient

    return ModelSummarizer(
        ChatClient(
            model.base_url,
            model.name,
            api_key_env=model.api_key_env,
            timeout=model.timeout,
            max_tokens=model.max_tokens,
        )
    )
