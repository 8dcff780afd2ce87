"""The tools by which an agent uses its memory, as functions and as JSON schemas.

`Toolset` binds them to one view; `schemas` says what they are, `arguments` checks what a model
sends, `searching` and `lines` choose what is shown of a memory.
"""

from mnemofs.tools.toolset import Answer, Toolset

__all__ = ["Answer", "Toolset"]
