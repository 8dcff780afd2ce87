"""mnemofs: a memory for AI agents that is a folder.

The library is `Workspace` (and the errors it raises); everything else is reached through it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mnemofs.errors import MnemofsError
    from mnemofs.workspace import Workspace

__version__ = "0.1.0"
__all__ = ["MnemofsError", "Workspace", "__version__"]


def __getattr__(name: str) -> Any:
    # Imported on first use, so that `import mnemofs` costs nothing on the way to a hook.
    if name == "Workspace":
        from mnemofs.workspace import Workspace

        return Workspace
    if name == "MnemofsError":
        from mnemofs.errors import MnemofsError

        return MnemofsError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
