"""The whole view: everything a person or an agent does with memory is a method of `View`.

A view writes to one store (the workspace's, or one owner's) and reads that store together with
the shared ones. Every write is committed before its method returns, and findable right after.
"""

from __future__ import annotations

from mnemofs.view.dreams import Dreams
from mnemofs.view.exchanging import Exchanging
from mnemofs.view.forgetting import Forgetting
from mnemofs.view.morning import Morning
from mnemofs.view.prompting import Prompting
from mnemofs.view.providing import Providing
from mnemofs.view.recalling import Recalling
from mnemofs.view.sharing import Sharing
from mnemofs.view.tooling import Tooling
from mnemofs.view.tracing import Tracing
from mnemofs.view.turning import Turning
from mnemofs.view.windowing import Windowing
from mnemofs.view.writing import Writing


class View(
    Tooling,
    Prompting,
    Tracing,
    Morning,
    Writing,
    Dreams,
    Turning,
    Forgetting,
    Sharing,
    Recalling,
    Providing,
    Windowing,
    Exchanging,
):
    """The memory of one reader; see the parts for what it can do."""
