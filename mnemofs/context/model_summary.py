"""A summary of old messages, written by a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemofs.context.summary import SummaryRequest, transcript
from mnemofs.errors import ModelError
from mnemofs.llm.model import fill
from mnemofs.llm.replies import Rejected, document

if TYPE_CHECKING:
    from mnemofs.llm.model import Completer


class ModelSummarizer:
    """Asks the model behind `client`. Raises ModelError when it does not give a usable text."""

    def __init__(self, client: Completer) -> None:
        self._client = client

    def __call__(self, request: SummaryRequest) -> str:
        """See `summary.Summarize`."""
        notes = "\n".join(f"- {' '.join(text.split())}" for text in request.notes)
        prompt = fill(
            "window-user",
            {
                "limit": str(request.limit),
                "previous": _framed("earlier-summary", request.previous),
                "notes": _framed("must-not-be-lost", notes),
                "conversation": _inside("conversation", transcript(request.messages)),
            },
        )
        reply = document(self._client.complete(fill("window-system", {}), prompt))
        if isinstance(reply, Rejected):
            raise ModelError(f"the summary was not usable ({reply.code})")
        return reply.value


def _framed(tag: str, text: str) -> str:
    return f"<{tag}>\n{_inside(tag, text)}\n</{tag}>\n\n" if text.strip() else ""


def _inside(tag: str, text: str) -> str:
    """Text that cannot end the frame it stands in."""
    return text.replace(f"</{tag}", f"<\\/{tag}")
