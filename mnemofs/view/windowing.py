"""A conversation made to fit into a model's window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mnemofs.view.base import ViewBase
from mnemofs.view.providing import asks_others, manager_of

if TYPE_CHECKING:
    from mnemofs.context.shapes import Message
    from mnemofs.context.window import Fitted


class Windowing(ViewBase):
    """Shorten conversations."""

    def fit(
        self,
        messages: Sequence[Mapping[str, Any]],
        budget: int = 0,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        conversation: str = "",
        engine: str = "",
        force: bool = False,
    ) -> Fitted:
        """`messages` within `budget` tokens (0: [window] max_input_tokens); see `window.fit`.

        engine: "llm" has old messages summarised by the model, "rules" takes a summary out of them;
        "" takes the model when one is set up. Other providers of memory say what a summary must not
        lose. Raises UsageError, and GuardRefused for engine "llm" without a model.
        """
        from mnemofs.context.window import fit
        from mnemofs.context.window_engine import summarizer

        problems: list[str] = []

        def notes(old: Sequence[Message]) -> Sequence[str]:
            texts, warnings = manager_of(self).pre_compress(old)
            problems.extend(warnings)
            return texts

        done = fit(
            messages,
            budget or self.config.window.max_input_tokens,
            config=self.config.window,
            summarize=summarizer(self.config.model, engine),
            tools=tools,
            conversation=conversation,
            notes=notes if asks_others(self) else None,
            force=force,
        )
        return done.with_warnings(problems)
