"""One reader's memory. `View` is in `whole`, put together from the parts beside it.

A hook that only reads takes `reader` and loads none of the others.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mnemofs.view.whole import View as View


def __getattr__(name: str) -> object:
    if name == "View":
        from mnemofs.view.whole import View

        return View
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
